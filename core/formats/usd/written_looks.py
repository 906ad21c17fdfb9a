# SPDX-License-Identifier: Apache-2.0
"""What is seen of a model as USD's text: the layers of its meshes, and materials with the textures of their colours."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray
from ...mesh.surface import Surface
from ...robot.model import Visual
from .mass_text import single, values_text
from .written_prims import INDENT, WrittenPrim, asset, layer_bytes

SURFACE = "token outputs:surface"


def mesh_layer(surface: Surface, uv: FloatArray | None = None) -> bytes:
    """Return the layer of a mesh [m], in single precision, as USD has points.

    With `uv` (m, 3, 2), each corner of its triangles has texture coordinates.
    """
    used, corners = np.unique(surface.triangles, return_inverse=True)
    corners = corners.reshape(-1, 3)
    points = surface.vertices[used].astype(np.float32) + np.float32(0.0)
    a, b, c = (points[corners[:, corner]].astype(np.float64) for corner in range(3))
    across = np.cross(b - a, c - a)
    lengths = np.linalg.norm(across, axis=1, keepdims=True)
    normals = across / np.where(lengths > 0.0, lengths, 1.0) + 0.0
    triples = ", ".join(["(%.5g, %.5g, %.5g)"] * len(normals))  # only light falls on them
    lines = [
        f"float3[] extent = [{values_text(points.min(axis=0), single)}, {values_text(points.max(axis=0), single)}]",
        f"int[] faceVertexCounts = [{', '.join(['3'] * len(corners))}]",
        f"int[] faceVertexIndices = [{', '.join(map(str, corners.ravel().tolist()))}]",
        f"normal3f[] normals = [{triples % (*normals.ravel().tolist(),)}] (",
        f'{INDENT}interpolation = "uniform"',
        ")",
        f"point3f[] points = [{_tuples(points)}]",
    ]
    if uv is not None:
        lines += [f"texCoord2f[] primvars:st = [{_tuples(uv.reshape(-1, 2).astype(np.float32))}] ("]
        lines += [f'{INDENT}interpolation = "faceVarying"', ")"]
    lines.append('uniform token subdivisionScheme = "none"')
    return layer_bytes(WrittenPrim('Mesh "mesh"', lines), "mesh")


def _tuples(rows: FloatArray) -> str:
    """Return rows of single precision as tuples, each number with the fewest digits that read back as itself."""
    texts = [text.removesuffix(".0") for text in (rows + np.float32(0.0)).ravel().astype(str).tolist()]
    form = f"({', '.join(['%s'] * rows.shape[1])})"
    return ", ".join([form] * len(rows)) % (*texts,)


def material_prim(path: str, visual: Visual, image: str | None) -> WrittenPrim:
    """Return the material of a visual, a UsdPreviewSurface.

    Parameters
    ----------
    path : str
        Of the prim.
    visual : Visual
    image : str or None
        The path of the file of its texture, if it has one.
    """
    name = path.rpartition("/")[2]
    surface = _shader("surface", "UsdPreviewSurface")
    shaders = [surface]
    if image is not None:
        surface.lines.append(f"color3f inputs:diffuseColor.connect = <{path}/texture.outputs:rgb>")
        texture = _shader("texture", "UsdUVTexture")
        texture.lines += [
            f"asset inputs:file = {asset(image)}",
            'token inputs:sourceColorSpace = "sRGB"',
            f"float2 inputs:st.connect = <{path}/places.outputs:result>",
            'token inputs:wrapS = "repeat"',
            'token inputs:wrapT = "repeat"',
            "float3 outputs:rgb",
        ]
        places = _shader("places", "UsdPrimvarReader_float2")
        places.lines += ['string inputs:varname = "st"', "float2 outputs:result"]
        shaders += [texture, places]
    elif visual.color is not None:
        surface.lines.append(f"color3f inputs:diffuseColor = {values_text(visual.color[:3], single)}")
    opacity = None if visual.color is None or visual.color[3] == 1.0 else visual.color[3]
    inputs = {"metallic": visual.metalness, "opacity": opacity, "roughness": visual.roughness}
    surface.lines += [f"float inputs:{key} = {single(value)}" for key, value in inputs.items() if value is not None]
    surface.lines.append(SURFACE)
    return WrittenPrim(
        f'Material "{name}"', [f"{SURFACE}.connect = <{path}/surface.outputs:surface>"], children=shaders
    )


def _shader(name: str, kind: str) -> WrittenPrim:
    return WrittenPrim(f'Shader "{name}"', [f'uniform token info:id = "{kind}"'])
