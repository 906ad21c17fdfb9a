# SPDX-License-Identifier: GPL-3.0-or-later
"""The real libsdformat, which Drake's parser holds, reads what we read, and refuses what we refuse."""

from collections import Counter

import numpy as np
import pytest

pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
from core.body.compare import difference  # noqa: E402
from core.errors import InertiaError  # noqa: E402
from core.formats.table import read_robot_document  # noqa: E402
from core.judge.judge import judge_file  # noqa: E402
from core.sdf.write.fill import fill  # noqa: E402
from core.sdf.xml.document import Document  # noqa: E402

from ....thorough import many  # noqa: E402
from ...drake_inertia import complaints, loaded, placed, refusal  # noqa: E402
from ...generated_sdf import JOINTS, SHAPES, VERSIONS, Generated  # noqa: E402

SAME = 1e-12
"""Of a mass; of a centre of mass, to its distance and the radius of gyration; of a tensor, to its trace and what moving
it to the link's origin adds, where Drake keeps it; of a position, to a metre and its distance; of a rotation. The worst
of 2,000 files are some 1e-14."""

FILLED = 1e-9
"""As in test_fill_drake: of a filled file, with no regard to how far the link's origin is."""

FILES = many(2000, 60)


def read(text):
    """Return a file as we read it, and what we refuse it for; not for units, since the numbers are random."""
    try:
        file = read_robot_document(Document.parse(text.encode(), "file.sdf"))
    except InertiaError as error:
        return None, [error.finding()]
    units = ("geometry_unit", "inertial_unit")
    findings = [one for one in judge_file(file) if one.severity == "error" and one.code not in units]
    return file.for_gazebo(), findings


def assert_same(link, tops, read_by_drake, seed):
    ours, (theirs, pose) = link.body.inertial, read_by_drake
    assert abs(ours.mass - theirs.mass) <= SAME * theirs.mass, (seed, link.name)
    trace, distance = np.trace(theirs.inertia), np.linalg.norm(theirs.com)
    apart = np.abs(ours.com - theirs.com).max()
    assert apart <= SAME * (np.sqrt(trace / theirs.mass) + distance), (seed, link.name)
    apart = np.abs(ours.inertia - theirs.inertia).max()
    assert apart <= SAME * (trace + theirs.mass * distance**2), (seed, link.name)
    top, _, deeper = link.name.partition("::")
    X = tops[top].scope.pose(deeper)
    assert np.abs(X.p - pose.p).max() <= SAME * (1.0 + np.linalg.norm(pose.p)), (seed, link.name)
    assert np.abs(X.R - pose.R).max() <= SAME, (seed, link.name)


def test_libsdformat_has_our_mass_centre_tensor_and_pose_of_every_link():
    tried = Counter()
    for seed in range(FILES):
        made = Generated(seed)
        tried += made.tried
        theirs = placed(made.text)
        file, errors = read(made.text)
        assert not errors, (seed, errors)
        assert {link.name for link in file.links} == set(made.links) == set(theirs), seed
        tops = {link.name.partition("::")[0]: link for link in file.links if link.name.count("::") == 1}
        for link in file.links:
            assert_same(link, tops, theirs[link.name], seed)
        if any(link.auto for link in file.links):
            changed = fill(file)
            assert not changed.refused, seed
            bodies = loaded(changed.data.decode())
            for link in changed.links:
                assert difference(bodies[link.name], theirs[link.name][0]).worst < FILLED, (seed, link.name)
    kinds = {
        *(f"version {version}" for version in VERSIONS),
        *(f"{joint} joint" for joint in JOINTS),
        *(shape.__name__.lower() for shape in SHAPES),
        *(f"models at depth {depth}" for depth in range(3)),
        *("relative_to", "attached_to", "placement_frame", "degrees", "quaternions", "world", "static"),
        *("auto", "auto with a mass", "density of the link", "density of a collision"),
        *("inertial in numbers", "no inertial"),
    }
    assert set(tried) == kinds and min(tried.values()) > 0


# --- refusals --------------------------------------------------------------------------------------------------------

