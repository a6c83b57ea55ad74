"""Which Phoropter this is."""

from __future__ import annotations

from importlib import metadata


def own_version() -> str:
    """The installed version; ``(not installed)`` where the code is run from its folder."""
    try:
        return metadata.version("phoropter")
    except metadata.PackageNotFoundError:
        return "(not installed)"
