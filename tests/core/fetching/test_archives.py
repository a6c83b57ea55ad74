"""A ZIP is looked at whole before anything is written, and nothing of a bad one is."""

from __future__ import annotations

import stat
import struct
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from core.errors import DataError, PhoropterError, UsageError
from core.fetching.archives import LIMITS, Limits, unpack
from core.fetching.staging import Origin, Staged


def staged(tmp_path: Path) -> Staged:
    folder = tmp_path / "made" / "data"
    folder.mkdir(parents=True)
    return Staged(folder, Origin("zip", "a.zip"))


def unpacked(tmp_path: Path, archive: Path, limits: Limits = LIMITS) -> Staged:
    into = staged(tmp_path)
    unpack(archive, into, lambda *_: None, limits)
    return into


def zipped(tmp_path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as out:
        for name, content in entries:
            out.writestr(name, content)
    return tmp_path / "a.zip"


def entry(name: str, mode: int) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.create_system = 3
    made.external_attr = mode << 16
    return made


def names(found: Staged) -> list[str]:
    there = sorted(path.relative_to(found.folder).as_posix() for path in found.folder.rglob("*") if path.is_file())
    assert there == sorted(map(str, found.files))
    return there


def test_the_outermost_folder_is_left_away_and_what_is_no_data_left_out(tmp_path: Path) -> None:
    archive = zipped(
        tmp_path,
        ("MMRA/", b""),
        ("MMRA/metadata.json", b"[]"),
        ("MMRA/images/a.jpg", b"a"),
        ("__MACOSX/MMRA/._metadata.json", b"junk"),
        ("MMRA/.DS_Store", b"junk"),
        ("MMRA/evaluate.py", b"print()"),
    )
    found = unpacked(tmp_path, archive)
    assert names(found) == ["images/a.jpg", "metadata.json"]
    assert found.left_out[".py"] == 1
    assert [file.stat().st_mode & 0o077 for file in found.folder.rglob("*")] == [0] * 3


@pytest.mark.parametrize(
    "name",
    [
        "../out.csv", "a/../../out.csv", "/etc/out.csv", "C:/out.csv", "C:\\out.csv", "a\\..\\..\\out.csv",
        "a\nb.csv", "NUL", "a/con.csv", "aux .csv", "LPT1.json/b.csv", "a/COM¹",
    ],
)  # fmt: skip
def test_a_name_that_leads_out_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    archive = zipped(tmp_path, ("data.csv", b"a,b\n1,2\n"), (name, b"x"))
    with pytest.raises(DataError, match=r"leads out|no relative path|control characters|a device on Windows"):
        unpacked(tmp_path, archive)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["a.zip"]


def test_a_link_or_a_device_in_an_archive_is_refused(tmp_path: Path) -> None:
    archive = zipped(
        tmp_path,
        (entry("data.csv", stat.S_IFLNK | 0o777), b"/etc/passwd"),
        (entry("pipe.csv", stat.S_IFIFO | 0o644), b""),
    )
    with pytest.raises(DataError) as caught:
        unpacked(tmp_path, archive)
    assert "is a link" in str(caught.value)
    assert "neither a file nor a folder" in str(caught.value)


def test_a_bomb_is_refused_before_it_goes_off(tmp_path: Path) -> None:
    archive = zipped(tmp_path, ("data.csv", bytes(64 << 20)))
    with pytest.raises(DataError, match="times its size"):
        unpacked(tmp_path, archive)


def test_entries_that_overlap_are_refused(tmp_path: Path) -> None:
    """Many names for one body of data: each is in proportion, together they are a bomb."""
    archive = zipped(tmp_path, ("a.csv", bytes(range(256)) * 40), method=zipfile.ZIP_STORED)
    raw = archive.read_bytes()
    at = raw.rindex(b"PK\x01\x02")
    end = raw.rindex(b"PK\x05\x06")
    central = raw[at:end]
    copies = b"".join(central.replace(b"a.csv", f"{letter}.csv".encode()) for letter in "abcdefgh")
    tail = bytearray(raw[end:])
    tail[8:12] = struct.pack("<HH", 8, 8)
    tail[12:16] = struct.pack("<I", len(copies))
    archive.write_bytes(raw[:at] + copies + bytes(tail))
    with pytest.raises(DataError, match="overlap"):
        unpacked(tmp_path, archive)


def test_too_many_entries_or_bytes_are_refused(tmp_path: Path) -> None:
    archive = zipped(tmp_path, *((f"{n}.csv", b"x" * 100) for n in range(20)))
    with pytest.raises(DataError) as caught:
        unpacked(tmp_path, archive, Limits(entries=10, total=1000))
    assert "holds 20 entries, over 10" in str(caught.value)
    assert "would unpack to 2,000 bytes, over 1,000" in str(caught.value)


def test_a_name_twice_is_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        archive = zipped(tmp_path, ("a.csv", b"1"), ("a.csv", b"2"))
    with pytest.raises(DataError, match="more than once"):
        unpacked(tmp_path, archive)


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("a.csv", "./a.csv", "more than once"),
        ("b/a.csv", "b//a.csv", "more than once"),
        ("a.csv", "a.csv/b.csv", "a file, and a folder of others"),
        ("a/b.csv", "a", "a file, and a folder of others"),
    ],
)
def test_names_that_cannot_be_side_by_side_are_refused(tmp_path: Path, first: str, second: str, why: str) -> None:
    archive = zipped(tmp_path, (first, b"1"), (second, b"2"))
    with pytest.raises(DataError, match=why):
        unpacked(tmp_path, archive)


