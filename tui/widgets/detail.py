"""The step looked at: what was asked, what came back, what was right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Static

from core.records import Step
from sessions.grading import Grading
from tui.state.choices import Choices
from tui.state.look import Look
from tui.state.stepping import Stepping
from tui.widgets import choice_text, fork_text, notebook_text
from tui.widgets import detail_text as words
from tui.widgets.detail_text import Depth
from tui.widgets.one_line import OneLine

SECTIONS = ("failed", "ask", "options", "answer", "score", "fork", "gold", "given", "thought", "took", "notes")
LABEL_WIDTH = 8


def _without(step: Step, gradings: Sequence[Grading]) -> Step:
    """The step without people's scores, which stand in a section of their own."""
    people = {grading.author for grading in gradings}
    return replace(step, scores=tuple(score for score in step.scores if score.scorer not in people))


class Words(Static):
    """Never scrolled: that it has come out higher asks for no second layout, as Textual's own would."""

    virtual_size = Reactive(Size(0, 0))


class Section(Horizontal):
    """A label and its words; hidden where there are none."""

    virtual_size = Reactive(Size(0, 0))  # as that of its words

    def __init__(self, name: str) -> None:
        super().__init__(id=f"section-{name}", classes="section")
        self._label = name
        self._shown: Content | None = None
        self._words = Words("", classes="section-body", markup=False)
        self.display = False

    def compose(self) -> ComposeResult:
        yield Static(self._label, classes="section-label", markup=False)
        yield self._words

    def show(self, content: Content | None) -> None:
        """Put the words in; None hides the section."""
        self.display = content is not None
        if content is not None and (self._shown is None or not content.is_same(self._shown)):
            body = self._words
            width, height = body.size
            body.update(content, layout=not width or content.get_height(body.styles.get_rules(), width) != height)
        self._shown = content


class Detail(VerticalScroll):
    """Shows ``Stepping.look()``. ``depth`` is how much of prompt and reasoning is unfolded."""

    BORDER_TITLE = "step"

    def __init__(self, stepping: Stepping, *, id: str) -> None:  # noqa: A002  Textual's own word
        super().__init__(id=id)
        self._stepping = stepping
        self._place: tuple[object, ...] = ()
        self._sections = {name: Section(name) for name in SECTIONS}
        self.depth: Depth = "short"

    def compose(self) -> ComposeResult:
        yield OneLine(id="detail-title")
        yield from self._sections.values()

    def on_resize(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        """Take over what lies under the cursor; a new place starts at its top."""
        stepping, look, depth = self._stepping, self._stepping.look(), self.depth
        place = (stepping.item.id, look.trajectory.id, look.index, depth)
        if place != self._place:
            self._place = place
            self.scroll_home(animate=False)
        if look.step is not None:
            look = replace(look, step=_without(look.step, stepping.page.latest(look.step.id)))
        choices = stepping.choices()
        verdict = choice_text.verdict(choices) if choices is not None else None
        self.query_one("#detail-title", OneLine).say(words.title(look, stepping.plan, verdict))
        turn, step = look.turn, look.step
        shown: dict[str, Content | None] = dict.fromkeys(SECTIONS)
        if turn is not None:
            layout = stepping.plan.benchmark.layout(turn.step)
            width = max(self.content_region.width - LABEL_WIDTH - 1, 20)  # a column is kept for the scroll bar
            shown["ask"] = words.ask(turn, depth, width, step.answer.sent if step is not None else ())
            shown["answer"] = words.answer(look, stepping.plan.benchmark, stepping.scorer)
            if choices is not None:
                shown |= self._choice(choices, look, width)
            else:
                shown |= self._judged(look)
            if step is not None and look.running is None and step.answer.reasoning:
                shown["thought"] = words.reasoning(step, depth)
        shown["fork"] = fork_text.fork(stepping, look)
        shown["took"] = fork_text.took(stepping, look)
        if look.running is None:
            shown["notes"] = notebook_text.remarks(stepping.page, look)
            if turn is not None and step is not None:
                shown["score"] = notebook_text.gradings(stepping.page, step, layout, shown["score"])
        if look.stopped is not None and look.stopped.reason:
            shown["failed"] = words.failure(look.stopped.reason)
        for name, content in shown.items():
            self._sections[name].show(content)

    def _choice(self, choices: Choices, look: Look, width: int) -> dict[str, Content | None]:
        """The question in the place of its prompt, and the options, which say what is right."""
        room = width if self.screen.has_class("-wide") else width + LABEL_WIDTH  # narrow: the label is hidden
        shown: dict[str, Content | None] = {"options": choice_text.options(choices, room)}
        if self.depth == "short" and look.turn is not None and look.turn.made_by == "protocol":
            shown["ask"] = choice_text.question(choices)
        if choices.answered and look.step is not None:
            shown["score"] = choice_text.scored(look.step)
        return shown

    def _judged(self, look: Look) -> dict[str, Content | None]:
        """Scores and gold. A turn without a form is judged by nobody: what is known of its answer was given."""
        turn, step = look.turn, look.step
        if turn is None or (not turn.form and turn.makes == "text"):
            return {"given": words.gold(turn) if turn is not None and turn.gold_text else None}
        benchmark = self._stepping.plan.benchmark
        score = words.scored(step, benchmark) if step is not None and look.running is None else None
        return {"gold": words.gold(turn), "score": score}

    def unfold(self) -> Depth:
        """The other depth: the prompt whole, or short again."""
        self.depth = "prompt" if self.depth == "short" else "short"
        self.redraw()
        return self.depth
