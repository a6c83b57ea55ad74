"""Small questions whose replies tell one thing each, and how the replies are read."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.checking.report import ODDS, PICTURES, STRUCTURED, Line, Verdict
from core.drawing.canvas import Colour
from core.drawing.sheet import Sheet
from core.drawing.tiles import shape
from core.records import Answer, Field, Item, Picture, Show, Status, Step, Text, Turn
from core.respondents.base import Request
from core.respondents.odds import odds

SIDE: Final = 256
COLOURS: Final[Mapping[str, Colour]] = {
    "blue": (30, 80, 220),
    "yellow": (250, 215, 20),
    "red": (220, 30, 30),
    "green": (20, 150, 50),
    "black": (10, 10, 10),
}
SHAPES: Final = ("circle", "square", "triangle", "star", "heart")
LETTERS: Final = ("A", "B")
WORDS: Final = ("ochre", "teal")
SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": list(WORDS)}},
    "required": ["colour"],
    "additionalProperties": False,
}
RESPONSE_FORMAT: Final[Mapping[str, Any]] = {
    "type": "json_schema",
    "json_schema": {"name": "colour", "strict": True, "schema": SCHEMA},
}

_NAMED: Final = re.compile(rf"\b({'|'.join(COLOURS)})\b", re.IGNORECASE)
_SAID: Final = 120


def pictures_request(shown: Sequence[int]) -> tuple[Request, tuple[str, ...]]:
    """A question about the order of as many pictures, each with as many shapes in it, and its right answer."""
    count = min(sum(shown), len(COLOURS))
    colours = tuple(COLOURS)[:count]
    pictures = tuple(
        Picture(f"{colour}.png", data=_shape(kind, COLOURS[colour]))
        for kind, colour in zip(SHAPES, colours, strict=False)
    )
    content, first = list[Show](), 0
    for number in shown:
        of = tuple(range(first, min(first + number, count)))
        first += number
        content += [Show(of)] if of else []
    turn = Turn("pictures", (*content, Text(_asked(count, joined=max(shown) > 1))), gold_text=", ".join(colours))
    return Request(Item("", "", "check", pictures, {}, {}), turn), colours


def words_request(text: str, options: Sequence[str] = ()) -> Request:
    """A question in words alone; ``options`` are what it offers to answer."""
    form = (Field("answer", tuple(options)),) if options else ()
    return Request(Item("", "", "check", (), {}, {}), Turn("words", (Text(text),), form=form))


def letters_request() -> Request:
    """A question that one of two letters answers."""
    return words_request("Which letter comes first in the alphabet, A or B? Answer with that letter alone.", LETTERS)


def greeting_request() -> Request:
    """A question that nobody answers in JSON unasked."""
    return words_request("Greet me in one short sentence.")


def read_order(answer: Answer, colours: Sequence[str]) -> Line:
    """Whether the pictures were all seen, and in their order."""
    wanted, count = list(colours), len(colours)
    found = [name.lower() for name in _NAMED.findall(answer.text)]
    of = f"{count} picture{'s' if count > 1 else ''}"
    if not found:
        return Line(PICTURES, Verdict.UNKNOWN, f"could not tell: no colour in its reply ({said(answer)})")
    if wanted in (found[-count:], found[:count]):
        return Line(PICTURES, Verdict.YES, f"all {of} seen, in their order" if count > 1 else "the picture is seen")
    told = f"shown {', '.join(wanted)}, said {said(answer)}"
    if sorted(found[-count:]) == sorted(wanted):
        return Line(PICTURES, Verdict.NO, f"all {of} seen, but in another order: {told}")
    right = len(set(found) & set(wanted))
    return Line(PICTURES, Verdict.NO, f"{right} of {of} told: {told}")


def read_odds(answer: Answer) -> Line:
    """Whether the log-probabilities of the letters came with the answer."""
    step = Step(letters_request().turn, answer)
    if found := odds(step, None):
        told = ", ".join(f"{letter} {probability:.3g}" for letter, probability in found.items())
        return Line(ODDS, Verdict.YES, f"given: {told}")
    reply = answer.call.reply if answer.call is not None else None
    choices = reply.get("choices") if isinstance(reply, dict) else None
    if choices and isinstance(choices[0].get("logprobs"), dict):
        return Line(ODDS, Verdict.UNKNOWN, f"given, but no token of its reply is a letter ({said(answer)})")
    return Line(ODDS, Verdict.NO, "asked for and left out without a word")


def read_structured(answer: Answer) -> Line:
    """Whether the answer keeps to the schema that was sent with the question."""
    try:
        value = json.loads(answer.text)
    except (ValueError, RecursionError):
        if answer.status is Status.TRUNCATED and answer.text.lstrip().startswith("{"):
            return Line(STRUCTURED, Verdict.UNKNOWN, f"could not tell: its reply was cut off ({said(answer)})")
        return Line(STRUCTURED, Verdict.NO, f"ignored without a word: {said(answer)}")
    if isinstance(value, dict) and set(value) == {"colour"} and value["colour"] in WORDS:
        return Line(STRUCTURED, Verdict.YES, "honoured")
    return Line(STRUCTURED, Verdict.NO, f"JSON, but not of the schema: {said(answer)}")


def said(answer: Answer) -> str:
    """The reply in one short line."""
    text = " ".join(answer.text.split())
    return repr(text if len(text) <= _SAID else text[: _SAID - 1] + "…") if text else "nothing"


def _asked(count: int, *, joined: bool) -> str:
    if count == 1:
        return "The picture shows one large shape on white. Which colour is the shape? Answer with one word."
    if joined:
        return (
            f"You see {count} large shapes on white, side by side. Name the colour of each shape from left to right: "
            f"{count} words with commas between them, and nothing else."
        )
    return (
        f"You are shown {count} pictures, each of one large shape on white. Name the colour of the shape in each "
        f"picture, in the order in which the pictures are shown: {count} words with commas between them, and nothing "
        "else."
    )


def _shape(kind: str, colour: Colour) -> bytes:
    sheet = Sheet(SIDE, SIDE)
    shape(sheet.at(SIDE / 2, SIDE / 2, SIDE * 0.8), kind, colour)
    buffer = io.BytesIO()
    sheet.finished().convert("RGB").save(buffer, "PNG")
    return buffer.getvalue()
