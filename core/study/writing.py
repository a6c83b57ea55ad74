"""``study new``: the commented file of a study of a benchmark, ready but for what only its researchers can know."""

from __future__ import annotations

import os
import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from core.benchmarks import registry
from core.errors import DataError, UsageError
from core.planning import Request, load, make_protocol, mends
from core.records import Item, named
from core.study.reading import parse_study
from core.study.texts import UI
from core.study.wanted import OPEN, PLAIN, values_of

FOLDER: Final = "assets.studies"
PRACTICE: Final = 2
_REMARK: Final = re.compile(r"^(\w+ = .*?|\[[\w.]+\]) +(# .*)$", re.MULTILINE)
_COLUMN: Final = 36
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a new study is to be about. ``protocol`` "": the one that is usual for people. ``languages`` are further
    ones, whose tables are written with the words to be translated."""

    benchmark: str
    name: str
    data: Path | None = None
    pictures: str = ""
    protocol: str = ""
    seed: int = 0
    languages: tuple[str, ...] = ()


def written(wish: Wish, file: Path) -> str:
    """The text of the file. Reads the data, for its practice items and worked examples.

    Raises UsageError, or DataError where the data cannot be used.
    """
    benchmark, subset = registry.parse_name(wish.benchmark)
    for language in wish.languages:
        _refuse_language(language)
    own = tomllib.loads(_asset(f"{benchmark.name}.toml"))
    protocol = wish.protocol or own["protocol"]
    items, subset = _items(wish, protocol)
    apart = random.Random(f"study/{wish.seed}").sample(items, min(len(items), PRACTICE + own["examples"]))
    examples, practice = apart[: own["examples"]], apart[own["examples"] :]
    left = len(items) - len(apart)
    if left < 1:
        raise UsageError("the data hold too few items for a study", where=wish.benchmark)
    kind = subset.casefold()
    filled = {
        "title": own["title"],
        "name": _quoted(wish.name),
        "benchmark": _quoted(named(benchmark.name, subset)),
        "data": _quoted(_beside(str(wish.data), file) if wish.data is not None else ""),
        "pictures": _quoted(wish.pictures if wish.pictures == "drawn" else _beside(wish.pictures, file)),
        "seed": str(wish.seed),
        "sample": str(own["sample"] if 0 < own["sample"] < left else 0),
        "where": _where(benchmark.groups, items),
        "conditions": _conditions(own["how"], protocol, [item.id for item in examples]),
        "practice": _list(item.id for item in practice),
        "raters": str(own["raters"]),
        "per_session": str(min(own["per_session"], left)),
        "stratify": _quoted(own["stratify"]),
        "groups": ", ".join(benchmark.groups),
        "gate": (own["gate"] + own.get(f"gate_{kind}", "")).strip("\n").join(("\n", "\n")),
        "study_title": _quoted(own["study_title"]),
        "risk": "There is no risk beyond that of looking at a screen.",
        "instructions": _instructions(own, protocol).replace("{{any}}", own.get(f"any_{kind}", "").rstrip("\n")),
        "limit": own.get("limit", ""),
        "languages": "".join(_language(wish.benchmark, language) for language in wish.languages),
    }
    text = _asset("study.txt")
    for name, value in filled.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    text = _REMARK.sub(_aligned, text)
    parse_study(text, f"study new --benchmark {wish.benchmark}")
    return text


def named_after(file: Path) -> str:
    """A study's name from that of its file."""
    name = re.sub(r"[^\w.-]+", "-", file.stem).strip("-.")[:60]
    return name or "study"


def save(text: str, file: Path) -> None:
    """Write the file, readable by its owner only. Raises UsageError where one is there, or it cannot be written."""
    try:
        descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        raise UsageError("there is a file of that name", where=str(file), remedy="Name another one") from None
    except OSError as error:
        raise UsageError(f"cannot be written ({error.strerror or error})", where=str(file)) from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)


