"""Kinds of replies, put together at random: what they give is known from how they were made."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from core.letters import read_choice, read_yes_no, text_matches
from core.letters.folding import HEAD, TAIL
from core.records import Parse

LETTERS = "ABCDEF"
BLANK = dict.fromkeys(LETTERS, "")
THINGS = {
    "A": "Two dogs running",
    "B": "Three cats sleeping",
    "C": "One hamster eating",
    "D": "Four monkeys jumping",
    "E": "A horse in a field",
    "F": "The bus that waits",
}

PREFACES = st.sampled_from(
    [
        "",
        "Sure!\n\n",
        "Let me look at both pictures.\n\n",
        "A dog runs and a cat sleeps. ",
        "I see a man at a table. ",
        "Both images show a kitchen.\n",
        "**Analysis**\n\n1. The first picture shows a park.\n2. The second shows a lake.\n\n",
        "<think>It might be A, or B. The answer is C.</think>\n",
        "A quick look first: every animal is outside.\n\n",
        "Vitamin C and plan B are no help here.\n",
        "图片里有一只狗。\n",
        "画像には犬がいます。\n",
        "В комнате кошка. А ещё собака.\n",
        "E la casa è grande. ",
        "I'm sorry that the picture is blurry. ",
        "Image A shows a tree and image B shows a car.\n",
        "None of this is easy.\n\n",
    ]
)
CUES = st.sampled_from(
    [
        "The answer is {}",
        "The correct answer is {}",
        "Answer: {}",
        "ANSWER: {}",
        "**Answer:** {}",
        "Final answer: {}",
        "So the answer is {}",
        "Therefore, the correct option is {}",
        "I choose {}",
        "I would pick {}",
        "I'd go with {}",
        "My answer is {}",
        "The best option is {}",
        "The most helpful question is {}",
        "The answer is option {}",
        "Correct answer: {}",
        "答案是{}",
        "正确答案是 {}",
        "我选{}",
        "答えは{}",
        "正解は{}",
        "정답은 {}",
        "정답: {}",
        "La respuesta es {}",
        "La respuesta correcta es {}",
        "Die Antwort ist {}",
        "Die richtige Antwort lautet {}",
        "La réponse est {}",
        "Réponse : {}",
        "Ответ: {}",
        "Правильный ответ: {}",
        "الإجابة الصحيحة هي {}",
        "उत्तर: {}",
        "A resposta é {}",
        "La risposta è {}",
        "<answer>{}</answer>",
        '{{"answer": "{}"}}',
        "the answer would be {}",
        "The answer must be {}",
        "In conclusion, the answer is {}",
        "Based on the images, the correct answer is {}",
    ]
)
SETTINGS = st.sampled_from(
    [
        "{}",
        "({})",
        "[{}]",
        "**{}**",
        "`{}`",
        "${}$",
        "\\boxed{{{}}}",
        "\\boxed{{\\text{{{}}}}}",
        "**({})**",
        "（{}）",
        '"{}"',
        "<b>{}</b>",
        "*{}*",
        "({}) ",
    ]
)
ENDS = st.sampled_from([".", "", ".\n", "\n", "!", " .", ".\n\n"])
OTHERS = st.sampled_from(
    [
        "{} shows a cat.",
        "Option {} shows a tree.",
        "({}) is wrong.",
        "{} is incorrect because of the dog.",
        "Option {} can be ruled out.",
        "{} does not match.",
        "Unlike ({}), it is outside.",
        "Option {} might look right at first.",
        "In ({}) the dog sits.",
        "- {}: there is no dog",
        "{} has no animal at all.",
        "Not {}.",
        "One might pick {}.",
        "Option **{}** mentions a boat.",
        "I don't think {} is right.",
        "If it rained, {} would be right.",
    ]
)


@st.composite
def discussions(draw: st.DrawFn, answer: str) -> str:
    others = draw(st.lists(st.sampled_from([letter for letter in LETTERS if letter != answer]), max_size=4))
    return "\n".join(draw(OTHERS).format(letter) for letter in others)


@st.composite
def answered(draw: st.DrawFn) -> tuple[str, str]:
    """A reply that gives one answer after a cue and then discusses others."""
    answer = draw(st.sampled_from(LETTERS))
    reply = draw(PREFACES) + draw(CUES).format(draw(SETTINGS).format(answer)) + draw(ENDS)
    return f"{reply}\n{draw(discussions(answer))}", answer


@st.composite
def concluded(draw: st.DrawFn) -> tuple[str, str]:
    """A reply that discusses others first and ends with its answer."""
    answer = draw(st.sampled_from(LETTERS))
    first = draw(PREFACES) + draw(discussions(answer))
    return f"{first}\n\n{draw(CUES).format(draw(SETTINGS).format(answer))}{draw(ENDS)}", answer


@settings(max_examples=600, deadline=None)
@given(st.one_of(answered(), concluded()))
@example(("The answer is A\n- B: there is no dog", "A"))  # no range of letters: a list begins
def test_the_one_letter_given_is_read_whatever_stands_around_it(made):
    reply, answer = made
    reading = read_choice(reply, BLANK)
    assert reading.answer == answer
    assert reading.span is not None
    assert unicodedata.normalize("NFKC", reply[slice(*reading.span)]) == answer


@settings(max_examples=400, deadline=None)
@given(st.one_of(answered(), concluded()))
def test_known_option_texts_change_nothing_about_a_letter(made):
    reply, answer = made
    assert read_choice(reply, THINGS).answer == answer


@settings(max_examples=300, deadline=None)
@given(
    answered(),
    st.sampled_from(
        ["Wait, let me check again. ", "Actually, no. ", "Correction: ", "Hmm, on second thought, I made a mistake. "]
    ),
    CUES,
    st.data(),
)
def test_the_answer_that_takes_back_the_earlier_one_stands(made, turn, cue, data):
    reply, first = made
    last = data.draw(st.sampled_from([letter for letter in LETTERS if letter != first]))
    assert read_choice(f"{reply}\n\n{turn}{cue.format(f'({last})')}.", BLANK).answer == last


TWO_FINALS = st.sampled_from(
    [
        "The answer is {}. The answer is {}.",
        "Answer: {}\nAnswer: {}",
        "{} and {}",
        "The answer is {} or {}.",
        "ANSWER: {}, {}",
        "both {} and {}",
        "{} is correct. {} is correct.",
        "Final answer: {}\n\nFinal answer: {}",
        "I choose {} and {}.",
        "\\boxed{{{}, {}}}",
        "答案是{}和{}",
        "The correct answers are {} and {}.",
        "Answer: {} / {}",
        "La respuesta es {} o {}.",
        "Die Antwort ist {} und {}.",
    ]
)


@settings(max_examples=300, deadline=None)
@given(
    PREFACES,
    TWO_FINALS,
    st.lists(st.sampled_from(LETTERS), min_size=2, max_size=2, unique=True),
    st.sampled_from(["{}", "({})", "**{}**"]),
)
def test_two_different_answers_are_none(preface, form, letters, shape):
    assume(preface == "" or not form.startswith(("{} and", "both")))
    reading = read_choice(preface + form.format(*(shape.format(letter) for letter in letters)), BLANK)
    assert (reading.answer, reading.status) == (None, Parse.AMBIGUOUS)


SILENT = st.sampled_from(
    [
        "A dog runs.",
        "I see two cats.",
        "A man and a woman talk.",
        "Above the table hangs a lamp.",
        "Be careful with the cable.",
        "Each face is different.",
        "Abed, Dad and Ed met.",
        "I am not sure.",
        "Option {} shows a cat.",
        "({}) shows a dog.",
        "{} is wrong.",
        "Not {}.",
        "Is it {}?",
        "Could it be ({})?",
        "The answer is not {}.",
        "I don't think the answer is {}.",
        "If the answer is {}, the dog is brown.",
        "Picture {} is dark.",
        "Vitamin {} is healthy.",
        "One might choose {}.",
        "Point {} lies left.",
        "The answer depends on the dog.",
        "We can eliminate {}.",
        "The wrong answer is {}.",
        "Dr. {}. Smith painted it.",
        "他看到一只狗。",
        "选项{}显示一只猫。",
        "犬がいます。",
        "選択肢{}は犬です。",
        "Hay un perro.",
        "La opción {} muestra un perro.",
        "Es gibt einen Hund.",
        "Option {} zeigt einen Hund.",
        "В доме кот.",
        "Вариант {} показывает собаку.",
        "It isn't {}.",
        "Neither ({}) nor the rest fits.",
        "A common mistake is to choose {}.",
        "<think>The answer is {}.</think>",
        "The format is ({}).",
        "e.g. ({})",
        "Let me think about {} first.",
    ]
)


@settings(max_examples=800, deadline=None)
@given(
    st.lists(SILENT, min_size=1, max_size=5),
    st.lists(st.sampled_from(LETTERS), min_size=5, max_size=5),
    st.sampled_from([" ", "\n", "\n\n"]),
)
def test_no_letter_is_read_where_none_is_given(sentences, letters, between):
    reply = between.join(sentence.format(letter) for sentence, letter in zip(sentences, letters, strict=False))
    assert read_choice(reply, BLANK).answer is None
    assert read_choice(reply, THINGS).answer is None


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read_without_harm(text):
    for reading in (read_choice(text, THINGS), read_choice(text, BLANK), read_yes_no(text)):
        assert (reading.answer is None) == (reading.span is None) == (reading.status is not Parse.OK)
        if reading.span is not None:
            assert 0 <= reading.span[0] < reading.span[1] <= len(text)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "A",
                "(B)",
                " ",
                "\n",
                "the answer is ",
                "not ",
                "C",
                ", ",
                "and ",
                "or ",
                "is wrong",
                "is correct",
                ". ",
                "? ",
                "**",
                "\\boxed{",
                "}",
                "so ",
                "wait, ",
                "<think>",
                "</think>",
                "`",
                "答案是",
                "Two dogs running",
                "no ",
                "yes ",
            ]
        ),
        max_size=25,
    )
)
def test_scraps_never_yield_a_letter_that_they_do_not_hold(scraps):
    reply = "".join(scraps)
    answer = read_choice(reply, BLANK).answer
    assert answer is None or answer in reply
    if "<think>" not in reply:
        assert answer is None or answer in reply.split("</think>")[-1]


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(THINGS)),
    st.sampled_from(
        [
            "{}",
            "{}.",
            "The answer is {}.",
            "Answer: {}",
            "**{}**",
            '"{}"',
            "The correct answer is: {}",
            "\\boxed{{{}}}",
            "Final answer: {}",
        ]
    ),
    st.booleans(),
)
def test_an_options_own_text_gives_its_letter(letter, form, lower):
    text = THINGS[letter].lower() if lower else THINGS[letter]
    assert read_choice(form.format(text), THINGS).answer == letter


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 999), st.integers(0, 999))
def test_a_number_is_never_taken_for_another(said, option):
    assume(said != option)
    options = {"A": f"{option} dogs", "B": "no dogs"}
    for reply in (
        f"{said} dogs",
        f"The answer is {said} dogs.",
        f"{said}",
        f"{said}.{option} dogs",
        f"{option},{said} dogs",
    ):
        assert read_choice(reply, options).answer is None
    assert not text_matches(f"There are {said} dogs.", f"{option} dogs")


@pytest.mark.parametrize(
    "scrap",
    [
        "A ",
        "A, ",
        "(A) ",
        "the answer is ",
        "\\boxed{",
        "\\text{",
        "**",
        "{",
        "<think>",
        "A is A is ",
        "选",
        "ответ ",
        "é",
        "e\u0301",
        "answer: A\n",
        "I would would ",
        "not ",
        "yes or ",
    ],
)
def test_a_very_long_reply_is_read_in_time_that_grows_with_it(scrap):
    def seconds(length: int) -> float:
        reply = (scrap * (length // len(scrap) + 1))[:length]
        before = time.process_time()
        read_choice(reply, THINGS)
        read_yes_no(reply)
        return time.process_time() - before

    assert seconds(200_000) < 12 * max(seconds(50_000), 0.05)


def test_of_a_very_long_reply_the_beginning_and_the_end_are_read():
    filler = "The dog runs in the park. " * 10_000
    assert read_choice(f"{filler}\n\nAnswer: (C)", BLANK).answer == "C"
    assert read_choice(f"(C)\n\n{filler}", BLANK).answer == "C"
    middle = filler[: HEAD + TAIL]
    assert read_choice(f"{middle}\n\nAnswer: (C)\n\n{middle}", BLANK).answer is None
    assert read_choice(f"<think>{filler}</think>(C)", BLANK).answer == "C"


YES = st.sampled_from(["Yes", "yes", "Oui", "Ja", "Да", "Sí", "はい", "네", "是", "نعم"])
NO = st.sampled_from(["No", "no", "Non", "Nein", "Нет", "いいえ", "아니요", "否", "لا"])


@settings(max_examples=300, deadline=None)
@given(
    st.one_of(YES.map(lambda word: (word, "Yes")), NO.map(lambda word: (word, "No"))),
    st.sampled_from(
        [
            "{}",
            "{}.",
            "[{}]",
            "**{}**",
            "Answer: {}",
            "The answer is {}.",
            "The answer is **{}**.",
            "Both are outside.\n\n{}",
            "The notice is not clear.\nFinal answer: {}",
            "<think>yes, no</think>{}",
            '{{"answer": "{}"}}',
        ]
    ),
)
def test_a_word_of_yes_or_no_is_read_in_any_setting(word, form):
    said, answer = word
    reply = form.format(said)
    reading = read_yes_no(reply)
    assert reading.answer == answer
    assert reading.span is not None
    assert reply[slice(*reading.span)] == said
