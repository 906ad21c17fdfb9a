# SPDX-License-Identifier: GPL-3.0-or-later
"""What libsdformat refuses of names, types, numbers, joints and models: refused here with its own first code.

The codes were read off libsdformat 16 through Drake's parser, which judges here too where it is installed.
"""

import numpy as np
import pytest

from core.sdf.read.sdf_file import read_document
from core.sdf.spec.description import ROOT
from core.sdf.xml.document import Document

EMPTY = "<geometry><empty/></geometry>"


def model(content="", attributes="", link=""):
    return (
        f"<sdf version='1.12'><model name='m' {attributes}><link name='l'>{link}</link><link name='k'/>"
        f"{content}</model></sdf>"
    )


def world(content="", attributes="name='w'"):
    return f"<sdf version='1.12'><world {attributes}>{content}<model name='m'><link name='l'/></model></world></sdf>"


def joint(content="", name="j", kind="fixed", parent="l", child="k"):
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f"<joint name='{name}' type='{kind}'>{ends}{content}</joint>"


def visual(content="", name="v"):
    return model(link=f"<visual name='{name}'>{EMPTY}{content}</visual>")


def sensor(kind, content="", name="s"):
    return model(link=f"<sensor name='{name}' type='{kind}'>{content}</sensor>")


def axis(content):
    return joint(f"<axis>{content}</axis>", kind="revolute")


def material(content):
    return visual(f"<material>{content}</material>")


ANIMATION = "<animation name='x'><filename>f</filename></animation>"

MASK = "<surface><contact><collide_bitmask>0xff</collide_bitmask></contact></surface>"

NOISE = "<altimeter><vertical_position><noise type='loud'/></vertical_position></altimeter>"


def old_axis(version, content=""):
    limits = "<limit><lower>-1</lower><upper>1</upper></limit>"
    text = model(joint(f"<axis>{content}{limits}</axis>", kind="revolute"))
    return text.replace("version='1.12'", f"version='{version}'")


IN_MODEL, IN_CHILD = (f"<use_parent_model_frame>{said}</use_parent_model_frame>" for said in ("true", "false"))

