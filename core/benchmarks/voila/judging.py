"""What a judge is asked of VOILA's answers: one 0 or 1 a property, for step 1 a picture (section 4, "Evaluation").

Step 4 is judged by looking: three questions about the picture that was made, one a property, from the gold text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.benchmarks.rubrics import Rubric, gold_alone
from core.benchmarks.voila.question import (
    APPLY,
    DESCRIBE,
    DESCRIBE_LAYOUT,
    GENERATE,
    RELATE,
    SINGLE_LAYOUT,
    question,
)
from core.benchmarks.voila.vocabulary import ANY, PROPERTIES, Content
from core.benchmarks.voila.wording import subject_text
from core.records import Item, Turn

_SINGLE: Final = {name: SINGLE_LAYOUT.bit(name) for name in PROPERTIES}
_PICTURES: Final = {
    f"image_{unit + 1}_{name}": DESCRIBE_LAYOUT.bit(name, unit)
    for unit in range(DESCRIBE_LAYOUT.units)
    for name in PROPERTIES
}

_OF_ANY: Final = {
    "number": "Is there at least one living subject in the picture, whatever their number?",
    "subject": "Can it be made out what kind of subject the picture shows, whatever kind it is?",
    "action": "Can it be made out what the subjects are doing, whatever it is?",
}
"""Where no rule fixes the value (the Distraction rule), any is right, as long as there is one."""


def questions_on(gold: Content) -> Mapping[str, str]:
    """The three questions about a picture that is to show this content."""
    asked = {
        "number": f"Does the picture show exactly {gold.number} {'subject' if gold.number == 'one' else 'subjects'}?",
        "subject": f"Does it show {subject_text(gold.subject, gold.number)}, and no other kind of subject?",
        "action": f"Is what the picture shows them doing {gold.action}?",
    }
    return {name: _OF_ANY[name] if gold.value(name) == ANY else asked[name] for name in PROPERTIES}


def _questions(item: Item, turn: Turn) -> Mapping[str, str]:
    return questions_on(question(item).answer)


RUBRICS: Final[Mapping[str, Rubric]] = {
    DESCRIBE: Rubric("voila_describe", _PICTURES, gold_alone),
    RELATE: Rubric("voila_relate", _SINGLE, gold_alone),
    **{f"{RELATE}.{name}": Rubric("voila_relate", {name: bit}, gold_alone) for name, bit in _SINGLE.items()},
    APPLY: Rubric("voila_apply", _SINGLE, gold_alone),
    GENERATE: Rubric("voila_generate", _SINGLE, _questions, looks=True),
}
