"""What people wrote about an item, as ``show`` tells it."""

from __future__ import annotations

from typing import Any

from core.disputes import Dispute
from core.records import Trajectory
from sessions.notebook import Note, Page, Target


def item_lines(page: Page, trajectory: Trajectory) -> list[str]:
    """Disputes of the gold, and the notes on item and trajectory."""
    lines = [f"gold disputed by {held.author}{_at(held)}: {held.reason}{_right(held)}" for held in page.disputes]
    notes = page.notes_on(Target(), Target(trajectory.id))
    return lines + [f"note on the {note.target.word} by {note.author}: {note.text}" for note in notes]


def _at(held: Dispute) -> str:
    return f" at {held.step}" if held.step else ""


def _right(held: Dispute) -> str:
    values = [f"{name} {one.text or one.value}" for name, one in held.corrected.items()]
    return f" (right: {', '.join(values)})" if values else ""


def step_lines(page: Page, step: int) -> list[str]:
    """Why people scored it so, its tags and notes."""
    lines = []
    for grading in page.latest(step):
        why = ", ".join(filter(None, (grading.reason, grading.note)))
        lines += [f"{grading.author}, why: {why}"] if why else []
    tags = page.tags_of(step)
    lines += [f"tags: {' '.join(f'#{tag}' for tag in tags)}"] if tags else []
    return lines + [f"note by {note.author}: {note.text}" for note in page.notes_on(Target(step=step))]


def item_remarks(page: Page) -> dict[str, Any]:
    return {
        "notes": _notes(page.notes_on(Target())),
        "disputes": [
            {
                "author": held.author,
                "step": held.step,
                "reason": held.reason,
                "right": {name: {"value": one.value, "text": one.text} for name, one in held.corrected.items()},
                "created": held.created,
            }
            for held in page.disputes
        ],
    }


def trajectory_remarks(page: Page, trajectory: int) -> dict[str, Any]:
    return {"notes": _notes(page.notes_on(Target(trajectory)))}


def step_remarks(page: Page, step: int) -> dict[str, Any]:
    """``gradings`` holds every score that people gave, the newest last; ``scores`` holds the ones that count."""
    return {
        "notes": _notes(page.notes_on(Target(step=step))),
        "tags": [{"tag": tag.tag, "author": tag.author} for tag in page.tags.get(step, ())],
        "gradings": [
            {
                "author": grading.author,
                "version": grading.version,
                "right": grading.right,
                "scored": grading.scored,
                "reason": grading.reason,
                "note": grading.note,
                "created": grading.created,
            }
            for grading in page.gradings.get(step, ())
        ],
    }


def _notes(notes: tuple[Note, ...]) -> list[dict[str, Any]]:
    return [
        {"author": note.author, "text": note.text, "created": note.created, "updated": note.updated} for note in notes
    ]
