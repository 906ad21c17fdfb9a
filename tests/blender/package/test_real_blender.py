# SPDX-License-Identifier: GPL-3.0-or-later
"""headless.py and the command in Blenders of their own, whose Python has neither lxml nor manifold3d: Debian's 4.3 and
5.2, in the chroots that tools/real_blender.sh makes (`make real-blender`). Skipped if missing."""

import json
import resource
import shutil

import bpy
import pytest
from lxml import etree

from ...packages import built_package, python_of

# That Blender is the same whichever bpy runs this.
pytestmark = pytest.mark.skipif(bpy.app.version[:2] != (4, 5), reason="once is enough: with bpy 4.5")

MAKE = """
import runpy
headless = runpy.run_path("checkout/sdf_inertia_addon/headless.py", run_name="headless")
assert all(map(headless["_provide"], headless["BUNDLED"]))
headless["import_checkout"]().register()
import bpy
ob = bpy.data.objects["Cube"]
ob.sdf_inertia.is_link = ob.sdf_inertia.is_collision = True
ob.sdf_inertia.material = "Steel"
bpy.ops.wm.save_as_mainfile(filepath="robot.blend")

ob.driver_add("scale", 0).driver.expression = "length_of(1)"
text = bpy.data.texts.new("rig.py")
text.write("import bpy\\nbpy.app.driver_namespace['length_of'] = lambda n: 3.0 * n\\n")
text.use_module = True
bpy.ops.wm.save_as_mainfile(filepath="rig.blend")
"""

# 300 links, each of which takes a fifth of a second or more.
WORK = """
import importlib, sys, threading
import bpy
package = next(name for name in sys.modules if name.startswith("bl_ext.") and name.endswith(".sdf_inertia"))
live = importlib.import_module(f"{package}.sdf_inertia_addon.live")
live.jobs.use_thread(True)
importlib.import_module(f"{package}.sdf_inertia_addon.live.resolver").BUDGET = 0.004
bpy.ops.mesh.primitive_uv_sphere_add(segments=150, ring_count=150)
mesh = bpy.context.object.data
for number in range(300):
    ob = bpy.data.objects.new(f"ball{number}", mesh)
    bpy.context.scene.collection.objects.link(ob)
    settings = ob.sdf_inertia
    settings.is_link = settings.is_collision = True
    settings.method, settings.thickness = "SHELL", 0.001 + 0.0001 * number
live.model(bpy.context.evaluated_depsgraph_get())
assert any(thread.name == "SDF Inertia" for thread in threading.enumerate())
print("waiting", live.jobs.status().waiting, flush=True)
"""


@pytest.fixture(scope="module")
def blend(blender, unpacked):
    """A scene saved by that Blender: its start-up cube of 2 m, tagged, of steel."""
    run = blender("-b", "--python-exit-code", "3", "--python-expr", MAKE)
    assert run.returncode == 0, run.stderr
    return "robot.blend"


def headless(blender, blend, *arguments, checkout="checkout"):
    script = ("--python-exit-code", "3", "--python", f"{checkout}/sdf_inertia_addon/headless.py", "--")
    return blender("-b", *blend, *script, *arguments)


def mass_of(folder):
    report = json.loads((folder / "report.json").read_text())
    (link,) = report["models"][0]["links"]
    assert etree.parse(folder / "robot" / "model.sdf").find(".//link").get("name") == link["name"] == "Cube"
    return link["mass"]


def test_without_what_the_zip_brings_it_ends_with_2_and_names_what_to_do(blender, blend, chroot, place):
    folder = chroot / place.relative_to("/")
    shutil.copytree(folder / "checkout", folder / "bare", ignore=shutil.ignore_patterns("build"))
    run = headless(blender, [blend], "--output", "none", checkout="bare")
    assert run.returncode == 2
    assert "no lxml and no manifold3d" in run.stderr and "make package" in run.stderr
    assert not (folder / "none").exists()


def test_headless_finds_the_wheels_and_exports(blender, blend, chroot, place, unpacked):
    for _second in range(2):  # the second finds it unpacked
        run = headless(blender, [blend], "--output", "out", "--report", "out/report.json")
        assert run.returncode == 0, run.stderr
    assert len([path for path in unpacked.iterdir() if path.is_dir()]) == 2
    assert mass_of(chroot / place.relative_to("/") / "out") == pytest.approx(8 * 7850, rel=1e-6)


