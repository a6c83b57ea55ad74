"""Trajectories and steps of two stores: one where they are the same, both where they are not.

A trajectory that both stores have is joined: steps that only theirs has are added, and the head moves on where theirs
went further. Where the same item, repeat and step were answered differently, ours stands as it is and theirs is kept
as a fork of it from there, so that no plain accuracy changes and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from core.records import Progress
from sessions import encoding
from sessions.exchange.carrying import Carrier

_DONE: Final = encoding.PROGRESS_CODE[Progress.DONE]
_KEY: Final = ("name", "repeat", "origin", "lane")
_SAID: Final = ("status", "text", "choice", "picture")
_SAME: Final = (
    "SELECT id, status, text, choice, picture FROM steps WHERE trajectory = ? AND ifnull(parent, 0) = ?"
    " AND name = ? AND repeat = ? AND origin = ? AND lane = ?"
)


class Paths:
    """Carries trajectories first, then (once their calls are there) steps, then heads."""

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self._moved: dict[int, None] = {}  # their trajectories whose head ours is to take over
        self.aside: set[int] = set()  # our forks that are trajectories of their own there

    # -- trajectories

    def trajectories(self) -> None:
        """Every trajectory found or made; steps that both stores have are matched on the way."""
        carrier = self._carrier
        table = carrier.tables["trajectories"]
        for theirs in carrier.rows(table):
            row = carrier.translated(table, theirs)
            if row is None:
                continue
            ours = self._ours(row)
            number = ours if ours and self._joined(theirs, row, ours) else 0
            if not number:
                if ours:
                    number = self._beside(theirs, row, ours)
                else:
                    number = carrier.add(table, theirs, row | {"head": None})
                    self._moved[theirs["id"]] = None
            carrier.numbers["trajectories"].put(theirs["id"], number)

    def _ours(self, row: Mapping[str, Any]) -> int:
        """The trajectory that stands in its place in ours, 0 where there is none."""
        if row["run"] > self._carrier.before["runs"]:
            return 0
        query = "SELECT id FROM trajectories WHERE run = ? AND item = ? AND repeat = ? AND parent IS NULL"
        values: Sequence[Any] = (row["run"], row["item"], row["repeat"])
        if row["parent"] is not None:
            query = "SELECT id FROM trajectories WHERE parent = ? AND fork = ? AND created = ? ORDER BY id LIMIT 1"
            values = (row["parent"], row["fork"], row["created"])
        found = self._carrier.ours.execute(query, values).fetchone()
        return 0 if found is None else int(found[0])

    def _joined(self, theirs: Mapping[str, Any], row: Mapping[str, Any], ours: int) -> bool:
        """Match their steps with ours. False where they said something else, or went on elsewhere."""
        steps = list(self._steps_of(theirs["id"]))
        matched, clash = self._matched(steps, [ours])
        if clash:
            return False
        head, progress = self._carrier.ours.execute(
            "SELECT head, progress FROM trajectories WHERE id = ?", (ours,)
        ).fetchone()
        their_head = theirs["head"]
        known = matched.get(their_head) or self._known_step(their_head)
        if their_head is not None and not known:
            if progress == _DONE or not self._leads_on(steps, their_head, matched, head):
                return False
            self._moved[theirs["id"]] = None
        elif progress != _DONE and row["progress"] == _DONE and known == (head or 0):
            self._moved[theirs["id"]] = None
        self._keep(matched)
        return True

    def _leads_on(
        self, steps: Sequence[Mapping[str, Any]], head: int, matched: Mapping[int, int], our_head: int | None
    ) -> bool:
        """Whether their path passes through our head."""
        by_id = {step["id"]: step for step in steps}
        at: int | None = head
        while at is not None:
            reached = matched.get(at) or (0 if at in by_id else self._known_step(at))
            if reached:
                return reached == our_head
            if at not in by_id:
                return our_head is None
            at = by_id[at]["parent"]
        return our_head is None

    def _beside(self, theirs: Mapping[str, Any], row: dict[str, Any], ours: int) -> int:
        """Theirs as a fork of ours, found where an earlier merge made it."""
        carrier = self._carrier
        steps = list(self._steps_of(theirs["id"]))
        matched, _ = self._matched(steps, [ours])
        shared = self._shared(steps, theirs["head"], matched)
        found = carrier.ours.execute(
            "SELECT id FROM trajectories WHERE parent = ? AND fork = ? AND created = ?",
            (ours, shared, theirs["created"]),
        ).fetchone()
        self._tell(theirs, steps, matched)
        if found is not None:
            fork = int(found[0])
            matched, _ = self._matched(steps, [ours, fork])
            if any(step["id"] not in matched for step in steps):
                self._moved[theirs["id"]] = None
        else:
            changed = row | {"parent": ours, "fork": shared, "head": None}
            fork = carrier.add(carrier.tables["trajectories"], theirs, changed)
            self._moved[theirs["id"]] = None
        self._keep(matched)
        self.aside.add(fork)
        return fork

    def _shared(self, steps: Sequence[Mapping[str, Any]], head: int | None, matched: Mapping[int, int]) -> int:
        """How many steps of their path ours has too."""
        by_id = {step["id"]: step for step in steps}
        count, at = 0, head
        while at is not None:
            if at not in by_id:  # taken over from another run: its whole way is the same
                return count + self._depth(at)
            count += at in matched
            at = by_id[at]["parent"]
        return count

    def _depth(self, step: int) -> int:
        return int(
            self._carrier.theirs.execute(
                "WITH RECURSIVE way (id, parent) AS (SELECT id, parent FROM steps WHERE id = ? UNION ALL"
                " SELECT s.id, s.parent FROM steps AS s JOIN way ON s.id = way.parent) SELECT count(*) FROM way",
                (step,),
            ).fetchone()[0]
        )

    def _tell(
        self, theirs: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], matched: Mapping[int, int]
    ) -> None:
        db = self._carrier.theirs
        run, item = db.execute(
            "SELECT runs.name, items.key FROM runs, items WHERE runs.id = ? AND items.id = ?",
            (theirs["run"], theirs["item"]),
        ).fetchone()
        first = next((step for step in steps if step["id"] not in matched), None)
        at = ""
        if first is not None:
            name = db.execute("SELECT name FROM step_names WHERE id = ?", (first["name"],)).fetchone()[0]
            at = f" at {encoding.from_text(name)}"
        repeat = f" repeat {theirs['repeat']}" if theirs["repeat"] else ""
        where = f"{encoding.from_text(run)} {encoding.from_text(item)}{repeat}"
        self._carrier.carried.conflict(f"{where}: answered differently{at}; theirs is kept as a fork")

    def _steps_of(self, trajectory: int) -> Iterator[dict[str, Any]]:
        """What a trajectory of theirs made, in order, each with its row translated as far as words go."""
        names = ("id", "parent", *_KEY, "status", "text", "choice", "picture")
        numbers = self._carrier.numbers
        for row in self._carrier.theirs.execute(
            "SELECT id, parent, name, repeat, origin, lane, status, text, choice, picture FROM steps"
            " WHERE trajectory = ? ORDER BY id",
            (trajectory,),
        ):
            step = dict(zip(names, row, strict=True))
            step["key"] = (numbers["step_names"].get(step["name"]), step["repeat"], step["origin"],
                           numbers["lanes"].get(step["lane"]))  # fmt: skip
            picture = step["picture"]
            said = numbers["picture_sets"].get(picture) if picture is not None else None
            step["said"] = (step["status"], step["text"], step["choice"], said)
            yield step

    def _matched(
        self, steps: Sequence[Mapping[str, Any]], trajectories: Sequence[int]
    ) -> tuple[dict[int, int], bool]:
        """Their steps that ours has, to ours; and whether one was answered differently."""
        matched: dict[int, int] = {}
        clash = False
        for step in steps:
            parent = step["parent"]
            above = 0 if parent is None else matched.get(parent) or self._known_step(parent)
            if parent is not None and not above:
                continue
            for trajectory in trajectories:
                found = self._carrier.ours.execute(_SAME, (trajectory, above, *step["key"])).fetchone()
                if found is not None and found[1:] == step["said"]:
                    matched[step["id"]] = found[0]
                    break
                clash = clash or found is not None
        return matched, clash

    def _known_step(self, theirs: int | None) -> int:
        return 0 if theirs is None else self._carrier.numbers["steps"].get(theirs)

    def _keep(self, matched: Mapping[int, int]) -> None:
        for theirs, ours in matched.items():
            self._carrier.numbers["steps"].put(theirs, ours)

    # -- steps and heads

    def steps(self) -> None:
        """What was not matched is added."""
        carrier = self._carrier
        table = carrier.tables["steps"]
        numbers = carrier.numbers["steps"]
        for theirs in carrier.rows(table):
            if numbers.get(theirs["id"]):
                continue
            row = carrier.translated(table, theirs)
            if row is None:
                continue
            number = self._left_behind(row) if theirs["trajectory"] is None else 0
            number = number or carrier.add(table, theirs, row)
            numbers.put(theirs["id"], number)

    def _left_behind(self, row: Mapping[str, Any]) -> int:
        """Ours of a step whose run was deleted, 0 where there is none: others stand on it."""
        found = self._carrier.ours.execute(
            "SELECT id FROM steps WHERE trajectory IS NULL AND ifnull(parent, 0) = ? AND name = ? AND repeat = ?"
            " AND created = ? AND prompt = ? AND text = ? AND id <= ?",
            (row["parent"] or 0, row["name"], row["repeat"], row["created"], row["prompt"], row["text"],
             self._carrier.before["steps"]),
        ).fetchone()  # fmt: skip
        return 0 if found is None else int(found[0])

    def heads(self) -> None:
        """Each trajectory that is new, or went further in theirs, ends where theirs does."""
        carrier = self._carrier
        numbers = carrier.numbers
        for theirs in self._moved:
            head, lane, progress, reason, failed, updated = carrier.theirs.execute(
                "SELECT head, lane, progress, reason, failed_step, updated FROM trajectories WHERE id = ?", (theirs,)
            ).fetchone()
            carrier.ours.execute(
                "UPDATE trajectories SET head = ?, lane = ?, progress = ?, reason = ?, failed_step = ?, updated = ?"
                " WHERE id = ?",
                (
                    self._known_step(head) or None,
                    numbers["lanes"].get(lane),
                    progress,
                    reason,
                    failed,
                    updated,
                    numbers["trajectories"].get(theirs),
                ),
            )
