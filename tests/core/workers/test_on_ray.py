"""What of Ray's cluster is looked at before Ray is asked."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import UsageError
from core.workers import on_ray, ray_watch
from core.workers.on_ray import Cluster
from core.workers.ray_watch import reach

HTTP_2 = b"\0\0\6\4\0\0\0\0\0\0\4\0\0\0\0"


@contextmanager
def answering(words: bytes) -> Iterator[int]:
    """A port where one caller is heard and gets these words; nothing more is said to it until it goes."""

    def serve() -> None:
        with suppress(OSError), server.accept()[0] as caller:
            heard.append(caller.recv(100))
            caller.sendall(words)
            while caller.recv(100):
                pass

    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        thread.join()
    assert heard[0].startswith(b"PRI * HTTP/2.0")


def test_an_address_where_nobody_answers_is_told_at_once() -> None:
    with answering(HTTP_2) as port:
        reach(f"127.0.0.1:{port}")
    with pytest.raises(UsageError, match="nobody answers there") as told:
        reach(f"127.0.0.1:{port}")
    assert told.value.where == f"--on ray:127.0.0.1:{port}"


@pytest.mark.parametrize("words", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.6\r\n", b"+OK", b""])
def test_something_else_than_ray_is_told_at_once(words: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray would try for minutes. One that says nothing is given up after a while."""
    monkeypatch.setattr(ray_watch, "REACHED_S", 0.2)
    with answering(words) as port, pytest.raises(UsageError, match="there is no Ray cluster to be had") as told:
        reach(f"127.0.0.1:{port}")
    assert told.value.where == f"--on ray:127.0.0.1:{port}"
    assert ("something else than Ray answers there" in str(told.value)) == bool(words)


def test_a_cluster_with_tls_is_left_to_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USE_TLS", "1")
    with socket.create_server(("127.0.0.1", 0)) as server:
        reach(f"127.0.0.1:{server.getsockname()[1]}")


@pytest.mark.parametrize("address", ["127.0.0.1:99999999999", f"{'a' * 70}.example:6379"])
def test_what_can_be_no_address_is_told_too(address: str) -> None:
    with pytest.raises(UsageError, match="nobody answers there"):
        reach(address)


@pytest.mark.parametrize("address", ["", "auto", "head"])
def test_what_is_no_host_and_port_is_left_to_ray(address: str) -> None:
    reach(address)


@pytest.mark.parametrize(("mode", "said"), [("", "asks for a token"), ("token", "has another token")])
def test_a_cluster_with_a_token_that_is_not_ours_says_how_to_give_it(
    mode: str, said: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Ray itself would try for twenty seconds, write a line about each, and say no more than that it failed."""

    class AuthenticationError(Exception):
        pass

    def refuse(*, address: str) -> None:
        os.write(2, b"gcs_client.cc:210: Unauthenticated\n")
        raise AuthenticationError(address)

    monkeypatch.setenv("RAY_AUTH_MODE", mode)
    for name in on_ray.TOKENS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False))
    monkeypatch.setitem(sys.modules, "ray._raylet", SimpleNamespace(GcsClient=refuse))
    with answering(HTTP_2) as port, pytest.raises(UsageError, match=said) as told:
        Cluster(f"127.0.0.1:{port}")
    assert ("RAY_AUTH_MODE=token" in told.value.remedy) == (not mode)
    assert "~/.ray/auth_token" in told.value.remedy
    assert capfd.readouterr().err == ""


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
