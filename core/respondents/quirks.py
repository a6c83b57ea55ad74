"""What a server has told us it wants otherwise than others do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from core.respondents.failures import Failure
from core.respondents.settings import Structured

_WEAKER: Final[Mapping[Structured, Structured]] = MappingProxyType(
    {"json_schema": "json_object", "json_object": "none"}
)
_OF_FORM: Final = re.compile(
    r"response_?format|json[\s_-]?(schema|object|mode)|structured[\s_-]?output|guided", re.IGNORECASE
)


@dataclass(slots=True)
class Quirks:
    """What the server has told us it wants otherwise."""

    tokens: str
    counts_streams: bool = True
    structured: Structured = "json_schema"

    def learn(self, failure: Failure, *, formed: bool = False) -> bool:
        """Whether the refusal was of a name that can be put right. ``formed``: a form was asked for."""
        if formed and self.structured in _WEAKER and _OF_FORM.search(failure.what):
            self.structured = _WEAKER[self.structured]
            return True
        if self.tokens != "max_completion_tokens" and "max_completion_tokens" in failure.what:
            self.tokens = "max_completion_tokens"
            return True
        if self.counts_streams and "stream_options" in failure.what:
            self.counts_streams = False
            return True
        return False
