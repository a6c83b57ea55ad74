"""What one trajectory got right, step by step and property by property: the units that comparisons pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from core.cells import ALL, STEPS, units
from core.records import Layout
from core.repeats import Said
from core.tally import REASKED

Asked: TypeAlias = tuple[str, str]
"""A step (numbered ones under their common name) and a property."""

Got: TypeAlias = tuple[float, int]
"""How many units were right, and how many were scored."""


def counted(
    answers: Mapping[str, Said], layout: Callable[[str], Layout], pooled: Sequence[str] = ()
) -> dict[Asked, Got]:
    """One trajectory's answers by step, counted as reports count them.

    Numbered steps that count together (``plan.1``, ``plan.2``) give the trajectory's share as one unit, and under
    property ``steps`` all of them. A property that was scored nowhere has no entry.
    """
    out: dict[Asked, Got] = {}
    together: dict[str, list[bool]] = defaultdict(list)
    for step, said in answers.items():
        common, _, number = step.partition(".")
        if number and common in pooled:
            together[common].append(said.scored != 0 and said.right == said.scored)
            continue
        of_step = layout(step)
        for name in (*of_step.properties, ALL):
            known = [unit for unit in units(of_step, name, said.right, said.scored) if unit is not None]
            if known:
                out[step, name] = float(sum(known)), len(known)
    for common, right in together.items():
        out[common, layout(common).properties[0]] = sum(right) / len(right), 1
        out[common, STEPS] = float(sum(right)), len(right)
    return out


def first_asked(name: str) -> str:
    """The step's name without the mark of its second asking."""
    return name.removesuffix(REASKED)
