"""Deals the right options over the letters, so that no letter is right more often than another."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from typing import TypeVar

from core.drawing.palette import Dice

T = TypeVar("T")


def shuffled(dice: Dice, values: Sequence[T]) -> list[T]:
    """``values`` in an order by chance."""
    rest = list(values)
    order: list[T] = []
    while rest:
        order.append(rest.pop(int(dice.between(0, len(rest)))))
    return order


class Dealer:
    """Gives letters from decks that hold each letter once: a deck is emptied before it is filled again."""

    def __init__(self, *seed: object) -> None:
        self._dice = Dice("dealer", *seed)
        self._decks: dict[tuple[str, int], list[int]] = {}

    def _place(self, kind: str, size: int) -> int:
        deck = self._decks.setdefault((kind, size), [])
        if not deck:
            deck.extend(shuffled(self._dice, range(size)))
        return deck.pop()

    def deal(self, kind: str, right: T, wrong: Sequence[T]) -> tuple[dict[str, T], str]:
        """The options by letter, and the letter of the right one; ``kind`` names the decks to use."""
        place = self._place(kind, len(wrong) + 1)
        order = shuffled(self._dice, wrong)
        order.insert(place, right)
        return dict(zip(ascii_uppercase, order, strict=False)), ascii_uppercase[place]
