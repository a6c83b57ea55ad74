"""Trajectories that went wrong, as part of an HTML page: what was shown, asked, answered, and what was right."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from core.errors import PictureError
from core.records import Item, Show, Step, Trajectory, first_wrong
from sessions.failing import Failing
from tui.cli.documents import turn_lines
from tui.cli.formats.page import block, said
from tui.cli.show import verdict
from tui.counting import counted
from tui.inert import one_line, pruned

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE: Final = 320
"""Pixels of a picture's longer side on the page."""
QUALITY: Final = 82
LONGEST: Final = 4000
MOST_LINES: Final = 120


def section(found: Failing, shown_one: Callable[[], None] = lambda: None) -> str:
    """One run's trajectories by the step that they first go wrong at, and how many are not on the page; after each
    ``shown_one`` is called."""
    left = f"; {found.left_out:,} left out (--failing N shows more)" if found.left_out else ""
    how_many = f"{counted(found.total, 'trajectory')} with a wrong step, scored by {found.scorer}{left}."
    parts = [f"<h3>{said(found.run.name)}</h3><p>{escape(how_many)}</p>"]
    for step, shown in found.shown.items():
        of = found.counts[step]
        some = f"{len(shown)} of {of}" if len(shown) < of else str(of)
        parts.append(f"<h4>First wrong at {said(step)} ({some})</h4>")
        for trajectory in shown:
            parts.append(_path(found, trajectory))
            shown_one()
    return f"<section>{''.join(parts)}</section>"


def _path(found: Failing, trajectory: Trajectory) -> str:
    wrong = first_wrong(trajectory.steps, found.scorer)
    groups = ", ".join(f"{key} {value}" for key, value in trajectory.item.groups.items() if value)
    steps = "".join(
        _step(found, trajectory.item, step, first=index == wrong) for index, step in enumerate(trajectory.steps)
    )
    return (
        f'<details class="path"><summary>{said(trajectory.item.id)} · {said(groups)} · trajectory {trajectory.id}'
        f"</summary>{_shown(found, trajectory)}{steps}</details>"
    )


def _shown(found: Failing, trajectory: Trajectory) -> str:
    """Every picture that the trajectory's turns show, once."""
    shows: dict[Show, None] = {show: None for step in trajectory.steps for show in step.turn.shows}
    pictures = "".join(_picture(found, trajectory.item, show) for show in shows)
    return f'<ul class="shown">{pictures}</ul>' if pictures else ""


def _picture(found: Failing, item: Item, show: Show) -> str:
    name = " + ".join(picture.name for picture in show.pictures(item)) + (", blank" if show.blank else "")
    try:
        image = found.pictures.image(item, show, SIDE)
    except PictureError as error:
        return f"<li>{said(name)}: {said(error.what)}</li>"
    return f"<li>{embedded(image, name)}{said(name)}</li>"


def embedded(image: Image, name: str) -> str:
    """The picture within the page, in whichever form is smaller."""
    forms = []
    for kind, how in (("png", {"optimize": True}), ("jpeg", {"quality": QUALITY})):
        out = io.BytesIO()
        image.convert("RGB").save(out, kind, **how)
        forms.append((out.getvalue(), kind))
    data, kind = min(forms, key=lambda form: len(form[0]))
    source = f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"
    size = f'width="{image.width}" height="{image.height}"'
    return f'<img src="{source}" {size} alt="{escape(one_line(name))}" loading="lazy">'


def _step(found: Failing, item: Item, step: Step, *, first: bool) -> str:
    put_in = "" if step.origin == "respondent" else f" [{step.origin.value}, not the respondent's answer]"
    lane = f" (what-if {step.lane})" if step.lane else ""
    mark = " · the first wrong step" if first else ""
    prompt = "\n".join(turn_lines(item, step.turn))
    kind = "step first" if first else "step"
    return (
        f'<section class="{kind}"><h5>{said(step.turn.step + put_in + lane)}'
        f"{_verdict(found, item, step)}{mark}</h5>"
        f"<details><summary>What was asked</summary>{_long(prompt)}</details>"
        f"<dl>{''.join(_answers(found, step))}</dl></section>"
    )


def _verdict(found: Failing, item: Item, step: Step) -> str:
    score = step.score(found.scorer)
    if score is None:
        return ""
    sign, kind = ("✓", "right") if score.correct else ("✗", "wrong") if score.scored else ("–", "")
    return f' <span class="{kind}">{sign} {said(verdict(item, step, score))}</span>'


def _answers(found: Failing, step: Step) -> Iterator[str]:
    answer = step.answer
    status = "" if answer.status == "ok" else f" (status {answer.status.value})"
    yield f"<dt>Answer{escape(status)}</dt><dd>"
    if answer.picture is not None:
        yield _made(found, answer.picture.hash, answer.picture.name)
    yield f"{_long(answer.text or '(nothing)')}</dd>" if answer.text or answer.picture is None else "</dd>"
    if answer.reasoning:
        yield f"<dt>Reasoning</dt><dd><details><summary>Show it</summary>{_long(answer.reasoning)}</details></dd>"
    if step.turn.gold_text:
        yield f"<dt>Gold</dt><dd>{_long(step.turn.gold_text)}</dd>"


def _made(found: Failing, digest: str, name: str) -> str:
    """A picture that was the answer."""
    from core.pictures.loading import load_rgb

    data = found.pictures.stored(digest)
    if data is None:
        return said(f"a picture, {name}: its bytes are not in the store")
    try:
        return embedded(load_rgb(data, SIDE, name=name), name)
    except PictureError as error:
        return said(f"{name}: {error.what}")


def _long(words: str) -> str:
    head, note = pruned(words, LONGEST, MOST_LINES)
    return block(head) + (f'<p class="about">{escape(note)}</p>' if note else "")
