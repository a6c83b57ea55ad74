"""Loading: in stages that are told, can be cancelled, and fail with what to do about it."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import transformers

from core.errors import RespondentError
from core.respondents.local import loading
from core.respondents.local.processors import without_videos
from core.respondents.transformers_local import LocalModel
from tests.local.asking import items, requests, run

Make = Callable[..., LocalModel]
Folder = Callable[..., Path]


async def test_stages_are_told_and_nothing_is_loaded_before_the_first_request(model: Make) -> None:
    told: list[str] = []
    heard: list[str] = []
    tiny = model(tell=told.append)
    request = replace(requests(1)[0], on_loading=heard.append)
    await tiny.preview(request)
    assert told == []
    await tiny.answer(request)
    assert [line.split(" (")[0] for line in told] == [
        "importing torch and transformers",
        "loading the processor",
        "loading the weights",
        "ready on cpu as float32",
    ]
    assert heard == [*told, ""]


async def test_loading_ends_between_stages_once_nobody_waits(model: Make) -> None:
    told: list[str] = []
    request = requests(1)[0]
    task: asyncio.Task[Any]
    loop = asyncio.get_running_loop()

    def tell(line: str) -> None:
        told.append(line)
        if line == "loading the processor" and told.count(line) == 1:
            loop.call_soon_threadsafe(task.cancel)
            while not task.done():
                pass

    tiny = model(tell=tell)
    task = asyncio.create_task(tiny.answer(request))
    with pytest.raises(asyncio.CancelledError):
        await task
    await tiny.close()
    assert not any(line.startswith("loading the weights") for line in told)
    assert (await tiny.answer(request)).text
    assert told.count("loading the processor") == 2


async def test_the_processor_is_loaded_without_torchvision(model: Make, folder: Folder) -> None:
    place = folder("qwen2_5_vl")
    processor = without_videos(str(place))
    assert type(processor).__name__ == "Qwen2_5_VLProcessor"
    assert processor.video_processor.fps == 1
    _, totals = await run(model("qwen2_5_vl"), items(1), "direct")
    assert totals.finished == 1


async def refused(tiny: LocalModel) -> RespondentError:
    with pytest.raises(RespondentError) as error:
        await tiny.answer(requests(1)[0])
    assert error.value.where
    assert error.value.remedy
    return error.value


async def test_a_missing_folder_is_said(model: Make, tmp_path: Path) -> None:
    assert "no such folder" in (await refused(model(model=str(tmp_path / "gone")))).what


async def test_a_folder_without_a_model_is_said(model: Make, tmp_path: Path) -> None:
    assert "config.json is missing" in (await refused(model(model=str(tmp_path)))).what


async def test_a_hub_id_that_cannot_be_had_is_said(model: Make) -> None:
    error = await refused(model(model="nobody/no-such-model"))
    assert "nor to be had from the hub" in error.what


@pytest.mark.parametrize(
    ("without", "what"),
    [
        (("model.safetensors",), "the weights cannot be loaded"),
        (("tokenizer.json", "tokenizer_config.json"), "processor cannot be loaded"),
        (("chat_template.jinja",), "no chat template"),
    ],
)
async def test_a_folder_with_files_missing_says_which_part(
    model: Make, folder: Folder, tmp_path: Path, without: tuple[str, ...], what: str
) -> None:
    place = tmp_path / "copy"
    shutil.copytree(folder("idefics3"), place)
    for name in without:
        (place / name).unlink()
    assert what in (await refused(model(model=str(place)))).what


async def test_a_folder_that_wants_its_own_code_run_is_refused_unless_that_is_allowed(
    model: Make, folder: Folder, tmp_path: Path
) -> None:
    place = tmp_path / "copy"
    shutil.copytree(folder("llama"), place)
    config = json.loads((place / "config.json").read_text())
    config |= {"model_type": "homemade", "auto_map": {"AutoConfig": "own.Own", "AutoModelForCausalLM": "own.Model"}}
    (place / "config.json").write_text(json.dumps(config))
    (place / "own.py").write_text("raise SystemExit('ran')\n")
    told: list[str] = []
    error = await refused(model(model=str(place), tell=told.append))
    assert "code of its own" in error.what
    assert "trust_remote_code = true" in error.remedy
    assert not any("warning" in line for line in told)


async def test_trusting_code_is_warned_of(model: Make) -> None:
    told: list[str] = []
    await model(trust_remote_code=True, tell=told.append).answer(requests(1)[0])
    assert any(line.startswith("warning: trust_remote_code is on") for line in told)


async def test_a_device_that_is_not_there_is_said(model: Make) -> None:
    assert "'cuda:7' cannot be used" in (await refused(model(device="cuda:7"))).what


async def test_weights_that_do_not_fit_are_said(model: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate")

    monkeypatch.setattr(transformers.AutoModelForImageTextToText, "from_pretrained", full)
    assert "do not fit" in (await refused(model())).what


async def test_everybody_who_waits_hears_why_the_model_cannot_be_loaded(model: Make, tmp_path: Path) -> None:
    tiny = model(model=str(tmp_path), batch_size=2)
    asked = requests(5)
    errors = await asyncio.gather(*(tiny.answer(request) for request in asked), return_exceptions=True)
    assert all(isinstance(error, RespondentError) for error in errors)


async def test_other_weights_in_the_same_folder_are_another_model(
    model: Make, folder: Folder, tmp_path: Path
) -> None:
    place = tmp_path / "copy"
    shutil.copytree(folder("idefics3"), place)
    request = requests(1)[0]
    before = await model(model=str(place)).preview(request)
    weights = bytearray((place / "model.safetensors").read_bytes())
    weights[-5] ^= 1
    (place / "model.safetensors").write_bytes(weights)
    assert (await model(model=str(place)).preview(request)) != before


def test_making_the_respondent_imports_no_torch(folder: Folder) -> None:
    place = folder("idefics3")
    code = (
        "import sys; from core.pictures import Pictures; from core.respondents.settings import LocalSettings; "
        "from core.respondents.transformers_local import make_local; "
        f"make_local('t', LocalSettings(model={str(place)!r}), Pictures()); "
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_generation_config_of_the_makers_leaves_no_drawing_behind() -> None:
    config = transformers.GenerationConfig(do_sample=True, temperature=0.7, top_p=0.8, top_k=20, num_beams=4)

    class Ends:
        pad_token_id = 0
        eos_token_id = 1

    loading._plain(config, Ends())
    assert (config.do_sample, config.temperature, config.top_p, config.top_k) == (False, None, None, None)
    assert (config.num_beams, config.pad_token_id, config.eos_token_id) == (1, 0, 1)
