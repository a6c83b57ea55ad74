"""The turn of a protocol that asks most of a respondent: the most pictures, then the longest conversation."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.benchmarks import registry
from core.benchmarks.base import Benchmark, ProtocolLike
from core.benchmarks.voila.question import GENERATE
from core.errors import UsageError
from core.packs import packs_of
from core.pictures import Drawer
from core.plan import no_words
from core.planning import Request as Asking
from core.planning import gold_walk, load, make_protocol
from core.records import Item, Picture, named
from core.respondents.base import Exchange, Request
from core.respondents.request_body import conversation

_DRAWN: Final = "voila"
"""The benchmark whose protocols may ask for a picture."""


@dataclass(frozen=True, slots=True)
class Largest:
    """A turn with its conversation as it stands after gold answers; its pictures are drawn and embedded.

    ``shown`` says for each picture sent how many of the item's are in it (several in a collage), ``draws`` which of
    the protocol's steps ask for a picture.
    """

    benchmark: str
    protocol: str
    request: Request
    shown: tuple[int, ...]
    draws: tuple[str, ...] = ()

    @property
    def before(self) -> int:
        """How many turns are told before it."""
        return len(conversation(self.request))


def largest(benchmark: str, protocol: str, options: Mapping[str, str]) -> Largest:
    """Of all turns that ask for words, of all items of the built-in pack. Without a benchmark the first one that
    knows the protocol counts.

    Raises UsageError for an unknown name or option.
    """
    return _largest(benchmark, protocol, options, "text")


def largest_drawn(maker: str, benchmark: str, protocol: str, options: Mapping[str, str]) -> Largest:
    """Of the turns that ask for a picture: those of VOILA's fourth step where no protocol is named.

    Raises UsageError for an unknown name or option, and where the protocol asks for words alone, which the ``maker``
    of that name cannot answer.
    """
    if not protocol and registry.parse_name(benchmark or _DRAWN)[0].name == _DRAWN:
        benchmark, options = benchmark or _DRAWN, {GENERATE: "yes", **options}
    return _largest(benchmark, protocol, options, "picture", maker)


def _largest(
    benchmark: str, protocol: str, options: Mapping[str, str], makes: Literal["text", "picture"], maker: str = ""
) -> Largest:
    name = benchmark or next((one.name for one in registry.BENCHMARKS.values() if protocol in one.protocols), "voila")
    known, subset = registry.parse_name(name)
    asking = Asking(named(known.name, subset or packs_of(known.name)[0]), protocol=protocol, options=options)
    known, subset, dataset = load(asking)
    made = make_protocol(known, subset, asking)
    if maker and not made.draws:
        raise no_words(maker, made.steps[0], made.draws)
    found = max(
        (request for item in dataset for request in _turns(known, made, item, makes)),
        key=lambda request: (len(shown_in(request)), _length(request)),
        default=None,
    )
    if found is None:
        raise UsageError("this protocol asks nothing in words of the built-in pack", where=asking.benchmark)
    drawn = replace(found, item=embedded(found.item, known.drawer))
    return Largest(asking.benchmark, made.name, drawn, shown_in(found), tuple(made.draws))


def shown_in(request: Request) -> tuple[int, ...]:
    """For each picture that the conversation and the turn show, how many of the item's are in it."""
    turns = [*(exchange.turn for exchange in conversation(request)), request.turn]
    return tuple(len(show.of) for turn in turns for show in turn.shows)


def embedded(item: Item, drawer: Drawer | None) -> Item:
    """The same item with its pictures drawn from what they depict, so that no file is needed."""
    if drawer is None:
        return item
    return replace(item, pictures=tuple(_drawn(picture, drawer) for picture in item.pictures))


def _drawn(picture: Picture, drawer: Drawer) -> Picture:
    image = drawer(picture.depicts, picture.name)
    if image is None:
        return picture
    buffer = io.BytesIO()
    image.convert("RGB").save(buffer, "PNG")
    return replace(picture, data=buffer.getvalue())


def _turns(benchmark: Benchmark, protocol: ProtocolLike, item: Item, makes: str) -> Iterator[Request]:
    history: tuple[Exchange, ...] = ()
    for step in gold_walk(benchmark, protocol, item):
        if step.turn.makes == makes:
            yield Request(item, step.turn, history)
        history = (*history, Exchange(step.turn, step.answer.text))


def _length(request: Request) -> int:
    told = sum(len(exchange.turn.text) + len(exchange.answer) for exchange in conversation(request))
    return told + len(request.turn.text)
