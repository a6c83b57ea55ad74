"""Files to items: JSON lines, an array, parquet in its shapes, hub folders, pictures, and other names for fields."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as parquet_files
import pytest
from PIL import Image

from core.benchmarks.vrex.question import question, title
from core.errors import DataError, UsageError
from core.records import Item
from tests.vrex_data import Row, loaded, row, rows, write

FOUR = rows(4)


def facts(file: Path, **options: Any) -> list[tuple[str, dict[str, str], dict[str, Any]]]:
    dataset = loaded(file, **options)
    assert dataset.problems() == []
    return [(item.id, dict(item.groups), dict(item.facts)) for item in dataset]


@pytest.fixture
def plain(tmp_path: Path) -> list[tuple[str, dict[str, str], dict[str, Any]]]:
    return facts(write(tmp_path / "plain", FOUR))


# -- JSON


def test_the_example_of_the_documentation_loads(tmp_path: Path) -> None:
    page = (Path(__file__).parents[4] / "docs" / "vrex.md").read_text(encoding="utf-8")
    example = page[page.index('    {"id": "map-001"') : page.index("- `kind` is")]
    made = json.loads(example)
    for protocol in ("planning", "following", "direct"):
        file = write(tmp_path, [made])
        dataset = loaded(file, protocol=protocol)
        assert dataset.problems() == []
        assert [item.id for item in dataset] == ["map-001"]


def test_the_documented_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    items = list(loaded(write(tmp_path, FOUR)))
    for item, made in zip(items, FOUR, strict=True):
        assert (item.id, item.benchmark, item.subset) == (made["id"], "vrex", "")
        assert item.groups == {"category": made["category"], "scenario": made["scenario"]}
        assert item.facts == {key: made[key] for key in ("question", "options", "answer", "steps")}
        assert question(item).to_facts() == item.facts
        (picture,) = item.pictures
        assert Path(picture.path) == tmp_path / made["image"]
    assert title(items[0]) == f"{FOUR[0]['question']} (1 step before it)"


def test_an_array_blank_lines_and_a_byte_order_mark_are_read_too(tmp_path: Path, plain: object) -> None:
    for name, text in (
        ("array.json", json.dumps(FOUR, indent=2)),
        ("array.jsonl", "\n" + json.dumps(FOUR)),
        ("blank.jsonl", "\n\n".join(map(json.dumps, FOUR)) + "\n\n"),
        ("windows.jsonl", "\r\n".join(map(json.dumps, FOUR)) + "\r\n"),
    ):
        for mark in (b"", b"\xef\xbb\xbf"):
            (tmp_path / name).write_bytes(mark + text.encode())
            assert facts(tmp_path / name) == plain


def test_the_digest_is_of_the_bytes(tmp_path: Path) -> None:
    file = write(tmp_path, FOUR)
    before = loaded(file).digest
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert loaded(file).digest != before


def test_what_may_be_left_out_is_filled_in(tmp_path: Path) -> None:
    made = row(0, 2, random.Random(1)) | {"scenario": "word puzzle"}
    del made["id"], made["category"]
    made["options"] = {"A": 3, "B": 4.5}
    made["answer"] = "(b)"
    for step in made["steps"]:
        del step["answer"]
        for option in step["planning"]["options"].values():
            del option["kind"]
    ((item_id, groups, found),) = facts(write(tmp_path, [made]))
    assert item_id == "vrex-1"
    assert groups == {"category": "Retrieval", "scenario": "Word Puzzle"}
    assert (found["options"], found["answer"]) == ({"A": "3", "B": "4.5"}, "B")
    step = found["steps"][0]
    assert step["answer"] == step["following"]["options"][step["following"]["answer"]]
    assert {option["kind"] for option in step["planning"]["options"].values()} == {""}


def test_an_answer_may_be_the_words_of_its_option(tmp_path: Path) -> None:
    made = row(0, 1, random.Random(1))
    letter = made["answer"]
    made["answer"] = made["options"][letter]
    assert facts(write(tmp_path, [made]))[0][2]["answer"] == letter


def test_a_count_that_differs_from_the_papers_is_no_problem(tmp_path: Path) -> None:
    assert loaded(write(tmp_path, rows(1))).problems() == []


def test_a_part_is_needed_only_where_the_protocol_asks_it(tmp_path: Path) -> None:
    made = rows(3)
    made[0]["steps"] = []
    del made[1]["steps"][0]["planning"]
    del made[2]["steps"][1]["following"]
    file = write(tmp_path, made)
    assert loaded(file).problems() == []
    assert loaded(file, protocol="direct").problems() == []
    places = [(p.row, p.field) for p in loaded(file, protocol="planning").problems()]
    assert places == [(1, "steps"), (2, "steps[1].planning")]
    places = [(p.row, p.field) for p in loaded(file, protocol="following").problems()]
    assert places == [(1, "steps"), (3, "steps[2].following")]


# -- folders


def hub(tmp_path: Path, made: list[Row]) -> Path:
    """A snapshot in the hub's cache: symbolic links into blobs."""
    cache = tmp_path / "hub" / "datasets--somebody--vrex"
    snapshot, blobs = cache / "snapshots" / "0a1b2c", cache / "blobs"
    blobs.mkdir(parents=True)
    real = write(tmp_path / "real", made)
    for number, source in enumerate([real, *sorted((tmp_path / "real" / "images").iterdir())]):
        blob = blobs / f"blob{number}"
        source.rename(blob)
        link = snapshot / source.relative_to(tmp_path / "real")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(Path("../" * (len(link.relative_to(cache).parts) - 1)) / "blobs" / blob.name)
    (snapshot / "dataset_infos.json").write_text("{}", encoding="utf-8")
    return snapshot


