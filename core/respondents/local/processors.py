"""A model's processor, also where it wants torchvision for videos that nobody shows here."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from core.errors import RespondentError

_VIDEO: Final = "video_processor"
_PARTS: Final = frozenset({"image_processor", "tokenizer", "feature_extractor", _VIDEO})
_NOT_PASSED: Final = _PARTS | {"processor_class", "auto_map", "chat_template"}
_NAMED_IN: Final = ("processor_config.json", "preprocessor_config.json", "tokenizer_config.json")


def load_processor(name: str, where: str, *, sees: bool, **options: Any) -> Any:
    """The processor of a model that sees, the tokenizer of another, set up for batches. Raises RespondentError."""
    import transformers

    try:
        if sees:
            processor = _processor(name, **options)
        else:
            processor = transformers.AutoTokenizer.from_pretrained(name, **options)
    except RespondentError:
        raise
    except Exception as error:  # noqa: BLE001  processors raise anything
        what = "processor" if sees else "tokenizer"
        raise RespondentError(
            f"the model's {what} cannot be loaded ({_first_line(error)})", where=where, remedy=_remedy(error)
        ) from None
    tokenizer = tokenizer_of(processor)
    tokenizer.padding_side = "left"
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    if not (getattr(processor, "chat_template", None) or getattr(tokenizer, "chat_template", None)):
        raise RespondentError(
            "the model has no chat template, so it cannot be put a turn",
            where=where,
            remedy="Take its instruct variant, or put a chat_template.jinja into its folder",
        )
    return processor


def tokenizer_of(processor: Any) -> Any:
    """A processor's tokenizer; a tokenizer is its own."""
    return getattr(processor, "tokenizer", processor)


def _processor(name: str, **options: Any) -> Any:
    import transformers

    try:
        processor = transformers.AutoProcessor.from_pretrained(name, **options)
    except (ImportError, ValueError, OSError, TypeError) as error:
        try:
            processor = without_videos(name, **options)
        except (ImportError, ValueError, OSError, TypeError, AttributeError, LookupError):
            raise error from None
    if not hasattr(processor, "image_processor"):
        raise RespondentError(
            "the model's processor takes no pictures",
            where=name,
            remedy="Its folder lacks preprocessor_config.json or processor_config.json",
        )
    return processor


def without_videos(name: str, **options: Any) -> Any:
    """The model's own processor class minus its video part, which alone needs torchvision."""
    import transformers

    config = _config(name, "processor_config.json", **options)
    kind = config.get("processor_class") or next(
        found for file in _NAMED_IN[1:] if (found := _config(name, file, **options).get("processor_class"))
    )
    cls = getattr(transformers, kind)
    if _VIDEO not in cls.get_attributes():
        raise LookupError(kind)
    pictures = transformers.AutoImageProcessor.from_pretrained(name, backend="pil", **options)
    tokenizer = transformers.AutoTokenizer.from_pretrained(name, **options)
    known = inspect.signature(cls.__init__).parameters
    passed = {key: value for key, value in config.items() if key in known and key not in _NOT_PASSED}
    template = config.get("chat_template") or tokenizer.chat_template
    return image_only(cls)(image_processor=pictures, tokenizer=tokenizer, chat_template=template, **passed)


def image_only(cls: Any) -> Any:
    """The same processor class with image and text parts alone.

    A processor's parts are read off its ``__init__``'s signature, so a subclass whose signature lacks the video part
    is built, saved and loaded without it.
    """

    def start(self: Any, image_processor: Any = None, tokenizer: Any = None, **options: Any) -> None:
        cls.__init__(self, image_processor, tokenizer, None, **options)

    signature = inspect.signature(cls.__init__)
    kept = [parameter for name, parameter in signature.parameters.items() if name != _VIDEO]
    start.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    # some processors read these two even for pictures
    video = SimpleNamespace(num_frames=1, fps=1)
    return type(cls.__name__, (cls,), {"__init__": start, _VIDEO: video, "__qualname__": cls.__qualname__})


def _config(name: str, file: str, **options: Any) -> dict[str, Any]:
    from transformers.utils import cached_file

    hub = {key: value for key, value in options.items() if key == "revision"}
    path = cached_file(name, file, _raise_exceptions_for_missing_entries=False, **hub)
    found = json.loads(Path(path).read_text(encoding="utf-8")) if path is not None else {}
    return found if isinstance(found, dict) else {}


def _remedy(error: Exception) -> str:
    told = str(error)
    for package in ("torchvision", "num2words", "sentencepiece", "protobuf", "tiktoken"):
        if package in told:
            return f"Install {package}"
    return "Its folder must hold the processor's and the tokenizer's files beside the weights"


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0].strip()}" if lines else type(error).__name__
