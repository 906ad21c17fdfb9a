# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutated mesh files through `check`, `mass`, `fill` and `report`: status 0, 1 or 2, and no words but our own.

    python tools/fuzz_meshes.py --count 20000 --seed 0

Each file depends on the seed and its number alone, so that one which fails is made again by ``--first N --count 1``.
Exit status 1 where anything failed.
"""

from __future__ import annotations

import argparse
import faulthandler
import io
import logging
import re
import sys
import traceback
import warnings
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

import trimesh

from core.cli.main import main as command_line

SDF = (
    "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='1'><density>1</density></inertial>"
    "<collision name='c'><geometry><mesh><uri>{}</uri></mesh></geometry></collision></link></model></sdf>"
)

OWN = re.compile(r"(error|warning|info|cannot write|\S+\.\w+): ")
"""How a line of ours on standard error begins."""

NUMBER = re.compile(rb"-?\d[\d.e+-]*")

NUMBERS = (
    *(b"", b"0", b"-1", b"3", b"255", b"65536", b"2147483648", b"9223372036854775808", b"9" * 400, b"1_0"),
    *(b"nan", b"inf", b"-1e308", b"1e308", b"1e154", b"1e39", b"1e-160", b"1e-320", b"5e-324", b"0x10"),
)

CORNERS = (bytes(4), b"\xff" * 4, b"\x00\x00\x80\x7f", b"\x00\x00\xc0\x7f", b"\x01\x00\x00\x00", b"\xff\xff\x7f\x7f")
"""Four bytes each: zeros, the largest integer, infinity, no number, the smallest number, the largest."""


def originals() -> dict[str, list[bytes]]:
    """Return small files of each format, by suffix."""
    logging.disable()  # trimesh would like to have scipy for its normals
    solids = [trimesh.creation.box((1, 2, 3)), trimesh.creation.icosphere(1), trimesh.creation.box((1, 1, 1))]
    solids.append(trimesh.util.concatenate(solids[0], solids[2].apply_translation((0.5, 0.5, 0.5))))
    found: dict[str, list[bytes]] = {}
    for suffix in ("obj", "stl", "stl_ascii", "ply", "off", "glb", "dae"):
        data = [solid.export(file_type=suffix) for solid in solids]
        texts = [one.encode() if isinstance(one, str) else bytes(one) for one in data]
        found.setdefault(suffix.removesuffix("_ascii"), []).extend(texts)
    found["ply"] += [solid.export(file_type="ply", encoding="ascii") for solid in solids]
    found["gltf"] = [
        trimesh.Scene(solid).export(file_type="gltf", embed_buffers=True)["model.gltf"] for solid in solids
    ]
    logging.disable(logging.NOTSET)
    return found


def mutated(text: bytes, random: Random) -> bytes:
    """Return a file with one to four faults in it: of numbers, of bytes, of length."""
    data = bytearray(text)
    for _ in range(random.randint(1, 4)):
        place, kind = random.randrange(max(len(data), 1)), random.randrange(6)
        if kind <= 1:
            match = NUMBER.search(data, place)
            if match is not None:
                data[match.start() : match.end()] = random.choice(NUMBERS)
        elif kind == 2:
            data[place : place + 4] = random.choice(CORNERS)
        elif kind == 3:
            data[place : place + 1] = bytes([random.randrange(256)])
        elif kind == 4:
            del data[place : place + random.choice((1, 12, 50, len(data)))]
        else:
            data[place:place] = data[place : place + 60] * random.choice((1, 40))
    return bytes(data)


def run(path: Path) -> str:
    """Take a file through the commands; return what came of it, or raise."""
    sdf = path.with_suffix(".sdf")
    sdf.write_text(SDF.format(path.name))
    statuses = []
    for words in (
        ["check", str(path)],
        ["mass", str(path)],
        ["fill", str(sdf), "-o", str(sdf) + ".out"],
        ["report", str(sdf)],
    ):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = command_line(words)
        odd = [line for line in err.getvalue().splitlines() if not OWN.match(line)]
        if status not in (0, 1, 2) or odd:
            raise AssertionError(f"{words[0]} ends in {status} and says:\n" + err.getvalue()[-3000:])
        statuses.append(str(status))
    return "".join(statuses)


def main() -> int:
    """Fuzz by the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--suffix", help="this format alone")
    parser.add_argument("--strict", action="store_true", help="a warning of numpy's is a fault")
    options = parser.parse_args()
    faulthandler.enable()
    files, outcomes, failures = originals(), Counter[str](), 0
    if options.strict:
        # The commands would silence them.
        warnings.simplefilter = lambda *_, **__: None  # type: ignore[assignment]
        warnings.filterwarnings("error", category=RuntimeWarning)
    with TemporaryDirectory() as folder:
        for number in range(options.first, options.first + options.count):
            random = Random(f"{options.seed}:{number}")
            suffix = options.suffix or random.choice(sorted(files))
            path = Path(folder) / f"mesh.{suffix}"
            path.write_bytes(mutated(random.choice(files[suffix]), random))
            try:
                outcomes[run(path)] += 1
            except Exception:
                failures += 1
                print(
                    f"--seed {options.seed} --first {number} --count 1 ({suffix})\n{traceback.format_exc()}", flush=True
                )
    print(f"{options.count} files: {dict(outcomes)}, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
