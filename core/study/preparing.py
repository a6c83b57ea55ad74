"""From a study's definition to what its sessions are made of: data, items in their parts, protocols, pictures."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from core.benchmarks.base import Benchmark, Dataset, ProtocolLike
from core.errors import DataError, UsageError
from core.pictures import Pictures
from core.planning import (
    DRAWN,
    PICTURES_REMEDY,
    Request,
    covers_of,
    drawer_of,
    load,
    make_protocol,
    mends,
    protocol_name,
)
from core.prompts import prompt_hashes
from core.records import Item, named
from core.scoring import Scorer, scorers_of
from core.selection import Filter, refuse_nowhere
from core.study.definition import Condition, Study
from core.study.pool import LeftOut, Pool, pictures_of

SHOWN = 10


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A study ready to be asked. ``protocols`` and ``prompt_hashes`` (of each prompt by name) go by condition."""

    study: Study
    benchmark: Benchmark
    subset: str
    data_digest: str
    pool: Pool
    pictures: Pictures = field(repr=False)
    protocols: Mapping[str, ProtocolLike]
    prompt_hashes: Mapping[str, Mapping[str, str]]
    scorers: tuple[Scorer, ...]

    @property
    def name(self) -> str:
        """``voila:ND``."""
        return named(self.benchmark.name, self.subset)


def prepare_study(
    study: Study, *, prompt_texts: Mapping[str, str] | None = None, check_pictures: bool = True
) -> Prepared:
    """Load the data and choose the items. Raises UsageError, ConfigError, or DataError with all bad rows or missing
    pictures together.

    ``prompt_texts`` are prompts as a frozen study used them. Items are left out of what is asked where they are
    practised on, catch, or serve as an example, and (unless pictures may come again) where they share a picture with
    one that does.
    """
    if study.pictures not in ("", DRAWN) and not Path(study.pictures).expanduser().is_dir():
        raise UsageError(
            "there is no such folder of pictures",
            where=f"pictures = {study.pictures}",
            remedy='Paths are from the study\'s file; "" where they lie beside the data',
        )
    requests = {name: request_of(study, way, prompt_texts) for name, way in study.ways.items()}
    loaded = {protocol_name(request): load(request, protocol_name(request)) for request in requests.values()}
    benchmark, subset, dataset = next(iter(loaded.values()))
    for _, _, each in loaded.values():
        if problems := each.problems():
            raise DataError(problems, remedy=mends(problems, "ask").partition(", or")[0])
    protocols = {name: make_protocol(benchmark, subset, request) for name, request in requests.items()}
    _refuse_drawing(protocols)
    group = study.design.stratify
    if group and group not in benchmark.groups:
        raise UsageError(
            f"{benchmark.name} has no group {group}",
            where="[design] stratify",
            remedy=f"There are: {', '.join(benchmark.groups)}",
        )
    pool = _pool(study, dataset, [covers for each in protocols.values() if (covers := covers_of(each))])
    request = next(iter(requests.values()))
    pictures = Pictures(drawer=drawer_of(benchmark, request))
    if check_pictures:
        every = [*pool.items.values(), *pool.practice, *pool.catch, *pool.examples.values()]
        found = pictures.problems(every)
        if missing := list(dict.fromkeys(problem for problems in found.values() for problem in problems)):
            raise DataError(missing, remedy=PICTURES_REMEDY.partition(", or run")[0])
    return Prepared(
        study,
        benchmark,
        subset,
        dataset.digest,
        pool,
        pictures,
        protocols,
        {name: prompt_hashes(benchmark.name, each.prompts) for name, each in protocols.items()},
        scorers_of(benchmark),
    )


def request_of(study: Study, way: Condition, prompt_texts: Mapping[str, str] | None = None) -> Request:
    """A condition in the words of a run."""
    return Request(
        study.benchmark,
        data=Path(study.data) if study.data else None,
        pictures=study.pictures,
        protocol=way.protocol,
        options=way.options,
        prompts=Path(study.prompts) if study.prompts and prompt_texts is None else None,
        prompt_texts=prompt_texts or {},
    )


def _refuse_drawing(protocols: Mapping[str, ProtocolLike]) -> None:
    for name, protocol in protocols.items():
        if protocol.draws:
            raise UsageError(
                f"step {protocol.draws[0]} asks for a picture, and people answer in words",
                where=f"[conditions.{name}]" if name else "the protocol",
                remedy="Leave that step out",
            )


