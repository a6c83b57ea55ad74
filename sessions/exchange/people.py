"""Participants, studies and sittings of two stores: the same ones joined, the removed ones never brought back."""

# ruff: noqa: S608  (only identifiers from the schema are put into SQL; values are parameters)

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sessions import encoding
from sessions.exchange.carrying import Carrier
from sessions.sweep import used_pictures

_OF_SESSIONS: Final = (
    "SELECT run FROM sessions WHERE run IS NOT NULL AND uid IN (SELECT value FROM json_each(?1))"
    " UNION SELECT j.run FROM trials AS t JOIN trajectories AS j ON j.id = t.trajectory JOIN sessions AS s"
    " ON s.id = t.session WHERE s.uid IN (SELECT value FROM json_each(?1))"
    " UNION SELECT id FROM runs WHERE json_extract(configuration, '$.identity_of_respondent.session') IN"
    " (SELECT value FROM json_each(?1))"
)
_ON_THEM: Final = (
    "SELECT id FROM runs WHERE json_extract(configuration, '$.base_run') IN"
    " (SELECT uid FROM runs WHERE id IN (SELECT value FROM json_each(?)))"
)


class People:
    """What stands in the way of carrying people's rows as they are.

    A sitting that was removed from ours (a withdrawal) stays away with its runs, and with those that stand on them.
    """

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        theirs, ours = carrier.theirs, carrier.ours
        gone = {uid for (uid,) in ours.execute("SELECT uid FROM gone_sessions")}
        self.gone = {uid for (uid,) in theirs.execute("SELECT uid FROM sessions WHERE uid <> ''")} & gone
        self.left: set[int] = set()
        if self.gone:
            self.left = {run for (run,) in theirs.execute(_OF_SESSIONS, (encoding.to_json(sorted(self.gone)),))}
            more = set(self.left)
            while more:
                more = {run for (run,) in theirs.execute(_ON_THEM, (encoding.to_json(sorted(more)),))} - self.left
                self.left |= more
            count = len(self.gone)
            told = "one sitting" if count == 1 else f"{count} sittings"
            carrier.carried.notices.append(f"{told} that had been removed here stayed where they were")
        self._people_gone = {
            person
            for (person,) in theirs.execute(
                "SELECT participant FROM sessions GROUP BY participant"
                " HAVING min(uid IN (SELECT value FROM json_each(?)))",
                (encoding.to_json(sorted(self.gone)),),
            )
        }
        listed = encoding.to_json(sorted(self._people_gone))
        self._names_gone = {
            name
            for (name,) in theirs.execute(
                "SELECT pseudonym FROM participants WHERE id IN (SELECT value FROM json_each(?))", (listed,)
            )
        }
        self._pictures_before = ours.execute("SELECT ifnull(max(rowid), 0) FROM pictures").fetchone()[0]
        self._tell_gone_there()

    def _tell_gone_there(self) -> None:
        carrier = self._carrier
        gone = encoding.to_json(sorted(uid for (uid,) in carrier.theirs.execute("SELECT uid FROM gone_sessions")))
        for (name,) in carrier.ours.execute(
            "SELECT DISTINCT p.pseudonym FROM sessions AS s JOIN participants AS p ON p.id = s.participant"
            " WHERE s.uid IN (SELECT value FROM json_each(?))",
            (gone,),
        ).fetchall():
            who = encoding.from_text(name)
            told = f"{who} withdrew in the other store: `phoropter study withdraw` removes what is here"
            carrier.carried.notices.append(told)

    def person(self, theirs: Mapping[str, Any], row: dict[str, Any]) -> bool:
        """One who withdrew has no name, and is told apart by when that was."""
        if theirs["id"] in self._people_gone:
            return False
        if row["withdrawn"] is not None:
            ours = self._carrier.ours
            when = (row["created"], row["withdrawn"])
            found = ours.execute(
                "SELECT pseudonym FROM participants WHERE created = ? AND withdrawn = ? LIMIT 1", when
            ).fetchone()
            row["pseudonym"] = found[0] if found else self._free("participants", "pseudonym", row["pseudonym"])
        return True

    def sitting(self, theirs: Mapping[str, Any], row: dict[str, Any]) -> bool:
        """Whether it is still there in ours, or was never."""
        return theirs["uid"] not in self.gone

    def written(self, theirs: Mapping[str, Any], row: dict[str, Any]) -> bool:
        """What somebody who is gone wrote under the same pseudonym stays away too."""
        return theirs["author"] not in self._names_gone

    def call(self, theirs: Mapping[str, Any], row: dict[str, Any]) -> bool:
        """Requests and replies of a run that stays away hold the person's words."""
        return theirs["run"] not in self.left

    def scorer(self, theirs: Mapping[str, Any], row: dict[str, Any]) -> bool:
        """And what they scored."""
        return theirs["name"] not in self._names_gone

    def sweep(self) -> None:
        """Remove what came for rows that then stayed away: words and pictures that nothing here refers to."""
        if not self.left:
            return
        carrier = self._carrier
        for name in ("golds", "prompts", "picture_sets", "scorers"):
            used = " UNION ".join(
                f'SELECT "{column}" FROM {table.name} WHERE "{column}" IS NOT NULL'
                for table in carrier.tables.values()
                for column, of in table.references.items()
                if of == name
            )
            self._delete(name, f"id > {carrier.before[name]:d} AND id NOT IN ({used})")
        used = "SELECT value FROM calls, json_each(calls.texts) WHERE calls.texts IS NOT NULL"
        self._delete("texts", f"id > {carrier.before['texts']:d} AND id NOT IN ({used})")
        kept = encoding.to_json(sorted(used_pictures(carrier.ours)))
        self._delete(
            "pictures", f"rowid > {self._pictures_before:d} AND hash NOT IN (SELECT value FROM json_each(?))", (kept,)
        )

    def _delete(self, table: str, where: str, values: tuple[str | bytes, ...] = ()) -> None:
        cursor = self._carrier.ours.execute(f"DELETE FROM {table} WHERE {where}", values)
        self._carrier.carried.added[table] -= cursor.rowcount
        if not self._carrier.carried.added[table]:
            del self._carrier.carried.added[table]

    def study(self, theirs: Mapping[str, Any], row: dict[str, Any]) -> bool:
        """A study of the same name and version that is another one goes by another name."""
        wanted, number = encoding.from_text(row["name"]), 1
        while True:
            found = self._carrier.ours.execute(
                "SELECT digest FROM studies WHERE name = ? AND version = ?", (row["name"], row["version"])
            ).fetchone()
            if found is None or found[0] == row["digest"]:
                break
            number += 1
            row["name"] = encoding.to_text(f"{wanted}-{number}")
        if number > 1:
            told = f"another study is called {wanted} here: theirs is now {encoding.from_text(row['name'])}"
            self._carrier.carried.notices.append(told)
        return True

    def assignment(self, theirs: Mapping[str, Any], row: dict[str, Any]) -> bool:
        """Free again where its sitting is gone, and where ours excluded that one since."""
        if theirs["session"] is not None and row["session"] is None:
            row["state"], row["lease_until"] = "free", None
        if row["session"] is None:
            return True
        excluded = self._carrier.ours.execute(
            "SELECT 1 FROM exclusions WHERE session = ? AND lifted IS NULL LIMIT 1", (row["session"],)
        ).fetchone()
        if excluded is not None:
            row["session"], row["state"], row["lease_until"] = None, "free", None
            return True
        self._tell_twice(row)
        return True

    def _tell_twice(self, row: Mapping[str, Any]) -> None:
        """Two people were given the same: both answers are kept, ours counts as the assignment's."""
        table = self._carrier.tables["assignments"]
        same = " AND ".join(f'"{column}" IS ?' for column in table.key)
        found = self._carrier.ours.execute(
            f"SELECT session FROM assignments WHERE {same} AND state = 'done'", [row[column] for column in table.key]
        ).fetchone()
        if row["state"] == "done" and found is not None and found[0] not in (None, row["session"]):
            (item,) = self._carrier.ours.execute("SELECT key FROM items WHERE id = ?", (row["item"],)).fetchone()
            told = f"{encoding.from_text(item)} part {row['part']}"
            self._carrier.carried.conflict(f"{told}: two sittings filled this assignment; ours stands, both are kept")

    def _free(self, table: str, column: str, wanted: str) -> str:
        name, number = wanted, 1
        query = f"SELECT 1 FROM {table} WHERE {column} = ?"
        while self._carrier.ours.execute(query, (name,)).fetchone():
            number += 1
            name = f"{wanted}-{number}"
        return name
