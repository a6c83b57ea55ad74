"""Model and processor into memory, stage by stage: each can be the last if nobody waits any more."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import RespondentError
from core.respondents.local.batching import no_room
from core.respondents.local.processors import load_processor, tokenizer_of
from core.respondents.local.weights import fingerprint, folder_of
from core.respondents.settings import LocalSettings

_WEIGHTS: Final = ("*.safetensors", "*.bin")
_OF_DRAWING: Final = ("temperature", "top_p", "top_k", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to be asked.

    ``sees`` is False for a text-only one. ``served`` names it with the version of its weights. ``context`` is how
    many tokens it can hold, None where it does not say.
    """

    name: str
    model: Any
    processor: Any
    sees: bool
    device: str
    dtype: str
    served: str
    context: int | None

    @property
    def tokenizer(self) -> Any:
        return tokenizer_of(self.processor)


def load(name: str, settings: LocalSettings, check: Callable[[], None], tell: Callable[[str], None]) -> Loaded:
    """Load the model behind these settings. Raises RespondentError.

    ``check`` is called between the stages and may raise; ``tell`` is given a line for each.
    """
    where = f"{name} ({settings.model})"
    folder = _checked_folder(settings, where)
    tell("importing torch and transformers")
    import torch
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    check()
    source = str(folder) if folder is not None else settings.model
    options: dict[str, Any] = {"trust_remote_code": settings.trust_remote_code}
    if settings.revision and folder is None:
        options["revision"] = settings.revision
    if settings.trust_remote_code:
        tell(f"warning: trust_remote_code is on, so code that comes with {settings.model} runs with all your rights")
    try:
        config = transformers.AutoConfig.from_pretrained(source, **options)
    except Exception as error:  # noqa: BLE001  configurations raise anything
        raise _not_found(error, where, folder) from None
    sees = _sees(transformers, config, where)
    check()
    tell("loading the processor" if sees else "loading the tokenizer")
    processor = load_processor(source, where, sees=sees, **options)
    check()
    device = device_of(torch, settings.device, where)
    tell(f"loading the weights{size_of(folder)} for {settings.device_map or device}")
    model = _weights(torch, transformers, source, settings, device, where, sees=sees, options=options)
    check()
    _plain(model.generation_config, tokenizer_of(processor))
    dtype = str(model.dtype).removeprefix("torch.")
    version = fingerprint(folder) if folder is not None else getattr(config, "_commit_hash", None)
    served = f"{settings.model}@{version}" if version else settings.model
    context = getattr(config.get_text_config(), "max_position_embeddings", None)
    tell(f"ready on {settings.device_map or device} as {dtype}")
    return Loaded(name, model, processor, sees, str(model.device), dtype, served, context)


def _checked_folder(settings: LocalSettings, where: str) -> Path | None:
    folder = folder_of(settings.model)
    if folder is None:
        return None
    if not folder.is_dir():
        raise RespondentError("there is no such folder", where=where, remedy="Check model in phoropter.toml")
    if not (folder / "config.json").is_file():
        raise RespondentError(
            "the folder holds no model (config.json is missing)",
            where=where,
            remedy="Name the folder with config.json, the weights and the processor's files in it",
        )
    return folder


def _not_found(error: Exception, where: str, folder: Path | None) -> RespondentError:
    told = " ".join(str(error).split())
    if "trust_remote_code" in told:
        remedy = "If you trust its authors, set trust_remote_code = true"
        return RespondentError("the model needs code of its own to run", where=where, remedy=remedy)
    if folder is None and isinstance(error, OSError):
        offline = " (HF_HUB_OFFLINE is set)" if os.environ.get("HF_HUB_OFFLINE", "0") not in ("", "0") else ""
        return RespondentError(
            f"the model is neither a folder here nor to be had from the hub{offline}",
            where=where,
            remedy="Check its name and the network; a gated model needs its licence accepted and HF_TOKEN",
        )
    return RespondentError(
        f"the model's config.json cannot be used ({type(error).__name__}: {told[:300]})",
        where=where,
        remedy="A newer transformers may know it",
    )


