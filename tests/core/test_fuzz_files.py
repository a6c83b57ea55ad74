"""Data, settings, studies, other tools' files, archives and pictures that were damaged: read, or refused in words.

The only errors are ours, each with one message; what is read is whole; nothing is written outside of where it may.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from pathlib import Path

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.config import load_config
from core.errors import PhoropterError, PictureError
from core.fetching.archives import Limits, unpack
from core.fetching.staging import Origin, Staged
from core.foreign import lmms_eval, vlmevalkit, voila_results
from core.interventions import parse
from core.packs import pack
from core.pictures import load_rgb
from core.pictures.loading import MAX_PIXELS, probed
from core.prompts import prompts_for
from core.records import Item
from core.respondents.baselines import make_baseline, read_replay
from core.study.reading import read_study
from core.study.writing import Wish, written
from tests.foreign_files import judge_line, put_lines, sample, voila_entry
from tests.fuzzing import changed, damaged, fuzzed, json_values, nasty

ROWS = 4


@cache
def small_pack(benchmark: str, subset: str) -> tuple[bytes, str]:
    """The beginning of a built-in pack, and its file's ending."""
    file = pack(benchmark, subset)
    if file.suffix == ".json":
        stored = json.loads(file.read_text(encoding="utf-8"))
        rows = dict(list(stored.items())[:ROWS]) if isinstance(stored, dict) else stored[:ROWS]
        return json.dumps(rows, ensure_ascii=False).encode(), file.suffix
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(lines[: ROWS + 1]).encode(), file.suffix


def read_whole(file: Path, benchmark: str, subset: str) -> None:
    """As a run reads it: what is wrong first, then the rows that are right."""
    known = registry.get(benchmark)
    try:
        dataset = known.load(file, subset, LoadOptions())
        problems = dataset.problems()
        good = list(islice(dataset.good(), 100))
        assert len(dataset.digest) == 64
    except PhoropterError as error:
        told(error)
        return
    for problem in problems:
        assert str(problem)
    assert all(isinstance(item, Item) and item.id for item in good)
    assert len({item.id for item in good}) == len(good)
    for item in good:
        assert len(item.hash) == 64
        assert all(inside(picture.path, file.parent) for picture in item.pictures)
        for protocol in known.protocols.values():
            try:
                protocol(dataset.subset, {}, prompts_for(benchmark)).next_turn(item, ())
            except PhoropterError as error:  # a run asks for what its protocol needs when the data are read
                told(error)


def inside(path: str, folder: Path) -> bool:
    return not path or (Path(path).is_relative_to(folder) and ".." not in Path(path).parts)


def told(error: PhoropterError) -> None:
    assert str(error).strip()
    assert "Traceback" not in str(error)


BENCHMARKS = (("voila", "WD"), ("voila", "ND"), ("vrex", ""), ("mmra", ""))


@pytest.mark.parametrize(("benchmark", "subset"), BENCHMARKS)
@fuzzed(25)
@given(data=st.data())
def test_fuzz_a_damaged_data_file_is_read_or_refused(
    tmp_path: Path, benchmark: str, subset: str, data: st.DataObject
) -> None:
    plain, ending = small_pack(benchmark, subset)
    file = tmp_path / f"data{ending}"
    file.write_bytes(data.draw(st.one_of(damaged(plain), damaged(plain), st.binary(max_size=60))))
    read_whole(file, benchmark, subset)


@fuzzed(25)
@given(data=st.data(), delimiter=st.sampled_from(",;\t"))
def test_fuzz_a_table_with_any_cell_is_read_or_refused(tmp_path: Path, data: st.DataObject, delimiter: str) -> None:
    rows = list(csv.reader(io.StringIO(small_pack("voila", "WD")[0].decode())))
    for _ in range(data.draw(st.integers(1, 3))):
        row = data.draw(st.sampled_from(rows))
        row[data.draw(st.integers(0, len(row) - 1))] = data.draw(nasty)
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    (tmp_path / "data.csv").write_bytes(text.getvalue().encode("utf-8", "surrogatepass"))
    read_whole(tmp_path / "data.csv", "voila", data.draw(st.sampled_from(("WD", "ND", ""))))


@pytest.mark.parametrize("benchmark", ["vrex", "mmra"])
@fuzzed(40)
@given(data=st.data())
def test_fuzz_objects_of_another_shape_are_read_or_refused(
    tmp_path: Path, benchmark: str, data: st.DataObject
) -> None:
    plain, ending = small_pack(benchmark, "")
    if ending == ".jsonl":
        rows = [json.loads(line) for line in plain.splitlines()]
        at = data.draw(st.integers(0, len(rows) - 1))
        rows[at] = data.draw(changed(rows[at]))
        text = "".join(json.dumps(row) + "\n" for row in rows)
    else:
        text = json.dumps(data.draw(changed(json.loads(plain))))
    (tmp_path / f"data{ending}").write_text(text, encoding="utf-8")
    read_whole(tmp_path / f"data{ending}", benchmark, "")


