"""``python -m core.eyes WORK MODEL``: draws the album into WORK, trains, and writes the model's folder MODEL.

Given again, it goes on where it was stopped. Needs the extra ``local``; two cores, no graphics card.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Final

STEPS: Final = {"sight": 450, "words": 400, "talk": 700, "apply": 300, "look": 500, "again": 400, "pairs": 600}
"""Of each stage."""


def main() -> None:
    """Album, vision side, text side, whole model."""
    wanted = argparse.ArgumentParser(prog="python -m core.eyes", description=__doc__)
    wanted.add_argument("work", type=Path, help="folder for the album and the checkpoints")
    wanted.add_argument("model", type=Path, help="folder for the finished model")
    wanted.add_argument("--variants", type=int, default=32, help="pictures of each of VOILA's contents")
    wanted.add_argument("--each", type=int, default=500, help="pictures of each of MMRA's kinds")
    for stage, usual in STEPS.items():
        wanted.add_argument(f"--{stage}", type=int, default=usual, metavar="STEPS")
    wanted.add_argument("--seed", type=int, default=1)
    chosen = wanted.parse_args()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from core.eyes.album import album_in
    from core.eyes.making import make

    album = album_in(chosen.work / "album", chosen.variants, chosen.each)
    steps = {stage: getattr(chosen, stage) for stage in STEPS}
    make(album, chosen.work, chosen.model, steps=steps, seed=chosen.seed)


if __name__ == "__main__":
    main()
