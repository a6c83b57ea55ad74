"""A chain of turns with a server that fails in the middle."""

from __future__ import annotations

from core.benchmarks import registry
from core.benchmarks.voila.drawn import draw_depicted
from core.engine import Engine
from core.pictures import Pictures
from core.plan import Plan
from core.prompts import prompts_for
from core.records import Progress
from tests.core.questions import change_of_all
from tests.core.respondents.conftest import Talk
from tests.memory_journal import MemoryJournal
from tests.servers import Received, Reply, fails, says, texts


async def test_a_chain_stops_at_the_failed_turn_and_is_taken_up_there(talk: Talk) -> None:
    """ch01: nothing is asked after the failure, its text is in no history, and a rerun asks the failed turn first."""
    broken = True

    def script(received: Received) -> Reply:
        turn = sum(message["role"] == "user" for message in received.messages)
        return fails(500, "harness text") if broken and turn == 2 else says(f"answer {turn}")

    voila = registry.get("voila")
    server, model = await talk(script, attempts=3, pictures=Pictures(drawer=draw_depicted))
    protocol = voila.protocols["l2m"]("ND", {}, prompts_for("voila"))
    journal = MemoryJournal()
    item = change_of_all()

    def engine() -> Engine:
        return Engine(Plan(voila, protocol, model, ()), journal)

    totals = await engine().run([item])
    stopped = await journal.take_up(item, 0)
    assert (totals.failed, totals.finished, len(stopped.steps)) == (1, 0, 1)
    assert len(server.received) == 1 + 3
    failed = next(iter(journal.trajectories.values()))
    assert failed.progress is Progress.FAILED
    assert "HTTP 500" in failed.reason

    broken = False
    asked = len(server.received)
    totals = await engine().run([item])
    assert (totals.failed, totals.finished) == (0, 1)
    again = server.received[asked:]
    assert [role for role, _ in texts(again[0].messages)] == ["user", "assistant", "user"]
    assert texts(again[0].messages)[1] == ("assistant", "answer 1")
    assert not any("harness text" in str(body["messages"]) for body in server.bodies)
