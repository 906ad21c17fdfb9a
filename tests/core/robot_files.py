# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot's file checked or repaired in one call."""

from core import read_robot
from core.judge.repair import repair_file


def check_path(path, roots=(), strict=False, engines=()):
    return [*read_robot(path, roots).check(engines, strict)]


def repair(path, options=None, roots=(), arguments=None):
    return repair_file(read_robot(path, roots, arguments).file, options)
