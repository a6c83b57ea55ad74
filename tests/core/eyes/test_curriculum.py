"""What ``eyes`` learns from: answers that the app's own scorers find right, pictures that stay what they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.benchmarks.base import LoadOptions
from core.benchmarks.mmra.benchmark import BENCHMARK as MMRA
from core.benchmarks.voila.benchmark import BENCHMARK as VOILA
from core.benchmarks.voila.question import APPLY, DESCRIBE, RELATE, Question, solve
from core.benchmarks.voila.vocabulary import ANY, PROPERTIES, all_contents
from core.drawing.palette import Dice
from core.eyes import analogies, relations
from core.eyes.album import SIDE, Album, album_in, draw_album, vary
from core.eyes.analogies import applied, described, draw_contents, misseen, related
from core.eyes.curriculum import KINDS, STEPS, side_by_side
from core.eyes.scenes import FIRST_VARIANT, MAKERS, Scene, others, voila
from core.eyes.talks import END, IMAGE, PATCHES
from core.letters.reader import read_choice, read_yes_no
from core.packs import pack
from core.prompts import built_in
from core.records import Answer, Item, Picture, Step


@pytest.fixture(scope="module")
def album() -> Album:
    """What is to be seen in many pictures; nothing is drawn."""
    scenes = [*voila(1), *others(60)]
    pixels = np.zeros((len(scenes), SIDE, SIDE, 3), dtype=np.uint8)
    return Album(pixels, [scene.kind for scene in scenes], [dict(scene.seen) for scene in scenes])


@pytest.mark.parametrize("subset", ["ND", "WD"])
def test_an_analogys_answers_are_right_by_the_apps_scorer(subset: str) -> None:
    for k in range(40):
        contents, answer = draw_contents(Dice("right", k), subset)
        if k % 2:
            contents = misseen(Dice("misseen", k), contents, subset)
            answer = solve(contents)
        assert subset == "WD" or ANY not in (answer.value(name) for name in PROPERTIES)
        facts = Question(contents, answer, 1).to_facts()
        item = Item("voila", subset, "x", pictures=(Picture("1.png"),) * 3, groups={}, facts=facts)
        protocol = VOILA.protocols["l2m"](subset, {}, built_in("voila"))
        steps: list[Step] = []
        relating = "".join(text for text, _ in related(contents))
        for step, text in ((DESCRIBE, described(contents)), (RELATE, relating), (APPLY, applied(answer))):
            turn = protocol.next_turn(item, steps)
            assert turn is not None
            assert turn.step == step
            score = VOILA.score(item, turn, text)
            assert score.correct, (text, score)
            steps.append(Step(turn, Answer(text), (score,)))


@pytest.mark.parametrize("subtask", sorted(relations.SUBTASKS))
def test_a_relations_answer_is_read_as_the_right_one(subtask: str, album: Album) -> None:
    kinds = set()
    for k in range(30):
        asked = relations.SUBTASKS[subtask](Dice(subtask, k), album)
        learned = [piece for piece in asked.talk(Dice(k), album, own=1.0).pieces if piece[1]]
        said = "".join(text for text, _ in learned).removesuffix(END)
        reading = read_choice(said, asked.options) if asked.options else read_yes_no(said)
        assert reading.answer == asked.answer, said
        assert learned[-1][1] == "answer"
        kinds.add((bool(asked.options), asked.answer))
        if asked.options:
            assert len(set(asked.options.values())) in (3, 4)
    assert {(False, "Yes"), (False, "No")} <= kinds
    assert len([answer for choice, answer in kinds if choice]) >= 3


def test_questions_are_worded_as_the_packs_are(album: Album) -> None:
    known = {item.facts["question"] for item in MMRA.load(pack("mmra", ""), "", LoadOptions())}
    made = {
        relations.SUBTASKS[subtask](Dice(subtask, k), album).question
        for subtask in relations.SUBTASKS
        for k in range(60)
    }
    assert len(known - made) <= 1, known - made  # one names the two things that its pictures show


def test_talks_are_the_same_for_the_same_seed_and_have_a_place_for_each_picture(album: Album) -> None:
    for kind in KINDS:
        for k in range(12):
            talk, again = (kind.make(Dice(kind.name, k), album, 0.5) for _ in range(2))
            assert talk.pieces == again.pieces
            words = "".join(text for text, _ in talk.pieces)
            assert words.count(IMAGE) == PATCHES * len(talk.pictures)
            assert any(learned for _, learned in talk.pieces)
            assert all(learned in STEPS for _, learned in talk.pieces)
    one, other = (analogies.seen_analogy(Dice(k), album, 0.5).pieces for k in range(2))
    assert one != other


def test_talks_side_by_side_keep_their_tokens_and_learn_only_answers(album: Album) -> None:
    talks = [analogies.seen_analogy(Dice(k), album, 1.0) for k in range(3)]
    batch = side_by_side(talks, lambda text: [1 + ord(letter) % 250 for letter in text], pad=0)
    assert batch.pixels is not None
    assert batch.pixels.shape[0] == sum(len(talk.pictures) for talk in talks)
    for row, learned, talk in zip(batch.tokens, batch.learned, talks, strict=True):
        whole = "".join(text for text, _ in talk.pieces)
        assert (row > 0).sum() == len(whole)
        assert (learned > 0).sum() == sum(len(text) for text, step in talk.pieces if step)


def test_an_album_is_drawn_once_and_found_again(tmp_path: Path) -> None:
    scenes = [*voila(1)[::150], *(MAKERS[kind](Dice("album", kind)) for kind in MAKERS)]
    drawn = draw_album(scenes)
    assert all(pixels.std() > 5 for pixels in drawn.pixels)
    assert len({pixels.tobytes() for pixels in drawn.pixels}) == len(scenes)
    kept = Path(tmp_path / "album")
    kept.mkdir()
    np.save(kept / "pixels.npy", drawn.pixels)
    (kept / "seen.json").write_text('[["voila", {"number": "one"}]]', encoding="utf-8")
    found = album_in(kept, variants=1, each=1)
    assert found.showing("voila", number="one") == [0]
    assert (found.pixels == drawn.pixels).all()


def test_every_content_is_in_the_album_and_none_of_its_pictures_in_a_pack() -> None:
    scenes = voila(2)
    assert len(scenes) == 2 * len(all_contents())
    assert FIRST_VARIANT > 100  # the packs and `make voila` draw variants from 0


def test_variations_keep_the_size_and_are_the_same_for_the_same_dice() -> None:
    pixels = draw_album([Scene("voila", {}, voila(1)[5].paint)]).pixels[0]
    seen = {vary(pixels, Dice("vary", k), mirror=True).tobytes() for k in range(40)}
    assert len(seen) > 20
    for k in range(40):
        one, two = (vary(pixels, Dice("vary", k), mirror=True) for _ in range(2))
        assert one.shape == pixels.shape
        assert (one == two).all()
