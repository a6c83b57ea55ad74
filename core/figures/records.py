"""A figure as data: panels of series of marks, each with its interval and what it stands on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from core.records import Json

Whose: TypeAlias = Literal["run", "what-if", "published", "people"]
"""A run's own answers; those after an intervention; models' that a paper printed; people's, printed or not."""

Form: TypeAlias = Literal["steps", "groups", "bars"]
"""Marks over steps, joined by nothing; groups one below the other; bars side by side."""

FIELDS: Final = (
    "figure", "panel", "series", "whose", "x", "value", "low", "high", "interval", "n", "source", "scorer",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """One value over ``x`` with its 95% interval, None where there is none; ``n`` is 0 where it is not known."""

    x: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    interval: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Marks of one respondent, under the name it has throughout a figure."""

    name: str
    marks: Sequence[Mark]
    whose: Whose = "run"


@dataclass(frozen=True, slots=True)
class Panel:
    """One frame of a figure."""

    title: str
    series: Sequence[Series]


@dataclass(frozen=True, slots=True)
class Figure:
    """``name`` is the stem of its files. ``joined`` draws a line through a series' marks; values are shares from 0 to
    1 where ``share`` says so. ``even`` is a value where nothing differs, drawn as a line."""

    name: str
    title: str
    x: str
    y: str
    panels: Sequence[Panel]
    form: Form = "steps"
    scorer: str = ""
    joined: bool = False
    share: bool = True
    even: float | None = None

    @property
    def order(self) -> list[str]:
        """Everything that marks stand over, in the order it first comes."""
        return list(dict.fromkeys(mark.x for _, series in self.all_series() for mark in series.marks))

    @property
    def names(self) -> list[tuple[str, Whose]]:
        """The names of the series, once each."""
        return list(dict.fromkeys((series.name, series.whose) for _, series in self.all_series()))

    def all_series(self) -> Iterator[tuple[Panel, Series]]:
        for panel in self.panels:
            for series in panel.series:
                yield panel, series

    def records(self) -> Iterator[dict[str, Json]]:
        """The numbers, flat, as they stand in the csv beside the figure."""
        for panel, series in self.all_series():
            for mark in series.marks:
                own = (self.name, panel.title, series.name, series.whose, mark.x, mark.value, mark.low, mark.high)
                yield dict(zip(FIELDS, (*own, mark.interval, mark.n or None, mark.source, self.scorer), strict=True))
