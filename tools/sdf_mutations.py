# SPDX-License-Identifier: GPL-3.0-or-later
"""SDF and URDF files that hold a bit of everything, and faults put into them: what `fuzz_sdf.py` runs on."""

from __future__ import annotations

import re
from random import Random

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

SHAPES = (
    "<box><size>1 2 3</size></box>",
    "<sphere><radius>0.5</radius></sphere>",
    "<cylinder><radius>0.2</radius><length>1</length></cylinder>",
    "<capsule><radius>0.2</radius><length>1</length></capsule>",
    "<cone><radius>0.2</radius><length>1</length></cone>",
    "<ellipsoid><radii>1 2 3</radii></ellipsoid>",
    "<mesh><uri>t.obj</uri><scale>1 -2 1e-3</scale></mesh>",
    "<mesh optimization='convex_hull'><uri>t.obj</uri><submesh><name>a</name><center>1</center></submesh></mesh>",
    "<plane><normal>0 0 1</normal><size>1 1</size></plane>",
)

AUTO = """
<link name='l{0}'>
  <pose relative_to='f'>0 {0} 0 0 0 0.1</pose>
  <inertial auto='true'><density>{0}1</density><mass>{0}2</mass></inertial>
  <collision name='c'><pose degrees='true'>0 0 1 0 90 0</pose><geometry>{1}</geometry></collision>
</link>"""

EXPLICIT = """
<link name='k'>
  <inertial>
    <pose rotation_format='quat_xyzw'>0 0 0 0 0 0 1</pose>
    <mass>1</mass>
    <inertia><ixx>1</ixx><ixy>0.1</ixy><ixz>0</ixz><iyy>1</iyy><iyz>0</iyz><izz>1</izz></inertia>
    <fluid_added_mass><xx>1</xx></fluid_added_mass>
  </inertial>
  <visual name='v'><geometry><box><size>1 1 1</size></box></geometry></visual>
  <collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>
</link>"""

FRAMES = """
<frame name='f' attached_to='k'><pose>1 2 3 0 0 1</pose></frame>
<joint name='j' type='fixed'><parent>world</parent><child>k</child></joint>
<include merge='true'><uri>part.sdf</uri><name>n</name><placement_frame>p</placement_frame></include>"""

SMALL = """<?xml version='1.0'?><sdf version='1.11'><!-- c --><model name='m'><link name='l'>
<inertial auto='1'/><collision name='c'><density>5</density><auto_inertia_params>
<gz:voxel_size>0.5</gz:voxel_size></auto_inertia_params><geometry><box><size>1 2 3</size></box></geometry>
</collision></link></model></sdf>"""

NESTED = """<sdf version='1.9'><world name='w'><model name='m' placement_frame='f'><static>0</static>
<model name='n'>{}{}</model></model><include><uri>model://part.sdf</uri><pose>1 0 0 0 0 0</pose></include>
</world></sdf>"""

URDF = """<robot name='r'><link name='a'><inertial><origin xyz='1 0 0' rpy='0 0 1'/><mass value='1'/>
<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial><collision><geometry><box size='1 2 3'/></geometry>
</collision></link><link name='b'/><joint name='j' type='fixed'><origin xyz='0 0 1'/><parent link='a'/><child link='b'/>
</joint></robot>"""

PART = (
    """<sdf version='1.11'><model name='p'><frame name='p'/><link name='l'><inertial auto='1'/></link></model></sdf>"""
)

NUMBERS = (
    *("", "0", "-0", "-1", "7", "0.1", "1,5", "1_0", "0x1p3", "٣", "true", "nan", "inf", "9" * 400),
    *("-1e308", "1e308", "1e154", "1e-160", "1e-320", "5e-324"),
)

WORDS = (
    *("sdf", "world", "model", "link", "joint", "frame", "include", "inertial", "collision", "visual", "geometry"),
    *("mass", "inertia", "ixx", "pose", "density", "box", "size", "mesh", "uri", "submesh", "parent", "child"),
    *("static", "relative_to", "auto", "name", "__model__", "world::l", "m::l", "gz:x", "xmlns"),
)

ELEMENT = re.compile(rb"<([A-Za-z_:]+)[^<>]*(?:/>|>[^<>]*</\1>)")
NUMBER = re.compile(rb"-?\d[\d.e+-]*")
WORD = re.compile(rb"[A-Za-z_:]{2,}")


def originals() -> list[bytes]:
    """Return what is mutated: all geometries, frames, includes, explicit and auto inertials, encodings, a URDF."""
    links = "".join(AUTO.format(number, shape) for number, shape in enumerate(SHAPES))
    large = f"<sdf version='1.12'><model name='m'>{links}{EXPLICIT}{FRAMES}</model></sdf>"
    texts = [SMALL, SMALL, SMALL, large, NESTED.format(EXPLICIT, FRAMES), URDF]
    return [text.encode() for text in texts] + [SMALL.encode("utf-16")]


def mutated(text: bytes, others: list[bytes], random: Random) -> bytes:
    """Return a text with one to six faults in it: of bytes, which mostly end its being XML, or of what XML says."""
    data = bytearray(text)
    faults = _faults_of_bytes if random.random() < 0.25 else _faults_of_meaning
    for _ in range(random.randint(1, 6)):
        if data:
            faults(data, others, random)
    return bytes(data)


def _faults_of_bytes(data: bytearray, others: list[bytes], random: Random) -> None:
    place, kind = random.randrange(len(data)), random.randrange(4)
    if kind == 0:
        data[place] = random.randrange(256)
    elif kind == 1:
        del data[place : place + random.randint(1, 30)]
    elif kind == 2:
        other = random.choice(others)
        start = random.randrange(len(other))
        data[place:place] = other[start : start + random.randint(1, 60)]
    else:
        data[place:place] = data[place : place + random.randint(1, 60)] * random.choice((1, 2, 50, 300))


def _faults_of_meaning(data: bytearray, others: list[bytes], random: Random) -> None:
    """Change the next number or name behind some place; remove, repeat or transplant an element."""
    kind = random.randrange(5)
    pattern = (NUMBER, WORD, ELEMENT, ELEMENT, ELEMENT)[kind]
    match = pattern.search(data, random.randrange(len(data))) or pattern.search(data)
    if match is None:
        return
    start, end = match.span()
    if kind == 0:
        data[start:end] = random.choice(NUMBERS).encode()
    elif kind == 1:
        word = random.choice(WORDS).encode()
        tags = re.compile(rb"(?<=[</])" + match[0] + rb"(?=[ />])")
        renamed = tags.sub(word, data)  # all elements of a name, so that tags still fit
        data[:] = renamed if renamed != data else data[:start] + word + data[end:]
    elif kind == 2:
        del data[start:end]
    elif kind == 3:
        data[start:start] = data[start:end] * random.choice((1, 40))
    else:
        foreign = [found[0] for found in ELEMENT.finditer(random.choice(others))]
        data[start:end] = random.choice(foreign or [b""])
