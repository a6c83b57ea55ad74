"""Claims by what is said: after a cue such as "the answer is", in a box, or called right afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from core.letters import cues
from core.letters.marks import BOX_END, MARK, SEVERAL, Form, form_of, letter_of
from core.letters.pages import BOTH, NONE, Claim, Page

_MARK: Final = re.compile(MARK)
_ANY: Final = re.compile(cues.M)
_NONE_SAID: Final = re.compile(
    r"(?:none|neither)(?: of (?:these|them|those|(?:the )?(?:above|given|provided|listed|options|choices"
    r"|answers|four|five|three|six|available))\b"
    r"| (?:is|are|apply|fits?|match)\b|(?= ?(?:$|[\n.,!;])))"
)
_ALL_SAID: Final = re.compile(
    r"(?:all|any|both|either)(?: of)?(?: the| these| them)?(?: (?:above|options|choices|answers))?\b"
)
_FOREIGN_DENIAL: Final = re.compile(r"(?:no (?:es|è|é)|нет это)(?!\w)")
_PAIR: Final = re.compile(
    rf"(?:either|both) (?:of )?(?:option |options )?(?P<mark>{cues.M}) (?:and|or|&) (?:option )?{cues.M}"
)
_BOX: Final = re.compile(rf"[^{BOX_END}\n]{{0,200}}{BOX_END}")


def by_heads(page: Page) -> Iterator[Claim]:
    for head in (cues.HEAD_WORDS if page.words else cues.HEAD).finditer(page.text):
        kind = (head.lastgroup or "").rstrip("_")
        if kind == "box":
            yield from _boxed(page, head)
            continue
        if kind == "tick":
            if _ANY.match(page.text, head.end() + (page.text[head.end() : head.end() + 1] == " ")):
                at = head.end() + (page.text[head.end()] == " ")
                yield from page.picked(at, head.start(), 1)
            continue
        rank = _rank(page, head, kind)
        if rank is not None:
            yield from _after(page, head, kind, rank)


def _rank(page: Page, head: re.Match[str], kind: str) -> int | None:
    """None where the saying is not the speaker's own or is denied."""
    before = page.clause_before(head.start())
    sentence = page.sentence_before(head.start())
    said = head[0]
    if kind == "correct" and _FOREIGN_DENIAL.match(said):
        return None
    if kind == "evidence":
        return None if cues.NEGATED.search(before) or cues.NOT_MINE.search(sentence) else -2
    if kind in ("noun", "verb", "adverb") and cues.NOT_MINE.search(f"{before}{said}") and not cues.FINAL.search(said):
        return None
    if kind in ("noun", "verb", "adverb") and (
        cues.QUOTED.search(sentence) or cues.PREMISE.search(page.text[max(0, head.start() - 90) : head.start()])
    ):
        return None
    if kind in ("noun", "verb") and (
        cues.CONDITION.search(before) or (cues.NOT_MINE.search(sentence[-60:]) and "," not in sentence[-60:])
    ):
        return None
    if cues.NEGATED.search(cues.NO_DOUBT.sub("", f"{before} {said}" if kind not in ("correct", "conclude") else "")):
        return None
    if cues.UNSURE.search(f"{before} {said}"):
        return -1
    if cues.FINAL.search(said) or cues.FINAL.search(before[-30:]):
        return 3
    if kind == "conclude" or cues.THEN.search(f"{sentence[-40:]} {said}"):
        return 2
    return 1


def _after(page: Page, head: re.Match[str], kind: str, rank: int) -> Iterator[Claim]:
    at = head.end() + (page.text[head.end() : head.end() + 1] == " ")
    glue = cues.GLUE.match(page.text, at)
    after = glue.end() if glue else at
    negation = cues.NOT.match(page.text, at) or cues.NOT.match(page.text, after)
    if negation and not page.texts.of(page.wording(at, page.line_end(at))):
        return
    pair = _PAIR.match(page.text, after)
    if pair and len(_ANY.findall(pair[0])) > 1:
        yield Claim(BOTH, rank, head.start(), pair.start("mark"), pair.end())
        return
    if page.text[after : after + 1] == "\ue100":
        return
    if _ANY.match(page.text, after):
        if "\n\n" in page.text[head.start() : after] and kind not in ("noun",):
            return
        if kind in ("conclude", "correct", "adverb", "evidence") and not _ends(page, after):
            return
        if kind == "verb" and not _chosen(page, after):
            return
        if kind in ("noun", "verb") and _echoed(page, head, after):
            return
        yield from page.picked(after, head.start(), rank)
        return
    if kind in ("noun", "verb", "box", "correct", "conclude", "adverb"):
        found = page.text_at(after) or (page.text_at(at) if after != at else None)
        if found:
            letter, start, end = found
            if not cues.ASKED.match(page.text, end):
                yield Claim(letter, rank, head.start(), start, end)
        elif kind == "noun":
            said = _NONE_SAID.match(page.text, after)
            if said:
                yield Claim(page.texts.none or NONE, rank, head.start(), after, said.end())
                return
            said = _ALL_SAID.match(page.text, after)
            if said and said.end() == page.line_end(after):
                yield Claim(BOTH, rank, head.start(), after, said.end())
            elif said:
                follow = cues.GLUE.match(page.text, said.end() + 1)
                place = follow.end() if follow else said.end()
                if _ANY.match(page.text, place):
                    yield Claim(BOTH, rank, head.start(), place, place + 1)


