"""The bare loop anybody would write with the openai client, for the same calls: it stores and scores nothing.

``python -m tests.performance.bare_client URL CSV FOLDER AT_ONCE [PICTURES]``: three turns for each row of a VOILA
file, its three pictures (or so many of them) in the first.
"""

from __future__ import annotations

import asyncio
import base64
import csv
import sys
from pathlib import Path
from typing import Any

import openai

TURNS = ("Describe the three pictures.", "How do the first two relate?", "Apply that to the third.")


async def trajectory(client: openai.AsyncOpenAI, folder: Path, row: dict[str, str], shown: int) -> None:
    names = ("img1", "img2", "img3")[:shown]
    texts = [base64.b64encode((folder / row[name]).read_bytes()).decode() for name in names]
    pictures = [{"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{text}"}} for text in texts]
    messages: list[Any] = []
    for turn in TURNS:
        content: list[Any] = [{"type": "text", "text": turn}]
        messages.append({"role": "user", "content": content if messages else [*pictures, *content]})
        said = await client.chat.completions.create(
            model="m", messages=messages, temperature=0, max_completion_tokens=2048
        )
        messages.append({"role": "assistant", "content": said.choices[0].message.content})


async def main(url: str, table: Path, folder: Path, at_once: int, shown: int = 3) -> None:
    with table.open(encoding="utf-8", newline="") as stream:
        rows = iter(list(csv.DictReader(stream)))
    async with openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:

        async def work() -> None:
            for row in rows:
                await trajectory(client, folder, row, shown)

        await asyncio.gather(*(work() for _ in range(at_once)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), *map(int, sys.argv[4:])))
