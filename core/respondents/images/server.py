"""A maker of pictures behind a server that speaks the OpenAI images API.

It is reached, paced, retried and kept from telling its key as any other server is; only what is sent and what comes
back is another.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Literal

from core.errors import CallError, PictureError, RespondentError
from core.pictures import Pictures, made
from core.prices import Load, Prices
from core.records import Answer, Call, Json, Turn
from core.respondents.access import access
from core.respondents.base import Request
from core.respondents.budget import Budget
from core.respondents.endpoint import Endpoint
from core.respondents.extras import Extras
from core.respondents.images.replies import MadePicture, priced, read_made
from core.respondents.images.request_form import describe, posted, prepare
from core.respondents.openai_server import OpenAIServer
from core.respondents.patience import Clock
from core.respondents.quirks import Quirks
from core.respondents.replies import Reply
from core.respondents.request_body import Prepared
from core.respondents.secret import Secret
from core.respondents.settings import Connection, ImagesSettings, ServerSettings
from core.respondents.streaming import Shown


class ImagesServer(OpenAIServer):
    """Answers turns that ask for a picture, and no others. Make one with ``make_images_server``."""

    draws_alone: Literal[True] = True

    def __init__(
        self,
        name: str,
        settings: ImagesSettings,
        pictures: Pictures,
        key: Secret,
        urls: tuple[str, ...],
        *,
        extras: Extras | None = None,
        clock: Clock | None = None,
        chances: random.Random | None = None,
        purpose: str = "answer",
    ) -> None:
        reached = {entry.name: getattr(settings, entry.name) for entry in fields(Connection)}
        super().__init__(
            name,
            ServerSettings(**reached),
            pictures,
            key,
            urls,
            extras=extras,
            clock=clock,
            chances=chances,
            purpose=purpose,
        )
        self._making = settings

    @property
    def making(self) -> ImagesSettings:
        """All that is set, ``settings`` being how it is reached."""
        return self._making

    @property
    def looks(self) -> bool:
        return self._making.mode == "edit"

    @property
    def draws(self) -> bool:
        return True

    @property
    def identity(self) -> Mapping[str, Json]:
        """The model and all that is sent with each request; where its replicas stand is left out."""
        return MappingProxyType(describe(self._making))

    @property
    def prices(self) -> Prices:
        """Known where a picture has a price of its own."""
        return Prices(input=0.0, output=0.0) if self._making.price_picture is not None else Prices()

    def charge(self, budget: Budget | None) -> None:
        """Raises RespondentError where tokens are priced: nobody knows how many a picture can come to."""
        making = self._making
        if making.price_in or making.price_out or making.price_in_pictures:
            raise RespondentError(
                "the tokens of a picture have no bound, so that no budget can hold them",
                where=self.name,
                remedy="Set price_picture to the most that one costs, and no price of tokens; or leave out --budget",
            )
        self._budget = budget

    def most(self, load: Load) -> float:
        """USD of the pictures asked for."""
        return (self._making.price_picture or 0.0) * max(1, load.output)

    def cost(self, reply: Reply, load: Load) -> float | None:
        """USD of the picture, as far as prices are set."""
        assert isinstance(reply, MadePicture)
        return priced(reply, self._making).cost

    @property
    def address(self) -> None:
        return None

    async def prepare(self, request: Request) -> Prepared:
        """The request as ``answer`` sends it. Raises PictureError."""
        return self._addressed(await asyncio.to_thread(prepare, request, self._making, self._pictures))

    # -- parts

    def _refuse(self, turn: Turn) -> None:
        if turn.makes != "picture":
            raise RespondentError(f"{self.name} makes pictures and nothing else", where=turn.step)

    def _load(self, prepared: Prepared, *, weighed: bool) -> Load:
        several = prepared.recorded.get("n")
        return Load(0, several if isinstance(several, int) else 1, 0, 0)

    async def _send(self, endpoint: Endpoint, prepared: Prepared, shown: Shown | None, quirks: Quirks) -> Reply:
        path, body = await asyncio.to_thread(posted, prepared)
        return await endpoint.ask(body, None, path=path, read=read_made)

    def _as_sent(self, prepared: Prepared, shown: Shown | None) -> dict[str, Json]:
        return dict(prepared.recorded)

    async def _answered(self, prepared: Prepared, reply: Reply, call: Call) -> Answer:
        assert isinstance(reply, MadePicture)
        if reply.data is None:
            return Answer("", reply.status, sent=prepared.sent, call=call)
        try:
            picture = await asyncio.to_thread(made, reply.data, f"made by {self.name}")
        except PictureError as error:
            what = f"what the server made cannot be used: {error.what}"
            raise CallError(what, where=self.name, call=replace(call, error=what)) from None
        return Answer("", reply.status, picture=picture, sent=prepared.sent, call=call)


def make_images_server(
    name: str,
    settings: ImagesSettings,
    pictures: Pictures,
    *,
    environment: Mapping[str, str] | None = None,
    clock: Clock | None = None,
    chances: random.Random | None = None,
    purpose: str = "answer",
) -> ImagesServer:
    """The respondent behind these settings. Opens no connection and imports no client yet.

    Raises RespondentError where the key's variable is not set or a base_url is none.
    """
    key, urls, extras = access(name, settings, os.environ if environment is None else environment)
    return ImagesServer(
        name, settings, pictures, key, urls, extras=extras, clock=clock, chances=chances, purpose=purpose
    )
