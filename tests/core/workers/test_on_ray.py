"""What of Ray's cluster is looked at before Ray is asked."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import UsageError
from core.workers.on_ray import Cluster, _reach


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def test_an_address_where_nobody_answers_is_told_at_once(listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    _reach(f"127.0.0.1:{port}")
    listener.close()
    with pytest.raises(UsageError, match="nobody answers there") as told:
        _reach(f"127.0.0.1:{port}")
    assert told.value.where == f"--on ray:127.0.0.1:{port}"


@pytest.mark.parametrize("address", ["127.0.0.1:99999999999", f"{'a' * 70}.example:6379"])
def test_what_can_be_no_address_is_told_too(address: str) -> None:
    with pytest.raises(UsageError, match="nobody answers there"):
        _reach(address)


@pytest.mark.parametrize("address", ["", "auto", "head"])
def test_what_is_no_host_and_port_is_left_to_ray(address: str) -> None:
    _reach(address)


class Told(BaseException):
    """What this program's own handler raises."""


def test_a_termination_while_ray_starts_is_this_programs_own_and_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray takes the signal for itself, and would end the process with another status and no word."""
    ended = []

    def init(**_: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise SystemExit(signal.SIGTERM)

    def mine(*_: object) -> None:
        raise Told

    configured = SimpleNamespace(JobConfig=lambda **_: None)
    ray = SimpleNamespace(
        init=init, is_initialized=lambda: False, job_config=configured, shutdown=lambda: ended.append(1)
    )
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setattr("core.workers.on_ray._silence", lambda: None)
    before = signal.signal(signal.SIGTERM, mine)
    try:
        with pytest.raises(Told):
            Cluster()
        assert signal.getsignal(signal.SIGTERM) is mine
        assert ended
    finally:
        signal.signal(signal.SIGTERM, before)
