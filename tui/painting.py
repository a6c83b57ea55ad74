"""A screen is painted in what has changed alone: of the widgets, those that are seen there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual._compositor import ChopsUpdate, Compositor
from textual.geometry import Region
from textual.widget import Widget


class Painting(Compositor):
    """Paints as Textual's own does. That one has every widget drawn whose box meets the smallest rectangle around all
    that has changed, which after most keys is the whole screen, and each box that others hide."""

    _changed: tuple[Region, ...] = ()

    @property
    def visible_widgets(self) -> dict[Widget, tuple[Region, Region]]:
        """With the region and the clip of each, front to back; while a change is painted, those seen in it."""
        found = super().visible_widgets
        return _seen(found, self._changed) if self._changed else found

    def render_partial_update(self) -> ChopsUpdate | None:
        screen, cuts = self.size.region, self.cuts  # those of all widgets, whatever is painted
        changed = tuple(region for each in self._dirty_regions if (region := each.intersection(screen)))
        self._changed = changed if len(cuts) == screen.height else ()
        try:
            return super().render_partial_update()
        finally:
            self._changed = ()


def _seen(
    widgets: Mapping[Widget, tuple[Region, Region]], changed: Iterable[Region]
) -> dict[Widget, tuple[Region, Region]]:
    """The widgets, front to back, of which something can be seen in the changed regions: where one widget covers a
    region, nothing behind it is."""
    left, seen = list(changed), {}
    for widget, place in widgets.items():
        region, clip = place
        box = region.intersection(clip)
        if any(map(box.overlaps, left)):
            seen[widget] = place
            left = [each for each in left if not box.contains_region(each)]
            if not left:
                break
    return seen
