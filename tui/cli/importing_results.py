"""``phoropter import`` of other tools' replies: which file, which data, what was made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.benchmarks import registry
from core.benchmarks.voila.benchmark import BENCHMARK as VOILA
from core.benchmarks.voila.protocol import WD
from core.errors import DataError, UsageError
from core.files import user_path
from core.foreign import lmms_eval, vlmevalkit, voila_results
from core.foreign.replies import Results, Verdicts
from core.planning import Request, load, make_protocol, mends
from sessions.exchange.imported import Taken, ready_results, take_results
from sessions.store import Store
from tui.cli.choosing import chosen_data
from tui.cli.output import put_json, say
from tui.counting import counted, more_than
from tui.inert import one_line

SHOWN: Final = 20

_READERS: Final[Mapping[str, Callable[[Path], Results]]] = {
    voila_results.TOOL: voila_results.read_results,
    lmms_eval.TOOL: lmms_eval.read_results,
    vlmevalkit.TOOL: vlmevalkit.read_results,
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user says of the replies; "" and None where the file, or the benchmark, tells."""

    benchmark: str
    data: Path | None
    protocol: str
    options: Mapping[str, str]
    respondent: str
    name: str
    mapping: Mapping[str, str]


def import_results(
    store: Path | None, tool: str, file: Path, wanted: Wanted, judged: Sequence[str], *, as_json: bool
) -> int:
    """The file's replies as a run. Returns 1 where some replies match no item, failed there, or were not judged."""
    results = _READERS[tool](file)
    verdicts = [_verdicts(spec) for spec in judged]
    benchmark = _benchmark(results, wanted)
    subset = registry.parse_name(benchmark)[1]
    slips = list(results.slips)
    if results.subset and subset and results.subset != subset:
        slips.append(f"its prompts are those of {results.subset}, and the items are {subset}")
    request = Request(
        benchmark,
        data=chosen_data(benchmark, wanted.data),
        options=wanted.options,
        mapping=wanted.mapping,
        respondent=wanted.respondent or results.model,
    )
    request = _with_protocol(request, wanted.protocol)
    ready = ready_results(results, request)  # what cannot be imported leaves no empty store behind
    with Store.open(store) as target:
        taken = take_results(target, results, request, wanted.name or None, verdicts, ready)
    slips += [slip for found in verdicts for slip in found.slips]
    _tell(results, taken, slips)
    if as_json:
        put_json(_document(results, taken, slips))
    return 1 if taken.matched.left or taken.totals.failed or taken.unjudged else 0


def _benchmark(results: Results, wanted: Wanted) -> str:
    """The benchmark named, else VOILA's subset that the data is of, else the one that the prompts tell.

    Raises UsageError where prompts and data contradict each other, and where a named subset would leave rows of the
    data out by whose numbers replies are matched; DataError for bad data.
    """
    benchmark, named = registry.parse_name(wanted.benchmark or VOILA.name)
    if wanted.data is None or benchmark is not VOILA or named == WD:
        return wanted.benchmark or f"voila:{results.subset or 'ND'}"
    dataset = load(Request(VOILA.name, data=wanted.data, mapping=wanted.mapping))[2]
    told = named or results.subset
    if told and told != dataset.subset:
        if problems := dataset.problems():
            raise DataError(problems, remedy=mends(problems, "import"))
        if not named:
            raise UsageError(
                f"its prompts are those of {told}, and the data is {dataset.subset}",
                where=f"--data {wanted.data}",
                remedy=f"Name the data that was asked, or say --benchmark voila:{dataset.subset}",
            )
        if any(not reply.item for reply in results.replies):
            raise UsageError(
                f"the data is {dataset.subset}, of whose rows {told} has only some, and replies are matched by row",
                where=f"--benchmark {wanted.benchmark}",
                remedy=f"Name the data that was asked, or say --benchmark voila:{dataset.subset}",
            )
    return f"voila:{named or dataset.subset}"


def _verdicts(spec: str) -> Verdicts:
    """``FILE``, or ``STEP=FILE`` where the file's name does not tell the step."""
    step, equals, file = spec.partition("=")
    if not equals or step not in voila_results.STEPS.values():
        step, file = "", spec
    return voila_results.read_verdicts(user_path(file, f"--judged {spec}"), step)


def _with_protocol(request: Request, name: str) -> Request:
    """The protocol named, else the benchmark's first that asks one turn."""
    from dataclasses import replace

    benchmark, subset = registry.parse_name(request.benchmark)
    if name:
        return replace(request, protocol=name)
    for each in benchmark.protocols:
        found = replace(request, protocol=each)
        if len(make_protocol(benchmark, subset, replace(found, options={})).steps) == 1:
            return found
    raise UsageError(f"{benchmark.name} has no protocol of one turn", where="--protocol")


def _tell(results: Results, taken: Taken, slips: Sequence[str]) -> None:
    name = one_line(taken.run.name)
    say(f"{'resuming' if taken.resumed else 'new run'} {name}: replies of {results.tool}, {one_line(results.file)}")
    for slip in slips:
        say(f"  {one_line(slip)}")
    for what, lines in (("not imported", taken.matched.left), ("not judged", taken.unjudged)):
        for line in lines[:SHOWN]:
            say(f"  {what}: {one_line(line)}")
        if more := more_than(SHOWN, len(lines), "line"):
            say(f"  {more}")
    totals = taken.totals
    parts = [f"{counted(len(taken.matched.found), 'reply').replace('replys', 'replies')} of"
             f" {counted(len(taken.matched.items), 'item')}", counted(totals.steps, "new step")]  # fmt: skip
    if taken.matched.left:
        parts.append(f"{len(taken.matched.left)} match no item")
    if totals.failed:
        parts.append(f"{totals.failed} failed")
    parts += [f"{new} new verdicts of {one_line(file)}" for file, new in taken.verdicts.items()]
    say(f"{name}: {', '.join(parts)}")
    for reason, count in totals.reasons.most_common(SHOWN):
        say(f"  {count} x {one_line(reason)}")


def _document(results: Results, taken: Taken, slips: Sequence[str]) -> dict[str, object]:
    return {
        "run": taken.run.name,
        "tool": results.tool,
        "file": results.file,
        "sha256": results.digest,
        "respondent": taken.run.config.respondent,
        "replies": len(results.replies),
        "matched": len(taken.matched.found),
        "unmatched": list(taken.matched.left),
        "items": len(taken.matched.items),
        "steps": taken.totals.steps,
        "failed": taken.totals.failed,
        "slips": list(slips),
        "verdicts": dict(taken.verdicts),
        "unjudged": list(taken.unjudged),
    }
