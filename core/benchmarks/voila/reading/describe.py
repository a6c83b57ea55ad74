"""Step 1: what is in each of the three pictures (paper section 4, "Describing Images")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from core.benchmarks.voila.reading import kinds as t
from core.benchmarks.voila.reading.content import read_content
from core.benchmarks.voila.reading.kinds import Found, Said, Token
from core.benchmarks.voila.reading.pictures import stretches
from core.benchmarks.voila.vocabulary import PROPERTIES

UNITS: Final = (1, 2, 3)


def read_describe(tokens: Sequence[Token]) -> dict[int, Said]:
    """By picture. Unnamed pictures are told in order, if exactly three are told."""
    named = stretches(tokens)
    if named and any(1 <= unit <= 3 for units, _ in named for unit in units):
        read = _by_name(named)
        if any(said.values or said.unclear for said in read.values()):
            # A list under "the three images show" names none of its lines.
            if all(len(units) > 1 for units, _ in named):
                return _in_order(tokens) or read
            return read
    return _in_order(tokens) or {}


def _by_name(named: list[tuple[tuple[int, ...], Sequence[Token]]]) -> dict[int, Said]:
    own: dict[int, list[Said]] = {unit: [] for unit in UNITS}
    shared: dict[int, list[Said]] = {unit: [] for unit in UNITS}
    for units, stretch in named:
        said = read_content(stretch)
        for unit in units:
            if unit in own:
                (own if len(units) == 1 else shared)[unit].append(said)
    return {unit: _under(_together(own[unit]), _together(shared[unit])) for unit in UNITS}


def _together(told: list[Said]) -> Said:
    """Several stretches about one picture: they agree, or the property is unclear."""
    if len(told) == 1:
        return told[0]
    values: dict[str, Found] = {}
    unclear: set[str] = set()
    for said in told:
        unclear |= said.unclear
        for name, found in said.values.items():
            if values.setdefault(name, found).value != found.value:
                unclear.add(name)
    return Said({name: found for name, found in values.items() if name not in unclear}, frozenset(unclear))


def _under(own: Said, shared: Said) -> Said:
    """What is said of several pictures holds for one where nothing else is said of that one."""
    if not shared.values and not shared.unclear:
        return own
    values = {name: found for name, found in shared.values.items() if name not in own.unclear} | own.values
    unclear = own.unclear | frozenset(name for name in shared.unclear if name not in own.values)
    return Said(values, unclear)


# -- no picture named


def _in_order(tokens: Sequence[Token]) -> dict[int, Said] | None:
    columns = _columns(tokens)
    if columns is not None:
        return columns
    for parts in (_listed(tokens), _braced(tokens), _split(tokens, (t.LINE,)), _split(tokens, (t.LINE, t.STOP)),
                  _phrases(tokens)):  # fmt: skip
        told = [said for said in map(read_content, parts) if _tells(said)]
        if len(told) == len(UNITS):
            return dict(zip(UNITS, told, strict=True))
    return None


def _tells(said: Said) -> bool:
    names = {*said.values, *said.unclear}
    return len(names) >= 2


def _listed(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    at = [index for index, token in enumerate(tokens) if token.kind == t.LIST]
    for index, end in pairwise([*at, len(tokens)]):
        yield tokens[index + 1 : end]


def _braced(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The innermost ``{...}`` or ``[...]`` groups."""
    start: int | None = None
    for index, token in enumerate(tokens):
        if token.kind == t.OPEN:
            start = index + 1
        elif token.kind == t.CLOSE and start is not None:
            yield tokens[start:index]
            start = None


def _split(tokens: Sequence[Token], kinds: Iterable[str]) -> Iterator[Sequence[Token]]:
    start = 0
    for index, token in enumerate(tokens):
        if token.kind in kinds:
            yield tokens[start:index]
            start = index + 1
    yield tokens[start:]


def _phrases(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """One sentence of phrases, each beginning with a count: ``two dogs walking, a cat reading and ...``."""
    at = [
        index
        for index, token in enumerate(tokens)
        if token.kind in (t.NUM, t.ARTICLE)
        and (index == 0 or tokens[index - 1].kind in (t.COMMA, t.AND, t.STOP, t.LINE, t.COLON, t.TO, t.ARROW))
    ]
    for index, end in pairwise([*at, len(tokens)]):
        yield tokens[index:end]


def _columns(tokens: Sequence[Token]) -> dict[int, Said] | None:
    """``{"number": ["two", "two", "three"], ...}``: one list a property."""
    lists: dict[str, list[Found]] = {}
    kinds = {"number": (t.NUM,), "subject": (t.SUBJ,), "action": (t.ACT, t.VERB)}
    label = ""
    inside = False
    for token in tokens:
        if token.kind == t.LABEL:
            label, inside = token.value, False
        elif token.kind == t.OPEN:
            inside = bool(label) and token.value == "["
        elif token.kind in (t.CLOSE, t.LINE):
            if token.kind == t.CLOSE:
                label, inside = "", False
        elif inside and token.kind in kinds[label]:
            lists.setdefault(label, []).append(Found(token.value, token.start, token.end))
    if not lists or any(len(found) != len(UNITS) for found in lists.values()):
        return None
    return {
        unit: Said({name: lists[name][unit - 1] for name in PROPERTIES if name in lists}, frozenset())
        for unit in UNITS
    }
