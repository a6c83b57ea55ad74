"""Chat completions read with tolerance: whole or streamed, with reasoning in any of the places servers put it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.prices import Prices
from core.records import Json, Status, Usage, as_written

TAGS: Final = (("<think>", "</think>"), ("<thinking>", "</thinking>"))
_REASONING: Final = ("reasoning_content", "reasoning")


class GarbageError(Exception):
    """A reply that is no chat completion: asking again may help."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a chat completion says. ``cached`` are the tokens of the prompt that the server found in its cache."""

    text: str
    reasoning: str
    status: Status
    usage: Usage
    served_model: str
    raw: Json
    cached: int = 0

    @property
    def counted(self) -> bool:
        """Whether the server said what the call came to."""
        return self.usage.prompt_tokens > 0 and (self.usage.completion_tokens > 0 or not self.text)

    def cost(self, prices: Prices, pictures: int = 0) -> float | None:
        """USD of the call with so many pictures; None where prices or counts are not known."""
        if not self.counted:
            return None
        return prices.cost(self.usage.prompt_tokens, self.usage.completion_tokens, self.cached, pictures)


def loads(text: str) -> Json:
    """JSON as servers write it: a byte order mark and NaN are let through, lone surrogates are mended."""
    try:
        value = json.loads(text.lstrip("\ufeff"), parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise GarbageError(f"the reply is no JSON ({error})") from None
    return value


def mended(value: Json) -> Json:
    """The same with surrogates joined, or replaced where they stand alone: a database takes only real characters."""
    try:
        as_written(value).encode()
    except UnicodeEncodeError:
        return _mended(value)
    return value


def _mended(value: Json) -> Json:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, list):
        return [_mended(entry) for entry in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(entry) for key, entry in value.items()}
    return value


def read_reply(raw: Json) -> Reply:
    """The reply in a whole chat completion. Raises GarbageError where there is none in it."""
    raw = mended(raw)
    choices = raw.get("choices") if isinstance(raw, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise GarbageError("the reply holds no choice")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise GarbageError("the reply's choice holds no message")
    finish = choice.get("finish_reason")
    if finish == "error":
        raise GarbageError("the server broke off with an error")
    content, thought = _content(message.get("content"))
    text, inline = split_reasoning(content)
    told = next((message[name] for name in _REASONING if isinstance(message.get(name), str)), "")
    reasoning = "\n".join(part for part in (told, thought, inline) if part)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        text, status = refusal, Status.REFUSAL
    else:
        status = _status(finish, text)
    served, usage = raw.get("model"), raw.get("usage")
    served = served if isinstance(served, str) else ""
    return Reply(text, reasoning, status, _usage(usage), served, raw, _cached(usage))


def split_reasoning(content: str) -> tuple[str, str]:
    """(answer, reasoning): a leading block of thinking apart. Thinking that never ends leaves no answer.

    Where the chat template has opened the block itself, only its end stands in the content.
    """
    start = content.lstrip()
    for opening, closing in TAGS:
        if start.startswith(opening):
            reasoning, closed, answer = start[len(opening) :].partition(closing)
            return (answer.lstrip() if closed else "", reasoning.strip())
    for opening, closing in TAGS:
        if closing in content and opening not in content:
            reasoning, _, answer = content.partition(closing)
            return answer.lstrip(), reasoning.strip()
    return content, ""


class Assembler:
    """Puts the chunks of a stream together to the completion that would have come whole."""

    def __init__(self) -> None:
        self._said: dict[str, list[str]] = {}
        self._finish: Any = None
        self._model: Any = None
        self._id: Any = None
        self._usage: Any = None
        self._version: Any = None
        self._odds: list[Json] = []
        self.started = False

    @property
    def finished(self) -> bool:
        """A reason for finishing has come: the answer is whole, whatever else the server leaves out."""
        return self._finish is not None

    def add(self, chunk: Json) -> str:
        """Take one chunk in; returns the piece of content in it."""
        if not isinstance(chunk, dict):
            raise GarbageError("a piece of the stream is no object")
        self._model = chunk.get("model") or self._model
        self._id = chunk.get("id") or self._id
        self._usage = chunk.get("usage") or self._usage
        self._version = chunk.get("system_fingerprint") or self._version
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or choice.get("index", 0) not in (0, None):
            return ""
        self.started = True
        self._finish = choice.get("finish_reason") or self._finish
        logprobs = choice.get("logprobs")
        if isinstance(logprobs, dict) and isinstance(logprobs.get("content"), list):
            self._odds += logprobs["content"]
        delta = choice.get("delta") or choice.get("message") or {}
        if not isinstance(delta, dict):
            raise GarbageError("a piece of the stream holds no delta")
        piece, thought = _content(delta.get("content"))
        told = {name: value for name in (*_REASONING, "refusal") if isinstance(value := delta.get(name), str)}
        for name, value in (told | {"content": piece, "thought": thought}).items():
            if value:
                self._said.setdefault(name, []).append(value)
        return piece

    def completion(self) -> Json:
        """The whole completion so far."""
        said = {name: "".join(pieces) for name, pieces in self._said.items()}
        thought = said.pop("thought", "")
        if thought and not any(name in said for name in _REASONING):
            said["reasoning_content"] = thought
        message = {"role": "assistant", "content": None, **said}
        choice: dict[str, Json] = {"index": 0, "message": message, "finish_reason": self._finish}
        if self._odds:
            choice["logprobs"] = {"content": self._odds}
        whole = {
            "id": self._id,
            "object": "chat.completion",
            "model": self._model,
            "choices": [choice] if self.started else [],
            "usage": self._usage,
        }
        return whole | ({"system_fingerprint": self._version} if self._version else {})


def _content(content: Json) -> tuple[str, str]:
    """(words, thinking) of a content, which is a text, null, or a list of parts."""
    if isinstance(content, str):
        return content, ""
    words: list[str] = []
    thinking: list[str] = []
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            words.append(part)
        elif isinstance(part, dict):
            if isinstance(part.get("text"), str):
                words.append(part["text"])
            elif "thinking" in part:
                thinking.append(_content(part["thinking"])[0])
    return "".join(words), "".join(thinking)


def _status(finish: Json, text: str) -> Status:
    if finish == "content_filter":
        return Status.REFUSAL
    if finish == "length":
        return Status.TRUNCATED
    return Status.OK if text.strip() else Status.EMPTY


def _usage(usage: Json) -> Usage:
    """Reasoning is part of the answer: where a server leaves it out of ``completion_tokens``, its own count or the
    total says how much it was."""
    if not isinstance(usage, Mapping):
        return Usage()
    prompt, said = count_of(usage.get("prompt_tokens")), count_of(usage.get("completion_tokens"))
    thought = count_of(_within(usage, "completion_tokens_details").get("reasoning_tokens"))
    total = count_of(usage.get("total_tokens"))
    return Usage(prompt, max(said + thought if thought > said else said, total - prompt))


def _cached(usage: Json) -> int:
    if not isinstance(usage, Mapping):
        return 0
    told = _within(usage, "prompt_tokens_details").get("cached_tokens")
    return max(map(count_of, (told, usage.get("prompt_cache_hit_tokens"), usage.get("cache_read_input_tokens"))))


def _within(usage: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    details = usage.get(name)
    return details if isinstance(details, Mapping) else {}


def count_of(value: Json) -> int:
    """A count of tokens as a server says it, 0 for what is none."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else 0