REFUSED = [
    ("an old axis without direction in its model's frame", old_axis("1.6", IN_MODEL), 9),
    ("an axis of 1.4 without direction", old_axis("1.4"), 9),
    ("a ball joint without child", model("<joint name='j' type='ball'><parent>l</parent></joint>"), 20),
    ("a ball joint without parent", model("<joint name='j' type='ball'><child>l</child></joint>"), 21),
    # Names.
    ("a link called world", model("<link name='world'/>"), 3),
    ("a frame with underscores round it", model("<frame name='__f__'/>"), 3),
    ("a visual called world", visual(name="world"), 3),
    ("a joint called world", model(joint(name="world")), 3),
    ("a world called world", world(attributes="name='world'"), 3),
    ("two colons in a visual", visual(name="a::b"), 3),
    ("a name of blanks", model("<frame name=' '/>"), 5),
    ("two collisions of a name", model(link=f"<collision name='v'>{EMPTY}</collision>" * 2), 2),
    ("two visuals of a name", model(link=f"<visual name='v'>{EMPTY}</visual>" * 2), 2),
    (
        "two names that differ by blanks",
        model(link=f"<visual name='v'>{EMPTY}</visual><visual name=' v'>{EMPTY}</visual>"),
        2,
    ),
    ("two worlds of a name", "<sdf version='1.12'><world name='w'/><world name='w'/></sdf>", 2),
    (
        "two models of a name at the top",
        "<sdf version='1.12'>" + "<model name='m'><link name='l'/></model>" * 2 + "</sdf>",
        2,
    ),
    # Types.
    ("a type of joint", model(joint(kind="hinge")), 5),
    (
        "a submesh without a name",
        model(link="<visual name='v'><geometry><mesh><uri>a</uri><submesh/></mesh></geometry></visual>"),
        8,
    ),
    # Texts.
    ("a number too large", model(link="<inertial><mass>1e400</mass></inertial>"), 9),
    ("a number too small", model(link="<inertial><mass>1e-310</mass></inertial>"), 9),
    (
        "commas in a vector",
        visual("<geometry/>").replace(EMPTY, "<geometry><box><size>1,2,3</size></box></geometry>"),
        9,
    ),
    ("a pose of seven numbers", model(link="<pose>1 2 3 4 5 6 7</pose>"), 9),
    ("a quaternion in degrees", model(link="<pose rotation_format='quat_xyzw' degrees='1'/>"), 9),
    ("a format of rotations", model(link="<pose rotation_format='angle'/>"), 9),
    ("degrees that are neither", model(link="<pose degrees='perhaps'>1 0 0 0 0 0</pose>"), 5),
    (
        "an empty text that is needed",
        model(link="<visual name='v'><geometry><mesh><uri/></mesh></geometry></visual>"),
        9,
    ),
    # Frames, joints and models.
    ("a frame of libsdformat's own", model("<frame name='f' attached_to='__root__'/>"), 5),
    ("joints fixed to each other", model(joint(name="a", child="b") + joint(name="b", child="a")), 24),
    ("a joint fixed to itself", model(joint(name="a", child="a")), 24),
    ("frames fixed to each other", model("<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>"), 24),
    (
        "frames placed by each other",
        model("<frame name='f'><pose relative_to='g'/></frame><frame name='g'><pose relative_to='f'/></frame>"),
        27,
    ),
    ("a joint that is its own parent", model(joint(name="a", parent="a")), 21),
    ("a parent that is not there", model(joint(parent="z")), 21),
    ("a child that is not there", model(joint(child="z")), 20),
    ("a child in a model that has none", model("<model name='n'><link name='l'/></model>" + joint(child="n::z")), 20),
    (
        "a frame in a model that has none",
        model("<model name='n'><link name='l'/></model><frame name='f' attached_to='n::z'/>"),
        23,
    ),
    ("the world as a child", model(joint(child="world")), 20),
    ("a parent that is the child", model(joint(parent="k")), 22),
    ("a parent that is the child by a frame", model("<frame name='f' attached_to='k'/>" + joint(parent="f")), 22),
    ("a parent of libsdformat's own", model(joint(parent="__root__")), 3),
    ("a ball joint without ends", model("<joint name='j' type='ball'/>"), 22),
    ("an axis of zeros", model(axis("<xyz>0 0 0</xyz>")), 9),
    ("an axis in a frame that is not there", model(axis("<xyz expressed_in='z'>0 0 1</xyz>")), 38),
    ("a joint that mimics itself", model(axis("<mimic joint='j' axis='axis'/>")), 41),
    ("a joint that mimics none", model(axis("<mimic joint='z' axis='axis'/>")), 41),
    ("a model without a link in a model", model("<model name='n'/>"), 17),
    (
        "a canonical link of a nested model",
        model("<model name='n'><link name='l'/></model>", "canonical_link='n::z'"),
        16,
    ),
    ("a placement frame", model(attributes="placement_frame='z'"), 26),
    ("a joint of the world", world(joint(parent="z", child="m")), 21),
    ("a frame of the world", world("<frame name='f' attached_to='z'/>"), 23),
    ("an include of nothing", world("<include/>"), 4),
]

