"""``phoropter respondents check``: what a respondent can be used for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core.checking import Verdict, check
from core.config import load_config
from tui.cli.output import put, put_json, say
from tui.inert import one_line

MARKS: Final = {Verdict.YES: "yes", Verdict.NO: "no", Verdict.UNKNOWN: "?", Verdict.NONE: "-"}
SHOWN: Final = 400
"""Of an answer so much is shown; ``--json`` has all of it."""


def check_respondent(
    name: str, config: Path | None, benchmark: str, protocol: str, options: Mapping[str, str], *, as_json: bool
) -> int:
    """Ask the largest turn of a protocol and a few small ones; a line for each thing that shows, with its verdict."""
    settings = load_config(config)
    report = asyncio.run(check(name, settings, benchmark=benchmark, protocol=protocol, options=options))
    if as_json:
        put_json(report.to_json())
    else:
        for line in report.lines:
            remedy = f"  -> {line.remedy}" if line.remedy else ""
            put(f"{MARKS[line.verdict]:3}  {one_line(f'{line.name}: {line.what}{remedy}')}")
        if report.text:
            put(one_line(f"it said: {report.text}")[:SHOWN])
        found = "usable" if report.usable else "not usable" if report.tried else "not known to be usable"
        say(f"{name} is {found} for {report.asked_for}")
    return 0 if report.usable else 1
