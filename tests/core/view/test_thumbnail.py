# SPDX-License-Identifier: GPL-3.0-or-later
"""The small picture of a robot."""

import zlib
from struct import unpack

import numpy as np

from core.body.inertial import Inertial
from core.body.pose import Pose
from core.body.shapes import Box
from core.files.polygons import surface_of
from core.view.robot_scene import RobotScene, SceneLink, ShownPart
from core.view.thumbnail import EYE, HEIGHT, WIDTH, thumbnail

RED, GREEN = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)


def pixels(data):
    """Return the pixels (rows, columns, 4) of a PNG, read without the code that wrote it."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, place = {}, 8
    while place < len(data):
        (size,) = unpack(">I", data[place : place + 4])
        body = data[place + 4 : place + 8 + size]
        assert unpack(">I", data[place + 8 + size : place + 12 + size]) == (zlib.crc32(body),)
        chunks[body[:4]] = body[4:]
        place += 12 + size
    width, height, *kind = unpack(">2I5B", chunks[b"IHDR"])
    assert kind == [8, 6, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + 4 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 4)


def cube(place, color):
    placed = np.eye(4)
    placed[:3, 3] = place
    return ShownPart("cube", surface_of(Box((1.0, 1.0, 1.0))), placed, color)


def scene(*links):
    return RobotScene("robot", "robot.sdf", links)


def test_a_picture_shows_the_robot_on_a_transparent_ground():
    seen = pixels(thumbnail(scene(SceneLink("l", Pose.identity, visuals=(cube((0, 0, 0), RED),)))))
    assert seen.shape == (HEIGHT, WIDTH, 4)
    drawn = seen[:, :, 3] == 255
    assert not drawn[0].any() and not drawn[:, 0].any() and drawn[HEIGHT // 2, WIDTH // 2]
    rows, columns = np.nonzero(drawn)
    filled = [row[row.argmax() : len(row) - row[::-1].argmax()].all() for row in drawn if row.any()]
    assert all(filled)  # without holes
    assert (seen[rows, columns, 0] > 100).all() and not seen[rows, columns, 1].any()


def test_the_nearest_part_hides_what_is_behind_it():
    parts = (cube(-2.0 * EYE, RED), cube(2.0 * EYE, GREEN))
    for shown in (parts, parts[::-1]):
        seen = pixels(thumbnail(scene(SceneLink("l", Pose.identity, visuals=shown))))
        middle = seen[HEIGHT // 2, WIDTH // 2]
        assert middle[1] > 100 and middle[0] == 0


def test_a_robot_without_geometry_is_shown_by_boxes_of_its_inertia():
    inertial = Inertial(2.0, (0.0, 0.0, 0.0), np.diag([1.0, 2.0, 2.5]))
    seen = pixels(thumbnail(scene(SceneLink("l", Pose.identity, inertial))))
    assert seen[HEIGHT // 2, WIDTH // 2, 3] == 255


def test_a_robot_of_nothing_has_an_empty_picture():
    assert not pixels(thumbnail(scene(SceneLink("l", Pose.identity)))).any()
