"""V-REX's Retrieval: counting, and puzzles with words."""

from __future__ import annotations

from typing import Final

from core.making import vrex_retrieval_pictures as pictures
from core.making.chains import Chain, Step


def _letter(place: str, right: str, wrong: str, aside: tuple[str, ...], astray: tuple[str, ...]) -> Step:
    return Step(f"Which letter does the {place} sign of the message stand for?", f"{right} / {wrong}", aside, astray)


CHAINS: Final[tuple[Chain, ...]] = (
    Chain(
        "counting-001",
        "Counting",
        pictures.shoal,
        "How many red fish swim to the left?",
        "4 / 5 / 6 / 7",
        (
            Step(
                "How many fish are red, whichever way they swim?",
                "7 / 6 / 8 / 5",
                (
                    "What lies at the bottom? = Sand",
                    "Which colour has the fish in the upper right corner? = Red",
                ),
                (
                    "How many fish are yellow, whichever way they swim? = Four",
                    "How many fish are blue? = Four",
                ),
            ),
            Step(
                "How many of them swim to the right?",
                "3 / 2 / 4 / 5",
                (
                    "Which colour is the fish in the middle? = Yellow",
                    "How many fish are in the bottom row? = Five",
                    "How many fish are there in all? = Fifteen",
                ),
                (
                    "How many of the yellow fish swim to the left? = Two",
                    "How many of the blue fish swim to the right? = Two",
                ),
            ),
        ),
    ),
    Chain(
        "counting-002",
        "Counting",
        pictures.windows,
        "How many windows of the house are lit?",
        "9 / 6 / 7 / 8",
        (
            Step(
                "How many are lit on the top floor?",
                "3 / 2 / 4",
                (
                    "What colour are the walls? = Reddish brown",
                    "What stands in the sky? = The moon",
                ),
                (
                    "How many are dark on the top floor? = Four",
                    "How many floors has the house? = Three",
                ),
            ),
            Step(
                "How many are lit on the middle floor?",
                "2 / 3 / 4",
                (
                    "What colour is the roof? = Dark brown",
                    "How many panes has a window? = Four",
                    "Is the moon full? = No",
                ),
                (
                    "How many are dark on the middle floor? = Five",
                    "How many windows has the middle floor? = Seven",
                ),
            ),
            Step(
                "How many are lit on the ground floor?",
                "4 / 3 / 5",
                (
                    "What is in the middle of the ground floor? = A door",
                    "What time of day is it? = Night",
                ),
                (
                    "How many are dark on the ground floor? = Two",
                    "How many windows has the ground floor? = Six",
                ),
            ),
        ),
    ),
    Chain(
        "word-puzzle-001",
        "Word Puzzle",
        pictures.first_letters,
        "Which word do the first letters of the four pictures make?",
        "LAMB / LAMP / LIMP / LIMB",
        (
            Step(
                "What does the first picture show?",
                "A ladder / A camera / A fence",
                ("How many frames are there? = Four", "What colour are the small boxes? = Cream"),
                ("Which picture is the most yellow? = The third", "What number is in the last box? = 4"),
            ),
            Step(
                "What does the second picture show?",
                "An apple / An iris / A cherry",
                ("How many rungs has the ladder? = Six", "Where are the numbers? = Below the pictures"),
                ("What colour is the second picture? = Red", "Which picture shows a vehicle? = The fourth"),
            ),
            Step(
                "What does the third picture show?",
                "The moon / A star / A banana",
                ("What shape are the frames? = Square", "Is there a leaf on the fruit that is shown? = Yes"),
                (
                    "How many sails are there? = Two",
                    "What colour is the leaf? = Green",
                    "Which picture is all brown? = The first",
                ),
            ),
            Step(
                "What does the fourth picture show?",
                "A boat / A parrot / A plane",
                ("Which way does the crescent open? = To the right", "How many small boxes are there? = Four"),
                ("What colour is the picture in the third frame? = Yellow", "Which number is in the first box? = 1"),
            ),
        ),
    ),
    Chain(
        "word-puzzle-002",
        "Word Puzzle",
        pictures.code,
        "Which word is the message?",
        "TONES / NOTES / STONE / ONSET",
        (
            _letter(
                "first",
                "T",
                "N / S / O",
                ("How many signs are in the key? = Eight", "What colour is the key? = Blue"),
                (
                    "Which sign stands for A? = The square",
                    "Which sign of the key stands at the right end of its second row? = The hexagon",
                ),
            ),
            _letter(
                "second",
                "O",
                "N / T / E",
                ("How many signs has the message? = Five", "What colour is the message? = Orange"),
                (
                    "Which sign stands for C? = The hexagon",
                    "Which letter does the sign stand for that comes before the second sign in the key? = T",
                ),
            ),
            _letter(
                "third",
                "N",
                "T / O / S",
                ("How many rows has the key? = Two", "Which sign is round? = Only the circle"),
                (
                    "Which sign stands for R? = The cross",
                    "How many corners does the outline of the third sign of the message have? = Ten",
                ),
            ),
            _letter(
                "fourth",
                "E",
                "T / S / N",
                (
                    "Which letters are not needed? = A, R and C",
                    "What stands in the upper half of the picture? = The key",
                ),
                ("Which letter is first in the key? = N", "Is the fourth sign open to the right? = Yes"),
            ),
            _letter(
                "fifth",
                "S",
                "E / N / T",
                (
                    "What stands in the lower half of the picture? = The message",
                    "What numbers are below the signs? = 1 to 5",
                ),
                (
                    "How many corners has the fifth sign? = Three",
                    "Which letter is last in the key? = C",
                    "How many of the signs of the key are not used in the message at all? = Three",
                ),
            ),
        ),
    ),
)
