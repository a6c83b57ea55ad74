"""What phoropter.toml says about the screen, read before the first paint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.config import Glance, glance, load_config
from tui.keymap import Keymap, keymap


@dataclass(frozen=True, slots=True)
class Manners:
    """``file`` is where a choice is remembered (None: nowhere); ``theme`` is as it stands there, whether or not there
    is one of that name."""

    file: Path | None = None
    theme: object = ""
    images: str = "auto"
    mouse: bool = True
    keys: Keymap = field(default_factory=Keymap)


def manners_of(config: Path | None) -> Manners:
    """The manners that the configuration asks for (``config`` names the file, else it is looked for), and the whole
    file checked with them: what cannot be is refused while nothing is painted yet. Raises ConfigError."""
    load_config(config)
    return manners(glance(config))


def manners(seen: Glance) -> Manners:
    """The manners that ``[app]`` asks for. Raises ConfigError for keys that cannot be; what else is wrong with the
    table is told by the check of the whole file."""
    app = seen.app
    images, keys = app.get("images", "auto"), app.get("keys", {})
    return Manners(
        file=seen.file,
        theme=app.get("theme", ""),
        images=images if isinstance(images, str) else "auto",
        mouse=app.get("mouse", True) is not False,
        keys=keymap(keys, str(seen.file)) if isinstance(keys, Mapping) else Keymap(),
    )
