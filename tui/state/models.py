"""Who can answer, what a check of each found, and the form for a new one; free of Textual."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final, Literal, TypeAlias

from core.checking import Report, Verdict, check
from core.config import Config, load_config
from core.errors import PhoropterError, UsageError
from core.plan import Plan
from core.records import named
from core.respondents import eyes
from core.respondents.addresses import secret_in
from core.respondents.base import OnLoading
from core.respondents.baselines import BASELINES, make_baseline
from core.respondents.registry import DIRECT
from core.respondents.settings import KINDS, Connection
from sessions.drafts import Drafts, Fields, Place
from tui.inert import one_line
from tui.key_names import key
from tui.state.pointing import Pointing

Check: TypeAlias = Callable[[str, Config, OnLoading], Awaitable[Report]]
Standing: TypeAlias = Literal["", "asking", "usable", "not usable", "failed", "stopped"]

EXAMPLES: Final[Mapping[str, str]] = {"noisy:P": "noisy:0.6", "seeing:P": "seeing:0.8"}
"""A baseline with a parameter is checked and used with this one."""
MARKS: Final[Mapping[Verdict, str]] = {
    Verdict.YES: "✓", Verdict.NO: "✗", Verdict.UNKNOWN: "?", Verdict.NONE: "–"
}  # fmt: skip
SIGNS: Final[Mapping[Standing, str]] = {
    "": " ", "asking": "…", "usable": "✓", "not usable": "✗", "failed": "!", "stopped": "–"
}  # fmt: skip
DRAFTED: Final = ("name", "kind", "model", "base_url")
"""Of a form these are kept beside the store; what stands where a key's variable belongs may be the key itself."""
SHOWN: Final = 400
"""Of an answer so much is shown."""


@dataclass(frozen=True, slots=True)
class Row:
    """One respondent. ``name`` is what it is asked under, "" where a pattern has to be filled in first."""

    shown: str
    kind: str
    what: str
    name: str


@dataclass(frozen=True, slots=True)
class Checked:
    """How a check stands: the report, or in words why there is none."""

    standing: Standing
    report: Report | None = None
    why: str = ""


@dataclass(slots=True)
class Form:
    """What is typed for a new respondent; the key itself is never asked for, only the name of its variable."""

    name: str = ""
    kind: str = next(iter(KINDS))
    model: str = ""
    base_url: str = ""
    api_key_env: str = ""

    def entries(self) -> dict[str, object]:
        """What is written. A kind that runs here has neither an address nor a key."""
        known = {entry.name for entry in fields(KINDS[self.kind])}
        given: dict[str, object] = {"kind": self.kind, "model": self.model.strip()}
        urls = [url.strip() for url in self.base_url.split(",") if url.strip()]
        if urls:
            given["base_url"] = urls[0] if len(urls) == 1 else urls
        if self.api_key_env.strip():
            given["api_key_env"] = self.api_key_env.strip()
        stray = [name for name in given if name not in known]
        if stray:
            raise UsageError(f"{self.kind} runs on this machine and takes no {stray[0]}", remedy="Leave it empty")
        return given

    @property
    def asks_server(self) -> bool:
        """Whether an address and a key make sense."""
        return issubclass(KINDS[self.kind], Connection)


def asked_in(plan: Plan | None, subset: str) -> str:
    """What models are checked for, in words: what the plan asks in that subset."""
    return f"{named(plan.benchmark.name, subset)} {plan.protocol.name}" if plan is not None else "voila"


