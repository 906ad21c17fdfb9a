# SPDX-License-Identifier: GPL-3.0-or-later
"""The shaders of our own; lines and flat colours use Blender's."""

from __future__ import annotations

from functools import cache

import gpu

# Colours are sRGB numbers. Blender sets srgbTarget where the framebuffer encodes what it is given.
_OUT = """
vec4 encoded(vec4 color)
{
  if (srgbTarget) {
    vec3 low = color.rgb / 12.92;
    vec3 high = pow((color.rgb + 0.055) / 1.055, vec3(2.4));
    color.rgb = mix(high, low, vec3(lessThan(color.rgb, vec3(0.04045))));
  }
  return color;
}
"""

# All in the unit sphere's space: what the body's matrix does to normal and view cancels in their product but for the
# scale, since the rest is a rotation. So one matrix will do, and the constants stay below Vulkan's 128 bytes.
_GLASS_VERTEX = """
void main()
{
  normal = pos / scale.xyz;
  toEye = scale.xyz * (eye.xyz - eye.w * pos);
  gl_Position = placed * vec4(pos, 1.0);
}
"""

_GLASS = (
    _OUT
    + """
void main()
{
  float facing = abs(dot(normalize(normal), normalize(toEye)));
  float alpha = mix(0.16, 0.85, pow(1.0 - facing, 1.6));
  fragColor = encoded(vec4(color.rgb, color.a * alpha));
}
"""
)

# The crash-test sign: the sign of x y z is the octant; fwidth makes each border one pixel soft.
_BALL = (
    _OUT
    + """
void main()
{
  vec3 side = clamp(local / max(fwidth(local), vec3(1e-6)), -1.0, 1.0);
  float octant = side.x * side.y * side.z * 0.5 + 0.5;
  fragColor = encoded(mix(vec4(0.05, 0.05, 0.05, 1.0), color, octant));
}
"""
)

_BALL_VERTEX = """
void main()
{
  local = pos;
  gl_Position = placed * vec4(pos, 1.0);
}
"""

_BOX_VERTEX = """
void main()
{
  local = pos.xy;
  gl_Position = placed * vec4(pos, 1.0);
}
"""

_BOX = (
    _OUT
    + """
void main()
{
  vec2 q = abs(local - box.xy) - box.zw + radius;
  float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
  vec4 fill = vec4(0.10, 0.10, 0.11, 0.90);
  float inside = clamp(0.5 - d, 0.0, 1.0);
  float border = clamp(0.5 + d + line, 0.0, 1.0);
  fragColor = encoded(vec4(mix(fill.rgb, color.rgb, border), inside * mix(fill.a, 1.0, border)));
}
"""
)

# Position and normal come in the camera's space already.
_SOLID_VERTEX = """
void main()
{
  normal = nor;
  toEye = -pos;
  gl_Position = placed * vec4(pos, 1.0);
}
"""

# A key light from the upper left, a fill from the right, and the sky; both sides of a face are lit.
_SOLID = (
    _OUT
    + """
void main()
{
  vec3 n = normalize(normal);
  n = dot(n, toEye) < 0.0 ? -n : n;
  float light = 0.46 + 0.56 * max(dot(n, normalize(vec3(-0.45, 0.75, 0.60))), 0.0)
              + 0.16 * max(dot(n, normalize(vec3(0.90, 0.10, 0.35))), 0.0) + 0.10 * n.y;
  fragColor = encoded(vec4(color.rgb * light, color.a));
}
"""
)

_GRID_VERTEX = """
void main()
{
  local = pos.xy;
  gl_Position = placed * vec4(pos, 1.0);
}
"""

