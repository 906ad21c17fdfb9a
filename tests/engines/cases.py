# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots that each show one rule of an engine, by name: the text of a URDF, or of an SDF if the name begins so."""

from __future__ import annotations

BOX = "<box size='.1 .2 .3'/>"
SOUND = "<mass value='2'/><inertia ixx='.01' iyy='.02' izz='.025' ixy='.001' ixz='0' iyz='-.002'/>"
TURNED = "<origin xyz='.1 .2 .3' rpy='.4 .5 .6'/>"


def _collision(shape: str, origin: str = "", tag: str = "collision") -> str:
    return f"<{tag}>{origin}<geometry>{shape}</geometry></{tag}>"


def _inertial(mass: float, *moments: float) -> str:
    xx, yy, zz = moments
    tensor = f"<inertia ixx='{xx}' iyy='{yy}' izz='{zz}' ixy='0' ixz='0' iyz='0'/>"
    return f"<inertial>{TURNED}<mass value='{mass}'/>{tensor}</inertial>"


def _joint(parent: str, child: str, kind: str) -> str:
    rest = "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' velocity='1'/>" if kind == "revolute" else ""
    ends = f"<parent link='{parent}'/><child link='{child}'/>"
    return f"<joint name='to_{child}' type='{kind}'><origin xyz='0 .1 0' rpy='0 .2 .1'/>{ends}{rest}</joint>"


HEAVY = f"<inertial>{TURNED}{SOUND}</inertial>"


def _robot(
    body: str, tip: str = "", kind: str = "fixed", root: str = "base", base: str = HEAVY, before: str = ""
) -> str:
    links = f"<link name='{root}'>{base}</link><link name='body'>{body}</link>" + _joint(root, "body", "revolute")
    links += f"<link name='tip'>{tip}</link>" + _joint("body", "tip", kind) if tip else ""
    return f"<robot name='r'>{before}{links}</robot>\n"


CUBE = _collision("<box size='.2 .2 .2'/>", "<origin xyz='.1 .1 .3' rpy='.5 .6 .7'/>")
AT_ORIGIN = f"<inertial><origin xyz='.1 .1 .3'/>{SOUND}</inertial>"

