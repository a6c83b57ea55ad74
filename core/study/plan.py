"""What a session is to be: the trials of a slot, from the study, its items and its seed alone."""

from __future__ import annotations

from collections.abc import Collection

from core.errors import UsageError
from core.study.definition import Study
from core.study.orders import Planned, TrialKind, ordered
from core.study.pool import Pool
from core.study.slots import Place, Slot, deal

__all__ = ["Place", "Planned", "Slot", "TrialKind", "deal", "ordered", "session_plan"]


def session_plan(
    study: Study, pool: Pool, slot: int, answered: Collection[tuple[str, str]] = ()
) -> tuple[Planned, ...]:
    """The trials of the session with that slot; ``answered`` (item, condition) by others are left out.

    Raises UsageError where there is no such slot, and for a design that cannot be dealt.
    """
    slots = deal(study, pool)
    if not 0 <= slot < len(slots):
        raise UsageError(f"there is no slot {slot}", where=study.name, remedy=f"There are {len(slots)}, from 0")
    return ordered(study, pool, slots[slot], answered)
