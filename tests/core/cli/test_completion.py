# SPDX-License-Identifier: GPL-3.0-or-later
"""`--print-completion`: scripts that a shell takes and completes by."""

import shutil
import subprocess
import sys

import pytest

from core.cli.main import main
from tools.house import CHECKOUT

COMMANDS = {"mass", "inertial", "check", "repair", "fill", "report", "diff"}


def script(capsys, shell):
    pytest.importorskip("shtab", reason="there is no shtab (requirements/test.txt)")
    with pytest.raises(SystemExit, match="^0$"):
        main(["--print-completion", shell])
    return capsys.readouterr().out


@pytest.fixture
def completed(capsys, tmp_path):
    """Return what bash offers for the last of some words, in a folder with a robot."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash here")
    (tmp_path / "completion.sh").write_text(script(capsys, "bash"), encoding="utf-8")
    (tmp_path / "robot.sdf").touch()
    subprocess.run(["bash", "-n", "completion.sh"], cwd=tmp_path, check=True)

    def offered(*words):
        code = 'source ./completion.sh; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_sdf_inertia "$1" "${!#}"'
        command = ["bash", "-c", f'{code}; echo "${{COMPREPLY[@]}}"', "bash", "sdf-inertia", *words]
        return set(subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.split())

    return offered


def test_bash_completes_commands_options_choices_and_files(completed):
    assert completed("") >= COMMANDS
    assert completed("re") == {"repair", "report"}
    assert completed("check", "--st") == {"--strict"}
    assert completed("check", "--format", "s") == {"sarif"}
    assert completed("check", "rob") == {"robot.sdf"}
    assert completed("fill", "robot.sdf", "-o", "rob") == {"robot.sdf"}


def test_the_script_for_zsh_names_every_command(capsys):
    text = script(capsys, "zsh")
    assert text.startswith("#compdef sdf-inertia\n")
    assert [command for command in sorted(COMMANDS) if f"    {command}:" not in text] == []


def test_without_shtab_one_sentence_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    with pytest.raises(SystemExit, match="^2$"):
        main(["--print-completion", "bash"])
    assert capsys.readouterr() == ("", "--print-completion needs shtab: pip install shtab\n")


def test_shtab_is_imported_only_when_it_is_asked_for():
    code = "import sys; from core.cli.main import main; main(['check', 'x.stl']); sys.exit('shtab' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True)
    assert done.returncode == 0 and "x.stl" in done.stdout, done.stderr
