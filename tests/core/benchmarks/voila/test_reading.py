"""What the reader takes from an answer's words, and that it takes nothing else."""

from __future__ import annotations

import time
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmarks.voila.question import Question, solve
from core.benchmarks.voila.reading.actions import ACTING, ACTS
from core.benchmarks.voila.reading.prepare import HEAD, TAIL, prepare
from core.benchmarks.voila.reading.reader import Reading, read
from core.benchmarks.voila.reading.subjects import OUTSIDE, SUBJECT_WORDS
from core.benchmarks.voila.vocabulary import ACTIONS, PROPERTIES, SUBJECTS, Content
from core.benchmarks.voila.wording import in_words, relate_text
from core.records import Item
from tests.core.benchmarks.voila import apply_cases, describe_cases, relate_cases, talkative_cases
from tests.fuzzing import fuzzed


def _shown(reading: Reading, prefix: str = "") -> str:
    return "|".join(
        "?" if prefix + name in reading.unclear else reading.values.get(prefix + name, "-") for name in PROPERTIES
    )


def _relations(reading: Reading) -> str:
    told = []
    for name in PROPERTIES:
        if name in reading.unclear:
            told.append(f"{name} ?")
        elif name in reading.values:
            words = [name, reading.values[name]]
            before, after = (reading.values.get(f"{name}.{end}", "") for end in ("from", "to"))
            if before or after:
                words.append(f"{before}>{after}")
            if f"{name}.value" in reading.values:
                words.append(reading.values[f"{name}.value"])
            if f"{name}.by" in reading.values:
                words.append(f"by {reading.values[f'{name}.by']}")
            told.append(" ".join(words))
    return "; ".join(told)


def _named(cases: list[tuple[str, str, str]]) -> list[object]:
    return [pytest.param(text, expected, id=why) for why, text, expected in cases]


@pytest.mark.parametrize(("text", "expected"), _named(describe_cases.CASES))
def test_describe_reads(text: str, expected: str) -> None:
    reading = read("describe", text)
    assert " ".join(_shown(reading, f"{unit}.") for unit in (1, 2, 3)) == expected


@pytest.mark.parametrize(("text", "expected"), _named(relate_cases.CASES))
def test_relate_reads(text: str, expected: str) -> None:
    assert _relations(read("relate", text)) == expected


def test_what_was_stated_of_a_relation_is_written_and_read_again_as_it_was_stated() -> None:
    contents = (Content("two", "dog", "walking"), Content("four", "dog", "running"), Content("one", "cat", "walking"))
    item = Item("voila", "WD", "voila-1", (), {}, Question(contents, solve(contents), 1).to_facts())
    for why, text, _ in relate_cases.CASES:
        said = read("relate", text).values
        again = read("relate", relate_text(item, said)).values
        stated = {name for name in PROPERTIES if any(key.startswith(f"{name}.") for key in said)}
        for name in stated:
            assert in_words(name, again) == in_words(name, said), why


@pytest.mark.parametrize(
    ("by", "words"),
    [("up", "changed to more"), ("-two", "changed by two fewer"), ("x2", "changed times 2"),
     ("/2", "changed divided by 2")],
)  # fmt: skip
def test_a_stated_amount_is_put_into_words(by: str, words: str) -> None:
    assert in_words("number", {"number": "changed", "number.by": by}) == words


@pytest.mark.parametrize(("text", "expected"), _named(apply_cases.CASES))
def test_apply_reads(text: str, expected: str) -> None:
    assert _shown(read("apply", text)) == expected


@pytest.mark.parametrize(
    ("step", "text", "expected"),
    [pytest.param(step, text, expected, id=f"{step}: {why}") for step, why, text, expected in talkative_cases.CASES],
)
def test_talkative_answers_are_read(step: str, text: str, expected: str) -> None:
    reading = read(step, text)
    if step == "describe":
        assert " ".join(_shown(reading, f"{unit}.") for unit in (1, 2, 3)) == expected
    else:
        assert (_shown(reading) if step == "apply" else _relations(reading)) == expected


ALL_TEXTS = [
    (step, text)
    for step, module in (("describe", describe_cases), ("relate", relate_cases), ("apply", apply_cases))
    for _, text, _ in module.CASES
] + [(step, text) for step, _, text, _ in talkative_cases.CASES]


@pytest.mark.parametrize(("step", "text"), ALL_TEXTS)
def test_spans_lie_in_the_original_text_and_are_not_empty(step: str, text: str) -> None:
    reading = read(step, text)
    assert reading.spans.keys() == reading.values.keys()
    for start, end in reading.spans.values():
        assert 0 <= start < end <= len(text)
        assert text[start:end].strip() == text[start:end]


