# SPDX-License-Identifier: Apache-2.0
"""The formats in which models are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lxml import etree

from ..arrays import FloatArray
from ..errors import Finding
from ..mesh.surface import Surface
from ..robot.model import Geometry, Model, Texture
from ..robot.resolve import LinkBody
from .mjcf.write import mjcf_bytes, mjcf_findings
from .sdf.write import sdf_bytes
from .urdf.write import urdf_bytes, urdf_findings
from .usd.write import usd_bytes, usd_findings
from .usd.written_looks import mesh_layer


@dataclass(frozen=True)
class Writer:
    """A format in which models are written.

    Parameters
    ----------
    name : str
    suffixes : tuple of str
        Of its files, the first one of those that we name.
    label, description : str
        For users who choose it.
    number : int
        By which saved files keep it: never renumber.
    counted : tuple of (str, str)
        What a file has, as ``link/links``, and what finds it: the path of its elements, for ``findall`` from the root,
        or of a file that is not XML an expression.
    write : callable
        As `sdf_bytes`.
    findings : callable
        As `urdf_findings`: what it cannot express.
    of_gazebo : bool
        True if it has auto inertials and a model.config; else all links are filled.
    has_textures : bool
    has_frames : bool
        True if links without inertial become frames of the links that hold them.
    layer : callable or None
        The bytes of a surface [m] with its UVs, if it has any, in the format's own kind of file; else its meshes are
        OBJ or STL.
    scheme : str
        Of meshes in packages: ``model`` or ``package``. Empty if its meshes are always paths.
    """

    name: str
    suffixes: tuple[str, ...]
    label: str
    description: str
    number: int
    counted: tuple[tuple[str, str], ...]
    write: Callable[[Model, Iterable[LinkBody], Mapping[Geometry | Texture, str], Mapping[Geometry, str] | None], bytes]
    findings: Callable[[Model, Iterable[LinkBody]], tuple[Finding, ...]] = lambda _model, _bodies: ()
    of_gazebo: bool = False
    has_textures: bool = False
    has_frames: bool = False
    layer: Callable[[Surface, FloatArray | None], bytes] | None = None
    scheme: str = ""

    @property
    def file_name(self) -> str:
        """The name of a model's file in its folder."""
        return f"model{self.suffixes[0]}"

    def counts(self, data: bytes) -> dict[str, int]:
        """Return how many of what is counted a file has."""
        if self.layer is not None:
            return {words: len(re.findall(pattern.encode(), data)) for words, pattern in self.counted}
        root = etree.fromstring(data, etree.XMLParser(huge_tree=True))
        return {words: len(root.findall(path)) for words, path in self.counted}


_TABLE = (
    Writer(
        "sdf",
        (".sdf",),
        "SDFormat",
        "SDFormat 1.11, for Gazebo and Drake",
        0,
        (("link/links", "model/link"), ("joint/joints", "model/joint"), ("frame/frames", "model/frame")),
        sdf_bytes,
        of_gazebo=True,
        has_textures=True,
        has_frames=True,
        scheme="model",
    ),
    Writer(
        "urdf",
        (".urdf",),
        "URDF",
        "For ROS, Drake and MuJoCo: a tree of links, with the numbers of all of them",
        1,
        (("link/links", "link"), ("joint/joints", "joint")),
        urdf_bytes,
        urdf_findings,
        has_textures=True,
        scheme="package",
    ),
    Writer(
        "mjcf",
        (".xml", ".mjcf"),
        "MJCF",
        "For MuJoCo: with position actuators, a ground plane and the numbers of all links",
        2,
        (
            ("body/bodies", "worldbody//body"),
            ("joint/joints", "worldbody//joint"),
            ("site/sites", "worldbody//site"),
        ),
        mjcf_bytes,
        mjcf_findings,
    ),
    Writer(
        "usd",
        (".usda", ".usd"),
        "USD",
        "For Isaac Sim, Isaac Lab and Newton: with drives and the numbers of all links",
        3,
        (("body/bodies", '"PhysicsRigidBodyAPI"'), ("joint/joints", r"\n {8}def Physics[A-Za-z]+Joint ")),
        usd_bytes,
        usd_findings,
        has_textures=True,
        has_frames=True,
        layer=mesh_layer,
    ),
)

WRITERS: Mapping[str, Writer] = MappingProxyType({writer.name: writer for writer in _TABLE})
"""By name."""

BY_SUFFIX: Mapping[str, Writer] = MappingProxyType({suffix: writer for writer in _TABLE for suffix in writer.suffixes})
"""By the suffix of a file, in lower case."""
