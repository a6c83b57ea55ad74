"""The words of the detail, made from what lies under the cursor. Others' text passes through ``inert`` here."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Final, Literal, TypeAlias

from textual.content import Content

from core.benchmarks.base import Benchmark
from core.interventions import answered_by
from core.plan import Plan
from core.records import Layout, Origin, Parse, Score, SentPicture, Show, Status, Step, Text, Turn
from tui.counting import counted
from tui.inert import inert, one_line, pruned
from tui.key_names import key
from tui.rawtext import weighed
from tui.state.look import Look, Running
from tui.state.marks import RIGHT, WRONG, fraction, marks
from tui.state.reading import readings
from tui.widgets.words import PARSES

Depth: TypeAlias = Literal["short", "prompt"]
"""How much is shown: the prompt's beginning, or all of it with the reasoning."""

PICTURE: Final = "▣"
ORIGINS: Final = {
    Origin.RESPONDENT: "",
    Origin.GOLD: "gold put in",
    Origin.WRONG: "a wrong value put in",
    Origin.EDITED: "own words put in",
    Origin.PERSON: "a person",
    Origin.OTHER: "",
}
STATUSES: Final = {Status.EMPTY: "empty", Status.REFUSAL: "refused", Status.TRUNCATED: "cut off"}


def _why(running: Running) -> str:
    """What a call waits for, "" where for its answer alone."""
    if running.loading:
        return one_line(running.loading)
    return running.held if running.waits is None else one_line(running.waits.words)


def title(look: Look, plan: Plan, verdict: Content | None = None) -> Content:
    """Which step it is, how it came out (``verdict``), who answered, how it ended."""
    step, turn = look.step, look.turn
    if turn is None:
        return Content.assemble(("this path is complete", "bold"))
    head = (f"{look.index + 1} {one_line(turn.step)}", "bold")
    usual = plan.respondent_for(turn.step).name
    who = one_line(answered_by(step, usual) if step is not None else usual)
    if look.running is not None:
        seconds = (f"{look.running.seconds:.1f} s", "bold")
        why = f" · {_why(look.running)}" if _why(look.running) else ""
        doing, how = ("loading", "dim") if look.running.loading else ("asking", "$text-error")
        return Content.assemble(
            head, f"  {doing} {who} ", seconds, (f"  {key('step.stop')} stops it", "dim"), (why, how)
        )
    if step is None:
        ended = "" if look.stopped is None else "  failed" if look.stopped.reason else "  stopped"
        offer = f"  {'' if ended else 'next: '}{key('step.next')} asks{' again' if ended else ''} {who}"
        return Content.assemble(head, (ended, "bold $text-error"), (offer, "dim"))
    said = [ORIGINS[step.origin] or who]
    if step.lane.endswith(f"{turn.step}=again"):
        said.append(f"asked again, {step.repeat}")
    if step.answer.status in STATUSES:
        said.append(STATUSES[step.answer.status])
    if step.answer.recalled is not None:
        said.append("from the cache")
    came_out = Content("  ") + verdict if verdict is not None and verdict.plain else Content("")
    return Content.assemble(head, came_out, (f"  {', '.join(said)}", "dim"))


def ask(turn: Turn, depth: Depth, width: int, sent: Sequence[SentPicture] = ()) -> Content:
    """The prompt: its beginning on two lines, or all of it, with what was ``sent`` of each of its pictures."""
    if depth == "short":
        last = max((at for at, part in enumerate(turn.content) if isinstance(part, Show)), default=-1)
        words = [part.text for part in turn.content[last + 1 :] if isinstance(part, Text)]
        text = " ".join([PICTURE * sum(len(show.of) for show in turn.shows), one_line(" ".join(words))]).strip()
        return Content("\n".join(wrap(text, max(width, 20), max_lines=2, placeholder=" …")))
    went = iter(sent)
    parts = [part.text if isinstance(part, Text) else _picture(part, next(went, None)) for part in turn.content]
    return _long("\n".join([*parts, turn.answer_format] if turn.answer_format else parts))


def _picture(show: Show, sent: SentPicture | None) -> str:
    of = "example's picture" if show.source else "picture"
    words = [f"{PICTURE} {of} {', '.join(str(index + 1) for index in show.of)}"]
    words += ["blank"] if show.blank else []
    words += [f"sent {one_line(weighed(sent))}"] if sent is not None else []
    return ", ".join(words)


