"""What VOILA asks, step by step, under every option."""

from __future__ import annotations

import pytest

from core.benchmarks import registry
from core.benchmarks.base import ProtocolLike
from core.errors import UsageError
from core.prompts import prompts_for
from core.records import Answer, Item, Show, Step, Text, Turn
from tests.core.questions import change_of_all, distracted

VOILA = registry.get("voila")


def made(name: str, subset: str = "ND", **options: str) -> ProtocolLike:
    return VOILA.protocols[name](subset, options, prompts_for("voila"))


def turns(protocol: ProtocolLike, item: Item) -> list[Turn]:
    steps: list[Step] = []
    while (turn := protocol.next_turn(item, steps)) is not None:
        steps.append(Step(turn, Answer("whatever was said")))
    return [step.turn for step in steps]


def test_least_to_most_shows_the_pictures_once_and_asks_three_steps() -> None:
    describe, relate, apply = turns(made("l2m"), change_of_all())
    assert [t.step for t in (describe, relate, apply)] == ["describe", "relate", "apply"]
    assert [show.of for show in describe.shows] == [(0,), (1,), (2,)]
    assert not relate.shows
    assert not apply.shows
    assert "The answer is number = {number}, subject = {subject}, action = {action}" in apply.text


def test_the_pictures_stand_between_their_names_in_order() -> None:
    content = turns(made("l2m"), change_of_all())[0].content
    kinds = [part.text if isinstance(part, Text) else part.of for part in content[:6]]
    assert kinds == ["Image 1:", (0,), "Image 2:", (1,), "Image 3:", (2,)]


def test_a_collage_is_one_picture_of_three() -> None:
    (describe, *_) = turns(made("l2m", images="collage"), change_of_all())
    assert describe.shows == (Show((0, 1, 2)),)
    assert "side by side" in describe.text


def test_gold_is_what_the_paper_scores() -> None:
    describe, relate, apply = turns(made("l2m"), change_of_all())
    assert describe.gold["2.subject"] == "cat"
    assert describe.gold_text.splitlines()[1] == "Image 2: three cats running."
    assert dict(relate.gold) == {"number": "changed", "subject": "changed", "action": "changed"}
    assert dict(apply.gold) == {"number": "two", "subject": "cat", "action": "running"}
    assert apply.gold_text == "The answer is number = two, subject = cats, action = running"


def test_only_with_distraction_are_the_rules_for_any_explained_and_any_can_be_chosen() -> None:
    nd, wd = made("l2m"), made("l2m", "WD")
    last_nd, last_wd = turns(nd, change_of_all())[-1], turns(wd, distracted())[-1]
    assert '"any"' not in last_nd.text
    assert '"any"' in last_wd.text
    assert "any" not in last_nd.form[1].options
    assert "any" in last_wd.form[1].options
    assert dict(last_wd.gold) == {"number": "any", "subject": "any", "action": "typing"}


def test_direct_is_the_third_step_alone() -> None:
    (only,) = turns(made("direct"), change_of_all())
    assert only.step == "apply"
    assert len(only.shows) == 3


def test_text_in_the_place_of_pictures_explains_no_rules() -> None:
    (only,) = turns(made("direct", "WD", input="text"), distracted())
    assert not only.shows
    assert "Image 3: two wolves reading." in only.text
    assert "distraction" not in only.text


def test_text_under_least_to_most_leaves_describing_out() -> None:
    relate, apply = turns(made("l2m", input="text"), change_of_all())
    assert (relate.step, apply.step) == ("relate", "apply")
    assert "Image 1: two dogs walking." in relate.text
    assert not relate.shows


def test_sub_prompts_ask_a_property_each() -> None:
    asked = turns(made("l2m", subprompts="yes"), change_of_all())
    assert [t.step for t in asked] == ["describe", "relate.number", "relate.subject", "relate.action", "apply"]
    assert [list(t.gold) for t in asked[1:4]] == [["number"], ["subject"], ["action"]]