def _items(wish: Wish, protocol: str) -> tuple[list[Item], str]:
    request = Request(wish.benchmark, data=wish.data, pictures=wish.pictures, protocol=protocol)
    benchmark, subset, dataset = load(request, protocol)
    make_protocol(benchmark, subset, request)
    if problems := dataset.problems():
        raise DataError(problems, remedy=mends(problems, "use"))
    return list(dataset), subset


def _aligned(found: re.Match[str]) -> str:
    """A field with its remark in the column of remarks."""
    return f"{found[1]:<{_COLUMN - 1}} {found[2]}"


def _refuse_language(name: str) -> None:
    """Raises UsageError for what is no short name of another language."""
    if not _LANGUAGE.fullmatch(name):
        raise UsageError(
            "this is no language", where=f"--language {name}"[:80], remedy="Take a short name such as de"
        )
    if name == PLAIN:
        raise UsageError(
            f"the texts in {PLAIN} are written anyway", where=f"--language {name}", remedy="Leave it out"
        )


def _asset(name: str) -> str:
    return (resources.files(FOLDER) / name).read_text(encoding="utf-8")


def _instructions(own: dict[str, Any], protocol: str) -> str:
    """Those of the protocol where there are several; of the usual one, and a word that it is, for any other."""
    found = own["instructions"]
    if isinstance(found, str):
        usual = found if protocol == own["protocol"] else f"<FILL IN: how {protocol} is done>\n\n{found}"
    else:
        usual = found.get(protocol) or f"<FILL IN: how {protocol} is done>\n\n{found[own['protocol']]}"
    return str(usual).strip("\n")


def _conditions(how: str, protocol: str, examples: Sequence[str]) -> str:
    return f"""{how.rstrip()}
[conditions.{protocol}]
protocol = {_quoted(protocol)}
options = {{}}                        # the protocol's, as for `run --set`: {{ images = "collage" }}
examples = {_list(examples)}        # items whose worked answers stay readable beside every trial
lists = true                        # the lists of values to choose from are shown
picture_px = 0                      # pictures are no wider and no higher than this; 0: as large as there is room"""


def _where(groups: Sequence[str], items: Sequence[Item]) -> str:
    """The filter, with values that there are as examples."""
    lines = ["[items.where]                       # only items of these groups or ids, for example:"]
    for group in groups:
        known = list(dict.fromkeys(item.groups.get(group, "") for item in items if item.groups.get(group)))
        if known:
            lines.append(f"# {group} = {_list(known[:2])}")
    return "\n".join(lines) + "\n"


def _language(benchmark: str, language: str) -> str:
    """The table of another language: blanks for its texts, and in comments the words that want a translation."""
    questions = '# the ids of the questions, and QUESTION.OPTION: age = "...", "eyesight.Yes" = "..."'
    labels = [f"# {_quoted(value)} = {_quoted('...')}" for value in dict.fromkeys(values_of(benchmark))]
    ui = [f"# {name} = {_quoted(words)}" for name, words in UI.items()]
    blanks = [
        f'{name} = "{OPEN} in {language}>"' for name in ("title", "consent", "instructions", "practice", "debrief")
    ]
    head = f"text.{language}"
    lines = [
        f"\n[{head}]",
        *blanks,
        f"[{head}.labels]",
        *labels,
        f"[{head}.ui]",
        *ui,
        f"[{head}.questions]",
        questions,
    ]
    return "\n".join(lines) + "\n"


def _beside(place: str, file: Path) -> str:
    """A path as it is written in the study's file: from its folder where it lies below, else whole."""
    if not place:
        return ""
    whole = Path(place).expanduser().absolute()
    try:
        return str(whole.relative_to(file.expanduser().absolute().parent))
    except ValueError:
        return str(whole)


def _list(names: Sequence[str] | Iterator[str]) -> str:
    return f"[{', '.join(_quoted(name) for name in names)}]"


def _quoted(text: str) -> str:
    import tomlkit

    return tomlkit.string(text).as_string()
