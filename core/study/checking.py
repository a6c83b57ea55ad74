"""``study check``: what a study would ask of whom, tried without asking anybody and without writing anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from statistics import mean
from typing import Final

from core.errors import PhoropterError, UsageError, joined
from core.planning import covers_of, gold_walk, load, make_protocol
from core.records import Item, Json, Text, Turn
from core.study.content import Content, content_of, digest_of
from core.study.definition import Question, Study
from core.study.preparing import Prepared, prepare_study, request_of
from core.study.reading import StudyFile
from core.study.slots import Slot, deal
from core.study.wanted import blanks_of, blocking, lacking
from core.toml_places import Place, Problem, line_of, places

WORDS_A_SECOND: Final = 3.5
PICTURE_S: Final = 4.0
FIELD_S: Final = 5.0
QUESTION_S: Final = 8.0
BETWEEN_S: Final = 1.5
"""A guess at how long people take: to read, to look at a picture, to choose a value, to answer a question of a
questionnaire, and from one item to the next. What is asked in the same words each time is read once."""


@dataclass(frozen=True, slots=True)
class Way:
    """One condition: its protocol, and how many steps an item has in it."""

    name: str
    protocol: str
    options: dict[str, str]
    steps: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Dry:
    """What was found. ``sessions`` are the sizes of the slots in items, ``seconds`` a guess at a session's length;
    ``blanks`` and ``lacking`` (by language) carry the line they stand in, 0 where nothing of them stands there;
    ``blocked``: a live session cannot begin with these blanks."""

    prepared: Prepared
    content: Content
    digest: str
    ways: tuple[Way, ...]
    sessions: tuple[int, ...]
    seconds: float
    blanks: tuple[tuple[int, Place, str], ...]
    blocked: bool
    lacking: dict[str, tuple[tuple[int, Place, str], ...]]

    @property
    def study(self) -> Study:
        return self.prepared.study

    @property
    def answers(self) -> int:
        """So many items are answered in all, each rater and condition counted."""
        return sum(self.sessions)

    def to_json(self) -> dict[str, Json]:
        pool, study = self.prepared.pool, self.study
        return {
            "study": study.name,
            "benchmark": self.prepared.name,
            "digest": self.digest,
            "data_digest": self.prepared.data_digest,
            "items": len(pool.items),
            "left_out": [{"item": one.id, "why": one.why} for one in pool.left_out],
            "practice": [item.id for item in pool.practice],
            "catch": [item.id for item in pool.catch],
            "examples": list(pool.examples),
            "conditions": [
                {"name": way.name, "protocol": way.protocol, "options": way.options, "steps": round(way.steps, 2)}
                for way in self.ways
            ],
            "raters": study.design.raters,
            "sessions": len(self.sessions),
            "items_a_session": [min(self.sessions), max(self.sessions)],
            "answers": self.answers,
            "minutes_a_session": round(self.seconds / 60, 1),
            "blanks": [_blank_json(blank) for blank in self.blanks],
            "live": not self.blocked,
            "languages": {name: [_blank_json(one) for one in lacks] for name, lacks in self.lacking.items()},
        }


def _blank_json(blank: tuple[int, Place, str]) -> dict[str, Json]:
    line, place, what = blank
    return {"line": line, "place": ".".join(place), "what": what}


def check(file: StudyFile, *, check_pictures: bool = True) -> Dry:
    """Try the whole study. Raises ConfigError with all that is wrong in the file, DataError, UsageError."""
    study = file.study
    if problems := _unfindable(study):
        raise file.refusal(problems)
    prepared = prepare_study(study, check_pictures=check_pictures)
    slots = _dealt(file, prepared)
    ways = tuple(_way(prepared, name) for name in study.ways)
    content = content_of(prepared)
    lines = places(file.text)
    return Dry(
        prepared,
        content,
        digest_of(study, content),
        ways,
        tuple(len(slot.places) for slot in slots),
        _guess(study, slots, {way.name: way.seconds for way in ways}),
        tuple(sorted((_line(place, what, file.text, lines), place, what) for place, what in blanks_of(study))),
        bool(blocking(study)),
        {
            language: tuple((line_of(place, lines), place, what) for place, what in lacking(study, language))
            for language in study.text
        },
    )


def _dealt(file: StudyFile, prepared: Prepared) -> tuple[Slot, ...]:
    """All slots; a design that cannot be dealt is a problem of the file's."""
    try:
        return deal(file.study, prepared.pool)
    except UsageError as error:
        raise file.refusal([(("design",), joined(error.what, error.remedy))]) from None


# -- what the data must hold


