"""``phoropter compare``: respondents on the same items, with what differed between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from core.comparing import Difference
from core.respondents.addresses import without_place
from core.scoring import RULE
from core.tables import Report, Table
from sessions.comparing import Compared, compare
from sessions.provenance import provenance
from sessions.runs import find_run
from sessions.store import Store
from tui.cli.formats.writing import Wanted, write
from tui.cli.output import say
from tui.cli.provenance_tables import PAIR_COLUMNS, beside_pairs, provenance_table
from tui.counting import counted
from tui.inert import one_line


def compare_runs(store: Path | None, names: Sequence[str], scorer: str, how: Wanted, *, unmatched: bool) -> int:
    """Print it. Raises UsageError as ``sessions.comparing.compare`` does."""
    scorer = without_place(scorer) or RULE
    with Store.open(store, create=False, read_only=True) as opened:
        found = compare(opened, names, scorer=scorer, unmatched=unmatched)
        runs = [find_run(opened, side.name, exact=True) for side in found.sides if not side.people]
        told = provenance(opened, runs, (scorer,))
    records = beside_pairs(told, [row.to_json() for row in found.differences])
    fields = [*Difference.__dataclass_fields__, *PAIR_COLUMNS]
    title = "Comparison of " + ", ".join(side.name for side in found.sides)
    document = found.to_json() | {"about": told.to_json()}
    write(Report(title, [*_tables(found), provenance_table(told)], document, records, fields), how)
    for remark in found.remarks:
        say(remark)
    return 0


def _tables(found: Compared) -> Iterator[Table]:
    names = [one_line(side.name) for side in found.sides]
    what = [[row.what + (" (!)" if row.matters else ""), *map(one_line, row.values)] for row in found.asked]
    what.append(["items answered", *(f"{count:,}" for count in found.items)])
    note = "(!) should be the same in a plain comparison" if any(row.matters for row in found.asked) else ""
    header = ("", *names)
    yield Table("What differed between them", header, what, words=header, notes=(note,))
    tests = counted(len(found.differences), "test")
    for (a, b, rule), rows in groupby(found.differences, key=lambda row: (row.a, row.b, row.rule)):
        of_pair = list(rows)
        kind = _rule(found, a, b) if rule == "majority" else rule
        title = f"{one_line(a)} less {one_line(b)}, {kind}: accuracy in % on the same items, paired"
        note = (
            f"95%: {', '.join(dict.fromkeys(row.interval for row in of_pair))}; p: permutation test"
            f"{', exact McNemar' if any(row.mcnemar is not None for row in of_pair) else ''};"
            f" Holm over {tests}; h: Cohen's; detects: what so many items show in 4 of 5 studies (80% power)"
        )
        lines = [_line(row, of_pair) for row in of_pair]
        yield Table(title, _header(of_pair), lines, words=("step", "property"), notes=(note,))
    rows_ = [
        [
            one_line(row.a), one_line(row.b), row.step, row.property, str(row.n),
            "undefined" if row.rho is None else f"{row.rho:.3f}",
            "" if row.low is None or row.high is None else f"{row.low:.3f} to {row.high:.3f}",
        ]
        for row in found.correlations
    ]  # fmt: skip
    if rows_:
        header = ("", "and", "step", "property", "n", "Spearman", "95%")
        note = "95%: Bonett and Wright; few answers an item make it smaller than it is"
        yield Table("Whether the same items are hard for both", header, rows_, words=header[:4], notes=(note,))


def _rule(found: Compared, a: str, b: str) -> str:
    """Whose majority is set against whose."""
    times = {side.name: side.times for side in found.sides}
    return f"majority of {times[a]} against majority of {times[b]}"


def _header(rows: Sequence[Difference]) -> list[str]:
    header = ["step", "property", "n", "first", "second", "difference", "95%"]
    header += ["95% people and items"] if any(row.crossed_low is not None for row in rows) else []
    header += ["p"] + (["McNemar"] if any(row.mcnemar is not None for row in rows) else [])
    return [*header, "p (Holm)", "only first", "only second", "h", "detects"]


def _line(row: Difference, rows: Sequence[Difference]) -> list[str]:
    line = [
        row.step, row.property, str(row.n), _percent(row.accuracy_a), _percent(row.accuracy_b),
        f"{100 * row.difference:+.2f}", _between(row.low, row.high),
    ]  # fmt: skip
    if any(each.crossed_low is not None for each in rows):
        line.append(_between(row.crossed_low, row.crossed_high))
    line.append(_p(row.p))
    if any(each.mcnemar is not None for each in rows):
        line.append("-" if row.mcnemar is None else _p(row.mcnemar))
    detects = "-" if row.detectable is None else f"{100 * row.detectable:.1f}"
    return [*line, _p(row.p_holm), str(row.a_only), str(row.b_only), f"{row.effect:+.2f}", detects]


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"


def _between(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{100 * low:+.2f} to {100 * high:+.2f}"


def _p(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"
