"""``phoropter make voila --maker``: pictures of its own for VOILA's questions, 30 made and 10 kept (section 3.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.benchmarks.voila.rules import rules_of
from core.benchmarks.voila.vocabulary import Content, all_contents
from core.curation.voila import load as contents_file
from core.curation.voila.export import needed, write
from core.curation.voila.load import NAME, content_of
from core.curation.voila.protocol import KEPT, MADE
from core.errors import UsageError
from core.planning import Request
from core.records import Json, SentPicture
from core.respondents.people import PEOPLE
from sessions.curating.state import ACCEPTED, WAITING, Standing
from sessions.replay import Replay
from tui.cli.ending import BrokenOff, Interrupted
from tui.cli.making.going import Gone, How, ended, finish, go
from tui.cli.making.mmra import work_folder
from tui.cli.output import say
from tui.counting import counted

AS_IN_PAPER: Final = {"guidance_scale": 8.0, "width": 1024, "height": 1024, "size": "1024x1024"}
"""Of a maker's parameters those that the paper tells (section 3.1); servers have a size, pipelines the others."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be made. ``needed_only``: only contents that the questions show, not all 728."""

    maker: str
    subset: str
    count: int
    seed: int
    judge: str = ""
    made: int = MADE
    kept: int = KEPT
    needed_only: bool = False
    prompts: Path | None = None


def make_voila_pictures(wanted: Wanted, how: How) -> int:
    """Run or resume the pipeline. Its working file stands beside the set's folder, in FOLDER.work."""
    if how.out is None:
        raise UsageError("where to?", where="--out", remedy="Name a new folder with --out FOLDER")
    if wanted.kept > wanted.made:
        raise UsageError("more cannot be kept than are made", where=f"--kept {wanted.kept}")
    rules_of(wanted.subset)
    shown = needed(wanted.subset, wanted.count, wanted.seed)
    contents = [one for one in all_contents() if not wanted.needed_only or one in set(shown)]
    settings = how.settings()
    try:
        with how.opened(settings) as store:
            file = work_folder(how.out) / "contents.jsonl"
            contents_file.write(file, contents)
            request = Request(
                NAME,
                data=file,
                options={"kept": str(wanted.kept), "seed": str(wanted.seed)},
                prompts=wanted.prompts,
                respondent=wanted.maker,
                respondents_at={"review": PEOPLE},
                repeats=wanted.made,
            )
            gone = go(store, request, how, settings, judge=wanted.judge)
            say(as_paper(gone.plan.respondent.identity))
            kept = _kept(gone, wanted.kept)
            full = {item for item, of in kept.items() if len(of) >= wanted.kept}
            waiting = [one for one in gone.of(WAITING) if one.trajectory.item.id not in full]

            def written(out: Path) -> Path:
                replay = Replay(gone.store.reader())
                pictures = {
                    content_of(of[0].trajectory.item): [_picture(replay, one) for one in of] for of in kept.values()
                }
                more: dict[str, Json] = {"made_of_each": wanted.made, "kept_of_each": wanted.kept}
                looked = {WAITING: "candidates not looked at"}
                counts = {looked.get(state, f"candidates {state}"): n for state, n in gone.counts.items() if n}
                return write(out, wanted.subset, wanted.count, pictures, gone.making(how), counts, **more)

            short = _short(contents, kept, wanted.kept)
            if not waiting and short:
                say(f"{counted(len(short), 'content')} have fewer than {wanted.kept} kept; --made N makes more")
            return finish(gone, how, written, waiting=waiting)
    except (Interrupted, BrokenOff) as by:
        return ended(by, how)


def as_paper(parameters: Mapping[str, Json]) -> str:
    """How a maker's parameters stand to the paper's."""
    other = [f"{name} {parameters[name]}" for name, its in AS_IN_PAPER.items() if parameters.get(name, its) != its]
    unset = not any(name in parameters for name in AS_IN_PAPER)
    if unset:
        return "the maker's size and guidance are its own; the paper's pictures are 1024x1024 with guidance 8"
    if other:
        return f"the paper's pictures are 1024x1024 with guidance 8; this maker has {', '.join(other)}"
    return "size and guidance are the paper's as far as this maker has them"


def _kept(gone: Gone, most: int) -> dict[str, list[Standing]]:
    """By content, the accepted candidates in the order they were made, no more than are kept of one."""
    found: dict[str, list[Standing]] = defaultdict(list)
    for one in sorted(gone.of(ACCEPTED), key=lambda one: one.trajectory.repeat):
        if len(found[one.trajectory.item.id]) < most:
            found[one.trajectory.item.id].append(one)
    return dict(found)


def _short(contents: list[Content], kept: Mapping[str, list[Standing]], most: int) -> list[Content]:
    return [one for one in contents if len(kept.get(contents_file.name_of(one), ())) < most]


def _picture(replay: Replay, one: Standing) -> SentPicture:
    made = one.trajectory.steps[0].answer.picture
    assert made is not None
    return replay.pictures([made.hash])[made.hash]
