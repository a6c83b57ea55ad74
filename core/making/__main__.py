"""``python -m core.making [FOLDER]``: writes both packs, by default where the program reads them."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

from core.making import demo_mmra, demo_vrex


def main(arguments: list[str]) -> None:
    """Writes the packs into the folder that is named first."""
    folder = Path(arguments[0]) if arguments else Path(str(resources.files("assets.packs")))
    demo_vrex.write(folder / "vrex")
    demo_mmra.write(folder / "mmra")


if __name__ == "__main__":
    main(sys.argv[1:])
