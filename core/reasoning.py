"""Where a reply speaks, and where it only thinks aloud: the blocks between tags of reasoning.

Which tags there are, and what becomes of a block, is for whoever reads the reply.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Tag(Enum):
    """What a tag does. ``SPEAKS`` begins the answer itself, whatever stood before."""

    OPENS = "opens"
    CLOSES = "closes"
    SPEAKS = "speaks"


def spoken_parts(length: int, tags: Iterable[tuple[int, int, Tag]]) -> list[tuple[int, int]]:
    """The parts of a text of this length that lie outside reasoning; tags are (start, end, what it does), in order.

    A block that is never closed takes all that follows; one that is only closed (its opening tag stood in the
    prompt) takes all that goes before. Blocks nest.
    """
    keep: list[tuple[int, int]] = []
    since = depth = 0
    for start, end, does in tags:
        if does is Tag.SPEAKS:
            keep, since, depth = [], end, 0
        elif does is Tag.OPENS:
            if depth == 0:
                keep.append((since, start))
            depth += 1
        elif depth == 0:
            keep, since = [], end
        else:
            depth -= 1
            since = end
    if depth == 0:
        keep.append((since, length))
    return keep
