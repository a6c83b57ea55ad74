"""What a set's folder says of where it is from."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import DataError
from core.fetching.cards import CARD, read


@pytest.mark.parametrize("held", ["[" * 100_000, "{", "{}", "3"])
def test_a_card_that_is_none_is_refused(tmp_path: Path, held: str) -> None:
    (tmp_path / CARD).write_text(held, encoding="utf-8")
    with pytest.raises(DataError, match="is no card of this version's"):
        read(tmp_path)
