# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree of elements with text, made by grammars, and one to three faults added to it.

Not a parser's own tree: it may contain what XML does not allow, such as an undeclared prefix or half an entity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from .values import ODD_NUMBERS, ODD_TEXTS

_NUMBER = re.compile(r"[-+]?\d[\d.eE+-]*")


@dataclass
class Node:
    """An element; its children are elements and pieces of text."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def add(self, tag: str, text: str | None = None, **attributes: str) -> Node:
        """Append an element and return it."""
        child = Node(tag, attributes, [] if text is None else [text])
        self.children.append(child)
        return child

    def nodes(self) -> Iterator[Node]:
        """Yield this element and all of its descendants."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.nodes()

    def copy(self) -> Node:
        """Return a copy of all of it."""
        children = [child.copy() if isinstance(child, Node) else child for child in self.children]
        return Node(self.tag, dict(self.attributes), children)

    def write(self, into: list[str]) -> None:
        """Append it as XML."""
        words = "".join(f' {name}="{_escaped(value)}"' for name, value in self.attributes.items())
        if not self.children:
            into.append(f"<{self.tag}{words}/>")
            return
        into.append(f"<{self.tag}{words}>")
        for child in self.children:
            if isinstance(child, Node):
                child.write(into)
            else:
                into.append(child if child.startswith("<!--") or child.endswith("]]>") else _escaped(child))
        into.append(f"</{self.tag}>")

    def xml(self) -> str:
        """Return it as XML."""
        pieces: list[str] = []
        self.write(pieces)
        return "".join(pieces)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def damage(root: Node, words: tuple[str, ...], random: Random, faults: int = 0) -> None:
    """Add one to three faults to a tree; `words` are tags and values that its readers know."""
    for _ in range(faults or random.choice((1, 1, 2, 3))):
        random.choice(_FAULTS)(root, words, random)


def _some(root: Node, random: Random) -> tuple[Node, int]:
    """Return an element below the root, as its parent and its place there; the place is -1 if there is none."""
    places = [
        (node, place) for node in root.nodes() for place, child in enumerate(node.children) if isinstance(child, Node)
    ]
    return random.choice(places) if places else (root, -1)


def _text(root: Node, words: tuple[str, ...], random: Random) -> None:
    """Change a text, or a number of one."""
    holders = [node for node in root.nodes() if any(isinstance(child, str) for child in node.children)]
    if not holders:
        return
    node = random.choice(holders)
    place = next(i for i, child in enumerate(node.children) if isinstance(child, str))
    node.children[place] = _changed(str(node.children[place]), words, random)


def _attribute(root: Node, words: tuple[str, ...], random: Random) -> None:
    """Change, rename or remove an attribute."""
    holders = [node for node in root.nodes() if node.attributes]
    if not holders:
        return
    node = random.choice(holders)
    name = random.choice(list(node.attributes))
    value = node.attributes.pop(name)
    kind = random.randrange(4)
    if kind <= 1:
        node.attributes[name] = _changed(value, words, random)
    elif kind == 2:
        node.attributes[random.choice(words)] = value


def _changed(text: str, words: tuple[str, ...], random: Random) -> str:
    numbers = list(_NUMBER.finditer(text))
    kind = random.randrange(6)
    if numbers and kind <= 2:
        match = random.choice(numbers)
        return text[: match.start()] + random.choice(ODD_NUMBERS) + text[match.end() :]
    if kind == 3:
        return f"{text} {random.choice(ODD_NUMBERS)}"
    if kind == 4:
        return random.choice(
            (text[: len(text) // 2], text + "<!-- c -->", f"\n{text}\t", text * 30, f"<![CDATA[{text}]]>")
        )
    return random.choice(words if random.random() < 0.7 else ODD_TEXTS)


def _remove(root: Node, words: tuple[str, ...], random: Random) -> None:
    parent, place = _some(root, random)
    if place >= 0:
        del parent.children[place]


def _repeat(root: Node, words: tuple[str, ...], random: Random) -> None:
    parent, place = _some(root, random)
    if place >= 0:
        child = parent.children[place]
        assert isinstance(child, Node)
        count = 30 if random.random() < 0.1 and sum(1 for _ in child.nodes()) < 10 else 1
        parent.children[place:place] = [child.copy() for _ in range(count)]


def _move(root: Node, words: tuple[str, ...], random: Random) -> None:
    """Put a copy of one element into another, or in its place."""
    source, place = _some(root, random)
    if place < 0:
        return
    child = source.children[place]
    assert isinstance(child, Node)
    child, (parent, there) = child.copy(), _some(root, random)
    if random.random() < 0.5:
        parent.children[there] = child
    else:
        other = parent.children[there]
        assert isinstance(other, Node)
        other.children.insert(random.randint(0, len(other.children)), child)


def _rename(root: Node, words: tuple[str, ...], random: Random) -> None:
    random.choice(list(root.nodes())).tag = random.choice(words)


def _wrap(root: Node, words: tuple[str, ...], random: Random) -> None:
    """Put an element into copies of its own tag, a few or many deep."""
    parent, place = _some(root, random)
    if place < 0:
        return
    child = parent.children[place]
    assert isinstance(child, Node)
    for _ in range(random.choice((1, 1, 2, 200))):
        child = Node(child.tag, dict(child.attributes), [child])
    parent.children[place] = child


def _shuffle(root: Node, words: tuple[str, ...], random: Random) -> None:
    random.shuffle(random.choice(list(root.nodes())).children)


_FAULTS = (
    _text,
    _text,
    _text,
    _attribute,
    _attribute,
    _attribute,
    _remove,
    _remove,
    _repeat,
    _move,
    _move,
    _rename,
    _wrap,
    _shuffle,
)
"""Frequency of each fault: changed values find the most."""
