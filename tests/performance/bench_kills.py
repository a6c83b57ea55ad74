"""Kills: two hundred processes of every kind killed at random moments over their stores, and what was lost by it.

python -m tests.performance.bench_kills [KILLS] [SEED] [KIND ...]

By kind of process: how many were killed, how many of them while they started; steps that had been acknowledged by
then; of those, how many were lost or acknowledged again; rows that stand twice; stores that the doctor held unsound
after a kill; stores whose answers in the end were not those of a run that nobody killed.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from core.workers.on_ray import TOKENS
from tests import killing
from tests.end_to_end.commands import ROOT
from tests.end_to_end.forking import load
from tests.killing import Found, Ground
from tests.performance.bench_servers import slow_server

Kind: TypeAlias = Callable[[Ground], Any]

KILLS: Final = 200
ITEMS: Final = 1000
EACH_STORE: Final = 10
RAY_ACTOR: Final = "Ray's actor"
RAY_DRIVER: Final = "Ray's driver"
WEIGHTS: Final = {RAY_ACTOR: 0.1, RAY_DRIVER: 0.1}
"""Against 1 for the others: a driver needs seconds to find its cluster."""
CLUSTER: Final = """
import os, sys
from core.workers.on_ray import Cluster
held = Cluster(cpus=2)
print(held.ray.get_runtime_context().gcs_address, os.environ["RAY_AUTH_TOKEN"], flush=True)
sys.stdin.read()
held.close()
"""


@contextmanager
def kinds() -> Iterator[dict[str, Kind]]:
    """What is killed, by its name."""
    with tempfile.TemporaryDirectory() as home, slow_server(Path(home)) as url:
        processes = "processes"
        yield {
            "run": partial(killing.run, items=ITEMS),
            "run on a server": partial(killing.served, items=ITEMS // 10, url=url),
            "two runs at once": partial(killing.pair, items=ITEMS),
            "app": killing.App,
            "worker process": partial(killing.workers, items=ITEMS, on=processes, named="core.workers"),
            "processes' driver": partial(killing.driver, items=ITEMS, on=processes),
            **({RAY_ACTOR: on_ray, RAY_DRIVER: on_ray} if importlib.util.find_spec("ray") is not None else {}),
        }


def on_ray(ground: Ground) -> Any:
    """Stands for kinds that need a cluster, which is started when the others are done."""
    raise NotImplementedError(ground.home)


@contextmanager
def cluster() -> Iterator[dict[str, Kind]]:
    """What is killed of Ray, over a cluster in a process of its own: its threads would be in the way of forks."""
    with subprocess.Popen(
        [sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        address, os.environ[TOKENS[0]] = process.stdout.readline().split()
        on = f"ray:{address}"
        try:
            yield {
                RAY_ACTOR: partial(killing.workers, items=ITEMS, on=on, named="ray::Actor", below=process.pid),
                RAY_DRIVER: partial(killing.driver, items=ITEMS, on=on),
            }
        finally:
            process.stdin.close()


def shares(kills: int, names: Sequence[str]) -> dict[str, int]:
    """How many of the kills each kind has; every kind has one where there are enough."""
    weights = {name: WEIGHTS.get(name, 1.0) for name in names}
    found = {name: max(1, int(kills * weight / sum(weights.values()))) for name, weight in weights.items()}
    found[names[0]] += max(0, kills - sum(found.values()))
    return found


def told(kind: str, found: Found) -> str:
    """One line of the table."""
    ends = f"{len(found.unsound)} unsound, {len(found.differs)} of {found.stores} stores differ in the end"
    lost = f"{found.lost} lost, {found.asked_again} acknowledged again, {found.twice} twice"
    return (
        f"{kind:<20} {found.kills:4} kills ({found.starting} starting), {found.acknowledged:7,} steps: {lost}, {ends}"
    )


def main() -> int:
    """Print what came of them. Returns 1 where anything was lost."""
    given = sys.argv[1:] if __name__ == "__main__" else []
    kills, seed = (int(word) for word in (given + [str(KILLS), "1"][len(given) :])[:2])
    whole = Found()
    load()
    with kinds() as known, ExitStack() as held, tempfile.TemporaryDirectory() as folder:
        all_kinds = {name: kind for name, kind in known.items() if not given[2:] or name in given[2:]}
        over_ray: dict[str, Kind] = {}
        share_of = shares(kills, list(all_kinds))
        for index, (name, kind) in enumerate(all_kinds.items()):
            if kind is on_ray and not over_ray:
                over_ray |= held.enter_context(cluster())
            found = killing.kill(
                over_ray.get(name, kind), Path(folder), share_of[name], seed + index, each_store=EACH_STORE
            )
            print(told(name, found), flush=True)
            for line in (*found.unsound, *found.differs):
                print(f"  {line}")
            if found.warned:
                print(f"  warned of: {', '.join(f'{what} {count}' for what, count in found.warned.items())}")
            whole.add(found)
    print(told("all", whole))
    return 0 if whole.whole else 1


if __name__ == "__main__":
    sys.exit(main())
