# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests have done inside Blender: a scene to click at, and where things are on the screen.

Nothing here may do what a test claims that a click does.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import threading
from importlib import import_module
from pathlib import Path

import bmesh
import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Euler, Vector

EXTENSION = "bl_ext.user_default.sdf_inertia"


def be_quiet() -> tuple[int, ...]:
    """Set what would get into the way of clicks: splash, moving views, questions on quitting."""
    view = bpy.context.preferences.view
    view.show_splash = False
    view.smooth_view = 0
    view.use_save_prompt = False
    view.show_tooltips = False
    bpy.context.preferences.use_preferences_save = False
    bpy.context.preferences.system.use_region_overlap = False  # the 3D view below would be drawn with each button
    return bpy.app.version


def install(package: str) -> bool:
    """Install the extension from its zip, as a user does; say whether it is enabled."""
    with anywhere():
        bpy.ops.extensions.package_install_files(filepath=package, repo="user_default", enable_on_install=True)
    return enabled()


def enabled() -> bool:
    return EXTENSION in bpy.context.preferences.addons and hasattr(bpy.types.Object, "sdf_inertia")


@contextlib.contextmanager
def anywhere(area_type: str = "VIEW_3D", region_type: str = "WINDOW"):
    """A timer stands in no window: give an operator one, and an area and region in it."""
    window, area, region = place(area_type, region_type)
    with bpy.context.temp_override(window=window, area=area, region=region):
        yield


def place(area_type: str, region_type: str):
    """The largest area of a type, in any window, and a region of it."""
    found = [(w, a) for w in bpy.context.window_manager.windows for a in w.screen.areas if a.type == area_type]
    window, area = max(found, key=lambda pair: pair[1].width * pair[1].height)
    return window, area, next(region for region in area.regions if region.type == region_type)


def shown(area_type: str) -> bool:
    return any(a.type == area_type for w in bpy.context.window_manager.windows for a in w.screen.areas)


def box(area_type: str = "VIEW_3D", region_type: str = "WINDOW") -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a region on the screen."""
    window, _area, region = place(area_type, region_type)
    left, bottom = corner(window)
    left, bottom = left + region.x, bottom - region.y
    return left, bottom - region.height, left + region.width, bottom


def corner(window) -> tuple[int, int]:
    """The lower left corner of a window on the screen; Blender counts from the bottom of the main one."""
    main = bpy.context.window_manager.windows[0]
    return window.x - main.x, main.height - (window.y - main.y)


def on_screen(point: tuple[float, float, float]) -> tuple[float, float]:
    """Where a point of the world is on the screen."""
    window, area, region = place("VIEW_3D", "WINDOW")
    x, y = location_3d_to_region_2d(region, area.spaces.active.region_3d, Vector(point))
    left, bottom = corner(window)
    return left + region.x + x, bottom - region.y - y


def joint_handle() -> tuple[float, float]:
    """Where the handle of the active link's joint is on the screen."""
    _window, _area, region = place("VIEW_3D", "WINDOW")
    drawn = import_module(f"{EXTENSION}.sdf_inertia_addon.viewport.draw_handlers").last_drawn(region)
    (view,) = [view for view in drawn[0].joints if view.active]
    return on_screen(view.handle(drawn[1], drawn[0].metres_per_unit))


def scrolled(area_type: str, region_type: str) -> float:
    """How far a region is scrolled [px]."""
    _window, _area, region = place(area_type, region_type)
    return region.view2d.region_to_view(0.0, 0.0)[1]


def redraw() -> None:
    """Draw now, not some time."""
    with anywhere():
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)


def new_file() -> None:
    """Blender's start-up file: a cube of 2 m, a light, a camera; the sidebar at our tab, seen from the front."""
    with anywhere():
        bpy.ops.wm.read_homefile()
    bpy.context.preferences.view.show_splash = False
    smooth(False)


def smooth(on: bool = True) -> None:
    """Draw the 3D view again and again until its edges are smooth, as Blender comes; without, eight times as fast."""
    bpy.context.preferences.system.viewport_aa = "8" if on else "OFF"


