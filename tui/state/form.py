"""An answer given by hand: the values of a turn's form, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.benchmarks.base import Benchmark
from core.records import Field, Item, Turn


@dataclass(slots=True)
class Filling:
    """A form being filled in. ``chosen`` holds the index of each field's option; a field without one stays unsaid."""

    fields: Sequence[Field]
    chosen: dict[str, int] = field(default_factory=dict)

    def value(self, name: str) -> str:
        """What was chosen for that field, "" where nothing was."""
        options = next(f.options for f in self.fields if f.name == name)
        return options[self.chosen[name]] if name in self.chosen else ""

    def turn(self, name: str, by: int) -> None:
        """To the next option (-1: the one before); beyond the last one the field is unsaid again."""
        count = len(next(f.options for f in self.fields if f.name == name))
        at = (self.chosen.get(name, -1) + 1 + by) % (count + 1)
        if at:
            self.chosen[name] = at - 1
        else:
            self.chosen.pop(name, None)

    def type(self, name: str, letter: str) -> None:
        """To the next option that begins with that letter, going round."""
        options = next(f.options for f in self.fields if f.name == name)
        start = self.chosen.get(name, -1) + 1
        order = [*range(start, len(options)), *range(start)]
        found = [index for index in order if options[index].casefold().startswith(letter.casefold())]
        if letter and found:
            self.chosen[name] = found[0]

    @property
    def values(self) -> Mapping[str, str]:
        """Those that were chosen, by field."""
        return {f.name: f.options[self.chosen[f.name]] for f in self.fields if f.name in self.chosen}

    def text(self, benchmark: Benchmark, item: Item, turn: Turn) -> str:
        """The values as an answer, in the benchmark's words."""
        return benchmark.write(item, turn, self.values)