URDF = {
    "sound": _robot(HEAVY + CUBE),
    "box at the centre of mass": _robot(AT_ORIGIN + _collision(BOX, "<origin xyz='.1 .1 .3'/>")),
    "tip with a box alone": _robot(HEAVY, CUBE),
    "tip of 0 kg with a box": _robot(HEAVY, _inertial(0, 0, 0, 0) + CUBE),
    "massless root": _robot(HEAVY, base=""),
    "tip without anything": _robot(HEAVY, " "),
    "massless body, heavy tip": _robot(_inertial(0, 0.1, 0.2, 0.15), HEAVY),
    "heavy body, massless tip with a tensor": _robot(HEAVY, _inertial(0, 0.1, 0.2, 0.15)),
    "no inertial, box": _robot(_collision(BOX)),
    "no inertial, turned box": _robot(_collision(BOX, TURNED)),
    "no inertial, ball": _robot(_collision("<sphere radius='.1'/>")),
    "no inertial, cylinder": _robot(_collision("<cylinder radius='.1' length='.3'/>")),
    "no inertial, capsule": _robot(_collision("<capsule radius='.1' length='.3'/>")),
    "no inertial, L": _robot(_collision("<mesh filename='ell.obj' scale='.3 .2 .1'/>")),
    "no inertial, moved L": _robot(_collision("<mesh filename='ell.stl' scale='.3 -.2 .1'/>", TURNED)),
    "no inertial, visual alone": _robot(_collision(BOX, tag="visual")),
    "no inertial, two boxes": _robot(_collision(BOX) + _collision(BOX, TURNED)),
    "no mass": _robot("<inertial><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>" + CUBE),
    "no tensor": _robot(f"<inertial>{TURNED}<mass value='3'/></inertial>" + CUBE),
    "no products": _robot("<inertial><mass value='3'/><inertia ixx='.1' iyy='.1' izz='.1'/></inertial>"),
    "impossible": _robot(_inertial(2, 0.01, 0.01, 0.03) + CUBE),
    "impossible, held": _robot(HEAVY, _inertial(2, 0.01, 0.01, 0.03)),
    "negative moment": _robot(_inertial(2, -0.01, 0.01, 0.01) + CUBE),
    "moments of -1e-19": _robot(_inertial(0.5, -1e-19, -1e-19, 0.0) + CUBE),
    "inertia_scaling of PyBullet": _robot(f"<contact><inertia_scaling value='3'/></contact>{HEAVY}{CUBE}"),
    "zero moment": _robot(_inertial(2, 0.01, 0.01, 0.0) + CUBE),
    "zero tensor": _robot(_inertial(2, 0, 0, 0) + CUBE),
    "zero mass, tensor": _robot(_inertial(0, 0.01, 0.01, 0.01) + CUBE),
    "zero mass, zero tensor": _robot(_inertial(0, 0, 0, 0) + CUBE),
    "10 mg": _robot(_inertial(1e-5, 1e-11, 1e-11, 1e-11) + CUBE),
    "moments below 1e-14": _robot(_inertial(1e-5, 1e-15, 1e-15, 1e-15) + CUBE),
    "impossible root": f"<robot name='r'><link name='base'>{_inertial(1, 0.01, 0.01, 0.03)}</link></robot>",
    "world, root that floats": _robot(
        HEAVY, root="base", before="<link name='world'/>" + _joint("world", "base", "floating")
    ),
    "world as root": _robot(HEAVY, CUBE, root="world", base=""),
    "floating child of a moving link": _robot(HEAVY, HEAVY, kind="floating"),
    "lost mesh": _robot(HEAVY + _collision("<mesh filename='lost.stl'/>")),
    "lost mesh, no inertial": _robot(_collision("<mesh filename='lost.stl'/>") + CUBE),
    "lost mesh of a visual": _robot(HEAVY + _collision("<mesh filename='lost.stl'/>", tag="visual")),
    "mesh of a visual as glTF": _robot(HEAVY + _collision("<mesh filename='lost.glb'/>", tag="visual")),
    "mesh in a folder": _robot(HEAVY + _collision("<mesh filename='meshes/deep.obj'/>")),
    "mesh in a folder, paths kept": _robot(
        HEAVY + _collision("<mesh filename='meshes/deep.obj'/>"),
        before="<mujoco><compiler strippath='false'/></mujoco>",
    ),
    "lost mesh, paths kept": _robot(
        HEAVY + _collision("<mesh filename='meshes/lost.obj'/>"),
        before="<mujoco><compiler strippath='false'/></mujoco>",
    ),
    "lost mesh of a package": _robot(
        HEAVY + _collision("<mesh filename='package://lost/meshes/deep.obj'/>", tag="visual")
    ),
    "mesh by a URI": _robot(HEAVY + _collision("<mesh filename='package://meshes/deep.obj'/>")),
}


def _sdf(content: str) -> str:
    other = "<link name='base'/><joint name='j' type='revolute'><parent>base</parent><child>body</child></joint>"
    other = other.replace("</child>", "</child><axis><xyz>0 0 1</xyz></axis>")
    model = f"<model name='r'><link name='body'>{content}</link>{other}</model>"
    return f"<?xml version='1.0'?><sdf version='1.11'>{model}</sdf>\n"


def _explicit(mass: float, *moments: float) -> str:
    xx, yy, zz = moments
    tensor = f"<inertia><ixx>{xx}</ixx><iyy>{yy}</iyy><izz>{zz}</izz></inertia>"
    return f"<inertial><pose>.1 .2 .3 .4 .5 .6</pose><mass>{mass}</mass>{tensor}</inertial>"


SDF_BOX = "<collision name='c'><geometry><box><size>.1 .2 .3</size></box></geometry></collision>"

SDF = {
    "sdf sound": _sdf(_explicit(2, 0.01, 0.02, 0.025)),
    "sdf without inertial": _sdf(""),
    "sdf impossible": _sdf(_explicit(2, 0.01, 0.01, 0.03)),
    "sdf negative moment": _sdf(_explicit(2, -0.01, 0.01, 0.01)),
    "sdf zero tensor": _sdf(_explicit(2, 0, 0, 0)),
    "sdf zero mass": _sdf(_explicit(0, 0.01, 0.01, 0.01)),
    "sdf negative mass": _sdf(_explicit(-1, 0.01, 0.01, 0.01)),
    "sdf no tensor": _sdf("<inertial><mass>2</mass></inertial>"),
    "sdf auto": _sdf("<inertial auto='true'><density>500</density></inertial>" + SDF_BOX),
    "sdf auto without density": _sdf("<inertial auto='true'/>" + SDF_BOX),
    "sdf auto with a pose": _sdf("<inertial auto='true'><pose>1 0 0 0 0 0</pose></inertial>" + SDF_BOX),
    "sdf auto without collision": _sdf("<inertial auto='true'/>"),
}

CASES = URDF | SDF
