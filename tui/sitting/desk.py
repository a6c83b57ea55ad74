"""Where a participant arrives: the study as prepared, the store, and who sits at which station."""

from __future__ import annotations

from dataclasses import dataclass

from core.study.preparing import Prepared
from sessions.store import Store
from sessions.studies import claims, people
from sessions.studies.book import StudyRecord
from sessions.studies.people import Participant
from sessions.studies.runs import SessionKind
from sessions.studies.sitting import Sitting


@dataclass(slots=True)
class Desk:
    """``participant`` is the pseudonym that was given on the command line, "" where the screen asks for it;
    ``same_person``: whether it was said there that one who has been here before is the same person."""

    store: Store
    record: StudyRecord
    prepared: Prepared
    kind: SessionKind = "main"
    participant: str = ""
    same_person: bool | None = None
    station: str = ""
    experimenter: str = ""

    def person(self, pseudonym: str) -> Participant:
        """Whoever goes by that code. Raises UsageError for one that is not known, or can be no code."""
        return people.find(self.store, pseudonym)

    def sit(self, person: Participant, *, same_person: bool | None = None) -> Sitting:
        """The person's session, new or taken up again. Raises SamePersonError where it has to be asked whether it is
        the same person, UsageError where there is nothing that this person could be asked."""
        return claims.claim(
            self.store,
            self.record,
            person,
            kind=self.kind,
            station=self.station,
            experimenter=self.experimenter,
            same_person=same_person,
            prepared=self.prepared,
        )

    @property
    def locked(self) -> bool:
        """Whether there is a word at all; a pilot can be held before one has been thought of."""
        return bool(self.prepared.study.experimenter_key)
