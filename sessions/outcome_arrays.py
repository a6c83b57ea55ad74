"""Finished plain trajectories read as arrays: paths from their heads to the root, and how each step was scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from core.benchmarks import registry
from core.outcomes import Outcomes
from core.records import Item, Parse, Progress
from sessions import encoding
from sessions.golds import GoldView, counting
from sessions.grading import graders
from sessions.paths import DEEPEST
from sessions.ranking import ranked
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from core.gathered import Whole
    from core.outcomes import Truth

    Small = NDArray[numpy.int32]

SAID_BITS: Final = 32
"""What can be said to an item: a store does not hold as many steps."""
BLOCK: Final = 1_000_000
"""Steps whose parents are read as one text."""

_HEADS: Final = (
    "SELECT group_concat(id), group_concat(item), group_concat(repeat), group_concat(head) FROM ("
    "SELECT id, item, repeat, head FROM trajectories"
    " WHERE run = ? AND parent IS NULL AND progress = ? AND lane = ? AND head IS NOT NULL"
    " ORDER BY item, repeat, id)"
)
_FIRST_HEADS: Final = (
    "SELECT group_concat(id), group_concat(head) FROM (SELECT id, head FROM trajectories"
    " WHERE run = ? AND parent IS NULL AND repeat = 0 AND head IS NOT NULL ORDER BY item)"
)
_PARENTS: Final = "SELECT group_concat(parent), group_concat(id) FROM steps WHERE parent >= ? AND parent < ?"
_SCORED: Final = (
    "SELECT name, status, right, scored, group_concat(step) FROM scores WHERE run = ? AND scorer = ?"
    " GROUP BY name, lane, counted, status, right, scored"
)
_SCORED_ELSEWHERE: Final = (
    "SELECT name, status, right, scored, group_concat(step) FROM scores"
    " WHERE step IN (SELECT value FROM json_each(?)) AND scorer = ? GROUP BY name, status, right, scored"
)
_READ: Final = (
    "SELECT parsed, group_concat(step) FROM readings"
    " WHERE step IN (SELECT value FROM json_each(?)) AND scorer = ? GROUP BY parsed"
)


class _Kind(NamedTuple):
    """What scores have in common."""

    step: str
    right: bool
    scored: bool
    parsed: bool


class _Steps(NamedTuple):
    """An entry for each step of the trajectories, one after the other and from their roots on. ``kind`` is the place
    of what it was scored as, 0 where it was not seen; ``row`` is the step's, 0 where it counts against another
    gold."""

    trajectory: Whole
    row: Whole
    kind: Whole


class OutcomeReader:
    """Reads runs one by one; what all of them need of the store is read once. ``view`` is the gold that counts."""

    def __init__(self, store: Store, view: GoldView) -> None:
        self._store, self._view, self._db = store, view, store.reader()
        self._replay = Replay(self._db)
        self._names = {
            row: encoding.from_text(name) for row, name in self._db.execute("SELECT id, name FROM step_names")
        }
        self._said: dict[tuple[str, str | bytes], int] = {}
        self._mistakes: dict[int, int] = {}
        self._mistake_names = {"": 0}
        self._asked: dict[int, Item] = {}
        self._of_benchmark: dict[str, _Items] = {}

    def outcomes(self, run: Run, scorer: str) -> Outcomes:
        """Every finished trajectory without forks or interventions, its steps that are scored by anybody at all.

        One that the scorer has seen in part only (a judgement failed, or is still to come) is left out: the rest of a
        chain says another thing than the whole.
        """
        import numpy

        trajectories, item, repeat, head = self._heads(run)
        kinds = _Kinds()
        apart = numpy.isin(item, list(self._view.corrected))
        steps = self._stored(run, scorer, head, ~apart, kinds)
        read: dict[int, Mapping[str, str]] = {}
        if apart.any():
            steps = self._recounted(run, scorer, trajectories, item, numpy.flatnonzero(apart), steps, kinds, read)
        seen, scored = kinds.flags("seen")[steps.kind], kinds.flags("scored")[steps.kind]
        in_part = numpy.zeros(len(item), dtype=bool)
        in_part[self._unseen(run, steps, seen)] = True
        kept = scored & ~in_part[steps.trajectory]
        place = numpy.cumsum(~in_part) - 1
        codes, names = kinds.steps()
        trajectory, kind = steps.trajectory[kept], steps.kind[kept]
        right = kinds.flags("right")[kind]
        mistakes, mistake = self._mistaken(run, scorer, item[trajectory], steps.row[kept], kind, right, kinds, read)
        items = self._items(run.config.benchmark)
        return Outcomes(
            items=items.keys,
            groups=items.groups,
            steps=names,
            mistakes=mistakes,
            item=items.key[item[~in_part]],
            group=items.group[item[~in_part]],
            repeat=repeat[~in_part],
            trajectory=place[trajectory],
            step=codes[kind],
            right=right,
            parsed=kinds.flags("parsed")[kind],
            mistake=mistake,
        )

    def first_wrong(self, run: Run, scorer: str) -> list[tuple[int, str]]:
        """Of each item's first trajectory that has a wrong step, finished or not, its row and that step's name, in
        the order of the items. As ``sessions.browsing`` tells it, without reading trajectory by trajectory."""
        import numpy

        trajectories, head = (
            encoding.to_array(found if found is not None else "")
            for found in self._db.execute(_FIRST_HEADS, (run.id,)).fetchone()
        )
        kinds = _Kinds()
        steps = self._stored(run, scorer, head, numpy.ones(len(head), dtype=bool), kinds)
        wrong = numpy.flatnonzero((kinds.flags("scored") & ~kinds.flags("right"))[steps.kind])
        places, first = numpy.unique(steps.trajectory[wrong], return_index=True)
        found = steps.kind[wrong[first]].tolist()
        return [(row, kinds.all[kind].step) for row, kind in zip(trajectories[places].tolist(), found, strict=True)]

    # -- inside

    def _items(self, benchmark: str) -> _Items:
        if benchmark not in self._of_benchmark:
            rows = self._db.execute("SELECT id, key, groups FROM items WHERE benchmark = ?", (benchmark,)).fetchall()
            self._of_benchmark[benchmark] = _Items(rows)
        return self._of_benchmark[benchmark]

    @cached_property
    def _parents(self) -> Small:
        """By a step's row its parent's, 0 for none."""
        import numpy

        last = self._db.execute("SELECT ifnull(max(id), 0) FROM steps").fetchone()[0]
        found = numpy.zeros(last + 1, dtype=numpy.int32 if last < 1 << 31 else numpy.int64)
        for first in range(0, last + 1, BLOCK):
            parents, steps = self._db.execute(_PARENTS, (first, first + BLOCK)).fetchone()
            if steps is not None:
                found[encoding.to_array(steps)] = encoding.to_array(parents)
        return found

    @cached_property
    def _kind_of(self) -> Small:
        """Room for the kind of each step of the store; all 0 between runs."""
        import numpy

        return numpy.zeros(len(self._parents), dtype=numpy.int32)

    def _heads(self, run: Run) -> tuple[Whole, Whole, Whole, Whole]:
        """Trajectories, their items, repeats and heads."""
        import numpy

        about = (run.id, encoding.PROGRESS_CODE[Progress.DONE], encoding.PLAIN_LANE)
        trajectories, item, repeat, head = (
            encoding.to_array(found if found is not None else "")
            for found in self._db.execute(_HEADS, about).fetchone()
        )
        wanted = ~numpy.isin(item, list(self._view.left_out))
        return trajectories[wanted], item[wanted], repeat[wanted], head[wanted]

    def _stored(self, run: Run, scorer: str, head: Whole, wanted: Truth, kinds: _Kinds) -> _Steps:
        """The steps on the paths of these trajectories, as they were scored."""
        import numpy

        trajectory, row = _paths(self._parents, head, numpy.flatnonzero(wanted))
        of = self._kind_of
        touched: list[Whole] = []
        scorers = ranked(self._db, scorer)
        for one in reversed(scorers):  # what counts first is written last
            for name, status, right, scored, steps in self._db.execute(_SCORED, (run.id, one)):
                found = encoding.to_array(steps)
                of[found] = kinds.place(self._names[name], right, scored, status)
                touched.append(found)
        kind = of[row].astype(numpy.int64)
        for found in touched:
            of[found] = 0
        missing = numpy.flatnonzero(kind == 0)
        if len(missing):  # taken over from another run, whose scores they are
            rows, places = numpy.unique(row[missing], return_inverse=True)
            own = numpy.zeros(len(rows), dtype=numpy.int64)
            for one in reversed(scorers):
                wanted_rows = (encoding.to_json(rows.tolist()), one)
                for name, status, right, scored, steps in self._db.execute(_SCORED_ELSEWHERE, wanted_rows):
                    kind_of = kinds.place(self._names[name], right, scored, status)
                    own[numpy.searchsorted(rows, encoding.to_array(steps))] = kind_of
            kind[missing] = own[places]
        return _Steps(trajectory, row, kind)

    def _recounted(
        self,
        run: Run,
        scorer: str,
        trajectories: Whole,
        item: Whole,
        places: Whole,
        steps: _Steps,
        kinds: _Kinds,
        read: dict[int, Mapping[str, str]],
    ) -> _Steps:
        """With the steps of trajectories on items that count against another gold; ``read`` takes what was read."""
        import numpy

        people = graders(self._store, run.id)
        more: list[tuple[int, int, int]] = []
        for place in places.tolist():
            stored = self._replay.trajectory(int(trajectories[place]))
            disputes = self._view.corrected[int(item[place])]
            for counted in counting(stored.item, stored.steps, disputes, people):
                score, kind = counted.score(scorer), 0
                if score is not None:
                    status = encoding.PARSE_CODE[score.status]
                    kind = kinds.place(counted.turn.step, score.right, score.scored, status)
                    read[-len(more) - 1] = score.parsed
                elif counted.turn.step.partition(".")[0] in registry.get(run.config.benchmark).unscored:
                    continue
                more.append((place, -len(more) - 1, kind))
        added = numpy.array(more, dtype=numpy.int64).reshape(-1, 3)
        trajectory = numpy.concatenate([steps.trajectory, added[:, 0]])
        order = numpy.argsort(trajectory, kind="stable")
        row, kind_of = (
            numpy.concatenate([own, added[:, column]])[order] for own, column in ((steps.row, 1), (steps.kind, 2))
        )
        return _Steps(trajectory[order], row, kind_of)

    def _unseen(self, run: Run, steps: _Steps, seen: Truth) -> Whole:
        """The trajectories with a step that the scorer has not seen, though somebody could."""
        import numpy

        nobodys = registry.get(run.config.benchmark).unscored
        row, trajectory = steps.row[~seen], steps.trajectory[~seen]
        if nobodys and len(row):
            named = self._db.execute(
                "SELECT name, group_concat(id) FROM steps WHERE id IN (SELECT value FROM json_each(?)) GROUP BY name",
                (encoding.to_json(row[row > 0].tolist()),),
            ).fetchall()
            for name, rows in named:
                if self._names[name].partition(".")[0] in nobodys:
                    wanted = ~numpy.isin(row, encoding.to_array(rows))
                    row, trajectory = row[wanted], trajectory[wanted]
        return trajectory

    def _mistaken(
        self,
        run: Run,
        scorer: str,
        item: Whole,
        row: Whole,
        kind: Whole,
        right: Truth,
        kinds: _Kinds,
        read: Mapping[int, Mapping[str, str]],
    ) -> tuple[list[str], Whole]:
        """The kinds of wrong answers met in any run so far, "" first, and of each step the place of its own."""
        import numpy

        found = numpy.zeros(len(row), dtype=numpy.int64)
        mistake = registry.get(run.config.benchmark).mistake
        if mistake is None:
            return [""], found
        wrong = numpy.flatnonzero(~right)
        texts, text = self._readings(scorer, row[wrong], read)
        steps = [one.step for one in kinds.all]
        said = [self._said.setdefault((step, words), len(self._said)) for step in steps for words in texts]
        alike = (item[wrong] << SAID_BITS) + numpy.array(said)[kind[wrong] * len(texts) + text]
        keys, known, names = alike.tolist(), self._mistakes, self._mistake_names
        for at in {key: at for at, key in enumerate(keys) if key not in known}.values():
            asked, step, values = int(item[wrong[at]]), steps[kind[wrong[at]]], _values(texts[text[at]])
            name = mistake(self._item(asked), step, values)
            known[keys[at]] = names.setdefault(name, len(names))
        found[wrong] = list(map(known.__getitem__, keys))  # hundreds of thousands, looked up the quick way
        return list(names), found

    def _readings(
        self, scorer: str, row: Whole, read: Mapping[int, Mapping[str, str]]
    ) -> tuple[list[str | bytes], Whole]:
        """What was read in these steps as it is stored, and of each step the place of its own; nothing first."""
        import numpy

        texts: list[str | bytes] = ["{}"]
        places: dict[str | bytes, int] = {"{}": 0}
        rows, inverse = numpy.unique(row, return_inverse=True)
        of_row = numpy.zeros(len(rows), dtype=numpy.int64)

        def place(parsed: str | bytes) -> int:
            if parsed not in places:
                places[parsed] = len(texts)
                texts.append(parsed)
            return places[parsed]

        wanted = encoding.to_json(rows[rows > 0].tolist())
        for one in reversed(ranked(self._db, scorer)):
            for parsed, steps in self._db.execute(_READ, (wanted, one)):
                of_row[numpy.searchsorted(rows, encoding.to_array(steps))] = place(parsed)
        for at in numpy.flatnonzero(rows < 0).tolist():
            of_row[at] = place(encoding.to_json(dict(read.get(int(rows[at]), {}))))
        return texts, of_row[inverse]

    def _item(self, row: int) -> Item:
        if row not in self._asked:
            self._asked[row] = self._replay.item(row)
        return self._asked[row]


class _Kinds:
    """Numbers kinds of scores from 1 on; 0 is what was not seen."""

    def __init__(self) -> None:
        self.all = [_Kind("", right=False, scored=False, parsed=False)]
        self._known: dict[_Kind, int] = {}

    def place(self, step: str, right: int, scored: int, status: int) -> int:
        kind = _Kind(step, scored != 0 and right == scored, scored != 0, encoding.PARSES[status] is Parse.OK)
        if kind not in self._known:
            self._known[kind] = len(self.all)
            self.all.append(kind)
        return self._known[kind]

    def flags(self, name: str) -> Truth:
        """Of each kind whether it is right, scored, parsed, or was seen."""
        import numpy

        if name == "seen":
            return numpy.arange(len(self.all)) > 0
        return numpy.array([getattr(kind, name) for kind in self.all], dtype=bool)

    def steps(self) -> tuple[Whole, list[str]]:
        """Of each kind the place of its step's name, and the names."""
        import numpy

        names = list(dict.fromkeys(kind.step for kind in self.all))
        return numpy.array([names.index(kind.step) for kind in self.all], dtype=numpy.int64), names


