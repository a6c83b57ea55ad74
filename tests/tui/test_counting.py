"""What is counted is told in the right number, wherever the floor of the screens and commands says it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tui
from tui.counting import counted, more_than

PLURALS = re.compile(
    r"^(?: (?:more|finished|prompt|answer|further))* (?:answers|attempts|batches|calls|characters|files|forks|items|"
    r"judgements|lines|notes|paths|pictures|problems|properties|questions|reasons|repeats|requests|rows|runs(?! on)|"
    r"samples|scores|steps|tags|times|trajectories)\b(?!/s)"
)


def _uncounted(file: Path) -> Iterator[str]:
    """f-strings that say a plural right after a value of their own; ``1 of {n} answers`` is right for any n but 1,
    of which nobody counts parts."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.JoinedStr):
            continue
        before = ""
        for value, after in zip(node.values, node.values[1:], strict=False):
            part, before = before.endswith(" of "), str(value.value) if isinstance(value, ast.Constant) else ""
            if part:
                continue
            said = after.value if isinstance(after, ast.Constant) else ""
            if isinstance(value, ast.FormattedValue) and not _key(value.value) and PLURALS.match(str(said)):
                yield f"{file.name}:{node.lineno}: {ast.unparse(node)}"


def _key(value: ast.expr) -> bool:
    """The name of a key stands there, and no count."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "key"


def test_one_is_no_plural() -> None:
    assert [counted(count, "item") for count in (0, 1, 2, 1200)] == ["0 items", "1 item", "2 items", "1,200 items"]
    assert (counted(1, "trajectory"), counted(2, "trajectory")) == ("1 trajectory", "2 trajectories")
    assert (counted(2, "batch"), counted(3, "play")) == ("2 batches", "3 plays")
    assert (more_than(3, 4, "reason"), more_than(3, 3, "reason")) == ("and 1 more reason", "")


def test_every_count_goes_through_one_function() -> None:
    files = Path(tui.__file__).parent.rglob("*.py")
    assert [told for file in sorted(files) for told in _uncounted(file)] == []
