"""A run over two Ray actors against two processes and one: wall, the driver's CPU, kills (docs/cluster.md).

python -m tests.performance.bench_cluster [TRAJECTORIES [OF_A_MODEL]]
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from tests.performance.figures import figure
from tests.voila_data import small_voila_file

TRAJECTORIES: Final = 2_000
OF_A_MODEL: Final = 60
REPEATS: Final = 2
ROUNDS: Final = 3
ROOT: Final = Path(__file__).parents[2]


class Far:
    """Runs of one data set, each in a store of its own."""

    def __init__(self, folder: Path, items: int, **options: object) -> None:
        self._folder = folder
        self._data = small_voila_file(folder, items, "ND")
        self._options = options

    def run(self, name: str, **options: object) -> dict[str, Any]:
        """The figures of one run; none where it was killed."""
        given = {**self._options, **options}
        command = [sys.executable, "-m", "tests.performance.far_run", str(self.store(name)), str(self._data)]
        command += [f"--{key.replace('_', '-')}={value}" for key, value in given.items()]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
        if done.returncode == -signal.SIGKILL:
            return {}
        if done.returncode:
            raise RuntimeError(done.stderr)
        figures: dict[str, Any] = json.loads(done.stdout)
        return figures

    def measured(self, name: str, **options: object) -> dict[str, Any]:
        """The same with the time of a step. RuntimeError, which says why, where there is none."""
        figures = self.run(name, **options)
        if why := figures.get("unmeasured", "" if figures else "the run was killed"):
            raise RuntimeError(f"the run {name} gives no time of a step: {why}")
        return figures

    def store(self, name: str) -> Path:
        """Where that run's store lies."""
        return self._folder / f"{name}.db"

    def kept(self, name: str) -> tuple[list[Any], int, int]:
        """What is stored: each trajectory's steps and their scores, how many steps, how many of them twice."""
        with sqlite3.connect(self.store(name)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            rows = db.execute(
                "SELECT items.key, t.repeat, step_names.name, steps.text, scores.right, scores.scored FROM steps"
                " JOIN trajectories AS t ON t.id = steps.trajectory JOIN items ON items.id = t.item"
                " JOIN step_names ON step_names.id = steps.name JOIN scores ON scores.step = steps.id"
                " ORDER BY 1, 2, 3"
            ).fetchall()
        return rows, len(rows), len(rows) - len({row[:3] for row in rows})


def compare(title: str, far: Far, address: str, rounds: int = ROUNDS) -> None:
    """Print the runs side by side, and the one with kills."""
    ray = {"on": f"ray:{address}", "workers": 2}
    plain = far.measured("plain")
    walls: dict[str, list[float]] = {"processes": [], "ray": []}
    for number in range(rounds):  # in turn: other work on the machine meets both
        walls["processes"].append((processes := far.measured(f"processes-{number}", on="processes:2"))["wall"])
        walls["ray"].append((actors := far.measured(f"ray-{number}", **ray))["wall"])
    steps = plain["steps"]
    two, over = min(walls["processes"]), min(walls["ray"])
    what = f"{title}, {steps} steps, two workers, best of {rounds}, a step since both have made one"
    figure(f"{what}, over Ray", over * 1e3, "ms", against="processes:2", base=two * 1e3)
    figure(f"{what}, processes:2", two * 1e3, "ms", against="one process", base=plain["wall"] * 1e3)
    for name, cpu in (("over Ray", actors["cpu"]), ("processes:2", processes["cpu"])):
        against = {"against": "one process", "base": plain["cpu"] * 1e3}
        figure(f"{what}, driver's CPU, {name}", cpu * 1e3, "ms", **against)
    third = steps // 5
    killed = far.run("killed", **ray, kill_workers=3, kill_every=third, kill_self_after=third * 4)
    assert not killed
    stored = far.kept("killed")[1]
    resumed = far.run("killed", **ray)
    rows, count, twice = far.kept("killed")
    same = rows == far.kept("plain")[0]
    print(
        f"  three actors and then the driver killed after {stored} steps, resumed with {resumed['steps']}: "
        f"{'the same' if same else 'OTHER'} answers and scores as the plain run, {count} steps, {twice} twice"
    )


def main(trajectories: int = TRAJECTORIES, of_a_model: int = OF_A_MODEL) -> None:
    """Print the figures; say so where Ray is not installed."""
    if importlib.util.find_spec("ray") is None:
        print("Ray is not installed: make test-local installs it")
        return
    from core.workers.on_ray import Cluster

    began = time.perf_counter()
    cluster = Cluster()
    figure("Ray started", time.perf_counter() - began, "s")
    try:
        address = cluster.ray.get_runtime_context().gcs_address
        with tempfile.TemporaryDirectory() as folder:
            far = Far(Path(folder), trajectories // REPEATS, repeats=REPEATS)
            compare("a baseline", far, address)
        if importlib.util.find_spec("transformers") is not None and of_a_model:
            with tempfile.TemporaryDirectory() as folder:
                compare("a tiny model", _tiny(Path(folder), of_a_model), address)
    finally:
        cluster.close()


def _tiny(folder: Path, items: int) -> Far:
    """The built-in protocol, put to a model of a megabyte."""
    from tests.tiny_models import build

    model = build("llava", folder / "model")
    config = folder / "phoropter.toml"
    config.write_text(
        f'[respondents.tiny]\nkind = "transformers"\nmodel = "{model}"\ndtype = "float32"\ndevice = "cpu"\n'
        "batch_size = 8\nmax_tokens = 24\n",
        encoding="utf-8",
    )
    return Far(folder, items, respondent="tiny", config=config, protocol="direct")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