# Lines stay one pixel wide, and fade where they come too close to each other and towards the rim.
_GRID = (
    _OUT
    + """
float lines(vec2 at, vec2 wide)
{
  vec2 away = abs(fract(at - 0.5) - 0.5) / wide;
  vec2 ink = clamp(line - away, 0.0, 1.0) * clamp(1.6 - 4.0 * wide * line, 0.0, 1.0);
  return max(ink.x, ink.y);
}

void main()
{
  vec2 wide = max(fwidth(local), vec2(1e-6));
  float ink = max(0.13 * lines(local, wide), 0.22 * lines(local / 10.0, wide / 10.0));
  vec2 axis = clamp(line * 1.3 - abs(local - origin.xy) / wide, 0.0, 1.0) * origin.z;
  vec4 shown = vec4(0.75, 0.76, 0.80, ink);
  shown = mix(shown, vec4(0.42, 0.62, 0.16, 0.75), axis.x);
  shown = mix(shown, vec4(0.72, 0.24, 0.29, 0.75), axis.y);
  shown.a *= 1.0 - smoothstep(0.15, 1.0, length(local - middle) / reach);
  fragColor = encoded(shown);
}
"""
)

_Attributes = tuple[tuple[str, str], ...]


def _compile(
    name: str, vertex: str, fragment: str, passed: _Attributes, constants: _Attributes, inputs: _Attributes
) -> gpu.types.GPUShader:
    interface = gpu.types.GPUStageInterfaceInfo(f"sdf_inertia_{name}")
    for kind, attribute in passed:
        interface.smooth(kind, attribute)
    info = gpu.types.GPUShaderCreateInfo()
    for kind, attribute in (*constants, ("BOOL", "srgbTarget")):
        info.push_constant(kind, attribute)
    for slot, (kind, attribute) in enumerate(inputs):
        info.vertex_in(slot, kind, attribute)
    info.vertex_out(interface)
    info.fragment_out(0, "VEC4", "fragColor")
    info.vertex_source(vertex)
    info.fragment_source(fragment)
    return gpu.shader.create_from_info(info)


_PLACE = (("MAT4", "placed"), ("VEC4", "color"))
_LIT = (("VEC3", "normal"), ("VEC3", "toEye"))


@cache
def glass() -> gpu.types.GPUShader:
    """Return the shader of ellipsoids: clear where it faces the eye, tinted at the rim.

    `scale` has the semi-axes, `eye` is in the unit sphere's space, homogeneous.
    """
    constants = (*_PLACE, ("VEC4", "eye"), ("VEC4", "scale"))
    return _compile("glass", _GLASS_VERTEX, _GLASS, _LIT, constants, (("VEC3", "pos"),))


@cache
def ball() -> gpu.types.GPUShader:
    """Return the shader of centres of mass: octants in `color` and black."""
    return _compile("ball", _BALL_VERTEX, _BALL, (("VEC3", "local"),), _PLACE, (("VEC3", "pos"),))


@cache
def box() -> gpu.types.GPUShader:
    """Return the shader of rounded boxes: `box` is middle and half size in pixels, `line` the border's width."""
    constants = (
        ("MAT4", "placed"),
        ("VEC4", "box"),
        ("VEC4", "color"),
        ("FLOAT", "radius"),
        ("FLOAT", "line"),
    )
    return _compile("box", _BOX_VERTEX, _BOX, (("VEC2", "local"),), constants, (("VEC3", "pos"),))


@cache
def solid() -> gpu.types.GPUShader:
    """Return the shader of the links' own geometry."""
    return _compile("solid", _SOLID_VERTEX, _SOLID, _LIT, _PLACE, (("VEC3", "pos"), ("VEC3", "nor")))


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
    return _compile("grid", _GRID_VERTEX, _GRID, (("VEC2", "local"),), constants, (("VEC3", "pos"),))


def lines() -> gpu.types.GPUShader:
    """Lines of any width: ``viewportSize`` and ``lineWidth`` in pixels, ``color``. Blender's own, kept by Blender."""
    return gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")


def forget() -> None:
    """Let go of all shaders."""
    for shader in (glass, ball, box, solid, grid):
        shader.cache_clear()