@pytest.mark.parametrize(
    ("step", "text", "field", "words"),
    [
        ("apply", "<think>two dogs</think>Ｆｏｕｒ  Cats  walking", "number", "Ｆｏｕｒ"),
        ("apply", "fo\u00adur cats kicking a ball", "action", "kicking a ball"),
        ("apply", "cafe\u0301: four old men reading", "subject", "old men"),
        ("describe", "Image 1: a dog.\r\nImage 2: TWO dogs\r\nImage 3: a cat", "2.number", "TWO"),
        ("relate", "Number: it “did not change”", "number", "change"),
        ("relate", "Number: 2 → 4", "number.to", "4"),
        ("apply", "x" * (HEAD + TAIL) + "\nThe answer is number = two, subject = dogs", "number", "two"),
        ("apply", "<think>" + "y" * 50_000 + "</think>four cats walking", "subject", "cats"),
    ],
)
def test_a_span_points_at_the_words_read(step: str, text: str, field: str, words: str) -> None:
    start, end = read(step, text).spans[field]
    assert text[start:end] == words


def test_every_subject_word_is_read_as_its_subject_and_none_as_another() -> None:
    for phrase, subject in SUBJECT_WORDS.items():
        labelled = read("apply", f"The answer is number = two, subject = {phrase}, action = walking")
        assert labelled.values["subject"] == subject
        assert read("apply", f"Two {phrase} are walking").values["subject"] == subject
    assert set(SUBJECT_WORDS.values()) == set(SUBJECTS)


def test_words_that_leave_age_or_gender_open_are_no_subject() -> None:
    for phrase in OUTSIDE:
        assert read("apply", f"number = two, subject = {phrase}, action = walking").values["subject"] not in SUBJECTS


def test_every_form_of_an_action_is_read_as_that_action() -> None:
    for phrase, action in ACTING.items():
        assert read("apply", f"Two dogs {phrase}").values["action"] == action
        assert read("apply", f"number = two, subject = dogs, action = {phrase}").values["action"] == action
    for phrase, action in ACTS.items():
        assert read("apply", f"Action: {phrase}").values["action"] == action
    assert set(ACTING.values()) == set(ACTIONS)


@pytest.mark.parametrize("step", ["describe", "relate", "apply", "relate.number"])
@fuzzed()
@given(text=st.text(max_size=300))
def test_any_text_can_be_read(step: str, text: str) -> None:
    reading = read(step, text)
    for start, end in reading.spans.values():
        assert 0 <= start < end <= len(text)


KNOWN = (
    "two|2|dogs|a man|old|woman|walking|reading a book|image 1|Image 2:|third image|number|subject =|action:|any|"
    "not|no|from|to|→|same|changed|doubled|only|but|while|and|or|,|.|\n|"
    '\n\n|1.|-|**|{|}|[|]|"|:|the answer is|so|because|'
    "both|all|everything else|except|instead of|<think>|</think>|| |one|more|by|+2|nothing|image"
)
PIECES = st.sampled_from(KNOWN.split("|"))


@pytest.mark.parametrize("step", ["describe", "relate", "apply", "relate.action"])
@fuzzed()
@given(pieces=st.lists(PIECES, max_size=40))
def test_any_jumble_of_known_words_can_be_read(step: str, pieces: list[str]) -> None:
    text = " ".join(pieces)
    reading = read(step, text)
    for start, end in reading.spans.values():
        assert 0 <= start < end <= len(text)


@fuzzed()
@given(text=st.text(max_size=200))
def test_preparing_keeps_the_way_back(text: str) -> None:
    prepared = prepare(text)
    for at, char in islice(enumerate(prepared.text), 200):
        start, end = prepared.origin(at, at + 1)
        assert 0 <= start < end <= len(text)
        if char != " " and text[start].isascii() and text[start].isprintable():
            assert text[start].lower() == char


@pytest.mark.parametrize(
    "piece",
    ["Image 1: two dogs walking. ", "number ", "not ", "from two to four ", "| a | b |\n", "<think>", "a ", "((",
     "any and ", "the answer is ", "image 1 and ", "Number: changed from two to four.\n", "so four cats ", "- 2\n",
     "犬", "old big ", "changed same ", "Changed:\n", "two dogs image 1 "],
)  # fmt: skip
@pytest.mark.parametrize("step", ["describe", "relate", "apply"])
def test_work_grows_no_faster_than_the_text(step: str, piece: str) -> None:
    """The bound is loose (10 times the text, far less than 100 times the work): only a square would break it."""

    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        best = 1e9
        for turn in range(2):
            before = time.process_time()
            read(step, f"{turn} {text}")
            best = min(best, time.process_time() - before)
        return best

    short, long = seconds(4_000), seconds(40_000)
    print(f"{step} {piece!r}: 4 kB {short * 1e3:.1f} ms, 40 kB {long * 1e3:.1f} ms")
    assert long < max(40 * short, 0.05)
