"""Draws pictures with Pillow alone: VOILA's contents, and the parts of larger pictures.

``draw`` makes a picture of one to four figures doing one thing; it is all that a run needs. The other rooms draw
things, people, surroundings, roads, charts, windows and maps on a ``Sheet``, for the demo packs. Nothing here knows
of benchmarks, stores or screens.
"""

from typing import Final

from core.drawing.scene import VARIANTS, draw

VERSION: Final = 1
"""Raised when pictures come to be drawn otherwise: a run that showed the old ones is another run."""

__all__ = ["VARIANTS", "VERSION", "draw"]
