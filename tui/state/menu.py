"""Everything that can be done at the step under the cursor, and why something cannot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from core.interventions import shown
from core.records import Progress, Step
from tui.state.stepping import Stepping

Doing = Literal["gold", "wrong", "edit", "pick", "prompt", "pictures", "other", "person", "again"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the menu. ``property_name`` where it is about one alone; ``against`` says why it cannot be done
    here, "" where it can; ``asks`` whom it asks, "" where it asks nobody."""

    doing: Doing
    label: str
    property_name: str = ""
    against: str = ""
    asks: str = ""


def entries(stepping: Stepping) -> tuple[Entry, ...]:
    """The menu at the cursor, in the order from what is put in to who is asked."""
    look, plan = stepping.look(), stepping.plan
    turn, step = look.turn, look.step
    if turn is None:
        return ()
    words = turn.makes == "text"
    who = plan.respondent_for(turn.step).name
    no_words = "" if words else "this turn is answered with a picture, not with words"
    drawable = words or plan.benchmark.answer_drawer is not None
    no_gold = "" if turn.gold_text and drawable else "nothing is known to be right here"
    no_form = no_words or no_gold or ("" if turn.form else "the scorer reads no values here")
    names = plan.benchmark.layout(turn.step).properties if turn.form else ()
    names = tuple(name for name in names if any(f.name.rpartition(".")[2] == name for f in turn.form))
    whole = "the gold answer" if words else "a drawing of the gold"
    out = [Entry("gold", f"{whole}, as a whole" if len(names) > 1 else whole, against=no_gold)]
    changed = who if step is None else ""  # the answer that is changed must be there
    if len(names) > 1:
        right = {name: not no_form and _right_already(stepping, step, name) for name in names}
        out += [
            Entry("gold", f"gold for {name} alone", name,
                  no_form or (f"the {name} is right as it is" if right[name] else ""), changed)
            for name in names
        ]  # fmt: skip
    spare = {name: any(len(f.options) > 1 for f in turn.form if f.name.rpartition(".")[2] == name) for name in names}
    out += [
        Entry("wrong", f"a wrong {name}, on purpose", name,
              no_form or ("" if spare[name] else f"there is no other {name} to put in"), changed)
        for name in names
    ]  # fmt: skip
    if stepping.choices() is not None:
        out.append(Entry("pick", "another of the options", against=no_words))
    out.append(Entry("edit", "the answer in your own words", against=no_words))
    count = shown(turn)
    out += [
        Entry("prompt", "another prompt for this turn", asks=who),
        Entry("pictures", "other pictures: exchanged, or blank",
              against="" if count else "this turn shows no picture of its own", asks=who),
        Entry("again", "the same once more", against="" if step is not None else "it has not been asked yet",
              asks=who),
        Entry("other", "this one turn to another respondent", asks="whom you choose",
              against="" if stepping.crew is not None else "there is no list of respondents here"),
        Entry("person", "this one turn to yourself", against=no_words, asks="you"),
    ]  # fmt: skip
    gate, item = stepping.gate, stepping.item
    return tuple(
        replace(entry, against=entry.against or gate.against(item, asks=entry.asks not in ("", "you")))
        for entry in out
    )


def _right_already(stepping: Stepping, step: Step | None, name: str) -> bool:
    """Whether the rule holds that property right in every unit of the answer: then putting it in changes nothing."""
    score = step.score() if step is not None else None
    if step is None or score is None:
        return False
    layout = stepping.plan.benchmark.layout(step.turn.step)
    bits = [layout.bit(name, unit) for unit in range(layout.units)]
    return all(score.scored & score.right & bit for bit in bits)


@dataclass(frozen=True, slots=True)
class Ahead:
    """A step that can be gone to: answered on this path (it costs nothing), or still to be asked."""

    index: int
    name: str
    stored: bool


def ahead(stepping: Stepping) -> tuple[Ahead, ...]:
    """The steps of the path looked at, and those that would follow if every answer from here on were right."""
    current, plan = stepping.current, stepping.plan
    out = [Ahead(index, step.turn.step, stored=True) for index, step in enumerate(current.steps)]
    if current.progress is not Progress.DONE:
        following = plan.rest_if_right(current.item, current.steps)
        out += [Ahead(len(out) + index, name, stored=False) for index, name in enumerate(following)]
    return tuple(out)
