"""What is learned, in which shares: kinds of talks, and the batches of a step, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.drawing.palette import Dice
from core.eyes.album import SIDE, Album, Pixels
from core.eyes.analogies import drill, seen_alone, seen_analogy, told_analogy, told_briefly
from core.eyes.choices import letter_drill, letters, told_letters
from core.eyes.relations import relation, relation_apart, told_relation, yes_no_apart
from core.eyes.talks import Talk


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of talk, how many of it are in a step, with which others it is put side by side, and in which part of
    the step."""

    name: str
    make: Callable[[Dice, Album, float], Talk]
    count: int
    group: str
    part: int


KINDS: Final[tuple[Kind, ...]] = (
    Kind("analogy", seen_analogy, 8, "seen", 0),
    Kind("relation", relation, 8, "others", 1),
    Kind("letters", letters, 2, "others", 1),
    Kind("alone", seen_alone, 1, "others", 1),
    Kind("told", told_analogy, 12, "told", 1),
    Kind("drill", drill, 32, "drill", 1),
)


WORDS: Final[tuple[Kind, ...]] = (
    Kind("told", told_analogy, 16, "told", 0),
    Kind("drill", drill, 64, "drill", 1),
)
"""What is learned in words alone before any picture is talked about: comparing, above all."""

APPLIES: Final[tuple[Kind, ...]] = (
    Kind("told", told_analogy, 16, "told", 0),
    Kind("told relation", told_relation, 20, "told others", 0),
    Kind("briefly", told_briefly, 40, "briefly", 1),
    Kind("told letters", told_letters, 20, "told others", 1),
    Kind("drill", drill, 16, "drill", 1),
)
"""What is learned in words alone when comparing is known: what follows from it, and which letter an option has."""

LOOKS: Final[tuple[Kind, ...]] = (
    Kind("analogy", seen_analogy, 10, "seen", 0),
    Kind("told", told_analogy, 4, "told", 0),
    Kind("letter drill", letter_drill, 48, "letter drill", 0),
    Kind("relation", relation, 16, "others", 1),
    Kind("letters", letters, 3, "others", 1),
    Kind("alone", seen_alone, 3, "others", 1),
    Kind("told relation", told_relation, 6, "told others", 1),
    Kind("told letters", told_letters, 4, "told others", 1),
    Kind("briefly", told_briefly, 16, "briefly", 1),
    Kind("drill", drill, 8, "drill", 1),
)
"""What is learned when what is to be said is known and what is to be seen is not yet."""

AGAIN: Final[tuple[Kind, ...]] = (
    Kind("analogy", seen_analogy, 9, "seen", 0),
    Kind("told", told_analogy, 3, "told", 0),
    Kind("told relation", told_relation, 4, "told others", 0),
    Kind("relation", relation_apart, 20, "others", 1),
    Kind("letters", letters, 3, "others", 1),
    Kind("alone", seen_alone, 2, "others", 1),
    Kind("briefly", told_briefly, 8, "briefly", 1),
    Kind("drill", drill, 4, "drill", 1),
)
"""The same once more: the second of two pictures above all."""

PAIRS: Final[tuple[Kind, ...]] = (
    Kind("analogy", seen_analogy, 7, "seen", 0),
    Kind("told", told_analogy, 3, "told", 0),
    Kind("told relation", told_relation, 4, "told others", 0),
    Kind("yes or no", yes_no_apart, 22, "others", 1),
    Kind("relation", relation_apart, 5, "others", 1),
    Kind("letters", letters, 3, "others", 1),
    Kind("alone", seen_alone, 2, "others", 1),
    Kind("briefly", told_briefly, 6, "briefly", 1),
    Kind("drill", drill, 4, "drill", 1),
)
"""And once more: what two pictures have in common, yes or no."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Talks side by side, padded on the right: tokens (N, L), the step that each is learned for (N, L; 0: none), and
    all pictures in order (M, SIDE, SIDE, 3)."""

    tokens: NDArray[np.int64]
    learned: NDArray[np.int64]
    pixels: Pixels | None


STEPS: Final = ("", "describe", "relate", "verdict", "apply", "seen", "reason", "answer", "letter", "drill")
"""What ``Batch.learned`` counts through."""


