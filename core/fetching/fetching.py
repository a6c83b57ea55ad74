"""The whole way of a set: brought in, examined, given its card, put in its place; or found there and kept."""

from __future__ import annotations

import datetime
from dataclasses import asdict, dataclass
from pathlib import Path

from core import datasets
from core.errors import DataError, Problem, UsageError
from core.fetching import cards, examine, placing, sources
from core.fetching.cards import Card
from core.fetching.catalogue import Published, published
from core.fetching.sources import Tell, licence_in_set
from core.fetching.staging import Progress, Staged
from core.version import own_version


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user asked for. ``source`` None: the hub. ``out`` None: where runs find it by themselves."""

    benchmark: str
    source: Path | None = None
    out: Path | None = None
    revision: str = ""
    repository: str = ""
    force: bool = False


@dataclass(frozen=True, slots=True)
class Fetched:
    """A set in its place. ``kept`` says that it was there already; ``problems`` are bad rows just found in it."""

    folder: Path
    card: Card
    kept: bool
    problems: tuple[Problem, ...] = ()

    @property
    def data(self) -> Path:
        """What ``--data`` takes."""
        return self.folder / cards.DATA


def fetch(wanted: Wanted, tell: Tell, progress: Progress) -> Fetched:
    """Get a set. Raises UsageError or DataError, and then nothing is in place that was not there before."""
    name, _, subset = wanted.benchmark.partition(":")
    entry = published(name)
    asked = examine.check_subset(entry, subset)
    _check_options(wanted, entry)
    there = _there(wanted, entry, asked)
    if wanted.source is None and there is not None and not wanted.force:
        return _keep(there, wanted, tell)
    parent, label = (wanted.out.parent, wanted.out.name) if wanted.out else (datasets.root(), entry.name)
    try:
        with placing.workplace(parent, label) as made:
            return _make(made, wanted, entry, asked, there, tell, progress)
    except OSError as error:
        where = str(error.filename or parent)
        raise UsageError(f"cannot be read or written ({error.strerror or error})", where=where) from error


def _check_options(wanted: Wanted, entry: Published) -> None:
    if wanted.out is not None:
        placing.refuse_occupied(wanted.out, entry.name)
    if wanted.source is None:
        if not (wanted.repository or entry.repository):
            raise UsageError(
                f"where {entry.name} lies on the hub was not known when this version was made",
                remedy=f"Look at {entry.project}; then name it with --repository OWNER/NAME, "
                "or download it and name the file or folder with --source",
            )
        return
    if not wanted.source.exists():
        if ":/" in str(wanted.source):
            raise UsageError(
                "--source takes a file or folder, not an address",
                where=str(wanted.source),
                remedy="Download it first, or leave --source out to fetch it from the hub",
            )
        raise UsageError("there is no such file or folder", where=f"--source {wanted.source}")
    if wanted.out is not None and wanted.out.resolve().is_relative_to(wanted.source.resolve()):
        raise UsageError("--out lies within --source", where=str(wanted.out), remedy="Name another folder")


def _there(wanted: Wanted, entry: Published, asked: str) -> Path | None:
    """The set that is in place already, None where none is (or two, and none was named)."""
    if wanted.out is not None:
        return wanted.out if (wanted.out / cards.CARD).is_file() else None
    found = [(folder, card) for folder, card in datasets.sets(entry.name) if not asked or card.subset in (asked, "")]
    if len(found) > 1:
        found = [(folder, card) for folder, card in found if card.source.get("kind") == "hub"]
    return found[0][0] if len(found) == 1 else None


def _keep(folder: Path, wanted: Wanted, tell: Tell) -> Fetched:
    """The set that is there, every file of it checked. Raises where it was changed, or is another revision."""
    card = cards.read(folder)
    assert card is not None
    if wanted.revision and not card.source.get("revision", "").startswith(wanted.revision):
        revision = card.source.get("revision") or "no known one"
        what = f"there is a set already, of another revision ({revision})"
        raise UsageError(what, where=str(folder), remedy="--force replaces it")
    if wanted.repository and card.source.get("repository") != wanted.repository:
        what = f"there is a set already, from {card.source['place']}"
        raise UsageError(what, where=str(folder), remedy="--force replaces it")
    _refuse_changed(folder, card)
    tell(
        f"{card.name} is there already, fetched {card.fetched[:10]} from {card.source['place']}; every file is intact"
    )
    return Fetched(folder, card, kept=True)


def _refuse_changed(folder: Path, card: Card) -> None:
    if changed := cards.changed_files(folder, card):
        raise DataError(changed, remedy="The set is not as it was fetched. --force fetches it anew in its place")


def _make(
    made: Path, wanted: Wanted, entry: Published, asked: str, there: Path | None, tell: Tell, progress: Progress
) -> Fetched:
    data = made / cards.DATA
    data.mkdir(mode=0o700)
    staged = _stage(data, wanted, entry, there, tell, progress)
    staged.refuse_nothing()
    if staged.left_out:
        kinds = ", ".join(f"{count} {kind}" for kind, count in staged.left_out.most_common(6))
        tell(f"left out, being neither data nor pictures: {kinds}")
    found = examine.examine(data, entry, asked, progress)
    if asked and found.subset != asked:
        tell(f"asked for {entry.name}:{asked}; by its content it is {entry.name}:{found.subset}, and is kept as that")
    card = _card(entry, staged, found)
    target = wanted.out or datasets.place_for(entry.name, found.subset)
    placing.refuse_occupied(target, entry.name)
    if (target / cards.CARD).is_file() and not wanted.force:
        return _keep_same(target, card, tell)
    cards.write(made, card, staged.files)
    if not placing.place(made, target, replace=wanted.force):
        return _keep_same(target, card, tell)
    return Fetched(target, card, False, tuple(found.problems))


def _keep_same(target: Path, card: Card, tell: Tell) -> Fetched:
    """The set in place where it holds what was just brought in. Raises UsageError where it holds something else."""
    there = cards.read(target)
    if there is None or there.manifest_sha256 != card.manifest_sha256:
        what = "there is another set already" + (f", from {there.source['place']}" if there else "")
        raise UsageError(what, where=str(target), remedy="--force replaces it, --out puts this one elsewhere")
    _refuse_changed(target, there)
    tell(f"{there.name} is there already with the same files, every one intact")
    return Fetched(target, there, kept=True)


def _stage(
    data: Path, wanted: Wanted, entry: Published, there: Path | None, tell: Tell, progress: Progress
) -> Staged:
    """The source's files in ``data``."""
    repository = wanted.repository or entry.repository
    if wanted.source is not None:
        return sources.from_disk(wanted.source, data, repository, wanted.revision, tell, progress)
    revision = wanted.revision or _pinned(there, repository) or entry.revision
    return sources.from_hub(repository, data, revision, entry.seen if not wanted.repository else "", tell, progress)


