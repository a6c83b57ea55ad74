"""One answer out of several claims, or the reason why there is none."""

from __future__ import annotations

import re
from typing import Final

from core.letters import cues
from core.letters.claims import Claims
from core.letters.pages import BOTH, Claim

_PAUSE: Final = re.compile(r"[\n.?!]")


def verdict(claims: Claims, text: str) -> Claim | None:
    """The claim that stands; one of ``BOTH`` where two stand against each other, None where nothing is claimed.

    A later claim replaces an earlier one where the text between takes it back, or where it outranks all before.
    """
    sure = [claim for claim in claims.made if claim.rank >= 0]
    for rank in (-1, -2):
        sure = sure or [claim for claim in claims.made if claim.rank == rank]
    current: Claim | None = None
    highest = -9
    for claim in sure:
        if current is None or claim.letter == current.letter:
            current = claim if current is None or claim.rank >= current.rank else current
        elif (
            claim.rank > highest
            or (claim.rank == 4 and not _joined(text, current, claim))
            or _taken_back(text, current, claim)
        ):
            current = claim
            highest = -9
        else:
            current = Claim(BOTH, max(claim.rank, current.rank), claim.since, claim.start, claim.end)
        highest = max(highest, claim.rank)
    if current is None:
        return None
    last = max(claim.start for claim in sure)
    if any(letter == current.letter and at > last for letter, at in claims.refuted):
        return Claim(BOTH, current.rank, current.since, current.start, current.end)
    return current


def _joined(text: str, earlier: Claim, later: Claim) -> bool:
    return bool(cues.JOINED.fullmatch(text[earlier.end : later.start])) or (
        "\ue100" in text[earlier.since : earlier.start]
        and not (_PAUSE.search(text, earlier.end, later.start) or _taken_back(text, earlier, later))
    )


def _taken_back(text: str, earlier: Claim, later: Claim) -> bool:
    between = text[earlier.end : later.start]
    return bool(cues.BACK.search(between))
