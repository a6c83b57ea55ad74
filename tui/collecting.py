"""How often circles of garbage are looked for."""

from __future__ import annotations

from typing import Final

COLLECTING: Final = (20_000, 20, 20)
"""Seldom: a command makes hardly any, and looking often took a tenth of the CPU of a batch, and of the imports before
it; in the app looking stops every thread, and what a screen leaves is little."""
