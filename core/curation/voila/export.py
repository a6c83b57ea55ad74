"""VOILA questions with pictures that were made and kept: the published form, the pictures, and the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path

from core.benchmarks.base import LoadOptions
from core.benchmarks.voila.contents import file_name
from core.benchmarks.voila.load import PICTURE_FOLDER, load
from core.benchmarks.voila.make import write_table
from core.benchmarks.voila.sample import Planned, plan
from core.benchmarks.voila.vocabulary import Content
from core.curation import cards
from core.curation.cards import Making
from core.errors import DataError, UsageError
from core.new_folder import new_folder
from core.pictures import load_rgb
from core.records import Json, SentPicture

PNG = "image/png"


def needed(subset: str, count: int, seed: int) -> list[Content]:
    """The contents that so many questions show, in the order of their first use. Raises UsageError."""
    shown = (content for question, _ in plan(subset, count, seed) for content in question.contents)
    return list(dict.fromkeys(shown))


def write(
    out: Path,
    subset: str,
    count: int,
    kept: Mapping[Content, Sequence[SentPicture]],
    making: Making,
    counts: Mapping[str, int],
    **more: Json,
) -> Path:
    """The set as a new folder; returns its data file. The pictures of a content are used in turn.

    Raises UsageError where a content that is needed has none, DataError, PictureError.
    """
    lacking = [content for content in needed(subset, count, making.seed) if not kept.get(content)]
    if lacking:
        raise UsageError(
            f"no picture was kept of {len(lacking)} contents, such as {lacking[0].text()}",
            where=str(out),
            remedy="Make more of each with --made N, or fewer questions with --count N",
        )
    with new_folder(out) as folder:
        file = folder / f"VOILA_{subset}.csv"
        used, rules = write_table(file, _in_turn(plan(subset, count, making.seed), kept))
        (folder / PICTURE_FOLDER).mkdir()
        for content, variant in used:
            (folder / PICTURE_FOLDER / file_name(content, variant)).write_bytes(_png(kept[content][variant]))
        problems = load(file, subset, LoadOptions()).problems()
        if problems:
            raise DataError(problems, remedy="Nothing was written")
        of_each = Counter(len(found) for found in kept.values())
        found = {
            "questions": count,
            "pictures": len(used),
            "contents": len(kept),
            **{f"contents with {number} kept": times for number, times in sorted(of_each.items())},
            **counts,
        }
        named = {str(rule): rules[rule] for rule in sorted(rules)}
        cards.save(making.card("voila", found, file, subset=subset, rules=named, **more), folder)
    return out / file.name


def _in_turn(planned: Iterator[Planned], kept: Mapping[Content, Sequence[SentPicture]]) -> Iterator[Planned]:
    """The questions with each content's own pictures, the next one at each use."""
    uses: Counter[Content] = Counter()
    for question, _ in planned:
        variants = []
        for content in question.contents:
            variants.append(uses[content] % len(kept[content]))
            uses[content] += 1
        yield question, (variants[0], variants[1], variants[2])


def _png(picture: SentPicture) -> bytes:
    """The picture's bytes, as PNG: the published names end so."""
    if picture.mime == PNG:
        return picture.data
    out = BytesIO()
    load_rgb(picture.data, name=picture.name).save(out, format="PNG")
    return out.getvalue()
