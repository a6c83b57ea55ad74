"""``phoropter fetch`` as a user calls it: from a cache, from a hub on this machine, killed, twice, by two at once."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.commands import COMMAND, environment, phoropter, told
from tests.hub import COMMIT, cached, small_hub
from tests.voila_data import small_voila_file

REPOSITORY = "nlylmz/VOILA"
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def offline(tmp_path: Path) -> dict[str, str]:
    return {"HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1", "HF_ENDPOINT": NOWHERE}


def benchmarks(home: Path) -> Path:
    return home / "data" / "phoropter" / "benchmarks"


def parquet(file: Path) -> bytes:
    """The file as the hub has it: rows with three pictures each."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with file.open(encoding="utf-8", newline="") as stream:
        rows: list[dict[str, Any]] = list(csv.DictReader(stream))
    for row in rows:
        for place in "123":
            row[f"image{place}"] = {"bytes": b"\x89PNG", "path": row.pop(f"img{place}")}
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


def json_of(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_cached_download_is_fetched_without_network_and_used_by_runs(
    tmp_path: Path, offline: dict[str, str]
) -> None:
    rows = parquet(small_voila_file(tmp_path, 38, "WD"))
    cached(tmp_path / "hf" / "hub", REPOSITORY, {"data/test-00000-of-00001.parquet": rows, "README.md": b"# VOILA\n"})
    done = phoropter(tmp_path, "fetch", "voila", "--json", **offline)
    document = json_of(done)
    assert (document["items"], document["subset"], document["validated"]) == (38, "WD", True)
    assert document["source"] == {
        "kind": "hub", "place": REPOSITORY, "repository": REPOSITORY, "revision": COMMIT,
    }  # fmt: skip
    assert f"the newest revision is {COMMIT}" in done.stderr
    assert "differs from the paper:\n    38 items, the paper has 10,013" in done.stderr
    assert "yilmaz2025voila" in done.stderr
    assert "Traceback" not in done.stderr
    again = phoropter(tmp_path, "fetch", "voila", "--json", **offline)
    assert json_of(again) == document | {"kept": True}
    assert "every file is intact" in again.stderr

    listed = phoropter(tmp_path, "items", "voila:WD", "--json", **offline)
    assert len(json_of(listed)) == 38
    assert listed.stderr.startswith(f"data: fetched voila:WD 38 items, revision {COMMIT[:12]}")
    run = phoropter(tmp_path, "run", "voila", "--respondent", "oracle", "--json", **offline)
    assert json_of(run)["trajectories"] == 38
    assert "data: fetched voila:WD 38 items" in run.stderr


def test_the_revision_first_taken_stays_the_one_until_another_is_named(
    tmp_path: Path, offline: dict[str, str]
) -> None:
    old, new = (small_voila_file(tmp_path, n, "ND").read_bytes() for n in (14, 21))
    newer = "f" * 40
    cached(tmp_path / "hf" / "hub", REPOSITORY, {"nd.csv": old})
    assert json_of(phoropter(tmp_path, "fetch", "voila", "--json", **offline))["items"] == 14
    cached(tmp_path / "hf" / "hub", REPOSITORY, {"nd.csv": new}, newer)
    assert json_of(phoropter(tmp_path, "fetch", "voila", "--force", "--json", **offline))["items"] == 14
    refused = phoropter(tmp_path, "fetch", "voila", "--revision", newer, **offline)
    assert refused.returncode == 2
    assert "of another revision" in refused.stderr
    taken = phoropter(tmp_path, "fetch", "voila", "--revision", newer, "--force", "--json", **offline)
    assert (json_of(taken)["items"], json_of(taken)["source"]["revision"]) == (21, newer)


def test_what_is_not_in_the_cache_is_one_message_offline(tmp_path: Path, offline: dict[str, str]) -> None:
    done = phoropter(tmp_path, "fetch", "mmra", HF_TOKEN="hf_notToBeShown", **offline)
    assert done.returncode == 2
    assert "the hub could not be reached" in done.stderr
    assert "Traceback" not in done.stderr
    assert "hf_notToBeShown" not in done.stderr
    assert not list(benchmarks(tmp_path).iterdir())


def test_without_the_hub_library_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "huggingface_hub.py").write_text("raise ImportError('not here')")
    code = (
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n"
        "from tui.cli import run\nsys.exit(run(['fetch', 'voila']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "pip install 'phoropter[hub]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_download_killed_in_the_middle_leaves_no_set_and_is_taken_up_again(tmp_path: Path) -> None:
    rows = small_voila_file(tmp_path, 700, "ND").read_bytes()
    files = {"nd.csv": rows, "README.md": b"---\nlicense: cc\n---\n"}
    files |= {f"Test_Images/{number}.png": os.urandom(4 << 20) for number in range(6)}
    with small_hub(REPOSITORY, files, pause_s=0.02) as hub:
        settings = {
            "HF_HOME": str(tmp_path / "hf"), "HF_ENDPOINT": hub.url, "HF_HUB_DISABLE_XET": "1",
            "HF_TOKEN": "hf_secretOfTheUser", "NO_PROXY": "*",
        }  # fmt: skip
        process = subprocess.Popen(
            [*COMMAND, "fetch", "voila"],
            cwd=tmp_path,
            env=environment(tmp_path, **settings),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 60
        while (hub.sent < 4 << 20 or len(hub.whole) < 2) and time.monotonic() < until and process.poll() is None:
            time.sleep(0.01)
        assert process.poll() is None, "the fetch ended before it could be killed"
        process.kill()
        process.wait()
        assert not list(benchmarks(tmp_path).glob("voila/**/SOURCE.json"))
        whole = list(hub.whole)
        hub.pause_s = 0.0
        done = phoropter(tmp_path, "fetch", "voila", "--json", **settings)
        document = json_of(done)
        assert document["items"] == 700
        assert document["source"]["revision"] == COMMIT
        assert len(whole) >= 2
        assert [hub.whole.count(name) for name in whole] == [1] * len(whole)
        kept = b"".join(path.read_bytes() for path in benchmarks(tmp_path).rglob("*") if path.is_file())
        assert b"hf_secretOfTheUser" not in kept
        assert "hf_secretOfTheUser" not in done.stdout + done.stderr
        assert [path.name for path in benchmarks(tmp_path).iterdir()] == ["voila"]
        missing = phoropter(tmp_path, "fetch", "mmra", **settings)
        assert missing.returncode == 2
        assert "the hub has no such data set" in missing.stderr


def archive(tmp_path: Path, pictures: int) -> Path:
    rows = small_voila_file(tmp_path, 70, "ND").read_bytes()
    with zipfile.ZipFile(tmp_path / "voila.zip", "w") as out:
        for number in range(pictures):
            out.writestr(f"VOILA/Test_Images/{number:05}.png", os.urandom(4096))
        out.writestr("VOILA/nd.csv", rows)
    return tmp_path / "voila.zip"


def test_an_unpacking_killed_in_the_middle_leaves_no_half_set_and_a_rerun_completes(tmp_path: Path) -> None:
    source = archive(tmp_path, 6000)
    command = [*COMMAND, "fetch", "voila", "--source", str(source)]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        if len(list(benchmarks(tmp_path).glob(".voila.partial-*/set/data/Test_Images/*"))) > 50:
            break
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "the fetch ended before it could be killed"
    assert not (benchmarks(tmp_path) / "voila").exists()
    before = phoropter(tmp_path, "items", "voila:ND")
    assert before.stderr.startswith("data: the built-in demonstration pack")
    document = told(tmp_path, "fetch", "voila", "--source", source)
    assert (document["items"], document["files"]) == (70, 6001)
    assert [path.name for path in benchmarks(tmp_path).iterdir()] == ["voila"]


def test_an_interrupted_fetch_cleans_up_behind_itself(tmp_path: Path) -> None:
    source = archive(tmp_path, 6000)
    command = [*COMMAND, "fetch", "voila", "--source", str(source), "--force"]
    surroundings = environment(tmp_path)
    for _ in range(10):  # a fetch may be through before its interruption reaches it
        process = subprocess.Popen(
            ["nice", "-n", "19", *command], cwd=tmp_path, env=surroundings, stderr=subprocess.PIPE, text=True
        )  # behind this process, which has to catch it in the middle
        until = time.monotonic() + 60
        while time.monotonic() < until and not any(benchmarks(tmp_path).glob(".voila.partial-*/set/data")):
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=60)[1]
        if process.returncode != 0:
            break
        shutil.rmtree(benchmarks(tmp_path) / "voila")
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert not list(benchmarks(tmp_path).iterdir())


def test_two_fetches_at_once_leave_one_whole_set(tmp_path: Path) -> None:
    source = archive(tmp_path, 300)
    processes = [
        subprocess.Popen(
            [*COMMAND, "fetch", "voila", "--source", str(source), "--json"],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    documents = []
    for process in processes:
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        documents.append(json.loads(out))
    assert documents[0]["manifest_sha256"] == documents[1]["manifest_sha256"]
    assert [path.name for path in benchmarks(tmp_path).iterdir()] == ["voila"]
    assert told(tmp_path, "fetch", "voila")["kept"]


def test_without_json_stdout_is_the_path_that_data_takes(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 14, "ND")
    done = phoropter(tmp_path, "fetch", "voila", "--source", file, "--out", tmp_path / "sets" / "mine")
    assert done.stdout == f"{tmp_path / 'sets' / 'mine' / 'data'}\n"
    assert "licence: cc (as stated by its authors; check)" in done.stderr
    items = told(tmp_path, "items", "voila:ND", "--data", done.stdout.strip())
    assert len(items) == 14


def test_the_demonstration_stays_on_its_packs(tmp_path: Path) -> None:
    told(tmp_path, "fetch", "voila", "--source", small_voila_file(tmp_path, 70, "ND"))
    done = phoropter(tmp_path, "demo")
    assert done.returncode == 0, done.stderr
    assert "fetched" not in done.stderr
    assert "0/14" in done.stderr or "14 finished" in done.stderr


def test_a_bad_archive_is_status_2_and_one_message(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as out:
        out.writestr("../../outside.csv", "a")
    done = phoropter(tmp_path, "fetch", "mmra", "--source", tmp_path / "bad.zip")
    assert (done.returncode, done.stdout) == (2, "")
    assert "leads out of the folder" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("outside.csv"))


def test_fetch_loads_nothing_heavy_from_a_source_at_hand(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 14, "ND")
    code = (
        f"import sys\nfrom tui.cli import run\nrun(['fetch', 'voila', '--source', {str(file)!r}])\n"
        "heavy = {'textual', 'openai', 'torch', 'numpy', 'sqlite_utils', 'huggingface_hub', 'pyarrow'}\n"
        "print('LOADED', *sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(tmp_path), check=True
    )
    assert done.stderr.rpartition("LOADED")[2].split() == []


@pytest.mark.parametrize(("benchmark", "items", "questions"), [("vrex", 30, 115), ("mmra", 44, None)])
def test_every_benchmark_is_read_by_its_own_loader_and_found_by_runs(
    tmp_path: Path, benchmark: str, items: int, questions: int | None
) -> None:
    """The demo packs have the published forms: they stand in for a download, in a ZIP with a folder around it."""
    pack = Path(__file__).parents[2] / "assets" / "packs" / benchmark
    with zipfile.ZipFile(tmp_path / "download.zip", "w") as out:
        for file in sorted(path for path in pack.rglob("*") if path.is_file()):
            if file.name != "card.json":
                out.write(file, Path("outer", file.relative_to(pack)))
    card = told(tmp_path, "fetch", benchmark, "--source", tmp_path / "download.zip")
    assert (card["items"], card["questions"], card["bad_rows"], card["pictures_missing"]) == (items, questions, 0, 0)
    run = phoropter(tmp_path, "run", benchmark, "--respondent", "oracle", "--json")
    assert json_of(run)["finished"] == items
    assert run.stderr.startswith(f"data: fetched {benchmark} {items} items")
