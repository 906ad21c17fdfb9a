# SPDX-License-Identifier: GPL-3.0-or-later
"""Our own C kernels, to measure against: compiled as a user would, by gcc -O3."""

from __future__ import annotations

import subprocess
from ctypes import CDLL, POINTER, c_double, c_int64, c_void_p
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

SOURCES = Path(__file__).with_name("c")
BUILD = Path(__file__).parents[1] / "build" / "benchmarks"

Float32 = npt.NDArray[np.float32]
Int32 = npt.NDArray[np.int32]


@cache
def _library(name: str) -> CDLL:
    BUILD.mkdir(parents=True, exist_ok=True)
    target = BUILD / f"{name}.so"
    subprocess.run(["gcc", "-O3", "-shared", "-fPIC", "-o", target, SOURCES / f"{name}.c", "-lm"], check=True)
    return CDLL(str(target))


def _address(array: npt.NDArray[np.generic]) -> c_void_p:
    assert array.flags.c_contiguous
    return array.ctypes.data_as(c_void_p)


def moments(vertices: Float32, triangles: Int32) -> npt.NDArray[np.float64]:
    """Return ∫ 1, x, y, z, xx, yy, zz, xy, yz, zx dV by Eberly's formula."""
    out = np.zeros(10)
    _library("moments").moments(_address(vertices), _address(triangles), c_int64(len(triangles)), _address(out))
    return out


def column_volume(vertices: Float32, triangles: Int32, voxel_size: float) -> float:
    """Return the volume by the signed column method along z; the other nine sums are made and dropped."""
    low, high = vertices.min(axis=0).astype(np.float64), vertices.max(axis=0).astype(np.float64)
    cells = np.maximum(np.ceil((high - low) / voxel_size * (1.0 - 1e-6)), 1.0)
    middle = (cells + 1.0) / 2.0
    shift = middle - (low + high) / 2.0 / voxel_size
    width = int(cells[0]) + 1
    corners, steps, out = np.empty((len(vertices), 3)), np.zeros((int(cells[1]), width), np.int32), np.zeros(10)
    doubles = POINTER(c_double)
    _library("columns").columns(
        _address(vertices),
        c_int64(len(vertices)),
        _address(triangles),
        c_int64(len(triangles)),
        c_double(voxel_size),
        shift.ctypes.data_as(doubles),
        middle.ctypes.data_as(doubles),
        c_int64(width),
        _address(corners),
        _address(steps),
        _address(out),
    )
    assert not steps.any()
    return float(out[0]) * voxel_size**3
