"""The check of a model run here, and of a baseline: what applies to them."""

from __future__ import annotations

from core.checking import lines, probes
from core.checking.asking import Asked, ask
from core.checking.largest import Largest
from core.checking.report import (
    LIMITS,
    ODDS,
    PICTURES,
    REACHABLE,
    SERVED,
    STREAMING,
    STRUCTURED,
    USAGE,
    Line,
    Verdict,
)
from core.errors import CallError, RespondentError
from core.respondents.base import Respondent
from core.respondents.transformers_local import LocalModel


async def check_local(model: LocalModel, most: Largest) -> tuple[Asked, list[Line]]:
    """The largest turn as it was answered, and all that is to be said."""
    asked = await ask(model, most.request, streamed=True)
    odds = await _odds(model)
    if asked.answer is None and odds.verdict is Verdict.NO and odds.what == asked.what:  # it says no to anything
        return asked, [Line(REACHABLE, Verdict.NO, asked.what, asked.remedy)]
    batch = model.settings.batch_size
    return asked, [
        Line(REACHABLE, Verdict.YES, "runs here"),
        lines.largest(asked, most),
        await _pictures(model, most),
        lines.streaming(asked),
        lines.usage(asked),
        odds,
        Line(STRUCTURED, Verdict.NONE, 'not here; constrain = "letters" holds lettered answers to their letters'),
        Line(LIMITS, Verdict.YES, f"max_tokens {model.settings.max_tokens:,}, batch_size {batch}"),
        lines.served(asked, model.settings.model),
    ]


async def check_baseline(respondent: Respondent, most: Largest) -> tuple[Asked, list[Line]]:
    """Only whether it answers: nothing else applies."""
    asked = await ask(respondent, most.request, streamed=True)
    rest = (PICTURES, STREAMING, USAGE, ODDS, STRUCTURED, LIMITS, SERVED)
    return asked, [
        Line(REACHABLE, Verdict.YES, "a baseline, built in"),
        lines.largest(asked, most),
        *(Line(name, Verdict.NONE, "does not apply to a baseline") for name in rest),
    ]


async def _odds(model: LocalModel) -> Line:
    try:
        found = await model.letters(probes.letters_request(), probes.LETTERS)
    except (CallError, RespondentError) as error:
        return Line(ODDS, Verdict.NO, error.what, error.remedy)
    told = ", ".join(f"{letter} {value:.3g}" for letter, value in found.items())
    return Line(ODDS, Verdict.YES, f"given for lettered options: {told}")


async def _pictures(model: LocalModel, most: Largest) -> Line:
    if not model.looks:
        return Line(PICTURES, Verdict.NONE, "set to look at none")
    request, colours = probes.pictures_request(most.shown or (1,))
    found = await ask(model, request)
    if found.answer is None:
        return Line(PICTURES, Verdict.NO, found.what, found.remedy)
    return probes.read_order(found.answer, colours)
