"""Kills: two hundred processes killed at random moments over their stores, and what was lost by it.

python -m tests.performance.bench_kills [KILLS] [SEED] [KIND ...]

By kind of process: how many were killed, how many of them while they started; steps that had been acknowledged by
then; of those, how many were lost or acknowledged again; rows that stand twice; stores that the doctor held unsound
after a kill; stores whose answers in the end were not those of a run that nobody killed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from tests import killing
from tests.end_to_end.forking import load
from tests.killing import Found, Ground
from tests.performance.bench_servers import slow_server

Kind: TypeAlias = Callable[[Ground], Any]

KILLS: Final = 200
ITEMS: Final = 1000
EACH_STORE: Final = 10


@contextmanager
def kinds() -> Iterator[dict[str, Kind]]:
    """What is killed, by its name."""
    with tempfile.TemporaryDirectory() as home, slow_server(Path(home)) as url:
        yield {
            "run": partial(killing.run, items=ITEMS),
            "run on a server": partial(killing.served, items=ITEMS // 10, url=url),
            "two runs at once": partial(killing.pair, items=ITEMS),
            "app": killing.App,
        }


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
    with kinds() as known, tempfile.TemporaryDirectory() as folder:
        all_kinds = {name: kind for name, kind in known.items() if not given[2:] or name in given[2:]}
        for index, (name, kind) in enumerate(all_kinds.items()):
            share = kills // len(all_kinds) + (index < kills % len(all_kinds))
            found = killing.kill(kind, Path(folder), share, seed + index, each_store=EACH_STORE)
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
