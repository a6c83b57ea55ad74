"""How much is decoded at once stays within bounds, whoever asks for how many pictures together."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor

from core.pictures.room import Room


def test_no_more_is_taken_than_there_is_and_one_alone_may_be_more() -> None:
    room, held, most = Room(100), 0, 0
    lock = threading.Lock()
    together = threading.Barrier(8)

    def job(seed: int) -> None:
        nonlocal held, most
        sizes = random.Random(seed)
        together.wait()
        for _ in range(60):
            with room.job():
                for size in sorted(sizes.randint(1, 60) for _ in range(2)):
                    room.take(size)
                with lock:
                    held += size
                    most = max(most, held)
                threading.Event().wait(0.0002)
                with lock:
                    held -= size

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(job, range(8)))
    assert 60 < most <= 100
    with room.job():
        room.take(1000)
    assert not room._taken


def test_a_large_one_waits_for_all_others_and_those_after_it_wait_for_it() -> None:
    room, told = Room(100), []
    first, large, last = (threading.Event() for _ in range(3))

    def job(name: str, size: int, until: threading.Event) -> None:
        with room.job():
            room.take(size)
            told.append(name)
            until.wait(10)

    def start(name: str, size: int, until: threading.Event, waiting: int) -> threading.Thread:
        thread = threading.Thread(target=job, args=(name, size, until))
        thread.start()
        while len(room._waiting) != waiting or (not waiting and name not in told):
            threading.Event().wait(0.001)
        return thread

    threads = [start("first", 40, first, 0), start("large", 500, large, 1), start("last", 10, last, 2)]
    assert told == ["first"]
    first.set()
    while len(told) < 2:
        threading.Event().wait(0.001)
    assert told == ["first", "large"]
    for event in (large, last):
        event.set()
    for thread in threads:
        thread.join()
    assert told == ["first", "large", "last"]


def test_a_job_within_a_job_has_what_that_has() -> None:
    room = Room(100)
    with room.job():
        room.take(90)
        with room.job():
            room.take(80)
        assert room._taken == 90
        room.take(95)
        assert room._taken == 95
    assert not room._taken
