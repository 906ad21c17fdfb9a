# SPDX-License-Identifier: GPL-3.0-or-later
"""The text of links and joints of an SDF file."""

BOX = "<geometry><box><size>0.4 0.2 0.1</size></box></geometry>"


SOLID = "<mass>8</mass><inertia><ixx>0.0333</ixx><iyy>0.1133</iyy><izz>0.1333</izz></inertia>"


def inertial(mass, moments, products=(0, 0, 0), pose="0 0 0 0 0 0"):
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    cells = "".join(f"<{n}>{v!r}</{n}>" for n, v in zip(names, [*moments, *products], strict=True))
    return f"<inertial><pose>{pose}</pose><mass>{mass}</mass><inertia>{cells}</inertia></inertial>"


def link(name="l", content=f"<inertial>{SOLID}</inertial>", geometry=BOX):
    return f"<link name='{name}'>{content}<collision name='c'>{geometry}</collision></link>"


def joint(kind, parent, child):
    return f"<joint name='{parent}_{child}' type='{kind}'><parent>{parent}</parent><child>{child}</child></joint>"
