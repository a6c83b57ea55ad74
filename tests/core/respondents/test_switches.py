"""A refusal is answered with the switch or setting that mends it, in a run as in a check."""

from __future__ import annotations

import pytest

from core.respondents.failures import failure_of
from core.respondents.switches import remedy, taken

WORDS = [
    ("At most 1 image(s) may be provided in one prompt.", "--limit-mm-per-prompt '{\"image\": 3}'", 1),
    ("At most 2 image(s) may be provided in one request.", "images=collage", 2),
    ("At most 0 image(s) may be provided in one prompt.", "--limit-mm-per-prompt", 0),
    ("You set image=2 (or defaulted to 1) in `--limit-mm-per-prompt`, but passed 3 image items", '"image": 3', None),
    (
        "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        "--mmproj",
        None,
    ),
    ("Invalid content type. image_url is only supported by certain models.", "input=text", None),
    ("org/model is not a multimodal model", "a model that sees", None),
    ("No endpoints found that support image input", "a model that sees", None),
    ("Only one image is supported", "images=collage", 1),
    ("This model's maximum context length is 4096 tokens. However, you requested 9000", "--max-model-len", None),
    ("Unsupported value: 'temperature' does not support 0 with this model.", 'unsent = ["temperature"]', None),
    ("top_logprobs is too large", "top_logprobs", None),
    ("The model `gpt-9` does not exist", "", None),
]


@pytest.mark.parametrize(("said", "help_", "pictures"), WORDS, ids=[said[:30] for said, _, _ in WORDS])
def test_a_refusal_has_its_remedy(said: str, help_: str, pictures: int | None) -> None:
    found = remedy(said, 3)
    assert help_ in found
    assert bool(found) == bool(help_)
    assert taken(said) == pictures
    assert failure_of(400, {}, said).remedy == remedy(said)


def test_a_model_without_eyes_is_not_asked_again() -> None:
    """llama.cpp says it with status 500; other errors of that status may pass."""
    blind = failure_of(500, {}, '{"error": {"message": "image input is not supported - provide the mmproj"}}')
    assert (blind.fatal, blind.retry) == (True, False)
    other = failure_of(500, {}, '{"error": {"message": "image decoder crashed"}}')
    assert (other.fatal, other.retry) == (False, True)
