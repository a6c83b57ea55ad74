"""Words for the fourteen subjects, the near words that count as them, and nouns outside the vocabulary.

The paper's judge took near subjects (mice for hamsters) and number forms (men for man), but not another age or
gender (woman for senior woman); the prompts are in its figures 16-19, shown only as pictures. Here a near word is
a young or pet name of the same animal (puppy, kitten, bunny), a breed of dog, a small rodent for hamster, an ape
for monkey, a hare for rabbit. Words that leave age or gender open (child, kid, person, elderly couple) stand for
no subject, and neither does a cousin between two animals of the list (coyote, canine).
"""

from __future__ import annotations

from typing import Final

from core.benchmarks.voila.reading.kinds import listed
from core.benchmarks.voila.vocabulary import PLURALS


def _plural(noun: str) -> str:
    if noun.endswith(("man",)):
        return noun[:-2] + "en"
    if noun.endswith("child"):
        return noun + "ren"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    if noun.endswith(("x", "s", "ch", "sh")):
        return noun + "es"
    return noun + "s"


_ANIMALS: Final = {
    "cat": "kitten kitty feline tabby housecat",
    "dog": "puppy pup doggy doggie doggo hound corgi husky terrier poodle bulldog beagle dachshund pug labrador "
    "retriever dalmatian chihuahua sheepdog collie spaniel rottweiler",
    "fox": "vixen",
    "hamster": "gerbil rodent rat",
    "rabbit": "bunny hare",
    "wolf": "",
    "bear": "grizzly",
    "monkey": "ape chimp chimpanzee macaque baboon primate gorilla orangutan capuchin",
}

_SENIOR: Final = ("senior", "elderly", "older", "old", "aged", "elder", "ageing", "aging")
AGE: Final = frozenset(_SENIOR)
"""With one of these a man is a senior man, other adjectives between them or not."""

_CHILD: Final = ("child", "kid", "toddler", "youngster", "youth", "baby", "infant")


def _people() -> dict[str, str]:
    words: dict[str, str] = {}

    def put(subject: str, *nouns: str) -> None:
        for noun in nouns:
            words[noun] = words[_plural(noun)] = subject

    for gender, child, adult, boys, men in (
        ("male", "male child", "man", ("boy", "schoolboy", "lad"), ("man", "gentleman", "guy", "gent")),
        ("female", "female child", "woman", ("girl", "schoolgirl", "lass"), ("woman", "lady", "gal")),
    ):
        senior = f"senior {adult}"
        put(child, *boys)
        put(child, *(f"{gender} {noun}" for noun in _CHILD))
        put(child, *(f"{boy} {noun}" for boy in boys for noun in ("child", "kid")), f"baby {boys[0]}")
        put(child, f"young {gender} child", f"young {gender} kid")
        put(adult, *men, f"adult {gender}", f"{gender} adult", f"grown {adult}", f"business{adult}")
        put(senior, *(f"{age} {noun}" for age in _SENIOR for noun in (*men, gender, f"{gender} adult")))
        put(senior, *(f"{gender} {noun}" for noun in ("senior", "elder", "senior citizen")))
        put(senior, *(f"{age} {gender} {noun}" for age in _SENIOR for noun in ("person", "citizen", "adult")))
        words[f"{gender} elderly"] = senior
    put("senior man", "grandfather", "grandpa", "granddad", "grandad")
    put("senior woman", "grandmother", "grandma", "granny", "grandmom")
    return words


def _all() -> dict[str, str]:
    words = _people()
    for subject, plural in PLURALS.items():
        words[subject] = words[plural] = subject
    for subject, nouns in _ANIMALS.items():
        for noun in nouns.split():
            words[noun] = words[_plural(noun)] = subject
        for young in ("pup", "cub", "kit", "puppy", "kitten"):
            if subject in ("wolf", "fox", "bear", "dog", "cat", "rabbit"):
                words[f"{subject} {young}"] = words[f"{subject} {_plural(young)}"] = subject
    for noun in ("mouse", "mice"):
        words[noun] = "hamster"
    for noun in ("guinea pig", "guinea-pig"):
        words[noun] = words[noun + "s"] = "hamster"
    words["german shepherd"] = words["german shepherds"] = "dog"
    return words


SUBJECT_WORDS: Final[dict[str, str]] = _all()
"""Phrase to subject."""

_OTHER = listed(
    "child kid toddler baby infant teenager teen adult person human senior elder female male youth youngster "
    "elephant lion tiger horse cow pig squirrel bird duck penguin panda raccoon deer goat sheep chicken frog fish "
    "turtle snake otter seal koala kangaroo leopard cheetah hedgehog chipmunk weasel ferret beaver mole skunk badger "
    "lemur coyote jackal hyena dinosaur robot giraffe zebra donkey camel crocodile alligator dolphin whale shark owl "
    "eagle parrot rooster hen goose swan cub canine dragon student teacher worker farmer athlete businessperson "
    "parent father mother dad mom son daughter brother sister couple"
)

OUTSIDE: Final[dict[str, str]] = {
    **{form: noun for noun in _OTHER for form in (noun, _plural(noun))},
    "people": "person",
    "humans": "human",
    "geese": "goose",
    "elderly people": "elderly person",
    "elderly couple": "elderly couple",
    "senior citizen": "senior citizen",
    "senior citizens": "senior citizen",
    "young male": "young male",
    "young males": "young male",
    "young female": "young female",
    "young females": "young female",
    "red panda": "red panda",
    "red pandas": "red panda",
}
"""Nouns that answer the question of the subject with something that is none of the fourteen."""

GENERIC: Final = frozenset(
    listed(
        "animal animals individual individuals figure figures character characters creature creatures player players "
        "friend friends being beings entity entities object objects member members"
    )
)
"""Nouns a count can belong to without naming a subject."""
