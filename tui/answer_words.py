"""Answers that are no whole ones, in words: the same after a run, under a report and beside a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.records import Status
from tui.counting import counted

WORDS: Final = {
    Status.TRUNCATED: "cut off at the token limit (raise max_tokens)",
    Status.EMPTY: "empty",
    Status.REFUSAL: "refused",
}


def not_whole_words(counts: Mapping[Status, int]) -> str:
    """``12 answers cut off at the token limit (raise max_tokens), 3 empty``; "" where there is none."""
    parts = [(counts[status], words) for status, words in WORDS.items() if counts.get(status)]
    said = [f"{counted(count, 'answer') if not place else f'{count:,}'} {words}" for place, (count, words) in
            enumerate(parts)]  # fmt: skip
    return ", ".join(said)


def not_whole_document(counts: Mapping[Status, int]) -> dict[str, int]:
    """Every one of these statuses with its count, as JSON has it."""
    return {status.value: counts.get(status, 0) for status in WORDS}