def answer(look: Look, benchmark: Benchmark, scorer: str) -> Content:
    """The answer with what was read marked: underlined where right, reversed where wrong."""
    if look.step is None or look.running is not None:
        if look.running is not None:
            waits = f"… {_why(look.running)}".rstrip()
            return _long(look.running.text) if look.running.text else Content.styled(waits, "dim")
        if look.stopped is not None:
            arrived = Content.assemble(("what had arrived: ", "dim"), _long(look.stopped.text))
            return arrived if look.stopped.text else Content.styled("nothing had arrived", "dim")
        return Content.styled("not asked yet", "dim")
    return answered(look.step, benchmark, scorer)


def answered(step: Step, benchmark: Benchmark, scorer: str) -> Content:
    """The same of a stored step."""
    shown = pruned(step.answer.text)
    content = Content(shown.text)
    score = step.score(scorer)
    if score is not None:
        for reading in readings(benchmark, step.turn, score):
            start, end = score.spans.get(reading.field.name, (0, 0))
            end = min(end, len(shown.text))
            if start < end:
                style = "bold reverse" if reading.right is False else "bold underline"
                content = content.stylize(style, start, end)
    if step.answer.picture is not None:
        width, height = step.answer.picture.size
        content = content + Content.styled(f"{PICTURE} a picture of {width} x {height}", "dim")
    if not step.answer.text and step.answer.picture is None:
        return Content.styled("nothing was answered", "dim")
    return content + Content.styled(f"\n({shown.note})", "dim") if shown.note else content


def scored(step: Step, benchmark: Benchmark) -> Content:
    """Every scorer's marks, and a line for each value that is wrong or was not read."""
    lines: list[Content] = []
    for number, score in enumerate(step.scores):
        lines.append(_marks_line(score, benchmark.layout(step.turn.step), name=number > 0))
        if _told(score):
            lines.append(Content.styled(PARSES[score.status], "bold $text-error"))
        if number == 0:
            lines.extend(_wrong_lines(step, score, benchmark))
    return Content("\n").join(lines) if lines else Content.styled("no scorer has looked at it", "dim")


def _told(score: Score) -> bool:
    """Whether how the answer could be read says anything: where a scorer judges nothing, only a refusal does."""
    return score.status is Parse.REFUSAL or (score.status is not Parse.OK and score.scored != 0)


def _marks_line(score: Score, layout: Layout, *, name: bool) -> Content:
    right, total = fraction(score)
    sign = RIGHT if score.correct else WRONG if total else "·"
    parts: list[Content | str | tuple[str, str]] = [
        (f"{sign} {right}/{total}", "bold $text-success" if score.correct else "bold $text-error")
    ]
    for unit in range(layout.units):
        parts.append(("  " + (f"{unit + 1} " if layout.units > 1 else ""), "dim"))
        for mark in marks(layout, score, unit):
            style = "dim" if mark.right is None else "$text-success" if mark.right else "bold $text-error"
            parts.extend([mark.letter, (f"{mark.sign} ", style)])
    if name:
        parts.append((f"  {one_line(score.scorer)}", "dim"))
    return Content.assemble(*parts)


def _wrong_lines(step: Step, score: Score, benchmark: Benchmark) -> list[Content]:
    lines = []
    for reading in readings(benchmark, step.turn, score):
        if reading.right is False and not (reading.read is None and score.status is not Parse.OK):
            read = "not read" if reading.read is None else f"read {one_line(reading.read)}"
            lines.append(
                Content.assemble(
                    (f"{WRONG} ", "bold $text-error"),
                    f"{one_line(reading.label)}: {read}, ",
                    ("gold ", "dim"),
                    one_line(reading.gold),
                )
            )
    return lines


def gold(turn: Turn) -> Content:
    """What would have been right."""
    return _long(turn.gold_text) if turn.gold_text else Content.styled("none", "dim")


def reasoning(step: Step, depth: Depth) -> Content:
    """The model's reasoning, folded unless more is asked for; it never goes back into the conversation."""
    if depth == "short":
        count = len(step.answer.reasoning)
        return Content.styled(f"{counted(count, 'character')}; {key('detail.raw')} unfolds them", "dim")
    return _long(step.answer.reasoning)


def _long(text: str) -> Content:
    shown = pruned(text)
    content = Content(shown.text)
    return content + Content.styled(f"\n({shown.note})", "dim") if shown.note else content


def failure(reason: str) -> Content:
    """Why a call failed."""
    return Content.styled(inert(reason), "bold $text-error")
