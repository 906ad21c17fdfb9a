# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of generated robots: URDF, SDF, xacro with an included file, MJCF with included bodies, and meshes."""

from __future__ import annotations

import struct
from math import cos, sin

import numpy as np

from core import Pose

SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
NAMES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
"""Names and cells of the six numbers of a tensor."""

CORNERS = {
    "octahedron": [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)],
    "prism": [(0, 0, -1), (1, 0, -1), (0, 1, -1), (0, 0, 1), (1, 0, 1), (0, 1, 1)],
    "tetrahedron": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
}
FACES = {
    "octahedron": "024 052 043 035 142 125 134 153",
    "prism": "021 345 014 043 125 154 203 235",
    "tetrahedron": "021 013 032 123",
}


def rotation(rpy):
    """Return the rotation by roll, pitch and yaw about fixed axes."""
    (r, p, y), R = rpy, np.eye(3)
    for axis, angle in ((0, r), (1, p), (2, y)):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = cos(angle)
        turn[i, j], turn[j, i] = -sin(angle), sin(angle)
        R = turn @ R
    return R


def quaternion(rpy):
    """Return the same rotation as a unit quaternion, w first."""
    product = np.array([1.0, 0.0, 0.0, 0.0])
    for axis, angle in enumerate(rpy):
        turn = np.zeros(4)
        turn[0], turn[1 + axis] = cos(angle / 2), sin(angle / 2)
        w, v, pw, pv = turn[0], turn[1:], product[0], product[1:]
        product = np.array([w * pw - v @ pv, *(w * pv + pw * v + np.cross(v, pv))])
    return product


def write_meshes(robot, folder):
    """Write the meshes of a robot but those that are lost."""
    for part in (part for link in robot.links for part in link.parts if part.file and part.file not in robot.lost):
        corners = np.array(CORNERS[part.kind]) * part.size / part.scale
        faces = [[int(corner) for corner in face] for face in FACES[part.kind].split()]
        write_mesh(folder / part.file, corners, faces)


def write_mesh(path, corners, faces):
    """Write a mesh as OBJ or STL, by its suffix."""
    if path.suffix == ".obj":
        lines = [f"v {words(corner)}" for corner in corners]
        lines += [f"f {' '.join(str(corner + 1) for corner in face)}" for face in faces]
        path.write_text("\n".join(lines) + "\n")
    else:
        data = b"".join(struct.pack("<12fH", 0, 0, 0, *corners[face].ravel(), 0) for face in faces)
        path.write_bytes(bytes(80) + struct.pack("<I", len(faces)) + data)


def words(values, digits=17):
    """Return numbers with spaces between them."""
    return " ".join(f"{float(value):.{digits}g}" for value in np.atleast_1d(values))


def _geometry(part, attribute, text):
    """Return a shape as URDF (attributes) or SDF (elements) has it; `text` writes an element from its values."""
    a, _, c = part.size
    match part.kind:
        case "box":
            return text("box", size=words(2 * part.size, 9))
        case "cylinder" | "capsule":
            return text(part.kind, radius=words(a), length=words(2 * c, 9))
        case "sphere":
            return text("sphere", radius=words(a))
    return text("mesh", **{attribute: part.file}, scale=words([part.scale] * 3))


def _attributes(tag, **values):
    return f"<{tag} " + " ".join(f'{name}="{value}"' for name, value in values.items()) + "/>"


def _elements(tag, **values):
    return f"<{tag}>{''.join(f'<{name}>{value}</{name}>' for name, value in values.items())}</{tag}>"


def _urdf_link(link, digits):
    text = f'  <link name="{link.name}">\n'
    if link.inertial is not None:
        six = zip(NAMES, link.inertial.six, strict=True)
        tensor = " ".join(f'{name}="{words(value, digits)}"' for name, value in six)
        text += f'    <inertial>\n      <origin xyz="{words(link.inertial.com, digits)}"/>\n'
        text += (
            f'      <mass value="{words(link.inertial.mass, digits)}"/>\n      <inertia {tensor}/>\n    </inertial>\n'
        )
    for use in ("visual", "collision"):
        for part in link.parts:
            text += f'    <{use}><origin xyz="{words(part.xyz)}" rpy="{words(part.rpy)}"/>'
            text += f"<geometry>{_geometry(part, 'filename', _attributes)}</geometry></{use}>\n"
    return text + "  </link>\n"


def _urdf_joint(link):
    text = f'  <joint name="{link.name}_joint" type="{link.joint}"><parent link="{link.parent.name}"/>'
    text += f'<child link="{link.name}"/><origin xyz="{words(link.xyz, 9)}"/>'
    if link.joint == "revolute":
        text += '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="1"/>'
    return text + "</joint>\n"


