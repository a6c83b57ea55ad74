"""The papers' numbers counted a second time, from `show --json` alone, against `report --json` to the last digit.

Written from the papers and the texts of the contract; nothing of core.cells, core.tally, core.statistics or of the
measures is used.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from core.cells import ALL
from sessions.cells import cells_of, labelled, run_tally
from sessions.runs import runs
from sessions.store import Store
from tests.random_store import ITEMS, NOTHING, fill
from tui.cli import run as command

Z = 1.959963984540054
Trajectory = Mapping[str, Any]


def wilson(right: float, n: int) -> tuple[float, float]:
    """Wilson (1927), the roots of (p - share)^2 = z^2 p (1 - p) / n."""
    a, b, c = 1 + Z * Z / n, -(2 * right / n + Z * Z / n), (right / n) ** 2
    root = math.sqrt(max(b * b - 4 * a * c, 0))
    return max((-b - root) / (2 * a), 0.0), min((-b + root) / (2 * a), 1.0)


def resampled(clusters: list[int], size: int) -> tuple[float, float]:
    """Every resample of whole clusters at once: the chances of each sum, cluster by cluster."""
    one, n = Counter(clusters), len(clusters)
    chances: dict[int, float] = {0: 1.0}
    for _ in range(n):
        following: dict[int, float] = {}
        for total, chance in chances.items():
            for value, count in one.items():
                following[total + value] = following.get(total + value, 0.0) + chance * count / n
        chances = following
    passed, limits = 0.0, []
    for total in sorted(chances):
        passed += chances[total]
        while len(limits) < 2 and passed >= (0.025, 0.975)[len(limits)]:
            limits.append(total / (n * size))
    return limits[0], limits[1]


class Paper:
    """Documents of `show --json`, item by item."""

    def __init__(self, documents: Iterable[Mapping[str, Any]]) -> None:
        self.paths: dict[str, list[tuple[Mapping[str, Any], Trajectory]]] = {}
        for document in documents:
            for trajectory in document["trajectories"]:
                if trajectory["parent"] is None:  # a fork is a what-if
                    self.paths.setdefault(trajectory["run"], []).append((document["item"], trajectory))

    def answers(
        self, run: str, step: str, keep: Callable[[Mapping[str, Any]], bool] = lambda item: True, lane: str = ""
    ) -> list[tuple[str, dict[str, bool], str]]:
        """Item, properties and parse status of each answer to a step."""
        return [
            (item["id"], score["properties"], score["status"])
            for item, trajectory in self.paths[run]
            if keep(item)
            for one in trajectory["steps"]
            if one["step"] == step and one["origin"] == "respondent" and one["interventions"] == lane
            for score in one["scores"]
        ]

    def failed(self, run: str, step: str, steps: list[str]) -> int:
        """Those that broke off before they had answered it."""
        return sum(
            trajectory["progress"] == "failed" and len(trajectory["steps"]) <= steps.index(step)
            for _, trajectory in self.paths[run]
        )


def judged(properties: Mapping[str, bool], name: str, units: int) -> int:
    """How many pictures of an answer (one, but for describing) are right in a property, or in all three."""
    names = ("number", "subject", "action") if name == "all" else (name,)
    pictures = [f"{unit + 1}." if units > 1 else "" for unit in range(units)]
    return sum(all(properties[picture + each] for each in names) for picture in pictures)


@pytest.fixture(scope="module", params=[1, 2])
def home(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    path: Path = tmp_path_factory.mktemp("second") / "store.db"
    with Store.open(path) as store:
        asyncio.run(fill(store, request.param))
    return path


def told(home: Path, *words: str) -> Any:
    """What a command says, asked once for all tests of a store."""
    return _told(home, words)


@cache
def _told(home: Path, words: tuple[str, ...]) -> Any:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert command([*words, "--store", str(home), "--json"]) == 0
    return json.loads(out.getvalue())


def paper(home: Path, *places: str, items: int = ITEMS) -> Paper:
    names = [f"{place}/{place.partition(':')[0]}-{n}" for place in places for n in range(items)]
    return Paper(told(home, "show", name) for name in names)


def measured(report: Any) -> dict[tuple[str, str, str, str], Any]:
    return {(one["name"], one["run"], one["group_by"], one["group"]): one for one in report["measures"]}


def close(one: Any, value: float | None, n: int, bounds: tuple[float, float] | None = None) -> None:
    assert one["value"] == (None if value is None else pytest.approx(value, abs=1e-12)), one
    assert one["n"] == n, one
    if bounds is not None:
        assert (one["low"], one["high"]) == pytest.approx(bounds, abs=1e-9), one


def test_running_counts_come_to_the_cells_of_a_report(home: Path) -> None:
    """Counts that a panel adds to one by one, and the arrays of a report."""
    with Store.open(home) as store:
        all_runs = [summary.run for summary in reversed(runs(store))]
        for run in all_runs:
            assert labelled(run, run_tally(store, run).cells()) == cells_of(store, [run])
        groups = ["rule", "category", "scenario", "subtask", "options"]
        apart = [cell for group in groups for cell in cells_of(store, all_runs, group_by=group)]
        assert cells_of(store, all_runs, group_by=[ALL, *groups]) == [*cells_of(store, all_runs), *apart]


def test_all_groups_are_those_of_one_group_each(home: Path) -> None:
    together = told(home, "report", "--by", "all")["cells"]
    assert {cell["group_by"] for cell in together if cell["benchmark"] == "mmra"} == {
        "all", "subtask", "level", "qa", "options",
    }  # fmt: skip
    assert [cell for cell in together if cell["group_by"] == "all"] == told(home, "report")["cells"]
    two = told(home, "report", "--by", "level", "--by", "category")["cells"]
    assert two == [cell for name in ("level", "category") for cell in together if cell["group_by"] == name]


# -- VOILA


def test_voilas_cells(home: Path) -> None:
    """Tables 2, 8, 10 and 11 of runs, and figure 7 by rule."""
    counted = paper(home, "voila:WD", "voila:ND")
    runs = ["l2m", "direct", "repeated", "gold", "nd"]
    for by in ((), ("--by", "rule")):
        cells, seen = told(home, "report", *runs, *by)["cells"], 0
        for cell in cells:
            if cell["interventions"].endswith("(fork)"):
                continue
            check_cell(counted, cell)
            seen += 1
        assert seen >= (52 * 7 if by else 52)


def check_cell(counted: Paper, cell: Any) -> None:
    def keep(item: Any) -> bool:
        return cell["group"] in ("all", item["groups"].get(cell["group_by"]))

    units = 3 if cell["step"] == "describe" else 1
    answers = counted.answers(cell["run"], cell["step"], keep, cell["interventions"])
    right = [judged(properties, cell["property"], units) for _, properties, _ in answers]
    n = units * len(answers)
    unread = sum(units for *_, status in answers if status in ("no_answer", "ambiguous"))
    refused = sum(units for *_, status in answers if status == "refusal")
    assert (cell["right"], cell["n"], cell["unparsed"], cell["refused"]) == (sum(right), n, unread, refused), cell
    steps = ["apply"] if cell["run"] == "direct" else ["describe", "relate", "apply"]
    if cell["group"] == "all":
        assert cell["failed"] == units * counted.failed(cell["run"], cell["step"], steps), cell
    said = n - unread - refused
    for name, size in (("accuracy", n), ("accuracy_strict", n + cell["failed"]), ("accuracy_answered", said)):
        assert cell[name] == (sum(right) / size if size else None), (name, cell)
    if not n:
        return
    by_item: dict[str, list[int]] = {}
    for (item, *_), found in zip(answers, right, strict=True):
        by_item.setdefault(item, []).append(found)
    sums, sizes = [sum(found) for found in by_item.values()], {units * len(found) for found in by_item.values()}
    if cell["interval"] == "wilson":
        assert sizes == {1}
        assert (cell["low"], cell["high"]) == pytest.approx(wilson(sum(right), n), abs=1e-12)
    elif cell["interval"] == "wilson over clusters":
        assert (cell["low"], cell["high"]) == pytest.approx(wilson(len(sums) * sum(right) / n, len(sums)), abs=1e-12)
    elif len(sizes) == 1:
        assert (cell["low"], cell["high"]) == pytest.approx(resampled(sums, *sizes), abs=1e-12)
    else:
        assert cell["low"] <= cell["accuracy"] <= cell["high"]


def test_voilas_contrasts(home: Path) -> None:
    """Tables 3, 4, 17, 18 and 19: differences over the items of both, and the bootstrap of the differences."""
    counted, found = paper(home, "voila:WD", "voila:ND"), measured(told(home, "report"))
    pairs = {
        "gain_of_steps_apply": ("l2m", "direct", "apply"),
        "gain_of_sequence_describe": ("l2m", "collage", "describe"),
        "gain_of_sequence_relate": ("l2m", "collage", "relate"),
        "gain_of_sequence_apply": ("l2m", "collage", "apply"),
        "gain_of_subprompts_relate": ("parts", "l2m", "relate"),
        "gain_of_worked_examples_apply": ("cot", "l2m", "apply"),
        "gain_of_examples_apply": ("examples", "direct", "apply"),
        "examples_over_steps_apply": ("examples", "l2m", "apply"),
    }
    for name, (first, second, step) in pairs.items():
        units = 3 if step == "describe" else 1
        ours, theirs = (by_item(counted, run, step) for run in (first, second))
        shared = [item for item in ours if item in theirs]
        assert shared
        for group in ("number", "subject", "action", "all"):
            gains = [judged(ours[i], group, units) - judged(theirs[i], group, units) for i in shared]
            key = ("all", "all") if group == "all" else ("property", group)
            one = found[name, f"{first} vs {second}", *key]
            bounds = resampled(gains, units) if len(set(gains)) > 1 else None
            close(one, sum(gains) / (units * len(gains)), len(gains), bounds)
    assert {name for name, run, *_ in found if run in {f"{a} vs {b}" for a, b, _ in pairs.values()}} >= set(pairs)
    before, after = (by_item(counted, run, "apply") for run in ("l2m", "collage"))
    shared = [item for item in before if item in after]
    first_right, second_right = (sum(judged(of[i], "all", 1) for i in shared) for of in (before, after))
    one = found["change_to_collage_apply", "l2m vs collage", "all", "all"]
    close(one, (second_right - first_right) / first_right if first_right else None, len(shared))
    nd, wd = (counted.answers(run, "apply") for run in ("nd", "l2m"))
    shares = [sum(judged(p, "all", 1) for _, p, _ in of) / len(of) for of in (nd, wd)]
    (low_1, high_1), (low_2, high_2) = (
        wilson(share * len(of), len(of)) for share, of in zip(shares, (nd, wd), strict=True)
    )
    gap = shares[0] - shares[1]
    bounds = (
        gap - math.hypot(shares[0] - low_1, high_2 - shares[1]),
        gap + math.hypot(high_1 - shares[0], shares[1] - low_2),
    )
    close(found["loss_by_distraction_apply", "nd vs l2m", "all", "all"], gap, len(nd) + len(wd), bounds)


def by_item(counted: Paper, run: str, step: str) -> dict[str, dict[str, bool]]:
    """The properties of each item's answer; one asked in parts where all parts were answered."""
    if run != "parts":
        return {item: properties for item, properties, _ in counted.answers(run, step)}
    joined: dict[str, dict[str, bool]] = {}
    for part in ("number", "subject", "action"):
        for item, properties, _ in counted.answers(run, f"{step}.{part}"):
            joined.setdefault(item, {}).update(properties)
    return {item: properties for item, properties in joined.items() if len(properties) == 3}


