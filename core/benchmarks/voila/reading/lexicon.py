"""All tables as one lexicon: a phrase's first word to the phrases that begin with it, longest first."""

from __future__ import annotations

from typing import Final, TypeAlias

from core.benchmarks.voila.reading import actions, numbers, subjects, words
from core.benchmarks.voila.reading import kinds as t

Phrase: TypeAlias = tuple[tuple[str, ...], str, str]
LEXICON: Final[dict[str, list[Phrase]]] = {}


def _put(phrase: str, kind: str, value: str) -> None:
    first, *rest = phrase.split()
    entries = LEXICON.setdefault(first, [])
    tail = tuple(rest)
    entries[:] = [entry for entry in entries if entry[0] != tail]
    entries.append((tail, kind, value))
    entries.sort(key=lambda entry: -len(entry[0]))


def _fill() -> None:
    """Later entries replace earlier ones of the same wording."""
    for kind, phrases in (
        (t.NOT, words.NOT), (t.BUT, words.BUT), (t.WHILE, words.WHILE), (t.AND, words.AND), (t.OR, words.OR),
        (t.FROM, words.FROM), (t.TO, words.TO), (t.BECAUSE, words.BECAUSE), (t.EXPLAIN, words.EXPLAIN), (t.WEAK,
        words.WEAK),
        (t.ALL, words.ALL), (t.ELSE, words.ELSE), (t.EXCEPT, words.EXCEPT), (t.ONLY, words.ONLY), (t.SAME,
        words.SAME),
        (t.SAME, words.SAME_PHRASES), (t.CHANGE, words.CHANGE), (t.UP, words.UP), (t.DOWN, words.DOWN), (t.UP,
        words.UP_PHRASES),
        (t.DOWN, words.DOWN_PHRASES),
        (t.INSTEAD, words.INSTEAD), (t.AGE, subjects.AGE), (t.GENERIC, subjects.GENERIC), (t.WORD, words.NO_LONGER),
        (t.WORD, words.NOT_ANY), (t.WORD, actions.SKIPPED), (t.NOT, ("no longer",)), (t.BOTH, ("both",)),
        (t.ARTICLE, ("a", "an")), (t.YES, words.YES), (t.NOTHING, words.NOTHING),
    ):  # fmt: skip
        for phrase in phrases:
            _put(phrase, kind, phrase)
    for kind, table in (
        (t.FACTOR, words.FACTORS), (t.LABEL, words.LABELS), (t.ANY, words.ANYS), (t.OTHER, subjects.OUTSIDE),
        (t.SUBJ, subjects.SUBJECT_WORDS), (t.VERB, actions.ACTS), (t.ACT, actions.ACTING), (t.NUM, numbers.COUNTS),
    ):  # fmt: skip
        for phrase, value in table.items():
            _put(phrase, kind, value)
    for phrase in ("one of", "one another", "no one", "one by", "each one", "this one", "which one", "the one",
                   "that one", "one side", "one image", "one picture", "other one", "one other",
                   "one hand"):  # fmt: skip
        _put(phrase, t.WORD, phrase)
    for phrase in ("the answer is", "answer is", "final answer", "the answer", "correct answer", "my answer",
                   "the final answer", "final answer is", "the final answer is", "answer would be",
                   "the correct answer is", "answer should be"):  # fmt: skip
        _put(phrase, t.MARK, phrase)


_fill()
PUNCTUATION: Final = {
    ":": t.COLON, "=": t.COLON, ",": t.COMMA, "-": t.COMMA, "|": t.COMMA, ".": t.STOP, "!": t.STOP, "?": t.STOP,
    ";": t.STOP, "/": t.OR,
    "&": t.AND, "{": t.OPEN, "[": t.OPEN, "(": t.COMMA, ")": t.COMMA, "}": t.CLOSE, "]": t.CLOSE, "\n": t.LINE,
    "→": t.ARROW, "+": t.SIGN,
    "×": t.SIGN, "≠": t.CHANGE,
}  # fmt: skip
