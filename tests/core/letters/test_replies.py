"""Every reply of the tables is read as its table says; a wrong letter is the one thing that must never happen."""

from __future__ import annotations

import pytest

from core.letters import read_choice, read_yes_no, text_matches
from core.records import Parse
from tests.core.letters import (
    denied_replies,
    fresh_replies,
    hostile_replies,
    letter_replies,
    unseen_replies,
    yes_no_replies,
)

FOUR = dict.fromkeys("ABCD", "")
TEN = dict.fromkeys("ABCDEFGHIJ", "")

CASES = [
    ("ANSWER: None of the above", FOUR, None, Parse.NO_ANSWER),
    (
        "Answer: the question asks which animal is alone.\nTwo dogs run, one hamster sits.\nANSWER: B",
        FOUR,
        "B",
        Parse.OK,
    ),
    ("answer: c", FOUR, "C", Parse.OK),
    ("Both pictures show two animals.\nANSWER: $B$", FOUR, "B", Parse.OK),
    ("ANSWER: (A)", FOUR, "A", Parse.OK),
    (
        "The red mark sits on the lower leg of the bird, and so does mark two. The correct answer is (B).",
        FOUR,
        "B",
        Parse.OK,
    ),
    (
        "The correct answer is **B**. Here is why: option A shows a cat, option C shows three hamsters, and option D is empty.",  # noqa: E501
        FOUR,
        "B",
        Parse.OK,
    ),
    ("ANSWER: AB", FOUR, None, Parse.AMBIGUOUS),
    ("The answer is C because I counted the hamsters twice.", TEN, "C", Parse.OK),
    ("The answer is B because a dog runs.", FOUR, "B", Parse.OK),
    ("ANSWER: (B) two dogs running\nLet me know if you need more.", FOUR, "B", Parse.OK),
    ("我認為應該選 A", FOUR, "A", Parse.OK),
    ("只有选项 B 是对的", FOUR, "B", Parse.OK),
    ("答案是（Ｃ）。", FOUR, "C", Parse.OK),
    ("First \\boxed{A}? No.\n\\boxed{\\text{C}}", FOUR, "C", Parse.OK),
    (
        "(C) 60 hamsters",
        {"A": "20 hamsters", "B": "40 hamsters", "C": "60 hamsters", "D": "80 hamsters"},
        "C",
        Parse.OK,
    ),
    ("Sorry, I can't make out the second picture.", FOUR, None, Parse.REFUSAL),
    ("Actually this one is tricky and I am unsure.", FOUR, None, Parse.NO_ANSWER),
    ("Error: rate limited", FOUR, None, Parse.NO_ANSWER),
    ("The correct answer is d.", FOUR, "D", Parse.OK),
    ("<think>Two dogs, so (A)? No, three, that is (C).</think>\n(B)", FOUR, "B", Parse.OK),
    ("<think>It could be (A), or (B), and the third picture suggests (C)", FOUR, None, Parse.NO_ANSWER),
    ("B", {"A": "B", "B": "A", "C": "D", "D": "C"}, "B", Parse.OK),
    ("The answer is 14 dogs.", {"A": "1 dog", "B": "2 dogs", "C": "3 dogs", "D": "4 dogs"}, None, Parse.NO_ANSWER),
    (
        "Step 1: A shows one animal. Step 2: B and C show two. Step 3: D shows none.\n\nANSWER: C\n",
        FOUR,
        "C",
        Parse.OK,
    ),
]
"""Replies that other readers got wrong. A failed request and a cut-off reply have a status of their own elsewhere."""

STATUSES = {status.value: status for status in Parse}
TABLE = [
    *((reply, FOUR, wanted) for reply, wanted in letter_replies.SHORT),
    *((reply, FOUR, wanted) for reply, wanted in letter_replies.LONG),
    *((reply, FOUR, wanted) for reply, wanted in letter_replies.LANGUAGES),
    *((reply, FOUR, wanted) for reply, wanted in letter_replies.NOTHING),
    *letter_replies.TEXTS,
    *fresh_replies.REPLIES,
    *hostile_replies.REPLIES,
    *unseen_replies.REPLIES,
    *denied_replies.REPLIES,
]


