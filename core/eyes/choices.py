"""V-REX's form: questions about one picture, answered one after the other with letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Final

from core.benchmarks.base import ProtocolLike
from core.benchmarks.mmra.question import answer_text
from core.benchmarks.voila.vocabulary import ACTIONS, NUMBERS, PLURALS, PROPERTIES, SUBJECTS
from core.benchmarks.vrex.benchmark import BENCHMARK as VREX
from core.benchmarks.vrex.question import ChainStep, Choice, Question
from core.benchmarks.vrex.score import letter_text
from core.drawing.palette import Dice
from core.eyes import wordings
from core.eyes.album import Album
from core.eyes.asked import SEEN
from core.eyes.relations import FEELINGS, SETTINGS
from core.eyes.talks import Talk, parts_of, pick_wording
from core.making.dealing import shuffled
from core.prompts import built_in
from core.records import Answer, Item, Picture, Step

LETTER: Final = "letter"
_ASKED: Final = {
    "number": ("How many are there?", "How many of them are in the picture?", "Count them. How many are there?"),
    "subject": ("What is shown?", "Who is in the picture?", "What kind of figure is it?"),
    "action": ("What are they doing?", "What is being done?", "Which action is shown?"),
    "mood": ("What does the one in the picture feel?", "Which feeling does the face show?"),
    "place": ("Where is this?", "Where is the picture set?"),
    "thing": ("What is in the picture?", "What does the picture show?"),
}
_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "number": {name: name for name in NUMBERS},
    "subject": {name: PLURALS[name] for name in SUBJECTS},
    "action": {name: name for name in ACTIONS},
    "mood": FEELINGS,
    "place": SETTINGS,
}
_KNOWN: Final = tuple(tuple(known.values()) for known in _WORDS.values())
_DIGITS: Final = {"one": "1", "two": "2", "three": "3", "four": "4"}


def _choice(dice: Dice, words: Mapping[str, str], value: str) -> Choice:
    wrong = shuffled(dice, [word for other, word in words.items() if other != value])[: 2 + (dice.chance(0.6))]
    order = shuffled(dice, [words[value], *wrong])
    return Choice(dict(zip(ascii_uppercase, order, strict=False)), ascii_uppercase[order.index(words[value])])


def letters(dice: Dice, album: Album, own: float) -> Talk:
    """One to three questions about a picture: what is seen is said, then its letter."""
    return _talk(dice, album, own, blind=False)


def told_letters(dice: Dice, album: Album, own: float) -> Talk:
    """The same in words alone: what is seen is read, and its letter said."""
    return _talk(dice, album, own, blind=True)


def letter_drill(dice: Dice, album: Album, _own: float) -> Talk:
    """Options and one of them said, in MMRA's form or V-REX's: only its letter is learned."""
    words = _KNOWN + tuple(album.values[name] for name in ("thing", "layout", "place", "head"))
    options = shuffled(dice, dice.pick(words))[: 3 if dice.chance(0.3) else 4]
    right = int(dice.between(0, len(options)))
    letter, said = ascii_uppercase[right], options[right]
    if dice.chance(0.5):
        listed = "\n".join(f"({ascii_uppercase[k]}) {option}" for k, option in enumerate(options))
        return Talk([(f"{listed}\n{said}:", ""), (f" {letter_text(letter)}", LETTER)])
    listed = ", ".join(f"{ascii_uppercase[k]}: {option[0].upper()}{option[1:]}" for k, option in enumerate(options))
    return Talk([(f"[{listed}]\n{said[0].lower()}{said[1:]}.\n", ""), (answer_text(letter), LETTER)])


def _talk(dice: Dice, album: Album, own: float, *, blind: bool) -> Talk:
    kind = dice.pick(("voila", "voila", "voila", "face", "place", "alone"))
    number = dice.pick(album.of_kind[kind])
    seen = album.seen[number]
    names: Sequence[str] = {"face": ("mood",), "place": ("place",), "alone": ("thing",)}.get(kind, PROPERTIES)
    asked: list[tuple[str, Choice]] = []
    for name in shuffled(dice, names)[: 1 + int(dice.between(0, len(names)))]:
        words = _WORDS.get(name) or {thing: thing for thing in album.values[name]}
        if name == "number" and dice.chance(0.5):
            words = _DIGITS
        asked.append((dice.pick(_ASKED[name]), _choice(dice, words, seen[name])))
    *before, (question, final) = asked
    steps = tuple(ChainStep(text, choice.options[choice.answer], choice, None) for text, choice in before)
    view = Question(question, final, steps)
    item = Item("vrex", "", "eyes", pictures=(Picture("1.png"),), groups={}, facts=view.to_facts())
    talk = Talk(pictures=[] if blind else [album.varied(number, dice)])
    wording = pick_wording(dice, own, wordings.VREX)
    protocol = _asking("following" if steps else "direct", wording)
    done: list[Step] = []
    for choice in (*(choice for _, choice in before), final):
        turn = protocol.next_turn(item, done)
        assert turn is not None
        talk.ask(parts_of(turn), blind=blind)
        talk.say(
            (f"{choice.options[choice.answer]}:", "" if blind else SEEN), (f" {letter_text(choice.answer)}", LETTER)
        )
        done.append(Step(turn, Answer(""), choice=choice.answer))
    return talk


@lru_cache(maxsize=16)
def _asking(protocol: str, wording: int) -> ProtocolLike:
    prompts = dict(built_in("vrex"))
    if wording >= 0:
        prompts |= wordings.VREX[wording]
    return VREX.protocols[protocol]("", {}, prompts)