def test_voila_by_letter(home: Path) -> None:
    counted = paper(home, "voila:WD")
    found = measured(told(home, "report", "l2m", "repeated", "--by", "structure"))
    for place, name in enumerate(("action", "subject", "number")):
        for letter in "SCAD":
            if (letter == "A" and name != "number") or (letter == "C" and name == "number"):
                continue
            answers = counted.answers("l2m", "apply", lambda item: item["groups"]["structure"][place] == letter)  # noqa: B023
            right = sum(properties[name] for _, properties, _ in answers)
            one = found["apply_by_letter", "l2m", "structure", f"{name} {letter}"]
            close(one, right / len(answers), len(answers), wilson(right, len(answers)))


def test_a_table_shows_both_accuracies_beside_what_was_left_open(home: Path) -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert command(["report", "l2m", "--store", str(home), "--format", "md"]) == 0
    lines = [line.strip("| ").split(" | ") for line in out.getvalue().splitlines() if line.startswith("| ")]
    told_there = dict(zip(lines[0], lines[1], strict=True))
    (cell,) = (
        one
        for one in told(home, "report", "l2m", "direct", "repeated", "gold", "nd")["cells"]
        if (one["run"], one["step"], one["property"], one["interventions"]) == ("l2m", "describe", "all", "")
    )
    assert told_there["of answered"] == f"{100 * cell['accuracy_answered']:.2f}"
    assert told_there["strict"] == f"{100 * cell['accuracy_strict']:.2f}"
    assert told_there["all"] == f"{100 * cell['accuracy']:.2f}"


