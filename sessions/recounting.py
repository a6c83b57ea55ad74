"""Does what follows from the stored answers still follow? Scores by rule are made again from the texts, turns from
the protocol, and answers are looked for in the replies that they came in.

Judges' and people's scores cannot be made again and are left alone.
"""

from __future__ import annotations

import random
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from core.benchmarks import registry
from core.benchmarks.base import Benchmark, ProtocolLike
from core.errors import PhoropterError
from core.planning import make_protocol
from core.prompts import prompt_hashes
from core.records import Call, Json, Score, Step, Trajectory
from core.respondents.replies import GarbageError, read_reply
from core.scoring import RULE, Scorer, scorers_of
from core.version import own_version
from sessions.identity import RunConfig
from sessions.reopening import request_of
from sessions.replay import Replay
from sessions.runs import Run, run_at
from sessions.scoring import same
from sessions.values import BREAKS

SAMPLE: Final = 1000
"""So many trajectories are looked at where nobody asks for all."""
SEED: Final = 0
"""Of the sample: the same store is sampled alike each time."""

_ASKED: Final = "answer"  # the purpose of a respondent's own calls
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")

Tell: TypeAlias = Callable[[int, int], None]
"""Hears how many of how many trajectories have been looked at."""


@dataclass(slots=True)
class Recount:
    """What came of it. ``looked`` of ``there`` trajectories were taken up, with ``steps`` steps.

    The rows are steps' but for ``torn`` and ``beyond``, which are trajectories': those that cannot be read, and those
    that can, but this program's scorer or protocol makes nothing of them. ``unlike`` are steps whose turn this
    program would ask otherwise in a run that it made itself, ``asked_otherwise`` in one that another version made.
    ``older`` counts scores by the version of their scorer, where this program has another one.
    """

    there: int = 0
    looked: int = 0
    steps: int = 0
    scored_otherwise: list[int] = field(default_factory=list)
    unscored: list[int] = field(default_factory=list)
    chosen_otherwise: list[int] = field(default_factory=list)
    unlike: list[int] = field(default_factory=list)
    asked_otherwise: list[int] = field(default_factory=list)
    not_in_reply: list[int] = field(default_factory=list)
    other_pictures: list[int] = field(default_factory=list)
    torn: list[int] = field(default_factory=list)
    beyond: list[int] = field(default_factory=list)
    older: Counter[str] = field(default_factory=Counter)


def recount(db: sqlite3.Connection, most: int | None = SAMPLE, tell: Tell | None = None) -> Recount:
    """Every step that a trajectory of the sample made, and the path that it stands on; of all trajectories where
    ``most`` is None. One is held at a time."""
    out = Recount()
    (out.there,) = db.execute("SELECT count(*) FROM trajectories").fetchone()
    replay = Replay(db)
    plans: dict[int, _Plan | None] = {}
    for row, run in _chosen(db, out.there, most):
        out.looked += 1
        try:
            if run not in plans:
                plans[run] = _plan(run_at(db, run))
            read = _read(replay, row)
        except (*BREAKS, PhoropterError, sqlite3.Error):  # a damaged row decodes to anything
            out.torn.append(row)
        else:
            if (plan := plans[run]) is not None:
                _look(out, read, plan)
        if tell is not None:
            tell(out.looked, out.there if most is None else min(most, out.there))
    return out


