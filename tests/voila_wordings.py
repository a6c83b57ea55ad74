"""VOILA answers in many wordings, for tests of whatever reads them.

``WORDINGS[step][name](item, values)`` puts form values (a turn's gold, or any others) into words. The steps are
describe, relate and apply; a sub-prompt's step (relate.number) takes relate's wordings with its one value. Values are
keyed as in a turn's form: ``2.subject`` for describe, ``number`` for the rest; a value left out stays unsaid.
Relations state the item's own values where the verdict is true, as ``wording.relate_text`` does.

``DISGUISES`` change how a text looks and not what it says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from core.benchmarks.voila.question import SAME, question
from core.benchmarks.voila.vocabulary import ANY, NUMBERS, PLURALS, PROPERTIES
from core.records import Item

Values = Mapping[str, str]
Wording = Callable[[Item, Values], str]

FINITE = {
    "playing soccer": ("plays soccer", "play soccer"),
    "driving a car": ("drives a car", "drive a car"),
    "ice-skating": ("ice skates", "ice skate"),
    "walking": ("walks", "walk"),
    "swimming": ("swims", "swim"),
    "jumping": ("jumps", "jump"),
    "typing": ("types on a laptop", "type on a laptop"),
    "writing": ("writes in a notebook", "write in a notebook"),
    "digging a hole": ("digs a hole", "dig a hole"),
    "carrying something": ("carries a box", "carry boxes"),
    "reading": ("reads a book", "read books"),
    "running": ("runs", "run"),
    "eating food": ("eats an apple", "eat apples"),
}
OTHERWISE = {
    "playing soccer": "kicking a soccer ball",
    "driving a car": "driving a red car",
    "ice-skating": "skating on ice",
    "walking": "taking a walk",
    "swimming": "swimming in a pool",
    "jumping": "leaping in the air",
    "typing": "typing on a keyboard",
    "writing": "writing a letter",
    "digging a hole": "digging in the sand",
    "carrying something": "carrying a basket",
    "reading": "reading a newspaper",
    "running": "jogging",
    "eating food": "eating lunch",
}
NEAR = {
    "cat": ("kitten", "kittens"),
    "dog": ("puppy", "puppies"),
    "hamster": ("mouse", "mice"),
    "rabbit": ("bunny", "bunnies"),
    "monkey": ("chimpanzee", "chimpanzees"),
    "male child": ("young boy", "young boys"),
    "female child": ("little girl", "little girls"),
    "man": ("gentleman", "gentlemen"),
    "woman": ("young woman", "young women"),
    "senior man": ("old man", "old men"),
    "senior woman": ("elderly lady", "elderly ladies"),
}
ORDINALS = ("first", "second", "third")


def digit(number: str) -> str:
    return str(NUMBERS.index(number) + 1) if number in NUMBERS else number


def noun(subject: str, number: str | None, near: bool = False) -> str:
    """Singular for one, else plural; ``any`` and unknown words as they are."""
    one = number in (None, "one", ANY)
    if near and subject in NEAR:
        return NEAR[subject][0 if one else 1]
    return subject if one else PLURALS.get(subject, subject)


def article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def unit_values(values: Values, unit: int) -> dict[str, str]:
    return {name: values[f"{unit}.{name}"] for name in PROPERTIES if f"{unit}.{name}" in values}


def phrase(
    told: Values, *, digits: bool = False, near: bool = False, otherwise: bool = False, be: bool = False
) -> str:
    """``two dogs walking`` or, with ``be``, ``two dogs are walking``."""
    number, subject, action = (told.get(name) for name in PROPERTIES)
    words = []
    if number is not None and (number != "one" or not near):
        words.append(digit(number) if digits else number)
    if subject is not None:
        shown = noun(subject, number, near)
        words.append(article(shown) if number == "one" and near else shown)
    if action is not None:
        if be:
            words.append("is" if number == "one" else "are")
        words.append(OTHERWISE.get(action, action) if otherwise else action)
    return " ".join(words)


def labels(told: Values, form: str = "{name} = {value}", between: str = ", ", digits: bool = False) -> str:
    shown = dict(told)
    if "subject" in shown:
        shown["subject"] = noun(shown["subject"], shown.get("number"))
    if digits and "number" in shown:
        shown["number"] = digit(shown["number"])
    return between.join(
        form.format(name=name, Name=name.capitalize(), value=shown[name], Value=shown[name].capitalize())
        for name in PROPERTIES
        if name in shown
    )


# -- describe


def _each(values: Values, told: Callable[[int, dict[str, str]], str], between: str = "\n") -> str:
    return between.join(told(unit, unit_values(values, unit)) for unit in (1, 2, 3) if unit_values(values, unit))


def _table(values: Values) -> str:
    rows = ["| Image | Number | Subject | Action |", "|---|---|---|---|"]
    for unit in (1, 2, 3):
        told = unit_values(values, unit)
        rows.append(f"| {unit} | {' | '.join(told.get(name, '') for name in PROPERTIES)} |")
    return "\n".join(rows)


def _turned_table(values: Values) -> str:
    rows = ["| Property | Image 1 | Image 2 | Image 3 |", "|:--|:-:|:-:|:-:|"]
    cells = {name: [values.get(f"{unit}.{name}", "") for unit in (1, 2, 3)] for name in PROPERTIES}
    rows += [f"| {name.capitalize()} | {' | '.join(row)} |" for name, row in cells.items()]
    return "\n".join(rows)


DESCRIBE: dict[str, Wording] = {
    "lines": lambda item, values: _each(values, lambda unit, told: f"Image {unit}: {phrase(told)}."),
    "digits": lambda item, values: _each(values, lambda unit, told: f"Image {unit}: {phrase(told, digits=True)}"),
    "one paragraph": lambda item, values: _each(values, lambda unit, told: f"Image {unit}: {phrase(told)}", ". "),
    "prose": lambda item, values: _each(
        values, lambda unit, told: f"In the {ORDINALS[unit - 1]} image, {phrase(told, be=True, otherwise=True)}.", " "
    ),
    "near words": lambda item, values: _each(
        values, lambda unit, told: f"The {ORDINALS[unit - 1]} image shows {phrase(told, near=True, otherwise=True)}."
    ),
    "labels under bold heads": lambda item, values: _each(
        values, lambda unit, told: f"**Image {unit}:**\n{labels(told, '- **{Name}:** {Value}', chr(10))}", "\n\n"
    ),
    "labels on a line": lambda item, values: _each(
        values, lambda unit, told: f"Picture {unit} - {labels(told, digits=True)}", ";\n"
    ),
    "sections": lambda item, values: _each(
        values,
        lambda unit, told: f"### {ORDINALS[unit - 1].capitalize()} image\n{phrase(told).capitalize()}.",
        "\n\n",
    ),
    "table": lambda item, values: _table(values),
    "table turned": lambda item, values: _turned_table(values),
    "JSON list": lambda item, values: json.dumps(
        [{"image": unit} | unit_values(values, unit) for unit in (1, 2, 3)], indent=1
    ),
    "JSON object": lambda item, values: json.dumps(
        {f"image_{unit}": unit_values(values, unit) for unit in (1, 2, 3)}
    ),
    "last one first": lambda item, values: "\n".join(
        f"Image {unit}: {phrase(unit_values(values, unit))}." for unit in (3, 1, 2) if unit_values(values, unit)
    ),
    "named after": lambda item, values: (
        ", and ".join(
            f"{phrase(unit_values(values, unit), be=True)} in the {ORDINALS[unit - 1]} image"
            for unit in (1, 2, 3)
            if unit_values(values, unit)
        )
        + "."
    ),
    "left to right": lambda item, values: _each(
        values, lambda unit, told: f"{('Left', 'Middle', 'Right')[unit - 1]}: {phrase(told)}"
    ),
}


# -- relate


def _relation(item: Item, name: str, verdict: str) -> tuple[str, str] | None:
    """The item's values of pictures 1 and 2, where the verdict is the true one."""
    view = question(item)
    if view.relation(name) != verdict:
        return None
    first, second = view.contents[0], view.contents[1]
    if name == "subject":
        return noun(first.subject, first.number), noun(second.subject, second.number)
    return first.value(name), second.value(name)


