"""What a report stands on, as a table, and as columns of its csv."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.records import Json
from core.tables import Table
from sessions.provenance import SHOWN, Provenance, RunThere
from tui.answer_words import not_whole_words
from tui.counting import more_than
from tui.inert import one_line

HEADER = ("run", "identity", "asked", "options", "respondent", "data", "filter", "items", "finished", "failed",
          "open", "made with")  # fmt: skip
RUNS_NAMED = 20
"""So many runs with answers that are no whole ones are named below the table."""
COLUMNS = ("version", "identity", "filter")
PAIR_COLUMNS = ("version", "identity_a", "filter_a", "identity_b", "filter_b")


def provenance_table(told: Provenance) -> Table:
    """A row for each run; hashes by their first digits."""
    rows = [_row(run) for run in told.runs]
    words = ("run", "identity", "asked", "options", "respondent", "data", "filter", "made with")
    return Table(
        "what this stands on", HEADER, rows, words=words, notes=[provenance_line(told), *_not_whole(told)],
        spare=("options", "data", "made with"), apart=True,
    )  # fmt: skip


def _not_whole(told: Provenance) -> Iterator[str]:
    """A line for each run with answers that are no whole ones: they stand in the tables as they were scored."""
    having = [(run, words) for run in told.runs if (words := not_whole_words(run.not_whole))]
    for run, words in having[:RUNS_NAMED]:
        yield f"{one_line(run.run)}: {words}"
    if more := more_than(RUNS_NAMED, len(having), "run"):
        yield f"{more} with such answers"


def _row(run: RunThere) -> list[str]:
    baseline = " (baseline)" if run.kind == "baseline" else ""
    counts = map(str, (run.items, run.finished, run.failed, run.open))
    return [
        one_line(run.run),
        run.identity[:SHOWN],
        f"{run.benchmark} {run.protocol}",
        run.options.replace(",", ", "),
        one_line(run.respondent) + baseline,
        run.data[:SHOWN],
        one_line(run.chosen_shortly),
        *counts,
        run.made_with,
    ]


def provenance_line(told: Provenance) -> str:
    """The version, the scorers, the gold and the group in one line."""
    by = f"; broken down by {told.by}" if told.by else ""
    return f"Phoropter {told.version}; scored by {', '.join(told.scorers) or 'nobody'}; gold: {told.gold}{by}"


def beside(told: Provenance, records: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """Flat records with the columns that name what they stand on, empty where it is of no run of the store."""
    nothing: dict[str, Json] = dict(zip(COLUMNS, (told.version, None, None), strict=True))
    columns = {
        run.run: dict(zip(COLUMNS, (told.version, run.identity, run.chosen), strict=True)) for run in told.runs
    }
    return [{**record, **columns.get(str(record.get("run", "")), nothing)} for record in records]


def beside_pairs(told: Provenance, records: Sequence[Mapping[str, Json]]) -> list[dict[str, Json]]:
    """Flat records of two sides, ``a`` and ``b``, with what each of them stands on, empty where it is no run."""
    out = []
    for record in records:
        a, b = (told.of(str(record[side])) for side in ("a", "b"))
        held = [
            value for run in (a, b) for value in ((run.identity, run.chosen) if run is not None else (None, None))
        ]
        out.append({**record, **dict(zip(PAIR_COLUMNS, (told.version, *held), strict=True))})
    return out
