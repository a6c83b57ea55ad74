"""What `run --json` says where something ended the runs."""

from __future__ import annotations

import json
import signal
import sqlite3

import pytest

from core.errors import StoreError
from tui.cli.ending import BrokenOff, Interrupted
from tui.cli.run_documents import put_so_far

FIRST, LAST = {"run": "one"}, {"run": "two"}


def broken(document: dict[str, str] | None) -> BrokenOff:
    error = BrokenOff(StoreError("the disk is full", where="/s.db"))
    error.document = document
    return error


def by_signal(document: dict[str, str] | None) -> Interrupted:
    ended = Interrupted(signal.SIGTERM)
    ended.document = document
    return ended


@pytest.mark.parametrize(
    ("done", "ended", "whole", "said"),
    [
        ([], broken(LAST), True, LAST),
        ([FIRST], broken(LAST), False, {"runs": [FIRST, LAST], "stopped_by": "/s.db: the disk is full"}),
        ([FIRST], StoreError("no"), False, {"runs": [FIRST], "stopped_by": "no"}),
        ([], StoreError("no"), True, None),
        ([], by_signal(LAST), True, LAST),
        ([FIRST], by_signal(None), False, {"runs": [FIRST], "signal": 15}),
    ],
)
def test_one_document_says_how_far_it_came(
    done: list[dict[str, str]],
    ended: BaseException,
    whole: bool,
    said: object,
    capsys: pytest.CaptureFixture[str],
) -> None:
    put_so_far(done, ended, whole=whole)
    out = capsys.readouterr().out
    assert (json.loads(out) if out else None) == said


def test_a_fault_is_told_in_a_line_too(capsys: pytest.CaptureFixture[str]) -> None:
    put_so_far([FIRST], BrokenOff(sqlite3.OperationalError("disk I/O error")), whole=False)
    assert json.loads(capsys.readouterr().out)["stopped_by"].startswith("the store: disk I/O error")
