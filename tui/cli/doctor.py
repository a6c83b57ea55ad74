"""``phoropter doctor``: what works here, and what to do about the rest."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core import datasets
from core.config import Config, glance, load_config
from core.errors import PhoropterError
from core.fetching.catalogue import CATALOGUE
from sessions.doctor import examine as examine_store
from sessions.store import default_path
from tui.cli.output import put, put_json
from tui.cli.places import chosen_store
from tui.counting import counted
from tui.inert import one_line

OK, WARN, BAD = "ok", "warn", "bad"
PACKAGES = (
    ("textual", "the app", ""),
    ("textual-image", "pictures in the terminal", ""),
    ("openai", "models behind servers", ""),
    ("pyarrow", "data sets in parquet", "data"),
    ("openpyxl", "data sets and results in xlsx", "data"),
    ("huggingface_hub", "fetching data from the hub", "hub"),
    ("torch", "local models", "local"),
    ("transformers", "local models", "local"),
    ("diffusers", "pictures made here", "images"),
    ("matplotlib", "figures of reports", "plots"),
    ("ray", "runs over several machines", "ray"),
    ("inspect-ai", "logs of inspect", "inspect"),
    ("wordllama", "pairs for MMRA by their likeness", "embeddings"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the examination."""

    area: str
    state: str
    what: str
    remedy: str = ""


def examine(store: Path | None, config: Path | None, *, as_json: bool) -> int:
    """Look at everything; status 1 where something is broken that a user must mend."""
    settings, configuration = _configuration(config)
    stored = _store(chosen_store(store, settings))
    findings = [*_terminal(config), *stored, *configuration, *_data(), *_packages()]
    if as_json:
        put_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            remedy = f"  -> {finding.remedy}" if finding.remedy else ""
            put(one_line(f"{finding.state:4}  {finding.area}: {finding.what}{remedy}"))
    return 1 if any(finding.state == BAD for finding in findings) else 0


def _terminal(config: Path | None) -> Iterator[Finding]:
    term = os.environ.get("TERM", "")
    if not sys.stdout.isatty():
        yield Finding("terminal", WARN, "stdout is no terminal", "The app needs one; commands do not")
    elif term in ("", "dumb", "unknown"):
        yield Finding("terminal", BAD, f"TERM is {term!r}: no app there", "Set TERM, for example xterm-256color")
    else:
        size = shutil.get_terminal_size()
        state = OK if size.columns >= 80 and size.lines >= 24 else WARN
        remedy = "" if state == OK else "80x24 or more shows pictures and steps together"
        yield Finding("terminal", state, f"{term}, {size.columns}x{size.lines}", remedy)
    from tui.imaging import KINDS, VARIABLE, decide

    kinds = "|".join(KINDS)
    try:
        images = glance(config).app.get("images", "auto")
        yield Finding("pictures", OK, decide(str(images)).caption, f"--images or {VARIABLE}={kinds} chooses another")
    except PhoropterError as error:
        yield Finding("pictures", BAD, str(error))


def _store(path: Path | None) -> Iterator[Finding]:
    place = path if path is not None else default_path()
    if fixed := _unwritable(place):
        yield Finding("store", BAD, f"{fixed} cannot be written", "Give yourself permission, or name another --store")
    if not place.exists():
        if not fixed:
            yield Finding("store", OK, f"none yet at {place}")
        return
    examination = examine_store(place)
    for line in examination:
        yield Finding("store", line.state, f"{line.check}: {line.what}", line.remedy)
    shown = ("items", "runs", "trajectories", "steps", "scores", "calls", "pictures")
    counts = [f"{examination.counts[name]:,} {name}" for name in shown if name in examination.counts]
    if counts:
        yield Finding("store", OK, ", ".join(counts))


def _unwritable(store: Path) -> Path | None:
    """The store where it cannot be written, or the folder that it or its log lies or would lie in."""
    folder = next(parent for parent in store.expanduser().absolute().parents if parent.exists())
    places = (store, folder) if store.is_file() else (folder,)
    return next((place for place in places if not os.access(place, os.W_OK)), None)


def _configuration(path: Path | None) -> tuple[Config, list[Finding]]:
    """What it says, nothing where it cannot be used, and what there is to say of it."""
    try:
        settings = load_config(path)
    except PhoropterError as error:
        return Config(), [Finding("configuration", BAD, str(error))]
    return settings, list(_configured(settings))


def _configured(settings: Config) -> Iterator[Finding]:
    if settings.file is None:
        yield Finding("configuration", OK, "no phoropter.toml; baselines and openai:MODEL@URL work without one")
        return
    yield Finding("configuration", OK, f"{settings.file}: {len(settings.respondents)} respondents")
    for name, entry in sorted(settings.respondents.items()):
        variable = getattr(entry, "api_key_env", "")
        if variable:
            there = bool(os.environ.get(variable))
            yield Finding(
                f"key of {name}",
                OK if there else WARN,
                f"{variable} is {'set' if there else 'not set'}",
                "" if there else f"export {variable}=...",
            )


def _data() -> Iterator[Finding]:
    """The fetched sets by their cards; their files are not read."""
    for benchmark in CATALOGUE:
        try:
            for folder, card in datasets.sets(benchmark):
                files = f"{counted(card.files, 'file')}, not validated"
                holds = counted(card.items, "item") if card.items is not None else files
                yield Finding("data", OK, f"{card.name}: {holds}, in {folder}")
        except PhoropterError as error:
            yield Finding("data", WARN, str(error))


def _packages() -> Iterator[Finding]:
    yield Finding("python", OK, ".".join(str(part) for part in sys.version_info[:3]))
    for name, use, extra in PACKAGES:
        try:
            yield Finding(name, OK, version(name))
        except PackageNotFoundError:
            if extra:
                yield Finding(name, OK, f"not installed ({use})", f"pip install 'phoropter[{extra}]' if you want it")
            else:
                yield Finding(name, BAD, f"not installed ({use})", "Install phoropter again")
