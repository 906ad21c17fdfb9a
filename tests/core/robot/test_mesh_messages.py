# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages about a mesh give its volumes with its scale in the scene or file, whatever its own coordinates are."""

import json

import numpy as np
import pytest

from core import InertiaError
from core.cli.main import main
from core.files.mesh_writers import obj_bytes
from core.mesh.surface import Surface
from core.robot.mesh_method import MeshMethod
from core.robot.model import Mesh

from ..solids import box, inverted, joined
from ..solids.awkward import bow_tie, doubled, turned

BOX = box((0.2, 0.3, 0.4))
ODD = {
    "a face there twice": doubled(BOX, 4),
    "a face turned": turned(BOX, 5),
    "inside out": inverted(BOX),
    "hollow": joined(BOX, inverted(box((0.1, 0.1, 0.1), (0.05, 0.05, 0.05)))),
    "overlapping": joined(BOX, box((0.2, 0.2, 0.2), (0.1, 0.1, 0.1))),
    "a bow tie": bow_tie(0.25),
    "an inner box half turned": joined(box((3, 3, 3)), turned(box(low=(1, 1, 1)), 0, 2, 7)),
}


def messages_of(mesh):
    try:
        return [finding.message for finding in MeshMethod(mesh, {}).measure().findings]
    except InertiaError as error:
        return [error.message]


@pytest.mark.parametrize(
    ("name", "scale"),
    # Lines that look for what is inside out in a bow tie lie elsewhere under another map.
    [(name, (1e-3, 1e-3, 1e-3)) for name in ODD] + [(name, (1e-3, 2e-3, -5e-4)) for name in ODD if name != "a bow tie"],
)
def test_volumes_are_those_of_the_scaled_mesh(name, scale):
    stretch = np.diag(scale)
    vertices, triangles = ODD[name]
    own = vertices @ np.linalg.inv(stretch).T
    flipped = triangles[:, ::-1] if np.linalg.det(stretch) < 0 else triangles
    wanted = messages_of(Mesh(Surface(vertices, triangles), np.eye(3)))
    surface = Surface(own, flipped)
    assert messages_of(Mesh(surface, stretch)) == wanted
    assert messages_of(Mesh(surface, stretch)) == wanted  # as it is remembered
    assert messages_of(Mesh(surface, np.eye(3))) != wanted


SDF = """<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision name="c">
<density>1000</density><geometry><mesh><uri>part.obj</uri><scale>0.001 0.001 0.001</scale></mesh></geometry>
</collision></link></model></sdf>"""


@pytest.mark.parametrize("name", [name for name in ODD if name != "hollow"])  # of a cavity, `check` says nothing
def test_a_file_in_millimetres_has_the_same_litres_in_mass_and_check(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    vertices, triangles = ODD[name]
    wanted = messages_of(Mesh(Surface(vertices, triangles), np.eye(3)))
    (tmp_path / "part.obj").write_bytes(obj_bytes(Surface(1000 * vertices, triangles)))
    (tmp_path / "model.sdf").write_text(SDF)

    def answer(*words):
        main([*words, "--json"])
        return json.loads(capsys.readouterr().out)

    body = answer("mass", "part.obj", "--scale", "0.001", "--density", "1000")
    assert [finding["message"] for finding in body["findings"]] == wanted
    (report,) = answer("check", "model.sdf")["files"]
    messages = [finding["message"] for finding in report["findings"] if "@name='c'" in finding["subject"]]
    assert [message.split(" (libsdformat")[0] for message in messages] == wanted