def test_a_hub_snapshot_is_read_through_its_links(tmp_path: Path, plain: object) -> None:
    snapshot = hub(tmp_path, FOUR)
    for path in (snapshot, snapshot / "vrex.jsonl", snapshot.parents[1]):
        assert facts(path) == plain
        for item in loaded(path):
            assert Path(item.pictures[0].path).is_file()


def test_any_other_way_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    made = rows(5)
    names = ["../out.png", "/etc/hostname", "C:\\out.png", "images/link.png", "images/folder/out.png"]
    for each, name in zip(made, names, strict=True):
        each["image"] = name
    file = write(tmp_path / "data", made, images=False)
    Image.new("RGB", (4, 4)).save(tmp_path / "out.png")
    (tmp_path / "data" / "images").mkdir()
    (tmp_path / "data" / "images" / "link.png").symlink_to(tmp_path / "out.png")
    (tmp_path / "data" / "images" / "folder").symlink_to(tmp_path)
    problems = loaded(file).problems()
    assert [(p.row, p.field) for p in problems] == [(number, "image") for number in range(1, 6)]
    assert all("leads out of the folder" in p.what for p in problems)


def test_a_data_file_that_links_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    real = write(tmp_path / "real", FOUR)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "vrex.jsonl").symlink_to(real)
    with pytest.raises(DataError, match="leads out of the folder"):
        loaded(tmp_path / "data")


def test_of_several_data_files_none_is_guessed(tmp_path: Path) -> None:
    write(tmp_path, FOUR, "one.jsonl")
    write(tmp_path, FOUR, "two.jsonl")
    with pytest.raises(DataError, match=r"one.jsonl, two.jsonl"):
        loaded(tmp_path)
    with pytest.raises(DataError, match="no data file"):
        loaded(tmp_path / "images")
    with pytest.raises(DataError, match="no such file"):
        loaded(tmp_path / "three.jsonl")
    (tmp_path / "table.csv").write_text("a,b\n", encoding="utf-8")
    with pytest.raises(DataError, match="ends in none of"):
        loaded(tmp_path / "table.csv")


def test_pictures_may_lie_in_another_folder(tmp_path: Path) -> None:
    file = write(tmp_path / "data", FOUR, images=False)
    item = next(iter(loaded(file, pictures=tmp_path)))
    assert Path(item.pictures[0].path) == tmp_path / FOUR[0]["image"]
    with pytest.raises(UsageError, match="no such folder"):
        loaded(file, pictures=tmp_path / "none")


# -- other names


def renamed(made: Row) -> Row:
    """The same row as somebody else might keep it."""
    return {
        "uid": made["id"],
        "meta": {"picture": made["image"], "kind": made["category"], "sub": made["scenario"]},
        "final": {"q": made["question"], "choices": made["options"], "gold": made["answer"]},
        "chain": [
            {
                "q": step["question"],
                "a": step["answer"],
                "answer_options": step["following"]["options"],
                "answer_gold": step["following"]["answer"],
                "plan": {
                    "options": {
                        letter: {"text": option["question"], "reply": option["answer"], "kind": option["kind"]}
                        for letter, option in step["planning"]["options"].items()
                    },
                    "answer": step["planning"]["answer"],
                },
            }
            for step in made["steps"]
        ],
    }


