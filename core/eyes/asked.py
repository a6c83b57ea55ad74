"""A question about two pictures in MMRA's form: what is seen in each is said first, then the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Final

from core.benchmarks.base import ProtocolLike
from core.benchmarks.mmra.benchmark import BENCHMARK as MMRA
from core.benchmarks.mmra.question import CHOICE, TRUE_FALSE, Question, answer_text
from core.drawing.palette import Dice
from core.eyes import wordings
from core.eyes.album import Album
from core.eyes.analogies import verdict
from core.eyes.talks import Talk, parts_of, pick_wording
from core.making.dealing import shuffled
from core.prompts import built_in
from core.records import Item, Part, Picture, Text, Turn

SEEN: Final = "seen"
REASON: Final = "reason"
ANSWER: Final = "answer"

Pair = tuple[int, int]


class Asked:
    """A question about two pictures: what is said of each, and the answer with what leads to it."""

    def __init__(self, subtask: str, question: str, pair: Pair, said: tuple[str, str]) -> None:
        self.subtask, self.question, self.pair, self.said = subtask, question, pair, said
        self.options: Mapping[str, str] = {}
        self.answer = ""
        self.reason: list[tuple[str, str]] = []

    def yes_no(self, yes: bool, compared: tuple[str, str] | None = None) -> Asked:
        """With yes or no for its answer, which follows from comparing two words: what is said, or these."""
        self.answer = "Yes" if yes else "No"
        first, second = compared or self.said
        self.reason = [(f"From {first} to {second},", REASON), verdict(first, second)]
        return self

    def choice(self, dice: Dice, right: str, wrong: Sequence[str]) -> Asked:
        """With three or four options, the right one anywhere."""
        wrong = shuffled(dice, [option for option in wrong if option != right])[: 2 if dice.chance(0.3) else 3]
        order = shuffled(dice, [right, *wrong])
        self.options = dict(zip(ascii_uppercase, order, strict=False))
        self.answer = ascii_uppercase[order.index(right)]
        self.reason = [(f"{right[0].lower()}{right[1:]}.", REASON)]  # "A car" would be read as a letter
        return self

    def talk(self, dice: Dice, album: Album, own: float, *, blind: bool = False) -> Talk:
        """The conversation; ``blind`` without pictures, so that what is seen in them is read and not said."""
        view = Question(
            self.subtask, CHOICE if self.options else TRUE_FALSE, self.question, self.answer, self.options
        )
        wording = pick_wording(dice, own, wordings.MMRA)
        talk = Talk(pictures=[] if blind else [album.varied(number, dice) for number in self.pair])
        turn = _asking(wording).next_turn(item_of(view), ())
        assert turn is not None
        talk.ask(_marked(turn) if dice.chance(0.15) else parts_of(turn), blind=blind)
        seen = "\n".join(f"Image {k}: {said}." for k, said in enumerate(self.said, 1))
        talk.say((f"{seen}\n", "" if blind else SEEN), *self.reason, (f"\n{answer_text(self.answer)}", ANSWER))
        return talk


def _marked(turn: Turn) -> tuple[Part, ...]:
    first, second, *rest = parts_of(turn)
    return (Text("Image 1:"), first, Text("Image 2:"), second, *rest)


def item_of(view: Question) -> Item:
    """The question as an item of two pictures."""
    pictures = (Picture("1.png"), Picture("2.png"))
    return Item("mmra", "", "eyes", pictures=pictures, groups=view.groups(), facts=view.to_facts())


@lru_cache(maxsize=8)
def _asking(wording: int) -> ProtocolLike:
    prompts = dict(built_in("mmra"))
    if wording >= 0:
        prompts |= wordings.MMRA[wording]
    return MMRA.protocols["iq"]("", {}, prompts)
