"""The suite's fuzz tests, led by what they reach: atheris looks for inputs that go where none went before.

python -m tests.guided_fuzzing SECONDS MODULE TEST [NAME=VALUE ...]

``pip install atheris`` first: it is no part of the suite. Names are those of what the suite gives the test beside
what Hypothesis makes up, values texts or JSON. What is found is mended and stays with its test as an ``@example``.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import atheris
from hypothesis import given


def main(seconds: int, module: str, test: str, *arguments: str) -> None:
    """Search with one test; the first fault ends it, and is shown."""
    with atheris.instrument_imports(include=["core", "sessions"]):
        found: Any = getattr(importlib.import_module(module), test)
    with tempfile.TemporaryDirectory() as folder:
        values = {name: _value(text) for name, _, text in (each.partition("=") for each in arguments)}
        if "tmp_path" in inspect.signature(found).parameters:
            values["tmp_path"] = Path(folder)
        handle = found.hypothesis
        whole = given(**handle._given_kwargs)(_taking(handle.inner_test, values))

        def once(data: bytes) -> None:
            with redirect_stdout(None):
                whole.hypothesis.fuzz_one_input(data)

        atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", "-max_len=4096", "-timeout=60"], once)
        atheris.Fuzz()


def _taking(test: Callable[..., None], values: Mapping[str, object]) -> Callable[..., None]:
    """The test with these arguments given: to Hypothesis it has no others than those that it makes up."""

    rest = {name: each for name, each in inspect.signature(test).parameters.items() if name not in values}

    def taking(*made: object, **more: object) -> None:
        test(**dict(zip(rest, made, strict=False)), **more, **values)

    taking.__signature__ = inspect.Signature(list(rest.values()))  # type: ignore[attr-defined]
    return taking


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
