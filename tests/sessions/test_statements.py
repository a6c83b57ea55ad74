"""Every SQL statement is put together from words of this program alone; what others wrote goes in as a parameter.

The source is read, not run: from the first argument of each ``execute`` back to where its parts were written. What
that cannot follow is listed below, each looked at, with the reason why nothing of a user's can be in it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.end_to_end.commands import ROOT

EXECUTES: Final = frozenset({"execute", "executemany", "executescript"})
FLOORS: Final = ("core", "sessions", "tui")

SCHEMA: Final = "names of tables and columns of the schema, of lower-case letters alone (exchange.tables)"
DOUBLED: Final = "a table's name out of the file that is examined, its quotes doubled"
LOOKED_AT: Final = {
    ("sessions/answers.py", "answers_of"): "paths_from of another module, on a constant",
    ("sessions/contents.py", "compared"): DOUBLED,
    ("sessions/exchange/carrying.py", "_found"): SCHEMA,
    ("sessions/exchange/carrying.py", "_one"): SCHEMA,
    ("sessions/exchange/carrying.py", "_renew"): SCHEMA,
    ("sessions/exchange/carrying.py", "add"): SCHEMA,
    ("sessions/exchange/carrying.py", "rows"): SCHEMA,
    ("sessions/exchange/numbers.py", "of"): SCHEMA,
    ("sessions/exchange/people.py", "_delete"): "constants, and numbers written with :d",
    ("sessions/exchange/people.py", "_tell_twice"): SCHEMA,
    ("sessions/exchange/selection.py", "_note"): SCHEMA,
    ("sessions/exchange/tables.py", "_first_unique"): SCHEMA,
    ("sessions/exchange/tables.py", "_foreign_keys"): SCHEMA,
    ("sessions/exchange/tables.py", "_table"): SCHEMA,
    (
        "sessions/exchange/taking.py",
        "_insert",
    ): f"{SCHEMA}; a line's own fields are looked up among them (lines.read)",
    ("sessions/exchange/writing.py", "_write"): SCHEMA,
    ("sessions/migrations.py", "change"): "constants of the schema",
    ("sessions/recalls.py", "_among"): "marks, as many as a number says",
    ("sessions/rows.py", "counted"): DOUBLED,
    ("sessions/replay.py", "_steps"): "one of three constants of the module",
    ("sessions/sweep.py", "noted"): "constants of the module",
    ("sessions/values.py", "_kinds"): "tables and columns of this version's own schema, not of the store's",
    ("sessions/values.py", "odd"): "the same, and constants of the module",
}


class Module:
    """A file's tree, what its names were bound to at its top, and what is imported from where."""

    def __init__(self, path: Path, root: Path = ROOT) -> None:
        self.name = path.relative_to(root).as_posix()
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.top = _bindings(self.tree)
        self.imports = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }

        every = [n for n in ast.walk(self.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
        self.functions = {function.name: function for function in every}
        self._owner: dict[ast.AST, ast.AST] = {}
        for function in every:  # outer ones come before those in them
            self._owner |= dict.fromkeys(ast.walk(function), function)

    def owner(self, node: ast.AST) -> ast.AST:
        """The innermost function around it, the module itself for what stands outside of any."""
        return self._owner.get(node, self.tree)

    def calls(self) -> Iterator[tuple[ast.AST, ast.Call]]:
        """Each call with the function it stands in."""
        return ((self.owner(node), node) for node in ast.walk(self.tree) if isinstance(node, ast.Call))

    def calls_of(self, name: str) -> list[tuple[ast.AST, ast.Call]]:
        """Those of a function or method of that name."""
        return [
            (owner, call)
            for owner, call in self.calls()
            if name in (getattr(call.func, "id", ""), getattr(call.func, "attr", ""))
        ]


def _bindings(scope: ast.AST) -> dict[str, list[ast.expr]]:
    """What is bound to each name: by assignment, by ``for`` over it; of functions within too."""
    found: dict[str, list[ast.expr]] = {}

    def bind(target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            found.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple | ast.List):
            for place, part in enumerate(target.elts):
                bind(part, ast.Subscript(value, ast.Constant(place)))

    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                bind(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
            bind(node.target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            bind(node.target, ast.Starred(node.iter))
    return found


@cache
def module_of(name: str) -> Module | None:
    place = ROOT / (name.replace(".", "/") + ".py")
    return Module(place) if place.is_file() else None


class Reader:
    """Whether an expression is of this program's own words, whichever way it goes.

    ``given`` are the parameters that are known to be. Another parameter is, where every call in the module is so.
    """

    def __init__(self, module: Module, function: ast.AST, given: frozenset[str] = frozenset()) -> None:
        self._module = module
        self._function = function
        self._local = _bindings(function)
        self._parameters = _parameters(function)
        self._within: set[str] = set(given)

    def fixed(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant():
                return True
            case (
                ast.JoinedStr(parts) | ast.BoolOp(values=parts) | ast.Tuple(parts) | ast.List(parts) | ast.Set(parts)
            ):
                return all(map(self.fixed, parts))
            case ast.FormattedValue(value, _, spec):  # ``:d`` takes whole numbers alone
                return (spec is not None and ast.unparse(spec) == "f'd'") or self.fixed(value)
            case ast.BinOp(left, operator, right):
                return self.fixed(left) and (isinstance(operator, ast.Mult) or self.fixed(right))
            case ast.IfExp(_, body, other):
                return self.fixed(body) and self.fixed(other)
            case ast.Dict(keys, values):
                return all(key is None or self.fixed(key) for key in keys) and all(map(self.fixed, values))
            case ast.Subscript(value, ast.Constant(int(place))):
                return all(map(self.fixed, self._parts(value, place)))
            case ast.Starred(value) | ast.Subscript(value) | ast.GeneratorExp(value) | ast.ListComp(value):
                return self.fixed(value)
            case ast.Call():
                return self._called(node)
            case ast.Name(name):
                return self._named(name)
            case ast.Attribute(ast.Name(module), name) if module in self._module.imports:
                package, inner = self._module.imports[module]
                return self._imported(f"{package}.{inner}", name)
        return False

    def _parts(self, node: ast.expr, place: int) -> list[ast.expr]:
        """What stands at a place of a tuple, of each of several; the whole of what is none."""
        match node:
            case ast.Tuple(parts) | ast.List(parts) if place < len(parts):
                return [parts[place]]
            case ast.IfExp(_, body, other):
                return [*self._parts(body, place), *self._parts(other, place)]
            case ast.Starred(ast.Name(name)) if len(bound := self._module.top.get(name, ())) == 1:
                return self._parts(ast.Starred(bound[0]), place)
            case ast.Starred(ast.Tuple(rows) | ast.List(rows)):
                return [part for row in rows for part in self._parts(row, place)]
        return [node]

    def _called(self, node: ast.Call) -> bool:
        """A join, a filled-in text, what a table of names holds, and a function of the module on fixed arguments."""
        match node.func:
            case ast.Attribute(value, "join" | "format" | "items" | "values" | "keys"):
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                return self.fixed(value) and all(map(self.fixed, given))
            case ast.Name("map"):
                return ast.unparse(node.args[0]) == "str" and all(map(self.fixed, node.args[1:]))
            case ast.Name(name) if name in self._module.functions:
                function = self._module.functions[name]
                given = [*node.args, *(keyword.value for keyword in node.keywords)]
                inner = Reader(self._module, function, frozenset(_parameters(function)))
                returned = [n.value for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
                return all(map(self.fixed, given)) and bool(returned) and all(map(inner.fixed, returned))
        return False

    def _named(self, name: str) -> bool:
        if name in self._within:
            return True  # it is being followed already
        self._within.add(name)
        if name in self._parameters:
            return self._handed_over(name) and all(map(self.fixed, self._local.get(name, ())))
        bound = self._local.get(name) or self._module.top.get(name)
        if bound:
            return all(map(self.fixed, bound))
        return self._imported(*self._module.imports[name]) if name in self._module.imports else False

    def _handed_over(self, parameter: str) -> bool:
        """Whether all calls of this function, which is called from nowhere else, give fixed words for it."""
        function = self._function
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) or not function.name.startswith("_"):
            return False
        calls = self._module.calls_of(function.name)
        place = self._parameters.index(parameter)
        found = [_argument(call, place, parameter, function) for _, call in calls]
        return bool(calls) and all(
            value is None or Reader(self._module, owner).fixed(value)
            for (owner, _), value in zip(calls, found, strict=True)
        )

    @staticmethod
    def _imported(package: str, name: str) -> bool:
        other = module_of(package)
        return other is not None and name in other.top and all(map(Reader(other, other.tree).fixed, other.top[name]))


def _parameters(function: ast.AST) -> list[str]:
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return []
    return [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]


def _argument(
    call: ast.Call, place: int, name: str, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> ast.expr | None:
    """What a call hands over for a parameter; None where its default stands."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    bound = isinstance(call.func, ast.Attribute) and function.args.args[:1] and function.args.args[0].arg == "self"
    place -= bool(bound)
    if any(isinstance(argument, ast.Starred) for argument in call.args[: place + 1]):
        return ast.Name("?")
    return call.args[place] if place < len(call.args) else None


def statements(module: Module) -> Iterator[tuple[str, ast.expr]]:
    """The function and the first argument of every call that runs SQL of which that is not plain."""
    for owner, call in module.calls():
        if getattr(call.func, "attr", "") in EXECUTES and call.args and not Reader(module, owner).fixed(call.args[0]):
            yield getattr(owner, "name", ""), call.args[0]


def not_followed() -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            if not any(f".{name}(" in path.read_text(encoding="utf-8") for name in EXECUTES):
                continue
            module = Module(path)
            for function, argument in statements(module):
                found.setdefault((module.name, function), []).append(ast.unparse(argument))
    return found


def test_every_statement_is_of_this_programs_own_words() -> None:
    """A new one that this cannot follow is looked at and listed, with the reason; one that is gone is taken out."""
    found = not_followed()
    assert {place: found.get(place) for place in found.keys() ^ LOOKED_AT.keys()} == {}


@pytest.mark.parametrize(
    "body",
    [
        "db.execute(f'SELECT * FROM runs WHERE name = {name}')",
        "db.execute('SELECT * FROM runs WHERE name = ' + name)",
        "db.execute('SELECT * FROM runs WHERE name = %s' % name)",
        "db.execute('SELECT * FROM runs WHERE name = {}'.format(name))",
        "query = 'SELECT 1'\n    query += name\n    db.execute(query)",
        "for each in (name, 'b'):\n        db.executemany(f'DELETE FROM {each}', ())",
        "db.executescript(' '.join(['SELECT', name]))",
        "db.execute(FIXED if db else name)",
        "_inner(db, name)\n\ndef _inner(db, what):\n    db.execute(what)",
    ],
)
def test_a_users_words_in_a_statement_are_seen(tmp_path: Path, body: str) -> None:
    assert len(list(statements(parsed(tmp_path, body)))) == 1


@pytest.mark.parametrize(
    "body",
    [
        "db.execute('SELECT * FROM runs WHERE name = ?', (name,))",
        "db.execute(f'{FIXED} LIMIT {len(name):d}')",
        "marks = ', '.join('?' * len(name))\n    db.execute(f'SELECT 1 WHERE 1 IN ({marks})', name)",
        "for each in ('a', 'b'):\n        db.execute(f'DELETE FROM {each}')",
        "_inner(db, FIXED)\n\ndef _inner(db, what):\n    db.execute(what + ' LIMIT 1')",
    ],
)
def test_words_of_its_own_are_followed(tmp_path: Path, body: str) -> None:
    assert list(statements(parsed(tmp_path, body))) == []


def parsed(folder: Path, body: str) -> Module:
    file = folder / "module.py"
    file.write_text(f"FIXED = 'SELECT 1'\n\ndef ask(db, name):\n    {body}\n", encoding="utf-8")
    return Module(file, folder)