def test_headless_tells_by_its_exit_status(blender, blend, unpacked):
    assert headless(blender, [blend], "--output", f"{blend}/below").returncode == 2
    assert headless(blender, [], "--output", "out").returncode == 2
    assert headless(blender, ["missing.blend"], "--output", "out").returncode != 0
    assert headless(blender, [blend]).returncode == 2


@pytest.fixture(scope="module")
def installed(blender, chroot, place, unpacked, tmp_path_factory):
    """The zip that `make package` builds for this Blender, installed and enabled."""
    package = built_package(tmp_path_factory.mktemp("dist"), python_of(chroot))
    shutil.copy(package, chroot / place.relative_to("/") / "sdf_inertia.zip")
    install = blender("--command", "extension", "install-file", "-r", "user_default", "-e", "sdf_inertia.zip")
    assert install.returncode == 0, install.stdout + install.stderr


def command(blender, blend, *arguments):
    return blender("-b", *blend, "--command", "sdf_inertia", "export", *arguments)


def test_the_command_of_the_installed_extension_exports(blender, blend, chroot, place, installed):
    folder = chroot / place.relative_to("/")
    run = command(blender, [blend], "--output", "command", "--report", "command/report.json")
    assert run.returncode == 0, run.stdout + run.stderr
    assert mass_of(folder / "command") == pytest.approx(8 * 7850, rel=1e-6)
    assert command(blender, [blend]).returncode == 2
    assert command(blender, [], "--output", "command").returncode == 2
    assert blender("-b", blend, "--command", "sdf_inertia").returncode == 2

    # The checkout's headless.py beside the installed copy: that steps aside for this process, and stays enabled.
    beside = headless(blender, [blend], "--output", "beside", "--report", "beside/report.json")
    assert beside.returncode == 0, beside.stderr
    assert "already registered" not in beside.stdout + beside.stderr
    assert mass_of(folder / "beside") == mass_of(folder / "command")
    assert command(blender, [blend], "--output", "command").returncode == 0


@pytest.mark.fault(88)
@pytest.mark.parametrize("way", [headless, command], ids=["headless", "command"])
def test_a_picture_is_drawn(blender, blend, chroot, place, installed, way):
    # Under --command Blender 4.3 has loaded the file and has no window: removing a scene crashed it.
    name = f"preview/{way.__name__}.png"
    run = way(blender, [blend], "--output", "preview", "--preview", name)
    assert run.returncode == 0, run.stderr
    assert "preview was not drawn" not in run.stderr
    assert (chroot / place.relative_to("/") / name).read_bytes().endswith(b"IEND\xaeB`\x82")


@pytest.mark.parametrize("way", [headless, command], ids=["headless", "command"])
def test_blocked_scripts_are_refused_or_trusted(blender, blend, chroot, place, installed, way):
    out = f"rig-{way.__name__}"
    folder = chroot / place.relative_to("/") / out
    run = way(blender, ["rig.blend"], "--output", out)
    assert run.returncode == 1, run.stderr
    assert "error: Cube: " in run.stderr and "[driver_blocked]" in run.stderr and "[scripts_blocked]" in run.stderr
    assert not folder.exists()
    run = way(blender, ["rig.blend"], "--output", out, "--inertia", "filled", "--trust")
    assert run.returncode == 0, run.stderr
    mass = etree.parse(folder / "rig" / "model.sdf").findtext(".//mass")
    assert float(mass) == pytest.approx(3 * 8 * 7850, rel=1e-6)


@pytest.mark.fault(71)
@pytest.mark.parametrize(
    ("way", "status"), [("", 0), ("bpy.ops.wm.quit_blender()", 0), ("sys.exit(5)", 5)], ids=["end", "quit", "exit"]
)
def test_it_quits_while_computing(blender, installed, way, status):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = blender("-b", "--python-exit-code", "3", "--python-expr", WORK + way)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.returncode == status, run.stdout + run.stderr
    (waiting,) = [int(line.split()[1]) for line in run.stdout.splitlines() if line.startswith("waiting")]
    assert waiting > 250  # a minute's work of the processor
    assert after.ru_utime - before.ru_utime < 30
    assert "Traceback" not in run.stderr
