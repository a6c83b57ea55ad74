"""A respondent is made from its name alone, and an unknown name is answered with the nearest."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace

import pytest

from core.config import Config
from core.errors import RespondentError, UsageError
from core.pictures import Pictures
from core.respondents.base import PictureMaker, Request
from core.respondents.openai_server import OpenAIServer
from core.respondents.registry import make, names
from core.respondents.settings import DiffusersSettings, ImagesSettings, LocalSettings, ServerSettings
from tests.servers import FaultServer, Received, Reply, says

CONFIG = Config(
    respondents={
        "near": ServerSettings(model="m", base_url=("http://127.0.0.1:1/v1",), concurrency=3),
        "small": LocalSettings(model="hub/id"),
        "oracle-like": ServerSettings(model="o", base_url=("http://127.0.0.1:1/v1",)),
    }
)


def test_a_configured_name_is_a_model_with_its_settings() -> None:
    model = make("near", CONFIG, Pictures(), environment={})
    assert (model.name, model.kind, model.in_flight, model.identity["model"]) == ("near", "model", 3, "m")


def test_a_model_at_an_address_needs_no_configuration() -> None:
    model = make("openai:org/model@v2@http://127.0.0.1:8000/v1", Config(), Pictures(), environment={})
    assert isinstance(model, OpenAIServer)
    assert (model.settings.model, model.settings.base_url) == ("org/model@v2", ("http://127.0.0.1:8000/v1",))
    assert model.name == "openai:org/model@v2@http://127.0.0.1:8000/v1"


@pytest.mark.parametrize("name", ["openai:", "openai:@http://x/v1", "openai:m@localhost:8000"])
def test_half_an_address_is_refused_with_the_form(name: str) -> None:
    with pytest.raises(UsageError, match="openai:MODEL@URL"):
        make(name, Config(), Pictures(), environment={})


@pytest.mark.parametrize("name", ["oracle", "random", "noisy:0.5"])
def test_baselines_are_built_in(name: str) -> None:
    assert make(name, CONFIG, Pictures()).kind == "baseline"


def test_an_unknown_name_is_told_with_the_nearest_and_the_list() -> None:
    with pytest.raises(UsageError, match=r"no respondent 'neer'; the nearest is near.*near, small.*noisy:P"):
        make("neer", CONFIG, Pictures())
    assert names(CONFIG)[:2] == ["near", "small"]


def test_a_local_model_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(
        RespondentError, match=r"small: local models need the package torch\. Install phoropter\[local\]"
    ):
        make("small", CONFIG, Pictures())


def test_a_local_model_is_made_without_importing_what_it_runs_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    model = make("small", CONFIG, Pictures())
    assert (model.name, model.kind, model.looks, model.draws) == ("small", "model", True, False)
    assert model.identity["model"] == "hub/id"
    assert not {"device", "device_map", "batch_size"} & set(model.identity)


def test_makers_of_pictures_are_made_by_their_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    makers = Config(
        respondents={
            "here": DiffusersSettings(model="hub/id"),
            "there": ImagesSettings(model="m", base_url=("http://127.0.0.1:1/v1",), concurrency=3),
        },
        concurrency=7,
    )
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(RespondentError, match=r"here: .* needs the package torch\. Install phoropter\[images\]"):
        make("here", makers, Pictures())
    monkeypatch.setattr("importlib.util.find_spec", lambda _: object())
    for name, in_flight in (("here", 2), ("there", 7)):
        maker = make(name, makers, Pictures(), environment={})
        assert (maker.name, maker.kind, maker.draws, maker.in_flight) == (name, "model", True, in_flight)
        assert isinstance(maker, PictureMaker)
    assert not isinstance(make("oracle", makers, Pictures()), PictureMaker)


def test_making_a_model_imports_no_client() -> None:
    code = (
        "import sys; from core.config import Config; from core.pictures import Pictures;"
        "from core.respondents.registry import make;"
        "make('openai:m@http://127.0.0.1:1/v1', Config(), Pictures(), environment={});"
        "print([m for m in ('openai', 'httpx2', 'pydantic', 'torch', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_the_number_at_once_that_is_asked_for_goes_before_the_servers_own(request_: Request) -> None:
    most = {}
    expected = 0

    async def held(_: Received) -> Reply:
        """Answered once as many are there as are expected: then the number does not hang on how fast they come."""
        for _ in range(500):
            if server.most_at_once >= expected:
                break
            await asyncio.sleep(0.01)
        return replace(says("B"), delay=0.02)

    for wanted in (0, 2, 24):
        async with FaultServer(held) as server:
            given = {"own": ServerSettings(model="m", base_url=(server.url,), concurrency=4)}
            for name in ("own", f"openai:m@{server.url}"):
                config = Config(respondents=given, concurrency=wanted)
                respondent = make(name, config, Pictures(), environment={})
                server.most_at_once, expected = 0, respondent.in_flight
                await asyncio.gather(*(respondent.answer(request_) for _ in range(30)))
                await respondent.close()
                most[wanted, name[:3]] = (server.most_at_once, respondent.in_flight)
                plain = make(name, Config(respondents=given), Pictures(), environment={})
                assert respondent.identity == plain.identity
    assert most == {
        (0, "own"): (4, 4),
        (0, "ope"): (16, 16),
        (2, "own"): (2, 2),
        (2, "ope"): (2, 2),
        (24, "own"): (24, 24),
        (24, "ope"): (24, 24),
    }
