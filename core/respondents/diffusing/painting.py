"""A batch of requests through the pipeline: each its own seed, and its own picture back."""

from __future__ import annotations

import gc
import inspect
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from PIL import Image

from core.errors import RespondentError
from core.respondents.diffusing.asking import Sketch, options
from core.respondents.diffusing.loading import Loaded
from core.respondents.local.jobs import GenerationError, Job
from core.respondents.settings import DiffusersSettings

TENTH: Final = 10


@dataclass(frozen=True, slots=True)
class Painted:
    """A picture as the pipeline made it. ``image`` is None where the pipeline's own filter held it back.

    ``tokens`` are those of the words, of which the pipeline reads no more than ``tokens_read``.
    """

    image: Image.Image | None = field(repr=False)
    tokens: int
    tokens_read: int
    batch: int
    seconds: float
    served: str


Easel: TypeAlias = Job[Sketch, Painted]


class Painter:
    """Paints batches with a loaded pipeline. Not safe to share between threads."""

    def __init__(self, loaded: Loaded, settings: DiffusersSettings) -> None:
        """Raises RespondentError where the pipeline does not know an option that is set."""
        self._loaded: Loaded | None = loaded
        self._options = options(settings)
        self._taken = inspect.signature(loaded.pipeline.__call__).parameters
        if unknown := [name for name in self._options if name not in self._taken]:
            raise RespondentError(
                f"its pipeline ({type(loaded.pipeline).__name__}) takes no {', '.join(unknown)}",
                where=f"{loaded.name} ({settings.model})",
                remedy="Leave that out of its table in phoropter.toml",
            )

    def answer(self, jobs: Sequence[Easel]) -> list[Painted]:
        """One picture for each job, in their order. Raises GenerationError, or what the pipeline raises."""
        import torch

        loaded = self._loaded
        assert loaded is not None
        started = time.perf_counter()
        chosen = dict(self._options)
        if "negative_prompt" in chosen:
            chosen["negative_prompt"] = [chosen["negative_prompt"]] * len(jobs)
        if "callback_on_step_end" in self._taken:
            chosen["callback_on_step_end"] = _Steps(jobs)
        with torch.inference_mode():
            out = loaded.pipeline(
                prompt=[job.asked.words for job in jobs],
                generator=[torch.Generator("cpu").manual_seed(job.asked.seed) for job in jobs],
                output_type="pil",
                **chosen,
            )
        held = getattr(out, "nsfw_content_detected", None) or [False] * len(jobs)
        seconds = time.perf_counter() - started
        return [
            Painted(
                None if is_held else image,
                *_lengths(loaded.pipeline, job.asked.words),
                len(jobs),
                seconds,
                loaded.served,
            )
            for job, image, is_held in zip(jobs, out.images, held, strict=True)
        ]

    def free(self, *, wholly: bool = False) -> None:
        """Give back cached memory; ``wholly``: the pipeline too, which cannot be asked any more."""
        import torch

        if wholly:
            self._loaded = None
        if not wholly or torch.cuda.is_available():
            gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        elif torch.backends.mps.is_available():
            torch.mps.empty_cache()


def _lengths(pipeline: Any, words: str) -> tuple[int, int]:
    """How many tokens the words are, and how many the pipeline reads: what goes beyond it cuts off unsaid."""
    found = [getattr(pipeline, name, None) for name in ("tokenizer", "tokenizer_2", "tokenizer_3")]
    readers = [tokenizer for tokenizer in found if tokenizer is not None]
    if not readers:
        return 0, 0
    widest = max(readers, key=lambda tokenizer: tokenizer.model_max_length)
    tokens = len(widest(words, truncation=False).input_ids)
    return tokens, min(tokens, widest.model_max_length)


class _Steps:
    """Called after each step: says how far it is (``told`` tenths), and stops where nobody waits any more."""

    def __init__(self, jobs: Sequence[Easel]) -> None:
        self._jobs = jobs
        self.told = 0

    def __call__(self, pipeline: Any, step: int, timestep: Any, tensors: dict[str, Any]) -> dict[str, Any]:
        if all(job.cancelled for job in self._jobs):
            raise GenerationError("nobody waits for the picture any more")
        share = TENTH * (step + 1) // max(pipeline.num_timesteps, 1)
        if share > self.told:
            self.told = share
            for job in self._jobs:
                job.piece(f"{share * TENTH}% ")
        return tensors
