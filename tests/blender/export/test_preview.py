# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of a model: made without a window, of the model and nothing else, with nothing of the user's changed."""

import os
import struct
import subprocess
import sys
import textwrap
import zlib
from math import radians

import bpy
import numpy as np
import pytest

from .. import scenes


@pytest.fixture(scope="module")
def preview(addon):
    picture = scenes.module("sdf_inertia_addon.export.offscreen")
    try:
        picture.require_gpu()
    except picture.NoGpuError as error:
        pytest.skip(f"no picture can be drawn here: {error}")
    yield scenes.module("sdf_inertia_addon.export.preview")
    scenes.module("sdf_inertia_addon.overlay.draw").forget()


@pytest.fixture
def box(scene):
    """A link 2 x 1 x 0.5 m that is its own collision, turned by 30° about z."""
    mesh = scenes.box_mesh((2.0, 1.0, 0.5))
    ob = scenes.add(mesh, "box", location=(3.0, 1.0, 0.25), rotation_euler=(0.0, 0.0, radians(30)))
    bpy.context.view_layer.update()
    return scenes.tag(ob, "link", "collision", use_density=True, density=1000.0)


def write(preview, path):
    depsgraph = bpy.context.evaluated_depsgraph_get()
    unit = scenes.module("sdf_inertia_addon.scene.scene_read").metres_per_unit(depsgraph.scene)
    _model, bodies = scenes.read()
    preview.write_preview(path, preview.views_of(bodies), depsgraph, unit)
    return path


def pixels_of(path):
    """Return a PNG's pixels (height, width, 3), read by Blender."""
    image = bpy.data.images.load(str(path))
    try:
        image.colorspace_settings.name = "Non-Color"  # type: ignore[assignment]
        width, height = image.size
        flat = np.empty(width * height * image.channels, dtype=np.float32)
        image.pixels.foreach_get(flat)
        return np.rint(255 * flat.reshape(height, width, -1)[::-1, :, :3]).astype(np.uint8)
    finally:
        bpy.data.images.remove(image)


def test_the_picture_shows_the_body_where_it_projects_to(preview, box, tmp_path):
    pixels = pixels_of(write(preview, tmp_path / "box.png")).astype(int)
    assert pixels.shape == (preview.HEIGHT, preview.WIDTH, 3)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    _model, bodies = scenes.read()
    _ground, camera = preview.framed(preview.views_of(bodies), preview.solids_of(depsgraph))
    # By the textbook, not by shapes.py: the semi-axes of a box's ellipsoid are its half sides times sqrt(5/3).
    turn = np.array(box.matrix_world, dtype=np.float64)
    angle, polar = np.meshgrid(np.linspace(0, 2 * np.pi, 400), np.linspace(0, np.pi, 200))
    sphere = np.stack([np.cos(angle) * np.sin(polar), np.sin(angle) * np.sin(polar), np.cos(polar)], axis=-1)
    surface = (sphere.reshape(-1, 3) * np.sqrt(5 / 3) * [1.0, 0.5, 0.25]) @ turn[:3, :3].T + turn[:3, 3]
    expected = camera.project(surface) / preview.FINER
    # The body's orange is the one strong colour in which red exceeds blue by that much and green lies between.
    red, green, blue = np.moveaxis(pixels[::-1], 2, 0)
    orange = (red - blue > 60) & (green - blue > 10) & (red - green > 25)
    columns, rows = np.flatnonzero(orange.sum(axis=0) > 3), np.flatnonzero(orange.sum(axis=1) > 3)
    # The label's border is orange too: only sides that it does not reach are compared.
    sides = [columns[0], columns[-1] + 1, rows[0], rows[-1] + 1]
    wanted = [expected[:, 0].min(), expected[:, 0].max(), expected[:, 1].min(), expected[:, 1].max()]
    near = [abs(side - want) < 6 for side, want in zip(sides, wanted, strict=True)]
    assert sum(near) >= 3, (sides, wanted)