class _Items:
    """The items of a store: by row the places of their ids and of their groups."""

    def __init__(self, rows: Sequence[tuple[int, str | bytes, str | bytes]]) -> None:
        import numpy

        size = max((row for row, _, _ in rows), default=0) + 1
        self.key, self.group = numpy.zeros(size, dtype=numpy.int64), numpy.zeros(size, dtype=numpy.int64)
        keys: dict[str | bytes, int] = {}
        groups: dict[str | bytes, int] = {}
        for row, key, told in rows:
            self.key[row] = keys.setdefault(key, len(keys))
            self.group[row] = groups.setdefault(told, len(groups))
        self.keys = [encoding.from_text(key) for key in keys]
        self.groups = [encoding.from_json(told) for told in groups]


@lru_cache(maxsize=10_000)
def _values(parsed: str | bytes) -> Mapping[str, str]:
    """What was read, of its stored text."""
    values: Mapping[str, str] = encoding.from_json(parsed)
    return values


def _paths(parents: Small, head: Whole, trajectories: Whole) -> tuple[Whole, Whole]:
    """Of each step on the paths of these trajectories its trajectory and its row, from the roots on."""
    import numpy

    at, current = trajectories, head[trajectories]
    places: list[Whole] = []
    rows: list[Whole] = []
    depths: list[Whole] = []
    for depth in range(DEEPEST):  # a damaged store could hold a circle
        if not len(at):
            break
        places.append(at)
        rows.append(current)
        depths.append(numpy.full(len(at), -depth))
        above = parents[current].astype(numpy.int64)
        at, current = at[above > 0], above[above > 0]
    if not places:
        return trajectories, trajectories
    trajectory, row, depth_of = (numpy.concatenate(parts) for parts in (places, rows, depths))
    order = numpy.lexsort((depth_of, trajectory))
    return trajectory[order], row[order]
