"""A pipeline run here: pictures in batches, each as if alone; memory, cancelling, and what goes wrong."""

from __future__ import annotations

import asyncio
import inspect
import io
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from diffusers import StableDiffusionPipeline
from PIL import Image

from core.checking import Verdict, check
from core.config import Config
from core.engine import Engine
from core.errors import CallError, RespondentError
from core.plan import Plan
from core.prompts import prompts_for
from core.records import Answer, Origin, Status, Text, Turn
from core.respondents.base import Request
from core.respondents.baselines import make_baseline
from core.respondents.diffusers_local import DiffusersModel, make_diffusers
from core.respondents.diffusing.painting import TENTH
from core.respondents.settings import DiffusersSettings
from core.scoring import scorers_of
from tests.local.asking import VOILA, items
from tests.local.conftest import DEVICE
from tests.memory_journal import MemoryJournal
from tests.tiny_pipelines import WORDS, build

Make = Callable[..., DiffusersModel]
Call = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("pipeline"))


@pytest.fixture
async def maker(folder: Path) -> AsyncIterator[Make]:
    """``maker(**settings)``: the respondent, closed after the test."""
    made: list[DiffusersModel] = []

    def make(**settings: Any) -> DiffusersModel:
        tell = settings.pop("tell", lambda _: None)
        settings = {"model": str(folder), "device": DEVICE, "steps": 2, **settings}
        made.append(make_diffusers("tiny", DiffusersSettings(**settings), tell))
        return made[-1]

    yield make
    for respondent in made:
        await respondent.close()


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the pipeline was asked, call by call."""
    kept: list[dict[str, Any]] = []
    original: Call = StableDiffusionPipeline.__call__

    def watched(
        self: Any, prompt: Any = None, height: Any = None, width: Any = None, num_inference_steps: int = 50,
        guidance_scale: float = 7.5, negative_prompt: Any = None, generator: Any = None, output_type: str = "pil",
        callback_on_step_end: Any = None,
    ) -> Any:  # fmt: skip
        given = {name: value for name, value in locals().items() if name not in ("self", "kept", "original")}
        kept.append(given)
        return original(self, **given)

    monkeypatch.setattr(StableDiffusionPipeline, "__call__", watched)
    return kept


def asking(number: int = 0, words: str = "two dogs walking", **given: Any) -> Request:
    turn = Turn("generate", (Text(f"{words} {number}"),), makes="picture")
    return Request(items(number + 1)[number], turn, **given)


def pixels(answer: Answer) -> bytes:
    assert answer.picture is not None
    return Image.open(io.BytesIO(answer.picture.data)).tobytes()


def far(one: Answer, other: Answer) -> int:
    """The largest difference of two pictures in any pixel."""
    return max(abs(a - b) for a, b in zip(pixels(one), pixels(other), strict=True))


async def test_each_picture_of_a_batch_is_the_one_it_would_be_alone(maker: Make) -> None:
    single, batched = maker(), maker(batch_size=3)
    alone = [await single.answer(asking(number)) for number in range(3)]
    together = await asyncio.gather(*(batched.answer(asking(number)) for number in range(3)))
    for one, other in zip(alone, together, strict=True):
        assert far(one, other) <= 2, "but for rounding"
        assert other.call is not None
        assert other.call.reply["batch"] == 3
    assert min(far(alone[0], other) for other in alone[1:]) > 20
    picture = alone[0].picture
    assert picture is not None
    assert (picture.size, picture.mime, alone[0].text, alone[0].status) == ((64, 64), "image/png", "", Status.OK)


async def test_a_seed_is_the_runs_the_items_and_the_repeats(maker: Make) -> None:
    model = maker()
    first = await model.answer(asking())
    assert pixels(await model.answer(asking())) == pixels(first)
    others = [
        await model.answer(asking(repeat=1)),
        await model.answer(asking(seed=1)),
        await maker(seed=1).answer(asking()),
        await model.answer(asking(words="one fox typing")),
    ]
    assert len({pixels(other) for other in (first, *others)}) == 5
    hashes = [other.call.request_hash for other in (first, *others) if other.call is not None]
    assert len(set(hashes)) == 5


async def test_what_is_set_reaches_the_pipeline_and_identifies_the_maker(
    maker: Make, called: list[dict[str, Any]]
) -> None:
    model = maker(steps=2, guidance=1.5, width=32, height=48, negative_prompt="blurred")
    answer = await model.answer(asking())
    assert answer.picture is not None
    assert answer.picture.size == (32, 48)
    (given,) = called
    assert (given["num_inference_steps"], given["guidance_scale"], given["negative_prompt"]) == (2, 1.5, ["blurred"])
    assert model.identity != maker(steps=2).identity
    assert maker(batch_size=8).identity == maker().identity


async def test_it_says_how_far_it_is(maker: Make) -> None:
    told: list[str] = []
    await maker(steps=2).answer(asking(), told.append)
    assert told == ["50% ", "100% "]


async def test_words_beyond_what_the_encoder_reads_are_told(maker: Make) -> None:
    answer = await maker().answer(asking(words="walking " * 30))
    assert answer.call is not None
    assert answer.call.reply["tokens_read"] == WORDS
    assert answer.call.usage.prompt_tokens > WORDS


async def test_a_batch_that_does_not_fit_is_halved_until_it_does(
    maker: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    original: Call = StableDiffusionPipeline.__call__
    tried: list[int] = []

    def tight(self: Any, prompt: list[str], **given: Any) -> Any:
        tried.append(len(prompt))
        if len(prompt) > 2:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return original(self, prompt, **given)

    tight.__signature__ = inspect.signature(original)  # type: ignore[attr-defined]
    monkeypatch.setattr(StableDiffusionPipeline, "__call__", tight)
    told: list[str] = []
    model = maker(batch_size=8, tell=told.append)
    answers = await asyncio.gather(*(model.answer(asking(number)) for number in range(8)))
    assert all(answer.picture is not None for answer in answers)
    assert tried[0] == 8
    assert max(tried[3:]) <= 2
    assert any("8 pictures at once; going on with 4" in line for line in told)


async def test_cancelling_stops_at_the_next_step(maker: Make, called: list[dict[str, Any]]) -> None:
    """The next picture begins before the first one's steps are through."""
    model = maker(steps=200)
    for number in range(2):
        begun = asyncio.Event()
        task = asyncio.create_task(model.answer(asking(number), lambda _, begun=begun: begun.set()))
        await asyncio.wait_for(begun.wait(), 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert len(called) == 2
    assert called[0]["callback_on_step_end"].told < TENTH


async def test_a_picture_that_its_own_filter_held_back_is_a_refusal(
    maker: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(self: Any, prompt: list[str], num_inference_steps: int, generator: Any, output_type: str) -> Any:
        return SimpleNamespace(images=[Image.new("RGB", (8, 8))], nsfw_content_detected=[True])

    monkeypatch.setattr(StableDiffusionPipeline, "__call__", held)
    answer = await maker().answer(asking())
    assert (answer.status, answer.picture) == (Status.REFUSAL, None)


async def test_an_option_that_the_pipeline_does_not_know_is_named(
    maker: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bare(self: Any, prompt: list[str], generator: Any, output_type: str) -> Any:
        raise AssertionError

    monkeypatch.setattr(StableDiffusionPipeline, "__call__", bare)
    with pytest.raises(RespondentError, match=r"takes no num_inference_steps, guidance_scale.*Leave that out"):
        await maker(guidance=2.0).answer(asking())


async def test_a_pipeline_that_breaks_fails_that_picture_alone(maker: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, prompt: list[str], num_inference_steps: int, generator: Any, output_type: str) -> Any:
        raise ValueError("no such luck")

    monkeypatch.setattr(StableDiffusionPipeline, "__call__", broken)
    with pytest.raises(CallError, match="ValueError: no such luck") as caught:
        await maker().answer(asking())
    assert not caught.value.fatal
    assert caught.value.call is not None


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (None, "no such folder"),
        ({}, "model_index.json is missing"),
        ({"model_index.json": "{}"}, "cannot be loaded|makes no pictures"),
        ({"model_index.json": '{"_class_name": "DDPMPipeline"}'}, "makes no pictures from words"),
    ],
)
async def test_a_folder_without_a_pipeline_is_refused(
    maker: Make, tmp_path: Path, files: dict[str, str] | None, says: str
) -> None:
    place = tmp_path / "model"
    if files is not None:
        place.mkdir()
        for name, text in files.items():
            (place / name).write_text(text)
    with pytest.raises(RespondentError, match=says):
        await maker(model=str(place)).answer(asking())


async def test_words_are_not_asked_of_it(maker: Make) -> None:
    with pytest.raises(RespondentError, match="makes pictures and nothing else"):
        await maker().answer(Request(items(1)[0], Turn("apply", (Text("Say it."),))))


async def test_other_weights_in_a_part_are_another_maker(maker: Make, folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for file in folder.rglob("*"):
        if file.is_file():
            (copy / file.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
            (copy / file.relative_to(folder)).write_bytes(file.read_bytes())

    async def weights() -> str:
        return str((await maker(model=str(copy)).preview(asking()))["weights"])

    before = await weights()
    config = copy / "unet" / "config.json"
    config.write_text(config.read_text() + " ")
    assert before != await weights()


async def test_it_makes_the_fourth_picture_of_a_whole_run(maker: Make) -> None:
    protocol = VOILA.protocols["l2m"]("ND", {"generate": "yes"}, prompts_for("voila"))
    oracle = make_baseline("oracle")
    assert oracle is not None
    plan = Plan(VOILA, protocol, oracle, scorers_of(VOILA), {"generate": maker(batch_size=4)})
    plan.check()
    journal = MemoryJournal()
    totals = await Engine(plan, journal).run(items(4))
    assert totals.finished == 4
    lasts = [trajectory.steps[-1] for trajectory in journal.trajectories.values()]
    assert {(last.turn.step, last.lane, last.origin) for last in lasts} == {
        ("generate", "generate=@tiny", Origin.RESPONDENT)
    }
    assert len({last.answer.picture.hash for last in lasts if last.answer.picture is not None}) == 4


async def test_a_check_paints_the_picture_of_the_fourth_step(folder: Path) -> None:
    settings = DiffusersSettings(model=str(folder), device=DEVICE, steps=2)
    report = await check("tiny", Config(respondents={"tiny": settings}))
    assert (report.usable, report.step) == (True, "generate")
    assert [line.name for line in report.lines if line.verdict is Verdict.YES][:2] == ["reachable", "largest turn"]
    gone = DiffusersSettings(model=str(folder / "nowhere"), device=DEVICE)
    report = await check("tiny", Config(respondents={"tiny": gone}))
    assert [(line.name, line.verdict) for line in report.lines] == [("reachable", Verdict.NO)]
    assert "no such folder" in report.lines[0].what
