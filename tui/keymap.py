"""Other keys for actions, as ``[app.keys]`` of phoropter.toml has them: checked before anything is drawn."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, _character_to_key, format_key, key_to_character

from core.errors import ConfigError
from tui.actions import Action
from tui.counting import counted
from tui.scopes import DIALOG, LINES, SCOPES, TWINS, TYPED_INTO

FORMS: Final = (
    "A key is a character (n, ?) or a name (space, f5), alone or after ctrl+ or alt+; a name after shift+ too"
)
MODIFIERS: Final = ("ctrl", "alt", "shift", "super", "hyper", "meta")
_SHOWN: Final = {"pageup": "PgUp", "pagedown": "PgDn", "enter": "enter", "delete": "Del", "backspace": "⌫"}
_LONG: Final = {short: long for long, short in KEY_NAME_REPLACEMENTS.items()}
_OTHERWISE: Final = {"ctrl+at": Keys.ControlAt.value}
_WRITTEN: Final = {
    "pgup": "pageup", "pgdn": "pagedown", "del": "delete", "esc": "escape", "return": "enter", "spacebar": "space"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Keymap:
    """The keys of each action by its id, in Textual's names, separated by commas; only those that were changed."""

    changed: Mapping[str, str] = field(default_factory=dict)

    def live(self, actions: Iterable[Action]) -> tuple[Action, ...]:
        """The actions with the keys that they have now."""
        return tuple(
            replace(action, keys=self.changed[action.id], shown=shown(self.changed[action.id]))
            if action.id in self.changed
            else action
            for action in actions
        )

    @property
    def named(self) -> Mapping[str, str]:
        """The first key of each changed action, as people read it."""
        return {name: shown(keys).split()[0] for name, keys in self.changed.items()}


def shown(keys: str) -> str:
    """Keys as people read them: ``? F1``."""
    return " ".join(map(_shown, keys.split(",")))


def writes(key: str) -> bool:
    """Whether a text field takes the key as a character."""
    return (key_to_character(key) or "").isprintable() and key_to_character(key) is not None


def _shown(key: str) -> str:
    modifiers, plus, bare = key.rpartition("+")
    named = _SHOWN.get(bare) or (bare.upper() if bare[:1] == "f" and bare[1:].isdigit() else format_key(bare))
    return f"{modifiers}{plus}{named}"


def keymap(wanted: Mapping[str, object], where: str) -> Keymap:
    """The keymap of ``[app.keys]``. Raises ConfigError with every problem: an id or key that is unknown (and the
    nearest), a key that two actions of one screen would share."""
    known = {action.id: action for actions in SCOPES.values() for action in actions}
    changed: dict[str, str] = {}
    problems: list[str] = []
    for name, keys in wanted.items():
        if name not in known:
            problems.append(f"{name}: no such action{_nearest(name, known)}")
        elif not isinstance(keys, str):
            problems.append(f'{name}: must be a text such as "n,space"')
        else:
            found = [_normal(key) for key in keys.split(",")]
            problems += [f"{name}: {problem}" for key in found if (problem := _unusable(key))]
            problems += [
                f"{name}: {key} stands there twice" for key in sorted({k for k in found if found.count(k) > 1})
            ]
            changed[name] = ",".join(found)
    made = Keymap(changed)
    if not problems:
        problems = list(_clashes(made))
    if problems:
        one = (
            problems[0] if len(problems) == 1 else f"{counted(len(problems), 'problem')}\n  " + "\n  ".join(problems)
        )
        raise ConfigError(f"app.keys: {one}", where=where)
    return made


def _clashes(made: Keymap) -> Iterator[str]:
    told: set[str] = set()
    shared = made.live((*DIALOG, *LINES))  # some write, and leave that to a field that has the focus
    for scope, actions in SCOPES.items():
        owners: dict[str, str] = {}
        for action in made.live(actions):
            for key in action.keys.split(","):
                owner = owners.setdefault(key, action.id)
                problem = f"{shown(key)} would stand for both {owner} and {action.id}"
                if owner != action.id and frozenset({owner, action.id}) not in TWINS and problem not in told:
                    told.add(problem)
                    yield f"{problem}. Give one of them another key"
                typed = scope in TYPED_INTO and action not in shared and writes(key)
                if typed and action.id in made.changed:
                    yield f"{action.id}: {shown(key)} would be typed there. Take one with ctrl, or an F key"


def _normal(key: str) -> str:
    """As Textual names it: ``?`` is question_mark, ``Esc`` escape; a letter keeps its case."""
    key = key.strip()
    held, bare = _parts(key)
    if len(bare) > 1:
        bare = _WRITTEN.get(bare.lower(), bare.lower())
        character = _character(bare) if bare not in _names() else None
        bare = _character_to_key(character) if character is not None and character.isprintable() else bare
    elif bare:
        bare = _character_to_key(bare)
    named = "+".join([*sorted(each.strip().lower() for each in held), bare])
    return _OTHERWISE.get(named, named)


def _parts(key: str) -> tuple[list[str], str]:
    """What is held down, and the key itself, which may be ``+``."""
    if key == "+" or key.endswith("++"):
        return [each for each in key[:-2].split("+") if each], "+"
    *held, bare = key.split("+")
    return held, bare.strip()


def _unusable(key: str) -> str:
    """Why nobody can press that key (as :func:`_normal` names it), "" where somebody can."""
    *held, bare = key.split("+")
    if not bare:
        return "a key is missing"
    if wrong := [each for each in held if each not in MODIFIERS]:
        return f"no such modifier as {wrong[0]}{_nearest(wrong[0], MODIFIERS)}"
    if len(set(held)) < len(held):
        return f"{key} holds one modifier twice"
    if key == "ctrl+q":
        return "ctrl+q always quits"
    if bare in _names():
        return ""
    character = _character(bare)
    if character is None:
        return f"no such key as {key}{_nearest(bare, _names())}"
    if not _on_keyboards(character):
        return f"no keyboard sends {shown(key)}. {FORMS}"
    if held == ["shift"]:
        return f"no keyboard sends {shown(key)}, but the character that it writes. {FORMS}"
    if held and character != character.lower():
        small = f"{'+'.join(held)}+{character.lower()}"
        return f"no keyboard sends {shown(key)}: write {small}, or with shift+ in it. {FORMS}"
    return ""


def _on_keyboards(character: str) -> bool:
    """Whether a key writes it by itself: a letter, digit or sign one cell wide. What an input method puts together,
    emoji, and what is not seen are no keys."""
    kind = unicodedata.category(character)
    sign = kind[0] in "LNP" or kind in ("Sm", "Sc", "Sk") or (kind == "So" and character < "\u0100")
    return sign and cell_len(character) == 1


@lru_cache(1)
def _names() -> Sequence[str]:
    """The keys that have a name: those that write nothing, and space."""
    named = dict.fromkeys(key.value.rpartition("+")[2] for key in Keys)
    return [name for name in named if name.isalnum() and len(name) > 1 and not _writes_a_sign(name)]


def _writes_a_sign(name: str) -> bool:
    character = _character(name)
    return character is not None and character.isprintable() and character != " "


def _character(name: str) -> str | None:
    """What a key of that name writes."""
    return key_to_character(_LONG.get(name, name))


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name.lower(), list(known), 1, 0.5)
    return f"; the nearest is {near[0]}" if near else ""
