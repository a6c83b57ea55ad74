"""Other keys for actions: what cannot be is refused in one message, and what is shown follows what works."""

from __future__ import annotations

import ast
import importlib
import io
import pkgutil
import re
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.command import CommandPalette
from textual.dom import DOMNode
from textual.screen import ModalScreen

import tui.screens
import tui.widgets
from core.config import Glance
from core.errors import ConfigError
from tests.tui.pilots import app_on, idle, notices, press, words
from tests.tui.stage import stepping
from tui.actions import ACTIONS, footer
from tui.cli.opening import demonstrate, open_app
from tui.key_names import key
from tui.keymap import Keymap, _normal, _unusable, keymap
from tui.manners import Manners, manners
from tui.scopes import SCOPES
from tui.screens.compare import CompareScreen
from tui.screens.dialog import Dialog, Scrolling
from tui.screens.edit import EditScreen
from tui.screens.help import HelpScreen
from tui.screens.keys_here import keys_here
from tui.screens.stepping import SteppingScreen


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"step.nxt": "n"}, "step.nxt: no such action; the nearest is step.next"),
        ({"quit": "n"}, "the nearest is app.quit"),
        ({"step.next": "b"}, "b would stand for both step.next and step.back"),
        ({"step.next": "n", "step.back": "n"}, "n would stand for both step.next and step.back"),
        ({"browse.order": "j"}, "j would stand for both browse.order and list.down"),
        ({"step.next": "spcae"}, "no such key as spcae; the nearest is space"),
        ({"step.next": "crtl+n"}, "no such modifier as crtl; the nearest is ctrl"),
        ({"step.next": "ctrl+q"}, "ctrl+q always quits"),
        ({"step.next": "n,n"}, "n stands there twice"),
        ({"step.next": ""}, "a key is missing"),
        ({"step.next": 3}, "must be a text"),
        ({"edit.put_in": "p"}, "p would be typed there"),
        ({"step.nxt": "n", "step.next": "spcae"}, "2 problems"),
        ({"step.next": "\U0001f999"}, "no keyboard sends \U0001f999. A key is a character (n, ?) or a name"),
        ({"step.next": "ctrl+\U0001f999"}, "no keyboard sends"),
        ({"step.next": "llama"}, "no keyboard sends"),
        ({"step.next": "\u4f60"}, "no keyboard sends"),
        ({"step.next": "\u0301"}, "no keyboard sends"),
        ({"step.next": "zero_width_space"}, "no keyboard sends"),
        ({"step.next": "null"}, "no keyboard sends"),
        ({"step.next": "\u2603"}, "no keyboard sends"),
        ({"step.next": "shift+a"}, "no keyboard sends shift+a, but the character that it writes"),
        ({"step.next": "ctrl+A"}, "write ctrl+a, or with shift+ in it"),
        ({"step.next": "ctrl+ctrl+a"}, "ctrl+ctrl+a holds one modifier twice"),
        ({"step.next": "ctrl"}, "no such key as ctrl"),
        ({"step.next": "ctrl+"}, "a key is missing"),
        ({"step.next": "f25"}, "no such key as f25"),
        ({"step.next": "any"}, "no such key as any"),
    ],
)
def test_what_cannot_be_is_refused_with_the_nearest(keys: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        keymap(keys, "here/phoropter.toml")
    assert words in str(caught.value)
    assert str(caught.value).startswith("here/phoropter.toml: app.keys: ")
    assert caught.value.exit_status == 2


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("F8", "f8"),
        ("shift+ctrl+a", "ctrl+shift+a"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("ctrl+@", "ctrl+@"),
        ("\u00e9", "\u00e9"),
        ("latin_small_letter_e_with_acute", "\u00e9"),
        ("\u20ac", "euro_sign"),
        ("\u00b0", "degree_sign"),
        ("alt+space", "alt+space"),
        ("ctrl + n", "ctrl+n"),
        ("Insert", "insert"),
        ("minus", "minus"),
    ],
)
def test_a_key_may_be_written_as_people_write_it(written: str, named: str) -> None:
    assert keymap({"step.next": written}, "p.toml").changed == {"step.next": named}


def test_what_is_built_in_is_what_keyboards_send() -> None:
    keys = {key for actions in SCOPES.values() for action in actions for key in action.keys.split(",")}
    assert {key: why for key in keys if (why := _unusable(_normal(key)))} == {}
    assert {key for key in keys if _normal(key) != key} == set()


