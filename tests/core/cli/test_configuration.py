# SPDX-License-Identifier: GPL-3.0-or-later
"""The configuration of a project: sdf-inertia.toml, or a section of pyproject.toml."""

import json
import os
import random
import re
import shlex
from pathlib import Path

import pytest

from core.cli.main import main
from tools.house import CHECKOUT

ARM = (CHECKOUT / "examples" / "arm.urdf").read_text()
BOX = '<sdf version="1.11"><model name="r"><link name="l"><inertial><mass>1</mass></inertial></link>{}</model></sdf>'
ALL = """engines = ["mujoco"]
strict = true
ignore = { triangle_inequality = "measured so", inertial_unit = "in grams" }
paths = ["meshes"]
[total-mass]
"robots/*.urdf" = 854.24
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    for folder in ("robots/deep", "meshes", ".git"):
        Path(folder).mkdir(parents=True)
    Path("robots/arm.urdf").write_text(ARM)
    return project


def checked(capsys, *words):
    status = main(["check", "--json", "robots", *words])
    output = capsys.readouterr()
    (file,) = json.loads(output.out)["files"]
    return status, file, [finding["code"] for finding in file["findings"]], output.err


@pytest.mark.parametrize("name", ["sdf-inertia.toml", "pyproject.toml", "robots/sdf-inertia.toml"])
def test_each_setting_applies_and_the_file_is_named(name, capsys):
    head = "" if name.endswith("inertia.toml") else "[project]\nname = 'p'\n[tool.sdf-inertia]\n"
    text = ALL if not head else ALL.replace("[total-mass]", "[tool.sdf-inertia.total-mass]")
    if name.startswith("robots"):
        text = text.replace("robots/", "").replace('"meshes"', '"deep"')
    assert checked(capsys)[1:3] == (checked(capsys)[1], FAULTS)
    Path(name).write_text(head + text)
    status, file, codes, log = checked(capsys)
    assert status == 1 and "triangle_inequality" not in codes and "inertial_unit" not in codes
    assert "engine_refuses" in codes and file["known"] == 3 and file["total_mass"]["given"] == 854.24
    assert Path(file["configuration"]).samefile(name) and log == f"configuration: {name}\n"
    assert checked(capsys, "--no-config")[2] == FAULTS
    other = checked(capsys, "--for", "drake", "--total-mass", "5")
    assert {"total_mass", "engine_zeroed"} & {*other[2]} and other[1]["total_mass"]["given"] == 5.0


FAULTS = ["triangle_inequality", "padded_diagonal", "inertial_unit", "inertial_unit"]


def test_the_nearest_configuration_counts_up_to_the_repository(here, capsys):
    (here.parent / "sdf-inertia.toml").write_text("strict = 1")  # above the repository: it is not read
    assert checked(capsys)[2] == FAULTS
    Path("sdf-inertia.toml").write_text('ignore = { padded_diagonal = "above" }')
    Path("robots/sdf-inertia.toml").write_text('ignore = { triangle_inequality = "near" }')
    assert checked(capsys)[2] == FAULTS[1:]
    assert checked(capsys, "--config", "sdf-inertia.toml")[2] == [FAULTS[0], *FAULTS[2:]]
    Path(".git").rmdir()
    here.chmod(0o1777)  # as /tmp: anyone may put a file there
    Path("robots/sdf-inertia.toml").unlink()
    assert checked(capsys)[2] == FAULTS


@pytest.mark.parametrize("verb", ["check", "repair", "report", "diff", "fill", "convert"])
def test_paths_apply_to_each_command_that_reads_a_robot(verb, capsys):
    Path("models/box").mkdir(parents=True)
    Path("models/box/model.sdf").write_text(BOX.format(""))
    Path("robots/r.sdf").write_text(BOX.format("<include><uri>model://box</uri><name>q</name></include>"))
    Path("sdf-inertia.toml").write_text('paths = ["models"]')
    more = {"repair": ["--dry-run"], "diff": ["robots/r.sdf"], "fill": ["-o", "f.sdf"], "convert": ["-o", "c.sdf"]}
    command = [verb, "robots/r.sdf", *more.get(verb, ())]
    missing = "of 1 links" if verb == "diff" else "[include_not_read]"
    for words, is_missing in ((["--no-config"], True), ([], False)):
        assert main([*command, *words]) == 0
        assert (missing in "".join(capsys.readouterr())) is is_missing


def test_a_mass_of_the_configuration_scales_nothing_in_repair(capsys):
    Path("sdf-inertia.toml").write_text('[total-mass]\n"*" = 6')
    words = ["repair", "robots/arm.urdf", "--dry-run", "--json", "--mass", "density", "--density", "1000"]
    assert main(words) == 0 and "total_mass" not in json.loads(capsys.readouterr().out)
    assert main([*words, "--total-mass", "6"]) == 0 and "total_mass" in json.loads(capsys.readouterr().out)


WRONG = {
    "strict = ": "it is not TOML",
    "strct = true": "did you mean strict?",
    "ignore = { tringle_inequality = 'x' }": "did you mean triangle_inequality?",
    "ignore = { stale = ' ' }": "each with the reason",
    "engines = ['gazbo']": "did you mean gazebo?",
    "paths = ['..']": "folders that exist below its own",
    "paths = ['/']": "folders that exist below its own",
    "paths = ['out']": "folders that exist below its own",
    "paths = ['gone']": "folders that exist below its own",
    "total-mass = { a = -1 }": "masses in kg",
    "total-mass = { a = true }": "masses in kg",
    "total-mass = { a = '12' }": "masses in kg",
    "engines = 'gazebo'": "a list of engines",
    "engines = { gazebo = 1 }": "a list of engines",
    "paths = '.'": "a list of folders",
    f"a = {'[' * 5000}{']' * 5000}": "it is not TOML",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_setting_ends_with_what_is_right(here, text, capsys):
    Path("out").symlink_to(here.parent, target_is_directory=True)
    Path("sdf-inertia.toml").write_text(text)
    status, _, codes, _ = checked(capsys)
    assert (status, codes) == (2, ["bad_config"])
    main(["check", "robots/arm.urdf"])
    assert WRONG[text] in " ".join(capsys.readouterr().out.split())


def test_any_value_of_a_setting_is_taken_or_refused_by_name(capsys):
    """Values of every type of TOML for every key: never an internal error."""
    chance = random.Random(58)
    atoms = ["1", "-1.5", "true", '"mujoco"', '""', '"\\u0000"', "nan", "1e999", "1979-05-27", '"\\ud7ff"', "9" * 400]
    for _ in range(150):
        value = chance.choice(atoms)
        for _ in range(chance.randrange(3)):
            value = chance.choice([f"[{value}]", f"{{ stale = {value} }}", f'{{ "" = {value} }}', f"[[{value}]]"])
        key = chance.choice(["ignore", "engines", "strict", "total-mass", "paths", '""', "tool.sdf-inertia"])
        name, text = "sdf-inertia.toml", f"{key} = {value}"
        if key.startswith("tool"):
            Path(name).unlink(missing_ok=True)
            name = "pyproject.toml"
        Path(name).write_text(text)
        status, _, codes, _ = checked(capsys)
        assert status == 1 or (status, codes) == (2, ["bad_config"]), text


def test_a_folder_that_cannot_be_searched_has_none(monkeypatch, capsys):
    stat = os.stat

    def refused(path, *words, **named):
        if str(path).endswith((".toml", ".git")):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, *words, **named)

    monkeypatch.setattr(os, "stat", refused)
    assert checked(capsys)[2] == FAULTS


@pytest.mark.parametrize("words", [["--config", "my config.toml"], ["--no-config"]])
def test_a_printed_command_uses_the_same_configuration(words, capsys):
    Path("my config.toml").write_text("")
    main(["check", "robots/arm.urdf", *words])
    shown = capsys.readouterr().out
    assert f"`sdf-inertia repair --in-place {shlex.join(words)} robots/arm.urdf`" in shown
    (command,) = re.findall("^next: sdf-inertia (repair .*)", shown, re.MULTILINE)
    assert main(shlex.split(command)) == 0


def test_a_mass_is_that_of_a_robot_by_its_link_or_its_own_name(here, capsys):
    Path("robots/arm.urdf").rename(here.parent / "own.urdf")
    Path("robots/arm.urdf").symlink_to(here.parent / "own.urdf")
    for name in ("robots/arm.urdf", "../own.urdf"):
        Path("sdf-inertia.toml").write_text(f'total-mass = {{ "{name}" = 6 }}')
        assert checked(capsys)[1]["total_mass"]["given"] == 6.0
