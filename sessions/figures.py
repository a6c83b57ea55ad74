"""What figures of stored runs need from the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.benchmarks import registry
from core.cells import ALL, Cell
from core.figures.accuracy import by_group, by_step
from core.figures.chains import Survival, of_measures, still_right
from core.figures.records import Figure, Mark
from core.measures import Measure
from core.published.beside import beside
from core.scoring import RULE
from core.study.figures import PEOPLE
from sessions.cells import cells_of
from sessions.golds import PUBLISHED_GOLD, GoldView
from sessions.runs import Run
from sessions.store import Store
from sessions.survival import survival


def figures_of(
    store: Store,
    runs: Sequence[Run],
    cells: Sequence[Cell],
    measures: Sequence[Measure],
    *,
    scorer: str = "",
    by: Sequence[str] = (),
    view: GoldView = PUBLISHED_GOLD,
    published: bool = False,
) -> list[Figure]:
    """All figures of these runs, whose ``cells`` and ``measures`` are at hand.

    ``by`` breaks down by these groups, else by each group that the benchmarks have. ``cells`` are broken down so as
    well where ``by`` is given; survival counts the published gold alone, as it is stored. ``published`` sets the
    papers' figures beside as marks.
    """
    whole = [cell for cell in cells if not by or cell.group_by in (ALL, PEOPLE)]
    plain = whole if not by or ALL in by else cells_of(store, runs, scorer=scorer or None, view=view)
    printed = [each for block in beside(plain) for each in block.published] if published else []
    found = [*by_step(plain, printed)]
    groups = [group for group in by if group != ALL] or list(_groups(runs))
    own = cells if by else cells_of(store, runs, scorer=scorer or None, group_by=groups, view=view)
    for group in groups:
        found += by_group([cell for cell in own if cell.group_by == group])
    if view.gold == PUBLISHED_GOLD.gold:
        found += still_right([_survival(store, run, scorer or RULE) for run in _plain(runs)], scorer or RULE)
    baselines = {run.config.respondent for run in runs if run.config.respondent_kind == "baseline"}
    return [*found, *of_measures(measures, published=published, baselines=baselines)]


def _groups(runs: Sequence[Run]) -> Iterator[str]:
    yield from dict.fromkeys(group for run in runs for group in registry.get(run.config.benchmark).groups)


def _plain(runs: Sequence[Run]) -> list[Run]:
    """Runs whose trajectories are the respondent's own doing from the first step on."""
    return [run for run in runs if not run.config.interventions]


def _survival(store: Store, run: Run, scorer: str) -> Survival:
    config = run.config
    marks = [
        Mark(alive.step, alive.share, alive.low, alive.high, alive.n, alive.interval)
        for alive in survival(store, run, scorer)
        if alive.share is not None
    ]
    name = f"{run.name} (baseline)" if config.respondent_kind == "baseline" else run.name
    return Survival(name, config.benchmark, config.subset, config.protocol, marks)
