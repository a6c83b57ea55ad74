"""A source's files in a set's folder, whatever the source is: the hub, a folder, a ZIP, one file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from core.errors import DataError, UsageError
from core.fetching import archives, cards, folders, hub
from core.fetching.kinds import DATA, is_data, unusable_name
from core.fetching.staging import Origin, Progress, Staged, shown

Tell: TypeAlias = Callable[[str], None]
"""One message for a person."""


def from_disk(source: Path, data: Path, repository: str, revision: str, tell: Tell, progress: Progress) -> Staged:
    """A folder, a ZIP or one file in ``data``. ``repository`` is the one that the set is known to come from.

    A folder may be a set that was fetched elsewhere: it is checked, and what its card says of its origin stays.
    """
    if source.is_dir():
        located = _fetched_elsewhere(source, revision) or folders.locate(source, repository, revision)
        staged = Staged(data, located.origin)
        if located.origin.repository and located.origin.repository != repository:
            tell(f"note: this is a download of {located.origin.repository}")
        folders.copy(located, staged, progress)
        return staged
    if revision:
        raise UsageError("a file has no revisions", where=f"--revision {revision}", remedy="Leave it out")
    if not source.is_file():
        raise UsageError("is neither a file nor a folder", where=f"--source {source}")
    with source.open("rb") as stream:
        if stream.read(2) == b"PK" or source.suffix.lower() == ".zip":
            staged = Staged(data, Origin("zip", shown(source)))
            archives.unpack(source, staged, progress)
            return staged
        name = PurePosixPath(source.name)
        if not is_data(name):
            what = f"is no file that data comes in: a ZIP, or one of {', '.join(DATA)}"
            raise UsageError(what, where=str(source), remedy="Unpack another kind of archive and name the folder")
        if what := unusable_name(source.name):
            raise UsageError(f"its name {what}", where=shown(source), remedy="Give it another name")
        staged = Staged(data, Origin("file", shown(source)))
        stream.seek(0)
        staged.take(stream, name)
    tell("the file alone is taken; to have pictures that lie beside it too, name the folder")
    return staged


def _fetched_elsewhere(folder: Path, revision: str) -> folders.Located | None:
    """The files of a set with its card, None for any other folder. Raises DataError where it was changed."""
    card = cards.read(folder)
    if card is None:
        return None
    if changed := cards.changed_files(folder, card):
        raise DataError(changed, remedy="The set is not as it was fetched there; copy it again")
    if revision and not card.source.get("revision", "").startswith(revision):
        what = f"the set is of the revision {card.source.get('revision') or 'that nobody noted'}"
        raise UsageError(what, where=f"--revision {revision}")
    data = folder / cards.DATA
    return folders.Located(data, data.resolve(), Origin(**card.source))


def from_hub(repository: str, data: Path, revision: str, seen: str, tell: Tell, progress: Progress) -> Staged:
    """The repository's snapshot in ``data``; ``revision`` "" is the newest, and is said.

    ``seen`` is the short commit that the newest is set against.
    """
    tell(f"fetching {repository}, {f'revision {revision}' if revision else 'the newest revision'}")
    found = hub.snapshot(repository, revision)
    if not revision:
        tell(f"the newest revision is {found.name}; the card keeps it, --revision gets the same again elsewhere")
        if seen and not found.name.startswith(seen):
            tell(f"  (when this version was made, its data had last changed in {seen})")
    origin = Origin("hub", repository, repository, found.name)
    staged = Staged(data, origin)
    folders.copy(folders.Located(found, found.parents[1].resolve(), origin), staged, progress)
    tell(f"copied from the hub library's cache, where the download stays: {found}")
    return staged


def licence_in_set(data: Path) -> str:
    """The licence that the set's own README states in its head, "" where it states none."""
    for file in sorted(data.glob("[Rr][Ee][Aa][Dd][Mm][Ee]*")):
        try:
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()[:200]
        except OSError:
            continue
        if not lines or lines[0].strip() != "---":
            continue
        for line in lines[1:]:
            if line.strip() == "---":
                break
            key, colon, value = line.partition(":")
            if colon and key.strip() == "license" and value.strip():
                return value.strip().strip("\"'")[:80]
    return ""
