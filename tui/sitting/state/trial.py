"""One turn in front of a person: its form or free words, its clock, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.records import Turn
from core.study.texts import Wording
from tui.sitting.state.answering import Answering, asked
from tui.sitting.state.clock import TurnClock
from tui.sitting.state.turn import Put

End: TypeAlias = Literal["answered", "timed out", "problem", "back"]


@dataclass(slots=True)
class TurnState:
    """``form`` is None where the answer is free words, which ``text`` holds as they stand. ``reason`` is what the
    person said was wrong with the item."""

    turn: Turn
    put: Put
    clock: TurnClock
    form: Answering | None
    text: str = ""
    reason: str = ""

    @classmethod
    def of(cls, turn: Turn, put: Put, wording: Wording, limit: float) -> TurnState:
        """A turn as it begins."""
        form = Answering(asked(turn.form, wording, put.texts)) if turn.form else None
        return cls(turn, put, TurnClock(limit), form)

    @property
    def values(self) -> dict[str, str]:
        """What was chosen, by property, in canonical words."""
        return self.form.values if self.form is not None else {}

    @property
    def words(self) -> str:
        """All that was typed, finished or not."""
        return self.form.typed if self.form is not None else self.text

    @property
    def changes(self) -> list[tuple[float, str, str]]:
        """Every change of a value: when (seconds of the monotonic clock), of which property, to what ("": taken
        back). Free words have none: they may change with every key."""
        return self.form.revisions if self.form is not None else []

    def recall(self, values: Mapping[str, str]) -> None:
        """What was chosen the last time that this turn stood here."""
        for one in self.form.fields if self.form is not None else ():
            known = [choice.value for choice in one.choices]
            one.chosen = known.index(values[one.name]) if values.get(one.name) in known else None

    def changed(self) -> None:
        """After keys: the clock learns of new changes."""
        for at, _, _ in self.changes[-1:]:
            self.clock.changed(at)

    def retype(self, text: str, at: float) -> None:
        """Free words stand so now."""
        if text != self.text:
            self.text = text
            self.clock.changed(at)
