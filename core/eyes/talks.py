"""Conversations as the model reads them: pieces of text in its chat template, and which of them it learns to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.drawing.palette import Dice
from core.eyes.album import Pixels
from core.records import Part, Show, Text, Turn

IMAGE: Final = "<image>"
PATCHES: Final = 16
"""Tokens that stand for a picture."""

SHOWN: Final = f"<fake_token_around_image><global-img>{IMAGE * PATCHES}<fake_token_around_image>"
"""What the processor writes for a picture."""

START, END, PAD = "<|im_start|>", "<|im_end|>", "<|endoftext|>"
TEMPLATE: Final = (
    "{%- for m in messages -%}{{ '<|im_start|>' + m['role'] + '\n' }}"
    "{%- if m['content'] is string -%}{{ m['content'] }}"
    "{%- else -%}{%- for c in m['content'] -%}"
    "{%- if c['type'] in ('image', 'image_url') -%}<image>"
    "{%- elif c['type'] == 'text' -%}{{ c['text'] }}{%- endif -%}"
    "{%- endfor -%}{%- endif -%}{{ '<|im_end|>\n' }}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\n' }}{%- endif -%}"
)


@dataclass
class Talk:
    """One conversation. ``learned`` names the step whose answer a piece is, "" where it is only read."""

    pieces: list[tuple[str, str]] = field(default_factory=list)
    pictures: list[Pixels] = field(default_factory=list)

    def ask(self, parts: Sequence[Part], *, blind: bool = False) -> None:
        """A user's turn: words and pictures, or ``blind`` the words alone."""
        before = "\n" if self.pieces else ""
        asked = "".join(_written(parts, blind=blind))
        self.pieces.append((f"{before}{START}user\n{asked}{END}\n{START}assistant\n", ""))

    def say(self, *told: tuple[str, str]) -> None:
        """The model's answer, in pieces with the name that each is learned under."""
        *before, (text, learned) = told
        self.pieces += [*before, (f"{text}{END}", learned)]


def pick_wording(dice: Dice, own: float, others: Sequence[object]) -> int:
    """The place of one of the other wordings, or -1 for the app's own in that share."""
    return -1 if dice.chance(own) else int(dice.between(0, len(others)))


def parts_of(turn: Turn) -> tuple[Part, ...]:
    """What a model is told of a turn, its answer's format included."""
    return (*turn.content, Text(turn.answer_format)) if turn.answer_format else turn.content


def _written(parts: Iterable[Part], *, blind: bool) -> list[str]:
    """Words that follow each other are put on lines of their own, as the app sends them."""
    out: list[str] = []
    words = False
    for part in parts:
        if isinstance(part, Show):
            if not blind:
                out.append(SHOWN)
                words = False
        else:
            out.append(f"\n{part.text}" if words else part.text)
            words = True
    return out
