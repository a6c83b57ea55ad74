"""How wide a table's columns are, and where their words are folded: at spaces, then behind punctuation, and within a
word only where nothing else is left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import Final, TypeAlias

Cells: TypeAlias = Sequence[str]
LEAST: Final = 4
"""Characters of a column of words whose words have no room."""

_ATOMS: Final = re.compile(r"[^-_+=/:.,;\s]*[-_+=/:.,;]+|[^-_+=/:.,;\s]+")


class Fold(IntEnum):
    """What may be folded."""

    NOTHING = 0
    HEADERS = 1
    """Headers at their spaces."""
    SPACES = 2
    """Words at their spaces, too."""
    ATOMS = 3
    """Words behind punctuation, too, and numbers at spaces: ``+1.0 to +2.0``."""
    ANYWHERE = 4


def cell_len(text: str) -> int:
    """How many characters wide it is on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len as measured

    return measured(text)


def widths(lines: Sequence[Cells], words: Sequence[bool], room: int, fold: Fold) -> list[int] | None:
    """Of the columns of ``lines``, the header first, together at most ``room``; ``words`` says which hold words, the
    others being numbers. None where they have no room folded so."""
    columns = list(zip(*lines, strict=True))
    natural = [max(map(_line, of_column)) for of_column in columns]
    if fold is Fold.NOTHING:
        return natural if sum(natural) <= room else None
    found, floors = [], []
    for (header, *cells), is_words in zip(columns, words, strict=True):
        least = max(_in_words(header), *(_least(cell, fold, is_words=is_words) for cell in cells), 0)
        found.append(least)
        if fold is Fold.ANYWHERE and is_words:
            floors.append(min(least, LEAST))
        elif fold is Fold.ATOMS:
            in_atoms = max(map(_in_atoms, (header, *cells))) if is_words else max(map(_in_words, (header, *cells)))
            floors.append(min(least, in_atoms))
        else:
            floors.append(least)
    _squeeze(found, floors, room)
    if sum(found) > room:
        return None
    spare = room - sum(found)
    while spare > 0:
        wanting = [index for index, width in enumerate(found) if width < natural[index]]
        if not wanting:
            break
        found[max(wanting, key=lambda index: (natural[index] / max(found[index], 1), -index))] += 1
        spare -= 1
    return found


def folded(cell: str, width: int) -> list[str]:
    """The lines of a cell in a column of that width."""
    if "\n" not in cell and cell_len(cell) <= width:
        return [cell]
    out = []
    for line in cell.split("\n"):
        now: str | None = None
        for word in line.split(" "):
            longer = word if now is None else f"{now} {word}"
            if cell_len(longer) <= width:
                now = longer
                continue
            if now is not None:
                out.append(now)
            *whole, now = _pieces(word, width)
            out += whole
        out.append(now or "")
    return out


def _line(cell: str) -> int:
    return max(map(cell_len, cell.split("\n")))


def _least(cell: str, fold: Fold, *, is_words: bool) -> int:
    return _in_words(cell) if is_words and fold >= Fold.SPACES else _line(cell)


def _in_words(cell: str) -> int:
    return max(map(cell_len, cell.split()), default=0)


def _in_atoms(cell: str) -> int:
    return max(map(cell_len, _ATOMS.findall(cell)), default=0)


def _pieces(word: str, width: int) -> list[str]:
    """A word in pieces that have room."""
    if cell_len(word) <= width:
        return [word]
    from rich.cells import chop_cells

    out = [""]
    for atom in _ATOMS.findall(word):
        for part in [atom] if cell_len(atom) <= width else chop_cells(atom, width):
            if cell_len(out[-1] + part) <= width:
                out[-1] += part
            else:
                out.append(part)
    return [part for part in out if part] or [""]


def _squeeze(found: list[int], floors: Sequence[int], room: int) -> None:
    """Make the widest columns narrower until all have room, none narrower than its floor."""
    while sum(found) > room:
        narrower = [index for index, floor in enumerate(floors) if found[index] > floor]
        if not narrower:
            return
        found[max(narrower, key=found.__getitem__)] -= 1
