"""Request and reply as they went, as sections of plain text: for ``show --raw`` and the screen of the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.prices import usd
from core.records import Call, Json, Origin, RespondentKind, SentPicture, Step, Usage
from core.respondents.addresses import Address
from core.respondents.curl import UNKNOWN, curl, hashes, to_fill_in
from tui.counting import counted

PROMPT = "prompt"
"""Where a local model's call keeps the text that its chat template made."""

PUT_IN = (Origin.GOLD, Origin.WRONG, Origin.EDITED)


@dataclass(frozen=True, slots=True)
class Raw:
    """One request, and what came of it.

    ``request`` is None where nothing was sent, and ``why`` says why; ``call`` None where it was not asked yet.
    ``address`` is None where curl could not send it (a local model). ``pictures`` are those known, by hash.
    """

    request: Json
    call: Call | None = None
    address: Address | None = None
    pictures: Mapping[str, SentPicture] = field(default_factory=dict)
    why: str = ""
    trajectory: int = 0

    def sections(self, file: str = "") -> list[tuple[str, str]]:
        """Label and text of each part. ``file`` is where the request's whole body lies, "" where nobody saved it."""
        if self.request is None:
            return [("request", self.why)]
        out = [("messages", self._messages())] if "messages" in self.request else []
        prompt = self.request.get(PROMPT)
        if isinstance(prompt, str):
            out.append(("prompt", prompt))
        out.append(("request", as_json({key: value for key, value in self.request.items() if key != PROMPT})))
        if self.call is None:
            out.append(("reply", "not asked yet: this is what would be sent"))
        else:
            out.append(("reply", as_json(self.call.reply)))
            out.append(("call", call_line(self.call)))
        if self.address is not None:
            out.append(("curl", self.curl(file)))
        return out

    def curl(self, file: str = "") -> str:
        """The line for a shell, with what it needs where it cannot run as it stands."""
        assert self.address is not None
        line = curl(self.address, file) if file else curl(self.address)
        notes = []
        if self.address is UNKNOWN:
            notes.append("# no configuration names this respondent any more: set BASE_URL and API_KEY")
        elif unknown := to_fill_in(self.address):
            notes.append(f"# headers of the configuration that may be secret: set {', '.join(unknown)}")
        if not file and self.trajectory:
            notes.append(f"# phoropter show {self.trajectory} --save FOLDER writes that file, with its pictures")
        return "\n".join([line, *notes])

    def _messages(self) -> str:
        lines: list[str] = []
        for message in self.request["messages"]:
            content = message["content"]
            lines.append(f"[{message['role']}]")
            lines += [content] if isinstance(content, str) else map(self._part, content)
        return "\n".join(lines)

    def _part(self, part: Json) -> str:
        return self._picture(part["image_url"]) if part["type"] == "image_url" else str(part.get("text", ""))

    def _picture(self, shown: Mapping[str, str]) -> str:
        digest = shown.get("picture", "")
        sent = self.pictures.get(digest)
        return f"[picture {digest[:12]}{', sent ' + weighed(sent) if sent is not None else ''}]"


def known(steps: Iterable[Step], stored: Mapping[str, SentPicture]) -> dict[str, SentPicture]:
    """What is known of pictures: as these steps say they were sent, and the bytes from ``stored``."""
    out = dict(stored)
    for step in steps:
        for sent in step.answer.sent:
            out[sent.hash] = replace(sent, data=stored[sent.hash].data if sent.hash in stored else sent.data)
    return out


def shown_in(request: Json) -> list[str]:
    """The hashes of a request's pictures."""
    return hashes(request) if isinstance(request, dict) else []


def unsent(step: Step, kind: RespondentKind) -> str:
    """Why nothing was sent for a step."""
    if step.origin in PUT_IN:
        return "put in: nobody was asked"
    if kind == "baseline":
        return "a baseline answers without a request"
    if kind == "human":
        return "a person answered"
    return "no call of its own: the answer was given to the same request before"


def weighed(sent: SentPicture) -> str:
    """``1024x1024, 811 kB image/png``; the weight where the bytes are known."""
    weight = f", {weight_of(len(sent.data))}" if sent.data else ""
    size = "of unknown size" if sent.size == (0, 0) else f"{sent.size[0]}x{sent.size[1]}"
    return f"{size}{weight} {sent.mime}".rstrip()


def weight_of(count: int) -> str:
    """``811 kB``."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.0f} kB" if count < 999_500 else f"{count / 1_000_000:.1f} MB"


def call_line(call: Call) -> str:
    """Attempts, time, who served it and what it cost, on one line."""
    tries = counted(call.attempts, "attempt")
    return f"{tries}, {call.seconds:.3f} s, served by {call.served_model or '?'}{tokens(call.usage, '; ')}"


def tokens(usage: Usage, before: str = "") -> str:
    """``1,312 prompt tokens, 57 answer tokens``, "" where the server counted none."""
    if not (usage.prompt_tokens or usage.completion_tokens):
        return ""
    cost = "" if usage.cost is None else f", {usd(usage.cost)}"
    return (
        f"{before}{counted(usage.prompt_tokens, 'prompt token')}, "
        f"{counted(usage.completion_tokens, 'answer token')}{cost}"
    )


def as_json(value: Json) -> str:
    """Indented, in the order it was sent."""
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)
