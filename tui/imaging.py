"""How pictures reach this terminal: decided once, before the application starts, and never asked again.

textual-image asks the terminal while it is imported and fails where there is none, so the question is put here, its
answers are handed to it, and it is imported under a standard output that is no terminal.
"""

from __future__ import annotations

import difflib
import importlib
import io
import os
import re
import select
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TextIO, TypeAlias, cast

from core.errors import UsageError
from core.records import EMPTY

if TYPE_CHECKING:
    from PIL.Image import Image
    from textual_image.widget import UnicodeImage

Kind: TypeAlias = Literal["kitty", "sixel", "iterm2", "halfcell", "unicode", "off"]

KINDS: Final[tuple[Kind, ...]] = ("kitty", "sixel", "iterm2", "halfcell", "unicode", "off")
SHARP: Final[tuple[Kind, ...]] = ("kitty", "sixel", "iterm2")
"""Those that draw pixels."""
CAPTIONS: Final[Mapping[Kind, str]] = {
    "kitty": "kitty graphics",
    "sixel": "sixel",
    "iterm2": "iTerm2 image",
    "halfcell": "half blocks",
    "unicode": "grey letters",
    "off": "pictures off",
}
VARIABLE: Final = "PHOROPTER_IMAGES"
TIMEOUT: Final = 0.3
DUMB: Final = ("", "dumb", "unknown")

_QUESTIONS: Final = b"\x1b[16t\x1b[>q\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c"
_LAST_ANSWER: Final = re.compile(rb"\x1b\[\?([\d;]*)c")
_OLDEST_KITTY: Final = (0, 28)  # the first that draws pictures at placeholder characters


class Cell(NamedTuple):
    """Pixels of one character cell."""

    width: int = 10
    height: int = 20


DEFAULT_CELL: Final = Cell()


@dataclass(frozen=True, slots=True)
class Imaging:
    """How pictures are shown here, and how large a cell is."""

    kind: Kind
    cell: Cell = DEFAULT_CELL

    @property
    def caption(self) -> str:
        """The fallback's name, as it stands below every picture."""
        return CAPTIONS[self.kind]

    def pixels(self, columns: int, rows: int) -> tuple[int, int]:
        """What a picture of so many cells is scaled to before it is drawn."""
        if self.kind in SHARP:
            return columns * self.cell.width, rows * self.cell.height
        return columns, rows * 2

    def load(self) -> None:
        """Import what draws, where anything does."""
        if self.kind == "halfcell":
            importlib.import_module("tui.widgets.blocks")
        elif self.kind != "off":
            _textual_image(self)

    def prepare(self, image: Image) -> None:
        """In the thread that has scaled a picture: make what the widget would else make of it where it paints."""
        if self.kind == "halfcell":
            from tui.widgets.blocks import lines_of

            lines_of(image)

    def widget(self) -> UnicodeImage:
        """A new widget of this kind, without a picture yet. Not to be called where pictures are off."""
        made: Any
        if self.kind == "halfcell":
            from tui.widgets.blocks import BlockImage

            made = BlockImage()
        elif self.kind in SHARP:
            _textual_image(self)
            from tui.widgets.sharp import InlineImage, KittyImage

            made = KittyImage() if self.kind == "kitty" else InlineImage(self.kind, self.cell)
        else:
            made = _textual_image(self).UnicodeImage()
        return cast("UnicodeImage", made)  # all have an image that can be set


def decide(
    preference: str = "auto",
    environ: Mapping[str, str] = os.environ,
    timeout: float = TIMEOUT,
    *,
    option: str = "",
) -> Imaging:
    """The best way this terminal has. ``option`` comes before ``PHOROPTER_IMAGES``, that before ``preference``; each
    names a kind or auto. Raises UsageError for another word.

    Asks the terminal only where there is one on both sides. Call it before Textual starts, and import nothing large:
    what draws is loaded by ``Imaging.load``, which may run beside the first paint.
    """
    wanted = wanted_kind(preference, environ, option=option)
    if wanted == "off":
        return Imaging("off")
    web = environ.get("TEXTUAL_DRIVER", "").endswith("WebDriver")
    askable = not web and environ.get("TERM", "") not in DUMB and _is_terminal()
    kind, cell = _understood(_ask(timeout), environ) if askable else ("halfcell", DEFAULT_CELL)
    if wanted is not None:
        kind = wanted
    if web and kind == "kitty":
        kind = "halfcell"  # raw writes would tear the packets of the web driver
    return Imaging(kind, cell)


def wanted_kind(preference: str, environ: Mapping[str, str] = os.environ, *, option: str = "") -> Kind | None:
    """What was asked for, None where the terminal decides. Raises UsageError for a word that names no kind."""
    for word, place in ((option, "--images"), (environ.get(VARIABLE, ""), VARIABLE), (preference, "[app] images")):
        if word:
            return _kind_named(word, place)
    return None


