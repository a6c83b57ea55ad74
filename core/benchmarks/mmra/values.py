"""The spellings of MMRA's data files read into values. Each reader gives the value, or says what is wrong."""

from __future__ import annotations

import ast
import json
import math
import string
import warnings
from collections.abc import Collection, Mapping
from typing import Any, Final

from core.benchmarks.mmra.question import CHOICE, MARKS, SUBTASKS, TRUE_FALSE, YES_NO, Kind

LITERAL_LIMIT: Final = 100_000
"""Characters of an options text; Python's own parser is not let loose on more."""


MOST_OPTIONS: Final = 25
"""One letter is left for the option that sequence perception adds."""


class UnreadableError(Exception):
    """What is wrong with a value, as the end of a sentence that names file, row and field."""


_KINDS: Final[Mapping[str, Kind]] = {
    "choiceqa": CHOICE,
    "chooiceqa": CHOICE,
    "choice": CHOICE,
    "multiplechoice": CHOICE,
    "trueorfalseqa": TRUE_FALSE,
    "trueorfalse": TRUE_FALSE,
    "truefalse": TRUE_FALSE,
    "tf": TRUE_FALSE,
    "yesno": TRUE_FALSE,
}

_OTHER_NAMES: Final = {
    "madeof": "SM",
    "material": "SM",
    "environments": "Env",
    "environmentsimilarity": "Env",
    "nearsimilarentity": "NSE",
    "mentalsimilarity": "MS",
    "similarusage": "US",
    "similarappearance": "AS",
}


def folded(text: str) -> str:
    """Letters and digits alone, in lower case: ``Relative Position`` and ``relative_position`` are one."""
    return "".join(character for character in text.casefold() if character.isalnum())


_SUBTASKS: Final = _OTHER_NAMES | {
    folded(name): short for short, (full, _) in SUBTASKS.items() for name in (short, full)
}


def text(value: Any) -> str:
    """A text without surrounding blanks; "" for null, for NaN, and for the words that tools write in their place."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise UnreadableError(f"is no text but {_kind_of(value)}")
    words = str(value).strip()
    if "\0" in words:
        raise UnreadableError("holds a NUL")
    try:
        words.encode("utf-8")
    except UnicodeEncodeError:
        raise UnreadableError("is not UTF-8, or holds half a surrogate pair") from None
    return words


def needed(value: Any) -> str:
    """A text that is there."""
    words = text(value)
    if not words:
        raise UnreadableError("is empty or missing")
    return words


def kind(value: Any) -> Kind:
    """``Choice QA``, ``Chooice QA`` (as published) or ``True or false QA``."""
    words = needed(value)
    found = _KINDS.get(folded(words))
    if found is None:
        raise UnreadableError(f"{short(words)} is unknown; known are 'Choice QA' and 'True or false QA'")
    return found


def subtask(value: Any) -> str:
    """A subtask's short name from any of its names."""
    words = needed(value)
    found = _SUBTASKS.get(folded(words))
    if found is None:
        names = ", ".join(f"{key} ({full})" for key, (full, _) in SUBTASKS.items())
        raise UnreadableError(f"there is no subtask {short(words)}; they are {names}")
    return found


def subtask_in(name: str) -> str:
    """The subtask that a file's or folder's name tells (``data/usage_similarity-00000-of-00001``), "" for none."""
    words = "".join(character if character.isalnum() else " " for character in name).split()
    letters = [word for word in words if not word.isdigit() and word != "of"]
    for candidate in ("".join(letters), *letters):
        if candidate.casefold() in _SUBTASKS:
            return _SUBTASKS[candidate.casefold()]
    return ""


def options(value: Any) -> dict[str, str]:
    """Letters A, B, C ... to texts, from an object or from a Python or JSON literal of one."""
    if isinstance(value, str):
        value = _literal(value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        raise UnreadableError("is missing, and a choice question has options")
    if not isinstance(value, dict):
        raise UnreadableError(f"is no dict of options but {_kind_of(value)}")
    found = {}
    for key, words in value.items():
        if not isinstance(key, str):
            raise UnreadableError(f"the option {short(str(key))} is no letter")
        if words is not None:
            found[key.strip().upper()] = needed_option(key, words)
    letters = list(string.ascii_uppercase[: len(found)])
    if len(found) > MOST_OPTIONS:
        raise UnreadableError(f"holds {len(found)} options; {MOST_OPTIONS} are the most")
    if len(found) < 2:
        raise UnreadableError(f"holds {'one option' if found else 'no options'}; two are the least")
    if sorted(found) != letters:
        raise UnreadableError(f"the options are {', '.join(map(short, found))}, not {', '.join(letters)}")
    return {letter: found[letter] for letter in letters}


def marks(value: Any, letters: Collection[str]) -> dict[str, str]:
    """Letters of options to one of ``MARKS``, from an object or a literal of one; empty where there is none."""
    if isinstance(value, str):
        value = _literal(value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return {}
    if not isinstance(value, dict):
        raise UnreadableError(f"is no dict of marks but {_kind_of(value)}")
    found = {}
    for key, mark in value.items():
        if mark is None:
            continue
        if key not in letters:
            raise UnreadableError(f"marks {short(str(key))}, and there is no such option")
        if mark not in MARKS:
            raise UnreadableError(f"the mark of {key} is {short(str(mark))}; known are {', '.join(map(repr, MARKS))}")
        found[key] = mark
    return found


def needed_option(key: str, value: Any) -> str:
    try:
        return needed(value)
    except UnreadableError as error:
        raise UnreadableError(f"option {short(key.strip())} {error}") from None


def answer(value: Any, answers: tuple[str, ...]) -> str:
    """One of the answers; a letter may stand in brackets."""
    words = needed(value)
    bare = words.strip("()[]. ").casefold()
    for known in answers:
        if bare == known.casefold():
            return known
    of = "Yes or No" if answers == YES_NO else f"an option ({', '.join(answers)})"
    raise UnreadableError(f"{short(words)} is not {of}")


def short(words: str) -> str:
    """Quoted, and cut where it is long."""
    return repr(words if len(words) <= 60 else words[:57] + "...")


def _literal(words: str) -> Any:
    words = words.strip()
    if words.casefold() in ("", "none", "null", "nan"):
        return None
    if len(words) > LITERAL_LIMIT or sum(words.count(bracket) for bracket in "([{") > 200:
        raise UnreadableError("is too long or too deep for a dict of options")
    try:
        return json.loads(words)
    except (ValueError, RecursionError):
        pass  # then it is a Python literal, as published
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of backslashes in the options' words
            return ast.literal_eval(words)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        why = error.msg if isinstance(error, SyntaxError) else "it holds more than plain values"
        raise UnreadableError(f"{short(words)} is no dict of options ({why})") from None


def _kind_of(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", bytes: "bytes"}
    return names.get(type(value), f"a {type(value).__name__}")
