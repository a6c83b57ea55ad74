"""Items on the shelf: what was put there comes back, lines are found by words, counted by groups."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from core.records import Item, Picture
from sessions.shelf import CHUNK, ITEMS_KEPT, PAGE, Shelf
from tests.stored import an_item


def shelf(*items: Item) -> Shelf:
    made = Shelf(("rule",), lambda item: f"about {item.id}")
    made.add(items)
    return made


def test_an_item_comes_back_as_it_was_with_embedded_pictures_and_odd_texts() -> None:
    odd = an_item(
        3,
        id="\ud800 \x00 \u202e",
        pictures=(Picture("a.png", data=b"one"), Picture("b.png", "/b.png", "a cat"), Picture("c.png", data=b"one")),
        groups={"rule": "\ud800"},
        facts={"text": "\ud800", "list": [1, [2]]},
    )
    made = shelf(an_item(0), odd)
    assert made[1] == odd
    assert made[1].hash == odd.hash
    assert made.card(1).key == odd.id
    assert made.counts("rule") == {"0": 1, "\ud800": 1}
    with pytest.raises(IndexError):
        made[2]
    with pytest.raises(IndexError):
        made[-1]


def test_items_are_found_by_number_id_and_words_however_many_there_are() -> None:
    made = shelf()
    count = CHUNK + 3 * PAGE + 5
    for first in range(0, count, 1000):
        made.add(an_item(number) for number in range(first, min(first + 1000, count)))
    assert len(made) == count
    assert [made[at].id for at in (0, ITEMS_KEPT, count - 1, 0)] == [
        "voila-0", f"voila-{ITEMS_KEPT}", f"voila-{count - 1}", "voila-0"
    ]  # fmt: skip
    assert made.card(count - 1).about == f"about voila-{count - 1}"
    assert made.position_of(f"voila-{count - 2}") == count - 2
    assert made.position_of("nowhere") == -1
    assert list(made.holding(["VOILA-42", "rule 0"])) == [
        n for n in range(count) if str(n).startswith("42") and n % 3 == 0
    ]
    assert list(made.holding(["%"])) == []
    assert list(made.holding(["voila"], stop=lambda: True)) == []
    assert sum(made.counts("rule").values()) == count
    assert made.counts("rule", range(3)) == {"0": 1, "1": 1, "2": 1}


def test_it_is_read_while_it_is_filled() -> None:
    made = shelf(an_item(0))
    filling = threading.Thread(target=lambda: [made.add([an_item(n)]) for n in range(1, 500)])
    filling.start()
    while filling.is_alive():
        last = len(made) - 1
        assert made[last].id == f"voila-{last}"
        assert made.card(last).key == f"voila-{last}"
        assert len(list(made.holding(["voila"]))) > last
    filling.join()
    assert [card.key for card in map(made.card, range(500))] == [f"voila-{n}" for n in range(500)]


def test_a_page_that_was_shown_half_full_is_read_again() -> None:
    made = shelf(an_item(0))
    assert made.card(0).key == "voila-0"
    made.add([replace(an_item(1), id="later")])
    assert made.card(1).key == "later"