# -- V-REX


class Chain:
    """One finished planning or following trajectory."""

    def __init__(self, item: Any, trajectory: Trajectory) -> None:
        rights = [step["scores"][0]["correct"] for step in trajectory["steps"]]
        self.item, self.category = item["id"], item["groups"]["category"]
        self.steps, self.final = rights[:-1], rights[-1]
        self.wrong = self.steps.count(False)


def chains(counted: Paper, run: str) -> list[Chain]:
    return [Chain(item, one) for item, one in counted.paths[run] if one["progress"] == "done"]


def ability(found: list[Chain]) -> float:
    return mean(sum(one.steps) / len(one.steps) for one in found)


def final(found: list[Chain]) -> float:
    return mean(one.final for one in found)


def over_categories(what: Callable[[list[Chain]], float], found: list[Chain]) -> float:
    """Table 1's Average and table 3's Overall."""
    names = {one.category for one in found}
    return mean(what([one for one in found if one.category == name]) for name in names)


def test_vrexs_measures(home: Path) -> None:
    counted, report = paper(home, "vrex"), told(home, "report")
    found = measured(report)
    models = ("able-8B", "weak-2B", "middling-3B")
    averages: dict[str, dict[str, float]] = {"planning": {}, "following": {}, "direct": {}}
    tables: dict[str, dict[int, list[float]]] = {"plan": {}, "follow": {}}
    changes: dict[str, list[float | None]] = {"plan": [], "follow": []}
    ratios = {}
    for model in models:
        alone = chains(counted, f"direct {model}")
        close(found["acc", f"direct {model}", "all", "all"], final(alone), len(alone), wilson(
            sum(one.final for one in alone), len(alone)))  # fmt: skip
        averages["direct"][model] = over_categories(final, alone)
        by_protocol = {}
        for protocol, kind in (("planning", "plan"), ("following", "follow")):
            run = f"{protocol} {model}"
            made = by_protocol[protocol] = chains(counted, run)
            close(found[protocol, run, "all", "all"], ability(made), len(made))
            averages[protocol][model] = over_categories(ability, made)
            mean_of = found[f"{protocol}_mean_of_categories", run, "all", "all"]
            close(mean_of, averages[protocol][model], len(made))
            right = sum(one.final for one in made)
            close(found[f"acc_{kind}", run, "all", "all"], final(made), len(made), wilson(right, len(made)))
            failed = [one for one in made if one.wrong]
            saved = sum(one.final for one in failed)
            close(found[f"recovery_{kind}", run, "all", "all"], saved / len(failed), len(failed), wilson(
                saved, len(failed)))  # fmt: skip
            for count in {one.wrong for one in made}:
                alike = [one for one in made if one.wrong == count]
                close(found[f"acc_{kind}_by_wrong_steps", run, "wrong steps", str(count)], final(alike), len(alike))
                tables[kind].setdefault(count, []).append(final(alike))
            both = {one.item: one for one in made}
            shared = [(one.final, both[one.item].final) for one in alone if one.item in both]
            before, after = (sum(side) for side in zip(*shared, strict=True))
            change = (after - before) / before if before else None
            close(found[f"change_{kind}", f"{run} vs direct {model}", "all", "all"], change, len(shared))
            changes[kind].append(change)
        ratios[model] = ability(by_protocol["following"]) / ability(by_protocol["planning"])
    for protocol in ("planning", "following"):
        xs, ys = ([averages[which][model] for model in models] for which in (protocol, "direct"))
        close(found[f"pearson_{protocol}_overall", "", "all", "all"], pearson(xs, ys), 3)
        small = [averages[protocol][model] for model in ("weak-2B", "middling-3B")]
        close(found[f"{protocol}_by_size", "", "size", "< 7B"], mean(small), 2)
        close(found[f"{protocol}_spread_by_size", "", "size", "< 7B"], stdev(small), 2)
        close(found[f"{protocol}_by_size", "", "size", "7B - 10B"], averages[protocol]["able-8B"], 1)
    small = [ratios[model] for model in ("weak-2B", "middling-3B")]
    close(found["following_to_planning_by_size", "", "size", "< 7B"], mean(small), 2)
    for kind in ("plan", "follow"):
        for count, values in tables[kind].items():
            if len(values) > 1:
                one = found[f"acc_{kind}_by_wrong_steps_over_models", "", "wrong steps", str(count)]
                close(one, mean(values), len(values))
        told_of = [value for value in changes[kind] if value is not None]
        close(found[f"change_{kind}_over_models", "", "all", "all"], mean(told_of), len(told_of))


