"""``phoropter make vrex``: distractors for gold chains, checked, reviewed and merged (V-REX, sections 4.2 and 9)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.curation.vrex.export import write
from core.curation.vrex.load import NAME
from core.curation.vrex.protocol import Distract
from core.planning import Request
from core.respondents.people import PEOPLE
from core.selection import Filter
from sessions.curating.state import ACCEPTED
from tui.cli.ending import BrokenOff, Interrupted
from tui.cli.making.going import How, ended, finish, go, respondents_at

STEPS = {"confuser": ("confuse",), "selector": ("select",), "judge": ("helpful", "ordered")}


def make_vrex_items(
    chains: Path,
    respondent: str,
    named: Mapping[str, str],
    how: How,
    *,
    options: Mapping[str, str],
    prompts: Path | None,
    chosen: Filter,
    pictures: str,
    mapping: Mapping[str, str],
    skip_bad: bool,
) -> int:
    """Run or resume the pipeline on a file of gold chains. ``named`` are the respondents of single stages."""
    request = Request(
        NAME,
        data=chains,
        pictures=pictures,
        options=options,
        prompts=prompts,
        respondent=respondent,
        respondents_at={**respondents_at(named, STEPS), "review": PEOPLE}
        if options["rounds"] != "0"
        else respondents_at(named, STEPS),
        filter=chosen,
        mapping=mapping,
        skip_bad=skip_bad,
    )
    settings = how.settings()
    try:
        with how.opened(settings) as store:
            gone = go(store, request, how, settings)
            protocol = gone.plan.protocol
            assert isinstance(protocol, Distract)

            def written(out: Path) -> Path:
                paths = (one.trajectory for one in gone.of(ACCEPTED))
                made = [(each.item, protocol.merged(each.item, each.steps)) for each in paths]
                return write(out, made, gone.making(how), gone.counts)

            return finish(gone, how, written)
    except (Interrupted, BrokenOff) as by:
        return ended(by, how)
