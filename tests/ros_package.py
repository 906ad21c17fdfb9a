# SPDX-License-Identifier: GPL-3.0-or-later
"""A ROS package of our own, as CAD exports it: COLLADA in centimetres, y up, two materials, one with a texture."""

import struct
import zlib

FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))

DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_images><image id="i"><init_from>{image}</init_from></image></library_images>
<library_effects>
 <effect id="blue-fx"><profile_COMMON><technique sid="t"><lambert>
  <diffuse><color>0.1 0.2 0.9 1</color></diffuse></lambert></technique></profile_COMMON></effect>
 <effect id="label-fx"><profile_COMMON>
  <newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam>
  <newparam sid="p"><sampler2D><source>s</source></sampler2D></newparam>
  <technique sid="t"><lambert><diffuse><texture texture="p" texcoord="uv"/></diffuse></lambert></technique>
 </profile_COMMON></effect>
</library_effects>
<library_materials>
 <material id="m1" name="Blue Paint"><instance_effect url="#blue-fx"/></material>
 <material id="m2" name="Label"><instance_effect url="#label-fx"/></material>
</library_materials>
<library_geometries><geometry id="g"><mesh>
 <source id="p"><float_array id="pa" count="24">0 0 0 2 0 0 2 3 0 0 3 0 0 0 4 2 0 4 2 3 4 0 3 4</float_array>
  <technique_common><accessor source="#pa" count="8" stride="3"><param name="X" type="float"/>
  <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
 <source id="t"><float_array id="ta" count="8">0 0 1 0 1 1 0 1</float_array>
  <technique_common><accessor source="#ta" count="4" stride="2"><param name="S" type="float"/>
  <param name="T" type="float"/></accessor></technique_common></source>
 <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
 {faces}
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n" name="box"><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
 <instance_geometry url="#g"><bind_material><technique_common>
  <instance_material symbol="one" target="#m1"/><instance_material symbol="two" target="#m2"/>
 </technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""

URDF = """<robot name="cart">
  <link name="base">
    <inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <visual name="look"><geometry><mesh filename="package://{package}/meshes/part.dae"/></geometry></visual>
    <collision name="hull"><geometry><mesh filename="package://{package}/meshes/part.dae"/></geometry></collision>
  </link>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <visual name="steel"><geometry><mesh filename="package://{package}/meshes/part.dae" scale="2 2 2"/></geometry>
      <material name="steel"><color rgba="0.5 0.5 0.5 1"/></material></visual>
    <collision name="box"><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="bumper">
    <inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <collision name="rail"><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <joint name="lift" type="prismatic"><origin xyz="0 0 1"/><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="hold" type="fixed"><origin xyz="1 0 0"/><parent link="base"/><child link="bumper"/></joint>
</robot>"""


def png():
    """Return a picture of one red pixel."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def collada(image="../materials/textures/label.png"):
    """Return a box of 2 x 3 x 4 cm, its corner 5 cm along x: two faces with a texture, four blue ones."""
    corners = "".join(f" {vertex} {number}" for face in FACES[:2] for number, vertex in enumerate(face))
    label = (
        '<polylist count="2" material="two"><input semantic="VERTEX" source="#v" offset="0"/>'
        f'<input semantic="TEXCOORD" source="#t" offset="1" set="0"/><vcount>4 4</vcount><p>{corners}</p></polylist>'
    )
    sides = " ".join(str(vertex) for face in FACES[2:] for vertex in face)
    blue = (
        '<polylist count="4" material="one"><input semantic="VERTEX" source="#v" offset="0"/>'
        f"<vcount>4 4 4 4</vcount><p>{sides}</p></polylist>"
    )
    return DAE.format(image=image, faces=label + blue)


def write_package(folder, name="cart_description", named=""):
    """Write a package and return its URDF, whose URIs name the package `named`, by default its own name."""
    package = folder / name
    for below in ("urdf", "meshes", "materials/textures"):
        (package / below).mkdir(parents=True)
    (package / "package.xml").write_text(f"<package><name>{name}</name></package>")
    (package / "meshes" / "part.dae").write_text(collada())
    (package / "materials" / "textures" / "label.png").write_bytes(png())
    path = package / "urdf" / "cart.urdf"
    path.write_text(URDF.format(package=named or name))
    return path
