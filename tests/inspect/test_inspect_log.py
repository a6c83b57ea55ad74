"""The log that ``export inspect`` writes, opened by inspect-ai itself: every message, picture and score.

These tests run in an environment apart (``make test-inspect``): inspect-ai brings sixty packages.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.records import Answer, Call, Progress, SentPicture, Usage
from sessions.exchange.inspect_log import write_log
from sessions.journal import StoreJournal
from sessions.replay import Replay
from sessions.runs import Run
from sessions.scoring import keep_scores
from sessions.store import Store
from tests.stored import STEPS, a_run, a_score, a_step, an_item, walk

inspect_log = pytest.importorskip("inspect_ai.log", reason="make test-inspect installs inspect-ai")

PIXELS = (b"first picture", b"second picture")
NASTY = "one \ud800 \x00 <b>two</b> \u202e 三"


def sent(data: bytes) -> SentPicture:
    return SentPicture(hashlib.sha256(data).hexdigest(), "image/png", (3, 4), (3, 4), "one.png", data)


async def fill(store: Store) -> Run:
    """Repeats, a fork, a failure, pictures sent and one answered with, two scorers, texts that hurt."""
    run = a_run(store, "small", respondent="gpt-\ud800")
    journal = StoreJournal(store, run)
    trajectory = await journal.take_up(an_item(0), 0)
    for place, name in enumerate(STEPS):
        call = Call("ask", f"{place:064x}", {"m": 1}, {"r": float("nan")}, "m", 1, 0.5, Usage(10, 3, None))
        answer = Answer(NASTY if place else "one", reasoning="hm" if place else "", call=call)
        if place < 2:
            answer = replace(answer, sent=(sent(PIXELS[place]),))
        else:
            answer = replace(answer, picture=sent(PIXELS[0]))
        trajectory = await journal.add_step(trajectory, replace(a_step(name, 7 - place), answer=answer))
    trajectory = await journal.finish(trajectory, Progress.DONE)
    keep_scores(store, run, [(trajectory.steps[0].id, a_score(3, scorer="judge"))])
    await walk(journal, an_item(0), repeat=1)
    fork = await journal.fork(trajectory, 1)
    await journal.add_step(fork, a_step("relate", 0, lane="relate=again"))
    failed = await journal.take_up(an_item(1), 0)
    await journal.finish(failed, Progress.FAILED, "the server \ud800 was down", step="describe")
    return run


@pytest.fixture
def log(tmp_path: Path) -> Any:
    with Store.open(tmp_path / "s.db") as store:
        run = asyncio.run(fill(store))
        assert write_log(store, run, tmp_path / "small.eval") == 4
    return inspect_log.read_eval_log(str(tmp_path / "small.eval"), resolve_attachments="full")


ORDER = ("voila-0", 1), ("voila-0", 2), ("voila-0 fork 3", 1), ("voila-1", 1)  # as the store numbers them


def samples_of(log: Any) -> list[Any]:
    """By our numbers; inspect-ai sorts by epoch."""
    found = {(sample.id, sample.epoch): sample for sample in log.samples}
    return [found[key] for key in ORDER]


def plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def test_every_trajectory_is_a_sample(log: Any) -> None:
    assert log.version >= 2
    assert log.status == "success"
    assert {(sample.id, sample.epoch) for sample in log.samples} == set(ORDER)
    assert log.eval.model == plain("gpt-\ud800")
    assert log.eval.task == "voila:nd"
    assert log.eval.config.epochs == 2
    assert log.eval.metadata["run"] == "small"
    failed = samples_of(log)[3]
    assert (failed.error.message, failed.messages) == (plain("the server \ud800 was down"), [])


def test_every_message_is_there_in_order(log: Any, tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        for number, sample in enumerate(samples_of(log), 1):
            steps = Replay(store.reader()).trajectory(number).steps
            assert [message.role for message in sample.messages] == ["user", "assistant"] * len(steps)
            asked, told = sample.messages[::2], sample.messages[1::2]
            for step, question, answer in zip(steps, asked, told, strict=True):
                texts = [part.text for part in question.content if part.type == "text"]
                assert texts[-2:] == [f"Please {step.turn.step}.", "In one line."]
                assert answer.text == plain(step.answer.text)
                assert question.metadata["step"] == step.turn.step
                thought = [part.reasoning for part in answer.content if part.type == "reasoning"]
                assert thought == ([step.answer.reasoning] if step.answer.reasoning else [])
            assert sample.target == [step.turn.gold_text for step in steps]


def test_every_picture_is_what_was_sent(log: Any) -> None:
    def pictures(message: Any) -> list[bytes]:
        images = [part.image for part in message.content if part.type == "image"]
        return [base64.b64decode(image.removeprefix("data:image/png;base64,")) for image in images]

    messages = samples_of(log)[0].messages
    assert [pictures(message) for message in messages] == [[PIXELS[0]], [], [PIXELS[1]], [], [], [PIXELS[0]]]
    unsent = samples_of(log)[1].messages[0].content[0].text
    assert unsent == "[picture 0_0.png + 0_1.png, not sent]"


def test_every_score_is_there_by_property(log: Any, tmp_path: Path) -> None:
    first = samples_of(log)[0].scores
    assert set(first) == {"rule:describe", "rule:relate", "rule:apply", "judge:describe"}
    assert first["rule:relate"].value == {"number": 0, "subject": 1, "action": 1, "all": 0}
    assert first["judge:describe"].metadata["version"] == "1"
    assert [sample.scores.get("rule:relate").value["all"] for sample in samples_of(log)[:3]] == [0, 1, 0]
    metrics = {score.name: score.metrics["accuracy"].value for score in log.results.scores}
    assert metrics == {"rule:describe": 1.0, "rule:relate": 0.5, "rule:apply": 0.5, "judge:describe": 0.0}


def test_the_header_alone_and_single_samples_are_read_too(log: Any, tmp_path: Path) -> None:
    path = str(tmp_path / "small.eval")
    assert inspect_log.read_eval_log(path, header_only=True).samples is None
    assert inspect_log.read_eval_log_sample(path, "voila-0", 2).messages
    summaries = inspect_log.read_eval_log_sample_summaries(path)
    assert len(summaries) == 4
