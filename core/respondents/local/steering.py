"""What happens between two tokens: draw the next one, stop those nobody waits for, pass the text on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from core.respondents.local.asking import Asked
from core.respondents.local.jobs import Generated, Job


class Draw:
    """Makes the greedy choice a draw: noise is added to the scores so that the largest is a sample of them.

    Each row has a generator of its own, seeded by its request: what is drawn does not depend on who else is in the
    batch. Nothing but ``temperature`` and ``top_p`` shapes the odds.
    """

    def __init__(self, seeds: Sequence[int], temperature: float, top_p: float | None) -> None:
        self._seeds = seeds
        self._temperature = temperature
        self._top_p = top_p
        self._chances: list[Any] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        import torch

        if not self._chances:
            self._chances = [torch.Generator(device=scores.device).manual_seed(seed) for seed in self._seeds]
        scores = scores.float() / self._temperature
        if self._top_p is not None:
            scores = _nucleus(scores, self._top_p)
        noise = torch.stack(
            [torch.rand(scores.shape[-1], generator=chance, device=scores.device) for chance in self._chances]
        )
        tiny = torch.finfo(noise.dtype).tiny
        return scores - torch.log(-torch.log(noise.clamp(tiny, 1 - torch.finfo(noise.dtype).eps)))


def _nucleus(scores: Any, top_p: float) -> Any:
    """All but the likeliest tokens that together have ``top_p`` ruled out; the likeliest always stays."""
    sorted_scores, order = scores.sort(descending=True)
    shares = sorted_scores.softmax(-1)
    out = (shares.cumsum(-1) - shares) >= top_p
    return scores.masked_fill(out.scatter(-1, order, out), -math.inf)


class Stop:
    """Ends the rows whose requests were cancelled; the others go on."""

    def __init__(self, jobs: Sequence[Job[Asked, Generated]]) -> None:
        self._jobs = jobs
        self._nobody: Any = None

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        import torch

        if not any(job.cancelled for job in self._jobs):
            if self._nobody is None:  # kept, so that no token waits for a copy to the device
                self._nobody = torch.zeros(len(self._jobs), dtype=torch.bool, device=input_ids.device)
            return self._nobody
        return torch.tensor([job.cancelled for job in self._jobs], dtype=torch.bool, device=input_ids.device)


class Pieces:
    """A streamer for one request: called with each token, it passes on the text that has become certain.

    A character of several tokens is held back until it is whole.
    """

    def __init__(self, tokenizer: Any, say: Callable[[str], None]) -> None:
        self._tokenizer = tokenizer
        self._say = say
        self._skip = True
        self._ids: list[int] = []
        self._from = 0
        self._read = 0

    def put(self, value: Any) -> None:
        """The prompt at first, then each new token."""
        if self._skip:
            self._skip = False
            return
        self._ids += value.reshape(-1).tolist()
        before = self._decode(self._ids[self._from : self._read])
        now = self._decode(self._ids[self._from :])
        if len(now) > len(before) and not now.endswith("\ufffd"):
            self._from, self._read = self._read, len(self._ids)
            self._say(now[len(before) :])

    def end(self) -> None:
        """What is held back comes with the whole answer."""

    def _decode(self, ids: list[int]) -> str:
        text: str = self._tokenizer.decode(ids, skip_special_tokens=True)
        return text
