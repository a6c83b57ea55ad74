"""The reviewer's screens as they look, for each pipeline, at three sizes. Changed on purpose: --snapshot-update."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sessions.store import Store
from tests.sessions.curating.test_desk import made
from tests.tui.pilots import until
from tests.tui.reviewing.stage import candidates, drawn, pairs, ready, reviewing, street, writing
from tests.tui.snapping import SnapSizes
from tui.reviewing.app import ReviewingApp


async def test_a_chain_and_its_editing(store: Store, tmp_path: Path, snap_sizes: SnapSizes) -> None:
    run = await asyncio.to_thread(made, store, tmp_path, helpful='{"unhelpful": [2]}')
    async with reviewing(run) as (pilot, _):
        await snap_sizes(pilot, "review", drawn)
        await writing(pilot, "e")
        await snap_sizes(pilot, "edit", drawn)


async def test_a_pair_to_be_written_and_to_be_reviewed(store: Store, tmp_path: Path, snap_sizes: SnapSizes) -> None:
    run = await asyncio.to_thread(pairs, store, tmp_path)
    async with reviewing(run) as (pilot, app):
        await snap_sizes(pilot, "to_write", drawn)
        area = await writing(pilot, "e")
        area.load_text(
            "question: What are both for?\nright: To carry people\nwrong: To write with\nwrong: To sleep in"
        )
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.desk.done == 1)
    async with reviewing(run, "R2") as (pilot, app):
        while app.waiting is None or app.waiting.draft.writes:  # each reviewer has an order of their own
            await pilot.press("s")
            await ready(pilot)
        await snap_sizes(pilot, "to_review", drawn)


async def test_a_candidate_and_why_it_is_rejected(
    store: Store, tmp_path: Path, snap_sizes: SnapSizes, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = street("firebrick", (90, 110, 200, 170))  # what was drawn has more areas than a snapshot should hold
    monkeypatch.setattr(ReviewingApp, "_stored", lambda app, digest: picture)
    run = await asyncio.to_thread(candidates, store, tmp_path)
    async with reviewing(run) as (pilot, _):
        await snap_sizes(pilot, "candidate", drawn)
        await writing(pilot, "r")
        await pilot.press(*"two tails")
        await snap_sizes(pilot, "reason")
