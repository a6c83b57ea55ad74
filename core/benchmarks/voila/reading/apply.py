"""Step 3 (and direct answering): the fourth picture's properties (paper section 4, "Applying Relationships").

What counts is the final answer: the words after the last answer marker that names a value; without a marker what
is said of the fourth picture; without either the one description outside the talk of pictures 1 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.benchmarks.voila.reading import kinds as t
from core.benchmarks.voila.reading.content import read_content
from core.benchmarks.voila.reading.kinds import SILENT, Said, Token
from core.benchmarks.voila.reading.pictures import refers
from core.benchmarks.voila.vocabulary import PROPERTIES

_BREAKS: Final = frozenset((t.STOP, t.LINE))
_BECOMES: Final = frozenset(("become", "becomes", "became"))
_TRIES: Final = 4
"""How many last conclusions, or first sentences, are tried for a complete answer."""


def read_apply(tokens: Sequence[Token]) -> Said:
    """Number, subject and action of the fourth picture."""
    marks = [index for index, token in enumerate(tokens) if token.kind == t.MARK]
    for position in range(len(marks) - 1, -1, -1):
        end = marks[position + 1] if position + 1 < len(marks) else len(tokens)
        said = _final(tokens[marks[position] + 1 : end])
        if said.values or said.unclear:
            return said
    parts = _contexts(tokens)
    fourth = [_final(part) for units, part in parts if 4 in units]
    said = _last_whole(fourth)
    if said.values or said.unclear:
        return said
    weak = [index for index, token in enumerate(tokens) if token.kind == t.WEAK]
    for index in reversed(weak[-_TRIES:]):
        said = _final(tokens[index + 1 :])
        if len(said.values) == len(PROPERTIES):
            return said
    free = [token for units, part in parts if not units for token in part]
    return _final(free)


def _last_whole(told: list[Said]) -> Said:
    """The last description that is complete, else the last that says anything."""
    best = SILENT
    for said in told:
        if len(said.values) >= len(best.values) and (said.values or said.unclear):
            best = said
    return best


def _final(tokens: Sequence[Token]) -> Said:
    """What is said there of the fourth picture, up to where it is explained."""
    parts = _contexts(tokens)
    own = [token for units, part in parts if not units or 4 in units for token in part]
    own = _unexplained(own)
    said = read_content(own)
    if not said.unclear:
        return said
    # The first sentence answers, later ones comment on it.
    breaks = [index for index, token in enumerate(own) if token.kind in _BREAKS]
    for index in breaks[:_TRIES]:
        first = read_content(own[:index])
        if len(first.values) == len(PROPERTIES):
            return first
        if first.unclear:
            return said
    return said


def _contexts(tokens: Sequence[Token]) -> list[tuple[tuple[int, ...], list[Token]]]:
    """Stretches with the pictures they are told of; none for what stands free.

    A picture named at the head of a clause holds until another is named, a blank line, or an answer marker.
    """
    out: list[tuple[tuple[int, ...], list[Token]]] = []
    units: tuple[int, ...] = ()
    part: list[Token] = []
    for index, token in enumerate(tokens):
        if token.kind == t.IMG and not refers(tokens, index):
            if part:
                out.append((units, part))
            units, part = token.units, []
            continue
        if units == (3,) and (token.kind == t.ARROW or token.value in _BECOMES) and _says_something(part):
            out.append((units, part))
            units, part = (4,), []
            continue
        blank = token.kind == t.LINE and index + 1 < len(tokens) and tokens[index + 1].kind == t.LINE
        if blank or token.kind in (t.MARK, t.WEAK):
            out.append((units, part))
            if not (units == (4,) and token.kind != t.MARK):
                units = ()
            part = []
        part.append(token)
    out.append((units, part))
    return out


def _says_something(tokens: list[Token]) -> bool:
    return any(token.kind in (t.SUBJ, t.ACT) for token in tokens)


def _unexplained(tokens: list[Token]) -> list[Token]:
    """Without reasons: a ``because`` takes the rest of its sentence, ``Explanation`` all that follows an answer."""
    if not any(token.kind in (t.BECAUSE, t.EXPLAIN) for token in tokens):
        return tokens
    out: list[Token] = []
    skipping = ""
    for token in tokens:
        if token.kind == t.EXPLAIN and any(kept.kind in (t.NUM, t.SUBJ, t.ACT, t.ANY) for kept in out):
            break
        if token.kind == t.BECAUSE:
            skipping = "clause" if not out or out[-1].kind in _BREAKS else "sentence"
        elif token.kind in _BREAKS or (skipping == "clause" and token.kind == t.COMMA):
            skipping = ""
        if not skipping:
            out.append(token)
    return out
