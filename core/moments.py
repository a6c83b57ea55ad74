"""A moment as words: stores keep milliseconds since 1970, people and other tools read UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def utc(milliseconds: int, *, exact: bool = False) -> str:
    """``2026-11-30T09:12:04Z``; ``exact`` tells the milliseconds too."""
    moment = datetime.fromtimestamp(milliseconds // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{moment}.{milliseconds % 1000:03d}Z" if exact else f"{moment}Z"
