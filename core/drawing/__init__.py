"""Draws the pictures of VOILA's contents, one to four figures doing one thing, with Pillow alone.

``draw`` is the only door. Nothing here knows of benchmarks, stores or screens.
"""

from core.drawing.scene import VARIANTS, draw

__all__ = ["VARIANTS", "draw"]
