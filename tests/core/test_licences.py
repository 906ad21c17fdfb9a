# SPDX-License-Identifier: GPL-3.0-or-later
"""What pip installs is under Apache-2.0, all other code under GPL-3.0-or-later."""

import subprocess
import tomllib

import pytest

from tools.house import CHECKOUT

LINE = " SPDX-License-" + "Identifier: "
CODE = (".py", ".sh", ".c")


def code():
    """Return the paths of all code in the checkout, relative to it."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("this is not a Git checkout")
    paths = {CHECKOUT / name for name in done.stdout.splitlines() if name.endswith(CODE)}
    return {path.relative_to(CHECKOUT).as_posix() for path in paths if path.is_file() and path.stat().st_size}


def licence(name):
    """Return the licence in the first two lines of a file: a script begins with its interpreter."""
    lines = (CHECKOUT / name).read_text(encoding="utf-8").splitlines()[:2]
    return next((line.partition(LINE)[2].removesuffix(" */") for line in lines if LINE in line), None)


def test_core_is_under_apache_and_all_other_code_under_the_gpl():
    names = code()
    installed = {name for name in names if name.startswith("core/") or name == "setup.py"}
    assert len(installed) > 150 and len(names - installed) > 400
    assert {name for name in installed if licence(name) != "Apache-2.0"} == set()
    assert {name for name in names - installed if licence(name) != "GPL-3.0-or-later"} == set()


def test_the_packages_declare_the_licences_of_their_files():
    package = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert package["license"] == "Apache-2.0 AND MIT"
    assert package["license-files"] == ["LICENSES/Apache-2.0.txt", "LICENSES/MIT.txt", "NOTICE"]
    manifest = tomllib.loads((CHECKOUT / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert manifest["license"] == ["SPDX:GPL-3.0-or-later"]


def test_every_licence_that_is_named_has_its_text():
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (CHECKOUT / "LICENSES").iterdir()}
    assert texts.keys() == {"Apache-2.0", "GPL-3.0-or-later", "MIT"}
    assert texts["GPL-3.0-or-later"] == (CHECKOUT / "LICENSE").read_text(encoding="utf-8")
    reuse = tomllib.loads((CHECKOUT / "REUSE.toml").read_text(encoding="utf-8"))
    assert {each["SPDX-License-Identifier"] for each in reuse["annotations"]} == texts.keys()
