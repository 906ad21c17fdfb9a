# SPDX-License-Identifier: Apache-2.0
"""Which parts of an assembly make a link: all, those of each first branch, or those that patterns name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

from ...body.density_map import from_csv, read_rows
from ...body.pose import Pose, rigid
from ...errors import Finding, InertiaError
from ..sdf.spec.names import UniqueNames
from .assembly import Assembly, Placement

FIRST = "first"
"""The word for a link for each first branch of the assembly."""

COLUMNS = ("link", "match")
"""Columns of a list of links; a pattern is one of ``*``, ``?`` and ``[abc]`` for the path of a part, or of a branch."""

_INSTANCE = re.compile(r":(\d+)$|<(\d+)>$")
"""The number of an instance."""


@dataclass(frozen=True, eq=False)
class PartsOfLink:
    """The parts of a link.

    Parameters
    ----------
    name : str
    pose : Pose
        In the assembly's frame.
    placements : tuple of Placement
        At least one.
    """

    name: str
    pose: Pose
    placements: tuple[Placement, ...]


def links_of(assembly: Assembly, chosen: str | Path | None = None) -> tuple[tuple[PartsOfLink, ...], Sequence[Finding]]:
    """Return the links of an assembly, and findings about their names.

    Parameters
    ----------
    assembly : Assembly
    chosen : {"first"} or Path, optional
        A link for each first part or sub-assembly, in its own frame; or a CSV with the columns `COLUMNS`, whose links
        are in the assembly's frame. By default all parts are one link.

    Raises
    ------
    InertiaError
        ``no_part``, or ``bad_density_map`` for a list that cannot be read.
    """
    placements, names = assembly.placements, UniqueNames()
    if chosen is None:
        return (PartsOfLink(names.give(assembly.name), Pose.identity, placements),), names.findings
    if chosen != FIRST:
        return tuple(_listed(assembly, Path(chosen), names)), names.findings
    branches: dict[tuple[str, ...], list[Placement]] = {}
    for placement in placements:
        branches.setdefault(tuple(step.shown for step in placement.path[:2]), []).append(placement)
    links = [
        PartsOfLink(names.give(_INSTANCE.sub(r"_\1\2", branch[-1])), rigid(*members[0].branch)[0], tuple(members))
        for branch, members in branches.items()
    ]
    return tuple(links), names.findings


def _listed(assembly: Assembly, path: Path, names: UniqueNames) -> Iterator[PartsOfLink]:
    """Yield the links of a list, in its order."""
    rows = [
        (row["link"].strip(), row["match"].strip())
        for _, row in read_rows(path, partial(from_csv, columns=COLUMNS, needed=COLUMNS), _bad)
    ]
    members: dict[str, list[Placement]] = {}
    link_of: dict[Placement, str] = {}
    for link, match in rows:
        matched = [placement for placement in assembly.placements if _matches(placement.shown, match)]
        if not (link and matched):
            raise InertiaError.of("no_part", str(path), "link", link=link, match=match)
        for placement in matched:
            first = link_of.setdefault(placement, link)
            if first != link:
                raise InertiaError.of("no_part", placement.shown, "two", first=first, second=link)
    for placement in assembly.placements:
        if placement in link_of:
            members.setdefault(link_of[placement], []).append(placement)
    rest = [placement.shown for placement in assembly.placements if placement not in link_of]
    if rest:
        raise InertiaError.of("no_part", str(path), "rest", count=len(rest), parts=", ".join(rest[:3]))
    for link in dict.fromkeys(link for link, _ in rows):
        yield PartsOfLink(names.give(link), Pose.identity, tuple(members[link]))


def _matches(shown: str, match: str) -> bool:
    """Return True if a pattern matches the path of a part, or that of a branch that it is in."""
    return fnmatchcase(shown, match) or fnmatchcase(shown, f"{match}/*")


def _bad(path: Path, reason: str) -> InertiaError:
    return InertiaError.of("bad_density_map", str(path), "links", reason=reason, columns=",".join(COLUMNS))
