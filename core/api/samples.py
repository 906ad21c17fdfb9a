# SPDX-License-Identifier: Apache-2.0
"""Samples of a robot for Python: arrays of its links' inertials, robots with them, and the files of both."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import COMPONENTS, Inertial
from ..errors import Finding, InertiaError
from ..escapes import for_csv
from ..files.whole_files import write_atomic
from ..formats.table import read_changed, write_files
from ..robot.report import Json, inertial_json, with_schema
from ..samples.folder import SampleFolder, json_bytes
from ..samples.sampled import Drawn

if TYPE_CHECKING:
    from .robot import Robot

TABLES = (".npz", ".csv", ".json")
"""Suffixes of the files that hold all samples as one table."""


@dataclass(frozen=True, eq=False)
class Samples:
    """A robot drawn many times; returned by `Robot.sample`.

    Numbers are in each link's frame, about the centre of mass of each draw. The first axis of the arrays counts the
    samples, the second the links with mass.

    Parameters
    ----------
    names : tuple of str
        The links with mass.
    seed : int
    digest : str
        SHA-256 of the robot's file.
    drawn : Drawn
        Ranges, draws, and what was drawn again.

    Examples
    --------
    >>> from sdf_inertia import read_robot
    >>> samples = read_robot("examples/arm.urdf").repair().sample(1000, seed=7, vary_mass="10%", vary_moments="20%")
    >>> print(samples.mass.shape, samples.inertia.shape, samples.quaternion.shape)
    (1000, 5) (1000, 5, 3, 3) (1000, 5, 4)
    >>> print(samples.robot(0).links["hand"].inertial.mass == round(samples.mass[0, 4], 12))
    True
    """

    names: tuple[str, ...]
    seed: int
    digest: str
    drawn: Drawn
    _nominal: Robot

    @cached_property
    def mass(self) -> FloatArray:
        """[kg], shape (n, links); MuJoCo's ``body_mass``."""
        return np.stack([draws.mass for draws in self.drawn.draws], axis=1)

    @cached_property
    def com(self) -> FloatArray:
        """[m], shape (n, links, 3); MuJoCo's ``body_ipos``."""
        return np.stack([draws.com for draws in self.drawn.draws], axis=1)

    @cached_property
    def inertia(self) -> FloatArray:
        """Tensors [kg·m²], shape (n, links, 3, 3); products are -∫xy dm."""
        return np.stack([draws.inertia for draws in self.drawn.draws], axis=1)

    @property
    def principal(self) -> FloatArray:
        """Principal moments [kg·m²], ascending, shape (n, links, 3); MuJoCo's ``body_inertia``."""
        return self._principal[0]

    @property
    def quaternion(self) -> FloatArray:
        """Of the principal axes, as w, x, y, z, shape (n, links, 4); MuJoCo's ``body_iquat``."""
        return self._principal[1]

    @cached_property
    def _principal(self) -> tuple[FloatArray, FloatArray]:
        each = [draws.principal() for draws in self.drawn.draws]
        moments = np.stack([moments for moments, _ in each], axis=1)
        return moments, np.stack([quaternions(axes) for _, axes in each], axis=1)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is doubtful about the links that are drawn."""
        return self.drawn.findings

    def __len__(self) -> int:
        return len(self.mass)

    def inertials(self, number: int) -> dict[str, dict[str, Inertial]]:
        """Return the inertials of one sample, of the links that vary, by model and link."""
        chosen: dict[str, dict[str, Inertial]] = {}
        for link, draws in zip(self.drawn.links, self.drawn.draws, strict=True):
            if link.intervals:
                body = Inertial(draws.mass[number], draws.com[number], draws.inertia[number])
                chosen.setdefault(link.link.model, {})[link.link.local_name] = body
        return chosen

    def robot(self, number: int) -> Robot:
        """Return one sample as a robot, to be checked, converted or written."""
        contents = write_files(self._nominal.file, self.inertials(number))
        return replace(self._nominal, file=read_changed(self._nominal.file, contents))

    def to_json(self) -> Json:
        """Return all numbers as JSON."""
        links = []
        for number, (name, link) in enumerate(zip(self.names, self.drawn.links, strict=True)):
            six = [self.inertia[:, number, row, column] for row, column in COMPONENTS.values()]
            arrays = {
                "mass": self.mass[:, number],
                "com": self.com[:, number],
                "inertia": np.stack(six, axis=1),
                "principal": self.principal[:, number],
                "quaternion": self.quaternion[:, number],
            }
            nominal = {"nominal": inertial_json(link.inertial)}
            links.append(
                {"name": name, "ranges": self._ranges(number)}
                | nominal
                | {key: array.tolist() for key, array in arrays.items()}
            )
        head = {"seed": self.seed, "digest": self.digest, "count": len(self), "components": list(COMPONENTS)}
        return with_schema(head | {"links": links})

    def to_npz(self, path: str | os.PathLike[str]) -> None:
        """Write all arrays, with names, seed, digest, and ranges as JSON, as NumPy's ``.npz``."""
        write_atomic(Path(path), self.table(".npz"))

    def table(self, suffix: str) -> bytes:
        """Return all samples as one table of `TABLES`: NumPy's arrays, CSV with a line for each link, or JSON."""
        if suffix == ".npz":
            return self._npz()
        return self._csv().encode() if suffix == ".csv" else json_bytes(self.to_json())

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write each sample as a robot's file, the files that it names from itself, and ``samples.json`` at last.

        Only inertials differ from the robot's own file. Samples of a folder that was written before replace those.

        Returns
        -------
        list of Path
            The samples.

        Raises
        ------
        InertiaError
            ``sample_folder`` for a folder with other files; ``not_sampled`` if an included file or a macro has the
            inertial of a link that varies.
        OSError
            If a file cannot be written.
        """
        for link in self.drawn.links:
            if link.intervals:
                try:
                    self._nominal.file.check_own(link.link, False)
                except InertiaError as error:
                    place = str(link.link.element)
                    raise InertiaError.of("not_sampled", place, "included", reason=error.sentence) from None
        target = SampleFolder(Path(folder), self._nominal.file, self._nominal.path)
        return target.write([self.inertials(number) for number in range(len(self))], self.to_json())

    def _ranges(self, number: int) -> list[Json]:
        return [interval.to_json() for interval in self.drawn.links[number].intervals]

    def _npz(self) -> bytes:
        arrays: Mapping[str, Any] = {
            "names": np.array(self.names),
            "mass": self.mass,
            "com": self.com,
            "inertia": self.inertia,
            "principal": self.principal,
            "quaternion": self.quaternion,
            "seed": np.array(self.seed),
            "digest": np.array(self.digest),
            "ranges": np.array(json.dumps([self._ranges(number) for number in range(len(self.names))])),
        }
        buffer = BytesIO()
        np.savez(buffer, **arrays)
        return buffer.getvalue()

    def _csv(self) -> str:
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        axes = [f"com_{axis}" for axis in "xyz"]
        principal = [*(f"principal_{number}" for number in "123"), *(f"quaternion_{name}" for name in "wxyz")]
        writer.writerow(["sample", "link", "mass", *axes, *COMPONENTS, *principal])
        rows, columns = zip(*COMPONENTS.values(), strict=True)
        six = self.inertia[:, :, rows, columns]
        numbers = np.concatenate([self.mass[:, :, None], self.com, six, self.principal, self.quaternion], axis=2)
        for number, of_robot in enumerate(numbers.tolist(), 1):
            writer.writerows([number, for_csv(name), *cells] for name, cells in zip(self.names, of_robot, strict=True))
        return text.getvalue()


def quaternions(R: FloatArray) -> FloatArray:
    """Return rotations (n, 3, 3) as unit quaternions w, x, y, z (n, 4) with w >= 0, as `Pose.to_quaternion` does."""
    x, y, z = (R[:, axis, axis] for axis in range(3))
    a, b, c = R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]
    d, e, f = R[:, 0, 1] + R[:, 1, 0], R[:, 0, 2] + R[:, 2, 0], R[:, 1, 2] + R[:, 2, 1]
    # Each row is a multiple of the quaternion: the one with the largest divisor has the most digits.
    rows = np.array(
        [[1 + x + y + z, a, b, c], [a, 1 + x - y - z, d, e], [b, d, 1 - x + y - z, f], [c, e, f, 1 - x - y + z]]
    )
    largest = np.argmax(np.einsum("iin->in", rows), axis=0)
    chosen = rows[largest, :, np.arange(len(R))]
    chosen /= np.linalg.norm(chosen, axis=1)[:, None]
    unit: FloatArray = np.where(chosen[:, :1] < 0.0, -chosen, chosen)
    return unit
