"""What a report stands on: the version, who scored, and of each run its identity, data, filter and how far it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.records import Json, Status, named
from core.version import own_version
from sessions.cells import run_options
from sessions.runs import Run, runs
from sessions.statuses import not_whole
from sessions.store import Store

SHOWN: Final = 16
"""Digits of a hash that are shown where there is little room."""
MOST_VALUES: Final = 8
"""More values of a filter than this are cut there to ..."""
FIRST_VALUES: Final = 3
"""... so many."""


@dataclass(frozen=True, slots=True)
class RunThere:
    """A run by everything that tells it from another one. ``items`` were taken up, the rest counts trajectories;
    ``open`` are also those that a batch was asked for and has not taken up. ``truncated``, ``empty`` and ``refused``
    count answers, which are scored like all others."""

    run: str
    identity: str
    benchmark: str
    protocol: str
    options: str
    respondent: str
    kind: str
    data: str
    filter: Json
    items: int
    finished: int
    failed: int
    open: int
    made_with: str
    truncated: int = 0
    empty: int = 0
    refused: int = 0

    def to_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def not_whole(self) -> dict[Status, int]:
        """Answers that are no whole ones, by status."""
        return {Status.TRUNCATED: self.truncated, Status.EMPTY: self.empty, Status.REFUSAL: self.refused}

    @property
    def chosen(self) -> str:
        """The filter in words, "all" where nothing was left out by it."""
        return "; ".join(_words(self.filter)) or "all"

    @property
    def chosen_shortly(self) -> str:
        """The same where there is little room: of many values (a study's items) the first, and how many there are."""
        return "; ".join(_words(self.filter, shortly=True)) or "all"


@dataclass(frozen=True, slots=True)
class Provenance:
    """``scorers`` are those whose scores were counted, ``gold`` the one that counted, ``by`` a group, "" for none."""

    version: str
    scorers: tuple[str, ...]
    gold: str
    by: str
    runs: tuple[RunThere, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "version": self.version,
            "scorers": list(self.scorers),
            "gold": self.gold,
            "by": self.by,
            "runs": [run.to_json() for run in self.runs],
        }

    def of(self, run: str) -> RunThere | None:
        """The run of that name."""
        return next((one for one in self.runs if one.run == run), None)


def provenance(
    store: Store, chosen: Sequence[Run], scorers: Sequence[str], *, gold: str = "published", by: str = ""
) -> Provenance:
    """Of these runs, as they are now."""
    summaries = {summary.run.id: summary for summary in runs(store)}
    ended = not_whole(store, chosen)
    there = []
    for run in chosen:
        config, summary = run.config, summaries[run.id]
        counts = (summary.items, summary.done, summary.failed, summary.open)
        made_with = ", ".join(str(version) for version in run.versions.values())
        place = (named(config.benchmark, config.subset), config.protocol, run_options(run))
        who = (config.respondent, config.respondent_kind)
        which = (config.data_digest, config.filter)
        found: Mapping[Status, int] = ended.get(run.id, {})
        lacking = [found.get(status, 0) for status in (Status.TRUNCATED, Status.EMPTY, Status.REFUSAL)]
        there.append(RunThere(run.name, run.identity, *place, *who, *which, *counts, made_with, *lacking))
    return Provenance(own_version(), tuple(dict.fromkeys(scorers)), gold, by, tuple(there))


def _words(chosen: Json, *, shortly: bool = False) -> Iterator[str]:
    found = chosen if isinstance(chosen, Mapping) else {}
    for key, values in (found.get("where") or {}).items():
        cut = shortly and len(values) > MOST_VALUES
        said = "|".join(map(str, values[:FIRST_VALUES] if cut else values))
        yield f"{key}={said}|... ({len(values):,} values)" if cut else f"{key}={said}"
    if found.get("sample"):
        yield f"sample {found['sample']} (seed {found.get('seed', 0)})"
    pictures = found.get("pictures")
    if isinstance(pictures, Mapping) and pictures.get("drawn"):
        yield "pictures drawn"
    if "study" in found:  # a sitting's
        yield f"study {found['study']}, version {found.get('version')}"
        return
    yield from (str(key) for key in found if key not in ("where", "sample", "seed", "pictures"))
