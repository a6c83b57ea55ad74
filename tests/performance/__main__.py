"""``make perf``: every benchmark in turn, each printing its figures. Nothing here can fail on a time."""

from __future__ import annotations

import platform
import sys

from tests.performance import (
    bench_app,
    bench_batches,
    bench_cluster,
    bench_commands,
    bench_exchange,
    bench_intervals,
    bench_local,
    bench_panel,
    bench_pictures,
    bench_posting,
    bench_screen,
    bench_servers,
    bench_sitting,
    bench_store,
)


def main() -> None:
    """Print all figures, the machine first."""
    print(f"{platform.platform()}, {platform.processor() or platform.machine()}, Python {sys.version.split()[0]}")
    benches = (
        bench_commands,
        bench_panel,
        bench_store,
        bench_exchange,
        bench_pictures,
        bench_posting,
        bench_servers,
        bench_local,
        bench_cluster,
        bench_app,
        bench_batches,
        bench_screen,
        bench_sitting,
        bench_intervals,
    )
    for bench in benches:
        print(f"\n# {(bench.__doc__ or bench.__name__).splitlines()[0]}")
        bench.main()


if __name__ == "__main__":
    main()
