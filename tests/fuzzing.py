"""Made-up input that means no good, for tests of everything that reads what others wrote.

The suite tries a few dozen of each, always the same; ``HYPOTHESIS_PROFILE=long pytest tests -k fuzz`` tries thousands
of others each time. What that finds is mended and stays with its test as an ``@example``.
"""

from __future__ import annotations

import os
import string
from collections.abc import Sequence
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

LONG: Final = os.environ.get("HYPOTHESIS_PROFILE") == "long"
_FINE: Final = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture)


def fuzzed(few: int = 40, many: int = 4_000) -> settings:
    """How many are tried, in the suite and in a long run."""
    return settings(
        max_examples=many if LONG else few,
        deadline=None,
        derandomize=not LONG,
        print_blob=True,
        database=None,
        suppress_health_check=_FINE,
    )


NASTY: Final = (
    "", " ", "\0", "\ud800", "\udfff", "\ufeff", "\u2028", "\x1b[2J", "\x9b", "\u202e", "a\u0301" * 3, "İ", "ſ", "ﬃ",
    "①", "Ａ", "五", "٣", "²", "½", "1e999", "-0", "NaN", "Infinity", "9" * 30, "true", "null", "None", "[]", "{}",
    "[[", "{{", "%s", "{0}", "{answer}", "../x", "C:\\x", "=1+1", "'; DROP TABLE runs;--", '"', "'", "`", "\\",
    "\\u0000", "\r", "\r\n", "\n\n", "\t", "|", "| a | b |", "---", "```", "**", "<b>", "&lt;", "<think>", "</think>",
    "\\boxed{A}", "$A$", "(A)", "[A]", "A/B", "A or B", "not A", "Answer:", "answer is", "I'm sorry, but", "x" * 300,
)  # fmt: skip
"""Pieces that broke something somewhere."""

nasty: Final = st.one_of(
    st.sampled_from(NASTY), st.text(max_size=12), st.text(st.sampled_from(string.printable), max_size=20)
)


def texts(words: Sequence[str]) -> st.SearchStrategy[str]:
    """Replies: words that mean something there, and pieces that do not, side by side in any order."""
    piece = st.one_of(st.sampled_from(sorted(set(words))), st.sampled_from(sorted(set(words))), nasty)
    between = st.sampled_from([" ", " ", " ", "", "\n", ", ", ". ", ": ", " and ", " = ", "\t", " | "])
    return st.lists(st.tuples(piece, between), max_size=24).map(lambda pairs: "".join(a + b for a, b in pairs))


@st.composite
def damaged(draw: st.DrawFn, data: bytes, most: int = 4) -> bytes:
    """The bytes with a few places cut, doubled, overwritten or put in: most of it stays what it was."""
    out = bytearray(data)
    for _ in range(draw(st.integers(1, most))):
        at = draw(st.integers(0, len(out)))
        end = min(len(out), at + draw(st.sampled_from((0, 1, 1, 2, 4, 20, 200))))
        how = draw(st.sampled_from(("cut", "double", "put", "turn", "end")))
        if how == "cut":
            del out[at:end]
        elif how == "double":
            out[at:at] = out[at:end]
        elif how == "put":
            out[at:end] = draw(
                st.one_of(nasty.map(lambda text: text.encode("utf-8", "surrogatepass")), st.binary(max_size=6))
            )
        elif how == "turn" and at < len(out):
            out[at] ^= 1 << draw(st.integers(0, 7))
        elif how == "end":
            del out[at:]
    return bytes(out)


json_values: Final = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), nasty),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(nasty, inner, max_size=4)),
    max_leaves=12,
)


@st.composite
def changed(draw: st.DrawFn, value: object) -> object:
    """A JSON value with one place in it replaced, removed, doubled or put under another name."""
    if isinstance(value, dict) and value and draw(st.integers(0, 9)):
        key = draw(st.sampled_from(sorted(value)))
        how = draw(st.sampled_from(("in", "in", "in", "gone", "renamed", "more")))
        rest = {name: inner for name, inner in value.items() if name != key}
        if how == "gone":
            return rest
        if how == "renamed":
            return rest | {draw(nasty): value[key]}
        if how == "more":
            return value | {draw(nasty): draw(json_values)}
        return value | {key: draw(changed(value[key]))}
    if isinstance(value, list) and value and draw(st.integers(0, 9)):
        at = draw(st.integers(0, len(value) - 1))
        how = draw(st.sampled_from(("in", "in", "gone", "double")))
        if how == "gone":
            return [*value[:at], *value[at + 1 :]]
        return [*value[:at], draw(changed(value[at])) if how == "in" else value[at], *value[at:][how == "in" :]]
    return draw(json_values)
