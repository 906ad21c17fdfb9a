# SPDX-License-Identifier: Apache-2.0
"""A robot's file, for Python: read, checked, repaired, filled and written."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from ..arrays import FloatArray
from ..body.density_map import DensityMap
from ..body.inertial import Inertial
from ..body.materials import checked_density
from ..body.weighed_masses import read_weighed, weighed_masses
from ..engines.agreed import agreed
from ..engines.compared import Comparison, compared
from ..engines.known import ENGINES
from ..errors import WORST_FIRST, Finding, InertiaError, first_error, has_error
from ..files.input_file import noting_reads
from ..files.whole_files import write_atomic
from ..formats.file_link import SOURCES, FileLink
from ..formats.robot_file import RobotFile
from ..formats.robot_folders import robots_below
from ..formats.table import parsed, read_changed, read_robot_file, write_back
from ..formats.usd.override import check_new, moved
from ..judge.judge import judge, judge_file
from ..judge.measured import COMS, Com, RepairOptions
from ..judge.repair import repair_file
from ..judge.total_mass import total_mass as compared_mass
from ..judge.verdict import REPAIRABLE, REPAIRED, Verdict
from ..mesh.methods import METHODS
from ..robot.calculators import chosen_calculator, params_for
from ..robot.model import Joint
from ..robot.report import Total, total_of
from ..units import few_text
from .link import LinkChange, RobotLink
from .mesh import method_of_lengths
from .report import Report, models_of, report_of

if TYPE_CHECKING:
    from ..files.mesh_writers import MeshFormat
    from ..formats.package import UriStyle
    from ..statics.statics import Statics
    from ..view.robot_scene import RobotScene
    from .converted import Converted
    from .samples import Samples


def read_robot(
    path: str | os.PathLike[str],
    paths: Iterable[str | os.PathLike[str]] = (),
    xacro_args: Mapping[str, str] | None = None,
) -> Robot:
    """Read a robot's file: SDF, URDF, xacro or MJCF.

    Parameters
    ----------
    path : path
    paths : iterable of path
        Folders in which ``package://``, ``model://`` and relative URIs are looked up, besides the packages that the
        file is in and those of the environment (``ROS_PACKAGE_PATH``, ``GZ_SIM_RESOURCE_PATH``, ...).
    xacro_args : mapping of str to str, optional
        Values of a xacro file's arguments.

    Raises
    ------
    InertiaError
        If nothing of the file can be read, such as ``file_read``, ``bad_xml`` or ``unread_format``.

    Examples
    --------
    >>> from sdf_inertia import read_robot
    >>> robot = read_robot("examples/arm.urdf")
    >>> for name, link in robot.links.items():
    ...     print(name, link.inertial.mass, link.fault)
    base 2.4 impossible
    shoulder 1.1 placeholder
    upper_arm 850.0 mistake
    forearm 0.5 mistake
    hand 0.24 None
    """
    roots, arguments = [Path(root) for root in paths], dict(xacro_args or {})
    with noting_reads() as reads:
        file = read_robot_file(Path(path), roots, arguments=arguments)
    return Robot(Path(path), file, {os.path.realpath(name): file_digest for name, file_digest in reads.items()})


def find_robots(
    folder: str | os.PathLike[str],
    paths: Iterable[str | os.PathLike[str]] = (),
    xacro_args: Mapping[str, str] | None = None,
) -> list[Path]:
    """Return the files of the robots below a folder, sorted, as ``sdf-inertia check FOLDER`` takes them.

    A file that another one includes is a part of that. Hidden folders, ``build``, ``install``, those with a
    ``COLCON_IGNORE`` and environments of Python are not searched. The parameters are those of `read_robot`.
    Raises InertiaError if there is no such folder.

    Examples
    --------
    >>> from sdf_inertia import find_robots, read_robot
    >>> for path in find_robots("examples"):
    ...     print(path.name, len(read_robot(path).check()))
    arm.urdf 4
    biped.urdf 4
    desk_arm.urdf.xacro 0
    """
    check_folder(folder)
    names = robots_below(folder, [Path(root) for root in paths], dict(xacro_args or {}))
    return [Path(name) for name in names]


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise InertiaError ``file_read`` for a folder that is not there or may not be listed."""
    try:
        os.scandir(folder).close()
    except OSError as error:
        raise InertiaError.of("file_read", str(folder), "unreadable", reason=error.strerror) from None


