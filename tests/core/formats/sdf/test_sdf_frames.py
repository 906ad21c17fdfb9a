# SPDX-License-Identifier: GPL-3.0-or-later
"""Where things are: the pose graph against libsdformat (in Drake), and what is wrong with a graph."""

import numpy as np
import pytest

from core.formats.sdf.read import read_sdf

from ....thorough import THOROUGH
from ...drake_inertia import loaded
from .texts import model, read

BOX = "<density>1</density><geometry><box><size>1 2 3</size></box></geometry>"
AUTO = "<inertial auto='true'/>"


def probe(name, relative_to, pose=""):
    """A link whose centre of mass tells where a frame is: its one collision stands there."""
    collision = f"<collision name='c'><pose relative_to='{relative_to}'/>{BOX}</collision>"
    return f"<link name='{name}'>{pose}{AUTO}{collision}</link>"


def check_against_drake(file, source, roots=()):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    found = loaded(source, roots)
    links = {link.name: link for link in file.links}
    assert set(links) == set(found)
    assert not file.findings
    for name, link in links.items():
        if link.auto:
            np.testing.assert_allclose(link.body.inertial.com, found[name].com, rtol=0, atol=1e-11)
            np.testing.assert_allclose(link.body.inertial.inertia, found[name].inertia, rtol=0, atol=1e-9)


def random_pose(rng, relative_to):
    """A pose in one of the three ways to write it."""
    x = " ".join(str(number) for number in rng.uniform(-2, 2, 3))
    way = rng.integers(3)
    if way == 0:
        turn, how = rng.uniform(-3, 3, 3), ""
    elif way == 1:
        turn, how = rng.uniform(-180, 180, 3), " degrees='true'"
    else:
        turn = rng.normal(size=4)
        turn, how = turn / np.linalg.norm(turn), " rotation_format='quat_xyzw'"
    relative = f" relative_to='{relative_to}'" if relative_to else ""
    return f"<pose{how}{relative}>{x} {' '.join(str(number) for number in turn)}</pose>"


def random_model(rng, name, depth=1):
    """A model of links, frames, joints and nested models, each posed relative to what came before it in a random order.

    Returns its text and the names that may be referred to from outside. Frames are named by their depth: Drake puts
    one that is attached to a nested model into that model.
    """
    kinds = [("link", f"l{i}") for i in range(4)] + [("frame", f"f{depth}{i}") for i in range(4)]
    kinds += [("joint", f"j{i}") for i in range(2)] + [("model", f"n{i}") for i in range(2 if depth else 0)]
    text, known = "", ["__model__"]
    for number in rng.permutation(len(kinds)):
        kind, own = kinds[number]
        base = str(rng.choice(["", *known]))
        if kind == "link":
            target = str(rng.choice([*known, own]))
            text += probe(own, target, random_pose(rng, base))
        elif kind == "frame":
            attached = f" attached_to='{rng.choice(known)}'" if rng.integers(2) else ""
            text += f"<frame name='{own}'{attached}>{random_pose(rng, base)}</frame>"
        elif kind == "joint":
            child = f"l{2 * int(own[1]) + 1}"
            base = base or ("" if child in known else "__model__")
            text += f"<joint name='{own}' type='fixed'><parent>l{2 * int(own[1])}</parent><child>{child}</child>"
            text += f"{random_pose(rng, base)}</joint>"
        else:
            inner, names = random_model(rng, own, depth - 1)
            placement = f" placement_frame='{rng.choice(names)}'" if rng.integers(2) else ""
            text += inner.replace(
                f"<model name='{own}'>", f"<model name='{own}'{placement}>{random_pose(rng, base)}", 1
            )
            known += [f"{own}::{one}" for one in names]
        known.append(own)
    return f"<model name='{name}'>{text}</model>", [one for one in known if one != "__model__"]


@pytest.mark.fault(50)
def test_random_pose_graphs_are_libsdformats():
    rng = np.random.default_rng(4)
    count = 12 if THOROUGH else 4
    models = "".join(random_model(rng, f"m{number}")[0] for number in range(count))
    text = f"<sdf version='1.11'><world name='w'>{models}</world></sdf>"
    file = read(text)
    assert len(file.links) == count * (4 + 2 * 4)
    check_against_drake(file, text)