BOX = "<geometry><box><size>1 2 3</size></box></geometry>"
C = f'<collision name="c">{BOX}</collision>'
L = f'<link name="l"><inertial auto="true"><density>1</density></inertial>{C}</link>'


def model(inside, version="1.11"):
    return f'<sdf version="{version}"><model name="m">{inside}</model></sdf>'


def auto(inertial="<density>1</density>", parts=C):
    return model(f'<link name="l"><inertial auto="true">{inertial}</inertial>{parts}</link>')


def given(mass="1", tensor="<ixx>1</ixx><iyy>1</iyy><izz>1</izz>", pose=""):
    return model(f'<link name="l"><inertial>{pose}<mass>{mass}</mass><inertia>{tensor}</inertia></inertial></link>')


def shape(inside):
    return auto(parts=f'<collision name="c"><geometry>{inside}</geometry></collision>')


def posed(pose, beside=""):
    return model(L.replace("<inertial auto", f"{pose}<inertial auto") + beside)


def beside(inside):
    return model(L + inside)


def joined(kind='type="fixed"', parent="<parent>world</parent>", child="<child>l</child>", axis=""):
    return beside(f'<joint name="j" {kind}>{parent}{child}{axis}</joint>')


def turning(xyz):
    return joined('type="revolute"', axis=f"<axis>{xyz}</axis>")


def in_link(inside):
    return model(L.replace("</link>", f"{inside}</link>"))


REFUSED_BY_BOTH = {
    "no SDF": "<robot/>",
    "cut off": model(L)[:-12],
    "no version": model(L).replace(' version="1.11"', ""),
    "a version that is no number": model(L, "abc"),
    "a version that is none": model(L, "2.0"),
    "a model without name": model(L).replace(' name="m"', ""),
    "a model of an empty name": model(L).replace('name="m"', 'name=""'),
    "a model without link": model(""),
    "two models at the root": model(L).replace("</model>", f"</model><model name='n'>{L}</model>"),
    "a link without name": model(L.replace('<link name="l">', "<link>")),
    "a link called world": model(L.replace('"l"', '"world"')),
    "a link called __l__": model(L.replace('"l"', '"__l__"')),
    "a link called a::b": model(L.replace('"l"', '"a::b"')),
    "two links of a name": beside(L),
    "a link and a frame of a name": beside('<frame name="l"/>'),
    "a link and a joint of a name": joined().replace('joint name="j"', 'joint name="l"'),
    "a collision without name": auto(parts=C.replace(' name="c"', "")),
    "two collisions of a name": auto(parts=C + C),
    "a collision without geometry": auto(parts='<collision name="c"/>'),
    "a visual without name": in_link(f"<visual>{BOX}</visual>"),
    "a visual's size that is none": in_link(f"<visual name='v'>{BOX.replace('1 2 3', 'x')}</visual>"),
    "a collision in a frame that is none": auto(parts=C.replace(BOX, f'<pose relative_to="x"/>{BOX}')),
    "a static model's collision in one": beside("<static>true</static>").replace(BOX, f'<pose relative_to="x"/>{BOX}'),
    "a pose of five numbers": posed("<pose>1 2 3 4 5</pose>"),
    "a pose of a letter": posed("<pose>a 2 3 4 5 6</pose>"),
    "a quaternion of six numbers": posed('<pose rotation_format="quat_xyzw">1 2 3 4 5 6</pose>'),
    "a quaternion in degrees": posed('<pose degrees="true" rotation_format="quat_xyzw">1 2 3 0 0 0 1</pose>'),
    "a rotation format that is none": posed('<pose rotation_format="axis">1 2 3 4 5 6</pose>'),
    "a pose relative to nothing": posed('<pose relative_to="x">1 2 3 4 5 6</pose>'),
    "a pose relative to itself": posed('<pose relative_to="l">1 2 3 4 5 6</pose>'),
    "poses in a circle": posed('<pose relative_to="f"/>', '<frame name="f"><pose relative_to="l"/></frame>'),
    "a frame attached to nothing": beside('<frame name="f" attached_to="x"/>'),
    "a frame attached to itself": beside('<frame name="f" attached_to="f"/>'),
    "frames in a circle": beside('<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>'),
    "a mass that is none": given("heavy"),
    "an inertial's pose of five numbers": given(pose="<pose>1 2 3 4 5</pose>"),
    "a density that is none": auto("<density>wood</density>"),
    "auto that is neither true nor false": auto().replace('auto="true"', 'auto="perhaps"'),
    "auto without a collision": auto(parts=""),
    "a box of two numbers": shape("<box><size>1 2</size></box>"),
    "a box of letters": shape("<box><size>a b c</size></box>"),
    "a radius that is none": shape("<sphere><radius>big</radius></sphere>"),
    "a plane to be computed": shape("<plane><normal>0 0 1</normal></plane>"),
    "emptiness to be computed": shape("<empty/>"),
    "a geometry of no kind": shape(""),
    "a joint without type": joined(kind=""),
    "a joint of a type that is none": joined('type="glued"'),
    "a joint without child": joined(child=""),
    "a joint without parent": joined(parent=""),
    "a joint to nothing": joined(child="<child>x</child>"),
    "a joint from nothing": joined(parent="<parent>x</parent>"),
    "a joint from a link to itself": joined(parent="<parent>l</parent>"),
    "a joint to the world": joined(parent="<parent>l</parent>", child="<child>world</child>"),
    "an axis of no length": turning("<xyz>0 0 0</xyz>"),
    "an axis expressed in nothing": turning('<xyz expressed_in="x">0 0 1</xyz>'),
    "a canonical link that is none": model(L).replace('name="m"', 'name="m" canonical_link="x"'),
    "a placement frame that is none": posed("").replace('name="m">', 'name="m" placement_frame="x"><pose/>'),
    "two nested models of a name": beside(2 * f'<model name="n">{L}</model>'),
    "a nested model without link": beside('<model name="n"/>'),
    "an include without URI": beside("<include/>"),
    "static that is neither true nor false": beside("<static>perhaps</static>"),
}