def own_words(progress: float) -> float:
    """The share of talks in the app's own words, which are long: mostly short ones first, then mostly the app's."""
    return 0.15 if progress < 0.5 else 0.75


@dataclass(frozen=True, slots=True)
class Stage:
    """How talks are learned for a time: which, in whose words, and at which rates.

    ``own`` is the share of talks in the app's own words, by progress. ``frozen`` is the share of the steps in which
    the vision side stands still, ``slower`` its rate beside the rest (0: it is not learned). ``weights`` are those
    of some parts of a talk, 1 for all others.
    """

    kinds: tuple[Kind, ...]
    own: Callable[[float], float]
    frozen: float = 0.0
    slower: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)


READING: Final = Stage(WORDS, lambda _: 0.1)
TALKING: Final = Stage(KINDS, own_words, frozen=0.2, slower=0.3)
APPLYING: Final = Stage(APPLIES, lambda _: 0.3)
LOOKING: Final = Stage(LOOKS, lambda _: 0.3, slower=1.0, weights={"describe": 3.0, "seen": 3.0})
LOOKING_AGAIN: Final = Stage(AGAIN, lambda _: 0.3, slower=1.0, weights={"describe": 3.0, "seen": 4.0})
COMPARING: Final = Stage(PAIRS, lambda _: 0.3, slower=1.0, weights={"describe": 3.0, "seen": 4.0})


def batches(
    kinds: Sequence[Kind],
    album: Album,
    encode: Callable[[str], list[int]],
    pad: int,
    seed: object,
    step: int,
    own: float,
) -> list[tuple[str, Batch]]:
    """A step's batches, one for each group of kinds, so that long and short talks are not padded together."""
    made: dict[str, list[Talk]] = {}
    own = float(Dice(seed, "own", step).chance(own))  # all talks of a step, so that short ones are not padded to long
    for kind in kinds:
        for k in range(kind.count):
            made.setdefault(kind.group, []).append(kind.make(Dice(seed, kind.name, step, k), album, own))
    return [(group, side_by_side(talks, encode, pad)) for group, talks in made.items()]


def side_by_side(talks: Sequence[Talk], encode: Callable[[str], list[int]], pad: int) -> Batch:
    """Talks as one batch."""
    rows: list[tuple[list[int], list[int]]] = []
    for talk in talks:
        tokens: list[int] = []
        learned: list[int] = []
        for text, step in talk.pieces:
            found = encode(text)
            tokens += found
            learned += [STEPS.index(step)] * len(found)
        rows.append((tokens, learned))
    width = max(len(tokens) for tokens, _ in rows)
    shape = (len(rows), width)
    out = Batch(np.full(shape, pad, dtype=np.int64), np.zeros(shape, dtype=np.int64), _stacked(talks))
    for k, (tokens, learned) in enumerate(rows):
        out.tokens[k, : len(tokens)] = tokens
        out.learned[k, : len(learned)] = learned
    return out


def _stacked(talks: Sequence[Talk]) -> Pixels | None:
    pictures = [pixels for talk in talks for pixels in talk.pictures]
    return np.stack(pictures) if pictures else None


def encoder(tokenizer: Any) -> Callable[[str], list[int]]:
    """Text to tokens; prompts, which come again and again, are kept."""
    kept: dict[str, list[int]] = {}
    backend = tokenizer.backend_tokenizer

    def encode(text: str) -> list[int]:
        found = kept.get(text)
        if found is None:
            found = list(backend.encode(text, add_special_tokens=False).ids)
            if len(kept) < 20_000:
                kept[text] = found
        return found

    return encode


def sight(album: Album, count: int, dice: Dice, shares: Mapping[str, float]) -> tuple[Pixels, list[int]]:
    """Pictures for the vision side alone, kinds in these shares: their pixels and numbers."""
    numbers = []
    names, weights = tuple(shares), np.cumsum(list(shares.values()))
    for _ in range(count):
        kind = names[int(np.searchsorted(weights, dice.between(0, float(weights[-1])), side="right"))]
        numbers.append(dice.pick(album.of_kind[kind]))
    pixels = np.empty((count, SIDE, SIDE, 3), dtype=np.uint8)
    for k, number in enumerate(numbers):
        pixels[k] = album.varied(number, dice)
    return pixels, numbers
