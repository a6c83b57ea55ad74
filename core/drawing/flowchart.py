"""Flow charts: boxes, diamonds and the arrows between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.drawing.canvas import Colour, Point
from core.drawing.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Node:
    """A box, a diamond (a question) or an oval (start and end), its middle at (x, y)."""

    kind: str
    x: float
    y: float
    words: str
    fill: Colour = (226, 238, 252)
    width: float = 120
    height: float = 46


def draw_node(s: Sheet, node: Node, size: float = 15) -> None:
    """One node with its words."""
    x, y, w, h = node.x, node.y, node.width / 2, node.height / 2
    if node.kind == "diamond":
        s.pen.polygon([(x, y - h), (x + w, y), (x, y + h), (x - w, y)], node.fill)
    elif node.kind == "oval":
        s.panel(x - w, y - h, x + w, y + h, node.fill, r=h)
    else:
        s.panel(x - w, y - h, x + w, y + h, node.fill, r=5)
    s.text(x, y, node.words, size)


def draw_chart(
    s: Sheet,
    nodes: Mapping[str, Node],
    arrows: Sequence[tuple[Sequence[Point], str, Point]],
    size: float = 15,
) -> None:
    """All arrows, each with a word beside it at a place of its own, and then all nodes."""
    for points, word, place in arrows:
        s.arrow(points)
        if word:
            s.text(*place, word, size - 1, (150, 40, 40))
    for node in nodes.values():
        draw_node(s, node, size)
