"""What can be set about a model, as frozen records; ``core.config`` reads them from phoropter.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from annotated_types import Ge, Gt, Le, MinLen

from core.prices import Price, Prices

_STRICT: Final = {"extra": "forbid", "strict": True}

Name: TypeAlias = Annotated[str, MinLen(1)]
Count: TypeAlias = Annotated[int, Ge(1)]
AtOnce: TypeAlias = Annotated[int, Ge(1), Le(4096)]
Positive: TypeAlias = Annotated[float, Gt(0)]
Penalty: TypeAlias = Annotated[float, Ge(-2), Le(2)]
Billions: TypeAlias = Annotated[float, Gt(0)]
Structured: TypeAlias = Literal["json_schema", "json_object", "none"]
"""How a server is asked for a reply of a given form: held to the schema, to JSON of any form, or by words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How a server is reached and how it is called, whatever it is asked for.

    ``base_url``: none means api.openai.com, several are replicas that share the calls. ``api_key_env`` names the
    environment variable that holds the key. ``timeout_s`` bounds one attempt (streamed: the time between two
    pieces), ``attempt_s`` a streamed one as a whole. ``attempts`` bounds the requests of one call that fail; a busy
    server (429) is waited for up to ``patience_s`` instead, and so is one where nothing succeeds. ``concurrency`` and
    the limits a minute are those of all addresses together. ``headers`` are sent with each request; a value
    ``env:NAME`` is taken from that environment variable, as is ``proxy``. ``extra_body`` is sent as it stands.
    ``price_in`` and ``price_out`` are USD for a million tokens.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    model: Name
    base_url: tuple[Name, ...] = ()
    api_key_env: str = ""
    extra_body: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    max_pixels: Count | None = None
    concurrency: AtOnce = 16
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    timeout_s: Positive = 120.0
    attempt_s: Positive = 600.0
    connect_s: Positive = 10.0
    attempts: Count = 5
    patience_s: Positive = 300.0
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    proxy: str = ""
    price_in: Price | None = None
    price_out: Price | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings(Connection):
    """A model behind a server that speaks the OpenAI API.

    ``seed`` is sent plus the repeat. ``price_cached`` is for the part of a prompt that the server had in its cache,
    ``price_picture`` for one picture sent; ``picture_tokens`` is the most tokens that a picture becomes. ``size_b``
    is the model's parameters in billions.

    ``unsent`` names parameters that the server refuses (``temperature`` of reasoning models). ``detail`` goes with
    every picture as it stands. ``picture_format`` makes pictures of another format one of this (``picture_quality``
    is that of a JPEG made so); "" sends files as they are. ``logprobs`` asks for the log-probabilities of each token
    and of the ``top_logprobs`` likeliest in its place: the odds of a turn's options are read from them.
    ``structured`` is how a judge's replies are held to their form; a server that refuses it is asked in the next
    weaker way.

    In a batch (``--via batch``) prices are multiplied by ``price_batch``, and none holds more than
    ``batch_requests`` requests or ``batch_megabytes`` millions of bytes.
    """

    kind: Literal["openai"] = "openai"
    temperature: Annotated[float, Ge(0), Le(10)] = 0.0
    top_p: Annotated[float, Gt(0), Le(1)] | None = None
    max_tokens: Count = 2048
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    seed: int | None = None
    stop: tuple[Name, ...] = ()
    presence_penalty: Penalty | None = None
    frequency_penalty: Penalty | None = None
    reasoning_effort: str = ""
    logprobs: bool = False
    top_logprobs: Annotated[int, Ge(0), Le(20)] = 20
    unsent: tuple[Literal["temperature", "top_p", "max_tokens"], ...] = ()
    structured: Structured = "json_schema"
    system: str = ""
    looks: bool = True
    detail: str = ""
    picture_format: Literal["", "png", "jpeg"] = ""
    picture_quality: Annotated[int, Ge(1), Le(100)] = 90
    price_cached: Price | None = None
    price_picture: Price | None = None
    picture_tokens: Count | None = None
    price_batch: Annotated[float, Ge(0)] = 0.5
    batch_requests: Annotated[int, Ge(1), Le(50_000)] = 50_000
    batch_megabytes: Annotated[float, Gt(0), Le(200)] = 200.0
    size_b: Billions | None = None

    @property
    def prices(self) -> Prices:
        """As far as they are set."""
        return Prices(
            input=self.price_in, cached=self.price_cached, output=self.price_out, picture=self.price_picture
        )

    def with_prices(self, table: Prices) -> ServerSettings:
        """The same, with the table's prices where it sets none."""
        return replace(
            self,
            price_in=table.input if self.price_in is None else self.price_in,
            price_cached=table.cached if self.price_cached is None else self.price_cached,
            price_out=table.output if self.price_out is None else self.price_out,
            price_picture=table.picture if self.price_picture is None else self.price_picture,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagesSettings(Connection):
    """A maker of pictures behind a server that speaks the OpenAI images API.

    ``mode``: ``generate`` makes a picture from the turn's words, ``edit`` from its words and the pictures that the
    conversation showed, each of ``max_pixels`` at most. ``size``, ``quality`` and ``background`` are sent where they
    are set. ``price_in_pictures`` is for a million tokens of pictures sent (``price_in`` where it is not set),
    ``price_picture`` USD for each picture made.
    """

    kind: Literal["openai-images"] = "openai-images"
    mode: Literal["generate", "edit"] = "generate"
    size: str = ""
    quality: str = ""
    background: str = ""
    timeout_s: Positive = 300.0
    price_in_pictures: Price | None = None
    price_picture: Price | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSettings:
    """A model run by transformers. ``model`` is a folder or a hub id; ``batch_size`` turns are answered at once.

    ``several`` says what a conversation with more than one picture becomes: ``pictures`` puts each in its place,
    ``collage`` joins them to one at the place of the first, ``error`` refuses. ``constrain = "letters"`` answers a
    turn that offers lettered options with the likeliest letter instead of words. ``seed`` is mixed with the run's,
    the item, the step and the repeat; it counts only where ``temperature`` is not 0. ``gpus`` are those that one copy
    of the model takes where several run at once (``--on``); a part of one shares it.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    model: Name
    kind: Literal["transformers"] = "transformers"
    revision: str = ""
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"
    device: str = "auto"
    device_map: str = ""
    gpus: Annotated[float, Ge(0)] = 1.0
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffusersSettings:
    """A maker of pictures run by diffusers. ``model`` is a folder or a hub id; ``batch_size`` pictures are made at
    once.

    ``steps``, ``guidance``, ``width`` and ``height`` (pixels) are the pipeline's own where they are not set. A
    ``dtype`` of auto is bfloat16 on CUDA, float32 elsewhere. ``seed`` is mixed with the run's, the item, the step and
    the repeat, so that a picture does not depend on its batch. ``gpus`` as for models.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    model: Name
    kind: Literal["diffusers"] = "diffusers"
    revision: str = ""
    variant: str = ""
    dtype: Literal["auto", "float32", "float16", "bfloat16"] = "auto"
    device: str = "auto"
    gpus: Annotated[float, Ge(0)] = 1.0
    size_b: Billions | None = None
    batch_size: Count = 1
    steps: Count | None = None
    guidance: Annotated[float, Ge(0)] | None = None
    width: Count | None = None
    height: Count | None = None
    negative_prompt: str = ""
    seed: int | None = None


Settings: TypeAlias = ServerSettings | LocalSettings | ImagesSettings | DiffusersSettings

KINDS: Final[Mapping[str, type[Settings]]] = MappingProxyType(
    {
        "openai": ServerSettings,
        "transformers": LocalSettings,
        "openai-images": ImagesSettings,
        "diffusers": DiffusersSettings,
    }
)
