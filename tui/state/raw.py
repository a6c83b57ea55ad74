"""The call behind the step looked at, or the one that would be made: read when somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import PhoropterError
from core.interventions import answered_by
from core.records import SentPicture
from core.respondents.addresses import Address
from core.respondents.base import Respondent
from core.respondents.curl import UNKNOWN
from core.respondents.request_body import renamed
from tui.rawtext import Raw, known, shown_in, unsent
from tui.state.walking import Walking

NOTHING = "nothing is asked here: this path is complete"


async def raw_of(walking: Walking) -> Raw:
    """Of the step under the cursor; where the turn has no answer yet, what would be sent for it."""
    look, journal = walking.look(), walking.engine.journal
    if look.turn is None:
        return Raw(None, why=NOTHING)
    respondent = walking.plan.respondent_for(look.turn.step)
    address: Address | None = getattr(respondent, "address", None)
    kind = respondent.kind
    if look.step is not None and look.running is None:
        if (name := answered_by(look.step, respondent.name)) != respondent.name:
            kind, address = walking.crew.whereabouts(name) if walking.crew is not None else ("model", UNKNOWN)
        call = look.step.answer.call or await journal.call_of(look.step)
        if call is None:
            return Raw(None, why=unsent(look.step, kind))
        return Raw(call.request, call, address, await _pictures(walking, call.request), "", look.trajectory.id)
    try:
        request = await walking.engine.preview(look.trajectory)
    except PhoropterError as error:
        return Raw(None, why=f"it cannot be sent: {error}")
    if request is None:
        return Raw(None, why=_unasked(respondent))
    if address is not None:
        request = renamed(request, address.tokens)
    return Raw(request, None, address, await _pictures(walking, request))


def _unasked(respondent: Respondent) -> str:
    return "a baseline answers without a request" if respondent.kind == "baseline" else "nothing would be sent"


async def _pictures(walking: Walking, request: object) -> Mapping[str, SentPicture]:
    stored = await walking.engine.journal.pictures(shown_in(request))
    return known(walking.current.steps, stored)
