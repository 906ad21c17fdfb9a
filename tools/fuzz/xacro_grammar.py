# SPDX-License-Identifier: GPL-3.0-or-later
"""xacro files: a URDF of the grammar in which numbers, links and whole parts come from macros and expressions."""

from __future__ import annotations

from random import Random

from .tree import Node
from .urdf_grammar import UrdfGrammar
from .values import text

NAMESPACE = "http://www.ros.org/wiki/xacro"

WORDS = tuple(
    """
    xacro:macro xacro:property xacro:include xacro:if xacro:unless xacro:arg xacro:insert_block xacro:call
    xacro:attribute name value params filename ns default scope m0 m1 p0 p1 ${p0} ${p1} ${m0} $(arg a) $(find arm)
    $(cwd) $(env HOME) ${1/0} ${10**10**9} ${[0]*10**9} ${'a'*10**10} ${xacro.load_yaml('x.yaml')} $(eval p0*2)
    ${().__class__} *origin **b part.xacro ../*.xacro /*/* /etc/passwd robot link inertial mass inertia origin xyz
    """.split()
)

EXPRESSIONS = (
    "${{{}}}",
    "${{{} * 1.0}}",
    "${{radians(degrees({}))}}",
    "$(eval {})",
    "${{max({}, {})}}",
    "${{[{}][0]}}",
)


class XacroGrammar:
    """Makes one file.

    Parameters
    ----------
    random : Random
    """

    def __init__(self, random: Random) -> None:
        self._random = random

    def file(self) -> Node:
        """Return the root."""
        random, root = self._random, UrdfGrammar(self._random).file()
        root.attributes["xmlns:xacro"] = NAMESPACE
        macros: list[Node | str] = []
        for number, value in enumerate(("0.5", "2", "${p0 * 2}")):
            macros.append(Node("xacro:property", {"name": f"p{number}", "value": value}))
        macros.append(Node("xacro:arg", {"name": "a", "default": "1"}))
        for node in [*root.nodes()]:
            for name, value in node.attributes.items():
                if name in ("value", "radius", "length") and random.random() < 0.4:
                    node.attributes[name] = random.choice(EXPRESSIONS).format(value, value)
            if node.tag == "link" and random.random() < 0.3:
                macro = Node("xacro:macro", {"name": f"m{len(macros)}", "params": "mass:=1 *block"}, node.children)
                macros.append(macro)
                call = Node(f"xacro:m{len(macros) - 1}", {"mass": text(random.uniform(0.1, 9.0))})
                call.add("origin", xyz="0 0 1")
                node.children = [call]
            elif node.tag in ("visual", "collision") and random.random() < 0.2:
                condition = random.choice(("${p0 > 0}", "$(arg a)", "true", "0"))
                node.children = [Node(random.choice(("xacro:if", "xacro:unless")), {"value": condition}, node.children)]
        if random.random() < 0.2:
            macros.append(Node("xacro:include", {"filename": random.choice(("part.xacro", "*.xacro", "none.xacro"))}))
        root.children = [*macros, *root.children]
        return root