def _relations(item: Item, values: Values, changed: str, same: str, told: str, kept: str, between: str = "\n") -> str:
    """``changed`` and ``same`` with {a} and {b} for values; ``told`` and ``kept`` where the verdict is not true."""
    lines = []
    for name in PROPERTIES:
        if name not in values:
            continue
        pair = _relation(item, name, values[name])
        a, b = pair or ("", "")
        true, bare = (same, kept) if values[name] == SAME else (changed, told)
        form = true if pair else bare
        lines.append(form.format(name=name, Name=name.capitalize(), a=a, b=b, A=a.capitalize(), B=b.capitalize()))
    return between.join(lines)


def _sections(item: Item, values: Values) -> str:
    out = []
    for verdict, head in (("changed", "**Changed:**"), ("same", "**Unchanged:**")):
        listed = [f"- {name.capitalize()}" for name in PROPERTIES if values.get(name) == verdict]
        if listed:
            out.append("\n".join([head, *listed]))
    return "\n\n".join(out)


def _exception(item: Item, values: Values) -> str:
    changed = [name for name in PROPERTIES if values.get(name) == "changed"]
    if len(values) < len(PROPERTIES):
        return _sections(item, values)
    if not changed:
        return "Nothing changed."
    if len(changed) == len(PROPERTIES):
        return "All three properties changed."
    return f"Everything stays the same except the {' and the '.join(changed)}."


def _from_first_to_second(item: Item, values: Values) -> str:
    """The two pictures told after each other, where that says what the values say; else the sections."""
    view = question(item)
    if any(view.relation(name) != values.get(name) for name in PROPERTIES):
        return _sections(item, values)
    first, second = view.contents[:2]
    return f"In image 1 there are {first.text()}. In image 2 there are {second.text()}."


