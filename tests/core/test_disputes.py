"""Values held right instead of a gold: checked, found again under turned letters, counted without reading anew."""

from __future__ import annotations

import pytest

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.disputes import Corrected, Dispute, corrections, proposal, rescored, same_step
from core.errors import UsageError
from core.packs import pack
from core.prompts import prompts_for
from core.records import Field, Item, Layout, Parse, Score, Turn

VOILA = registry.get("voila")


def first_turn(name: str, subset: str, protocol: str, number: int = 0, **options: str) -> tuple[Item, Turn]:
    """An item of the built-in pack, and the first turn that it is asked with."""
    benchmark = registry.get(name)
    item = list(benchmark.load(pack(name, subset), subset, LoadOptions(protocol=protocol)))[number]
    turn = benchmark.protocols[protocol](subset, options, prompts_for(name)).next_turn(item, ())
    assert turn is not None
    return item, turn


def voila_turn() -> tuple[Item, Turn]:
    return first_turn("voila", "ND", "l2m")


def test_values_are_checked_in_any_case_and_empty_ones_left_out() -> None:
    item, turn = voila_turn()
    wrong = next(option for option in turn.form[1].options if option != turn.gold["1.subject"])
    found = proposal(VOILA, item, turn, {"1.subject": f" {wrong.upper()} ", "1.number": ""})
    assert found == {"1.subject": Corrected(wrong)}


@pytest.mark.parametrize(("name", "value"), [("9.subject", "wolf"), ("1.subject", "sofa")])
def test_what_the_turn_does_not_have_is_refused(name: str, value: str) -> None:
    item, turn = voila_turn()
    with pytest.raises(UsageError):
        proposal(VOILA, item, turn, {name: value})


def test_the_gold_itself_is_no_correction() -> None:
    item, turn = voila_turn()
    with pytest.raises(UsageError, match="already"):
        proposal(VOILA, item, turn, {"1.subject": turn.gold["1.subject"]})


def test_a_choice_is_found_again_under_its_letter_where_options_are_turned() -> None:
    benchmark, letters = registry.get("vrex"), set()
    for number in range(5):
        item, turn = first_turn("vrex", "", "direct", number)
        _, other = first_turn("vrex", "", "direct", number, options="rotate", seed="3")
        offer, turned = benchmark.offer(item, turn), benchmark.offer(item, other)
        assert offer is not None
        assert turned is not None
        letter = next(letter for letter in offer.options if letter != turn.gold["answer"])
        held = Dispute("you", "why", turn.step, proposal(benchmark, item, turn, {"answer": letter}))
        found = corrections(benchmark, item, other, [held])["answer"]
        assert turned.options[found].text == offer.options[letter].text
        letters.add(found == letter)
    assert False in letters  # some were turned


def test_of_several_disputes_the_later_one_counts() -> None:
    item, turn = voila_turn()
    held = [Dispute("a", "x", turn.step, {"1.number": Corrected("one")}),
            Dispute("b", "y", turn.step, {"1.number": Corrected("two")}),
            Dispute("c", "z", "apply", {"1.number": Corrected("four")})]  # fmt: skip
    assert corrections(VOILA, item, turn, held) == {"1.number": "two"}


def test_a_correction_of_a_whole_step_holds_at_its_parts() -> None:
    assert same_step(VOILA, "relate", "relate.number")
    assert same_step(VOILA, "relate.number", "relate")
    assert not same_step(VOILA, "relate.number", "relate.subject")
    assert not same_step(registry.get("vrex"), "plan.1", "plan.2")
    turn = Turn("relate.number", (), (Field("number", ("same", "changed")),), {"number": "same"})
    held = Dispute("a", "x", "relate", {"number": Corrected("changed"), "subject": Corrected("same")})
    assert corrections(VOILA, voila_turn()[0], turn, [held]) == {"number": "changed"}


def test_a_corrected_value_is_right_where_exactly_it_was_read() -> None:
    layout = Layout(("number", "subject"), 2)
    score = Score("rule", "1", Parse.OK, 0b0101, 0b0111, {"1.number": "one", "1.subject": "wolf"})
    assert rescored(layout, score, {"1.number": "two", "1.subject": "wolf"}).right == 0b0110
    unread = rescored(layout, score, {"2.number": "two", "2.subject": "cat"})
    assert (unread.right, unread.scored) == (0b0001, 0b0111)
    assert rescored(layout, score, {"taste": "sweet"}) == score