@pytest.mark.fault(124)
def test_an_absurd_inertia_does_not_make_the_model_a_dot(preview, box, tmp_path):
    def camera():
        _model, bodies = scenes.read()
        solids = preview.solids_of(bpy.context.evaluated_depsgraph_get())
        return preview.framed(preview.views_of(bodies), solids)[1]

    plain = camera().units_per_pixel(box.location)
    scenes.tag(box, inertia="MANUAL", manual_mass=1.0, manual_inertia=(1e4, 1e4, 1e4, 0, 0, 0))
    bpy.context.view_layer.update()
    assert camera().units_per_pixel(box.location) < 1.2 * plain


def test_the_same_scene_gives_the_same_bytes(preview, box, tmp_path):
    first, second = write(preview, tmp_path / "a.png"), write(preview, tmp_path / "b.png")
    assert first.read_bytes() == second.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.png"]


def test_the_png_is_whole_and_says_its_size(preview, box, tmp_path):
    data = write(preview, tmp_path / "new folder" / "box.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82")
    assert struct.unpack(">II", data[16:24]) == (preview.WIDTH, preview.HEIGHT)


def test_pixels_come_back_from_the_png(addon, tmp_path):
    picture = scenes.module("sdf_inertia_addon.export.offscreen")
    pixels = np.random.default_rng(1).integers(0, 256, (30, 50, 4), dtype=np.uint8)
    (tmp_path / "noise.png").write_bytes(picture.png(pixels))
    np.testing.assert_array_equal(pixels_of(tmp_path / "noise.png"), pixels[:, :, :3])


def test_nothing_of_the_users_is_changed(preview, box, tmp_path):
    scenes.select(box)
    before = state()
    assert any(name == "box" for name, *_rest in before["objects"])
    write(preview, tmp_path / "box.png")
    assert state() == before


def test_objects_that_are_not_tagged_are_not_in_the_way(preview, box, tmp_path):
    plain = pixels_of(write(preview, tmp_path / "plain.png"))
    scenes.add(scenes.box_mesh((20.0, 20.0, 20.0)), "room")
    bpy.context.view_layer.update()
    np.testing.assert_array_equal(pixels_of(write(preview, tmp_path / "room.png")), plain)


def test_a_small_model_far_from_the_origin_looks_like_a_large_one(preview, box, tmp_path):
    plain = pixels_of(write(preview, tmp_path / "plain.png")).astype(int)
    box.scale = (0.01, 0.01, 0.01)
    box.location = (90.0, 60.0, 0.0025)
    bpy.context.view_layer.update()
    small = pixels_of(write(preview, tmp_path / "small.png")).astype(int)
    middle = (slice(250, 600), slice(350, 750))  # without the label, the note, and the axes of the world
    # float32 places the small one to 4e-6 m, which is a fifth of a pixel; the grid shows through at another phase.
    assert np.median(np.abs(plain - small)[middle].max(axis=2)) <= 6


def test_a_refused_link_is_drawn_as_geometry_only(preview, box, tmp_path):
    good = pixels_of(write(preview, tmp_path / "good.png"))
    scenes.tag(box, inertia="MANUAL", manual_mass=-1.0)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    preview.write_preview(tmp_path / "bare.png", [], depsgraph)
    assert not np.array_equal(pixels_of(tmp_path / "bare.png"), good)


def test_an_empty_scene_is_a_named_error(preview, scene, tmp_path):
    with pytest.raises(preview.PreviewError, match="nothing|no body"):
        write(preview, tmp_path / "nothing.png")
    assert not (tmp_path / "nothing.png").exists()


def test_a_folder_that_cannot_be_written_is_an_os_error(preview, box, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError):
        write(preview, tmp_path / "file" / "box.png")