INCLUDED = model(
    "<frame name='f'><pose>0 0 1 0 0 0.5</pose></frame>"
    + probe("a", "f", "<pose>1 0 0 0 0 0.3</pose>")
    + probe("b", "__model__", "<pose relative_to='j'/>")
    + "<joint name='j' type='fixed'><pose relative_to='a'>0 3 0 0 0 1</pose><parent>a</parent><child>b</child></joint>"
).replace("name='m'", "name='sub' placement_frame='f'")

INCLUDING = (
    "<sdf version='1.11'><world name='w'><frame name='g'><pose>0 0 7 0.1 0 0</pose></frame>"
    "<include><uri>package://robot/sub</uri><name>s</name><pose relative_to='g'>1 1 1 0 0 0</pose></include>"
    "<model name='m'><pose relative_to='s::f'>0 0 1 0 0 0</pose>"
    "<include merge='true'><uri>package://robot/sub</uri><pose relative_to='base'>4 0 0 0 0 1</pose></include>"
    "<include><uri>package://robot/sub</uri><name>n</name><placement_frame>a</placement_frame>"
    "<pose relative_to='b'>4 0 0 0 0 0</pose></include>"
    + probe("base", "n::b")
    + probe("other", "f", "<pose relative_to='n::f'/>")
    + "</model></world></sdf>"
)


def test_included_and_merged_models_stand_where_libsdformat_puts_them(tmp_path):
    folder = tmp_path / "robot" / "sub"
    folder.mkdir(parents=True)
    (tmp_path / "robot" / "package.xml").write_text("<package><name>robot</name></package>")
    (folder / "model.config").write_text("<model><name>sub</name><sdf version='1.11'>sub.sdf</sdf></model>")
    (folder / "sub.sdf").write_text(INCLUDED)
    main = tmp_path / "robot" / "main.sdf"
    main.write_text(INCLUDING)

    file = read_sdf(main)
    assert [model.name for model in file.models] == ["s", "m", "m::n"]
    assert [link.name for link in file.links] == [
        "s::a",
        "s::b",
        "m::a",
        "m::b",
        "m::base",
        "m::other",
        "m::n::a",
        "m::n::b",
    ]
    check_against_drake(file, main, [tmp_path])


@pytest.mark.fault(50)
def test_random_models_included_and_merged_are_libsdformats(tmp_path):
    rng = np.random.default_rng(5)
    folder = tmp_path / "robot"
    folder.mkdir()
    parents = ""
    for number in range(10 if THOROUGH else 4):
        text, names = random_model(rng, "r")
        placement = f" placement_frame='{rng.choice(names)}'" if rng.integers(2) else ""
        own_pose = random_pose(rng, "")
        text = text.replace("<model name='r'>", f"<model name='r'{placement}>{own_pose}", 1)
        (folder / f"{number}.sdf").write_text(f"<sdf version='1.11'>{text}</sdf>")
        merge = " merge='true'" if number % 2 else ""
        said = f"<uri>package://robot/{number}.sdf</uri><name>given</name>"
        if rng.integers(3):
            said += random_pose(rng, str(rng.choice(["", "base", "__model__"])))
            said += f"<placement_frame>{rng.choice(names)}</placement_frame>" if rng.integers(2) else ""
        seen = rng.choice(names) if merge else f"given::{rng.choice(names)}"
        base = probe("base", seen, random_pose(rng, ""))
        parents += f"<model name='p{number}'><include{merge}>{said}</include>{base}</model>"
    main = folder / "main.sdf"
    main.write_text(f"<sdf version='1.11'><world name='w'>{parents}</world></sdf>")

    check_against_drake(read_sdf(main), main, [tmp_path])


@pytest.mark.parametrize("version", ["1.5", "1.6"])
def test_up_to_1_6_the_attribute_is_called_frame(version):
    contents = (
        "<frame name='f'><pose>0 0 3 0 0 0</pose></frame>"
        + probe("a", "f", "<pose>1 0 0 0 0 1</pose>")
        + probe("b", "j", "<pose frame='a'>0 2 0 0 0 0</pose>")
        + "<joint name='j' type='fixed'><pose>0 0 7 1 0 0</pose><parent>a</parent><child>b</child></joint>"
    ).replace("relative_to", "frame")
    text = model(contents, version)
    check_against_drake(read(text), text)
    (_, b) = read(model(contents, "1.7")).links
    assert b.link.pose.p.tolist() == [0, 2, 0]