def look(distance: float = 12.0, navigation: bool = False) -> None:
    """Look along +y without perspective, with x to the right and z up; open the sidebar."""
    _window, area, _region = place("VIEW_3D", "WINDOW")
    space = area.spaces.active
    space.show_region_ui = True
    space.show_gizmo_navigate = navigation  # its balls would be clicked at
    space.region_3d.view_perspective = "ORTHO"
    space.region_3d.view_rotation = (0.5**0.5, 0.5**0.5, 0.0, 0.0)
    space.region_3d.view_location = (0.0, 0.0, 0.0)
    space.region_3d.view_distance = distance


def look_at(point: tuple[float, float, float]) -> None:
    """Put a point of the world into the middle of the 3D view."""
    _window, area, _region = place("VIEW_3D", "WINDOW")
    area.spaces.active.region_3d.view_location = point


def tutorial_view(distance: float, height: float = 0.1, ahead: float = 0.0) -> None:
    """Look from the front, the right and above, as one models."""
    _window, area, _region = place("VIEW_3D", "WINDOW")
    view = area.spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = Euler((1.15, 0.0, 0.6)).to_quaternion()
    view.view_location = (ahead, 0.0, height)
    view.view_distance = distance


def portrait() -> None:
    """Look at all there is from the front, a little from above and from the right, with perspective."""
    _window, area, region = place("VIEW_3D", "WINDOW")
    view = area.spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_rotation = Euler((1.25, 0.0, 0.45)).to_quaternion()
    with anywhere():
        bpy.ops.view3d.view_all()
    region.tag_redraw()


def open_tab() -> bool:
    """Choose our tab of the sidebar; a tick after the sidebar was opened."""
    _window, _area, region = place("VIEW_3D", "UI")
    if region.width <= 1:
        return False
    region.active_panel_category = "SDF"
    region.tag_redraw()
    return region.active_panel_category == "SDF"


def number(name: str = "Cube") -> tuple[float, ...] | None:
    """Mass [kg] and centre of mass in the world [m] of an object's link, as the extension has it now."""
    live = import_module(f"{EXTENSION}.sdf_inertia_addon.live")
    link = live.model(bpy.context.evaluated_depsgraph_get()).link_of(bpy.data.objects[name])
    if link is None or link.body.inertial is None:
        return None
    inertial, pose = link.body.inertial, link.body.pose
    return (inertial.mass, *(pose.R @ inertial.com + pose.p).tolist())


def centres() -> dict[str, tuple[float, ...]]:
    """Where each link's centre of mass is in the scene, by its object's name; nothing while one is being computed."""
    found = {ob.name: number(ob.name) for ob in bpy.context.view_layer.objects if ob.sdf_inertia.is_link}
    if computing() is not None or None in found.values():
        return {}
    metre = bpy.context.scene.unit_settings.scale_length
    return {name: tuple(x / metre for x in place) for name, (_mass, *place) in found.items()}


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
    with anywhere():
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


def checking(name: str = "Cube") -> bool | None:
    """Whether an object's link has its quick number and is still being checked; None where it has no number."""
    live = import_module(f"{EXTENSION}.sdf_inertia_addon.live")
    link = live.model(bpy.context.evaluated_depsgraph_get()).link_of(bpy.data.objects[name])
    return None if link is None or link.body.inertial is None else link.checking


def hold(held: bool) -> None:
    """Keep the other thread from measuring anything, as if the machine were slow; or let it go on."""
    core = import_module(f"{EXTENSION}.core.robot.pending")
    if held:
        core.gate = threading.Event()
        core.run = core.Task.run

        def slow(task, progress=None):
            core.gate.wait(60)
            return core.run(task, progress)

        core.Task.run = slow
    else:
        core.Task.run = core.run
        core.gate.set()


def export(folder: str) -> None:
    """Open the dialog of the export at a folder, as the button does."""
    with anywhere():
        bpy.ops.sdf_inertia.export_model("INVOKE_DEFAULT", directory=folder)


def import_robot(path: str) -> None:
    """Import a robot's file as it is when it is dropped on the 3D view."""
    with anywhere():
        bpy.ops.sdf_inertia.import_sdf("INVOKE_DEFAULT", True, filepath=path)  # with its undo step


def export_by_script(path: str) -> set[str]:
    """Export as a script does that runs in a window."""
    with anywhere():
        return bpy.ops.sdf_inertia.export_sdf(filepath=path)


