"""VOILA's questions as conversations: seen, or in words alone, and short drills of comparing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from core.benchmarks.voila.benchmark import BENCHMARK as VOILA
from core.benchmarks.voila.contents import Contents
from core.benchmarks.voila.question import APPLY, DESCRIBE, RELATE, Question, solve
from core.benchmarks.voila.rules import quadruples, rules_of
from core.benchmarks.voila.vocabulary import ACTIONS, ANY, NUMBERS, PROPERTIES, SUBJECTS, Content
from core.benchmarks.voila.wording import apply_text, content_text, describe_text, relate_text
from core.drawing.palette import Dice
from core.eyes import wordings
from core.eyes.album import Album, Pixels, collage
from core.eyes.talks import Talk, parts_of, pick_wording
from core.prompts import built_in
from core.records import Answer, Item, Part, Picture, Show, Step, Text

VERDICT: Final = "verdict"
DRILL: Final = "drill"

_WORDS: Final = {"number": NUMBERS, "subject": SUBJECTS, "action": ACTIONS}


def draw_contents(dice: Dice, subset: str) -> tuple[Contents, Content]:
    """The three pictures' contents of a question and the fourth's, every structure as likely as any other."""
    rule = dice.pick(rules_of(subset))
    number, subject, action = (dice.pick(quadruples(rule, name)) for name in PROPERTIES)
    first, second, third, fourth = (Content(*values) for values in zip(number, subject, action, strict=True))
    return (first, second, third), fourth


def misseen(dice: Dice, contents: Contents, subset: str) -> Contents:
    """The same with a value in eight misread: what follows from a wrong description is learned too."""
    for _ in range(6):
        first, second, third = (
            Content(*(dice.pick(_WORDS[name]) if dice.chance(0.12) else content.value(name) for name in PROPERTIES))
            for content in contents
        )
        found = (first, second, third)
        if subset == "WD" or ANY not in (solve(found).value(name) for name in PROPERTIES):
            return found
    return contents


def _read(dice: Dice, subset: str) -> tuple[Contents, Content]:
    """What is said of a question's pictures, half of the time with values misread, and what follows from it."""
    contents, answer = draw_contents(dice, subset)
    if dice.chance(0.5):
        contents = misseen(dice, contents, subset)
        answer = solve(contents)
    return contents, answer


def described(contents: Contents) -> str:
    """Step 1's answer."""
    named = {f"{k}.{name}": c.value(name) for k, c in enumerate(contents, 1) for name in PROPERTIES}
    return describe_text(named)


def related(contents: Contents) -> list[tuple[str, str]]:
    """Step 2's answer: both values first and the verdict last, so that it is a comparison of two words just said."""
    told = []
    for name in PROPERTIES:
        before, after = contents[0].value(name), contents[1].value(name)
        told += [(f"{name.capitalize()}: from {before} to {after},", RELATE), verdict(before, after), ("\n", RELATE)]
    return told[:-1]


def verdict(before: str, after: str) -> tuple[str, str]:
    """The end of such a line, learned apart."""
    return (" the same." if before == after else " changed."), VERDICT


def applied(answer: Content) -> str:
    """Step 3's answer."""
    return apply_text({name: answer.value(name) for name in PROPERTIES})


_SOME: Final = Content("one", "cat", "walking")


def _item(contents: Contents, answer: Content, subset: str) -> Item:
    pictures = tuple(Picture(f"{k}.png", depicts=content.text()) for k, content in enumerate(contents, 1))
    facts = Question(contents, answer, 1).to_facts()
    return Item(benchmark="voila", subset=subset, id="eyes", pictures=pictures, groups={}, facts=facts)


@lru_cache(maxsize=256)
def frame(subset: str, protocol: str, images: str, wording: int) -> tuple[tuple[Part, ...], ...]:
    """What is asked at each step, which is the same for every question; ``wording`` -1 is the app's own."""
    prompts: Mapping[str, str] = built_in("voila")
    if wording >= 0:
        prompts = {**prompts, **wordings.VOILA[wording]}
    asked = VOILA.protocols[protocol](subset, {"images": images}, prompts)
    item = _item((_SOME, _SOME, _SOME), _SOME, subset)
    steps: list[Step] = []
    while (turn := asked.next_turn(item, steps)) is not None:
        steps.append(Step(turn, Answer("")))
    return tuple(parts_of(step.turn) for step in steps)


