# SPDX-License-Identifier: GPL-3.0-or-later
"""A refused part: what each method gives is beside it, one click chooses, and the view shows what is wrong."""

import numpy as np

ERROR, WARNING = (245, 69, 64), (255, 194, 31)
CORNERS = [(x, y, z) for z in (-1.0, 1.0) for x, y in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))]
FACES = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]


def painted(user, picture, color=ERROR):
    """Return how many pixels of the 3D view have about that colour."""
    return np.count_nonzero(np.abs(picture.part(user.view()) - color).max(axis=2) < 45)


def bare(user):
    """Leave nothing of the overlay but the faults."""
    for name, value in (("labels", "NONE"), ("show_axes", False), ("center", "NONE"), ("shape", "NONE")):
        user.run("setattr(bpy.context.scene.sdf_inertia, name, value)", name=name, value=value)


def test_one_click_chooses_the_method_whose_number_is_beside_it(user):
    user.run("scene.tag()")
    user.run("scene.remove_face()")
    assert user.until("extension.computing() is None")
    user.picture("refused")
    user.press('sdf_inertia.use_hull(target="Cube")')
    assert user.until("extension.number() is not None")
    assert user.run("bpy.data.objects['Cube'].sdf_inertia.method") == "HULL"
    user.picture("chosen")


def test_the_view_shows_the_edges_of_a_hole_until_it_is_closed(user):
    bare(user)
    user.run("scene.tag()")
    user.run("scene.remove_face()")
    user.run("screen.portrait()")
    assert user.until("extension.computing() is None")
    user.keys()
    shown = painted(user, user.picture("open"))
    user.run("setattr(bpy.context.scene.sdf_inertia, 'show_faulty', False)")
    user.keys()
    hidden = painted(user, user.picture("switched off"))
    assert shown > hidden + 100
    user.run("setattr(bpy.context.scene.sdf_inertia, 'show_faulty', True)")
    user.keys()
    assert painted(user, user.picture()) == shown
    user.press('sdf_inertia.close_holes(target="Cube")')
    assert user.until("extension.number() is not None")
    user.keys()
    assert painted(user, user.picture("closed")) <= hidden


def test_faces_that_pass_through_others_have_the_colour_of_warnings(user):
    bare(user)
    other = [(0.6 * x + 1.0, 0.6 * y, 0.6 * z) for x, y, z in CORNERS]
    faces = [*FACES, *([i + 8 for i in face] for face in FACES)]
    user.run("scene.put(corners, faces)", corners=[*CORNERS, *other], faces=faces)
    user.run("bpy.data.objects['Cube'].select_set(False)")  # its outline is nearly of that colour
    user.run("screen.portrait()")
    assert user.until("extension.checking() is False and extension.computing() is None")
    user.keys()
    assert painted(user, user.picture("crossing"), WARNING) > 50
    user.run("setattr(bpy.context.scene.sdf_inertia, 'show_faulty', False)")
    user.keys()
    assert painted(user, user.picture("switched off"), WARNING) < 20


def test_large_and_light_all_is_legible(user):
    user.run("screen.large_and_light()")
    try:
        user.run("scene.tag()")
        user.run("scene.remove_face()")
        assert user.until("extension.computing() is None")
        user.keys()
        user.picture("large")
        user.find('sdf_inertia.use_hull(target="Cube")')
        user.picture("table")
        left, _top, right, _bottom = user.sidebar()
        assert 2 * 280 < right - left < 2 * 300  # where the words have to fit
    finally:
        user.run("screen.large_and_light(False)")
