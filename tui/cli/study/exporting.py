"""``phoropter export study``: a study's tables in a folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from core.errors import UsageError
from sessions.store import SIT_FIRST, Store
from sessions.studies.exporting import Form, export
from sessions.studies.reading import KINDS
from tui.cli.output import put, put_json, say
from tui.cli.study.named import study_name
from tui.counting import counted


def export_study(
    store: Path | None, study: Path, out: Path | None, kind: str, form: Mapping[str, bool], *, as_json: bool
) -> int:
    """Write it and say where; the folder's name on stdout."""
    wanted = next((known for known in KINDS if known == kind), None)
    if wanted is None:
        raise UsageError(f"there are no {kind!r} sessions", where="--kind", remedy=f"Known: {', '.join(KINDS)}")
    name = study_name(study)
    folder = out if out is not None else Path(re.sub(r"[^\w.-]+", "_", name).strip(".") + "-export")
    with Store.open(store, create=False, first=SIT_FIRST) as opened:
        written = export(opened, name, folder, Form(**form, kind=wanted))
    if as_json:
        put_json({"folder": str(written.folder), "files": list(written.files), "rows": dict(written.rows)})
        return 0
    rows = ", ".join(f"{count:,} {name}" for name, count in written.rows.items())
    say(f"{counted(len(written.files), 'file')}: {rows}")
    put(str(written.folder))
    return 0
