"""A Ray cluster: one that is there, or one of this machine for as long as the command runs."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from core.workers.actors import Actors
from core.workers.ray_watch import reach
from core.workers.terms import Staff

HERE: Final = ""
"""The address that means: a cluster of this machine alone, which ends with the command."""

FOLDER: Final = "phoropter-ray-"
LONGEST: Final = 8
"""Of the path of the folder for temporary files: names of sockets may not be long."""

TOKENS: Final = ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
"""Who has not the token cannot talk to the cluster."""

MODE: Final = "RAY_AUTH_MODE"

STARTS: Final = 3
"""How often Ray is started where the machine is too busy for its patience."""

STORE_BYTES: Final = 100_000_000
"""Of shared memory: what is sent is small, and gone when it was read."""

_SETTINGS: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "0",
    "RAY_enable_metrics_collection": "0",
    "RAY_task_events_report_interval_ms": "0",
    "RAY_gcs_rpc_server_reconnect_timeout_s": "120",  # then it ends the process: ray_watch is to be first
}


class Cluster:
    """A connection to Ray for one command, or for several runs of it.

    ``address`` is HOST:PORT or ``auto``, :data:`HERE` to start one, of ``cpus`` and ``gpus`` where they are not those
    that this machine has. Raises UsageError where there is none, or where ray is not installed. Connect before the
    event loop begins: Ray takes signal handlers for itself.
    """

    def __init__(self, address: str = HERE, *, cpus: int | None = None, gpus: int | None = None) -> None:
        os.environ.update({name: os.environ.get(name, value) for name, value in _SETTINGS.items()})
        if any(os.environ.get(name) for name in TOKENS):  # else Ray, which reads it as it is imported, sends no token
            os.environ.setdefault(MODE, "token")
        try:
            import ray
        except ImportError as error:
            raise UsageError(
                f"Ray is not installed ({error})", where="--on ray", remedy="Install phoropter[ray]"
            ) from None
        self.ray = ray
        self._folder = ""
        self._token = False
        self._ours = not ray.is_initialized()
        if not self._ours:
            return
        reach(address)
        _refuse_strangers(address)
        for tries in range(STARTS, 0, -1):
            options: dict[str, Any] = {"address": address} if address else self._alone(cpus, gpus)
            try:
                self._init(options)
                return
            except Exception as error:  # noqa: BLE001  (Ray raises what it likes)
                with suppress(Exception):
                    ray.shutdown()
                self._remove_folder()
                told = " ".join(str(error).split())
                if tries > 1 and not address and "timed out" in told:  # after half a minute: the machine is busy
                    continue
                where = f"--on ray:{address}" if address else "--on ray"
                remedy = "Check the address, and that it runs the same versions of Ray and Python" if address else ""
                if _asks_for_a_token(error):
                    raise _no_token(address) from None
                raise UsageError(
                    f"there is no Ray cluster to be had ({told[:300]})", where=where, remedy=remedy
                ) from None

    def resources(self) -> tuple[float, float, int]:
        """CPUs, GPUs and machines of the cluster, used or not."""
        all_of_it = self.ray.cluster_resources()
        machines = sum(1 for node in self.ray.nodes() if node["Alive"])
        return float(all_of_it.get("CPU", 0)), float(all_of_it.get("GPU", 0)), machines

    def crew_of(self, staff: Staff, workers: int, tell: Callable[[str], None]) -> Actors:
        """Where that many workers come from, 0 for as many as there is room for."""
        cpus, gpus, machines = self.resources()
        each = staff.gpus if gpus else 0.0
        count = workers or _fitting(staff, cpus, gpus, machines)
        if staff.most is not None:
            count = min(count, staff.most)
        if each and count * each > gpus:
            raise UsageError(
                f"{count} workers of {each:g} GPUs each need {count * each:g}, and the cluster has {gpus:g}",
                where=f"--workers {workers}",
                remedy="Fewer of them, or set gpus in the respondent's table",
            )
        return Actors(self.ray, count, min(1.0, cpus / count) if cpus else 0.0, each, tell)

    def close(self) -> None:
        """End the connection, and the cluster where it is our own."""
        if self._ours and self.ray.is_initialized():
            self.ray.shutdown()
        self._remove_folder()
        if self._token:
            os.environ.pop(TOKENS[0], None)

    # -- parts

    def _init(self, options: dict[str, Any]) -> None:
        _silence()
        code = self.ray.job_config.JobConfig(code_search_path=[str(Path(__file__).parents[2])])
        before, asked_to_end = signal.getsignal(signal.SIGTERM), False
        try:
            with _nothing_on_stderr():
                self.ray.init(
                    log_to_driver=False, logging_level="ERROR", namespace="phoropter", job_config=code, **options
                )
        except SystemExit:  # how Ray takes a SIGTERM while it starts
            asked_to_end = True
        finally:
            signal.signal(signal.SIGTERM, before or signal.SIG_DFL)
        if asked_to_end:
            with suppress(Exception):
                self.ray.shutdown()
            self._remove_folder()
            signal.raise_signal(signal.SIGTERM)

    def _alone(self, cpus: int | None, gpus: int | None) -> dict[str, Any]:
        """Everything of a cluster of our own lies in a folder of its own, which nobody else reads."""
        place = Path(tempfile.gettempdir())
        if len(str(place)) > LONGEST:
            place = Path("/tmp")  # noqa: S108  (the folder in it is nobody else's)
        _sweep(place)
        if not any(os.environ.get(name) for name in TOKENS):  # else Ray makes one, and leaves it in the user's home
            os.environ[TOKENS[0]] = secrets.token_hex(32)
            self._token = True
        self._folder = tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-", dir=place)
        return {
            "address": "local",
            "include_dashboard": False,
            "object_store_memory": STORE_BYTES,
            "_temp_dir": str(Path(self._folder) / "r"),  # which Ray opens to everybody
            "num_cpus": cpus,
            "num_gpus": gpus,
        }

    def _remove_folder(self) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _refuse_strangers(address: str) -> None:
    """Raises UsageError where the cluster at HOST:PORT wants a token that is not ours: Ray itself would try for
    twenty seconds, and say no more than that it failed."""
    if not address.rpartition(":")[0]:
        return
    try:
        libraries: Any = import_module("ray._raylet")
        with _nothing_on_stderr():
            libraries.GcsClient(address=address)
    except Exception as error:  # noqa: BLE001  (anything else is met, and told, by what connects)
        if _asks_for_a_token(error):
            raise _no_token(address) from None


def _asks_for_a_token(error: BaseException | None) -> bool:
    while error is not None:
        if "AuthenticationError" in type(error).__name__ or "InvalidAuthToken" in str(error):
            return True
        error = error.__cause__
    return False


def _no_token(address: str) -> UsageError:
    ours = os.environ.get(MODE, "") == "token"
    return UsageError(
        "the Ray cluster there has another token" if ours else "the Ray cluster there asks for a token",
        where=f"--on ray:{address}",
        remedy="Give this command the cluster's own, by RAY_AUTH_TOKEN, RAY_AUTH_TOKEN_PATH or in ~/.ray/auth_token"
        if ours
        else f"Set {MODE}=token: it is then read from ~/.ray/auth_token; or put it in RAY_AUTH_TOKEN",
    )


@contextmanager
def _nothing_on_stderr() -> Iterator[None]:
    """What Ray's libraries write there, by themselves and not through Python, is not for the user."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _silence() -> None:
    """Ray's machines may warn, and its driver prints that on stdout, in colours: data alone belongs there."""
    from ray._private import worker

    worker.print_to_stdstream = lambda *_, **__: None


def _sweep(place: Path) -> None:
    """Remove what a command that was killed left there."""
    for folder in place.glob(f"{FOLDER}*"):
        pid = folder.name.removeprefix(FOLDER).partition("-")[0]
        if pid.isdigit() and not _lives(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)  # another user's stays


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


def _fitting(staff: Staff, cpus: float, gpus: float, machines: int) -> int:
    """One for each GPU that a model takes; a model without one takes a machine; anybody else a CPU."""
    if staff.gpus and gpus:
        return max(1, int(gpus / staff.gpus))
    if staff.gpus:
        return max(1, machines)
    return max(1, int(cpus))