RELATE: dict[str, Wording] = {
    "the file's form": lambda item, values: _relations(
        item, values, "{Name} is changed from {a} to {b}.", "{Name} remains constant {a}.", "{Name} is changed.",
        "{Name} remains constant.", " "),
    "lines": lambda item, values: _relations(
        item, values, "{Name}: changed from {a} to {b}", "{Name}: stays the same ({a})", "{Name}: changed",
        "{Name}: stays the same"),
    "arrows": lambda item, values: _relations(
        item, values, "{Name}: {a} → {b}", "{Name}: {a} → {b}", "{Name}: different", "{Name}: identical"),
    "bold status": lambda item, values: _relations(
        item, values, "- **{Name}**: Changed ({a} -> {b})", "- **{Name}**: Unchanged ({a})", "- **{Name}**: Changed",
        "- **{Name}**: Unchanged"),
    "prose": lambda item, values: _relations(
        item, values, "the {name} changes from {a} to {b}", "the {name} is still {a}", "the {name} is different",
        "the {name} does not change", ", "),
    "negations": lambda item, values: _relations(
        item, values, "The {name} did not stay the same.", "The {name} has not changed.",
        "The {name} isn't the same.",
        "There is no change in the {name}.", " "),
    "JSON": lambda item, values: json.dumps({name: values[name] for name in PROPERTIES if name in values}),
    "JSON flags": lambda item, values: json.dumps(
        {f"{name}_changed": values[name] != SAME for name in PROPERTIES if name in values}),
    "table": lambda item, values: "| Property | Changed? |\n|---|---|\n" + _relations(
        item, values, "| {Name} | Yes |", "| {Name} | No |", "| {Name} | Yes |", "| {Name} | No |"),
    "sections": _sections,
    "exception": _exception,
    "two pictures": _from_first_to_second,
    "numbered": lambda item, values: _relations(
        item, values, "{Name} goes from {a} to {b}.", "{Name}: {a} in both images.", "{Name} varies.",
        "{Name} is constant.", "\n\n"),
}  # fmt: skip


# -- apply


def _reasoned(item: Item, values: Values) -> str:
    view = question(item)
    seen = " ".join(f"Image {unit} shows {content.text()}." for unit, content in enumerate(view.contents, 1))
    return f"{seen} Applying the same change to image 3:\n\n**The answer is {labels(values)}**"


def _fourth(values: Values, **how: bool) -> str:
    if len(values) < len(PROPERTIES):
        return f"Image 4: {labels(values)}"
    return f"The fourth image should show {phrase(values, **how)}."


ANYS = {"number": "any number", "subject": "any subject", "action": "any action"}


def _anys(values: Values) -> str:
    return labels(
        {name: ANYS[name] if value == ANY else value for name, value in values.items()}, "{Name}: {value}", "\n"
    )


APPLY: dict[str, Wording] = {
    "the asked form": lambda item, values: f"The answer is {labels(values)}",
    "braces": lambda item, values: f"The answer is {labels(values, '{name} = {{{value}}}')}.",
    "quotes, digits": lambda item, values: f"The answer is {labels(values, '{name} = “{value}”', digits=True)}",
    "lines": lambda item, values: labels(values, "{Name}: {Value}", "\n"),
    "bullets": lambda item, values: labels(values, "- **{Name}**: {value}", "\n", digits=True),
    "JSON": lambda item, values: "```json\n" + json.dumps(dict(values), indent=2) + "\n```",
    "table": lambda item, values: "| Property | Value |\n|---|---|\n" + labels(values, "| {Name} | {Value} |", "\n"),
    "sentence": lambda item, values: f"In the fourth image {labels(values, 'the {name} is {value}')}.",
    "content": lambda item, values: _fourth(values),
    "content, digits": lambda item, values: _fourth(values, digits=True),
    "reasoned": _reasoned,
    "answer first": lambda item, values: (
        f"{labels(values)}\n\nExplanation: from one to two cats, walking, then running."
    ),
    "final answer": lambda item, values: (
        f"Let me think step by step.\n\n### Final Answer:\n{labels(values, '{Name}: {value}')}"
    ),
    "any in other words": lambda item, values: _anys(values),
}

WORDINGS: dict[str, dict[str, Wording]] = {"describe": DESCRIBE, "relate": RELATE, "apply": APPLY}

DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "shouted": str.upper,
    "full-width": lambda text: "".join(chr(ord(c) + 0xFEE0) if c.isalnum() and c.isascii() else c for c in text),
    "reasoned": lambda text: f"<think>Image 1: three wolves typing. Number = one, it changed.</think>\n{text}",
    "no-break blanks": lambda text: text.replace(" ", "\u00a0"),
    "trailing offer": lambda text: f"{text}\n\nLet me know if you need anything else!",
}
"""Changes that leave what is said alone. Not all fit JSON (``shouted`` is none any more)."""
