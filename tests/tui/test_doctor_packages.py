"""`doctor` looks at all that an extra installs for a user."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tui.cli.doctor import PACKAGES

WITHOUT = {"dev"}


def test_every_extra_is_looked_at_with_all_its_packages() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {
        re.split(r"[^\w.-]", requirement)[0]: extra
        for extra, requirements in reversed(project["optional-dependencies"].items())
        if extra not in WITHOUT
        for requirement in requirements
    }
    assert {name: extra for name, _, extra in PACKAGES if extra} == wanted
