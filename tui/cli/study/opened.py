"""From a study's file and a store to the study as it stands there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.study.preparing import Prepared
    from sessions.store import Store
    from sessions.studies.book import StudyRecord


def kept_study(store: Store, file: Path) -> tuple[StudyRecord, Prepared]:
    """The version of the study that this file is, kept as a draft where it is new, and what its sessions are made of.

    Raises as reading, checking and keeping do.
    """
    from core.study.checking import check
    from core.study.reading import read_file
    from sessions.studies.book import keep_draft

    dry = check(read_file(file))
    return keep_draft(store, dry.study, dry.content), dry.prepared
