# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the table of core/sdf/spec/description.py from what libsdformat installs: the .sdf files of its 1.12.

Only facts are taken: names, types, counts and limits. Run it with that folder; it prints the lines of TABLE.
"""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import fill

from lxml import etree

KINDS = {
    "double": "f",
    "float": "e",
    "int": "i",
    "unsigned int": "u",
    "bool": "b",
    "string": "s",
    "vector3": "v",
    "vector2d": "w",
    "color": "c",
    "pose": "p",
    "time": "t",
}
COUNTS = {"0": "?", "1": "!", "*": "*", "+": "+", "-1": "?"}


def main(folder: Path) -> None:
    """Print a line for each file that is reached from root.sdf, in the order in which they are met."""
    waiting, done = ["root.sdf"], set()
    while waiting:
        name = waiting.pop(0)
        if name not in done:
            done.add(name)
            root = _root(folder, name)
            head = root.get("name") + (f":{KINDS[root.get('type')]}" if root.get("type") else "")
            print(
                fill(f"{head} = {_content(folder, root, waiting)}", 118, subsequent_indent=" ", break_on_hyphens=False)
            )


def _root(folder: Path, name: str) -> etree._Element:
    return etree.parse(folder / name).getroot()


def _content(folder: Path, element: etree._Element, waiting: list[str]) -> str:
    """Return attributes, then elements described here, then those of other files: libsdformat's own order."""
    # libsdformat looks at the limits of elements only.
    words = [f"@{_typed(one, limits=False)}" for one in element.iterchildren("attribute")]
    for one in element.iterchildren("element"):
        if one.get("copy_data"):
            words.append("...")
        elif one.get("ref"):
            words.append(f"{one.get('name')}{COUNTS[one.get('required')]}")
            waiting.append(f"{one.get('ref')}.sdf")
        else:
            inner = _content(folder, one, waiting)
            words.append(_typed(one) + (f"( {inner} )" if inner or not one.get("type") else ""))
    for one in element.iterchildren("include"):
        root = _root(folder, one.get("filename"))
        words.append(f"{root.get('name')}{COUNTS[one.get('required') or root.get('required')]}")
        waiting.append(one.get("filename"))
    return " ".join(words)


def _typed(one: etree._Element, limits: bool = True) -> str:
    kind = f":{KINDS[one.get('type')]}" if one.get("type") else ""
    if limits and kind in (":f", ":e", ":i", ":u") and (one.get("min") or one.get("max")):
        kind += f"[{one.get('min') or ''},{one.get('max') or ''}]"
    return f"{one.get('name')}{kind}{COUNTS[one.get('required').strip()]}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
