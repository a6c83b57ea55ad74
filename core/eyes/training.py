"""Fixed steps, seeded, kept now and then, so that training goes on where it was stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from core.eyes.crew import Crew
from core.eyes.schedule import Schedule

KEPT: Final = 100
"""Steps between two checkpoints, each with an examination."""


def train(
    crew: Crew,
    name: str,
    schedule: Schedule,
    *,
    seed: int,
    checkpoint: Path | None = None,
    keep: int = KEPT,
    tell: Callable[[str], None] = print,
) -> list[float]:
    """Learns the task of that name for the steps of the schedule; the mean loss of each.

    A checkpoint is kept every ``keep`` steps; where the file is there, training goes on from it.
    """
    import torch

    task = crew.tasks[name]
    groups = task.groups()
    weights = [weight for group in groups for weight in group["params"]]
    adam = torch.optim.AdamW(groups, lr=schedule.rate, betas=(0.9, 0.98), weight_decay=0.05, fused=True)
    first, losses = _resumed(checkpoint, task.modules, adam)
    started = time.monotonic()
    for step in range(first, schedule.steps):
        for group in adam.param_groups:
            group["lr"] = schedule.at(step) * group["share"]
        adam.zero_grad()
        told = crew.learn(name, seed, step, step / schedule.steps)
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        adam.step()
        losses.append(sum(told.values()) / len(told))
        if (step + 1) % keep == 0 or step + 1 == schedule.steps:
            seconds = (time.monotonic() - started) / (step + 1 - first)
            known = f"losses: {_listed(told)}; right: {_listed(task.examined())}"
            tell(f"{name} {step + 1}/{schedule.steps}, {seconds:.2f} s a step; {known}")
            if checkpoint is not None:
                _keep(checkpoint, task.modules, adam, step + 1, losses)
    return losses


def _listed(values: Mapping[str, float]) -> str:
    return " ".join(f"{name} {value:.3f}" for name, value in values.items())


def _resumed(checkpoint: Path | None, modules: Mapping[str, Any], adam: Any) -> tuple[int, list[float]]:
    import torch

    if checkpoint is None or not checkpoint.exists():
        return 0, []
    kept = torch.load(checkpoint, weights_only=True)
    for name, module in modules.items():
        module.load_state_dict(kept["modules"][name])
    adam.load_state_dict(kept["adam"])
    return int(kept["step"]), list(kept["losses"])


def _keep(checkpoint: Path, modules: Mapping[str, Any], adam: Any, step: int, losses: list[float]) -> None:
    import torch

    beside = checkpoint.with_suffix(".new")
    held = {name: module.state_dict() for name, module in modules.items()}
    torch.save({"modules": held, "adam": adam.state_dict(), "step": step, "losses": losses}, beside)
    beside.replace(checkpoint)
