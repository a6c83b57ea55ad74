"""Charts drawn with signs, by plotext, without colour. Imported only when the accuracy drawer opens."""

from __future__ import annotations

import plotext
from rich.cells import set_cell_size

from tui.state.sheet import Bar, Chart, Curve, cut

LABELS = 24
LEAST = 24
"""Cells below which a chart says nothing."""
TALLEST = 14


def chart_lines(chart: Chart, width: int, height: int) -> list[str]:
    """The chart and its legend; nothing where there is no room, or nothing to show.

    Bars that do not fit are left out from below, and that is said.
    """
    if chart.empty or width < LEAST or height < 5:
        return []
    if chart.curves:
        lines = _curves(chart.curves, chart.along, width, min(height - 1, TALLEST))
        return [*lines, chart.legend] if chart.legend else lines
    room = height - 3
    bars = [bar for bar in chart.bars if bar.figure.share is not None]
    lines = _bars(bars[:room], width)
    more = f"   ({len(bars) - room} more have numbers only)" if len(bars) > room else ""
    return [*lines, chart.legend + more]


def _begin(width: int, height: int) -> None:
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.limit_size(False, False)  # the terminal's own size is not the screen's
    plotext.plotsize(width, height)
    plotext.frame(False)
    plotext.xaxes(True, False)
    plotext.yaxes(True, False)


def _built() -> list[str]:
    text = plotext.uncolorize(plotext.build())
    return [line.rstrip() for line in text.splitlines()]


def _bars(bars: list[Bar], width: int) -> list[str]:
    """A line for each: its interval as a stroke, its share as a dot, others' shares by their signs."""
    _begin(width, len(bars) + 2)
    places = list(range(len(bars), 0, -1))
    for place, bar in zip(places, bars, strict=True):
        figure = bar.figure
        if figure.low is not None and figure.high is not None:
            plotext.plot([100 * figure.low, 100 * figure.high], [place, place], marker="─")
        for sign, share in bar.marks:
            plotext.scatter([100 * share], [place], marker=sign)
        if figure.share is not None:
            plotext.scatter([100 * figure.share], [place], marker="●")
    longest = min(max(len(bar.label) for bar in bars), LABELS, width // 3)
    plotext.yticks(places, [set_cell_size(cut(bar.label, longest), longest) for bar in bars])
    plotext.xlim(0, 100)
    plotext.xticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100%"])
    plotext.ylim(0.5, len(bars) + 0.5) if len(bars) == 1 else plotext.ylim(1, len(bars))
    return _built()


def _curves(curves: tuple[Curve, ...], along: tuple[str, ...], width: int, height: int) -> list[str]:
    """Shares after each step; each curve is drawn in its own sign."""
    _begin(width, height)
    for curve in curves:
        points = [(i, 100 * share) for i, share in enumerate(curve.shares, 1) if share is not None]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        plotext.plot(xs, ys, marker="·")
        plotext.scatter(xs, ys, marker=curve.sign)
    plotext.ylim(0, 100)
    plotext.yticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100%"])
    plotext.xlim(1, max(len(along), 2))
    room = max(width // max(len(along), 1) - 1, 3)
    plotext.xticks(list(range(1, len(along) + 1)), [name[:room] for name in along])
    return _built()
