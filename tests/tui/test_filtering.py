"""What is typed as a filter, and which items it leaves, in which order."""

from __future__ import annotations

import pytest

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.errors import UsageError
from core.packs import pack
from core.records import Item
from core.selection import Filter, Selection
from sessions.browsing import Remarks
from tests.tui.pilots import app_on, press, words
from tests.tui.stage import items, plan, stepping
from tui.state.filtering import Wanted, parse, toggled
from tui.state.heading import place_words
from tui.state.roster import ORDERS, Roster, shelved
from tui.state.standing import FAILED, NOT_RUN, OPEN, RIGHT, wrong_at

NAMES = ("rule", "category")


@pytest.mark.parametrize(
    ("text", "words", "values"),
    [
        ("", (), {}),
        ("  fox  sitting ", ("fox", "sitting"), {}),
        ("rule=19", (), {"rule": ("19",)}),
        ("rule=19,3 RULE=4", (), {"rule": ("19", "3", "4")}),
        ('category="Deductive reasoning" cat', ("cat",), {"category": ("Deductive reasoning",)}),
        ('category="half', (), {"category": ("half",)}),
        ("status=wrong,failed wrong=relate", (), {"status": ("wrong", "failed"), "wrong": ("relate",)}),
        ("tag=odd", (), {"tag": ("odd",)}),
        ("x=y rule=", ("x=y",), {}),
        ("= == [bold] %", ("=", "==", "[bold]", "%"), {}),
        ('category="a,b"', (), {"category": ("a,b",)}),
    ],
)  # fmt: skip
def test_a_filter_is_read_and_told_back(
    text: str, words: tuple[str, ...], values: dict[str, tuple[str, ...]]
) -> None:
    wanted = parse(text, NAMES)
    assert (wanted.words, wanted.values) == (words, values)
    assert parse(wanted.text, NAMES) == wanted


def test_a_value_is_put_in_and_out_again() -> None:
    wanted = toggled(toggled(Wanted(("cat",)), "category", "Deductive reasoning"), "rule", "1")
    assert wanted.text == 'category="Deductive reasoning" rule=1 cat'
    assert toggled(toggled(wanted, "rule", "1"), "category", "Deductive reasoning") == Wanted(("cat",))


@pytest.fixture
def roster() -> Roster:
    found = items(8)
    made = Roster(shelved(plan().benchmark, found))
    made.steps = ("describe", "relate", "apply")
    came_out = [wrong_at("relate"), RIGHT, FAILED, OPEN, wrong_at("describe"), wrong_at("relate")]
    made.take_standings(dict(zip((item.id for item in found), came_out, strict=False)), all_known=True)
    made.take_remarks({found[1].id: Remarks(2, ("odd",)), found[2].id: Remarks(0, ("odd", "blurred")),
                       found[3].id: Remarks(disputed=True, graded=2)})  # fmt: skip
    return made


def matched(roster: Roster, text: str, order: int = 0) -> list[int]:
    roster.take_view(roster.match(text, ORDERS[order]))
    return list(roster.chosen)


def test_items_are_filtered_by_words_groups_and_how_they_came_out(roster: Roster) -> None:
    all_of_them: list[Item] = list(roster.items)
    assert matched(roster, "") == list(range(8))
    assert matched(roster, "status=wrong") == [0, 4, 5]
    assert matched(roster, "status=wrong,failed wrong=relate") == [0, 5]
    assert matched(roster, "status=not-run") == [6, 7]
    assert matched(roster, "tag=odd") == [1, 2]
    assert matched(roster, "note=yes") == matched(roster, "✎") == [1]
    assert matched(roster, "disputed=yes") == matched(roster, "!") == [3]
    assert matched(roster, "graded=yes status=open") == matched(roster, "±") == [3]
    assert matched(roster, "note=no") == [0, 2, 3, 4, 5, 6, 7]
    assert matched(roster, "note=yes,no") == list(range(8))
    assert matched(roster, "relate") == [0, 5], "words on how it came out are found too"
    assert matched(roster, "FAILED") == [2]
    rule = all_of_them[3].groups["rule"]
    assert matched(roster, f"rule={rule}") == [i for i, item in enumerate(all_of_them) if item.groups["rule"] == rule]
    assert matched(roster, f"{all_of_them[3].id} rule={rule}")[0] == 3
    assert matched(roster, "rule=no-such") == []
    assert matched(roster, "nowhere at all") == []


def test_a_filter_that_leaves_nothing_says_which_part_of_it_can_be_nowhere(roster: Roster) -> None:
    def why(text: str) -> tuple[str, ...]:
        roster.take_view(roster.match(text, ORDERS[0]))
        return roster.why_none()

    assert why("") == why("status=wrong") == ()
    first, *told = why("status=foo zork=3 wrong=describe")
    assert first == "no item is so; x takes the filter away"
    assert told[0] == "no item has status foo. Known values of status: failed, not-run, open, right, wrong"
    assert (
        told[-1]
        == "zork=3 is taken for a word; names are: status, wrong, tag, note, disputed, graded, rule, structure"
    )
    assert why("rule=99")[1].startswith("no item has rule 99. Known values of rule: 1, ")
    assert why("no-such-word") == (first,)
    assert why("disputed") == (first, "disputed is taken for a word; disputed=yes finds them")
    assert why("note=maybe")[1].startswith("no item has note maybe")


