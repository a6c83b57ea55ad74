"""The words around the values: labels, verdicts, negation, connectives, pictures, markers of an answer."""

from __future__ import annotations

from typing import Final

from core.benchmarks.voila.reading.kinds import listed

LABELS: Final[dict[str, str]] = {
    "number": "number",
    "numbers": "number",
    "count": "number",
    "quantity": "number",
    "amount": "number",
    "num": "number",
    "how many": "number",
    "no of": "number",
    **{
        f"{count} of {noun}": "number"
        for count in ("number", "count", "quantity", "amount", "numbers")
        for noun in (
            "subject", "subjects", "the subject", "the subjects", "animals", "people", "individuals", "characters",
            "objects", "entities", "figures", "persons", "items", "the animals", "animal",
        )
    },
    **{f"{noun} {count}": "number" for noun in ("subject", "animal") for count in ("number", "count", "quantity")},
    "subject": "subject",
    "subjects": "subject",
    "species": "subject",
    **{
        f"{kind}{noun}": "subject"
        for kind in ("type of ", "types of ", "kind of ", "type of the ", "identity of the ", "category of ")
        for noun in ("subject", "subjects", "animal", "animals", "character", "characters")
    },
    **{f"{noun} {kind}": "subject" for noun in ("subject", "animal", "character") for kind in ("type", "types",
    "kind",
        "category", "identity", "class", "species")},
    "action": "action",
    "actions": "action",
    "activity": "action",
    "activities": "action",
    **{f"{kind} of {noun}": "action" for kind in ("type", "kind") for noun in ("action", "activity")},
    **{f"{noun} type": "action" for noun in ("action", "activity")},
    **{f"action of the {noun}": "action" for noun in ("subject", "subjects", "animals")},
    **{f"action of {noun}": "action" for noun in ("subject", "subjects")},
    **{f"{noun} {act}": "action" for noun in ("subject", "subjects'") for act in ("action", "activity")},
}  # fmt: skip
COLON_LABELS: Final = {"type": "subject", "animal": "subject", "animals": "subject", "who": "subject",
                       "character": "subject", "characters": "subject", "object": "subject", "verb": "action",
                       "doing": "action", "behavior": "action", "behaviour": "action", "pose": "action",
                       "entity": "subject", "kind": "subject", "people": "subject", "person": "subject",
                       "motion": "action", "movement": "action"}  # fmt: skip
"""Words that are a label only right before a colon or an equals sign."""

SAME: Final = listed(
    "same identical constant unchanged consistent remain remains remained stay stays stayed stable still keep keeps "
    "kept "
    "maintain maintains maintained equal unaltered preserved preserve fixed persists persist retained retains retain "
    "remaining staying unvaried shared share shares common likewise static continue continues continued held "
    "invariant "
    "similar similarly alike consistently match matches matched"
)
SAME_PHRASES: Final = ("no change", "no changes", "no difference", "no differences", "not any change",
"without change",
                       "without any change", "no variation", "the same", "is the same", "in common")  # fmt: skip
CHANGE: Final = listed(
    "change changes changed changing differ differs differed differing different difference differences alter alters "
    "altered switch switches switched shift shifts shifted transitions transitioned transitioning become "
    "becomes became becoming replaced replaces replace transform transforms transformed transforming vary varies "
    "varied "
    "modified swapped swap swaps altering evolves evolved converted differently distinct turns turned "
    "substituted transformation alteration variation changeed"
)
UP: Final = listed(
    "increase increases increased increasing grows grew rises rose raised rise added grow more additional extra"
)
UP_PHRASES: Final = ("went up", "goes up", "go up", "going up")
DOWN: Final = listed(
    "decrease decreases decreased decreasing drops dropped reduces reduced reduction falls fell shrinks fewer less "
    "decline declines declined removed lowered lower diminished drop"
)
DOWN_PHRASES: Final = ("went down", "goes down", "go down", "going down")
FACTORS: Final = {"doubles": "x2", "doubled": "x2", "double": "x2", "doubling": "x2", "twice": "x2", "triples": "x3",
                  "tripled": "x3", "triple": "x3", "quadruples": "x4", "quadrupled": "x4", "quadruple": "x4",
                  "halves": "/2", "halved": "/2", "half": "/2", "halving": "/2"}  # fmt: skip

NOT: Final = listed(
    "not no never neither nor without cannot can't didn't doesn't don't isn't aren't wasn't weren't hasn't "
    "haven't won't wouldn't shouldn't hadn't n't couldn't"
)  # fmt: skip
NO_LONGER: Final = ("no longer", "not only", "no doubt", "not just", "no matter", "not visible", "not shown")
INSTEAD: Final = ("instead of", "rather than", "as opposed to", "unlike", "other than", "compared to",
"in contrast to",
                  "compared with")  # fmt: skip
