"""Figures drawn: their files, the words in them, and the drawing within a page."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from core.figures.records import Figure, Mark, Panel, Series
from tui.cli.formats import plotting
from tui.cli.formats.inline_svg import inline

NAMES = ("_hidden", "$x^2$ & <b>", "日本", "plain", "e", "f", "g", "h", "i")
MARKS = [Mark("describe", 0.5, 0.2, 0.8, 10, "wilson"), Mark("relate", 1.0, 0.7, 1.0, 10, "wilson")]


def figure(**changed: Any) -> Figure:
    series: list[Series] = [Series(name, MARKS) for name in NAMES]
    series += [
        Series("people", [Mark("relate", 0.7, 0.6, 0.8)], "people"),
        Series("GPT", [Mark("relate", 0.4)], "published"),
    ]
    given = {"name": "f", "title": "a <title> $y$", "x": "step", "y": "accuracy", "panels": [Panel("all", series)]}
    return Figure(**(given | {"scorer": "rule"} | changed))


@pytest.mark.parametrize("changed", [{}, {"form": "groups"}, {"form": "bars"}, {"joined": True}])
def test_every_form_is_drawn_and_names_stay_as_they_are(changed: Any) -> None:
    words = plotting.for_page(figure(**changed)).decode("utf-8")
    for name in (*NAMES[:4], "models as published", "wilson", "scored by rule"):
        told = name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        assert told in words, name


def test_the_same_numbers_give_the_same_files() -> None:
    first, again = plotting.files(figure()), plotting.files(figure())
    assert first == again
    assert [first[ending][:4] for ending in ("pdf", "png")] == [b"%PDF", b"\x89PNG"]
    assert ElementTree.fromstring(first["svg"]).tag.endswith("svg")


def test_file_names_are_fit_and_told_apart() -> None:
    names = plotting.names_of([figure(name="a/b"), figure(name="a b"), figure(name="../x")])
    assert names == ["a_b", "a_b-2", "_x"]


def test_within_a_page_a_drawing_has_no_styles_and_the_pages_ink() -> None:
    text = inline(plotting.for_page(figure(title='"><script>')), '"><script>', prefix="f1-", ink=plotting.INK)
    root = ElementTree.fromstring(text)
    for element in root.iter():
        assert element.tag not in ("style", "script", "metadata", "foreignObject")
        assert not {"style", "class"} & set(element.keys())
        assert element.get("href", "#f1-").startswith("#f1-")
        assert element.get("id", "f1-").startswith("f1-")
        assert plotting.INK not in element.attrib.values()
    assert root.get("aria-label") == '"><script>'
    assert "http" not in text
    assert "currentColor" in text
    ids = {element.get("id") for element in root.iter()}
    used = {element.get("href", "")[1:] for element in root.iter() if element.get("href")}
    assert used <= ids
