"""How far grading has come, and how far two graders agree before anything is settled."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeAlias

from core.cells import ALL, units_of
from core.records import Json
from core.study.alpha import alpha
from core.study.kappa import cohens_kappa
from sessions.store import Store
from sessions.studies.grading import NONE, Verdict, Verdicts, verdicts_of
from sessions.studies.grading_pool import Gradable


@dataclass(frozen=True, slots=True)
class Done:
    """How much one person has judged: whole ``answers``, of so many, and single ``verdicts``."""

    author: str
    settles: bool
    answers: int
    of: int
    verdicts: int
    cannot_tell: int

    def to_json(self) -> dict[str, Json]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True)
class GraderAgreement:
    """Two graders on one property of one step, before anything was settled.

    ``n`` counts answers (describing: pictures) that both found right or wrong, ``agree`` those they found alike;
    ``cannot_tell`` where one of them at least could not tell. ``kappa`` (Cohen) and ``alpha`` (Krippendorff, nominal)
    are over the ``n``; None where undefined. ``differ`` counts what they said differently, "cannot tell" too, and
    ``settled`` how much of that an adjudicator has. Property ``all``: all of it is right.
    """

    first: str
    second: str
    step: str
    property: str
    n: int
    agree: int
    cannot_tell: int
    kappa: float | None
    alpha: float | None
    differ: int
    settled: int

    def to_json(self) -> dict[str, Json]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True)
class GradingReport:
    """``open`` counts properties of answers that two graders differ on and nobody has settled."""

    answers: int
    done: tuple[Done, ...]
    agreement: tuple[GraderAgreement, ...]
    open: int

    def to_json(self) -> dict[str, Json]:
        return {
            "answers": self.answers,
            "graders": [each.to_json() for each in self.done],
            "agreement": [each.to_json() for each in self.agreement],
            "open": self.open,
        }


def report(store: Store, found: Sequence[Gradable]) -> GradingReport:
    """Of these answers."""
    verdicts = verdicts_of(store.reader(), [each.step for each in found])
    return GradingReport(
        len(found),
        tuple(_done(found, verdicts)),
        tuple(_agreement(found, verdicts)),
        sum(len(set(verdicts[each.step].open) & set(each.bits)) for each in found if each.step in verdicts),
    )


def _done(found: Sequence[Gradable], verdicts: Mapping[int, Verdicts]) -> Iterator[Done]:
    graders = {name for each in verdicts.values() for name in each.graders}
    settlers = {name for each in verdicts.values() for name in each.settlers}
    for name in sorted(graders):
        yield _done_by(name, False, [(each, verdicts.get(each.step, NONE).graders.get(name, {})) for each in found])
    for name in sorted(settlers):
        yield _done_by(
            name,
            True,
            [
                (replace(each, bits=tuple(bit for bit in each.bits if bit in of_step.differing)), said)
                for each in found
                if (of_step := verdicts.get(each.step, NONE)).differing
                for said in [of_step.settlers.get(name, {})]
            ],
        )


def _done_by(author: str, settles: bool, said: Sequence[tuple[Gradable, Mapping[int, Verdict]]]) -> Done:
    kept = [[own[bit] for bit in each.bits if bit in own] for each, own in said]
    whole = sum(bool(each.bits) and len(own) == len(each.bits) for (each, _), own in zip(said, kept, strict=True))
    untold = sum(own.count(None) for own in kept)
    return Done(author, settles, whole, len(said), sum(map(len, kept)), untold)


_Key: TypeAlias = tuple[str, str, str, str]


def _agreement(found: Sequence[Gradable], verdicts: Mapping[int, Verdicts]) -> Iterator[GraderAgreement]:
    pairs: dict[_Key, list[tuple[Verdict, Verdict]]] = defaultdict(list)
    settled: Counter[_Key] = Counter()
    for each in found:
        of_step = verdicts.get(each.step, NONE)
        if of_step.pair is None:
            continue
        asked = sum(each.bits)
        several = len({each.place_of(bit)[1] for bit in each.bits}) > 1
        for name in (*each.layout.properties, *([ALL] if several else [])):
            key = (*of_step.pair, each.name, name)
            for unit in units_of(each.layout, name):
                if (wanted := unit & asked) and (both := _both(of_step, wanted)) is not None:
                    pairs[key].append(both)
                    settled[key] += both[0] is not both[1] and not wanted & sum(of_step.open)
    for (first, second, step, name), said in pairs.items():
        told = [pair for pair in said if None not in pair]
        yield GraderAgreement(
            first,
            second,
            step,
            name,
            len(told),
            sum(a is b for a, b in told),
            len(said) - len(told),
            cohens_kappa(told),
            alpha(told).value,
            sum(a is not b for a, b in said),
            settled[first, second, step, name],
        )


def _both(verdicts: Verdicts, wanted: int) -> tuple[Verdict, Verdict] | None:
    """What the two said of these bits together: wrong where one is, else that it cannot be told where one cannot.
    None where one of them has not judged all of them."""
    both = {bit: pair for bit, pair in verdicts.both.items() if bit & wanted}
    if sum(both) != wanted:
        return None
    return _together([a for a, _ in both.values()]), _together([b for _, b in both.values()])


def _together(said: Sequence[Verdict]) -> Verdict:
    return False if False in said else None if None in said else True