BUT: Final = ("but", "however", "whereas", "although", "though", "yet", "instead")
WHILE: Final = ("while", "whilst", "meanwhile")
AND: Final = ("and", "plus", "along with", "as well as", "together with", "&")
OR: Final = ("or", "/")
FROM: Final = ("from",)
TO: Final = ("to", "into", "with", "by", "versus", "vs", "then", "in favor of", "instead")
BECAUSE: Final = ("because", "since", "given that")
EXPLAIN: Final = ("explanation", "reasoning", "rationale", "reason", "reasons", "justification", "here's why",
                  "here is why", "this is because", "based on the", "following the")  # fmt: skip
WEAK: Final = ("therefore", "thus", "hence", "so", "consequently", "in conclusion", "in summary", "as a result",
               "overall", "finally", "conclusion", "to summarize", "summary", "in short", "accordingly")  # fmt: skip
ALL: Final = ("all", "everything", "every", "all three", "all properties", "all the", "all of the", "all of them",
              "all of these", "each property", "every property", "all three properties", "all attributes",
              "all aspects", "all elements")  # fmt: skip
ELSE: Final = ("everything else", "all else", "the rest", "the others", "the other two", "other properties",
               "the other properties", "all other properties", "rest", "all others", "everything else about",
               "the other two properties", "the remaining properties", "other aspects", "all other aspects",
               "all other attributes", "the other attributes")  # fmt: skip
EXCEPT: Final = ("except", "except for", "apart from", "aside from", "besides", "with the exception of", "but for",
                 "other than the")  # fmt: skip
ONLY: Final = ("only", "the only", "solely", "only the")
YES: Final = {"yes": True, "true": True, "false": False}
NOTHING: Final = (
    "nothing",
    "no properties",
    "none of the properties",
    "no property",
    "none of them",
    "no attributes",
)

ANYS: Final[dict[str, str]] = {
    **{
        f"any {noun}": prop
        for prop, nouns in (
            ("number", "number count quantity amount"),
            ("subject", "subject subjects animal animals character type kind species person"),
            ("action", "action actions activity"),
        )
        for noun in nouns.split()
    },
    "any number of subjects": "number",
    "any subject type": "subject",
    "any type of subject": "subject",
    "any kind of subject": "subject",
    "anyone": "subject",
    "anybody": "subject",
    "doing anything": "action",
    "do anything": "action",
    "any number of": "number",
    "performing any action": "action",
    "doing any action": "action",
    **dict.fromkeys(
        (
            "any", "anything", "arbitrary", "undetermined", "indeterminate", "undefined", "unspecified",
            "unconstrained",
            "any value", "any one", "could be any", "can be any", "could be anything", "can be anything",
            "may be any",
            "cannot be determined", "can't be determined", "can not be determined", "could not be determined",
            "couldn't be determined", "not be determined", "not determined", "not determinable", "undeterminable",
            "not specified", "not fixed", "not defined", "not constrained", "no rule", "no fixed", "no specific",
            "no constraint", "no constraints", "no restriction", "no restrictions", "free to vary", "can vary",
            "doesn't matter", "does not matter", "do not matter", "irrelevant", "no specific rule", "no clear rule",
            "no rule applies", "no consistent rule", "any possible", "any of them", "whatever", "wildcard",
            "can be arbitrary", "not restricted", "any of the options", "unrestricted", "any option",
            "can be whatever",
        ),
        "",
    ),
}  # fmt: skip
"""Wordings of "any", and the property they name themselves."""

NOT_ANY: Final = ("if any", "without any", "any other", "in any", "any change", "any changes", "any further",
                  "any more", "any difference", "any differences", "any case", "any of these images", "any questions",
                  "any help", "any additional", "any clear", "any pattern", "is there any",
                  "any of the images")  # fmt: skip

IMAGE_NOUNS: Final = frozenset(
    listed(
        "image images img imgs picture pictures pic pics photo photos photograph photographs panel panels frame "
        "frames "
        "figure fig scene illustration"
    )
)
SHOWS: Final = frozenset(
    listed(
        "shows show showing shown depicts depict has have is contains features there we displays displayed one "
        "picture "
        "portrays presents includes a an the two three four single i in"
    )
)
PLACES: Final = {"left": 1, "leftmost": 1, "middle": 2, "center": 2, "centre": 2, "central": 2, "right": 3,
                 "rightmost": 3}  # fmt: skip
CORNERS: Final = {("top", "left"): 1, ("upper", "left"): 1, ("top", "right"): 2, ("upper", "right"): 2,
                  ("bottom", "left"): 3, ("lower", "left"): 3, ("bottom", "right"): 4, ("lower",
                  "right"): 4}  # fmt: skip
FOURTH: Final = frozenset(("fourth", "missing", "last", "final", "resulting", "answer", "new", "next", "target",
"output",
                           "completed", "generated", "predicted"))  # fmt: skip
ENUMERATED: Final = frozenset(
    listed(
        "step steps rule rules option options row column page question table point part item case note example "
        "property "
        "version phase section subquestion task line list"
    )
)
"""Nouns whose number is a name: "step 2" counts nothing."""
PREPOSITIONS: Final = frozenset(
    listed(
        "of in on at with is are was were be the to by for that who which as has have their his her its like behind "
        "near "
        "about beside under over around against across onto into while it they he she this these those than"
    )
)
