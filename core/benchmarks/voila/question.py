"""A VOILA item's typed view: three contents, the answer, the rule; and the solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.benchmarks.voila.vocabulary import ANY, NUMBERS, PROPERTIES, Content
from core.records import Item, Json, Layout

DESCRIBE: Final = "describe"
RELATE: Final = "relate"
APPLY: Final = "apply"
GENERATE: Final = "generate"

SAME: Final = "same"
CHANGED: Final = "changed"


@dataclass(frozen=True, slots=True)
class Question:
    """What the three pictures show, what the fourth must show ("any" where no rule fixes a value), the rule's id."""

    contents: tuple[Content, Content, Content]
    answer: Content
    rule: int

    def relation(self, property_name: str) -> str:
        """``same`` or ``changed`` from picture 1 to picture 2 (step 2's gold)."""
        first, second = self.contents[0].value(property_name), self.contents[1].value(property_name)
        return SAME if first == second else CHANGED

    def to_facts(self) -> dict[str, Json]:
        """As an item's ``facts``."""
        return {
            "contents": [[c.number, c.subject, c.action] for c in self.contents],
            "answer": [self.answer.number, self.answer.subject, self.answer.action],
            "rule": self.rule,
        }


def question(item: Item) -> Question:
    """The item's typed view."""
    facts = item.facts
    first, second, third = (Content(*values) for values in facts["contents"])
    return Question((first, second, third), Content(*facts["answer"]), facts["rule"])


def solve(contents: tuple[Content, Content, Content]) -> Content:
    """The fourth picture's content from the first three (paper section 3.1's rules read backwards).

    number: v3 if v1 = v2, else v3 + (v2 - v1) if that lies in 1..4, else any; subject and action: v3 if v1 = v2,
    else v2 if v3 = v1, else any.
    """
    first, second, third = contents
    n1, n2, n3 = (NUMBERS.index(content.number) + 1 for content in contents)
    fourth = n3 if n1 == n2 else n3 + (n2 - n1)
    number = NUMBERS[fourth - 1] if 1 <= fourth <= len(NUMBERS) else ANY

    def by_pattern(property_name: str) -> str:
        v1, v2, v3 = first.value(property_name), second.value(property_name), third.value(property_name)
        if v1 == v2:
            return v3
        return v2 if v3 == v1 else ANY

    return Content(number, by_pattern("subject"), by_pattern("action"))


def title(item: Item) -> str:
    """The analogy in words, its answer left open."""
    first, second, third = (content.text() for content in question(item).contents)
    return f"{first} : {second} :: {third} : ?"


DESCRIBE_LAYOUT: Final = Layout(PROPERTIES, units=3)
SINGLE_LAYOUT: Final = Layout(PROPERTIES)


def layout(step: str) -> Layout:
    """Step 1 scores three pictures, every other step one triple of properties.

    A sub-prompt's step (``relate.number``) has the layout of its step and scores one property of it.
    """
    return DESCRIBE_LAYOUT if step == DESCRIBE else SINGLE_LAYOUT
