"""How a session went, apart from how accurate it was, and which of the study's own rules it breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from core.study.definition import Exclusion


@dataclass(frozen=True, slots=True)
class Conduct:
    """What the rules look at. ``catch`` holds, for each catch trial that was ended, whether it was right; the rest is
    of main trials: ``seconds`` of active time each, whether ``timed_out``, whether anything was answered, and the
    last answer in words ("" for none)."""

    catch: tuple[bool, ...] = ()
    seconds: tuple[float, ...] = ()
    timed_out: tuple[bool, ...] = ()
    answers: tuple[str, ...] = ()


class Broken(NamedTuple):
    """A rule of ``[exclude]`` by its name, and in what way it was broken."""

    rule: str
    reason: str


def broken(rules: Exclusion, conduct: Conduct) -> tuple[Broken, ...]:
    """The rules that a session breaks. A rule of 0 is none; what there is nothing of breaks no rule."""
    return tuple(_broken(rules, conduct))


def _broken(rules: Exclusion, conduct: Conduct) -> Iterator[Broken]:
    if rules.catch_right and conduct.catch:
        share = sum(conduct.catch) / len(conduct.catch)
        if share < rules.catch_right:
            got = f"{sum(conduct.catch)} of {len(conduct.catch)} catch trials right"
            yield Broken("catch_right", f"{got} ({_percent(share)} < {_percent(rules.catch_right)})")
    if rules.fastest_s and conduct.seconds:
        typical = median(conduct.seconds)
        if typical < rules.fastest_s:
            yield Broken("fastest_s", f"median {typical:.2f} s an item (< {rules.fastest_s:g} s)")
    if rules.timed_out and conduct.timed_out:
        share = sum(conduct.timed_out) / len(conduct.timed_out)
        if share > rules.timed_out:
            yield Broken("timed_out", f"{_percent(share)} of the items timed out (> {_percent(rules.timed_out)})")
    if rules.missing and conduct.answers:
        share = sum(not answer for answer in conduct.answers) / len(conduct.answers)
        if share > rules.missing:
            yield Broken("missing", f"{_percent(share)} of the items without an answer (> {_percent(rules.missing)})")
    given = [answer for answer in conduct.answers if answer]
    if rules.same_answer and given:
        share = most_frequent(given)
        if share > rules.same_answer:
            yield Broken("same_answer", f"{_percent(share)} the same answer (> {_percent(rules.same_answer)})")


def most_frequent(answers: Sequence[str]) -> float:
    """The share of the answer that was given most often."""
    return Counter(answers).most_common(1)[0][1] / len(answers)


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"
