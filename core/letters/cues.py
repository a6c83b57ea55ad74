"""The words that say "this is my answer", take one back, or only consider it; patterns over a sketch."""

from __future__ import annotations

import re
from typing import Final

from core.letters.marks import BOX, FIRM, MARK, SEVERAL, SHOWN, TICK

M: Final = f"(?:{MARK}|{SEVERAL})"

_BE: Final = (
    r"(?:(?:is|was|are|be|would(?: then)? be|should be|must be|has to be|have to be|will be|can only be"
    r"|might be|may be|could be"
    r"|seems to be|seems|appears to be|appears|looks to be|looks like|remains|becomes)(?!\w)|[:=→]|->|=>|-(?= ))"
)
_RELATIVE: Final = (
    r"(?: (?:to|for|of|among|amongst|from|in|based on|that|which|here|above|given|out of|then|now|after"
    r"|on)(?!\w)[^.,:;!?\n\ue000-\uf8ff]{0,70}?)?"
)
_QUALITY: Final = (
    r"(?:correct|right|best|most [a-z]+(?: (?:and|or) [a-z]+)?|final|appropriate|suitable|accurate|closest"
    r"|likeliest|valid"
    r"|chosen|selected|helpful|optimal|ideal|proper|true|predicted|logical|useful|strongest)"
)
_THING: Final = (
    r"(?:options?|choices?|one|questions?|match|selection|pick|alternative|letter|description|statement"
    r"|guess|decision|response|conclusion"
    r"|relation|relationship|answers?|candidate|fit|step|interpretation)"
)
_NOUN: Final = (
    rf"\b(?:answers?|ans|solution)(?: (?:choice|option|letter|key))?{_RELATIVE}'? ?{_BE}"
    rf"|\b(?:answer|ответ|antwort|respuesta|réponse|resposta|risposta|答案|الجواب|جواب)(?= ?{M}(?:[.!]? ?(?:$|\n)))"
    r"|\banswer's(?= )"
    rf"|\b{_QUALITY}(?: (?:next|possible|first|follow-up|available|helpful|answer))?"
    rf" {_THING}(?: {_THING})?{_RELATIVE}'? ?{_BE}"
    r"|(?:(?<=[\n,])|^) ?(?:my |the )?(?:final |selected |chosen |correct |best |predicted )?(?:option"
    r"|choice|selection|prediction|response|conclusion|final"
    r"|result|verdict|pick|letter|label|decision|output|best|correct|guess|assistant|ai|bot|model|selected"
    r"|chosen|in short|in summary|summary|bottom line|tl;dr)'? ?[:=]"
    r"|\[(?:final )?(?:answer|答案|正解|答え|정답|답|ответ|respuesta|antwort|réponse)\]"
    r"|\bmy (?:guess|choice|pick|bet|vote|selection|decision|conclusion|final choice|best guess)(?:"
    r" (?:here|then))? ?(?:is|would be|goes to|:)"
    r"|(?:答案|答案选项|正解|正答|答え|回答|解答|答|結論|结论)[^.,:;!?\n\ue000-\uf8ff]{0,12}?(?:应该是"
    r"|應該是|应为|應為|就是|是|为|為|选择|选|選|は|が|:|=|→|-)"
    r"|(?:正确|正確|最佳|最合适|最有帮助|最恰当|符合|最合適)的?(?:选项|選項|问题|一项|選択肢)?(?:应该|應該"
    r"|应|應|就)?(?:是|为|為|:)"
    r"|(?:正しい|最も適切な|最適な|適切な)[^.,:;!?\n\ue000-\uf8ff]{0,10}?(?:は|が)"
    r"|(?:정답|답|답변|대답|옳은 것|올바른 것|맞는 것|올바른 선택지"
    r"|정답지)[^.,:;!?\n\ue000-\uf8ff]{0,10}?(?:은|는|이|가|:|=|-)"
    r"|\b(?:respuestas?|resposta|risposta|réponse|reponse|antwort|lösung|ответ|odpowied[zź]|antwoord"
    r"|jawaban|svaret?|vastaus"
    r"|đáp án|cevap|yanıt|solución|solução|alternativa correta|opción correcta|opción|opzione corretta"
    r"|bonne option|option correcte"
    r"|richtige option|korrekte option|richtig|вариант|вариант ответа|выбор|elección|scelta|choix|auswahl"
    r"|wahl|correcta|bonne|correta)"
    r"(?: (?!no\b|nicht\b|pas\b|не\b)[^ .,;:!?\n\ue000-\uf8ff]{1,16}){0,4}? ?"
    r"(?:(?:es|sería|debe ser|est|serait|doit être|ist|wäre|lautet|muss|é|seria|è|sarebbe|является|будет"
    r"|jest|is|adalah|là|på|är|on)(?!\w)|[:=→]|-(?= ))"
    r"|(?:الإجابة|الاجابة|الجواب|إجابتي|الخيار الصحيح|الخيار)(?: الصحيحة| الصحيح| النهائية| المناسبة)?(?:"
    r" هي| هو)? ?:?"
    r"|(?:उत्तर|जवाब|विकल्प)(?: (?:है|विकल्प))? ?[:=-]?"
    r"|คำตอบ[^.,;!?\n\ue000-\uf8ff]{0,14}?(?:คือ|:)"
)
_VERB: Final = (
    r"\b(?:i|i'd|i'll|i'm|we|we'll|let's|let me|i would|i will|i am|we would|therefore|thus|so|hence|must"
    r"|should|but|and)"
    r"(?: (?:would|will|have to|must|can|do|am|should|also|still|therefore|then|thus|now|definitely"
    r"|confidently|go ahead and|finally|ultimately"
    r"|going to|have|lean))* (?:choose|chose|chosen|pick(?:ed)?|select(?:ed)?|go(?:ing)? (?:with|for)|went"
    r" with|opt(?:ed)? for|vote for|settle (?:on|for)"
    r"|say|guess|answer(?: with)?|mark|ask|tick|conclude(?: that)?|think(?: that)?|believe(?: that)?"
    r"|choosing|picking|selecting|leaning towards?|leaning to"
    r"|lean(?:ing)? towards?|towards?|stick with|sticking with|put|submit|take|bet on)(?: it's| it is| it"
    r" must be)?(?= )"
    r"|(?:(?<=[.!?\n,])|^) ?(?:choose|choosing|pick|picking|select|selecting|selected|chose|picked|go with"
    r"|going with|opting for)(?= )"
    r"|(?<![不别別没非勿])(?:应该|應該|应|應|该|該|我|故|所以|因此|只能|正确|会|會|最终|最後|于是"
    r"|建议)*(?:选择|選擇|选取|选|選)(?:了|的是|是)?(?![项項择擇肢択题題])"
    r"|\b(?:elijo|escojo|selecciono|elegiría|escogería|me quedo con|(?:ich )?wähle|ich würde|ich nehme"
    r"|entscheide mich für|tippe auf|je choisis"
    r"|je choisirais|j'opte pour|je sélectionne|escolho|eu escolheria|scelgo|sceglierei|выбираю|я бы"
    r" выбрал[аи]?|я выбрал[аи]?|ik kies|wybieram|seçiyorum|chọn|saya memilih)(?= )"
    r"|(?:أختار|اخترت|سأختار)(?: الخيار)?(?= )"
)
_ADVERB: Final = (
    r"(?:(?<=[.!?\n,;:-])|(?<=[.!?,;:-] )|^)(?:(?:and|but) )?(?:definitely|probably|most likely|likely"
    r"|surely|clearly|certainly|obviously|maybe|perhaps|possibly|no doubt|without (?:a )?doubt|undoubtedly"
    r"|must be|it looks like|looks like|if (?:i (?:must|had to|have to)|forced to) (?:choose|pick|guess)"
    r"|(?:creo que|pienso que|je pense que|je crois que|ich denke|ich glaube|ich meine|думаю|я думаю|penso"
    r" che|acho que),?(?: что| dass)?"
    r"(?: (?:es|c'est|es ist|это|sia|é|è))?|gotta be|has to be"
    r"|well|indeed|absolutely"
    r"|i (?:think|believe|guess|feel)|in my opinion|sure|okay|ok|final answer|answer|it's|it is|it must be"
    r"|it has to be|it should be|it would be"
    r"|c'est|c'est la|es ist|es la|sería la|that would be|that must be|that"
    r" leaves(?: us with)?|leaving(?: only)?|which leaves)[,!:.]?(?= )"
)
_LIKELY: Final = r"(?<![不别])(?:应该|應該|肯定|大概|显然)是(?= ?[\ue000-\ue0ff])"
_CONCLUDE: Final = (
    r"(?:(?<=[.!?\n,;:-])|(?<=[.!?,;:-] )|^)(?:and )?(?:so|ergo|therefore|thus|hence|consequently|in conclusion"
    r"|overall|in summary|ultimately|to conclude|finally"
    r"|因此|所以|故|综上(?:所述)?|よって|したがって|따라서|그러므로|por (?:lo )?tanto|así que|donc|daher"
    r"|deshalb|somit|folglich|portanto|logo|quindi|dunque"
    r"|итак|поэтому|следовательно|значит|إذن|لذلك|इसलिए),?(?: (?:it's|it is|it must be|it has to be|that's"
    r"|that is|that would be|this is|i think|i'd say|c'est|es|ist es|это))?(?=[ :\ue000-\uf8ff])"
)
_CORRECT: Final = (
    r"(?:(?<=[.!?\n,;:-])|(?<=[.!?,;:-] )|^)(?:oh )?(?:no,? )?(?:but )?(?:actually|correction|rather|i"
    r" meant?|make that|scratch that|sorry|wait|no(?! doubt| other| further| more)|hmm|instead|oops|更正"
    r"|其实是?|いや|아니|en realidad|corrección"
    r"|en fait|eigentlich|korrektur|нет|на самом деле)[,:.!]?(?: (?:actually|no|wait|sorry|it's|it is|it"
    r" should be|it must be|it has to be|i meant?|so|that's|make that|make it|then|was|es|ist es|c'est"
    r"|это),?)*(?=[ :\ue000-\uf8ff])"
)
_EVIDENCE: Final = (
    r"\b(?:match(?:es|ing)?|leav(?:es|ing)(?: us with)?(?: only| just)?|corresponds? (?:best )?to|best"
    r" (?:described|represented|matched|explained"
    r"|captured) by|points? (?:clearly )?to(?:wards?)?|indicates?"
    r"|suggests?|supports?|consistent with|aligns? (?:best )?with)(?= )"
)

