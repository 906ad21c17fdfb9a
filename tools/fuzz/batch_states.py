# SPDX-License-Identifier: GPL-3.0-or-later
"""State files of a batch, damaged as SQLite files or row by row; then the batch resumes by ``--resume``.

Whatever the state, the report must have one line for each input, the same as from a new batch.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from .octets import damaged
from .oracle import FaultError, command
from .values import ODD_NUMBERS, ODD_TEXTS

MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
COUNT = 3

COLUMNS = ("input", "digest", "key", "outcome", "line", "read", "written")

COMMANDS = (
    "DROP TABLE done",
    "ALTER TABLE done RENAME TO gone",
    "ALTER TABLE done DROP COLUMN line",
    "ALTER TABLE done ADD COLUMN more TEXT NOT NULL DEFAULT 'x'",
    "CREATE TRIGGER t BEFORE INSERT ON done BEGIN SELECT RAISE(ABORT, 'no'); END",
    "CREATE TRIGGER t AFTER INSERT ON done BEGIN DELETE FROM done; END",
    "CREATE VIEW v AS SELECT * FROM done",
    "PRAGMA user_version=7",
    "PRAGMA journal_mode=DELETE",
    "DELETE FROM done",
    "INSERT INTO done SELECT input || 'x', digest, key, outcome, line, read, written FROM done",
    "UPDATE done SET line=(SELECT line FROM done LIMIT 1)",
    "UPDATE done SET outcome='done', key=(SELECT key FROM done LIMIT 1)",
)


def make(random: Random, folder: Path) -> Path:
    """Write a folder of meshes, a complete report, and its state with faults in it; return the state."""
    clean, path = _clean(folder), folder / "r.jsonl.state"
    (folder / "r.jsonl").write_text("")
    for rest in folder.glob("r.jsonl.state*"):
        rest.unlink()
    shutil.copy(clean, path)
    kind = random.random()
    if kind < 0.6:
        with sqlite3.connect(path) as file:
            for _ in range(random.choice((1, 1, 2))):
                _damage_rows(file, random)
        file.close()
    if kind > 0.5:
        path.write_bytes(_damaged_pages(path.read_bytes(), random))
    return path


@cache
def _clean(folder: Path) -> Path:
    """Return the state of a batch that succeeded, with its inputs and lines next to it."""
    for number in range(COUNT):
        (folder / f"{number}.obj").write_text(MESH.format(number + 1 if number else "x"))
    clean = folder / "clean.sqlite"
    _resumed(folder)
    shutil.copy(folder / "r.jsonl.state", clean)
    (folder / "clean.json").write_text(json.dumps(_lines(folder)))
    return clean


def _damage_rows(file: sqlite3.Connection, random: Random) -> None:
    try:
        if random.random() < 0.4:
            file.execute(random.choice(COMMANDS))
            return
        odd = (
            *ODD_NUMBERS,
            *ODD_TEXTS,
            None,
            7,
            1.5,
            b"\xff\0",
            "[]",
            "{}",
            '{"/dev/zero": "x"}',
            '{"input": 1}',
            "[" * 9999,
        )
        where = f"rowid={random.randint(1, COUNT)}" if random.random() < 0.7 else "1"
        file.execute(f"UPDATE done SET {random.choice(COLUMNS)}=? WHERE {where}", (random.choice(odd),))
    except (sqlite3.Error, UnicodeEncodeError):  # an earlier fault left nothing readable
        pass


def _damaged_pages(data: bytes, random: Random) -> bytes:
    """Change the file's header, the header of a page, or any bytes."""
    kind, changed = random.random(), bytearray(data)
    if kind < 0.4 and data:
        start = 0 if random.random() < 0.4 else 4096 * random.randrange(max(len(data) // 4096, 1))
        changed[start + random.randrange(100) : start + 100] = random.randbytes(random.choice((1, 2, 4)))
        return bytes(changed)
    return damaged(data, random)


def run(path: Path) -> str:
    """Resume the batch; return the outcome."""
    folder = path.parent
    status = _resumed(folder)
    lines = _lines(folder)
    if status == 2:
        return "refused at once" if not lines else "given up"
    expected = json.loads((folder / "clean.json").read_text())
    if lines != expected:
        raise FaultError(f"the report says\n{lines}\nand not\n{expected}")
    return "resumed"


def _resumed(folder: Path) -> int:
    before = Path.cwd()
    os.chdir(folder)
    try:
        return _command(folder)()
    finally:
        os.chdir(before)


@cache
def _command(folder: Path) -> Callable[[], int]:
    inputs = [f"{number}.obj" for number in range(COUNT)]
    return command(["batch", "check", *inputs, "--jobs", "1", "--report", "r.jsonl", "--resume", "--summary", "s.json"])


def _lines(folder: Path) -> list[str]:
    """Return the report's lines in order, without times."""
    lines = (folder / "r.jsonl").read_text().splitlines()
    return sorted(json.dumps(json.loads(line) | {"seconds": 0}, sort_keys=True) for line in lines)
