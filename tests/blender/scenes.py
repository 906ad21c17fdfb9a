# SPDX-License-Identifier: GPL-3.0-or-later
"""Little scenes, what the add-on reads in them, and references that share no code with it."""

import runpy
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
HEADLESS = ROOT / "sdf_inertia_addon" / "headless.py"

FLOAT32 = 2.0**-23
"""The spacing of float32 relative to the number, which is what Blender's matrices and vertices are made of."""

MATRIX = 16 * FLOAT32
"""What is left, relatively, of a product of a few float32 matrices: each entry is a sum of a few rounded terms."""


@cache
def _headless():
    return SimpleNamespace(**runpy.run_path(str(HEADLESS), run_name="headless"))


@cache
def checkout():
    """Return the package of the checkout, imported as headless.py does, not yet registered."""
    return _headless().import_checkout()


def module(name):
    """Return a module of the imported checkout, such as ``core.robot.resolve``."""
    return import_module(f"{_headless().PACKAGE}.{name}")


# --- making ------------------------------------------------------------------------------------------------------


def tag(ob, *tags, **settings):
    """Set tags ("link", "collision", "visual") and settings of an object; return it."""
    for name in tags:
        setattr(ob.sdf_inertia, f"is_{name}", True)
    for name, value in settings.items():
        setattr(ob.sdf_inertia, name, value)
    return ob


def add(data, name="part", parent=None, **attributes):
    """Put an object into the scene; `attributes` such as location are set on it."""
    ob = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(ob)
    ob.parent = parent
    for attribute, value in attributes.items():
        setattr(ob, attribute, value)
    return ob


def empty(name="link", parent=None, **attributes):
    return add(None, name, parent, **attributes)


BOX_FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def box_mesh(size=(1.0, 1.0, 1.0), centre=(0.0, 0.0, 0.0), name="box"):
    """Return a box of six outward quads."""
    corners = np.array(
        [(x, y, z) for z in (-0.5, 0.5) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
    )
    return mesh_data(corners * size + centre, BOX_FACES, name)


def box_link(name="part", parent=None, **settings):
    """Return a link that is its own collision, a cube of one metre."""
    return tag(add(box_mesh(), name, parent), "link", "collision", **settings)


def wedge_mesh(name="wedge"):
    """Return a tetrahedron without any symmetry, so that no sign or swapped axis can hide."""
    return mesh_data([(0, 0, 0), (1.5, 0.125, 0), (0.25, 1, 0.125), (0.125, 0.25, 0.75)], TETRAHEDRON, name)


TETRAHEDRON = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))


def mesh_data(vertices, faces, name="mesh"):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(map(float, vertex)) for vertex in vertices], [], [tuple(face) for face in faces])
    mesh.update()
    return mesh


def select(*obs):
    """Select just these objects, the first of them active."""
    for ob in bpy.context.scene.objects:
        ob.select_set(ob in obs)
    bpy.context.view_layer.objects.active = obs[0] if obs else None


def imported(path, **options):
    """Import a robot; return the objects of the scene by their names in its file."""
    assert bpy.ops.sdf_inertia.import_sdf(filepath=str(path), **options) == {"FINISHED"}
    bpy.context.view_layer.update()
    return {ob.sdf_inertia.sdf_name: ob for ob in bpy.data.objects}


# --- reading -----------------------------------------------------------------------------------------------------


def live_model():
    """Return the model as panels and overlay have it."""
    return module("sdf_inertia_addon.live").model(bpy.context.evaluated_depsgraph_get())


def read(inertia="AS_SET", strict_auto=False):
    """Return the scene's model and its resolved links."""
    model = module("sdf_inertia_addon.scene.scene_read").read_model(bpy.context.evaluated_depsgraph_get(), inertia)
    return model, module("core.judge.geometry.resolve_model").resolve_model(model, strict_auto)


def only_link():
    """Return the scene's one link, resolved and not refused."""
    _model, (body,) = read()
    assert not body.refused, codes(body.all_findings())
    return body


def findings():
    """Return all findings of the scene by code: severity, subject, message, remedy."""
    model, bodies = read()
    found = [*model.findings, *(finding for body in bodies for finding in body.all_findings())]
    return {finding.code: finding for finding in found}


def codes(found):
    return {finding.code for finding in found}


