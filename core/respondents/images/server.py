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
from typing import Any, Literal

from core.errors import CallError, PictureError, RespondentError
from core.pictures import Pictures, made
from core.prices import Load, Prices
from core.records import Answer, Call, Json, Turn
from core.respondents.base import Request
from core.respondents.endpoint import Endpoint
from core.respondents.extras import Extras
from core.respondents.images.replies import MadePicture, priced, read_made
from core.respondents.images.request_form import describe, posted, prepare
from core.respondents.openai_server import OpenAIServer, Quirks, access
from core.respondents.patience import Clock
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
        reached = ServerSettings(**{entry.name: getattr(settings, entry.name) for entry in fields(Connection)})
        how: Any = {"extras": extras, "clock": clock, "chances": chances, "purpose": purpose}
        super().__init__(name, reached, pictures, key, urls, **how)
        self._making = settings

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
        """What its calls cost, as far as that is configured: a price for each picture is all there is to know."""
        making = self._making
        if making.price_picture is not None:
            return Prices(input=making.price_in or 0.0, output=making.price_out or 0.0, picture=making.price_picture)
        return super().prices

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

    def _refuse_unbounded(self) -> None:
        making = self._making
        if making.price_picture is None or making.price_in or making.price_out or making.price_in_pictures:
            raise RespondentError(
                "under a budget a picture needs a price that is known before it is made",
                where=self.name,
                remedy="Set price_picture (USD for each) and no prices of tokens",
            )

    def _load(self, prepared: Prepared, *, weighed: bool) -> Load:
        return Load(0, 0, 1, 0)

    async def _send(self, endpoint: Endpoint, prepared: Prepared, shown: Shown | None, quirks: Quirks) -> Reply:
        path, body = await asyncio.to_thread(posted, prepared)
        return await endpoint.ask(body, None, path=path, read=read_made)

    def _as_sent(self, prepared: Prepared, shown: Shown | None) -> dict[str, Json]:
        return dict(prepared.recorded)

    async def _answered(self, prepared: Prepared, reply: Reply, call: Call) -> Answer:
        assert isinstance(reply, MadePicture)
        call = replace(call, usage=priced(reply, self._making))
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
) -> ImagesServer:
    """The respondent behind these settings. Opens no connection and imports no client yet.

    Raises RespondentError where the key's variable is not set or a base_url is none.
    """
    key, urls, extras = access(name, settings, os.environ if environment is None else environment)
    return ImagesServer(name, settings, pictures, key, urls, extras=extras, clock=clock, chances=chances)
