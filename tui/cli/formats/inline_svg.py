"""A drawing of matplotlib's as a part of an HTML page: no styles, no scripts, no names of other places."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from html import escape
from typing import Final

_SVG: Final = "{http://www.w3.org/2000/svg}"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
PIXELS: Final = 4 / 3
"""Of a page in each point of a drawing."""
_KEPT: Final = frozenset(
    "svg g defs path use rect clipPath text tspan circle line polyline polygon pattern image title".split()
)


def inline(svg: bytes, label: str, *, prefix: str, ink: str) -> str:
    """The drawing as an ``svg`` element. Styles become attributes, so that a policy that allows no styles holds.

    ``ink`` is the colour that becomes the page's own, ``label`` is read out in the drawing's place, ``prefix`` tells
    the ids of several drawings on a page apart.
    """
    root = ElementTree.fromstring(svg)  # noqa: S314  (made a moment ago, by this program)
    box = root.get("viewBox", "0 0 1 1")
    width = box.split()[2]
    inner = "".join(_element(child, prefix, ink) for child in root)
    attributes = (
        f'viewBox="{escape(box)}" width="{float(width) * PIXELS:.0f}" role="img" aria-label="{escape(label)}"'
    )
    joins = 'stroke-linejoin="round" stroke-linecap="butt"'
    return f"<svg {attributes} {joins}>{inner}</svg>"


def _element(element: ElementTree.Element, prefix: str, ink: str) -> str:
    name = element.tag.removeprefix(_SVG)
    if name not in _KEPT:
        return ""
    found: dict[str, str] = {}
    for key, value in element.attrib.items():
        if key == "style":
            found |= _styles(value)
        elif key == _HREF:
            found["href"] = value
        elif not key.startswith("{"):
            found[key] = value
    told = "".join(f' {key}="{escape(_mended(key, value, prefix, ink))}"' for key, value in found.items())
    words = _words(element.text)
    inner = words + "".join(_element(child, prefix, ink) + _words(child.tail) for child in element)
    return f"<{name}{told}>{inner}</{name}>"


def _words(text: str | None) -> str:
    return escape(text, quote=False) if text and text.strip() else ""


def _styles(style: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for declaration in style.split(";"):
        key, _, value = declaration.partition(":")
        if value.strip():
            out[key.strip()] = value.strip()
    if "font" in out:  # a shorthand is no attribute
        size, _, family = out.pop("font").partition(" ")
        out |= {"font-size": size, "font-family": family}
    return out


def _mended(key: str, value: str, prefix: str, ink: str) -> str:
    if key == "id":
        return prefix + value
    if key == "href" and value.startswith("#"):
        return f"#{prefix}{value[1:]}"
    if value.startswith("url(#"):
        return f"url(#{prefix}{value[5:]}"
    return "currentColor" if value.lower() == ink else value