def world_inertial(body):
    """Return mass, centre of mass and tensor about it of a resolved link in the world's axes."""
    R, p, inertial = body.pose.R, body.pose.p, body.inertial
    return inertial.mass, R @ inertial.com + p, R @ inertial.inertia @ R.T


# --- references --------------------------------------------------------------------------------------------------


def world_triangles(ob, unit=1.0):
    """Return the corners (m, 3, 3) [m] of an evaluated object's triangles in the world, outward also if mirrored."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    evaluated = ob.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    local = np.array([vertex.co for vertex in mesh.vertices], dtype=np.float64)
    triangles = np.array([triangle.vertices for triangle in mesh.loop_triangles])
    evaluated.to_mesh_clear()
    M = np.array(evaluated.matrix_world, dtype=np.float64)
    corners = (unit * (local @ M[:3, :3].T + M[:3, 3]))[triangles]
    return corners[:, ::-1] if np.linalg.det(M[:3, :3]) < 0 else corners


def integrated(corners, density=1000.0):
    """Return mass, centre of mass and tensor about it of a solid's triangles (m, 3, 3), by the divergence theorem.

    Each of 1, x, x² and xy is integrated over the faces by a quadrature that is exact for cubics (Strang & Fix: the
    centroid with weight -27/48, the points (.6, .2, .2) with 25/48), about the middle of the corners. The product
    sums tetrahedra instead.
    """
    middle = corners.reshape(-1, 3).mean(axis=0)
    a, b, c = np.moveaxis(corners - middle, 1, 0)
    normal = np.cross(b - a, c - a) / 2.0
    points = [(1 / 3, 1 / 3, 1 / 3, -27 / 48), *((*np.roll((0.6, 0.2, 0.2), i), 25 / 48) for i in range(3))]
    volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for u, v, w, weight in points:
        x = u * a + v * b + w * c
        flux = weight * normal
        volume += (x * flux).sum() / 3.0
        first += (x**2 * flux).sum(axis=0) / 2.0
        for i in range(3):
            for j in range(3):
                # ∫ x_i x_j dV, taken along axis k: the antiderivative is x_i³/3 for i = j, else x_i² x_j / 2.
                second[i, j] += (
                    x[:, i] ** 3 / 3.0 * flux[:, i] if i == j else x[:, i] ** 2 * x[:, j] / 2.0 * flux[:, i]
                ).sum()
    com = first / volume
    covariance = second - volume * np.outer(com, com)
    return density * volume, com + middle, density * (np.trace(covariance) * np.eye(3) - covariance)


def assert_same(actual, expected, tolerance):
    """Compare (mass, com, tensor) triples: relative to the mass, to the radius of gyration, to the trace."""
    mass, com, inertia = expected
    trace = np.trace(inertia)
    assert abs(actual[0] - mass) <= tolerance * mass
    assert np.abs(actual[1] - com).max() <= tolerance * (np.sqrt(trace / mass) + np.abs(com).max())
    assert np.abs(actual[2] - inertia).max() <= tolerance * trace


def steiner(mass, offset):
    """Return what the parallel axis theorem adds for a mass at `offset`."""
    x, y, z = offset
    return mass * np.array(
        [[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z], [-x * z, -y * z, x * x + y * y]]
    )


def box_inertial(size, density=1000.0, centre=(0.0, 0.0, 0.0)):
    """Return mass, centre of mass and tensor of a box: m/12 (y² + z²) and so on."""
    x, y, z = size
    mass = density * x * y * z
    return mass, np.array(centre), mass / 12 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])


# --- running -----------------------------------------------------------------------------------------------------


def python(*arguments):
    """Return the command line of this very interpreter, that is: of this bpy."""
    return [sys.executable, *map(str, arguments)]


def export(path, **options):
    """Export the scene as the operator and the command line do; `options` as of `export_scene`."""
    export_scene = module("sdf_inertia_addon.export.export_scene").export_scene
    return export_scene(bpy.context.evaluated_depsgraph_get(), Path(path), **options)


def exported(path, **options):
    """Export the scene; return the root of the file."""
    from lxml import etree  # here: a Blender in a chroot has it only once the add-on has brought it

    result = export(path, **options)
    assert result.sdf is not None, [str(finding) for finding in result.findings]
    return etree.parse(result.sdf).getroot()


def contents(folder):
    """Return the bytes of all files below a folder by their paths in it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
