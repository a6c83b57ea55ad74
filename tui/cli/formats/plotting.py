"""Figures drawn by matplotlib (extra ``plots``): for print, and told apart without colour by markers and hatches.

Importing this module imports matplotlib. Raises UsageError where it is not installed.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from core.errors import UsageError
from core.figures.records import Figure, Panel, Series, Whose
from core.version import own_version
from tui.inert import one_line

try:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib.figure import Figure as Canvas
    from matplotlib.font_manager import get_font_names
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.ticker import PercentFormatter
except ImportError:
    raise UsageError(
        "figures are drawn by matplotlib, which is not installed",
        where="--figures",
        remedy="Install it: pip install 'phoropter[plots]'",
    ) from None

ENDINGS: Final = ("svg", "pdf", "png")
INK: Final = "#1a1a1a"
"""Text, axes and what belongs to no run; a page on a dark ground draws it in its own colour."""
FAINT: Final = "#808080"

OKABE_ITO: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", INK)
"""Colours that eyes of every kind tell apart; its yellow is too pale on paper."""
MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X")
HATCHES: Final = ("", "///", "...", "xxx", "\\\\\\", "ooo", "+++")
LINES: Final = ("-", "--", ":", "-.")
WIDTH: Final = 6.9
"""Inches: two columns of a paper."""
MOST_ACROSS: Final = 4
FOOT: Final = 0.13
"""Inches of the line that says what a figure stands on."""

FONTS: Final = frozenset(
    {"Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans"}
)
"""Fonts that stand in, where they are installed, for characters that the first one lacks."""

_STYLE: Final[dict[str, Any]] = {
    **dict.fromkeys(("axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize"), 8),
    **dict.fromkeys(("xtick.labelsize", "ytick.labelsize", "legend.fontsize"), 7),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right"), False),
    "figure.titlesize": 9,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", *sorted(FONTS & set(get_font_names()))],
    "text.parse_math": False,  # a name may hold $
    "axes.facecolor": "none",
    "axes.axisbelow": True,
    "hatch.linewidth": 0.6,
    "grid.color": FAINT,
    "grid.alpha": 0.35,
    "grid.linewidth": 0.5,
    "svg.fonttype": "none",  # words stay words
    "svg.hashsalt": "phoropter",
    "pdf.fonttype": 42,
}


def files(figure: Figure) -> dict[str, bytes]:
    """The figure's files by their endings. The same numbers give the same bytes."""
    with matplotlib.rc_context(_STYLE):
        canvas = _Drawing(figure).canvas
        return {ending: _saved(canvas, figure, ending, "white") for ending in ENDINGS}


def for_page(figure: Figure) -> bytes:
    """The figure as svg without a ground and a title of its own: the page has them."""
    with matplotlib.rc_context(_STYLE):
        return _saved(_Drawing(figure, titled=False).canvas, figure, "svg", "none")


def _saved(canvas: Canvas, figure: Figure, ending: str, ground: str) -> bytes:
    out = io.BytesIO()
    title = one_line(figure.title)
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(ending, {})
    metadata = {"Title": title.encode("latin-1", "replace").decode("latin-1"), **undated}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a character that no font here has is a box in png and pdf
        canvas.savefig(
            out, format=ending, dpi=300, metadata=metadata, facecolor=ground, bbox_inches="tight", pad_inches=0.05
        )
    return out.getvalue()


