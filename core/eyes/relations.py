"""MMRA's subtasks as questions about pairs of drawn pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from core.drawing.palette import Dice
from core.eyes.album import Album
from core.eyes.asked import Asked, Pair
from core.eyes.scenes import MADE_OF, USED_FOR
from core.eyes.talks import Talk
from core.records import EMPTY

FEELINGS: Final = {"happy": "Joy", "sad": "Sadness", "angry": "Anger", "afraid": "Fear", "asleep": "Sleep"}
SETTINGS: Final = {
    "desert": "In a desert",
    "beach": "On a beach",
    "forest": "In a forest",
    "snow": "In the snow",
    "street": "In a street",
    "farm": "On a farm",
    "kitchen": "In a kitchen",
    "sea bed": "On the sea bed",
}
EVENTS: Final = {
    "playing soccer": "A ball is kicked",
    "digging a hole": "A hole is dug",
    "reading": "A book is read",
    "eating food": "A meal is eaten",
    "driving a car": "A car is driven",
    "writing": "A letter is written",
    "typing": "A text is typed",
    "carrying something": "A box is carried",
}
LAYOUTS: Final = ("In a ring", "In a row", "In a pyramid", "In a column", "On a slant")
_SPOTS: Final = ("left", "middle", "right")
_CORNERS: Final = ("upper left", "upper right", "lower left", "lower right")
_ANIMALS: Final = ("dog", "cat", "bear", "rabbit")
_HAPPENED: Final = {
    "candle": "The candle burned down",
    "cake": "The cake was eaten",
    "lamp": "The lamp was lit",
    "vase": "The vase fell over",
}
_BEFORE: Final = {"candle": "long", "cake": "whole", "lamp": "dark", "vase": "standing"}
_AFTER: Final = {"candle": "short", "cake": "eaten", "lamp": "lit", "vase": "fallen"}


# -- pairs of pictures


def _alike(dice: Dice, album: Album, kind: str, name: str, same: bool) -> Pair:
    """Two pictures that show the same by that name, or not."""
    first = dice.pick(album.of_kind[kind])
    value = album.seen[first][name]
    return first, _with(dice, album, kind, name, lambda other: (other == value) is same)


def _with(dice: Dice, album: Album, kind: str, name: str, fits: Callable[[str], bool]) -> int:
    values = [value for value in album.values[name] if fits(value) and album.showing(kind, **{name: value})]
    return dice.pick(album.showing(kind, **{name: dice.pick(values)}))


def _values(album: Album, pair: Pair, name: str) -> tuple[str, str]:
    return album.seen[pair[0]][name], album.seen[pair[1]][name]


def _in_both(
    dice: Dice,
    album: Album,
    subtask: str,
    of: tuple[str, str],
    questions: tuple[str, str],
    told: Mapping[str, str],
    said: Mapping[str, str] = EMPTY,
) -> Asked:
    """What two pictures of a kind have in common, or whether they do; ``of`` is that kind and the name of what is
    compared, ``told`` says each of its values as an option, ``said`` the values of which other words are said."""
    choice = dice.chance(0.5)
    same = choice or dice.chance(0.5)
    pair = _alike(dice, album, *of, same)
    first, second = (said.get(value, value) for value in _values(album, pair, of[1]))
    asked = Asked(subtask, questions[0 if choice else 1], pair, (first, second))
    return asked.choice(dice, told[first], tuple(told.values())) if choice else asked.yes_no(same)


# -- subtasks


def feeling(dice: Dice, album: Album) -> Asked:
    """Whether two feel the same, and what they both feel."""
    questions = (
        "What do the one in image 1 and the one in image 2 both feel?",
        "Do the two in the pictures feel the same?",
    )
    told = {feeling: feeling for feeling in FEELINGS.values()}
    return _in_both(dice, album, "MS", ("face", "mood"), questions, told, said=FEELINGS)


def looks(dice: Dice, album: Album) -> Asked:
    """Whether two people have the same hair and clothes, and what marks two things share."""
    if dice.chance(0.5):
        pair = _alike(dice, album, "marked", "marks", True)
        marks = _values(album, pair, "marks")
        question = "In which way do the things in the two pictures look alike?"
        options = [f"Both have {each}" for each in ("spots", "stripes", "stars", "checks")]
        return Asked("AS", question, pair, marks).choice(dice, f"Both have {marks[0]}", options)
    people = [k for k in album.of_kind["face"] if album.seen[k]["head"] not in _ANIMALS]
    first = dice.pick(people)
    head, clothes = album.seen[first]["head"], album.seen[first]["clothes"]
    if dice.chance(0.5):
        second = dice.pick([k for k in album.showing("face", head=head) if album.seen[k]["clothes"] == clothes])
    else:
        second = dice.pick(album.showing("face", head=head) if dice.chance(0.5) else people)
    said = tuple(f"{album.seen[k]['head']}, {album.seen[k]['clothes']}" for k in (first, second))
    same = said[0] == said[1]
    question = "Do the two people have the same hair and the same colour of clothes?"
    return Asked("AS", question, (first, second), (said[0], said[1])).yes_no(same)


def _sorted_things(
    dice: Dice, album: Album, subtask: str, kinds: Mapping[str, str], question: str, both: str
) -> Asked:
    """What two things are made of or used for; or which of three on a shelf shares that with one on the other."""
    if dice.chance(0.5):
        same = dice.chance(0.5)
        first = _with(dice, album, "alone", "thing", lambda thing: thing in kinds)
        value = kinds[album.seen[first]["thing"]]
        second = _with(
            dice, album, "alone", "thing", lambda thing: thing in kinds and (kinds[thing] == value) is same
        )
        things = _values(album, (first, second), "thing")
        said = tuple(f"{thing}, {kinds[thing]}" for thing in things)
        compared = (kinds[things[0]], kinds[things[1]])
        return Asked(subtask, question, (first, second), (said[0], said[1])).yes_no(same, compared)
    while True:
        first, second = dice.pick(album.of_kind["shelf"]), dice.pick(album.of_kind["shelf"])
        rows = [[kinds.get(album.seen[k][spot], "other") for spot in _SPOTS] for k in (first, second)]
        shared = [(a, b) for a in range(3) for b in range(3) if rows[0][a] == rows[1][b] != "other"]
        if len(shared) == 1:
            break
    said = tuple(
        ", ".join(f"{album.seen[k][spot]} {what}" for spot, what in zip(_SPOTS, row, strict=True))
        for k, row in zip((first, second), rows, strict=True)
    )
    places = [f"The {a} one in image 1 and the {b} one in image 2" for a in _SPOTS for b in _SPOTS]
    a, b = shared[0]
    right = f"The {_SPOTS[a]} one in image 1 and the {_SPOTS[b]} one in image 2"
    return Asked(subtask, both, (first, second), (said[0], said[1])).choice(dice, right, places)


def material(dice: Dice, album: Album) -> Asked:
    """What things are made of."""
    question = "Are the things in the two pictures made of the same material?"
    return _sorted_things(dice, album, "SM", MADE_OF, question, "Which two things are made of the same material?")


def use(dice: Dice, album: Album) -> Asked:
    """What things are used for."""
    question = "Are the things in the two pictures used for the same purpose?"
    return _sorted_things(dice, album, "US", USED_FOR, question, "Which two things are used for the same purpose?")


def place(dice: Dice, album: Album) -> Asked:
    """Where things are in their pictures."""
    if dice.chance(0.5):
        same = dice.chance(0.5)
        pair = _alike(dice, album, "sky", "at", same)
        first, second = _values(album, pair, "flies")
        question = f"Are the {first} in image 1 and the {second} in image 2 at the same place in their pictures?"
        return Asked("RP", question, pair, _values(album, pair, "at")).yes_no(same)
    corners = dice.chance(0.5)
    kind, spots = ("quarters", _CORNERS) if corners else ("shelf", _SPOTS)
    pair = dice.pick(album.of_kind[kind]), dice.pick(album.of_kind[kind])
    rows = [[album.seen[k][spot] for spot in spots] for k in pair]
    said = tuple(", ".join(row) for row in rows)
    right = int(dice.between(0, len(spots)))
    told = "The {} in image 1 and the {} in image 2"
    wrong = [told.format(x, y) for i, x in enumerate(rows[0]) for j, y in enumerate(rows[1]) if i != j]
    question = (
        "Which two things are at the same place in their pictures?"
        if corners
        else "Which two things have the same place on their shelves?"
    )
    return Asked("RP", question, pair, (said[0], said[1])).choice(
        dice, told.format(rows[0][right], rows[1][right]), wrong
    )


def near(dice: Dice, album: Album) -> Asked:
    """What small things stand near the same kind of large thing."""
    while True:
        pair = dice.pick(album.of_kind["groups"]), dice.pick(album.of_kind["groups"])
        groups = [[(album.seen[k][f"small {g}"], album.seen[k][f"large {g}"]) for g in range(3)] for k in pair]
        shared = [(a, b) for a in groups[0] for b in groups[1] if a[1] == b[1]]
        if len(shared) == 1:
            break
    said = tuple(", ".join(f"{small} by {large}" for small, large in row) for row in groups)
    others = [(a, b) for a in groups[0] for b in groups[1] if a[1] != b[1]]
    if dice.chance(0.5):
        yes = dice.chance(0.5)
        a, b = shared[0] if yes else dice.pick(others)
        question = f"Are the {_ball(a[0])} in image 1 and the {_ball(b[0])} in image 2 near the same kind of thing?"
        one, two = f"{a[0]} by {a[1]}", f"{b[0]} by {b[1]}"
        return Asked("NSE", question, pair, (one, two)).yes_no(yes, (a[1], b[1]))
    told = [f"The {a[0]} in image 1 and the {b[0]} in image 2" for a, b in (shared[0], *others)]
    question = "Which two things are near the same kind of thing?"
    return Asked("NSE", question, pair, (said[0], said[1])).choice(dice, told[0], told[1:])


def _ball(thing: str) -> str:
    return "ball" if thing == "football" else thing


def layout(dice: Dice, album: Album) -> Asked:
    """How things are laid out."""
    questions = (
        "How are the things laid out in both pictures?",
        "Are the things laid out in the same way in both pictures?",
    )
    told = {layout.lower(): layout for layout in LAYOUTS}
    return _in_both(dice, album, "LO", ("layout", "layout"), questions, told)


def setting(dice: Dice, album: Album) -> Asked:
    """Where pictures are set."""
    questions = "Where are both pictures set?", "Are both pictures set in the same kind of surroundings?"
    return _in_both(dice, album, "Env", ("place", "place"), questions, SETTINGS)


def event(dice: Dice, album: Album) -> Asked:
    """What happens in pictures: VOILA's actions."""
    choice = dice.chance(0.5)
    same = choice or dice.chance(0.5)
    if choice:
        value = dice.pick(tuple(EVENTS))
        known = album.showing("voila", action=value)
        pair = dice.pick(known), dice.pick(known)
        question = "What is done in both pictures?"
        return Asked("SimE", question, pair, (value, value)).choice(dice, EVENTS[value], tuple(EVENTS.values()))
    pair = _alike(dice, album, "voila", "action", same)
    question = "Does the same thing happen in both pictures?"
    return Asked("SimE", question, pair, _values(album, pair, "action")).yes_no(same)


