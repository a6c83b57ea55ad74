"""What a server's refusal asks for: the switch it is to be started with, or the setting here that goes round it."""

from __future__ import annotations

import re
from typing import Final

COLLAGE: Final = "join them to one (VOILA: --set images=collage)"

_MOST: Final = re.compile(r"at most (\d+) image\(?s?\)? may be provided|limit[-_]mm[-_]per[-_]prompt", re.IGNORECASE)
_PROJECTOR: Final = re.compile(r"mmproj", re.IGNORECASE)
_BLIND: Final = re.compile(
    r"image input is not supported|not a multimodal model|image_url is only supported by certain models"
    r"|(does not|doesn't|do not|don't) (support|accept) (image|vision|multimodal)|support image input"
    r"|unknown (content )?(part )?type:? .?image_url|not support(ed)? .{0,20}image_url",
    re.IGNORECASE,
)
_ONE: Final = re.compile(r"only (one|1|a single) image|multiple images (are|is) not supported", re.IGNORECASE)
_LONG: Final = re.compile(
    r"maximum context length|context[ _]length[ _]exceeded|exceeds? .{0,30}context", re.IGNORECASE
)
_REFUSED: Final = re.compile(
    r"(temperature|top_p|max_tokens).{0,60}not support|not support.{0,60}(temperature|top_p)"
)
_ODDS: Final = re.compile(r"log_?probs", re.IGNORECASE)


def blind(said: str) -> bool:
    """Whether a server says that its model sees no pictures: every later call would hear the same."""
    return bool(_BLIND.search(said) or _PROJECTOR.search(said))


def taken(said: str) -> int | None:
    """How many pictures a server says that it takes, None where it says no number."""
    found = _MOST.search(said)
    if found is not None and found[1]:
        return int(found[1])
    return 1 if _ONE.search(said) else None


def remedy(said: str, pictures: int = 0) -> str:
    """What to do about a refusal in these words, "" where nothing is known.

    ``pictures`` is how many the request showed, 0 where that is not known.
    """
    if _MOST.search(said):
        wanted = str(pictures) if pictures else "N"
        return f"Start vLLM with --limit-mm-per-prompt '{{\"image\": {wanted}}}', or {COLLAGE}"
    if _PROJECTOR.search(said):
        return "Start llama-server with --mmproj FILE, the model's own"
    if _BLIND.search(said):
        return "Take a model that sees, ask in words (VOILA: --set input=text), or set looks = false"
    if _ONE.search(said):
        return f"Take a model that looks at several pictures, or {COLLAGE}"
    if _LONG.search(said):
        return "Lower max_pixels or max_tokens, or start the server with a larger context (vLLM: --max-model-len)"
    if found := _REFUSED.search(said):
        return f'Leave it out: unsent = ["{found[1] or found[2]}"]'
    if _ODDS.search(said):
        return "Lower top_logprobs, or leave logprobs out"
    return ""
