"""One turn in front of a person: its form or free words, its clock, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from core.records import Turn
from core.study.texts import Wording
from tui.sitting.state_answering import Answering, asked
from tui.sitting.state_clock import TurnClock
from tui.sitting.state_turn import Put

End: TypeAlias = Literal["answered", "timed out", "problem", "back", "problem with picture"]


@dataclass(slots=True)
class TurnState:
    """``form`` is None where the answer is free words, which ``text`` holds as they stand."""

    turn: Turn
    put: Put
    clock: TurnClock
    form: Answering | None
    text: str = ""
    revisions: list[tuple[float, str, str]] = field(default_factory=list)

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
        """Every change of a value: when (seconds of the monotonic clock), of which property, to what."""
        return self.form.revisions if self.form is not None else self.revisions

    def changed(self) -> None:
        """After keys: the clock learns of new changes."""
        for at, _, _ in self.changes[-1:]:
            self.clock.changed(at)

    def retype(self, text: str, at: float) -> None:
        """Free words stand so now. What they were is told by their length alone: they may be long."""
        if text != self.text:
            self.text = text
            self.revisions.append((at, "", str(len(text))))
            self.clock.changed(at)
