"""The accuracy drawer: the report's figures, by group, still right, runs side by side; live, filtered, hidden."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from core.cells import ALL, Cell
from core.planning import Request
from core.published.catalogue import rows
from sessions.cells import cells_of
from sessions.store import Store
from sessions.survival import survival, survivals
from tests.tui.batching import Gate, bench_on, until
from tests.tui.pilots import app_on, idle, press, words
from tests.tui.stored import run_on
from tui.screens.accuracy import AccuracyScreen
from tui.state import panel
from tui.state.accuracy import called
from tui.state.bench import Bench
from tui.state.panel import Found, Wanted
from tui.state.sheet import Bar, Chart, Curve, Figure, Sheet, cut, table_lines
from tui.widgets.chart import chart_lines


def figures(sheet: Sheet) -> dict[tuple[str, str], Figure]:
    """By row and column."""
    return {
        (str(row[0]), head): value
        for row in sheet.rows
        for head, value in zip(sheet.header, row, strict=True)
        if isinstance(value, Figure)
    }


def told(cell: Cell) -> Figure:
    return Figure(cell.accuracy, cell.low, cell.high, cell.n)


async def shown(bench: Bench) -> Sheet:
    """What is wanted now, read now."""
    bench.watching.stirred()
    await bench.watching.refresh()
    return bench.watching.sheet


async def test_steps_by_property_are_the_cells_of_the_report(path: Path) -> None:
    with bench_on(path) as bench:
        await bench.begin_here().wait()
        found = figures(await shown(bench))
        cells = cells_of(bench.asked.store, [bench.asked.run])
        assert len(cells) == 12
        assert {(c.step, c.property): told(c) for c in cells}.items() <= found.items()
        human = [row for row in rows("voila") if (row.kind, row.subset, row.step) == ("human", "ND", "apply")]
        known = {row.cell().accuracy for row in human if (row.property_name, row.group) == (ALL, ALL)}
        assert found["apply", "◆ people"].share in known
        bench.watching.switch_published()
        assert ("apply", "◆ people") not in figures(await shown(bench))


async def test_by_group_and_another_step(path: Path) -> None:
    with bench_on(path) as bench:
        await bench.begin_here().wait()
        await shown(bench)
        bench.watching.next_group()
        cells = cells_of(bench.asked.store, [bench.asked.run], group_by="rule")
        last = {(c.group, c.property): told(c) for c in cells if c.step == "apply"}
        assert last.items() <= figures(await shown(bench)).items()
        bench.watching.next_step(1)
        first = {(c.group, c.property): told(c) for c in cells if c.step == "describe"}
        assert first.items() <= figures(await shown(bench)).items()
        bench.watching.next_group()
        assert "structure" in (await shown(bench)).title or bench.watching.wanted.group_by != "rule"


async def test_a_filter_counts_its_items_alone(path: Path) -> None:
    with bench_on(path) as bench:
        await bench.begin_here().wait()
        some = frozenset(item.id for item in list(bench.items())[:3])
        every = frozenset(item.id for item in bench.items())
        store, run = bench.asked.store, bench.asked.run
        assert {cell.n for cell in cells_of(store, [run], only=some) if cell.step == "apply"} == {3}
        assert cells_of(store, [run], only=every, group_by="rule") == cells_of(store, [run], group_by="rule")
        assert cells_of(store, [run], only=frozenset()) == []
        assert [alive.n for alive in survival(store, run, "rule", some)] == [3, 3, 3]
        sheet = panel.sheet(panel.read(store, w := Wanted((run,), only=some)), w)
        assert [row[-1] for row in sheet.rows] == ["9", "3", "3"]


async def test_survival_falls_and_agrees_with_the_trajectories(path: Path) -> None:
    with bench_on(path, "seeing:0.8") as bench:
        await bench.begin_here().wait()
        store, run = bench.asked.store, bench.asked.run
        found = survival(store, run, "rule")
        right = dict.fromkeys(("describe", "relate", "apply"), 0)
        for item in bench.items():
            (trajectory,) = await bench.asked.journal.all_on(item)
            for step in trajectory.steps:
                score = step.score()
                if score is None or not score.correct:
                    break
                right[step.turn.step] += 1
        assert {alive.step: alive.right for alive in found} == right
        assert [alive.n for alive in found] == [14, 14, 14]
        assert found[0].right > 0


async def test_a_published_sign_stands_only_where_some_row_has_its_figure(path: Path) -> None:
    with bench_on(path, limit=4) as bench:
        await bench.begin_here().wait()
        sheet = await shown(bench)
        assert "◇ best model" in sheet.header
        assert "◇" in sheet.chart.legend
        describe = [cell for cell in bench.watching.found.cells if cell.step == "describe"]
        blocks = [replace(block, published=tuple(p for p in block.published if p.row.step != "describe"))
                  for block in bench.watching.found.blocks]  # fmt: skip
        lone = panel.sheet(Found(tuple(describe), {}, tuple(blocks)), bench.watching.wanted)
        assert [row[0] for row in lone.rows] == ["describe"]
        assert not any("◇" in words for words in (*lone.header, lone.chart.legend))
        assert not any("best published model" in note for note in lone.notes)


@pytest.mark.parametrize(
    ("put_in", "rows"),
    [
        (
            "describe=gold",
            {"what if describe=gold": ["relate", "apply"]},
        ),
        (
            "relate=gold",
            {"before relate=gold": ["describe"], "what if relate=gold": ["apply"]},
        ),
    ],
)
async def test_a_run_in_which_something_was_put_in_is_followed_apart(
    path: Path, put_in: str, rows: dict[str, list[str]]
) -> None:
    with Store.open(path) as store:
        request = Request("voila:ND", respondent="seeing:0.8", interventions=(put_in,))
        run = await run_on(store, request, limit=6)
        wanted = Wanted((run,), view="survival")
        sheet = panel.sheet(panel.read(store, wanted), wanted)
        followed = survivals(store, run, "rule")
    name = f"{run.name}, "
    assert {head[2:].removeprefix(name) for head in sheet.header[1::2]} == set(rows)
    assert {called(lane): [alive.step for alive in of_lane] for lane, of_lane in followed.items()} == rows
    assert {alive.n for of_lane in followed.values() for alive in of_lane} == {6}
    assert not any("nothing has been scored" in note for note in sheet.notes)
    assert "plain answers alone" not in " ".join(sheet.notes)


async def test_runs_stand_side_by_side_with_people_and_models(path: Path) -> None:
    with bench_on(path) as bench:
        await bench.begin_here().wait()
        (other,) = await bench.begin_with("oracle")
        await other.wait()
        bench.watching.take_runs([other.asked.run.uid])
        sheet = await shown(bench)
        found = figures(sheet)
        assert found["voila-ND-l2m-oracle (baseline)", "apply"].share == 1.0
        assert found["people (published)", "apply"].share is not None
        assert any(str(row[0]).startswith("GPT-4o (published)") for row in sheet.rows)
        mine = ("voila-ND-l2m-noisy-0.6 (baseline)", "voila-ND-l2m-oracle (baseline)")
        for step, n in (("apply", "14"), ("describe", "42"), ("relate", "14")):  # three pictures an item
            sheet = await shown(bench)
            assert {row[0]: row[-1] for row in sheet.rows}.items() >= {(name, n) for name in mine}
            assert sheet.chart.legend == f"bars and n: {step}, every property right"
            bench.watching.next_step(1)
        bench.watching.look_at("survival")
        assert len((await shown(bench)).chart.curves) == 2


async def test_what_ifs_are_looked_at_one_by_one(path: Path) -> None:
    with bench_on(path, limit=4) as bench:
        await shown(bench)
        bench.watching.next_lane()
        assert bench.watching.note == "there is no what-if in this run"
        await bench.stepping.open_item(0)
        await bench.stepping.next()
        await bench.stepping.gold()
        await bench.stepping.to_end()
        await shown(bench)
        bench.watching.next_lane()
        sheet = await shown(bench)
        assert "what if describe=gold (fork)" in sheet.title
        assert [row[0] for row in sheet.rows] == ["relate", "apply"]


async def test_the_drawer_is_live_while_a_batch_runs_and_reads_nothing_while_hidden(path: Path) -> None:
    gate = Gate(held=True)
    with bench_on(path, gate, limit=4) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            await press(pilot, "a")
            assert isinstance(pilot.app.screen, AccuracyScreen)
            await until(lambda: "nothing has been scored here yet" in words(pilot))
            batch = bench.begin_here()
            await until(lambda: batch.under_way == 2)
            gate.let_through()
            await batch.wait()
            await until(lambda: "describe" in words(pilot) and "done 4/4" in words(pilot))
            await until(lambda: [row[-1] for row in bench.watching.sheet.rows] == ["12", "4", "4"])
            await press(pilot, "escape")
            before = bench.watching.sheet
            await bench.stepping.open_item(0)
            await bench.stepping.ask_again()
            await idle(pilot)
            assert bench.watching.sheet is before


async def test_a_page_seen_before_is_turned_back_to_at_once_and_then_read_anew(path: Path) -> None:
    with bench_on(path) as bench:
        watching = bench.watching
        await bench.begin_here().wait()
        first = await shown(bench)
        watching.look_at("survival")
        assert not watching.recall()
        other = await shown(bench)
        watching.look_at("steps")
        assert watching.stirred()
        reading = asyncio.ensure_future(watching.refresh())
        await asyncio.sleep(0)
        watching.look_at("survival")
        assert watching.recall()
        await reading  # what was read of the page left does not come back
        assert watching.sheet is other
        assert watching.stirred()
        watching.look_at("steps")
        assert watching.recall()
        assert watching.sheet == first


async def test_its_keys(path: Path) -> None:
    with bench_on(path) as bench:
        await bench.begin_here().wait()
        async with app_on(bench.stepping, bench=bench).run_test(size=(80, 24)) as pilot:
            await press(pilot, "a")
            await until(lambda: "by step" in words(pilot))
            assert "━" in words(pilot) or "─" in words(pilot)
            await press(pilot, "c")
            assert "with its 95% interval" not in words(pilot)
            await press(pilot, "c", "2")
            await until(lambda: "apply by rule" in words(pilot))
            await press(pilot, "right_square_bracket")
            await until(lambda: "describe by rule" in words(pilot))
            await press(pilot, "tab")
            await until(lambda: "still all right" in bench.watching.sheet.title)
            await press(pilot, "r")
            assert "there is no other run" in "\n".join(n.message for n in pilot.app._notifications)
            await press(pilot, "4", "p", "s", "w", "g", "G", "1", "pagedown", "pageup", "j", "k", "q")
            assert not isinstance(pilot.app.screen, AccuracyScreen)


@pytest.mark.parametrize("size", [(160, 48), (40, 12), (1, 1)])
async def test_any_size_is_survived(path: Path, size: tuple[int, int]) -> None:
    with bench_on(path, limit=3) as bench:
        await bench.begin_here().wait()
        async with app_on(bench.stepping, bench=bench).run_test(size=size) as pilot:
            await press(pilot, "a", "2", "3", "4", "escape", "B", "n", "escape", "escape")
            await pilot.resize_terminal(90, 25)
            await press(pilot, "a")
            await pilot.resize_terminal(*size)
            await idle(pilot)


def test_a_table_gives_its_intervals_up_before_its_numbers() -> None:
    figure = Figure(0.5, 0.25, 0.75, 8)
    sheet = Sheet("", ("step", "number", "all", "n"), (("describe", figure, figure, "8"),))
    assert table_lines(sheet, 60)[1] == "describe  50 25-75  50 25-75  8"
    assert table_lines(sheet, 30)[1] == "describe      50  50 25-75  8"
    assert table_lines(sheet, 10)[1] == "describe      50   50  8"


def test_names_that_differ_at_their_ends_alone_are_cut_in_the_middle() -> None:
    figure = Figure(0.5, 0.25, 0.75, 8)
    names = ("voila-ND-l2m-noisy-0.6 (baseline)", "voila-ND-l2m-noisy-0.6 (baseline), what if relate=gold")
    sheet = Sheet("", ("whose", "apply", "n"), tuple((name, figure, "8") for name in names))
    lines = table_lines(sheet, 40)
    assert [len(line) for line in lines] == [40, 40, 40]
    assert lines[1].split("  ")[0] == "voila-ND-l2m-n…-0.6 (baseline)"
    assert lines[2].split("  ")[0] == "voila-ND-l2m-n… if relate=gold"
    drawn = chart_lines(Chart(tuple(Bar(name, figure) for name in names)), 80, 12)
    assert len({line[:24] for line in drawn[:2]}) == 2
    assert cell_len(cut("מילים 🦓🦓🦓🦓🦓🦓🦓🦓", 9)) <= 9
    assert cut("short", 5) == "short"


async def test_a_run_of_what_ifs_alone_says_where_they_are(path: Path) -> None:
    with bench_on(path, limit=2) as bench:
        await bench.begin_here().wait()
        sham = (await bench.begin_intervened("describe=gold"))[1]
        await sham.wait()
        wanted = Wanted((sham.asked.run,))
        sheet = panel.sheet(panel.read(bench.asked.store, wanted), wanted)
        assert sheet.notes[-1] == "no plain answers: w turns to the what-ifs (describe=sham)"


def test_charts_show_in_signs_what_the_numbers_say() -> None:
    bars = (Bar("first", Figure(0.5, 0.25, 0.75, 8), (("◆", 1.0),)), Bar("second", Figure(0.0)))
    lines = chart_lines(Chart(bars, legend="said"), 108, 12)
    assert lines[0].index("◆") > lines[0].index("●")
    assert lines[0].count("─") > 20
    assert "─" not in lines[1]
    assert lines[1].index("●") < lines[0].index("─")
    assert lines[-1] == "said"
    assert not any("\x1b" in line for line in lines)
    crowded = chart_lines(Chart(tuple(Bar(str(i), Figure(0.5)) for i in range(30)), legend="said"), 80, 10)
    assert crowded[-1] == "said   (23 more have numbers only)"
    curves = Chart(curves=(Curve("●", "a", (1.0, 0.5)), Curve("○", "b", (0.9, None))), along=("one", "two"))
    drawn = "\n".join(chart_lines(curves, 60, 12))
    assert drawn.count("●") == 2
    assert drawn.count("○") == 1
    assert chart_lines(curves, 10, 12) == chart_lines(Chart(), 80, 12) == []
