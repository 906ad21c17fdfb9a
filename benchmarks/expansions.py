# SPDX-License-Identifier: GPL-3.0-or-later
"""The xacro files of two packages: expanded here, and by the command line of the package xacro.

``make .venvs/robots/.ready && .venvs/robots/bin/python -m benchmarks.expansions``
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter

from lxml import etree

from core.document.document import Document
from core.document.locate import Locator
from core.errors import InertiaError
from core.formats.xacro.read import expand

from .command import files, finish, options, packages, ready, run, table

TITLE = "xacro files of two packages"
THEIRS = """
import sys, json, xacro, xacro.substitution_args as arguments
arguments._eval_find = arguments._eval_dict["find"] = json.loads(sys.argv.pop(1)).__getitem__
xacro.main()
"""
"""xacro's command line, with packages given by name instead of by ROS."""


def main() -> int:
    """Compare all files and print the result."""
    chosen = ready(options("Compare expansions of xacro.", "expansions"))
    folder = packages()["rtbdata"] / "xacro"
    roots = [folder, folder / "kuka_description"]
    known = {one.name: str(one) for root in roots for one in sorted(root.iterdir()) if one.is_dir()}
    known["ridgeback_description"] = known["clearpath_ridgeback_description"]  # by its package.xml
    counts: Counter[str] = Counter()
    for file in files(".xacro"):
        done = run(sys.executable, "-c", THEIRS, json.dumps(known), file.absolute)
        try:
            locator = Locator.of(file.absolute.parent, roots)
            ours = expand(Document.read(file.absolute), locator, {}).data
            same = done.code == 0 and canonical(ours) == canonical(done.out.encode())
            counts["the same" if same else "different"] += 1
            if not same:
                print(f"{file.name}: different {done.err[:120]}", file=sys.stderr)
        except InertiaError as error:
            counts[f"error {error.code}; xacro {'fails too' if done.code else 'expands it'}"] += 1
            print(f"{file.name}: {error.message[:120]}", file=sys.stderr)
    text = f"{sum(counts.values())} files: example-robot-data and rtb-data, by canonical XML without white space.\n\n"
    text += table("result | files", [*counts.most_common()])
    finish(chosen, TITLE, text)
    return 1 if counts["different"] else 0


def canonical(data: bytes) -> bytes:
    """Return XML without comments, unused namespaces and the white space that xacro writes for people."""
    root = etree.fromstring(data, etree.XMLParser(remove_comments=True))
    for one in root.iter():
        one.text, one.tail = (re.sub(r"\s+", " ", text or "").strip() for text in (one.text, one.tail))
    etree.cleanup_namespaces(root)
    return etree.tostring(root, method="c14n")


if __name__ == "__main__":
    sys.exit(main())
