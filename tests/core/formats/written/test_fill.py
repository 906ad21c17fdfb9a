# SPDX-License-Identifier: GPL-3.0-or-later
"""``fill``: auto inertials become numbers, and every other byte of the file stays."""

import re
import shutil

import numpy as np
import pytest

from core import Inertial
from core.body.gz_validity import gz_accepts
from core.document.document import Document
from core.formats.sdf.fill import fill
from core.formats.sdf.read import read_document, read_sdf

from ...command_line import run, run_json

LINK = """\
<?xml version="1.0"?>
<!-- a robot; <inertial auto="true"/> in a comment is no inertial -->
<sdf version="1.11">
  <model name="m">
    <plugin name="p" filename="x"><inertial auto="true"><gz:mine>1</gz:mine></inertial></plugin>
    <link name="l">
      {inertial}
      <collision name='c' ><pose>0.1 0 0 0 0 0.5</pose>
        <geometry><box><size>1.0 2 3e0</size></box></geometry>
      </collision>
    </link>
  </model>
</sdf>
"""

AUTO = '<inertial auto="true">\n        <density>  500 </density><!-- wood -->\n      </inertial>'
MASS, MOMENTS = 3000.0, (3250.0, 2500.0, 1250.0)  # 500 kg/m³ of 1 x 2 x 3 m: m/12 (y² + z²)


def filled(text, **options):
    return fill(read_document(Document.parse(text.encode(), "m.sdf")), **options)


def read_back(data):
    return {link.name: link for link in read_document(Document.parse(data, "again.sdf")).links}


def outside(data):
    """Return the pieces of a file between its links' inertials, found without the project's code."""
    return re.split(rb"<inertial\b[^>]*/>|<inertial\b.*?</inertial>", data, flags=re.DOTALL)


def assert_close(ours, truth, rtol=1e-14):
    assert ours.mass == pytest.approx(truth.mass, rel=rtol)
    np.testing.assert_allclose(ours.com, truth.com, rtol=0, atol=rtol * np.sqrt(np.trace(truth.inertia) / truth.mass))
    np.testing.assert_allclose(ours.inertia, truth.inertia, rtol=0, atol=rtol * np.trace(truth.inertia))


def test_the_numbers_are_the_closed_form_and_auto_is_gone():
    changed = filled(LINK.format(inertial=AUTO))
    (link,) = read_back(changed.data).values()
    assert not link.auto
    turn = np.array([[np.cos(0.5), -np.sin(0.5), 0], [np.sin(0.5), np.cos(0.5), 0], [0, 0, 1]])
    assert_close(link.manual, Inertial(MASS, (0.1, 0, 0), turn @ np.diag(MOMENTS) @ turn.T))


def test_it_is_set_as_the_file_is():
    text = filled(LINK.format(inertial=AUTO).replace(" 0.5</pose>", " 0</pose>")).data.decode()
    assert text == LINK.replace(" 0.5</pose>", " 0</pose>").format(
        inertial="""<inertial>
        <density>  500 </density><!-- wood -->
        <mass>3000</mass>
        <pose>0.1 0 0 0 0 0</pose>
        <inertia>
          <ixx>3250</ixx>
          <ixy>0</ixy>
          <ixz>0</ixz>
          <iyy>2500</iyy>
          <iyz>0</iyz>
          <izz>1250</izz>
        </inertia>
      </inertial>"""
    )


@pytest.mark.fault(63, 64)
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("declared", [True, False])
def test_every_other_byte_stays_and_a_second_run_changes_nothing(codec, end, declared, tmp_path):
    text = LINK.format(inertial=AUTO).replace("a robot", "ein Röboter 机器人").replace("\n", end)
    if declared:
        text = text.replace("<sdf ", '<sdf xmlns:gz="urn:x" ')
    before = text.encode(codec)
    path = tmp_path / "m.sdf"
    path.write_bytes(before)
    assert run("fill", path, "--in-place") == 0
    after = path.read_bytes()
    left, right = (data.decode(codec).encode() for data in (before, after))
    assert left != right
    assert outside(left) == outside(right)
    assert right.count(b"\r\n") == (right.count(b"\n") if end == "\r\n" else 0)
    assert run("fill", path, "--in-place") == 0
    assert path.read_bytes() == after