def test_examples_give_reasons_and_the_lists_of_values() -> None:
    (only,) = turns(made("direct", "WD", examples="yes"), distracted())
    assert only.text.count("Example") >= 2
    assert "digging a hole" in only.text
    assert "senior woman, any" in only.text


def test_chain_of_thought_changes_the_third_step_alone() -> None:
    plain, thinking = turns(made("l2m"), change_of_all()), turns(made("l2m", cot="yes"), change_of_all())
    assert plain[:2] == thinking[:2]
    assert plain[2].text != thinking[2].text
    assert "Reasoning:" in thinking[2].text


def test_generating_is_asked_only_where_wanted_and_wants_a_picture() -> None:
    assert turns(made("l2m", generate="yes"), change_of_all())[-1].makes == "picture"
    assert all(t.makes == "text" for t in turns(made("l2m"), change_of_all()))


def drawn_from(answer: str, subset: str = "ND", **options: str) -> str:
    """What the fourth step asks for after that answer to the third."""
    protocol = made("direct", subset, generate="yes", **options)
    turn = protocol.next_turn(change_of_all(), ())
    assert turn is not None
    last = protocol.next_turn(change_of_all(), [Step(turn, Answer(answer))])
    assert last is not None
    return last.text


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("The answer is number = two, subject = dogs, action = walking", "two dogs walking"),
        ("So it must be one senior man digging a hole.", "one senior man digging a hole"),
        ("The answer is number = two, subject = any, action = walking", "two animals or people of one kind walking"),
        ("The answer is number = one, subject = any, action = any", "one animal or person doing anything"),
        ("The answer is number = any, subject = fox, action = reading", "any number of foxes reading"),
        ("  A herd of mice, I think. ", "A herd of mice, I think."),
        ("", "nothing was answered"),
    ],
)
def test_the_fourth_step_says_what_the_third_answered(answer: str, told: str) -> None:
    """A maker of pictures takes no conversation: the turn's own words hold the answer, as briefly as can be."""
    assert drawn_from(answer, "WD") == f"Make one picture that shows exactly this: {told}"


def test_an_answer_may_hold_braces() -> None:
    assert drawn_from("{answer} {images}").endswith("this: {answer} {images}")


def test_a_wording_that_does_not_say_what_to_draw_is_refused() -> None:
    prompts = {**prompts_for("voila"), "generate": "Make the picture you had in mind."}
    VOILA.protocols["l2m"]("ND", {}, prompts)
    with pytest.raises(UsageError, match=r"voila\.generate does not say what to draw.*\{answer\}"):
        VOILA.protocols["l2m"]("ND", {"generate": "yes"}, prompts)


def test_a_protocol_is_a_pure_function_of_item_and_steps() -> None:
    assert turns(made("l2m"), change_of_all()) == turns(made("l2m"), change_of_all())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"imges": "collage"}, "Did you mean images"),
        ({"images": "mosaic"}, "sequence, collage"),
        ({"images": "collage", "input": "text"}, "no collage"),
    ],
)
def test_unknown_options_and_values_are_refused_with_the_known_ones(options: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError) as refused:
        made("l2m", **options)
    assert says in str(refused.value)


def test_no_built_in_prompt_leaves_a_placeholder_unfilled() -> None:
    for name in ("l2m", "direct"):
        for subset, item in (("ND", change_of_all()), ("WD", distracted())):
            for turn in turns(made(name, subset), item):
                for placeholder in ("{images}", "{descriptions}", "{numbers}", "{subjects}", "{actions}", "{answer}"):
                    assert placeholder not in turn.text


def test_only_prompts_that_can_be_asked_identify_a_protocol() -> None:
    """A changed wording of the direct question is no reason to run least-to-most again."""
    assert "direct_nd" not in made("l2m").prompts
    assert "apply_wd" not in made("l2m").prompts
    assert {"describe", "relate", "apply_nd", "images_sequence"} <= set(made("l2m").prompts)
    assert set(made("direct", "WD").prompts) == {"images_sequence", "direct_wd", "apply_format"}
