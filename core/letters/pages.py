"""A sketch as a page to look things up on: labels, lists of marks, option texts, what is ruled out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.letters import cues
from core.letters.folding import Folded
from core.letters.marks import MARK, SEVERAL, letter_of
from core.letters.texts import OptionTexts

BOTH: Final = "&"
"""A claim of more than one option."""
NONE: Final = "-"
"""A claim that no option is right."""


@dataclass(frozen=True, slots=True)
class Claim:
    """``letter`` said to be the answer in ``start..end`` of the sketch; ``since`` is where the saying begins.

    Rank: -2 evidence, -1 unsure, 0 called right, 1 given as the answer, 2 concluded, 3 final, 4 boxed.
    """

    letter: str
    rank: int
    since: int
    start: int
    end: int


_MARK: Final = re.compile(MARK)
_ANY: Final = re.compile(cues.M)
_TEXT_END: Final = re.compile(
    r"\n|[.!?](?=\s|$)|;| ?(?=[\ue000-\ue0ff])| \(|, (?:not|because|since|as|which|so|while|rather|but)\b|"
    r" (?:because|since|as|rather than|instead of)\b| - |,? (?:porque|weil|car|потому)|です|입니다|のです"
)
_BESIDE: Final = re.compile(rf"[ ,.-]{{0,3}}(?:\(?({MARK})|\(([a-z])\))")
_LABELLED: Final = re.compile(r"[.):]? ?[^\W_]")
_LONGEST_LIST: Final = 120


class Page:
    """The sketch of one reply with its options."""

    def __init__(self, sketch: Folded, original: str, texts: OptionTexts, *, words: bool) -> None:
        self.words = words
        self.sketch = sketch
        self.text = sketch.text
        self.original = original
        self.texts = texts
        self.refuted = sorted(self._refutations())
        gone = {at for _, at in self.refuted}
        said = ((m.start(m.lastgroup or 0), letter_of(m[m.lastgroup or 0])) for m in cues.LABEL.finditer(self.text))
        self.labels = labels = [
            label for label in said if label[0] not in gone and not cues.VERB_AFTER.match(self.text, label[0] + 1)
        ]
        self.successor = {a[0]: b[0] for a, b in pairwise(labels) if ord(b[1]) - ord(a[1]) == 1}
        self.predecessor = {b: a for a, b in self.successor.items()}

    def clause_before(self, at: int) -> str:
        window = self.text[max(0, at - 70) : at]
        last = 0
        for boundary in cues.CLAUSE.finditer(window):
            last = boundary.end()
        return window[last:]

    def sentence_before(self, at: int) -> str:
        window = self.text[max(0, at - 90) : at]
        return window[
            max(window.rfind(". "), window.rfind("\n"), window.rfind("! "), window.rfind("? "), window.rfind("; "))
            + 1 :
        ]

    def list_end(self, at: int) -> int:
        end = at + 1
        while (
            end - at < _LONGEST_LIST
            and (join := cues.JOIN.match(self.text, end))
            and _ANY.match(self.text, join.end())
        ):
            end = join.end() + 1
        return end

    def picked(self, at: int, since: int, rank: int) -> Iterator[Claim]:
        """The mark at that place, or several where others are joined to it."""
        char = self.text[at]
        if char == SEVERAL:
            yield Claim(BOTH, rank, since, at, at + 1)
            return
        letter = letter_of(char)
        if cues.NOT_AFTER.match(self.text, at + 1):
            return
        if cues.ASKED.match(self.text, at + 1) or cues.TAKEN_BACK.match(self.text, at + 1):
            return
        if cues.IF_AFTER.match(self.text, at + 1):
            return
        following = self.text[at + 1 : at + 40]
        near = self.successor.get(at)
        if (
            near is not None
            and _LABELLED.match(self.text, at + 1)
            and rank < 4
            and "\n\n" not in self.text[at:near]
            and near - at < 100
            and (self.text[near - 1] == "\n" or self.successor.get(near))
        ):
            return
        if re.match(r"\)? ?(?:is|was|isn't|are)(?: \w+ly)? ?(?:wrong|incorrect|not\b|n't|false)", following):
            return
        if self._joined(at, letter) or self._contradicted(at, letter):
            yield Claim(BOTH, rank, since, at, at + 1)
            return
        yield Claim(letter, rank, since, at, at + 1)

    def _joined(self, at: int, letter: str) -> bool:
        end = at + 1
        join = cues.JOIN.match(self.text, end)
        if join:
            others = set()
            while join and end - at < _LONGEST_LIST and _ANY.match(self.text, join.end()):
                if cues.BOTH_WRONG.match(self.text, join.end() + 1):
                    break
                comma = "," in join[0] or not join[0].strip()
                if (
                    comma
                    and cues.VERB_AFTER.match(self.text, join.end() + 1)
                    and not re.match(
                        r" are\b(?! (?:wrong|incorrect|not))", self.text[join.end() + 1 : join.end() + 20]
                    )
                ):
                    break
                if re.match(
                    r" (?:is|was|isn't|shows?|does|doesn't|has|would|can't|cannot|seems|appears)\b",
                    self.text[join.end() + 1 : join.end() + 12],
                ):
                    break
                char = self.text[join.end()]
                others.add(BOTH if char == SEVERAL else letter_of(char))
                end = join.end() + 1
                join = cues.JOIN.match(self.text, end)
            return bool(others - {letter})
        further = cues.FURTHER.match(self.text, end)
        if further and not cues.CAUSE.search(further[0]) and not cues.VERB_AFTER.match(self.text, further.end()):
            if cues.BOTH_WRONG.match(self.text, further.end()):
                return False
            return further[1] == SEVERAL or letter_of(further[1]) != letter
        return False

    def _contradicted(self, at: int, letter: str) -> bool:
        """Another option's text stands right behind the letter."""
        rest = self.wording(at + 1, self.line_end(at + 1))
        said = rest.lstrip(" .):,-]}*_`$\"'(")
        for end in self._text_ends(said):
            letters = self.texts.of(said[:end])
            if letters:
                return letter not in letters
        return False

    def wording(self, start: int, end: int) -> str:
        if start >= end or start >= len(self.text):
            return ""
        first, last = self.sketch.origin(start, end)
        return self.original[first:last]

    def line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return min(len(self.text) if end < 0 else end, at + 300)

    @staticmethod
    def _text_ends(said: str) -> list[int]:
        return [len(said), *sorted((m.start() for m in _TEXT_END.finditer(said[:300])), reverse=True)]

    def own_text_at(self, at: int) -> bool:
        rest = self.wording(at + 1, self.line_end(at + 1))
        return self.texts.own(letter_of(self.text[at]), rest.lstrip(" .):,-]}*_`$\"'("))

    def letters_of(self, start: int, end: int) -> str:
        letters = self.texts.of(self.wording(start, end))
        return "" if not letters else letters[0] if len(letters) == 1 else BOTH

    def text_at(self, at: int) -> tuple[str, int, int] | None:
        """The option whose text is stated there, and where."""
        if not self.texts.letters:
            return None
        while self.text[at : at + 1] in (" ", "\n", '"', "("):
            at += 1
        line_end = self.line_end(at)
        rest = self.text[at:line_end]
        for end in self._text_ends(rest):
            letter = self.letters_of(at, at + end)
            if letter:
                beside = _BESIDE.match(self.text, at + end)
                if beside and (letter_of(beside[1]) if beside[1] else beside[2].upper()) != letter:
                    letter = BOTH
                return letter, at, at + end
        return None

    def _refutations(self) -> Iterator[tuple[str, int]]:
        for said in () if self.words else cues.REFUTED.finditer(self.text):
            if said["mark"] == SEVERAL or self.own_text_at(said.start("mark")):
                continue
            yield letter_of(said["mark"]), said.start("mark")
        for said in cues.LIST_WRONG.finditer(self.text):
            for each in _MARK.finditer(self.text, said.start("marks"), said.end("marks")):
                yield letter_of(each[0]), each.start()
        for said in cues.RULED_OUT.finditer(self.text):
            for each in _MARK.finditer(self.text, said.start("marks"), said.end("marks")):
                yield letter_of(each[0]), each.start()
