# SPDX-License-Identifier: Apache-2.0
"""``view``: a robot, a mesh or a folder of robots in the browser, as the pages of ``report --format html``."""

from __future__ import annotations

import re
import webbrowser
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from ..body.materials import WATER, checked_density, checked_mass
from ..errors import InertiaError
from ..formats.table import ROBOTS
from ..status import CANNOT_RUN, DONE
from ..view.index_page import index_html
from ..view.page import page_html
from ..view.thumbnail import thumbnail
from .batch.task import OUTCOMES
from .finding_text import log_findings
from .options.file_options import add_engines, add_roots, add_scale, add_total_mass, number
from .options.inputs import inputs_of
from .running import log, status_of
from .scenes import read_scene
from .terminal import library_bar

EXAMPLES = """\
examples:
  sdf-inertia view robot.urdf  # opens the browser; Ctrl-C ends it
  sdf-inertia view src  # an index of all robots below src, with their pages
  sdf-inertia view wheel.stl --scale 0.001 --density 2700
"""

_NUMBERED = re.compile(r"/(?P<number>\d{1,6})(?P<picture>\.png)?", re.ASCII)
"""The address of a page, or of its picture, below that of the index."""

HOST = "127.0.0.1"
"""Only this machine can reach the page."""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "view",
        help="a robot in the browser: meshes, inertias, joints and findings",
        description="Serves the page to this machine alone, and reads the file again each time it is loaded.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, usage_error=parser.error)
    parser.add_argument("file", metavar="FILE", type=Path, help=f"{ROBOTS}, a mesh, or a folder of robots")
    add_engines(parser)
    add_roots(parser)
    add_scale(parser)
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--density", metavar="KG_M3", type=number(checked_density), help=f"of a mesh; default {WATER:g}")
    given.add_argument("--mass", metavar="KG", type=number(checked_mass), help="of a mesh, instead of a density")
    add_total_mass(parser, "compare the sum of the masses with this mass of the robot")
    parser.add_argument("--port", metavar="N", type=_port, default=0, help="default: one that is free")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    return parser


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) <= 0xFFFF):
        raise ArgumentTypeError(f"'{text}' is not a port from 0 to 65535")
    return int(text)


def run(options: Namespace) -> int:
    """Serve the page of a file until Ctrl-C; see `add_parser`."""
    try:
        files = [Path(name) for name in inputs_of("view", [str(options.file)], None, options=options).files]
        if len(files) == 1:
            page_html(read_scene(files[0], options))  # a file that cannot be read ends the command at once
        index = _index(files, options).encode() if len(files) > 1 else b""
    except InertiaError as error:
        log_findings([error.about(str(options.file)).finding()])
        return status_of(error)
    try:
        server = ThreadingHTTPServer((HOST, options.port), _handler(options, files, index))
    except OSError as error:
        log(f"cannot use port {options.port}: {error.strerror}")
        return CANNOT_RUN
    with server:
        address = f"http://{HOST}:{server.server_port}/"
        print(f"{address}  Ctrl-C ends it.", flush=True)
        try:
            if not options.no_browser:  # one in a terminal returns when it is left
                Thread(target=webbrowser.open_new_tab, args=(address,), daemon=True).start()
            server.serve_forever()
        except KeyboardInterrupt:
            return DONE
    return DONE


def is_local(host: str) -> bool:
    """Return True if a Host header names this machine."""
    try:
        return urlsplit(f"//{host}").hostname in (HOST, "localhost")
    except ValueError:  # a broken address of IPv6
        return False


def _index(files: Sequence[Path], options: Namespace) -> str:
    """Return the index of many robots, each of which is reported on now; their pages are numbered from 1."""
    from .batch.summary import entry_of, first_message  # for folders alone
    from .report import task

    entries = []
    with library_bar(len(files), "view") as advance:
        for number, path in enumerate(files, 1):
            status, value = task(Namespace(**vars(options) | {"input": path, "gazebo": False}), None)
            line = {"input": str(path), "outcome": OUTCOMES[status], "message": first_message(value), "result": value}
            entries.append(entry_of(line, str(number) if value["models"] else None))
            advance(sum(entry.severity == "error" for entry in entries))
    return index_html(entries)


def _handler(options: Namespace, files: Sequence[Path], index: bytes) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers with the page. Under another host's name it answers nothing: that would be a page elsewhere."""

        def handle(self) -> None:
            with suppress(ConnectionError):  # a browser that is left before all has arrived
                super().handle()

        def do_GET(self) -> None:
            wanted = _NUMBERED.fullmatch(self.path)
            number = 1 if self.path == "/" else int(wanted["number"]) if wanted and index else 0
            if not is_local(self.headers.get("Host", "")) or not 1 <= number <= len(files):
                self.send_error(404)
                return
            kind, status = "text/html; charset=utf-8", 200
            try:
                if self.path == "/" and index:
                    data = index
                elif wanted is not None and wanted["picture"]:
                    data, kind = thumbnail(read_scene(files[number - 1], options)), "image/png"
                else:
                    data = page_html(read_scene(files[number - 1], options)).encode()
            except InertiaError as error:
                data, kind, status = str(error.about(files[number - 1].name)).encode(), "text/plain; charset=utf-8", 500
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing: the terminal is for findings."""

    return Handler
