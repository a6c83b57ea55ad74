"""Respondents that look at nothing, marked as baselines everywhere: oracle, random, noisy:P, seeing:P and replay.

A turn that asks for a picture they answer with a drawing, where the benchmark has drawn pictures; a replay cannot.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from core.benchmarks import registry
from core.errors import CallError, DataError, Problem, UsageError
from core.files import read_bytes, user_path
from core.records import Answer, Json, RespondentKind, Status, Turn, digest
from core.respondents import eyes
from core.respondents.base import OnDelta, Request, Respondent
from core.respondents.images.drawing import draw

IN_FLIGHT: Final = 64
SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class _Baseline:
    name: str
    identity: Mapping[str, Json]
    kind: RespondentKind = "baseline"
    looks: bool = False
    draws: bool = True
    in_flight: int = IN_FLIGHT

    async def preview(self, request: Request) -> Json:
        """Nothing is sent."""
        return None

    async def close(self) -> None:
        """Nothing to give back."""

    async def _given(self, request: Request, words: str, on_delta: OnDelta | None) -> Answer:
        """The words as the answer, or a drawing of them."""
        if request.turn.makes == "picture":
            return await asyncio.to_thread(draw, request.item, request.turn, words, request.repeat)
        return _said(words, on_delta)


class Oracle(_Baseline):
    """Answers the gold."""

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        return await self._given(request, request.turn.gold_text, on_delta)


class Noisy(_Baseline):
    """Each value of the answer is right with a probability, else another option of its form, chances seeded.

    A wrong value is drawn evenly from the other options; a form field without other options stays right.
    """

    def __init__(self, right: float) -> None:
        super().__init__(f"noisy:{right:g}", {"baseline": "noisy", "right": right})

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        values = noisy_values(request.turn, float(self.identity["right"]), _chances(request))
        return await self._given(request, _written(request, values), on_delta)


def noisy_values(turn: Turn, right: float, chances: random.Random) -> dict[str, str]:
    """A value for each field of a form: the gold with that probability, else another option."""
    values = {}
    for form_field in turn.form:
        gold = turn.gold[form_field.name]
        others = [option for option in form_field.options if option != gold]
        keep = chances.random() < right
        wrong = others[chances.randrange(len(others))] if others else gold
        values[form_field.name] = gold if keep else wrong
    return values


class Seeing(Noisy):
    """Sees as noisily as ``noisy:P``, and then reasons without fault from what it said it saw.

    So its first error is one of seeing, and the gold put in there mends all that comes after it. Where a benchmark
    tells no reasoning, or nothing was described, it is as noisy as the other.
    """

    def __init__(self, right: float) -> None:
        _Baseline.__init__(self, f"seeing:{right:g}", {"baseline": "seeing", "right": right})

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        follow = registry.get(request.item.benchmark).reasoned
        said = [(exchange.turn, exchange.answer) for exchange in request.history]
        text = follow(request.item, request.turn, said) if follow is not None else None
        if text is None:
            return await Noisy.answer(self, request, on_delta)
        return await self._given(request, text, on_delta)


class Random(_Baseline):
    """Chance: each value of the answer drawn evenly from its form's options, seeded."""

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        chances = _chances(request)
        values = {f.name: f.options[chances.randrange(len(f.options))] for f in request.turn.form if f.options}
        return await self._given(request, _written(request, values), on_delta)


@dataclass(frozen=True, slots=True)
class Replay:
    """Recorded answers, heard again: JSON lines ``{"item", "step", "text", "finish_reason"?, "repeat"?, "asked"?}``.

    A line without ``repeat`` serves every repeat. One with ``asked`` (what :func:`asked_of` makes of a request)
    serves nothing but that very conversation, so that answers after an intervention can be recorded too. An item or
    step that the file does not hold fails that trajectory with a message that names it; ``remedy`` says what then.
    """

    name: str
    identity: Mapping[str, Json]
    answers: Mapping[tuple[str, str, int | str | None], tuple[str, str]] = field(repr=False)
    remedy: str = ""
    kind: RespondentKind = "baseline"
    looks: bool = False
    draws: bool = False
    in_flight: int = IN_FLIGHT

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        item, step = request.item.id, request.turn.step
        keys = (asked_of(request), request.repeat, None)
        found = next((told for key in keys if (told := self.answers.get((item, step, key))) is not None), None)
        if found is None:
            what = f"the replay file holds no answer of {item} at {step}"
            raise CallError(what, where=self.name, remedy=self.remedy)
        text, finish_reason = found
        if finish_reason == "content_filter":
            return Answer(text, Status.REFUSAL)
        if finish_reason == "length":
            return Answer(text, Status.TRUNCATED)
        return _said(text, on_delta)

    async def preview(self, request: Request) -> Json:
        """Nothing is sent."""
        return None

    async def close(self) -> None:
        """Nothing to give back."""


def asked_of(request: Request) -> str:
    """A short hash of a whole conversation: item, pictures by name, words and the answers that stand in it."""
    turns = [*((exchange.turn, exchange.answer) for exchange in request.history), (request.turn, "")]
    names = [picture.name for picture in request.item.pictures]
    return digest([request.item.id, names, *([turn.text, answer] for turn, answer in turns)])[:16]


