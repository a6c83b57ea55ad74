"""Thinking is told from the answer, by the model's own template or by its tags."""

from __future__ import annotations

import pytest

from core.respondents.local.wording import read
from core.respondents.replies import split_reasoning
from tests.tiny_models import tokenizer_of

TEMPLATE = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {"open": "<think>", "close": "</think>", "content": "text"},
        "content": {"close_pattern": r"\s*<\|im_end\|>", "content": "text"},
    },
}


@pytest.mark.parametrize(
    ("said", "answer", "thinking"),
    [
        ("<think>two dogs</think>Answer: B<|im_end|>", "Answer: B", "two dogs"),
        ("Answer: B<|im_end|>", "Answer: B", ""),
        ("<think>two dogs and", "", "two dogs and"),
    ],
)
def test_the_models_own_template_and_plain_tags_part_them_alike(said: str, answer: str, thinking: str) -> None:
    tokenizer = tokenizer_of([])
    told = tokenizer.encode(said, add_special_tokens=False)
    text, reasoning = read(tokenizer, [], told)
    assert reasoning == ""
    assert split_reasoning(text) == (answer, thinking)
    tokenizer.response_template = TEMPLATE
    assert read(tokenizer, tokenizer.encode("<|im_start|>assistant\n"), told) == (answer, thinking)


def test_an_answer_that_fits_no_template_is_still_an_answer() -> None:
    tokenizer = tokenizer_of([])
    tokenizer.response_template = {"fields": "nonsense"}
    assert read(tokenizer, [], tokenizer.encode("Answer: B<|im_end|>")) == ("Answer: B", "")
