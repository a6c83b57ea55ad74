"""Files as other tools write them: the VOILA authors' results and their judge's, lmms-eval's samples."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

QUERIES = (
    "Describe the content of the first three images in one sentence",
    "Identify the changed and unchanged properties observed between the first and second images",
    "Apply the identified properties to the Image 3 to predict the fourth image",
)


def voila_entry(row: int, texts: Sequence[Any], **more: Any) -> dict[str, Any]:
    """One item of the authors' inference script."""
    return {
        f"query{place}": {"row_index": row, "query": QUERIES[place], "generated_text": text, **more}
        for place, text in enumerate(texts)
    }


def judge_line(number: int, content: Any, **changes: Any) -> dict[str, Any]:
    """One line of an OpenAI batch output."""
    message = {"role": "assistant", "content": content if isinstance(content, str | None) else json.dumps(content)}
    body = {"model": "gpt-4o-2024-08-06", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    return {
        "id": f"batch_req_{number}",
        "custom_id": f"question{number}",
        "response": {"status_code": 200, "body": body},
        "error": None,
    } | changes


def sample(row: int, text: str, target: str, **more: Any) -> dict[str, Any]:
    """One line of lmms-eval's logged samples."""
    return {
        "doc_id": row,
        "target": target,
        "resps": [[text]],
        "filtered_resps": [text[:1]],
        "doc_hash": "0" * 64,
        "input": "the prompt",
        "mmra_acc": 1.0,
    } | more


def put_json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def put_lines(path: Path, values: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path
