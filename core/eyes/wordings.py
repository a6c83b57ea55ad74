"""Other wordings of the app's prompts, so that the model learns what is asked and not one text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_ANY: Final = " Where no rule holds, say any."


def _voila(describe: str, relate: str, apply: str, direct: str, form: str = "") -> dict[str, str]:
    return {
        "describe": describe,
        "describe_format": form,
        "relate": relate,
        "relate_format": form,
        "apply_nd": apply,
        "apply_wd": apply + _ANY,
        "direct_nd": direct,
        "direct_wd": direct + _ANY,
        "apply_format": form,
    }


VOILA: Final[tuple[Mapping[str, str], ...]] = (
    _voila(
        "Describe {images}: the number, the subject and the action in each.",
        "What changed and what stayed the same from image 1 to image 2? Give number, subject and action.",
        "Image 4 relates to image 3 as image 2 relates to image 1. Give number, subject and action of image 4.",
        "Look at {images}. Image 4 relates to image 3 as image 2 to image 1. What does image 4 show?",
    ),
    _voila(
        "Please say what you see in each of {images}.",
        "Compare the first two images, property by property.",
        "What would the fourth image show, if the same change is made to the third?",
        "What would a fourth image show, if the third changes as the first does to the second?",
        "Keep to the usual form.",
    ),
    _voila(
        "How many of what are doing what? Answer for image 1, image 2 and image 3.",
        "From image 1 to image 2: is the number the same, is the subject the same, is the action the same?",
        "Now use this on image 3 and complete the analogy.",
        "Complete the analogy: image 1 is to image 2 as image 3 is to what?",
    ),
    _voila(
        "These are {images}. Who is in them, how many are there, and what do they do?",
        "Say for each of number, subject and action whether it changed between the first and the second image.",
        "Which image belongs in the fourth place? Name its number, its subject and its action.",
        "Which image belongs in the fourth place of this analogy? Name its number, its subject and its action.",
        "Be brief.",
    ),
    _voila(
        "Step 1. Describe every image in one line.",
        "Step 2. Find the relation between image 1 and image 2.",
        "Step 3. Apply the relation to image 3 and describe the missing image.",
        "Find the relation between image 1 and image 2, apply it to image 3 and describe the missing image.",
    ),
    _voila("Describe {images}.", "Relate the first two.", "Apply that to the third.", "Relate and apply."),
)
BRIEF: Final = 5
"""The shortest of VOILA's: most of what is learned in words alone is asked in it."""

MMRA: Final[tuple[Mapping[str, str], ...]] = (
    {
        "true_false": "{question} Answer Yes or No.",
        "choice": "{Question}\nA: {A}\nB: {B}\nC: {C}\nD: {D}\nAnswer with a letter in brackets.",
        "choice_other": "{Question} Choose one of the {count} options: {options}. Answer with {letters}.",
    },
    {
        "true_false": "Look at both images. {question}",
        "choice": "Two images, one question: {Question} Options: A: {A}, B: {B}, C: {C}, D: {D}",
        "choice_other": "Two images, one question: {Question} Options: {options}",
    },
)

VREX: Final[tuple[Mapping[str, str], ...]] = (
    {"follow": "Choose the right option.", "direct": "Choose the right option.", "question": "{question}"},
    {
        "follow": "Answer with the letter of an option in parentheses.",
        "direct": "Answer with the letter of an option in parentheses.",
        "question": "About the image: {question}",
    },
)