def test_notes_disputes_and_own_scores_are_among_the_values_where_there_are_some(roster: Roster) -> None:
    facets = {facet.name: facet for facet in roster.facets(roster.match("", ORDERS[0]))}
    assert [facets[name].values for name in ("note", "disputed", "graded")] == [(("yes", 1),)] * 3
    wanted = {facet.name: facet for facet in roster.facets(roster.match("note=yes", ORDERS[0]))}
    assert wanted["note"].wanted == ("yes",)
    assert "disputed" not in wanted


def test_values_that_no_item_has_are_said_also_beside_some_that_items_have(roster: Roster) -> None:
    rule = next(iter(roster.items)).groups["rule"]
    matched(roster, f"rule={rule},abc,def tag=odd,none wrong=relate,apply")
    assert [each.what for each in roster.nowhere()] == [
        "no item has rule abc or def", "no item has tag none", "no item has wrong apply",
    ]  # fmt: skip
    matched(roster, f"rule={rule} status=failed wrong=relate")
    assert roster.nowhere() == ()


def test_the_command_line_says_it_in_the_same_words(roster: Roster) -> None:
    rule = next(iter(roster.items)).groups["rule"]
    matched(roster, f"rule={rule},abc")
    dataset = registry.get("voila").load(pack("voila", "ND"), "ND", LoadOptions())
    filtered = Selection(dataset, Filter({"rule": (rule, "abc")}))
    with pytest.raises(UsageError) as refused:
        filtered.refuse_nothing()
    (said,) = roster.nowhere()
    assert (refused.value.what, refused.value.where) == (said.what, "--where rule=abc")
    assert (refused.value.remedy or "").startswith("Known values of rule: 1, 5, 9, 13, 15")


async def test_the_filters_line_says_it_in_the_app() -> None:
    async with app_on(stepping(count=2)).run_test(size=(80, 24)) as pilot:
        await press(pilot, "slash", *"rule=1,abc")
        assert "no item has rule abc" in words(pilot)


def test_the_hardest_come_first_and_those_that_nobody_finished_last(roster: Roster) -> None:
    keys = roster.items.keys
    roster.take_difficulty({keys[3]: (1, 2), keys[1]: (0, 4), keys[6]: (3, 3)})
    assert matched(roster, "", 1)[:3] == [1, 3, 6]
    assert matched(roster, "", 2)[:3] == [6, 3, 1]
    assert matched(roster, "status=wrong", 1) == [0, 4, 5]
    assert place_words(roster, 4) == "2/3 of 8 status=wrong hardest first"


def test_values_are_counted_among_the_items_shown_and_wanted_ones_stay(roster: Roster) -> None:
    found = {facet.name: facet for facet in roster.facets(roster.match("", ORDERS[0]))}
    assert found["status"].values == (("not-run", 2), ("open", 1), ("right", 1), ("wrong", 3), ("failed", 1))
    assert found["wrong"].values == (("describe", 1), ("relate", 2))
    assert found["tag"].values == (("blurred", 1), ("odd", 2))
    assert sum(count for _, count in found["rule"].values) == 8
    narrowed = {facet.name: facet for facet in roster.facets(roster.match("status=wrong tag=odd", ORDERS[0]))}
    assert narrowed["status"].values == (("wrong", 0),)
    assert narrowed["status"].wanted == ("wrong",)


def test_walking_keeps_to_the_filter_and_finds_its_way_in_from_outside(roster: Roster) -> None:
    matched(roster, "status=wrong")
    assert list(roster.following(0, 1)) == [4, 5]
    assert list(roster.following(5, -1)) == [4, 0]
    assert list(roster.following(2, 1)) == [4, 5]
    assert list(roster.following(2, -1)) == [0]
    assert list(roster.following(7, 1)) == []
    assert place_words(roster, 2) == "–/3 of 8 status=wrong"


def test_many_values_are_cut_to_the_commonest(roster: Roster) -> None:
    many = Roster(shelved(plan().benchmark))
    base = items(1)[0]
    from dataclasses import replace

    many.items.add(replace(base, id=f"i{n}", groups={"rule": str(n // 2 if n > 20 else 0)}) for n in range(200))
    facet = next(f for f in many.facets(many.match("rule=77", ORDERS[0])) if f.name == "rule")
    assert facet.values == (("77", 2),)
    whole = next(f for f in many.facets(many.match("", ORDERS[0])) if f.name == "rule")
    assert (len(whole.values), whole.more) == (40, 51)
    assert whole.values[0] == ("0", 21)


def test_an_item_that_was_not_run_is_told_from_one_that_nobody_looked_at(roster: Roster) -> None:
    assert roster.standing(roster.items.keys[7]) is NOT_RUN
    assert Roster(shelved(plan().benchmark)).standing("x").word == ""


def test_a_tag_may_be_asked_for_with_a_colon_and_an_id_may_hold_one() -> None:
    assert parse("tag:perception a:b", ["rule"]) == Wanted(("a:b",), {"tag": ("perception",)})
