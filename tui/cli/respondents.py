"""``phoropter respondents``: who can answer, and a first check."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from core.benchmarks.registry import get
from core.config import load_config
from core.errors import CallError
from core.packs import pack
from core.pictures import Pictures
from core.planning import DRAWN, Request, load, make_protocol
from core.respondents.base import Request as Asking
from core.respondents.baselines import BASELINES
from core.respondents.registry import make
from tui.cli.output import console, put_json, say
from tui.inert import inert, one_line


def list_respondents(config: Path | None, *, as_json: bool) -> int:
    """The baselines and what phoropter.toml names."""
    settings = load_config(config)
    rows: list[dict[str, Any]] = [{"name": one.pattern, "kind": "baseline", "what": one.what} for one in BASELINES]
    rows += [
        {"name": name, "kind": entry.kind, "what": getattr(entry, "model", "")}
        for name, entry in sorted(settings.respondents.items())
    ]
    rows.append({"name": "openai:MODEL@URL", "kind": "openai", "what": "any OpenAI-compatible server, unconfigured"})
    if as_json:
        put_json(rows)
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("name", "kind", "what"):
        table.add_column(column)
    for row in rows:
        table.add_row(*(one_line(str(row[column])) for column in ("name", "kind", "what")))
    console().print(table)
    return 0


def check_respondent(name: str, config: Path | None, *, as_json: bool) -> int:
    """Ask the first turn of a demo item with drawn pictures; say what came back."""
    benchmark = get("voila")
    request = Request("voila:ND", data=pack("voila", "ND"), pictures=DRAWN)
    _, subset, dataset = load(request)
    item = next(iter(dataset))
    turn = make_protocol(benchmark, subset, request).next_turn(item, ())
    assert turn is not None
    respondent = make(name, load_config(config), Pictures(drawer=benchmark.drawer))

    async def ask() -> dict[str, Any]:
        pieces: list[str] = []
        try:
            answer = await respondent.answer(Asking(item, turn), pieces.append)
        except CallError as error:
            return {"respondent": name, "works": False, "what": str(error)}
        finally:
            await respondent.close()
        usage = answer.call.usage if answer.call is not None else None
        return {
            "respondent": name,
            "works": True,
            "status": answer.status.value,
            "text": answer.text,
            "pieces": len(pieces),
            "pictures_sent": len(answer.sent),
            "seconds": round(answer.call.seconds, 3) if answer.call is not None else 0.0,
            "prompt_tokens": usage.prompt_tokens if usage is not None else 0,
            "completion_tokens": usage.completion_tokens if usage is not None else 0,
            "served_model": answer.call.served_model if answer.call is not None else "",
        }

    found = asyncio.run(ask())
    if as_json:
        put_json(found)
    elif found["works"]:
        say(f"{name}: reachable, status {found['status']}, {found['pieces']} pieces streamed, {found['seconds']} s")
        console().print(inert(found["text"]))
    else:
        say(f"phoropter: {found['what']}")
    return 0 if found["works"] else 1