def test_a_file_without_a_name_is_refused(tmp_path: Path) -> None:
    archive = zipped(tmp_path, ("a.csv", b"1"))
    archive.write_bytes(archive.read_bytes().replace(b"a.csv", b"\0.csv"))
    with pytest.raises(DataError, match="no name"):
        unpacked(tmp_path, archive)


def test_a_name_that_is_no_text_is_refused(tmp_path: Path) -> None:
    archive = zipped(tmp_path, ("é.csv", b"1"))
    archive.write_bytes(archive.read_bytes().replace("é".encode(), b"\xe9("))
    with pytest.raises(DataError, match="torn"):
        unpacked(tmp_path, archive)


def test_a_password_is_named_as_what_is_missing(tmp_path: Path) -> None:
    archive = zipped(tmp_path, ("a.csv", b"a,b\n1,2\n"))
    raw = bytearray(archive.read_bytes())
    raw[6] |= 1
    raw[raw.rindex(b"PK\x01\x02") + 8] |= 1
    archive.write_bytes(bytes(raw))
    with pytest.raises(UsageError, match="needs a password"):
        unpacked(tmp_path, archive)


def damaged(raw: bytes) -> list[bytes]:
    body = raw.index(b"a.csv") + 5
    return [raw[: len(raw) // 2], b"PK\x03\x04 and no more", b"", raw[:body] + b"\xff" * 40 + raw[body + 40 :]]


@pytest.mark.parametrize("which", range(4))
def test_a_torn_archive_is_one_message(tmp_path: Path, which: int) -> None:
    content = "".join(f"{n},{n * n}\n" for n in range(500)).encode()
    archive = zipped(tmp_path, ("a.csv", content))
    archive.write_bytes(damaged(archive.read_bytes())[which])
    with pytest.raises(PhoropterError, match="torn"):
        unpacked(tmp_path, archive)


def test_a_method_that_is_not_known_here_is_one_message(tmp_path: Path) -> None:
    archive = zipped(tmp_path, ("a.csv", b"a,b\n1,2\n"))
    raw = bytearray(archive.read_bytes())
    raw[8:10] = raw[raw.rindex(b"PK\x01\x02") + 10 : raw.rindex(b"PK\x01\x02") + 12] = struct.pack("<H", 97)
    archive.write_bytes(bytes(raw))
    with pytest.raises(DataError, match="cannot be read here"):
        unpacked(tmp_path, archive)


def test_names_in_other_scripts_come_as_they_are(tmp_path: Path) -> None:
    found = unpacked(tmp_path, zipped(tmp_path, ("画像/猫.png", b"x"), ("vraag é.json", b"[]")))
    assert names(found) == ["vraag é.json", "画像/猫.png"]


def test_utf8_names_of_archivers_that_do_not_say_so_are_read(tmp_path: Path) -> None:
    archive = zipped(tmp_path, ("a/XXXX.json", b"[]"))
    archive.write_bytes(archive.read_bytes().replace(b"XXXX", "éé".encode()))
    assert names(unpacked(tmp_path, archive)) == ["éé.json"]


def test_more_than_the_declared_size_is_not_written(tmp_path: Path) -> None:
    into = staged(tmp_path)
    source = tmp_path / "long.csv"
    source.write_bytes(bytes(100))
    with source.open("rb") as stream, pytest.raises(DataError, match="more than the 10 bytes"):
        into.take(stream, PurePosixPath("long.csv"), 10)
