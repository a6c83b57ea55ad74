"""The small model that ships with the program: its files, that it says live what is recorded, and how it was made."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Final

import numpy as np
import pytest
import torch
import transformers

from core.config import Config
from core.eyes import sight
from core.eyes.album import Album, draw_album
from core.eyes.analogies import drill, frame, seen_alone
from core.eyes.crew import Crew
from core.eyes.curriculum import Kind, Stage
from core.eyes.model import look, new_model, normalised, tokenizer_from
from core.eyes.recording import SITTINGS, pictures_of, recorded
from core.eyes.scenes import others, voila
from core.eyes.schedule import Schedule
from core.eyes.sight import SightTask
from core.eyes.talking import TalkTask
from core.eyes.talks import Talk
from core.eyes.training import train
from core.prompts import built_in
from core.respondents import eyes
from core.respondents.base import Request
from core.respondents.registry import make
from core.respondents.request_body import messages
from tests.local.asking import VOILA, items

LIMIT = 7_000_000


def test_its_folder_is_an_ordinary_model_of_under_seven_megabytes() -> None:
    folder = eyes.folder()
    files = [file for file in folder.iterdir() if file.is_file()]
    assert sum(file.stat().st_size for file in files) < LIMIT
    assert all(file.stat().st_mode & stat.S_IROTH for file in files)
    loaded = transformers.AutoModelForImageTextToText.from_pretrained(folder, local_files_only=True)
    assert type(loaded) is transformers.Idefics3ForConditionalGeneration
    assert 2_500_000 < sum(weight.numel() for weight in loaded.parameters()) < 3_500_000
    processor = transformers.AutoProcessor.from_pretrained(folder, local_files_only=True)
    assert type(processor) is transformers.Idefics3Processor
    assert [file.name for file in folder.glob("*.py")] == ["__init__.py"]  # no code of its own


async def test_recorded_and_live_greedy_answers_are_equal() -> None:
    kept = {}
    for line in (eyes.folder() / eyes.ANSWERS).read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        kept[entry["asked"]] = entry
    for name in ("voila", "mmra", "vrex"):
        respondent = make(eyes.NAME, Config(), pictures_of(name))
        said = await recorded(respondent, [sitting for sitting in SITTINGS if sitting.benchmark == name], limit=2)
        await respondent.close()
        assert len(said) >= 2
        for entry in said:
            assert entry == kept[entry["asked"]]


def test_what_it_learned_from_is_what_the_app_asks() -> None:
    """Talks are written as its processor writes the app's messages."""
    processor = transformers.AutoProcessor.from_pretrained(eyes.folder(), local_files_only=True)
    (item,) = items(1)
    turn = VOILA.protocols["l2m"]("ND", {}, built_in("voila")).next_turn(item, ())
    assert turn is not None
    request = Request(item, turn)
    talk = Talk()
    (asked, *_) = frame("ND", "l2m", "sequence", -1)
    talk.ask(asked)
    pictures = pictures_of("voila")
    sent = messages(request, "", lambda show: pictures.sent(request.item, show))
    image = pictures.image(request.item, request.turn.shows[0])
    shown = {"type": "image", "image": image}
    content = [shown if part["type"] == "image_url" else part for part in sent[0]["content"]]
    chat = [{"role": "user", "content": content}]
    given = processor.apply_chat_template(
        [chat], add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
    )
    own = processor.tokenizer("".join(text for text, _ in talk.pieces)).input_ids
    assert given["input_ids"][0].tolist() == own


def test_training_looks_at_pictures_as_the_model_does(album: Album) -> None:
    loaded = transformers.AutoModelForImageTextToText.from_pretrained(
        eyes.folder(), local_files_only=True, dtype=torch.float32
    ).eval()
    pixels = normalised(np.stack(album.pixels[:2]))
    with torch.no_grad():
        ours = look(loaded, pixels)
        theirs = loaded.model.get_image_features(pixels[None], return_dict=True)
    found = theirs.pooler_output
    whole = found if isinstance(found, torch.Tensor) else torch.cat(list(found))
    assert torch.allclose(ours, whole.reshape(ours.shape), atol=1e-4)


# -- how it was made, in small

FEW: Final = (Kind("alone", seen_alone, 8, "alone", 0), Kind("drill", drill, 16, "drill", 1))


@pytest.fixture(scope="module")
def album() -> Album:
    """Sixteen of VOILA's contents, each four times, and one picture of each of MMRA's kinds."""
    shown = [scene for scene in voila(4) if scene.seen["subject"] in ("rabbit", "bear")]
    few = [scene for scene in shown if scene.seen["action"] in ("reading", "swimming")]
    return draw_album([*few, *others(1)])


def crew_for(album: Album, *, helped: bool = False) -> Crew:
    """An untrained model, the same each time, and what is to be learned."""
    tokenizer = tokenizer_from(album, FEW, talks=2)
    torch.manual_seed(0)
    made = new_model(tokenizer)
    return Crew(
        {
            "sight": SightTask(made, album),
            "talk": TalkTask(made, tokenizer, album, Stage(FEW, lambda _: 1.0, slower=0.3)),
        },
        helped=helped,
    )


def test_it_learns_to_see_and_to_say(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    """The losses fall, and what is seen right is far over chance, which is one content in sixteen."""
    monkeypatch.setattr(sight, "BATCH", 32)
    crew = crew_for(album)
    losses = train(crew, "sight", Schedule(40, 2e-3, warm=10), seed=1)
    assert sum(losses[-5:]) < 0.6 * sum(losses[:5])
    assert crew.tasks["sight"].examined()["voila"] > 0.3
    losses = train(crew, "talk", Schedule(60, 3e-3, warm=10), seed=1)
    assert sum(losses[-5:]) < 0.4 * sum(losses[:5])
    assert crew.tasks["talk"].examined()["alone describe"] > 0.6


def _gradients(crew: Crew) -> torch.Tensor:
    (group, *_) = crew.tasks["talk"].groups()
    return torch.cat([weight.grad.flatten() for weight in group["params"]])


def test_two_processes_learn_what_one_does(album: Album) -> None:
    alone, together = (crew_for(album, helped=helped) for helped in (False, True))
    told = [crew.learn("talk", 1, 0, 0.5) for crew in (alone, together, together)]
    together.close()
    assert told[0] == pytest.approx(told[1], abs=1e-3)
    one, two = (_gradients(crew) for crew in (alone, together))
    assert (two - 2 * one).norm() < 0.02 * two.norm()  # learned twice; sums of halves are rounded in another order


def test_training_that_was_stopped_goes_on_as_if_it_had_not_been(album: Album, tmp_path: Path) -> None:
    def stop(line: str) -> None:
        if "4/4" in line:
            raise KeyboardInterrupt

    whole = train(crew_for(album), "talk", Schedule(4, 1e-3), seed=1)
    kept = {"seed": 1, "checkpoint": tmp_path / "talk.pt", "keep": 2}
    with pytest.raises(KeyboardInterrupt):
        train(crew_for(album), "talk", Schedule(4, 1e-3), **kept, tell=stop)
    assert train(crew_for(album), "talk", Schedule(4, 1e-3), **kept) == pytest.approx(whole, abs=1e-5)
