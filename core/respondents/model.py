"""What every model is alike in, wherever it runs."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from core.records import RespondentKind


class Named(Protocol):
    """Settings of a model."""

    @property
    def model(self) -> str: ...


S = TypeVar("S", bound=Named)


class Model(Generic[S]):
    """A respondent with settings of its own, which answers in words where it does not say otherwise."""

    def __init__(self, name: str, settings: S) -> None:
        self._name = name
        self._settings = settings

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r}, model={self._settings.model!r})"

    @property
    def name(self) -> str:
        return self._name

    @property
    def kind(self) -> RespondentKind:
        return "model"

    @property
    def draws(self) -> bool:
        return False

    @property
    def settings(self) -> S:
        return self._settings