PASSED_THROUGH = [
    ("no whole number", model(link=f"<collision name='c'><max_contacts>x</max_contacts>{EMPTY}</collision>")),
    ("a sensor with underscores round it", sensor("imu", name="__s__")),
    ("two colons in a gripper", model("<gripper name='a::b'/>")),
    ("two sensors of a name", model(link="<sensor name='s' type='imu'/>" * 2)),
    ("two lights of a name", model(link="<light name='a' type='point'/>" * 2)),
    ("two animations of a name", world(f"<actor name='a'>{ANIMATION * 2}</actor>")),
    (
        "a model and a light at the top",
        "<sdf version='1.12'><model name='m'><link name='l'/></model><light name='a' type='point'/></sdf>",
    ),
    ("a type of light", model(link="<light name='a' type='Point'/>")),
    ("a type of sensor", sensor("Camera")),
    ("a type of emitter", model(link="<particle_emitter name='a' type='sphere'/>")),
    ("a type of atmosphere", world("<atmosphere type='thick'/>")),
    ("a type of noise", sensor("altimeter", NOISE)),
    ("a format of pixels", sensor("camera", "<camera><image><format>RGB</format></image></camera>")),
    ("a frame of a force_torque", sensor("force_torque", "<force_torque><frame>hand</frame></force_torque>")),
    ("a shader", material("<shader type='toon'/>")),
    ("a shader without its map", material("<shader type='normal_map_object_space'/>")),
    ("a script without a uri", material("<script><name>a</name></script>")),
    ("a script without a name", material("<script><uri>a</uri></script>")),
    ("a surface", world("<spherical_coordinates><surface_model>MARS</surface_model></spherical_coordinates>")),
    ("a vector that is no number", world("<gravity>nan 0 0</gravity>")),
    ("two numbers for a colour", material("<ambient>1 1</ambient>")),
    ("a colour above 1", material("<ambient>2 1 1 1</ambient>")),
    ("below a limit", sensor("camera", "<camera><horizontal_fov>0</horizontal_fov></camera>")),
    ("a time of one number", world("<state world_name='w'><sim_time>0</sim_time></state>")),
    (
        "a frame of a visual's sensor",
        sensor(
            "imu",
            "<imu><orientation_reference_frame><custom_rpy parent_frame='__root__'/></orientation_reference_frame>"
            "</imu>",
        ),
    ),
    (
        "gravity in the physics of 1.5",
        world("<physics type='ode'><gravity>down</gravity></physics>").replace("1.12", "1.5"),
    ),
]
"""What libsdformat refuses of sensors, lights, materials and other elements that have no bearing on inertia.

They are passed through unread: what is judged are models, links, frames, joints, includes, collisions, the geometry of
visuals and inertials.
"""

TAKEN = [
    ("an old axis without direction in its child's frame", old_axis("1.4", IN_CHILD)),
    ("an axis of 1.5 without direction", old_axis("1.5")),
    (
        "names of a visual and a collision",
        model(link=f"<visual name='a'>{EMPTY}</visual><collision name='a'>{EMPTY}</collision>"),
    ),
    ("three underscores", model("<frame name='___'/>")),
    ("two colons in a plugin", model("<plugin name='a::b' filename='f'/>")),
    ("two plugins of a name", model("<plugin name='a' filename='f'/>" * 2)),
    ("a static model without a link", "<sdf version='1.12'><model name='m'><static>1</static></model></sdf>"),
    (
        "a static model whose canonical link is not there",
        "<sdf version='1.12'><model name='m' canonical_link='z'><static>1</static><link name='l'/></model></sdf>",
    ),
    (
        "a model of a model",
        "<sdf version='1.12'><model name='m'><model name='n'><link name='l'/></model></model></sdf>",
    ),
    ("parts without a shape", model(link="<visual name='a'/><collision name='c'><geometry/></collision>")),
    ("a type of joint in capitals", model(joint(kind="FIXED"))),
    (
        "a mask in hexadecimal",
        model(link=f"<collision name='c'>{EMPTY}{MASK}</collision>"),
    ),
    ("a number that goes on", model(link="<velocity_decay><linear>1,5</linear></velocity_decay>")),
    ("a colour that goes on", material("<ambient>1x 1 1</ambient>")),
    ("an empty text", model("<static/>")),
    ("a pose to nowhere, which nobody asks for", visual("<pose relative_to='z'/>")),
    ("joints of the world", world("<model name='n'><link name='l'/></model>" + joint(parent="m::l", child="n::l"))),
    ("a joint to a model", world("<model name='n'><link name='l'/></model>" + joint(parent="m", child="n"))),
    (
        "lights of every type",
        model(link="".join(f"<light name='{one}' type='{one}'/>" for one in ("point", "spot", "directional"))),
    ),
]


def errors_of(text):
    file = read_document(Document.parse(text.encode(), "m.sdf"))
    return [finding for finding in file.findings if finding.severity == "error"]


def named(listed):
    return [pytest.param(*rest, id=name) for name, *rest in listed]


@pytest.mark.fault(94)
@pytest.mark.parametrize(("text", "code"), named(REFUSED))
def test_it_is_refused_with_libsdformats_first_code(text, code):
    first, *_ = errors_of(text)
    assert first.sdf_codes[0] == code
    assert f"libsdformat: {code} " in first.text
    assert first.subject.startswith("m.sdf:1 /sdf") and first.remedy


@pytest.mark.fault(94)
@pytest.mark.parametrize("text", named(TAKEN))
def test_it_is_taken(text):
    assert errors_of(text) == []


