"""``phoropter score``: stored answers scored again; no respondent is asked."""

from __future__ import annotations

from pathlib import Path

from core.benchmarks import registry
from core.errors import UsageError
from core.records import Json
from core.scoring import scorers_of
from sessions.runs import find_run
from sessions.scoring import Change, rescore
from sessions.store import Store
from tui.cli.output import put, put_json, say
from tui.inert import one_line


def score_again(store: Path | None, run: str, scorer: str, *, diff: bool, as_json: bool) -> int:
    """Scores of the scorer's present version beside those of earlier ones; ``diff`` lists what changed."""
    changes: list[Json] = []

    def tell(change: Change) -> None:
        if as_json:
            changes.append(change.to_json())
        elif diff:
            put(one_line(change.line()))

    with Store.open(store, create=False) as opened:
        found = find_run(opened, run)
        known = {one.name: one for one in scorers_of(registry.get(found.config.benchmark))}
        if scorer not in known:
            raise UsageError(
                f"there is no scorer {scorer!r} for stored answers",
                where="--scorer",
                remedy=f"Known: {', '.join(known)}",
            )
        outcome = rescore(opened, found, known[scorer], tell)
    if as_json:
        put_json(
            {
                "run": found.name,
                "scorer": scorer,
                "version": outcome.version,
                "steps": outcome.steps,
                "added": outcome.added,
                "changed": changes,
            }
        )
        return 0
    say(
        f"{found.name}: {outcome.steps} answers read, {outcome.added} scores of {scorer} {outcome.version} added, "
        f"{outcome.changed} differ from the version before"
    )
    return 0
