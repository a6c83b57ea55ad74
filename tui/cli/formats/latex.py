"""Reports as LaTeX: booktabs tables to be put into a paper with ``\\input``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from core.tables import Line, Report, Table, Words
from tui.inert import inert, one_line

LONGEST: Final = 45
"""A table with more rows may break over pages."""

WIDEST: Final = 40
"""A column with words longer than this is broken into lines."""

PAGE: Final = 100
"""So many letters have room beside each other; of a wider table goes what can be spared."""

_ESCAPES: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
        "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
        ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}", "'": r"\textquotesingle{}",
        "`": r"\textasciigrave{}",
    }
)  # fmt: skip
_LIGATURES: Final = re.compile(r"-(?=-)|,(?=,)")
_HEAD: Final = (
    "% Needs \\usepackage[T1]{fontenc}, {textcomp}, {booktabs}, {longtable} and {array}; with characters that are",
    "% not Latin, LuaLaTeX or XeLaTeX and a font that has them.",
)


def text(report: Report) -> str:
    """All parts, one below the other; the words between tables are paragraphs."""
    parts = [_words(part) if isinstance(part, Words) else table(part) for part in report.parts]
    title = [f"% {escaped(one_line(report.title))}"] if report.title else []
    return "\n".join([*_HEAD, *title, "", *parts])


def escaped(words: str) -> str:
    """Words that LaTeX prints as they are."""
    return _LIGATURES.sub(r"\g<0>{}", words.translate(_ESCAPES))


def _words(part: Words) -> str:
    lines = [escaped(line) for line in inert(part.text).split("\n")]
    if part.heading:
        return f"\\subsection*{{{' '.join(lines)}}}\n"
    return "\\noindent " + " \\\\\n".join(lines) + "\n\n"


def table(shown: Table) -> str:
    """Its title as the caption, its notes below; rules as booktabs has them."""
    shown = shown.without_spare() if shown.spare and _letters(shown) > PAGE else shown
    body = _body(shown)
    columns = _columns(shown)
    caption = f"\\caption{{{escaped(one_line(shown.title))}}}" if shown.title else ""
    head = " & ".join(escaped(one_line(name)) for name in shown.header) + r" \\"
    notes = [rf"\footnotesize {escaped(one_line(note))}\par" for note in shown.notes if note]
    if len(shown.rows) > LONGEST:
        lines = [
            rf"\begin{{longtable}}{{{columns}}}",
            *([caption + r" \\"] if caption else []),
            r"\toprule", head, r"\midrule", r"\endhead", *body, r"\bottomrule", r"\end{longtable}",
            *(["{" + "\n".join(notes) + "}"] if notes else []),
        ]  # fmt: skip
        return "\n".join([*lines, ""])
    lines = [
        r"\begin{table}[htbp]", r"\centering", *([caption] if caption else []),
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule", head, r"\midrule", *body, r"\bottomrule", r"\end{tabular}",
        *([r"\par\medskip", *notes] if notes else []), r"\end{table}",
    ]  # fmt: skip
    return "\n".join([*lines, ""])


def _letters(shown: Table) -> int:
    """About how many stand side by side."""
    return sum(min(WIDEST, max(map(len, column))) for column in zip(shown.header, *shown.rows, strict=True))


def _body(shown: Table) -> list[str]:
    out = []
    for row, parted in shown.told():
        if parted:
            out.append(r"\addlinespace")
        out.append(_row(row))
    return out


def _row(values: Line) -> str:
    first, *rest = [escaped(one_line(value)) for value in values]
    guarded = f"{{}}{first}" if first.startswith(("[", "*")) else first  # else an option of the line's end before it
    return " & ".join([guarded, *rest]) + r" \\"


def _columns(shown: Table) -> str:
    """Words left, numbers right, long words in lines of a quarter of the page."""
    return "".join(_column(shown, index, [row[index] for row in shown.rows]) for index in range(len(shown.header)))


def _column(shown: Table, index: int, values: Sequence[str]) -> str:
    if not shown.words_at(index):
        return "r"
    return r">{\raggedright\arraybackslash}p{0.25\linewidth}" if any(len(value) > WIDEST for value in values) else "l"
