"""The words of a choice question: its options one a line, with signs that need no colour."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content

from core.records import Parse, Score, Step
from tui.inert import one_line
from tui.state.choices import Choices, Line
from tui.state.marks import RIGHT, WRONG
from tui.widgets.words import PARSES, after


def question(choices: Choices) -> Content:
    """What is asked, and before it what is to be done, where that is something else than answering."""
    task = ((one_line(choices.task) + " ", "dim"),) if choices.task else ()
    return Content.assemble(*task, (one_line(choices.question), "bold"))


def options(choices: Choices, width: int) -> Content:
    """Every option under its letter, wrapped beside it; then what the next turn will tell."""
    letters = max(cell_len(line.letter) for line in choices.lines)
    lines = [_option(line, letters, width) for line in choices.lines]
    if choices.tells and choices.answered:
        picked = choices.picked
        told = one_line(picked.option.told) if picked else "nothing, since no letter was read"
        lines.append(after(Content.styled("told next: ", "dim"), Content(told), width))
    return Content("\n").join(lines)


def _option(line: Line, letters: int, width: int) -> Content:
    verdict = "bold $text-success" if line.right else "bold $text-error"
    style = verdict if line.picked else "bold" if line.right else ""
    head = Content.assemble((line.signs, verdict), (f" {one_line(line.letter):<{letters}}  ", style or "bold"))
    text = Content.styled(one_line(line.option.text), style) if style else Content(one_line(line.option.text))
    notes = [one_line(note) for note in (line.option.told, line.option.kind) if note]
    return after(head, text, width, Content.styled(" · ".join(notes), "dim"))


def verdict(choices: Choices) -> Content:
    """The pick and what is right, in a few words for the title."""
    picked, gold = choices.picked, choices.gold
    if not choices.answered or gold is None:
        return Content("")
    if picked is not None and picked.right:
        return Content.styled(f"{RIGHT} {one_line(picked.letter)}", "bold $text-success")
    said = one_line(picked.letter) if picked is not None else "nothing read"
    return Content.styled(f"{WRONG} {said}, gold {one_line(gold.letter)}", "bold $text-error")


def scored(step: Step) -> Content | None:
    """A line for each scorer where several look at it, or where one could read nothing; the options say the rest."""
    if len(step.scores) < 2 and all(score.status is Parse.OK for score in step.scores):
        return None if step.scores else Content.styled("no scorer has looked at it", "dim")
    return Content("\n").join(_score(step, score) for score in step.scores)


def _score(step: Step, score: Score) -> Content:
    read = score.parsed.get(step.turn.form[0].name)
    said = PARSES.get(score.status, "") if read is None else f"read {one_line(read)}"
    style = "bold $text-success" if score.correct else "bold $text-error"
    return Content.assemble(
        (f"{RIGHT if score.correct else WRONG} ", style), said, (f"  {one_line(score.scorer)}", "dim")
    )
