"""Interventions: what is put in the place of an answer, on the screen with a key, in a batch with a flag."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, cast

from core.benchmarks.base import Benchmark
from core.errors import CallError, UsageError
from core.files import read_text, user_path
from core.placeholders import drafted, holds_any, placed
from core.records import Item, Json, Origin, Part, Show, Step, Text, Turn

Kind = Literal["gold", "wrong", "text", "prompt", "pictures", "person", "sham"]

ORIGINS: Final[Mapping[Kind, Origin]] = {
    "gold": Origin.GOLD,
    "wrong": Origin.WRONG,
    "text": Origin.EDITED,
    "person": Origin.PERSON,
}

BLANK: Final = "blank"
"""In the place of a picture's number: an empty picture of its size."""

_NEXT_LABEL: Final = re.compile(r"\+(?=[\w.-]+=)")


@dataclass(frozen=True, slots=True)
class Intervention:
    """One intervention at one step.

    ``gold``: the gold answer, whole or (``property_name``) one property of it in the respondent's own answer.
    ``wrong``: a wrong value of that property in the respondent's own answer. ``text``: own words for the answer.
    ``prompt``: own words for the turn; ``placed``: lines in them stand for its pictures (``core.placeholders``; runs
    made before there were such lines have none). ``pictures``: other pictures in the places of the turn's own, as
    ``text`` says: ``2,1,3`` exchanges the first two, ``1,blank,3`` blanks the second; gold and scores stay those of
    the question as it was. ``person``: the answer of whoever sits at the screen, in ``text``. ``sham``: the step is
    asked again and nothing is put in (the control).
    """

    step: str
    kind: Kind
    property_name: str = ""
    text: str = ""
    placed: bool = False

    @property
    def label(self) -> str:
        """As it stands in lanes and reports, such as ``describe=gold:number``, ``describe=pictures:2,1,3``."""
        said = self.text if self.kind == "pictures" else self.property_name
        return f"{self.step}={self.kind}" + (f":{said}" if said else "")

    @property
    def asks(self) -> bool:
        """The respondent answers a turn that was changed; nothing stands in the place of its answer."""
        return self.kind in ("prompt", "pictures")

    @property
    def needs_answer(self) -> bool:
        """The respondent is asked first, and its answer is changed or asked for again."""
        return self.kind in ("wrong", "sham") or (self.kind == "gold" and bool(self.property_name))


_IN_A_BATCH: Final = ("gold", "wrong", "text", "prompt", "pictures")


def parse(spec: str, steps: Sequence[str], properties: Sequence[str]) -> Intervention:
    """``STEP=gold|gold:PROPERTY|wrong:PROPERTY|text:FILE|prompt:FILE|pictures:ORDER`` as an intervention.

    Raises UsageError for an unknown step, kind or property, for what is no order of pictures, and for a file that
    cannot be read as UTF-8.
    """
    where = f"--intervene {spec}"
    step, equals, what = spec.partition("=")
    kind, colon, argument = what.partition(":")
    if not equals or (colon and not argument) or kind not in _IN_A_BATCH:
        raise UsageError(
            "this is no intervention",
            where=where,
            remedy="Known: STEP=gold, STEP=gold:PROPERTY, STEP=wrong:PROPERTY, STEP=text:FILE, STEP=prompt:FILE, "
            "STEP=pictures:2,1,3",
        )
    if step not in steps:
        raise UsageError(f"this protocol has no step {step!r}", where=where, remedy=f"Its steps: {', '.join(steps)}")
    if kind in ("gold", "wrong"):
        if (argument or kind == "wrong") and argument not in properties:
            raise UsageError(
                f"{kind} takes a property, not {argument!r}", where=where, remedy=f"Known: {', '.join(properties)}"
            )
        return Intervention(step, "gold" if kind == "gold" else "wrong", property_name=argument)
    if kind == "pictures":
        return Intervention(step, "pictures", text=",".join(map(str, order_of(argument, where))))
    text = read_text(user_path(argument, where), argument[:200], where).rstrip("\n")
    if not text.strip():
        raise UsageError("the file holds no words", where=where, remedy="Write into it what is to be put in")
    return another_prompt(step, text) if kind == "prompt" else Intervention(step, "text", text=text)


