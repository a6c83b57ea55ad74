"""A ZIP into a set's folder. What is in it is looked at whole before anything is written."""

from __future__ import annotations

import errno
import lzma
import shutil
import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from core.errors import DataError, Problem, UsageError
from core.fetching.kinds import belongs, lifted, unusable_name
from core.fetching.staging import Progress, Staged

_UTF8: Final = 0x800
_ENCRYPTED: Final = 0x1


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive may hold. An entry of ``small`` bytes or less may be packed as tightly as it likes."""

    entries: int = 500_000
    total: int = 64 << 30
    ratio: int = 200
    small: int = 1 << 20


LIMITS: Final = Limits()


def unpack(archive: Path, staged: Staged, progress: Progress, limits: Limits = LIMITS) -> None:
    """Bring the files of a ZIP into ``staged``; the one folder that all of them lie in is left away.

    Raises DataError, with everything found together, for names that lead out, links and other special entries, and
    contents out of proportion; UsageError where a password is needed or the disk is too small.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            if not all(entry.filename for entry in opened.infolist()):
                raise _torn(archive, "a file in it has no name")
            entries = [entry for entry in opened.infolist() if not entry.is_dir()]
            names = {entry: _name(entry) for entry in entries}
            _check(archive, opened.infolist(), names, limits)
            wanted = []
            for entry in entries:
                path = PurePosixPath(names[entry])
                if belongs(path):
                    wanted.append(entry)
                else:
                    staged.leave_out(path)
            _check_disk(staged.folder, sum(entry.file_size for entry in wanted))
            targets = lifted([PurePosixPath(names[entry]) for entry in wanted])
            for number, entry in enumerate(wanted, 1):
                with opened.open(entry) as stream:
                    staged.take(stream, targets[PurePosixPath(names[entry])], entry.file_size)  # type: ignore[arg-type]
                progress("unpacked", number, len(wanted))
    except zipfile.BadZipFile as error:
        raise _torn(archive, str(error)) from error
    except (zlib.error, lzma.LZMAError, EOFError, UnicodeError) as error:
        raise _torn(archive, str(error) or "it ends too early") from error
    except OSError as error:
        if error.errno not in (None, errno.EINVAL):  # the disk's; bzip2 says none, a place before the file the other
            raise
        raise _torn(archive, error.strerror or str(error)) from error
    except NotImplementedError as error:
        raise _torn(archive, f"packed in a way that cannot be read here: {error}") from error
    except RuntimeError as error:
        raise _locked(archive) from error


def _torn(archive: Path, why: str) -> DataError:
    what = f"the archive is torn, or no ZIP ({why})"
    return DataError([Problem(str(archive), 0, "", what)], remedy="Download it again")


def _locked(archive: Path) -> UsageError:
    return UsageError(
        "the archive needs a password", where=str(archive), remedy="Unpack it yourself and name the folder"
    )


def _name(entry: zipfile.ZipInfo) -> str:
    """The entry's name; one that is UTF-8 without saying so (older archivers) is read as such."""
    name = entry.orig_filename
    if entry.flag_bits & _UTF8 or name.isascii():
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _check(archive: Path, entries: list[zipfile.ZipInfo], names: dict[zipfile.ZipInfo, str], limits: Limits) -> None:
    """Everything that speaks against unpacking, from the archive's own table of contents."""
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        raise _locked(archive)
    size = archive.stat().st_size
    problems = []
    if len(entries) > limits.entries:
        problems.append(Problem(str(archive), 0, "", f"holds {len(entries):,} entries, over {limits.entries:,}"))
    total = sum(entry.file_size for entry in entries)
    if total > limits.total:
        problems.append(Problem(str(archive), 0, "", f"would unpack to {total:,} bytes, over {limits.total:,}"))
    if sum(entry.compress_size for entry in entries) > size:
        problems.append(Problem(str(archive), 0, "", "its entries overlap: they claim more than the archive holds"))
    seen: set[PurePosixPath] = set()
    folders = {folder for name in names.values() for folder in PurePosixPath(name).parents}
    for entry in entries:
        name = names.get(entry, entry.orig_filename)
        shown = f"{archive.name}: {name!r}"
        what = unusable_name(name)
        mode = entry.external_attr >> 16
        if what:
            problems.append(Problem(shown, 0, "", what))
        elif stat.S_ISLNK(mode):
            problems.append(Problem(shown, 0, "", "is a link; links in an archive are not followed"))
        elif stat.S_IFMT(mode) and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            problems.append(Problem(shown, 0, "", "is neither a file nor a folder"))
        elif entry.file_size > limits.small and entry.file_size > limits.ratio * max(entry.compress_size, 1):
            problems.append(Problem(shown, 0, "", f"unpacks to over {limits.ratio} times its size"))
        elif PurePosixPath(name) in seen:
            problems.append(Problem(shown, 0, "", "is in the archive more than once"))
        elif not entry.is_dir() and PurePosixPath(name) in folders:
            problems.append(Problem(shown, 0, "", "is a file, and a folder of others"))
        seen.add(PurePosixPath(name))
    if problems:
        raise DataError(problems, remedy="Nothing was unpacked. If you trust it, unpack it yourself, name the folder")


def _check_disk(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise UsageError(
            f"{needed:,} bytes are to be unpacked, {free:,} are free",
            where=str(folder.parent),
            remedy="Make room, or name another place with --out",
        )