def _chosen(db: sqlite3.Connection, there: int, most: int | None) -> Iterator[tuple[int, int]]:
    rows = db.execute("SELECT id, run FROM trajectories ORDER BY id")
    if most is None or there <= most:
        yield from rows
        return
    wanted = set(random.Random(SEED).sample(range(there), most))
    yield from (row for place, row in enumerate(rows) if place in wanted)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a run was made with, as far as this program can tell. ``asks``: its protocol would ask the same turns
    today; ``own``: this very version made it."""

    benchmark: Benchmark
    scorers: Sequence[Scorer]
    protocol: ProtocolLike | None
    asks: bool
    own: bool


def _plan(run: Run) -> _Plan | None:
    """None for a benchmark that this program does not know."""
    config = run.config
    try:
        benchmark = registry.get(config.benchmark)
    except PhoropterError:
        return None
    protocol, asks = _protocol(benchmark, config, run)
    own = run.versions.get("phoropter") == own_version()
    return _Plan(benchmark, scorers_of(benchmark), protocol, asks, own)


def _protocol(benchmark: Benchmark, config: RunConfig, run: Run) -> tuple[ProtocolLike | None, bool]:
    """A study's turns need its texts and examples, and a pipeline looks beyond one trajectory: neither is asked
    again here."""
    try:
        request = request_of(run)
        protocol = make_protocol(benchmark, config.subset, request)
    except (PhoropterError, OSError):
        return None, False
    same_words = dict(prompt_hashes(benchmark.name, protocol.prompts)) == dict(config.prompts)
    same_options = dict(protocol.options) == dict(config.options)
    told = config.told or request.told is not None or benchmark.pipeline
    return protocol, same_words and same_options and not told


@dataclass(frozen=True, slots=True)
class _Read:
    """A trajectory with its path, and the steps that it made itself, on that path or beside it."""

    path: Trajectory
    made: Sequence[Step]


def _read(replay: Replay, row: int) -> _Read:
    path = replay.trajectory(row, calls=True)
    made = {step for (step,) in replay.db.execute("SELECT id FROM steps WHERE trajectory = ?", (row,))}
    aside = replay.steps(made - {step.id for step in path.steps}, calls=True)
    return _Read(path, [*(step for step in path.steps if step.id in made), *(step for step, _, _ in aside)])


def _look(out: Recount, read: _Read, plan: _Plan) -> None:
    out.steps += len(read.made)
    for step in read.made:
        call = step.answer.call
        if call is not None and call.purpose == _ASKED and step.answer.recalled is None:
            if not _holds(call, step, own=plan.own):
                out.not_in_reply.append(step.id)
            if not _shows(call, step):
                out.other_pictures.append(step.id)
    try:
        for step in read.made:
            _scores(out, read.path, step, plan)
        if plan.protocol is not None and plan.asks:
            mine = {step.id for step in read.made}
            odd = [step for step in _unlike(read.path, plan.protocol) if step in mine]
            (out.unlike if plan.own else out.asked_otherwise).extend(odd)
    except (*BREAKS, PhoropterError):
        out.beyond.append(read.path.id)


# -- scores, and what is chosen by them


def _scores(out: Recount, trajectory: Trajectory, step: Step, plan: _Plan) -> None:
    by_rule: Score | None = None
    for scorer in plan.scorers:
        score = scorer.score(trajectory.item, step.turn, step.answer)
        stored = step.score(scorer.name)
        if stored is None:
            out.unscored += [step.id] if scorer.name == RULE else []
        elif stored.version != score.version:
            out.older[f"{scorer.name} {stored.version}, this program's is {score.version}"] += 1
        else:
            if not same(stored, score) or dict(stored.spans) != dict(score.spans):
                out.scored_otherwise.append(step.id)
            by_rule = score if scorer.name == RULE else by_rule
    if by_rule is None or plan.protocol is None or not plan.own:
        return
    if plan.protocol.choice(trajectory.item, step.turn, by_rule) != step.choice:
        out.chosen_otherwise.append(step.id)


# -- turns


def _unlike(trajectory: Trajectory, protocol: ProtocolLike) -> Iterator[int]:
    """The steps of the path whose turn is not what the protocol asks there; one that somebody changed stays."""
    for index, step in enumerate(trajectory.steps):
        turn = protocol.next_turn(trajectory.item, trajectory.steps[:index])
        if turn is None or turn.step != step.turn.step or (step.turn.made_by == "protocol" and turn != step.turn):
            yield step.id


# -- calls


def _holds(call: Call, step: Step, *, own: bool) -> bool:
    """Whether the answer stands in the reply, and its tokens are those that the reply counts; true where nobody can
    tell."""
    answer, reply = step.answer, call.reply
    if answer.picture is not None or not isinstance(reply, Mapping):
        return True
    usage = reply.get("usage")
    told = usage.get("prompt_tokens") if isinstance(usage, Mapping) else None
    if isinstance(told, int) and told > 0 and call.usage.prompt_tokens not in (0, told):
        return False
    try:
        read = read_reply(reply)
    except GarbageError:  # no chat completion: a local model's says its text, another is not known here
        said, status, text = reply.get("text"), answer.status, ""
    else:
        said, status, text = "\n".join(_strings(reply)), read.status, read.text
    if not isinstance(said, str):
        return True
    whole = answer.text in (text, "") or answer.text.strip() in said
    thought = answer.reasoning.strip().partition("\n")[0] in said
    return whole and thought and (not own or status is answer.status)


def _shows(call: Call, step: Step) -> bool:
    """Whether the pictures of the step are among those that its request names."""
    named = {one for one in _strings(call.request) if _DIGEST.fullmatch(one)}
    sent = {picture.hash for picture in step.answer.sent}
    return sent <= named if sent else not (named and step.turn.shows)


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)