def _ends(page: Page, at: int) -> bool:
    """Nothing follows the mark that would make it the subject of something else."""
    last = page.list_end(at)
    if cues.END.match(page.text, last):
        return True
    rest = page.wording(last, page.line_end(last))
    return page.text[at] != SEVERAL and page.texts.own(letter_of(page.text[at]), rest.lstrip(" .):,-]}*_`$\"'"))


def _chosen(page: Page, at: int) -> bool:
    last = page.list_end(at)
    if cues.CHOSEN_END.match(page.text, last):
        return True
    rest = page.wording(last, page.line_end(last))
    return (
        page.text[at] != SEVERAL
        and (form_of(page.text[at]) is Form.SHOWN or page.texts.own(letter_of(page.text[at]), rest))
        and not cues.VERB_AFTER.match(page.text, last)
    )


def _echoed(page: Page, head: re.Match[str], at: int) -> bool:
    """The prompt's own line told again: answer with A, B, C or D."""
    end = page.list_end(at)
    return len(_ANY.findall(page.text, at, end)) >= 3 and bool(
        cues.ECHO.search(page.text[max(0, head.start() - 20) : head.end()])
    )


def _boxed(page: Page, head: re.Match[str]) -> Iterator[Claim]:
    box = _BOX.match(page.text, head.end())
    if not box or cues.NEGATED.search(before := page.clause_before(head.start())) or cues.NOT_MINE.search(before):
        return
    inside = [m.start() for m in _MARK.finditer(page.text, head.end(), box.end())]
    several = SEVERAL in box[0] or len({letter_of(page.text[i]) for i in inside}) > 1
    if several:
        yield Claim(BOTH, 4, head.start(), head.end(), box.end())
        return
    if inside and re.match(r"[\s\"(]*(?:option |choice |answer:? )?$", page.text[head.end() : inside[0]]):
        if not (cues.ASKED.match(page.text, box.end()) or cues.TAKEN_BACK.match(page.text, box.end())):
            yield from page.picked(inside[0], head.start(), 4)
        return
    found = page.letters_of(head.end(), box.end() - 1)
    if found:
        yield Claim(found, 4, head.start(), head.end(), box.end() - 1)


def called_right(page: Page) -> Iterator[Claim]:
    for said in cues.AFTERWARDS.finditer(page.text):
        ticked = said["ticked"] or said["ticked_"]
        if ticked:
            yield Claim(letter_of(ticked), 1 if said["ticked"] else 0, said.start(), said.start(), said.start() + 1)
            continue
        at = said.start("mark")
        before = page.clause_before(at)
        aside = said["aside"].strip(" ,:.)(")
        inside = page.wording(*said.span("aside")) if aside else ""
        if (
            aside
            and not said["aside"].lstrip().startswith("(")
            and not (page.text[at] != SEVERAL and page.texts.own(letter_of(page.text[at]), inside.lstrip(" .):,-")))
        ):
            continue
        whole = f"{before}{said[0]}"
        if (
            cues.NOT_MINE.search(whole)
            or cues.NEGATED.search(cues.NO_DOUBT.sub("", whole))
            or cues.CONDITION.search(before)
            or cues.PREMISE.search(page.text[max(0, at - 90) : at])
        ):
            continue
        if (
            cues.ASKED.match(page.text, said.end())
            or cues.IF_AFTER.match(page.text, said.end())
            or cues.TAKEN_BACK.match(page.text, said.end())
        ):
            continue
        if page.text[at] != SEVERAL and form_of(page.text[at]) is Form.LOWER:
            continue
        if cues.UNSURE.search(whole):
            continue
        joined = re.search(
            rf"{cues.M}(?: ?, ?| ?(?:and|or|&|和|y|und|et|и) ?)(?:option )?$", page.text[max(0, at - 14) : at]
        )
        letter = BOTH if joined or page.text[at] == SEVERAL else letter_of(page.text[at])
        rank = 2 if cues.THEN.search(page.sentence_before(at)[-40:]) else 0
        yield Claim(letter, rank, max(0, at - len(before)), at, at + 1)
