"""A participant's session in a real terminal: keys held down, processes killed, terminals closed, no way out."""

from __future__ import annotations

import signal
from pathlib import Path

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.packs import pack
from core.records import Item
from tests.end_to_end.commands import phoropter
from tests.end_to_end.seats import Seat, study_file

ASKED = "SELECT items.key FROM trials JOIN items ON items.id = trials.item WHERE trials.ended IS NOT NULL"


def mmra_items() -> dict[str, Item]:
    return {item.id: item for item in registry.get("mmra").load(pack("mmra", ""), "", LoadOptions())}


def begin(seat: Seat, *, again: bool = False) -> None:
    """From the first screen to the first trial."""
    if again:
        return
    seat.see("I agree")
    seat.keys("1\r")
    seat.see("Answer what")
    seat.go_on()


def test_a_held_key_answers_one_trial_and_what_is_stored_was_on_the_screen(tmp_path: Path) -> None:
    known = {one.id: one.facts["question"][:40] for one in mmra_items().values()}
    asked = []
    with Seat(tmp_path, study_file(tmp_path), "--participant", "P17", size=(120, 40)) as seat:
        begin(seat)
        for number in (1, 2, 3):
            seat.see(f"{number} of 3")
            shown = seat._pty.output[seat._read :].decode(errors="replace")
            asked.append(next(name for name, words in known.items() if words in shown))
            seat.raw("\x03\x1a\x1c\x11")  # ctrl+c, ctrl+z, ctrl+\, ctrl+q
            seat.keys("1")
            assert seat.state() != "T"
            seat.hold("\r", 1.5)
            assert seat.rows("SELECT count(*) FROM responses") == [(number,)]
        seat.see("That was all")
        seat.go_on()
        assert seat.ended() == 0
        assert [name for (name,) in seat.rows(f"{ASKED} ORDER BY trials.position")] == asked
        early = seat.rows("SELECT details FROM events WHERE kind = 'anticipations'")
        assert early, "keys that came too early are on record"
        hashes = {row[0].hex() for row in seat.rows("SELECT item_hash FROM trials")}
        assert hashes == {item.hash for name, item in mmra_items().items() if name in asked}


def test_whatever_ends_it_after_n_trials_n_answers_are_on_disk_and_going_on_only_adds(tmp_path: Path) -> None:
    file = study_file(tmp_path, per_session=5)
    before: list[tuple[object, ...]] = []
    for number, how in enumerate(("kill", "term", "int", "hang up", "end")):
        with Seat(tmp_path, file, "--participant", "P17", *(["--same-person"] if number else [])) as seat:
            begin(seat, again=bool(number))
            seat.see(f"{number + 1} of 5")
            seat.keys("1\r")
            seat.see(f"{number + 2} of 5" if number < 4 else "That was all")
            if how == "kill":
                assert seat.kill(signal.SIGKILL) == -9
            elif how == "term":
                seat.keys("1")
                assert seat.kill(signal.SIGTERM) == 143
            elif how == "int":
                assert seat.kill(signal.SIGINT) == 130
            elif how == "hang up":
                assert seat.hang_up() == 129
            else:
                seat.go_on()
                assert seat.ended() == 0
            rows = seat.rows("SELECT * FROM responses ORDER BY id")
            assert len(rows) == number + 1
            assert rows[:number] == before, "earlier rows stay as they were"
            before = rows
    items = [name for (name,) in seat.rows(ASKED)]
    assert len(items) == len(set(items)) == 5, "none twice, none dropped"
    assert seat.rows("SELECT count(*) FROM events WHERE kind = 'resumed'") == [(4,)]
    assert len(seat.rows("SELECT details FROM events WHERE kind = 'interrupted'")) >= 2
    done = phoropter(tmp_path, "report", "lab/P17", "--store", seat.store)
    assert done.returncode == 0, done.stderr
    assert "n5" in done.stdout.replace(" ", "") or "5" in done.stdout


def test_what_stands_against_a_sitting_is_one_line_and_status_2(tmp_path: Path) -> None:
    file = study_file(tmp_path)
    for arguments, words in (
        (("--participant", "ann@x.org"), "mail address"),
        ((), "needs a terminal"),
    ):
        done = phoropter(tmp_path, "study", "sit", file, *arguments)
        assert done.returncode == 2
        assert words in done.stderr
        assert "ann@" not in done.stderr
    file.write_text(file.read_text().replace('consent = "You may stop at any time."', ""))
    done = phoropter(tmp_path, "study", "sit", file)
    assert done.returncode == 2
    assert "consent" in done.stderr
    assert "--pilot" in done.stderr