def write_urdf(robot, folder):
    """Write a robot as URDF."""
    write_meshes(robot, folder)
    links = "".join(_urdf_link(link, robot.digits) for link in robot.links)
    joints = "".join(_urdf_joint(link) for link in robot.links if link.parent is not None)
    path = folder / "robot.urdf"
    path.write_text(f'<?xml version="1.0"?>\n<robot name="robot">\n{links}{joints}</robot>\n')
    return path


def write_xacro(robot, folder):
    """Write a robot as xacro; links that are `included` are macros of another file."""
    write_meshes(robot, folder)
    name = '<robot name="robot" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    macros, links = "", '  <xacro:include filename="parts.xacro"/>\n'
    for link in robot.links:
        text = _urdf_link(link, robot.digits)
        if link.included:
            macros += f'  <xacro:macro name="{link.name}_macro">\n{text}  </xacro:macro>\n'
            text = f"  <xacro:{link.name}_macro/>\n"
        links += text + (_urdf_joint(link) if link.parent is not None else "")
    (folder / "parts.xacro").write_text(f'<?xml version="1.0"?>\n{name}\n{macros}</robot>\n')
    path = folder / "robot.urdf.xacro"
    path.write_text(f'<?xml version="1.0"?>\n{name}\n{links}</robot>\n')
    return path


def write_sdf(robot, folder):
    """Write a robot as SDF."""
    write_meshes(robot, folder)
    text = ""
    for link in robot.links:
        at = f' relative_to="{link.parent.name}"' if link.parent is not None else ""
        text += f'    <link name="{link.name}">\n      <pose{at}>{words(link.xyz, 9)} 0 0 0</pose>\n'
        if link.inertial is not None:
            six = zip(NAMES, (words(value, robot.digits) for value in link.inertial.six), strict=True)
            text += f"      <inertial>\n        <pose>{words(link.inertial.com, robot.digits)} 0 0 0</pose>\n"
            text += f"        <mass>{words(link.inertial.mass, robot.digits)}</mass>\n"
            text += f"        {_elements('inertia', **dict(six))}\n      </inertial>\n"
        for use in ("visual", "collision"):
            for number, part in enumerate(link.parts):
                text += f'      <{use} name="{use}{number}"><pose>{words(part.xyz)} {words(part.rpy)}</pose>'
                text += f"<geometry>{_geometry(part, 'uri', _elements)}</geometry></{use}>\n"
        text += "    </link>\n"
        if link.parent is not None:
            axis = "<axis><xyz>0 1 0</xyz></axis>" if link.joint == "revolute" else ""
            text += f'    <joint name="{link.name}_joint" type="{link.joint}"><parent>{link.parent.name}</parent>'
            text += f"<child>{link.name}</child>{axis}</joint>\n"
    path = folder / "robot.sdf"
    path.write_text(f'<?xml version="1.0"?>\n<sdf version="1.9">\n  <model name="robot">\n{text}  </model>\n</sdf>\n')
    return path


def write_mjcf(robot, folder):
    """Write a robot as MJCF; bodies that are `included` are in files of their own."""
    write_meshes(robot, folder)
    files = [part for link in robot.links for part in link.parts if part.file]
    assets = "".join(
        f'    <mesh name="{part.file}" file="{part.file}" scale="{words([part.scale] * 3)}"/>\n' for part in files
    )
    body = _mjcf_body(robot, robot.links[0], folder)
    path = folder / "robot.xml"
    path.write_text(
        f'<mujoco model="robot">\n  <compiler angle="radian"/>\n  <asset>\n{assets}  </asset>\n'
        f"  <worldbody>\n{body}  </worldbody>\n</mujoco>\n"
    )
    return path


def _mjcf_body(robot, link, folder):
    text = f'    <body name="{link.name}" pos="{words(link.xyz, 9)}">\n'
    if link.parent is None:
        text += "      <freejoint/>\n"
    elif link.joint == "revolute":
        text += f'      <joint name="{link.name}_joint" type="hinge" axis="0 1 0"/>\n'
    if link.inertial is not None:
        text += f'      <inertial pos="{words(link.inertial.com, robot.digits)}" '
        text += f'mass="{words(link.inertial.mass, robot.digits)}" '
        text += f'fullinertia="{words(link.inertial.six, robot.digits)}"/>\n'
    for part in link.parts:
        a, b, c = part.size
        size = {"box": words(part.size), "cylinder": words([a, c]), "capsule": words([a, c]), "sphere": words(a)}
        size = size.get(part.kind)
        shape = f'type="{part.kind}" size="{size}"' if size else f'type="mesh" mesh="{part.file}"'
        text += f'      <geom {shape} pos="{words(part.xyz)}" quat="{words(quaternion(part.rpy))}"/>\n'
    children = [child for child in robot.links if child.parent is link]
    text += "".join(_mjcf_body(robot, child, folder) for child in children) + "    </body>\n"
    if not link.included:
        return text
    (folder / f"{link.name}.xml").write_text(f"<mujocoinclude>\n{text}</mujocoinclude>\n")
    return f'    <include file="{link.name}.xml"/>\n'


