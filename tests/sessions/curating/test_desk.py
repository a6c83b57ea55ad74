"""Reviews in the store: others in each round, nothing accepted that has faults, candidates picked in turn."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from core.benchmarks.voila.vocabulary import all_contents
from core.config import Config
from core.curation.voila.load import write as write_contents
from core.errors import StoreError, UsageError
from core.planning import Request, prepare
from core.records import Origin
from sessions.curating.desk import Desk
from sessions.curating.state import ACCEPTED, REJECTED, WAITING, reviewers_of, standings
from sessions.opening import OpenRun, open_prepared
from sessions.store import Store
from tests.making import answered, chain, chains_file, items, protocol, walked


def replay(folder: Path, rows: int = 3, **said: str) -> Path:
    """A file that answers every turn of making so many chains; ``said`` are other answers by step."""
    file = chains_file(folder, [chain(number) for number in range(1, rows + 1)])
    asked, lines = protocol("make-vrex"), []
    for item in items("make-vrex", file):
        for step in walked(asked, item, lambda turn: None if turn.step[:6] == "review" else answered(turn.text)):
            name = step.turn.step
            text = said.get(name, step.answer.text)
            lines.append({"item": item.id, "step": name, "text": text})
            if name in said:
                lines.append({"item": item.id, "step": f"{name}.again", "text": text})
    out = folder / "replay.jsonl"
    out.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return out


def made(store: Store, folder: Path, **said: str) -> OpenRun:
    """A run of which everything but the reviews is done."""
    answers = replay(folder, **said)
    request = Request(
        "make-vrex",
        data=folder / "chains.jsonl",
        respondent=f"replay:{answers}",
        respondents_at={"review": "people"},
    )
    prepared = prepare(request, Config())
    opened = open_prepared(store, prepared)
    asyncio.run(opened.engine().run(prepared.selection))
    return opened


def desk(opened: OpenRun, who: str) -> Desk:
    return Desk(opened.store, opened.run, opened.prepared.plan, who)


def states(opened: OpenRun) -> list[str]:
    return [one.state for one in standings(opened.store, opened.run, opened.prepared.plan.protocol)]


def review_all(opened: OpenRun, who: str) -> int:
    own = desk(opened, who)
    return sum(asyncio.run(own.keep(waiting, "accept")) for waiting in own.all())


def test_two_rounds_are_two_peoples(store: Store, tmp_path: Path) -> None:
    opened = made(store, tmp_path)
    assert states(opened) == [WAITING] * 3
    assert review_all(opened, "R1") == 3
    assert review_all(opened, "R1") == 0, "nobody reviews what they reviewed before"
    assert states(opened) == [WAITING] * 3
    assert review_all(opened, "R2") == 3
    assert states(opened) == [ACCEPTED] * 3
    found = list(standings(store, opened.run, opened.prepared.plan.protocol))
    assert reviewers_of(found) == {"review.1": ["R1"], "review.2": ["R2"]}
    last = found[0].trajectory.steps[-1]
    assert (last.origin, json.loads(last.answer.text)) == (Origin.PERSON, {"reviewer": "R2", "verdict": "accept"})


def test_a_rejected_item_waits_for_nobody_and_an_edited_one_is_told(store: Store, tmp_path: Path) -> None:
    opened = made(store, tmp_path)
    own = desk(opened, "R1")
    first, second, _ = own.all()
    assert asyncio.run(own.keep(first, "reject", reason="dull"))
    text = second.draft.text.replace("What lies in corner 0 at 1?", "Who left the gate open?")
    assert asyncio.run(own.keep(second, "edit", text=text))
    assert len(desk(opened, "R2").rows()) == 2
    by_state = {one.trajectory.item.id: one for one in standings(store, opened.run, opened.prepared.plan.protocol)}
    assert (by_state[first.trajectory.item.id].state, by_state[first.trajectory.item.id].reason) == (REJECTED, "dull")
    assert by_state[second.trajectory.item.id].edited


def test_the_first_of_two_verdicts_stands(store: Store, tmp_path: Path) -> None:
    opened = made(store, tmp_path)
    one, other = desk(opened, "R1"), desk(opened, "R2")
    (row, *_) = one.rows()
    seen, also_seen = one.take(row), other.take(row)
    assert seen is not None
    assert also_seen is not None
    assert asyncio.run(one.keep(seen, "accept"))
    assert not asyncio.run(other.keep(also_seen, "reject", reason="no"))
    assert other.take(row) is not None, "the second round is theirs"


def test_what_has_faults_is_not_accepted_and_what_breaks_an_item_is_not_kept(store: Store, tmp_path: Path) -> None:
    opened = made(store, tmp_path, **{"step.1": "nothing", "chains": "nothing"})
    own = desk(opened, "R1")
    waiting = next(own.all())
    assert waiting.draft.faults == ("step 1 has no distractor",)
    with pytest.raises(UsageError, match="step 1 has no distractor"):
        asyncio.run(own.keep(waiting, "accept"))
    with pytest.raises(UsageError, match="the chain has 2 steps"):
        asyncio.run(own.keep(waiting, "edit", text="step 1"))
    mended = waiting.draft.text.replace("\nstep 2", "\nstep: Is there a well? = No\nstep 2")
    assert asyncio.run(own.keep(waiting, "edit", text=mended))
    assert desk(opened, "R2").take(waiting.trajectory.id).draft.faults == ()  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "x" * 41])
def test_a_reviewer_has_a_pseudonym(store: Store, tmp_path: Path, name: str) -> None:
    opened = made(store, tmp_path)
    with pytest.raises(UsageError, match="a pseudonym has 1 to 40 characters"):
        desk(opened, name)


def test_an_ordinary_run_has_no_reviews(store: Store) -> None:
    prepared = prepare(Request("vrex"), Config())
    opened = open_prepared(store, prepared)
    with pytest.raises(UsageError, match="nobody reviews this run"):
        desk(opened, "R1")


def test_people_answer_only_what_a_pipeline_asks_them() -> None:
    with pytest.raises(UsageError, match="people answer in a study"):
        prepare(Request("vrex", respondent="people"), Config())


def test_so_many_pictures_are_asked_for_as_are_kept(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "contents.jsonl"
    write_contents(file, all_contents()[:2])
    request = Request(
        "make-voila",
        data=file,
        options={"kept": "2"},
        respondent="oracle",
        respondents_at={"review": "people"},
        repeats=4,
    )
    prepared = prepare(request, Config())
    opened = open_prepared(store, prepared)
    asyncio.run(opened.engine().run(prepared.selection))
    own = desk(opened, "R1")
    assert len(own.rows()) == 8
    verdicts = iter(["reject", "accept", "accept", "accept", "accept"])
    looked = []
    for waiting in own.all():
        verdict = next(verdicts)
        assert asyncio.run(own.keep(waiting, "accept" if verdict == "accept" else "reject"))
        looked.append((waiting.trajectory.item.id, waiting.trajectory.repeat))
    first, second = dict.fromkeys(item for item, _ in looked)
    assert looked == [(first, 0), (first, 1), (first, 2), (second, 0), (second, 1)]
    assert desk(opened, "R2").rows() == []
    assert states(opened).count(WAITING) == 3


async def test_a_verdict_that_cannot_be_kept_is_not_told_as_kept(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await asyncio.to_thread(made, store, tmp_path)
    own = desk(opened, "R1")
    waiting = next(own.all())

    async def broken(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(store.writer, "submit", broken)
        with pytest.raises(StoreError):
            await own.keep(waiting, "accept")
    assert own.done == 0
    assert own.take(waiting.trajectory.id) is not None
