"""Who answered in a run: servers put other models behind a name, and a run may last for days."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.records import Json
from sessions import encoding
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class Served:
    """One model that answered for the name that was asked for, and its server's version ("" where it says none)."""

    asked: str
    model: str
    version: str

    def to_json(self) -> Json:
        return {"asked": self.asked, "model": self.model, "version": self.version}


def served(store: Store, run: int) -> tuple[Served, ...]:
    """All that answered in this run, in the order in which they were first heard."""
    rows = store.reader().execute(
        "SELECT asked, model, version FROM served WHERE run = ? ORDER BY created, asked, model, version", (run,)
    )
    return tuple(Served(*map(encoding.from_text, row)) for row in rows)


def changes(heard: tuple[Served, ...]) -> Iterator[str]:
    """In words, for each name that was asked for, what changed behind it within the run."""
    for asked in dict.fromkeys(one.asked for one in heard):
        models = list(dict.fromkeys(one.model for one in heard if one.asked == asked))
        versions = list(dict.fromkeys(one.version for one in heard if one.asked == asked and one.version))
        if len(models) > 1:
            yield f"the model behind {asked} changed within this run: {', then '.join(models)}"
        elif len(versions) > 1:
            yield f"the server of {asked} changed within this run: {', then '.join(versions)}"