@pytest.mark.skipif(sys.platform != "linux", reason="EGL is how Blender draws on Linux")
def test_without_a_driver_there_is_a_named_error_and_the_process_lives(tmp_path):
    # A driver that does not exist: what a machine without Mesa looks like to EGL's loader.
    (tmp_path / "vendor.json").write_text('{"file_format_version": "1.0.0", "ICD": {"library_path": "libnone.so"}}')
    script = f"""
        import runpy
        load = runpy.run_path({str(scenes.HEADLESS)!r}, run_name="headless")
        load["import_checkout"]()
        from importlib import import_module
        picture = import_module(load["PACKAGE"] + ".sdf_inertia_addon.export.offscreen")
        try:
            picture.require_gpu()
        except picture.NoGpuError as error:
            print("NAMED", error)
    """
    environment = {**os.environ, "__EGL_VENDOR_LIBRARY_FILENAMES": str(tmp_path / "vendor.json")}
    command = scenes.python("-c", textwrap.dedent(script))
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "NAMED" in done.stdout and "libegl1" in done.stdout


NOISE = b"EGL Error (0x3009): EGL_BAD_MATCH: Arguments are inconsistent (for example, ...).\n"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="EGL is how Blender draws on Linux")


def speak():
    os.write(2, b"before\n" + NOISE + b"EGL Error (0x3001): another\n" + NOISE + b"no end of line")


@LINUX
def test_of_what_blender_says_only_the_egl_noise_is_kept_back(addon, capfd):
    picture = scenes.module("sdf_inertia_addon.export.offscreen")
    speak()
    assert capfd.readouterr().err.encode().count(NOISE) == 2
    with picture.without_egl_noise():
        speak()
    assert capfd.readouterr().err == "before\nEGL Error (0x3001): another\nno end of line"
    speak()  # the descriptor is back
    assert capfd.readouterr().err.encode().count(NOISE) == 2


@LINUX
def test_of_a_failure_everything_is_reported(addon, capfd):
    picture = scenes.module("sdf_inertia_addon.export.offscreen")
    with pytest.raises(RuntimeError, match="no driver"), picture.without_egl_noise():
        speak()
        raise RuntimeError("no driver")
    assert capfd.readouterr().err.encode().count(NOISE) == 2


@LINUX
def test_without_a_standard_error_nothing_is_kept_back_and_nothing_fails(addon, tmp_path):
    picture = scenes.module("sdf_inertia_addon.export.offscreen")
    kept = os.dup(2)
    os.close(2)
    try:
        with picture.without_egl_noise():
            said = True
    finally:
        os.dup2(kept, 2)
        os.close(kept)
    assert said


def test_a_preview_from_a_command_line_is_drawn_without_egl_noise(preview, box, tmp_path):
    blend = tmp_path / "box.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend), copy=True)
    arguments = ("--output", tmp_path / "out", "--preview", tmp_path / "box.png")
    done = subprocess.run(scenes.python(scenes.HEADLESS, blend, *arguments), capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "box.png").is_file()
    assert b"wrote" in done.stderr and b"EGL" not in done.stderr


def state():
    """Return all that a user would miss: data, matrices, selection, scenes, and every setting of the 3D views."""
    return {
        "data": {
            name: sorted(item.name_full for item in getattr(bpy.data, name))
            for name in ("scenes", "objects", "meshes", "cameras", "images", "collections", "worlds", "materials")
        },
        "scene": bpy.context.scene.name,
        "active": getattr(bpy.context.view_layer.objects.active, "name", None),
        "frame": bpy.context.scene.frame_current,
        "camera": bpy.context.scene.camera,
        "engine": bpy.context.scene.render.engine,
        "objects": [
            (ob.name, ob.select_get(), ob.hide_get(), [tuple(row) for row in ob.matrix_world], crc(ob.data))
            for ob in bpy.context.scene.objects
        ],
        "views": [
            settings(space)
            for screen in bpy.data.screens
            for area in screen.areas
            for space in area.spaces
            if space.type == "VIEW_3D"
        ],
    }


def settings(space):
    return [
        (part.__class__.__name__, prop.identifier, repr(getattr(part, prop.identifier)))
        for part in (space, space.shading, space.overlay)
        for prop in part.bl_rna.properties
        if prop.type in {"BOOLEAN", "FLOAT", "INT", "ENUM"} and not getattr(prop, "is_array", False)
    ]


def crc(mesh):
    positions = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", positions)
    return len(mesh.polygons), zlib.crc32(positions.tobytes())
