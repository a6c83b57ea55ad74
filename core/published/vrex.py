"""What follows from V-REX's tables: correlations, change ratios, recovery, scaling, and the plain means."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import correlation, mean, stdev

from core.published.checks import contradictions, means_off, not_whole, printed
from core.published.load import facts, rows, sizes_of
from core.published.records import MEAN, Finding, Row

ABILITIES = ("planning", "following")
DIRECT = "direct"

Numbers = Mapping[tuple[str, str, str], float]
"""(model, protocol, category) to the printed percentage."""


def findings() -> list[Finding]:
    """All of them, in the order of the paper's findings."""
    every = rows("vrex")
    ability, final = _numbers(every, "1"), _numbers(every, "3")
    sizes = {row.model: row.size for row in every}
    return [
        *_correlations(ability, final, list(sizes)),
        *_change_ratios(final, list(sizes)),
        *_recovery(every),
        *_scaling(ability, sizes),
        *_means(every),
        not_whole([row for row in every if row.table == "3"], sizes_of("vrex"), "shares_of_no_whole_number"),
        contradictions(every),
        *_counts(len(sizes)),
    ]


def _numbers(every: Sequence[Row], table: str) -> Numbers:
    return {(row.model, row.protocol, row.group): row.number for row in every if row.table == table}


def _correlations(ability: Numbers, final: Numbers, models: Sequence[str]) -> Iterator[Finding]:
    """Finding 3: Pearson over models of table 1's Average with Acc of table 3's Overall."""
    overall = [final[model, DIRECT, MEAN] for model in models]
    for protocol in reversed(ABILITIES):
        name = f"pearson_{protocol}_overall"
        value = correlation([ability[model, protocol, MEAN] for model in models], overall)
        said = printed("vrex", name.replace("_", " "))
        yield Finding(name, value, f"over {len(models)} models, table 1 Average with table 3 Overall Acc; {said}")


def _change_ratios(final: Numbers, models: Sequence[str]) -> Iterator[Finding]:
    """Finding 1, figure 5: (Acc with a chain - Acc) / Acc, as a fraction."""
    categories = list(dict.fromkeys(category for _, _, category in final))
    for protocol in ABILITIES:
        ratio = {
            (model, category): final[model, protocol, category] / final[model, DIRECT, category] - 1
            for model in models
            for category in categories
        }
        for category in categories:
            found = [ratio[model, category] for model in models]
            better = sum(value > 0 for value in found)
            note = f"mean over models; better with the chain in {better} of {len(found)}"
            yield Finding(f"change_ratio_{protocol}_mean/{category}", mean(found), note)
        apart = [value for (_, category), value in ratio.items() if category != MEAN]
        better = sum(value > 0 for value in apart)
        yield Finding(
            f"change_ratio_{protocol}_positive",
            better / len(apart),
            f"{better} of {len(apart)} models and categories",
        )
        for model in models:
            pair = f"{final[model, DIRECT, MEAN]:g} to {final[model, protocol, MEAN]:g}"
            yield Finding(f"change_ratio_{protocol}/{model}", ratio[model, MEAN], f"{pair}, table 3 Overall")


def _recovery(every: Sequence[Row]) -> Iterator[Finding]:
    """Finding 5, table 2: right in the end after at least one wrong step, in percent."""
    of: dict[str, dict[str, float]] = defaultdict(dict)
    for row in every:
        if row.table == "2":
            of[row.protocol][row.model] = row.number
    for protocol in ABILITIES:
        models = len(of[protocol])
        yield Finding(f"recovery_mean/{protocol}", mean(of[protocol].values()), f"over {models} models, table 2")
    gaps = [of["planning"][model] - of["following"][model] for model in of["planning"]]
    better = sum(gap > 0 for gap in gaps)
    note = f"percentage points; from planning better in {better} of {len(gaps)} models (finding 5 against section 12)"
    yield Finding("recovery_planning_over_following", mean(gaps), note)


def _scaling(ability: Numbers, sizes: Mapping[str, str]) -> Iterator[Finding]:
    """Findings 2 and 4, figures 6 and 8: spread within a size, and following divided by planning."""
    ratio = {model: ability[model, "following", MEAN] / ability[model, "planning", MEAN] for model in sizes}
    groups: dict[str, list[str]] = defaultdict(list)
    for model, size in sizes.items():
        groups[size].append(model)
    for protocol in ABILITIES:
        for size, models in groups.items():
            spread = stdev(ability[model, protocol, MEAN] for model in models)
            yield Finding(
                f"ability_spread_{protocol}/{size}", spread, f"standard deviation over {len(models)} models"
            )
    for size, models in groups.items():
        yield Finding(f"following_by_planning_mean/{size}", mean(ratio[model] for model in models), "table 1 Average")
    for model in sizes:
        billions = re.search(r"-(\d+)B", model)
        size = f"{billions[1]} billion parameters" if billions else "size not told"
        yield Finding(f"following_by_planning/{model}", ratio[model], size)


def _means(every: Sequence[Row]) -> Iterator[Finding]:
    """Table 1's Average and table 3's Overall as plain means of the four categories.

    The mean of four printed figures is itself up to 0.05 from the mean of what they stand for, and the printed mean
    another 0.05: only beyond 0.1 does rounding not explain it.
    """
    for table in ("1", "3"):
        of = [row for row in every if row.table == table]
        yield means_off(of, f"category_means_off_table_{table}", margin=0.05)
        yield means_off(of, f"category_means_beyond_rounding_table_{table}", margin=0.1)


def _counts(models: int) -> Iterator[Finding]:
    has = facts("vrex")
    steps = has["questions"].value / has["samples"].value
    yield Finding("mean_steps", steps, f"questions by samples; {printed('vrex', 'mean steps')}")
    yield Finding("models", models, printed("vrex", "models"))
    counted = sum(sizes_of("vrex").values())
    yield Finding("samples_table_3", counted, f"table 3's sizes together; {printed('vrex', 'samples')}")
