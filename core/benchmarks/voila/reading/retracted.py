"""Values that a text names and takes back: negated, replaced, left behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.benchmarks.voila.reading import kinds as t
from core.benchmarks.voila.reading.kinds import Token

_ENDS_SCOPE: Final = frozenset(
    (t.STOP, t.LINE, t.COMMA, t.BUT, t.COLON, t.SAME, t.CHANGE, t.AND, t.LABEL, t.WHILE, t.IMG, t.CLOSE)
)


def retracted(tokens: Sequence[Token]) -> set[int]:
    """Indices of values that the words around them take back: negated, replaced, left behind."""
    out: set[int] = set()
    scope = 0
    replaced = False
    for index, token in enumerate(tokens):
        kind = token.kind
        if kind == t.NOT:
            scope = 4
        elif kind == t.INSTEAD:
            replaced = True
        elif kind in _ENDS_SCOPE:
            scope = 0
            replaced = replaced and kind in (t.AND, t.LABEL, t.IMG, t.SAME, t.CHANGE, t.COLON)
        elif kind == t.ARROW and 0 < index < len(tokens) - 1 and tokens[index - 1].kind == tokens[index + 1].kind:
            out.add(index - 1)
        elif kind == t.FROM:
            out |= _left_behind(tokens, index)
        elif scope or replaced:
            scope -= scope > 0
            if kind != t.WORD:
                out.add(index)
    return out


def _left_behind(tokens: Sequence[Token], index: int) -> set[int]:
    """The values between ``from`` and its ``to``."""
    passed: set[int] = set()
    for at in range(index + 1, min(index + 12, len(tokens))):
        kind = tokens[at].kind
        if kind == t.TO:
            return passed
        if kind in (t.STOP, t.LINE, t.LABEL):
            break
        if kind in (t.NUM, t.SUBJ, t.OTHER, t.ACT, t.VERB, t.ARTICLE):
            passed.add(at)
    return set()
