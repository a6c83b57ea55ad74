"""Whole sessions on the screen, over a real store: what is asked after what, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.widgets import Input, TextArea

from core.errors import StoreError
from core.study.definition import Answers, Catch, Condition, Design, Items, Practice, Question, Texts, Timing
from sessions.store import Store
from sessions.studies import wishes
from sessions.studies.watching import Watcher
from tests.tui.sitting.stage import (
    KEY,
    SURE,
    TEXTS,
    TIMED,
    VOILA,
    answer,
    choices,
    ended,
    gone,
    pages,
    press,
    rows,
    said,
    sitting,
    study,
    until,
)
from tui.sitting.app import SittingApp
from tui.sitting.asking import QuestionScreen
from tui.sitting.examples import ExamplesScreen
from tui.sitting.form_text import FormText
from tui.sitting.pages import BlankScreen, PauseScreen, StoppedScreen
from tui.sitting.pictures import SittingZoom
from tui.sitting.screen import Keys
from tui.sitting.trial import TrialScreen
from tui.widgets.pictures import PictureBox

Later = Callable[[float], Awaitable[None]]
pytestmark = pytest.mark.usefixtures("quick")

EVERYTHING = study(
    text={"en": TEXTS},
    practice=Practice(ids=("voila-4",)),
    gate=(Question("g", "Is water wet?", options=("Yes", "No"), answer="Yes"),),
    before=(Question("age", "How old are you?", "number"),),
    after=(Question("how", "How was it?", "scale", points=5),),
    catch=Catch(ids=("voila-12",), every=2),
    timing=Timing(break_every=2),
)


async def test_a_whole_session_asks_everything_in_its_order_and_keeps_it(store: Store) -> None:
    async with sitting(store, EVERYTHING, kind="main", participant="", experimenter="AB", station="left") as (
        pilot,
        app,
    ):
        await until(pilot, "Your code")
        await press(pilot, *"p01", "enter")
        await until(pilot, "You may stop")
        await press(pilot, "1", "enter")
        await until(pilot, "How old")
        await press(pilot, *"33", "enter")
        await pages(pilot, "Say what the fourth", "One for practice")
        await answer(pilot, *VOILA)
        await pages(pilot, "Right would be", "it counts")
        await until(pilot, "water")
        await press(pilot, "n", "enter")
        await pages(pilot, "Not quite", "Say what the fourth")
        await until(pilot, "water")
        await press(pilot, "y", "enter")
        for number in range(4):
            if number == 2:
                await pages(pilot, "Rest your eyes")
            await answer(pilot, *VOILA)
        await until(pilot, "How was it?")
        await press(pilot, "4", "enter")
        await pages(pilot, "Thank you for coming", "Your answers are saved")
        await ended(pilot)
    assert app.return_code in (None, 0)
    assert rows(store, "SELECT kind, count(*) FROM trials WHERE ended IS NOT NULL GROUP BY kind ORDER BY kind") == [
        ("catch", 1), ("main", 3), ("practice", 1)
    ]  # fmt: skip
    assert rows(store, "SELECT state, station, experimenter FROM sessions") == [("ended", "left", "AB")]
    assert rows(store, "SELECT part, question, value FROM questionnaires ORDER BY id") == [
        ("before", "age", "33"), ("gate", "g", "No"), ("gate", "g", "Yes"), ("after", "how", "4")
    ]  # fmt: skip
    assert rows(store, "SELECT count(*) FROM responses WHERE first_ms <= final_ms AND paused_ms = 0") == [(5,)]
    assert rows(store, "SELECT count(*) FROM assignments WHERE state = 'done'") == [(3,)]
    (details,) = rows(store, "SELECT details FROM trials WHERE kind = 'main' LIMIT 1")
    shown = json.loads(details[0])
    assert shown["protocol"] == "halfcell"
    assert shown["cells"] == [120, 40]
    assert all(width >= 100 and height >= 100 for _, width, height in shown["pictures"])


async def test_who_does_not_consent_is_asked_nothing_and_frees_the_slot(store: Store) -> None:
    async with sitting(store, EVERYTHING, kind="main") as (pilot, _):
        await until(pilot, "You may stop")
        await press(pilot, "2", "enter")
        await pages(pilot, "The session is over")
        await ended(pilot)
    assert rows(store, "SELECT state FROM sessions") == [("left",)]
    assert rows(store, "SELECT DISTINCT state FROM assignments") == [("free",)]
    assert rows(store, "SELECT count(*) FROM trials") == [(0,)]


async def test_who_fails_the_gate_is_asked_no_item(store: Store) -> None:
    made = replace(EVERYTHING, practice=Practice(), before=(), gate_attempts=1)
    async with sitting(store, made, kind="main") as (pilot, _):
        await until(pilot, "You may stop")
        await press(pilot, "1", "enter")
        await pages(pilot, "Say what the fourth")
        await until(pilot, "water")
        await press(pilot, "n", "enter")
        await pages(pilot, "call the experimenter")
        await ended(pilot)
    assert rows(store, "SELECT count(*) FROM trials") == [(0,)]
    assert rows(store, "SELECT state FROM sessions") == [("left",)]
    async with sitting(store, made, kind="main") as (pilot, _):
        await until(pilot, "same person")
        await press(pilot, "y", "enter")
        await until(pilot, "has no attempt left")
    assert rows(store, "SELECT count(*) FROM sessions") == [(1,)]


async def test_a_code_used_before_asks_for_the_same_person_and_touches_no_older_row(store: Store) -> None:
    async with sitting(store, study()) as (pilot, _):
        await answer(pilot, *VOILA)
        await until(pilot, TrialScreen)
    before = rows(store, "SELECT * FROM responses"), rows(store, "SELECT * FROM trials ORDER BY id LIMIT 1")
    async with sitting(store, study()) as (pilot, _):
        await until(pilot, "same person")
        await press(pilot, "n", "enter")
        await until(pilot, "use the code that was given to you")
        await press(pilot, *"P02", "enter")
        await until(pilot, "call the experimenter")
        assert "slot" in said(pilot), "the only slot is the other person's"
    assert (rows(store, "SELECT * FROM responses"), rows(store, "SELECT * FROM trials ORDER BY id LIMIT 1")) == before
    async with sitting(store, study()) as (pilot, _):
        await until(pilot, "same person")
        await press(pilot, "y", "enter")
        await answer(pilot, *VOILA)
        await answer(pilot, *VOILA)
        await pages(pilot, "That was all")
        await ended(pilot)
    assert rows(store, "SELECT * FROM responses LIMIT 1") == before[0]
    items = rows(store, "SELECT item FROM trials WHERE ended IS NOT NULL")
    assert len(items) == len(set(items)) == 3, "none twice, none dropped"


async def test_after_a_long_absence_the_instructions_come_again_and_the_gap_is_on_record(store: Store) -> None:
    made = study(text={"en": Texts(title="A", instructions="Say what it shows.")}, timing=Timing(resume_gap_s=0.0))
    async with sitting(store, made) as (pilot, _):
        await pages(pilot, "Say what it shows")
        await answer(pilot, *VOILA)
        await until(pilot, TrialScreen)
    async with sitting(store, made, same_person=True) as (pilot, _):
        await pages(pilot, "Welcome back", "Say what it shows")
        await until(pilot, TrialScreen)
    (details,) = rows(store, "SELECT details FROM events WHERE kind = 'resumed'")
    assert json.loads(details[0])["gap_s"] > 0


async def test_a_looked_at_name_is_refused_and_never_repeated(store: Store) -> None:
    async with sitting(store, study(), participant="") as (pilot, _):
        await until(pilot, "Your code")
        await press(pilot, *"ann@x.org", "enter")
        await until(pilot, "mail address")
        assert "ann@" not in said(pilot)
    assert rows(store, "SELECT count(*) FROM participants") == [(0,)]


async def test_a_screen_told_late_that_it_is_seen_again_shuts_no_other(store: Store) -> None:
    async with sitting(store, study()) as (pilot, app):
        screen = await until(pilot, TrialScreen)
        under = next(one for one in app.screen_stack if isinstance(one, BlankScreen))
        under._painted_once = True
        under.on_screen_resume()
        await press(pilot, "2")
        assert app.screen is screen
        assert screen.scene.state.values == {"number": "two"}  # type: ignore[attr-defined]


async def test_a_frame_of_the_screen_before_lets_no_key_through(store: Store) -> None:
    async with sitting(store, study()) as (pilot, app):
        screen = await until(pilot, TrialScreen)
        under = next(one for one in app.screen_stack if isinstance(one, BlankScreen))
        app.expect(screen)  # type: ignore[arg-type]
        app._seen(under, 0.0)
        assert not app.guard.admits("2", 1e9)
        app._seen(screen, 0.0)  # type: ignore[arg-type]
        assert app.guard.admits("3", 1e9)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_below_a_long_text_there_is_room_to_answer_and_the_text_can_be_read(
    store: Store, size: tuple[int, int]
) -> None:
    long = "\n".join(f"Line {number} of the consent." for number in range(1, 41))
    made = study(text={"en": Texts(title="A", consent=long)})
    async with sitting(store, made, size=size) as (pilot, app):
        screen = await until(pilot, "Line 40")
        form, page = screen.query_one(FormText), screen.query_one("#page")
        assert form.region.bottom < size[1], "the options are above the line of keys"
        assert form.region.height >= 1
        assert "Read on" in said(pilot)
        for _ in range(9):
            await press(pilot, "pagedown")
        assert page.scroll_offset.y == page.max_scroll_y > 0
        await press(pilot, "1", "enter")
        await gone(pilot, screen)
        assert app.return_code in (None, 0)


# -- answering


async def test_changing_an_answer_three_times_gives_one_answer_and_three_events(store: Store) -> None:
    async with sitting(store, study()) as (pilot, _):
        screen = await until(pilot, TrialScreen)
        await press(pilot, "2", "left", "3", "left", "4", "left", "1", *"wolf", "enter", *"read", "enter")
        await gone(pilot, screen)
        await until(pilot, TrialScreen)
    assert rows(store, "SELECT revisions, json_extract(form, '$.values.number') FROM responses") == [(3, "one")]
    assert rows(store, "SELECT count(*) FROM events WHERE kind = 'changed'") == [(3,)]
    assert rows(store, "SELECT count(*) FROM steps") == [(1,)]


async def test_at_a_time_out_what_was_typed_is_kept_and_the_answer_is_empty(store: Store, later: Later) -> None:
    async with sitting(store, study(timing=TIMED)) as (pilot, _):
        await until(pilot, TrialScreen)
        await press(pilot, "2", *"sen")
        await later(TIMED.limit_s)
        await until(pilot, "Time is up")
    assert rows(
        store,
        "SELECT r.timed_out, r.form, t.timed_out, steps.text, scores.right FROM responses AS r"
        " JOIN trials AS t ON t.id = r.trial JOIN steps ON steps.id = r.step JOIN scores ON scores.step = steps.id",
    ) == [(1, '{"text":"number: two; subject: sen"}', 1, "", 0)]


async def test_the_pause_hides_the_pictures_and_stops_the_clock(store: Store, later: Later) -> None:
    async with sitting(store, study(timing=Timing(limit_s=2.0))) as (pilot, _):
        screen = await until(pilot, TrialScreen)
        await press(pilot, "2", "ctrl+p")
        await until(pilot, PauseScreen)
        assert "▀" not in said(pilot)
        await press(pilot, "a", "b")
        await later(2.1)
        await press(pilot, "ctrl+p")
        assert await until(pilot, TrialScreen) is screen
        await press(pilot, *"wolf", "enter", *"read", "enter")
        await gone(pilot, screen)
        await until(pilot, TrialScreen)
    ((paused, final, wall),) = rows(
        store, "SELECT paused_ms, final_ms, json_extract(details, '$.wall_ms') FROM responses"
    )
    assert paused >= 2000
    assert final - paused < 2000
    assert paused <= final <= wall
    assert [kind for (kind,) in rows(store, "SELECT kind FROM events WHERE kind IN ('pause', 'go_on')")] == [
        "pause", "go_on"
    ]  # fmt: skip


async def test_a_pause_after_the_last_change_takes_nothing_from_the_time_of_the_answer(
    store: Store, later: Later
) -> None:
    """Nor does one before the first key, asked for by whatever key."""
    async with sitting(store, study()) as (pilot, _):
        screen = await until(pilot, TrialScreen)
        await press(pilot, "ctrl+w")
        await until(pilot, "What is wrong?")
        await later(0.5)
        await press(pilot, "enter")
        await until(pilot, TrialScreen)
        await press(pilot, *VOILA)
        await press(pilot, "ctrl+p")
        await until(pilot, PauseScreen)
        await later(1.5)
        await press(pilot, "ctrl+p")
        await until(pilot, TrialScreen)
        await press(pilot, "enter")
        await gone(pilot, screen)
        await until(pilot, TrialScreen)
    ((first, final, paused, before, wall),) = rows(
        store,
        "SELECT first_ms, final_ms, paused_ms, json_extract(details, '$.paused_first_ms'),"
        " json_extract(details, '$.wall_ms') FROM responses",
    )
    assert wall - final >= 1500
    assert 500 <= paused == before
    assert 0 < first - before <= final - paused


async def test_looking_nearer_is_timed_and_tells_no_name(store: Store, later: Later) -> None:
    async with sitting(store, study()) as (pilot, app):
        screen = await until(pilot, TrialScreen)
        await press(pilot, "ctrl+l")
        await until(pilot, SittingZoom)
        await press(pilot, "plus", "right", "2")
        await pilot.pause()
        item = app.conductor.sitting.planned[0].item  # type: ignore[union-attr]
        assert not any(picture.depicts in said(pilot) or picture.name in said(pilot) for picture in item.pictures)
        await later(0.1)
        await press(pilot, "escape")
        assert await until(pilot, TrialScreen) is screen
        await press(pilot, *VOILA, "enter")
        await gone(pilot, screen)
        await until(pilot, TrialScreen)
    assert rows(store, "SELECT json_extract(details, '$.zoom_ms') >= 100 FROM responses") == [(1,)]


async def test_an_item_that_something_is_wrong_with_goes_on_with_a_reason(store: Store) -> None:
    async with sitting(store, study()) as (pilot, _):
        screen = await until(pilot, TrialScreen)
        await press(pilot, "2", "ctrl+w")
        await until(pilot, "What is wrong?")
        await press(pilot, "enter")
        assert await until(pilot, TrialScreen) is screen, "without a reason it is still asked"
        assert "two" in said(pilot)
        await press(pilot, "ctrl+w")
        await until(pilot, "What is wrong?")
        await press(pilot, *"oh", "escape")
        assert await until(pilot, TrialScreen) is screen, "Esc leaves it as well"
        await press(pilot, "ctrl+w")
        await until(pilot, "What is wrong?")
        await press(pilot, *"black", "enter")
        await gone(pilot, screen)
        await until(pilot, TrialScreen, screen)
    (details,) = rows(store, "SELECT details FROM events WHERE kind = 'problem'")
    assert json.loads(details[0])["reason"] == "black"
    assert rows(store, "SELECT count(*) FROM responses") == [(0,)]
    assert rows(store, "SELECT count(*) FROM trials WHERE ended IS NOT NULL") == [(1,)]


async def test_confidence_and_why_go_with_the_answer(store: Store) -> None:
    async with sitting(store, study(answers=SURE)) as (pilot, _):
        await answer(pilot, *VOILA)
        await until(pilot, "How sure")
        await press(pilot, "4", "enter")
        await until(pilot, "Why did you")
        await press(pilot, *"because", "ctrl+s")
        await until(pilot, TrialScreen)
    assert rows(store, "SELECT confidence, json_extract(details, '$.why') FROM responses") == [(4.0, "because")]


async def test_going_back_changes_a_step_of_the_same_item(store: Store) -> None:
    made = study(conditions={"": Condition("l2m")}, answers=Answers(back=True))
    describe = [key for _ in range(3) for key in ("1", *"fox", "enter", *"read", "enter")][:-1]
    async with sitting(store, made) as (pilot, _):
        await answer(pilot, *describe)
        await until(pilot, "Compare image 1")
        await press(pilot, "escape")
        await until(pilot, "For each of the three")
        assert "fox" in said(pilot), "what was answered stands there"
        await press(pilot, "2", "enter", "enter", "enter", "enter", "enter", "enter", "enter", "enter")
        await until(pilot, "Compare image 1")
        await answer(pilot, *"scs")
        await answer(pilot, *VOILA)
        await until(pilot, "For each of the three")
    values = rows(store, "SELECT json_extract(form, '$.values.\"1.number\"') FROM responses ORDER BY id")
    assert [value for (value,) in values if value] == ["one", "two"]
    (counted,) = rows(store, "SELECT count(*) FROM trials WHERE ended IS NOT NULL")
    assert counted == (1,)


async def test_of_a_later_step_the_question_is_in_sight(store: Store) -> None:
    made = choices("vrex", "planning")
    async with sitting(store, made, size=(80, 24)) as (pilot, app):
        screen = await until(pilot, TrialScreen)
        for _ in range(9):
            if "in the beginning" in said(pilot):
                break
            await press(pilot, "a", "enter")
            await gone(pilot, screen)
            screen = await until(pilot, TrialScreen, screen)
        await pilot.pause()
        words = screen.query_one("#words")
        assert words.max_scroll_y > 0, "there is more than room for it"
        assert words.scroll_offset.y == words.max_scroll_y
        assert app.screen is screen


async def test_options_are_chosen_by_letter_and_yes_or_no(store: Store) -> None:
    where = Items(ids=("rp-001", "rp-003"))
    made = choices("mmra", "iq")
    made = replace(made, items=where, design=Design(raters=1, per_session=2))
    async with sitting(store, made) as (pilot, _):
        for _ in range(2):
            screen = await until(pilot, TrialScreen)
            await press(pilot, "a" if "A " in said(pilot) and "Yes" not in said(pilot) else "n", "enter")
            await gone(pilot, screen)
        await pages(pilot, "That was all")
    said_ = rows(store, "SELECT json_extract(form, '$.values.answer') FROM responses ORDER BY 1")
    assert said_ == [("A",), ("No",)]


async def test_free_words_of_64_kilobytes_come_back_byte_equal(store: Store) -> None:
    words = ('猫,"é"\n=1+1 ' * 6000)[: 64 * 1024]
    made = choices("mmra", "idq")
    made = replace(made, conditions={"": Condition("idq", options={"descriptions": "asked"})})
    async with sitting(store, made) as (pilot, _):
        screen = await until(pilot, TrialScreen)
        screen.query_one(TextArea).text = words
        await pilot.pause()
        await press(pilot, "ctrl+s")
        await gone(pilot, screen)
        await until(pilot, TrialScreen, screen)
    assert rows(store, "SELECT json_extract(form, '$.text') FROM responses") == [(words,)]


async def test_worked_examples_are_readable_beside_and_over_the_trial(store: Store) -> None:
    async with sitting(store, study(), size=(160, 48)) as (pilot, _):
        screen = await until(pilot, TrialScreen)
        assert "Example 1" in said(pilot)
        await press(pilot, "ctrl+e")
        await until(pilot, ExamplesScreen)
        assert "number" in said(pilot)
        await press(pilot, "escape")
        assert await until(pilot, TrialScreen) is screen


async def test_the_mouse_alone_is_enough(store: Store) -> None:
    async with sitting(store, study()) as (pilot, app):
        screen = await until(pilot, TrialScreen)
        form = screen.query_one(FormText)
        lines = str(form.content).split("\n")
        for words in ("two", "rabbit", "swimming"):
            row = next(at for at, line in enumerate(lines) if f" {words} " in line)
            await pilot.click(FormText, offset=(lines[row].index(words) + 2, row))
        assert screen.scene.state.values == {"number": "two", "subject": "rabbit", "action": "swimming"}  # type: ignore[attr-defined]
        await pilot.click(PictureBox, offset=(5, 5))
        await until(pilot, SittingZoom)
        await pilot.click(Keys, offset=(2, 0))
        assert await until(pilot, TrialScreen) is screen
        await pilot.click(Keys, offset=(2, 0))
        await gone(pilot, screen)
        await until(pilot, TrialScreen, screen)
        assert app.guard.dropped == []
    assert rows(store, "SELECT json_extract(form, '$.values.subject') FROM responses") == [("rabbit",)]


async def test_another_size_of_the_window_is_on_record_and_loses_nothing(store: Store) -> None:
    async with sitting(store, study()) as (pilot, _):
        screen = await until(pilot, TrialScreen)
        await press(pilot, "2", *"wol")
        await pilot.resize_terminal(90, 28)
        await until(pilot, "wolf")
        for _ in range(100):
            if rows(store, "SELECT 1 FROM events WHERE kind = 'resized'"):
                break
            await pilot.pause(0.02)
        await press(pilot, "enter", *"rea", "enter")
        await gone(pilot, screen)
        await until(pilot, TrialScreen, screen)
    told = [json.loads(details) for (details,) in rows(store, "SELECT details FROM events WHERE kind = 'resized'")]
    assert told[-1]["cells"] == [90, 28]
    assert len(told[-1]["pictures"]) == 3
    assert rows(store, "SELECT json_extract(form, '$.values.subject') FROM responses") == [("wolf",)]


async def test_keys_and_the_clock_while_the_trial_is_made_anew_for_another_size(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    compose, away = TrialScreen.compose, list[int]()

    def made_anew(screen: TrialScreen) -> ComposeResult:
        if screen.is_mounted:
            away.append(len(screen.query("#head, #words, #form")))
            screen._tick()
            screen.action_read(1)
            screen.action_pick_value(0, 0)
        yield from compose(screen)

    monkeypatch.setattr(TrialScreen, "compose", made_anew)
    async with sitting(store, study()) as (pilot, _):
        screen = await until(pilot, TrialScreen)
        await pilot.resize_terminal(90, 28)
        for _ in range(100):
            if away:
                break
            await pilot.pause(0.02)
        await pilot.pause()
        assert away == [0]
        assert len(screen.query("#head, #words, #form")) == 3


# -- locked in


LEAVING = ("ctrl+q", "ctrl+c", "ctrl+c", "ctrl+z", "ctrl+d", "ctrl+backslash", "f1", "f2", "question_mark", "colon",
           "q", "escape", "ctrl+o", "ctrl+g", "ctrl+t", "i", "M", "slash")  # fmt: skip


async def test_no_key_leads_out_or_to_anything_but_the_study(store: Store) -> None:
    async with sitting(store, study()) as (pilot, app):
        screen = await until(pilot, TrialScreen)
        for key in LEAVING:
            await press(pilot, key)
            await pilot.pause()
            assert app.screen is screen, key
        assert not app._exit
        gold = screen.scene.state.turn.gold  # type: ignore[attr-defined]
        assert gold
        assert not app.ENABLE_COMMAND_PALETTE
        bound = {binding.action for _, binding in app._bindings}
        assert bound == {"app.experimenter"}
    assert rows(store, "SELECT count(*) FROM responses") == [(0,)]


async def test_only_the_experimenters_word_opens_the_way_out(store: Store) -> None:
    async with sitting(store, study()) as (pilot, app):
        screen = await until(pilot, TrialScreen)
        await press(pilot, "ctrl+x")
        asked = await until(pilot, QuestionScreen)
        assert asked.query_one(Input).password
        await press(pilot, *"guess", "enter")
        await until(pilot, "That is not the key")
        await press(pilot, "enter")
        assert await until(pilot, TrialScreen) is screen
        await press(pilot, "ctrl+x")
        await until(pilot, QuestionScreen)
        await press(pilot, *KEY, "enter")
        await until(pilot, "end this session")
        await press(pilot, "2", "enter")
        await until(pilot, "Note")
        await press(pilot, *"loud", "enter")
        await until(pilot, "end this session")
        await press(pilot, "4", "enter")
        await ended(pilot)
    assert app.return_code == 0
    assert rows(store, "SELECT state FROM sessions") == [("left",)]
    assert rows(store, "SELECT kind FROM events WHERE kind IN ('wrong_key', 'note')") == [("wrong_key",), ("note",)]
    assert KEY not in "".join(str(row) for row in rows(store, "SELECT configuration FROM studies"))


async def test_the_clock_stands_under_the_experimenters_key_and_goes_on_under_the_zoom(
    store: Store, later: Later
) -> None:
    async with sitting(store, study(timing=TIMED)) as (pilot, _):
        screen = await until(pilot, TrialScreen)
        await press(pilot, "ctrl+l")
        await until(pilot, SittingZoom)
        await press(pilot, "ctrl+x")
        await until(pilot, QuestionScreen)
        await later(2.2)
        await press(pilot, "enter")
        await until(pilot, SittingZoom)
        assert not screen.state.clock.is_paused  # type: ignore[attr-defined]
        await later(TIMED.limit_s)
        await pages(pilot, "Time is up")
        await until(pilot, TrialScreen, screen)
    assert rows(store, "SELECT timed_out, paused_ms >= 2000 FROM responses") == [(1, 1)]


async def test_a_fault_of_the_program_shows_no_variables(store: Store) -> None:
    apps: list[SittingApp] = []

    async def broken() -> None:
        async with sitting(store, study()) as (pilot, app):
            apps.append(app)
            await until(pilot, TrialScreen)
            app.call_later(lambda: 1 // 0)
            await ended(pilot)

    with pytest.raises(ZeroDivisionError):
        await broken()
    assert apps[0]._exit_renderables == []
    assert isinstance(apps[0].failure, ZeroDivisionError)


# -- the monitor


async def test_the_monitor_pauses_goes_on_and_ends(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.sitting.overseeing.LISTEN_S", 0.02)
    async with sitting(store, study()) as (pilot, app):
        await answer(pilot, *VOILA)
        await until(pilot, TrialScreen)
        session = app.conductor.sitting.session  # type: ignore[union-attr]
        wishes.ask(store, session, "pause", author="M")
        await until(pilot, PauseScreen)
        await press(pilot, "enter")
        await until(pilot, PauseScreen)
        wishes.ask(store, session, "go_on", author="M")
        await until(pilot, TrialScreen)
        await press(pilot, "ctrl+p")
        paused = await until(pilot, PauseScreen)
        wishes.ask(store, session, "pause", author="M")
        while wishes.waiting(store.reader(), session) or not paused._held:  # type: ignore[attr-defined]
            await pilot.pause()
        await press(pilot, "ctrl+p", "enter")
        assert await until(pilot, PauseScreen) is paused, "the participant's own pause has become the monitor's"
        wishes.ask(store, session, "go_on", author="M")
        await until(pilot, TrialScreen)
        wishes.ask(store, session, "end", author="M")
        await pages(pilot, "The session is over")
        await ended(pilot)
    assert rows(store, "SELECT state FROM sessions") == [("left",)]
    assert rows(store, "SELECT count(*) FROM responses") == [(1,)]


# -- nothing is asked on while nothing is saved


async def _full(store: Store) -> None:
    """Not a page more, and every page that there is is filled."""
    await store.writer.submit(lambda db: db.execute("PRAGMA max_page_count = 1").fetchall())
    for size in (3000, 300, 30, 3):
        with suppress(StoreError):
            while True:
                await store.writer.submit(
                    lambda db, size=size: db.execute(
                        "INSERT INTO exports (kind, target, details, created) VALUES ('x', '', ?, 0)", ("x" * size,)
                    )
                )


async def _room(store: Store) -> None:
    await store.writer.submit(lambda db: db.execute("PRAGMA max_page_count = 1073741823").fetchall())


async def _gone(store: Store) -> None:
    store.path.rename(store.path.with_suffix(".away"))


async def _back(store: Store) -> None:
    store.path.with_suffix(".away").rename(store.path)


async def _read_only(store: Store) -> None:
    await store.writer.submit(lambda db: db.execute("PRAGMA query_only = 1").fetchall())


@pytest.mark.parametrize(
    ("fail", "mend", "words"),
    [(_full, _room, "full"), (_gone, _back, "gone"), (_read_only, None, "readonly")],
    ids=["full", "gone", "read-only"],
)
async def test_a_store_that_takes_nothing_stops_the_sitting_before_the_next_trial(
    store: Store,
    fail: Callable[[Store], Awaitable[None]],
    mend: Callable[[Store], Awaitable[None]] | None,
    words: str,
) -> None:
    async with sitting(store, study()) as (pilot, app):
        await answer(pilot, *VOILA)
        screen = await until(pilot, TrialScreen)
        await press(pilot, "ctrl+w")
        reason = await until(pilot, "What is wrong?")
        reason.query_one(Input).value = "x" * 30_000  # fits in no page that has room left
        await fail(store)
        await press(pilot, "enter")
        await until(pilot, StoppedScreen)
        assert "call the experimenter" in said(pilot)
        assert words in said(pilot)
        await press(pilot, "enter", "escape", "y", "ctrl+s", "ctrl+c")
        await until(pilot, StoppedScreen)
        if mend is None:
            return
        await mend(store)
        assert rows(store, "SELECT count(*) FROM trials WHERE ended IS NOT NULL") == [(1,)]
        await press(pilot, "ctrl+x")
        await until(pilot, QuestionScreen)
        await press(pilot, *KEY, "enter")
        await until(pilot, "try again")
        await press(pilot, "1", "enter")
        await until(pilot, TrialScreen, screen)
        assert app.conductor.failure == ""
    kept = rows(store, "SELECT length(json_extract(details, '$.reason')) FROM events WHERE kind = 'problem'")
    assert kept == [(30_000,)], "what was said meanwhile is kept"
    assert rows(store, "SELECT count(*) FROM trials WHERE ended IS NOT NULL") == [(2,)]


async def test_a_pause_that_could_not_be_saved_can_be_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sitting(store, study()) as (pilot, app):
        screen = await until(pilot, TrialScreen)
        kept, asked = app.conductor.sitting.pause, []  # type: ignore[union-attr]

        async def full_at_first(on: bool) -> None:
            asked.append(on)
            if len(asked) == 1:
                raise StoreError("the disk is full")
            await kept(on)

        monkeypatch.setattr(app.conductor.sitting, "pause", full_at_first)
        await press(pilot, "ctrl+p")
        await until(pilot, PauseScreen)
        await press(pilot, "enter")
        await until(pilot, StoppedScreen)
        await press(pilot, "ctrl+x")
        await until(pilot, QuestionScreen)
        await press(pilot, *KEY, "enter")
        await until(pilot, "try again")
        await press(pilot, "1", "enter")
        assert await until(pilot, TrialScreen) is screen
    assert asked == [True, True, False]
    kinds = rows(store, "SELECT kind FROM events WHERE kind IN ('pause', 'go_on')")
    assert kinds == [("pause",), ("go_on",)]


async def test_the_clock_stands_while_nothing_can_be_saved(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async with sitting(store, study(timing=TIMED)) as (pilot, app):
        screen = await until(pilot, TrialScreen)
        kept = app.conductor.sitting.event  # type: ignore[union-attr]

        async def full(kind: str, **given: Any) -> None:
            monkeypatch.setattr(app.conductor.sitting, "event", kept)
            raise StoreError("the disk is full")

        monkeypatch.setattr(app.conductor.sitting, "event", full)
        app.run_worker(app.conductor._note("resized"), exit_on_error=False)
        stopped = await until(pilot, StoppedScreen)
        assert screen.state.clock.is_paused  # type: ignore[attr-defined]
        stopped.answer(None)  # type: ignore[attr-defined]
        assert await until(pilot, TrialScreen) is screen
        assert not screen.state.clock.is_paused  # type: ignore[attr-defined]


async def test_who_is_stopped_to_go_on_later_is_paused_and_not_missed(store: Store) -> None:
    async with sitting(store, study()) as (pilot, _):
        await until(pilot, TrialScreen)
        await press(pilot, "ctrl+x")
        await until(pilot, QuestionScreen)
        await press(pilot, *KEY, "enter")
        await until(pilot, "stop here")
        await press(pilot, "3", "enter")
        await ended(pilot)
    assert rows(store, "SELECT state FROM sessions") == [("paused",)]
    (seen,) = Watcher(store.path, "s", "pilot").look().sessions
    assert seen.going_on
    assert not seen.quiet(seen.seen + 10**9), "no sign of life is expected of it"
    async with sitting(store, study(), same_person=True) as (pilot, _):
        await until(pilot, TrialScreen)
        assert rows(store, "SELECT state FROM sessions") == [("open",)]


async def test_a_question_that_may_be_left_open_says_so(store: Store) -> None:
    asked = (Question("name", "What do you study?", "text", required=False), Question("age", "How old?", "number"))
    async with sitting(store, study(before=asked)) as (pilot, _):
        await until(pilot, "What do you study?")
        assert "You may leave this open." in said(pilot)
        await press(pilot, "ctrl+s")
        await until(pilot, "How old?")
        assert "leave this open" not in said(pilot)
    assert rows(store, "SELECT question, value FROM questionnaires") == [("name", "")]


async def test_nobody_is_asked_about_a_picture_that_cannot_be_shown(store: Store) -> None:
    async with sitting(store, study(), size=(20, 8)) as (pilot, _):
        await until(pilot, StoppedScreen)
        assert "too small" in said(pilot)
    assert rows(store, "SELECT count(*) FROM trials") == [(0,)]


async def test_a_pilot_and_practice_fill_no_quota(store: Store) -> None:
    async with sitting(store, study(practice=Practice(ids=("voila-4",))), kind="pilot") as (pilot, _):
        await answer(pilot, *VOILA)
        await pages(pilot, "Right would be", "it counts")
        for _ in range(3):
            await answer(pilot, *VOILA)
        await pages(pilot, "That was all")
        await ended(pilot)
    assert rows(store, "SELECT count(*) FROM assignments WHERE kind = 'main' AND state <> 'free'") == [(0,)]
    assert rows(store, "SELECT state FROM studies") == [("draft",)]
