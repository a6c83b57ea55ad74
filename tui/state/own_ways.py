"""Refusals as a screen says them: an option of the command is named as the field that stands on the screen for it.

What refuses knows the command alone: ``--via batch: ...``. Options that a screen has nothing for stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

BATCH: Final = {"via": "via", "judge": "judge", "budget": "budget", "intervene": ""}
"""Of a batch begun on the screen. An intervention is written there as it is, ``STEP=gold``."""

DATA: Final = {"data": "data", "pictures": "pictures"}
"""Of data that is pointed at."""

_FLAG: Final = re.compile(r"--([a-z]+(?:-[a-z]+)*)( ?)")
_OF_THE_COMMAND: Final = (", or run with --fresh", "")
"""A way out that a screen does not have: what it would ask anew is another run."""
_COMMAND: Final = "The same command with"


def on_screen(refusal: object, ways: Mapping[str, str] = BATCH) -> str:
    """The words of a refusal, each option that has a field in ``ways`` named as that."""

    def own(found: re.Match[str]) -> str:
        way = ways.get(found[1])
        return found[0] if way is None else f"{way}{found[2]}" if way else ""

    refusal = str(refusal).replace(*_OF_THE_COMMAND)
    said = _FLAG.sub(own, refusal)
    return said.replace(_COMMAND, "The same again with") if said != refusal else said
