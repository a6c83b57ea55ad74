"""The paper's measures: by hand on eight trajectories, and by a second implementation on a thousand random ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import isclose
from pathlib import Path

import pytest

from core.benchmarks.base import ProtocolLike
from core.benchmarks.vrex.chains import mean_interval
from core.benchmarks.vrex.measures import measures
from core.measures import Measure, RunOutcomes
from core.records import Item
from core.statistics import wilson
from tests.vrex_data import items, outcome, protocol, row, rows, run_of, walked

UNREADABLE = "Hard to say from here."


def value(found: Sequence[Measure], name: str, group: str = "all", group_by: str = "") -> float | None:
    return one(found, name, group, group_by).value


def one(found: Sequence[Measure], name: str, group: str = "all", group_by: str = "") -> Measure:
    (measure,) = [
        m for m in found if m.name == name and m.group == group and (not group_by or m.group_by == group_by)
    ]
    return measure


# -- eight trajectories by hand

EIGHT = (
    # category, planning: steps right, final right; following: steps right, final right; direct: final right
    ("Deduction", (1, 1), 1, (1, 1), 1, 1),
    ("Deduction", (1, 0), 1, (1, 1), 1, 1),
    ("Deduction", (0,), 0, (0,), 0, 0),
    ("Guessing", (1, 1, 1), 1, (1, 1, 0), 0, 0),
    ("Navigation", (0, 0, 0, 0), 1, (1, 1, 1, 1), 1, 0),
    ("Navigation", (1, 0, 1), 0, (1, 0, 1), 1, 0),
    ("Retrieval", (1,), 0, (1,), 1, 1),
    ("Retrieval", (0, 1), 0, (0, 1), 0, 0),
)


@pytest.fixture(scope="module")
def eight(tmp_path_factory: pytest.TempPathFactory) -> list[Measure]:
    made, rng = [], random.Random(2)
    for number, (category, steps, *_) in enumerate(EIGHT):
        made.append(row(number, len(steps), rng) | {"category": category, "scenario": f"scenario of {category}"})
    found = items(made, tmp_path_factory.mktemp("eight"))
    runs = []
    for name, at in (("planning", (1, 2)), ("following", (3, 4)), ("direct", (None, 5))):
        asked = protocol(name)
        outcomes = []
        for item, told in zip(found, EIGHT, strict=True):
            right = (*(told[at[0]] if at[0] is not None else ()), told[at[1]])
            outcomes.append(outcome(item, walked(asked, item, answers(asked, item, right))))
        runs.append(run_of(asked, outcomes))
    return measures(runs)


def answers(asked: ProtocolLike, item: Item, right: Sequence[int]) -> list[str]:
    """The gold letter where it is right, another one where it is wrong."""
    golds = [step[asked.name]["answer"] for step in item.facts["steps"]] if asked.name != "direct" else []
    golds.append(item.facts["answer"])
    return [
        f"({gold})" if good else f"({'B' if gold == 'A' else 'A'})" for gold, good in zip(golds, right, strict=True)
    ]


def test_planning_and_following_by_hand(eight: list[Measure]) -> None:
    # planning shares: 1, 1/2, 0 | 1 | 0, 2/3 | 1, 1/2; their sum is 14/3
    assert isclose(value(eight, "planning") or 0, 14 / 3 / 8)
    by_category = [value(eight, "planning", c) for c in ("Deduction", "Guessing", "Navigation", "Retrieval")]
    assert by_category == [1 / 2, 1, pytest.approx(1 / 3), 3 / 4]
    assert value(eight, "planning_mean_of_categories") == pytest.approx((1 / 2 + 1 + 1 / 3 + 3 / 4) / 4)
    assert value(eight, "planning", "scenario of Retrieval", "scenario") == 3 / 4
    # following shares: 1, 1, 0 | 2/3 | 1, 2/3 | 1, 1/2; their sum is 35/6
    assert isclose(value(eight, "following") or 0, 35 / 6 / 8)
    assert value(eight, "following_mean_of_categories") == pytest.approx((2 / 3 + 2 / 3 + 5 / 6 + 3 / 4) / 4)
    assert one(eight, "planning").n == 8


def test_final_accuracies_by_hand(eight: list[Measure]) -> None:
    assert [value(eight, name) for name in ("acc", "acc_plan", "acc_follow")] == [3 / 8, 4 / 8, 5 / 8]
    assert value(eight, "acc_plan", "Deduction") == pytest.approx(2 / 3)
    assert value(eight, "acc_plan_mean_of_categories") == pytest.approx((2 / 3 + 1 + 1 / 2 + 0) / 4)
    assert value(eight, "acc_mean_of_categories") == pytest.approx((2 / 3 + 0 + 0 + 1 / 2) / 4)
    bounds = wilson(4, 8)
    assert one(eight, "acc_plan").interval == "wilson"
    assert (one(eight, "acc_plan").low, one(eight, "acc_plan").high) == (bounds.low, bounds.high)


def test_change_ratios_by_hand(eight: list[Measure]) -> None:
    assert value(eight, "change_plan") == pytest.approx((4 - 3) / 3)
    assert value(eight, "change_follow") == pytest.approx((5 - 3) / 3)
    assert value(eight, "change_plan", "Deduction") == 0
    assert value(eight, "change_plan", "Retrieval") == -1
    undefined = one(eight, "change_plan", "Guessing")
    assert undefined.value is None
    assert "nothing is right under direct" in undefined.note
    whole = one(eight, "change_plan")
    assert whole.run == "vrex-planning-model vs vrex-direct-model"
    assert whole.low is not None
    assert whole.high is not None
    assert whole.low < 1 / 3 < whole.high
    assert whole.interval == "bootstrap over paired samples"


def test_recovery_by_hand(eight: list[Measure]) -> None:
    # wrong plans: the second, third, fifth, sixth and eighth; right in the end: the second and the fifth
    assert (value(eight, "recovery_plan"), one(eight, "recovery_plan").n) == (2 / 5, 5)
    # wrong answers: the third, fourth, sixth and eighth; right in the end: the sixth
    assert (value(eight, "recovery_follow"), one(eight, "recovery_follow").n) == (1 / 4, 4)


def test_accuracy_by_number_of_wrong_steps_by_hand(eight: list[Measure]) -> None:
    def table(name: str) -> dict[str, tuple[float | None, int]]:
        return {m.group: (m.value, m.n) for m in eight if m.name == name and m.group_by == "wrong steps"}

    assert table("acc_plan_by_wrong_steps") == {"0": (pytest.approx(2 / 3), 3), "1": (1 / 4, 4), "4": (1, 1)}
    assert table("acc_follow_by_wrong_steps") == {"0": (1, 4), "1": (1 / 4, 4)}


def test_the_ratio_of_the_abilities_by_hand(eight: list[Measure]) -> None:
    assert value(eight, "following_to_planning") == pytest.approx((35 / 48) / (7 / 12))


# -- a second implementation


class Paper:
    """Sections 4.3, 5.2 and 12 of the paper once more, on chosen and gold letters, sharing no code with the first."""

    def __init__(self, samples: list[tuple[str, str, list[str], list[str], str, str]]) -> None:
        """Each: scenario, category, gold and chosen letters of steps 1 to T-1, gold and chosen letter of Q_T."""
        self.samples = samples

    def ability(self, keep: str = "", at: int = 1) -> float:
        chosen = [s for s in self.samples if not keep or s[at] == keep]
        total = 0.0
        for _, _, golds, letters, _, _ in chosen:
            total += sum(1 for t in range(len(golds)) if golds[t] == letters[t]) / len(golds)
        return total / len(chosen)

    def accuracy(self, keep: str = "", at: int = 1) -> float:
        chosen = [s for s in self.samples if not keep or s[at] == keep]
        return sum(1 for s in chosen if s[4] == s[5]) / len(chosen)

    def average(self, what: str) -> float:
        names = {s[1] for s in self.samples}
        return sum(getattr(self, what)(name) for name in names) / len(names)

    def recovery(self) -> float:
        failed = [s for s in self.samples if s[2] != s[3]]
        return sum(s[4] == s[5] for s in failed) / len(failed)

    def by_wrong(self) -> dict[str, float]:
        groups: dict[int, list[bool]] = {}
        for s in self.samples:
            groups.setdefault(sum(g != k for g, k in zip(s[2], s[3], strict=True)), []).append(s[4] == s[5])
        return {str(count): sum(hits) / len(hits) for count, hits in groups.items()}


@pytest.fixture(scope="module")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> list[Item]:
    return items(rows(1000, seed=8), tmp_path_factory.mktemp("thousand"))


@pytest.mark.parametrize(("name", "kind"), [("planning", "plan"), ("following", "follow")])
def test_a_second_implementation_says_the_same_of_1000_random_trajectories(
    thousand: list[Item], name: str, kind: str
) -> None:
    rng = random.Random(13)
    asked, direct = protocol(name), protocol("direct")
    samples, before, outcomes, alone = [], [], [], []
    for item in thousand:
        golds = [step[name]["answer"] for step in item.facts["steps"]]
        skill = rng.random()
        chosen = [g if rng.random() < skill else rng.choice(("A", "B", "C", "D", "?")) for g in golds]
        final, plain = (rng.choice((item.facts["answer"], *"ABCD?")) for _ in range(2))
        texts = [UNREADABLE if letter == "?" else f"({letter})\n\nSince it helps." for letter in (*chosen, final)]
        outcomes.append(outcome(item, walked(asked, item, texts)))
        alone.append(outcome(item, walked(direct, item, [f"({plain})" if plain != "?" else UNREADABLE])))
        about = (item.groups["scenario"], item.groups["category"])
        samples.append((*about, golds, chosen, item.facts["answer"], final))
        before.append((*about, [], [], item.facts["answer"], plain))
    found = measures([run_of(asked, outcomes), run_of(direct, alone)])
    paper, base = Paper(samples), Paper(before)

    def close(measure: str, wanted: float, group: str = "all", group_by: str = "") -> None:
        assert value(found, measure, group, group_by) == pytest.approx(wanted, abs=1e-12), measure

    close(name, paper.ability())
    close(f"{name}_mean_of_categories", paper.average("ability"))
    close(f"acc_{kind}", paper.accuracy())
    close(f"acc_{kind}_mean_of_categories", paper.average("accuracy"))
    close("acc", base.accuracy())
    close(f"recovery_{kind}", paper.recovery())
    close(f"change_{kind}", (paper.accuracy() - base.accuracy()) / base.accuracy())
    for category in ("Deduction", "Guessing", "Navigation", "Retrieval"):
        close(name, paper.ability(category), category)
        close(f"acc_{kind}", paper.accuracy(category), category)
        close(f"change_{kind}", paper.accuracy(category) / base.accuracy(category) - 1, category)
    for scenario in {sample[0] for sample in samples}:
        close(name, paper.ability(scenario, at=0), scenario, "scenario")
    by_wrong = {m.group: m.value for m in found if m.name == f"acc_{kind}_by_wrong_steps"}
    assert by_wrong == pytest.approx(paper.by_wrong())


# -- edges


def test_recovery_is_undefined_where_no_chain_has_a_wrong_step(tmp_path: Path) -> None:
    asked = protocol("planning")
    found = items(rows(4), tmp_path)
    perfect = [
        outcome(item, walked(asked, item, answers(asked, item, [1] * (len(item.facts["steps"]) + 1))))
        for item in found
    ]
    measure = one(measures([run_of(asked, perfect)]), "recovery_plan")
    assert (measure.value, measure.n) == (None, 0)
    assert "no chain has a wrong step" in measure.note


def test_a_step_asked_again_counts_once_by_what_came_last(tmp_path: Path) -> None:
    asked = protocol("planning", on_unparsed="reask")
    (item,) = items([row(0, 2, random.Random(4))], tmp_path)
    one_gold, two_gold, last = answers(asked, item, (1, 1, 1))
    found = measures([run_of(asked, [outcome(item, walked(asked, item, [UNREADABLE, one_gold, two_gold, last]))])])
    assert value(found, "planning") == 1
    assert value(found, "recovery_plan") is None
    found = measures([run_of(asked, [outcome(item, walked(asked, item, [UNREADABLE] * 2 + [two_gold, last]))])])
    assert value(found, "planning") == 1 / 2
    assert value(found, "recovery_plan") == 1


def test_stopped_chains_have_no_final_answer_and_a_note_says_so(tmp_path: Path) -> None:
    asked = protocol("following", on_unparsed="stop")
    found = items(rows(10), tmp_path)
    outcomes = [outcome(item, walked(asked, item, [UNREADABLE])) for item in found[:4]]
    outcomes += [outcome(item, walked(asked, item, ["(A)"] * 9)) for item in found[4:]]
    made = measures([run_of(asked, outcomes)])
    assert one(made, "acc_follow").n == 6
    assert "4 stopped before the final question" in one(made, "acc_follow").note
    assert one(made, "following").n == 10


def test_repeats_of_a_sample_hang_together(tmp_path: Path) -> None:
    asked = protocol("direct")
    found = items(rows(10), tmp_path)
    outcomes = [
        outcome(item, walked(asked, item, [f"({item.facts['answer']})" if repeat else "(?)"]), repeat)
        for item in found
        for repeat in range(2)
    ]
    measure = one(measures([run_of(asked, outcomes)]), "acc")
    assert (measure.value, measure.n) == (1 / 2, 20)
    assert measure.interval != "wilson"


def test_a_change_ratio_needs_the_direct_run_of_the_same_respondent_and_options(tmp_path: Path) -> None:
    found = items(rows(10), tmp_path)

    def run(name: str, respondent: str, **options: str) -> RunOutcomes:
        asked = protocol(name, **options)
        return run_of(asked, [outcome(item, walked(asked, item, ["(A)"] * 9)) for item in found], respondent)

    alone = measures([run("planning", "a"), run("direct", "b"), run("direct", "a", options="rotate")])
    measure = one(alone, "change_plan")
    assert measure.value is None
    assert "under direct" in measure.note
    both = measures([run("planning", "a"), run("direct", "b"), run("direct", "a")])
    assert one(both, "change_plan").run == "vrex-planning-a vs vrex-direct-a"


def test_a_change_ratio_stands_on_the_items_that_both_runs_have(tmp_path: Path) -> None:
    found = items(rows(10), tmp_path)
    planning, direct = protocol("planning"), protocol("direct")
    before = [outcome(item, walked(direct, item, ["(A)"])) for item in found[:6]]
    after = [outcome(item, walked(planning, item, ["(A)"] * 9)) for item in found[2:]]
    measure = one(measures([run_of(planning, after), run_of(direct, before)]), "change_plan")
    assert measure.n == 4
    assert "6 items of one run alone left out" in measure.note


def test_correlations_are_over_models_and_need_three(tmp_path: Path) -> None:
    found = items(rows(40), tmp_path)
    runs: list[RunOutcomes] = []
    shares = {"weak": 0.2, "middling": 0.5, "strong": 0.9}
    for respondent, share in shares.items():
        for name in ("planning", "direct"):
            asked, rng = protocol(name), random.Random(share)
            outcomes = []
            for item in found:
                right = [rng.random() < share for _ in range(len(item.facts["steps"]) * (name == "planning") + 1)]
                outcomes.append(outcome(item, walked(asked, item, answers(asked, item, [int(r) for r in right]))))
            runs.append(run_of(asked, outcomes, respondent))
    measure = one(measures(runs), "pearson_planning_overall")
    assert measure.n == 3
    assert measure.value is not None
    assert measure.value > 0.9
    assert not [m for m in measures(runs[:4]) if m.name.startswith("pearson")]
    bases = [run_of(protocol(r.protocol), r.outcomes, r.respondent, "baseline") for r in runs[:2]]
    assert not [m for m in measures([*bases, *runs[2:]]) if m.name.startswith("pearson")]


def test_the_interval_of_a_mean_of_categories_draws_within_each() -> None:
    """Two categories of 50 right of 100: the mean is a binomial of 200 and 1/2 by 200; its limits are 86 and 114."""
    half = {(1.0, 1): 50, (0.0, 1): 50}
    found = mean_interval([half, half])
    assert found[:2] == pytest.approx((86 / 200, 114 / 200), abs=0.006)
    assert found.name == "bootstrap within categories"
    # a category without spread adds none: 50 of 100 and all of 10, the limits of 40 and 60 of 100
    assert mean_interval([half, {(1.0, 1): 10}])[:2] == pytest.approx((0.7, 0.8), abs=0.006)
    assert mean_interval([{(1.0, 1): 10}])[:2] == pytest.approx(wilson(10, 10)[:2])