def sequel(dice: Dice, album: Album) -> Asked:
    """What happened from one picture to the next, and whether one can follow the other."""
    if dice.chance(0.5):
        first = dice.pick(album.of_kind["moment"])
        seen = album.seen[first]
        state = "whole" if seen["state"] == "broken" else "broken"
        second = dice.pick(
            [k for k in album.showing("moment", broke=seen["broke"]) if album.seen[k]["state"] == state]
        )
        said = f"the {seen['broke']} is {seen['state']}", f"the {seen['broke']} is {state}"
        question = "Can image 2 show the same scene a moment after image 1?"
        compared = (seen["state"], state)
        return Asked("SubE", question, (first, second), said).yes_no(state == "broken", compared)
    changed = dice.pick(tuple(_HAPPENED))
    while True:
        first = dice.pick(album.showing("table", **{changed: _BEFORE[changed]}))
        after = {**album.seen[first], changed: _AFTER[changed]}
        if known := album.showing("table", **after):
            break
    second = dice.pick(known)
    states = [", ".join(f"{name} {value}" for name, value in album.seen[k].items()) for k in (first, second)]
    question = "What happened between image 1 and image 2?"
    return Asked("SubE", question, (first, second), (states[0], states[1])).choice(
        dice, _HAPPENED[changed], tuple(_HAPPENED.values())
    )


