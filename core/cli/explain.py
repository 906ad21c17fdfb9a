# SPDX-License-Identifier: Apache-2.0
"""``explain``: the meaning of a code in brackets, and how to fix it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

from ..findings.listed import Entry, areas, error_codes_text, listed
from ..findings.message import readable
from ..formats.sdf.spec.codes import SDF_CODES
from ..status import CANNOT_RUN, DONE
from .options.arguments import did_you_mean
from .terminal import WIDTH

EXAMPLES = """\
examples:
  sdf-inertia explain triangle_inequality
  sdf-inertia explain  # the list of all codes
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "explain",
        help="what the code of a finding means, and what to do about it",
        description="Each finding ends in its [code]. Without a CODE, lists all of them.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("codes", metavar="CODE", nargs="*")
    return parser


def run(options: Namespace) -> int:
    """Explain codes; see `add_parser`."""
    if not options.codes:
        for area in areas():
            print(f"{area.title}\n" + "".join(f"  {entry.code:<26} {entry.title}\n" for entry in area.entries))
        return DONE
    codes = [code.strip("[]") for code in options.codes]
    unknown = [code for code in codes if code not in listed()]
    for code in unknown:
        print(f"unknown code {code!a}{did_you_mean(code, listed())}", file=sys.stderr)
    if len(unknown) < len(codes):
        print("\n\n".join(text_of(listed()[code]) for code in codes if code in listed()))
    return CANNOT_RUN if unknown else DONE


def text_of(entry: Entry) -> str:
    """Return the catalogue's text on a code."""
    codes, width = SDF_CODES.get(entry.code, ()), min(WIDTH, get_terminal_size((WIDTH, 0)).columns)
    parts = [f"{entry.code}: {entry.title} ({' or '.join(entry.severities)})", "", fill(entry.meaning, width)]
    parts += ["", fill(f"Fix: {entry.remedy}", width)]
    if codes:
        parts += ["", f"libsdformat reports {error_codes_text(codes)}."]
    if entry.messages:
        parts += ["", "Messages:"]
    for message in entry.messages.values():
        parts.append(fill(readable(message.text), width, initial_indent="  ", subsequent_indent="    "))
        if message.remedy:
            remedy = readable(message.remedy, is_remedy=True)
            parts.append(fill(remedy, width, initial_indent="    Fix: ", subsequent_indent="      "))
    return "\n".join(parts)
