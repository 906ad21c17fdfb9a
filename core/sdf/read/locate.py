# SPDX-License-Identifier: GPL-3.0-or-later
"""From a URI to a file below an allowed root; nothing else is opened, and nothing is fetched."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from ...errors import InertiaError
from ...files.input_file import note_missing, on_a_drive_of
from ..codes import sdf_error

SEARCH_VARIABLES = ("GZ_SIM_RESOURCE_PATH", "SDF_PATH")
"""Environment variables whose folders are roots as well."""

_DRIVE = re.compile("^/(?=[A-Za-z]:/)")
"""What stands before a drive in ``file:///C:/...``."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?://)?(.*)", re.DOTALL)


class NotFoundError(InertiaError):
    """What a URI names may exist, but not where files may be read."""


class NetworkError(NotFoundError):
    """What a URI names would have to be fetched, which is never done."""


@dataclass(frozen=True)
class Locator:
    """Finds what URIs of a file in `folder` name; `roots` are real paths, `folder` among them."""

    folder: Path
    roots: tuple[Path, ...]

    @classmethod
    def of(cls, folder: Path, roots: Sequence[Path] = ()) -> Locator:
        """Look in a file's folder, the given roots, then the folders of `SEARCH_VARIABLES`."""
        listed = [folder, *roots]
        for variable in SEARCH_VARIABLES:
            listed += [Path(name) for name in os.environ.get(variable, "").split(os.pathsep) if name]
        real = [Path(os.path.realpath(root)) for root in listed]
        return cls(real[0], tuple(dict.fromkeys(real)))

    def inside(self, folder: Path) -> Locator:
        """Return the locator of a file that was itself found, in `folder`: its own folder comes first."""
        return Locator(folder, self.roots)

    def find(self, uri: str, place: object) -> Path:
        """Return the real path of what `uri` names, a file or a folder.

        Parameters
        ----------
        uri : str
            A relative path, an absolute one, or ``model://``, ``package://`` or ``file://`` and a path.
        place : object
            Where the URI stands: text, or what becomes text in a message.

        Raises
        ------
        InertiaError
            ``uri_refused`` for a URI that is none.
        NotFoundError
            ``uri_refused`` for what lies outside of every root or would have to be fetched, ``uri_lookup`` for what
            is in none.
        """
        uri = uri.strip()
        if not uri or not uri.isprintable():
            raise _refused(uri, place, "it is empty" if not uri else "it holds a control character")
        outside = False
        for candidate in self._candidates(uri, place):
            if not on_a_drive_of(candidate, self.roots):
                outside = True
                continue
            real = Path(os.path.realpath(candidate))
            if any(real.is_relative_to(root) for root in self.roots):
                if os.path.exists(real):  # False, too, for what the system will not even look at
                    return real
                note_missing(real)
            else:
                outside = True
        if outside:
            raise NotFoundError(*_refused(uri, place, "it leads outside of the folders that may be read").args)
        searched = ", ".join(str(root) for root in self.roots)
        remedy = "give the folder that holds it with --path"
        raise NotFoundError(*sdf_error("uri_lookup", place, f"{ascii(uri)} is in none of {searched}", remedy).args)

    def _candidates(self, uri: str, place: object) -> Iterator[Path]:
        match = _SCHEME.fullmatch(uri)
        scheme, rest = (match[1].lower(), match[2]) if match else ("", uri)
        if len(scheme) == 1 and os.name == "nt":  # a drive
            yield Path(uri)
        elif scheme == "file":
            # As simulators read it, and as ours is written; else with %20 for a space.
            for path in dict.fromkeys((rest, unquote(rest))):
                yield self.folder / (_DRIVE.sub("", path) if os.name == "nt" else path)
        elif scheme in ("model", "package"):
            parts = [part for part in rest.split("/") if part]
            for root in self.roots:
                yield root.joinpath(*parts)
            # A root may also be the very folder that the URI goes through: a model that names itself.
            for root in dict.fromkeys((self.folder, *self.roots)):
                if root.name in parts:
                    yield root.joinpath(*parts[parts.index(root.name) + 1 :])
        elif scheme:
            raise NetworkError(*_refused(uri, place, f"'{scheme}:' would have to be fetched, which is never done").args)
        elif rest.startswith("/"):
            yield Path(rest)
        else:
            yield from (root / rest for root in dict.fromkeys((self.folder, *self.roots)))


def _refused(uri: str, place: object, reason: str) -> InertiaError:
    remedy = "copy the file below the model, or give its folder with --path"
    return InertiaError("uri_refused", str(place), f"the URI {ascii(uri[:200])} is refused: {reason}", remedy)
