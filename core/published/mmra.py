"""What follows from MMRA's tables: Overall from the subtasks, gain over the question alone, misplaced columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean

from core.cells import ALL
from core.published.checks import contradictions, groups_beside, means_off, not_whole, printed
from core.published.load import facts, rows, sizes_of
from core.published.placing import placements, possible_sizes
from core.published.records import Finding, Row

ENTITY = ("RP", "US", "MS", "SM", "AS", "NSE")
IMAGE = ("Env", "LO", "SimE", "SubE", "OA")
LEVELS: Mapping[str, tuple[str, ...]] = {"entity": ENTITY, "image": IMAGE}


def findings() -> list[Finding]:
    """All of them, in the order of the paper's tables."""
    every = rows("mmra")
    sizes = sizes_of("mmra")
    second, third, fourth = ([row for row in every if row.table == table] for table in "234")
    asked_image = [row for row in second if row.protocol == "iq"]
    asked_alone = [row for row in second if row.protocol == "qo"]
    return [
        *_pooled(second, sizes, "table_2"),
        *_levels(second, sizes),
        *_gains(asked_image, asked_alone),
        *_pooled([row for row in third if row.protocol == "idq"], sizes, "table_3"),
        *_misplaced([row for row in third if row.protocol == "dq"], sizes),
        means_off(fourth, "means_off_table_4", margin=0.005),
        not_whole([row for row in every if row.footnote != "dq-columns"], sizes, "shares_of_no_whole_number"),
        contradictions(every),
        *_counts(asked_alone, sizes),
    ]


def _pool(parts: Sequence[Row], sizes: Mapping[str, int]) -> float:
    """Percent right over the samples of these subtasks together."""
    total = sum(sizes[row.group] for row in parts)
    return sum(row.number * sizes[row.group] for row in parts) / total


def _pooled(found: Sequence[Row], sizes: Mapping[str, int], table: str) -> Iterator[Finding]:
    """Overall recomputed from the eleven subtasks and their sizes."""
    off = []
    for head, parts in groups_beside(found, ALL):
        value = _pool(parts, sizes)
        off.append(abs(value - head.number))
        note = f"printed {head.value}, {value - head.number:+.3f}"
        yield Finding(f"overall_recomputed_{table}/{head.model} {head.protocol}", value, note)
    yield Finding(f"overall_off_at_most_{table}", max(off), f"percentage points, over {len(off)} rows")


def _levels(found: Sequence[Row], sizes: Mapping[str, int]) -> Iterator[Finding]:
    """Section 4.1: accuracy at the entity and at the image level, over samples."""
    for level, subtasks in LEVELS.items():
        for head, parts in groups_beside(found, ALL):
            value = _pool([row for row in parts if row.group in subtasks], sizes)
            yield Finding(f"{level}_level/{head.model} {head.protocol}", value, "table 2, over samples")


def _gains(asked_image: Sequence[Row], asked_alone: Sequence[Row]) -> Iterator[Finding]:
    """Section 4.2, figure 5: what images add to the mean of the question-only models, in percentage points."""
    groups = list(dict.fromkeys(row.group for row in asked_alone))
    alone = {group: mean(row.number for row in asked_alone if row.group == group) for group in groups}
    gained = {(row.model, row.group): row.number - alone[row.group] for row in asked_image}
    models = list(dict.fromkeys(model for model, _ in gained))
    for group in groups:
        yield Finding(f"question_only_mean/{_told(group)}", alone[group], "mean of the nine models without images")
    for group in groups:
        yield Finding(f"gain_mean/{_told(group)}", mean(gained[model, group] for model in models), "over models")
    for level, subtasks in LEVELS.items():
        gain = mean(gained[model, group] for model in models for group in subtasks)
        told = "around 0.1" if level == "entity" else "around 0.3"
        yield Finding(f"gain_mean_{level}_level", gain, f"plain mean of its subtasks; section 4.2 says {told}")
    for group in groups:
        for model in models:
            yield Finding(f"gain_{_told(group)}/{model}", gained[model, group], "over question_only_mean")


def _told(group: str) -> str:
    return "Overall" if group == ALL else group


def _misplaced(found: Sequence[Row], sizes: Mapping[str, int]) -> Iterator[Finding]:
    """Table 3's text-only rows: Overall under the header's sizes, and under the sizes that the values fit."""
    lines = list(groups_beside(found, ALL))
    order = list(sizes.values())
    possible = possible_sizes([[row.value for row in parts] for _, parts in lines], order)
    for (head, parts), allowed in zip(lines, possible, strict=True):
        name = f"{head.model} {head.protocol}"
        headed = _pool(parts, sizes)
        note = f"printed {head.value}, {headed - head.number:+.3f}: the sizes of the header's order"
        yield Finding(f"overall_as_headed_table_3/{name}", headed, note)
        totals = sorted({round(_weighted(parts, placed), 3) for placed in placements(allowed, order)})
        note = f"printed {head.value}, {mean(totals) - head.number:+.3f}: the sizes that the values fit"
        if len(totals) > 1:
            note += f"; {totals[0]} to {totals[-1]} according to how they are placed"
        yield Finding(f"overall_by_denominators_table_3/{name}", mean(totals), note)


def _weighted(parts: Sequence[Row], order: Sequence[int]) -> float:
    return sum(row.number * size for row, size in zip(parts, order, strict=True)) / sum(order)


def _counts(asked_alone: Sequence[Row], sizes: Mapping[str, int]) -> Iterator[Finding]:
    """Sections 2.3 and 4.1: samples, and the lowest that a language model gets on usage similarity."""
    has = facts("mmra")
    total = sum(sizes.values())
    yield Finding("samples", total, f"the sizes together; {printed('mmra', 'samples')}")
    with_text = total - sizes["NSE"] + has["samples of NSE"].value
    yield Finding("samples_with_NSE_of_the_text", with_text, f"of NSE {printed('mmra', 'samples of NSE')}")
    for n in (total, with_text):
        said = printed("mmra", "share of OA")
        yield Finding(f"share_of_OA/{n:g} samples", 100 * has["samples of OA"].value / n, said)
    least = min((row for row in asked_alone if row.group == "US"), key=lambda row: row.number)
    said = printed("mmra", "usage similarity of language models at least")
    yield Finding("usage_similarity_least_question_only", least.number, f"{least.model}; {said}")