def another_prompt(step: str, text: str) -> Intervention:
    """Own words for the turn of that step, with or without lines for its pictures."""
    return Intervention(step, "prompt", text=text, placed=holds_any(text))


def order_of(said: str, where: str) -> tuple[int | str, ...]:
    """``2,1,blank`` as numbers from 1 and ``blank``. Raises UsageError for anything else, and where all stays."""
    places = [place.strip() for place in said.split(",")]
    known = [int(p) if p.isascii() and p.isdecimal() and len(p) < 4 and int(p) else p for p in places]
    if all(isinstance(place, int) or place == BLANK for place in known):
        if known != list(range(1, len(known) + 1)):
            return tuple(known)
        problem = "every picture would stay in its place"
    else:
        problem = f"this is no order of pictures: {said[:60]!r}"
    raise UsageError(
        problem,
        where=where,
        remedy=f"Write which of the turn's pictures stands in each place, such as 2,1,3; {BLANK} for an empty one",
    )


def shown(turn: Turn) -> int:
    """How many pictures of its item a turn shows; those of a collage count one by one."""
    return sum(len(show.of) for show in turn.shows if not show.source)


def rearranged(turn: Turn, said: str) -> Turn:
    """The turn with its pictures as the order ``said`` has them, its words as they were.

    Raises UsageError where the turn shows another number of pictures, and for one blank picture in a collage.
    """
    where = f"{turn.step}=pictures:{said}"
    order = order_of(said, where)
    pictures = [index for show in turn.shows for index in show.of if not show.source]
    outside = [place for place in order if isinstance(place, int) and place > len(pictures)]
    if len(order) != len(pictures) or outside:
        raise UsageError(
            f"{turn.step} shows {len(pictures) or 'no'} picture{'' if len(pictures) == 1 else 's'}, and "
            + (f"there is no picture {outside[0]}" if outside else f"the order names {len(order)}"),
            where=where,
        )
    places = iter(order)
    content = [
        _exchanged(part, [next(places) for _ in part.of], pictures, where)
        if isinstance(part, Show) and not part.source
        else part
        for part in turn.content
    ]
    return replace(turn, content=tuple(content), made_by="person")


def _exchanged(show: Show, places: Sequence[int | str], pictures: Sequence[int], where: str) -> Show:
    blank = [place == BLANK for place in places]
    if any(blank) and not all(blank):
        raise UsageError("a collage is blank as a whole or not at all", where=where)
    of = (own if isinstance(place, str) else pictures[place - 1] for own, place in zip(show.of, places, strict=True))
    return Show(tuple(of), blank=show.blank or any(blank))


def as_asked(turn: Turn, intervention: Intervention) -> Turn:
    """The turn as an intervention that ``asks`` has it. Raises UsageError as :func:`rearranged` and ``placed`` do."""
    if intervention.kind == "prompt":
        return prompted(turn, intervention.text, in_places=intervention.placed)
    return rearranged(turn, intervention.text)


def refuse_words(intervention: Intervention) -> None:
    """Raises UsageError for an intervention that changes words, at a step that is answered with a picture."""
    if intervention.kind in ("text", "person", "wrong") or intervention.property_name:
        raise UsageError(
            f"{intervention.step} is answered with a picture: there are no words to put in or to change",
            where=f"--intervene {intervention.label}",
            remedy=f"{intervention.step}=gold puts a drawing of the gold in",
        )


def to_stored(interventions: Sequence[Intervention]) -> Json:
    """As a run's configuration holds them."""
    return [
        {"step": i.step, "kind": i.kind, "property": i.property_name, "text": i.text}
        | ({"placed": True} if i.placed else {})  # runs without keep the identity they always had
        for i in interventions
    ]


