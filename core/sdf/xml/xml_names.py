# SPDX-License-Identifier: Apache-2.0
"""Names of elements and attributes in the tree: TinyXML2 ignores namespaces, and accepts more names than XML does."""

from __future__ import annotations

import re

from .characters import Characters

COLON = "\ua789"
"""Replaces ``:`` in the tree's names, which lxml would read as a namespace."""

DOT = "\ua78f"
"""Replaces a character that XML does not allow in names."""

KNOWN_PREFIXES = {
    "gz": "http://gazebosim.org/schema",
    "ignition": "http://ignitionrobotics.org/schema",
    "drake": "http://drake.mit.edu",
    "sdf_inertia": "urn:sdf_inertia",
    "xacro": "http://www.ros.org/wiki/xacro",
}
"""Namespaces of the usual prefixes; another prefix declared with the same one is read as the usual one."""

_PREFIX_OF = {uri: prefix for prefix, uri in KNOWN_PREFIXES.items()}

_LETTER = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff"
    "\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
# Compiled at the first unusual name: each takes as long as reading a file.
_BEGINS = f"[{_LETTER}]"
_FOREIGN = f"[^{_LETTER}.0-9\xb7\u0300-\u036f\u203f\u2040-]"


class XmlNames:
    """The names in one file, and the prefixes that it declares and uses."""

    def __init__(self, characters: Characters) -> None:
        self._characters = characters
        self._declared: dict[str, str] = {"xml": "xml"}
        self._used: dict[str, None] = {}

    def attributes(self, values: dict[str, str], place: int) -> dict[str, str]:
        """Return an element's attributes as in the tree: without declarations of namespaces."""
        if "xmlns" in values:
            self._characters.note("xmlns", place)
        for name, value in values.items():
            if name.startswith("xmlns:"):
                # The declaration's place in the file does not matter; the first one applies.
                prefix = self._characters.decoded(name[6:])
                self._declared.setdefault(prefix, _PREFIX_OF.get(value, prefix))
        return {
            self.in_tree(name, place): value
            for name, value in values.items()
            if name != "xmlns" and not name.startswith("xmlns:")
        }

    def undeclared(self) -> list[str]:
        """Return the prefixes that are used and not declared."""
        return [prefix for prefix in self._used if prefix not in self._declared]

    def in_tree(self, raw: str, place: int) -> str:
        """Return the tree's form of a name at `place` of the text."""
        if raw.isascii() and ":" not in raw:
            return raw
        name = self._characters.decoded(raw)
        parts = name.split(":")
        if len(parts) > 2 or not all(map(_begins, parts)) or any(re.search(_FOREIGN, one) for one in parts):
            self._characters.note("name", place, name)
            parts = [re.sub(_FOREIGN, DOT, part) for part in parts]
            if parts[0] and not _begins(parts[0]):
                parts[0] = DOT + parts[0]
        elif len(parts) == 2:
            self._used[parts[0]] = None
            parts[0] = self._declared.get(parts[0], parts[0])
        return COLON.join(parts)


def _begins(name: str) -> bool:
    return re.match(_BEGINS, name) is not None


def written_name(name: str) -> str:
    """Return a name of the tree as people write it, such as ``gz:voxel_size``."""
    return name.replace(COLON, ":")
