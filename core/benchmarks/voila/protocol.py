"""What VOILA asks: least-to-most in steps (paper section 4, Prompting) or the third step alone (direct, B.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from core.benchmarks.base import ProtocolMaker
from core.benchmarks.options import settled
from core.benchmarks.voila.question import APPLY, CHANGED, DESCRIBE, GENERATE, RELATE, SAME, Question, question
from core.benchmarks.voila.reading.reader import read
from core.benchmarks.voila.vocabulary import ACTIONS, ANY, NUMBERS, PROPERTIES, SUBJECTS, Content
from core.benchmarks.voila.wording import apply_text, describe_text, relate_text, to_draw
from core.errors import UsageError
from core.prompts import filled
from core.records import Field, Item, Part, Score, Show, Step, Text, Turn

WD = "WD"
ANSWER = "{answer}"
"""Where the answer to be drawn stands in the prompt of the fourth step."""

VALUES = {"number": NUMBERS, "subject": SUBJECTS, "action": ACTIONS}

DESCRIBE_FORM = tuple(
    Field(f"{unit}.{name}", VALUES[name], f"Image {unit} {name}") for unit in (1, 2, 3) for name in PROPERTIES
)
RELATE_FORM = {name: Field(name, (SAME, CHANGED), name.capitalize()) for name in PROPERTIES}
APPLY_FORM = {
    "ND": tuple(Field(name, VALUES[name], name.capitalize()) for name in PROPERTIES),
    "WD": tuple(Field(name, (*VALUES[name], ANY), name.capitalize()) for name in PROPERTIES),
}

SEQUENCE: tuple[Part, ...] = (
    Text("Image 1:"),
    Show((0,)),
    Text("Image 2:"),
    Show((1,)),
    Text("Image 3:"),
    Show((2,)),
)
COLLAGE: tuple[Part, ...] = (Show((0, 1, 2)),)


def descriptions(view: Question) -> str:
    """The three contents in words, as ``input=text`` tells them."""
    return "\n".join(f"Image {unit}: {content.text()}." for unit, content in enumerate(view.contents, 1))


@dataclass(frozen=True, slots=True)
class _Asking:
    """What both protocols share: the subset's prompts, and how the three images are shown."""

    subset: str
    options: Mapping[str, str]
    prompts: Mapping[str, str]
    name: str = ""
    steps: tuple[str, ...] = ()
    _ready: dict[str, tuple[Part, ...]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def _kind(self) -> str:
        return "wd" if self.subset == WD else "nd"

    @property
    def draws(self) -> tuple[str, ...]:
        return (GENERATE,) if GENERATE in self.steps else ()

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        """VOILA's turns never depend on an option picked before."""
        return None

    def _shown(self) -> tuple[Part, ...]:
        if self.options["input"] == "text":
            return ()
        return COLLAGE if self.options["images"] == "collage" else SEQUENCE

    def _words(self, name: str, view: Question) -> tuple[Part, ...]:
        """The prompt of that name as a turn's part; one and the same object for all items where it can be."""
        ready = self._ready.get(name)
        if ready is not None:
            return ready
        prompt = self.prompts[name]
        if "{" not in prompt:
            parts: tuple[Part, ...] = (Text(prompt),)
        else:
            how = "images_text" if self.options["input"] == "text" else f"images_{self.options['images']}"
            prompt = filled(
                prompt,
                images=self.prompts[how],
                numbers=", ".join(self._listed("number")),
                subjects=", ".join(self._listed("subject")),
                actions=", ".join(self._listed("action")),
            )
            parts = (Text(filled(prompt, descriptions=descriptions(view))),)
            if "{descriptions}" in prompt:
                return parts
        self._ready[name] = parts
        return parts

    def _listed(self, name: str) -> tuple[str, ...]:
        return (*VALUES[name], ANY) if self.subset == WD else VALUES[name]

    def _final(self, prompt: str, view: Question, *, shown: tuple[Part, ...] = ()) -> Turn:
        gold = {name: view.answer.value(name) for name in PROPERTIES}
        return Turn(
            APPLY,
            (*shown, *self._words(prompt, view)),
            form=APPLY_FORM[self.subset],
            gold=gold,
            gold_text=apply_text(gold),
            answer_format=self.prompts["apply_format"],
        )

    def _generate(self, view: Question, steps: Sequence[Step]) -> Turn:
        """The fourth picture of what the last answer said: whoever makes it need not know the conversation."""
        gold = {name: view.answer.value(name) for name in PROPERTIES}
        words = filled(self.prompts[GENERATE], answer=_asked_for(steps[-1].answer.text))
        return Turn(
            GENERATE,
            (Text(words),),
            form=APPLY_FORM[self.subset],
            gold=gold,
            gold_text=view.answer.text(),
            makes="picture",
        )


class LeastToMost(_Asking):
    """One conversation: describe, relate, apply and, where asked for, generate; each answer stays in history.

    With ``input=text`` the contents are told in words and describing falls away (section 6.2). With
    ``subprompts=yes`` relating is asked in three turns, one a property (B.7). With ``cot=yes`` the third step
    gives two worked examples instead of instructions (B.8; freeze the first two steps with ``--from RUN``).
    """

    OPTIONS: ClassVar = {
        "images": ("sequence", "collage"),
        "input": ("images", "text"),
        "subprompts": ("no", "yes"),
        "cot": ("no", "yes"),
        "generate": ("no", "yes"),
    }

    def __init__(self, subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> None:
        chosen = settled("l2m", self.OPTIONS, options)
        _refuse_collage_of_text(chosen)
        relate = tuple(f"{RELATE}.{name}" for name in PROPERTIES) if chosen["subprompts"] == "yes" else (RELATE,)
        steps = (
            *(() if chosen["input"] == "text" else (DESCRIBE,)),
            *relate,
            APPLY,
            *((GENERATE,) if chosen["generate"] == "yes" else ()),
        )
        kind = "wd" if subset == WD else "nd"
        used: tuple[str, ...] = ("describe", "describe_format") if DESCRIBE in steps else ("relate_text",)
        used += tuple(f"relate_{name}" for name in PROPERTIES) if chosen["subprompts"] == "yes" else (RELATE,)
        used += ("relate_format", f"{'cot' if chosen['cot'] == 'yes' else 'apply'}_{kind}", "apply_format")
        super().__init__(subset, chosen, _used(prompts, chosen, used), "l2m", steps)

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        if len(steps) >= len(self.steps):
            return None
        name = self.steps[len(steps)]
        view = question(item)
        if name == DESCRIBE:
            return self._describe(view)
        if name == APPLY:
            return self._final(f"{'cot' if self.options['cot'] == 'yes' else 'apply'}_{self._kind}", view)
        if name == GENERATE:
            return self._generate(view, steps)
        return self._relate(item, view, name, first=not steps)

    def _describe(self, view: Question) -> Turn:
        gold = {
            f"{unit}.{name}": content.value(name)
            for unit, content in enumerate(view.contents, 1)
            for name in PROPERTIES
        }
        return Turn(
            DESCRIBE,
            (*self._shown(), *self._words("describe", view)),
            form=DESCRIBE_FORM,
            gold=gold,
            gold_text=describe_text(gold),
            answer_format=self.prompts["describe_format"],
        )

    def _relate(self, item: Item, view: Question, step: str, *, first: bool) -> Turn:
        asked = (step.partition(".")[2],) if "." in step else PROPERTIES
        gold = {name: view.relation(name) for name in asked}
        prompt = f"relate_{asked[0]}" if "." in step else RELATE
        words = self._words(prompt, view)
        if first:
            told = Text(descriptions(view))
            words = self._words("relate_text", view) if prompt == RELATE else (told, *words)
        return Turn(
            step,
            words,
            form=tuple(RELATE_FORM[name] for name in asked),
            gold=gold,
            gold_text=relate_text(item, gold),
            answer_format=self.prompts["relate_format"] if prompt == RELATE else "",
        )


class Direct(_Asking):
    """The third step alone, without describing or relating (B.1).

    ``input=text`` tells the contents in words and explains no rules (section 6.2). ``examples=yes`` adds two
    worked examples with their reasons and the lists of values (B.9), the condition people were given.
    """

    OPTIONS: ClassVar = {
        "images": ("sequence", "collage"),
        "input": ("images", "text"),
        "examples": ("no", "yes"),
        "generate": ("no", "yes"),
    }

    def __init__(self, subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> None:
        chosen = settled("direct", self.OPTIONS, options)
        _refuse_collage_of_text(chosen)
        steps = (APPLY, *((GENERATE,) if chosen["generate"] == "yes" else ()))
        kind = "wd" if subset == WD else "nd"
        used: tuple[str, ...] = ("direct_text" if chosen["input"] == "text" else f"direct_{kind}", "apply_format")
        used += (f"examples_{kind}",) if chosen["examples"] == "yes" else ()
        super().__init__(subset, chosen, _used(prompts, chosen, used), "direct", steps)

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        if len(steps) >= len(self.steps):
            return None
        view = question(item)
        if steps:
            return self._generate(view, steps)
        shown = self._shown()
        if self.options["examples"] == "yes":
            shown = (*shown, *self._words(f"examples_{self._kind}", view))
        prompt = "direct_text" if self.options["input"] == "text" else f"direct_{self._kind}"
        return self._final(prompt, view, shown=shown)


def _asked_for(answer: str) -> str:
    """An answer to the third step as what is to be drawn: its content where all of it can be read, else its words."""
    values = read(APPLY, answer).values
    if set(values) >= set(PROPERTIES):
        return to_draw(Content(*(values[name] for name in PROPERTIES)))
    return answer.strip() or "nothing was answered"


def _used(prompts: Mapping[str, str], options: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """The prompts that a protocol with these options can use: only they are part of what identifies it."""
    images = "images_text" if options["input"] == "text" else f"images_{options['images']}"
    if options["generate"] == "yes" and ANSWER not in prompts.get(GENERATE, ANSWER):
        raise UsageError(
            f"the prompt voila.{GENERATE} does not say what to draw",
            where="--set generate=yes",
            remedy=f"Put {ANSWER} in it where the answer of the step before is to stand",
        )
    generate = (GENERATE,) if options["generate"] == "yes" else ()
    return {name: prompts[name] for name in (images, *names, *generate) if name in prompts}


def _refuse_collage_of_text(options: Mapping[str, str]) -> None:
    if options["input"] == "text" and options["images"] == "collage":
        raise UsageError(
            "input=text shows no pictures, so there is no collage",
            where="--set images=collage",
            remedy="Leave one of the two out",
        )


PROTOCOLS: dict[str, ProtocolMaker] = {"l2m": LeastToMost, "direct": Direct}