def _unfindable(study: Study) -> list[Problem]:
    """Ids and groups that the data does not have, all of them; none where the data cannot be read, which is told
    when it is prepared."""
    try:
        _, _, dataset = load(request_of(study, next(iter(study.ways.values()))))
        items = list(dataset)
    except PhoropterError:
        return []
    known = [item.id for item in items]
    there = set(known)
    found: list[Problem] = []
    for place, ids in (
        (("items", "ids"), study.items.ids),
        (("practice", "ids"), study.practice.ids),
        (("catch", "ids"), study.catch.ids),
        *((("conditions", name, "examples"), way.examples) for name, way in study.conditions.items()),
    ):
        for id_ in ids:
            if id_ not in there:
                near = get_close_matches(id_, known, n=1)
                found.append((place, f"there is no item {id_}" + (f"; the nearest is {near[0]}" if near else "")))
    for key, values in study.items.where.items():
        groups = {item.id if key == "id" else item.groups.get(key, "") for item in items} - {""}
        for value in values:
            if value not in groups:
                some = sorted(groups)[:12]
                more = " ..." if len(groups) > len(some) else ""
                found.append((("items", "where", key), f"no item has {value}; there are {', '.join(some)}{more}"))
    found += _unasked(study, items)
    return found


def _unasked(study: Study, items: Sequence[Item]) -> list[Problem]:
    """Practice, catch and example items that their protocol asks nothing of."""
    out: list[Problem] = []
    by_id = {item.id: item for item in items}
    for name, way in study.ways.items():
        request = request_of(study, way)
        benchmark, subset, _ = load(request)
        covers = covers_of(make_protocol(benchmark, subset, request))
        if covers is None:
            continue
        apart: tuple[tuple[Place, tuple[str, ...]], ...] = (
            (("practice", "ids"), study.practice.ids),
            (("catch", "ids"), study.catch.ids),
            (("conditions", name, "examples"), way.examples),
        )
        for place, ids in apart:
            out += [
                (place, f"the protocol asks nothing of {id_}")
                for id_ in ids
                if id_ in by_id and not covers(by_id[id_])
            ]
    return out


# -- how long it takes


def _way(prepared: Prepared, name: str) -> Way:
    protocol = prepared.protocols[name]
    walks = [gold_walk(prepared.benchmark, protocol, item) for item in prepared.pool.items.values()]
    told = _common([walk[0].turn for walk in walks if walk])
    seconds = mean(BETWEEN_S + sum(_turn_s(step.turn, told) for step in walk) for walk in walks)
    return Way(name, protocol.name, dict(protocol.options), mean(map(len, walks)), seconds)


def _common(turns: Iterable[Turn]) -> frozenset[str]:
    """Lines that all first turns have in common: read once, and then known."""
    lines = [frozenset(line for part in turn.content if isinstance(part, Text) for line in part.text.split("\n"))
             for turn in turns]  # fmt: skip
    return frozenset.intersection(*lines) if len(lines) > 1 else frozenset()


def _turn_s(turn: Turn, told: frozenset[str]) -> float:
    lines = [line for part in turn.content if isinstance(part, Text) for line in part.text.split("\n")]
    words = sum(len(line.split()) for line in lines if line not in told)
    pictures = sum(len(show.of) for show in turn.shows)
    return words / WORDS_A_SECOND + PICTURE_S * pictures + FIELD_S * len(turn.form)


def _guess(study: Study, slots: Sequence[Slot], seconds: dict[str, float]) -> float:
    """A session of average length: reading, practice, items, catch trials, breaks, questions."""
    items = mean(sum(seconds[place.condition] for place in slot.places) for slot in slots)
    count = mean(len(slot.places) for slot in slots)
    each = items / count if count else 0.0
    catch = min(len(study.catch.ids), count // study.catch.every)
    breaks = (count - 1) // study.timing.break_every if study.timing.break_every else 0
    after_each = (QUESTION_S / 2 if study.answers.confidence else 0.0) + (
        QUESTION_S if study.answers.why != "no" else 0
    )
    texts = study.texts
    read = sum(len(text.split()) for text in (texts.consent, texts.instructions, texts.practice, texts.debrief))
    questions: tuple[Question, ...] = (*study.gate, *study.before, *study.after)
    return (
        read / WORDS_A_SECOND
        + QUESTION_S * len(questions)
        + items
        + each * (len(study.practice.ids) * 1.5 + catch)
        + count * after_each
        + breaks * study.timing.break_s
    )


def _line(place: Place, what: str, text: str, lines: dict[Place, int]) -> int:
    """Where a blank stands: its own line within a long text, else where its field is written."""
    first = line_of(place, lines)
    if first and what.startswith("<"):
        start = what.split(">")[0].removesuffix("…")[:40]
        for number, line in enumerate(text.splitlines()[first - 1 :], first):
            if start in line:
                return number
    return first
