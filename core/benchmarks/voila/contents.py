"""The texts of the data file as contents and back: descriptions, file names, answers and relations.

Exact on the vocabulary: what is not one of the 728 contents is no content. Answers given by people and models are
read elsewhere, and more kindly.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from core.benchmarks.voila.vocabulary import ANY, PLURALS, PROPERTIES, Content, all_contents

Contents = tuple[Content, Content, Content]


def _known_texts() -> dict[str, Content]:
    """Every content under its text, its subject in the singular and in the plural."""
    texts = {}
    for content in all_contents():
        for subject in (content.subject, PLURALS[content.subject]):
            texts[f"{content.number} {subject} {content.action}"] = content
    return texts


_TEXTS: Final = _known_texts()


def parse_content(text: str) -> Content | None:
    """``two senior men digging a hole`` as a content; case, spaces and singular or plural do not matter."""
    return _TEXTS.get(text) or _TEXTS.get(" ".join(text.split()).casefold())


_FILE_NAME: Final = re.compile(r"(?:.*[/\\])?([^_/\\]+_[^_/\\]+_[^_/\\.]+)(?:_\w+)?(?:\.\w+)?\Z")


@lru_cache(maxsize=1024)
def parse_file_name(name: str) -> Content | None:
    """``two_senior men_digging a hole_16.png`` as a content; folder, variant and ending may be missing."""
    found = _FILE_NAME.match(name)
    return parse_content(found[1].replace("_", " ")) if found else None


def file_name(content: Content, variant: int | None = None) -> str:
    """``two_senior men_digging a hole_16.png``; without a variant, the name a missing one goes by."""
    subject = content.subject if content.number == "one" else PLURALS[content.subject]
    tail = "" if variant is None else f"_{variant}"
    return f"{content.number}_{subject}_{content.action}{tail}.png"


_ANY_WORDS: Final = {
    "number": r"any(?: number(?: of)?)?",
    "subject": r"(?:any(?:thing|one|body)?|any (?:subjects?|subject types?|animals?))",
    "action": r"(?:any(?:thing)?|any (?:actions?|activity|activities)|doing any(?:thing| actions?| activity)?)",
}


@lru_cache(maxsize=1024)
def _answer_pattern(answer: Content) -> re.Pattern[str]:
    words = []
    for name in PROPERTIES:
        value = answer.value(name)
        if value == ANY:
            words.append(_ANY_WORDS[name])
        elif name == "subject":
            words.append(f"(?:{re.escape(value)}|{re.escape(PLURALS[value])})")
        else:
            words.append(re.escape(value))
    return re.compile(" ".join(words))


def says(text: str, answer: Content) -> bool:
    """Whether a text of the data file is this answer.

    A value that is any may be written ``any``, ``any number``, ``[any subject]``, ``doing anything`` and the like
    (paper figure 1); how the distraction file words it is not known beyond that it holds "any".
    """
    if text == answer.text():
        return True
    plain = " ".join(text.translate(_BRACKETS).split()).casefold().rstrip(".")
    return _answer_pattern(answer).fullmatch(plain) is not None


_BRACKETS: Final = str.maketrans(dict.fromkeys("[](){}<>\"'_", " "))


def combined_text(contents: Contents) -> str:
    """The published ``combined_description``."""
    return ". ".join(f"Image {place}: {content.text()}" for place, content in enumerate(contents, 1))


def relations_text(contents: Contents) -> str:
    """The published ``Real_relations``: what changed from picture 1 to picture 2 (its final space is the file's)."""
    sentences = []
    for name, noun in (("number", "Number"), ("action", "Action"), ("subject", "Subject type")):
        first, second = (_as_shown(content, name) for content in contents[:2])
        same = contents[0].value(name) == contents[1].value(name)
        verb = f"remains constant {first}" if same else f"is changed from {first} to {second}"
        sentences.append(f"{noun} {verb}. ")
    return "".join(sentences)


def _as_shown(content: Content, name: str) -> str:
    plural = name == "subject" and content.number != "one"
    return PLURALS[content.subject] if plural else content.value(name)
