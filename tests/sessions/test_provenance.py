"""What reports stand on: filters in words, long and short, and both sides of a comparison."""

from __future__ import annotations

import pytest

from core.records import Json
from sessions.provenance import Provenance, RunThere
from tui.cli.provenance_tables import beside, beside_pairs, provenance_table


def there(name: str = "a", filter_: Json = None) -> RunThere:
    where = ("voila:ND", "l2m", "", "gpt", "model", "d" * 64)
    return RunThere(name, f"identity of {name}", *where, filter_, 34, 34, 0, 0, "0.1.0")


IDS = [f"voila-{number}" for number in range(1, 35)]


@pytest.mark.parametrize(
    ("values", "short"),
    [
        (IDS, "id=voila-1|voila-2|voila-3|... (34 values)"),
        (IDS[:9], "id=voila-1|voila-2|voila-3|... (9 values)"),
        (IDS[:8], "id=" + "|".join(IDS[:8])),
    ],
)
def test_of_many_values_the_first_are_shown_with_how_many_there_are(values: list[str], short: str) -> None:
    run = there(filter_={"where": {"id": values}, "sample": 5, "seed": 1})
    assert run.chosen_shortly == f"{short}; sample 5 (seed 1)"
    assert run.chosen == f"id={'|'.join(values)}; sample 5 (seed 1)", "whole in csv"
    told = Provenance("0.1.0", ("rule",), "published", "", (run,))
    table = provenance_table(told)
    assert table.rows[0][table.header.index("filter")] == run.chosen_shortly
    assert beside(told, [{"run": "a"}])[0]["filter"] == run.chosen
    assert there().chosen_shortly == there().chosen == "all"
    assert there(filter_={"study": "people", "version": 2, "digest": "d"}).chosen == "study people, version 2"


def test_each_side_of_a_difference_has_its_identity_and_filter() -> None:
    told = Provenance("0.1.0", ("rule",), "published", "", (there("a"), there("b", {"where": {"rule": ["1", "2"]}})))
    first, second = beside_pairs(told, [{"a": "a", "b": "b", "n": 3}, {"a": "people of x", "b": "a", "n": 4}])
    own = {"version": "0.1.0", "identity_a": "identity of a", "filter_a": "all"}
    assert first == {"a": "a", "b": "b", "n": 3, "identity_b": "identity of b", "filter_b": "rule=1|2"} | own
    assert (second["identity_a"], second["filter_a"]) == (None, None)
    assert (second["identity_b"], second["filter_b"]) == ("identity of a", "all")
