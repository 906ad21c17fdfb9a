# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a command on SDF files as the command line does."""

import argparse
import json

from core.cli import check, diff, fill, repair, report


def run(*words):
    """Run a command; return its exit status."""
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers()
    for command in (check, diff, fill, repair, report):
        command.add_parser(subparsers)
    options = parser.parse_args([str(word) for word in words])
    return options.run(options)


def run_json(capsys, *words):
    """Run a command; return its exit status and the one object on its standard output."""
    capsys.readouterr()
    status = run(*words)
    return status, json.loads(capsys.readouterr().out)
