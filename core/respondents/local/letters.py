"""The odds of lettered options: what a model would say first, if it had to say one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.respondents.local.jobs import GenerationError


def tokens_of(tokenizer: Any, letters: Sequence[str]) -> dict[str, list[int]]:
    """Token ids that say the letter alone, with and without a space before it. Raises GenerationError."""
    found: dict[str, list[int]] = {}
    for letter in letters:
        ids = {
            encoded[0]
            for text in (letter, f" {letter}")
            if len(encoded := tokenizer.encode(text, add_special_tokens=False)) == 1
        }
        if not ids:
            raise GenerationError(f"the model's tokenizer has no single token for {letter!r}")
        found[letter] = sorted(ids)
    return found


def odds(logits: Any, tokens: dict[str, list[int]]) -> dict[str, float]:
    """The log-probability of each letter as the first token, from one row of logits."""
    logs = logits.float().log_softmax(-1)
    return {letter: float(logs[ids].logsumexp(0)) for letter, ids in tokens.items()}


def best(odds: dict[str, float]) -> str:
    """The likeliest letter; of equals the first."""
    return max(odds, key=lambda letter: odds[letter])
