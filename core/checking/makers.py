"""The check of a maker of pictures, behind a server or run here: the picture that a protocol asks for is made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from core.checking import lines
from core.checking.asking import Asked, ask
from core.checking.largest import Largest
from core.checking.report import (
    LARGEST,
    LIMITS,
    ODDS,
    PICTURES,
    REACHABLE,
    STREAMING,
    STRUCTURED,
    USAGE,
    Line,
    Verdict,
)
from core.records import Status
from core.respondents.diffusers_local import DiffusersModel, make_diffusers
from core.respondents.images.server import ImagesServer
from core.respondents.local.weights import folder_of
from core.respondents.settings import DiffusersSettings

_INDEX: Final = "model_index.json"
_WORDS_ALONE: Final = "it makes pictures and answers nothing in words"


async def check_images(server: ImagesServer, most: Largest) -> tuple[Asked, list[Line]]:
    """The picture as it was made, and all that is to be said. Closes ``server``."""
    edits = server.making.mode == "edit"
    try:
        asked = await ask(server, most.request)
        limits = dict(server.limits)
    finally:
        await server.close()
    if not asked.reached and asked.call is not None:
        return asked, [lines.reachable(asked)]
    count = len(most.shown)
    how = f"an edit of {count} picture{'' if count == 1 else 's'}" if edits else "from its words alone"
    reached = lines.reachable(asked) if asked.call is not None else Line(REACHABLE, Verdict.UNKNOWN, "not asked")
    return asked, [
        reached,
        _made(asked, most, how, count if edits else 0),
        _sent(asked, count) if edits else Line(PICTURES, Verdict.NONE, 'none are sent (mode = "generate")'),
        Line(STREAMING, Verdict.NONE, "a picture comes whole"),
        _usage(asked, priced=server.making.price_picture is not None),
        *_wordless(),
        Line(LIMITS, Verdict.YES if limits else Verdict.UNKNOWN, ", ".join(lines.rates(limits))),
        lines.served(asked, server.making.model),
    ]


async def check_pipeline(model: DiffusersModel, most: Largest) -> tuple[Asked, list[Line]]:
    """The picture as a pipeline on this machine made it. One that is not here is not fetched, and not asked."""
    settings = model.settings
    folder = folder_of(settings.model) or _in_cache(settings)
    if folder is None:
        what = "its weights are not on this machine, and a check downloads nothing: the first run does"
        return Asked(), [Line(REACHABLE, Verdict.UNKNOWN, what, "Name a folder, or download them first")]
    here = make_diffusers(model.name, replace(settings, model=str(folder)), purpose="check")
    try:
        asked = await ask(here, most.request)
    finally:
        await here.close()
    if asked.answer is None and asked.call is None:
        return asked, [Line(REACHABLE, Verdict.NO, asked.what, asked.remedy)]
    return asked, [
        Line(REACHABLE, Verdict.YES, "runs here"),
        _made(asked, most, "from its words alone", 0),
        Line(PICTURES, Verdict.NONE, "a pipeline is shown none"),
        Line(STREAMING, Verdict.NONE, "a picture comes whole"),
        lines.usage(asked),
        *_wordless(),
        Line(LIMITS, Verdict.YES, f"batch_size {settings.batch_size}"),
        lines.served(asked, settings.model),
    ]


def _made(asked: Asked, most: Largest, how: str, pictures: int) -> Line:
    turn = f"{most.request.turn.step} of {most.benchmark} {most.protocol} ({how})"
    if asked.answer is None:
        return Line(LARGEST, Verdict.NO, f"{turn}: {asked.what}", lines.mends(asked, pictures))
    made = asked.answer.picture
    if made is None:
        why = "refused" if asked.answer.status is Status.REFUSAL else "no picture came back"
        return Line(LARGEST, Verdict.NO, f"{turn}: {why}")
    return Line(LARGEST, Verdict.YES, f"{turn}: a picture of {made.size[0]}x{made.size[1]}, {made.mime}")


def _sent(asked: Asked, count: int) -> Line:
    if asked.answer is None:
        return Line(PICTURES, Verdict.UNKNOWN, f"could not tell: the edit of {count} failed")
    return Line(PICTURES, Verdict.YES, f"{len(asked.answer.sent)} sent with the words and taken")


def _usage(asked: Asked, *, priced: bool) -> Line:
    line = lines.usage(asked)
    if priced and line.verdict is Verdict.NO:
        return Line(USAGE, Verdict.NONE, "tokens are not counted; price_picture says what a picture costs")
    return line


def _wordless() -> list[Line]:
    return [Line(name, Verdict.NONE, _WORDS_ALONE) for name in (ODDS, STRUCTURED)]


def _in_cache(settings: DiffusersSettings) -> Path | None:
    """The folder of a hub's pipeline that was downloaded before."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(settings.model, _INDEX, revision=settings.revision or None)
    except HFValidationError:
        return None
    return Path(found).parent if isinstance(found, str) else None
