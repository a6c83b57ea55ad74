"""Which option letter, yes or no, or text a reply gives as its answer; a letter is never guessed.

``folding`` keeps the way back to the original's characters; ``marks`` and ``mentions`` (``yesno`` for words) turn a
reply into a sketch of words and marks, which ``pages`` makes easy to look things up on. ``cues`` holds the wordings,
``saying`` and ``placing`` find what is given as the answer, ``claims`` puts it in order and ``verdict`` weighs it.
From outside, import what is named here only.
"""

from core.letters.reader import Reading, read_choice, read_yes_no
from core.letters.texts import text_matches

__all__ = ["Reading", "read_choice", "read_yes_no", "text_matches"]