MAPPING = {
    "id": "uid",
    "image": "meta.picture",
    "category": "meta.kind",
    "scenario": "meta.sub",
    "question": "final.q",
    "options": "final.choices",
    "answer": "final.gold",
    "steps": "chain",
    "steps.question": "q",
    "steps.answer": "chain.a",
    "steps.following.options": "answer_options",
    "steps.following.answer": "chain.answer_gold",
    "steps.planning": "plan",
    "steps.planning.options.question": "text",
    "steps.planning.options.answer": "chain.plan.options.reply",
}


def test_other_names_are_mapped_also_nested_ones(tmp_path: Path, plain: object) -> None:
    file = write(tmp_path, map(renamed, FOUR), images=False)
    assert facts(file, mapping=MAPPING) == plain
    assert facts(file, mapping={theirs: ours for ours, theirs in MAPPING.items()}) == plain


def test_a_mapping_without_a_field_on_either_side_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path, FOUR, images=False)
    with pytest.raises(UsageError, match=r"Did you mean steps.question\?"):
        loaded(file, mapping={"steps.questions": "q"})


# -- parquet


def parquet(folder: Path, made: list[dict[str, Any]], name: str = "test-00000-of-00001.parquet") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    parquet_files.write_table(pyarrow.Table.from_pylist(made), file)
    return file


def png() -> bytes:
    from io import BytesIO

    out = BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    return out.getvalue()


def test_nested_columns_come_back_as_they_were_written(tmp_path: Path, plain: object) -> None:
    folder = tmp_path / "parquet"
    file = parquet(folder, [made | {"image": {"bytes": png(), "path": made["image"]}} for made in FOUR])
    assert facts(file) == plain
    items: list[Item] = list(loaded(folder))
    assert [item.pictures[0].data for item in items] == [png()] * 4
    assert [item.pictures[0].name for item in items] == [made["image"] for made in FOUR]


def test_a_struct_has_no_option_where_a_row_has_fewer(tmp_path: Path) -> None:
    made = rows(3)
    made[1]["options"] = {"A": "left", "B": "right"}
    made[1]["answer"] = "A"
    found = facts(parquet(tmp_path, made))
    assert found == facts(write(tmp_path / "plain", made, images=False))
    assert found[1][2]["options"] == {"A": "left", "B": "right"}


def test_dotted_columns_and_columns_of_json_come_back_too(tmp_path: Path, plain: object) -> None:
    as_json = [made | {"options": json.dumps(made["options"]), "steps": json.dumps(made["steps"])} for made in FOUR]
    assert facts(parquet(tmp_path / "json", as_json)) == plain

    def flat(value: Any, name: str) -> dict[str, Any]:
        if isinstance(value, dict):
            inner = value.items()
        elif isinstance(value, list):
            inner = ((str(at), each) for at, each in enumerate(value, 1))  # type: ignore[assignment]
        else:
            return {name: value}
        return {
            key: each for part, held in inner for key, each in flat(held, f"{name}.{part}" if name else part).items()
        }

    dotted = [flat(made, "") for made in FOUR]
    names = list(dict.fromkeys(name for each in dotted for name in each))
    assert facts(parquet(tmp_path / "dotted", [{name: each.get(name) for name in names} for each in dotted])) == plain


def test_bytes_alone_are_a_picture_and_shards_are_one_table(tmp_path: Path) -> None:
    made = [each | {"image": png()} for each in rows(4)]
    parquet(tmp_path, made[:2], "data/test-00000-of-00002.parquet")
    parquet(tmp_path, made[2:], "data/test-00001-of-00002.parquet")
    items = list(loaded(tmp_path))
    assert [item.id for item in items] == [each["id"] for each in made]
    assert [item.pictures[0].name for item in items] == [each["id"] for each in made]


def test_a_parquet_row_without_a_picture_is_a_problem(tmp_path: Path) -> None:
    made = [each | {"image": {"bytes": png() if at else None, "path": None}} for at, each in enumerate(rows(2))]
    problems = loaded(parquet(tmp_path, made)).problems()
    assert [(p.row, p.field) for p in problems] == [(1, "image")]
