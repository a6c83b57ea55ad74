"""Clauses of a text about relations: which properties, which verdict, which values.

A clause is about the properties it labels or, without a label, about those of its values. Its verdict is in its words
("stays the same", "did not change", "doubled"), or that of the heading above it ("Changed:"). Clauses about pictures
3 and 4 are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.benchmarks.voila.question import CHANGED, SAME
from core.benchmarks.voila.reading import kinds as t
from core.benchmarks.voila.reading.cutting import FLIP, NOUNS, Clause, Cutter, Value
from core.benchmarks.voila.reading.kinds import Found, Token, listed

_KINDS: Final = {t.NUM: "number", t.SUBJ: "subject", t.OTHER: "subject", t.ACT: "action", t.VERB: "action",
                 t.DOING: "action"}  # fmt: skip
_VERDICTS: Final = {t.SAME: SAME, t.CHANGE: CHANGED, t.UP: CHANGED, t.DOWN: CHANGED, t.FACTOR: CHANGED}
_BECOMING: Final = frozenset(
    listed(
        "become becomes became becoming replaced turns turned transforms transformed switched changes changed evolves"
    )
)
_MORE: Final = frozenset(("more", "fewer", "less", "additional", "extra"))
_MOST: Final = 12
"""Values of one property kept in one clause: more say nothing about a change, and would cost time."""
_COUNTING: Final = frozenset((t.UP, t.DOWN, t.FACTOR))


class _Reader(Cutter):
    """What the words of a clause mean to it."""

    __slots__ = ()

    def cut(self) -> list[Clause]:
        index = 0
        tokens = self.tokens
        count = len(tokens)
        handlers = _HANDLERS
        while index < count:
            token = tokens[index]
            handler = handlers.get(token.kind)
            index = (handler(self, index, token) or index + 1) if handler is not None else index + 1
        self._close()
        return self.done

    # -- what a clause is about

    def _label(self, index: int, token: Token) -> int:
        clause = self.now
        tokens = self.tokens
        name = token.value
        if name == "subject" and index and tokens[index - 1].kind in (t.NUM, t.BOTH):
            return 0
        if clause.excepting:
            clause.excepted.append(name)
            return 0
        behind = index - 1
        while behind > 0 and tokens[behind].value in ("the", "their", "its"):
            behind -= 1
        before = tokens[behind].kind if behind >= 0 else ""
        if self._opens(clause, before):
            self._close()
        clause = self.now
        clause.row = self.row
        if clause.verdict_first and not clause.labels and before == t.COMMA:
            clause.detached = True
        if before in (t.COMMA, t.AND):
            clause.parted = len(clause.labels)
        if name not in clause.labels:
            clause.labels.append(name)
        return 0

    def _opens(self, clause: Clause, before: str) -> bool:
        """Whether a label after that kind of token begins a clause, rather than joining the one at hand."""
        if clause.labels and clause.has_pair():
            return True
        if clause.verdict is not None:
            return not clause.verdict_first and bool(clause.labels or clause.values)
        if not clause.labels:
            return False
        return clause.row < self.row or (bool(clause.values) and before not in (t.AND, t.OR))

    def _all(self, index: int, token: Token) -> int:
        if self.now.labels and self.now.verdict is not None:
            self._close()
        if not self.now.labels:
            self.now.all = True
        return 0

    def _else(self, index: int, token: Token) -> int:
        if not self.now.empty():
            self._close()
        self.now.other = True
        return 0

    def _nothing(self, index: int, token: Token) -> int:
        if not self.now.empty():
            self._close()
        following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        if following is not None and following.value == "else":
            self.now.other = True
        else:
            self.now.all = True
        self.now.negated = True
        return 0

    def _except(self, index: int, token: Token) -> int:
        if self.now.all or self.now.other:
            self.now.all, self.now.other = True, False
            self.now.excepting = True
        elif not self.now.empty():
            self._close()
        return 0

    def _only(self, index: int, token: Token) -> int:
        if self.now.labels and self.now.verdict is not None and not self.now.verdict_first:
            self._close()
        self.now.only = True
        return 0

    def _not(self, index: int, token: Token) -> int:
        following = self.tokens[index + 1].kind if index + 1 < len(self.tokens) else ""
        if following in (t.NUM, t.SUBJ, t.ACT, t.VERB):
            return index + 2
        clause = self.now
        if token.value == "no" and index and self.tokens[index - 1].kind == t.COLON:
            return 0
        if clause.verdict is not None and clause.labels and not clause.verdict_first:
            # "the action changed, not the number"
            self._close()
        clause = self.now
        clause.negated = True
        return 0

    # -- verdicts

    def _verdict(self, index: int, token: Token) -> int:
        tokens = self.tokens
        clause = self.now
        kind = token.kind
        following = [tokens[at] for at in range(index + 1, min(index + 3, len(tokens)))]
        kinds = [other.kind for other in following]
        if kinds and kinds[0] == t.OR and len(kinds) > 1 and kinds[1] in _VERDICTS:
            return 0
        if len(kinds) > 1 and kinds[0] == t.COLON and kinds[1] in _VERDICTS:
            return 0
        if clause.labels and clause.verdict is None and clause.row < self.row:
            if token.value in NOUNS and kinds[:1] == [t.COLON] and kinds[1:] not in ([t.LINE], [t.YES], [t.NOT]):
                # "Change: the number ..." under the property's own heading decides nothing itself.
                return 0
            if self._is_heading(index):
                self._close()
                clause = self.now
                self.line, self.about = [], []
        if kind in _COUNTING and clause.labels and "number" not in clause.labels:
            return 0
        if kind == t.SAME and self._repeats(index):
            return 0
        value = _VERDICTS[kind]
        skip = 0
        if len(kinds) > 1 and (kinds[0] == t.COLON or following[0].value in "?("):
            answer = following[1]
            if answer.value in ("no", "false", "none", "nothing"):
                value, skip = FLIP[value], index + 3
            elif kinds[1] == t.YES:
                skip = index + 3
        if clause.negated:
            value = FLIP[value]
            clause.negated = False
        if kind in _COUNTING:
            self._count(index, token)
            skip = skip or self._counted(index)
        self._judge(index, Found(value, token.start, token.end), counting=kind in _COUNTING)
        if token.value in _BECOMING:
            self.now.joins = True
            for values in self.now.values.values():
                for earlier in values:
                    earlier.after_from = True
            self.now.to = True
        return skip

    def _is_heading(self, index: int) -> bool:
        """Whether a verdict on a line after a label stands over what follows, not under the label."""
        tokens = self.tokens
        at = index + 1
        while at < len(tokens) and tokens[at].kind == tokens[index].kind:
            at += 1
        kinds = [token.kind for token in tokens[at : at + 2]]
        if kinds[:1] == [t.COLON]:
            return kinds[1:] in ([t.LINE], [t.LABEL])
        return self.heading is not None and kinds[:1] == [t.LINE]

    def _repeats(self, index: int) -> bool:
        """The second half of ``stay the same``, which must not undo a negation of the first."""
        for at in range(index - 1, max(index - 4, -1), -1):
            token = self.tokens[at]
            if token.kind == t.SAME:
                return self.now.verdict is not None
            if token.kind != t.WORD:
                return False
        return False

    def _signed(self, index: int, token: Token) -> int:
        """``Number: +2``."""
        tokens = self.tokens
        clause = self.now
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if following is None or following.kind != t.NUM or following.start != token.end or token.value == ",":
            return 0
        before = tokens[index - 1] if index else None
        if "number" not in clause.labels or before is None or (before.kind != t.COLON and before.value != "("):
            return 0
        if clause.verdict is None:
            clause.verdict = Found(CHANGED, token.start, following.end)
        if token.value in "+-":
            self._amount(token, following)
        return index + 2

    def _bracket(self, index: int, token: Token) -> int:
        if token.value == "]" and self.now.verdict is not None:
            self._close()
        return 0

    def _judge(self, index: int, verdict: Found, *, counting: bool) -> None:
        clause = self.now
        if clause.verdict is None:
            clause.verdict = verdict
            clause.word = self.tokens[index].value
            clause.verdict_first = not clause.labels
            for values in clause.values.values():
                for value in values:
                    value.after = False
            return
        if clause.verdict.value == verdict.value or counting:
            return
        stolen: list[str] = []
        if clause.verdict_first and clause.parted and clause.parted < len(clause.labels):
            stolen = clause.labels[clause.parted :]
            clause.labels = clause.labels[: clause.parted]
        if clause.detached:
            stolen, clause.labels = clause.labels, []
            self.now = Clause(final=self.final)
        by = clause.by if not clause.labels else None
        self._close()
        self.now.labels = stolen
        self.now.verdict = verdict
        self.now.verdict_first = not stolen
        self.now.by = by

    def _count(self, index: int, token: Token) -> None:
        clause = self.now
        if token.kind == t.FACTOR:
            clause.by = Found(token.value, token.start, token.end)
        elif clause.by is None:
            clause.by = Found("up" if token.kind == t.UP else "down", token.start, token.end)

    def _counted(self, index: int) -> int:
        """``increased by two``, ``an increase of two``: the amount is no value."""
        tokens = self.tokens
        token = tokens[index]
        if token.kind == t.FACTOR or index + 2 >= len(tokens):
            return 0
        link, amount = tokens[index + 1], tokens[index + 2]
        if amount.kind == t.NUM and link.value in ("by", "of"):
            self._amount(token, amount)
            return index + 3
        return 0

    def _amount(self, sign: Token, amount: Token) -> None:
        mark = "-" if sign.kind == t.DOWN or sign.value == "-" else "+"
        start, end = min(sign.start, amount.start), max(sign.end, amount.end)
        self.now.by = Found(f"{mark}{amount.value}", start, end)

    # -- values

    def _value(self, index: int, token: Token) -> int:
        tokens = self.tokens
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        clause = self.now
        name = _KINDS[token.kind]
        if token.kind == t.NUM and following is not None and following.value in _MORE:
            if clause.verdict is None:
                clause.verdict = Found(CHANGED, token.start, following.end)
            self._amount(following, token)
            return index + 2
        if token.kind == t.DOING and "action" not in clause.labels and not clause.source:
            return 0
        if token.kind == t.NUM and token.value == "none":
            return 0
        self._add(name, Found(token.value, token.start, token.end), index, loose=token.kind in (t.DOING, t.VERB))
        return 0

    def _add(self, name: str, found: Found, index: int, *, loose: bool) -> None:
        clause = self.now
        if name == "subject" and found.value in ("man", "woman") and self._aged(index):
            found = found._replace(value=f"senior {found.value}")
        values = clause.values.setdefault(name, [])
        if len(values) < _MOST:
            values.append(Value(found, self.unit, clause.source, clause.to, clause.verdict is not None, loose, index))

    def _aged(self, index: int) -> bool:
        for at in range(index - 1, max(index - 4, -1), -1):
            if self.tokens[at].kind == t.AGE:
                return True
            if self.tokens[at].kind != t.WORD:
                return False
        return False

    def _article(self, index: int, token: Token) -> int:
        """``from a dog to two cats``: an article counts where values are set against each other."""
        at = index + 1
        tokens = self.tokens
        while at < len(tokens) and tokens[at].kind in (t.WORD, t.AGE) and at < index + 4:
            at += 1
        if at < len(tokens) and tokens[at].kind == t.SUBJ:
            self._add("number", Found("one", token.start, token.end), index, loose=False)
        return 0

    def _from(self, index: int, token: Token) -> int:
        clause = self.now
        following = self.tokens[index + 1].kind if index + 1 < len(self.tokens) else ""
        if following == t.IMG:
            return 0
        clause.source, clause.to = True, False
        return 0

    def _to(self, index: int, token: Token) -> int:
        following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        if following is None or following.kind == t.IMG:
            return 0
        clause = self.now
        if token.kind == t.TO and token.value in ("with", "by") and not (clause.verdict and clause.joins):
            return 0
        if clause.values or clause.verdict is not None:
            clause.to = True
            clause.joins = clause.joins or bool(clause.values)
        return 0

    def _instead(self, index: int, token: Token) -> int:
        if self.now.values:
            self.now.reverse = True
            self.now.to = True
            self.now.joins = True
        else:
            self.now.source = self.now.joins = True
        return 0

    # -- pictures

    def _image(self, index: int, token: Token) -> int:
        units = token.units
        clause = self.now
        self.pictured = True
        if any(unit > 2 for unit in units) and token.value != "all":
            if clause.verdict is not None or clause.has_pair():
                self._close()
            self.foreign = True
            if clause.empty():
                self.now = Clause(final=self.final)
            return 0
        if self.foreign:
            self.now = Clause(final=self.final)
            self.foreign = False
        if len(units) > 1:
            self._both(index, token)
            return 0
        before = self.tokens[index - 1] if index else None
        early = [value for values in clause.values.values() for value in values if not value.unit]
        told = before is not None and before.value in ("in", "the", "for", "(") and early
        if told and all(index - value.at <= 6 for value in early):
            for value in early:
                value.unit = units[0]
            self.unit = 0
        else:
            self.unit = units[0]
        return 0

    def _both(self, index: int, token: Token) -> int:
        clause = self.now
        if token.kind == t.IMG and token.value != "all":
            before = self.tokens[index - 1].value if index else ""
            if before == "between":
                return 0
        if token.kind == t.BOTH and self.unit:
            return 0
        clause.shared = True
        if clause.verdict is None:
            clause.verdict = Found(SAME, token.start, token.end)
            clause.verdict_first = not clause.labels
        return 0


_HANDLERS: Final = {
    t.STOP: _Reader._sentence,
    t.LINE: _Reader._new_line,
    t.BUT: _Reader._turn,
    t.WHILE: _Reader._turn,
    t.MARK: _Reader._mark,
    t.WEAK: _Reader._mark,
    t.LABEL: _Reader._label,
    t.ALL: _Reader._all,
    t.ELSE: _Reader._else,
    t.NOTHING: _Reader._nothing,
    t.EXCEPT: _Reader._except,
    t.ONLY: _Reader._only,
    t.NOT: _Reader._not,
    t.SAME: _Reader._verdict,
    t.CHANGE: _Reader._verdict,
    t.UP: _Reader._verdict,
    t.DOWN: _Reader._verdict,
    t.FACTOR: _Reader._verdict,
    t.NUM: _Reader._value,
    t.SUBJ: _Reader._value,
    t.OTHER: _Reader._value,
    t.ACT: _Reader._value,
    t.VERB: _Reader._value,
    t.DOING: _Reader._value,
    t.ARTICLE: _Reader._article,
    t.FROM: _Reader._from,
    t.TO: _Reader._to,
    t.ARROW: _Reader._to,
    t.INSTEAD: _Reader._instead,
    t.IMG: _Reader._image,
    t.BOTH: _Reader._both,
    t.SIGN: _Reader._signed,
    t.COMMA: _Reader._signed,
    t.CLOSE: _Reader._bracket,
}


def clauses(tokens: Sequence[Token]) -> list[Clause]:
    """In the text's order."""
    return _Reader(tokens).cut()
