"""An answer as a grader sees it: pictures, question, right answer and what was answered; nothing of who answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from core.benchmarks import registry
from core.pictures import Pictures
from core.planning import drawer_of
from core.records import Item, Part, SentPicture, Show, Step, Text
from sessions.reopening import request_of
from sessions.replay import Replay
from sessions.runs import Run
from sessions.sent import StoredPictures
from sessions.store import Store
from sessions.studies.grading_pool import Gradable

LABEL: Final = 24
"""Characters of the longest label of a picture."""


@dataclass(frozen=True, slots=True)
class Case:
    """``shows`` are the item's pictures that the question is about, each for itself, ``made`` the picture that was
    the answer (None: it is words), called ``made_as``. ``gold`` is the right value by field, ``gold_text`` the same
    in words."""

    item: Item
    shows: tuple[Show, ...]
    question: str
    gold: dict[str, str]
    gold_text: str
    answer: str
    made: SentPicture | None = None
    made_as: str = "the answer"

    @property
    def pictures(self) -> tuple[Show | SentPicture, ...]:
        return (*self.shows, *([self.made] if self.made is not None else []))

    @property
    def captions(self) -> tuple[str, ...]:
        """Numbers alone: a file's name or size may tell where an answer comes from."""
        numbers = [f"picture {number}" for number in range(1, len(self.shows) + 1)]
        return (*numbers, *([self.made_as] if self.made is not None else []))

    def right_value(self, unit: int, name: str) -> str:
        """What would be right of that property; "" where the gold has no value of its own for it."""
        return self.gold.get(f"{unit}.{name}" if unit else name, "")


class Cases:
    """Reads answers of these runs. To be used from one thread, but for ``pictures``, which any may use."""

    def __init__(self, store: Store, runs: Sequence[Run]) -> None:
        self._store = store
        self._runs = {run.id: run for run in runs}
        self._pictures: dict[int, Pictures] = {}

    def read(self, answer: Gradable) -> Case:
        """Raises KeyError where the answer was deleted meanwhile."""
        replay = Replay(self._store.reader())
        path = replay.path(answer.step)
        row = (
            self._store.reader()
            .execute(
                "SELECT t.item FROM steps AS s JOIN trajectories AS t ON t.id = s.trajectory WHERE s.id = ?",
                (answer.step,),
            )
            .fetchone()
        )
        if not path or row is None:
            raise KeyError(answer.step)
        return case_of(replay.item(row[0]), path)

    def pictures(self, answer: Gradable) -> Pictures:
        """Where its item's pictures are read: whole, however large they were sent; drawn where the run drew them."""
        found = self._pictures.get(answer.run)
        if found is None:
            request = request_of(self._runs[answer.run])
            drawer = drawer_of(registry.get(self._runs[answer.run].config.benchmark), request)
            found = self._pictures[answer.run] = StoredPictures(self._store, answer.run, drawer=drawer)
        return found


def case_of(item: Item, path: Sequence[Step]) -> Case:
    """The last step of a path. The question comes without what only models are told (the form of their answer), with
    all pictures that were shown up to there, apart and never blank."""
    step, turn = path[-1], path[-1].turn
    words = "\n".join(_words(turn.content))
    shows = dict.fromkeys(
        Show((index,), source=show.source) for each in path for show in each.turn.shows for index in show.of
    )
    return Case(
        item, tuple(shows), words.strip(), dict(turn.gold), turn.gold_text, step.answer.text, step.answer.picture
    )


def _words(content: Sequence[Part]) -> Iterator[str]:
    """Without the short words that only stand before a picture to number it."""
    for part, following in zip_longest(content, content[1:]):
        if isinstance(part, Text) and not (isinstance(following, Show) and len(part.text) <= LABEL):
            yield part.text
