"""Which questions are made: algorithm 1's ``combineProperties`` and ``findImage`` (paper section 3.2).

Deterministic in subset, count and seed on every machine: only ``Random.random`` is drawn from, whose sequence Python
guarantees, and nothing depends on the order of a set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from random import Random
from typing import Final, TypeVar

from core.benchmarks.voila.contents import Contents
from core.benchmarks.voila.question import Question
from core.benchmarks.voila.rules import RULES, Quadruple, counts, quadruples, rules_of
from core.benchmarks.voila.vocabulary import Content, all_contents
from core.errors import UsageError

T = TypeVar("T")

VARIANTS: Final = 10
"""Pictures kept of each content (section 3.1: 10 x 728 = 7,280)."""

Planned = tuple[Question, tuple[int, int, int]]
"""A question and the variant of each of its three pictures."""

_LOOK_AHEAD: Final = 8
"""How many of the coming actions are weighed for a question, to use all contents evenly."""


def shares(subset: str, count: int, seed: int) -> dict[int, int]:
    """How many questions each structure gets: equal numbers; a remainder goes one each to rules drawn by the seed.

    Raises UsageError where a structure has fewer distinct questions than that.
    """
    rules = rules_of(subset)
    if count < 1:
        raise UsageError("at least one question must be made", where=f"count {count}")
    each, rest = divmod(count, len(rules))
    lucky = _shuffled(rules, _random(seed, "shares"))[:rest]
    wanted = {rule: each + (rule in lucky) for rule in rules}
    possible = counts(subset)
    over = [rule for rule in rules if wanted[rule] > possible[rule]]
    if over:
        rule = min(over, key=lambda rule: possible[rule])
        raise UsageError(
            f"rule {rule} ({RULES[rule]}) has {possible[rule]:,} distinct questions, not {wanted[rule]:,}",
            where=f"count {count:,}",
            remedy=f"{subset} can hold {min(possible.values()) * len(rules):,} at most, in equal numbers",
        )
    return wanted


def plan(subset: str, count: int, seed: int, *, variants: int = VARIANTS) -> Iterator[Planned]:
    """The questions, structure by structure as in the published file; none comes twice.

    Within a structure every quadruple of a property is used as often as any other, give or take one (more only
    where a structure is nearly used up). Of the contents, those shown least so far are preferred; the variants of a
    content take turns.
    """
    wanted = shares(subset, count, seed)
    if variants < 1:
        raise UsageError("a content needs at least one picture", where=f"variants {variants}")
    return _plan(wanted, seed, variants)


def _plan(wanted: dict[int, int], seed: int, variants: int) -> Iterator[Planned]:
    start = _random(seed, "variants")
    following = {content: _below(variants, start) for content in all_contents()}
    shown = dict.fromkeys(following, 0)
    for rule, count in wanted.items():
        for question in _structure(rule, count, _random(seed, f"rule {rule}"), shown):
            used = []
            for content in question.contents:
                used.append(following[content])
                following[content] = (following[content] + 1) % variants
            yield question, (used[0], used[1], used[2])


def _structure(rule: int, count: int, random: Random, shown: dict[Content, int]) -> Iterator[Question]:
    """``count`` distinct questions of a structure. ``shown`` counts the pictures of each content as it goes."""
    choices = [quadruples(rule, name) for name in ("number", "subject", "action")]
    total = prod(map(len, choices))
    if 2 * count <= total:
        yield from _balanced(rule, count, choices, random, shown)
        return
    # More than half of all: leaving some out evenly is the same, and cannot run into a dead end.
    left_out = set(_balanced(rule, total - count, choices, random, dict(shown)))
    everything = (_question(rule, n, s, a) for n, s, a in product(*choices))
    for question in _shuffled([question for question in everything if question not in left_out], random):
        _show(question, shown)
        yield question


def _balanced(
    rule: int, count: int, choices: Sequence[Sequence[Quadruple]], random: Random, shown: dict[Content, int]
) -> Iterator[Question]:
    """Each property's values in passes, shuffled anew for each, so that all come equally often."""
    made: set[Question] = set()
    numbers, subjects, actions = (_Pass(values, random) for values in choices)
    for _ in range(count):
        for values in (numbers, subjects, actions):
            values.refill()
        found = None
        for i, j in product(range(len(numbers.left)), range(len(subjects.left))):
            found = _best(rule, numbers.left[-1 - i], subjects.left[-1 - j], actions.left, made, shown)
            if found is not None:
                numbers.take(-1 - i)
                subjects.take(-1 - j)
                break
        while found is None:  # what is left of the passes would only repeat questions: step out of them once
            found = _best(rule, numbers.any(), subjects.any(), actions.left, made, shown)
        question, place = found
        actions.take(place)
        made.add(question)
        _show(question, shown)
        yield question


class _Pass:
    """All values once in a random order, and again."""

    def __init__(self, values: Sequence[Quadruple], random: Random) -> None:
        self.values = values
        self.random = random
        self.left: list[Quadruple] = []

    def refill(self) -> None:
        if not self.left:
            self.left = _shuffled(self.values, self.random)

    def take(self, place: int) -> None:
        """Use up the value at that place of ``left``; the last one moves there."""
        self.left[place] = self.left[-1]
        self.left.pop()

    def any(self) -> Quadruple:
        return self.values[_below(len(self.values), self.random)]


def _best(
    rule: int,
    number: Quadruple,
    subject: Quadruple,
    actions: Sequence[Quadruple],
    made: set[Question],
    shown: dict[Content, int],
) -> tuple[Question, int] | None:
    """Of the last few actions, the one whose contents were shown least, and its place; None if all were made."""
    worth: tuple[int, int] | None = None
    found: tuple[Question, int] | None = None
    weighed = 0
    for place in range(len(actions) - 1, -1, -1):
        question = _question(rule, number, subject, actions[place])
        if question in made:
            continue
        uses = [shown[content] for content in question.contents]
        if worth is None or (max(uses), sum(uses)) < worth:
            worth, found = (max(uses), sum(uses)), (question, place)
        weighed += 1
        if weighed == _LOOK_AHEAD:
            break
    return found


def _question(rule: int, number: Quadruple, subject: Quadruple, action: Quadruple) -> Question:
    first, second, third, answer = (Content(n, s, a) for n, s, a in zip(number, subject, action, strict=True))
    contents: Contents = (first, second, third)
    return Question(contents, answer, rule)


def _show(question: Question, shown: dict[Content, int]) -> None:
    for content in question.contents:
        shown[content] += 1


def _random(seed: int, purpose: str) -> Random:
    return Random(int.from_bytes(hashlib.sha256(f"voila {seed} {purpose}".encode()).digest()))


def _below(limit: int, random: Random) -> int:
    return int(random.random() * limit)


def _shuffled(values: Sequence[T], random: Random) -> list[T]:
    """A shuffled copy (Fisher and Yates)."""
    found = list(values)
    for last in range(len(found) - 1, 0, -1):
        other = _below(last + 1, random)
        found[last], found[other] = found[other], found[last]
    return found
