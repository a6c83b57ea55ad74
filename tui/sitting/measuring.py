"""How large this terminal shows the pictures of a study, found out without showing any."""

from __future__ import annotations

from collections.abc import Iterator

from core.planning import gold_walk
from core.records import Item
from core.study.display import ShownAt, Station, refusals
from core.study.preparing import Prepared
from core.study.texts import Wording
from tui.imaging import Imaging
from tui.sitting.examples import worked
from tui.sitting.scenes import laid_out, scene_of
from tui.sitting.state.flow import Progress
from tui.sitting.state.layout import shown_px


def station_of(imaging: Imaging, size: tuple[int, int]) -> Station:
    """This terminal, ``size`` being its columns and rows."""
    return Station(imaging.kind, size, (imaging.cell.width, imaging.cell.height))


def shown_at(prepared: Prepared, imaging: Imaging, size: tuple[int, int]) -> list[ShownAt]:
    """Each item in each condition, with the size of the smallest picture in any of its turns. Raises PictureError."""
    out = []
    for item in (*prepared.pool.practice, *prepared.pool.items.values(), *prepared.pool.catch):
        least = min(_sizes(prepared, item, imaging, size), key=min, default=None)
        if least is not None:
            out.append(ShownAt(item.id, least))
    return out


def unfit(prepared: Prepared, imaging: Imaging, size: tuple[int, int]) -> list[str]:
    """Why nobody can sit here, each in a sentence; empty where the study demands nothing that is lacking."""
    station, demands = station_of(imaging, size), prepared.study.display
    shown = shown_at(prepared, imaging, size) if demands.smallest_px else []
    return refusals(demands, station, shown)


def _sizes(prepared: Prepared, item: Item, imaging: Imaging, size: tuple[int, int]) -> Iterator[tuple[int, int]]:
    benchmark, study = prepared.benchmark, prepared.study
    wording, progress = Wording(study), Progress(1, 1, practice=False)
    for name, way in study.ways.items():
        protocol = prepared.protocols[name]
        examples = (prepared.pool.examples[id_] for id_ in way.examples)
        beside = tuple(worked(benchmark, protocol, example, wording) for example in examples)
        steps = gold_walk(benchmark, protocol, item)
        for place, step in enumerate(steps):
            scene = scene_of(prepared, way, item, step.turn, steps[:place], wording, progress, beside)
            layout = laid_out(scene, size, imaging)
            for show in scene.seen.shows:
                sent = prepared.pictures.sent(item, show).size
                yield shown_px(sent, layout, imaging.cell) if layout.rows else (0, 0)
