"""The thread that owns a local model, with a model that needs no torch."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from core.errors import RespondentError
from core.respondents.local.asking import Asked
from core.respondents.local.batching import Worker, no_room
from core.respondents.local.jobs import Generated, GenerationError, Job
from core.respondents.local.weights import fingerprint, folder_of


class Echo:
    """Says each request's own hash; remembers the batches; has room for ``room`` at once."""

    def __init__(self, room: int = 99) -> None:
        self.room = room
        self.batches: list[list[str]] = []
        self.freed: list[bool] = []
        self.gate: threading.Event | None = None

    def answer(self, jobs: Sequence[Job]) -> list[Generated]:
        self.batches.append([job.asked.hash for job in jobs])
        if self.gate is not None:
            self.gate.wait(10)
        if len(jobs) > self.room:
            raise RuntimeError("CUDA out of memory")
        if any(job.asked.hash == "bad" for job in jobs):
            raise ValueError("no")
        return [Generated(job.asked.hash, "", 1, 1, True, len(jobs), 0.0, "echo") for job in jobs]

    def free(self, *, wholly: bool = False) -> None:
        self.freed.append(wholly)


def asked(name: str, letters: tuple[str, ...] = ()) -> Asked:
    return Asked({"messages": []}, name, (), (), letters)


Start = Callable[..., Worker]


@pytest.fixture
def start() -> Iterator[Start]:
    """``start(model, size)``: a worker that is closed after the test."""
    workers: list[Worker] = []

    def made(model: Echo, size: int, notice: Callable[[str], None] = lambda _: None) -> Worker:
        workers.append(Worker(lambda _: model, size, notice))
        return workers[-1]

    yield made
    for worker in workers:
        worker.close()


async def ask(worker: Worker, *names: str) -> list[str | Exception]:
    """The answers, or what was raised."""
    jobs = [Job(asked(name)) for name in names]
    with worker.coming():
        for job in jobs:
            worker.submit(job)
    done = await asyncio.gather(*(job.wait() for job in jobs), return_exceptions=True)
    return [one.text if isinstance(one, Generated) else one for one in done]  # type: ignore[misc]


async def test_requests_are_answered_together_and_each_gets_its_own(start: Start) -> None:
    model = Echo()
    assert await ask(start(model, 4), *"abcdef") == list("abcdef")
    assert [len(batch) for batch in model.batches] == [4, 2]


async def test_what_does_not_fit_is_halved_and_the_size_is_kept(start: Start) -> None:
    model, told = Echo(room=2), []
    worker = start(model, 8, told.append)
    assert await ask(worker, *"abcdefgh") == list("abcdefgh")
    assert [len(batch) for batch in model.batches] == [8, 4, 2, 2, 2, 2]
    assert await ask(worker, *"ijkl") == list("ijkl")
    assert max(len(batch) for batch in model.batches[6:]) == 2
    assert told == [
        "out of memory with 8 turns at once; going on with 4",
        "out of memory with 4 turns at once; going on with 2",
    ]
    assert model.freed == [False, False]


async def test_a_bad_request_fails_alone(start: Start) -> None:
    model = Echo()
    answers = await ask(start(model, 4), "a", "bad", "c")
    assert (answers[0], answers[2]) == ("a", "c")
    assert isinstance(answers[1], GenerationError)
    assert "ValueError: no" in answers[1].what


async def test_a_streamed_request_goes_alone_and_letters_by_themselves(start: Start) -> None:
    model = Echo()
    model.gate = threading.Event()
    worker = start(model, 4)
    jobs = [
        Job(asked("first")),
        Job(asked("a")),
        Job(asked("letters"), None),
        Job(asked("streamed"), lambda _: None),
        Job(asked("b")),
    ]
    jobs[2] = Job(asked("letters", ("A", "B")))
    for job in jobs:
        worker.submit(job)
    model.gate.set()
    await asyncio.gather(*(job.wait() for job in jobs))
    assert ["streamed"] in model.batches
    assert ["letters"] in model.batches
    assert sorted(name for batch in model.batches for name in batch) == ["a", "b", "first", "letters", "streamed"]


async def test_a_request_nobody_waits_for_is_never_put_to_the_model(start: Start) -> None:
    model = Echo()
    model.gate = threading.Event()
    worker = start(model, 1)
    first, second, third = (Job(asked(name)) for name in "abc")
    for job in (first, second, third):
        worker.submit(job)
    second.cancel()
    model.gate.set()
    await first.wait()
    await third.wait()
    assert model.batches == [["a"], ["c"]]


async def test_closing_tells_those_who_wait_and_lets_the_model_go(start: Start) -> None:
    model = Echo()
    model.gate = threading.Event()
    worker = start(model, 1)
    jobs = [Job(asked(name)) for name in "ab"]
    for job in jobs:
        worker.submit(job)
    waiting = asyncio.gather(*(job.wait() for job in jobs), return_exceptions=True)
    closing = asyncio.create_task(asyncio.to_thread(worker.close))
    await asyncio.sleep(0)
    model.gate.set()
    await closing
    assert all(isinstance(one, GenerationError | Generated) for one in await waiting)
    assert model.freed in ([True], [])
    assert await ask(worker, "again") == ["again"]


