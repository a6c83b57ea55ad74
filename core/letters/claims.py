"""What a sketch claims to be the answer, in order, and what it rules out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.letters import cues
from core.letters.folding import Folded
from core.letters.marks import BOX_END, FIRM, MARK, SEVERAL, SHOWN, Form, form_of, letter_of
from core.letters.texts import OptionTexts

BOTH: Final = "&"
"""A claim of more than one option."""
NONE: Final = "-"
"""A claim that no option is right."""


@dataclass(frozen=True, slots=True)
class Claim:
    """``letter`` said to be the answer in ``start..end`` of the sketch; ``since`` is where the saying begins.

    Rank: -2 evidence, -1 unsure, 0 called right, 1 given as the answer, 2 concluded, 3 final.
    """

    letter: str
    rank: int
    since: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Claims:
    made: tuple[Claim, ...]
    refuted: tuple[tuple[str, int], ...]


_MARK: Final = re.compile(MARK)
_ANY: Final = re.compile(cues.M)
_NONE_SAID: Final = re.compile(
    r"(?:none|neither)(?: of (?:these|them|those|(?:the )?(?:above|given|provided|listed|options|choices|answers|four|five|three|six|available))\b"
    r"| (?:is|are|apply|fits?|match)\b|(?= ?(?:$|[\n.,!;])))"
)
_ALL_SAID: Final = re.compile(
    r"(?:all|any|both|either)(?: of)?(?: the| these| them)?(?: (?:above|options|choices|answers))?\b"
)
_TEXT_END: Final = re.compile(
    r"\n|[.!?](?=\s|$)|;| \(|, (?:not|because|since|as|which|so|while|rather|but)\b| (?:because|since|as|rather than|instead of)\b| - |,? (?:porque|weil|car|потому)|です|입니다|のです"
)
_PREFIX: Final = r"(?:both |either )?(?:the )?(?:option |choice |answer |letter |选项|選項|選択肢 ?|opción |opção |letra |la |вариант |الخيار |विकल्प )?"
_FIRST: Final = re.compile(rf"{_PREFIX}(?P<mark>{cues.M})(?P<rest>[^\n]*)")
_PUNCTUATION: Final = re.compile(r"[\s.!)\]:;,\ue100-\ue103]*(?:です|입니다|번|项|है)?[\s.!]*$")
_DELIMITED: Final = re.compile(
    r" ?[.):]|,(?! ?(?:and |or )?[\ue000-\ue0ff])| - | (?:because|since|as it|as the|due|rather|porque|weil|car|потому)(?!\w)"
)
_LAST_SENTENCE: Final = re.compile(rf"[.!?] ({FIRM})[.!]?\s*$")
_PAIR: Final = re.compile(rf"(?:either|both) (?:of )?(?:option |options )?(?P<mark>{cues.M}) (?:and|or|&) (?:option )?{cues.M}")
_BOX: Final = re.compile(rf"[^{BOX_END}\n]{{0,200}}{BOX_END}")
_TRAILING: Final = re.compile(rf" ?({SHOWN})[.!]?\s*$")


def claims(sketch: Folded, original: str, texts: OptionTexts, *, words: bool = False) -> Claims:
    """Everything in order of its place. ``words``: the marks are words of yes or no, not letters."""
    return _Finder(sketch, original, texts, words=words).found()


class _Finder:
    def __init__(self, sketch: Folded, original: str, texts: OptionTexts, *, words: bool) -> None:
        self.words = words
        self.sketch = sketch
        self.text = sketch.text
        self.original = original
        self.texts = texts
        self.refuted = sorted(self._refuted())
        gone = {at for _, at in self.refuted}
        said = ((m.start(m.lastgroup or 0), letter_of(m[m.lastgroup or 0])) for m in cues.LABEL.finditer(self.text))
        self.labels = labels = [label for label in said if label[0] not in gone]
        self.successor = {a[0]: b[0] for a, b in zip(labels, labels[1:], strict=False) if ord(b[1]) - ord(a[1]) == 1}
        self.predecessor = {b: a for a, b in self.successor.items()}

    def found(self) -> Claims:
        gone = {at for _, at in self.refuted}
        made = [claim for claim in self._all() if claim.start not in gone]
        made.sort(key=lambda claim: (claim.start, claim.rank))
        return Claims(tuple(made), tuple(self.refuted))

    def _all(self) -> Iterator[Claim]:
        yield from self._by_heads()
        yield from self._called_right()
        yield from self._by_place()

    # -- after a cue

    def _by_heads(self) -> Iterator[Claim]:
        for head in (cues.HEAD_WORDS if self.words else cues.HEAD).finditer(self.text):
            kind = (head.lastgroup or "").rstrip("_")
            if kind == "box":
                yield from self._boxed(head)
                continue
            if kind == "tick":
                if _ANY.match(self.text, head.end() + (self.text[head.end() : head.end() + 1] == " ")):
                    at = head.end() + (self.text[head.end()] == " ")
                    yield from self._picked(at, head.start(), 1)
                continue
            rank = self._rank(head, kind)
            if rank is not None:
                yield from self._after(head, kind, rank)

    def _rank(self, head: re.Match[str], kind: str) -> int | None:
        """None where the saying is not the speaker's own or is denied."""
        before = self._clause_before(head.start())
        sentence = self._sentence_before(head.start())
        said = head[0]
        if kind == "evidence":
            return None if cues.NEGATED.search(before) or cues.NOT_MINE.search(sentence) else -2
        if (
            kind in ("noun", "verb", "adverb")
            and cues.NOT_MINE.search(f"{before}{said}")
            and not cues.FINAL.search(said)
        ):
            return None
        if kind in ("noun", "verb") and (
            cues.CONDITION.search(before) or cues.NOT_MINE.search(sentence[-60:]) and "," not in sentence[-60:]
        ):
            return None
        if cues.NEGATED.search(
            cues.NO_DOUBT.sub("", f"{before} {said}" if kind not in ("correct", "conclude") else "")
        ):
            return None
        if cues.UNSURE.search(f"{before} {said}"):
            return -1
        if cues.FINAL.search(said) or cues.FINAL.search(before[-30:]):
            return 3
        if kind == "conclude" or cues.THEN.search(f"{sentence[-40:]} {said}"):
            return 2
        return 1

    def _clause_before(self, at: int) -> str:
        window = self.text[max(0, at - 70) : at]
        last = 0
        for boundary in cues.CLAUSE.finditer(window):
            last = boundary.end()
        return window[last:]

    def _sentence_before(self, at: int) -> str:
        window = self.text[max(0, at - 90) : at]
        return window[
            max(window.rfind(". "), window.rfind("\n"), window.rfind("! "), window.rfind("? "), window.rfind("; "))
            + 1 :
        ]

    def _after(self, head: re.Match[str], kind: str, rank: int) -> Iterator[Claim]:
        at = head.end() + (self.text[head.end() : head.end() + 1] == " ")
        glue = cues.GLUE.match(self.text, at)
        after = glue.end() if glue else at
        negation = cues.NOT.match(self.text, at) or cues.NOT.match(self.text, after)
        if negation and not self.texts.of(self._original(at, self._line_end(at))):
            return
        pair = _PAIR.match(self.text, after)
        if pair and len(_ANY.findall(pair[0])) > 1:
            yield Claim(BOTH, rank, head.start(), pair.start("mark"), pair.end())
            return
        if self.text[after : after + 1] == "\ue100":
            return
        if _ANY.match(self.text, after):
            if "\n\n" in self.text[head.start() : after] and kind not in ("noun",):
                return
            if kind in ("conclude", "correct", "adverb", "evidence") and not self._ends(after):
                return
            if kind == "verb" and not self._chosen(after):
                return
            if kind in ("noun", "verb") and self._echoed(head, after):
                return
            yield from self._picked(after, head.start(), rank)
            return
        if kind in ("noun", "verb", "box", "correct", "conclude", "adverb"):
            found = self._text_at(after) or (self._text_at(at) if after != at else None)
            if found:
                letter, start, end = found
                if not cues.ASKED.match(self.text, end):
                    yield Claim(letter, rank, head.start(), start, end)
            elif kind == "noun":
                said = _NONE_SAID.match(self.text, after)
                if said:
                    yield Claim(self.texts.none or NONE, rank, head.start(), after, said.end())
                    return
                said = _ALL_SAID.match(self.text, after)
                if said and said.end() == self._line_end(after):
                    yield Claim(BOTH, rank, head.start(), after, said.end())
                elif said:
                    follow = cues.GLUE.match(self.text, said.end() + 1)
                    place = follow.end() if follow else said.end()
                    if _ANY.match(self.text, place):
                        yield Claim(BOTH, rank, head.start(), place, place + 1)

    def _ends(self, at: int) -> bool:
        """Nothing follows the mark that would make it the subject of something else."""
        last = self._list_end(at)
        if cues.END.match(self.text, last):
            return True
        rest = self._original(last, self._line_end(last))
        return self.text[at] != SEVERAL and self.texts.own(letter_of(self.text[at]), rest.lstrip(" .):,-]}*_`$\"'"))

    def _chosen(self, at: int) -> bool:
        last = self._list_end(at)
        if cues.CHOSEN_END.match(self.text, last):
            return True
        rest = self._original(last, self._line_end(last))
        return (
            self.text[at] != SEVERAL
            and (form_of(self.text[at]) is Form.SHOWN or self.texts.own(letter_of(self.text[at]), rest))
            and not cues.VERB_AFTER.match(self.text, last)
        )

    def _list_end(self, at: int) -> int:
        end = at + 1
        while (join := cues.JOIN.match(self.text, end)) and _ANY.match(self.text, join.end()):
            end = join.end() + 1
        return end

    def _echoed(self, head: re.Match[str], at: int) -> bool:
        """The prompt's own line told again: answer with A, B, C or D."""
        end = self._list_end(at)
        return len(_ANY.findall(self.text, at, end)) >= 3 and bool(
            cues.ECHO.search(self.text[max(0, head.start() - 20) : head.end()])
        )

    def _boxed(self, head: re.Match[str]) -> Iterator[Claim]:
        box = _BOX.match(self.text, head.end())
        if not box or cues.NEGATED.search(before := self._clause_before(head.start())) or cues.NOT_MINE.search(before):
            return
        inside = [m.start() for m in _MARK.finditer(self.text, head.end(), box.end())]
        several = SEVERAL in box[0] or len({letter_of(self.text[i]) for i in inside}) > 1
        if several:
            yield Claim(BOTH, 4, head.start(), head.end(), box.end())
            return
        if inside and re.match(r"[\s\"(]*(?:option |choice |answer:? )?$", self.text[head.end() : inside[0]]):
            if not (cues.ASKED.match(self.text, box.end()) or cues.TAKEN_BACK.match(self.text, box.end())):
                yield from self._picked(inside[0], head.start(), 4)
            return
        found = self._letters_of(head.end(), box.end() - 1)
        if found:
            yield Claim(found, 4, head.start(), head.end(), box.end() - 1)

    def _picked(self, at: int, since: int, rank: int) -> Iterator[Claim]:
        """The mark at that place, or several where others are joined to it."""
        char = self.text[at]
        if char == SEVERAL:
            yield Claim(BOTH, rank, since, at, at + 1)
            return
        letter = letter_of(char)
        if cues.ASKED.match(self.text, at + 1) or cues.TAKEN_BACK.match(self.text, at + 1):
            return
        if cues.IF_AFTER.match(self.text, at + 1):
            return
        following = self.text[at + 1 : at + 40]
        near = self.successor.get(at)
        if (
            near is not None
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
            while join and _ANY.match(self.text, join.end()):
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
        rest = self._original(at + 1, self._line_end(at + 1))
        said = rest.lstrip(" .):,-]}*_`$\"'(")
        for end in self._text_ends(said):
            letters = self.texts.of(said[:end])
            if letters:
                return letter not in letters
        return False

    # -- options by their texts

    def _original(self, start: int, end: int) -> str:
        if start >= end or start >= len(self.text):
            return ""
        first, last = self.sketch.origin(start, end)
        return self.original[first:last]

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return min(len(self.text) if end < 0 else end, at + 300)

    @staticmethod
    def _text_ends(said: str) -> list[int]:
        return [len(said), *sorted((m.start() for m in _TEXT_END.finditer(said[:300])), reverse=True)]

    def _letters_of(self, start: int, end: int) -> str:
        letters = self.texts.of(self._original(start, end))
        return "" if not letters else letters[0] if len(letters) == 1 else BOTH

    def _text_at(self, at: int) -> tuple[str, int, int] | None:
        """The option whose text is stated there, and where."""
        if not self.texts.letters:
            return None
        while self.text[at : at + 1] in (" ", "\n", '"', "("):
            at += 1
        line_end = self._line_end(at)
        rest = self.text[at:line_end]
        for end in self._text_ends(rest):
            letter = self._letters_of(at, at + end)
            if letter:
                return letter, at, at + end
        return None

    # -- called right, called wrong

    def _called_right(self) -> Iterator[Claim]:
        for said in cues.AFTERWARDS.finditer(self.text):
            ticked = said["ticked"] or said["ticked_"]
            if ticked:
                yield Claim(letter_of(ticked), 1 if said["ticked"] else 0, said.start(), said.start(), said.start() + 1)
                continue
            at = said.start("mark")
            before = self._clause_before(at)
            aside = said["aside"].strip(" ,:.)(")
            inside = self._original(*said.span("aside")) if aside else ""
            if (
                aside
                and not said["aside"].lstrip().startswith("(")
                and not (
                    self.text[at] != SEVERAL and self.texts.own(letter_of(self.text[at]), inside.lstrip(" .):,-"))
                )
            ):
                continue
            whole = f"{before}{said[0]}"
            if (
                cues.NOT_MINE.search(whole)
                or cues.NEGATED.search(cues.NO_DOUBT.sub("", whole))
                or cues.CONDITION.search(before)
            ):
                continue
            if (
                cues.ASKED.match(self.text, said.end())
                or cues.IF_AFTER.match(self.text, said.end())
                or cues.TAKEN_BACK.match(self.text, said.end())
            ):
                continue
            if self.text[at] != SEVERAL and form_of(self.text[at]) is Form.LOWER:
                continue
            if cues.UNSURE.search(whole):
                continue
            joined = re.search(
                rf"{cues.M}(?: ?, ?| ?(?:and|or|&|和|y|und|et|и) ?)(?:option )?$", self.text[max(0, at - 14) : at]
            )
            letter = BOTH if joined or self.text[at] == SEVERAL else letter_of(self.text[at])
            rank = 2 if cues.THEN.search(self._sentence_before(at)[-40:]) else 0
            yield Claim(letter, rank, max(0, at - len(before)), at, at + 1)

    def _refuted(self) -> Iterator[tuple[str, int]]:
        for said in () if self.words else cues.REFUTED.finditer(self.text):
            if said["mark"] != SEVERAL:
                yield letter_of(said["mark"]), said.start("mark")
        for said in cues.RULED_OUT.finditer(self.text):
            for each in _MARK.finditer(self.text, said.start("marks"), said.end("marks")):
                yield letter_of(each[0]), each.start()

    # -- by its place: the whole reply, its first line, its last

    def _by_place(self) -> Iterator[Claim]:
        stripped = self.text.strip()
        if not stripped:
            return
        start = self.text.index(stripped[0])
        end = start + len(stripped)
        whole = self._letters_of(start, end)
        if whole:
            yield Claim(whole, 1, start, start, end)
            return
        first_end = self.text.find("\n", start)
        first_end = end if first_end < 0 else first_end
        last_start = self.text.rfind("\n", start, end) + 1 or start
        yield from self._line(start, first_end, last=last_start == start)
        if last_start != start:
            yield from self._line(last_start, end, last=True)
        sentence = _LAST_SENTENCE.search(self.text, max(0, end - 12))
        if sentence and not self.predecessor.get(sentence.start(1)):
            yield from self._picked(sentence.start(1), sentence.start(1), 1)
        trailing = _TRAILING.search(self.text, max(0, end - 12))
        if (
            trailing
            and last_start <= trailing.start()
            and self.texts.own(letter_of(trailing[1]), self._original(last_start, trailing.start()))
        ):
            yield from self._picked(trailing.start(1), last_start, 1)

    def _line(self, start: int, end: int, *, last: bool) -> Iterator[Claim]:
        text_letter = self._letters_of(start, end)
        if text_letter:
            yield Claim(text_letter, 1, start, start, end)
            return
        line = _FIRST.match(self.text, start, end)
        if not line:
            none = _NONE_SAID.match(self.text, start, end)
            if none and start == 0:
                yield Claim(self.texts.none or NONE, 1, start, start, none.end())
            return
        at = line.start("mark")
        char, rest = line["mark"], line["rest"]
        if at in self.successor or at in self.predecessor:
            return
        if char == SEVERAL:
            if _PUNCTUATION.match(rest):
                yield Claim(BOTH, 1, start, at, at + 1)
            return
        if _PUNCTUATION.match(rest):
            yield from self._picked(at, start, 1)
            return
        form = form_of(char)
        if self.words:
            if form is not Form.LOWER or _DELIMITED.match(rest):
                yield from self._picked(at, start, 1)
            return
        said = self._original(at + 1, end).lstrip(" .):,-]}*_`$\"'")
        own = self.texts.own(letter_of(char), said)
        if start != 0 and last and not own and len(self.labels) > 1:
            return
        if not own and cues.VERB_AFTER.match(rest) or cues.FURTHER.match(rest) and not _DELIMITED.match(rest):
            if cues.JOIN.match(rest) or not cues.VERB_AFTER.match(rest):
                yield from self._picked(at, start, 1)
            return
        if form is Form.LOWER and not (own and _DELIMITED.match(rest)):
            return
        if form is Form.SHOWN or form is Form.LOWER_SHOWN or own or _DELIMITED.match(rest) or cues.JOIN.match(rest):
            yield from self._picked(at, start, 1)
