"""From an album to a finished model: the vision side, the text side, the whole, applying in words, looking."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from core.eyes.album import Album
from core.eyes.crew import Crew, Task
from core.eyes.curriculum import APPLYING, COMPARING, LOOKING, LOOKING_AGAIN, READING, TALKING
from core.eyes.model import new_model, save, tokenizer_from
from core.eyes.schedule import Schedule
from core.eyes.sight import SightTask
from core.eyes.talking import TalkTask
from core.eyes.training import train

SEES: Final = "sight"
READS: Final = "words"
TALKS: Final = "talk"
APPLIES: Final = "apply"
LOOKS: Final = "look"
AGAIN: Final = "again"
PAIRS: Final = "pairs"
RATES: Final = {
    SEES: 1e-3,
    READS: 1.5e-3,
    TALKS: 1.5e-3,
    APPLIES: 1.2e-3,
    LOOKS: 1.2e-3,
    AGAIN: 1.2e-3,
    PAIRS: 1.2e-3,
}
"""The highest rate of each stage, in their order."""


def make(album: Album, work: Path, out: Path, *, steps: Mapping[str, int], seed: int) -> dict[str, list[float]]:
    """Trains and writes the model's folder ``out``; the loss of every step. Checkpoints lie in ``work``.

    ``steps`` says how many each of the seven stages takes.
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
        APPLIES: TalkTask(model, tokenizer, album, APPLYING),
        LOOKS: TalkTask(model, tokenizer, album, LOOKING),
        AGAIN: TalkTask(model, tokenizer, album, LOOKING_AGAIN),
        PAIRS: TalkTask(model, tokenizer, album, COMPARING),
    }
    crew = Crew(tasks, helped=True)
    losses = {}
    for name, rate in RATES.items():
        schedule = Schedule(steps[name], rate)
        kept = work / f"{name}.pt"
        losses[name] = train(crew, name, schedule, seed=seed, checkpoint=kept, tell=partial(print, flush=True))
    crew.close()
    save(model, tokenizer, out)
    return losses
