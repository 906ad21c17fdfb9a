# SPDX-License-Identifier: GPL-3.0-or-later
"""Export from the File menu; opening another file."""

import pytest
from lxml import etree

from .user import FILE_MENU


def test_the_file_menu_exports_what_the_panel_shows(user):
    user.run("scene.tag(inertia='FILLED')")
    user.window.click(*FILE_MENU)
    user.picture("menu")
    user.window.key("e")  # Export, by the letter underlined in the menu
    user.window.key("Up", "Return")  # from the first entry round to the last, which is ours
    user.dialog("SDF_INERTIA_OT_export_model")
    user.picture("dialog")
    user.press("file.execute", "FILE_BROWSER", "EXECUTE")
    written = user.window.folder / "home" / "model" / "model.sdf"
    assert user.until("not screen.shown('FILE_BROWSER')")
    assert user.until("not screen.waiting_operators()")
    inertial = etree.parse(written).find(".//link/inertial")
    assert float(inertial.findtext("mass")) == 8000.0
    assert float(inertial.findtext("inertia/izz")) == pytest.approx(8000.0 / 12 * (4 + 4))
    mesh = etree.parse(written).findtext(".//collision//uri")
    assert (written.parent / mesh).exists()


def test_another_file_brings_its_own_links(user):
    user.run("scene.tag()")
    first, second = (f"{user.window.inside}/{name}.blend" for name in ("first", "second"))
    user.run("scene.save(path)", path=first)
    user.run("bpy.data.objects['Cube'].location[0] = 3.0")
    user.run("scene.save(path)", path=second)
    user.run("scene.open(path)", path=first)
    assert user.run("extension.number()") == pytest.approx((8000.0, 0.0, 0.0, 0.0))
    user.run("scene.open(path)", path=second)
    user.picture("second")
    assert user.run("extension.number()") == pytest.approx((8000.0, 3.0, 0.0, 0.0))
