"""What the answers to a check say, line by line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from core.checking.asking import Asked
from core.checking.largest import Largest
from core.checking.report import LARGEST, REACHABLE, SERVED, STREAMING, USAGE, Line, Verdict
from core.records import Answer, Status
from core.respondents.switches import remedy

FEW_WORDS: Final = 3
"""So short an answer may well come in one piece."""

_NO_ANSWER: Final = {
    Status.REFUSAL: ("refused", ""),
    Status.TRUNCATED: (
        "cut off at max_tokens before the answer began",
        "Raise max_tokens: a model that thinks first needs more",
    ),
}


def mends(asked: Asked, pictures: int) -> str:
    """What to do about a failure: the server's switch for so many pictures, or what the respondent itself says."""
    return (remedy(asked.what, pictures) if asked.status is not None else "") or asked.remedy


def reachable(asked: Asked) -> Line:
    """Whether anybody is there."""
    if not asked.reached:
        return Line(REACHABLE, Verdict.NO, asked.what, asked.remedy)
    if asked.answer is not None and asked.call is not None:
        return Line(REACHABLE, Verdict.YES, f"answered in {asked.call.seconds:.1f} s")
    return Line(REACHABLE, Verdict.YES, f"HTTP {asked.status}" if asked.status else "it answers")


def largest(asked: Asked, most: Largest) -> Line:
    """Whether the largest turn was answered."""
    pictures, before = len(most.shown), most.before
    turn = (
        f"{most.request.turn.step} of {most.benchmark} {most.protocol} ({pictures} pictures, {before} turns before)"
    )
    if asked.answer is None:
        return Line(LARGEST, Verdict.NO, f"{turn}: {asked.what}", mends(asked, pictures))
    if asked.answer.text.strip() and asked.answer.status is not Status.REFUSAL:
        cut = ", cut off at max_tokens" if asked.answer.status is Status.TRUNCATED else ""
        return Line(LARGEST, Verdict.YES, f"{turn}: answered{cut}")
    why, help_ = _NO_ANSWER.get(asked.answer.status, ("the answer is empty", ""))
    return Line(LARGEST, Verdict.NO, f"{turn}: {why}", help_)


def streaming(asked: Asked) -> Line:
    """Whether the answer came piece by piece, and its tokens with it."""
    if asked.answer is None:
        return Line(STREAMING, Verdict.UNKNOWN, "could not tell: the streamed turn failed")
    counted = asked.call is not None and asked.call.usage.completion_tokens > 0
    tokens = "tokens counted in the stream" if counted else "no tokens counted in the stream"
    if asked.pieces > 1:
        return Line(STREAMING, Verdict.YES, f"{asked.pieces} pieces, {tokens}")
    verdict = Verdict.NO if len(asked.answer.text.split()) > FEW_WORDS else Verdict.UNKNOWN
    return Line(STREAMING, verdict, f"the answer came in one piece, {tokens}")


def usage(*asked: Asked) -> Line:
    """Whether tokens are counted."""
    counts = [one.answer.call.usage for one in asked if one.answer is not None and one.answer.call is not None]
    if not counts:
        return Line(USAGE, Verdict.UNKNOWN, "could not tell: nothing was answered")
    most = max(counts, key=lambda count: count.prompt_tokens)
    if not most.prompt_tokens:
        return Line(USAGE, Verdict.NO, "tokens are not counted", "What its runs cost will not be known")
    return Line(USAGE, Verdict.YES, f"{most.prompt_tokens:,} tokens asked, {most.completion_tokens:,} answered")


def read_or_refused(name: str, asked: Asked, read: Callable[[Answer], Line]) -> Line:
    """What ``read`` makes of the answer; a refusal as the server words it."""
    if asked.answer is not None:
        return read(asked.answer)
    return Line(name, Verdict.NO, f"refused: {asked.what}", asked.remedy)


def rates(limits: Mapping[str, str]) -> list[str]:
    """The rate limits that a server tells."""
    return [f"{name} {value}" for name, value in sorted(limits.items())] or ["no rate limits told"]


def drawn(most: Largest) -> list[Line]:
    """The steps that ask for a picture, for a respondent that answers in words alone."""
    return [
        Line(
            f"step {step}", Verdict.NONE, "asks for a picture: a run sends a maker in", f"--respondent-at {step}=NAME"
        )
        for step in most.draws
    ]


def served(asked: Asked, wanted: str) -> Line:
    """Which model says that it answered, and its server's version."""
    call = asked.call
    if asked.answer is None or call is None or not call.served_model:
        return Line(SERVED, Verdict.UNKNOWN, "it does not say which model answers")
    version = call.reply.get("system_fingerprint") if isinstance(call.reply, dict) else None
    told = f"{call.served_model}, version {version}" if isinstance(version, str) and version else call.served_model
    return Line(SERVED, Verdict.YES, told if call.served_model == wanted else f"{told} (asked for {wanted})")
