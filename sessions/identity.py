"""What identifies a run, what differs between two, and the names runs go by."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from core.errors import UsageError
from core.records import EMPTY, Json, RespondentKind, digest
from core.respondents.addresses import as_identified

LONGEST_NAME: Final = 120


@dataclass(frozen=True, slots=True)
class RunConfig:
    """All that can change a run's answers. Limits, concurrency, budgets, executors, shards and scorers cannot.

    ``data_digest`` is the data file's, ``filter`` what ``--where``, ``--sample`` and the like chose, ``prompts``
    maps the name of each prompt the protocol may use to its hash, ``identity_of_respondent`` is
    ``Respondent.identity``. ``respondents_at`` maps a step to another respondent's name and identity,
    ``interventions`` is the engine's own JSON of them, ``base_run`` the ``uid`` of the run whose steps are reused.
    ``told`` is what a study tells beside the protocol's turns (``core.study.told.Told.options``).
    """

    benchmark: str
    subset: str
    protocol: str
    respondent: str
    respondent_kind: RespondentKind
    data_digest: str = ""
    filter: Json = None
    options: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    prompts: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    identity_of_respondent: Mapping[str, Json] = field(default_factory=lambda: EMPTY)
    respondents_at: Mapping[str, Json] = field(default_factory=lambda: EMPTY)
    interventions: Json = None
    base_run: str = ""
    seed: int = 0
    told: Mapping[str, str] = field(default_factory=lambda: EMPTY)

    def to_json(self) -> dict[str, Json]:
        told = {"told": dict(self.told)} if self.told else {}  # runs without keep the identity they always had
        return {
            **told,
            "benchmark": self.benchmark,
            "subset": self.subset,
            "protocol": self.protocol,
            "respondent": self.respondent,
            "respondent_kind": self.respondent_kind,
            "data_digest": self.data_digest,
            "filter": self.filter,
            "options": dict(self.options),
            "prompts": dict(self.prompts),
            "identity_of_respondent": dict(self.identity_of_respondent),
            "respondents_at": dict(self.respondents_at),
            "interventions": self.interventions,
            "base_run": self.base_run,
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> RunConfig:
        """A configuration as stored; a field that this program does not know is left out."""
        return cls(**{name: stored[name] for name in cls.__slots__ if name in stored})

    def identity(self) -> str:
        """The same for two commands exactly when the second one goes on with the first one's run.

        A file's path in a respondent's name does not count: what it answers with does. A server's address does where
        it is written there, as in ``openai:MODEL@URL``; where a configured respondent stands does not.
        """
        return digest(self.to_json() | {"respondent": as_identified(self.respondent)})


# -- what differs


_LABELS: Final = {
    "data_digest": "data",
    "identity_of_respondent": "",
    "options": "option",
    "prompts": "prompt",
    "respondents_at": "respondent at",
    "base_run": "run reused",
    "told": "study's",
}
_OPAQUE: Final = frozenset({"data_digest", "prompts", "interventions", "filter", "base_run", "respondents_at"})


def differences(old: RunConfig, new: RunConfig) -> tuple[str, ...]:
    """Each difference in words: ``prompt voila.relate changed``, ``temperature 0 -> 0.7``."""
    before, after = ({"told": {}, **config.to_json()} for config in (old, new))
    if before["respondent"] != after["respondent"]:  # another respondent: its parameters say nothing more
        del before["identity_of_respondent"], after["identity_of_respondent"]
        del before["respondent_kind"], after["respondent_kind"]
    out: list[str] = []
    for name, value in after.items():
        if name in before and before[name] != value:
            label = _LABELS.get(name, name)
            out.extend(_compared(label, before[name], value, opaque=name in _OPAQUE))
    return tuple(out)


def _compared(label: str, old: Json, new: Json, *, opaque: bool) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*new, *(key for key in old if key not in new)]:
            name = f"{label} {key}".strip()
            if key not in old:
                yield f"{name} added" if opaque else f"{name} {_shown(new[key])} added"
            elif key not in new:
                yield f"{name} removed"
            elif old[key] != new[key]:
                yield from _compared(name, old[key], new[key], opaque=opaque)
    elif opaque or len(_shown(old)) + len(_shown(new)) > 80:
        yield f"{label or 'parameters'} changed"
    else:
        yield f"{label or 'parameters'} {_shown(old)} -> {_shown(new)}"


def _shown(value: Json) -> str:
    return f"{value:g}" if isinstance(value, float) else "none" if value is None else str(value)


# -- names


def safe_name(words: Iterable[str]) -> str:
    """A readable name of letters, digits, dot, hyphen and underscore, such as ``voila-nd-l2m-oracle``."""
    text = unicodedata.normalize("NFC", "-".join(word for word in words if word))
    kept = "".join(character if character.isalnum() or character in "._-" else "-" for character in text)
    parts = [part.strip("._") for part in kept.split("-")]
    return ("-".join(part for part in parts if part) or "run")[: LONGEST_NAME - 8].rstrip("-._") or "run"


def automatic_name(config: RunConfig) -> str:
    return safe_name([config.benchmark, config.subset, config.protocol, config.respondent])


def check_name(name: str) -> str:
    """The name as given, or UsageError with what a run's name may be."""
    problem = ""
    if not name.strip():
        problem = "a run's name cannot be empty"
    elif len(name) > LONGEST_NAME:
        problem = f"a run's name may have {LONGEST_NAME} characters, this one has {len(name)}"
    elif name != name.strip():
        problem = "a run's name cannot begin or end with a space"
    elif any(character in "/\\" for character in name):
        problem = "a run's name cannot hold / or \\"
    elif any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in name):
        problem = "a run's name cannot hold control characters"
    elif name in (".", ".."):
        problem = "a run's name cannot be . or .."
    if problem:
        raise UsageError(problem, where=ascii(name)[:200], remedy="Choose another with --name")
    return unicodedata.normalize("NFC", name)


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """The names most like the one that was not found."""
    by_folded = {known.casefold(): known for known in names}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=3, cutoff=0.4)
    return [by_folded[folded] for folded in close]