@pytest.mark.parametrize(
    "bad",
    [
        "[app]\nkeys = 3",
        "[app]\nmouse = 'no'",
        "[app]\nimages = 'sharp'",
        "[app]\ncolour = 'dark'",
        "app = 3",
        "[app.keys]\n'step.next' = '\U0001f999'",
        "[app.keys]\n'step.next' = 3",
        "[respondents.me]\nkind = 'people'",
        "[stoer]\npath = 'x'",
        "[app",
    ],
)
def test_a_bad_configuration_is_refused_before_anything_is_painted(
    bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "phoropter.toml"
    file.write_text(bad, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr("tui.app.run_app", lambda app: pytest.fail("something was painted"))
    for opens in (lambda: open_app(None, file, ""), lambda: demonstrate("", "", "", None, file)):
        with pytest.raises(ConfigError) as caught:
            opens()
        assert "\n" not in str(caught.value)
        assert str(file) in str(caught.value)
        assert caught.value.exit_status == 2


class Terminal(io.StringIO):
    """Takes what is written to a terminal."""

    def isatty(self) -> bool:
        return True


def test_keys_may_be_written_as_people_read_them() -> None:
    made = keymap({"step.next": "PgDn, ?", "app.help": "F1", "detail.down": "ctrl+d"}, "")
    assert made.changed == {"step.next": "pagedown,question_mark", "app.help": "f1", "detail.down": "ctrl+d"}
    assert [each.shown for each in made.live(ACTIONS) if each.id == "step.next"] == ["PgDn ?"]


def test_no_two_actions_of_a_screen_share_a_key_as_delivered() -> None:
    assert keymap({}, "") == Keymap()
    keymap({action.id: action.keys for actions in SCOPES.values() for action in actions}, "")
    for actions in SCOPES.values():
        keys = [key for action in actions for key in action.keys.split(",")]
        assert "ctrl+b" not in keys  # tmux owns it


def test_the_table_is_taken_from_the_file() -> None:
    made = manners(Glance(Path("p.toml"), {"keys": {"step.next": "f8"}, "mouse": False, "theme": "light"}))
    assert (made.keys.changed, made.mouse, made.theme, made.images) == ({"step.next": "f8"}, False, "light", "auto")


async def test_keys_that_were_swapped_work_and_are_shown_everywhere() -> None:
    made = keymap({"step.next": "b", "step.back": "space", "app.help": "H", "edit.put_in": "ctrl+t"}, "")
    state = stepping()
    async with app_on(state, manners=Manners(keys=made)).run_test(size=(100, 30)) as pilot:
        await press(pilot, "b", "b")
        assert len(state.current.steps) == 2
        before = state.cursor
        await press(pilot, "space")
        assert state.cursor == before - 1
        assert " b next  space back " in words(pilot)
        assert " H help " in words(pilot)
        palette = [command.title for command in pilot.app.get_system_commands(pilot.app.screen)]
        assert "Step: next (b)" in palette
        await press(pilot, "H")
        assert isinstance(pilot.app.screen, HelpScreen)
        assert "  b              Forward along" in words(pilot)
        await press(pilot, "escape", "e")
        assert " ctrl+t put in " in words(pilot)
        await press(pilot, "x", "ctrl+t")
        assert state.current.steps[-1].answer.text.endswith("x")


async def test_texts_that_name_a_key_name_the_users_own() -> None:
    made = keymap({"step.next": "f8", "fork.again": "f9", "step.stop": "f10", "models.check": "f6"}, "")
    async with app_on(stepping(), manners=Manners(keys=made)).run_test(size=(100, 30)) as pilot:
        await press(pilot)
        assert "next: F8 asks oracle" in words(pilot)
        await press(pilot, "f10")
        assert "F10 again quits" in notices(pilot)
        assert (key("fork.again"), key("step.back")) == ("F9", "b")
    assert key("step.next") == "space"


def test_no_text_of_a_screen_names_a_key_that_can_be_another() -> None:
    names_one = re.compile(
        r"ctrl\+[a-pr-z]|(?<![\w.'{-])[a-zA-Z<>!/?](?= (?:ask|add|begin|check|choose|collect|copie|end|give|go|leave|"
        r"pick|point|quit|run|show|start|stop|take|turn|unfold|write)e?s\b)"
    )
    found = []
    for room in ("app.py", "mannered.py", "screens", "state", "widgets"):
        place = Path(tui.screens.__path__[0]).parent / room
        for file in [place] if place.is_file() else sorted(place.glob("*.py")):
            nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
            told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
            for node in nodes:
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
                    found += [f"{file.name}: {node.value}" for _ in names_one.findall(node.value)]
    assert found == [], "say tui.key_names.key"


async def test_help_is_that_of_the_place_and_of_the_focused_field() -> None:
    async with app_on(stepping()).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "e", "f1")
        assert isinstance(pilot.app.screen, HelpScreen)
        shown = words(pilot)
        assert "ctrl+s" in shown
        assert "Typing" in shown
        assert "Forward along stored steps" not in shown
        assert "Signs" not in shown
        await press(pilot, "slash", *"undo")
        assert "ctrl+s" not in words(pilot).replace("ctrl+s put in", "")
        await press(pilot, "enter", "escape")
        assert isinstance(pilot.app.screen, EditScreen)


async def test_the_palette_has_every_action_with_its_keys_and_opens_over_a_dialog() -> None:
    async with app_on(stepping()).run_test(size=(100, 30)) as pilot:
        await press(pilot, "space")
        titles = [command.title for command in pilot.app.get_system_commands(pilot.app.screen)]
        for action in ACTIONS:
            if action.id != "app.palette":
                assert f"{action.group}: {action.label} ({action.shown})" in titles
        assert "Theme: high contrast" in titles
        assert any(title.startswith("Step in: gold, only") for title in titles)
        await press(pilot, "e")
        await pilot.press("ctrl+p")
        await idle(pilot)
        assert isinstance(pilot.app.screen, CommandPalette)
        below = pilot.app.screen_stack[-2]
        assert {key.id for key in keys_here(below)} >= {"edit.put_in", "edit.leave", "app.help", "app.palette"}


def test_every_key_of_every_screen_and_list_is_in_the_registry_under_its_id() -> None:
    known = {action.id for actions in SCOPES.values() for action in actions}
    looked_at = 0
    for package in (tui.screens, tui.widgets):
        for room in pkgutil.iter_modules(package.__path__):
            found = importlib.import_module(f"{package.__name__}.{room.name}")
            for name, one in vars(found).items():
                if isinstance(one, type) and issubclass(one, DOMNode) and one.__module__ == found.__name__:
                    made = [key for key in one.__dict__.get("BINDINGS", ()) if isinstance(key, Binding)]
                    looked_at += len(made)
                    assert [key.key for key in made if key.id not in known] == [], name
    assert looked_at > 150


@pytest.mark.parametrize("scope", SCOPES)
def test_a_footer_holds_seven_keys_at_most_and_help_or_a_way_out_among_them(scope: str) -> None:
    shown = footer(1000, SCOPES[scope])
    assert len(shown) <= 7
    assert any(action.id.endswith((".leave", ".no", ".stay", ".quit", "app.quit")) for action in shown)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"grade.right": "w"}, "w would stand for both grade.right and grade.wrong"),
        ({"grade.keep": "p"}, "p would be typed there"),
        ({"note_text.save": "x"}, "x would be typed there"),
        ({"form.done": "d"}, "d would be typed there"),
        ({"accuracy.scorer": "g"}, "g would stand for both accuracy.group and accuracy.scorer"),
        ({"first.demo": "M"}, "M would stand for both first.demo and app.models"),
        ({"list.choose": "x"}, "x would stand for both browse.all and list.choose"),
    ],
)
def test_keys_of_dialogs_may_not_clash_either(keys: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        keymap(keys, "")
    assert words in str(caught.value)


async def test_a_dialogs_key_is_the_users_own_and_its_footer_says_so() -> None:
    made = keymap({"choose.leave": "f7", "list.choose": "f6", "compare.leave": "f7"}, "")
    state = stepping("seeing:0")
    async with app_on(state, manners=Manners(keys=made)).run_test(size=(100, 30)) as pilot:
        await press(pilot, "r", "b", "b", "g", "r", "c")
        assert " F6 choose " in words(pilot)
        await press(pilot, "escape", "f6")
        assert isinstance(pilot.app.screen, CompareScreen)
        assert " F7 back" in words(pilot)
        await press(pilot, "f7")
        assert isinstance(pilot.app.screen, SteppingScreen)


def test_every_dialog_has_help_the_palette_and_the_way_out() -> None:
    for room in pkgutil.iter_modules(tui.screens.__path__):
        found = importlib.import_module(f"tui.screens.{room.name}")
        for name, screen in vars(found).items():
            if (
                isinstance(screen, type)
                and issubclass(screen, ModalScreen)
                and screen not in (ModalScreen, Dialog, Scrolling)
            ):
                assert issubclass(screen, Dialog), f"{name}: derive it from tui.screens.dialog.Dialog"
