"""A fault of the program is told with its place and without what its variables held: keys, gold, others' words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from textual.screen import Screen

from core.respondents.secret import of_environment
from tests.end_to_end.commands import ROOT, environment
from tests.performance.ptys import Pty
from tui.crashing import told, trace
from tui.grounded import Grounded

KEY = "sk-marker-0123456789"
ENVIRON = {
    "MY_API_KEY": KEY, "HF_TOKEN": "hf_0123456789abc", "HTTPS_PROXY": "http://me:pass-word@proxy:1",
    "SOME_KEY": "short", "HOME": "/home/somebody-long", "BAD_URL": "http://[a@b",
}  # fmt: skip


def test_what_the_environment_keeps_to_itself_is_blotted_out_and_nothing_else() -> None:
    hidden = of_environment(ENVIRON)
    text = f"{KEY} hf_0123456789abc pass-word short /home/somebody-long me proxy"
    assert hidden.scrub(text) == "*** *** *** short /home/somebody-long me proxy"


def raised(error: BaseException) -> BaseException:
    """As it comes out of a frame that held the key."""
    header = f"Bearer {KEY}"
    try:
        try:
            raise KeyError(header)
        except KeyError:
            raise error from None
    except BaseException as caught:
        return caught


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError(f"bad header 'Bearer {KEY}' \x1b[31m\n\nx"), "ValueError: bad header 'Bearer ***'"),
        (OSError(2, "No such file", f"/tmp/{KEY}"), "/tmp/***: No such file"),
        (MemoryError(), "not enough memory"),
    ],
)
def test_neither_the_line_nor_the_trace_holds_a_key_or_commands_a_terminal(error: BaseException, words: str) -> None:
    caught = raised(error)
    for text in (told(caught, ENVIRON), trace(caught, ENVIRON)):
        assert KEY not in text
    assert words in told(caught, ENVIRON)
    assert "\n" not in told(caught, ENVIRON)
    assert "\x1b" not in trace(caught, ENVIRON)
    assert "test_crashing.py" in trace(caught, ENVIRON)


class Broken(Screen[None]):
    def on_mount(self) -> None:
        key = f"Bearer {KEY}"
        gold = "\x1b]0;two dogs walking\x07"
        raise ValueError(len(key + gold))


class App(Grounded):
    def first_screen(self) -> Screen[None]:
        return Broken()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
def test_an_application_that_breaks_leaves_its_trace_and_no_variables(tmp_path: Path) -> None:
    code = (
        "from tests.tui.test_crashing import App\nfrom tui.grounded import run_in_terminal\n"
        "import sys\nsys.exit(run_in_terminal(App(), instead=''))"
    )
    with Pty([sys.executable, "-c", code], environment(tmp_path, MY_API_KEY=KEY, PYTHONPATH=str(ROOT))) as terminal:
        terminal.seconds_until(b"please report it")
        said = terminal.output
    assert b"ValueError: 48" in said
    assert b"in on_mount" in said
    assert b"locals" not in said
    assert b"Bearer sk-" not in said
    assert b"two dogs walking" not in said
