"""A set is in its place whole with its card or not at all, is kept when it is there, and found by runs."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core import datasets
from core.benchmarks import registry
from core.errors import DataError, PhoropterError, UsageError
from core.fetching import cards, placing
from core.fetching.catalogue import CATALOGUE
from core.planning import Request, load
from tests.core.fetching.conftest import Asking
from tests.hub import COMMIT, cached
from tests.voila_data import changed, small_voila_file, voila_file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return small_voila_file(tmp_path, 70, "ND")


def files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def nothing_in(home: Path) -> bool:
    return not home.exists() or not files_in(home)


def test_a_file_becomes_a_set_with_card_citation_and_hashes(asking: Asking, home: Path, file: Path) -> None:
    done = asking("voila", file)
    assert done.folder == home / "voila" / "ND"
    assert files_in(home) == [
        "voila/ND/CITATION.bib", "voila/ND/MANIFEST.sha256", "voila/ND/SOURCE.json", f"voila/ND/data/{file.name}",
    ]  # fmt: skip
    card = json.loads((done.folder / "SOURCE.json").read_text())
    assert (card["items"], card["bad_rows"], card["validated"]) == (70, 0, True)
    assert card["data_sha256"] == load(Request("voila:ND", data=file))[2].digest
    assert card["source"] == {"kind": "file", "place": str(file), "repository": "", "revision": ""}
    assert card["licence"] == "cc"
    assert "Check with the authors" in card["licence_note"]
    assert (done.folder / "CITATION.bib").read_text() == CATALOGUE["voila"].citation
    assert all(path.stat().st_mode & 0o077 == 0 for path in (home, *home.rglob("*")))


def test_a_count_that_differs_is_said_and_kept(asking: Asking, file: Path) -> None:
    card = asking("voila", file).card
    assert card.differences[0] == "70 items, the paper has 3,689"
    assert "rule 19: 10 items, the paper has 527" in card.differences
    assert card.expected == {"items": 3689}


def test_the_whole_published_size_differs_in_nothing(asking: Asking, tmp_path: Path) -> None:
    assert asking("voila", voila_file(tmp_path)).card.differences == ()


def test_the_second_fetch_keeps_the_first_untouched(asking: Asking, file: Path) -> None:
    first = asking("voila", file)
    before = (first.folder / "SOURCE.json").stat().st_mtime_ns
    for again in (asking("voila", file), asking("voila"), asking("voila:ND", file)):
        assert again.kept
        assert again.card == first.card
    assert (first.folder / "SOURCE.json").stat().st_mtime_ns == before
    assert "every one intact" in asking.told[-1]


def test_another_set_is_not_replaced_without_force(asking: Asking, home: Path, file: Path, tmp_path: Path) -> None:
    first = asking("voila", file)
    other = small_voila_file(tmp_path, 77, "ND")
    with pytest.raises(UsageError, match=r"another set already.*--force"):
        asking("voila", other)
    assert cards.read(first.folder) == first.card
    replaced = asking("voila", other, force=True)
    assert (replaced.kept, replaced.card.items) == (False, 77)
    assert [path.name for path in replaced.data.iterdir()] == [other.name]
    assert [path.name for path in home.iterdir()] == ["voila"]


@pytest.mark.parametrize("harm", ["changed", "removed", "added", "manifest"])
def test_a_set_that_was_changed_is_not_taken_for_the_fetched_one(asking: Asking, file: Path, harm: str) -> None:
    done = asking("voila", file)
    data = done.data / file.name
    if harm == "changed":
        data.write_bytes(data.read_bytes() + b"\n")
    elif harm == "removed":
        data.unlink()
    elif harm == "added":
        (done.data / "more.csv").write_text("a")
    else:
        (done.folder / cards.MANIFEST).write_text("")
    with pytest.raises(DataError, match="--force fetches it anew"):
        asking("voila", file)
    assert asking("voila", file, force=True).card.items == 70
    assert asking("voila").kept


def test_both_subsets_of_voila_stand_side_by_side(asking: Asking, file: Path, tmp_path: Path) -> None:
    distracting = small_voila_file(tmp_path, 38, "WD")
    asking("voila", file)
    done = asking("voila:ND", distracting)
    assert done.folder.name == "WD"
    assert "by its content it is voila:WD" in asking.told[-1]
    nd, wd = datasets.fetched("voila", "ND"), datasets.fetched("voila", "WD")
    assert nd is not None
    assert wd is not None
    assert (nd.parent.name, wd.parent.name) == ("ND", "WD")
    with pytest.raises(UsageError, match="voila:ND or voila:WD"):
        datasets.fetched("voila", "")
    shutil.rmtree(nd.parent)
    assert datasets.fetched("voila", "ND") == wd
    assert datasets.data_for("voila:ND")[1] == "data: fetched voila:WD 38 items, of it the questions of ND"
    assert datasets.fetched("voila", "") == wd


def test_a_run_takes_what_was_fetched_else_the_pack(asking: Asking, file: Path) -> None:
    assert datasets.data_for("voila:ND") == (None, "data: the built-in demonstration pack voila:ND")
    done = asking("voila", file)
    assert datasets.data_for("voila:ND") == (done.data, "data: fetched voila:ND 70 items")
    assert datasets.data_for("voila:WD")[0] is None
    assert load(Request("voila:ND", data=datasets.fetched("voila", "ND")))[2].digest == done.card.data_sha256


def test_out_puts_a_set_elsewhere(asking: Asking, home: Path, file: Path, tmp_path: Path) -> None:
    done = asking("voila", file, out=tmp_path / "mine" / "set")
    assert done.data == tmp_path / "mine" / "set" / "data"
    assert asking("voila", file, out=tmp_path / "mine" / "set").kept
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["set"]
    assert nothing_in(home)
    assert datasets.fetched("voila", "ND") is None


def test_a_strangers_folder_is_never_replaced(asking: Asking, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "thesis"
    out.mkdir()
    (out / "chapter.tex").write_text("years of work")
    for force in (False, True):
        with pytest.raises(UsageError, match="not empty, and holds no fetched set"):
            asking("voila", file, out=out, force=force)
    asking("voila", file, out=tmp_path / "set")
    with pytest.raises(UsageError, match="holds a set of voila:ND"):
        asking("mmra", file, out=tmp_path / "set", force=True)
    with pytest.raises(UsageError, match="no folder"):
        asking("voila", file, out=file, force=True)
    with pytest.raises(UsageError, match="within --source"):
        asking("voila", tmp_path, out=tmp_path / "inside")
    assert (out / "chapter.tex").read_text() == "years of work"


def test_a_folder_with_pictures_counts_those_that_are_not_there(asking: Asking, tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "Test_Images").mkdir(parents=True)
    item = next(iter(load(Request("voila:ND", data=small_voila_file(source, 7, "ND")))[2]))
    (source / "Test_Images" / item.pictures[0].name).write_bytes(b"\x89PNG")
    done = asking("voila", source)
    pictures = {picture.name for it in load(Request("voila:ND", data=done.data))[2] for picture in it.pictures}
    assert done.card.pictures_missing == len(pictures) - 1


def test_bad_rows_are_told_and_the_rest_kept(asking: Asking, file: Path) -> None:
    def spoil(rows: list[dict[str, str]]) -> None:
        rows[3]["rule"] = "99"

    done = asking("voila", changed(file, spoil))
    assert (done.card.items, done.card.bad_rows) == (69, 1)
    (problem,) = done.problems
    assert (problem.file, problem.row, problem.field) == (file.name, 4, "rule")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("data.csv", b"", "empty"),
        ("data.csv", b"a,b\n1,2\n", "column is missing"),
        ("data.csv", b"\xff\xfea\x00", "UTF-16"),
        ("data.parquet", b"<html>not found</html>", "no parquet"),
        ("data.tar.gz", b"\x1f\x8b", "no file that data comes in"),
        ("data.zip", b"<html>not found</html>", "no ZIP"),
        ("data.csv", b"PK\x03\x04", "no ZIP"),
    ],
)
def test_a_wrong_file_is_refused_and_nothing_kept(
    asking: Asking, home: Path, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises((DataError, UsageError), match=message) as caught:
        asking("voila", tmp_path / name)
    assert "partial" not in str(caught.value)
    assert nothing_in(home)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"benchmark": "viola"}, "Did you mean voila"),
        ({"benchmark": "voila:XD"}, "Known: voila:ND, voila:WD"),
        ({"benchmark": "mmra:ND"}, "mmra alone"),
        ({"benchmark": "vrex"}, r"--repository OWNER/NAME"),
        ({"benchmark": "voila", "source": Path("nowhere.csv")}, "no such file"),
        ({"benchmark": "voila", "source": Path("https://example.org/a.zip")}, "not an address"),
    ],
)
def test_what_cannot_be_fetched_is_one_message(asking: Asking, wanted: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        asking(**wanted)


def test_a_benchmark_without_loader_is_kept_and_said_not_to_be_validated(
    asking: Asking, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(registry.BENCHMARKS, "mmra", raising=False)
    with zipfile.ZipFile(tmp_path / "MMRA.zip", "w") as out:
        out.writestr("MMRA/metadata.json", "[]")
        out.writestr("MMRA/images/été 1.jpg", b"x")
    done = asking("mmra", tmp_path / "MMRA.zip")
    assert files_in(done.data) == ["images/été 1.jpg", "metadata.json"]
    assert (done.card.validated, done.card.items, done.card.expected) == (False, None, {"items": 1024})
    assert (done.card.licence, done.card.licence_stated) == ("not stated", False)
    assert asking("mmra").kept
    (tmp_path / "empty.json").touch()
    with pytest.raises(DataError, match="empty"):
        asking("mmra", tmp_path / "empty.json", out=tmp_path / "out")
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "run.py").touch()
    (tmp_path / "code" / "MMRA.zip").touch()
    with pytest.raises(DataError, match=r"only 1 \.py, 1 \.zip|only 1 \.zip, 1 \.py"):
        asking("mmra", tmp_path / "code", out=tmp_path / "out")


def test_the_licence_in_the_sets_own_head_comes_first(asking: Asking, file: Path, tmp_path: Path) -> None:
    folder = cached(
        tmp_path / "cache",
        "nlylmz/VOILA",
        {"data.csv": file.read_bytes(), "README.md": b"---\nlicense: cc-by-4.0\ntags: [a]\n---\nlicense: no\n"},
    )
    card = asking("voila", folder).card
    assert (card.licence, card.source["repository"], card.source["revision"]) == (
        "cc-by-4.0", "nlylmz/VOILA", COMMIT,
    )  # fmt: skip
    with pytest.raises(UsageError, match="of another revision"):
        asking("voila", revision="abc")
    assert asking("voila", revision=COMMIT[:7]).kept


def _fetch_in_another_process(source: str, force: bool, start: Any) -> None:
    start.wait()
    for _ in range(4 if force else 1):
        Asking()("voila", Path(source), force=force)


@pytest.mark.parametrize("force", [False, True])
def test_four_at_once_leave_one_whole_set(home: Path, file: Path, force: bool) -> None:
    context = multiprocessing.get_context("fork")
    start = context.Barrier(4)
    processes = [context.Process(target=_fetch_in_another_process, args=(str(file), force, start)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * 4
    card = cards.read(home / "voila" / "ND")
    assert card is not None
    assert cards.changed_files(home / "voila" / "ND", card) == []
    assert [path.name for path in home.iterdir()] == ["voila"]


def test_what_a_killed_fetch_left_is_swept_and_a_set_it_moved_aside_put_back(
    asking: Asking, home: Path, file: Path
) -> None:
    done = asking("voila", file)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with placing.workplace(home, "voila") as made:
        mine = made.parent
        prefix = mine.name.rpartition(f"{os.getpid()}-")[0]
        left = home / f"{prefix}{gone.pid}-x"
        (left / "set" / "data").mkdir(parents=True)
        (left / "where").write_text(str(done.folder))
        done.folder.rename(left / "old")
        elsewhere = home / ".voila.partial-0-1-x"
        elsewhere.mkdir()
        parent = home / f"{prefix}{os.getppid()}-x"
        parent.mkdir()
        placing.sweep(home, "voila")
        assert sorted(home.iterdir()) == sorted([mine, elsewhere, parent, home / "voila"])
    assert asking("voila").kept
    os.utime(elsewhere, (time.time() - 30 * 86_400,) * 2)
    placing.sweep(home, "voila")
    assert not elsewhere.exists()


def test_a_card_that_cannot_be_read_says_what_to_do(asking: Asking, file: Path) -> None:
    done = asking("voila", file)
    (done.folder / cards.CARD).write_text("{")
    for force in (False, True):
        with pytest.raises((DataError, UsageError), match="Move"):
            asking("voila", file, force=force)
    with pytest.raises(DataError, match="Move its folder away"):
        datasets.data_for("voila:ND")


def test_a_set_fetched_on_one_machine_is_a_source_on_another(asking: Asking, home: Path, file: Path) -> None:
    first = asking("voila", cached(file.parent / "cache", "nlylmz/VOILA", {"nd.csv": file.read_bytes()}))
    carried = file.parent / "stick"
    shutil.copytree(first.folder, carried)
    shutil.rmtree(home)
    again = asking("voila", carried)
    assert (again.card.source, again.card.manifest_sha256) == (first.card.source, first.card.manifest_sha256)
    assert again.card.source["revision"] == COMMIT
    shutil.rmtree(home)
    with (carried / "data" / "nd.csv").open("a") as out:
        out.write("x")
    with pytest.raises(DataError, match="not as it was fetched there"):
        asking("voila", carried)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"items": "many"}, "is no card"),
        ({"source": ["zip"]}, "is no card"),
        ({"source": {"kind": "zip", "place": "x", "more": "y"}}, "is no card"),
        ({"groups": {"rule": {"1": None}}}, "is no card"),
        ({}, "names what is no file of the set"),
    ],
)
def test_a_set_of_somebody_elses_is_not_believed(
    asking: Asking, home: Path, file: Path, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    """Its card is looked at field by field, and its list of files reads nothing outside of the set."""
    folder = asking("voila:ND", file).folder
    other = tmp_path / "stick"
    shutil.copytree(folder, other)
    (tmp_path / "secret.csv").write_bytes(b"x")
    manifest = (other / "MANIFEST.sha256").read_bytes() + f"{'0' * 64}  data/../../secret.csv\n".encode()
    (other / "MANIFEST.sha256").write_bytes(manifest)
    card = json.loads((other / "SOURCE.json").read_text()) | {"manifest_sha256": hashlib.sha256(manifest).hexdigest()}
    (other / "SOURCE.json").write_text(json.dumps(card | change))
    with pytest.raises(PhoropterError, match=told):
        asking("voila:ND", other, out=tmp_path / "new")


def test_names_that_are_no_text_do_no_harm(asking: Asking, file: Path) -> None:
    folder = file.parent / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    card = asking("voila", Path(shutil.copy(file, folder / "données 数据.csv"))).card
    assert card.source["place"].endswith("caf\ufffd/données 数据.csv")
    assert card.data_files == ("données 数据.csv",)
    assert asking("voila").kept
    unusable = Path(shutil.copy(file, file.parent / os.fsdecode(b"\xe9.csv")))
    with pytest.raises(UsageError, match="its name holds"):
        asking("voila", unusable)


def test_a_place_that_is_refused_says_where(asking: Asking, home: Path, file: Path) -> None:
    home.parent.mkdir(parents=True)
    home.write_text("a file where the folder should be")
    with pytest.raises(UsageError, match="cannot be read or written"):
        asking("voila", file)
