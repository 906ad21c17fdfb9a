# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file from anywhere must not do: eat memory, read what lies elsewhere, or end in a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import InertiaError
from core.document.document import MAX_BYTES, Document
from core.document.locate import SEARCH_VARIABLES
from core.files.input_file import MAX_DEPTH, MAX_ELEMENTS
from core.formats.sdf.include import MAX_INCLUDES, DocumentStore
from core.formats.sdf.read import read_document, read_sdf
from core.robot.resolve import resolve_link

from ...work import calls

SDF = "<sdf version='1.11'><model name='m'><link name='l'/></model></sdf>"


def refused(data, name="model.sdf"):
    with pytest.raises(InertiaError) as error:
        Document.parse(data if isinstance(data, bytes) else data.encode(), name)
    return error.value


LAUGHS = "".join(f"<!ENTITY l{i} '{f'&l{i - 1};' * 10}'>" for i in range(1, 10))
DOCTYPES = {
    "plain": "<!DOCTYPE sdf>",
    "external entity": "<!DOCTYPE sdf [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>",
    "external subset": "<!DOCTYPE sdf SYSTEM 'http://127.0.0.1:9/x.dtd'>",
    "parameter entity": "<!DOCTYPE sdf [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]>",
    "billion laughs": f"<!DOCTYPE sdf [<!ENTITY l0 'ha'>{LAUGHS}]>",
    "quadratic": f"<!DOCTYPE sdf [<!ENTITY l9 '{'a' * 100000}'>]>",
}


@pytest.mark.fault(57)
@pytest.mark.parametrize("kind", DOCTYPES)
def test_a_doctype_is_refused_with_its_line(kind):
    text = f"<?xml version='1.0'?>\n{DOCTYPES[kind]}<sdf version='1.11'><mass>{'&l9;' * 1000}</mass></sdf>"
    error = refused(text)
    assert (error.code, error.subject) == ("doctype", "model.sdf:2")


@pytest.mark.fault(57)
def test_a_doctype_is_refused_in_little_memory():
    # In a process of its own, whose whole address space may grow by 50 MB.
    text = f"{DOCTYPES['billion laughs']}<sdf version='1.11'>&l9;</sdf>"
    code = (
        "import resource, sys; from core import InertiaError; from core.document.document import Document\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 50_000_000,) * 2)\n"
        "try: Document.parse(sys.stdin.buffer.read(), 'm')\n"
        "except InertiaError as error: print(error.code)"
    )
    if not Path("/proc/self/statm").exists():
        pytest.skip("no /proc to measure memory by")
    folder = Path(__file__).parents[4]
    done = subprocess.run([sys.executable, "-c", code], input=text, capture_output=True, text=True, cwd=folder)
    assert done.stdout == "doctype\n", done.stderr


@pytest.mark.fault(58)
def test_elements_beyond_the_limits_are_refused():
    assert refused("<sdf>" + "<a>" * 100000).code == "too_deep"
    assert refused(b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH + b"<").code == "bad_xml"
    assert refused(b" " * (MAX_BYTES + 1)).code == "file_too_large"


@pytest.mark.fault(58)
def test_more_elements_than_the_limit_are_refused(monkeypatch):
    assert MAX_ELEMENTS == 1_000_000  # with <sdf> itself, a million links are too many; here a thousand
    monkeypatch.setattr("core.files.input_file.MAX_ELEMENTS", 1000)
    Document.parse(b"<sdf>" + b"<link/>" * 999 + b"</sdf>", "model.sdf")
    error = refused(b"<sdf>" + b"<link/>" * 1000 + b"</sdf>")
    assert error.code == "too_many_elements"
    assert "1000" in error.message


@pytest.mark.fault(58)
def test_a_file_above_the_limit_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.sdf"
    with open(path, "wb") as file:
        file.truncate(100 * 1024 * 1024)  # sparse
    with pytest.raises(InertiaError, match="file_too_large"):
        Document.read(path)


@pytest.mark.parametrize("name", ["missing.sdf", ".", "nul\0.sdf"])
def test_what_is_not_a_file_is_refused(name, tmp_path):
    with pytest.raises(InertiaError) as error:
        Document.read(tmp_path / name)
    assert error.value.code == "file_read"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_and_devices_are_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe.sdf")
    for path in (tmp_path / "pipe.sdf", "/dev/zero"):
        with pytest.raises(InertiaError, match="not a regular file"):
            Document.read(path)


# --- encodings ------------------------------------------------------------------------------------------------------

