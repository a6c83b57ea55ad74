"""``phoropter fetch``: the published data, got once and kept."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from core import datasets
from core.errors import UsageError
from core.fetching.fetching import Fetched, Wanted, fetch
from tui.cli.output import put, put_json, say
from tui.counting import counted

BAD_ROWS_SHOWN = 20


def fetch_set(
    benchmark: str,
    *,
    source: Path | None,
    out: Path | None,
    revision: str,
    repository: str,
    force: bool,
    as_json: bool,
) -> int:
    """Fetch a set and say what it is. Raises UsageError or DataError, and then nothing has changed."""
    wanted = Wanted(benchmark, _given(source), _given(out), revision, repository, force)
    done = fetch(wanted, say, _Line())
    _summarise(done)
    if as_json:
        put_json(_document(done))
    else:
        put(str(done.data))
    return 0


def _given(path: Path | None) -> Path | None:
    if path is None:
        return None
    try:
        return path.expanduser().absolute()
    except RuntimeError as error:
        raise UsageError("there is no such home folder", where=str(path)) from error


def _document(done: Fetched) -> dict[str, Any]:
    return {"folder": str(done.folder), "data": str(done.data), "kept": done.kept, **done.card.to_json()}


def _summarise(done: Fetched) -> None:
    card = done.card
    if card.validated:
        parts = [counted(card.items or 0, "item")]
        parts += [counted(card.questions, "question")] if card.questions is not None else []
        say(f"{card.name}: {', '.join(parts)}, read by its own loader")
        if card.differences:
            say("  this differs from the paper:\n    " + "\n    ".join(card.differences))
        if card.expected and not card.differences:
            say("  as many as the paper says")
    else:
        expected = ", ".join(f"{count:,} {what}" for what, count in card.expected.items())
        say(f"{card.name}: {counted(card.files, 'file')}, not validated: this version has no loader for it")
        say(f"  not counted; the paper has {expected}" if expected else "  not counted")
    _tell_bad(done)
    if card.pictures_missing:
        say(f"  not in it: {counted(card.pictures_missing, 'picture')}; runs need --pictures FOLDER, or drawn ones")
    stated = " (as stated by its authors; check)" if card.licence_stated else ""
    say(f"licence: {card.licence}{stated}. {card.licence_note}")
    say("cite it as:\n  " + card.citation.strip().replace("\n", "\n  "))
    say(f"kept in {done.folder}, with SOURCE.json, CITATION.bib and the hash of every file")
    if done.folder.is_relative_to(datasets.root()):
        say(f"runs and items of {card.name} use it where no --data is named")
    else:
        say(f"name it: --data {done.data}")


def _tell_bad(done: Fetched) -> None:
    if not done.card.bad_rows:
        return
    say(f"  {counted(done.card.bad_rows, 'problem')} in its rows; runs take the rest with --skip-bad")
    for problem in done.problems[:BAD_ROWS_SHOWN]:
        say(f"    {problem}")
    if len(done.problems) > BAD_ROWS_SHOWN:
        say(f"    ... and {len(done.problems) - BAD_ROWS_SHOWN:,} more")


class _Line:
    """Progress as one line in a terminal, nothing elsewhere."""

    EVERY = 20

    def __call__(self, what: str, done: int, of: int) -> None:
        last = of > 0 and done == of
        if not sys.stderr.isatty() or not (last or done % self.EVERY == 0):
            return
        sys.stderr.write(f"\r{what} {done:,}" + (f"/{of:,}" if of else "") + ("\n" if last else ""))
        sys.stderr.flush()
