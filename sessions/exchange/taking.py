"""JSON lines back into a store: read into a store of their own, line by line, then merged in one transaction."""

# ruff: noqa: S608  (only identifiers from the schema are put into SQL; values are parameters)

from __future__ import annotations

import hashlib
import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from core.benchmarks import registry
from core.errors import PhoropterError, UsageError
from core.records import Json, digest
from sessions import contents, encoding, links, migrations, orphans
from sessions.exchange.carrying import Carried
from sessions.exchange.lines import END, FORMAT, VERSION, Lines, UnfitError
from sessions.exchange.merging import carry_all
from sessions.exchange.tables import tables_of
from sessions.identity import RunConfig, check_name
from sessions.store import Store, connect

LONGEST: Final = 512 * 1024 * 1024
"""Bytes of a line: a picture of 384 MB in base64."""
_AT_ONCE: Final = 20_000


class Taken(NamedTuple):
    """What was read of a file: a store of its own, and how many pictures came without their bytes."""

    db: sqlite3.Connection
    without: int

    def into(self, store: Store) -> Carried:
        """Everything in it that the store lacks: all of it, or nothing. A second time adds nothing; into an empty
        store every row keeps its number."""
        self.db.execute("BEGIN")
        carried = store.write(lambda ours: carry_all(self.db, ours))
        if self.without:
            carried.notices.append(
                f"the file leaves out the bytes of {self.without} pictures; they are known by their hash"
            )
        return carried


@contextmanager
def read_lines(path: Path) -> Iterator[Taken]:
    """A file of ``phoropter export jsonl``, for as long; no store needs to be there by then. Raises UsageError that
    names the line where the file is torn, foreign, newer than this program, or says what no store can hold."""
    with tempfile.TemporaryDirectory(prefix="phoropter-") as folder:
        copy = Path(folder) / "import.db"
        copy.touch(0o600)
        db = connect(copy)
        try:
            db.execute("PRAGMA journal_mode = OFF")
            db.execute("PRAGMA synchronous = OFF")
            migrations.apply(db)
            yield Taken(db, _Reader(path, db).read())
        finally:
            db.close()


class _Reader:
    """Puts the lines of a file into an empty store."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self._path = path
        self._db = db
        self._tables = tables_of(db)
        self._lines = {name: Lines(table) for name, table in self._tables.items()}
        self._inserts: dict[tuple[str, ...], str] = {}
        self._number = 0
        self._last = ""
        self._ended = False
        self._without = 0

    def read(self) -> int:
        """Read it all; how many pictures came without their bytes."""
        try:
            with open_regular(self._path) as stream:
                for number, raw in enumerate(_raw_lines(stream), 1):
                    self._number = number
                    self._line(raw)
        except OSError as error:
            raise UsageError(f"the file cannot be read ({error.strerror or error})", where=str(self._path)) from None
        if not self._number:
            raise UsageError("the file is empty", where=str(self._path), remedy=_REMEDY)
        if not self._ended:
            self._refuse("the file ends here: it is torn", "Export it again")
        if self._db.in_transaction:
            self._db.execute("COMMIT")
        self._check()
        return self._without

    def _line(self, raw: bytes) -> None:
        if len(raw) > LONGEST:
            self._refuse("the line is longer than any that was exported")
        try:
            value = json.loads(raw.decode("utf-8"))
        except UnicodeDecodeError:
            self._refuse("this is not UTF-8")
        except RecursionError:
            self._refuse("the line is nested too deeply")
        except ValueError:
            self._refuse(
                "the line is torn" if self._number > 1 else "this is no JSON", "" if self._number > 1 else _REMEDY
            )
        if not isinstance(value, dict) or len(value) != 1:
            self._refuse("not one object with one name", _REMEDY if self._number == 1 else "")
        ((name, said),) = value.items()
        if self._ended:
            self._refuse("there is more after the end")
        if not isinstance(said, dict):
            self._refuse(f"{name[:80]!r} is no object", _REMEDY if self._number == 1 else "")
        if self._number == 1:
            self._header(name, said)
        elif name == END:
            self._end(said)
        elif name in self._tables:
            self._row(name, said)
        else:
            self._refuse(f"there is no {name[:80]!r} in a store")

    def _header(self, name: str, said: Mapping[str, Json]) -> None:
        if name != FORMAT or said.get("format") != "jsonl":
            self._refuse("this is no export of Phoropter", _REMEDY)
        if said.get("version") != VERSION:
            self._refuse(
                f"the file has version {str(said.get('version'))[:40]} of the format, not {VERSION}",
                "Update Phoropter",
            )
        schema = said.get("schema")
        if not isinstance(schema, int) or schema > len(migrations.MIGRATIONS):
            self._refuse("the file was written by a newer Phoropter", "Update Phoropter")
        self._db.execute("DELETE FROM lanes")  # the file brings its own
        self._db.execute("BEGIN")

    def _end(self, said: Mapping[str, Json]) -> None:
        if said.get("lines") != self._number:
            self._refuse(
                f"the file should have {str(said.get('lines'))[:40]} lines: some are missing", "Export it again"
            )
        self._ended = True

    def _row(self, name: str, said: Mapping[str, Json]) -> None:
        if name == "pictures" and "bytes" not in said:
            self._without += 1
            return
        try:
            row = self._lines[name].read(said)
            _verify(name, row, self._db)
        except PhoropterError as error:
            self._refuse(f"{name}: {error.what}")
        except UnfitError as error:
            self._refuse(f"{name}: {error}")
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            self._refuse(f"{name}: this is not what a store holds")
        self._insert(name, row)
        if self._number % _AT_ONCE == 0:
            self._db.execute("COMMIT")
            self._db.execute("BEGIN")

    def _insert(self, name: str, row: Mapping[str, Any]) -> None:
        columns = tuple(row)
        insert = self._inserts.get((name, *columns))
        if insert is None:
            listed, marks = ", ".join(f'"{column}"' for column in columns), ", ".join("?" * len(columns))
            insert = f"INSERT INTO {name} ({listed}) VALUES ({marks})" if columns else ""
            self._inserts[name, *columns] = insert
        if not insert:
            self._refuse(f"{name}: nothing is said of it")
        try:
            self._db.execute(insert, tuple(row.values()))
        except sqlite3.IntegrityError as error:
            self._refuse(f"{name}: {_told(error)}")

    def _check(self) -> None:
        """What a foreign key does not say."""
        if what := orphans.broken(self._db) or links.contradiction(self._db):
            raise UsageError(f"in it {what}", where=str(self._path), remedy="Export it again")

    def _refuse(self, what: str, remedy: str = "") -> Any:
        raise UsageError(
            what,
            where=f"{self._path}, line {self._number}",
            remedy=remedy or "Nothing was imported",
        )


_REMEDY: Final = "Name a file of `phoropter export jsonl`; other tools' files have importers of their own"


def open_regular(path: Path) -> IO[bytes]:
    """A regular file, open for reading. Raises OSError, which says in words what it is instead."""
    import errno
    import os
    import stat

    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    stream = open(descriptor, "rb")  # noqa: PTH123, SIM115  a descriptor, so that what is checked is what is read
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        stream.close()
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    return stream


def _raw_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Lines, none longer than can be told of; a mark at the beginning is left out."""
    first = True
    while raw := stream.readline(LONGEST + 1):
        if first and raw.startswith(b"\xef\xbb\xbf"):
            raw = raw[3:]
        first = False
        yield raw


