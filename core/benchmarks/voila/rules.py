"""The 19 structures, the values each rule allows, and how many questions there are (paper section 3.1, tables 5-7).

A rule acts on the four values v1 : v2 :: v3 : v4 of one property. A structure names a rule for each of action,
subject and number, in that order: ``CSD`` changes the action, keeps the subject and distracts by number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations, product
from math import prod
from types import MappingProxyType
from typing import Final

from core.benchmarks.voila.question import solve
from core.benchmarks.voila.vocabulary import ACTIONS, ANY, NUMBERS, SUBJECTS, Content
from core.errors import UsageError

RULES: Final[Mapping[int, str]] = MappingProxyType(
    {
        1: "CSS", 2: "CSD", 3: "CDS", 4: "CDD", 5: "SCS", 6: "SCD", 7: "DCS", 8: "DCD", 9: "SSA", 10: "SDA",
        11: "DSA", 12: "DDA", 13: "CCS", 14: "CCD", 15: "SCA", 16: "DCA", 17: "CSA", 18: "CDA", 19: "CCA",
    }
)  # fmt: skip
"""Table 5: rule id to structure (letters of action, subject, number)."""

ND_RULES: Final = (1, 5, 9, 13, 15, 17, 19)
"""The structures without Distraction. Table 6 numbers them 1 to 7; the published file, and this project, do not."""

WD_RULES: Final = tuple(RULES)

LETTERS: Final = ("action", "subject", "number")
"""Which property each letter of a structure stands for."""

Quadruple = tuple[str, str, str, str]
"""v1, v2, v3 and v4 of one property; v4 is ``any`` under Distraction."""


def rules_of(subset: str) -> tuple[int, ...]:
    """The rule ids of ``WD`` (all 19) or ``ND`` (the seven without Distraction)."""
    if subset == "WD":
        return WD_RULES
    if subset == "ND":
        return ND_RULES
    raise UsageError(f"VOILA has no subset {subset!r}", remedy="Its subsets are WD (all 19 structures) and ND (7).")


def letter(rule: int, property_name: str) -> str:
    """The letter (S, C, A or D) that the rule's structure gives a property."""
    return RULES[rule][LETTERS.index(property_name)]


@cache
def quadruples(rule: int, property_name: str) -> tuple[Quadruple, ...]:
    """All values that a structure can give a property, in a fixed order (section 3.1).

    S: a a b b. C: a b a b. A: v4 = v3 + (v2 - v1) within 1..4; in rule 19 never a b a b, since action and subject
    repeat already. D: three different values, then any; for number also v3 + (v2 - v1) < 1.
    """
    values = {"action": ACTIONS, "subject": SUBJECTS, "number": NUMBERS}[property_name]
    kind = letter(rule, property_name)
    if kind == "S":
        return tuple((a, a, b, b) for a, b in permutations(values, 2))
    if kind == "C":
        return tuple((a, b, a, b) for a, b in permutations(values, 2))
    if kind == "A":
        return _arithmetic(repeats=rule != 19)
    if property_name == "number":
        return tuple((NUMBERS[i], NUMBERS[j], NUMBERS[k], ANY) for i, j, k in permutations(range(4), 3) if k + j < i)
    return tuple((a, b, c, ANY) for a, b, c in permutations(values, 3))


def _arithmetic(*, repeats: bool) -> tuple[Quadruple, ...]:
    """28 quadruples within 1..4, 16 of them without v1 = v3."""
    found = []
    for i, j, k in product(range(4), repeat=3):
        fourth = k + j - i
        if i != j and 0 <= fourth < 4 and (repeats or i != k):
            found.append((NUMBERS[i], NUMBERS[j], NUMBERS[k], NUMBERS[fourth]))
    return tuple(found)


def fits(rule: int, contents: tuple[Content, Content, Content], answer: Content) -> bool:
    """Whether a question with this answer can come from the rule.

    Wider than what :func:`quadruples` makes in one place: number's D only asks that no number follows, so that a
    file whose maker allowed repeated values (2 : 1 :: 1 : any) is read too.
    """
    if solve(contents) != answer:
        return False
    return all(_letter_of(name, contents, rule) == letter(rule, name) for name in LETTERS)


def structure_of(contents: tuple[Content, Content, Content], answer: Content) -> set[int]:
    """The rule ids that fit: one, or none where the contents are no VOILA question."""
    return {rule for rule in RULES if fits(rule, contents, answer)}


def _letter_of(name: str, contents: tuple[Content, Content, Content], rule: int) -> str:
    v1, v2, v3 = (content.value(name) for content in contents)
    if v1 == v2:
        return "S" if v3 != v1 else ""
    if name == "number":
        i, j, k = NUMBERS.index(v1), NUMBERS.index(v2), NUMBERS.index(v3)
        if not 0 <= k + j - i < 4:
            return "D"
        return "" if rule == 19 and i == k else "A"
    if v3 == v1:
        return "C"
    return "" if v3 == v2 else "D"


READINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "made": "distinct questions that `phoropter make` can give: three pictures each, the fourth follows",
        "table 7": "table 7 multiplied at face value (D counts the 13, 14 or 4 values that 'any' stands for)",
        "table 7, action and subject capped": "as above, D of action and subject held to the 156 and 182 of S and C",
        "table 7, all capped": "as above, D of number held to the 12 of S too",
        "text": "19 x 12 x 156 x 182, which the text's 'over 6.4M' fits (appendix A.5 says 6.5M)",
    }
)
"""What a number of questions can mean: each reading's name and what it counts."""

_TABLE_7: Final = {
    ("action", "S"): 156, ("action", "C"): 156, ("action", "D"): 22308,
    ("subject", "S"): 182, ("subject", "C"): 182, ("subject", "D"): 30576,
    ("number", "S"): 12, ("number", "A"): 16, ("number", "D"): 24,
}  # fmt: skip
"""Paper table 7. Number's D of 24 is the six triples that :func:`quadruples` gives times four values of the fourth
picture; its A of 16 is that of rule 19 alone (the published file uses all 28 in rules 9, 15 and 17)."""


def cases(rule: int, property_name: str, reading: str = "made") -> int:
    """How many values the reading counts for one property of a structure."""
    kind = letter(rule, property_name)
    stable = _TABLE_7[property_name, "S"]
    if reading == "made":
        return len(quadruples(rule, property_name))
    if reading == "table 7":
        return _TABLE_7[property_name, kind]
    if reading == "table 7, action and subject capped":
        return stable if kind == "D" and property_name != "number" else _TABLE_7[property_name, kind]
    if reading == "table 7, all capped":
        return stable if kind == "D" else _TABLE_7[property_name, kind]
    if reading == "text":
        return stable
    raise UsageError(f"no count is called {reading!r}", remedy=f"There are: {'; '.join(READINGS)}.")


def counts(subset: str, reading: str = "made") -> dict[int, int]:
    """Rule id to its number of questions under one of :data:`READINGS`; ``sum`` of the values is the total."""
    return {rule: prod(cases(rule, name, reading) for name in LETTERS) for rule in rules_of(subset)}