@pytest.mark.fault(64)
@pytest.mark.parametrize(
    "inertial",
    [
        AUTO,
        '<inertial auto="1"><mass>7.0e0</mass></inertial>',
        '<inertial auto="true"><pose degrees="true">1 2 3 4 5 6</pose><inertia><ixx>9</ixx></inertia></inertial>',
        '<inertial auto="True"><auto_inertia_params><gz:voxel_size>1</gz:voxel_size></auto_inertia_params></inertial>',
    ],
)
def test_auto_stays_where_asked_and_a_second_run_changes_nothing(inertial):
    once = filled(LINK.format(inertial=inertial), keep_auto=True)
    (link,) = read_back(once.data).values()
    assert link.auto
    assert b"<izz>" in once.data
    assert "auto_kept" in [finding.code for finding in once.findings]
    assert filled(once.data.decode(), keep_auto=True).data == once.data
    assert_close(read_back(filled(once.data.decode()).data)["m::l"].manual, once.links[0].body.inertial)


@pytest.mark.fault(36, 63)
def test_what_stood_there_is_replaced_and_its_comments_stay():
    inertial = (
        '<inertial auto="true"><!-- a --><pose degrees="true">1 2 3 4 5 6</pose><mass>12.0</mass><!-- b -->'
        "<inertia><!-- c --><ixx>9</ixx><izz x='1'/></inertia></inertial>"
    )
    changed = filled(LINK.format(inertial=inertial))
    text = changed.data.decode()
    assert all(f"<!-- {letter} -->" in text for letter in "abc")
    assert text.count("<pose") == 2 and "degrees" not in text
    assert "<mass>12.0</mass>" in text, "a target mass keeps its digits"
    (link,) = read_back(changed.data).values()
    assert_close(link.manual, changed.links[0].body.inertial)
    assert link.manual.mass == 12.0
    assert np.trace(link.manual.inertia) == pytest.approx(sum(MOMENTS) * 12 / 6000 * 2, rel=1e-14)


@pytest.mark.fault(63)
def test_fluid_added_mass_survives():
    mass = "<fluid_added_mass><xx>11.0</xx><pq> 1 </pq></fluid_added_mass>"
    data = filled(LINK.format(inertial=f'<inertial auto="true"><density>500</density>{mass}</inertial>')).data
    assert mass.encode() in data
    assert read_back(data)["m::l"].fluid_added_mass


def test_a_tensor_on_which_gz_math_errs_is_along_its_principal_axes():
    random = np.random.default_rng(5)
    for _ in range(200):
        roll, pitch, yaw = random.uniform(-3, 3, 3)
        plate = LINK.format(inertial=AUTO).replace("1.0 2 3e0", f"{random.uniform()} {random.uniform()} 1e-7")
        changed = filled(plate.replace("0.1 0 0 0 0 0.5", f"1 2 3 {roll} {pitch} {yaw}"))
        if not gz_accepts(changed.links[0].body.inertial.inertia):
            break
    else:
        pytest.fail("no plate on which gz-math errs")
    written = [float(one) for one in re.findall(rb"<i[xyz]{2}>(.*?)</", changed.data)]
    assert written[1] == written[2] == written[4] == 0.0
    assert gz_accepts(np.diag(written[::2][:1] + written[3:4] + written[5:]))
    assert_close(read_back(changed.data)["m::l"].manual, changed.links[0].body.inertial, 3e-15)


