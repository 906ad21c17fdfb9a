# SPDX-License-Identifier: GPL-3.0-or-later
"""glTF: all that moves, scales or repeats vertices is applied or refused by its name, and nothing that lies is read."""

import json
import struct
from random import Random

import numpy as np
import pytest

from core import mesh_moments
from core.cli.main import main
from core.errors import InertiaError
from core.files.mesh_file import Reading, load_surface, read_mesh
from tools.fuzz.gltf import odd
from tools.fuzz.octets import damaged

from ...thorough import THOROUGH
from ..peak_memory import peak_memory
from .gltf_files import CASES, CUBE, Gltf, made, skinned


def read(path):
    return read_mesh(path, Reading((path.resolve().parent,)))


def refusal(file, tmp_path):
    """Return the error of a file that is not read, and what to do."""
    with pytest.raises(InertiaError) as error:
        load_surface(file.write(tmp_path, "a"))
    assert error.value.code == "unreadable_file"
    return str(error.value.sentence), str(error.value.fix)


# --- what moves, scales or repeats vertices --------------------------------------------------------------------------


@pytest.mark.fault(197)
@pytest.mark.parametrize("name", CASES)
def test_a_feature_of_gltf_gives_the_volume_and_centre_of_its_cubes(name, tmp_path):
    file = made(name)
    surface, findings = load_surface(file.write(tmp_path, name))
    moments = mesh_moments(surface.vertices, surface.triangles)
    assert findings == ()
    assert moments.volume == pytest.approx(file.volume(), rel=1e-6)  # numbers of float32
    assert moments.centroid == pytest.approx(file.centre(), abs=1e-6 * np.abs(file.centre()).max())


@pytest.mark.fault(197)
def test_robots_with_quantized_and_sparse_meshes_are_sound_as_they_are(tmp_path, capsys):
    small = Gltf()
    small.require("KHR_mesh_quantization")
    small.mesh(small.cube(small.array((CUBE * 127).astype("i1"), True, normalized=True)))
    small.node(mesh=0, scale=[0.01, 0.01, 0.01])
    small.write(tmp_path, "small")
    made("sparse_u2").write(tmp_path, "sparse")
    robot = (
        '<robot name="r"><link name="l"><inertial><origin xyz="{c}"/><mass value="{m}"/><inertia ixx="{x}" iyy="{y}" '
        'izz="{y}" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="{mesh}.gltf"/></geometry>'
        "</collision></link></robot>"
    )
    side = 0.01
    numbers = {"m": 0.001, "c": "0.005 0.005 0.005", "x": 0.001 * side**2 / 6, "y": 0.001 * side**2 / 6}
    (tmp_path / "small.urdf").write_text(robot.format(mesh="small", **numbers))
    numbers = {"m": 3000, "c": "1.5 0.5 0.5", "x": 500, "y": 2500}
    (tmp_path / "sparse.urdf").write_text(robot.format(mesh="sparse", **numbers))
    for name in ("small", "sparse"):
        path = tmp_path / f"{name}.urdf"
        text = path.read_bytes()
        assert main(["check", str(path)]) == 0
        main(["repair", str(path), "--in-place"])
        assert path.read_bytes() == text
    assert capsys.readouterr().out.count("1 agrees with its geometry") == 2


def test_a_submesh_has_the_name_of_its_node_or_its_number(tmp_path):
    file = Gltf()
    file.mesh(file.cube(), file.cube())
    file.header["scenes"] = [{"nodes": [0, 1, 2, 3]}]
    for name in ("hand", "hand", "", "world"):
        file.node(mesh=0, **({"name": name} if name else {}))
    submeshes = read(file.write(tmp_path, "a")).submeshes
    assert [submesh.name for submesh in submeshes] == ["world"] * 2 + ["2"] * 2 + ["hand_1"] * 2 + ["hand"] * 2


def test_numbers_that_nothing_moves_stay_in_single_precision(tmp_path):
    assert load_surface(made("binary").write(tmp_path, "a"))[0].vertices.dtype == np.float32
    assert load_surface(made("node_scale").write(tmp_path, "b"))[0].vertices.dtype == np.float64


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
@pytest.mark.parametrize("name", ["float32", "binary"])
def test_what_a_file_begins_with_counts_not_its_suffix(name, suffix, tmp_path):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(made(name).bytes())
    assert len(load_surface(path)[0].triangles) == 12


