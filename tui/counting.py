"""How many of something, in words."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """``1 item``, ``1,200 items``, ``2 trajectories``, ``1 batch``."""
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Of the nouns that count anything here."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}{'es' if noun.endswith(('ch', 'sh', 's', 'x')) else 's'}"


def more_than(shown: int, count: int, noun: str) -> str:
    """What a list that was cut after ``shown`` of ``count`` says at its end, "" where all stand there."""
    return f"and {counted(count - shown, f'more {noun}')}" if count > shown else ""


def duration(seconds: float) -> str:
    """``45 s``, ``3 min``, ``2 h 5 min``, ``4 days 3 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    hours = round(seconds / 3600)
    return f"{hours // 24} days {hours % 24} h"