def test_a_link_without_an_answer_stays_as_it_is(tmp_path, capsys):
    text = LINK.format(inertial=AUTO)
    other = text[text.index("    <link") : text.index("  </model>")].replace('"l"', '"ground"')
    other = other.replace("<box><size>1.0 2 3e0</size></box>", "<plane/>")
    path, out = tmp_path / "m.sdf", tmp_path / "out.sdf"
    path.write_text(text.replace("  </model>", other + "  </model>"))
    status, answer = run_json(capsys, "fill", path, "-o", out, "--json", "--skip-invalid")
    assert status == 1
    assert {link["name"]: link["done"] for link in answer["links"]} == {"m::l": True, "m::ground": False}
    assert "unsupported_geometry" in [finding["code"] for link in answer["links"] for finding in answer["findings"]]
    links = read_back(out.read_bytes())
    assert not links["m::l"].auto and links["m::ground"].auto
    assert other in out.read_text()


def test_an_included_file_is_neither_inlined_nor_changed(tmp_path):
    inner, outer = tmp_path / "inner.sdf", tmp_path / "outer.sdf"
    inner.write_text(LINK.format(inertial=AUTO))
    outer.write_text(
        LINK.format(inertial=AUTO).replace(
            "  </model>", "    <include><uri>inner.sdf</uri><name>i</name></include>\n  </model>"
        )
    )
    before = inner.read_bytes()
    changed = fill(read_sdf(outer))
    assert [link.name for link in changed.links] == ["m::l"]
    assert b"<include><uri>inner.sdf</uri><name>i</name></include>" in changed.data
    assert "included_auto" in [finding.code for finding in changed.findings]
    assert inner.read_bytes() == before


def test_the_result_goes_to_standard_output_unless_a_file_is_named(tmp_path, capfdbinary):
    path = tmp_path / "m.sdf"
    path.write_text(LINK.format(inertial=AUTO))
    before = path.read_bytes()
    assert run("fill", path) == 0
    printed = capfdbinary.readouterr().out
    assert path.read_bytes() == before
    assert run("fill", path, "-o", tmp_path / "out.sdf") == 0
    assert (tmp_path / "out.sdf").read_bytes() == printed != before


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [("missing.sdf", None, 2), ("bad.sdf", b"<sdf>", 1), ("dtd.sdf", b"<!DOCTYPE sdf><sdf version='1.11'/>", 1)],
)
def test_what_cannot_be_read_gives_nothing(name, content, status, tmp_path, capsys):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert run("fill", tmp_path / name, "-o", tmp_path / "out.sdf") == status
    assert not (tmp_path / "out.sdf").exists()
    assert name in capsys.readouterr().err


def test_a_target_that_cannot_be_written_is_status_2(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(LINK.format(inertial=AUTO))
    assert run("fill", path, "-o", tmp_path / "nowhere" / "out.sdf") == 2
    assert run("fill", path, "-o", tmp_path) == 2


def test_a_symbolic_link_stays_one_and_what_a_dead_run_left_is_removed(tmp_path):
    path, link = tmp_path / "m.sdf", tmp_path / "link.sdf"
    path.write_text(LINK.format(inertial=AUTO))
    link.symlink_to(path)
    leftover = tmp_path / ".sdf_inertia-999999999-m.sdf.tmp"
    leftover.write_text("half a fi")
    assert run("fill", link, "--in-place") == 0
    assert link.is_symlink() and "<izz>" in path.read_text()
    assert not leftover.exists()


@pytest.mark.fault(36, 63)
@pytest.mark.parametrize("model", ["inertial_stats_auto", "inertial_stats_auto_mass"])
def test_reference_models_change_in_their_inertials_only(model, data, tmp_path):
    path = shutil.copy(data / "models" / model / f"{model}.sdf", tmp_path)
    changed = fill(read_sdf(path))
    assert not changed.refused and len(changed.links) == 4 and all(link.done for link in changed.links)
    assert outside(changed.data) == outside((tmp_path / f"{model}.sdf").read_bytes())
    for link in read_back(changed.data).values():
        assert_close(link.manual, Inertial(6, np.zeros(3), np.eye(3)), 1e-9)


def test_a_file_without_auto_is_written_as_it_is(data):
    path = data / "models" / "inertial_complete" / "inertial_complete.sdf"
    assert fill(read_sdf(path)).data == path.read_bytes()
