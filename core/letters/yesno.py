"""Words of several languages that mean yes or no, as marks for ``Y`` and ``N``."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from core.letters.folding import Folded
from core.letters.marks import SEVERAL, Form, mark
from core.letters.mentions import END_OF_WORD, MAY_FOLLOW

OPTIONS: Final = {"Y": "", "N": ""}
_PLAIN: Final = {
    "Y": "yes yep yeah yup oui ja да sí sì sim はい うん ええ 네 예 نعم हाँ हां jawohl tak evet vâng ใช่ 是的"
    " 对的 對的 正确 正確 true t y vrai wahr verdadero vero verdadeiro верно правда correct 是 对 對 有"
    " 参 참 gerçek correcto richtig 正しい 맞습니다 맞아요 صحيح सही",
    "N": "no nope nah non nein нет não nej いいえ いえ 아니요 아니오 아뇨 아닙니다 لا नहीं नही nie hayır không"
    " ไม่ 不是 不对 不對 不正确 错误 錯誤 否 没有 false f n faux falsch falso falsa неверно ложь incorrect"
    " incorrecto 거짓 間違い خطأ गलत",
}
_SURE: Final = frozenset(
    "yes yep yeah yup nope nah oui nein нет да sí sì sim não はい いいえ 네 아니요 아니오 아뇨 نعم हाँ"
    " हां 是的 对的 對的".split()
)
"""Words that are an answer wherever a reply begins with them."""
_JUDGING: Final = frozenset(
    "true false t f y n vrai faux wahr falsch verdadero falso falsa vero verdadeiro верно неверно правда"
    " ложь correct incorrect correcto incorrecto richtig gerçek 正しい 間違い 참 거짓 صحيح خطأ सही गलत".split()
)
_WORDS: Final = {word: answer for answer, words in _PLAIN.items() for word in words.split()}
_ALTERNATION: Final = "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True)).replace("はい", "はい(?!い?え)")
_BOTH: Final = re.compile(
    r"(?<!\w)(?:yes|true|oui|ja|sí|да|是) ?(?:/|\||and/or| or | and | oder | ou | o | или |或) ?(?:no"
    r"|false|non|nein|нет|否)(?!\w)|(?<![^\W\u2e80-\uffff])是否(?=[^\w]|$)",
    re.IGNORECASE,
)
_SET_OFF: Final = re.compile(
    rf"(?P<open>[(\[{{\"'*_`$]{{1,8}}) ?(?P<word>{_ALTERNATION}) ?[.,:!]?(?P<close>[)\]}}\"'*_`$]{{1,8}})(?!\w)",
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    rf"(?<![^\W\u3040-\uffff])(?<!['&+#@\\-])(?P<word>{_ALTERNATION})(?![^\W\u3040-\uffff])(?!['-]\w)", re.IGNORECASE
)
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CUED: Final = re.compile(r"(?:是|为|為|:|は|は「|은|는|が|选|選) ?\"?$")
_POLITE: Final = re.compile(r"(?:です|だ|でしょう|입니다|이다|예요|的|と思|とな)")
_PRONOUN: Final = re.compile(
    r" (?:it|the|they|there|this|that|these|those|he|she|we|because|since|both|neither|their|its|in (?:the"
    r"|this|both|image))(?!\w)",
    re.IGNORECASE,
)


def marked(folded: Folded) -> Folded:
    """Every word that can answer a question of yes or no as its mark."""

    def set_off(match: re.Match[str]) -> tuple[str, int] | None:
        if match["open"][-1:] + match["close"][:1] not in ("()", "[]", "{}", '""', "''", "**", "__", "``", "$$"):
            return None
        if not match.string[max(0, match.start() - 1) : match.start()].strip(" \n.,:;!?-(→="):
            form = (
                Form.LOWER_SHOWN
                if match["word"].lower() in _JUDGING and match["open"] not in ("[", "**")
                else Form.SHOWN
            )
            return mark(_WORDS[match["word"].lower()], form), match.start("word")
        return None

    def bare(match: re.Match[str]) -> tuple[str, int] | None:
        word, text = match["word"].lower(), match.string
        before, after = text[max(0, match.start() - 12) : match.start()], text[match.end() : match.end() + 40]
        if _UNSPACED.match(word):
            glued = bool(before) and bool(_UNSPACED.match(before[-1])) and not _CUED.search(before)
            if glued or (after and _UNSPACED.match(after) and not _POLITE.match(after)):
                return None
        if len(word) == 1 and word.isascii() and (match["word"].islower() or not END_OF_WORD.match(after)):
            return None
        if word in _SURE:
            return mark(_WORDS[word], Form.UPPER), match.start()
        if END_OF_WORD.match(after) or (word not in _JUDGING and _PRONOUN.match(after)):
            return mark(_WORDS[word], Form.LOWER if word in _JUDGING else Form.UPPER), match.start()
        return (mark(_WORDS[word], Form.LOWER), match.start()) if MAY_FOLLOW.match(after) else None

    return folded.sub(_BOTH, SEVERAL).sub(_SET_OFF, set_off).sub(_BARE, bare)


def word_length(text: str, at: int) -> int:
    """How many characters of the original the word has that was marked there."""
    lengths = [
        n
        for n in range(1, min(14, len(text) - at + 1))
        if unicodedata.normalize("NFKC", text[at : at + n]).lower() in _WORDS
    ]
    return max(lengths, default=1)
