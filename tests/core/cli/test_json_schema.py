# SPDX-License-Identifier: GPL-3.0-or-later
"""The number of the schema, which is the first key of each JSON that a command writes."""

import json
import re
from pathlib import Path

import pytest

from core.cli.main import main
from core.robot.report import SCHEMA
from tests.core.cli.test_check_formats import GOOD, robot
from tests.core.cli.test_cli import write_obj
from tests.core.solids import box
from tools.house import CHECKOUT


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    robot(tmp_path, GOOD, name="a.sdf")
    robot(tmp_path, GOOD, name="b.sdf")
    write_obj("cube.obj", box((1.0, 1.0, 1.0)))
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("mass", "cube.obj", "--json"),
        ("mass", "cube.obj", "cube.obj", "--json"),
        ("mass", "absent.obj", "--json"),
        ("check", "a.sdf", "--json"),
        ("check", "--json"),
        ("repair", "a.sdf", "--dry-run", "--json"),
        ("repair", "absent.sdf", "--dry-run", "--json"),
        ("fill", "a.sdf", "--json"),
        ("report", "a.sdf", "--format", "json"),
        ("report", "a.sdf", "b.sdf", "--format", "json"),
        ("diff", "a.sdf", "b.sdf", "--json"),
        ("batch", "check", "a.sdf", "--jobs", "1", "--summary", "all.json"),
    ],
    ids=" ".join,
)
def test_each_json_begins_with_the_schema(capsys, words):
    main(words)
    texts = [capsys.readouterr().out, *(path.read_text() for path in Path().glob("all.json"))]
    for text in texts:
        assert next(iter(json.loads(text).items())) == ("schema", SCHEMA)
        assert text.count('"schema"') == 1


@pytest.mark.parametrize("words", [("--format", "sarif"), ("--badge", "-")])
def test_the_schemas_of_others_have_no_such_key(capsys, words):
    main(["check", "a.sdf", *words])
    assert "schema" not in json.loads(capsys.readouterr().out)


def test_the_page_has_the_number():
    page = (CHECKOUT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert re.findall(r'"schema": (\d+)', page) == [str(SCHEMA)]
