"""The colours: Phoropter's own themes under plain names, beside those that Textual brings along."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from textual.theme import BUILTIN_THEMES, Theme

if TYPE_CHECKING:
    from textual.app import App

DEFAULT: Final = "dark"

_SAME: Final = {"dark": "textual-dark", "light": "textual-light"}

# High contrast: nothing between black and white but what carries a meaning.
_CONTRAST: Final = Theme(
    name="contrast",
    primary="#ffff00",
    secondary="#00ffff",
    accent="#ffff00",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    success="#00ff00",
    warning="#ffff00",
    error="#ff8080",
    text_alpha=1.0,
    variables={
        "primary-muted": "#5f5f00",
        "text-muted": "#ffffff",
        "text-accent": "#ffff00",
        "text-success": "#00ff00",
        "text-error": "#ff9999",
        "border": "#ffffff",
    },
)
# Okabe and Ito's palette: right is sky blue and wrong vermilion, which no common colour blindness confuses.
_COLOUR_BLIND: Final = Theme(
    name="colour-blind",
    primary="#0072B2",
    secondary="#009E73",
    accent="#F0E442",
    foreground="#e8e8e8",
    background="#121212",
    surface="#1c1c1c",
    panel="#262626",
    success="#56B4E9",
    warning="#E69F00",
    error="#D55E00",
    variables={"text-success": "#56B4E9", "text-error": "#E8762B", "text-accent": "#F0E442"},
)
# The terminal's own sixteen colours and its background: nothing that it has to approximate.
_SIXTEEN: Final = replace(
    BUILTIN_THEMES["ansi-dark"],
    name="16-colours",
    accent="ansi_yellow",
    variables={
        **BUILTIN_THEMES["ansi-dark"].variables,
        "panel-darken-1": "ansi_default",
        "panel-lighten-2": "ansi_bright_black",
        "primary-muted": "ansi_blue",
        "text-muted": "ansi_default",
    },
)

OWN: Final[Mapping[str, str]] = {
    "dark": "dark",
    "light": "light",
    "contrast": "high contrast",
    "colour-blind": "colour-blind safe",
    "16-colours": "the terminal's 16 colours",
}
"""Name and words of the themes that the key for them goes through."""


def said(name: str) -> str:
    """The theme of that name in words: ``dark colours``, ``the terminal's 16 colours``."""
    words = OWN.get(name, name)
    return words if words.endswith("colours") else f"{words} colours"


class Chosen(NamedTuple):
    """The theme to use, and what to say where it is not the one that was asked for."""

    name: str
    notice: str = ""


def register(app: App[Any]) -> None:
    """Make Phoropter's themes known to the application."""
    for name, original in _SAME.items():
        app.register_theme(replace(BUILTIN_THEMES[original], name=name))
    for theme in (_CONTRAST, _COLOUR_BLIND, _SIXTEEN):
        app.register_theme(theme)


def choose(wanted: object) -> Chosen:
    """The theme of that name; the default one, with a notice, where there is none."""
    if wanted in ("", None):
        return Chosen(DEFAULT)
    known = [*OWN, *BUILTIN_THEMES]
    if isinstance(wanted, str) and wanted in known:
        return Chosen(wanted)
    near = difflib.get_close_matches(str(wanted).lower(), known, 1, 0.5)
    nearest = f"; the nearest is {near[0]}" if near else ""
    return Chosen(DEFAULT, f"there is no theme {str(wanted)[:60]!r}{nearest}. {DEFAULT} is shown instead")


def following(name: str) -> str:
    """The one after it, round and round."""
    names = list(OWN)
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]
