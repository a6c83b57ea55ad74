"""Time, tokens and price of steps, read from the ledger when somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.journal import Journal
from core.prices import usd
from core.records import Call, Step
from tui.counting import counted


@dataclass(frozen=True, slots=True)
class Cost:
    """What calls took. ``usd`` is None where no price is known; ``recalled`` were paid elsewhere."""

    calls: int = 0
    seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None
    attempts: int = 0
    model: str = ""
    recalled: bool = False

    @property
    def words(self) -> str:
        """In one line."""
        said = [f"{self.seconds:.1f} s", f"{self.prompt_tokens:,} + {self.completion_tokens:,} tokens"]
        said.append(usd(self.usd) if self.usd is not None else "no price known")
        if self.attempts > self.calls:
            said.append(counted(self.attempts, "attempt"))
        if self.model:
            said.append(self.model)
        if self.recalled:
            said.append("recalled, paid when it was first asked")
        return ", ".join(said)


NOTHING = Cost()
"""Of a step that nobody was called for."""


class Costs:
    """Of the steps of one journal, each read once."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[int, Cost] = {}

    def of(self, step: Step) -> Cost | None:
        """None as long as it has not been read."""
        if step.id not in self._known and step.answer.call is not None:
            self._known[step.id] = _of(step.answer.call, recalled=step.answer.recalled is not None)
        return self._known.get(step.id)

    def total(self, steps: Sequence[Step]) -> Cost | None:
        """Of a path; what was recalled cost nothing here. None as long as a step is not known."""
        found = [self.of(step) for step in steps]
        if any(cost is None for cost in found):
            return None
        paid = [cost for cost in found if cost is not None and cost.calls and not cost.recalled]
        prices = [cost.usd for cost in paid]
        return Cost(
            len(paid),
            sum(cost.seconds for cost in paid),
            sum(cost.prompt_tokens for cost in paid),
            sum(cost.completion_tokens for cost in paid),
            sum(price for price in prices if price is not None) if paid and None not in prices else None,
            sum(cost.attempts for cost in paid),
        )

    def unread(self, steps: Iterable[Step]) -> list[Step]:
        """Those that :meth:`read` has to be called for."""
        return [step for step in steps if step.id and self.of(step) is None]

    async def read(self, steps: Iterable[Step]) -> None:
        """Read what is not known yet."""
        for step in self.unread(steps):
            call = await self._journal.call_of(step, raw=False)
            self._known[step.id] = NOTHING if call is None else _of(call, recalled=step.answer.recalled is not None)


def _of(call: Call, *, recalled: bool) -> Cost:
    usage = call.usage
    return Cost(
        1,
        call.seconds,
        usage.prompt_tokens,
        usage.completion_tokens,
        usage.cost,
        call.attempts,
        call.served_model,
        recalled,
    )