async def test_who_waits_for_a_model_that_cannot_be_loaded_hears_why() -> None:
    loads = 0

    def load(_: Callable[[], None]) -> Echo:
        nonlocal loads
        loads += 1
        raise RespondentError("no weights")

    worker = Worker(load, 1, lambda _: None)
    answers = await ask(worker, *"abc")
    assert all(isinstance(answer, RespondentError) for answer in answers)
    worker.close()


async def test_closing_does_not_wait_for_a_stage_of_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights can take minutes to load; whoever interrupts that must not wait for them."""
    monkeypatch.setattr("core.respondents.local.batching.CLOSING_S", 0.01)
    stage, loaded = threading.Event(), threading.Event()
    models = [Echo(), Echo()]

    def load(check: Callable[[], None]) -> Echo:
        if loaded.is_set():
            return models[1]
        loaded.set()
        stage.wait(10)
        check()
        return models[0]

    worker = Worker(load, 1, lambda _: None)
    task = asyncio.create_task(ask(worker, "a"))
    await asyncio.to_thread(loaded.wait, 10)
    worker.close()
    (told,) = await task
    assert isinstance(told, GenerationError)
    answers = asyncio.create_task(ask(worker, "b", "c"))
    await asyncio.sleep(0)
    stage.set()
    assert await answers == ["b", "c"]
    assert models[0].batches == []
    worker.close()


async def test_who_waits_while_the_model_is_loaded_hears_how_far_it_is_and_when_that_is_over() -> None:
    heard: dict[str, list[str]] = {"first": [], "later": []}
    halfway, go_on = threading.Event(), threading.Event()

    def load(_: Callable[[], None]) -> Echo:
        worker.loading("importing")
        halfway.set()
        assert go_on.wait(10)
        worker.loading("loading the weights")
        return Echo()

    worker: Worker = Worker(load, 2, lambda _: None)
    jobs = {name: Job(asked(name), None, lines.append) for name, lines in heard.items()}
    worker.submit(jobs["first"])
    assert await asyncio.to_thread(halfway.wait, 10)
    worker.submit(jobs["later"])
    go_on.set()
    await asyncio.gather(*(job.wait() for job in jobs.values()))
    assert heard == {name: ["importing", "loading the weights", ""] for name in heard}
    more: list[str] = []
    job = Job(asked("again"), None, more.append)
    worker.submit(job)
    await job.wait()
    assert more == []
    worker.close()


async def test_who_comes_after_closing_hears_of_the_new_loading_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.respondents.local.batching.CLOSING_S", 0.01)
    heard: dict[str, list[str]] = {"old": [], "new": []}
    loading, ended, go_on = ([threading.Event(), threading.Event()] for _ in range(3))
    threads: list[threading.Thread] = []

    def load(_: Callable[[], None]) -> Echo:
        at = len(threads)
        threads.append(threading.current_thread())
        worker.loading(f"importing for {at}")
        loading[at].set()
        assert go_on[at].wait(10)
        worker.loading(f"weights for {at}")
        ended[at].set()
        return Echo()

    worker: Worker = Worker(load, 1, lambda _: None)
    old, new = (Job(asked(name), None, lines.append) for name, lines in heard.items())
    worker.submit(old)
    assert await asyncio.to_thread(loading[0].wait, 10)
    await asyncio.to_thread(worker.close)
    with pytest.raises(GenerationError):
        await old.wait()
    assert heard["old"] == ["importing for 0", ""]
    worker.submit(new)
    assert await asyncio.to_thread(loading[1].wait, 10)
    go_on[0].set()
    await asyncio.to_thread(threads[0].join, 10)
    assert ended[0].is_set()
    assert heard == {"old": ["importing for 0", ""], "new": ["importing for 1"]}
    go_on[1].set()
    assert (await new.wait()).text == "new"
    assert heard["new"] == ["importing for 1", "weights for 1", ""]
    worker.close()


async def test_a_model_that_cannot_be_loaded_is_not_being_loaded_any_more() -> None:
    heard: list[str] = []

    def load(_: Callable[[], None]) -> Echo:
        worker.loading("importing")
        raise RespondentError("no weights")

    worker: Worker = Worker(load, 1, lambda _: None)
    job = Job(asked("a"), None, heard.append)
    worker.submit(job)
    with pytest.raises(RespondentError):
        await job.wait()
    assert heard == ["importing", ""]
    worker.close()


@pytest.mark.parametrize(
    ("error", "full"),
    [
        (MemoryError(), True),
        (type("OutOfMemoryError", (RuntimeError,), {})(), True),
        (RuntimeError("MPS backend out of memory (MPS allocated: 8 GB)"), True),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), True),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED"), True),
        (RuntimeError("shape mismatch"), False),
        (ValueError("out of memory"), False),
    ],
)
def test_running_out_of_memory_is_told_from_other_failures(error: Exception, full: bool) -> None:
    assert no_room(error) is full


def test_a_path_is_a_folder_and_an_id_is_none(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert folder_of("org/model") is None
    assert folder_of("gpt2") is None
    assert folder_of(str(tmp_path / "gone")) is not None
    assert folder_of("./here") is not None
    assert fingerprint(tmp_path) == ""
    (tmp_path / "big.safetensors").write_bytes(bytes(4 << 20))
    before = fingerprint(tmp_path)
    data = bytearray(4 << 20)
    data[-1] = 1
    (tmp_path / "big.safetensors").write_bytes(data)
    assert before != fingerprint(tmp_path)
