# SPDX-License-Identifier: Apache-2.0
"""``explain``: the meaning of a code in brackets, and how to fix it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from ..findings.listed import Entry, areas, error_codes_text, listed
from ..findings.message import readable
from ..formats.sdf.spec.codes import SDF_CODES
from ..status import CANNOT_RUN, DONE
from .options.arguments import did_you_mean
from .terminal import Output

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
    output = Output.to(sys.stdout)
    for number, entry in enumerate(listed()[code] for code in codes if code in listed()):
        if number:
            output.line("")
        _print_entry(output, entry)
    return CANNOT_RUN if unknown else DONE


def _print_entry(output: Output, entry: Entry) -> None:
    """Print the catalogue's text on a code."""
    output.line(f"{entry.code}: {entry.title} ({' or '.join(entry.severities)})", "bold")
    codes = SDF_CODES.get(entry.code, ())
    of_libsdformat = f"libsdformat reports {error_codes_text(codes)}." if codes else ""
    for text in (entry.meaning, f"Fix: {entry.remedy}", of_libsdformat, "Messages:" if entry.messages else ""):
        if text:
            output.line("")
            output.wrapped(text, hanging=0)
    for message in entry.messages.values():
        output.wrapped(readable(message.text), 2)
        if message.remedy:
            output.wrapped(f"Fix: {readable(message.remedy, is_remedy=True)}", 4)
