"""One picture's number, subject and action, out of the tokens that speak of it.

Two ways of saying are read: labelled values (``Number: 2``, ``the action is walking``), and a noun phrase with what
it does (``two old men are reading``). Labels win. Values that are negated, replaced (``instead of``) or left behind
(``from walking to``) are not said. Two different values for one property leave it unclear.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.benchmarks.voila.reading import kinds as t
from core.benchmarks.voila.reading import words
from core.benchmarks.voila.reading.kinds import SILENT, Found, Said, Token, listed
from core.benchmarks.voila.reading.retracted import retracted
from core.benchmarks.voila.vocabulary import ANY, PROPERTIES

_NOUNS: Final = frozenset((t.SUBJ, t.OTHER, t.GENERIC))
_BETWEEN: Final = frozenset((t.WORD, t.AGE, t.ACT, t.DOING, t.ONLY))
_BREAKS: Final = frozenset((t.STOP, t.LINE))
_UNSAID: Final = frozenset(
    listed(
        "none unknown unclear n na not unsure uncertain the a it is are same cannot unable depends based this that "
        "both "
        "see from no given to be in as of there also they"
    )
)
_BEFORE_OBJECT: Final = frozenset(listed("with on by like behind near for about beside than under at of"))
_NOT_DOING: Final = frozenset(("after", "before", "for", "without", "about", "not"))
_NOT_VERB: Final = _BEFORE_OBJECT | _NOT_DOING | frozenset(listed("his her their its the this"))


class _Region:
    """The stretch after a label: values of its property are taken however they stand."""

    __slots__ = ("colon", "labels", "last", "since", "taken")

    def __init__(self, label: str) -> None:
        self.labels = [label]
        self.taken = False
        self.colon = False
        self.last = -1
        self.since = 0


class _Content:
    __slots__ = ("actor", "count", "gone", "labelled", "noted", "plain", "region", "tokens", "weak")

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        kinds = {token.kind for token in tokens}
        self.gone = retracted(tokens) if kinds & {t.NOT, t.INSTEAD, t.FROM, t.ARROW} else set()
        self.labelled: dict[str, list[Found]] = {}
        self.plain: dict[str, list[Found]] = {}
        self.weak: list[Found] = []
        self.noted: dict[str, Found] = {}
        self.region: _Region | None = None
        self.actor = False
        self.count: Found | None = None

    # -- one pass

    def read(self) -> Said:
        gone = self.gone
        for index, token in enumerate(self.tokens):
            if index in gone:
                continue
            handler = _HANDLERS.get(token.kind)
            if handler is not None:
                handler(self, index, token)
        return self._result()

    def _result(self) -> Said:
        values: dict[str, Found] = {}
        unclear: set[str] = set()
        for name in PROPERTIES:
            found = self.labelled.get(name)
            if not found:
                found = self.plain.get(name)
                if not found and name == "number":
                    found = self.weak
                elif found and name == "number":
                    found = _without_parts(found)
            if not found:
                if name in self.noted:
                    values[name] = self.noted[name]
                continue
            first = found[0]
            if any(other.value != first.value for other in found):
                unclear.add(name)
            else:
                values[name] = first
        if "subject" in unclear and "number" in values and "number" not in self.labelled:
            # "A man and a woman": the counts are those of two subjects.
            unclear.add("number")
            del values["number"]
        return Said(values, frozenset(unclear))

    def _label(self, index: int, token: Token) -> None:
        tokens = self.tokens
        if self._counted(index):
            return
        region = self.region
        behind = index - 1
        while behind > 0 and tokens[behind].value == "the":
            behind -= 1
        previous = tokens[behind].kind if behind >= 0 else ""
        fresh = region is None or region.taken or region.colon or previous not in (t.AND, t.COMMA, t.OR)
        if not fresh and region is not None:
            region.labels.append(token.value)
        elif not self._named_before(index, token):
            self.region = region = _Region(token.value)
            region.since = index

    def _counted(self, index: int) -> bool:
        """``two subjects``: the label is the noun of a count."""
        tokens = self.tokens
        return tokens[index].value == "subject" and index > 0 and tokens[index - 1].kind in (t.NUM, t.BOTH)

    def _named_before(self, index: int, token: Token) -> bool:
        """``no rule for the number``: an untyped any right before its label."""
        for at in range(index - 1, max(index - 5, -1), -1):
            before = self.tokens[at]
            if before.kind == t.ANY and not before.value and at not in self.gone:
                if self.region is not None and self.region.taken and self.region.last == at:
                    return False
                after = self.tokens[index + 1].kind if index + 1 < len(self.tokens) else ""
                if after == t.COLON:
                    return False
                self._say(token.value, before, ANY)
                return True
            if before.kind not in (t.WORD, t.ARTICLE, t.TO, t.OR):
                return False
        return False

    def _colon(self, index: int, token: Token) -> None:
        region = self.region
        if region is not None and not region.taken:
            region.colon = True
            region.since = index
            if index + 1 < len(self.tokens):
                self._note_word(region, index + 1)

    def _note_word(self, region: _Region, index: int) -> None:
        """Keeps a plain word right after a label's colon as something outside the vocabulary."""
        token = self.tokens[index]
        if token.kind not in (t.WORD, t.DOING, t.AGE, t.OTHER) or token.value in _UNSAID or not token.value.isalpha():
            return
        name = region.labels[-1]
        if name != "number":
            self.noted.setdefault(name, Found(token.value, token.start, token.end))

    def _break(self, index: int, token: Token) -> None:
        region = self.region
        if region is None:
            return
        opened = region.colon or self.tokens[index - 1].kind == t.LABEL
        if token.kind == t.LINE and opened and not region.taken and region.since >= index - 2:
            # "Number:" with its value on the next line.
            return
        self.region = None

    # -- values

    def _say(self, name: str, token: Token, value: str) -> None:
        self.labelled.setdefault(name, []).append(Found(value, token.start, token.end))

    def _in_region(self, name: str, index: int, token: Token, value: str) -> bool:
        """Takes the value for a label; more values only where they are said to go with the first."""
        region = self.region
        if region is None or name not in region.labels:
            return False
        if (
            name not in self.labelled
            or not region.taken
            or name == "action"
            or self._joined(name, region.last, index)
        ):
            self._say(name, token, value)
        region.taken = True
        region.last = index
        return True

    def _joined(self, name: str, last: int, index: int) -> bool:
        if index - last > 4:
            return False
        between = [token.kind for token in self.tokens[last + 1 : index]]
        if t.OR in between:
            return True
        return name == "subject" and t.AND in between

    def _number(self, index: int, token: Token) -> None:
        if self._in_region("number", index, token, token.value):
            return
        at = self._noun_after(index)
        found = Found(token.value, token.start, token.end)
        if at is None:
            if self._stands_alone(index):
                self.weak.append(found)
            return
        if self._is_object(at, index):
            return
        if self._alternative(index):
            self.plain.setdefault("number", []).append(Found(self.tokens[index - 2].value, token.start, token.end))
        self.plain.setdefault("number", []).append(found)

    def _alternative(self, index: int) -> bool:
        """``two or three dogs``, ``more than two dogs``: no single count."""
        tokens = self.tokens
        if index >= 2 and tokens[index - 1].value in ("or", "/", "(") and tokens[index - 2].kind == t.NUM:
            return True
        if index >= 2 and tokens[index - 1].value == "than":
            return True
        return index >= 2 and tokens[index - 1].value in ("least", "most") and tokens[index - 2].value == "at"

    def _noun_after(self, index: int) -> int | None:
        tokens = self.tokens
        value = tokens[index].value
        gap = 0
        for at in range(index + 1, min(index + 8, len(tokens))):
            token = tokens[at]
            kind = token.kind
            if kind in _NOUNS:
                return at
            if kind == t.LABEL and token.value == "subject" and tokens[index].kind == t.NUM:
                return at
            if kind == t.ANY:
                return at if not token.value or token.value == "subject" else None
            if kind == t.NUM and token.value == value:
                continue
            if kind == t.COMMA and self._adjectival(at):
                continue
            if kind not in _BETWEEN or token.value in words.PREPOSITIONS:
                return None
            gap += 1
            if gap > 4:
                return None
        return None

    def _adjectival(self, at: int) -> bool:
        """A comma between adjectives (``two small, brown dogs``), or brackets around a digit (``two (2) dogs``)."""
        tokens = self.tokens
        text = tokens[at].value
        if text in "()":
            return True
        following = tokens[at + 1].kind if at + 1 < len(tokens) else ""
        return text == "," and following in (t.WORD, t.AGE) and tokens[at - 1].kind == t.WORD

    def _stands_alone(self, index: int) -> bool:
        """A count in a list of bare values (``two, dogs, walking``), in brackets, or at the end of a sentence."""
        tokens = self.tokens
        if tokens[index].kind != t.NUM:
            return False
        following = [token.value for token in tokens[index + 1 : index + 4]]
        if following[:2] == ["of", "them"] and following[2:] in ([], ["."], ["\n"], [","]):
            return True
        after = tokens[index + 1].kind if index + 1 < len(tokens) else ""
        return after in ("", t.COMMA, t.STOP, t.LINE, t.CLOSE, t.COLON, t.OR)

    def _article(self, index: int, token: Token) -> None:
        at = self._noun_after(index)
        if at is None or self._is_object(at, index) or self.tokens[at].kind == t.ANY:
            return
        self.plain.setdefault("number", []).append(Found("one", token.start, token.end))

    def _is_object(self, at: int, first: int) -> bool:
        """Whether the noun is what something is done to, or a companion, not who does it."""
        tokens = self.tokens
        if tokens[at].kind == t.GENERIC and not self.actor:
            return False
        if "action" in self.plain and "subject" in self.plain:
            return True
        region = self.region
        if region is not None and "action" in region.labels:
            return True
        before = tokens[first - 1] if first else None
        return self.actor and before is not None and before.kind in (t.WORD, t.TO) and before.value in _BEFORE_OBJECT

    def _subject(self, index: int, token: Token) -> None:
        value = token.value
        if token.kind == t.SUBJ and value in ("man", "woman") and self._aged(index):
            value = f"senior {value}"
        if self._in_region("subject", index, token, value):
            self.actor = True
            return
        first = index
        while first > 0 and self.tokens[first - 1].kind in (t.ARTICLE, t.NUM, t.AGE):
            first -= 1
        if self._is_object(index, first) or (
            index and self.tokens[index - 1].value in _BEFORE_OBJECT and self.actor and "subject" in self.plain
        ):
            return
        self.actor = True
        if token.kind == t.OTHER and not self._beside(first):
            self.noted.setdefault("subject", Found(value, token.start, token.end))
            return
        self.plain.setdefault("subject", []).append(Found(value, token.start, token.end))

    def _beside(self, first: int) -> bool:
        """``a man and a horse``: an outside noun that shares the picture with a subject of the list."""
        tokens = self.tokens
        return first > 1 and tokens[first - 1].kind == t.AND and tokens[first - 2].kind in (t.SUBJ, t.OTHER)

    def _aged(self, index: int) -> bool:
        for at in range(index - 1, max(index - 4, -1), -1):
            kind = self.tokens[at].kind
            if kind == t.AGE:
                return True
            if kind != t.WORD or self.tokens[at].value in words.PREPOSITIONS:
                return False
        return False

    def _generic(self, index: int, token: Token) -> None:
        self.actor = True

    def _action(self, index: int, token: Token) -> None:
        if self._in_region("action", index, token, token.value):
            return
        before = self.tokens[index - 1] if index else None
        if before is not None and before.kind == t.WORD and before.value in _NOT_DOING:
            return
        self.plain.setdefault("action", []).append(Found(token.value, token.start, token.end))

    def _verb(self, index: int, token: Token) -> None:
        if self._in_region("action", index, token, token.value):
            return
        before = self.tokens[index - 1] if index else None
        if not self.actor or before is None or before.kind in (t.ARTICLE, t.NUM, t.AGE):
            return
        if before.kind == t.WORD and before.value in _NOT_VERB:
            return
        if token.value == "playing soccer" and token.end - token.start < 8:
            return
        self.plain.setdefault("action", []).append(Found(token.value, token.start, token.end))

    def _doing(self, index: int, token: Token) -> None:
        if self.actor or (self.region is not None and "action" in self.region.labels):
            self.noted.setdefault("action", Found(token.value, token.start, token.end))

    def _any(self, index: int, token: Token) -> None:
        if token.value:
            self._say(token.value, token, ANY)
            return
        region = self.region
        if region is not None and (not region.taken or region.colon):
            if not region.taken or self._joined("number", region.last, index):
                for name in region.labels:
                    self._say(name, token, ANY)
                region.taken = True
                region.last = index
            return
        name = self._by_place(index)
        if name:
            self.plain.setdefault(name, []).append(Found(ANY, token.start, token.end))

    def _by_place(self, index: int) -> str:
        """``any dogs walking``, ``two any walking``, ``two dogs any``: the property that is missing there."""
        tokens = self.tokens
        if tokens[index].end - tokens[index].start > 3:
            return ""
        before = tokens[index - 1].kind if index else ""
        after = tokens[index + 1].kind if index + 1 < len(tokens) else ""
        if after == t.ANY or (after in (t.SUBJ, t.OTHER) and before not in (t.NUM, t.ANY)):
            beyond = tokens[index + 2].kind if index + 2 < len(tokens) else ""
            if before in (t.NUM, t.ANY):
                return "subject"
            return "number" if after != t.ANY or beyond in (t.ACT, t.ANY) else ""
        if before in (t.NUM, t.ANY) and after in (t.ACT, t.DOING):
            return "subject"
        if before == t.SUBJ or (before == t.ANY and index > 1 and tokens[index - 2].kind in (t.NUM, t.ANY)):
            return "action"
        return ""


_HANDLERS: Final = {
    t.LABEL: _Content._label,
    t.COLON: _Content._colon,
    t.STOP: _Content._break,
    t.LINE: _Content._break,
    t.CLOSE: _Content._break,
    t.NUM: _Content._number,
    t.ARTICLE: _Content._article,
    t.SUBJ: _Content._subject,
    t.OTHER: _Content._subject,
    t.GENERIC: _Content._generic,
    t.ACT: _Content._action,
    t.VERB: _Content._verb,
    t.DOING: _Content._doing,
    t.ANY: _Content._any,
}


def _without_parts(found: list[Found]) -> list[Found]:
    """``Two men. One man writes, one man reads``: singles told after a larger count are parts of it."""
    first = found[0]
    if first.value in ("two", "three", "four"):
        return [first, *(other for other in found[1:] if other.value not in ("one", first.value))]
    return found


def read_content(tokens: Sequence[Token]) -> Said:
    """The three properties of one picture, from the tokens that speak of it."""
    return _Content(tokens).read() if tokens else SILENT