@pytest.mark.fault(110, 145)
@pytest.mark.parametrize("text", named(PASSED_THROUGH))
def test_what_has_no_bearing_on_inertia_is_passed_through(text):
    file = read_document(Document.parse(text.encode(), "m.sdf"))
    assert (*file.findings, *file.notes) == ()


@pytest.fixture(scope="module")
def taken_by_drake():
    """Return True if libsdformat takes a text, as Drake's parser has it."""
    parsing = pytest.importorskip("pydrake.multibody.parsing", reason="pydrake is not installed")
    from pydrake.multibody.plant import MultibodyPlant

    def taken(text):
        plant = MultibodyPlant(0.0)
        try:
            parsing.Parser(plant).AddModelsFromString(text, "sdf")
        except RuntimeError as error:
            return "error: " not in str(error)
        return True

    return taken


@pytest.mark.fault(94)
@pytest.mark.parametrize("text", named([*((name, text) for name, text, _ in REFUSED), *PASSED_THROUGH]))
def test_libsdformat_refuses_it(text, taken_by_drake):
    assert not taken_by_drake(text)


@pytest.mark.parametrize("text", named(TAKEN))
def test_libsdformat_takes_it(text, taken_by_drake):
    assert taken_by_drake(text)


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
        (error, *_) = errors_of(written(path, "abc"))
        assert error.sdf_codes[0] == 9, name_of(path)
        assert error.subject.split()[1].rpartition("/")[2].partition("[")[0] == path[-1][0]


def test_every_attribute_that_must_be_there_is_missed():
    needed = [(path, name) for path in places() for name in path[-1][1].structure.required if len(path) > 1]
    assert len(needed) > 8
    for path, name in needed:
        (error, *_) = errors_of(written(path, without=name))
        assert error.sdf_codes[0] == 4, (name_of(path), name)


def test_a_sample_of_them_is_refused_by_libsdformat_too(taken_by_drake):
    rng = np.random.default_rng(19)
    inside = [path for path in LEAVES if path[1][0] in ("world", "model")]
    for number in rng.choice(len(inside), 40, replace=False):
        path = inside[number]
        sample = SAMPLES.get(path[-1][1].kind, "1")
        assert not taken_by_drake(written(path, "abc")), name_of(path)
        assert taken_by_drake(written(path, sample)) or errors_of(written(path, sample)), name_of(path)


def findings_about_loops(*pairs):
    links = "".join(f"<link name='{name}'/>" for name in sorted({name for pair in pairs for name in pair} - {"l", "k"}))
    joints = "".join(joint(name=f"j{a}{b}", parent=a, child=b) for a, b in pairs)
    found = read_document(Document.parse(model(links + joints).encode(), "m.sdf")).findings
    return [(finding.severity, finding.message) for finding in found if finding.code == "joint_loop"]


@pytest.mark.fault(54, 82)
def test_links_that_hold_each_other_are_refused_and_longer_circles_listed():
    says = "each of these links is the parent of the next: "
    assert findings_about_loops("lk", "kl") == [("error", f"{says}l -> k -> l")]
    assert findings_about_loops("lk", "ka", "al") == [("warning", f"{says}l -> k -> a -> l")]
    assert findings_about_loops("lk", "la", "kb", "ab") == []  # a linkage on one base


@pytest.mark.fault(91)
@pytest.mark.parametrize("kind", ["collision", "visual"])
def test_of_two_parts_of_one_name_the_second_is_an_error_and_weighs_nothing(kind):
    part = f"<{kind} name='p'><geometry><box><size>1 2 {{}}</size></box></geometry></{kind}>"
    floor = "<collision name='floor'><geometry><box><size>1 1 1</size></box></geometry></collision>"
    inertial = "<inertial auto='true'><density>1</density></inertial>"
    text = f"<link name='l'>{inertial}{floor}{part.format(3)}{part.format(30)}</link>"
    file = read_document(Document.parse(f"<sdf version='1.12'><model name='m'>{text}</model></sdf>".encode(), "m.sdf"))
    assert file.links[0].body.inertial.mass == (1 + 6 if kind == "collision" else 1)
    (error,) = [finding for finding in file.findings if finding.severity == "error"]
    assert (error.code, error.sdf_codes[0]) == ("duplicate_name", 2) and "'p'" in error.message