HEAD: Final = re.compile(
    f"(?P<correct>{_CORRECT})|(?P<conclude>{_CONCLUDE})|(?P<noun>{_NOUN})|(?P<verb>{_VERB})"
    f"|(?P<adverb>{_ADVERB}|{_LIKELY})"
    f"|(?P<evidence>{_EVIDENCE})|(?P<box>{BOX})|(?P<tick>{TICK})"
)

HEAD_WORDS: Final = re.compile(
    r"(?P<noun>\b(?:statement|claim|assertion|sentence|description|proposition|premise|caption|hypothesis"
    r"|aussage|affirmation|afirmación|утверждение)(?: [a-zà-ÿ]+){0,3}? (?:is|would be|seems|must be|ist"
    r"|est|es)(?!\w)"
    r"|(?:这个|该|此)?(?:说法|陈述|描述|判断)(?:是))|" + HEAD.pattern.replace("?P<noun>", "?P<noun_>")
)

GLUE: Final = re.compile(
    r"(?:[:\n>→=,\"'(\[-] ?|(?:the|option|options|choice|answer|letter|number|item|most definitely|of"
    r" course|i think,?|clearly|definitely"
    r"|probably|most likely|likely|therefore|thus|indeed|actually"
    r"|still|also|simply|just|obviously|certainly|then|now|question|statement|is|be|it's|it is|that|as"
    r" follows|only|follows|as"
    r"|la|le|les|el|der|die|das|donc|entonces|luego|por tanto|lo|il|los|a|opción|opzione|opção|alternativa"
    r"|letra|lettre|lettera|inciso"
    r"|buchstabe|antwort|respuesta|réponse|resposta|claramente"
    r"|probablemente|wahrscheinlich|probablement|eindeutig|clairement|вариант|буква|под буквой|опция"
    r"|скорее всего|очевидно|это|пункт|опцию|ответ"
    r"|الخيار|الحرف|هو|هي|विकल्प|है|선택지|보기|số|đáp án|ข้อ)(?![^\W\u2e80-\uffff])(?!') ?"
    r"|l'(?=[a-zé\ue000-\ue0ff])|(?:选项|選項|选择|選択肢|字母|第) ?|おそらく|明らかに|应该是|應該是|是|为"
    r"|為|选|選){0,8}"
)
NOT: Final = re.compile(
    r"(?:not|n't|never|neither|no longer|nicht|pas|不是|不|并非|не|no|keine?|nor|certainly not|definitely"
    r" not|clearly not)(?![^\W\u2e80-\uffff]) ?"
)

