"""Nothing of this program runs, unpickles or evaluates what others wrote, and no shell is ever started."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import pytest

from tests.end_to_end.commands import ROOT

FLOORS: Final = ("core", "sessions", "tui", "assets")
MODULES: Final = frozenset(
    {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "yaml", "code", "codeop"}
)
BUILT_IN: Final = frozenset({"eval", "exec", "compile", "__import__", "input"})
CALLED: Final = frozenset({"os.system", "os.popen", "torch.load", "numpy.load", "np.load", "pandas.read_pickle"})

OWN_WORDS: Final = {
    "core/workers/words.py": ["pickle"],
    "core/eyes/album.py": ["np.load()"],
    "core/eyes/training.py": ["torch.load()"],
}
"""What a driver and the workers that it started say to each other, over a line that nobody else writes to; and what a
training wrote itself, numbers and weights alone."""

WORDS: Final = (*MODULES, *BUILT_IN, *CALLED, "shell", "allow_pickle")


def objections(path: Path) -> list[str]:
    """What in a file would run others' words."""
    text, found = path.read_text(encoding="utf-8"), []
    if not any(word in text for word in WORDS):
        return []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] in MODULES]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MODULES:
            found.append(f"from {node.module}")
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name in BUILT_IN or name in CALLED:
                found.append(f"{name}()")
            given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            found += [f"{name}({arg}=...)" for arg in ("shell", "allow_pickle") if given.get(arg, "False") != "False"]
    return found


def test_nothing_here_does() -> None:
    files = [path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))]
    assert len(files) > 500
    assert {path.relative_to(ROOT).as_posix(): said for path in files if (said := objections(path))} == OWN_WORDS


@pytest.mark.parametrize(
    "code",
    [
        "import pickle", "from pickle import loads", "import yaml as y", "eval(text)", "exec(text)",
        "torch.load(file)",
        "subprocess.run(line, shell=True)", "subprocess.Popen(line, shell=wanted)", "numpy.load(file)",
        "os.system(line)", "array = numpy.frombuffer(data, allow_pickle=True)", "compile(text, '', 'exec')",
    ],
)  # fmt: skip
def test_it_would_be_seen(tmp_path: Path, code: str) -> None:
    (tmp_path / "m.py").write_text(code, encoding="utf-8")
    assert objections(tmp_path / "m.py")


def test_what_only_sounds_like_it_is_let_be(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "model.eval()\nre.compile(x)\nsubprocess.run(line, shell=False)\n", encoding="utf-8"
    )
    assert objections(tmp_path / "m.py") == []