def _pinned(there: Path | None, repository: str) -> str:
    """The revision that the set in place was fetched in, so that it stays the same one."""
    card = _card_or_none(there)
    return card.source.get("revision", "") if card and card.source.get("repository") == repository else ""


def _card_or_none(folder: Path | None) -> Card | None:
    try:
        return cards.read(folder) if folder is not None else None
    except DataError:
        return None


def _card(entry: Published, staged: Staged, found: examine.Found) -> Card:
    data_files = staged.data_files
    sole = staged.files[data_files[0]][0] if len(data_files) == 1 else ""
    stated = licence_in_set(staged.folder) or entry.licence
    return Card(
        benchmark=entry.name,
        subset=found.subset,
        source=asdict(staged.origin),
        fetched=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        by=f"phoropter {own_version()}",
        validated=found.validated,
        items=found.items,
        questions=found.questions,
        groups=found.groups,
        expected=found.expected or _sizes(entry, found.subset),
        differences=tuple(found.differences),
        bad_rows=len(found.problems),
        pictures_missing=found.pictures_missing,
        files=len(staged.files),
        bytes=staged.bytes,
        data_files=tuple(str(path) for path in data_files),
        data_sha256=found.data_sha256 or sole,
        manifest_sha256=cards.manifest_sha256(staged.files),
        licence=stated or "not stated",
        licence_stated=bool(stated),
        licence_note=entry.terms,
        citation=entry.citation,
    )


def _sizes(entry: Published, subset: str) -> dict[str, int]:
    size = entry.sizes.get(subset)
    if size is None:
        return {}
    return {"items": size.items} | ({"questions": size.questions} if size.questions else {})