def _sees(transformers: Any, config: Any, where: str) -> bool:
    """Whether it is a model for pictures and text; raises where it is not one for text either."""
    own = getattr(config, "auto_map", None) or {}
    auto = transformers.models.auto.modeling_auto
    if (
        type(config) in transformers.AutoModelForImageTextToText._model_mapping
        or "AutoModelForImageTextToText" in own
    ):
        return True
    if type(config) in transformers.AutoModelForCausalLM._model_mapping or "AutoModelForCausalLM" in own:
        return False
    if getattr(config, "model_type", "") in auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES:
        return True
    raise RespondentError(
        f"a model of type {getattr(config, 'model_type', '?')!r} does not answer in words",
        where=where,
        remedy="Take one for image-text-to-text or for text generation",
    )


def device_of(torch: Any, wanted: str, where: str) -> str:
    """The device wanted, or for ``auto`` the best there is. Raises RespondentError for one that cannot be used."""
    if wanted != "auto":
        try:
            torch.empty(0, device=wanted)
        except (RuntimeError, AssertionError, NotImplementedError) as error:
            raise RespondentError(
                f"the device {wanted!r} cannot be used ({' '.join(str(error).split())[:200]})",
                where=where,
                remedy='Set device to one that is here, or to "auto"',
            ) from None
        return wanted
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _weights(
    torch: Any,
    transformers: Any,
    source: str,
    settings: LocalSettings,
    device: str,
    where: str,
    *,
    sees: bool,
    options: dict[str, Any],
) -> Any:
    dtype = settings.dtype if settings.dtype == "auto" else getattr(torch, settings.dtype)
    kind = transformers.AutoModelForImageTextToText if sees else transformers.AutoModelForCausalLM
    if settings.device_map:
        options = {**options, "device_map": settings.device_map}
    try:
        model = kind.from_pretrained(source, dtype=dtype, **options)
        return model.eval() if settings.device_map else model.eval().to(device)
    except Exception as error:  # noqa: BLE001  so do weights
        if no_room(error):
            raise RespondentError(
                f"the weights do not fit into the memory of {settings.device_map or device}",
                where=where,
                remedy='Set dtype = "bfloat16", device_map = "auto" to spread them, or take a smaller model',
            ) from None
        told = " ".join(str(error).split())
        remedy = "Check that its folder holds the weights it names"
        if "accelerate" in told:
            remedy = "device_map needs the package accelerate: install it"
        raise RespondentError(
            f"the weights cannot be loaded ({type(error).__name__}: {told[:300]})", where=where, remedy=remedy
        ) from None


def _plain(generation: Any, tokenizer: Any) -> None:
    """Greedy, one beam: what is drawn is drawn by us, and nothing of how the model's makers would draw is left."""
    for name in _OF_DRAWING:
        if hasattr(generation, name):
            setattr(generation, name, None)
    generation.do_sample = False
    generation.num_beams = 1
    generation.num_return_sequences = 1
    generation.max_length = None
    if generation.pad_token_id is None:
        generation.pad_token_id = tokenizer.pad_token_id
    if generation.eos_token_id is None:
        generation.eos_token_id = tokenizer.eos_token_id


def size_of(folder: Path | None, *, parts: bool = False) -> str:
    """The weights of a folder, or of the folders in it, in words for a line about loading."""
    if folder is None:
        return " (fetched from the hub first where they are not here yet)"
    found = (path for pattern in _WEIGHTS for path in folder.glob(f"*/{pattern}" if parts else pattern))
    size = sum(path.stat().st_size for path in found)
    return f" ({size / 1e9:.1f} GB)" if size > 5e7 else f" ({size / 1e6:.1f} MB)"
