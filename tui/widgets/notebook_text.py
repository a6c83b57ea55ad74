"""The words of the notebook beside a step. All of it was written by people and passes through ``inert`` here."""

from __future__ import annotations

from typing import Final

from textual.content import Content

from core.disputes import Dispute
from core.records import Layout, Step
from sessions.grading import Grading
from sessions.notebook import Note, Page, Target
from tui.inert import one_line, pruned
from tui.state.look import Look
from tui.state.marks import RIGHT, UNSCORED, WRONG, expected_of, marks

NOTE: Final = "✎"
SHOWN: Final = 4000


def remarks(page: Page, look: Look) -> Content | None:
    """What people wrote about what lies under the cursor, None where they did not."""
    lines: list[Content] = []
    step, turn = look.step, look.turn
    if step is not None and (tags := page.tags_of(step.id)):
        lines.append(Content.styled(" ".join(f"#{one_line(tag)}" for tag in tags), "bold"))
    lines += [_dispute(held) for held in page.disputes if turn is None or held.step in ("", turn.step)]
    targets = [Target(step=step.id)] if step is not None else []
    targets += [Target(look.trajectory.id)] if look.trajectory.id else []
    lines += [_note(note) for note in page.notes_on(*targets, Target())]
    return Content("\n").join(lines) if lines else None


def gradings(page: Page, step: Step, layout: Layout, scored: Content | None) -> Content | None:
    """What people hold of a step, below what the other scorers do."""
    expected = expected_of(step)
    lines = [_grading(grading, layout, expected, len(page.gradings[step.id])) for grading in page.latest(step.id)]
    return Content("\n").join([*([scored] if scored is not None else []), *lines]) if lines else scored


def _grading(grading: Grading, layout: Layout, expected: int, history: int) -> Content:
    partly = bool(expected & ~grading.scored)  # then what is scored says nothing of the whole, if it is right
    nothing_wrong = grading.right == grading.scored
    sign = WRONG if not nothing_wrong else UNSCORED if partly or not grading.scored else RIGHT
    style = {RIGHT: "bold $text-success", WRONG: "bold $text-error", UNSCORED: "dim"}[sign]
    parts: list[Content | str | tuple[str, str]] = [f"{one_line(grading.author)}: ", (sign, style)]
    for unit in range(layout.units):
        parts.append("  " + (f"{unit + 1} " if layout.units > 1 else ""))
        for mark in marks(layout, grading, unit, expected):
            how = "dim" if mark.right is None else "$text-success" if mark.right else "bold $text-error"
            parts += [mark.letter, (f"{mark.sign} ", how)]
    if partly:
        parts.append((" scored in part" if grading.scored else " not scored", "dim"))
    if grading.reason:
        parts.append(f" {grading.reason}")
    if grading.note:
        parts.append(f" · {pruned(grading.note, SHOWN).text}")
    if history > 1:
        parts.append((f"  ({history}. score)", "dim"))
    return Content.assemble(*parts)


def _dispute(held: Dispute) -> Content:
    values = [f"{one_line(name)} {one_line(one.text or one.value)}" for name, one in held.corrected.items()]
    right = f"; right: {', '.join(values)}" if values else ""
    return Content.assemble(
        ("! gold disputed", "bold $text-error"),
        (f" by {one_line(held.author)}: ", "dim"),
        f"{pruned(held.reason, SHOWN).text}{right}",
    )


def _note(note: Note) -> Content:
    shown = pruned(note.text, SHOWN)
    on = "" if note.target.step else f", {'path' if note.target.trajectory else 'item'}"
    content = Content.assemble((f"{NOTE} {one_line(note.author)}{on}: ", "dim"), shown.text)
    return content + Content.styled(f"\n({shown.note})", "dim") if shown.note else content
