"""MMRA in the stepping screen: two pictures, the question, the options; blank controls are shown blank."""

from __future__ import annotations

from pathlib import Path

from core.benchmarks import registry
from core.pictures import Pictures
from core.plan import Plan
from core.prompts import prompts_for
from core.records import Progress, Show
from core.respondents.baselines import make_baseline
from core.scoring import scorers_of
from tests.memory_journal import MemoryJournal
from tests.mmra_data import loaded, made_rows, metadata
from tests.tui.pilots import app_on, press, words
from tui.imaging import Imaging
from tui.state.stepping import Stepping
from tui.widgets.pictures import Scaler

MMRA = registry.get("mmra")


def state_on(folder: Path, protocol: str, respondent: str = "oracle", **options: str) -> Stepping:
    baseline = make_baseline(respondent)
    assert baseline is not None
    made = MMRA.protocols[protocol]("", options, prompts_for("mmra"))
    items = tuple(loaded(metadata(folder, made_rows({"US": 3}))))
    return Stepping(Plan(MMRA, made, baseline, scorers_of(MMRA)), MemoryJournal(), items, clock=lambda: 0.0)


async def test_a_question_is_stepped_through_with_both_pictures(tmp_path: Path) -> None:
    state = state_on(tmp_path, "dq")
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "space", "space")
        assert state.current.progress is Progress.DONE
        assert [step.turn.step for step in state.current.steps] == ["describe.1", "describe.2", "answer"]
        await press(pilot, "p")
        shown = words(pilot)
        assert "three options, one of them is correct" in shown
        assert "published" in shown
        await press(pilot, "b", "b", "g")
        assert state.current.parent is None, "a description has no gold to fork with"
        await press(pilot, "greater_than_sign", "space")
    assert state.position == 1


async def test_a_blank_picture_is_another_than_the_picture(tmp_path: Path) -> None:
    state = state_on(tmp_path, "idq", pictures="blank")
    await state.open_item(0)
    await state.next()
    assert state.shows() == ((Show((0,)),), True)
    await state.next()
    await state.next()
    assert state.shows() == ((Show((0,), blank=True), Show((1,), blank=True)), True)
    scaler = Scaler(Pictures(), Imaging("halfcell"))
    plain, blank = (scaler.make(state.item, Show((0,), blank=b), 20, 10).image for b in (False, True))
    assert plain is not None
    assert blank is not None
    assert plain.size == blank.size
    assert plain.tobytes() != blank.tobytes()
    assert len(blank.convert("RGB").getcolors() or ()) == 1
