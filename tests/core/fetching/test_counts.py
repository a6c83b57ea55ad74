"""Questions are the turns of the protocol that the table names; only what differs is said."""

from __future__ import annotations

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.fetching.catalogue import CATALOGUE, Size
from core.fetching.examine import Found, differences, turns
from core.packs import pack
from core.planning import Request, make_protocol


def test_turns_are_counted_along_the_right_answers() -> None:
    benchmark = registry.get("voila")
    item = next(iter(benchmark.load(pack("voila", "ND"), "ND", LoadOptions())))
    for name, count in (("l2m", 3), ("direct", 1)):
        protocol = make_protocol(benchmark, "ND", Request("voila:ND", protocol=name))
        assert turns(benchmark, protocol, item) == count


def test_questions_groups_and_notes_are_said_where_they_differ() -> None:
    size = Size(702, 2504, "following", {"kind": {"a": 5, "b": 3}}, "half may be missing")
    found = Found(True, items=351, questions=1250, groups={"kind": {"a": 5, "b": 2, "c": 1}})
    assert differences(found, size) == [
        "351 items, the paper has 702",
        "1,250 questions, the paper has 2,504",
        "kind b: 2 items, the paper has 3",
        "kind c: 1 items, the paper has 0",
        "known of it: half may be missing",
    ]
    same = Found(True, items=702, questions=2504, groups={"kind": {"a": 5, "b": 3}})
    assert differences(same, size) == []
    spelt_otherwise = Found(True, items=702, questions=None, groups={"kind": {"x": 702}})
    assert differences(spelt_otherwise, size) == []


def test_the_table_agrees_with_itself_and_with_the_papers() -> None:
    for entry in CATALOGUE.values():
        assert entry.citation.count("{") == entry.citation.count("}")
        assert len(entry.revision) in (0, 40)
        for size in entry.sizes.values():
            for counts in size.groups.values():
                assert sum(counts.values()) == size.items
    assert (CATALOGUE["vrex"].sizes[""].items, CATALOGUE["vrex"].sizes[""].questions) == (702, 2504)
