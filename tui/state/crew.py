"""Whom one turn can be sent to: the respondents of the configuration, and the built-in ones."""

from __future__ import annotations

import os

from core.config import Config
from core.errors import UsageError
from core.pictures import Pictures
from core.records import RespondentKind
from core.respondents import registry
from core.respondents.addresses import Address
from core.respondents.base import Respondent
from core.respondents.baselines import BASELINES


class Crew:
    """Makes respondents when they are first sent something, and keeps them. Close it when the app has ended."""

    def __init__(self, config: Config, pictures: Pictures) -> None:
        self._config = config
        self._pictures = pictures
        self._made: dict[str, Respondent] = {}
        self._outdated: list[Respondent] = []

    def names(self) -> tuple[tuple[str, str], ...]:
        """All that can be named, each with "" or, where it is a pattern such as ``noisy:P``, the part of it that is
        always the same."""
        heads = {one.pattern: one.head for one in BASELINES if one.head != one.pattern}
        heads[registry.DIRECT] = registry.DIRECT.partition(":")[0] + ":"
        own = self._config.respondents
        return tuple((name, "" if name in own else heads.get(name, "")) for name in registry.names(self._config))

    def get(self, name: str) -> Respondent:
        """The respondent of that name. May take long (a local model's code is imported): call it in a thread.

        Raises UsageError, ConfigError or RespondentError for one that there is not or that cannot be made.
        """
        name = name.strip()
        if not name:
            raise UsageError("name a respondent")
        if name not in self._made:
            self._made[name] = registry.make(name, self._config, self._pictures)
        return self._made[name]

    def take(self, config: Config) -> None:
        """The configuration as it is now: who was changed in it is made anew, everybody else is kept."""
        before, self._config = self._config.respondents, config
        changed = [name for name in self._made if before.get(name) != config.respondents.get(name)]
        self._outdated += [self._made.pop(name) for name in changed]  # one of them may be answering

    def whereabouts(self, name: str) -> tuple[RespondentKind, Address | None]:
        """Of what kind that one is, and where its requests go (``UNKNOWN``: nobody knows it). Makes nothing."""
        return registry.whereabouts(name, self._config, os.environ)

    async def close(self) -> None:
        """Give connections and memory back."""
        for respondent in (*self._made.values(), *self._outdated):
            await respondent.close()
        self._made.clear()
        self._outdated.clear()