# -- which items


def _pool(study: Study, dataset: Dataset, covers: Sequence[Callable[[Item], bool]]) -> Pool:
    """Reads the data twice and keeps only what is asked of anybody."""
    examples = tuple(dict.fromkeys(id_ for way in study.ways.values() for id_ in way.examples))
    fixed = (*study.practice.ids, *study.catch.ids, *examples)
    by_id, filtered = frozenset(study.items.ids), Filter(study.items.where)
    known, asked_of, shown_by = dict[str, None](), dict[str, bool](), dict[str, str]()
    pictures: dict[str, tuple[str, ...]] = {}
    values: dict[str, set[str]] = {key: set() for key in filtered.where}
    for item in dataset:
        known[item.id] = None
        for key, there in values.items():
            there.add(filtered.value(item, key))
        if item.id in fixed:
            shown_by.update(dict.fromkeys(pictures_of(item), item.id))
        elif item.id in by_id if by_id else filtered.matches(item):
            asked_of[item.id] = all(covered(item) for covered in covers)
            pictures[item.id] = pictures_of(item)
    _refuse_unknown(study, known)
    refuse_nowhere(filtered.where, values, "[items] where ")
    out = dict[str, str]()
    for id_, asked in asked_of.items():
        shared = [shown_by[picture] for picture in pictures[id_] if picture in shown_by]
        if not asked:
            out[id_] = "the protocol asks nothing of it"
        elif shared and study.design.no_picture_twice != "off":
            out[id_] = f"it shares a picture with {shared[0]}, which every session shows"
    ids = _chosen(study, [id_ for id_ in asked_of if id_ not in out], out, fixed)
    items = {item.id: item for item in dataset if item.id in ids or item.id in fixed}
    return Pool(
        {id_: items[id_] for id_ in asked_of if id_ in ids},
        tuple(items[id_] for id_ in study.practice.ids),
        tuple(items[id_] for id_ in study.catch.ids),
        {id_: items[id_] for id_ in examples},
        tuple(LeftOut(id_, why) for id_, why in out.items()),
    )


def _refuse_unknown(study: Study, known: Collection[str]) -> None:
    """Raises UsageError for ids that the data does not hold, all together."""
    said: dict[str, tuple[str, ...]] = {"[items] ids": study.items.ids, "[practice] ids": study.practice.ids}
    said["[catch] ids"] = study.catch.ids
    for name, way in study.ways.items():
        said[f"[conditions.{name}] examples"] = way.examples
    missing = [(where, id_) for where, ids in said.items() for id_ in ids if id_ not in known]
    if not missing:
        return
    where, first = missing[0]
    near = get_close_matches(first, known, n=1)
    more = f" ({len(missing)} ids are like that: {_few([id_ for _, id_ in missing])})" if len(missing) > 1 else ""
    raise UsageError(
        f"there is no item {first}{more}",
        where=where,
        remedy=f"Did you mean {near[0]}?" if near else "`phoropter items BENCHMARK` lists them",
    )


def _chosen(study: Study, usable: Sequence[str], out: Mapping[str, str], fixed: Collection[str]) -> frozenset[str]:
    """Those asked about: the ids named, or all that the filter leaves, or a sample of them drawn with the seed."""
    asked = study.items
    if asked.ids:
        twice = [id_ for id_ in asked.ids if id_ in fixed]
        if twice or out:
            why = "practised on, catching or an example" if twice else next(iter(out.values()))
            raise UsageError(
                f"{_few(twice or list(out))} cannot be asked about: {why}",
                where="[items] ids",
                remedy="Leave them out here, or there",
            )
        return frozenset(asked.ids)
    if len(usable) < max(asked.sample, 1):
        left_out = f", {len(out)} more cannot be asked about ({next(iter(out.values()))})" if out else ""
        raise UsageError(
            f"the filter leaves {len(usable)} items{left_out}",
            where="[items]",
            remedy=f"Ask for a sample of at most {len(usable)}, or let in more" if usable else "Let in more",
        )
    if not asked.sample:
        return frozenset(usable)
    return frozenset(random.Random(f"study/{study.seed}").sample(usable, asked.sample))


def _few(ids: Sequence[str]) -> str:
    return ", ".join(ids[:SHOWN]) + (" ..." if len(ids) > SHOWN else "")
