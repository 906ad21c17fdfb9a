# SPDX-License-Identifier: GPL-3.0-or-later
"""The tutorials are what their scripts do, every step has its picture, and their steps correct the arm."""

from pathlib import Path

import pytest

from core.errors import has_error
from tools.tutorials.arm import ARM, TUTORIAL_ARM, corrected
from tools.tutorials.imported import IMPORTED
from tools.tutorials.rover import ROVER

from .robot_files import check_path

LARGEST = 200_000


@pytest.mark.parametrize("tutorial", [ROVER, TUTORIAL_ARM, IMPORTED], ids=lambda tutorial: tutorial.name)
def test_a_page_is_what_its_script_gives_and_has_all_its_pictures(tutorial):
    assert tutorial.page.read_text(encoding="utf-8") == tutorial.markdown(), "make tutorials"
    pictures = tutorial.pictures()
    for picture in pictures:
        data = picture.read_bytes()
        assert data.startswith(b"\x89PNG") and 2000 < len(data) < LARGEST
    assert set(pictures[0].parent.iterdir()) == set(pictures)


def test_the_arm_is_faulty_before_and_good_after(tmp_path: Path):
    assert has_error(check_path(ARM))
    path = tmp_path / "arm.urdf"
    path.write_bytes(corrected())
    assert [finding for finding in check_path(path) if finding.severity != "info"] == []
