"""``run --dry-run``: the first request whole, and the counts."""

from __future__ import annotations

from typing import Any

from core.planning import Prepared, count_steps
from core.records import named
from core.respondents.base import Request as Asking
from tui.cli.documents import turn_lines
from tui.counting import counted


async def first_request(prepared: Prepared) -> dict[str, Any]:
    """The first request whole, and the counts."""
    item = next(iter(prepared.selection))
    turn = prepared.protocol.next_turn(item, ())
    assert turn is not None
    respondent = prepared.plan.respondent_for(turn.step)
    asking = Asking(item, turn, (), 0, prepared.plan.seed)
    body = await respondent.preview(asking)
    trajectories = len(prepared.selection) * prepared.plan.repeats
    steps = count_steps(prepared)
    shown = "\n".join(
        [
            f"item {item.id} of {named(prepared.benchmark.name, prepared.subset)}, "
            f"protocol {prepared.protocol.name}, respondent {respondent.name}",
            f"step {turn.step}:",
            *turn_lines(item, turn, picture="  "),
            "",
            f"{counted(trajectories, 'trajectory')}, {counted(steps, 'step')}: {', '.join(prepared.protocol.steps)}",
        ]
    )
    if body is not None:
        import json

        shown += "\n\n" + json.dumps(body, ensure_ascii=False, indent=2)
    await prepared.close()
    return {
        "item": item.id,
        "step": turn.step,
        "respondent": respondent.name,
        "text": turn.text,
        "pictures": [[picture.name for picture in show.pictures(item)] for show in turn.shows],
        "request": body,
        "trajectories": trajectories,
        "steps": steps,
        "first": shown,
    }