# -- settings, prompts, studies

CONFIG = """
[store]
path = "p.db"
[app]
theme = "nord"
[app.keys]
quit = "q"
[respondents.a]
kind = "openai"
model = "m"
base_url = ["http://localhost:1/v1", "http://localhost:2/v1"]
api_key_env = "A_KEY"
temperature = 0.5
max_tokens = 20
[respondents.a.headers]
x-a = "env:B"
[respondents.a.extra_body]
top_k = 1
[respondents.b]
kind = "transformers"
model = "folder"
batch_size = 8
[prices.m]
input = 1.5
output = 2
"""


@cache
def study_text(folder: Path) -> bytes:
    """A new study's file without its remarks: damage is to fall on what is read."""
    text = written(Wish("voila:WD", "people"), folder / "s.toml")
    lines = (line.partition("  #")[0].rstrip() for line in text.split("\n") if not line.startswith("#"))
    return "\n".join(lines).encode()


@fuzzed(60)
@given(text=damaged(CONFIG.encode()))
def test_fuzz_settings_are_read_or_refused(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "phoropter.toml"
    file.write_bytes(text)
    try:
        load_config(file)
    except PhoropterError as error:
        told(error)


@fuzzed(30)
@given(text=damaged(b'[voila]\nrelate = """\nHow? {x} {numbers}\n"""\napply_nd = "a"\n[mmra]\n'))
def test_fuzz_prompts_are_read_or_refused(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "p.toml").write_bytes(text)
    try:
        prompts = prompts_for("voila", tmp_path / "p.toml")
        assert all(prompt.strip() for prompt in prompts.values())
    except PhoropterError as error:
        told(error)


@fuzzed(40)
@given(data=st.data())
def test_fuzz_a_study_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    (tmp_path / "s.toml").write_bytes(data.draw(damaged(study_text(tmp_path), most=6)))
    try:
        study = read_study(tmp_path / "s.toml")
    except PhoropterError as error:
        told(error)
        return
    assert len(study.digest) == 64


ASKED = "describe relate = gold wrong text prompt : . number 1 2 < > , swap".split()


@fuzzed(60)
@given(spec=st.lists(st.sampled_from(ASKED) | nasty, max_size=8).map("".join))
def test_fuzz_what_is_asked_for_in_words_is_understood_or_refused(spec: str) -> None:
    for act in (
        lambda: parse(spec, ("describe", "relate"), ("number", "all")),
        lambda: make_baseline(spec),
        lambda: make_baseline(f"noisy:{spec}"),
        lambda: registry.parse_name(spec),
    ):
        try:
            act()
        except PhoropterError as error:
            told(error)


# -- other tools' files, recorded answers

Reader = Callable[[Path], object]


def refused_or_read(read: Reader, file: Path) -> None:
    try:
        read(file)
    except PhoropterError as error:
        told(error)


VOILA_RESULTS = [voila_entry(0, ["Image 1: two dogs", "number: same", "one fox"]), voila_entry(1, ["", [""], "x"])]
JUDGED = [
    judge_line(1, {"number": 1, "subject": "0"}),
    judge_line(2, "no"),
    judge_line(3, {}, error={"message": "x"}),
]
TABLE = [
    {"index": 1, "question": "Which?", "A": "x", "answer": "A", "prediction": "A. x"},
    {"index": 2, "question": "What?", "A": "y", "answer": "B", "prediction": "Failed to obtain answer via API."},
]
SAMPLES = [sample(0, "The answer is (A)", "A"), sample(1, "", "B", resps=[["B"], ["C"]])]
REPLAYED = [{"item": "voila-1", "step": "describe", "text": "x", "finish_reason": "stop"}, {"item": "1", "step": "a"}]


@pytest.mark.parametrize(
    ("read", "name", "rows"),
    [
        (voila_results.read_results, "r.json", VOILA_RESULTS),
        (voila_results.read_verdicts, "apply.jsonl", JUDGED),
        (lmms_eval.read_results, "x_samples_mmra.jsonl", SAMPLES),
        (vlmevalkit.read_results, "m_d.json", TABLE),
        (read_replay, "r.jsonl", REPLAYED),
    ],
)
@fuzzed(30)
@given(data=st.data())
def test_fuzz_other_tools_objects_are_read_or_refused(
    tmp_path: Path, read: Reader, name: str, rows: list[object], data: st.DataObject
) -> None:
    stored = data.draw(changed(rows))
    file = tmp_path / name
    if name.endswith(".jsonl"):
        put_lines(file, stored if isinstance(stored, list) else [stored])
    else:
        file.write_text(json.dumps(stored), encoding="utf-8")
    refused_or_read(read, file)
    file.write_bytes(data.draw(damaged(file.read_bytes() or b"{}")))
    refused_or_read(read, file)


@cache
def book() -> bytes:
    made = openpyxl.Workbook()
    made.active.append(list(TABLE[0]))  # type: ignore[union-attr]
    for row in TABLE:
        made.active.append(list(row.values()))  # type: ignore[union-attr]
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def parts(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


@fuzzed(30)
@given(data=st.data())
def test_fuzz_a_damaged_workbook_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    file = tmp_path / "m_d.xlsx"
    if data.draw(st.booleans()):
        file.write_bytes(data.draw(damaged(book())))
    else:
        inner = parts(book())
        at = data.draw(st.integers(0, len(inner) - 1))
        inner[at] = (inner[at][0], data.draw(damaged(inner[at][1])))
        zipped(file, inner)
    refused_or_read(vlmevalkit.read_results, file)


@pytest.mark.parametrize("bit", [0, 3])
def test_a_workbook_with_one_bit_turned_is_read_or_refused(tmp_path: Path, bit: int) -> None:
    """In what was packed, too: atheris found that its own error came through."""
    file, whole = tmp_path / "m_d.xlsx", book()
    for at in range(30, len(whole), 61):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        refused_or_read(vlmevalkit.read_results, file)


# -- archives and pictures


def zipped(file: Path, entries: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(file, "w", method) as out:
        for name, content in entries:
            out.writestr(name, content)


NAMES = st.one_of(
    st.sampled_from(("a.csv", "a", "a/b.csv", "a.csv/b.csv", "..", "../a.csv", "/a.csv", "C:a.csv", "a\\..\\b.csv",
                     "./a.csv", "a//b.csv", "a/./b.csv", "~/a.csv", "NUL", "a/aux.json", "a/", ".hidden/a.csv")),
    nasty.filter(lambda name: bool(name.partition("\0")[0]) and not any(0xD800 <= ord(c) < 0xE000 for c in name)),
)  # fmt: skip


@fuzzed(60)
@given(data=st.data())
def test_fuzz_an_archive_is_unpacked_within_its_folder_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    home = tmp_path / str(len(list(tmp_path.iterdir())))
    (home / "made" / "data").mkdir(parents=True)
    archive = home / "a.zip"
    entries = data.draw(
        st.lists(st.tuples(NAMES, st.binary(max_size=30)), min_size=1, max_size=4, unique_by=lambda e: e[0])
    )
    zipped(archive, entries, data.draw(st.sampled_from((zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))))
    if data.draw(st.booleans()):
        archive.write_bytes(data.draw(damaged(archive.read_bytes())))
    before = archive.read_bytes()
    try:
        unpack(archive, Staged(home / "made" / "data", Origin("zip", "a")), lambda *_: None, Limits(total=1 << 20))
    except PhoropterError as error:
        told(error)
    assert archive.read_bytes() == before
    assert {path.relative_to(home).parts[0] for path in home.rglob("*")} <= {"made", "a.zip"}
    assert {path.relative_to(home / "made").parts[0] for path in (home / "made").rglob("*")} == {"data"}


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_with_one_byte_changed_is_unpacked_or_refused(tmp_path: Path, method: int) -> None:
    zipped(tmp_path / "whole.zip", [("a.csv", bytes(range(256)) * 3)], method)
    whole, refused = (tmp_path / "whole.zip").read_bytes(), 0
    for at in range(35, len(whole), 7):
        archive, made = tmp_path / f"{at}.zip", tmp_path / str(at)
        archive.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        made.mkdir()
        try:
            unpack(archive, Staged(made, Origin("zip", "a")), lambda *_: None, Limits(total=1 << 20))
        except PhoropterError as error:
            told(error)
            refused += 1
    assert refused > 3


@cache
def picture(kind: str) -> bytes:
    image = Image.effect_noise((24, 18), 60).convert("P" if kind == "GIF" else "RGB")
    out = io.BytesIO()
    image.save(out, kind, **({"exif": b"Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x00"} if kind == "JPEG" else {}))
    return out.getvalue()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "ICO", "PPM"])
@fuzzed(15)
@given(data=st.data())
def test_fuzz_a_damaged_picture_is_small_enough_or_refused(kind: str, data: st.DataObject) -> None:
    bytes_ = data.draw(damaged(picture(kind)))
    for read in (lambda: load_rgb(bytes_, name="x"), lambda: probed(bytes_, name="x")[0]):
        try:
            image = read()
        except PictureError as error:
            told(error)
        else:
            assert image.width * image.height <= MAX_PIXELS


@fuzzed(20)
@given(value=json_values)
@example(value={"a": [1] * 3})
def test_fuzz_json_of_no_shape_at_all_is_no_data(tmp_path: Path, value: object) -> None:
    for benchmark, ending in (("mmra", ".json"), ("vrex", ".json"), ("vrex", ".jsonl")):
        (tmp_path / f"d{ending}").write_text(json.dumps(value), encoding="utf-8")
        read_whole(tmp_path / f"d{ending}", benchmark, "")
