# SPDX-License-Identifier: GPL-3.0-or-later
"""What package indexes, Blender's platform and forges show: one address, extras with sizes, pictures."""

import re
import struct
import tomllib

from core.findings.listed import REPOSITORY
from tools.house import CHECKOUT

PYPROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
URLS = PROJECT["urls"]
EXTRAS = PROJECT["optional-dependencies"]
MANIFEST = tomllib.loads((CHECKOUT / "blender_manifest.toml").read_text(encoding="utf-8"))


def read(name):
    return (CHECKOUT / name).read_text(encoding="utf-8")


def test_every_place_that_names_an_address_names_that_of_the_package():
    citation = dict(re.findall(r"^(repository-code|url): (.+)$", read("CITATION.cff"), re.MULTILINE))
    assert URLS["Source"] == REPOSITORY == citation["repository-code"]
    assert URLS["Homepage"] == URLS["Documentation"] == citation["url"] == MANIFEST["website"]
    assert f"site_url: {URLS['Documentation']}\n" in read("mkdocs.yml")
    assert all(URLS[name].startswith(f"{REPOSITORY}/") for name in ("Issues", "Changelog"))
    owner, name = REPOSITORY.split("/")[-2:]
    assert URLS["Homepage"] == f"https://{owner}.github.io/{name}/"
    pages = "".join(path.read_text(encoding="utf-8") for path in CHECKOUT.glob("docs/*.md"))
    assert set(re.findall(r"github\.com/(sdf-inertia/[\w-]+)", pages)) == {f"{owner}/{name}"}


def test_the_page_lists_each_extra_with_its_packages_and_a_size():
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([\w, -]*) \| [\d.]+ MB \|$", read("docs/install.md"), re.MULTILINE)
    packages = {name: [re.match(r"[\w-]+", one)[0] for one in wanted] for name, wanted in EXTRAS.items()}
    assert {name: listed.split(", ") for name, listed in rows if name != "all"} == {
        name: wanted for name, wanted in packages.items() if name != "all"
    }
    assert EXTRAS["all"] == [f"sdf-inertia[{','.join(name for name in EXTRAS if name not in ('all', 'cad', 'usd'))}]"]
    assert "all" in dict(rows)


def test_the_pythons_of_the_package_are_those_that_it_declares():
    minor = [int(one.rpartition(".")[2]) for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert minor == [*range(minor[0], minor[-1] + 1)] and PROJECT["requires-python"] == f">=3.{minor[0]}"
    assert f"For Python 3.{minor[0]} to 3.{minor[-1]};" in read("docs/install.md")


def test_the_package_has_every_folder_of_core_that_holds_modules():
    folders = {path.parent.relative_to(CHECKOUT / "core") for path in CHECKOUT.glob("core/**/*.py")}
    packages = PYPROJECT["tool"]["setuptools"]["packages"]
    assert len(folders) > 20
    assert {".".join(("sdf_inertia", *folder.parts)) for folder in folders} == {*packages}


def test_the_pictures_for_blenders_platform_have_its_sizes():
    sizes = {}
    for path in (CHECKOUT / "docs" / "platform").iterdir():
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG") and len(data) < 400_000
        sizes[path.stem] = struct.unpack(">II", data[16:24])
    assert sizes.pop("icon") == (256, 256)
    assert "featured" in sizes and set(sizes.values()) == {(1920, 1080)}


def test_the_manifest_has_tags_and_a_line_that_blenders_platform_takes():
    assert 0 < len(MANIFEST["tagline"]) <= 64 and MANIFEST["tagline"][-1].isalnum()
    assert set(MANIFEST["tags"]) <= {"Import-Export", "Mesh", "Physics", "Rigging", "Scene"}


def test_readme_links_to_the_page_on_reporting_security_faults():
    assert "(SECURITY.md)" in read("README.md")