TEXT = "<sdf version='1.11'><model name='m'>\n<link name='caf\u00e9'/></model></sdf>"
ENCODED = {
    "UTF-8": TEXT.encode(),
    "UTF-8 with BOM": TEXT.encode("utf-8-sig"),
    "UTF-16": f"<?xml version='1.0' encoding='UTF-16'?>{TEXT}".encode("utf-16"),
    "UTF-16 big-endian": b"\xfe\xff" + f"<?xml version='1.0' encoding='UTF-16'?>{TEXT}".encode("utf-16-be"),
    "Latin-1": f"<?xml version='1.0' encoding='ISO-8859-1'?>{TEXT}".encode("latin-1"),
    "Windows": f"<?xml version='1.0' encoding='windows-1252'?>{TEXT}".encode("cp1252"),
    "a prefix beyond ASCII": TEXT.replace("<link", "<\u00e9:x/>\n<link").replace("\n<\u00e9", "<\u00e9").encode(),
    "CRLF": TEXT.replace("\n", "\r\n").encode(),
}


@pytest.mark.fault(59)
@pytest.mark.parametrize("kind", ENCODED)
def test_every_usual_encoding_is_read_and_its_bytes_are_found(kind):
    document = Document.parse(ENCODED[kind], "model.sdf")
    (link,) = document.root.iter("link")
    assert link.get("name") == "caf\u00e9"
    assert str(link) == "model.sdf:2 /sdf/model[@name='m']/link[@name='caf\u00e9']"
    start, end = link.span
    codec = {"Latin-1": "latin-1", "Windows": "cp1252", "UTF-16": "utf-16-le", "UTF-16 big-endian": "utf-16-be"}
    assert ENCODED[kind][start:end].decode(codec.get(kind, "utf-8")) == "<link name='caf\u00e9'/>"


@pytest.mark.fault(59)
@pytest.mark.parametrize("size", [31, 32])
def test_utf16_that_is_cut_off_is_refused_by_name(size):
    error = refused(TEXT.encode("utf-16")[:size])
    assert error.code in ("bad_xml", "bad_encoding")
    assert error.subject.startswith("model.sdf")


def test_spans_hold_for_awkward_markup():
    text = (
        "<?pi <a> ?><!-- <link/> --><sdf version='1.11'><model name=\"a>b'\"><gz:x y='>' /><![CDATA[<no/>]]>"
        "<link name='l' ></link ></model></sdf>\n"
    )
    document = Document.parse(text.encode(), "model.sdf")
    pieces = [text[slice(*element.span)] for element in document.root.iter("*")]
    assert pieces[0] == text[text.index("<sdf") : -1]
    assert pieces[2:] == ["<gz:x y='>' />", "<link name='l' ></link >"]
    assert document.data == text.encode()
    assert [finding.code for finding in document.findings] == ["undeclared_prefix"]


@given(st.data())
def test_broken_files_are_refused_and_never_crash(data):
    text = bytearray(SPOILT)
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.integers(0, 2))
        if kind == 0:
            text[place] = data.draw(st.integers(0, 255))
        elif kind == 1:
            del text[place : place + data.draw(st.integers(1, 30))]
        else:
            end = place + data.draw(st.integers(1, 60))
            text[place:place] = text[data.draw(st.integers(0, len(text) - 1)) : end]
        if not text:
            return
    try:
        file = read_document(Document.parse(bytes(text), "model.sdf"))
    except InertiaError as error:
        assert error.code and error.message
        return
    for link in file.links:
        assert isinstance(link.body.refused, bool)
        assert isinstance(resolve_link(link.solid).refused, bool)


SPOILT = (
    b"<?xml version='1.0'?><sdf version='1.11'><model name='m'><frame name='f' attached_to='l'><pose>1 2 3 0 0 1</pose>"
    b"</frame><link name='l'><pose degrees='true' relative_to='__model__'>1 0 0 0 0 90</pose><inertial auto='true'>"
    b"<mass>2</mass><density>3</density><gz:x/></inertial><collision name='c'><pose relative_to='f'>0 0 1 0 0 0</pose>"
    b"<density>5</density><auto_inertia_params><gz:voxel_size>0.1</gz:voxel_size></auto_inertia_params><geometry><box>"
    b"<size>1 2 3</size></box></geometry></collision></link><link name='k'><inertial><mass>1</mass><inertia>"
    b"<ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link><joint name='j' type='fixed'><parent>l</parent>"
    b"<child>k</child></joint><include><uri>model://m</uri><name>n</name></include></model></sdf>"
)

# --- URIs -----------------------------------------------------------------------------------------------------------

MESH = (
    "<sdf version='1.11'><model name='robot'><link name='l'><inertial auto='true'><density>1</density></inertial>"
    "<collision name='c'><geometry><mesh><uri>{}</uri></mesh></geometry></collision></link></model></sdf>"
)
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def robot(tmp_path, monkeypatch):
    for variable in SEARCH_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    folder = tmp_path / "robot"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / "t.obj").write_text(TETRAHEDRON)
    (tmp_path / "secret.obj").write_text(TETRAHEDRON)
    return folder


