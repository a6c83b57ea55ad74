"""Folded text to tokens: every word known to the tables becomes its meaning, the rest stays a word."""

from __future__ import annotations

import re
from typing import Final

from core.benchmarks.voila.reading import actions, numbers, subjects, words
from core.benchmarks.voila.reading import kinds as t
from core.benchmarks.voila.reading.kinds import Token
from core.benchmarks.voila.reading.lexicon import LEXICON, PUNCTUATION

_RAW: Final = re.compile(
    r"\d+(?:\.\d+)?(?:st|nd|rd|th)?|[^\W\d_]+(?:'[^\W\d_]+)?|\\[a-z]+|</?[a-z]{1,8} ?/?>|[-=]+>|[^\s\w*_~$\"'#>\\]|\n"
)

_make: Final = tuple.__new__
"""Makes a token at half the price of its own constructor: hundreds of thousands are made in a run."""
_ARROWS: Final = frozenset((r"\rightarrow", r"\to", r"\longrightarrow", r"\implies"))


def tokenise(text: str) -> list[Token]:
    """All tokens of a folded text."""
    return _Reader(text).read()


class _Reader:
    __slots__ = ("out", "raw", "text", "word")

    def __init__(self, text: str) -> None:
        self.text = text
        self.raw = [(match.group(), match.start(), match.end()) for match in _RAW.finditer(text)]
        if "-" in text:
            self.raw = self._unhyphenated()
        self.word = [entry[0] for entry in self.raw]
        self.word += [""] * 8
        self.out: list[Token] = []

    def _unhyphenated(self) -> list[tuple[str, int, int]]:
        """``ice-skating`` as two words; a number joined to a word (two-legged) counts nothing."""
        raw = self.raw
        out: list[tuple[str, int, int]] = []
        last = len(raw) - 1
        for index, (word, start, end) in enumerate(raw):
            if word != "-" or not 0 < index < last or raw[index - 1][2] != start or raw[index + 1][1] != end:
                out.append((word, start, end))
                continue
            before, after = out[-1], raw[index + 1][0]
            if before[0] in numbers.CARDINALS:
                if after in numbers.CARDINALS:
                    out.append(("/", start, end))
                elif after[0].isalpha() and after not in subjects.SUBJECT_WORDS:
                    out[-1] = ("~", before[1], before[2])
        return out

    def read(self) -> list[Token]:
        raw, word = self.raw, self.word
        add, make = self.out.append, _make
        special, lexicon, punctuation = _SPECIAL, LEXICON, PUNCTUATION
        count = len(raw)
        index = 0
        while index < count:
            text, start, end = raw[index]
            kind = punctuation.get(text)
            if kind is not None:
                add(make(Token, (kind, text, start, end, ())))
                index += 1
                continue
            handler = special.get(text)
            if handler is not None:
                after = handler(self, index)
                if after:
                    index = after
                    continue
            entries = lexicon.get(text)
            if entries is None and text[0].isdigit():
                index = self._digits(index)
                continue
            for tail, kind, value in entries or ():
                if not tail:
                    add(make(Token, (kind, value, start, end, ())))
                    index += 1
                    break
                size = len(tail)
                if word[index + 1] == tail[0] and tuple(word[index + 1 : index + 1 + size]) == tail:
                    add(make(Token, (kind, value, start, raw[index + size][2], ())))
                    index += size + 1
                    break
            else:
                self._plain(index)
                index += 1
        return self.out

    def _plain(self, index: int) -> None:
        text, start, end = self.raw[index]
        if text[0] == "\\":
            if text in _ARROWS:
                self.out.append(Token(t.ARROW, text, start, end))
            elif text == "\\boxed":
                self.out.append(Token(t.MARK, text, start, end))
            return
        if text[0] == "<":
            if text.startswith("<br"):
                self.out.append(Token(t.LINE, text, start, end))
            elif text.startswith("<answer"):
                self.out.append(Token(t.MARK, text, start, end))
            elif text.startswith("</answer"):
                self.out.append(Token(t.LINE, text, start, end))
            return
        if text[-1] == ">":
            self.out.append(Token(t.ARROW, text, start, end))
            return
        if text.endswith("ing") and len(text) > 4 and text not in actions.NOT_ACTING:
            self.out.append(Token(t.DOING, text, start, end))
        else:
            self.out.append(Token(t.WORD, text, start, end))

    def _digits(self, index: int) -> int:
        text, start, end = self.raw[index]
        word = self.word
        if not text.isdigit():
            unit = numbers.ORDINALS.get(text)
            if unit:
                return self._ordinal(index, unit)
            self.out.append(Token(t.NUM if text[-1].isdigit() else t.WORD, text, start, end))
            return index + 1
        before = self.out[-1] if self.out else None
        heads_line = before is None or before.kind == t.LINE
        if (
            heads_line
            and (word[index + 1] == ")" or (word[index + 1] == "." and self.raw[index + 1][1] == end))
            and word[index + 2] not in ("\n", "")
        ):
            self.out.append(Token(t.LIST, text, start, end))
            return index + 2
        self.out.append(Token(t.NUM, numbers.DIGITS.get(text, text), start, end))
        return index + 1

    # -- pictures

    def _image(self, index: int) -> int:
        """``image 2``, ``"image": 2``, ``images 1 and 2``, ``image a:``; ``images`` after ``both`` or ``all``."""
        raw, word = self.raw, self.word
        _, start, end = raw[index]
        at = index + 1
        if self.out and self.out[-1].kind == t.WORD and self.out[-1].value in words.PLACES:
            return self._unnamed(index, start, end)
        if word[at] in (":", "(", "no", "number"):
            quoted = word[at] == ":" and self.text[raw[at][1] - 1] in "\"'"
            if word[at] != ":" or quoted:
                at += 1
            if word[index + 1] == "(" and word[at + 1] != ")":
                at = index + 1
        unit = numbers.CARDINALS.get(word[at]) if word[at] != "i" or word[at + 1] in (":", ".", ")") else 1
        if unit is None and word[at] in ("a", "b", "c", "d") and word[at + 1] in (":", ".", ")", ",", "", "\n", "→"):
            unit = "abcd".index(word[at]) + 1
        if unit is None and at > index + 1:
            unit = numbers.ORDINALS.get(word[at])
        if unit is None and word[at] in ("?", "x") and at == index + 1 and word[at] == "?":
            unit = 4
        if unit is None:
            plural = raw[index][0].endswith("s") and raw[index][0] in words.IMAGE_NOUNS
            return self._collective(index, start, end) if plural else self._unnamed(index, start, end)
        units = [unit]
        end = raw[at][2]
        at += 1
        while at < len(raw):
            # "images 1 and 2", "images 1, 2, and 3", "images 1-3", "image 1 and image 2"
            step = at
            through = word[step] in ("-", "to", "through")
            if word[step] in (",", "and", "&", "/", "-", "to", "through"):
                step += 1
            else:
                break
            if word[step] == "and":
                step += 1
            if raw[index][0].endswith("s"):
                more = numbers.CARDINALS.get(word[step])
            elif word[at] in ("and", "&") and word[step] in words.IMAGE_NOUNS:
                step += 1
                more = numbers.CARDINALS.get(word[step])
            else:
                more = None
            if more is None:
                break
            units += range(units[-1] + 1, more + 1) if through else [more]
            end = raw[step][2]
            at = step + 1
        self.out.append(Token(t.IMG, "", start, end, tuple(units)))
        return at

    def _collective(self, index: int, start: int, end: int) -> int:
        """Takes back ``both``, ``all three`` or a count that belongs to the word ``images``."""
        out = self.out
        units: tuple[int, ...] = ()
        while out and out[-1].kind in (t.NUM, t.BOTH, t.ALL, t.IMG, t.WORD, t.SAME, t.AND) and len(units) < 4:
            last = out[-1]
            if last.kind == t.NUM and last.value in numbers.CARDINALS:
                units = tuple(range(1, numbers.CARDINALS[last.value] + 1))
            elif last.kind == t.BOTH or last.value == "each":
                units = (1, 2)
            elif last.kind == t.ALL:
                units = units or (1, 2, 3)
            elif last.kind == t.IMG:
                units = tuple(sorted({*last.units, *units}))
            elif last.value not in ("the", "of", "these", "given"):
                break
            start = last.start
            out.pop()
        if units:
            out.append(Token(t.IMG, "all", start, end, units))
        else:
            out.append(Token(t.WORD, "images", start, end))
        return index + 1

    def _unnamed(self, index: int, start: int, end: int) -> int:
        """``the left image``, ``the missing image``, ``each image``."""
        out = self.out
        before = out[-1] if out else None
        unit = 0
        if before is not None and (before.kind == t.WORD or before.kind == t.MARK):
            place = before.value.split()[-1]
            if place in words.PLACES:
                row = out[-2].value if len(out) > 1 else ""
                unit = words.CORNERS.get((row, place), words.PLACES[place])
            elif place in words.FOURTH:
                unit = 4
            elif place == "each":
                out.pop()
                out.append(Token(t.IMG, "all", before.start, end, (1, 2, 3)))
                return index + 1
        if unit and before is not None:
            out.pop()
            name = before.value if before.kind == t.WORD else "answer"
            out.append(Token(t.IMG, name, before.start, end, (unit,)))
        else:
            out.append(Token(t.WORD, "image", start, end))
        return index + 1

    def _ordinal_word(self, index: int) -> int:
        return self._ordinal(index, numbers.ORDINALS[self.word[index]], spelled=True)

    def _ordinal(self, index: int, unit: int, *, spelled: bool = False) -> int:
        raw, word = self.raw, self.word
        _, start, end = raw[index]
        following = word[index + 1]
        if following in words.IMAGE_NOUNS:
            self.out.append(Token(t.IMG, "", start, raw[index + 1][2], (unit,)))
            return index + 2
        if following in numbers.CARDINALS and word[index + 2] in words.IMAGE_NOUNS:
            return self._first_two(index, unit)
        if (
            following in ("and", "&", ",", "to")
            and (word[index + 2] in numbers.ORDINALS or word[index + 3] in numbers.ORDINALS)
            and not (self.out and self.out[-1].kind == t.ARTICLE)
        ):
            self.out.append(Token(t.IMG, "", start, end, (unit,)))
            return index + 1
        ends = not following or not (following[0].isalnum())
        if (ends or following in words.SHOWS) and not (self.out and self.out[-1].kind == t.ARTICLE):
            stop = raw[index + 1][2] if following in ("one", "picture") else end
            self.out.append(Token(t.IMG, "ordinal" if ends else "", start, stop, (unit,)))
            return index + (2 if following in ("one", "picture") else 1)
        self.out.append(Token(t.WORD, word[index], start, end))
        return index + 1

    def _first_two(self, index: int, unit: int) -> int:
        count = numbers.CARDINALS[self.word[index + 1]]
        units = tuple(range(unit, min(unit + count, 5)))
        self.out.append(Token(t.IMG, "all", self.raw[index][1], self.raw[index + 2][2], units))
        return index + 3

    def _enumerated(self, index: int) -> int:
        """``step 2``: one word. A colon keeps ``Row: two`` apart."""
        raw, word = self.raw, self.word
        if word[index + 1] in numbers.CARDINALS or word[index + 1].isdigit():
            self.out.append(Token(t.WORD, word[index], raw[index][1], raw[index + 1][2]))
            return index + 2
        return 0

    def _placed(self, index: int) -> int:
        """``left:`` at the head of a line, ``top right:``."""
        raw, word = self.raw, self.word
        before = self.out[-1] if self.out else None
        corner = words.CORNERS.get((word[index], word[index + 1]))
        if corner and (word[index + 2] in (":", "-") or word[index + 2] in words.IMAGE_NOUNS):
            size = 3 if word[index + 2] in words.IMAGE_NOUNS else 2
            self.out.append(Token(t.IMG, "", raw[index][1], raw[index + size - 1][2], (corner,)))
            return index + size
        if (
            word[index] in words.PLACES
            and word[index + 1] in (":", "-")
            and (before is None or before.kind in (t.LINE, t.LIST, t.COMMA, t.STOP))
        ):
            self.out.append(Token(t.IMG, "", raw[index][1], raw[index][2], (words.PLACES[word[index]],)))
            return index + 1
        return 0

    # -- values that need a look ahead

    def _soccer(self, index: int) -> int:
        """``playing a game of soccer``, ``kicking a red ball``: soccer if its word comes before the phrase ends."""
        raw, word = self.raw, self.word
        text, start, end = raw[index]
        kicked = text in actions.KICK
        free = actions.KICK[text] if kicked else actions.PLAY[text]
        for at in range(index + 1, min(index + 8, len(raw))):
            ahead = word[at]
            if ahead in actions.SOCCER_WORDS and word[at - 1] != "american":
                stop = at + 1 if word[at + 1] in ("ball", "balls", "game", "match") else at
                self.out.append(Token(t.ACT if free else t.VERB, actions.SOCCER, start, raw[stop][2]))
                return stop + 1
            if kicked and text not in ("juggling", "dribbling") and ahead in ("ball", "balls"):
                self.out.append(Token(t.ACT if free else t.VERB, actions.SOCCER, start, raw[at][2]))
                return at + 1
            if not ahead[0].isalpha() or ahead in ("and", "while", "but", "or") or ahead in actions.ACTING:
                break
        if free:
            what = word[index + 1]
            named = what.isalpha() and what.endswith(("ball", "tennis", "hockey", "golf", "cards", "chess", "catch"))
            stop = index + 1 if named else index
            self.out.append(Token(t.DOING, self.text[start : raw[stop][2]], start, raw[stop][2]))
            return stop + 1
        self.out.append(Token(t.WORD, text, start, end))
        return index + 1

    def _colon_label(self, index: int) -> int:
        """``Type: dogs`` labels; the word elsewhere keeps its other meaning."""
        raw, word = self.raw, self.word
        if word[index + 1] in (":", "=", "|"):
            self.out.append(Token(t.LABEL, words.COLON_LABELS[word[index]], raw[index][1], raw[index][2]))
            return index + 1
        return 0

    def _answer(self, index: int) -> int:
        """``Answer:`` and ``answer = ``, and ``"answer": {...}``; other uses of the word are prose."""
        raw, word = self.raw, self.word
        if word[index + 1] in (":", "="):
            self.out.append(Token(t.MARK, "answer", raw[index][1], raw[index][2]))
            return index + 1
        return 0


_SPECIAL: Final = {
    **dict.fromkeys(words.COLON_LABELS, _Reader._colon_label),
    **dict.fromkeys(words.ENUMERATED, _Reader._enumerated),
    **dict.fromkeys(words.IMAGE_NOUNS, _Reader._image),
    **dict.fromkeys(numbers.ORDINALS, _Reader._ordinal_word),
    **dict.fromkeys(words.PLACES, _Reader._placed),
    **dict.fromkeys(("top", "bottom", "upper", "lower"), _Reader._placed),
    **dict.fromkeys((*actions.PLAY, *actions.KICK), _Reader._soccer),
    "answer": _Reader._answer,
}
