"""A reply as a sketch: markup taken off, lower case, and every mention of an option as one mark.

A mark is a private character that says which option is meant and how it was set, so that the rules of the other
rooms are plain patterns over words and marks.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final

from core.letters.folding import Folded


class Form(IntEnum):
    """How an option was mentioned."""

    UPPER = 0
    SHOWN = 1
    """Set off: in brackets, bold, quoted, as code ..."""
    LOWER = 2
    """Only means an option where something says so."""
    LOWER_SHOWN = 3


_BASE: Final = 0xE000
MARK: Final = "[\ue000-\ue07f]"
FIRM: Final = "[\ue000-\ue03f\ue060-\ue07f]"
"""A mark that needs nothing to say that it is one."""
SHOWN: Final = "[\ue020-\ue03f\ue060-\ue07f]"
SEVERAL: Final = "\ue0ff"
"""More than one option at once, as in AB or A/B."""
BOX: Final = "\ue100"
BOX_END: Final = "\ue101"
TICK: Final = "\ue102"
CROSS: Final = "\ue103"


def mark(letter: str, form: Form) -> str:
    return chr(_BASE + 32 * form + ord(letter) - 65)


def letter_of(char: str) -> str:
    return chr((ord(char) - _BASE) % 32 + 65)


def form_of(char: str) -> Form:
    return Form((ord(char) - _BASE) // 32)


_SPECIAL: Final = re.compile(r"<\|[^<>|\n]{1,40}\|>|</?s>|<(?:end_of_turn|start_of_turn|eos|bos|pad)>")
_ANSWER_TAG: Final = re.compile(r"<(/?)(?:final[_ -]?)?(?:answer|choice|option)>", re.IGNORECASE)
_INLINE_TAG: Final = re.compile(
    r"</?(?:b|strong|i|em|u|code|span|mark|font|kbd|tt|big|small)(?:\s[^<>]{0,200})?>|</?STRONG>"
    r"|<B>(?=[^<>]{1,200}</B>)|</B>"
)
_BLOCK_TAG: Final = re.compile(
    r"</?(?:p|div|br|li|ul|ol|h[1-6]|td|tr|th|table|center|body|html|section|pre)(?:\s[^<>]{0,200})?\s?/?>",
    re.IGNORECASE,
)
_BACKSPACED: Final = re.compile(r"\x08oxed")
_BRACES: Final = re.compile(
    r"\\?\b(boxed|fbox)\s?\{|\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|operatorname"
r"|boldsymbol|emph|bf|rm)\s?\{"
    r"|\\[{}]|[{}]"
)  # fmt: skip
_FORMAT_ECHO: Final = re.compile(
    r"\^?\\?[(\[{]{0,2}\[\s?A\s?-\s?[A-Z]\s?\]\\?[)\]}]{0,2}\$?|\b[A-Z][^\S\n]?(?:-|–|to|through"
    r"|thru|\.\.\.?)[^\S\n]?[A-Z]\b(?!\s?[a-z])"
)
_LATEX_OFF: Final = re.compile(r"\\(?:[,;!: ]|quad|qquad|displaystyle|bf|rm|left|right)(?![A-Za-z])|\\\\(?=\s|$)")
_LATEX_MATH: Final = re.compile(r"\\[()\[\]]|\$\$")
_LATEX_ARROW: Final = re.compile(r"\\(?:rightarrow|Rightarrow|to|implies|therefore)(?![A-Za-z])")
_ESCAPED_BREAK: Final = re.compile(r"\\n(?=[^a-z]|$)")
_ESCAPED_QUOTE: Final = re.compile(r"\\(?=[\"'*_`$])")
_TICKED: Final = re.compile(r"\[\s?[xX✓✔]\s?\](?=\s)|[☑✅✔✓🗹]")
_CROSSED: Final = re.compile(r"[❌✗✘✖❎🚫]")
_UNTICKED: Final = re.compile(r"\[\s\]|[☐◻⬜]")
_STRUCK: Final = re.compile(r"~~[^~\n]{1,200}~~|<(s|del|strike)>[^<>]{1,200}</\1>")
_FENCE: Final = re.compile(r"```[A-Za-z]{0,12}")
_EMPHASIS: Final = re.compile(r"[*`~]+|(?<![^\W_])_+|_+(?![^\W_])|\$|\"")
_SNAKE: Final = re.compile(r"_")
_BRACE: Final = re.compile(r"[{}]")
_PIPE: Final = re.compile(r"\|")
_BULLET: Final = re.compile(r"(?:(?<=\n)|^) ?(?:#{1,6} |>+ ?|[-+•*] |\d{1,2}[.)] )+")
_BLANKS: Final = re.compile(r"[^\S\n]{2,}|[^\S\n ]")
_BREAKS: Final = re.compile(r" ?\n[ \n]*")


def plain(folded: Folded) -> Folded:
    """Markup that can hold a letter made uniform: tags as stars, boxes as marks, wrappers off."""
    folded = folded.sub(_STRUCK, " ")
    text = folded.text
    if "<" in text:
        folded = folded.sub(_SPECIAL, "\n")
        folded = folded.sub(_ANSWER_TAG, lambda m: ("\n" if m[1] else "\nAnswer: ", m.start()))
        folded = folded.sub(_INLINE_TAG, "*").sub(_BLOCK_TAG, "\n")
    folded = folded.sub(_FORMAT_ECHO, " ")
    if "oxed" in text or "\\" in text or "{" in text or "fbox" in text:
        folded = _unwrapped(folded.sub(_BACKSPACED, "boxed"))
    if "\\" in text:
        folded = folded.sub(_ESCAPED_BREAK, "\n").sub(_ESCAPED_QUOTE, "").sub(_LATEX_ARROW, "→")
        folded = folded.sub(_LATEX_MATH, "$").sub(_LATEX_OFF, " ")
    folded = folded.sub(_TICKED, TICK).sub(_CROSSED, CROSS).sub(_UNTICKED, " ")
    return folded.sub(_FENCE, "\n") if "```" in text else folded


def _unwrapped(folded: Folded) -> Folded:
    r"""``\boxed{..}`` between two marks, ``\text{..}`` and the like off, other braces left."""
    closing: dict[int, str] = {}
    stack: list[str | None] = []
    for match in _BRACES.finditer(folded.text):
        if match[0].endswith("{"):
            stack.append(BOX_END if match[1] else None if match[0] in ("{", "\\{") else "")
        elif stack:
            closer = stack.pop()
            if closer is not None:
                closing[match.start()] = closer

    def piece(match: re.Match[str]) -> tuple[str, int] | None:
        if match[1]:
            return BOX, match.start()
        if match[0].endswith("}"):
            closer = closing.get(match.start())
            return None if closer is None else (closer, match.start())
        return None if match[0] in ("{", "\\{") else ("", match.start())

    return folded.sub(_BRACES, piece)


def settled(folded: Folded) -> Folded:
    """The rest of the markup off, blanks and lines tidied, in lower case."""
    folded = folded.sub(_EMPHASIS, "").sub(_SNAKE, " ").sub(_PIPE, " ").sub(_BRACE, "\n")
    folded = folded.sub(_BLANKS, " ").sub(_BREAKS, lambda m: ("\n\n" if m[0].count("\n") > 1 else "\n", m.start()))
    return folded.sub(_BULLET, "").lowered()
