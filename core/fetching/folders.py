"""A folder into a set's folder: a plain one, or a download in the hub's layout with its links into blobs."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from core.errors import DataError, Problem, UsageError
from core.fetching.kinds import belongs, lifted, unusable_name
from core.fetching.staging import Origin, Progress, Staged, shown

_PREFIX: Final = "datasets--"


@dataclass(frozen=True, slots=True)
class Located:
    """The folder with the files, the folder that no link may lead out of, and what is known of the two."""

    folder: Path
    root: Path
    origin: Origin


def locate(folder: Path, repository: str, revision: str) -> Located:
    """The files behind a folder: the snapshot in the hub's layout (its cache, or one repository of it), else itself.

    Raises UsageError where the layout has no such snapshot, or several and no way to tell.
    """
    if repository and (inner := folder / (_PREFIX + repository.replace("/", "--"))).is_dir():
        folder = inner
    if (folder / "snapshots").is_dir():
        found = _snapshot(folder, revision)
        origin = Origin("snapshot", shown(folder), _repository(folder.name), found.name)
        return Located(found, folder.resolve(), origin)
    if folder.absolute().parent.name == "snapshots" and (folder.absolute().parents[1] / "blobs").is_dir():
        home = folder.absolute().parents[1]
        if revision and not folder.absolute().name.startswith(revision):
            raise UsageError(f"this is the revision {folder.absolute().name}", where=f"--revision {revision}")
        origin = Origin("snapshot", shown(folder), _repository(home.name), folder.absolute().name)
        return Located(folder, home.resolve(), origin)
    if revision:
        raise UsageError(
            "only a download in the hub's layout has revisions", where=f"--revision {revision}", remedy="Leave it out"
        )
    return Located(folder, folder.resolve(), Origin("folder", shown(folder)))


def _repository(name: str) -> str:
    return name.removeprefix(_PREFIX).replace("--", "/") if name.startswith(_PREFIX) else ""


def _snapshot(home: Path, revision: str) -> Path:
    """The snapshot of that revision, a branch of that name, main's, or the only one."""
    there = sorted(path for path in (home / "snapshots").iterdir() if path.is_dir())
    names = ", ".join(path.name for path in there) or "none"
    asked = revision or "main"
    if revision and (found := [path for path in there if path.name.startswith(revision)]):
        if len(found) == 1:
            return found[0]
        raise UsageError(
            "several revisions begin like that", where=f"--revision {revision}", remedy=f"There: {names}"
        )
    if not unusable_name(asked) and (reference := home / "refs" / asked).is_file():
        commit = reference.read_text(encoding="utf-8", errors="replace").strip()
        for path in there:
            if path.name == commit:
                return path
        what = f"the revision {commit} that {asked} stands for is not in the folder"
        raise UsageError(what, where=str(home), remedy=f"There: {names}. Name one with --revision")
    if revision:
        raise UsageError(
            "there is no such revision in the folder", where=f"--revision {revision}", remedy=f"There: {names}"
        )
    if len(there) == 1:
        return there[0]
    what = "the folder holds several revisions" if there else "the folder holds no revision"
    raise UsageError(what, where=str(home), remedy=f"There: {names}. Name one with --revision" if there else "")


def copy(located: Located, staged: Staged, progress: Progress) -> None:
    """Bring the folder's files into ``staged``. Links are followed where they stay inside ``located.root``.

    Raises DataError for those that do not, and for what is no file at all, all of them together.
    """
    problems: list[Problem] = []
    wanted: list[PurePosixPath] = []
    for path in _walk(located.folder, problems):
        if not belongs(path):
            staged.leave_out(path)
            continue
        what = unusable_name(str(path)) or _not_takable(located.folder / path, located.root)
        if what:
            problems.append(Problem(str(located.folder / path), 0, "", what))
        else:
            wanted.append(path)
    if problems:
        raise DataError(problems, remedy="Nothing was taken over. Put the files themselves into the folder")
    needed = sum((located.folder / path).stat().st_size for path in wanted)
    free = shutil.disk_usage(staged.folder).free
    if needed > free:
        raise UsageError(
            f"{needed:,} bytes are to be copied, {free:,} are free", remedy="Make room, or name another --out"
        )
    targets = lifted(wanted)
    for number, path in enumerate(wanted, 1):
        with (located.folder / path).open("rb") as stream:
            staged.take(stream, targets[path])
        progress("copied", number, len(wanted))


def _walk(folder: Path, problems: list[Problem]) -> Iterator[PurePosixPath]:
    """All files in order, hidden folders left out; a link to a folder is a problem, since it may lead in a circle."""

    def failed(error: OSError) -> None:
        problems.append(Problem(str(error.filename), 0, "", f"cannot be read ({error.strerror})"))

    for at, folders, files in os.walk(folder, onerror=failed):
        here = Path(at)
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__MACOSX")))
        for name in [name for name in folders if (here / name).is_symlink()]:
            problems.append(Problem(str(here / name), 0, "", "is a link to a folder"))
            folders.remove(name)
        for name in sorted(files):
            yield PurePosixPath((here / name).relative_to(folder).as_posix())


def _not_takable(file: Path, root: Path) -> str:
    try:
        real = file.resolve(strict=True)
        if not real.is_relative_to(root):
            return f"is a link that leads out of the folder, to {real}"
        if not stat.S_ISREG(real.stat().st_mode):
            return "is no regular file"
    except (OSError, RuntimeError) as error:
        return f"is a link to nothing, or cannot be read ({getattr(error, 'strerror', None) or error})"
    return ""
