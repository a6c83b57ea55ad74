"""``phoropter show --raw``: each request and reply as they went, and as files that curl can send."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.config import Config
from core.errors import UsageError
from core.files import user_path
from core.interventions import answered_by
from core.records import RespondentKind, SentPicture, Step, Trajectory
from core.respondents.addresses import Address
from core.respondents.curl import REQUEST, UNKNOWN, body
from core.respondents.registry import whereabouts
from core.tally import REASKED
from sessions import reading
from sessions.identity import RunConfig, safe_name
from sessions.runs import Run
from sessions.store import Store
from tui.cli.output import put
from tui.rawtext import PROMPT, Raw, as_json, known, shown_in, unsent

PICTURES = "pictures"
CURL = "curl.sh"


class RawShow:
    """What ``--raw`` and ``--save`` add to the transcripts of these runs; reads a picture once."""

    def __init__(self, store: Store, config: Config, save: Path | None = None) -> None:
        self._store = store
        self._config = config
        self._save = save
        self._stored: dict[str, SentPicture] = {}

    def pictures(self, steps: Iterable[Step]) -> dict[str, SentPicture]:
        """All that these steps showed, with their bytes, by hash."""
        steps = tuple(steps)
        wanted = {sent.hash for step in steps for sent in step.answer.sent}
        for step in steps:
            if step.answer.call is not None:
                wanted.update(shown_in(step.answer.call.request))
        new = sorted(wanted - self._stored.keys())
        self._stored |= reading.pictures(self._store, new) if new else {}
        return known(steps, self._stored)

    def raw(self, run: Run, trajectory: Trajectory, step: Step) -> Raw:
        """The call behind one of a trajectory's steps."""
        call = step.answer.call
        kind, address = self._asked(run.config, step)
        if call is None:
            return Raw(None, why=unsent(step, kind))
        return Raw(call.request, call, address, self.pictures(trajectory.steps), "", trajectory.id)

    def print(self, run: Run, trajectory: Trajectory, index: int) -> None:
        """The sections of one step; with ``--save`` its files are written first."""
        raw = self.raw(run, trajectory, trajectory.steps[index])
        file = self._saved(raw, trajectory, index)
        for label, text in raw.sections(str(file) if file is not None else ""):
            put(f"{label}:" if "\n" in text else f"{label}: {text}")
            if "\n" in text:
                put("\n".join(f"  {line}" for line in text.split("\n")))

    def document(self, run: Run, trajectory: Trajectory, index: int) -> dict[str, Any] | None:
        """The call for ``--json``; None where nothing was sent."""
        raw = self.raw(run, trajectory, trajectory.steps[index])
        if raw.call is None:
            return None
        file = self._saved(raw, trajectory, index)
        call = raw.call
        return {
            "request": call.request,
            "reply": call.reply,
            "attempts": call.attempts,
            "seconds": call.seconds,
            "served_model": call.served_model,
            "prompt_tokens": call.usage.prompt_tokens,
            "completion_tokens": call.usage.completion_tokens,
            "cost": call.usage.cost,
            "pictures": [
                {"sha256": sent.hash, "mime": sent.mime, "size": sent.size, "bytes": len(sent.data)}
                for sent in (raw.pictures[digest] for digest in shown_in(call.request) if digest in raw.pictures)
            ],
            "curl": None if raw.address is None else raw.curl(str(file) if file is not None else ""),
            "saved": None if file is None else str(file.parent),
        }

    # -- parts

    def _asked(self, config: RunConfig, step: Step) -> tuple[RespondentKind, Address | None]:
        """Who was asked, and where that went, as the configuration has it now; None for a model run here."""
        asked = step.turn.step.removesuffix(REASKED)
        own = {other["name"]: other["identity"] for other in config.respondents_at.values()}
        own[config.respondent] = config.identity_of_respondent
        other = config.respondents_at.get(asked) or config.respondents_at.get(asked.partition(".")[0])
        name = answered_by(step, other["name"] if other else config.respondent)
        kind, address = whereabouts(name, self._config, os.environ)
        if name == config.respondent:
            kind = config.respondent_kind
        if name in own:  # the run knows whether a server was behind it
            address = (address or UNKNOWN) if own[name].get("kind") == "openai" else None
        return kind, address

    def _saved(self, raw: Raw, trajectory: Trajectory, index: int) -> Path | None:
        """Request, reply, pictures and curl's line as files; the request's own file, None where none is wanted."""
        if self._save is None or raw.call is None:
            return None
        step = trajectory.steps[index].turn.step
        folder = self._save / safe_name([str(trajectory.id), str(index + 1), step])
        files = {folder / "reply.json": as_json(raw.call.reply).encode("utf-8", "replace")}
        request = dict(raw.call.request)
        prompt = request.pop(PROMPT, None)
        if isinstance(prompt, str):
            files[folder / "prompt.txt"] = prompt.encode("utf-8", "replace")
        find = _finder(raw.pictures)
        files[folder / REQUEST] = body(request, find)
        if raw.address is not None:
            files[folder / CURL] = f'cd "$(dirname "$0")" || exit\n{raw.curl(REQUEST)}\n'.encode()
        for digest in shown_in(request):
            kind = find(digest).mime.rpartition("/")[2] or "bin"
            files[self._save / PICTURES / safe_name([f"{digest[:16]}.{kind}"])] = find(digest).data
        for file, data in files.items():
            _write(file, data)
        return folder / REQUEST


def saving_folder(given: Path) -> Path:
    """The folder of ``--save``, made where it is not there. Raises UsageError for one that cannot be used."""
    where = f"--save {given}"
    folder = user_path(given, where)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        used = any(folder.iterdir())
    except OSError as error:
        raise UsageError(f"the folder cannot be used ({error.strerror})", where=where) from None
    if used:
        raise UsageError("the folder is not empty", where=where, remedy="Name a new one")
    return folder


def _finder(pictures: Mapping[str, SentPicture]) -> Callable[[str], SentPicture]:
    def find(digest: str) -> SentPicture:
        if digest not in pictures or not pictures[digest].data:
            raise UsageError("the store no longer holds a picture of this request", where=f"picture {digest[:12]}")
        return pictures[digest]

    return find


def _write(file: Path, data: bytes) -> None:
    """For its owner alone; a picture of several requests is written once."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            file.touch(mode=0o600, exist_ok=False)
            file.write_bytes(data)
    except OSError as error:
        raise UsageError(f"the file cannot be written ({error.strerror})", where=f"--save, {file}") from None
