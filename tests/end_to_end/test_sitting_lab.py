"""A lab: eight terminals on one machine share a store, and eight people answer twenty VOILA items each in them."""

from __future__ import annotations

import shlex
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.end_to_end.commands import ROOT, environment, told
from tests.end_to_end.seats import study_file
from tests.voila_data import small_voila_file

PEOPLE, ITEMS, RATERS = 8, 20, 4
PATIENCE = 150.0
MARK = "=== window "


class Lab:
    """Eight windows of one tmux server; what each shows is read, and keys are sent for it."""

    def __init__(self, folder: Path, file: Path, store: Path) -> None:
        if shutil.which("tmux") is None:
            pytest.fail("this test needs tmux: apt-get install tmux (or brew install tmux), then run it again")
        self._socket = str(folder / "tmux")
        kept = environment(folder, TERM="xterm-256color")
        for name in ("TMUX", "NO_COLOR", "COLUMNS", "LINES"):
            kept.pop(name, None)
        for number in range(1, PEOPLE + 1):
            command = shlex.join(
                [sys.executable, "-m", "tui.cli", "study", "sit", str(file), "--participant", f"P{number:02d}",
                 "--store", str(store), "--images", "halfcell"]
            )  # fmt: skip
            verb = ["new-session", "-d", "-s", "lab", "-x", "64", "-y", "22"] if number == 1 else ["new-window", "-d"]
            name = ["-n", f"w{number}"]
            self._run("-f", "/dev/null", *verb, *name, f"{command}; echo ENDED $?; cat", cwd=ROOT, env=kept)

    def show(self) -> dict[int, str]:
        """What each window shows: one client asks for all of them, since each costs as much as an answer."""
        asked: list[str] = []
        for number in range(1, PEOPLE + 1):
            asked += [
                "display-message",
                "-p",
                f"{MARK}{number}",
                ";",
                "capture-pane",
                "-p",
                "-t",
                f"lab:w{number}",
                ";",
            ]
        shown = self._run(*asked[:-1]).split(MARK)[1:]
        return {int(each.split("\n", 1)[0]): each.split("\n", 1)[1] for each in shown}

    def press(self, number: int, *keys: str) -> None:
        """Keys by tmux's names."""
        self._run("send-keys", "-t", f"lab:w{number}", *keys)

    def close(self) -> None:
        """End the server and what runs in it."""
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, check=False)

    def _run(self, *arguments: str, **given: object) -> str:
        return subprocess.run(
            ["tmux", "-S", self._socket, *arguments], check=True, capture_output=True, text=True, **given
        ).stdout  # type: ignore[call-overload,no-any-return]


def answer_of(number: int, trial: int) -> tuple[str, ...]:
    """Keys of an answer: another number for each person and trial, a cat or a dog, swimming or jumping."""
    return (str((number + trial) % 4 + 1), "cd"[trial % 2], "Enter", "sj"[number % 2], "Enter")


def test_eight_people_answer_twenty_items_each_in_terminals_that_share_a_store(tmp_path: Path) -> None:
    folder = tmp_path
    data = small_voila_file(folder, PEOPLE * ITEMS // RATERS, "ND")
    file = study_file(
        folder,
        benchmark="voila:ND",
        data=f'data = "{data}"\npictures = "drawn"',
        protocol="direct",
        items="sample = 0",
        raters=RATERS,
        per_session=ITEMS,
    )
    store = folder / "lab.db"
    lab = Lab(folder, file, store)
    try:
        _hold(lab)
    finally:
        lab.close()
    with sqlite3.connect(store) as db:
        answers = db.execute(
            "SELECT p.pseudonym, t.position, json_extract(r.form, '$.values.number') FROM responses AS r"
            " JOIN trials AS t ON t.id = r.trial JOIN sessions AS s ON s.id = t.session"
            " JOIN participants AS p ON p.id = s.participant"
        ).fetchall()
        assert len(answers) == PEOPLE * ITEMS
        words = ("one", "two", "three", "four")
        for pseudonym, position, value in answers:
            number = int(pseudonym[1:])
            assert value == words[(number + position + 1) % 4], "what was typed at that terminal for that trial"
        claims = db.execute("SELECT count(*) FROM assignments WHERE state = 'done' GROUP BY item").fetchall()
        assert [count for (count,) in claims] == [RATERS] * (PEOPLE * ITEMS // RATERS)
        assert db.execute("SELECT state, count(*) FROM sessions GROUP BY state").fetchall() == [("ended", PEOPLE)]
        orders = db.execute("SELECT group_concat(item) FROM trials GROUP BY session").fetchall()
        assert len(set(orders)) == PEOPLE, "everybody has an order of their own"
        late = db.execute("SELECT count(*) FROM responses WHERE first_ms > final_ms OR final_ms IS NULL").fetchone()
        assert late == (0,)
    rows = told(folder, "report", "lab/P01", "--store", store)
    assert rows["cells"]


def _hold(lab: Lab) -> None:
    """Each window is given what its screen asks for, once it has stood there for as long as keys take to count."""
    going = dict.fromkeys(range(1, PEOPLE + 1), ("", 0.0, 0.0))
    until = time.monotonic() + PATIENCE
    while going:
        screens, now = lab.show(), time.monotonic()
        assert now < until, "\n".join(f"window {number}:\n{screens[number]}" for number in going)
        for number, (seen, since, pressed) in list(going.items()):
            asked = _asked(screens[number])
            if asked == "ended":
                assert "ENDED 0" in screens[number], screens[number]
                del going[number]
            elif asked != seen:
                going[number] = (asked, now, 0.0)
            elif asked and now - since > 0.32 and now - pressed > 1.5:
                going[number] = (asked, since, now)
                lab.press(number, *_keys(number, asked))
        time.sleep(0.05)


def _asked(screen: str) -> str:
    """What the screen asks for; of a trial, its number."""
    first = screen.split("\n", 1)[0]
    if "ENDED" in screen:
        return "ended"
    if "I agree" in screen:
        return "consent"
    if "Answer what is asked" in screen:
        return "instructions"
    if "That was all" in screen or "are saved" in screen:
        return "end"
    return first.split(" of ")[0].strip() if f" of {ITEMS}" in first and "Number" in screen else ""


def _keys(number: int, asked: str) -> tuple[str, ...]:
    if asked == "consent":
        return ("1", "Enter")
    return answer_of(number, int(asked)) if asked.isdigit() else ("Space", "Enter")
