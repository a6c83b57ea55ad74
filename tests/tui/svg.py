"""Screens as SVG for a page: no font is fetched from anywhere, and half blocks are areas, not letters."""

from __future__ import annotations

import re

FONTS = "'Fira Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
BASELINE, TOP, HALF = 20.0, 1.5, 12.2
"""Of a line, as rich draws it: from its top to its letters' foot, to its background's top; half of its height."""
_BLOCKS = re.compile(r'<text class="([\w-]+)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"[^>]*>▀+</text>')


def clean(svg: str) -> str:
    """A letter ▀ never fills its cell: with gaps in it a picture is not to be recognised."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("font-family: Fira Code, monospace;", f"font-family: {FONTS};")
    svg = re.sub(r'(-clip-terminal">\s*<rect [^>]*height=")([\d.]+)"', lambda m: f'{m[1]}{float(m[2]) + 3:g}"', svg)
    out: list[str] = []
    end, area = 0, None
    for found in _BLOCKS.finditer(svg):
        style, x, y, width = found[1], *map(float, found.group(2, 3, 4))
        between = svg[end : found.start()]
        end = found.end()
        joined = area is not None and not between.strip() and area[0] == style and area[2] == y
        if joined and area is not None and abs(area[1] + area[3] - x) < 0.01:
            area = (style, area[1], y, area[3] + width)
            continue
        out += [*_drawn(area), between]
        area = (style, x, y, width)
    return "".join([*out, *_drawn(area), svg[end:]])


def _drawn(area: tuple[str, float, float, float] | None) -> list[str]:
    if area is None:
        return []
    style, x, y, width = area
    place = f'x="{x:g}" y="{y - BASELINE + TOP:g}" width="{width:g}" height="{HALF:g}"'
    return [f'<rect class="{style}" {place} shape-rendering="crispEdges"/>']
