"""The top line at any width: the item and its place always, the rest as far as there is room."""

from __future__ import annotations

from dataclasses import replace

from rich.cells import cell_len

from tests.tui.stage import choosing
from tui.state.heading import heading

ITEM = choosing("mmra:iq").items[0]
WHO = ("gpt-4o", "iq", "a run with a long name")


def test_names_of_groups_go_before_the_words_on_the_run_do() -> None:
    wide = heading(ITEM, "1/44", WHO, 120)
    assert (wide.groups, wide.who) == (
        "subtask RP  level entity  qa choice  options 4",
        "gpt-4o · iq · a run with a long name",
    )
    middle = heading(ITEM, "1/44", WHO, 92)
    assert (middle.groups, middle.who) == ("RP · entity · choice · options 4", wide.who)
    assert heading(ITEM, "1/44", WHO, 66).who == "gpt-4o · iq"
    assert heading(ITEM, "1/44", WHO, 40).who == ""


def test_item_and_place_stand_at_any_width_that_holds_them() -> None:
    for width in range(12, 160):
        form = heading(ITEM, "1/44", WHO, width)
        assert form.width <= width
        assert (form.item, form.place) == ("rp-001", "1/44")


def test_an_id_that_is_too_long_is_cut_and_the_place_is_not() -> None:
    form = heading(replace(ITEM, id="日本語" * 40), "9999/10000", WHO, 40)
    assert form.place == "9999/10000"
    assert form.item.endswith("…")
    assert cell_len(form.item) + 2 + cell_len(form.place) <= 40
