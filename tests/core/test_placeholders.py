"""Another prompt for a turn: its pictures stay in their places, each at a line of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.config import Config
from core.errors import UsageError
from core.interventions import Intervention, another_prompt, as_asked, from_stored, parse, to_stored
from core.placeholders import drafted, unplaced, unplaced_words
from core.planning import Request, prepare, unplaced_pictures
from core.records import Picture, Show, Text, Turn
from core.respondents.base import Request as Asked
from core.respondents.request_body import messages
from tests.core.questions import change_of_all
from tests.core.scripted import Scripted, done, gold, plan_of
from tests.memory_journal import MemoryJournal

COLLAGE = Turn("describe", (Show((0, 1, 2)), Text("Look.")), answer_format="Say it.")
EXAMPLE = Show((0,), source=(Picture("example.png"),))
WORKED = Turn("apply", (Text("Example"), EXAMPLE, Text("Now"), Show((0,)), Show((1,)), Text("Which?")))


def described() -> Turn:
    turn = plan_of(Scripted(gold)).protocol.next_turn(change_of_all(), ())
    assert turn is not None
    return turn


def sent(turn: Turn) -> list[str]:
    """What goes to a server in that order: words, and pictures by their number."""
    request = Asked(change_of_all(), turn, (), 0, 0)
    seen: list[Show] = []

    def look(show: Show) -> object:
        seen.append(show)
        return type("Sent", (), {"hash": f"picture {show.of}"})()

    (message,) = messages(request, "", look)  # type: ignore[arg-type]
    return [part["text"] if part["type"] == "text" else part["image_url"]["picture"] for part in message["content"]]


def test_the_draft_has_a_line_for_each_picture_in_its_place() -> None:
    lines = drafted(described()).split("\n")
    assert lines[:6] == ["Image 1:", "[picture 1]", "Image 2:", "[picture 2]", "Image 3:", "[picture 3]"]
    assert drafted(COLLAGE) == "[pictures 1-3]\nLook.\nSay it."
    assert drafted(WORKED) == "Example\n[example picture 1]\nNow\n[picture 1]\n[picture 2]\nWhich?"


RELATE = Turn("relate", (Text("Which?"),), answer_format="So.")


@pytest.mark.parametrize("turn", [described(), COLLAGE, WORKED, RELATE])
def test_a_prompt_that_was_not_changed_is_the_same_turn(turn: Turn) -> None:
    assert as_asked(turn, another_prompt(turn.step, drafted(turn))) is turn


def test_words_change_and_pictures_stay_where_they_are() -> None:
    turn = described()
    changed = as_asked(turn, another_prompt("describe", drafted(turn).replace("Image 2:", "The second one:")))
    was, now = sent(turn), sent(changed)
    assert now == [part.replace("Image 2:", "The second one:") for part in was]
    assert now[:6] == ["Image 1:", "picture (0,)", "The second one:", "picture (1,)", "Image 3:", "picture (2,)"]
    assert (changed.made_by, changed.answer_format) == ("person", "")


def test_pictures_move_with_their_lines_and_a_line_may_be_indented_or_capital() -> None:
    changed = as_asked(described(), another_prompt("describe", "  [Picture 3]\n\nWhat?\n[picture 1]\n[picture 2]"))
    assert changed.content == (Show((2,)), Text("\nWhat?"), Show((0,)), Show((1,)))
    assert as_asked(WORKED, another_prompt("apply", "[picture 1]\n[picture 2]\nWhich?")).shows == WORKED.shows[1:]


@pytest.mark.parametrize(
    "asked",
    [
        Intervention("describe", "pictures", text="2,1,3"),
        another_prompt("describe", "First\n[picture 3]\n[picture 1]\nthen\n[picture 2]"),
        another_prompt("describe", "No lines"),
    ],
)
def test_the_draft_of_a_changed_turn_names_the_questions_own_pictures(asked: Intervention) -> None:
    """What is put in goes into the protocol's turn: the draft as it stands gives the changed turn again."""
    plain = described()
    changed = as_asked(plain, asked)
    again = as_asked(plain, another_prompt("describe", drafted(changed, plain)))
    assert [part for part in again.content if isinstance(part, Show)] == list(changed.shows)
    assert sent(again) == sent(changed)
    other = as_asked(plain, another_prompt("describe", f"{drafted(changed, plain)}\nplease"))
    assert list(other.shows) == list(changed.shows)