def view(dice: Dice, album: Album) -> Asked:
    """From where pictures are seen."""
    choice = dice.chance(0.5)
    pair = _alike(dice, album, "view", "view", dice.chance(0.5))
    first, second = _values(album, pair, "view")
    if not choice:
        question = "Are both pictures seen from the same direction?"
        return Asked("OA", question, pair, (first, second)).yes_no(first == second)
    sides = album.values["view"]
    told = [_seen_from(a, b) for a in sides for b in sides]
    question = "From where are the two pictures seen?"
    return Asked("OA", question, pair, (first, second)).choice(dice, _seen_from(first, second), told)


def _seen_from(first: str, second: str) -> str:
    return f"Both images {first}" if first == second else f"Image 1 {first}, image 2 {second}"


SUBTASKS: Final[Mapping[str, Callable[[Dice, Album], Asked]]] = {
    "MS": feeling,
    "AS": looks,
    "SM": material,
    "US": use,
    "RP": place,
    "NSE": near,
    "LO": layout,
    "Env": setting,
    "SimE": event,
    "SubE": sequel,
    "OA": view,
}


def relation(dice: Dice, album: Album, own: float) -> Talk:
    """A question of any subtask."""
    return SUBTASKS[dice.pick(tuple(SUBTASKS))](dice, album).talk(dice, album, own)


def relation_apart(dice: Dice, album: Album, own: float) -> Talk:
    """The same where mostly not the same is to be seen in both pictures, or the second is said to be as the first."""
    while True:
        asked = SUBTASKS[dice.pick(tuple(SUBTASKS))](dice, album)
        if asked.said[0] != asked.said[1] or dice.chance(0.3):
            return asked.talk(dice, album, own)


def yes_no_apart(dice: Dice, album: Album, own: float) -> Talk:
    """Yes or no, where mostly not the same is to be seen in both pictures."""
    while True:
        asked = SUBTASKS[dice.pick(tuple(SUBTASKS))](dice, album)
        if not asked.options and (asked.said[0] != asked.said[1] or dice.chance(0.4)):
            return asked.talk(dice, album, own)


def told_relation(dice: Dice, album: Album, own: float) -> Talk:
    """The same in words alone: what follows from what is seen, and which letter it has."""
    return SUBTASKS[dice.pick(tuple(SUBTASKS))](dice, album).talk(dice, album, own, blind=True)
