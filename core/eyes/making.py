"""From an album to a finished model: the vision side first, then the text side, then the whole."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from core.eyes.album import Album
from core.eyes.crew import Crew, Task
from core.eyes.curriculum import LOOKING, READING, TALKING
from core.eyes.model import new_model, save, tokenizer_from
from core.eyes.schedule import Schedule
from core.eyes.sight import SightTask
from core.eyes.talking import TalkTask
from core.eyes.training import train

SEES: Final = "sight"
READS: Final = "words"
TALKS: Final = "talk"
LOOKS: Final = "look"


def make(album: Album, work: Path, out: Path, *, steps: Mapping[str, int], seed: int) -> dict[str, list[float]]:
    """Trains and writes the model's folder ``out``; the loss of every step. Checkpoints lie in ``work``.

    ``steps`` says how many each of the four stages takes.
    """
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    tokenizer = tokenizer_from(album)
    model = new_model(tokenizer)
    tasks: dict[str, Task] = {
        SEES: SightTask(model, album),
        READS: TalkTask(model, tokenizer, album, READING),
        TALKS: TalkTask(model, tokenizer, album, TALKING),
        LOOKS: TalkTask(model, tokenizer, album, LOOKING),
    }
    crew = Crew(tasks, helped=True)
    losses = {}
    for name, rate in ((SEES, 1e-3), (READS, 1.5e-3), (TALKS, 1.5e-3), (LOOKS, 1.2e-3)):
        schedule = Schedule(steps[name], rate)
        kept = work / f"{name}.pt"
        losses[name] = train(crew, name, schedule, seed=seed, checkpoint=kept, tell=partial(print, flush=True))
    crew.close()
    save(model, tokenizer, out)
    return losses
