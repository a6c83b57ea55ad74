"""What the papers printed, typed: rows, findings, footnotes, facts, and the titles of tables."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import floor
from typing import Final

from core.cells import Cell
from core.records import Json, RespondentKind

PERCENT: Final = "percent"
MEAN: Final = "mean"
"""The group of a plain mean of the groups printed beside it; ``all`` is over the answers."""
OF_ITEMS: Final = ("final", "answer")
"""Steps whose accuracy is a share of items, so that a whole number of them must fit the printed value."""


@dataclass(frozen=True, slots=True)
class Row:
    """One printed number with the condition it stands for, in the words of ``phoropter report``.

    ``model`` is one name throughout a paper, ``printed`` the spelling of this table where it differs. ``value`` is
    the text as printed; ``n`` is how many answers it stands on, 0 where the paper does not say.
    """

    benchmark: str
    table: str
    model: str
    printed: str
    kind: RespondentKind
    size: str
    subset: str
    protocol: str
    options: str
    interventions: str
    step: str
    property_name: str
    group_by: str
    group: str
    value: str
    unit: str
    n: int
    footnote: str

    @property
    def source(self) -> str:
        """Where it stands in the paper, such as ``table 2`` or ``section 6.1``."""
        return self.table if self.table.startswith("section") else f"table {self.table}"

    @property
    def number(self) -> float:
        """The printed number itself."""
        return float(self.value)

    @property
    def percent(self) -> float:
        """The printed number in percent, also where the table counts answers."""
        return self.number if self.unit == PERCENT else 100 * self.number / self.n

    @property
    def condition(self) -> tuple[str, ...]:
        """What was asked, how, and of which items: everything but who answered and what was looked at."""
        return (self.subset, self.protocol, self.options, self.interventions)

    def cell(self) -> Cell:
        """As a row of ``report``, under the scorer ``published``; no interval, none is printed."""
        share = float(Decimal(self.value) / (100 if self.unit == PERCENT else self.n))
        return Cell(
            step=self.step,
            property=self.property_name,
            right=(round(share * self.n) if self.unit == PERCENT else self.number) if self.n else 0.0,
            n=self.n,
            accuracy=share,
            low=None,
            high=None,
            interval="none",
            unparsed=0,
            refused=0,
            unscored=0,
            failed=0,
            accuracy_strict=None,
            scorer="published",
            interventions=self.interventions,
            group_by=self.group_by,
            group=self.group,
            benchmark=self.benchmark,
            subset=self.subset,
            protocol=self.protocol,
            options=self.options,
            respondent=self.model,
            kind=self.kind,
            source=self.source,
        )

    def to_json(self) -> dict[str, Json]:
        """The cell, with null for what the paper does not say, the name as printed there, and the footnote's key."""
        cell = self.cell().to_json()
        unsaid: tuple[str, ...] = ("unparsed", "refused", "unscored", "failed")
        cell.update(dict.fromkeys(unsaid if self.n else (*unsaid, "right", "n")))
        return {**cell, "printed": self.printed or self.model, "footnote": self.footnote or None}


@dataclass(frozen=True, slots=True)
class Finding:
    """One number worked out from the tables. ``name`` is ``what`` or ``what/of whom``; accuracies are in percent."""

    name: str
    value: float
    note: str

    def to_json(self) -> dict[str, Json]:
        return {"name": self.name, "value": round(self.value, 6), "note": self.note}


@dataclass(frozen=True, slots=True)
class Footnote:
    """What a reader of a number should know: a contradiction in the paper, or what its number does not mean."""

    key: str
    text: str

    def to_json(self) -> dict[str, Json]:
        return {"key": self.key, "text": self.text}


@dataclass(frozen=True, slots=True)
class Fact:
    """A printed number that is no accuracy: a size, a count, a correlation."""

    name: str
    where: str
    value: float
    footnote: str


@dataclass(frozen=True, slots=True)
class TableTitle:
    """What a table of a paper is about, in our words, and the section that discusses it."""

    table: str
    section: str
    title: str


def fits(value: str, n: int) -> bool:
    """Whether some whole number of ``n`` items gives the printed percentage, rounded or cut off."""
    decimals = max(0, -int(Decimal(value).as_tuple().exponent))
    step = 10**decimals
    printed = round(float(value) * step)
    right = round(float(value) * n / 100)
    exact = [100 * step * k / n for k in (right - 1, right, right + 1) if 0 <= k <= n]
    return any(printed in (floor(share + 0.5 + 1e-9), floor(share + 1e-9)) for share in exact)
