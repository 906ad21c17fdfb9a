# SPDX-License-Identifier: Apache-2.0
"""The configuration of a project: ``sdf-inertia.toml``, or ``[tool.sdf-inertia]`` in ``pyproject.toml``.

The nearest one in the folders above a file applies to it. It cannot run anything, write anything, or let files be read
that are not below its own folder.
"""

from __future__ import annotations

import os
import stat
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ...body.materials import checked_mass
from ...errors import InertiaError
from ...escapes import for_log
from ...files.input_file import note_missing, on_a_drive_of, read_bytes
from ...findings.listed import listed
from .arguments import did_you_mean

OWN_FILE, SHARED_FILE = "sdf-inertia.toml", "pyproject.toml"

MAX_BYTES = 1024 * 1024
"""Maximum size of a configuration [bytes]."""


@dataclass(frozen=True, eq=False)
class Configuration:
    """What a project's configuration says.

    Parameters
    ----------
    path : Path or None
        Its file; None without one.
    ignore : mapping of str to str
        Codes of findings that are accepted, each with the reason.
    engines : tuple of str
        For ``--for``.
    strict : bool
    total_mass : mapping of str to float
        Masses of robots [kg] by their paths below its folder, which may be patterns such as ``robots/*.urdf``.
    paths : tuple of Path
        Folders in which URIs are looked up.
    """

    path: Path | None = None
    ignore: Mapping[str, str] = field(default_factory=dict)
    engines: tuple[str, ...] = ()
    strict: bool = False
    total_mass: Mapping[str, float] = field(default_factory=dict)
    paths: tuple[Path, ...] = ()

    def mass_of(self, robot: Path) -> float | None:
        """Return the mass [kg] of the robot of a file, if it is given."""
        if self.path is None:
            return None
        # The name under which it is given may be a link to a file elsewhere.
        given = os.path.join(os.path.realpath(os.path.dirname(robot)), os.path.basename(robot))
        above = os.path.realpath(self.path.parent)
        names = {Path(os.path.relpath(path, above)).as_posix() for path in (given, os.path.realpath(robot))}
        masses = self.total_mass.items()
        return next((mass for pattern, mass in masses if any(fnmatchcase(name, pattern) for name in names)), None)

    def applied(self, options: Namespace, robot: Path) -> Namespace:
        """Return the options for a robot's file: what the command line does not set is set from here."""
        values = vars(options).copy()
        if "roots" in options:
            values["roots"] = [*options.roots, *self.paths]
        if "engines" in options and "total_mass" in options:  # of commands that judge: others change files by these
            values["engines"] = options.engines or self.engines
            values["total_mass"] = self.mass_of(robot) if options.total_mass is None else options.total_mass
            values["strict"] = getattr(options, "strict", False) or self.strict
        return Namespace(**values)


