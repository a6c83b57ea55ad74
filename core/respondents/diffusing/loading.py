"""A text-to-image pipeline into memory, stage by stage: each can be the last if nobody waits any more."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import RespondentError
from core.respondents.local.batching import no_room
from core.respondents.local.loading import device_of, size_of
from core.respondents.local.weights import fingerprint, folder_of
from core.respondents.settings import DiffusersSettings

_INDEX: Final = "model_index.json"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A pipeline ready to paint. ``served`` names it with the version of its weights."""

    name: str
    pipeline: Any
    device: str
    served: str


def load(name: str, settings: DiffusersSettings, check: Callable[[], None], tell: Callable[[str], None]) -> Loaded:
    """Load the pipeline behind these settings. Raises RespondentError.

    ``check`` is called between the stages and may raise; ``tell`` is given a line for each.
    """
    where = f"{name} ({settings.model})"
    folder = _checked_folder(settings, where)
    tell("importing torch and diffusers")
    diffusers, torch = _imported()
    check()
    device = device_of(torch, settings.device, where)
    dtype = settings.dtype
    if dtype == "auto":
        dtype = "bfloat16" if device.startswith("cuda") else "float32"
    source = str(folder) if folder is not None else settings.model
    options: dict[str, Any] = {"revision": settings.revision} if settings.revision and folder is None else {}
    options |= {"variant": settings.variant} if settings.variant else {}
    tell(f"loading the pipeline{size_of(folder, parts=True)} for {device}")
    try:
        pipeline = diffusers.AutoPipelineForText2Image.from_pretrained(
            source, dtype=getattr(torch, dtype), **options
        ).to(device)
    except Exception as error:  # noqa: BLE001  pipelines raise anything
        raise _unloadable(error, where, folder, device) from None
    check()
    pipeline.set_progress_bar_config(disable=True)
    version = fingerprint(folder, parts=True) if folder is not None else settings.revision
    tell(f"ready on {device} as {dtype}")
    return Loaded(name, pipeline, device, f"{settings.model}@{version}" if version else settings.model)


def _imported() -> tuple[Any, Any]:
    """diffusers and torch; neither they nor transformers write across the screen."""
    import torch
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    import diffusers

    diffusers.utils.logging.set_verbosity_error()
    diffusers.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"diffusers\.")
    return diffusers, torch


def _checked_folder(settings: DiffusersSettings, where: str) -> Path | None:
    folder = folder_of(settings.model)
    if folder is None:
        return None
    if not folder.is_dir():
        raise RespondentError("there is no such folder", where=where, remedy="Check model in phoropter.toml")
    if not (folder / _INDEX).is_file():
        raise RespondentError(
            f"the folder holds no pipeline ({_INDEX} is missing)",
            where=where,
            remedy="Name the folder that diffusers' save_pretrained wrote",
        )
    return folder


def _unloadable(error: Exception, where: str, folder: Path | None, device: str) -> RespondentError:
    told = " ".join(str(error).split())[:300]
    if no_room(error):
        return RespondentError(
            f"the weights do not fit into the memory of {device}",
            where=where,
            remedy='Set dtype = "bfloat16", or take a smaller model',
        )
    if "AutoPipeline can't find a pipeline linked to" in told:
        return RespondentError(f"it makes no pictures from words ({told})", where=where)
    if folder is None and isinstance(error, OSError):
        return RespondentError(
            "the pipeline is neither a folder here nor to be had from the hub",
            where=where,
            remedy="Check its name and the network; a gated one needs its licence accepted and HF_TOKEN",
        )
    return RespondentError(f"the pipeline cannot be loaded ({type(error).__name__}: {told})", where=where)
