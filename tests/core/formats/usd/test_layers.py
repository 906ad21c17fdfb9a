# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers of a USD stage: which are read, from where, within which limits; no hostile file harms the next one."""

import io
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from core import InertiaError, find_robots, read_robot
from core.cli.main import main
from core.files.input_file import noting_reads
from core.formats.usd import library
from tests.thorough import many
from tools.house import CHECKOUT

pytest.importorskip("pxr", reason="OpenUSD has no wheel for this Python")
from pxr import Sdf  # noqa: E402

MASS = "float physics:mass = 2\npoint3f physics:centerOfMass = (0, 0, 0)\nfloat3 physics:diagonalInertia = (1, 1, 1)"
BODY = f'def Xform "{{}}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])\n{{{{\n{MASS}\n}}}}\n'
ROBOT = BODY.format("body")
UNITS = "metersPerUnit = 1\nkilogramsPerUnit = 1\n"


def usda(path, prims=ROBOT, settings=""):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#usda 1.0\n(\n{UNITS}{settings}\n)\n{prims}")
    return path


def packed(path, files, method=zipfile.ZIP_STORED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    path.write_bytes(data.getvalue())
    return path


ARCS = {
    "sublayers": ("subLayers = [NAMES]", ""),
    "references": ("", 'def "r" (references = [NAMES])\n{\n}\n'),
    "payloads": ("", 'def "r" (payload = [NAMES])\n{\n}\n'),
    "variant": ("", 'def "r"\n{\nvariantSet "v" = {\n"x" (references = [NAMES]) {\n}\n}\n}\n'),
}
"""The ways by which a layer names others: settings and prims."""

NAMED = ["../outside.usda", "/dev/zero", "pipe.usda", "link.usda", "http://a/b", "omniverse://a", "//a/b", "no.usda"]


@pytest.mark.fault(233)
@pytest.mark.parametrize("arc", ARCS)
def test_a_layer_that_may_not_be_read_is_named_and_the_rest_is_read(tmp_path, arc):
    outside = usda(tmp_path / "outside.usda", BODY.format("secret"))
    settings, prims = (text.replace("NAMES", ", ".join(f"@{name}@" for name in NAMED)) for text in ARCS[arc])
    path = usda(tmp_path / "robot" / "robot.usda", ROBOT + prims, settings)
    os.mkfifo(path.with_name("pipe.usda"))  # to open it would wait forever
    path.with_name("link.usda").symlink_to(outside)
    robot = read_robot(path)
    findings = [finding for finding in robot.check() if finding.code == "layer_not_read"]
    assert list(robot.links) == ["body"] and {finding.severity for finding in findings} == {"warning"}
    assert all(name in str(findings) for name in NAMED)


def test_a_folder_shows_a_robot_whose_layers_are_missing(tmp_path):
    path = usda(tmp_path / "robot.usda", 'def "bot" (payload = @configuration/no.usda@)\n{\n}\n')
    usda(tmp_path / "scene.usda", 'def "bot" (payload = @./material.usda@)\n{\n}\n')
    usda(tmp_path / "material.usda", 'def "bot"\n{\n}\n')
    assert find_robots(tmp_path) == [path]


TEXTURED = """def Material "m"
{
    token outputs:surface.connect = </m/s.outputs:surface>
    def Shader "s"
    {
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = </m/t.outputs:rgb>
        token outputs:surface
    }
    def Shader "t"
    {
        asset inputs:file = @/outside.png@
        float3 outputs:rgb
    }
}
"""


@pytest.mark.fault(233)
@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace (tools/check_system.py --packages)")
def test_openusd_looks_for_nothing_that_a_layer_names(tmp_path):
    clips = (
        'asset[] assetPaths = [@/outside.usda@]\nstring primPath = "/x"\nasset manifestAssetPath = @/outside2.usda@\n'
    )
    clips = f"clips = {{\ndictionary default = {{\n{clips}double2[] active = [(0, 0)]\n}}\n}}"
    drawn = 'def Cube "c"\n{\nrel material:binding = </m>\n}'
    body = ROBOT.replace(")\n{", f"\n{clips})\n{{\n{drawn}\n", 1)
    path = usda(tmp_path / "robot.usda", body + TEXTURED, "subLayers = [@inside.usdc@]")
    Sdf.Layer.FindOrOpen(str(usda(tmp_path / "x.usda"))).Export(str(tmp_path / "inside.usdc"))
    traced = tmp_path / "traced"
    words = ["strace", "-f", "-qq", "-e", "trace=%file", "-o", str(traced), sys.executable, "-m", "core", "check"]
    done = subprocess.run([*words, str(path)], cwd=CHECKOUT, capture_output=True, text=True)
    if "PTRACE" in done.stderr or "Operation not permitted" in done.stderr:
        pytest.skip(f"strace may not look at processes here: {done.stderr[-200:]}")
    assert "1 link" in done.stdout
    opened = traced.read_text()
    assert "inside.usdc" in opened and "layer.usdc" in opened and "usd_program" in opened
    assert "outside" not in opened


@pytest.mark.fault(233)
def test_text_crate_and_package_name_each_other_in_a_circle(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", tempfile.mkdtemp(dir=tmp_path))
    text = usda(tmp_path / "robot.usda", BODY.format("a"), "subLayers = [@b.usdc@]")
    source = usda(tmp_path / "b.usda", BODY.format("b"), "subLayers = [@c.usdz@]")
    Sdf.Layer.FindOrOpen(str(source)).Export(str(tmp_path / "b.usdc"))
    inner = f"#usda 1.0\n(\nsubLayers = [@./sub/d.usda@, @../robot.usda@]\n)\n{BODY.format('c')}"
    packed(tmp_path / "c.usdz", {"c.usda": inner, "sub/d.usda": f"#usda 1.0\n{BODY.format('d')}"})
    with noting_reads() as reads:
        robot = read_robot(text)
    assert set(robot.links) == set("abcd")
    assert {os.path.basename(name) for name in reads} >= {"robot.usda", "b.usdc", "c.usdz"}
    (refused,) = (finding for finding in robot.check() if finding.code == "layer_not_read")
    assert "not found in the package" in refused.message and "c.usdz[c.usda]" in refused.subject
    assert not os.listdir(tempfile.tempdir)
    with ThreadPoolExecutor(4) as threads:
        assert {frozenset(each.links) for each in threads.map(read_robot, [text] * 8)} == {frozenset("abcd")}


def doubled(arc):
    """Return prims that stand for 2^30."""
    two = f'{{\ndef "a" ({arc})\n{{\n}}\ndef "b" ({arc})\n{{\n}}\n}}\n'
    levels = (f'def "p{n}"\n{two.replace("N", str(n - 1))}' for n in range(1, 31))
    return f'def Xform "p0"\n{{\n{ROBOT}}}\n' + "".join(levels)


BOMBS = {
    "references": doubled("references = </pN>"),
    "instances": doubled("instanceable = true\nreferences = </pN>"),
    "deep": 'def "a"\n{\n' * 300 + "}\n" * 300,
    "too deep to parse": 'def "a"\n{\n' * 100_000 + "}\n" * 100_000,
    "wide": "".join(f'def "a{number}"\n{{\n}}\n' for number in range(3000)),
}


@pytest.mark.fault(234)
@pytest.mark.parametrize("case", BOMBS)
def test_after_a_stage_without_end_the_next_one_is_checked(tmp_path, capsys, monkeypatch, case):
    monkeypatch.setattr(library._child, "limits", library._child.limits._replace(seconds=0.5))
    monkeypatch.setattr(library, "MAX_PRIMS", 2000)
    bad, good = usda(tmp_path / "bad.usda", BOMBS[case]), usda(tmp_path / "good.usda")
    assert main(["check", str(bad), str(good)]) == 1
    out = capsys.readouterr().out
    assert re.search(r"\[(library_failed|too_deep|too_many_elements)\]", out) and "good.usda: good" in out


@pytest.mark.fault(234)
def test_layers_are_counted_and_weighed_before_openusd_gets_them(tmp_path, monkeypatch):
    for number in range(9):
        usda(tmp_path / f"{number}.usda", BODY.format(f"b{number}"), f"subLayers = [@{number + 1}.usda@]")
    monkeypatch.setattr(library, "MAX_LAYERS", 5)
    robot = read_robot(tmp_path / "0.usda")
    assert len(robot.links) == 5 and "more than 5 layers" in str(robot.check())
    monkeypatch.setattr(library, "MAX_BYTES", 500)
    usda(tmp_path / "1.usda", BODY.format("large") + "#" * 500)
    assert "above the limit of 500" in str(read_robot(tmp_path / "0.usda").check())


@pytest.mark.fault(235)
@pytest.mark.parametrize("kind", ["usda", "usdc", "usdz"])
def test_a_mutated_layer_ends_in_numbers_or_an_error(tmp_path, kind):
    text = usda(tmp_path / "robot.usda", ROBOT + 'def Mesh "m"\n{\npoint3f[] points = [(1, 2, 3), (4, 5, 6)]\n}\n')
    path = tmp_path / f"mutated.{kind}"
    Sdf.Layer.FindOrOpen(str(text)).Export(str(tmp_path / "robot.usdc"))
    source = (tmp_path / f"robot.{'usda' if kind == 'usda' else 'usdc'}").read_bytes()
    ends = set()
    for seed in range(many(300, 40)):
        rng, data = random.Random(seed), bytearray(source)
        for _ in range(rng.choice((1, 1, 5))):
            data[rng.randrange(len(data))] = rng.randrange(32, 127) if kind == "usda" else rng.randrange(256)
        del data[rng.choice((len(data), len(data), rng.randrange(len(data)))) :]
        if kind == "usdz":
            packed(path, {"../x.usdc": bytes(data)})
        else:
            path.write_bytes(data)
        try:
            read_robot(path).check()
            ends.add("numbers")
        except InertiaError as error:
            ends.add(error.code)
    assert (
        {"numbers", "bad_usd"} <= ends <= {"numbers", "bad_usd", "no_link", "library_failed", "usd_shape", "not_finite"}
    )


@pytest.mark.fault(235)
def test_a_broken_package_is_an_error(tmp_path):
    layer = f"#usda 1.0\n{ROBOT}".encode()
    whole = packed(tmp_path / "a.usdz", {"a.usda": layer}).read_bytes()
    for data, reason in ((whole[:-30], "cannot be read"), (whole.replace(b"mass = 2", b"mass = 3"), "CRC")):
        (tmp_path / "a.usdz").write_bytes(data)
        with pytest.raises(InertiaError, match=reason):
            read_robot(tmp_path / "a.usdz")
    bomb = packed(tmp_path / "a.usdz", {"a.usda": layer + b" " * 10**7}, zipfile.ZIP_DEFLATED)
    with pytest.raises(InertiaError, match="compressed or encrypted"):
        read_robot(bomb)


def test_without_openusd_the_command_that_installs_it_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pxr", None)
    assert main(["check", str(usda(tmp_path / "robot.usda"))]) == 2
    assert "pip install 'sdf-inertia[usd]'" in capsys.readouterr().out