class _Drawing:
    """One figure on its canvas."""

    def __init__(self, figure: Figure, *, titled: bool = True) -> None:
        self._figure = figure
        self._titled = titled
        self._lined = False
        self._order = {name: index for index, name in enumerate(figure.order)}
        own = [name for name, whose in figure.names if whose in ("run", "what-if")]
        self._own = {name: index for index, name in enumerate(own)}
        count = len(figure.panels)
        across = min(count, MOST_ACROSS if figure.form != "groups" else 3)
        down = -(-count // across)
        width = min(WIDTH, max(3.4, 1.75 * across + 0.6))
        if figure.form != "bars" and len(self._order) > 6 and count == 1:
            width = WIDTH
        self.canvas = Canvas(figsize=(width, self._height() * down), layout="constrained")
        grid = self.canvas.subplots(down, across, sharex=True, sharey=True, squeeze=False)
        frames = [frame for row in grid for frame in row]
        for panel, frame in zip(figure.panels, frames, strict=False):
            self._draw(panel, frame)
        for frame in frames[count:]:
            frame.set_visible(False)
        self._finish(grid)

    def _height(self) -> float:
        if self._figure.form == "groups":
            each = 0.06 + 0.09 * (len(self._own) if self._figure.share else 1)
            return max(1.6, each * len(self._order) + 0.9)
        return 2.3

    def _draw(self, panel: Panel, frame: Any) -> None:
        figure = self._figure
        if panel.title:
            frame.set_title(one_line(panel.title))
        for series in panel.series:
            if series.whose in ("run", "what-if"):
                (self._bars if figure.form == "bars" else self._marks)(series, frame)
            else:
                self._reference(series, frame)
        names = [textwrap.shorten(one_line(name), 34, placeholder="…") or "(none)" for name in self._order]
        if figure.form == "groups":
            frame.set_yticks(range(len(names)), names)
            frame.set_ylim(len(names) - 0.4, -0.6)
            frame.grid(axis="x")
        else:
            long = sum(map(len, names)) > 22
            frame.set_xticks(range(len(names)), names, rotation=30 if long else 0, ha="right" if long else "center")
            frame.set_xlim(-0.6, len(names) - 0.4)
            frame.grid(axis="y")
        value, limit = (frame.xaxis, frame.set_xlim) if figure.form == "groups" else (frame.yaxis, frame.set_ylim)
        if figure.share:
            value.set_major_formatter(PercentFormatter(1.0))
            limit(-0.03, 1.03)
        if figure.even is not None:
            line = frame.axvline if figure.form == "groups" else frame.axhline
            line(figure.even, color=INK, linewidth=0.8, linestyle=":")

    def _place(self, series: Series, x: str) -> float:
        """Side by side within a step or group, so that no interval hides another."""
        index, count = self._own[series.name], len(self._own)
        return self._order[x] + (0.0 if count == 1 else (index / (count - 1) - 0.5) * min(0.6, 0.16 * count))

    def _marks(self, series: Series, frame: Any) -> None:
        index = self._own[series.name]
        colour, marker = OKABE_ITO[index % len(OKABE_ITO)], MARKERS[index % len(MARKERS)]
        if self._figure.share is False:  # one mark a respondent: nothing to be told apart within a row
            places = [float(self._order[mark.x]) for mark in series.marks]
        else:
            places = [self._place(series, mark.x) for mark in series.marks]
        values = [mark.value for mark in series.marks]
        reach = _reach(series)
        how = {
            "color": colour, "marker": marker, "markersize": 4, "linewidth": 1, "elinewidth": 0.9, "capsize": 1.8,
            "linestyle": "none",
            "markerfacecolor": "none" if series.whose == "what-if" else colour, "clip_on": False, "zorder": 3,
        }  # fmt: skip
        if self._figure.form == "groups":
            frame.errorbar(values, places, xerr=reach, **how)
        else:
            frame.errorbar(places, values, yerr=reach, **how)
        for at, (mark, after) in enumerate(pairwise(series.marks if self._figure.joined else ())):
            if mark.n == after.n:  # of the same trajectories: else a line would tell of a change that is none
                line = LINES[index // len(MARKERS) % len(LINES)]
                self._lined = True
                frame.plot(places[at : at + 2], values[at : at + 2], color=colour, linewidth=1, linestyle=line)

    def _bars(self, series: Series, frame: Any) -> None:
        index, count = self._own[series.name], len(self._own)
        width = 0.8 / count
        places = [self._order[mark.x] + (index - (count - 1) / 2) * width for mark in series.marks]
        reach = _reach(series)
        frame.bar(
            places, [mark.value for mark in series.marks], width * 0.92, yerr=reach,
            color=(OKABE_ITO[index % len(OKABE_ITO)], 0.45), edgecolor=OKABE_ITO[index % len(OKABE_ITO)],
            hatch=HATCHES[index % len(HATCHES)], linewidth=0.8, ecolor=INK, capsize=1.8,
            error_kw={"elinewidth": 0.8},
        )  # fmt: skip
        for place, mark in zip(places, series.marks, strict=True):
            frame.annotate(
                f"n={mark.n}", (place, 0), (0, 2), textcoords="offset points", ha="center", va="bottom", fontsize=5.5,
                rotation=90 if width < 0.3 else 0,
                bbox={"boxstyle": "square,pad=0.1", "facecolor": "none", "edgecolor": "none"},
            )  # fmt: skip

    def _reference(self, series: Series, frame: Any) -> None:
        """People as stars, printed figures of models as short grey lines across."""
        across = self._figure.form == "groups"
        places = [float(self._order[mark.x]) for mark in series.marks]
        values = [mark.value for mark in series.marks]
        at = (values, places) if across else (places, values)
        if series.whose == "people":
            reach = {"xerr" if across else "yerr": _reach(series)}
            star = {"marker": "*", "markersize": 7, "markerfacecolor": "none", "linestyle": "none"}
            frame.errorbar(*at, **reach, **star, color=INK, elinewidth=0.8, capsize=1.8, clip_on=False, zorder=4)
        else:
            dash = "|" if across else "_"
            frame.plot(*at, marker=dash, color=FAINT, markersize=9, linestyle="none", zorder=2, clip_on=False)

    def _finish(self, grid: Any) -> None:
        figure = self._figure
        across, down = (figure.y, figure.x) if figure.form == "groups" else (figure.x, figure.y)
        for frame in grid[-1]:
            frame.set_xlabel(one_line(across))
        for row in grid:
            row[0].set_ylabel(one_line(down))
        if self._titled:
            self.canvas.suptitle(textwrap.fill(one_line(figure.title), round(13 * self.canvas.get_figwidth())))
        handles = [self._handle(name, whose) for name, whose in figure.names if whose in ("run", "what-if")]
        labels = [_label(name) for name, whose in figure.names if whose in ("run", "what-if")]
        for kind, words in (("people", "people"), ("published", "models as published")):
            if any(whose == kind for _, whose in figure.names):
                handles.append(self._handle("", kind))  # type: ignore[arg-type]
                labels.append(words)
        width, height = self.canvas.get_size_inches()
        columns = 1 if max(map(len, labels), default=0) > 45 else 2 if width < 5 else 3
        legend = 0.15 * -(-len(labels) // columns) + 0.08
        height += legend + FOOT
        self.canvas.set_size_inches(width, height)
        engine: Any = self.canvas.get_layout_engine()
        engine.set(rect=(0, (legend + FOOT) / height, 1, 1 - (legend + FOOT) / height))
        anchor = (0.5, FOOT / height)
        self.canvas.legend(
            handles, labels, loc="lower center", ncols=columns, frameon=False, borderaxespad=0, bbox_to_anchor=anchor
        )
        self.canvas.text(0.995, 0.01 / height, _foot(figure), ha="right", va="bottom", fontsize=5.5, color=FAINT)

    def _handle(self, name: str, whose: Whose) -> Any:
        if whose == "people":
            return Line2D([], [], marker="*", color=INK, markerfacecolor="none", linestyle="none")
        if whose == "published":
            return Line2D([], [], marker="_", color=FAINT, markersize=9, linestyle="none")
        index = self._own[name]
        colour = OKABE_ITO[index % len(OKABE_ITO)]
        if self._figure.form == "bars":
            return Patch(facecolor=(colour, 0.45), edgecolor=colour, hatch=HATCHES[index % len(HATCHES)])
        line = LINES[index // len(MARKERS) % len(LINES)] if self._lined else "none"
        face = "none" if whose == "what-if" else colour
        return Line2D(
            [], [], color=colour, marker=MARKERS[index % len(MARKERS)], markersize=4, markerfacecolor=face,
            linestyle=line, linewidth=1,
        )  # fmt: skip


def _reach(series: Series) -> list[list[float]]:
    """How far the intervals go down and up from the values, 0 where there is none."""
    return [
        [0.0 if mark.low is None else max(0.0, mark.value - mark.low) for mark in series.marks],
        [0.0 if mark.high is None else max(0.0, mark.high - mark.value) for mark in series.marks],
    ]


def _label(name: str) -> str:
    """A label that begins with an underscore would be left out of the legend."""
    return "\u200a" + textwrap.shorten(one_line(name), 90, placeholder="…")


def _foot(figure: Figure) -> str:
    intervals = sorted({mark.interval for _, series in figure.all_series() for mark in series.marks if mark.interval})
    counts = [m.n for _, s in figure.all_series() if s.whose in ("run", "what-if") for m in s.marks]
    n = f"n {min(counts)}" + (f" to {max(counts)}" if min(counts) != max(counts) else "") if counts else "no n"
    bars = f"bars: 95%, {', '.join(intervals)}" if intervals else "no intervals"
    return f"Phoropter {own_version()}; scored by {one_line(figure.scorer)}; {n}; {bars}"


def names_of(figures: Sequence[Figure]) -> list[str]:
    """File stems, made fit and told apart."""
    from tui.cli.saving import fit_name

    seen: dict[str, int] = {}
    out = []
    for figure in figures:
        name = fit_name(figure.name)
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return out
