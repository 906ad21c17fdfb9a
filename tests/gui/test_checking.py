# SPDX-License-Identifier: GPL-3.0-or-later
"""A large mesh is checked while the window goes on; an export waits for the check, and Esc leaves the old files."""

import pytest
from lxml import etree

from ..core.solids.crossings import loop


def put_tube(user, depth):
    """Put a tube in the cube's place that bites its tail, which only a full reading sees.

    What was checked once is known in the same window, also in another file: each depth is put once.
    """
    vertices, triangles = loop(depth)
    user.run("scene.put(vertices, faces)", vertices=vertices.tolist(), faces=triangles.tolist())


def begin_export(user, folder):
    """Open the export's dialog at a folder, press its button, and wait until it waits for the check."""
    user.run("extension.export(folder)", folder=folder)
    user.dialog("SDF_INERTIA_OT_export_model")
    user.press("file.execute", "FILE_BROWSER", "EXECUTE")
    assert user.until("not screen.shown('FILE_BROWSER')")
    assert exporting(user)


def exporting(user, expected=True):
    """Wait until an export waits, or none does."""
    code = "('SDF_INERTIA_OT_export_model' in screen.waiting_operators()) is expected"
    return user.until(code, expected=expected)


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_number_appears_at_once_with_checking_and_then_the_verdict(user, held):
    put_tube(user, 2e-2)
    user.picture("checking")
    assert user.run("extension.checking()") is True
    quick = user.run("extension.number()")[0]
    user.run("extension.hold(False)")
    assert user.until("extension.checking() is False")
    assert {"crossing_faces", "overlapping_shells"} <= set(user.run("extension.codes()"))
    assert user.run("extension.number()")[0] < 0.998 * quick
    user.picture("verdict")


def test_escape_leaves_the_number_unchecked_and_a_click_checks_it(user, held):
    put_tube(user, 2.1e-2)
    assert user.until("'SDF_INERTIA_OT_show_progress' in screen.waiting_operators()")
    user.keys("Escape")
    assert user.until("extension.computing() is None")
    assert user.run("extension.checking()") is False and "not_checked" in user.run("extension.codes()")
    user.picture("not-checked")
    user.run("extension.hold(False)")
    user.press("sdf_inertia.compute")
    assert user.until("'crossing_faces' in extension.codes()")
    assert "not_checked" not in user.run("extension.codes()")


def test_escape_during_an_export_leaves_the_old_files_whole(user, held):
    folder = user.window.folder / "out"
    folder.mkdir()
    inside = f"{user.window.inside}/out"
    user.run("scene.tag(use_density=True, density=1000.0, inertia='FILLED')")
    assert user.run("extension.export_by_script(path)", path=f"{inside}/model/model.sdf") == {"FINISHED"}
    before = files_in(folder)
    assert before
    put_tube(user, 1.9e-2)
    begin_export(user, inside)
    user.picture("waiting")
    assert files_in(folder) == before
    user.keys("Escape")
    assert exporting(user, False)
    user.run("extension.hold(False)")
    assert user.until("extension.checking() is False")  # the panel's own check goes on
    user.keys()
    assert files_in(folder) == before
    user.run("extension.hold(True)")
    put_tube(user, 1.8e-2)
    begin_export(user, inside)
    assert files_in(folder) == before
    user.run("extension.hold(False)")
    assert exporting(user, False)
    written = float(etree.parse(folder / "model" / "model.sdf").findtext(".//link/inertial/mass"))
    assert user.until("extension.checking() is False")
    assert written == pytest.approx(user.run("extension.number()")[0], rel=1e-9)
    assert "crossing_faces" in user.run("extension.codes()")


def test_a_script_in_a_window_exports_in_full_before_its_call_returns(user, held):
    user.run("extension.hold(False)")
    folder = user.window.folder / "script"
    path = f"{user.window.inside}/script/robot.sdf"
    put_tube(user, 1.7e-2)
    assert user.run("extension.export_by_script(path)", path=path) == {"FINISHED"}
    written = float(etree.parse(folder / "robot.sdf").findtext(".//link/inertial/mass"))
    assert user.until("extension.checking() is False")
    assert written == pytest.approx(user.run("extension.number()")[0], rel=1e-9)