def test_bytes_at_odd_places_are_read_as_any_others(tmp_path):
    data = made("binary").bytes()
    length = int.from_bytes(data[12:16], "little")
    text = data[20 : 20 + length].rstrip() + b" "
    text += b" " * (len(text) % 4 == 0)
    body = struct.pack("<I4s", len(text), b"JSON") + text + data[20 + length :]
    path = tmp_path / "a.glb"
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)
    surface, _ = load_surface(path)
    assert surface.vertices.flags.aligned and np.array_equal(surface.vertices, CUBE)


@pytest.mark.parametrize("size", [4, 11, 12, 19, 20, 40])
def test_a_glb_that_ends_at_once_is_refused(size, tmp_path):
    path = tmp_path / "a.glb"
    path.write_bytes(made("binary").bytes()[:size])
    with pytest.raises(InertiaError, match="unreadable_file"):
        load_surface(path)


# --- extensions and versions -----------------------------------------------------------------------------------------


@pytest.mark.fault(197, 198)
@pytest.mark.parametrize(
    ("name", "reason", "fix"),
    [
        ("KHR_draco_mesh_compression", "compressed by the glTF extension", "npx @gltf-transform/cli copy FILE NEW.glb"),
        ("EXT_meshopt_compression", "compressed by the glTF extension", "npx @gltf-transform/cli copy FILE NEW.glb"),
        ("KHR_meshopt_compression", "compressed by the glTF extension", "npx @gltf-transform/cli copy FILE NEW.glb"),
        ("VENDOR_something", "requires the glTF extension", "without this extension"),
        ("KHR_node_visibility", "requires the glTF extension", "without this extension"),
    ],
)
def test_a_required_extension_that_is_not_read_is_refused_by_its_name(name, reason, fix, tmp_path):
    file = made("float32")
    file.require("KHR_materials_unlit", name)
    sentence, remedy = refusal(file, tmp_path)
    assert name in sentence and reason in sentence and fix in remedy


@pytest.mark.parametrize(
    "name",
    ["KHR_materials_clearcoat", "KHR_texture_basisu", "EXT_texture_webp", "KHR_lights_punctual", "KHR_xmp_json_ld"],
)
def test_a_required_extension_of_looks_changes_nothing(name, tmp_path):
    file = made("float32")
    file.require(name)
    assert load_surface(file.write(tmp_path, "a"))[0].triangles.shape == (12, 3)


