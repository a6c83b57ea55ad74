"""Step 2: what stayed the same and what changed from picture 1 to picture 2 (paper section 4, identifying relations).

``clauses`` cuts the text into what it says of which properties; here that becomes verdicts and stated values. A
verdict in words counts before one that only follows from values ("two -> four"), and that before one that follows
from another property's ("only the action changed") or from two descriptions.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.benchmarks.voila.question import CHANGED, SAME
from core.benchmarks.voila.reading.clauses import clauses
from core.benchmarks.voila.reading.content import read_content
from core.benchmarks.voila.reading.cutting import FLIP, Clause, Value
from core.benchmarks.voila.reading.kinds import Found, Token
from core.benchmarks.voila.reading.pictures import stretches
from core.benchmarks.voila.vocabulary import PROPERTIES


class _Relations:
    __slots__ = ("implied", "rest", "said", "stated", "unclear")

    def __init__(self) -> None:
        self.said: dict[str, list[tuple[Found, bool]]] = {}
        self.implied: dict[str, list[Found]] = {}
        self.stated: dict[str, Found] = {}
        self.rest: list[tuple[Found, frozenset[str]]] = []
        self.unclear: set[str] = set()

    def state(self, name: str, key: str, value: Found) -> None:
        known = self.stated.setdefault(f"{name}.{key}", value)
        if known.value != value.value:
            self.unclear.add(name)

    def take(self, clause: Clause, default: str) -> None:
        names = list(clause.labels)
        if not names and default and not clause.all:
            names = [default]
        if clause.all or clause.other:
            self._take_many(clause)
            return
        for name in names:
            self._take_one(name, clause, labelled=True)
        for name in clause.values:
            if name not in names:
                self._take_one(name, clause, labelled=False)
        if clause.by is not None and "number" not in names and "number" not in clause.values:
            self._take_one("number", clause, labelled=False)
        if clause.only and names and clause.verdict is not None:
            verdict = clause.verdict
            self.rest.append((Found(FLIP[verdict.value], verdict.start, verdict.end), frozenset(names)))

    def _take_many(self, clause: Clause) -> None:
        verdict = clause.verdict
        if verdict is None:
            return
        if clause.other:
            self.rest.append((verdict, frozenset()))
            return
        opposite = Found(FLIP[verdict.value], verdict.start, verdict.end)
        for name in PROPERTIES:
            self.said.setdefault(name, []).append((opposite if name in clause.excepted else verdict, clause.final))
        for name in PROPERTIES:
            self._values(name, clause, labelled=name in clause.excepted)

    def _take_one(self, name: str, clause: Clause, *, labelled: bool) -> None:
        pair = self._values(name, clause, labelled=labelled)
        if labelled and clause.verdict is not None:
            self.said.setdefault(name, []).append((clause.verdict, clause.final))
            return
        if pair is not None:
            self.implied.setdefault(name, []).append(pair)
            return
        if labelled or clause.verdict is None or clause.labels:
            return
        if name == "number" and clause.by is not None:
            self.state(name, "by", clause.by)
            self.said.setdefault(name, []).append((clause.verdict, clause.final))
        elif clause.verdict.value == SAME:
            values = [value for value in clause.values.get(name, ()) if clause.shared or value.after]
            if values:
                self.said.setdefault(name, []).append((clause.verdict, clause.final))
                for value in values:
                    self.state(name, "value", value.found)
        elif clause.to and len(clause.values.get(name, ())) == 1 and clause.values[name][0].after_to:
            self.said.setdefault(name, []).append((clause.verdict, clause.final))
            self.state(name, "to", clause.values[name][0].found)

    def _values(self, name: str, clause: Clause, *, labelled: bool) -> Found | None:
        """Takes down the values said of the property; what a pair of them implies, if there is a pair."""
        values = clause.values.get(name, [])
        if name == "number" and clause.by is not None and labelled:
            self.state(name, "by", clause.by)
        if not values:
            return None
        if not labelled:
            values = [value for value in values if not value.loose]
        pair = _pair(values, clause, labelled=labelled)
        if pair is not None:
            before, after = pair
            if not labelled and clause.labels and before.value == after.value:
                return None
            self.state(name, "from", before)
            self.state(name, "to", after)
            verdict = SAME if before.value == after.value else CHANGED
            return Found(verdict, min(before.start, after.start), max(before.end, after.end))
        if labelled and clause.verdict is not None and values:
            value = values[0]
            key = "value"
            if clause.verdict.value == CHANGED:
                if value.after_to or value.unit == 2:
                    key = "to"
                elif value.after_from or value.unit == 1:
                    key = "from"
            if not value.loose:
                self.state(name, key, value.found)
        return None

    def result(self, tokens: Sequence[Token]) -> tuple[dict[str, Found], frozenset[str]]:
        out: dict[str, Found] = {}
        unclear = self.unclear
        for name in PROPERTIES:
            found = self._verdict(name)
            if found is not None:
                out[name] = found
        for verdict, names in self.rest:
            for name in PROPERTIES:
                if name not in names and name not in out and name not in unclear:
                    out[name] = verdict
        if len(out) + len(unclear) < len(PROPERTIES):
            self._from_descriptions(tokens, out)
        for key, found in self.stated.items():
            if key.partition(".")[0] in out:
                out[key] = found
        for name in unclear:
            out.pop(name, None)
        return out, frozenset(unclear)

    def _verdict(self, name: str) -> Found | None:
        said = self.said.get(name, [])
        finals = [found for found, final in said if final]
        found = finals or [found for found, _ in said] or self.implied.get(name, [])
        if not found:
            return None
        if any(other.value != found[0].value for other in found):
            self.unclear.add(name)
            return None
        return found[0]

    def _from_descriptions(self, tokens: Sequence[Token], out: dict[str, Found]) -> None:
        """Pictures 1 and 2 described one after the other imply what nobody said."""
        told: dict[int, dict[str, Found]] = {}
        for units, stretch in stretches(tokens):
            if len(units) == 1 and units[0] in (1, 2):
                values = told.setdefault(units[0], {})
                for name, found in read_content(stretch).values.items():
                    values.setdefault(name, found)
        for name in PROPERTIES:
            if name in out or name in self.unclear or f"{name}.from" in self.stated:
                continue
            before, after = told.get(1, {}).get(name), told.get(2, {}).get(name)
            if before is not None and after is not None:
                verdict = SAME if before.value == after.value else CHANGED
                out[name] = Found(verdict, min(before.start, after.start), max(before.end, after.end))
                self.stated[f"{name}.from"], self.stated[f"{name}.to"] = before, after


def _pair(values: list[Value], clause: Clause, *, labelled: bool) -> tuple[Found, Found] | None:
    if len(values) < 2:
        return None
    by_unit = {value.unit: value.found for value in reversed(values) if value.unit in (1, 2)}
    if len(by_unit) == 2:
        return by_unit[1], by_unit[2]
    joined = [value for value in values if value.after_to or value.after_from]
    if clause.source and clause.to:
        before = next((value for value in values if value.after_from and not value.after_to), None)
        after = next((value for value in values if value.after_to), None)
        if before is not None and after is not None:
            return before.found, after.found
    if not labelled and not clause.joins:
        return None
    first, second = values[0], next((value for value in values[1:] if value.after_to), values[1])
    if not labelled and not joined:
        return None
    if clause.reverse:
        first, second = second, first
    return first.found, second.found


def read_relate(tokens: Sequence[Token], default: str = "") -> tuple[dict[str, Found], frozenset[str]]:
    """Fields (``number``, ``number.from`` ...) and the properties that contradict themselves.

    ``default`` is the property that was asked for where the turn asks for one alone.
    """
    relations = _Relations()
    for clause in clauses(tokens):
        relations.take(clause, default)
    return relations.result(tokens)
