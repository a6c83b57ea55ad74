"""The trials of a stored session, rebuilt from its slot as it was dealt and from the study's seed."""

from __future__ import annotations

from collections.abc import Sequence

from core.study.orders import Planned, ordered
from core.study.preparing import Prepared
from core.study.slots import Slot
from sessions.studies.assigning import Assignment


def plan_of(prepared: Prepared, whole: Sequence[Assignment], without: Sequence[Sequence[str]]) -> tuple[Planned, ...]:
    """What a session is asked that was given a slot (``whole``, in its places) without some of it (item,
    condition)."""
    slot = Slot(whole[0].slot, tuple(assignment.place for assignment in whole))
    left_out = {(item, condition) for item, condition in without}
    return ordered(prepared.study, prepared.pool, slot, left_out)
