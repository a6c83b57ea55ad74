"""A batch of requests through the model: prompts made, tokens generated, each request its own text back."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from core.errors import RespondentError
from core.records import Json
from core.respondents.local.asking import Asked
from core.respondents.local.batching import no_room
from core.respondents.local.jobs import Generated, GenerationError, Job
from core.respondents.local.letters import best, odds, tokens_of
from core.respondents.local.loading import Loaded
from core.respondents.local.steering import Draw, Pieces, Stop
from core.respondents.local.wording import read, says_apart
from core.respondents.settings import LocalSettings

_MORE_PICTURES = 'If the model takes one picture at a time, set several = "collage"'


@dataclass(frozen=True, slots=True)
class _Said:
    """One row of a batch. ``whole``: it ended by itself."""

    text: str
    tokens: int
    whole: bool = True
    reasoning: str = ""
    letters: dict[str, float] = field(default_factory=dict)


class Generator:
    """Answers batches with a loaded model. Not safe to share between threads."""

    def __init__(self, loaded: Loaded, settings: LocalSettings) -> None:
        self._loaded: Loaded | None = loaded
        self._settings = settings
        self._proven = False

    def answer(self, jobs: Sequence[Job[Asked, Generated]]) -> list[Generated]:
        """One answer for each job, in their order. Raises GenerationError, RespondentError, or what torch raises."""
        import torch

        loaded = self._loaded
        assert loaded is not None
        started = time.perf_counter()
        with torch.inference_mode():
            chats = [job.asked.chat(in_parts=loaded.sees) for job in jobs]
            self._refuse_pictures(loaded, jobs)
            prompts, inputs = self._encoded(loaded, chats)
            lengths = self._lengths(loaded, inputs, len(jobs))
            say = self._letters if jobs[0].asked.letters else self._words
            said = say(loaded, inputs, jobs)
        self._proven = True
        seconds = time.perf_counter() - started
        return [
            Generated(
                one.text,
                prompt,
                length,
                one.tokens,
                one.whole,
                len(jobs),
                seconds,
                loaded.served,
                one.reasoning,
                one.letters,
            )
            for prompt, length, one in zip(prompts, lengths, said, strict=True)
        ]

    def free(self, *, wholly: bool = False) -> None:
        """Give back cached memory; ``wholly``: the model too, which cannot be asked any more."""
        import torch

        if wholly:
            self._loaded = None
        if not wholly or torch.cuda.is_available():
            gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        elif torch.backends.mps.is_available():
            torch.mps.empty_cache()

    # -- the prompt

    def _refuse_pictures(self, loaded: Loaded, jobs: Sequence[Job[Asked, Generated]]) -> None:
        if not loaded.sees and any(job.asked.images for job in jobs):
            raise RespondentError(
                "the model reads text alone and this turn shows pictures",
                where=f"{loaded.name} ({self._settings.model})",
                remedy="Ask it in words (VOILA: --set input=text), take a model that sees, "
                "or set looks = false to leave the pictures out",
            )

    def _encoded(self, loaded: Loaded, chats: list[list[dict[str, Any]]]) -> tuple[list[str], Any]:
        processor = loaded.processor
        padding: dict[str, Any] = {"processor_kwargs": {"padding": True}} if loaded.sees else {"padding": True}
        try:
            prompts = [processor.apply_chat_template(c, add_generation_prompt=True, tokenize=False) for c in chats]
            inputs = processor.apply_chat_template(
                chats, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt", **padding
            )
        except Exception as error:  # noqa: BLE001  templates and processors raise anything
            raise self._unencodable(loaded, chats, error) from None
        if loaded.sees:
            return prompts, inputs.to(loaded.model.device, dtype=loaded.model.dtype)
        return prompts, inputs.to(loaded.model.device)

    def _unencodable(self, loaded: Loaded, chats: list[list[dict[str, Any]]], error: Exception) -> Exception:
        """What a template or processor says no to, it says no to in every item: the first one stops the run."""
        if no_room(error):
            return error
        told = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        several = any(_pictures(chat) > 1 for chat in chats)
        remedy = _MORE_PICTURES if several else ""
        if type(error).__name__ in ("TemplateError", "UndefinedError"):
            what = f"the model's chat template refuses the conversation ({told})"
            remedy = remedy or "If it takes no system message, leave system out"
        else:
            what = f"the model's processor refuses the turn ({told})"
        if self._proven or len(chats) > 1:
            return GenerationError(what, remedy)
        return RespondentError(what, where=f"{loaded.name} ({self._settings.model})", remedy=remedy)

    def _lengths(self, loaded: Loaded, inputs: Any, rows: int) -> list[int]:
        mask = inputs.get("attention_mask")
        lengths: list[int] = mask.sum(-1).tolist() if mask is not None else [inputs["input_ids"].shape[-1]] * rows
        if loaded.context is not None and max(lengths) >= loaded.context:
            raise GenerationError(
                f"the prompt has {max(lengths):,} tokens and the model holds {loaded.context:,}",
                "Lower max_pixels",
            )
        return lengths

    # -- the answer

    def _words(self, loaded: Loaded, inputs: Any, jobs: Sequence[Job[Asked, Generated]]) -> list[_Said]:
        settings = self._settings
        options: dict[str, Any] = {"max_new_tokens": settings.max_tokens, "stopping_criteria": [Stop(jobs)]}
        seeds = [job.asked.seed for job in jobs if job.asked.seed is not None]
        if seeds:
            options["logits_processor"] = [Draw(seeds, settings.temperature, settings.top_p)]
        if jobs[0].streamed and not says_apart(loaded.tokenizer):
            options["streamer"] = Pieces(loaded.tokenizer, jobs[0].piece)
        rows = self._generate(loaded, inputs, **options)
        if not loaded.model.config.is_encoder_decoder:
            rows = rows[:, inputs["input_ids"].shape[-1] :]
        ends = _ends(loaded.model.generation_config.eos_token_id)
        prompts = inputs["input_ids"].tolist() if says_apart(loaded.tokenizer) else [[]] * len(jobs)
        return [self._said(loaded, prompt, row, ends) for prompt, row in zip(prompts, rows.tolist(), strict=True)]

    def _said(self, loaded: Loaded, prompt: list[int], row: list[int], ends: frozenset[int]) -> _Said:
        end = next((place for place, token in enumerate(row) if token in ends), None)
        told = row if end is None else row[: end + 1]
        text, reasoning = read(loaded.tokenizer, prompt, told)
        return _Said(text, len(told), whole=end is not None, reasoning=reasoning)

    def _letters(self, loaded: Loaded, inputs: Any, jobs: Sequence[Job[Asked, Generated]]) -> list[_Said]:
        tokens = [tokens_of(loaded.tokenizer, job.asked.letters) for job in jobs]
        out = self._generate(loaded, inputs, max_new_tokens=1, output_logits=True, return_dict_in_generate=True)
        found = [odds(row, wanted) for row, wanted in zip(out.logits[0], tokens, strict=True)]
        return [_Said(best(letters), 1, letters=letters) for letters in found]

    def _generate(self, loaded: Loaded, inputs: Any, **options: Any) -> Any:
        from transformers import LogitsProcessorList, StoppingCriteriaList

        for name, kind in (("stopping_criteria", StoppingCriteriaList), ("logits_processor", LogitsProcessorList)):
            if name in options:
                options[name] = kind(options[name])
        return loaded.model.generate(**inputs, **options)


def _ends(eos: Json) -> frozenset[int]:
    if eos is None:
        return frozenset()
    return frozenset(eos) if isinstance(eos, list | tuple) else frozenset([int(eos)])


def _pictures(chat: list[dict[str, Any]]) -> int:
    return sum(
        part["type"] == "image"
        for message in chat
        if isinstance(message["content"], list)
        for part in message["content"]
    )
