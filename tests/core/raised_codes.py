# SPDX-License-Identifier: GPL-3.0-or-later
"""Which codes the source gives its findings and errors: read from the syntax trees of core and the add-on."""

import ast
from collections import defaultdict
from functools import cache

from tools.house import CHECKOUT, syntax


class Source:
    """Syntax trees of modules by their paths, with what is needed to follow a code to where it is used."""

    def __init__(self, trees):
        self.nodes = {path: [*_followed(tree)] for path, tree in trees.items()}
        self.values = defaultdict(list)
        """What is given to a name, wherever it is: by an assignment, a keyword or a default."""
        self.places = {"Finding": 1, "InertiaError": 0}
        """Where a function that all modules know takes the code: the number of its argument."""
        for nodes in self.nodes.values():
            for node in nodes:
                self._note(node)

    def _note(self, node):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for name, value in _assigned(node):
                self.values[name].append(value)
        elif isinstance(node, ast.keyword) and node.arg:
            self.values[node.arg].append(node.value)
        elif isinstance(node, ast.ClassDef) and any(getattr(base, "id", "") == "InertiaError" for base in node.bases):
            self.places[node.name] = 0
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            self.places |= _takes_code(node)

    def codes(self):
        """Yield path, line and code of each place that gives one; None is a code that cannot be read."""
        for path, nodes in self.nodes.items():
            own = dict(self.places)
            for node in nodes:
                if isinstance(node, ast.FunctionDef):
                    own |= _takes_code(node) or dict.fromkeys({node.name} & own.keys())
            for call in nodes:
                place = own.get(_called(call)) if isinstance(call, ast.Call) else None
                if place is not None:
                    for code in self._read(_argument(call, place), nodes):
                        yield path, call.lineno, code

    def _read(self, node, nodes):
        """Yield the texts that an expression may be, None for one that cannot be read; what is passed on is none."""
        if isinstance(node, ast.Constant):
            yield node.value
        elif isinstance(node, ast.IfExp):
            yield from self._read(node.body, nodes)
            yield from self._read(node.orelse, nodes)
        elif isinstance(node, ast.Dict):
            for value in node.values:
                yield from self._read(value, nodes)
        elif isinstance(node, ast.Subscript):
            yield from self._read(node.value, nodes)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            yield from self._read(node.func.value, nodes)
            yield from self._read(node.args[1], nodes)
        elif (name := getattr(node, "id", getattr(node, "attr", "code"))) != "code":
            yield from {text for value in self.values[name] for text in _texts(value)} or {None}
        elif isinstance(node, ast.Name):  # assigned here, or else a parameter
            for one in nodes:
                if isinstance(one, ast.Assign):
                    for value in (value for name, value in _assigned(one) if name == "code"):
                        yield from self._read(value, nodes)
        elif not isinstance(node, ast.Starred | ast.Attribute):
            yield None


def _followed(tree):
    """Yield the nodes of a module that are checked."""
    kinds = (ast.Call, ast.Assign, ast.AnnAssign, ast.keyword, ast.ClassDef, ast.FunctionDef)
    return (node for node in ast.walk(tree) if isinstance(node, kinds))


def _assigned(node):
    """Yield the names to which a line assigns, each with its own of several values."""
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, ast.Name) and node.value is not None:
            yield target.id, node.value
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            yield from (
                (getattr(one, "id", ""), value) for one, value in zip(target.elts, node.value.elts, strict=False)
            )


def _takes_code(function):
    """Return the function's name with the place of its parameter ``code``, if it makes findings of it."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args) if one.arg not in ("self", "cls")]
    made = ast.unparse(function.returns) if function.returns else ""
    return {function.name: names.index("code")} if "code" in names and made in ("Finding", "InertiaError") else {}


def _texts(node):
    """Return the texts in an expression; of a dictionary only its values."""
    if isinstance(node, ast.Dict):
        return {text for value in node.values for text in _texts(value)}
    constants = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def _called(call):
    """Return the name of what a call makes: of ``Finding.of(...)`` the class."""
    made = call.func.value if getattr(call.func, "attr", "") == "of" else call.func
    return getattr(made, "id", getattr(made, "attr", ""))


def _argument(call, place):
    """Return the argument at a place, or of the name ``code``; a starred one before it stands for it."""
    for number, argument in enumerate(call.args):
        if number == place or isinstance(argument, ast.Starred):
            return argument
    return next(keyword.value for keyword in call.keywords if keyword.arg == "code")


def messages():
    """Yield path, line, code, form and names of values of each call that names its message; None if more are given."""
    kinds = {"Finding": 1, "InertiaError": 0, "UnreadableFileError": 0, "NotFoundError": 0, "sdf_error": 0}
    for path, tree in trees().items():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            made = _called(call)
            if made not in kinds or (made != "sdf_error" and getattr(call.func, "attr", "") != "of"):
                continue
            texts = [one.value if isinstance(one, ast.Constant) else None for one in call.args]
            code, form = texts[kinds[made]], (*texts[kinds[made] + 2 :], "")[0]
            if code is not None and form is not None:
                names = None if any(one.arg is None for one in call.keywords) else {one.arg for one in call.keywords}
                yield path.name, call.lineno, code, form, names


def sources():
    return [path for tree in ("core", "sdf_inertia_addon") for path in sorted((CHECKOUT / tree).rglob("*.py"))]


def trees():
    """Return the syntax trees of core and the add-on by path."""
    return {path: syntax(path) for path in sources()}


@cache
def ours():
    """Return what core and the add-on give as codes: the places by code, and the places that cannot be read."""
    places, unread = defaultdict(list), []
    for path, line, code in Source(trees()).codes():
        place = f"{path.relative_to(CHECKOUT)}:{line}"
        if code is None:
            unread.append(place)
        else:
            places[code].append(place)
    return places, unread
