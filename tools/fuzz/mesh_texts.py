# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files that are lines of words: OBJ, OFF, STL and PLY as text. Faults are of words, lines, counts and indices."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .octets import damaged
from .solids import Solid, solid
from .values import ODD_NUMBERS, ODD_TEXTS

Lines = list[list[str]]

WORDS = {
    "obj": ("v", "f", "vn", "vt", "o", "g", "usemtl", "mtllib", "s", "l", "p", "\\", "#", "vp", "curv", "1/1/1", "-1"),
    "off": ("OFF", "COFF", "NOFF", "4OFF", "nOFF", "STOFF", "BINARY", "#", "0 0 0", "3"),
    "stl": ("solid", "facet", "normal", "outer", "loop", "vertex", "endloop", "endfacet", "endsolid", "color"),
    "ply": (
        *("ply", "format", "ascii", "1.0", "comment", "element", "vertex", "face", "property", "list", "uchar", "int"),
        *(
            "float",
            "double",
            "x",
            "vertex_index",
            "vertex_indices",
            "end_header",
            "tristrips",
            "edge",
            "obj_info",
            "char",
        ),
        *("binary_little_endian", "binary_big_endian", "uint", "float32", "int8", "list uchar int"),
    ),
}


def text_file(form: str, random: Random) -> bytes:
    """Return a file of one of the formats in `WORDS`, two thirds of them with faults."""
    lines = _WRITERS[form](solid(random), random)
    kind = random.random()
    if kind > 0.33:
        for _ in range(random.choice((1, 1, 2, 3))):
            random.choice(_FAULTS)(lines, WORDS[form], random)
    end = random.choice(("\n", "\n", "\n", "\r\n", "\r"))
    data = end.join(" ".join(words) for words in lines).encode("utf-8", "surrogatepass") + end.encode()
    return damaged(data, random) if kind > 0.85 else data


def _number(value: float, random: Random) -> str:
    return random.choice((repr, "{:.6g}".format, "{:.9f}".format))(value)


def _obj(made: Solid, random: Random) -> Lines:
    lines = [["#", "made"], ["mtllib", random.choice(("none.mtl", "a b.mtl", "/dev/zero", "../x.mtl"))]]
    extra = random.choice(([], [], ["1.0"], ["0.5", "0.5", "0.5"]))
    lines += [["v", *(_number(value, random) for value in vertex), *extra] for vertex in made.vertices]
    form = random.choice(("{0}", "{0}", "{0}/1", "{0}//1", "{0}/1/1"))
    if "1" in form:
        lines += [["vt", "0", "0"], ["vn", "0", "0", "1"]]
    count = len(made.vertices) if random.random() < 0.2 else -1
    for place, face in enumerate(made.faces):
        if random.random() < 0.1:
            lines.append([random.choice(("o", "g", "usemtl", "s")), random.choice(("a", "b", "off"))])
        lines.append(["f", *(form.format(corner + 1 if count < 0 else corner - count) for corner in face)])
        if place == 0 and random.random() < 0.1:
            lines[-1].insert(2, "\\\n")
    return lines


def _off(made: Solid, random: Random) -> Lines:
    lines = [["OFF"], [str(len(made.vertices)), str(len(made.faces)), "0"]]
    if random.random() < 0.2:
        lines = [[*lines[0], *lines[1]]]
    lines += [[_number(value, random) for value in vertex] for vertex in made.vertices]
    color = ["255", "0", "0"] if random.random() < 0.2 else []
    return lines + [[str(len(face)), *map(str, face), *color] for face in made.faces]


def _stl(made: Solid, random: Random) -> Lines:
    lines = [["solid", *random.choice(([], ["name"], ["a", "b"]))]]
    for triangle in made.triangles():
        lines += [["facet", "normal", "0", "0", "1"], ["outer", "loop"]]
        lines += [["vertex", *(_number(value, random) for value in made.vertices[corner])] for corner in triangle]
        lines += [["endloop"], ["endfacet"]]
    return [*lines, ["endsolid"]]


def _ply(made: Solid, random: Random) -> Lines:
    kind = random.choice(("float", "double", "float32"))
    lines = [["ply"], ["format", "ascii", "1.0"], ["comment", "made"], ["element", "vertex", str(len(made.vertices))]]
    lines += [["property", kind, axis] for axis in "xyz"]
    colored = random.random() < 0.3
    if colored:
        lines.append(["property", "uchar", "red"])
    lines += [["element", "face", str(len(made.faces))], ["property", "list", "uchar", "int", "vertex_indices"]]
    lines.append(["end_header"])
    lines += [[*(_number(value, random) for value in one), *(["7"] if colored else [])] for one in made.vertices]
    return lines + [[str(len(face)), *map(str, face)] for face in made.faces]


_WRITERS: dict[str, Callable[[Solid, Random], Lines]] = {"obj": _obj, "off": _off, "stl": _stl, "ply": _ply}


def _change_word(lines: Lines, words: tuple[str, ...], random: Random) -> None:
    line = random.choice(lines)
    if line:
        kinds = (ODD_NUMBERS, ODD_NUMBERS, ODD_NUMBERS, words, ODD_TEXTS)
        line[random.randrange(len(line))] = random.choice(random.choice(kinds))


def _change_number(lines: Lines, words: tuple[str, ...], random: Random) -> None:
    """Change a word after the first one of a line near the head, where counts are, or anywhere."""
    line = random.choice(lines[:10] if random.random() < 0.3 else lines)
    if len(line) > 1:
        line[random.randrange(1, len(line))] = random.choice(ODD_NUMBERS)


def _remove(lines: Lines, words: tuple[str, ...], random: Random) -> None:
    place = random.randrange(len(lines))
    del lines[place : place + random.choice((1, 1, 1, 3, len(lines)))]
    if not lines:
        lines.append([])


def _repeat(lines: Lines, words: tuple[str, ...], random: Random) -> None:
    place = random.randrange(len(lines))
    lines[place:place] = [
        list(line) for line in lines[place : place + random.choice((1, 1, 5))] * random.choice((1, 1, 40))
    ]


def _swap(lines: Lines, words: tuple[str, ...], random: Random) -> None:
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _lengthen(lines: Lines, words: tuple[str, ...], random: Random) -> None:
    line = random.choice(lines)
    if line and random.random() < 0.5:
        del line[random.randrange(len(line))]
    else:
        line.insert(random.randint(0, len(line)), random.choice((*words, *ODD_NUMBERS)))


_FAULTS = (_change_word, _change_number, _change_number, _change_number, _remove, _repeat, _swap, _lengthen)