JOIN: Final = re.compile(
    r"(?: ?, ?(?:and |or |& )?| ?(?:and|or|&|\+|/|y|o|u|und|oder|et|ou|e|и|или|as well as|plus|and/or|→|أو|و"
    r"|या|और) ?| ?(?:和|与|與|或|及|以及|と|か|과|와|또는|이나|나|或者) ?| ?)"
    rf"(?:also |both |option |choice |letter |la |opción |选项|選項|選択肢)?(?={M})"
)
FURTHER: Final = re.compile(
    r"[^.;,!?\n\ue000-\uf8ff]{0,80}? (?:and|or|&|y|o|und|oder|et|ou|и|или) (?:also |option |choice |maybe "
    r"|possibly )?" + f"({M})"
)
CAUSE: Final = re.compile(
    r"\b(?:because|since|as|which|while|whereas|not|but|than|over|instead|if|unless|given|due|porque|weil"
    r"|car|parce|потому)\b"
)
VERB_AFTER: Final = re.compile(
    r"\)?(?: ?(?:both|all|only|on the other)|,? ?(?:is|are|was|were|isn't|aren't|has|have|had|shows?|would"
    r"|will|can|can't|cannot|could|might|may|must|should|seems?|appears?|does|do|doesn't|don't|did|didn't"
    r"|matches|fits|fails?"
    r"|contains?|depicts?|says?|describes?|mentions?|states?|looks?|refers?|makes?|asks?|involves?"
    r"|represents?|suggests?|implies|indicates?|zeigt|ist|sind|muestra|es|son|montre|est|sont"
    r"|показывает))(?![\w'])"
)
LIST_WRONG: Final = re.compile(
    rf"(?P<marks>{M}(?:(?: ?, ?(?:and |or )?| ?(?:and|or|&|和|y|und|et|и|と) ?)(?:option )?{M}){{1,9}})(?:"
    rf" ?(?:都不|都错|都錯|均不)|"
    r" (?:are|were|do not|don't|can be|can both be|cannot|can't|both|all|scheiden|sont|sind|son)(?: all|"
    r" both| also| clearly)? ?"
    r"(?:wrong|incorrect|not\b|n't|out\b|false|eliminated|ruled|excluded|fit|match|be\b|less|irrelevant"
    r"|unhelpful|distractors?|aus|falsch|fausses|incorrectas|fail|don't|do not))"
)
BOTH_WRONG: Final = re.compile(
    rf"(?: ?(?:,|and|or) ?(?:and )?(?:option )?{M}){{0,9}} (?:are|were|do not|don't|can be|cannot|can't"
    rf"|both|all|is|was)(?: all| both)? ?(?:wrong|incorrect|not|n't|out|false|eliminated|ruled|excluded|fit"
    rf"|match|be|less|irrelevant|unhelpful|distractors?)"
)
ASKED: Final = re.compile(r"[)\"']?\s?\(?\?")
TAKEN_BACK: Final = re.compile(
    r"[)\"']?[ .,…?!\n-]{0,6}(?:no|nope|nein|non|нет|wait|不对|不,|いや|아니)(?:(?=\s*[,.!;-])|(?= ?wait)"
    r"|\s*$|(?= that's not| that is not| it's not| it is not))"
)
NOT_AFTER: Final = re.compile(
    r"[)\"']?(?:番|번|项|項| है)? ?(?:では(?:な|あり)|じゃな|でな|でもな|(?:가|이|은|는|도)? ?아니|(?:가"
    r"|이|은|는)? ?아닙|नहीं|değil|ليس|是错|不是|不对|不正)"
)
"""A denial that follows what it denies."""
PREMISE: Final = re.compile(
    r"(?:^|[.!?\n] ?)(?:unless|suppose|if (?!(?:i|we|you|one|anything|so|not|necessary)\b)|should (?:it"
    r"|the|this|you|there)\b|when in doubt"
    r"|(?:si|wenn|falls|если|jika|nếu|अगर|यदि|إذا|لو|sofern|cuando) |se (?!trata|ve|observa|muestra|puede)"
    r"|如果|若|假如|もし|만약|만일)[^.!?\n]*$"
)
QUOTED: Final = re.compile(
    r"\b(?:signs?|labels?|texts?|captions?|posters?|notes?|boards?|it|which|he|she|they|that) (?:says?"
    r"|reads?|states?|said)\b[ :]*(?:(?:the|my|correct|right|that) )*$|\bwritten\b[^.]*$"
)
IF_AFTER: Final = re.compile(r"[^.;,!?\n\ue000-\uf8ff]{0,20}? ?(?:if|unless|only when|provided|were it|had)\b")
END: Final = re.compile(
    r"[)\"'\]]? ?(?:$|[.!;\n\ue101\ue102]|,(?! ?(?:and |or )?[\ue000-\ue0ff])|- |→| because\b| since\b| as"
    r" (?:it|the|both|they|this)\b| not\b| rather\b| for (?:the|sure)\b| here\b| due\b| based\b"
    r"|です|だ|でしょう|입니다|이다|예요|이에요|번|项|項|です|になります|。| है| ise\b| ja\b)"
)
CHOSEN_END: Final = re.compile(
    r"[)\"'\]]? ?(?:$|[.!;:\n,(\ue101\ue102-]| (?:because|since|as|for|here|not|rather|over|instead|based"
    r"|due|given|with|in|and|so|which|from|on|to|but|this|it|the|where|when)\b|[^\x00-\x7f])"
)