@pytest.mark.parametrize(("reply", "options", "answer", "status"), CASES)
def test_replies_that_others_misread_are_read_right(reply, options, answer, status):
    reading = read_choice(reply, options)
    assert (reading.answer, reading.status) == (answer, status)


@pytest.mark.parametrize(("reply", "options", "wanted"), TABLE)
def test_a_reply_is_read_as_its_table_says(reply, options, wanted):
    reading = read_choice(reply, options)
    if wanted is None:
        assert reading.answer is None
    elif wanted in STATUSES:
        assert (reading.answer, reading.status) == (None, STATUSES[wanted])
    else:
        assert (reading.answer, reading.status) == (wanted, Parse.OK)


@pytest.mark.parametrize(("reply", "options", "wanted"), TABLE)
def test_there_is_a_place_where_and_only_where_there_is_an_answer(reply, options, wanted):
    reading = read_choice(reply, options)
    assert (reading.span is None) == (reading.answer is None) == (reading.status is not Parse.OK)
    if reading.span is not None:
        start, end = reading.span
        assert 0 <= start < end <= len(reply)


@pytest.mark.parametrize(("reply", "wanted"), yes_no_replies.REPLIES)
def test_a_reply_of_yes_or_no_is_read_as_its_table_says(reply, wanted):
    reading = read_yes_no(reply)
    assert (reading.answer or reading.status.value) == wanted
    assert (reading.status is Parse.OK) == (reading.span is not None) == (reading.answer is not None)


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        ("Yes, it is a photo of a chapel; a death notice hangs on the wall.", "Yes"),
        ("**Nein**, nur eines.", "Nein"),
        ("The answer is: no.", "no"),
        ("不是，第二张没有狗。", "不是"),
        ("答えはいいえです。", "いいえ"),
        ("Oh. <think>no</think> ＹＥＳ", "ＹＥＳ"),
    ],
)
def test_the_whole_word_of_yes_or_no_is_pointed_at(reply, word):
    span = read_yes_no(reply).span
    assert span is not None
    assert reply[slice(*span)] == word


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        ("The answer is **B**, not C.", "B"),
        ("答案是（Ｃ）。", "Ｃ"),
        ("\\boxed{\\text{C}}", "C"),
        ("<think>A</think> so it is b", "b"),
        ("<think>The answer is A", None),
        ("🙂 e\u0301 Answer: (d)", "d"),
        ("🅱️", "🅱"),
    ],
)
def test_the_letter_is_pointed_at_in_the_reply_as_it_came(reply, place):
    span = read_choice(reply, FOUR).span
    assert (None if span is None else reply[slice(*span)]) == place


@pytest.mark.parametrize(
    ("reply", "target", "match"),
    [
        ("It is the dog’s ball.", "the dog's ball", True),
        ("A cafe\u0301 terrace", "café terrace", True),
        ("8.540 m", "9.540 m", False),
        ("8.540 m", "540 m", False),
        ("14 dogs", "4 dogs", False),
        ("4 dogs", "4 dogs", True),
        ("There are 4 dogs.", "4 dogs", True),
        ("-5", "5", False),
        ("5.5", "5", False),
        ("5%", "5", False),
        ("1,000", "1", False),
        ("It costs 5.", "5", True),
        ("a cafe terrace", "café terrace", False),
        ("cafe\u0301", "cafe", False),
        ("The dog's ball", "the dog's ball", True),
        ("“two\u00a0dogs”", '"two dogs"', True),
        ("well–known", "well-known", True),
        ("hotdogs", "dogs", False),
        ("dogs", "dog", False),
        ("It is about us.", "US", False),
        ("Made in the US.", "US", True),
        ("m²", "m2", False),
        ("两只狗在跑", "两只狗", True),
        ("anything", "", False),
        ("", "dog", False),
        ("snake_dog", "dog", False),
    ],
)
def test_a_text_matches_when_only_its_typography_differs(reply, target, match):
    assert text_matches(reply, target) is match
