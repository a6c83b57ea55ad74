"""The turn of a protocol that asks most of a respondent: the most pictures, then the longest conversation."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from core.benchmarks import registry
from core.benchmarks.base import Benchmark, ProtocolLike
from core.errors import UsageError
from core.packs import packs_of
from core.pictures import Drawer
from core.planning import Request as Asking
from core.planning import gold_walk, load, make_protocol
from core.records import Item, Picture, named
from core.respondents.base import Exchange, Request
from core.respondents.request_body import conversation


@dataclass(frozen=True, slots=True)
class Largest:
    """A turn with its conversation as it stands after gold answers; its pictures are drawn and embedded.

    ``shown`` says for each picture sent how many of the item's are in it (several in a collage).
    """

    benchmark: str
    protocol: str
    request: Request
    shown: tuple[int, ...]

    @property
    def before(self) -> int:
        """How many turns are told before it."""
        return len(conversation(self.request))


def largest(benchmark: str, protocol: str, options: Mapping[str, str]) -> Largest:
    """Of all items of the built-in pack. Without a benchmark the first one that knows the protocol counts.

    Raises UsageError for an unknown name or option.
    """
    name = benchmark or next((one.name for one in registry.BENCHMARKS.values() if protocol in one.protocols), "voila")
    known, subset = registry.parse_name(name)
    asking = Asking(named(known.name, subset or packs_of(known.name)[0]), protocol=protocol, options=options)
    known, subset, dataset = load(asking)
    made = make_protocol(known, subset, asking)
    found = max(
        (request for item in dataset for request in _turns(known, made, item)),
        key=lambda request: (len(shown_in(request)), _length(request)),
        default=None,
    )
    if found is None:
        raise UsageError("this protocol asks nothing in words of the built-in pack", where=asking.benchmark)
    drawn = replace(found, item=embedded(found.item, known.drawer))
    return Largest(asking.benchmark, made.name, drawn, shown_in(found))


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


def _turns(benchmark: Benchmark, protocol: ProtocolLike, item: Item) -> Iterator[Request]:
    history: tuple[Exchange, ...] = ()
    for step in gold_walk(benchmark, protocol, item):
        if step.turn.makes == "text":
            yield Request(item, step.turn, history)
        history = (*history, Exchange(step.turn, step.answer.text))


def _length(request: Request) -> int:
    told = sum(len(exchange.turn.text) + len(exchange.answer) for exchange in conversation(request))
    return told + len(request.turn.text)
