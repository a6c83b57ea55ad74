"""Pictures shown outside by the way that fits: a viewer here, or an address to be opened elsewhere."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.outside.places import Offer, over_ssh, ssh_line, viewer

if TYPE_CHECKING:
    from tui.outside.desktop import Desktop
    from tui.outside.serving import PictureServer


@dataclass(frozen=True, slots=True)
class Address:
    """Where a browser finds the pictures; ``ssh`` is what has to be typed at its end first ("" for nothing)."""

    url: str
    ssh: str


class Outside:
    """Holds the viewer and the server of one session of the app, each from its first use until ``close``."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ
        self._desktop: Desktop | None = None
        self._server: PictureServer | None = None

    @property
    def here(self) -> bool:
        """A viewer can be started on the desktop that the user sits at."""
        return not over_ssh(self._environ) and bool(viewer(self._environ))

    def view(self, offer: Offer) -> None:
        """Start the desktop's viewer on it; call it in a thread. Raises UsageError where that fails."""
        if self._desktop is None:
            from tui.outside.desktop import Desktop

            self._desktop = Desktop(viewer(self._environ))
        self._desktop.open(offer)

    def serve(self, offers: Sequence[Offer]) -> Address:
        """These pictures at an address, in place of those before. Raises UsageError where none can be had."""
        if self._server is None:
            from tui.outside.serving import PictureServer  # a web server costs the first screen too much

            self._server = PictureServer()
        self._server.offer(offers)
        return Address(self._server.url, ssh_line(self._environ, self._server.port))

    def close(self) -> None:
        """Stop serving, and remove what was written."""
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._desktop is not None:
            self._desktop.close()
            self._desktop = None
