"""``phoropter respondents``: who can answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.config import load_config
from core.respondents import eyes
from core.respondents.baselines import BASELINES
from tui.cli.output import put_json, put_table
from tui.inert import one_line


def list_respondents(config: Path | None, *, as_json: bool) -> int:
    """The baselines, the built-in model and what phoropter.toml names."""
    settings = load_config(config)
    rows: list[dict[str, Any]] = [{"name": one.pattern, "kind": "baseline", "what": one.what} for one in BASELINES]
    rows.append({"name": eyes.NAME, "kind": eyes.SETTINGS.kind, "what": "a small model that ships with the program"})
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
    put_table(table)
    return 0