def _told(error: sqlite3.IntegrityError) -> str:
    text = str(error)
    if "FOREIGN KEY" in text:
        return "it refers to what does not stand before it"
    kind, _, column = text.partition(": ")
    return (
        f"{column.rpartition('.')[2]} is missing"
        if kind.startswith("NOT NULL")
        else f"it stands there twice ({column or text})"
    )


def _verify(name: str, row: Mapping[str, Any], db: sqlite3.Connection) -> None:
    """The hash is that of the content, and the content can be read. Raises UnfitError, or whatever reading raises."""
    if name == "pictures" and hashlib.sha256(row["bytes"]).hexdigest() != row["hash"]:
        raise UnfitError("the bytes are not those of the hash")
    if name in ("texts", "golds", "picture_sets") and encoding.short_hash(row["content"]) != row["hash"]:
        raise UnfitError("the content is not that of the hash")
    if name == "picture_sets":
        encoding.pictures_from_json(row["content"])
    elif name == "golds":
        values, text = encoding.from_json(row["content"])
        if not isinstance(values, dict) or not isinstance(text, str):
            raise UnfitError("not the values of a form and a text")
    elif name == "prompts":
        encoding.Prompt("", row["content"])
        found = db.execute("SELECT name FROM step_names WHERE id = ?", (row["step"],)).fetchone()
        if found is None or encoding.prompt_hash(encoding.from_text(found[0]), row["content"]) != row["hash"]:
            raise UnfitError("the content is not that of the hash")
    elif name == "runs":
        check_name(encoding.from_text(row["name"]).replace("/", "-"))  # a sitting's run is STUDY/PSEUDONYM
        RunConfig.from_json(encoding.from_json(row["configuration"]))
        registry.get(row["benchmark"])
    elif name == "items":
        _verify_item(row)
    elif name == "calls" and not contents.unpacks(row.get("request"), row.get("reply"), row.get("texts")):
        raise UnfitError("the request or the reply cannot be read")


def _verify_item(row: Mapping[str, Any]) -> None:
    benchmark, subset, key = (encoding.from_text(row[column]) for column in ("benchmark", "subset", "key"))
    encoding.item_of(benchmark, subset, key, row["groups"], row["content"], {})
    stored = encoding.from_json(row["content"])
    asked = {
        "benchmark": benchmark,
        "subset": subset,
        "id": key,
        "pictures": [picture | {"path": ""} for picture in stored["pictures"]],
        "facts": stored["facts"],
    }
    if bytes.fromhex(digest(asked)) != row["hash"]:
        raise UnfitError("the item is not that of the hash")
