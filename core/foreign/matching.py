"""Which item each reply is of, and what tells that it is not: the right answer as the other tool has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.benchmarks.base import Benchmark, ProtocolLike
from core.foreign.replies import Reply
from core.records import Item


@dataclass(frozen=True, slots=True)
class Matched:
    """Replies with their items and steps, in the order of the data; ``left`` are those that match none, in words."""

    found: dict[tuple[str, str, int], Reply]
    items: tuple[Item, ...]
    left: tuple[str, ...]


def match(replies: Iterable[Reply], items: Sequence[Item], benchmark: Benchmark, protocol: ProtocolLike) -> Matched:
    """Find each reply's item: by its id, by the words of its question where only one item has them, by its row.

    A reply whose tool holds another answer right than the item's gold is of another item, and matches none. Of two
    replies to the same the last one counts.
    """
    by_id = {item.id: item for item in items}
    by_question: dict[str, list[Item]] = {}
    for item in items:
        question = item.facts.get("question")
        if isinstance(question, str):
            by_question.setdefault(_folded(question), []).append(item)
    found: dict[tuple[str, str, int], Reply] = {}
    left: list[str] = []
    for reply in replies:
        candidates = _candidates(reply, items, by_id, by_question)
        its = next((one for one in candidates if _agrees(reply, one, benchmark, protocol)), None)
        if its is not None:
            found[its.id, reply.step, reply.repeat] = reply
        elif candidates:
            left.append(
                f"{reply.where}: the right answer there ({reply.target[:60]}) is not that of {candidates[0].id}"
            )
        else:
            left.append(f"{reply.where}: no item matches")
    known = {item for item, _, _ in found}
    return Matched(found, tuple(item for item in items if item.id in known), tuple(left))


def _candidates(
    reply: Reply, items: Sequence[Item], by_id: dict[str, Item], by_question: dict[str, list[Item]]
) -> list[Item]:
    named = [by_id[reply.item]] if reply.item in by_id else []
    asked = by_question.get(_folded(reply.question), []) if reply.question else []
    at = [items[reply.row]] if reply.row is not None and 0 <= reply.row < len(items) else []
    if reply.question and by_question:
        # an id or row that is another item's by its words is that tool's own numbering
        worded = [one for one in (*named, *at) if one in asked]
        return worded or (asked if len(asked) == 1 else [])
    return named or at


def _agrees(reply: Reply, item: Item, benchmark: Benchmark, protocol: ProtocolLike) -> bool:
    """What that tool holds right, read as an answer, is right; or cannot be read as one."""
    turn = protocol.next_turn(item, ()) if reply.target else None
    if turn is None:
        return True
    score = benchmark.score(item, turn, reply.target)
    return score.correct or not score.parsed


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
