"""Words for the thirteen actions, in their forms, and compounds that only look like one of them.

An action with an object stands for itself whatever the object is (reading a newspaper, carrying a box, driving a
truck); soccer needs its name or a kicked ball. Close activities that do not say the action (holding a box, using
a laptop, hiking, floating) are none of the thirteen.
"""

from __future__ import annotations

from typing import Final

from core.benchmarks.voila.reading.kinds import listed
from core.benchmarks.voila.vocabulary import ACTIONS

SOCCER, CAR, SKATE, WALK, SWIM, JUMP, TYPE, WRITE, DIG, CARRY, READ, RUN, EAT = ACTIONS

_VERBS: Final = {
    # -ing form: (action, forms that need a subject before them)
    "driving": (CAR, "drive drives drove driven"),
    "skating": (SKATE, "skate skates skated"),
    "walking": (WALK, "walk walks walked"),
    "strolling": (WALK, "stroll strolls strolled"),
    "swimming": (SWIM, "swim swims swam swum"),
    "jumping": (JUMP, "jump jumps jumped"),
    "leaping": (JUMP, "leap leaps leaped leapt"),
    "hopping": (JUMP, "hop hops hopped"),
    "typing": (TYPE, "typed"),
    "writing": (WRITE, "write writes wrote written"),
    "scribbling": (WRITE, "scribble scribbles"),
    "digging": (DIG, "dig digs dug"),
    "burrowing": (DIG, "burrow burrows"),
    "excavating": (DIG, "excavate excavates"),
    "carrying": (CARRY, "carry carries carried"),
    "lugging": (CARRY, "lug lugs"),
    "hauling": (CARRY, "haul hauls"),
    "reading": (READ, "read reads"),
    "running": (RUN, "run runs ran"),
    "jogging": (RUN, "jog jogs jogged"),
    "sprinting": (RUN, "sprint sprints sprinted"),
    "eating": (EAT, "eat eats ate eaten"),
    "dining": (EAT, "dine dines"),
    "munching": (EAT, "munch munches"),
    "nibbling": (EAT, "nibble nibbles"),
    "snacking": (EAT, "snack snacks"),
}

ACTING: Final[dict[str, str]] = {
    **{form: action for form, (action, _) in _VERBS.items()},
    "ice skating": SKATE,
    "iceskating": SKATE,
    "figure skating": SKATE,
    "skating on ice": SKATE,
    "skating on the ice": SKATE,
    "driving a car": CAR,
    "driving cars": CAR,
    "driving car": CAR,
    "behind the wheel": CAR,
    "at the wheel": CAR,
    "steering a car": CAR,
    "digging a hole": DIG,
    "digging holes": DIG,
    "digging hole": DIG,
    "shoveling dirt": DIG,
    "shovelling dirt": DIG,
    "eating food": EAT,
    "having a meal": EAT,
    "enjoying a meal": EAT,
    "sharing a meal": EAT,
    "having lunch": EAT,
    "having dinner": EAT,
    "having breakfast": EAT,
    "feeding on": EAT,
    "consuming food": EAT,
    "carrying something": CARRY,
    "carrying an object": CARRY,
    "carrying objects": CARRY,
    "taking a walk": WALK,
    "going for a walk": WALK,
    "on a walk": WALK,
    "out for a walk": WALK,
    "going for a swim": SWIM,
    "taking a swim": SWIM,
    "going for a run": RUN,
    "taking notes": WRITE,
    "using a keyboard": TYPE,
    "using keyboards": TYPE,
    "using a typewriter": TYPE,
    "mid jump": JUMP,
    "mid leap": JUMP,
    "in a soccer match": SOCCER,
    "in a soccer game": SOCCER,
    "in a game of soccer": SOCCER,
    "game of soccer": SOCCER,
    "soccer playing": SOCCER,
}

ACTS: Final[dict[str, str]] = {
    **{form: action for action, forms in _VERBS.values() for form in forms.split()},
    **{
        f"{verb} {rest}": TYPE
        for verb in ("type", "types")
        for rest in ("on", "at", "away", "something", "a", "into", "with")
    },
    "ice skate": SKATE,
    "ice skates": SKATE,
    "takes a walk": WALK,
    "take a walk": WALK,
    "has a meal": EAT,
    "have a meal": EAT,
    "use a keyboard": TYPE,
    "take notes": WRITE,
    "takes notes": WRITE,
    "soccer": SOCCER,
}
"""Forms that are read only with somebody before them, or as the value of an action label."""

PLAY: Final = {"playing": True, "play": False, "plays": False, "played": False}
KICK: Final = {
    **dict.fromkeys(("kicking", "dribbling", "juggling"), True),
    **dict.fromkeys(("kick", "kicks", "kicked", "dribble", "dribbles"), False),
}
"""Verbs that are soccer with the right word soon after them; whether they stand without a subject before them."""

SOCCER_WORDS: Final = frozenset(("soccer", "football", "futbol"))

SKIPPED: Final = (
    *(f"swimming {noun}" for noun in ("pool", "pools", "suit", "suits", "trunks", "hole", "goggles", "cap", "caps")),
    *(f"running {noun}" for noun in ("shoes", "shoe", "track", "water", "gear", "clothes", "outfit")),
    *(f"walking {noun}" for noun in ("stick", "sticks", "cane", "canes", "path", "trail", "boots", "shoes")),
    *(f"reading {noun}" for noun in ("glasses", "material", "materials", "lamp", "room", "order", "direction")),
    *(f"reading {rest}" for rest in ("from left", "left to", "the images", "the pictures", "the sequence")),
    *(f"writing {noun}" for noun in ("desk", "desks", "pad", "utensil", "utensils", "implement", "implements")),
    *(f"soccer {noun}" for noun in ("ball", "balls", "field", "jersey", "jerseys", "uniform", "uniforms", "pitch")),
    *(f"soccer {noun}" for noun in ("player", "players", "goal", "cleats", "gear", "kit", "kits", "stadium")),
    *(f"skating {noun}" for noun in ("rink", "rinks", "outfit", "outfits", "dress", "dresses")),
    *("roller skating", "roller skates", "roller skate", "inline skating", "skate park", "ice skates on"),
    *("carrying over", "carries over", "carried over", "carry over", "carrying on", "carries on"),
    *("carry out", "carrying out", "carries out", "driving school", "driving range", "driving factor"),
    *("hot dog", "hot dogs", "monkey bars", "bear in mind", "walk through", "walks through"),
)
"""Compounds in which a word of the lists means something else."""

NOT_ACTING: Final = frozenset(
    listed(
        "thing something nothing everything anything during morning evening building ceiling string king ring wing "
        "spring clothing following including according resulting remaining depending using being having missing "
        "interesting meaning showing depicting containing featuring doing performing changing increasing decreasing "
        "corresponding matching applying looking setting wedding painting lighting clearing wearing existing "
        "differing "
        "identifying analyzing comparing considering given bring engaging participating involving swapping varying "
        "staying keeping maintaining starting ending combining adding going string beginning underlying "
        "understanding "
        "reasoning regarding concerning determining observing pudding sibling siblings offspring"
    )
)
"""Words in -ing that do not tell what somebody does."""