@dataclass(slots=True)
class Models:
    """The respondents of ``file`` and the built-in ones. ``check`` asks one; ``on_change`` hears of any change.
    ``pointing`` is the data that one of them is pointed at. ``loads`` tells whose models batches are loading, and how
    far each is, respondents by their name and judges as ``judge NAME``. A form that is not saved yet lies with the
    ``drafts``."""

    file: Path
    check: Check
    config: Config = field(default_factory=Config)
    checks: dict[str, Checked] = field(default_factory=dict)
    form: Form = field(default_factory=Form)
    wanted: str = ""
    protocol: str = ""
    pointing: Pointing = field(default_factory=Pointing)
    drafts: Drafts = field(default_factory=Drafts)
    on_change: Callable[[], None] = lambda: None
    loads: Callable[[], Mapping[str, str]] = dict
    _stages: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, text in self._typed.items():
            if name in DRAFTED and (name != "kind" or text in KINDS):
                setattr(self.form, name, text)

    @property
    def _typed(self) -> Fields:
        return Fields(self.drafts, Place("new respondent", "", 0, 0))

    def keep_form(self) -> None:
        """Keep what was typed into the form and is not saved; no address with a place where keys are written."""
        empty = Form()
        typed = {name: str(getattr(self.form, name)) for name in DRAFTED}
        changed = {name: text for name, text in typed.items() if text != getattr(empty, name)}
        if secret_in(changed.get("base_url", "")):
            del changed["base_url"]
        if changed != dict(self._typed):
            self._typed.put(changed)

    @classmethod
    def for_plan(cls, file: Path, plan: Plan | None, subset: str, drafts: Drafts | None = None) -> Models:
        """Checks are on the plan's protocol, VOILA's first one without a plan."""
        benchmark = named(plan.benchmark.name, subset) if plan is not None else ""
        protocol = plan.protocol.name if plan is not None else ""
        options = dict(plan.protocol.options) if plan is not None else {}

        def ask(name: str, config: Config, on_loading: OnLoading) -> Awaitable[Report]:
            return check(name, config, benchmark=benchmark, protocol=protocol, options=options, on_loading=on_loading)

        return cls(file, ask, protocol=asked_in(plan, subset), drafts=drafts if drafts is not None else Drafts())

    def read(self) -> None:
        """Read the file anew. Raises ConfigError."""
        self.config = load_config(self.file) if self.file.exists() else Config()

    def rows(self) -> tuple[Row, ...]:
        """Those of the file first; only those that hold every word that is looked for."""
        out = [
            Row(name, entry.kind, getattr(entry, "model", ""), name)
            for name, entry in sorted(self.config.respondents.items())
        ]
        out += [Row(one.pattern, "baseline", one.what, _name_of(one.pattern)) for one in BASELINES]
        out.append(Row(eyes.NAME, eyes.SETTINGS.kind, "a small model that ships with the program", eyes.NAME))
        out.append(Row(DIRECT, "openai", "any OpenAI-compatible server, without configuration", ""))
        words = self.wanted.casefold().split()
        return tuple(
            row for row in out if all(word in f"{row.shown} {row.kind} {row.what}".casefold() for word in words)
        )

    def checked(self, row: Row) -> Checked:
        return self.checks.get(row.name, Checked(""))

    async def run_check(self, row: Row) -> None:
        """Check that one; whatever comes of it is told in ``checks``. Cancelled, it is noted as stopped."""
        self._note(row.name, Checked("asking"))
        try:
            report = await self.check(row.name, self.config, lambda what: self._loads(row.name, what))
        except PhoropterError as error:
            self._note(row.name, Checked("failed", why=str(error)))
        except BaseException:
            self._note(
                row.name, Checked("stopped", why=f"the check was stopped or broke; {key('models.check')} asks again")
            )
            raise
        else:
            self._note(row.name, Checked("usable" if report.usable else "not usable", report))

    def loading(self, row: Row) -> str:
        """How far the model is that is being loaded for its check, or for a batch that it answers or judges; "" where
        none is."""
        if stage := self._stages.get(row.name):
            return stage
        found = self.loads() if row.name else {}
        whose = f"judge {row.name}"
        return found.get(row.name) or (f"{found[whose]}, as a judge" if whose in found else "")

    def _loads(self, name: str, what: str) -> None:
        self._stages[name] = what
        self.on_change()

    def _note(self, name: str, checked: Checked) -> None:
        self._stages.pop(name, None)
        self.checks[name] = checked
        self.on_change()

    def add(self) -> str:
        """Write the form's respondent into the file; its name. Raises UsageError or ConfigError, nothing written.

        Touches the disk: it belongs in a thread, and tells nobody by itself.
        """
        from core.config_writing import add_respondent

        name = self.form.name.strip()
        if not name or not name.isprintable():
            raise UsageError("a respondent needs a name", remedy="Any that you like, such as gpt-4o")
        if is_baseline(name) or name.startswith("openai:"):
            raise UsageError(f"{name!r} is built in", remedy="Take another name")
        self.config = add_respondent(self.file, name, self.form.entries())
        self.form = Form()
        return name


def is_baseline(name: str) -> bool:
    """Whether a baseline goes by that name already."""
    try:
        return make_baseline(name) is not None
    except PhoropterError:
        return True


def usable_names(config: Config) -> tuple[str, ...]:
    """Who can be asked by name: those of the configuration, then the built-in ones."""
    return (*config.respondents, *filter(None, (_name_of(one.pattern) for one in BASELINES)), eyes.NAME)


def _name_of(pattern: str) -> str:
    if pattern in EXAMPLES:
        return EXAMPLES[pattern]
    return "" if ":" in pattern else pattern


def report_lines(report: Report) -> list[tuple[str, str, str]]:
    """Mark, words and remedy of each line; what it said at the end."""
    out = [
        (MARKS[line.verdict], one_line(f"{line.name}: {line.what}"), one_line(line.remedy)) for line in report.lines
    ]
    if report.text:
        out.append(("“", one_line(report.text)[:SHOWN], ""))
    return out
