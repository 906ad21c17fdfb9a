# SPDX-License-Identifier: GPL-3.0-or-later
"""Every command for STEP files in the documents works as shown."""

import shlex
import shutil

import pytest

from core.cli.main import main
from tests.core.test_commands_in_docs import PAGES, blocks, ours
from tools.house import CHECKOUT

CAD = CHECKOUT / "examples" / "cad"

COMMANDS = [(page.name, command, output) for page in PAGES for command, output in ours(page) if ".step" in command]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with a file of each name that the documents use."""
    for name in ("arm.step", "part.step", "assembly.step", "IN.step", "examples/cad/arm.step"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CAD / "arm.step", tmp_path / name)
    for name in ("bom.csv", "examples/cad/bom.csv"):
        shutil.copy(CAD / "bom.csv", tmp_path / name)
    (maps,) = ["\n".join(lines) for language, lines in blocks(CHECKOUT / "docs" / "cad.md") if language == "csv"]
    (tmp_path / "parts.csv").write_text(maps)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")


def test_the_documents_have_such_commands():
    assert len(COMMANDS) > 6


@pytest.mark.parametrize(("page", "command", "output"), COMMANDS)
def test_a_command_of_the_documents_works_as_shown(files, capsys, page, command, output):
    words = shlex.split(command.partition("#")[0])
    status = main(words[words.index("sdf-inertia") + 1 :])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    if output is not None:
        assert (printed.out + printed.err).rstrip() == output
