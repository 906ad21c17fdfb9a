# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work in steps: another thread reads, the main thread makes objects, and cancelled work leaves nothing."""

import threading
import time

import bpy
import pytest

from tests.reference_data import DATA

from ..scenes import module

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(222)]

GLTF = DATA / "robot_faults/gltf"


def steps():
    return module("sdf_inertia_addon.steps")


def in_other_thread(work):
    return steps().run_to_end(steps().in_other_thread(work, lambda: steps().Step("", 0.0), True))


def test_the_result_of_another_thread_is_returned():
    assert in_other_thread(threading.current_thread) is not threading.main_thread()


def test_an_error_of_another_thread_is_raised():
    with pytest.raises(ZeroDivisionError):
        in_other_thread(lambda: 1 // 0)


def test_closed_steps_end_the_other_thread():
    progress = module("core.mesh.progress")
    ended = threading.Event()

    def work():
        try:
            while True:
                progress.unless_unwanted()
                time.sleep(0.001)
        finally:
            ended.set()

    running = steps().in_other_thread(work, lambda: steps().Step("", 0.0), True)
    next(running)
    assert not ended.is_set()
    running.close()
    assert ended.wait(60)


def test_a_half_built_robot_is_removed(tmp_path):
    build = module("sdf_inertia_addon.importing.build")
    path = tmp_path / "two.urdf"
    link = '<link name="{}"><visual><geometry><box size="1 1 1"/></geometry></visual></link>'
    path.write_text(
        f'<robot name="two">{link.format("a")}{link.format("b")}<joint name="j" type="fixed"><parent link="a"/>'
        '<child link="b"/></joint></robot>'
    )
    (robot,) = module("core.formats.table").robots_of(path)
    files = module("sdf_inertia_addon.importing.mesh_files").MeshFiles()
    count = len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.collections)

    building = build.build(robot, files, bpy.context.scene, "")
    next(building)
    next(building)
    users = bpy.data.objects.new("user's own", None)
    assert len(bpy.data.objects) > count[0] + 1 and len(bpy.data.meshes) > count[1]
    building.close()
    files.discard()
    assert (len(bpy.data.objects) - 1, len(bpy.data.meshes), len(bpy.data.collections)) == count
    assert users.name == "user's own"
    files.discard()  # what is gone is not removed again


@pytest.mark.skipif(not GLTF.exists(), reason="no data")
def test_a_gltf_is_read_alike_in_another_thread():
    path = GLTF / "quant.gltf"
    files = module("sdf_inertia_addon.importing.mesh_files").MeshFiles()
    surface = in_other_thread(lambda: files.loaders[".gltf"](path, (path.parent,))).surface
    assert not bpy.data.meshes
    here = files.loaders[".gltf"](path, (path.parent,)).surface
    files.close()
    assert len(here.triangles) and (surface.vertices == here.vertices).all()
