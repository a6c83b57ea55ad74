"""What identifies a run, what differs between two, and the names runs go by."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from core.errors import UsageError
from core.interventions import from_stored
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
_OPAQUE: Final = frozenset({"data_digest", "prompts", "base_run"})
_PARTS_OF_FILTER: Final = ("where", "sample", "seed", "pictures", "mapping")
_PICTURES: Final = {True: "drawn stand-ins", False: "files"}


def differences(old: RunConfig, new: RunConfig) -> tuple[str, ...]:
    """Each difference in words: ``prompt voila.relate changed``, ``temperature 0 -> 0.7``, ``rule any -> 1, 2``."""
    before, after = ({"told": {}, **config.to_json()} for config in (old, new))
    if before["respondent"] != after["respondent"]:  # another respondent: its parameters say nothing more
        del before["identity_of_respondent"], after["identity_of_respondent"]
        del before["respondent_kind"], after["respondent_kind"]
    out: list[str] = []
    for name, value in after.items():
        if name in before and before[name] != value:
            label = _LABELS.get(name, name)
            if name == "filter":
                out.extend(_filters(old, new))
            elif name == "interventions":
                out.append(_interventions(before[name], value))
            elif name == "respondents_at":
                out.extend(_elsewhere(old.respondents_at, new.respondents_at))
            else:
                out.extend(_compared(label, before[name], value, opaque=name in _OPAQUE))
    return tuple(out)


def _filters(old: RunConfig, new: RunConfig) -> Iterator[str]:
    """Which items, and what is seen of them. A seed that differs is told once; that another respondent looks at the
    pictures, or does not, goes without saying."""
    before, after = (dict(each.filter) if isinstance(each.filter, Mapping) else {} for each in (old, new))
    where, now = (_mapping(each.get("where")) for each in (before, after))
    for key in [*now, *(key for key in where if key not in now)]:
        if where.get(key) != now.get(key):
            yield from _compared(key, _values(where.get(key)), _values(now.get(key)), opaque=False)
    if before.get("sample") != after.get("sample"):
        yield f"sample {_shown(before.get('sample'))} -> {_shown(after.get('sample'))}"
    if "sample" in before and "sample" in after and before.get("seed") != after.get("seed") and old.seed == new.seed:
        yield f"seed of the sample {_shown(before.get('seed'))} -> {_shown(after.get('seed'))}"
    seen, sees = before.get("pictures"), after.get("pictures")
    if isinstance(seen, Mapping) and isinstance(sees, Mapping):
        yield from _pictures(seen, sees)
    elif (seen is None) != (sees is None) and old.respondent == new.respondent and not new.respondents_at:
        yield f"pictures {'shown' if seen else 'not shown'} -> {'shown' if sees else 'not shown'}"
    yield from _compared("column", _mapping(before.get("mapping")), _mapping(after.get("mapping")), opaque=False)
    others = ({key: value for key, value in each.items() if key not in _PARTS_OF_FILTER} for each in (before, after))
    yield from _compared("", *others, opaque=False)


def _pictures(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[str]:
    drawn, draws = old.get("drawn"), new.get("drawn")
    if drawn != draws:
        yield f"pictures {_PICTURES[bool(drawn)]} -> {_PICTURES[bool(draws)]}"
    for key in [*new, *(key for key in old if key not in new)]:
        value = new.get(key)
        if key == "drawn" or value == old.get(key) or (drawn != draws and key in ("files", "drawings")):
            continue
        if key == "files":
            yield "picture files changed"
        elif key == "drawings":
            yield f"version of the drawings {_shown(old.get(key))} -> {_shown(value)}"
        else:
            yield f"{key} {_shown(old.get(key))} -> {_shown(value)}"


def _elsewhere(old: Mapping[str, Json], new: Mapping[str, Json]) -> Iterator[str]:
    for step in [*new, *(step for step in old if step not in new)]:
        before, after = _mapping(old.get(step)), _mapping(new.get(step))
        if before.get("name") != after.get("name"):
            yield f"respondent at {step} {_shown(before.get('name'))} -> {_shown(after.get('name'))}"
        else:
            parameters = (_mapping(each.get("identity")) for each in (before, after))
            yield from _compared(f"respondent at {step}:", *parameters, opaque=False)


def _interventions(old: Json, new: Json) -> str:
    before, after = (_labels(each) for each in (old, new))
    return f"interventions {before} -> {after}" if before != after else f"words put in by {after} changed"


def _labels(interventions: Json) -> str:
    return ", ".join(one.label for one in from_stored(interventions)) or "none"


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _values(values: Json) -> str:
    return ", ".join(map(_shown, values)) if isinstance(values, list | tuple) else "any"


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
        raise UsageError(problem, where=ascii(name)[:200], remedy="Choose another")
    return unicodedata.normalize("NFC", name)


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """The names most like the one that was not found."""
    by_folded = {known.casefold(): known for known in names}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=3, cutoff=0.4)
    return [by_folded[folded] for folded in close]