def _usd(values, digits=17):
    return f"({words(values, digits).replace(' ', ', ')})"


def _usd_place(xyz, rotated, scale=(1, 1, 1)):
    """Return the lines of a place: translation, quaternion and scale."""
    return (
        f"double3 xformOp:translate = {_usd(xyz)}\nquatd xformOp:orient = {_usd(rotated)}\n"
        f"double3 xformOp:scale = {_usd(scale)}\n"
        'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]\n'
    )


def _usd_part(robot, part, name, colliding):
    """Return a part as a prim that collides, unseen, or is drawn; a lost mesh is in a layer that is not there."""
    a, _, c = part.size
    head, lines, meta, scale = part.kind.capitalize(), "", "", np.ones(3)
    if part.kind == "box":
        head, lines, scale = "Cube", "double size = 2\n", part.size
    elif part.kind in ("sphere", "cylinder", "capsule"):
        lines = f"double radius = {words(a)}\n" + (f"double height = {words(2 * c)}\n" if part.kind != "sphere" else "")
    else:
        head, scale = "Mesh", np.full(3, part.scale)
        faces = FACES[part.kind].split()
        corners = ", ".join(_usd(corner) for corner in np.array(CORNERS[part.kind]) * part.size / part.scale)
        lines = f"point3f[] points = [{corners}]\nint[] faceVertexCounts = [{', '.join('3' for _ in faces)}]\n"
        lines += f"int[] faceVertexIndices = [{', '.join(''.join(faces))}]\n"
        if part.file in robot.lost:
            lines, meta = "", f"prepend references = @./{part.file}.usda@\n"
    if colliding:
        lines += 'uniform token purpose = "guide"\n'
        meta += 'prepend apiSchemas = ["PhysicsCollisionAPI"]\n'
    place = _usd_place(part.xyz, quaternion(part.rpy), scale)
    return f'def {head} "{name}" (\n{meta})\n{{\n{lines}{place}}}\n'


def write_usd(robot, folder):
    """Write a robot as USD, in one layer of text."""
    text, places = "", {}
    for link in robot.links:
        places[link.name] = link.xyz + (0 if link.parent is None else places[link.parent.name])
        text += f'def Xform "{link.name}" (\nprepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]\n)\n{{\n'
        text += _usd_place(places[link.name], (1, 0, 0, 0))
        if link.inertial is not None:
            tensor = np.zeros((3, 3))
            for value, (row, column) in zip(link.inertial.six, SIX, strict=True):
                tensor[row, column] = tensor[column, row] = value
            moments, axes = np.linalg.eigh(tensor) if link.inertial.six[3:].any() else (np.diag(tensor), np.eye(3))
            axes = axes * np.linalg.det(axes)
            x, y, z, w = Pose(axes, np.zeros(3)).to_quaternion()
            text += f"float physics:mass = {words(link.inertial.mass, robot.digits)}\n"
            text += f"point3f physics:centerOfMass = {_usd(link.inertial.com, robot.digits)}\n"
            text += f"float3 physics:diagonalInertia = {_usd(moments, robot.digits)}\n"
            text += f"quatf physics:principalAxes = {_usd((w, x, y, z))}\n"
        for number, part in enumerate(link.parts):
            text += _usd_part(robot, part, f"visual{number}", False) + _usd_part(
                robot, part, f"collision{number}", True
            )
        text += "}\n"
    for link in (link for link in robot.links if link.parent is not None):
        kind = {"revolute": "PhysicsRevoluteJoint", "fixed": "PhysicsFixedJoint"}[link.joint]
        axis = 'uniform token physics:axis = "Y"\n' if link.joint == "revolute" else ""
        text += f'def {kind} "{link.name}_joint"\n{{\n{axis}point3f physics:localPos0 = {_usd(link.xyz)}\n'
        text += f"rel physics:body0 = </robot/{link.parent.name}>\nrel physics:body1 = </robot/{link.name}>\n}}\n"
    path = folder / "robot.usda"
    head = 'defaultPrim = "robot"\nmetersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = "Z"\n'
    path.write_text(f'#usda 1.0\n(\n{head})\ndef Xform "robot"\n{{\n{text}}}\n')
    return path


FORMATS = {"urdf": write_urdf, "sdf": write_sdf, "xacro": write_xacro, "mjcf": write_mjcf}
"""The function that writes each format into a folder, and returns the file."""
