# SPDX-License-Identifier: GPL-3.0-or-later
"""Every typed text and every required attribute of the table is looked at; names, and joints that go in a circle."""

import numpy as np
import pytest

from core.sdf.spec.description import ROOT

from ...drake_inertia import refusal
from ...sdf_text import joint
from .texts import errors_of, model, read

SAMPLES = {"b": "1", "s": "x", "v": "1 1 1", "w": "1 1", "p": "0 0 0 0 0 0"}

OF_TYPE = {"joint": "fixed"}


def places():
    """Yield each place of the table once, as the slots on the way to it."""
    seen, waiting = set(), [(("sdf", ROOT),)]
    while waiting:
        path = waiting.pop(0)
        structure = path[-1][1].structure
        if id(structure) not in seen:
            seen.add(id(structure))
            yield path
            there = {name for name, _ in path} | {"include"}
            waiting += [(*path, (name, slot)) for name, slot in structure.children.items() if name not in there]  # type: ignore[misc]


def written(path, text="", without=""):
    """Return a file with the least that leads to a place."""
    xml = ""
    for depth, (tag, slot) in reversed(list(enumerate(path))):
        last = depth == len(path) - 1
        values = {"name": f"x{tag}", "version": "1.12", "type": OF_TYPE.get(tag, "x")}
        attributes = "".join(
            f' {name}="{values.get(name, SAMPLES.get(one.kind, "1"))}"'
            for name, one in slot.structure.attributes.items()
            if one.required and not (last and name == without)
        )
        links = '<link name="l"/><link name="k"/>' if tag == "model" else ""
        following = "" if last else path[depth + 1][0]
        ends = [f"<{end}>{name}</{end}>" for end, name in (("parent", "l"), ("child", "k")) if end != following]
        links += "".join(ends) if tag == "joint" else ""
        xml = f"<{tag}{attributes}>{text if last else ''}{links}{xml}</{tag}>"
    return xml


LEAVES = [path for path in places() if path[-1][1].kind not in ("", "s")]


def name_of(path):
    return "/".join(name for name, _ in path[1:])


@pytest.mark.thorough
def test_every_typed_text_of_the_table_is_looked_at():
    assert len(LEAVES) > 60
    for path in LEAVES:
        (error, *_) = errors_of(read(written(path, "abc")))
        assert error.sdf_codes[0] == 9, name_of(path)
        assert error.subject.split()[1].rpartition("/")[2].partition("[")[0] == path[-1][0]


def test_every_attribute_that_must_be_there_is_missed():
    needed = [(path, name) for path in places() for name in path[-1][1].structure.required if len(path) > 1]
    assert len(needed) > 8
    for path, name in needed:
        (error, *_) = errors_of(read(written(path, without=name)))
        assert error.sdf_codes[0] == 4, (name_of(path), name)


def test_a_sample_of_them_is_refused_by_libsdformat_too():
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    rng = np.random.default_rng(19)
    inside = [path for path in LEAVES if path[1][0] in ("world", "model")]
    for number in rng.choice(len(inside), 40, replace=False):
        path = inside[number]
        sample = SAMPLES.get(path[-1][1].kind, "1")
        assert refusal(written(path, "abc")), name_of(path)
        assert not refusal(written(path, sample)) or errors_of(read(written(path, sample))), name_of(path)


def findings_about_loops(*pairs):
    links = "".join(f"<link name='{name}'/>" for name in sorted(set("".join(pairs))))
    found = read(model(links + "".join(joint("fixed", *pair) for pair in pairs))).findings
    return [(finding.severity, finding.message) for finding in found if finding.code == "joint_loop"]


@pytest.mark.fault(54, 82)
def test_links_that_hold_each_other_are_refused_and_longer_circles_listed():
    says = "each of these links is the parent of the next: "
    assert findings_about_loops("lk", "kl") == [("error", f"{says}l -> k -> l")]
    assert findings_about_loops("lk", "ka", "al") == [("warning", f"{says}l -> k -> a -> l")]
    assert findings_about_loops("lk", "la", "kb", "ab") == []  # a linkage on one base


@pytest.mark.fault(91)
@pytest.mark.parametrize("kind", ["collision", "visual"])
def test_of_two_parts_of_one_name_the_second_weighs_nothing(kind):
    part = f"<{kind} name='p'><geometry><box><size>1 2 {{}}</size></box></geometry></{kind}>"
    floor = "<collision name='floor'><geometry><box><size>1 1 1</size></box></geometry></collision>"
    inertial = "<inertial auto='true'><density>1</density></inertial>"
    file = read(model(f"<link name='l'>{inertial}{floor}{part.format(3)}{part.format(30)}</link>"))
    assert file.links[0].body.inertial.mass == (1 + 6 if kind == "collision" else 1)
    (error,) = errors_of(file)
    assert (error.code, error.sdf_codes[0]) == ("duplicate_name", 2) and "'p'" in error.message
