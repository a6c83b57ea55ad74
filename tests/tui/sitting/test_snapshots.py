"""The screens of a sitting as they look, at three sizes. After a wanted change, run with --snapshot-update."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from core.errors import StoreError
from core.study.definition import Answers, Condition, Design, Display, Items, Practice, Question, Study, Timing
from sessions.store import Store
from tests.tui.sitting.stage import KEY, TEXTS, desk_for, press, study, until
from tui.imaging import Imaging
from tui.sitting.app import SittingApp
from tui.sitting.conducting import Conductor
from tui.sitting.examples import ExamplesScreen
from tui.sitting.pictures import SittingZoom
from tui.sitting.trial import TrialScreen

ONE = ["2", "c", "enter", "i", "enter"]
"""Keys of one answer."""
LOCK = "Experimenter's key"
SIZES = [(80, 24), (120, 40), (160, 48)]
VOILA = study()
ASKED = Question("how", "How clear were the pictures to you?", "scale", points=5)
MMRA = study(
    benchmark="mmra",
    conditions={"": Condition("iq")},
    items=Items(ids=("rp-001",)),
    design=Design(raters=1, per_session=1),
)
VREX = study(
    benchmark="vrex",
    conditions={"": Condition("planning")},
    items=Items(ids=("flowchart-001",)),
    design=Design(raters=1, per_session=1),
)

# each: the study, the participant given, and what is waited for and pressed, in turns
Way = tuple[Study, str, tuple[Any, ...]]
SCREENS: dict[str, Way] = {
    "code": (VOILA, "", ("Your code",)),
    "consent": (study(text={"en": TEXTS}), "P01", ("You may stop",)),
    "instructions": (study(text={"en": replace(TEXTS, consent="")}), "P01", ("Say what the fourth",)),
    "card": (study(display=Display(card=True)), "P01", ("bank card", ["right"])),
    "questionnaire": (study(before=(ASKED,)), "P01", ("How clear", ["4"])),
    "voila": (VOILA, "P01", (TrialScreen, ["2", "s", "e"])),
    "voila_describe": (study(conditions={"": Condition("l2m")}), "P01", (TrialScreen, ["2", *"fox", "enter", "r"])),
    "voila_no_lists": (study(conditions={"": Condition("direct", lists=False)}), "P01", (TrialScreen, ["2", "s"])),
    "mmra": (MMRA, "P01", (TrialScreen, ["b"])),
    "vrex": (VREX, "P01", (TrialScreen, ["c"])),
    "zoom": (VOILA, "P01", (TrialScreen, ["ctrl+l"], SittingZoom, ["plus"])),
    "examples": (VOILA, "P01", (TrialScreen, ["ctrl+e"], ExamplesScreen)),
    "problem": (VOILA, "P01", (TrialScreen, ["ctrl+w"], "What is wrong")),
    "pause": (VOILA, "P01", (TrialScreen, ["ctrl+p"], "Paused")),
    "feedback": (
        study(practice=Practice(ids=("voila-4",))), "P01", (TrialScreen, ONE, "Right would")
    ),
    "break": (
        study(timing=Timing(break_every=1, break_s=600.0)), "P01",
        (TrialScreen, ONE, "You can go on in 600 s"),
    ),
    "confidence": (study(answers=Answers(confidence=7)), "P01", (TrialScreen, ONE, "How sure")),
    "locked": (VOILA, "P01", (TrialScreen, ["ctrl+x"], LOCK)),
    "experimenter": (VOILA, "P01", (TrialScreen, ["ctrl+x"], LOCK, [*KEY, "enter"], "end this session")),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _quick(quick: None) -> None:
    """Keys count at once."""


def app_on(store: Store, made: Study, participant: str) -> SittingApp:
    conductor = Conductor(desk_for(store, made, participant=participant), Imaging("halfcell"))
    return SittingApp(conductor, Imaging("halfcell"), theme="textual-dark")


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40", "160x48"])
@pytest.mark.parametrize("screen", SCREENS)
def test_screen(snap_compare: Callable[..., bool], store: Store, screen: str, size: tuple[int, int]) -> None:
    made, participant, way = SCREENS[screen]

    async def go(pilot: Any) -> None:
        for each in way:
            if isinstance(each, list):
                await press(pilot, *each)
            else:
                await until(pilot, each)
        await pilot.pause()

    app = app_on(store, made, participant)
    try:
        assert snap_compare(app, terminal_size=size, run_before=go)
    finally:
        if app.conductor.sitting is not None:
            app.conductor.sitting.close()


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40", "160x48"])
def test_nothing_can_be_saved(snap_compare: Callable[..., bool], store: Store, size: tuple[int, int]) -> None:
    app = app_on(store, VOILA, "P01")

    async def go(pilot: Any) -> None:
        await until(pilot, TrialScreen)
        full = StoreError(
            "nothing could be written: database or disk is full", where="study.db", remedy="Free some space"
        )
        pilot.app.run_worker(app.conductor._stopped(full))
        await until(pilot, "Nothing can be saved")
        await pilot.pause()

    try:
        assert snap_compare(app, terminal_size=size, run_before=go)
    finally:
        if app.conductor.sitting is not None:
            app.conductor.sitting.close()
