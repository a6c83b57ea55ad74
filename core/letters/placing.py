"""Claims by their place: the whole reply, its first line, its last."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from core.letters import cues
from core.letters.marks import FIRM, MARK, SEVERAL, SHOWN, Form, form_of, letter_of
from core.letters.pages import BOTH, NONE, Claim, Page

_MARK: Final = re.compile(MARK)
_NONE_SAID: Final = re.compile(
    r"(?:none|neither)(?: of (?:these|them|those|(?:the )?(?:above|given|provided|listed|options|choices"
    r"|answers|four|five|three|six|available))\b"
    r"| (?:is|are|apply|fits?|match)\b|(?= ?(?:$|[\n.,!;])))"
)
_PREFIX: Final = (
    r"(?:=>|->|→)? ?(?:both |either )?(?:the )?(?:option |choice |answer |letter |选项|選項|選択肢 ?|opción |opção "
    r"|letra |la |вариант |الخيار |विकल्प )?"
)
_FIRST: Final = re.compile(rf"{_PREFIX}(?P<mark>{cues.M})(?P<rest>[^\n]*)")
_PUNCTUATION: Final = re.compile(
    r"[\s.!)\]:;,\ue100-\ue103]*(?:です|だ|だと思います|と思います|でしょう|입니다|번|项|है)?[\s.!]*$"
)
_DELIMITED: Final = re.compile(
    r" ?[.):;]|,(?! ?(?:and |or )?[\ue000-\ue0ff])| - | (?:because|since|as it|as the|due|rather|porque"
    r"|weil|car|потому)(?!\w)"
)
_REASON: Final = re.compile(r",? (?:because|since|as (?:it|the|both)|due|porque|weil|da|car|потому)(?!\w)")
_LAST_SENTENCE: Final = re.compile(rf"[.!?] ({FIRM})[.!]?\s*$")
_REMARK: Final = re.compile(r" ?\([^()\n]{1,120}\)[.!]?$")
_ONLY_MARKS: Final = re.compile(rf"[\s.,;:|)]*(?:{cues.M}[\s.,;:|)]*)+")
_WRITTEN_JOIN: Final = re.compile(rf" ?[^ \ue000-\uf8ff]|{MARK}")
_SIGNED: Final = re.compile(r"(?:regards|sincerely|cheers|thanks|thank you|yours),?\n+$")
_NEGATIVE_QUESTION: Final = re.compile(r"(?:incorrect|wrong|not|n't|false|least|except)\b[^.!?\n]*\? $")
_TRAILING: Final = re.compile(rf" ?({SHOWN})[.!]?\s*$")


def by_place(page: Page) -> Iterator[Claim]:
    stripped = page.text.strip()
    if not stripped:
        return
    start = page.text.index(stripped[0])
    end = start + len(stripped)
    whole = page.letters_of(start, end)
    if whole:
        yield Claim(whole, 1, start, start, end)
        return
    first_end = page.text.find("\n", start)
    first_end = end if first_end < 0 else first_end
    last_start = page.text.rfind("\n", start, end) + 1 or start
    yield from _line(page, start, first_end, last=last_start == start)
    if last_start != start:
        yield from _line(page, last_start, end, last=True)
    sentence = _LAST_SENTENCE.search(page.text, max(0, end - 12))
    asked = _NEGATIVE_QUESTION.search(page.text[max(0, end - 90) : sentence.start(1)]) if sentence else None
    if sentence and not asked and not page.predecessor.get(sentence.start(1)):
        yield from page.picked(sentence.start(1), sentence.start(1), 1)
    trailing = _TRAILING.search(page.text, max(0, end - 12))
    if (
        trailing
        and last_start <= trailing.start()
        and page.texts.own(letter_of(trailing[1]), page.wording(last_start, trailing.start()))
    ):
        yield from page.picked(trailing.start(1), last_start, 1)


def _line(page: Page, start: int, end: int, *, last: bool) -> Iterator[Claim]:
    text_letter = page.letters_of(start, end)
    if text_letter:
        yield Claim(text_letter, 1, start, start, end)
        return
    line = _FIRST.match(page.text, start, end)
    if not line:
        none = _NONE_SAID.match(page.text, start, end)
        if none and start == 0:
            yield Claim(page.texts.none or NONE, 1, start, start, none.end())
        return
    at = line.start("mark")
    char, rest = line["mark"], line["rest"]
    if at in page.successor or at in page.predecessor:
        return
    if char == SEVERAL:
        if _PUNCTUATION.match(rest):
            yield Claim(BOTH, 1, start, at, at + 1)
        return
    if _PUNCTUATION.match(rest):
        if not _SIGNED.search(page.text[max(0, start - 30) : start]):
            yield from page.picked(at, start, 1)
        return
    form, rank = form_of(char), 1
    if page.words:
        if form is not Form.LOWER or _DELIMITED.match(rest):
            yield from page.picked(at, start, 1)
        return
    said = page.wording(at + 1, end).lstrip(" .):,-]}*_`$\"'")
    own = page.texts.own(letter_of(char), said)
    if _ONLY_MARKS.fullmatch(rest):
        if len(_MARK.findall(rest)) == 1 and cues.JOIN.match(rest):
            yield from page.picked(at, start, rank)
        return
    joined = page.list_end(at)
    if joined > at + 1 and not own and (cues.VERB_AFTER.match(page.text, joined) or not _WRITTEN_JOIN.match(rest)):
        return
    if start != 0 and last and not own and not _REASON.match(rest):
        # After other words a label may head one more remark instead of the answer.
        if (
            len(page.labels) > 1
            or letter_of(char) in page.texts.keys
            or not _DELIMITED.match(rest)
            or ":" in rest[:2]
        ):
            return
        rank = -2
    if not own and ":" in rest[:2]:
        rank = -2
    if (not own and cues.VERB_AFTER.match(rest)) or (cues.FURTHER.match(rest) and not _DELIMITED.match(rest)):
        if cues.JOIN.match(rest) or not cues.VERB_AFTER.match(rest):
            yield from page.picked(at, start, 1)
        return
    if _REMARK.match(rest) and not _MARK.search(rest):
        yield from page.picked(at, start, rank)
        return
    if form is Form.LOWER and not (own and _DELIMITED.match(rest)):
        return
    if form is Form.SHOWN or form is Form.LOWER_SHOWN or own or _DELIMITED.match(rest) or cues.JOIN.match(rest):
        yield from page.picked(at, start, rank)