def search() -> None:
    """Open the search for menus, as F3 does: Blender 5.2 hears no function key of a virtual screen's."""
    with anywhere():
        bpy.ops.wm.search_menu("INVOKE_DEFAULT")


def waiting_operators() -> list[str]:
    """Operators that are under way in the main window."""
    return [operator.bl_idname for operator in bpy.context.window_manager.windows[0].modal_operators]


def computing() -> tuple[str, float, int] | None:
    """What is being computed, the share of it that is done, and what waits."""
    status = import_module(f"{EXTENSION}.sdf_inertia_addon.live.jobs").status()
    return None if status is None else tuple(status)[:3]


def codes(name: str = "Cube") -> list[str]:
    """The codes of all findings about an object's link."""
    live = import_module(f"{EXTENSION}.sdf_inertia_addon.live")
    link = live.model(bpy.context.evaluated_depsgraph_get()).link_of(bpy.data.objects[name])
    return [] if link is None else [finding.code for finding in link.body.all_findings()]


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
    portrait()


def selected() -> tuple[str, list[str]]:
    """Names of the active object and of the selected ones."""
    active = bpy.context.view_layer.objects.active
    return "" if active is None else active.name, sorted(ob.name for ob in bpy.context.view_layer.objects.selected)


def select(*names: str) -> None:
    for ob in bpy.context.view_layer.objects:
        ob.select_set(ob.name in names)
    bpy.context.view_layer.objects.active = bpy.data.objects[names[0]] if names else None
    with anywhere():
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
    with anywhere():
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
    with anywhere():
        bpy.ops.ed.undo_push(message="Add fin")


def large_and_light(on: bool = True) -> None:
    """Draw all of the interface twice as large, in Blender's light theme; or as it comes."""
    bpy.context.preferences.view.ui_scale = 2.0 if on else 1.0
    folder = next(path for path in bpy.utils.preset_paths("interface_theme") if "scripts" in path)
    with anywhere():
        if on:
            theme = next(Path(folder).glob("Blender_Light.xml"))
            bpy.ops.script.execute_preset(filepath=str(theme), menu_idname="USERPREF_MT_interface_theme_presets")
        else:
            bpy.ops.preferences.reset_default_theme()


def speak(language: str) -> None:
    """Choose the language of the interface, as a user does in the preferences."""
    view = bpy.context.preferences.view
    view.language = language
    view.use_translate_interface = view.use_translate_tooltips = view.use_translate_reports = True


def file_dialog() -> str:
    """The operator that the file dialog is for; nothing if there is none yet."""
    _window, area, _region = place("FILE_BROWSER", "WINDOW")
    operator = area.spaces.active.active_operator
    return "" if operator is None else operator.bl_idname


def save(path: str) -> None:
    with anywhere():
        bpy.ops.wm.save_as_mainfile(filepath=path)


def open(path: str) -> None:
    with anywhere():
        bpy.ops.wm.open_mainfile(filepath=path)


def enable() -> None:
    with anywhere():
        bpy.ops.preferences.addon_enable(module=EXTENSION)


def disable() -> None:
    with anywhere():
        bpy.ops.preferences.addon_disable(module=EXTENSION)


def _registered(kind: str) -> int:
    """How many classes of the extension are registered: gizmos do not say so themselves."""
    base = getattr(bpy.types, kind)
    ours = {cls.__name__ for cls in base.__subclasses__() if cls.__module__.startswith(EXTENSION)}
    return sum(base.bl_rna_get_subclass_py(name) is not None for name in ours)


def traces() -> dict[str, object]:
    """All that is to be found of the extension in this Blender."""
    gc.collect()  # a class is only gone once nobody refers to it
    return {
        "types": sorted(name for name in dir(bpy.types) if name.startswith("SDF_INERTIA")),
        "classes": sum(_registered(kind) for kind in ("Panel", "Operator", "UIList", "Gizmo", "GizmoGroup")),
        "operators": sorted(dir(bpy.ops.sdf_inertia)),
        "modules": len([name for name in sys.modules if name.startswith(f"{EXTENSION}.")]),
        "handlers": {n: len(v) for n in dir(bpy.app.handlers) if isinstance(v := getattr(bpy.app.handlers, n), list)},
    }


def set_overlays(on: bool) -> None:
    place("VIEW_3D", "WINDOW")[1].spaces.active.overlay.show_overlays = on
