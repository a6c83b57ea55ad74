"""Kills processes that write to a store at random moments, and looks after each kill whether anything was lost.

What a process acknowledged is known from the log that it wrote (``run --log``: a line once a step is stored), and for
the app from what stood in the store just before the kill. The moments are random: while it starts and makes the
store, in the middle, at its end. ``tests.performance.bench_kills`` kills two hundred times, the suite a few.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from sessions.doctor import State, examine
from tests.end_to_end.commands import COMMAND, environment
from tests.performance.ptys import Pty
from tests.servers import Received, Reply, in_a_thread, says
from tests.voila_data import small_voila_file
from tui.cli import main

Process: TypeAlias = "Forked | subprocess.Popen[bytes]"
Answers: TypeAlias = dict[str, Counter[tuple[str, ...]]]
_UNBROKEN: dict[str, Answers] = {}
AT_ONCE = 8
ANSWERS = ("The answer is number = two, subject = dogs, action = walking", "two dogs walking", "no idea")

# a plain run asks each step of an item once, whatever became of the process that asked
_TWICE = (
    "SELECT count(*) FROM (SELECT 1 FROM steps WHERE origin = 0 AND lane = 1 AND trajectory IN"
    " (SELECT id FROM trajectories WHERE parent IS NULL) GROUP BY trajectory, name, repeat HAVING count(*) > 1)"
    " UNION ALL SELECT count(*) FROM (SELECT 1 FROM trajectories WHERE parent IS NULL"
    " GROUP BY run, item, repeat HAVING count(*) > 1)"
)


@dataclass
class Found:
    """What the kills of one kind came to."""

    kills: int = 0
    starting: int = 0
    acknowledged: int = 0
    lost: int = 0
    twice: int = 0
    asked_again: int = 0
    unsound: list[str] = field(default_factory=list)
    warned: Counter[str] = field(default_factory=Counter)
    differs: list[str] = field(default_factory=list)
    stores: int = 0

    @property
    def whole(self) -> bool:
        """Nothing lost, nothing twice, every store sound and in the end as if nobody had been killed."""
        return not (self.lost or self.twice or self.asked_again or self.unsound or self.differs)

    def add(self, other: Found) -> None:
        """What other kills came to, on top."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


