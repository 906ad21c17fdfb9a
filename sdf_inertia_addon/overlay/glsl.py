# SPDX-License-Identifier: GPL-3.0-or-later
"""The source of our shaders. What is drawn many times is drawn at once: each instance has its row in a uniform buffer.

Colours are sRGB numbers.
"""

ROWS = 16384
"""Bytes of a uniform buffer: what every GPU has at least (OpenGL 4.6, table 23.64)."""

# Blender sets srgbTarget where the framebuffer encodes what it is given.
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

GLASS_ROW = "struct Row { mat4 placed; vec4 color; vec4 eye; vec4 scale; };"
"""``placed``: from the unit shape to clip space; ``eye``: in the unit shape's space, homogeneous; ``scale``: half
sizes.

What a body's matrix does to normal and view cancels in their product but for the scale, since the rest is a rotation.
"""

GLASS_VERTEX = """
void main()
{
  Row row = rows.at[gl_InstanceID];
  normal = nor / row.scale.xyz;
  toEye = row.scale.xyz * (row.eye.xyz - row.eye.w * pos);
  tint = row.color;
  gl_Position = row.placed * vec4(pos, 1.0);
}
"""

GLASS = (
    _OUT
    + """
void main()
{
  float facing = abs(dot(normalize(normal), normalize(toEye)));
  float alpha = mix(0.16, 0.85, pow(1.0 - facing, 1.6));
  fragColor = encoded(vec4(tint.rgb, clamp(tint.a * share * alpha, 0.0, 1.0)));
}
"""
)

STROKE_ROW = "struct Row { mat4 placed; vec4 color; vec4 edge; vec4 size; };"
"""``color``: of the line; ``edge``: of the border on either side; ``size``: half widths without and with it [px]."""

# A ribbon is widened on the screen, and divided by w here: so all that is interpolated is linear on the screen.
# What lies behind the eye slides along the curve to just before it.
STROKE_VERTEX = """
const float NEAR = 1e-6;

vec4 before_eye(vec4 point, vec4 other)
{
  if (point.w >= NEAR) {
    return point;
  }
  if (other.w > NEAR) {
    return mix(point, other, (NEAR - point.w) / (other.w - point.w));
  }
  return vec4(point.xyz, NEAR);
}

void main()
{
  Row row = rows.at[gl_InstanceID];
  vec4 h = row.placed * vec4(here, 1.0);
  vec4 b = row.placed * vec4(before, 1.0);
  vec4 a = row.placed * vec4(after, 1.0);
  h = before_eye(h, b.w > a.w ? b : a);
  b = before_eye(b, h);
  a = before_eye(a, h);
  vec2 at = h.xy / h.w * viewport * 0.5;
  vec2 come = at - b.xy / b.w * viewport * 0.5;
  vec2 go = a.xy / a.w * viewport * 0.5 - at;
  come = length(come) > 1e-4 ? normalize(come) : vec2(0.0);
  go = length(go) > 1e-4 ? normalize(go) : come;
  come = dot(come, come) > 0.0 ? come : go;
  vec2 along = come + go;
  along = length(along) > 1e-3 ? normalize(along) : come;
  vec2 outward = vec2(-along.y, along.x);
  float reach = row.size.y + 1.0;
  across = side * reach;
  tint = row.color;
  border = row.edge;
  size = row.size;
  // A corner is cut where it would reach out by more than half its width again.
  at += outward * across / max(dot(outward, vec2(-go.y, go.x)), 0.66);
  gl_Position = vec4(at / (viewport * 0.5), h.z / h.w, 1.0);
}
"""

STROKE = (
    _OUT
    + """
void main()
{
  float away = abs(across);
  float core = tint.a * clamp(size.x - away + 0.5, 0.0, 1.0);
  float edge = border.a * clamp(size.y - away + 0.5, 0.0, 1.0) * (1.0 - core);
  float alpha = core + edge;
  vec3 color = (tint.rgb * core + border.rgb * edge) / max(alpha, 1e-6);
  fragColor = encoded(vec4(color, alpha * share));
}
"""
)

BALL_ROW = "struct Row { mat4 placed; vec4 right; vec4 up; vec4 back; vec4 color; vec4 rim; vec4 size; };"
"""``placed``: from the disc that is seen of a ball to clip space; ``right``, ``up``, ``back``: the disc's axes and what
looks to the eye, in the body's; ``size``: the ball's radius and the rim's width [px]."""

