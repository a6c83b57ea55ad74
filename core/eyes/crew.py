"""Two processes of one thread each share a step: under load that is many times faster than one of two threads."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Protocol

PARTS: Final = 2
"""A step's work is always cut in two, so that one process alone learns the same as two."""


class Task(Protocol):
    """One of the two things that are learned."""

    @property
    def modules(self) -> Mapping[str, Any]:
        """What a checkpoint holds, by name."""
        ...

    def groups(self) -> list[dict[str, Any]]:
        """The parameters, and the ``share`` of the rate for each group."""
        ...

    def learn(self, seed: object, step: int, part: int, progress: float) -> dict[str, float]:
        """Adds the gradients of one part of a step; its losses. ``progress`` runs from 0 to 1."""
        ...

    def examined(self) -> dict[str, float]:
        """How good it is on other chances than those it learns from; the pictures are the album's, seen otherwise."""
        ...


class Crew:
    """Works on the parts of the steps of some tasks. ``helped``: the last part in a process of its own."""

    def __init__(self, tasks: Mapping[str, Task], *, helped: bool) -> None:
        self.tasks = tasks
        self._helper: Any = None
        self._weights = {name: _weights(task) for name, task in tasks.items()}
        if helped:
            self._start()

    def _start(self) -> None:
        """The helper is a copy of this process that shares the weights, and its gradients, with it."""
        for task in self.tasks.values():
            for module in task.modules.values():
                module.share_memory()
        self._grads = {name: [_shared(w) for w in weights] for name, weights in self._weights.items()}
        context = multiprocessing.get_context("fork")
        self._pipe, theirs = context.Pipe()
        self._helper = context.Process(target=self._help, args=(theirs,), daemon=True)
        self._helper.start()

    def _help(self, pipe: Any) -> None:
        os.setsid()  # systems that share the processor out by session count it as one of its own
        self._pipe.close()
        with suppress(EOFError, BrokenPipeError):  # the other process has ended
            while (order := pipe.recv()) is not None:
                name, seed, step, progress = order
                for weight, grad in zip(self._weights[name], self._grads[name], strict=True):
                    weight.grad = grad.zero_()
                pipe.send(self.tasks[name].learn(seed, step, PARTS - 1, progress))

    def learn(self, name: str, seed: object, step: int, progress: float) -> dict[str, float]:
        """All parts of a step of that task: gradients added up, losses by name."""
        task = self.tasks[name]
        told: dict[str, float] = {}
        if self._helper is not None:
            self._pipe.send((name, seed, step, progress))
        for part in range(PARTS - 1 if self._helper is not None else PARTS):
            told |= task.learn(seed, step, part, progress)
        if self._helper is not None:
            told |= self._pipe.recv()
            for weight, grad in zip(self._weights[name], self._grads[name], strict=True):
                weight.grad = grad.clone() if weight.grad is None else weight.grad.add_(grad)
        return told

    def close(self) -> None:
        """Ends the helper."""
        if self._helper is not None:
            self._pipe.send(None)
            self._helper.join()
            self._helper = None


def _weights(task: Task) -> list[Any]:
    return [weight for group in task.groups() for weight in group["params"]]


def _shared(weight: Any) -> Any:
    import torch

    return torch.zeros_like(weight, requires_grad=False).share_memory_()