def _placed(parts: Sequence[Part], dice: Dice) -> tuple[Part, ...]:
    """The pictures with their marks before the words as the app has them, or without marks, or after the words."""
    shows = [part for part in parts if isinstance(part, Show)]
    if not shows or dice.chance(0.8):
        return tuple(parts)
    words = [p for p in parts if isinstance(p, Text) and not (p.text.startswith("Image ") and len(p.text) < 10)]
    return (*shows, *words) if dice.chance(0.5) else (*words, *shows)


def seen_analogy(dice: Dice, album: Album, own: float) -> Talk:
    """A question asked about its pictures, from describing to applying, or applying at once.

    ``own`` is the share of talks in the app's own words, as in all functions that make talks.
    """
    subset = dice.pick(("ND", "WD"))
    contents, answer = draw_contents(dice, subset)
    protocol = "direct" if dice.chance(0.12) else "l2m"
    images = "collage" if dice.chance(0.06) else "sequence"
    wording = pick_wording(dice, own, wordings.VOILA)
    turns = frame(subset, protocol, images, wording)
    talk = Talk()
    pictures = [_picture(content, dice, album) for content in contents]
    talk.pictures = [collage(pictures)] if images == "collage" else pictures
    answers = ([(described(contents), DESCRIBE)], related(contents), [(applied(answer), APPLY)])
    for parts, told in zip(turns, answers[-len(turns) :], strict=True):
        talk.ask(parts if wording < 0 else _placed(parts, dice))
        talk.say(*told)
    return talk


def _picture(content: Content, dice: Dice, album: Album) -> Pixels:
    known = album.showing("voila", **{name: content.value(name) for name in PROPERTIES})
    return album.varied(dice.pick(known), dice)


def told_analogy(dice: Dice, album: Album, own: float) -> Talk:
    """Relating and applying to what was said before, without a picture."""
    subset = dice.pick(("ND", "WD"))
    contents, answer = _read(dice, subset)
    wording = -1 if dice.chance(own) else wordings.BRIEF
    describing, relating, applying = frame(subset, "l2m", "sequence", wording)
    talk = Talk()
    talk.ask(describing, blind=True)
    talk.say((described(contents), ""))
    talk.ask(relating)
    if dice.chance(0.12):  # the gold's wording, which an intervention puts in
        view = Question(contents, answer, 1)
        gold = relate_text(_item(contents, answer, subset), {name: view.relation(name) for name in PROPERTIES})
        talk.say((gold, ""))
    else:
        talk.say(*related(contents))
    talk.ask(applying)
    talk.say((applied(answer), APPLY))
    return talk


def told_briefly(dice: Dice, _album: Album, _own: float) -> Talk:
    """What was said of the pictures and of the relation, and at once what follows: the question's long words between
    them keep it from being learned for long."""
    contents, answer = _read(dice, dice.pick(("ND", "WD")))
    relation = "".join(text for text, _ in related(contents))
    return Talk([(f"{described(contents)}\n{relation}\n", ""), (applied(answer), APPLY)])


def drill(dice: Dice, album: Album, _own: float) -> Talk:
    """One comparison alone, of which only the verdict is learned: in company it stays a coin flip for long."""
    own = dice.chance(0.6)
    name = dice.pick(PROPERTIES if own else tuple(album.values))
    words = _WORDS[name] if own else album.values[name]
    before = dice.pick(words)
    after = before if dice.chance(0.5) else dice.pick(words)
    head = f"{name.capitalize()}: from" if own else "From"
    return Talk([(f"{head} {before} to {after},", ""), (verdict(before, after)[0], DRILL)])


def seen_alone(dice: Dice, album: Album, own: float) -> Talk:
    """One picture described."""
    number = dice.pick(album.of_kind["voila"])
    values = album.seen[number]
    asked = dice.pick(("Describe this image.", "What does the image show?", built_in("mmra")["describe"]))
    talk = Talk(pictures=[album.varied(number, dice)])
    talk.ask((Show((0,)), Text(asked)))
    talk.say((f"{content_text(values)}.", DESCRIBE))
    return talk
