"""What can be set about a model, as frozen records; ``core.config`` reads them from phoropter.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from annotated_types import Ge, Gt, Le, MinLen

_STRICT: Final = {"extra": "forbid", "strict": True}

Name: TypeAlias = Annotated[str, MinLen(1)]
Count: TypeAlias = Annotated[int, Ge(1)]
AtOnce: TypeAlias = Annotated[int, Ge(1), Le(4096)]
Positive: TypeAlias = Annotated[float, Gt(0)]
Price: TypeAlias = Annotated[float, Ge(0)]
Billions: TypeAlias = Annotated[float, Gt(0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """A model behind a server that speaks the OpenAI API.

    ``base_url``: none means api.openai.com, several are replicas that share the calls. ``api_key_env`` names the
    environment variable that holds the key. ``timeout_s`` bounds one attempt (streamed: the time between two
    pieces). ``attempts`` bounds the requests of one call that fail; a busy server (429) is waited for up to
    ``patience_s`` instead. ``extra_body`` is sent as it stands. ``seed`` is sent plus the repeat. ``price_in`` and
    ``price_out`` are USD for a million tokens; ``size_b`` is the model's parameters in billions. In a batch
    (``--via batch``) prices are multiplied by ``price_batch``, and none holds more than ``batch_requests`` requests
    or ``batch_megabytes`` millions of bytes.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    model: Name
    kind: Literal["openai"] = "openai"
    base_url: tuple[Name, ...] = ()
    api_key_env: str = ""
    temperature: Annotated[float, Ge(0), Le(10)] = 0.0
    top_p: Annotated[float, Gt(0), Le(1)] | None = None
    max_tokens: Count = 2048
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    seed: int | None = None
    stop: tuple[Name, ...] = ()
    system: str = ""
    extra_body: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    looks: bool = True
    max_pixels: Count | None = None
    concurrency: AtOnce = 16
    requests_per_minute: Positive | None = None
    timeout_s: Positive = 120.0
    connect_s: Positive = 10.0
    attempts: Count = 5
    patience_s: Positive = 300.0
    price_in: Price | None = None
    price_out: Price | None = None
    price_batch: Annotated[float, Ge(0)] = 0.5
    batch_requests: Annotated[int, Ge(1), Le(50_000)] = 50_000
    batch_megabytes: Annotated[float, Gt(0), Le(200)] = 200.0
    size_b: Billions | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSettings:
    """A model run by transformers. ``model`` is a folder or a hub id; ``batch_size`` turns are answered at once.

    ``several`` says what a conversation with more than one picture becomes: ``pictures`` puts each in its place,
    ``collage`` joins them to one at the place of the first, ``error`` refuses. ``constrain = "letters"`` answers a
    turn that offers lettered options with the likeliest letter instead of words. ``seed`` is mixed with the run's,
    the item, the step and the repeat; it counts only where ``temperature`` is not 0.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    model: Name
    kind: Literal["transformers"] = "transformers"
    revision: str = ""
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"
    device: str = "auto"
    device_map: str = ""
    size_b: Billions | None = None
    batch_size: Count = 1
    trust_remote_code: bool = False
    temperature: Annotated[float, Ge(0), Le(10)] = 0.0
    top_p: Annotated[float, Gt(0), Le(1)] | None = None
    max_tokens: Count = 2048
    seed: int | None = None
    system: str = ""
    looks: bool = True
    max_pixels: Count | None = None
    several: Literal["pictures", "collage", "error"] = "pictures"
    constrain: Literal["", "letters"] = ""


Settings: TypeAlias = ServerSettings | LocalSettings

KINDS: Final[Mapping[str, type[ServerSettings] | type[LocalSettings]]] = MappingProxyType(
    {"openai": ServerSettings, "transformers": LocalSettings}
)