def body_of(folder, uri, roots=()):
    path = folder / "model.sdf"
    path.write_text(MESH.format(uri))
    (link,) = read_sdf(path, roots).links
    return link.body


def code_of(body):
    (finding,) = [finding for part in body.parts for finding in part.findings]
    return finding.code


@pytest.mark.parametrize(
    "uri", ["meshes/t.obj", "./meshes/../meshes/t.obj", "model://robot/meshes/t.obj", "package://x/robot/meshes/t.obj"]
)
def test_a_mesh_below_the_file_is_read(uri, robot):
    assert body_of(robot, uri).inertial.mass == pytest.approx(1 / 6, rel=1e-15)


def test_an_absolute_path_below_a_root_is_read(robot):
    for uri in (f"file://{robot}/meshes/t.obj", f"{robot}/meshes/t.obj"):
        assert body_of(robot, uri).inertial is not None


@pytest.mark.fault(62)
@pytest.mark.parametrize(
    "uri",
    [
        "../secret.obj",
        "meshes/../../secret.obj",
        "model://../secret.obj",
        "model://robot/../../secret.obj",
        "package://../../../etc/passwd",
        "file:///etc/passwd",
        "/etc/passwd",
        "file:///dev/zero",
        "http://127.0.0.1:9/t.obj",
        "https://fuel.gazebosim.org/1.0/x/models/y",
        "FTP://127.0.0.1/t.obj",
        "javascript:1",
        "",
        "meshes/t.obj\u200b",
        "a\nb",
    ],
)
def test_a_uri_that_leads_elsewhere_is_refused(uri, robot):
    body = body_of(robot, uri)
    assert body.refused
    assert body.inertial is None
    assert code_of(body) == "uri_refused"


@pytest.mark.fault(62)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("suffix", ["obj", "stl", "dae"])
def test_what_is_not_a_file_is_not_waited_for_even_below_a_root(suffix, robot):
    os.mkfifo(robot / "meshes" / f"pipe.{suffix}")
    (robot / "meshes" / f"zero.{suffix}").symlink_to("/dev/zero")
    assert code_of(body_of(robot, f"meshes/pipe.{suffix}")) == "file_read"
    assert code_of(body_of(robot, f"meshes/zero.{suffix}")) == "uri_refused"


def test_a_name_too_long_for_the_system_is_not_found(robot):
    assert code_of(body_of(robot, "9" * 5000)) == "uri_lookup"


@pytest.mark.fault(62)
def test_a_symbolic_link_out_of_the_roots_is_refused(robot):
    (robot / "meshes" / "out.obj").symlink_to(robot.parent / "secret.obj")
    assert code_of(body_of(robot, "meshes/out.obj")) == "uri_refused"
    assert body_of(robot, "meshes/out.obj", roots=[robot.parent]).inertial is not None


def test_the_roots_are_the_given_ones_and_those_of_the_environment(robot, monkeypatch):
    assert body_of(robot, "../secret.obj", roots=[robot.parent]).inertial is not None
    for variable in ("GZ_SIM_RESOURCE_PATH", "SDF_PATH"):
        assert code_of(body_of(robot, "secret.obj")) == "uri_lookup"
        monkeypatch.setenv(variable, os.pathsep.join(["", "/nowhere", str(robot.parent)]))
        assert body_of(robot, "secret.obj").inertial is not None
        assert body_of(robot, "model://secret.obj").inertial is not None
        monkeypatch.delenv(variable)


def test_a_file_that_a_mesh_names_is_held_to_the_roots_too(robot):
    pytest.importorskip("trimesh")
    (robot.parent / "secret.bin").write_bytes(bytes(36))
    gltf = (
        '{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":'
        '{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":'
        '[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"../../secret.bin"}]}'
    )
    (robot / "meshes" / "m.gltf").write_text(gltf)
    assert code_of(body_of(robot, "meshes/m.gltf")) == "uri_refused"


def test_a_collada_file_with_a_doctype_is_refused(robot):
    pytest.importorskip("collada")
    (robot / "meshes" / "m.dae").write_text(f"{DOCTYPES['billion laughs']}<COLLADA>&l9;</COLLADA>")
    assert code_of(body_of(robot, "meshes/m.dae")) == "doctype"


# --- includes -------------------------------------------------------------------------------------------------------


def including(*uris):
    listed = "".join(f"<include><uri>{uri}</uri><name>n{number}</name></include>" for number, uri in enumerate(uris))
    return f"<sdf version='1.11'><model name='m'>{listed}<link name='l'/></model></sdf>"