def _said(text: str, on_delta: OnDelta | None) -> Answer:
    if on_delta is not None and text:
        on_delta(text)
    return Answer(text, Status.OK if text.strip() else Status.EMPTY)


def _chances(request: Request) -> random.Random:
    """The same chances for the same (seed, item, step, repeat), on any machine and in any order of running."""
    return random.Random(f"{request.seed}/{request.item.id}/{request.turn.step}/{request.repeat}")


def _written(request: Request, values: Mapping[str, str]) -> str:
    if request.schema is not None:
        return json.dumps({name: int(value) for name, value in values.items()})
    return registry.get(request.item.benchmark).write(request.item, request.turn, values)


def read_replay(path: Path, name: str = "", remedy: str = "") -> Replay:
    """A replay file as a respondent, called ``replay:FILE`` where no name is given.

    A torn last line, a line that is no object and one without item, step and text are problems named together
    (DataError), a file without answers is none (UsageError); of two lines for the same place the last one counts.
    """
    name = name or f"replay:{path}"
    try:
        raw = read_bytes(path)
    except OSError as error:
        raise UsageError(f"the replay file cannot be read ({error.strerror})", where=name[:SHOWN]) from error
    answers: dict[tuple[str, str, int | str | None], tuple[str, str]] = {}
    problems: list[Problem] = []
    for number, line in enumerate(raw.splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            problems.append(Problem(str(path), number, "", "not UTF-8"))
            continue
        except (ValueError, RecursionError) as error:
            problems.append(Problem(str(path), number, "", f"no JSON object ({error})"))
            continue
        if not isinstance(entry, dict):
            problems.append(Problem(str(path), number, "", "no JSON object"))
            continue
        missing = [key for key in ("item", "step", "text") if not isinstance(entry.get(key), str)]
        if missing:
            problems.append(Problem(str(path), number, missing[0], "missing, or no text"))
            continue
        repeat, finished = entry.get("repeat"), entry.get("finish_reason") or "stop"
        if not isinstance(repeat, int | None):
            problems.append(Problem(str(path), number, "repeat", "no whole number"))
            continue
        asked = entry.get("asked", repeat)
        if not isinstance(asked, int | str | None):
            problems.append(Problem(str(path), number, "asked", "no text"))
            continue
        answers[(entry["item"], entry["step"], asked)] = (entry["text"], finished)
    if problems:
        raise DataError(problems, remedy="Each line must be an object with item, step and text")
    if not answers:
        raise UsageError("the file holds no answers", where=name[:SHOWN], remedy="Name one with a JSON object a line")
    identity = MappingProxyType({"baseline": "replay", "answers": digest(sorted(map(repr, answers.items())))})
    return Replay(name, identity, answers, remedy)


def _probability(text: str, spec: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        example = f"{spec.partition(':')[0]}:0.9"
        raise UsageError(
            f"it takes a probability from 0 to 1, not {text!r}", where=spec, remedy=f"For example {example}"
        )
    return value


@dataclass(frozen=True, slots=True)
class Baseline:
    """One that can be asked for. ``pattern`` is its name, with what stands behind the colon in capitals; ``make``
    takes that and the name as it was given."""

    pattern: str
    what: str
    make: Callable[[str, str], Respondent]

    @property
    def head(self) -> str:
        """The name as far as it is always the same: ``oracle``, ``noisy:``."""
        kind, colon, _ = self.pattern.partition(":")
        return kind + colon


BASELINES: Final = (
    Baseline("oracle", "answers the gold", lambda _, name: Oracle(name, {"baseline": "oracle"})),
    Baseline("random", "seeded chance", lambda _, name: Random(name, {"baseline": "random"})),
    Baseline(
        "noisy:P",
        "each property right with probability P, seeded",
        lambda chance, name: Noisy(_probability(chance, name)),
    ),
    Baseline(
        "seeing:P",
        "sees each value right with probability P, then reasons without fault from that",
        lambda chance, name: Seeing(_probability(chance, name)),
    ),
    Baseline(
        "replay:FILE",
        'recorded answers: JSON lines {"item", "step", "text"}',
        lambda file, name: read_replay(user_path(file, name[:SHOWN])),
    ),
    Baseline(
        eyes.RECORDED,
        "what the small model eyes said of the built-in packs, recorded",
        lambda _, name: read_replay(eyes.folder() / eyes.ANSWERS, name, eyes.REMEDY),
    ),
)


def make_baseline(spec: str) -> Respondent | None:
    """The baseline of that name, None where the name is not one of theirs.

    ``oracle``, ``random``, ``noisy:P`` and ``seeing:P`` with P from 0 to 1, ``replay:FILE``, ``eyes-recorded``.
    UsageError for a P out of range and for a file that cannot be read, DataError for a file with bad lines.
    """
    kind, colon, rest = spec.partition(":")
    for baseline in BASELINES:
        if baseline.head == kind + colon:
            return baseline.make(rest, spec)
    return None
