# SPDX-License-Identifier: Apache-2.0
"""The formats in which models are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..errors import Finding
from ..robot.model import Geometry, Model, Texture
from ..robot.resolve import LinkBody
from .mjcf.write import mjcf_bytes, mjcf_findings
from .sdf.write import sdf_bytes
from .urdf.write import urdf_bytes, urdf_findings


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
        What a file has, as ``link/links``, and where its elements are, for ``findall`` from the root.
    write : callable
        As `sdf_bytes`.
    findings : callable
        As `urdf_findings`: what it cannot express.
    of_gazebo : bool
        True if it has auto inertials and a model.config; else all links are filled.
    has_textures : bool
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
    scheme: str = ""

    @property
    def file_name(self) -> str:
        """The name of a model's file in its folder."""
        return f"model{self.suffixes[0]}"


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
)

WRITERS: Mapping[str, Writer] = MappingProxyType({writer.name: writer for writer in _TABLE})
"""By name."""

BY_SUFFIX: Mapping[str, Writer] = MappingProxyType({suffix: writer for writer in _TABLE for suffix in writer.suffixes})
"""By the suffix of a file, in lower case."""
