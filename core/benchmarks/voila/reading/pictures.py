"""Which tokens speak of which picture, in texts that name their pictures in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.benchmarks.voila.reading import kinds as t
from core.benchmarks.voila.reading.kinds import Token, listed

_CONTENT: Final = frozenset((t.NUM, t.SUBJ, t.OTHER, t.ACT, t.VERB))
_THROUGH: Final = frozenset(listed("in the seen shown at of that from on its for image images one panel"))
_REFERRING: Final = frozenset(listed("as like than unlike similar same from matches matching to"))
_BREAKS: Final = frozenset((t.STOP, t.LINE))


def refers(tokens: Sequence[Token], index: int) -> bool:
    """Whether the picture named there is only compared with (``the same as in image 1``)."""
    for at in range(index - 1, max(index - 5, -1), -1):
        token = tokens[at]
        if token.kind in (t.SAME, t.FROM, t.TO, t.INSTEAD):
            return token.value not in ("match", "still") and at > 0 and tokens[at - 1].kind not in _BREAKS
        if token.kind == t.WORD and token.value in _REFERRING:
            return True
        if token.kind != t.WORD or token.value not in _THROUGH:
            return False
    return False


def heads(tokens: Sequence[Token]) -> list[int]:
    """Indices of the picture names that the words around them are told of."""
    return [index for index, token in enumerate(tokens) if token.kind == t.IMG and not refers(tokens, index)]


def _says_something(tokens: Sequence[Token]) -> bool:
    return any(token.kind in (t.SUBJ, t.ACT, t.VERB, t.OTHER) for token in tokens)


def stretches(tokens: Sequence[Token]) -> list[tuple[tuple[int, ...], Sequence[Token]]]:
    """(pictures, what is said of them) in the text's order; what is said of none is left out.

    A name stands before what it is told of, or, where the text begins with content and ends with a name, after it
    (``two dogs in the first image, a cat in the second``).
    """
    at = heads(tokens)
    if not at:
        return []
    before = tokens[: at[0]]
    after = tokens[at[-1] + 1 :]
    if _says_something(before) and not _says_something(after):
        out = []
        start = 0
        for index in at:
            out.append((tokens[index].units, tokens[start:index]))
            start = index + 1
        return out
    ends = [*at[1:], len(tokens)]
    return [(tokens[index].units, tokens[index + 1 : end]) for index, end in zip(at, ends, strict=True)]
