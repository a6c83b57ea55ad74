"""Which option letter, yes or no, or text a reply gives as its answer; a letter is never guessed.

``folding`` keeps the way back to the original's characters, ``marks`` and ``mentions`` turn a reply into a sketch of
words and marks, ``cues`` holds the wordings, ``claims`` finds what is said to be the answer, ``verdict`` weighs it.
From outside, import what is named here only.
"""

from core.letters.reader import Reading, read_choice, read_yes_no
from core.letters.texts import text_matches

__all__ = ["Reading", "read_choice", "read_yes_no", "text_matches"]