class Ground:
    """One store that processes are killed over, in a home of its own, and all that is known to be in it."""

    def __init__(self, home: Path, found: Found) -> None:
        home.mkdir()
        self.home = home
        self.found = found
        self.store = home / "data" / "phoropter" / "phoropter.db"
        self.errors = home / "stderr.txt"
        self._logs: dict[Path, int] = {}
        self._steps: dict[int, tuple[int, str]] = {}
        self._done: set[int] = set()
        self._seen: set[int] = set()
        found.stores += 1

    def log(self, name: str) -> Path:
        """A log that is read after every kill."""
        file = self.home / f"{name}.jsonl"
        self._logs.setdefault(file, 0)
        return file

    def hear(self) -> None:
        """Take in what the logs have said since: whole lines alone, which stand for what is stored."""
        for file, at in self._logs.items():
            data = file.read_bytes()[at:] if file.exists() else b""
            whole = data[: data.rfind(b"\n") + 1]
            self._logs[file] += len(whole)
            for line in map(json.loads, whole.splitlines()):
                if line["event"] == "step":
                    # a step that was acknowledged to an earlier process is never acknowledged again
                    self.found.asked_again += line["id"] in self._steps
                    self._steps[line["id"]] = (line["trajectory"], line["step"])
                    self.found.acknowledged += 1
                elif line["event"] == "finished":
                    self._done.add(line["trajectory"])

    def look(self) -> set[int]:
        """The steps that another process sees in the store now; they count as acknowledged."""
        seen: set[int] = set()
        with suppress(sqlite3.OperationalError), closing(_reader(self.store)) as db:
            seen = {row for (row,) in db.execute("SELECT id FROM steps")}
        self._seen |= seen
        return seen

    def check(self, moment: str) -> None:
        """After a kill: everything acknowledged is there, nothing is twice, and the doctor finds nothing."""
        self.hear()
        if not self.store.exists():
            assert not self._steps
            return
        examination = examine(self.store)
        for finding in examination:
            if finding.state is State.BAD:
                self.found.unsound.append(f"{moment}: {finding.check}: {finding.what}")
            elif finding.state is State.WARN:
                self.found.warned[finding.check] += 1
        if "steps" not in examination.counts:  # killed before the tables were made
            self.found.lost += len(self._steps)
            return
        with closing(_reader(self.store)) as db:
            stored = {
                row: (trajectory, name)
                for row, trajectory, name in db.execute(
                    "SELECT s.id, s.trajectory, n.name FROM steps AS s JOIN step_names AS n ON n.id = s.name"
                )
            }
            done = {row for (row,) in db.execute("SELECT id FROM trajectories WHERE progress = 1")}
            self.found.twice += sum(count for (count,) in db.execute(_TWICE))
        self.found.lost += sum(stored.get(row) != known for row, known in self._steps.items())
        self.found.lost += len(self._seen - stored.keys()) + len(self._done - done)

    def ended_well(self, process: Process) -> None:
        """Wait for its end; fails with what it said where that is not a good one."""
        status = process.wait(600)
        assert status == 0, f"status {status}: {self.errors.read_text(encoding='utf-8', errors='replace')[-3000:]}"

    def answers(self) -> Answers:
        """By run: what stands at each step of each item, with its scores."""
        found: Answers = {}
        with closing(_reader(self.store)) as db:
            for run, *rest in db.execute(
                "SELECT r.name, i.key, t.progress, n.name, s.text, s.status, c.status, c.right, c.scored FROM steps"
                " AS s JOIN trajectories AS t ON t.id = s.trajectory JOIN runs AS r ON r.id = t.run JOIN items AS i"
                " ON i.id = t.item JOIN step_names AS n ON n.id = s.name LEFT JOIN scores AS c ON c.step = s.id"
            ):
                found.setdefault(run, Counter())[tuple(map(str, rest))] += 1
        return found


class Forked:
    """The command in a fork of this process, which has its modules loaded: two hundred kills are worth no two hundred
    starts. What ``subprocess.Popen`` has of the same name. Only where this process has one thread."""

    def __init__(self, arguments: Sequence[str], home: Path, errors: int) -> None:
        self.pid = os.fork()
        self.returncode: int | None = None
        if self.pid:
            return
        status = 1
        try:
            os.chdir(home)
            its = environment(home)
            os.environ.clear()
            os.environ.update(its)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream, number in ((nowhere, 0), (nowhere, 1), (errors, 2)):
                os.dup2(stream, number)
            sys.argv = ["phoropter", *arguments]
            main()
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
        finally:
            os._exit(status)

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self, timeout: float) -> int:
        until = time.monotonic() + timeout
        while (status := self.poll()) is None:
            assert time.monotonic() < until
            time.sleep(0.01)
        return status

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