@pytest.mark.fault(198)
def test_compressed_meshes_are_read_by_their_copy_and_refused_without_it(tmp_path):
    draco = made("float32")
    draco.header["extensionsUsed"] = ["KHR_draco_mesh_compression"]
    primitive = draco.header["meshes"][0]["primitives"][0]
    primitive["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
    meshopt = made("float32")
    meshopt.header["extensionsUsed"] = ["EXT_meshopt_compression"]
    for view in meshopt.header["bufferViews"]:
        view["extensions"] = {"EXT_meshopt_compression": {"buffer": 0, "byteLength": 8, "count": 8, "byteStride": 12}}
    for name, file in (("draco", draco), ("meshopt", meshopt)):
        assert len(load_surface(file.write(tmp_path, name))[0].triangles) == 12
    del draco.header["accessors"][0]["bufferView"]
    meshopt.header["buffers"] = [{"byteLength": len(meshopt.data), "extensions": {"EXT_meshopt_compression": {}}}]
    meshopt.data = b""
    for file, name in ((draco, "KHR_draco_mesh_compression"), (meshopt, "EXT_meshopt_compression")):
        assert name in refusal(file, tmp_path)[0]


@pytest.mark.fault(198)
@pytest.mark.parametrize("version", ["1.0", "1.1", "0.8", "3.0"])
def test_another_version_of_gltf_is_named(version, tmp_path):
    file = made("float32")
    file.header["asset"]["version"] = version
    sentence, remedy = refusal(file, tmp_path)
    assert f"it is glTF {version}" in sentence and "npx gltf-pipeline -i FILE -o NEW.glb" in remedy


@pytest.mark.fault(198)
def test_a_file_of_version_1_is_named_by_its_shape_or_its_first_bytes(tmp_path):
    file = made("float32")
    file.header = {"meshes": {"m": {}}, "nodes": {}, "accessors": {"a": {"count": 3}}}
    assert "it is glTF 1.0" in refusal(file, tmp_path)[0]
    path = tmp_path / "a.glb"
    path.write_bytes(struct.pack("<4sIIII", b"glTF", 1, 24, 4, 0) + b"{}  ")
    with pytest.raises(InertiaError, match="it is glTF 1.0"):
        load_surface(path)


# --- what lies -------------------------------------------------------------------------------------------------------


def at(place, value):
    """Return a change of a file: a value at a path of keys."""

    def change(header):
        *above, last = place
        for key in above:
            header = header[key]
        header[last] = value

    return change


ACCESSOR, VIEW = ("accessors", 0), ("bufferViews", 0)

LIES = {
    "index out of range": (at(("meshes", 0, "primitives", 0, "indices"), 9), "accessors have no entry 9"),
    "negative index": (at(("nodes", 0, "mesh"), -1), "meshes have no entry -1"),
    "index that is true": (at(("nodes", 0, "mesh"), True), "meshes have no entry True"),
    "no such scene": (at(("scene",), 3), "scenes have no entry 3"),
    "no scene": (at(("scenes",), []), "it has no scene"),
    "no such view": (at((*ACCESSOR, "bufferView"), 7), "bufferViews have no entry 7"),
    "no such buffer": (at((*VIEW, "buffer"), 7), "bufferView 0 has no buffer with data"),
    "accessor beyond its view": (at((*ACCESSOR, "count"), 9), "ends at byte 108 of its bufferView 0, which has 96"),
    "offset beyond its view": (at((*ACCESSOR, "byteOffset"), 4), "ends at byte 100 of its bufferView 0, which has 96"),
    "view beyond its buffer": (at((*VIEW, "byteLength"), 999), "bufferView 0 ends at byte 999 of 168"),
    "buffer that ends too early": (at(("buffers", 0, "byteLength"), 999), "it has 999 bytes, but it has 168"),
    "stride less than an element": (at((*VIEW, "byteStride"), 8), "byteStride 8 of its bufferView 0 is less"),
    "stride of zero": (at((*VIEW, "byteStride"), 0), "byteStride 0 of its bufferView 0 is less"),
    "negative offset": (at((*ACCESSOR, "byteOffset"), -4), "byteOffset of it is -4, not an integer"),
    "count as text": (at((*ACCESSOR, "count"), "8"), "count of it is 8, not an integer"),
    "a type of its own": (at((*ACCESSOR, "type"), "VEC5"), "VEC5"),
    "a number of its own": (at((*ACCESSOR, "componentType"), 5124), "5124"),
    "indices with signs": (at(("accessors", 1, "componentType"), 5122), "numbers of a type that is not allowed"),
    "normalized numbers of 32 bits": (
        lambda header: header["accessors"][0].update(componentType=5125, normalized=True),
        "normalized numbers of 32 bits",
    ),
    "corners not in threes": (at(("accessors", 1, "count"), 35), "35 corners, not three for each triangle"),
    "matrix of NaN": (at(("nodes", 0, "matrix"), [float("nan")] * 16), "not 16 finite numbers"),
    "matrix of texts": (at(("nodes", 0, "matrix"), ["1"] * 16), "not 16 finite numbers"),
    "matrix of fifteen": (at(("nodes", 0, "matrix"), [1] * 15), "not 16 finite numbers"),
    "matrix that projects": (at(("nodes", 0, "matrix"), [1] * 16), "as its last row"),
    "matrix and scale": (
        lambda header: header["nodes"][0].update(matrix=np.eye(4).ravel().tolist(), scale=[2, 2, 2]),
        "has a matrix and a scale",
    ),
    "rotation of zero": (at(("nodes", 0, "rotation"), [0, 0, 0, 0]), "a rotation of it is 0, 0, 0, 0"),
    "endless translation": (at(("nodes", 0, "translation"), [1e999, 0, 0]), "not 3 finite numbers"),
    "cycle": (at(("nodes", 0, "children"), [0]), "is listed twice; a node has one parent"),
    "weights without targets": (at(("nodes", 0, "weights"), [1.0]), "1 weights of 0 morph targets"),
    "data not in base64": (at(("buffers", 0, "uri"), "data:,abc"), "not in base64"),
    "data with a gap": (at(("buffers", 0, "uri"), "data:;base64,AAAA!AAA"), "cannot be read"),
    "no list": (at(("nodes",), {"0": {"mesh": 0}}), "nodes are not a list"),
    "no object": (at(("nodes",), [[0]]), "not of this format"),
    "nothing": (at(("meshes", 0), None), "meshes have no entry 0"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_gltf_that_lies_is_refused_with_a_sentence(lie, tmp_path):
    file, (change, words) = made("float32"), LIES[lie]
    file.header = json.loads(file.text())
    data, file.data = file.data, b""
    assert len(data) == 168
    change(file.header)
    assert words in refusal(file, tmp_path)[0]


@pytest.mark.parametrize("rows", [[4, 5, 6, 8], [4, 4, 5, 6], [5, 4, 6, 7]])
def test_sparse_indices_that_do_not_ascend_are_refused(rows, tmp_path):
    file = Gltf()
    file.mesh(file.cube(file.sparse(np.float32(np.vstack([CUBE, CUBE])), None, rows)))
    file.header["accessors"][0]["count"] = 8
    file.header["nodes"] = [{"mesh": 0}]
    assert "do not ascend from 0 to 7" in refusal(file, tmp_path)[0]


def test_a_skin_that_lies_is_refused(tmp_path):
    ones = np.ones((8, 1), "<f4")
    file = Gltf()
    skinned(file, [{"scale": [-1, 1, 1]}, {}], np.hstack([ones, ones]))
    assert "mirrors some of its joints" in refusal(file, tmp_path)[0]
    file = Gltf()
    skinned(file, [{}], 0 * ones)
    assert "no weight" in refusal(file, tmp_path)[0]
    file = Gltf()
    skinned(file, [{}], ones)
    file.header["skins"][0]["joints"] = [77]
    assert "outside of the scene" in refusal(file, tmp_path)[0]


def test_many_sets_of_joints_take_the_memory_of_one(tmp_path):
    file = Gltf()
    primitive = skinned(file, [{}], np.ones((8, 1), "<f4"))
    for number in range(1, 2000):
        primitive["attributes"] |= {
            f"{name}_{number}": primitive["attributes"][f"{name}_0"] for name in ("JOINTS", "WEIGHTS")
        }
    used, (surface, _) = peak_memory(load_surface, file.write(tmp_path, "a"))
    assert mesh_moments(surface.vertices, surface.triangles).volume == pytest.approx(1.0)
    assert used < 4e6


def test_normalized_numbers_that_are_too_much_as_floats_are_refused(tmp_path):
    file = Gltf()
    skinned(file, [{}], np.ones((8, 1), "<f4"))
    accessor = {"componentType": 5121, "count": 12_000_000, "type": "MAT4", "normalized": True}
    file.header["skins"][0]["inverseBindMatrices"] = file.add("accessors", accessor)
    with pytest.raises(InertiaError, match="file_too_large"):
        load_surface(file.write(tmp_path, "a"))


def test_instances_of_different_counts_are_refused(tmp_path):
    file = made("instances_moved")
    attributes = file.header["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"]
    attributes["SCALE"] = file.array(np.ones((2, 3), "<f4"))
    assert "its instances have [2, 3] elements" in refusal(file, tmp_path)[0]


def repeated(instances):
    file = Gltf()
    file.require("EXT_mesh_gpu_instancing")
    file.mesh(file.cube(indices=None))
    file.header["accessors"][0] = {"componentType": 5126, "count": 99_000, "type": "VEC3"}
    number = file.add("accessors", {"componentType": 5126, "count": instances, "type": "VEC3"})
    file.node(mesh=0, extensions={"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": number}}})
    return file


def morphed(targets):
    file = Gltf()
    file.mesh(file.cube(targets=[{"POSITION": 0}] * targets), weights=[1.0] * targets)
    file.header["accessors"][0] = {"componentType": 5126, "count": 99_000, "type": "VEC3"}
    file.header["nodes"] = [{"mesh": 0}]
    return file


@pytest.mark.parametrize(
    "file", [repeated(1000), repeated(200_000), morphed(1000)], ids=["instances", "many instances", "targets"]
)
def test_a_small_file_of_many_instances_or_targets_is_refused(file, tmp_path):
    with pytest.raises(InertiaError, match="file_too_large"):
        load_surface(file.write(tmp_path, "a"))


# --- mutated files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["gltf", "glb", "octets"])
def test_a_mutated_file_is_read_or_refused_by_name(kind, tmp_path):
    path, names, outcomes = tmp_path / "a.glb", list(CASES), set()
    for number in range(500 if THOROUGH else 40):
        random = Random(f"{kind} {number}")
        file = made(random.choice(names))
        file.glb = kind != "gltf"
        data = file.bytes()
        if kind == "octets":
            data = damaged(data, random)
        elif kind == "gltf":
            data = json.dumps(odd(json.loads(data), random)).encode()
        else:
            length = int.from_bytes(data[12:16], "little")
            text = json.dumps(odd(json.loads(data[20 : 20 + length]), random)).encode()
            text += b" " * (-len(text) % 4)
            body = struct.pack("<I4s", len(text), b"JSON") + text + data[20 + length :]
            data = struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body
        path.write_bytes(data)
        try:
            surface, _ = load_surface(path)
            outcomes.add("read")
            assert len(surface.triangles) <= 1000
        except InertiaError as error:
            outcomes.add("refused")
            assert len(str(error)) < 1000
    assert outcomes == {"read", "refused"}
