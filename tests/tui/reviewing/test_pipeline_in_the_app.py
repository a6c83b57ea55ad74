"""A pipeline's run in the app: looked at, forked, and never waiting for somebody who is not there."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.interventions import Intervention
from core.records import Origin
from sessions.store import Store
from tests.making import step_reply
from tests.sessions.curating.test_desk import made
from tests.tui.stored import opened


async def test_its_steps_can_be_forked_and_a_persons_turn_says_whose_it_is(path: Path, tmp_path: Path) -> None:
    with Store.open(path) as store:
        run = await asyncio.to_thread(made, store, tmp_path)
        ready = await opened(store, run.run)
        stepping = ready.stepping
        names = [step.turn.step for step in stepping.current.steps]
        assert names[0] == "step.1"
        assert {step.lane for step in stepping.current.steps} == {""}, "everybody is asked what is theirs"
        stepping.forward()
        await stepping.to_end()
        assert stepping.stopped is not None
        assert "phoropter make review" in stepping.stopped.reason
        own = step_reply([(f"Who sits on bench {k}?", "Nobody", 3) for k in range(5)])
        fork = await stepping.engine.intervene(stepping.family.main, 0, Intervention("step.1", "text", text=own))
        assert (fork.steps[0].origin, fork.parent) == (Origin.EDITED, stepping.family.main.id)
        merged = run.prepared.plan.protocol.merged(fork.item, fork.steps)  # type: ignore[attr-defined]
        assert "Who sits on bench 0?" in {one.asked.question for one in merged.distractors[0]}
