"""What is checked before an MMRA run: pictures that will be shown, who describes, what is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.config import load_config
from core.errors import DataError, UsageError
from core.planning import Prepared, Request, prepare
from core.selection import Filter
from tests.core.pictures.test_loading import one_bit_png
from tests.mmra_data import every_subtask, made_rows, metadata, pack

MODEL = "openai:somebody@http://127.0.0.1:9/v1"


def prepared(data: Path, **more: Any) -> Prepared:
    config = data.parent / "phoropter.toml"
    config.touch()
    return prepare(Request("mmra", data=data, **more), load_config(config))


def test_missing_pictures_refuse_a_run_only_where_they_will_be_shown(tmp_path: Path) -> None:
    """The first item is described, so that DQ shows nothing of it; the second is not."""
    rows = made_rows({"US": 2})
    rows[0] |= {"description1": "A bench.", "description2": "A tree.", "image1": "gone1.png"}
    rows[1] |= {"image2": "gone2.png"}
    file = metadata(tmp_path, rows)
    assert len(prepared(file, protocol="qo", respondent=MODEL).selection) == 2
    assert len(prepared(file, protocol="dq", respondent="oracle").selection) == 2
    with pytest.raises(DataError) as refused:
        prepared(file, protocol="dq", respondent=MODEL)
    assert "gone2.png" in str(refused.value)
    assert "gone1.png" not in str(refused.value)
    with pytest.raises(DataError) as refused:
        prepared(file, protocol="iq", respondent=MODEL)
    assert "gone1.png" in str(refused.value)
    kept = prepared(file, protocol="dq", respondent="oracle", respondents_at={"describe": MODEL}, skip_bad=True)
    assert [item.id for item in kept.selection] == ["us-001"]


def test_items_whose_pictures_are_torn_or_too_large_can_be_skipped(tmp_path: Path) -> None:
    rows = made_rows({"US": 4})
    file = metadata(tmp_path, rows)
    (tmp_path / rows[1]["image2"]).write_bytes(one_bit_png(9000, 9000))
    torn = tmp_path / rows[2]["image1"]
    torn.write_bytes(torn.read_bytes()[:-30])
    kept = prepared(file, protocol="iq", respondent=MODEL, skip_bad=True)
    assert [item.id for item in kept.selection] == ["us-001", "us-004"]
    assert len(kept.left_out) == 2
    assert "9000 x 9000 pixels are too many" in str(kept.left_out[0])
    assert "torn" in str(kept.left_out[1])


def test_who_describes_can_be_named_for_both_pictures_or_one(tmp_path: Path) -> None:
    file = pack(tmp_path)
    for step in ("describe", "describe.2"):
        plan = prepared(file, protocol="dq", respondents_at={step: "random"}).plan
        assert plan.respondent_for("describe.2").name == "random"
        assert plan.respondent_for("answer").name == "oracle"
    for protocol, step in (("iq", "describe"), ("dq", "describe.3"), ("dq", "caption")):
        with pytest.raises(UsageError, match="no step"):
            prepared(file, protocol=protocol, respondents_at={step: "random"})


def test_what_a_protocol_asks_nothing_of_is_left_out_before_a_sample_is_drawn(tmp_path: Path) -> None:
    file = metadata(tmp_path, made_rows(every_subtask(10)))
    whole = prepared(file, options={"swap": "yes"}).selection
    assert len(whole) == 32
    assert len(list(whole.uncovered())) == 110 - 32
    sample = prepared(file, options={"swap": "yes"}, filter=Filter({}, sample=30)).selection
    assert len(sample) == 30
    assert {item.id for item in sample} <= {item.id for item in whole}
    assert not list(prepared(file).selection.uncovered())
    with pytest.raises(UsageError, match="asks nothing of any"):
        prepared(file, options={"swap": "yes"}, filter=Filter({"subtask": ("US",)}))


def test_there_are_no_drawn_pictures(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no drawn pictures"):
        prepared(pack(tmp_path), pictures="drawn")
