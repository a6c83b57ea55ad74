"""A run as a log of inspect-ai: each trajectory a sample with its messages, pictures and scores.

inspect-ai itself builds and writes the log (the extra ``inspect``), so that what it writes it also reads.
"""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from core.benchmarks import registry
from core.columns import plain
from core.errors import UsageError
from core.records import Item, Progress, Score, SentPicture, Show, Step, Trajectory, named
from core.version import own_version
from sessions.entries import properties
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store

_STATUS: Final = {"ok": "stop", "empty": "stop", "refusal": "content_filter", "truncated": "max_tokens"}


def write_log(store: Store, run: Run, path: Path) -> int:
    """Write a run to an ``.eval`` file; how many samples it has. Raises UsageError without the extra ``inspect``.

    A trajectory is a sample, its repeat the epoch; a fork is a sample of its own. A picture is what was sent, or a
    word about it where its bytes are not stored. A step's score under SCORER is the score ``SCORER:STEP``: 1 or 0 by
    property, and ``all``.
    """
    try:
        from inspect_ai.log import write_eval_log
    except ImportError:
        raise UsageError(
            "a log of inspect needs the package inspect-ai",
            where="export inspect",
            remedy="pip install 'phoropter[inspect]'",
        ) from None
    with store.snapshot():
        log = _Log(store, run).built()
    write_eval_log(log, str(path), format="eval")
    return len(log.samples)


