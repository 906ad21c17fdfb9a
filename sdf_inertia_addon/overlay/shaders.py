# SPDX-License-Identifier: GPL-3.0-or-later
"""Our shaders, compiled when first asked for."""

from __future__ import annotations

from functools import cache

import gpu

from . import glsl

_Attributes = tuple[tuple[str, str], ...]

_POINT = (("VEC3", "pos"),)
_LIT = (("VEC3", "normal"), ("VEC3", "toEye"))


def _compile(
    name: str,
    sources: tuple[str, str],
    passed: _Attributes,
    constants: _Attributes,
    inputs: _Attributes = _POINT,
    row: str = "",
) -> gpu.types.GPUShader:
    """Compile (vertex, fragment); `row` is the struct of which instance i finds its own in ``rows.at[i]``."""
    interface = gpu.types.GPUStageInterfaceInfo(f"sdf_inertia_{name}")
    for kind, attribute in passed:
        interface.smooth(kind, attribute)
    info = gpu.types.GPUShaderCreateInfo()
    for kind, attribute in (*constants, ("BOOL", "srgbTarget")):
        info.push_constant(kind, attribute)
    if row:
        info.push_constant("FLOAT", "share")
        info.typedef_source(f"{row}\nstruct Rows {{ Row at[{row_limit(row)}]; }};")
        info.uniform_buf(0, "Rows", "rows")
    for slot, (kind, attribute) in enumerate(inputs):
        info.vertex_in(slot, kind, attribute)
    info.vertex_out(interface)
    info.fragment_out(0, "VEC4", "fragColor")
    info.vertex_source(sources[0])
    info.fragment_source(sources[1])
    return gpu.shader.create_from_info(info)


def floats_of(row: str) -> int:
    """Return how many numbers a struct of vec4 and mat4 holds."""
    return 4 * row.count("vec4 ") + 16 * row.count("mat4 ")


def row_limit(row: str) -> int:
    """Return how many rows a uniform buffer holds."""
    return glsl.ROWS // (4 * floats_of(row))


@cache
def glass() -> gpu.types.GPUShader:
    """Return the shader of solids, instanced: clear where they face the eye, tinted at the rim."""
    passed = (*_LIT, ("VEC4", "tint"))
    inputs = (("VEC3", "pos"), ("VEC3", "nor"))
    return _compile("glass", (glsl.GLASS_VERTEX, glsl.GLASS), passed, (), inputs, glsl.GLASS_ROW)


@cache
def stroke() -> gpu.types.GPUShader:
    """Return the shader of lines of any width, instanced; ``viewport`` is the picture's size [px]."""
    passed = (("FLOAT", "across"), ("VEC4", "tint"), ("VEC4", "border"), ("VEC4", "size"))
    inputs = (("VEC3", "here"), ("VEC3", "before"), ("VEC3", "after"), ("FLOAT", "side"))
    constants = (("VEC2", "viewport"),)
    return _compile("stroke", (glsl.STROKE_VERTEX, glsl.STROKE), passed, constants, inputs, glsl.STROKE_ROW)


@cache
def ball() -> gpu.types.GPUShader:
    """Return the shader of centres of mass, instanced: balls with octants in their colour and in black."""
    passed = (("VEC2", "disc"), *(("VEC3", name) for name in ("right", "up", "back")))
    passed = (*passed, ("VEC4", "tint"), ("VEC4", "rim"), ("VEC2", "size"))
    return _compile("ball", (glsl.BALL_VERTEX, glsl.BALL), passed, (), row=glsl.BALL_ROW)


@cache
def box() -> gpu.types.GPUShader:
    """Return the shader of rounded boxes with a shadow, instanced; ``viewport`` is the picture's size [px]."""
    passed = (("VEC2", "local"), ("VEC2", "half_size"), ("VEC4", "tint"), ("VEC4", "inner"), ("VEC3", "size"))
    return _compile("box", (glsl.BOX_VERTEX, glsl.BOX), passed, (("VEC2", "viewport"),), row=glsl.BOX_ROW)


@cache
def run() -> gpu.types.GPUShader:
    """Return the shader of boxes of voxels, instanced.

    ``placed``: from the mesh's axes to clip space; ``origin``: a corner of the grid and the voxels' size; ``light``:
    where it comes from, in the mesh's axes, and 0, or nearly 1 for what is drawn in front of the rest; ``color``: with
    half the width of the lines [px].
    """
    passed = (("VEC3", "normal"), ("VEC3", "cell"))
    constants = (("MAT4", "placed"), ("VEC4", "color"), ("VEC4", "origin"), ("VEC4", "light"))  # Vulkan: 128 bytes
    inputs = (("VEC3", "pos"), ("VEC3", "nor"))
    return _compile("run", (glsl.RUN_VERTEX, glsl.RUN), passed, constants, inputs, glsl.RUN_ROW)


@cache
def solid() -> gpu.types.GPUShader:
    """Return the shader of the links' own geometry."""
    constants = (("MAT4", "placed"), ("VEC4", "color"))
    return _compile("solid", (glsl.SOLID_VERTEX, glsl.SOLID), _LIT, constants, (("VEC3", "pos"), ("VEC3", "nor")))


@cache
def grid() -> gpu.types.GPUShader:
    """Return the shader of the ground: `origin` is the world's, with 1 or 0 for whether its axes are drawn."""
    constants = (
        ("MAT4", "placed"),
        ("VEC3", "origin"),
        ("VEC2", "middle"),
        ("FLOAT", "reach"),
        ("FLOAT", "line"),
    )
    return _compile("grid", (glsl.GRID_VERTEX, glsl.GRID), (("VEC2", "local"),), constants)


def lines() -> gpu.types.GPUShader:
    """Lines of any width: ``viewportSize`` and ``lineWidth`` in pixels, ``color``. Blender's own, kept by Blender."""
    return gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")


def faces() -> gpu.types.GPUShader:
    """Return the shader of faces of one ``color``: Blender's own, kept by Blender."""
    return gpu.shader.from_builtin("UNIFORM_COLOR")


def forget() -> None:
    """Drop all shaders."""
    for shader in (glass, stroke, ball, box, run, solid, grid):
        shader.cache_clear()