@dataclass(frozen=True, eq=False)
class Robot:
    """A robot's file as it was read, or as `repair` or `fill` changed it; returned by `read_robot`.

    Parameters
    ----------
    path : Path
    file : RobotFile
        What its format's reader returned.
    changes : tuple of LinkChange
        What the last `repair` or `fill` did with each link that it was to change.
    notes : tuple of Finding
        Why it left links unchanged, and what remains doubtful about the new numbers.

    Examples
    --------
    >>> from sdf_inertia import read_robot
    >>> repaired = read_robot("examples/arm.urdf").repair()
    >>> for change in repaired.changes:
    ...     print(f"{change.name}: {change.fault}, now {change.new.mass:g} kg")
    base: impossible, now 2.4 kg
    shoulder: placeholder, now 1.1 kg
    upper_arm: mistake, now 0.85 kg
    forearm: mistake, now 0.5 kg
    >>> repaired.check()
    ()
    """

    path: Path
    file: RobotFile
    _reads: dict[str, str | None] = field(default_factory=dict)
    changes: tuple[LinkChange, ...] = field(default=())
    notes: tuple[Finding, ...] = field(default=())

    def __repr__(self) -> str:
        changed = sum(change.new is not None for change in self.changes)
        return f"<Robot {self.path}: {len(self.file.links)} links{f', {changed} changed' if self.changes else ''}>"

    @cached_property
    def links(self) -> Mapping[str, RobotLink]:
        """Its links by name, in the order of the file."""
        each = zip(self._names.values(), self.verdicts(), self.file.bodies, strict=True)
        return MappingProxyType({name: RobotLink.of(name, verdict, body) for name, verdict, body in each})

    @cached_property
    def joints(self) -> Mapping[str, Joint]:
        """The joints of its models by name, with the model's if several have the name, in the order of the file.

        Raises
        ------
        InertiaError
            If a model of the file cannot be read, such as one whose frames form a cycle.
        """
        pairs = [(model, joint) for model, joints in self.file.joints().items() for joint in joints]
        names = _unique((model, joint.name) for model, joint in pairs)
        return MappingProxyType(dict(zip(names, (joint for _, joint in pairs), strict=True)))

    @property
    def mass(self) -> float:
        """The sum of the masses of its links [kg], as `report` adds them up: of all its models."""
        return sum(total.mass for total in self._totals)

    @property
    def com(self) -> FloatArray | None:
        """The centre of mass [m] of its only model, in that model's frame, with all joints at 0.

        None if it has several models, or a mass whose place is not known.
        """
        only = self._totals[0].inertial if len(self._totals) == 1 else None
        return None if only is None else only.com

    @cached_property
    def _totals(self) -> Sequence[Total]:
        totals = (total_of(bodies, partial=True) for _, bodies in models_of(self.file, self.verdicts()))
        return [total for total in totals if total is not None]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong or doubtful about the file and its links, as `check` returns it."""
        return self.check()

    @property
    def data(self) -> bytes:
        """The content of the file: as read, or with the new inertials; every other byte stays."""
        return write_back(self.file, {})

    def verdicts(self, strict: bool = False) -> Sequence[Verdict]:
        """Return the verdict on each link, in the order of the file; `strict` is as in `check`."""
        known = self._verdicts.get(strict)
        if known is None:
            plain = self.verdicts() if strict else None
            known = self._verdicts[strict] = tuple(judge(self.file, strict, plain))
        return known

    @cached_property
    def _verdicts(self) -> dict[bool, Sequence[Verdict]]:
        return {}

    def check(self, engines: str | Iterable[str] = (), strict: bool = False) -> tuple[Finding, ...]:
        """Return what is wrong or doubtful about the file and its links.

        Parameters
        ----------
        engines : str or iterable of str
            Report also what these engines refuse, or simulate in their own way: ``gazebo``, ``drake``, ``mujoco``,
            ``pinocchio``, ``pybullet``, ``pybullet-file`` (with URDF_USE_INERTIA_FROM_FILE), ``newton``. An SDF file is
            always checked for gazebo.
        strict : bool
            Apply stricter limits, and return infos too, which are often harmless.
        """
        chosen = _words(engines, ENGINES)
        known = self._checked.get((chosen, strict))
        if known is None:
            known = tuple(judge_file(self.file, strict, self.verdicts(strict), chosen))
            self._checked[chosen, strict] = known
        return known

    @cached_property
    def _checked(self) -> dict[tuple[tuple[str, ...], bool], tuple[Finding, ...]]:
        return {}

    def compare_engines(self, engines: str | Iterable[str] = tuple(ENGINES)) -> Comparison:
        """Return the mass, centre and tensor of each moving body as each engine simulates it, and why they differ.

        No engine is needed: the rules are those of the versions that the comparison names.

        Parameters
        ----------
        engines : str or iterable of str
            As in `check`; by default all.

        Examples
        --------
        >>> from sdf_inertia import read_robot
        >>> comparison = read_robot("examples/arm.urdf").compare_engines(["drake", "mujoco", "pinocchio"])
        >>> print(comparison.views["mujoco"].findings[0].message)
        MuJoCo does not load the file: the moments 0.004, 0.004 and 0.019 kg·m² break the triangle inequality
        >>> for case in comparison.bodies[0].cases:
        ...     print(case.engines, case.inertial.inertia.diagonal().round(4))
        ('drake',) [0.0066 0.0066 0.0066]
        ('pinocchio',) [0.004 0.004 0.019]
        """
        return compared(self.file, _words(engines, ENGINES))

    def repair(
        self,
        what: str | Iterable[str] = REPAIRED,
        mass: Literal["keep", "density"] = "keep",
        com: Com = "keep",
        density: float | None = None,
        densities: str | os.PathLike[str] | None = None,
        source: Literal["auto", "collision", "visual"] = "auto",
        links: str | Iterable[str] | None = None,
        method: str | None = None,
        voxel_size: float | None = None,
        thickness: float | None = None,
        total_mass: float | None = None,
        weighed: Mapping[str, float] | str | os.PathLike[str] | None = None,
        wall: float | None = None,
        infill: float | None = None,
    ) -> Robot:
        """Return the robot with new inertials for links whose inertial is impossible, missing or a known mistake.

        The parameters are the options of ``sdf-inertia repair``. Inertials in files that a xacro file includes stay.

        Parameters
        ----------
        what : str or iterable of str
            ``impossible``, ``missing``, ``mistake``, ``placeholder`` (the default), ``doubtful``, a mistake by its
            name, or ``all``.
        mass : {"keep", "density"}
            Keep the mass in the file if it is possible, or compute it from the densities.
        com : {"keep", "geometry"}
            Keep the centre of mass in the file if it is in the geometry, or use that of the geometry.
        density : float, optional
            Of all parts [kg/m³].
        densities : path, optional
            CSV or JSON with densities and masses by the names of links, parts, mesh files and materials.
        source : {"auto", "collision", "visual"}
            The geometry to use.
        links : str or iterable of str, optional
            Names of the only links to repair.
        method, voxel_size, thickness, wall, infill
            As in `measure_mesh`.
        total_mass : float, optional
            Of the whole robot [kg]: masses that follow from densities are scaled by one factor to reach it.
        weighed : mapping of str to float, or path, optional
            Measured masses of links [kg] by name, or a CSV with the columns ``link,mass``. These links get their mass
            whatever `what` is; the tensor is scaled with it, and the centre of mass stays.

        Raises
        ------
        InertiaError
            ``unknown_link``, ``unknown_method``, ``bad_density``, ``bad_mass``, ``not_weighed``, or why `densities`
            or `weighed` cannot be read.
        ValueError
            For an unknown word, or `mass` "density" without a density.
        """
        if mass == "density" and density is None and densities is None:
            raise ValueError("mass='density' needs density or densities")
        for word, choices in ((mass, ("keep", "density")), (com, COMS), (source, ("auto", *SOURCES))):
            _words(word, choices)
        options = RepairOptions(
            frozenset(_words(what, (*REPAIRABLE, "all", "mass"))),
            mass == "keep",
            com,
            None if density is None else checked_density(density),
            None if densities is None else DensityMap.read(Path(densities)),
            source,
            None if links is None else self._full_names([links] if isinstance(links, str) else links),
            _params(method, voxel_size=voxel_size, thickness=thickness, wall=wall, infill=infill),
            included=False,
            total_mass=total_mass,
            weighed=self._weighed({} if weighed is None else weighed),
        )
        repaired = repair_file(self.file, options, self.verdicts())
        names = {full: name for name, full in reversed(self._full.items())}  # a link may be that of the file read again
        changes = (
            LinkChange(names[link.link.name], link.fault, link.link.inertial, link.new, link.why)
            for link in repaired.links
        )
        return replace(self, file=repaired.file, changes=tuple(changes), notes=repaired.findings)

    def fill(self, keep_auto: bool = False, skip_invalid: bool = False, engines: str | Iterable[str] = ()) -> Robot:
        """Return the robot with numbers instead of inertials that a simulator computes: auto in SDF, all in MJCF.

        With `engines`, a URDF gets 0 kg for its links without inertial for which one of these makes up a mass, if fixed
        joints hold them to a link with mass; `notes` has what the engines still do otherwise.

        Parameters
        ----------
        keep_auto : bool
            Keep ``auto`` next to the numbers: simulators then compute them again.
        skip_invalid : bool
            Leave links that have no answer as they are.
        engines : str or iterable of str
            As in `check`.

        Raises
        ------
        InertiaError
            The first error of a link, unless `skip_invalid`; ``unread_format`` for a URDF, which has no auto inertials.
        """
        if engines:
            new = agreed(self.file, _words(engines, ENGINES))
            given = tuple(LinkChange(name, "missing", None, Inertial.zero, ()) for name in new.links)
            return replace(self, file=new.file, changes=given, notes=new.findings)
        filled = self.file.filled(keep_auto)
        error = first_error(filled.findings)
        if error is not None and not skip_invalid:
            raise InertiaError(error.code, error.subject, error.sentence, error.fix, error.sdf_codes)
        names = {link.name: name for link, name in reversed(self._names.items())}
        changes = (
            LinkChange(
                names[link.name], "auto", None, link.body.inertial if link.done else None, link.body.all_findings()
            )
            for link in filled.links
        )
        path = filled.path  # of the layer over a USD file
        document = next(iter(self.file.written({}))) if path is None else parsed(filled.data, str(path), path)
        file = read_changed(self.file, {document: filled.data})
        return replace(self, file=file, changes=tuple(changes), notes=filled.findings)

    def sample(
        self,
        n: int,
        seed: int = 0,
        vary_mass: str = "",
        vary_com: str = "",
        vary_moments: str = "",
        vary_axes: str = "",
        links: str | Iterable[str] = (),
        ranges: str | os.PathLike[str] | None = None,
        inside: bool = False,
        keep_total: bool = False,
        twins: Literal["equal", "free"] = "equal",
    ) -> Samples:
        """Return the robot drawn many times; every draw is a body that can exist.

        The parameters are the options of ``sdf-inertia sample``. Without a range, each link has that of its numbers'
        last digits, or of the geometry that they follow from.

        Parameters
        ----------
        n, seed : int
        vary_mass, vary_moments : str
            Shares such as ``10%``, of the mass and of each principal moment of the spread.
        vary_com : str
            Along each axis of the link: ``5mm``, or ``2%`` of the link's longest side.
        vary_axes : str
            Largest turn of the principal axes, such as ``3deg``.
        links : str or iterable of str
            Patterns of the names of the only links to vary, each with ranges of its own if it has any:
            ``wheel*=mass:10%,com:5mm``.
        ranges : path, optional
            CSV with the columns ``link,mass,com,moments,axes,material,source``.
        inside : bool
            Draw again what no body inside the link's geometry can have.
        keep_total : bool
            Scale the masses so that their sum stays.
        twins : {"equal", "free"}
            Draw a left and a right link alike, mirrored, if their inertials are.

        Raises
        ------
        InertiaError
            ``bad_range``, ``not_sampled``, ``nominal_outside``, or why `ranges` cannot be read.
        ValueError
            For a number below 0, or an unknown word.
        """
        from ..samples.ranges import QUANTITIES, Ranges
        from ..samples.sampled import link_ranges, sampled
        from .samples import Samples

        _words(twins, ("equal", "free"))
        if n < 1 or seed < 0:
            raise ValueError(f"n={n} must be at least 1, and seed={seed} at least 0")
        texts = dict(zip(QUANTITIES, (vary_mass, vary_com, vary_moments, vary_axes), strict=True))
        vary = {name: text for name, text in texts.items() if text}
        patterns = (links,) if isinstance(links, str) and links else links
        chosen = Ranges.read(vary, patterns, None if ranges is None else Path(ranges))
        drawn = sampled(
            link_ranges(self.file, self.verdicts(), chosen),
            self.verdicts(),
            n,
            seed,
            inside,
            keep_total,
            twins == "equal",
        )
        names = tuple(self._names[link.link] for link in drawn.links)
        return Samples(names, seed, sha256(self.data).hexdigest(), drawn, self)

    def report(
        self, engines: str | Iterable[str] = (), total_mass: float | None = None, intervals: bool = False
    ) -> Report:
        """Return the inertial of each link, and the share of each of its parts.

        Parameters
        ----------
        engines : str or iterable of str
            Compare the moving bodies as these engines simulate them, as in `compare_engines`. With ``gazebo`` alone,
            the links are as Gazebo joins them at fixed joints.
        total_mass : float, optional
            Compare the sum of the masses with this mass of the robot [kg].
        intervals : bool
            Add how far the numbers of each link may be off, and why.
        """
        chosen = _words(engines, ENGINES)
        findings = self.check(chosen)
        return report_of(self.path, self.file, self.verdicts(), findings, chosen, total_mass, intervals)

    def scene(self, engines: str | Iterable[str] = (), total_mass: float | None = None) -> RobotScene:
        """Return what `to_html` draws; the parameters are those of `report`."""
        from ..view.robot_scene import robot_scene

        chosen = _words(engines, ENGINES)
        findings = self.check(chosen)
        if total_mass is not None:
            findings += compared_mass(self.file, total_mass, self.verdicts()).findings
        scene = robot_scene(self.file, self.path, self.verdicts(), findings)
        return replace(scene, engines=compared(self.file, chosen) if chosen else None)

    def to_html(
        self, engines: str | Iterable[str] = (), total_mass: float | None = None, statics: Statics | None = None
    ) -> str:
        """Return a page that opens from disk: meshes, inertias, joints to move, tables of links and engines, findings.

        The parameters are those of `report`; with `statics` it has their table too.
        """
        from ..view.page import page_html

        scene = self.scene(engines, total_mass)
        return page_html(scene if statics is None else scene.with_statics(statics))

    def statics(
        self,
        pose: Mapping[str, float] | None = None,
        payload: Mapping[str, float] | None = None,
        feet: str | Iterable[str] = (),
        floating: bool = False,
    ) -> Statics:
        """Return the torques of gravity at its joints, the inertias that its motors feel, and whether it stands.

        The root is held: torques are those of all that each joint carries.

        Parameters
        ----------
        pose : mapping of str to float
            Positions of joints [rad or m]; 0 for the others.
        payload : mapping of str to float
            Masses [kg] at the origins of links or frames.
        feet : str or iterable of str
            The links that it stands on; by default those that are lowest.
        floating : bool
            For the effective inertia, the root moves freely.

        Raises
        ------
        InertiaError
            ``no_statics`` for a link with an impossible or missing inertial, ``pose_refused``, ``unknown_link`` or
            ``no_feet``.

        Examples
        --------
        >>> from sdf_inertia import read_robot
        >>> arm = read_robot("examples/arm.urdf").repair()
        >>> for row in arm.statics(payload={"hand": 0.5}).joints:
        ...     print(row.joint.name, round(row.torque, 3), round(row.largest, 3), row.effort)
        pan 0.0 0.0 20.0
        lift -4.716 -7.302 20.0
        elbow -2.367 -2.401 10.0
        wrist 0.0 0.0 None
        """
        from ..statics.mechanism import Mechanism
        from ..statics.statics import statics

        robots = self.file.robots()
        if len(robots) != 1:
            raise InertiaError.of("no_statics", "", "several", count=len(robots))
        model, verdicts = robots[0].model, {verdict.link.name: verdict for verdict in self.verdicts()}
        each = zip(self.file.links, self.file.bodies, strict=True)
        given = {link.name: body.inertial if link.auto else link.inertial for link, body in each}
        names = {link.name: f"{model.name}::{link.name}" for link in model.links}
        mechanism = Mechanism.of(model, {name: given.get(full) for name, full in names.items()}, payload)
        judged = [(mechanism.body_of[name] >= 0, verdicts[full]) for name, full in names.items() if full in verdicts]
        refused = [each for moves, each in judged if has_error(each.findings) or (moves and each.fault == "missing")]
        if refused:
            finding = min(refused[0].findings, key=lambda finding: WORST_FIRST.index(finding.severity))
            values = {"count": len(refused), "names": few_text([each.link.local_name for each in refused], 8)}
            raise InertiaError.of("no_statics", finding.subject, "inertials", **values, remedy=finding.fix)
        return statics(mechanism, pose, [feet] if isinstance(feet, str) else feet, floating)

    def write(self, path: str | os.PathLike[str] | None = None, backup: bool = True) -> tuple[Finding, ...]:
        """Write the file: to its own path, or to another one. It appears as a whole, or not at all.

        A USD file keeps its bytes: the new inertials are a layer over it, by default ``NAME.inertia.usda`` beside it.

        Parameters
        ----------
        path : path, optional
            By default its own.
        backup : bool
            Keep its own file as FILE.bak when it is replaced, unless that exists.

        Returns
        -------
        tuple of Finding
            Where the backup is, and attributes of the old file that the new one lacks.

        Raises
        ------
        InertiaError
            ``source_changed`` if the file was edited since it was read; ``usd_override`` if a path cannot have the
            layer over a USD file. Then nothing is written.
        OSError
            If it cannot be written.
        """
        place = self.file.document.path or self.path
        target = place if path is None else Path(path)
        data, real = moved(self.data, place, target), os.path.realpath(target)
        if path is None and place != self.path:
            check_new(data, place)
        findings = write_atomic(target, data, self._reads, backup and real == os.path.realpath(self.path))
        if real in self._reads:  # it is written again where nobody else has edited it
            self._reads[real] = sha256(data).hexdigest()
        return findings

    def convert(
        self,
        path: str | os.PathLike[str],
        model: str | None = None,
        uri_style: UriStyle = "relative",
        mesh_format: MeshFormat = "obj",
        fixed_base: bool = False,
    ) -> Converted:
        """Write the robot as SDF, URDF, MJCF or USD, with its meshes beside it; nothing if a finding is an error.

        Parameters
        ----------
        path : path
            Its suffix gives the format.
        model : str, optional
            The model to write, of a file with several.
        uri_style, mesh_format, fixed_base
            As in `converted.convert`.

        Raises
        ------
        InertiaError
            ``not_converted``, ``no_link``, or why the models of the file cannot be read.
        OSError
            If it cannot be written.
        """
        from .converted import convert, imported

        with noting_reads() as reads:
            source = imported(self.file, model)
        return convert(source, Path(path), self.path, uri_style, mesh_format, {*self._reads, *reads}, fixed_base)

    @cached_property
    def _names(self) -> dict[FileLink, str]:
        """The name in `links` of each link."""
        links = self.file.links
        return dict(zip(links, _unique((link.model, link.local_name) for link in links), strict=True))

    def _full_names(self, names: Iterable[str]) -> frozenset[str]:
        """Return names of links as `repair_file` knows them."""
        return frozenset(self._full.get(name, name) for name in names)

    @cached_property
    def _full(self) -> dict[str, str]:
        """Their names in the file, by those in `links`."""
        return {name: link.name for link, name in self._names.items()}

    def _weighed(self, weighed: Mapping[str, float] | str | os.PathLike[str]) -> dict[str, float]:
        """Return the masses of links [kg], by names as `repair_file` knows them."""
        pairs = weighed.items() if isinstance(weighed, Mapping) else read_weighed(Path(weighed))
        return weighed_masses((self._full.get(name, name), mass) for name, mass in pairs)


def _unique(named: Iterable[tuple[str, str]]) -> list[str]:
    """Return a name for each element from its model's and its own; the models' only where needed, numbers at last."""
    pairs = list(named)
    alike = Counter(name for _, name in pairs)
    names, seen = [], Counter[str]()
    for model, short in pairs:
        name = short if alike[short] == 1 else f"{model}::{short}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


def _words(given: str | Iterable[str], choices: Collection[str]) -> tuple[str, ...]:
    """Return one word or several as a tuple; raises ValueError for one that is not among the choices."""
    words = (given,) if isinstance(given, str) else tuple(given)
    unknown = [word for word in words if word not in choices]
    if unknown:
        raise ValueError(f"unknown {unknown[0]!r}; choose from {', '.join(choices)}")
    return words


def _params(method: str | None, **given: float | None) -> dict[str, str]:
    """Return how to compute, as in ``auto_inertia_params``; nothing if that is left to the file."""
    lengths = {name: length for name, length in given.items() if length is not None}
    if method is None and not lengths:
        return {}
    method = method or method_of_lengths(lengths)
    params = {"sdf_inertia:method": method}
    chosen_calculator(params)  # raises an error for an unknown one
    return (params_for(method, lengths) if lengths and method in METHODS else {}) or params