TAKEN_HERE = {
    "a light without type": in_link("<light name='v'/>"),
    "a sensor without type": in_link("<sensor name='v'/>"),
    "an include of nothing": beside("<include><uri>nowhere</uri></include>"),
}
"""What has no bearing on inertia is passed through; an include that is in no folder known here may be in one there."""

REFUSED_BY_US = {
    "no density": auto("<density>0</density>"),
    "a negative density": auto("<density>-5</density>"),
    "a collision's negative density": auto(parts=C.replace(BOX, f"<density>-1</density>{BOX}")),
    "a mass of nan": given("nan"),
    "a negative mass": given("-1"),
    "a negative moment": given(tensor="<ixx>-1</ixx><iyy>1</iyy><izz>1</izz>"),
    "moments of no triangle": given(tensor="<ixx>1</ixx><iyy>1</iyy><izz>5</izz>"),
    "a product too large": given(tensor="<ixx>1</ixx><iyy>1</iyy><izz>1</izz><ixy>0.9</ixy>"),
}
"""libsdformat has an error for each; Drake makes a warning of it, and puts a number of its own in its place."""


def test_what_libsdformat_refuses_we_refuse():
    assert not [name for name, text in REFUSED_BY_BOTH.items() if not refusal(text)]
    assert not [name for name, text in REFUSED_BY_BOTH.items() if not read(text)[1]]


def test_what_has_no_bearing_on_inertia_or_may_be_elsewhere_is_taken():
    assert not [name for name, text in TAKEN_HERE.items() if not refusal(text)]
    assert not [name for name, text in TAKEN_HERE.items() if read(text)[1]]


def test_an_inertial_that_drake_complains_of_and_replaces_we_refuse_with_libsdformat_s_code():
    for name, text in REFUSED_BY_US.items():
        assert complaints(text), name
        assert 19 in {code for finding in read(text)[1] for code in finding.sdf_codes}, name


def test_the_files_that_these_were_made_of_are_taken():
    for text in (model(L), given(), joined(), turning("<xyz>0 0 1</xyz>"), posed("<pose>1 2 3 4 5 6</pose>")):
        assert not refusal(text) and not complaints(text) and not read(text)[1]
