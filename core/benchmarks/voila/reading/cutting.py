"""The clauses of a text about relations: what one holds, and where it begins and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from core.benchmarks.voila.question import CHANGED, SAME
from core.benchmarks.voila.reading import kinds as t
from core.benchmarks.voila.reading.kinds import Found, Token

FLIP: Final = {SAME: CHANGED, CHANGED: SAME}
NOUNS: Final = frozenset(("change", "changes", "difference", "differences", "transformation"))
"""Verdict words that can also stand over what is told ("Changes from image 1 to image 2")."""
_DO: Final = frozenset(("is", "are", "was", "does", "do", "did", "has", "have"))


@dataclass(slots=True)
class Value:
    """A value in a clause. ``loose`` ones count only for a property that the clause labels."""

    found: Found
    unit: int = 0
    after_from: bool = False
    after_to: bool = False
    after: bool = False
    loose: bool = False
    at: int = 0


@dataclass(slots=True)
class Clause:
    """``source`` and ``to``: it says from, or to; ``joins``: something links two values; ``shared``: holds for both
    pictures; ``reverse``: the later value comes first; ``final``: it stands in a summary."""

    labels: list[str] = field(default_factory=list)
    verdict: Found | None = None
    values: dict[str, list[Value]] = field(default_factory=dict)
    by: Found | None = None
    excepted: list[str] = field(default_factory=list)
    source: bool = False
    to: bool = False
    joins: bool = False
    shared: bool = False
    reverse: bool = False
    final: bool = False
    only: bool = False
    all: bool = False
    other: bool = False
    negated: bool = False
    verdict_first: bool = False
    excepting: bool = False
    word: str = ""
    parted: int = 0
    detached: bool = False
    row: int = 0

    def has_pair(self) -> bool:
        return any(len(self.values.get(name, ())) > 1 for name in self.labels)

    def empty(self) -> bool:
        return not (self.labels or self.verdict or self.values or self.all or self.other)


class Cutter:
    """Where clauses begin and end, and the verdicts they take from their surroundings."""

    __slots__ = (
        "about",
        "done",
        "final",
        "foreign",
        "heading",
        "last",
        "line",
        "now",
        "pictured",
        "row",
        "tokens",
        "unit",
    )

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.done: list[Clause] = []
        self.now = Clause()
        self.heading: Found | None = None
        self.last: Clause | None = None
        self.line: list[Clause] = []
        self.about: list[str] = []
        self.foreign = False
        self.final = False
        self.unit = 0
        self.row = 0
        self.pictured = False

    # -- clauses begin and end

    def _close(self) -> None:
        clause = self.now
        self.now = Clause(final=self.final)
        if clause.empty():
            self.now.negated = clause.negated and not clause.labels
            return
        if self.foreign:
            return
        self._complete(clause)
        self.done.append(clause)
        self.line.append(clause)
        if clause.labels:
            self.about = clause.labels
        if clause.verdict is not None:
            self.last = clause

    def _complete(self, clause: Clause) -> None:
        """A verdict that stands in an earlier clause or in the heading."""
        valued = clause.has_pair()
        if clause.verdict is None and clause.labels and not valued and not clause.all:
            if clause.negated and self.last is not None and self.last.verdict is not None:
                verdict = self.last.verdict
                clause.verdict = Found(FLIP[verdict.value], verdict.start, verdict.end)
            elif self.heading is not None:
                clause.verdict = self.heading
        bare = not clause.labels and not clause.values and not clause.all and not clause.other and clause.by is None
        if bare and clause.verdict is not None:
            clause.labels = list(self.about)

    def _sentence(self, index: int, token: Token) -> int:
        clause = self.now
        self.unit = 0
        if self._waits(clause):
            return 0
        self._close()
        return 0

    def _waits(self, clause: Clause) -> bool:
        """A label whose verdict or second value is still to come."""
        return bool(clause.labels) and clause.verdict is None and not clause.has_pair()

    def _new_line(self, index: int, token: Token) -> int:
        clause = self.now
        self.unit = 0
        heads = clause.verdict is not None and not clause.labels and not clause.values and not clause.all
        alone = heads and not clause.other and clause.by is None
        if alone and not any(other.labels or other.values for other in self.line):
            verdicts = {other.verdict.value for other in (*self.line, clause) if other.verdict is not None}
            # "Changes from image 1 to image 2:" stands over what follows and decides nothing.
            neutral = self.pictured and self.tokens[index - 1].kind == t.COLON and clause.word in NOUNS
            self.heading = None if len(verdicts) > 1 or neutral else clause.verdict
            self.now = Clause(final=self.final)
            if self.line:
                del self.done[-len(self.line) :]
        elif not self._waits(clause) or (self._blank(index + 1) and self._said_more(index)):
            self._close()
        self.line = []
        self.about = []
        self.row += 1
        self.pictured = False
        return 0

    def _blank(self, index: int) -> bool:
        return index < len(self.tokens) and self.tokens[index].kind == t.LINE

    def _said_more(self, index: int) -> bool:
        """Whether a line ends with more than a label: a blank line after it then ends the clause."""
        return index > 0 and self.tokens[index - 1].kind not in (t.LABEL, t.COLON)

    def _turn(self, index: int, token: Token) -> int:
        """``but`` and ``while`` begin a clause unless they stand between a property's two values."""
        clause = self.now
        if clause.verdict is not None or clause.has_pair():
            self._close()
        elif clause.values:
            clause.joins = True
        return 0

    def _mark(self, index: int, token: Token) -> int:
        following = self.tokens[index + 1].value if index + 1 < len(self.tokens) else ""
        if token.value == "so" and following in _DO:
            # "and so did the action"
            self._close()
            self.now.verdict = self.last.verdict if self.last is not None else None
            self.now.verdict_first = self.now.verdict is not None
            return 0
        if self.now.verdict is not None:
            self._close()
        self.final = True
        self.now.final = True
        return 0
