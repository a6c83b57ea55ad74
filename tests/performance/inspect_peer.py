"""The same questions, turn by turn, through inspect-ai: what its own loop costs. Run by its environment, not by ours.

``python inspect_peer.py URL TASKS LOGS AT_ONCE``: TASKS is a JSON line an item with ``id``, ``pictures`` (paths),
``turns`` (texts) and ``gold``; it is asked as its guide has it: a dataset, a solver that generates once a turn, a
scorer, the OpenAI-compatible provider, nothing on the screen, everything else as it ships.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval, task  # noqa: A004  its name
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import includes
from inspect_ai.solver import Generate, TaskState, solver

PROVIDER = "mock"


@solver
def turn_by_turn() -> Any:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        for text in state.metadata["turns"]:
            state.messages.append(ChatMessageUser(content=text))
            state = await generate(state)
        return state

    return solve


def sample(line: str) -> Sample:
    stored = json.loads(line)
    first, *rest = stored["turns"]
    pictures = [ContentImage(image=path) for path in stored["pictures"]]
    asked = ChatMessageUser(content=[*pictures, ContentText(text=first)])
    return Sample(id=stored["id"], input=[asked], target=stored["gold"], metadata={"turns": rest})


@task
def voila(tasks: str) -> Task:
    lines = Path(tasks).read_text(encoding="utf-8").splitlines()
    return Task(dataset=MemoryDataset([sample(line) for line in lines]), solver=turn_by_turn(), scorer=includes())


def main(url: str, tasks: str, logs: str, at_once: int) -> None:
    os.environ |= {f"{PROVIDER.upper()}_BASE_URL": url, f"{PROVIDER.upper()}_API_KEY": "none"}
    done = eval(
        voila(tasks),
        model=f"openai-api/{PROVIDER}/m",
        temperature=0.0,
        max_tokens=2048,
        max_connections=at_once,
        max_samples=at_once,
        log_dir=logs,
        display="none",
    )
    if [log.status for log in done] != ["success"]:
        raise SystemExit(f"inspect-ai ended with {[log.status for log in done]}: {done[0].error}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