def from_stored(stored: Json) -> tuple[Intervention, ...]:
    """The same back; what is left out there is empty."""
    found = [one for one in stored if isinstance(one, Mapping)] if isinstance(stored, list | tuple) else []
    parts = ("step", "kind", "property", "text")
    return tuple(
        replace(Intervention(*(cast("Any", one.get(part, "")) for part in parts)), placed=bool(one.get("placed")))
        for one in found
    )


def as_sham(interventions: Sequence[Intervention]) -> tuple[Intervention, ...]:
    """The control: the same steps asked again, nothing put in."""
    return tuple(Intervention(intervention.step, "sham") for intervention in interventions)


def join_lanes(before: str, label: str) -> str:
    """The lane after an intervention, given the one before it."""
    return f"{before}+{label}" if before else label


def as_changed(before: str, step: Step) -> str:
    """The lane ``before`` a step with what was changed of its turn: askings of a changed turn are told by it."""
    asked = (f"{step.turn.step}=prompt", f"{step.turn.step}=pictures")
    own = step.lane.removeprefix(before).lstrip("+").split("+") if step.turn.made_by == "person" else ()
    for label in own:
        before = join_lanes(before, label) if label.startswith(asked) else before
    return before


def what_if(lane: str) -> str:
    """The interventions of a lane, without the respondents that were sent in for single steps."""
    return "+".join(label for label in lane.split("+") if "=@" not in label)


def answered_by(step: Step, usual: str) -> str:
    """The name of whoever was asked, where ``usual`` is the one asked this step otherwise."""
    _, sent_in, rest = step.lane.rpartition(f"{step.turn.step}=@")
    return _NEXT_LABEL.split(rest, maxsplit=1)[0] if sent_in else usual


def asks_anew(lane: str) -> bool:
    """Whether a sham, or somebody's asking again, stands in the lane: to show what asking again brings."""
    return any(label.endswith(("=sham", "=again")) for label in lane.split("+"))


def prompted(turn: Turn, text: str, *, in_places: bool = False) -> Turn:
    """The turn with other words: its item's pictures stay, its own words and answer format go.

    ``in_places``: each picture where its line stands in the text; else all of them before it. Words that are the
    turn's own, as ``drafted`` has them, give the turn itself. Raises UsageError as ``placed``.
    """
    if text == drafted(turn):
        return turn
    shows = (part for part in turn.content if isinstance(part, Show) and not part.source)
    content: tuple[Part, ...] = placed(turn, text) if in_places else (*shows, Text(text))
    return replace(turn, content=content, answer_format="", made_by="person")


def changed_answer(
    benchmark: Benchmark, item: Item, turn: Turn, intervention: Intervention, asked: Step | None, seed: int
) -> str:
    """The answer's text that an intervention puts in.

    For one property, the respondent's own answer is taken as the rule scorer read it, that property is set (in
    every picture of the step), and the whole is written anew: what was stated beside a value (what a relation holds
    between) stays as it was stated, what was not read stays unsaid.
    """
    if intervention.kind in ("text", "person"):
        return intervention.text
    if not turn.gold_text or (intervention.property_name and not turn.form):
        raise CallError(f"nothing is known to be right at {turn.step}, so it cannot be put in", where=item.id)
    if not intervention.property_name:
        return turn.gold_text
    score = asked.score() if asked is not None else None
    read = dict(score.parsed) if score is not None else {}
    values = {
        name: value
        for name, value in read.items()
        for field in turn.form
        if name == field.name or (field.name in read and name.startswith(f"{field.name}."))
    }
    chances = random.Random(f"{seed}/{item.id}/{intervention.label}")
    for field in turn.form:
        if field.name.rpartition(".")[2] != intervention.property_name:
            continue
        gold = turn.gold[field.name]
        for stated in [name for name in values if name.startswith(f"{field.name}.")]:
            del values[stated]
        others = [option for option in field.options if option != gold]
        values[field.name] = others[chances.randrange(len(others))] if intervention.kind == "wrong" else gold
    return benchmark.write(item, turn, values)
