from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.study.definition import Design, Study
from core.study.preparing import Prepared
from sessions.store import Store
from sessions.studies.book import StudyRecord
from tests.studies import kept, voila_study


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "phoropter.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Twenty items by two people each, five a session: eight slots."""
    return voila_study(
        tmp_path, 20, design=Design(raters=2, per_session=5, stratify="rule", no_picture_twice="session")
    )


@pytest.fixture
def record_and_prepared(store: Store, study: Study) -> tuple[StudyRecord, Prepared]:
    return kept(store, study)


@pytest.fixture
def record(record_and_prepared: tuple[StudyRecord, Prepared]) -> StudyRecord:
    return record_and_prepared[0]


@pytest.fixture
def prepared(record_and_prepared: tuple[StudyRecord, Prepared]) -> Prepared:
    return record_and_prepared[1]
