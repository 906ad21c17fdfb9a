# SPDX-License-Identifier: GPL-3.0-or-later
"""`check --from`: files that a list names."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from core.cli.main import main
from tests.core.cli.test_check_formats import GOOD, robot


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(capsys, *words):
    status = main(["check", "--json", *words])
    return status, [one["file"] for one in json.loads(capsys.readouterr().out)["files"]]


@pytest.mark.parametrize("data", [b"a b.sdf\nc.sdf\n", b"a b.sdf\0c.sdf\0", b"\xef\xbb\xbfa b.sdf\r\n\r\nc.sdf"])
def test_a_list_names_one_file_per_line_or_before_each_nul(here, capsys, data):
    robot(here, GOOD, name="a b.sdf")
    robot(here, GOOD, name="c.sdf")
    (here / "list").write_bytes(data)
    assert checked(capsys, "--from", "list") == (0, ["a b.sdf", "c.sdf"])


def test_files_of_a_list_follow_those_named_and_each_counts_once(here, capsys, monkeypatch):
    for name in ("a.sdf", "b.sdf"):
        robot(here, GOOD, name=name)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"./b.sdf\na.sdf\n")))
    assert checked(capsys, "a.sdf", "--from", "-") == (0, ["a.sdf", "b.sdf"])


def test_an_empty_list_is_nothing_to_check(here, capsys):
    (here / "list").write_bytes(b"\n")
    assert checked(capsys, "--from", "list") == (0, [])
    assert main(["check", "--from", "list"]) == 0


def test_a_list_that_cannot_be_read_stops_the_check(capsys):
    assert main(["check", "--from", "absent"]) == 2
    assert "[file_read]" in capsys.readouterr().err