_SURE: Final = (
    r"(?:(?:therefore|thus|clearly|most definitely|quite clearly|of course|i think,?|i believe,?|without"
    r" (?:a )?doubt,?|definitely|probably|likely|most likely|indeed|actually|also|still|hence"
    r"|then|certainly|obviously|undoubtedly) )?"
)
_ABLE: Final = (
    r"(?:likely|helpful|appropriate|accurate|suitable|relevant|useful|logical|plausible|proper|valid"
    r"|reasonable|fitting|probable)"
)
_POINT: Final = (
    rf"{_SURE}(?:(?:the |my |our )?(?:(?:only |single )?(?:correct|right|best|true|closest)|(?:final "
    rf"|better )?(?:answer|choice|pick)"
    r"|(?:only )?(?:remaining|possible|viable) (?:option|answer|choice)|better (?:option|fit|match)"
    r"|what i(?:'d|'ll| would| will)? (?:choose|pick|select|go with)|one (?:left|remaining|(?:that"
    r" )?i(?:'d|'ll| would| will)? (?:choose|pick|select|go with)))"
    rf"|(?:the )?most {_ABLE})(?: (?:and|or) (?:most )?(?:correct|right|best|{_ABLE}))?"
    r"(?: (?:answer|option|choice|one|match|fit|question|description|next question|statement|response|conclusion|pick"
    r"|next step|guess))*"
)
_SAID: Final = rf"(?P<mark>{M})"
_ASIDE: Final = r"(?: ?\([^()\n\ue000-\uf8ff]{0,100}\)|[,:.)]? [^.;!?\n\ue000-\uf8ff]{1,100}?,?)??"
AFTERWARDS: Final = re.compile(
    rf"{_SAID}(?P<aside>{_ASIDE})\)?,? ?(?:(?:is|must be|has to be|would be|should be|seems|seems to be"
    rf"|appears to be|will be|can only be|remains|are|are both|both are|are all) {_POINT}"
    r"(?=$|[ ]?[.,;!:)\n-]| (?:because|since|as|here|for|to|among|given|based|out)\b)"
    r"|(?:best|accurately|correctly) (?:fits|matches|describes|answers|captures|explains)(?!\w)|(?:fits"
    r"|matches|works|describes|answers|captures|explains) (?:it |this |everything |the [a-z"
    r" ]{1,40} |both [a-z ]{1,30} )?best\b"
    r"|(?:选项|项|項|選項)?(?:是|才是|为|為)?(?:最|更)?(?:正确|正確|对的|對的|合适|合適|符合|恰当|有帮助"
    r"|佳)的?(?:答案|选项|一项)?(?=$|[.,;!\n])"
    r"|(?:が|は)(?:最も|一番)?(?:正解|正しい|適切|答え|正答|当てはま)|を(?:選|選択)(?!ば)|(?:이|가|은|는"
    r"|번이) ?(?:정답|맞|옳|가장 적절|답)|(?:를|을) ?(?:선택(?:합|했|하겠)|고르겠|골랐)"
    r"|(?:es|sería) (?:la |el )?(?:opción |respuesta )?(?:correct[ao]|respuesta)\b|ist (?:die )?(?:richtig"
    r"|korrekt|beste)\w*|est (?:la )?(?:bonne|correcte?|réponse)\b"
    r"|(?:é|è) (?:a |la )?(?:opção |risposta )?(?:corret[ao]|corretta|resposta|giusta|certa)\b|(?:является"
    r" |- |это )?(?:верн|правильн)\w*"
    r"|(?:هو|هي) (?:الصحيح|الإجابة|الجواب|الخيار الصحيح)ة?|(?:सही|उत्तर)(?: (?:उत्तर|विकल्प))?(?: है)?|(?:चुन|को चुन)"
    r"| ?(?:richtig|korrekt)(?!\w)"
    r"| it is(?=[.!]|$|\n)"
    rf")|(?P<ticked_>{MARK})[.):]? ?[^\n\ue000-\uf8ff]{{0,120}}?[-(:] ?(?:correct|right|yes|this is correct"
    rf"|this is the answer)(?=[).,!]?[ ]?(?:\n|$)|,)|(?P<ticked>{MARK})[.):]?"
    rf" [^\n\ue000-\uf8ff]{{0,120}}{TICK}"
)
REFUTED: Final = re.compile(
    rf"(?P<mark>{M})\)?(?: ?\([^()\n\ue000-\uf8ff]{{0,100}}\))?,? ?(?:(?:is|was|are|seems|appears|would be"
    rf"|must be|can be|looks|has been|should be)(?: [a-z]+ly| also| therefore| thus| simply)? ?"
    r"(?:wrong|incorrect|not\b|n't\b|false|out\b|eliminated|excluded|ruled out|invalid|irrelevant"
    r"|implausible|impossible|discarded|unlikely|a distractor|no longer)"
    r"|isn't|doesn't|does not|can't|cannot|won't|fails|no\b(?! doubt)|(?:选项|项)?(?:是)?(?:错|不对|不正确"
    r"|不符合|错误|不是|排除|不正確|錯)|は(?:誤|違|不正解|間違)|(?:은|는) ?(?:틀|오답|아니)"
    r"|no es|es incorrect|ist (?:nicht|falsch)|n'est pas|est (?:fausse?|incorrecte?)|não é|è sbagliat|non"
    r" è|не |неверн|неправильн|- неверн|- неправ|غير صحيح|خطأ|गलत"
    r"|\ue103)"
)
RULED_OUT: Final = re.compile(
    rf"(?:\b(?:rul(?:e|es|ed|ing) out|eliminat(?:e|es|ed|ing)|exclud(?:e|es|ed|ing)|discard(?:ed)?"
    rf"|dismiss(?:ed)?|reject(?:ed)?|not|isn't|neither|nor|rather than|instead of|than|aside from|except"
    rf"|unlike)|排除|不选|不選|不是|而不是|消去)"
    rf"(?: (?:the|both|option|options|choice|answer|choose|pick|select|go with|be|from))*"
    rf" ?(?P<marks>{M}(?:(?:, | and | or |, and |, or |/|、|和){M}){{0,9}})"
)

