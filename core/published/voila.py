"""What follows from VOILA's tables: gaps, the effect of images, prompts and distraction, the judge, the counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import mean

from core.benchmarks.voila.rules import READINGS, counts
from core.cells import ALL
from core.published.checks import contradictions, printed
from core.published.load import facts, rows
from core.published.records import PERCENT, Finding, Row

SUBSETS = ("WD", "ND")
PROPERTIES = ("number", "subject", "action")
AGREE, AGREEMENT = "agree", "agreement"


def findings() -> list[Finding]:
    """All of them, in the order of the paper."""
    every = rows("voila")
    return [
        *_gaps(every),
        *_direct(every),
        *_collage(every),
        *_distraction(every),
        *_ablations(every),
        *_judge(every),
        _wholes(every),
        contradictions(every),
        *_counts(),
    ]


def _apply(every: Sequence[Row], **wanted: str) -> list[Row]:
    """The whole answer of the third step."""
    named = {"step": "apply", "property_name": ALL, **wanted}
    return [row for row in every if all(getattr(row, name) == value for name, value in named.items())]


def _gaps(every: Sequence[Row]) -> Iterator[Finding]:
    """Section 5.1: people over the best model, in percentage points; what was put in or told in words is left out."""
    for subset in SUBSETS:
        found = [
            row
            for row in _apply(every, subset=subset)
            if not row.interventions and "input=text" not in row.options and row.protocol != "judge"
        ]
        people = max((row for row in found if row.kind == "human"), key=lambda row: row.number)
        best = max((row for row in found if row.kind == "model"), key=lambda row: row.number)
        note = f"people {people.value}, {best.model} {best.value} ({best.protocol}, {best.options}); "
        name = f"gap of people to the best {subset}"
        yield Finding(f"gap_people_best/{subset}", people.number - best.number, note + printed("voila", name))


def _direct(every: Sequence[Row]) -> Iterator[Finding]:
    """Table 3: least-to-most minus direct, in percentage points."""
    for (model, subset), by in _by(_apply(every, table="3"), "model", "subset").items():
        of = {row.protocol: row for row in by}
        gain = of["l2m"].number - of["direct"].number
        yield Finding(f"gain_of_steps/{model} {subset}", gain, f"{of['l2m'].value} - {of['direct'].value}, table 3")


def _collage(every: Sequence[Row]) -> Iterator[Finding]:
    """Section 5.4: what of the accuracy with three images is lost with a collage, as a share of it."""
    falls = []
    for (model, subset), by in _by(_apply(every, table="4"), "model", "subset").items():
        of = {row.options: row for row in by}
        fall = 1 - of["images=collage"].number / of["images=sequence"].number
        falls.append(fall)
        yield Finding(f"fall_to_collage/{model} {subset}", 100 * fall, "table 4, percent of the accuracy in sequence")
    said = printed("voila", "fall from three images to a collage")
    yield Finding("fall_to_collage_mean", 100 * mean(falls), f"mean of the four of table 4; {said}")
    swapped = []
    for by in _by(_apply(every, table="2", protocol="l2m"), "model", "subset").values():
        of = {row.options: row for row in by}
        if len(of) == 2:
            swapped.append(1 - of["images=collage"].number / of["images=sequence"].number)
    yield Finding("fall_to_collage_mean_table_2", 100 * mean(swapped), "the same pairs with table 2's figures")


def _distraction(every: Sequence[Row]) -> Iterator[Finding]:
    """Section 5.5: ND minus WD of table 2, in percentage points; below 0 where distraction is the easier."""
    for (model, options), by in _by(_apply(every, table="2"), "model", "options").items():
        of = {row.subset: row for row in by}
        fall = of["ND"].number - of["WD"].number
        note = printed("voila", "fall of GPT-4o from ND to WD") if options == "images=sequence" else ""
        how = options.removeprefix("images=") if by[0].kind == "model" else "direct"
        yield Finding(f"fall_by_distraction/{model} {how}", fall, note if model == "GPT-4o" else "")


def _ablations(every: Sequence[Row]) -> Iterator[Finding]:
    """Section 6 and B.7 to B.9, in percentage points."""
    people = next(row for row in _apply(every, table="2", subset="WD") if row.kind == "human")
    gold = {row.interventions: row for row in every if row.table == "section 6.1"}
    plain = {row.step: row for row in every if row.table == "2" and _plain_gpt(row) and row.subset == "WD"}
    yield Finding(
        "gain_of_gold_descriptions",
        gold["describe=gold"].number - plain["relate"].number,
        f"relating {gold['describe=gold'].value} with, {plain['relate'].value} without (GPT-4o, WD)",
    )
    yield Finding(
        "gain_of_gold_relations",
        gold["relate=gold"].number - plain["apply"].number,
        f"applying {gold['relate=gold'].value} with, {plain['apply'].value} without (GPT-4o, WD)",
    )
    yield Finding(
        "gap_people_gold_relations",
        people.number - gold["relate=gold"].number,
        "people over GPT-4o that was given the relations (WD)",
    )
    told = {row.options: row for row in every if row.table == "section 6.2"}
    text, image = told["input=text"], told["images=sequence,rules=unexplained"]
    yield Finding(
        "gain_of_text", text.number - image.number, f"{text.value} in words, {image.value} in images (GPT-4o, ND)"
    )
    for table, name, tried in (
        ("17", "gain_of_subprompts", "subprompts=yes"),
        ("18", "gain_of_worked_examples", "cot=yes"),
    ):
        of = {tried in row.options: row for row in every if row.table == table and row.property_name == ALL}
        note = f"{of[True].value} with, {of[False].value} without, table {table} (GPT-4o, WD)"
        yield Finding(name, of[True].number - of[False].number, note)
    same = {row.kind: row for row in _apply(every, table="19", protocol="direct")}
    gap = same["human"].number - same["model"].number
    yield Finding("gap_people_same_conditions", gap, "table 19: both with two examples and the lists (WD)")


def _plain_gpt(row: Row) -> bool:
    return row.model == "GPT-4o" and row.options == "images=sequence" and row.property_name == ALL


def _judge(every: Sequence[Row]) -> Iterator[Finding]:
    """B.5: agreement of GPT-4o with people, recomputed from the counts of tables 12 to 15, in percent."""
    off, short = [], []
    for (step, name), by in _by([row for row in every if row.protocol == "judge"], "step", "property_name").items():
        of = {row.group: row for row in by}
        rate, n = of[AGREE].percent, of[AGREE].n
        if round(rate + 1e-9) != of[AGREEMENT].number:
            off.append(f"{step} {name} {of[AGREEMENT].value} ({rate:.2f})")
        total = sum(row.number for row in by if row.unit != PERCENT)
        if total != n:
            short.append(f"{step} {name}: {total:g} of {n}")
        if name == ALL:
            printed_rate = of[AGREEMENT].value
            yield Finding(f"judge_agreement/{step}", rate, f"{of[AGREE].value} of {n}; printed {printed_rate}%")
    yield Finding("judge_percentages_off", len(off), "; ".join(off) or "all 16 follow from their counts")
    yield Finding("judge_counts_that_do_not_add_up", len(short), "; ".join(short))


def _wholes(every: Sequence[Row]) -> Finding:
    """Whole answers outside what their three properties allow: at most the least, at least the sum less 200."""
    impossible, seen = [], 0
    scored = [row for row in every if row.protocol != "judge"]
    for key, by in _by(scored, "model", "subset", "protocol", "options", "interventions", "step").items():
        parts = {row.property_name: row.number for row in by if row.property_name in PROPERTIES}
        for whole in (row for row in by if row.property_name == ALL):
            if len(parts) == len(PROPERTIES):
                seen += 1
                # A tenth on each side: most properties are printed with one decimal.
                if not sum(parts.values()) - 200 - 0.2 <= whole.number <= min(parts.values()) + 0.1:
                    told = ", ".join(f"{name} {value:g}" for name, value in parts.items())
                    impossible.append(f"{' '.join(filter(None, key))} {whole.value} ({whole.source}; {told})")
    return Finding("wholes_their_properties_forbid", len(impossible), f"of {seen}: {'; '.join(impossible) or 'none'}")


def _counts() -> Iterator[Finding]:
    """Sections 2, 3, 4 and A.5: images and questions; every number of questions says what it counts."""
    has = facts("voila")
    contents = has["subjects"].value * has["actions"].value * has["numbers"].value
    yield Finding("contents", contents, printed("voila", "images in the tests"))
    yield Finding("images", 10 * contents, f"ten of each content; {printed('voila', 'images')}")
    for subset in SUBSETS:
        questions = has["questions a structure"].value * has[f"structures {subset}"].value
        yield Finding(f"questions_tested/{subset}", questions, printed("voila", f"questions {subset}"))
    for reading, meaning in READINGS.items():
        yield Finding(f"questions_possible/{reading}", sum(counts("WD", reading).values()), meaning)


def _by(found: Sequence[Row], *names: str) -> dict[tuple[str, ...], list[Row]]:
    """Rows by the values of these fields, in printed order."""
    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in found:
        groups[tuple(getattr(row, name) for name in names)].append(row)
    return groups
