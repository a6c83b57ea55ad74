"""How many of something, in words."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """``1 item``, ``1,200 items``: of nouns that take an s."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def more_than(shown: int, count: int, noun: str) -> str:
    """What a list that was cut after ``shown`` of ``count`` says at its end, "" where all stand there."""
    return f"and {count - shown:,} more {noun}{'' if count - shown == 1 else 's'}" if count > shown else ""
