"""Which runs of two stores are the same."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from core.errors import StoreError
from sessions import encoding
from sessions.exchange.carrying import Carrier, JoinedRun
from sessions.identity import UID, RunConfig
from sessions.runs import FRESH, free_name


class Joining:
    """Decides for each of their runs whether it is one of ours.

    The same uid is the same run: one store was copied from the other. Else a run of the same identity is joined, as
    a command would resume it, unless it was made with ``--fresh``: that one is to stand alone.
    ``left`` are runs of theirs that stay there.
    """

    def __init__(self, carrier: Carrier, left: Collection[int] = ()) -> None:
        self._carrier = carrier
        self._left = left
        theirs, ours = carrier.theirs, carrier.ours
        self._uids: dict[str, str] = {}  # theirs to ours, where they differ
        known = {uid for (uid,) in ours.execute("SELECT uid FROM runs")}
        same = {uid for (uid,) in theirs.execute("SELECT uid FROM runs")} & known
        self._joined = {ours.execute("SELECT id FROM runs WHERE uid = ?", (uid,)).fetchone()[0] for uid in same}

    def runs(self) -> None:
        """All runs, each joined or put beside ours."""
        carrier = self._carrier
        table = carrier.tables["runs"]
        for theirs in carrier.rows(table):
            if theirs["id"] in self._left:
                continue
            row = {column: theirs[column] for column in table.data}
            if not isinstance(row["uid"], str) or not UID.fullmatch(row["uid"]):
                raise StoreError("a run there has an impossible uid", where=encoding.from_text(row["name"])[:80])
            self._on_another_base(row)
            number, name = self._same(row)
            if not number:
                row["name"] = encoding.to_text(free_name(carrier.ours, encoding.from_text(row["name"])))
                name = encoding.from_text(row["name"])
            added = not number
            number = number or carrier.add(table, theirs, row)
            carrier.numbers["runs"].put(theirs["id"], number)
            carrier.carried.runs.append(JoinedRun(encoding.from_text(theirs["name"]), name, added))

    def _on_another_base(self, row: dict[str, Any]) -> None:
        """A run that reuses another's steps follows it to where that one went."""
        stored = encoding.from_json(row["configuration"])
        base = self._uids.get(stored.get("base_run", ""))
        if base is not None:
            stored["base_run"] = base
            row["configuration"] = encoding.to_json(stored)
            row["identity"] = RunConfig.from_json(stored).identity()
            recipe = encoding.from_json(row["recipe"])
            if isinstance(recipe, dict) and recipe.get("base_run"):
                row["recipe"] = encoding.to_json(recipe | {"base_run": base})

    def _same(self, row: Mapping[str, Any]) -> tuple[int, str]:
        """Our run that this one is, (0, "") where there is none."""
        ours = self._carrier.ours
        found = ours.execute("SELECT id, name, identity FROM runs WHERE uid = ?", (row["uid"],)).fetchone()
        if found is not None:
            if found[2] != row["identity"]:
                raise StoreError(
                    "both stores have this run, with different configurations",
                    where=encoding.from_text(found[1]),
                    remedy="One of them was changed by another program; delete the run in one of them",
                )
            return found[0], encoding.from_text(found[1])
        if _fresh(row["recipe"]):
            return 0, ""
        for number, name, uid, recipe in ours.execute(
            "SELECT id, name, uid, recipe FROM runs WHERE identity = ? AND id <= ? ORDER BY created, id",
            (row["identity"], self._carrier.before["runs"]),
        ):
            if number not in self._joined and not _fresh(recipe):
                self._joined.add(number)
                self._uids[row["uid"]] = uid
                return number, encoding.from_text(name)
        return 0, ""


def _fresh(recipe: str | bytes) -> bool:
    stored = encoding.from_json(recipe)
    return isinstance(stored, Mapping) and bool(stored.get(FRESH))
