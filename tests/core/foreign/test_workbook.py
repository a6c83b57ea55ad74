"""An xlsx is a ZIP of XML that somebody else wrote: one that would fill memory or never end is refused at once."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from core.errors import UsageError
from core.foreign import vlmevalkit, workbook

SHEET = "xl/worksheets/sheet1.xml"


def changed(file: Path, change: Callable[[bytes], bytes], part: str = SHEET) -> Path:
    """A table of one row with a part of it written anew."""
    book = openpyxl.Workbook()
    for row in (["index", "question", "prediction"], [0, "q", "A"]):
        book.active.append(row)  # type: ignore[union-attr]
    plain = io.BytesIO()
    book.save(plain)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for name in source.namelist():
            data = source.read(name)
            out.writestr(name, change(data) if name == part else data)
    return file


def a_million_rows(data: bytes) -> bytes:
    """Claimed by one cell far below; and as many columns, by the sheet's dimensions."""
    data = data.replace(b'ref="A1:C2"', b'ref="A1:XFD1048576"').replace(b'<row r="2"', b'<row r="1048576"')
    return data.replace(b'r="A2"', b'r="A1048576"').replace(b'r="B2"', b'r="B1048576"').replace(
        b'r="C2"', b'r="C1048576"'
    )  # fmt: skip


def entities(data: bytes) -> bytes:
    laughs = b"".join(b'<!ENTITY %c "%s">' % (97 + n, b"&%c;" % (96 + n) * 10 if n else b"ha" * 10) for n in range(9))
    return b'<?xml version="1.0"?><!DOCTYPE l [' + laughs + b"]>" + data.replace(b"<t>q</t>", b"<t>&i;</t>")


def outside(data: bytes) -> bytes:
    head = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    return head + data.replace(b"<t>q</t>", b"<t>&x;</t>")


def wide(data: bytes) -> bytes:
    return data.replace(b'<c r="C1"', b'<c r="XFD1"')


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (a_million_rows, "blank rows after each other"),
        (entities, "declares a document type"),
        (outside, "declares a document type"),
        (wide, "more than 1,000 columns"),
        (lambda data: data[: len(data) // 2], "no xlsx that can be read"),
        (lambda data: b"", "no xlsx that can be read"),
    ],
)
def test_a_workbook_that_means_harm_is_refused(tmp_path: Path, change: Callable[[bytes], bytes], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        vlmevalkit.read_results(changed(tmp_path / "m_d.xlsx", change))


def test_one_that_unpacks_to_too_much_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "LARGEST", 1 << 20)
    file = changed(tmp_path / "m_d.xlsx", lambda data: data.replace(b"<t>q</t>", b"<t>" + b"q" * (2 << 20) + b"</t>"))
    assert file.stat().st_size < 20_000
    with pytest.raises(UsageError, match="would unpack to"):
        vlmevalkit.read_results(file)


def test_blank_rows_below_and_between_are_no_rows(tmp_path: Path) -> None:
    file = changed(tmp_path / "m_d.xlsx", lambda data: data.replace(b'<row r="2"', b'<row r="7"'))
    assert [reply.text for reply in vlmevalkit.read_results(file).replies] == ["A"]
