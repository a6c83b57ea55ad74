"""The prompts: built in as assets, replaceable one by one from a user's TOML file of the same form."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import resources
from pathlib import Path

from core.errors import ConfigError
from core.files import read_text
from core.records import digest


@cache
def built_in(benchmark: str) -> Mapping[str, str]:
    """Name to text of one benchmark's prompts as they ship."""
    text = (resources.files("assets.prompts") / f"{benchmark}.toml").read_text(encoding="utf-8")
    return {name: prompt.strip("\n") for name, prompt in tomllib.loads(text)[benchmark].items()}


def prompts_for(benchmark: str, file: Path | None = None, *, required: bool = True) -> Mapping[str, str]:
    """The built-in prompts with those of the file in their place.

    Raises ConfigError for a file that cannot be read, an unknown prompt name (naming the nearest), or a prompt
    that is no text. Tables of other benchmarks in the same file are left alone. Without its own table a file
    is refused where that is ``required``.
    """
    prompts = dict(built_in(benchmark))
    if file is None:
        return prompts
    where = str(file)
    text = read_text(file, "the prompts file", error=ConfigError)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"the prompts file is no TOML: {error}", where=where) from error
    table = tables.get(benchmark)
    if table is None and not required:
        return prompts
    if not isinstance(table, dict):
        raise ConfigError(
            f"the prompts file has no table [{benchmark}]",
            where=where,
            remedy=f"Write the prompts under [{benchmark}], as in the built-in file",
        )
    for name, prompt in table.items():
        if name not in prompts:
            near = get_close_matches(name, prompts, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(prompts)}"
            raise ConfigError(f"unknown prompt {benchmark}.{name}", where=where, remedy=hint)
        if not isinstance(prompt, str) or not prompt.strip():
            raise ConfigError(f"prompt {benchmark}.{name} must be text and not empty", where=where)
        prompts[name] = prompt.strip("\n")
    return prompts


def prompt_hashes(benchmark: str, prompts: Mapping[str, str]) -> dict[str, str]:
    """``voila.relate`` to a short hash of its text, for a run's identity and for saying which one changed."""
    return {f"{benchmark}.{name}": digest(text)[:16] for name, text in sorted(prompts.items())}


def filled(prompt: str, **values: str) -> str:
    """The prompt with the named placeholders filled; any other brace, also one in a value, stays as it stands."""
    if not values:
        return prompt
    names = "|".join(map(re.escape, values))
    return re.sub(rf"\{{({names})\}}", lambda found: values[found[1]], prompt)
