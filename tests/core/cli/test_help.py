# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line says of itself: its version, and examples that are right."""

import argparse
import shlex
import tomllib

import pytest

from core.cli import check, convert, diff, fill, inertial, mass, repair, report, view
from core.cli.batch import command as batch
from core.cli.batch import options
from core.cli.main import main
from core.formats.table import FORMATS
from tools.house import CHECKOUT

COMMANDS = {
    "mass": mass,
    "inertial": inertial,
    "check": check,
    "repair": repair,
    "fill": fill,
    "report": report,
    "view": view,
    "convert": convert,
    "diff": diff,
    "batch": batch,
}


def test_the_version_is_the_manifests(capsys):
    with pytest.raises(SystemExit, match="^0$"):
        main(["--version"])
    manifest = tomllib.loads((CHECKOUT / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert capsys.readouterr().out == f"sdf-inertia {manifest['version']}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_ends_with_examples_that_it_takes(name, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").mkdir()
    command = COMMANDS[name]
    with pytest.raises(SystemExit, match="^0$"):
        main([name, "--help"])
    assert capsys.readouterr().out.endswith(f"\n\n{command.EXAMPLES}")
    title, *examples = command.EXAMPLES.splitlines()
    assert title == "examples:" and 2 <= len(examples) <= 3
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    for example in examples:
        program, *words = shlex.split(example.partition(" > ")[0], comments=True)
        assert program == "sdf-inertia" and words[0] == name
        parser.parse_args(words)


def test_the_help_names_each_format_that_is_read(capsys):
    with pytest.raises(SystemExit, match="^0$"):
        main(["--help"])
    first, _, commands = capsys.readouterr().out.partition("positional arguments:")
    check_line = commands.partition("    check ")[2].partition("    repair ")[0]
    for name in (*(format_.name for format_ in FORMATS), "STEP", "mesh"):
        assert name in first and name in check_line, name


@pytest.mark.parametrize("verb", options.VERBS)
def test_the_help_of_a_verb_of_a_batch_ends_with_an_example_that_it_takes(verb, capsys):
    with pytest.raises(SystemExit, match="^0$"):
        main(["batch", verb, "--help"])
    example = options.EXAMPLES[verb]
    assert capsys.readouterr().out.endswith(f"example:\n{example}\n")
    parser = argparse.ArgumentParser()
    batch.add_parser(parser.add_subparsers())
    program, *words = shlex.split(example.rpartition("|")[2])
    assert (program, words[0], words[1]) == ("sdf-inertia", "batch", verb)
    parser.parse_args(words)


def test_other_texts_are_filled_to_the_width(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    with pytest.raises(SystemExit, match="^0$"):
        main(["fill", "--help"])
    text = capsys.readouterr().out.partition("examples:")[0]
    assert "Every other byte of the file stays." in text
    assert max(map(len, text.splitlines())) <= 60