def add_configuration(parser: ArgumentParser) -> None:
    """Add the options to name a configuration, or to use none."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help=f"the configuration; default: the nearest {OWN_FILE}, or {SHARED_FILE} with [tool.sdf-inertia], above"
        " each file",
    )
    group.add_argument("--no-config", action="store_true", help="use no configuration")
    parser.set_defaults(announced=set())


def configuration_of(file: Path, options: Namespace) -> Configuration:
    """Return the configuration for a file, by the options of `add_configuration`.

    Raises
    ------
    InertiaError
        ``bad_config``, or why the file cannot be read.
    """
    if options.no_config:
        return Configuration()
    if options.config is not None:
        named = _read(options.config, is_own=options.config.name != SHARED_FILE)
        if named is None:
            raise InertiaError.of("bad_config", str(options.config), "section")
        return named
    for folder in _above(file):
        for name in (OWN_FILE, SHARED_FILE):
            path = folder / name if file.is_absolute() else Path(os.path.relpath(folder / name))
            if not os.path.isfile(path):  # nor if its folder cannot be searched
                note_missing(path)  # a batch is done again where it appears
            elif (configuration := _read(path, is_own=name == OWN_FILE)) is not None:
                return configuration
    return Configuration()


def configured(file: Path, options: Namespace) -> tuple[Namespace, Configuration]:
    """Return the options for a file with those of its configuration, and that; the first time, log which file it is.

    Raises what `configuration_of` does.
    """
    configuration = configuration_of(file, options)
    if configuration.path is not None and "announced" in options and configuration.path not in options.announced:
        from ..finding_text import short  # which reads more modules than `mass` needs

        options.announced.add(configuration.path)
        print(for_log(f"configuration: {short(configuration.path)}"), file=sys.stderr)
    return configuration.applied(options, file), configuration


def _above(file: Path) -> Iterator[Path]:
    """Yield the folders above a file, the nearest first, up to that of the Git repository or the user's home.

    A folder in which anyone may put a file, such as ``/tmp``, has no configuration.
    """
    home = os.path.realpath(os.path.expanduser("~"))
    folder = Path(os.path.abspath(file)).parent
    for above in (folder, *folder.parents):
        if above == above.parent or _is_open_to_all(above):
            return
        yield above
        if os.path.exists(above / ".git") or os.path.realpath(above) == home:
            return


def _is_open_to_all(folder: Path) -> bool:
    try:
        mode = folder.stat().st_mode
    except OSError:
        return True
    return bool(mode & stat.S_ISVTX and mode & stat.S_IWOTH)


def _read(path: Path, is_own: bool) -> Configuration | None:
    """Read a configuration; None for a file of a project that has no section for us."""
    import tomllib  # which a project without a configuration does not need

    data = read_bytes(path, MAX_BYTES)
    if not is_own and b"sdf-inertia" not in data:
        return None
    try:
        table: Any = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise InertiaError.of("bad_config", str(path), "toml", reason=error) from None
    if not is_own:
        tools = table.get("tool")
        table = tools.get("sdf-inertia") if isinstance(tools, dict) else None
    return None if table is None else _checked(path, table)


def _checked(path: Path, table: Any) -> Configuration:
    """Return the settings of a table; raises ``bad_config`` for a wrong one."""
    if not isinstance(table, dict):
        raise InertiaError.of("bad_config", str(path), "value", key="tool.sdf-inertia", needed="a table")
    values = {}
    for key, value in table.items():
        if key not in SETTINGS:
            near, known = did_you_mean(key, SETTINGS), ", ".join(SETTINGS)
            raise InertiaError.of("bad_config", str(path), "key", key=key, hint=near, known=known)
        read, needed = SETTINGS[key]
        try:
            values[key.replace("-", "_")] = read(value, path)
        except _UnknownError as unknown:
            near = did_you_mean(unknown.args[0], unknown.args[1])
            raise InertiaError.of(
                "bad_config", str(path), "unknown", key=key, word=unknown.args[0], hint=near
            ) from None
        except (ValueError, TypeError, AttributeError, OverflowError, InertiaError):  # of a value of another type
            raise InertiaError.of("bad_config", str(path), "value", key=key, needed=needed) from None
    return Configuration(path, **values)


class _UnknownError(Exception):
    """A word of a setting is not among those that are known: the word, and these."""


def _codes(value: Any, _: Path) -> dict[str, str]:
    for code, reason in value.items():
        if code not in listed():
            raise _UnknownError(code, listed())
        if not reason.strip():
            raise ValueError
    return dict(value)


def _engines(value: Any, _: Path) -> tuple[str, ...]:
    from ...engines.known import ENGINES

    for name in _list(value):
        if name not in ENGINES:
            raise _UnknownError(str(name), ENGINES)
    return tuple(engine for engine in ENGINES if engine in value)


def _switch(value: Any, _: Path) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _masses(value: Any, _: Path) -> dict[str, float]:
    if any(isinstance(mass, (str, bool)) for mass in value.values()):  # which float() takes
        raise TypeError
    return {name: checked_mass(float(mass)) for name, mass in value.items()}


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):  # letters of a text, or keys of a table
        raise TypeError
    return value


def _folders(value: Any, path: Path) -> tuple[Path, ...]:
    """Return folders below that of the configuration; a path to another machine or drive is not looked at."""
    above = Path(os.path.realpath(path.parent))
    for name in _list(value):
        real = Path(os.path.realpath(above / name)) if on_a_drive_of(above / name, [above]) else Path()
        if not (real.is_relative_to(above) and real.is_dir()):
            raise ValueError
    return tuple(path.parent / name for name in value)


SETTINGS: Mapping[str, tuple[Callable[[Any, Path], Any], str]] = {
    "ignore": (_codes, 'a table of codes, each with the reason, such as `stale = "by hand"`'),
    "engines": (_engines, "a list of engines, as for --for"),
    "strict": (_switch, "true or false"),
    "total-mass": (_masses, 'a table of files with masses in kg, such as `"robots/arm.urdf" = 12.5`'),
    "paths": (_folders, "a list of folders that exist below its own; give others by --path"),
}
"""What reads each setting, and what it needs."""