BALL_VERTEX = """
void main()
{
  Row row = rows.at[gl_InstanceID];
  disc = pos.xy * (1.0 + (row.size.y + 1.0) / row.size.x);
  right = row.right.xyz;
  up = row.up.xyz;
  back = row.back.xyz;
  tint = row.color;
  rim = row.rim;
  size = row.size.xy;
  gl_Position = row.placed * vec4(disc, 0.0, 1.0);
}
"""

# The crash-test sign: the sign of x y z is the octant; fwidth makes each border one pixel soft.
BALL = (
    _OUT
    + """
void main()
{
  float away = length(disc);
  vec3 point = disc.x * right + disc.y * up + sqrt(max(1.0 - away * away, 0.0)) * back;
  vec3 side = clamp(point / max(fwidth(point), vec3(1e-6)), -1.0, 1.0);
  float octant = side.x * side.y * side.z * 0.5 + 0.5;
  float inside = clamp((1.0 - away) * size.x + 0.5, 0.0, 1.0);
  float alpha = clamp((1.0 - away) * size.x + size.y + 0.5, 0.0, 1.0);
  vec4 color = mix(rim, mix(vec4(0.05, 0.05, 0.05, 1.0), tint, octant), inside);
  fragColor = encoded(vec4(color.rgb, color.a * alpha * share));
}
"""
)

RUN_ROW = "struct Row { vec4 middle; vec4 half_size; };"
"""A box in the mesh's own axes."""

# The one matrix is the mesh's; what is drawn nearest still hides what is behind it in the same mesh.
RUN_VERTEX = """
void main()
{
  Row row = rows.at[gl_InstanceID];
  vec3 corner = row.middle.xyz + pos * row.half_size.xyz;
  normal = nor;
  cell = (corner - origin.xyz) / origin.w;
  vec4 at = placed * vec4(corner, 1.0);
  at.z = mix(at.z, -at.w, light.w);
  gl_Position = at;
}
"""

# The light comes from the eye's upper left, whichever way the mesh is turned.
# Lines between voxels fade where they come too close to each other.
RUN = (
    _OUT
    + """
void main()
{
  float lit = 0.42 + 0.66 * max(dot(normalize(normal), light.xyz), 0.0);
  vec3 wide = max(fwidth(cell), vec3(1e-6));
  vec3 away = abs(fract(cell - 0.5) - 0.5) / wide;
  vec3 ink = clamp(color.a - away, 0.0, 1.0) * clamp(1.5 - 5.0 * wide * color.a, 0.0, 1.0);
  ink *= 1.0 - abs(normal);
  float edge = max(max(ink.x, ink.y), ink.z);
  fragColor = encoded(vec4(color.rgb * lit * (1.0 - 0.55 * edge), share));
}
"""
)

BOX_ROW = "struct Row { vec4 box; vec4 color; vec4 fill; vec4 size; };"
"""``box``: middle and half size [px]; ``fill``: inside the border; ``size``: radius of corners, border, shadow [px]."""

BOX_VERTEX = """
void main()
{
  Row row = rows.at[gl_InstanceID];
  local = pos.xy * (row.box.zw + row.size.z + 1.0);
  half_size = row.box.zw;
  tint = row.color;
  inner = row.fill;
  size = row.size.xyz;
  gl_Position = vec4((row.box.xy + local) / (viewport * 0.5) - 1.0, 0.0, 1.0);
}
"""

BOX = (
    _OUT
    + """
float outside(vec2 at)
{
  vec2 q = abs(at) - half_size + size.x;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - size.x;
}

void main()
{
  float d = outside(local);
  float inside = clamp(0.5 - d, 0.0, 1.0);
  float border = tint.a * clamp(0.5 + d + size.y, 0.0, 1.0);
  float cover = inside * mix(inner.a, 1.0, border);
  float fall = clamp(1.0 - outside(local + vec2(0.0, 0.3 * size.z)) / max(size.z, 1e-3), 0.0, 1.0);
  float shadow = size.z > 0.0 ? 0.35 * fall * fall * (1.0 - cover) : 0.0;
  float alpha = cover + shadow;
  vec3 color = mix(inner.rgb, tint.rgb, border) * cover / max(alpha, 1e-6);
  fragColor = encoded(vec4(color, alpha * share));
}
"""
)

# Position and normal come in the camera's space already.
SOLID_VERTEX = """
void main()
{
  normal = nor;
  toEye = -pos;
  gl_Position = placed * vec4(pos, 1.0);
}
"""

# A key light from the upper left, a fill from the right, and the sky; both sides of a face are lit.
SOLID = (
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

GRID_VERTEX = """
void main()
{
  local = pos.xy;
  gl_Position = placed * vec4(pos, 1.0);
}
"""

# Lines stay one pixel wide, and fade where they come too close to each other and towards the rim.
GRID = (
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
