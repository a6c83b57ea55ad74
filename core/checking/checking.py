"""Asks a respondent what its kind can be asked, and says what came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.checking import lines
from core.checking.here import check_baseline, check_local
from core.checking.largest import largest, largest_drawn
from core.checking.makers import check_images, check_pipeline
from core.checking.report import Report
from core.checking.server import ServerCheck, hasty
from core.config import Config
from core.pictures import Pictures
from core.records import EMPTY
from core.respondents import registry
from core.respondents.base import OnLoading, PictureMaker
from core.respondents.diffusers_local import DiffusersModel
from core.respondents.images.server import ImagesServer, make_images_server
from core.respondents.openai_server import OpenAIServer, make_server
from core.respondents.patience import Clock
from core.respondents.settings import ServerSettings
from core.respondents.transformers_local import LocalModel


async def check(
    name: str,
    config: Config,
    *,
    benchmark: str = "",
    protocol: str = "",
    options: Mapping[str, str] = EMPTY,
    environment: Mapping[str, str] | None = None,
    clock: Clock | None = None,
    on_loading: OnLoading | None = None,
) -> Report:
    """Ask the respondent of that name the largest turn of the protocol, and what else tells of its kind.

    Without ``benchmark`` it is the first one that knows the protocol, VOILA where none is named either. A maker of
    pictures is asked for the picture of VOILA's fourth step, or of the protocol's own. Raises UsageError where the
    protocol asks a maker for words alone, UsageError and ConfigError for names that are none, RespondentError where
    it cannot even be made (a key that is not set); what fails after that is told in the report. ``on_loading`` hears
    how far the model is that is loaded first.
    """
    respondent = registry.make(name, config, Pictures(), environment=environment, purpose="check")
    draws = isinstance(respondent, PictureMaker)
    try:
        most = largest_drawn(name, benchmark, protocol, options) if draws else largest(benchmark, protocol, options)
        most = replace(most, request=replace(most.request, on_loading=on_loading))
        if isinstance(respondent, ImagesServer):
            images = hasty(respondent.making)
            maker = make_images_server(
                name, images, Pictures(), environment=environment, clock=clock, purpose="check"
            )
            asked, found = await check_images(maker, most)
        elif isinstance(respondent, DiffusersModel):
            asked, found = await check_pipeline(respondent, most)
        elif isinstance(respondent, OpenAIServer):

            def again(settings: ServerSettings) -> OpenAIServer:
                return make_server(name, settings, Pictures(), environment=environment, clock=clock, purpose="check")

            asked, found = await ServerCheck(again, respondent.settings, most).run()
        elif isinstance(respondent, LocalModel):
            asked, found = await check_local(respondent, most)
        else:
            asked, found = await check_baseline(respondent, most)
        if not respondent.draws:
            found += lines.drawn(most)
    finally:
        await respondent.close()
    text = asked.answer.text if asked.answer is not None else ""
    where = (most.benchmark, most.protocol, most.request.item.id, most.request.turn.step)
    return Report(name, respondent.kind, *where, tuple(found), text, draws)
