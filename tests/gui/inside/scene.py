# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to click at: files, meshes, links, the selection."""

from __future__ import annotations

import bmesh
import bpy
import screen


def new_file() -> None:
    """Blender's start-up file: a cube of 2 m, a light, a camera; the sidebar at our tab, seen from the front."""
    with screen.anywhere():
        bpy.ops.wm.read_homefile()
    bpy.context.preferences.view.show_splash = False
    screen.smooth(False)


def shape(name: str = "Cube") -> tuple[int, int]:
    """Vertices and faces of an object's mesh."""
    mesh = bpy.data.objects[name].data
    return len(mesh.vertices), len(mesh.polygons)


def tag(name: str = "Cube", *tags: str, **settings: object) -> None:
    """Tag without a click, where the click is not what is tested; one step of undo."""
    for each in tags or ("is_link", "is_collision"):
        settings[each] = True
    for key, value in settings.items():
        setattr(bpy.data.objects[name].sdf_inertia, key, value)
    with screen.anywhere():
        bpy.ops.ed.undo_push(message="Tag")


def heavy(thickness: float, subdivisions: int = 8) -> int:
    """Put a ball in the cube's place that takes seconds as a shell, and tag it; return its number of faces."""
    mesh = bpy.data.objects["Cube"].data
    edited = bmesh.new()
    bmesh.ops.create_icosphere(edited, subdivisions=subdivisions, radius=1.0)
    edited.to_mesh(mesh)
    edited.free()
    mesh.update()
    tag(method="SHELL", thickness=thickness)
    return len(mesh.polygons)


def put(vertices: list[tuple[float, ...]], faces: list[tuple[int, ...]]) -> None:
    """Put a mesh in the cube's place, and tag it."""
    mesh = bpy.data.meshes.new("put")
    mesh.from_pydata(vertices, [], faces)
    bpy.data.objects["Cube"].data = mesh
    tag(use_density=True, density=1000.0, inertia="FILLED")


def links(count: int) -> list[tuple[str, tuple[float, float, float]]]:
    """Make so many links in a square, seen from the front, without labels; names, and where their centres of mass are.

    The centres lie above the links' own geometry, where nothing but the overlay is to be seen.
    """
    bpy.context.scene.sdf_inertia.labels = "NONE"
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    columns = int(count**0.5 + 0.999)
    side = 6.4 / columns
    mesh = bpy.data.meshes.new("part")
    edited = bmesh.new()
    bmesh.ops.create_cube(edited, size=0.3 * side)
    edited.to_mesh(mesh)
    edited.free()
    places = []
    for i in range(count):
        row, column = divmod(i, columns)
        ob = bpy.data.objects.new(f"link {i}", mesh)
        ob.location = (side * column - 3.2, 0.0, side * row - 3.2)
        bpy.context.scene.collection.objects.link(ob)
        tags = ob.sdf_inertia
        tags.is_link, tags.inertia, tags.manual_com = True, "MANUAL", (0.0, 0.0, 0.5 * side)
        tags.manual_inertia = (0.01, 0.01, 0.01, 0.0, 0.0, 0.0)
        places.append((ob.name, (ob.location.x, 0.0, ob.location.z + 0.5 * side)))
    bpy.context.view_layer.update()
    select()
    return places


def hundred() -> None:
    """A hundred links of two parts each, from the front with perspective, labels and all: a crowd."""
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    mesh = bpy.data.meshes.new("part")
    edited = bmesh.new()
    bmesh.ops.create_cube(edited, size=0.4)
    edited.to_mesh(mesh)
    edited.free()
    for i in range(100):
        link = bpy.data.objects.new(f"segment_{i:03}_link", None)
        bpy.context.scene.collection.objects.link(link)
        link.location = (i % 10, i // 10, 0.2 * (i % 7))
        link.empty_display_size = 0.1
        link.sdf_inertia.is_link = True
        for j in range(2):
            part = bpy.data.objects.new(f"segment_{i:03}_part_{j}", mesh)
            bpy.context.scene.collection.objects.link(part)
            part.parent, part.location, part.scale = link, (0.2 * j, 0.0, 0.1), (1.0, 1.0, 1.0 + 0.02 * i)
            part.sdf_inertia.is_collision, part.sdf_inertia.density = True, 1000.0
            part.sdf_inertia.use_density = i % 30 != 7
    bpy.context.view_layer.update()
    select()
    screen.portrait()


def selected() -> tuple[str, list[str]]:
    """Names of the active object and of the selected ones."""
    active = bpy.context.view_layer.objects.active
    return "" if active is None else active.name, sorted(ob.name for ob in bpy.context.view_layer.objects.selected)


def select(*names: str) -> None:
    for ob in bpy.context.view_layer.objects:
        ob.select_set(ob.name in names)
    bpy.context.view_layer.objects.active = bpy.data.objects[names[0]] if names else None
    with screen.anywhere():
        bpy.ops.ed.undo_push(message="Select")


def settings(name: str = "Cube") -> dict[str, object]:
    """The settings of an object that handles change."""
    kept = bpy.data.objects[name].sdf_inertia
    names = ("mass", "manual_mass", "manual_com", "manual_inertia")
    return {n: v if isinstance(v := getattr(kept, n), float) else tuple(v) for n in names}


def remove_face(name: str = "Cube") -> None:
    """Take the last face out of an object's mesh; one step of undo."""
    mesh = bpy.data.objects[name].data
    edited = bmesh.new()
    edited.from_mesh(mesh)
    edited.faces.ensure_lookup_table()
    edited.faces.remove(edited.faces[-1])
    edited.to_mesh(mesh)
    edited.free()
    mesh.update()
    with screen.anywhere():
        bpy.ops.ed.undo_push(message="Remove face")


def add_fin(name: str = "Cube") -> None:
    """Stand a face on an edge of an object's mesh; one step of undo."""
    mesh = bpy.data.objects[name].data
    edited = bmesh.new()
    edited.from_mesh(mesh)
    edited.edges.ensure_lookup_table()
    a, b = edited.edges[0].verts
    edited.faces.new((a, b, edited.verts.new(2.0 * b.co), edited.verts.new(2.0 * a.co)))
    edited.to_mesh(mesh)
    edited.free()
    mesh.update()
    with screen.anywhere():
        bpy.ops.ed.undo_push(message="Add fin")


def save(path: str) -> None:
    with screen.anywhere():
        bpy.ops.wm.save_as_mainfile(filepath=path)


def open(path: str) -> None:
    with screen.anywhere():
        bpy.ops.wm.open_mainfile(filepath=path)
