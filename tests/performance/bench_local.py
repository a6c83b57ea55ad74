"""A local model: steps a second in batches of 8 against 1, and our loop against the bare one (one thread, no GPU)."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from tests.performance.figures import figure

ITEMS: Final = 48
TOKENS: Final = 64
ROUNDS: Final = 5
BATCH: Final = 8


def main() -> None:
    """Print the figures; say so where torch is not installed."""
    if importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None:
        print("torch and transformers are not installed: make test-local installs them")
        return
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch

    from tests.tiny_models import build

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        for family in ("llava", "idefics3"):
            asyncio.run(_compare(family, build(family, Path(folder) / family, ends=False)))


async def _compare(family: str, folder: Path) -> None:
    from tests.local.asking import items, small_pictures

    asked = items(ITEMS)
    pictures = small_pictures()
    bare = _Bare(folder, pictures)
    runs: dict[str, list[float]] = {"1": [], "8": [], "bare": [], "generate": []}
    for size in (1, BATCH):  # what is done once: drawing, loading, first calls
        await _ours(folder, pictures, asked[:BATCH], size)
    chats = await _chats(folder, pictures, asked)
    bare.run(chats[:BATCH])
    for _ in range(ROUNDS):
        runs["1"].append(await _ours(folder, pictures, asked, 1))
        runs["8"].append(await _ours(folder, pictures, asked, BATCH))
        whole, generating = bare.run(chats)
        runs["bare"].append(whole)
        runs["generate"].append(generating)
    one, eight, loop, generate = (statistics.median(runs[name]) for name in ("1", "8", "bare", "generate"))
    what = f"{family}, {ITEMS} steps of three pictures, {TOKENS} tokens each"
    figure(f"{what}, in batches of {BATCH}", eight, "s", against="one at a time", base=one)
    figure(f"{what}, ours", eight, "s", against="a bare loop over the same prompts", base=loop)
    figure(f"{what}, ours and all", eight, "s", against="model.generate alone", base=generate)


async def _ours(folder: Path, pictures: Any, asked: Any, size: int) -> float:
    """Seconds of a whole run through the engine, the loading left out."""
    from tests.local.asking import requests, run

    model = _respondent(folder, pictures, size)
    await model.answer(requests(1)[0])
    started = time.perf_counter()
    _, totals = await run(model, asked, "direct")
    seconds = time.perf_counter() - started
    assert totals.finished == len(asked)
    await model.close()
    return seconds


async def _chats(folder: Path, pictures: Any, asked: Any) -> list[Any]:
    """What the run above puts to the model, ready made."""
    from core.prompts import prompts_for
    from core.respondents.base import Request
    from core.respondents.local.asking import prepare
    from tests.local.asking import VOILA

    protocol = VOILA.protocols["direct"]("ND", {}, prompts_for("voila"))
    settings = _respondent(folder, pictures, 1).settings
    made = []
    for item in asked:
        turn = protocol.next_turn(item, ())
        assert turn is not None
        made.append(prepare(Request(item, turn), settings, pictures, "").chat(in_parts=True))
    return made


def _respondent(folder: Path, pictures: Any, size: int) -> Any:
    from core.respondents.settings import LocalSettings
    from core.respondents.transformers_local import make_local

    settings = LocalSettings(model=str(folder), dtype="float32", device="cpu", batch_size=size, max_tokens=TOKENS)
    return make_local("tiny", settings, pictures, lambda _: None)


class _Bare:
    """The loop anybody would write: template, generate, decode."""

    def __init__(self, folder: Path, pictures: Any) -> None:
        from core.respondents.local.loading import load

        self._loaded = load("bare", _respondent(folder, pictures, BATCH).settings, lambda: None, lambda _: None)

    def run(self, chats: list[Any]) -> tuple[float, float]:
        """(seconds in all, seconds in generate)"""
        import torch

        processor, model = self._loaded.processor, self._loaded.model
        started, generating = time.perf_counter(), 0.0
        for at in range(0, len(chats), BATCH):
            inputs = processor.apply_chat_template(
                chats[at : at + BATCH],
                add_generation_prompt=True,
                tokenize=True,
                return_dict=True,
                return_tensors="pt",
                processor_kwargs={"padding": True},
            )
            begun = time.perf_counter()
            with torch.inference_mode():
                out = model.generate(**inputs, max_new_tokens=TOKENS)
            generating += time.perf_counter() - begun
            processor.batch_decode(out[:, inputs["input_ids"].shape[-1] :], skip_special_tokens=True)
        return time.perf_counter() - started, generating


if __name__ == "__main__":
    main()