def _kind_named(word: str, place: str) -> Kind | None:
    """The kind of that name, None for auto. Raises UsageError that says where it was named, and the nearest name."""
    if word == "auto":
        return None
    for known in KINDS:
        if word == known:
            return known
    near = difflib.get_close_matches(word, KINDS, 1, 0.5)
    meant = f" (did you mean {near[0]}?)" if near else ""
    raise UsageError(
        f"{word[:40]!r} is no way to show pictures{meant}", where=place, remedy=f"Use auto, {', '.join(KINDS)}"
    )


def _is_terminal() -> bool:
    try:
        if sys.__stdin__ is None or sys.__stdout__ is None:
            return False
        if not (sys.__stdin__.isatty() and sys.__stdout__.isatty()):
            return False
        return min(os.get_terminal_size(sys.__stdout__.fileno())) > 0
    except (ValueError, OSError):
        return False


def _ask(timeout: float) -> bytes:
    """The terminal's answers up to the one that every terminal gives, or what came in time."""
    import termios
    import tty

    assert sys.__stdin__ is not None
    assert sys.__stdout__ is not None
    answers = b""
    try:
        source, target = sys.__stdin__.fileno(), sys.__stdout__.fileno()
        before = termios.tcgetattr(source)
    except (termios.error, ValueError, OSError):
        return answers
    try:
        tty.setcbreak(source, termios.TCSANOW)
        os.write(target, _QUESTIONS)
        until = time.monotonic() + timeout
        while not _LAST_ANSWER.search(answers):
            ready, _, _ = select.select([source], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                break
            answers += os.read(source, 4096)
    except OSError:
        pass
    finally:
        termios.tcsetattr(source, termios.TCSANOW, before)
    return answers


def _understood(answers: bytes, environ: Mapping[str, str] = EMPTY) -> tuple[Kind, Cell]:
    size = re.search(rb"\x1b\[6;(\d+);(\d+)t", answers)
    height, width = (int(value) for value in size.groups()) if size else (0, 0)
    cell = Cell(width, height) if width and height else DEFAULT_CELL
    if _multiplexed(answers, environ):
        return "halfcell", cell  # it keeps pictures to itself, and says sixel whatever the terminal around it can
    if _is_iterm2(answers, environ):
        return "iterm2", cell
    attributes = _LAST_ANSWER.search(answers)
    if attributes and b"4" in attributes[1].split(b";"):
        return "sixel", cell
    if b"\x1b_Gi=31;OK" in answers and _draws_placeholders(answers):
        return "kitty", cell
    return "halfcell", cell


def _multiplexed(answers: bytes, environ: Mapping[str, str]) -> bool:
    """Inside tmux, screen or zellij, by what they set or by what answers."""
    inside = any(environ.get(name) for name in ("TMUX", "STY", "ZELLIJ"))
    return inside or re.match(r"(tmux|screen)\b", environ.get("TERM", "")) is not None or b"P>|tmux" in answers


def _is_iterm2(answers: bytes, environ: Mapping[str, str]) -> bool:
    """By its name; older ones do not tell it, but set a variable, which ssh hands on."""
    name = re.search(rb"\x1bP>\|(\w+)", answers)
    if name is not None:
        return name[1].lower() == b"iterm2"
    told = environ.get("LC_TERMINAL"), environ.get("TERM_PROGRAM")
    return b"\x1b_G" not in answers and (told[0] == "iTerm2" or told[1] == "iTerm.app")


def _draws_placeholders(answers: bytes) -> bool:
    """Others than kitty and Ghostty say they know the protocol and then draw nothing at placeholders."""
    name = re.search(rb"\x1bP>\|(\w+)[ (]*v?(\d+)\.(\d+)", answers)
    if name is None:
        return False
    version = (int(name[2]), int(name[3]))
    return name[1].lower() == b"ghostty" or (name[1].lower() == b"kitty" and version >= _OLDEST_KITTY)


class _NoTerminal(io.StringIO):
    """Stands for standard output while something is imported that would ask it; how large it is may still be seen."""

    def __init__(self, real: TextIO | None) -> None:
        super().__init__()
        self._real = real

    def fileno(self) -> int:
        return self._real.fileno() if self._real is not None else super().fileno()


def _textual_image(imaging: Imaging) -> Any:
    """textual_image.widget, imported without a question to the terminal (0.12 and 0.14 keep answers differently)."""
    if "textual_image.widget" not in sys.modules:
        import textual_image._terminal as terminal

        size = terminal.CellSize(*imaging.cell)
        capabilities = getattr(terminal, "TerminalCapabilities", None)
        if capabilities is not None:
            terminal.probe_terminal._result = capabilities(  # type: ignore[attr-defined]
                size, sixel=imaging.kind == "sixel", tgp=imaging.kind == "kitty"
            )
        terminal.get_cell_size._result = size  # type: ignore[attr-defined]
        real = sys.__stdout__
        sys.__stdout__ = _NoTerminal(real)  # type: ignore[misc,assignment]
        try:
            importlib.import_module("textual_image.widget")
        finally:
            sys.__stdout__ = real  # type: ignore[misc]
    return sys.modules["textual_image.widget"]
