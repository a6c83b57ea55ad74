"""Hand-made VOILA items for tests of the engine, protocols and screens."""

from __future__ import annotations

from core.benchmarks.voila.question import Question, solve
from core.benchmarks.voila.rules import RULES
from core.benchmarks.voila.vocabulary import Content
from core.records import Item, Picture


def item_of(
    first: Content, second: Content, third: Content, *, rule: int, number: int = 1, subset: str = "ND"
) -> Item:
    """An item of these three contents; its answer comes from the solver."""
    contents = (first, second, third)
    view = Question(contents, solve(contents), rule)
    return Item(
        "voila",
        subset,
        f"voila-{number}",
        tuple(Picture(f"{content.text().replace(' ', '_')}.png", depicts=content.text()) for content in contents),
        {"rule": str(rule), "structure": RULES[rule]},
        view.to_facts(),
    )


def change_of_all(number: int = 1) -> Item:
    """Rule 19: two dogs walking : three cats running :: one dog walking : two cats running."""
    return item_of(
        Content("two", "dog", "walking"),
        Content("three", "cat", "running"),
        Content("one", "dog", "walking"),
        rule=19,
        number=number,
    )


def distracted(number: int = 2) -> Item:
    """Rule 4 (WD): the number and the subject follow no rule."""
    return item_of(
        Content("four", "fox", "reading"),
        Content("one", "man", "typing"),
        Content("two", "wolf", "reading"),
        rule=4,
        number=number,
        subset="WD",
    )