def test_a_blank_or_joined_picture_has_no_line_of_the_questions_own() -> None:
    plain = described()
    blank = as_asked(plain, Intervention("describe", "pictures", text="blank,2,3"))
    with pytest.raises(UsageError, match="no line of a prompt stands for that"):
        drafted(blank, plain)


def test_pictures_whose_lines_are_left_out_come_first_and_that_is_said() -> None:
    turn = described()
    wanted = another_prompt("describe", "What?\n[picture 2]\nAnd that?")
    assert as_asked(turn, wanted).content == (Show((0,)), Show((2,)), Text("What?"), Show((1,)), Text("And that?"))
    missing = unplaced(turn, wanted.text)
    assert missing == ("[picture 1]", "[picture 3]")
    assert unplaced_words(missing) == (
        "[picture 1], [picture 3] have no line in the prompt: shown before its first word"
    )
    assert unplaced(turn, drafted(turn)) == ()
    assert unplaced(WORKED, "[picture 1]\n[picture 2]") == ()


@pytest.mark.parametrize(
    ("turn", "text", "says"),
    [
        (described(), "What?\n[picture 4]", r"describe shows no \[picture 4\].*Known: \[picture 1\]"),
        (described(), "[picture 1]\nWhat?\n[picture 1]", r"\[picture 1\] stands there twice"),
        (described(), "Compare [picture 1] with the rest", r"\[picture 1\] must stand on a line of its own"),
        (COLLAGE, "[picture 1]\nWhat?", r"shows no \[picture 1\].*Known: \[pictures 1-3\]"),
        (Turn("relate", (Text("Which?"),)), "[picture 1]\nWhat?", r"relate shows no \[picture 1\]"),
    ],
)
def test_a_line_that_stands_for_nothing_or_twice_is_refused_in_one_line(turn: Turn, text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as refused:
        as_asked(turn, another_prompt(turn.step, text))
    assert "\n" not in str(refused.value)


def test_what_older_runs_stored_keeps_its_form_and_its_meaning() -> None:
    """They had no such lines: all pictures came first, and such a line was words like any."""
    plain = {"step": "describe", "kind": "prompt", "property": "", "text": "What?"}
    assert to_stored((another_prompt("describe", "What?"),)) == [plain]
    (old,) = from_stored([{**plain, "text": "[picture 1]\nWhat?"}])
    assert as_asked(described(), old).content == (Show((0,)), Show((1,)), Show((2,)), Text("[picture 1]\nWhat?"))
    new = another_prompt("describe", "[picture 1]\nWhat?")
    assert to_stored((new,)) == [{**plain, "text": new.text, "placed": True}]
    assert from_stored(to_stored((new,))) == (new,) != (old,)


def test_a_file_says_where_pictures_stand_as_the_draft_does(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("One\n[picture 1]\n", encoding="utf-8")
    found = parse(f"describe=prompt:{file}", ("describe",), ())
    assert found == Intervention("describe", "prompt", text="One\n[picture 1]", placed=True)


def test_a_run_says_before_it_begins_which_pictures_its_prompt_moves(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"

    def prepared(text: str) -> tuple[str, ...]:
        file.write_text(text, encoding="utf-8")
        return unplaced_pictures(prepare(Request("voila:ND", interventions=(f"describe=prompt:{file}",)), Config()))

    assert prepared("What?\n[picture 2]\n[picture 3]") == (
        "describe=prompt: [picture 1] has no line in the prompt: shown before its first word",
    )
    assert prepared("[picture 1]\n[picture 2]\n[picture 3]\nWhat?") == ()
    with pytest.raises(UsageError, match=r"describe shows no \[picture 4\]"):
        prepared("What?\n[picture 4]")


async def test_the_engine_asks_the_changed_prompt_with_the_pictures_in_their_places() -> None:
    respondent, turn = Scripted(gold), described()
    wanted = another_prompt("describe", drafted(turn) + "\nThink first.")
    trajectory = await done(plan_of(respondent, interventions=(wanted,)), MemoryJournal())
    asked = respondent.asked[0].turn
    assert sent(asked) == [*sent(turn)[:-1], sent(turn)[-1] + "\nThink first."]
    assert asked == replace(turn, content=asked.content, answer_format="", made_by="person")
    assert trajectory.lane == "describe=prompt"