def pearson(xs: list[float], ys: list[float]) -> float:
    a, b = mean(xs), mean(ys)
    above = sum((x - a) * (y - b) for x, y in zip(xs, ys, strict=True))
    return above / math.sqrt(sum((x - a) ** 2 for x in xs) * sum((y - b) ** 2 for y in ys))


def test_vrexs_pooled_cells_leave_out_and_count_what_failed(home: Path) -> None:
    counted = paper(home, "vrex")
    for cell in told(home, "report", "planning weak-2B")["cells"]:
        if cell["step"] != "plan" or cell["property"] != "answer" or cell["interventions"]:
            continue
        shares, said, strict = [], [], []
        for item, trajectory in counted.paths["planning weak-2B"]:
            asked = [one["scores"][0] for one in trajectory["steps"] if one["step"] != "final"]
            answered = [one for one in asked if one["status"] == "ok"]
            broke = trajectory["progress"] == "failed" and len(asked) < item["facts"]["steps"]
            shares += [mean(one["correct"] for one in asked)] if asked else []
            said += [mean(one["correct"] for one in answered)] if answered else []
            strict += [sum(one["correct"] for one in asked) / (len(asked) + broke)] if asked or broke else []
        assert cell["n"] == len(shares)
        assert [cell[name] for name in ("accuracy", "accuracy_answered", "accuracy_strict")] == pytest.approx(
            [mean(shares), mean(said), mean(strict)], abs=1e-12
        )


