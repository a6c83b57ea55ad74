"""How likely each option of a turn was where the answer says one: from the log-probabilities in a reply."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from core.records import Json, Score, Step, Turn

AT: Final = "at"
"""Where a kept token begins in the answer's text, in characters."""

_AROUND: Final = " \t\r\n\u2581\u0120()[]{}<>*_$\"'`.,:;"
"""What may stand around an option in its token; the last two of the blanks are tokenizers' own."""


def options_of(turn: Turn) -> tuple[str, ...]:
    """What a turn offers to choose one of; none where it asks for more than one value."""
    return turn.form[0].options if len(turn.form) == 1 else ()


def kept(raw: Json, text: str, options: Sequence[str]) -> Json:
    """A whole reply with log-probabilities of those tokens alone that say an option in the answer's text.

    A long answer's would be most of the store. Each token that is kept says where it begins.
    """
    if not raw.get("choices"):  # no chat completion
        return raw
    choice = raw["choices"][0]
    told = choice.get("logprobs")
    content = told.get("content") if isinstance(told, Mapping) else None
    if not isinstance(content, list):
        return raw
    slim = {**choice, "logprobs": {"content": list(_saying(content, text, options))}}
    return {**raw, "choices": [slim, *raw["choices"][1:]]}


def odds(step: Step, score: Score | None) -> dict[str, float]:
    """The probability of each option at the place where the answer was read; empty where none is known.

    ``score`` says where that is. What the model gave to other words is not in it: the sum may be under 1.
    """
    reply = step.answer.call.reply if step.answer.call is not None else None
    if not isinstance(reply, Mapping):
        return {}
    if isinstance(letters := reply.get("letters"), Mapping):  # a model run here, made to answer in letters
        return {letter: math.exp(value) for letter, value in letters.items()}
    entry = _place(_entries(reply), step.turn, score)
    if entry is None:
        return {}
    options = options_of(step.turn)
    found: dict[str, float] = {}
    alternatives = {one["token"]: one for one in (*entry.get("top_logprobs", ()), entry)}
    for one in alternatives.values():
        if (option := _said(one["token"], options)) is not None:
            found[option] = found.get(option, 0.0) + math.exp(one["logprob"])
    return {option: found[option] for option in options if option in found}


def _saying(content: Sequence[Any], text: str, options: Sequence[str]) -> Iterator[Json]:
    tokens = [entry for entry in content if _is_token(entry)]
    pieces = [_bytes(entry) for entry in tokens]
    whole = b"".join(pieces)
    begins = whole.rfind(text.encode("utf-8", "surrogatepass")) if text else -1
    if begins < 0:
        return
    start = 0
    for entry, piece in zip(tokens, pieces, strict=True):
        option = _said(entry["token"], options) if start + len(piece) > begins else None
        if option is not None:
            before = whole[begins : start + max(0, piece.find(option.encode()))]
            listed = entry.get("top_logprobs")
            likely = [
                {"token": one["token"], "logprob": one["logprob"]}
                for one in (listed if isinstance(listed, list) else ())
                if _is_token(one) and _said(one["token"], options) is not None
            ]
            yield {
                "token": entry["token"],
                "logprob": entry["logprob"],
                "top_logprobs": likely,
                AT: len(before.decode("utf-8", "replace")),
            }
        start += len(piece)


def _is_token(entry: Any) -> bool:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("token"), str):
        return False
    value = entry.get("logprob")
    return isinstance(value, int | float) and not isinstance(value, bool) and value < 1


def _bytes(entry: Mapping[str, Any]) -> bytes:
    """A token's own bytes: a character of several tokens is whole in none of them."""
    told = entry.get("bytes")
    if isinstance(told, list) and all(isinstance(byte, int) and 0 <= byte < 256 for byte in told):
        return bytes(told)
    text: str = entry["token"]
    return text.encode("utf-8", "surrogatepass")


def _said(token: str, options: Sequence[str]) -> str | None:
    """The option that a token says by itself."""
    bare = token.strip(_AROUND)
    if bare in options:
        return bare
    folded = bare.casefold()
    return next((option for option in options if len(option) > 1 and option.casefold() == folded), None)


def _entries(reply: Mapping[str, Any]) -> list[Any]:
    choices = reply.get("choices")
    told = choices[0].get("logprobs") if isinstance(choices, list) and choices else None
    content = told.get("content") if isinstance(told, Mapping) else None
    return [entry for entry in content if AT in entry] if isinstance(content, list) else []


def _place(entries: Sequence[Any], turn: Turn, score: Score | None) -> Any:
    """The token that the answer was read from; the only one where nothing was read."""
    span = score.spans.get(turn.form[0].name) if score is not None and turn.form else None
    if span is None:
        return entries[0] if len(entries) == 1 else None
    return next((entry for entry in reversed(entries) if span[0] <= entry[AT] < span[1]), None)