UNSURE: Final = re.compile(r"\b(?:might|may|could|maybe|perhaps|possibly)\b")
"""Not yet an answer, if there is another that is one."""
NOT_MINE: Final = re.compile(
    r"\b(?:initially|at first|first (?:thought|guess|glance|impression|look|instinct)|(?:might|may|could"
    r"|would|can) (?:seem|think|appear|assume|guess|be tempted|have (?:thought|said))|tempt\w*|mistake\w*"
    r"|wrong(?:ly)?|incorrect(?:ly)?|previous(?:ly)?|earlier"
    r"|users?|claim(?:s|ed)?|least|opposite|someone|some|people|many|others?|trap|distractors?|second[-"
    r" ]best|alternative answer|second choice|whether|suppose|assum\w+|imagine|had|expected? to"
    r"|example|format|template|placeholder|instructions?|prompt|asks? (?:me )?to|you (?:can|could|may"
    r"|might|should|would|must|will)|you|student|naive|thought|once|hypothetical\w*|pretend|decoy)\b"
)
NEGATED: Final = re.compile(
    r"(?:\b(?:not|never|cannot|hardly|neither|nor|não|non|ne|nie|niet|bukan|inte|ikke|không|не|nicht"
    r"|kein\w*|nobody|nothing|no one|refus\w+|deny|denies|no|none|unlikely"
    r"|doubt(?:ful)?|rule out|without|fails? to)|n't)\b|不认为|不能|并不|没有|思わない|ません|не думаю"
    r"|nicht glaube|no creo|ne pense pas"
)
NO_DOUBT: Final = re.compile(
    r"\b(?:no|without(?: a| any)?|not? (?:a|any)?|beyond) ?(?:doubt|question)\b|\bnot only\b|\bno (?:other"
    r"|further)\b|\bcan't (?:help but|be anything but)\b"
)
CONDITION: Final = re.compile(
    r"\b(?:if|whether|unless|suppose|assuming|when)(?: [^ ,]+){0,3} ?$|\b(?:si|wenn|falls|если|se|如果|若"
    r"|もし|만약)(?: [^ ,]+){0,3} ?$"
)
CLAUSE: Final = re.compile(
    r"[.:;!?\n,()]|(?<![\w'])(?:so|therefore|thus|hence|but|because|and|which means|though|although"
    r"|however|since|as|then)(?![\w'])|所以|因此|故"
)
ECHO: Final = re.compile(
    r"\b(?:answer|respond|reply|select|choose|pick|return|output|write|give|provide|one)(?: only|"
    r" just)?(?: with| from| of| between| among)?(?: the| one| either| exactly| a| single| only| letter|"
    r" option| of| your| answer| as| following| word| in)*[: ]*$"
)
BACK: Final = re.compile(
    r"\b(?:wait|actually|hmm+|on second thought|correction|sorry|apologi\w+|let me (?:re|double|look"
    r"|correct|think again|check|reconsider)\w*|re-?(?:check|examin|evaluat|consider|read|count|think"
    r"|visit|assess|analy[sz])\w*"
    r"|upon closer|closer (?:look|inspection)|looking (?:again|more)|mistake|scratch that|i mean|i meant"
    r"|strike that|my bad|oops|revis\w+|update|change my (?:mind|answer)|no longer|on reflection|after all"
    r"|instead|however|but then"
    r"|mejor dicho|corrección|corrijo|en realidad|perdón|espera|attendez|en fait|plutôt|pardon|moment|halt"
    r"|eigentlich|korrektur|doch|подождите|точнее|на самом деле|исправлюсь|ошиб\w+|na verdade|espere"
    r"|aspetta|anzi|in realtà)\b"
    r"|(?:(?<=[.!?\n-])|(?<=[.!?-] )|^)(?:no|nope|nein|non|нет)(?=[,.! -])|\bno, |不对|等等|等一下|其实"
    r"|更正|重新|不,|いや|待って|訂正|実は|아니|다시|잠깐|정정|لا,|في الواقع|नहीं|रुको"
)
JOINED: Final = re.compile(r"[\s,.\ue100-\ue103]*(?:and|or|&|y|o|und|oder|et|ou|和|或|と)?[\s,\ue100-\ue103]*")
FINAL: Final = re.compile(r"\bfinal(?:ly|e)?\b|最终|最後|最終|최종|definitiv|окончательн|النهائية|अंतिम|\bfinal ")
THEN: Final = re.compile(
    r"\b(?:so|therefore|thus|hence|consequently|in conclusion|conclusion|overall|in summary|ultimately|to"
    r" conclude|por (?:lo )?tanto|así que|donc|daher|deshalb|somit|portanto|quindi|итак|поэтому"
    r"|следовательно|таким образом)\b"
    r"|因此|所以|故|综上|よって|したがって|따라서|그러므로|لذلك|इसलिए"
)
LABEL: Final = re.compile(
    rf"(?:(?:(?<=\n)|^)(?:option |choice |选项|選項|選択肢 ?)?(?P<line>{FIRM})(?=[ .):,\n]|$)|(?<=["
    rf" ;,\n(])(?<!is )(?<!be )(?<!with )(?<!pick )(?<!choose )(?<!select )(?<!not )(?:option |choice"
    rf" )?(?P<inline>{FIRM})[.):](?= |$)|(?<=[ ;,\n])(?P<shown>{SHOWN})(?= [^\ue000-\uf8ff ]))"
)
