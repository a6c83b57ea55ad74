"""What calls cost. Prices come from the configuration alone: a table of ours would be out of date unseen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from annotated_types import Ge

from core.records import Json

Price: TypeAlias = Annotated[float, Ge(0)]

_MILLION: Final = 1_000_000
_OF_A_REQUEST: Final = 256
_OF_A_MESSAGE: Final = 32
"""Tokens that a server's chat template puts around each message, and before all of them, at the most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """``[prices."MODEL"]``: USD for a million tokens, and for each picture sent.

    ``cached`` is for tokens of the prompt that the server found in its own cache (None: as ``input``); ``output``
    is for the answer with its reasoning.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "strict": True}

    input: Price | None = None
    cached: Price | None = None
    output: Price | None = None
    picture: Price | None = None

    @property
    def known(self) -> bool:
        """Whether a call can be priced: half a price would look like a small cost."""
        return self.input is not None and self.output is not None

    @property
    def free(self) -> bool:
        """Whether it is known that nothing is charged."""
        return self.known and not any((self.input, self.cached, self.output, self.picture))

    def cost(self, prompt: int, completion: int, cached: int = 0, pictures: int = 0) -> float | None:
        """USD of these tokens and pictures; ``cached`` are those of the prompt. None where no price is known."""
        if self.input is None or self.output is None:
            return None
        cached = min(cached, prompt)
        of_cached = self.input if self.cached is None else self.cached
        tokens = (prompt - cached) * self.input + cached * of_cached + completion * self.output
        return tokens / _MILLION + pictures * (self.picture or 0.0)

    def most(self, load: Load) -> float:
        """USD that one request can cost, whatever is answered. Needs known prices."""
        assert self.input is not None
        assert self.output is not None
        dearest = max(self.input, self.cached or 0.0)
        tokens = load.prompt * dearest + load.output * self.output
        return tokens / _MILLION + load.pictures * (self.picture or 0.0)


@dataclass(frozen=True, slots=True)
class Load:
    """What one request can come to. ``prompt`` and ``output`` are upper bounds in tokens, ``guess`` what both are
    likely to be before an answer has come; ``pictures`` are those in the request."""

    prompt: int
    output: int
    pictures: int
    guess: int


def load_of(request: Mapping[str, Json], sizes: Iterable[tuple[int, int]], picture_tokens: int | None = None) -> Load:
    """The load of a recorded request whose pictures have these sizes in pixels.

    No tokenizer makes more tokens of a text than it has bytes; all that is sent is counted, schemas of tools and
    answers too. A picture is taken to be ``picture_tokens``, else what :func:`most_tokens` says. An answer has
    ``max_tokens`` at the most, reasoning included, times the ``n`` of a request for several.
    """
    sizes = tuple(sizes)
    text = len(repr(request).encode("utf-8", "surrogatepass"))
    around = _OF_A_REQUEST + _OF_A_MESSAGE * len(request.get("messages", ()))
    seen = [picture_tokens or most_tokens(size) for size in sizes]
    limits = [request.get(name) for name in ("max_tokens", "max_completion_tokens")]
    output = max((limit for limit in limits if isinstance(limit, int)), default=0)
    several = request.get("n")
    if isinstance(several, int) and several > 1:
        output *= several
    likely = text // 4 + around // 8 + sum(picture_tokens or _usual_tokens(size) for size in sizes) + output
    return Load(text + around + sum(seen), output, len(sizes), likely)


def most_tokens(size: tuple[int, int]) -> int:
    """The most tokens that a server makes of a picture of (width, height), of the ways of counting known to us.

    The dearest counts tiles of 512 pixels after the shorter side is brought to 768 and the longer to 2048 at most,
    2,833 and 5,667 for each (a small model that is cheap by the token); others count patches, of 14 x 14 pixels where
    they are smallest, with one more for each row.
    """
    short, long = sorted((max(1, size[0]), max(1, size[1])))
    tiles = 2 * math.ceil(min(2048, 768 * long / short) / 512)
    patches = math.ceil(size[1] / 14) * (math.ceil(size[0] / 14) + 1)
    return max(2833 + 5667 * tiles, patches)


def _usual_tokens(size: tuple[int, int]) -> int:
    return max(64, size[0] * size[1] // 750)


def usd(amount: float) -> str:
    """``$4.71``; small sums with as many digits as they need to be told apart from nothing."""
    if amount >= 1 or amount <= 0:
        return f"${amount:,.2f}"
    text = f"{amount:.{2 - math.floor(math.log10(amount))}f}".rstrip("0")
    return f"${text if len(text.partition('.')[2]) >= 2 else f'{float(text):.2f}'}"
