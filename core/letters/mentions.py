"""Which letters of a text can mean an option, and which are an article, a pronoun, an initial or a name's part."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from core.letters.folding import Folded
from core.letters.marks import SEVERAL, Form, mark
from core.letters.texts import OptionTexts

_PAIRS: Final = {"(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "*": "*", "_": "_", "`": "`", "$": "$", "~": "~"}
_SET_OFF: Final = re.compile(
    r"(?P<open>[(\[{\"'*_`$~]{1,8}) ?(?P<letter>[A-Za-zАВСЕΑΒΕ]) ?[.:]?(?P<close>[)\]}\"'*_`$~]{1,8})"
)
_ANGLED: Final = re.compile(r"<(?P<letter>[A-Z])>")
_SLASHED: Final = re.compile(r"(?<![\w/|])[A-J](?: ?[/|&+] ?[A-J])+(?![\w/|'])")
_JOINED: Final = re.compile(r"(?:^|(?<=[\n:=(\[ \ue100]))[A-J]{2,10}(?=[)\].*]{0,3}\s*(?:\n|$|\ue101))")
_BARE: Final = re.compile(
    r"(?<![^\W\u0590-\u1dff\u2e80-\uffff])(?<!['&+#@\\/-])(?<![A-Za-z]\.)(?P<letter>[A-Za-zАВСЕΑΒΕ])"
    r"(?![^\W\u0590-\u1dff\u2e80-\uffff])(?!['+#°@]|-[^\W_]|\.[A-Za-z](?![^\W_])|\. [A-Z]\. )"
)
_LOOK_ALIKE: Final = {"А": "A", "В": "B", "С": "C", "Е": "E", "Α": "A", "Β": "B", "Ε": "E"}
_FOREIGN_LABEL: Final = re.compile(r"(?<!\w)[БГДГδγΓΔ](?:\)|\.(?=\s)|(?=\s*$))|\([БГДΓΔ]\)")

END_OF_WORD: Final = re.compile(r"[ ]?(?:$|[\n.:;!?()\]}\"*_`,$\ue000-\uf8ff→<=]|-(?=\s))")
_UNSPACED: Final = re.compile(r" ?[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0900-\u0dff\u0600-\u06ff]")
MAY_FOLLOW: Final = re.compile(
    r" (?:because|since|which|due|based|and|or|but|not|rather|instead|over|is|are|was|were|isn't|isnt|has"
    r"|have|shows?|would|will|could|can|cannot"
    r"|can't|might|may|must|should|seems?|appears?|does|doesn't|matches|fits|here|therefore|so|if|as|for|than"
    r"|fails?|contains?|depicts?|says?|describes?|mentions?|states?|looks?|refers?|makes?|asks?|remains?"
    r"|correctly|accurately|only"
    r"|y|o|u|e|es|está|no|porque|ya|pues|dado|puesto|und|oder|ist|sind|weil|da|denn|nicht|zeigt|passt|wäre"
    r"|richtig|korrekt|et|ou|est|car|parce|puisque|n'est"
    r"|é|não|pois|già|perché|poiché|è|non|и|или|верн\w*|правильн\w*|потому|так|является|не|поскольку)(?![\w'])"
)
_AFTER_CUE_ONLY: Final = re.compile(
    r" (?:in|with|from|on|this|it|the|where|when|while|given|among|at|to|by|there)(?![\w'])"
)
_CAPITAL: Final = re.compile(r" [A-ZÀ-ÖØ-ÞА-Я]")
_AFTER_LOWER: Final = re.compile(r"(?: ?(?:$|[\n.;!?)\]},])| (?:because|since|and|or|is correct|not)(?!\w))")
_AFTER_I: Final = re.compile(r" ?(?:$|[\n.:)]|, (?:because|since|not)\b| (?:because|since|is the|is correct)\b)")
_AFTER_ANSWER: Final = re.compile(r"(?:[:=]|\b(?:is|option|choice|letter|answer)) ?[(\[*_\"`]{0,4}$", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"(?:^|[^\w])(?:vitamin|plan|hepatitis|figure|fig\.?|image|picture|photo|panel|group|team|class|grade"
    r"|section|part|point|room|gate|building"
    r"|platform|terminal|line|route|bus|street|avenue|zone|row|column|col|block|vertex|node|person|player"
    r"|appendix|table|exhibit|sign|bin|lane"
    r"|area|floor|level|path|road|exit|station|stop|box|cell|set|type|category|region|city|town|house"
    r"|tower|door|shape|object|circle|item|step"
    r"|scene|frame|subfigure|image's|imagen|bild|tabelle|figura|imagem|foto|рисунок|рис\.?|группа|图|圖|図"
    r"|그림|表|mr\.?|mrs\.?|dr\.?|ms\.?)$",
    re.IGNORECASE,
)
_JOINABLE: Final = re.compile(r"(?:option|choice|answer|letter|опция|ответ)$", re.IGNORECASE)
_EXAMPLE: Final = re.compile(
    r"(?:e\.g\.,?|for example,?|for instance,?|such as|example:|format:|in the (?:form|format)(?: of)?"
    r"|like(?: this:?)?) ?[(\[*_\"'`$]{0,4}$",
    re.IGNORECASE,
)


def marked(folded: Folded, texts: OptionTexts) -> Folded:
    """Every letter that can mean an option as its mark; letters without such an option too."""
    foreign = bool(_FOREIGN_LABEL.search(folded.text))

    def latin(char: str) -> str | None:
        return char if char.isascii() else None if foreign else _LOOK_ALIKE.get(char)

    def set_off(match: re.Match[str]) -> tuple[str, int] | None:
        opened, letter, closed = match["open"], latin(match["letter"]), match["close"]
        text = match.string
        if letter is None or _PAIRS.get(opened[-1]) != closed[0]:
            return None
        before, after = text[max(0, match.start() - 24) : match.start()], text[match.end() : match.end() + 400]
        bracketed = opened[-1] in "([{"
        if before and _latin(before[-1]) and not (bracketed and _JOINABLE.search(before)):
            return None
        if after and _latin(after[0]) and not bracketed:
            return None
        if _NAMED.search(before.rstrip()) or _EXAMPLE.search(before):
            return None
        if not bracketed and letter in "AIai" and not _may_follow(letter.upper(), after, texts):
            return None
        return mark(letter.upper(), Form.SHOWN if letter.isupper() else Form.LOWER_SHOWN), match.start("letter")

    def angled(match: re.Match[str]) -> tuple[str, int] | None:
        return mark(match["letter"], Form.SHOWN), match.start("letter")

    def bare(match: re.Match[str]) -> tuple[str, int] | None:
        letter, text = latin(match["letter"]), match.string
        if letter is None:
            return None
        before, after = text[max(0, match.start() - 24) : match.start()], text[match.end() : match.end() + 400]
        if _NAMED.search(before.rstrip(" ([{*\"'`")) or _EXAMPLE.search(before):
            return None
        if not match["letter"].isascii() and not END_OF_WORD.match(after):
            return None
        if letter.islower():
            if not (_AFTER_LOWER.match(after) or _UNSPACED.match(after)):
                return None
            return mark(letter.upper(), Form.LOWER), match.start()
        if letter == "I" and not (
            (_AFTER_I.match(after) and _AFTER_ANSWER.search(before)) or (_AFTER_I.match(after) and not before.strip())
        ):
            return None
        return (mark(letter, Form.UPPER), match.start()) if _may_follow(letter, after, texts) else None

    folded = folded.sub(_SET_OFF, set_off)
    folded = folded.sub(_SLASHED, SEVERAL).sub(_JOINED, _several)
    if "<" in folded.text:
        folded = folded.sub(_ANGLED, angled)
    return folded.sub(_BARE, bare)


def _several(match: re.Match[str]) -> tuple[str, int] | None:
    letters = match[0]
    return (SEVERAL, match.start()) if all(a < b for a, b in pairwise(letters)) else None


def _latin(char: str) -> bool:
    return char.isalnum() and (char < "\u0370" or "\u0400" <= char <= "\u04ff")


def _may_follow(letter: str, after: str, texts: OptionTexts) -> bool:
    """Whether a capital can be an option's letter before what follows it."""
    if END_OF_WORD.match(after) or _UNSPACED.match(after) or MAY_FOLLOW.match(after):
        return True
    said = after.lstrip()
    if after[:1] == " " and texts.own(letter, said):
        return True
    if letter == "A":
        return False
    return bool(_AFTER_CUE_ONLY.match(after) or _CAPITAL.match(after))