class _Log:
    """Builds the log of one run."""

    def __init__(self, store: Store, run: Run) -> None:
        self._db = store.reader()
        self._replay = Replay(self._db)
        self._run = run
        self._layout = registry.get(run.config.benchmark).layout
        self._values: dict[str, list[bool]] = defaultdict(list)
        self._uris: dict[str, str] = {}
        self._items: dict[int, Item] = {}

    def built(self) -> Any:
        from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalMetric, EvalResults, EvalScore, EvalSpec

        config = self._run.config
        samples = list(self._samples())
        ids = list(dict.fromkeys(sample.id for sample in samples))
        scores = [
            EvalScore(
                name=name,
                scorer=name.partition(":")[0],
                scored_samples=len(values),
                metrics={"accuracy": EvalMetric(name="accuracy", value=sum(values) / len(values))},
            )
            for name, values in sorted(self._values.items())
        ]
        return EvalLog(
            status="success",
            eval=EvalSpec(
                created=_moment(self._run.created),
                run_id=self._run.uid,
                eval_id=self._run.uid,
                task=named(config.benchmark, config.subset),
                task_args={"protocol": config.protocol, **config.options},
                dataset=EvalDataset(name=named(config.benchmark, config.subset), samples=len(ids), sample_ids=ids),
                model=plain(config.respondent),
                config=EvalConfig(epochs=max((sample.epoch for sample in samples), default=1)),
                packages={"phoropter": own_version()},
                metadata=_clean(
                    {
                        "run": self._run.name,
                        "identity": self._run.identity,
                        "kind": config.respondent_kind,
                        "configuration": config.to_json(),
                        "versions": dict(self._run.versions),
                    }
                ),
            ),
            results=EvalResults(
                total_samples=len(samples),
                completed_samples=sum(sample.error is None for sample in samples),
                scores=scores,
            ),
            samples=samples,
        )

    def _samples(self) -> Iterator[Any]:
        rows = self._db.execute(
            "SELECT id, item FROM trajectories WHERE run = ? ORDER BY item, id", (self._run.id,)
        ).fetchall()
        for row, item in rows:
            if item not in self._items:
                self._items = {item: self._replay.item(item)}
            yield self._sample(self._replay.trajectory(row, self._items[item], calls=True))

    def _sample(self, trajectory: Trajectory) -> Any:
        from inspect_ai._util.error import EvalError
        from inspect_ai.log import EvalSample

        messages = [message for step in trajectory.steps for message in self._messages(trajectory.item, step)]
        fork = trajectory.parent is not None
        error = None
        if trajectory.progress is Progress.FAILED:
            error = EvalError(message=plain(trajectory.reason), traceback="", traceback_ansi="")
        return EvalSample(
            id=plain(f"{trajectory.item.id} fork {trajectory.id}" if fork else trajectory.item.id),
            epoch=trajectory.repeat + 1,
            input=messages[:1] if messages else "",
            target=[plain(step.turn.gold_text) for step in trajectory.steps],
            messages=messages,
            output=self._output(trajectory.steps),
            scores=self._scores(trajectory.steps, counts=not fork),
            metadata=_clean(
                {
                    "trajectory": trajectory.id,
                    "forked_from": trajectory.parent,
                    "shared_steps": trajectory.fork,
                    "interventions": trajectory.lane,
                    "progress": trajectory.progress.value,
                    "groups": dict(trajectory.item.groups),
                    "item_hash": trajectory.item.hash,
                    "facts": dict(trajectory.item.facts),
                    "steps": [
                        {"step": step.turn.step, "origin": step.origin.value, "choice": step.choice, "id": step.id}
                        for step in trajectory.steps
                    ],
                }
            ),
            error=error,
        )

    def _messages(self, item: Item, step: Step) -> Iterator[Any]:
        from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ContentReasoning, ContentText

        turn = step.turn
        about = {"step": turn.step, "origin": step.origin.value, "step_id": step.id}
        yield ChatMessageUser(content=list(self._asked(item, step)), metadata=_clean(about), source="input")
        said: list[Any] = []
        if step.answer.reasoning:
            said.append(ContentReasoning(reasoning=plain(step.answer.reasoning)))
        said.append(ContentText(text=plain(step.answer.text)))
        if step.answer.picture is not None:
            said.append(self._picture(step.answer.picture))
        yield ChatMessageAssistant(content=said, model=plain(self._run.config.respondent), source="generate")

    def _asked(self, item: Item, step: Step) -> Iterator[Any]:
        """The turn's words and pictures in their order; pictures as sent, else named."""
        from inspect_ai.model import ContentText

        sent = list(step.answer.sent)
        for part in step.turn.content:
            if not isinstance(part, Show):
                yield ContentText(text=plain(part.text))
            elif sent:
                yield self._picture(sent.pop(0))
            else:
                names = " + ".join(item.pictures[index].name for index in part.of if index < len(item.pictures))
                yield ContentText(text=plain(f"[picture {names}, not sent]"))
        for picture in sent:
            yield self._picture(picture)
        if step.turn.answer_format:
            yield ContentText(text=plain(step.turn.answer_format))

    def _picture(self, picture: SentPicture) -> Any:
        from inspect_ai.model import ContentImage, ContentText

        if picture.hash not in self._uris:
            data = self._replay.picture(picture.hash)
            kind = picture.mime or "image/png"
            self._uris[picture.hash] = (
                f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}" if data is not None else ""
            )
        uri = self._uris[picture.hash]
        if not uri:
            return ContentText(text=plain(f"[picture {picture.name}, sha256 {picture.hash}: not in the store]"))
        return ContentImage(image=uri)

    def _output(self, steps: Sequence[Step]) -> Any:
        from inspect_ai.model import ModelOutput, ModelUsage

        name = plain(self._run.config.respondent)
        if not steps:
            return ModelOutput(model=name)
        last = steps[-1].answer
        output = ModelOutput.from_content(
            name, plain(last.text), stop_reason=_STATUS.get(last.status.value, "unknown")
        )
        calls = [step.answer.call for step in steps if step.answer.call is not None and step.answer.recalled is None]
        asked = sum(call.usage.prompt_tokens for call in calls)
        told = sum(call.usage.completion_tokens for call in calls)
        output.usage = ModelUsage(input_tokens=asked, output_tokens=told, total_tokens=asked + told)
        output.time = sum(call.seconds for call in calls)
        return output

    def _scores(self, steps: Sequence[Step], *, counts: bool) -> dict[str, Any]:
        from inspect_ai.scorer import Score as Scored

        found = {}
        for step in steps:
            for score in step.scores:
                name = plain(f"{score.scorer}:{step.turn.step}")
                if score.scored and counts:
                    self._values[name].append(score.correct)
                found[name] = Scored(
                    value=self._value(step, score),
                    answer=plain(json.dumps(dict(score.parsed), ensure_ascii=False)),
                    explanation=score.status.value,
                    metadata=_clean(
                        {"version": score.version, "spans": {k: list(v) for k, v in score.spans.items()}}
                    ),
                )
        return found

    def _value(self, step: Step, score: Score) -> dict[str, int | None]:
        value: dict[str, int | None] = {
            name: int(right)
            for name, right in properties(self._layout(step.turn.step), score.right, score.scored).items()
        }
        value["all"] = int(score.correct) if score.scored else None
        return value


def _moment(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")


def _clean(value: Mapping[str, Any]) -> dict[str, Any]:
    """JSON that any reader takes: lone surrogates and what is no number are told in words."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    cleaned: dict[str, Any] = json.loads(plain(text), parse_constant=str)
    return cleaned
