"""From a model's tokens to what it answers, and what it thought before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

_THOUGHTS: Final = ("reasoning_content", "thinking", "reasoning")


def says_apart(tokenizer: Any) -> bool:
    """Whether the model comes with a template that tells its answer from its thinking."""
    return getattr(tokenizer, "response_template", None) is not None


def read(tokenizer: Any, prompt: Sequence[int], told: list[int]) -> tuple[str, str]:
    """(answer, thinking) as the model's own response template parts them; without one all is answer."""
    text: str = tokenizer.decode(told, skip_special_tokens=True)
    if not says_apart(tokenizer):
        return text, ""
    try:
        parsed = tokenizer.parse_response(told, prefix=list(prompt))
    except Exception:  # noqa: BLE001  an answer that fits no template is still an answer
        return text, ""
    if not isinstance(parsed, dict):
        return text, ""
    answer = parsed.get("content")
    thought = next((found for name in _THOUGHTS if isinstance(found := parsed.get(name), str)), "")
    if isinstance(answer, str):
        return answer, thought
    return ("", thought) if thought else (text, "")
