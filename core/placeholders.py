"""A turn as one text to be edited: each picture is a line of its own in its place, such as ``[picture 1]``.

A turn's own pictures are counted as ``pictures:2,1,3`` counts them, those of a collage one by one
(``[pictures 1-3]``); pictures of worked examples are counted apart (``[example picture 1]``).
"""

from __future__ import annotations

import re
from typing import Final

from core.errors import UsageError
from core.records import Part, Show, Text, Turn

_PLACEHOLDER: Final = re.compile(r"\[(?:example )?pictures? \d+(?:-\d+)?\]", re.IGNORECASE)


def drafted(turn: Turn, of: Turn | None = None) -> str:
    """All that is put to a model, words and placeholders, in the turn's order. Where it was made from another turn,
    as own words or other pictures are, placeholders are those of the pictures in that one, ``of``.

    Raises UsageError for a picture that is not in that one as it is: joined with others, or blank.
    """
    named = iter(_named_as(of or turn, turn))
    lines = [part.text if isinstance(part, Text) else next(named) for part in turn.content]
    return "\n".join([*lines, turn.answer_format] if turn.answer_format else lines)


def holds_any(text: str) -> bool:
    """Whether a text has a placeholder, also one that its turn does not have."""
    return _PLACEHOLDER.search(text) is not None


def unplaced(turn: Turn, text: str) -> tuple[str, ...]:
    """The placeholders of the turn's own pictures that the text lacks: those pictures are shown before its words."""
    there = {line.strip().lower() for line in text.split("\n")}
    return tuple(name for name, show in _named(turn) if not show.source and name not in there)


def unplaced_words(missing: tuple[str, ...]) -> str:
    """What becomes of those pictures, as a sentence."""
    said = ", ".join(missing)
    one = len(missing) == 1
    return f"{said} {'has' if one else 'have'} no line in the prompt: shown before its first word"


def placed(turn: Turn, text: str) -> tuple[Part, ...]:
    """The text as a turn's content, a picture at each placeholder; those left out come first, examples' go.

    Raises UsageError for a placeholder that the turn does not have, one that stands twice, and one within a line.
    """
    known = dict(_named(turn))
    where = f"{turn.step}=prompt"
    body: list[Part] = []
    words: list[str] = []
    used: set[str] = set()
    for line in text.split("\n"):
        found = _PLACEHOLDER.search(line)
        if found is None:
            words.append(line)
            continue
        name = found.group().lower()
        if line.strip().lower() != name:
            raise UsageError(f"{name} must stand on a line of its own", where=where)
        if name not in known:
            remedy = f"Known: {', '.join(known)}" if known else "Leave the line out"
            raise UsageError(f"{turn.step} shows no {name}", where=where, remedy=remedy)
        if name in used:
            raise UsageError(f"{name} stands there twice", where=where, remedy="A picture is shown once")
        used.add(name)
        _say(body, words)
        body.append(known[name])
    _say(body, words)
    first = [show for name, show in known.items() if name not in used and not show.source]
    return (*first, *body)


def _named_as(of: Turn, turn: Turn) -> list[str]:
    """The placeholders in ``of`` of the turn's pictures, in the turn's order."""
    left, out = _named(of), []
    for wanted in turn.shows:
        found = next((one for one in left if one[1] == wanted), None)
        if found is None:
            raise UsageError(
                "a picture is blank here, or joined with others: no line of a prompt stands for that",
                where=f"{turn.step}=prompt",
                remedy="Put the prompt in on the path without other pictures",
            )
        left.remove(found)
        out.append(found[0])
    return out


def _say(body: list[Part], words: list[str]) -> None:
    """The lines so far as one part, where they say anything."""
    if any(line.strip() for line in words):
        body.append(Text("\n".join(words)))
    words.clear()


def _named(turn: Turn) -> list[tuple[str, Show]]:
    """The turn's pictures in order, each with its placeholder."""
    out: list[tuple[str, Show]] = []
    counts = {True: 0, False: 0}
    for show in turn.shows:
        before = counts[bool(show.source)]
        last = counts[bool(show.source)] = before + len(show.of)
        kind = "example " if show.source else ""
        name = f"picture {last}" if last == before + 1 else f"pictures {before + 1}-{last}"
        out.append((f"[{kind}{name}]", show))
    return out