# -- MMRA


def test_mmras_measures(home: Path) -> None:
    counted = paper(home, "mmra", items=2 * ITEMS)
    found = measured(told(home, "report"))
    rights: dict[str, dict[str, bool]] = {}
    groups, wrong = {}, []
    for run in ("iq", "qo"):
        rights[run] = {}
        for item, trajectory in counted.paths[run]:
            if trajectory["progress"] != "done":
                continue
            score = trajectory["steps"][-1]["scores"][0]
            rights[run][item["id"]] = score["correct"]
            groups[item["id"]] = item["groups"]
            if run == "iq" and not score["correct"]:
                wrong.append(kind_of(item["facts"], score["parsed"].get("answer")))
        for group_by in ("subtask", "level"):
            for group in {of[group_by] for of in groups.values()}:
                inside = [right for item, right in rights[run].items() if groups[item][group_by] == group]
                one = found["accuracy", run, group_by, group]
                close(one, mean(inside), len(inside), wilson(sum(inside), len(inside)))
        overall = list(rights[run].values())
        close(found["accuracy", run, "all", "all"], mean(overall), len(overall), wilson(sum(overall), len(overall)))
    shared = [item for item in rights["iq"] if item in rights["qo"]]
    gains = [rights["iq"][item] - rights["qo"][item] for item in shared]
    close(found["gain_over_question_only", "iq", "all", "all"], mean(gains), len(shared), resampled(gains, 1))
    for kind in set(wrong):
        n = wrong.count(kind)
        close(found[f"mistakes_{kind}", "iq", "all", "all"], n / len(wrong), len(wrong), wilson(n, len(wrong)))
    assert {name for name, run, *_ in found if name.startswith("mistakes") and run == "iq"} == {
        f"mistakes_{kind}" for kind in wrong
    }


def kind_of(facts: Any, letter: str | None) -> str:
    """Section 4.5: an entity of neither image, no relation, another one."""
    if letter is None:
        return "unread"
    if facts.get("marks", {}).get(letter) == "absent":
        return "absent"
    return "no_relation" if facts["options"][letter] == NOTHING else "another_option"