def test_files_that_include_each_other_are_an_error(robot):
    (robot / "a.sdf").write_text(including("b.sdf"))
    (robot / "b.sdf").write_text(including("a.sdf"))
    file = read_sdf(robot / "a.sdf")
    (error,) = [finding for finding in file.findings if finding.severity == "error"]
    assert error.code == "include_cycle"
    assert "a.sdf -> b.sdf -> a.sdf" in error.message
    assert [link.name for link in file.links] == ["m::l", "m::n0::l"]


@pytest.mark.fault(78)
def test_includes_that_double_at_each_step_end_at_the_limit(robot, monkeypatch):
    for number in range(20):
        (robot / f"{number}.sdf").write_text(including(f"{number + 1}.sdf", f"{number + 1}.sdf"))
    (robot / "20.sdf").write_text(including())
    monkeypatch.setattr("core.formats.sdf.read.DocumentStore", lambda: DocumentStore(elements_left=2000))
    with pytest.raises(InertiaError, match="too_many_elements"):
        read_sdf(robot / "0.sdf")


def ten_times_ten(robot, levels):
    for number in range(levels):
        (robot / f"{number}.sdf").write_text(including(*[f"{number + 1}.sdf"] * 10))
    (robot / f"{levels}.sdf").write_text(including())
    return robot / "0.sdf"


@pytest.mark.fault(78)
@pytest.mark.parametrize("levels", [4, 5, 30])
@pytest.mark.thorough
def test_ten_thousand_includes_of_few_files_are_refused_at_the_limit(levels, robot):
    assert MAX_INCLUDES == 8000
    parsed = []
    with pytest.raises(InertiaError) as error, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Document, "read", lambda path, read=Document.read: parsed.append(path) or read(path))  # type: ignore[func-returns-value]
        read_sdf(ten_times_ten(robot, levels))
    assert error.value.code == "too_many_includes"
    assert "8000" in error.value.message and ".sdf:1 /sdf/model" in error.value.subject
    assert len(parsed) == len(set(parsed)) == levels + 1  # each file once


def test_models_nested_too_deep_are_refused_in_one_file_or_many(robot):
    def nested(depth, inner=""):
        models, ends = "<model name='m'>" * depth, "</model>" * depth
        return f"<sdf version='1.11'>{models}<link name='l'/>{inner}{ends}</sdf>"

    (robot / "deep.sdf").write_text(nested(250))
    for number in range(20):
        for placed in ("", "<placement_frame>l</placement_frame><pose/>"):
            kind = "b" if placed else "a"
            merge = " merge='true'" if placed else ""
            inner = f"<include{merge}><uri>{kind}{number + 1}.sdf</uri>{placed}</include>" if number < 19 else ""
            (robot / f"{kind}{number}.sdf").write_text(nested(60, inner))
    for name in ("deep", "a0", "b0"):
        file = read_sdf(robot / f"{name}.sdf")
        assert "too_deep" in [finding.code for finding in file.findings]
        assert len(file.links) >= (name != "deep")
    (robot / "fine.sdf").write_text(nested(90))
    assert read_sdf(robot / "fine.sdf").findings == ()


def test_a_world_of_some_thousand_includes_is_read_with_few_calls_each(robot):
    (robot / "model.config").write_text("<model><sdf version='1.11'>m.sdf</sdf></model>")
    (robot / "m.sdf").write_text(including())

    def work(count):
        (robot / "w.sdf").write_text(including(*["."] * count))
        return calls(lambda: read_sdf(robot / "w.sdf"))

    few = work(20)
    more = work(120)
    assert more <= 7 * few
    assert (more - few) / 100 < 400  # a config and a file that are read again cost a thousand


@pytest.mark.fault(62, 147)
@pytest.mark.parametrize("uri", ["../outside", "/etc/passwd", "http://127.0.0.1:9/m", "model://..", "nowhere"])
def test_an_include_from_elsewhere_is_not_read(uri, robot):
    (robot.parent / "outside").mkdir()
    (robot.parent / "outside" / "model.sdf").write_text(SDF)
    (robot / "a.sdf").write_text(including(uri))
    file = read_sdf(robot / "a.sdf")
    assert [(finding.severity, finding.code) for finding in file.findings] == [("warning", "include_not_read")]
    assert [link.name for link in file.links] == ["m::l"]


def test_a_model_config_cannot_lead_outside(robot):
    (robot.parent / "secret.sdf").write_text(SDF)
    (robot / "sub").mkdir()
    (robot / "sub" / "model.config").write_text("<model><sdf version='1.11'>../../secret.sdf</sdf></model>")
    (robot / "a.sdf").write_text(including("sub"))
    file = read_sdf(robot / "a.sdf")
    assert [finding.code for finding in file.findings] == ["include_not_read"]
    assert [link.name for link in file.links] == ["m::l"]
