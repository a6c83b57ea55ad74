"""Tags by run and step as the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.notebook import TagCount
from tui.inert import one_line


def tag_table(counts: Sequence[TagCount]) -> tuple[list[str], list[list[str]]]:
    """Header and rows: a row a run and tag, a column a step, and their sum."""
    steps = list(dict.fromkeys(count.step for count in counts))
    rows: dict[tuple[str, str, str], dict[str, int]] = {}
    for count in counts:
        rows.setdefault((count.run, count.respondent, count.tag), {})[count.step] = count.count
    return ["run", "respondent", "tag", *map(one_line, steps), "all"], [
        [
            *map(one_line, where),
            *(str(by_step[step]) if step in by_step else "" for step in steps),
            str(sum(by_step.values())),
        ]
        for where, by_step in rows.items()
    ]