class Victims:
    """Processes of one kind over one store. ``arguments`` are whole commands, all alive at once."""

    def __init__(self, ground: Ground, *arguments: Sequence[object]) -> None:
        self.ground = ground
        self.arguments = arguments

    def strike(self, chances: random.Random) -> bool:
        """Start them, kill them at a random moment, look. False where all had come to their end before."""
        starting = chances.random() < 0.2
        processes = [self.start(arguments, whole=starting) for arguments in self.arguments]
        if not starting:
            self.wait_for_work(processes)
        time.sleep(chances.uniform(0.0, 0.9))
        self.ground.look()
        alive = [process for process in processes if process.poll() is None]
        for process in alive[: chances.randint(1, len(alive))] if alive else ():
            process.kill()
            self.ground.found.kills += 1
            self.ground.found.starting += starting
        for process in processes:  # one that was not killed goes on beside
            process.wait(300)
        self.ground.check("killed while it started" if starting else "killed at work")
        return bool(alive)

    def finish(self) -> None:
        """The same commands to their end, and what is stored then against what nobody was killed over."""
        self.ground.hear()
        for arguments in self.arguments:
            self.ground.ended_well(self.start(arguments))
        self.ground.check("finished")
        if self._unbroken() != self.ground.answers():
            self.ground.found.differs.append(self.ground.home.name)

    def _unbroken(self) -> Answers:
        """What the same commands store where nobody is killed: made once, baselines and the server always say the
        same."""
        plain = [list(arguments[: arguments.index("--on")] if "--on" in arguments else arguments)
                 for arguments in self.arguments]  # fmt: skip
        alike = str(plain).replace(str(self.ground.home), "")
        if alike not in _UNBROKEN:
            unbroken = Ground(self.ground.home / "unbroken", Found())
            for arguments in plain:
                unbroken.ended_well(Victims(unbroken, arguments).start(arguments))
            _UNBROKEN[alike] = unbroken.answers()
        return _UNBROKEN[alike]

    def start(self, arguments: Sequence[object], *, whole: bool = False) -> Process:
        """One of them, its log beside the store. A ``whole`` start is one of a new interpreter."""
        log = self.ground.log(str(abs(hash(tuple(map(str, arguments))))))
        words = [*map(str, arguments), "--log", str(log)]
        with self.ground.errors.open("ab") as errors:
            if not whole and threading.active_count() == 1:
                return Forked(words, self.ground.home, errors.fileno())
            return subprocess.Popen(
                [*COMMAND, *words],
                cwd=self.ground.home,
                env=environment(self.ground.home),
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def wait_for_work(self, processes: Sequence[Process]) -> None:
        """Until one has stored a step in this life, or all have ended."""
        before = self.ground.found.acknowledged
        until = time.monotonic() + 120
        while any(process.poll() is None for process in processes) and time.monotonic() < until:
            self.ground.hear()
            if self.ground.found.acknowledged > before:
                return
            time.sleep(0.01)


class Workers(Victims):
    """One run whose workers are killed, one after the other; the run replaces them and comes to its end. ``below`` is
    the process that they descend from, 0 for the run's own; ``named`` is part of their command."""

    AT_MOST = 4

    def __init__(self, ground: Ground, arguments: Sequence[object], named: str, below: int = 0) -> None:
        super().__init__(ground, arguments)
        self.named = named
        self.below = below
        self.struck = False

    def strike(self, chances: random.Random) -> bool:
        """Start the run, kill workers of it at random moments, wait for its end, look. False the second time: by then
        all is done."""
        if self.struck:
            return False
        self.struck = True
        driver = self.start(self.arguments[0])
        starting = chances.random() < 0.2
        if not starting:
            self.wait_for_work([driver])
        for _ in range(chances.randint(1, self.AT_MOST)):
            time.sleep(chances.uniform(0.0, 0.5))
            found = workers_of(self.below or driver.pid, self.named) if driver.poll() is None else []
            if found:
                self.ground.look()
                with suppress(ProcessLookupError):
                    os.kill(chances.choice(found), signal.SIGKILL)
                    self.ground.found.kills += 1
                    self.ground.found.starting += starting
        self.ground.ended_well(driver)
        self.ground.check("a worker killed")
        return True


def workers_of(above: int, named: str) -> list[int]:
    """The processes below another one whose command has these words in it."""
    rows = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    told = [
        (int(pid), int(parent), words) for pid, parent, words in (row.split(None, 2) for row in rows.splitlines())
    ]
    below = {above}
    while more := {pid for pid, parent, _ in told if parent in below} - below:
        below |= more
    return sorted(pid for pid, _, words in told if pid in below - {above} and named in words)


# -- the kinds


def run(ground: Ground, items: int, *more: object) -> Victims:
    """A batch of a baseline: as many steps a second as the store takes."""
    data = small_voila_file(ground.home, items, "ND")
    return Victims(ground, ["run", "voila:ND", "--data", data, "--respondent", "seeing:0.8", *more])


def workers(ground: Ground, items: int, on: str, named: str, below: int = 0) -> Victims:
    """Workers of a run that is elsewhere."""
    data = small_voila_file(ground.home, items, "ND")
    whole = ["run", "voila:ND", "--data", data, "--respondent", "seeing:0.8", "--on", on]
    return Workers(ground, [*whole, "--workers", 2], named, below)


def driver(ground: Ground, items: int, on: str) -> Victims:
    """The driver of such a run."""
    return run(ground, items, "--on", on, "--workers", 2)


def pair(ground: Ground, items: int) -> Victims:
    """Two batches into one store; one is killed, or both."""
    data = small_voila_file(ground.home, items, "ND")
    return Victims(
        ground, *(["run", "voila:ND", "--data", data, "--respondent", who] for who in ("seeing:0.8", "random"))
    )


def served(ground: Ground, items: int, url: str) -> Victims:
    """A batch against a server, with its ledger of requests and replies."""
    data = small_voila_file(ground.home, items, "ND")
    asked = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--respondent", f"openai:model@{url}"]
    return Victims(ground, [*asked, "--concurrency", AT_ONCE])


@contextmanager
def counting_server() -> Iterator[tuple[str, Counter[str]]]:
    """A server in a thread that answers at once and counts what it was asked."""
    asked: Counter[str] = Counter()

    async def script(received: Received) -> Reply:
        asked[sha256(received.raw).hexdigest()] += 1
        server.received.clear()  # with their pictures they would fill the memory
        await asyncio.sleep(0.004)
        words = str(received.messages[-1]["content"])
        return says(ANSWERS[sum(words.encode()) % 3])

    with in_a_thread(script) as server:
        yield server.url, asked


class App:
    """The app in a terminal: keys ask, go on, put gold in and ask again on forks, until it is killed between two."""

    KEYS = (b"f", b">", b" ", b"g", b"r", b">", b"s", b"f")

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.command = [sys.executable, "-m", "tui.cli", "demo", "voila:ND", "--store", str(ground.store)]

    def strike(self, chances: random.Random) -> bool:
        """Start it, kill it at a random moment, look."""
        starting = chances.random() < 0.2
        before = len(self.ground.look())
        with Pty(self.command, environment(self.ground.home)) as app:
            if starting:
                time.sleep(chances.uniform(0.0, 1.5))
            else:
                app.seconds_until(b"asks" if not before else b"voila-")
                until = time.monotonic() + 60  # a first step is stored
                while len(self.ground.look()) == before and time.monotonic() < until:
                    app.press(chances.choice(self.KEYS), b"")
                    time.sleep(0.05)
                for _ in range(chances.randint(0, 12)):
                    app.press(chances.choice(self.KEYS), b"")
                    time.sleep(chances.uniform(0.0, 0.06))
            self.ground.found.acknowledged += len(self.ground.look()) - before
        self.ground.found.kills += 1
        self.ground.found.starting += starting
        self.ground.check("app killed while it started" if starting else "app killed at work")
        return True

    def finish(self) -> None:
        """The app opens on what was stored."""
        with Pty(self.command, environment(self.ground.home)) as app:
            app.seconds_until(b"voila-")


def kill(kind: Callable[[Ground], Any], folder: Path, kills: int, seed: int, *, each_store: int) -> Found:
    """So many kills of one kind, over a fresh store after every ``each_store``; each store is finished in the end."""
    chances, found = random.Random(seed), Found()
    while found.kills < kills:
        ground = Ground(folder / f"{seed}-{found.stores}", found)
        victims = kind(ground)
        target = min(kills, found.kills + each_store)
        while found.kills < target and victims.strike(chances):
            pass
        victims.finish()
        if found.whole:
            shutil.rmtree(ground.home)
    return found


def _reader(store: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=30)
