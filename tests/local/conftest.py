"""Tiny models of every kind, made once; respondents that are closed again."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

DEVICE = os.environ.get("PHOROPTER_DEVICE", "cpu")
HAS_TORCH = all(importlib.util.find_spec(package) is not None for package in ("torch", "transformers"))
collect_ignore_glob = [] if HAS_TORCH else ["test_*.py"]

if HAS_TORCH:
    import torch

    from core.pictures import Pictures
    from core.respondents.settings import LocalSettings
    from core.respondents.transformers_local import LocalModel, make_local
    from tests.local.asking import small_pictures
    from tests.tiny_models import build

    torch.set_num_threads(1)

    Make = Callable[..., LocalModel]

    @pytest.fixture(scope="session")
    def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
        """``folder(family)``: where the model of that family lies."""
        built: dict[tuple[str, bool, bool], Path] = {}

        def made(family: str, *, one_picture: bool = False, ends: bool = True) -> Path:
            key = (family, one_picture, ends)
            if key not in built:
                place = tmp_path_factory.mktemp(family)
                built[key] = build(family, place, one_picture=one_picture, ends=ends)
            return built[key]

        return made

    @pytest.fixture
    async def model(folder: Callable[..., Path]) -> AsyncIterator[Make]:
        """``model(family, **settings)``: the respondent, closed after the test."""
        made: list[LocalModel] = []

        def make(
            family: str = "idefics3", *, one_picture: bool = False, ends: bool = True, **settings: Any
        ) -> LocalModel:
            pictures: Pictures = settings.pop("pictures", None) or small_pictures()
            tell = settings.pop("tell", lambda _: None)
            place = settings.pop("model", None) or str(folder(family, one_picture=one_picture, ends=ends))
            settings = {"dtype": "float32", "device": DEVICE, "max_tokens": 24, **settings}
            made.append(make_local("tiny", LocalSettings(model=place, **settings), pictures, tell))
            return made[-1]

        yield make
        for respondent in made:
            await respondent.close()
