"""What the rest of the house asks of the published results: rows, cells, findings, footnotes, tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from core.cells import Cell
from core.published import mmra, voila, vrex
from core.published.load import BENCHMARKS, facts, footnotes, known, rows, tables
from core.published.records import Finding

__all__ = ["BENCHMARKS", "cells", "findings", "footnotes", "known", "rows", "tables"]

_FINDINGS: Final[Mapping[str, Callable[[], list[Finding]]]] = MappingProxyType(
    {"voila": voila.findings, "vrex": vrex.findings, "mmra": mmra.findings}
)


def cells(benchmark: str) -> list[Cell]:
    """Every printed number as a row of ``report``, in printed order."""
    return [row.cell() for row in rows(benchmark)]


def findings(benchmark: str) -> list[Finding]:
    """What can be recomputed from the benchmark's tables; each note says from what, and what the paper says.

    Last come the paper's own numbers that are no accuracies, as ``stated/NAME``.
    """
    worked_out = _FINDINGS[known(benchmark)]()
    return [
        *worked_out,
        *(Finding(f"stated/{fact.name}", fact.value, fact.where) for fact in facts(benchmark).values()),
    ]
