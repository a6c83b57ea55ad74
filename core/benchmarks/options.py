"""Protocol options (``--set key=value``), checked against the values a protocol knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from core.errors import UsageError


def settled(protocol: str, known: Mapping[str, Sequence[str]], given: Mapping[str, str]) -> dict[str, str]:
    """All options with their values; the first of ``known[option]`` is its default.

    Raises UsageError for an unknown option or value, naming the known ones.
    """
    for option, value in given.items():
        if option not in known:
            near = get_close_matches(option, known, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known) or 'none'}"
            raise UsageError(
                f"protocol {protocol} has no option {option}", where=f"--set {option}={value}", remedy=hint
            )
        if value not in known[option]:
            raise UsageError(
                f"{option} cannot be {value!r}",
                where=f"--set {option}={value}",
                remedy=f"Known: {', '.join(known[option])}",
            )
    return {option: given.get(option, values[0]) for option, values in known.items()}
