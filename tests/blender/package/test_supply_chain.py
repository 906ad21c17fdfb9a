# SPDX-License-Identifier: GPL-3.0-or-later
"""What the zip bundles is listed, whole and true: a bill of materials beside it, and in it the licence of each part."""

import json
import re
import zipfile
from email.parser import BytesParser
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from license_expression import get_spdx_licensing
from packageurl import PackageURL

from ...packages import THIS_PYTHON
from .test_package import CHECKOUT, MANIFEST

COMPATIBLE = {
    *("Apache-2.0", "BSD-3-Clause", "BSL-1.0", "LGPL-2.1-or-later"),
    *("MIT", "MIT-CMU", "PSF-2.0", "Unlicense", "Zlib"),
}
"""Licences whose code may be part of a program under GPL-3.0-or-later, by the Free Software Foundation's list."""


@pytest.fixture(scope="module")
def files(package):
    with zipfile.ZipFile(package) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def wheels(files):
    found = {name.removeprefix("wheels/"): data for name, data in files.items() if name.endswith(".whl")}
    assert len(found) == 5
    return found


@pytest.fixture(scope="module")
def text(package):
    return package.with_suffix(".cdx.json").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def bill(text):
    return json.loads(text)


def metadata(wheel):
    with zipfile.ZipFile(BytesIO(wheel)) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return BytesParser().parsebytes(archive.read(name))


@pytest.mark.fault(85)
def test_the_bill_has_each_wheel_by_version_purl_and_hash_and_no_more(bill, wheels):
    components = {other["bom-ref"]: other for other in bill["components"]}
    assert components.keys() == wheels.keys()
    for name, wheel in wheels.items():
        component, package_metadata = components[name], metadata(wheel)
        assert (component["name"], component["version"]) == (package_metadata["Name"], package_metadata["Version"])
        assert component["hashes"] == [{"alg": "SHA-256", "content": sha256(wheel).hexdigest()}]
        purl = PackageURL.from_string(component["purl"])
        assert (purl.type, purl.name, purl.version) == ("pypi", package_metadata["Name"], package_metadata["Version"])
        assert purl.qualifiers == {"file_name": name}
        assert component["purl"] not in {other["purl"] for other in components.values() if other is not component}


def test_the_bill_is_of_this_very_zip(bill, package):
    whole = bill["metadata"]["component"]
    assert (whole["name"], whole["version"]) == (MANIFEST["id"], f"{MANIFEST['version']}+python{THIS_PYTHON}")
    assert whole["hashes"] == [{"alg": "SHA-256", "content": sha256(package.read_bytes()).hexdigest()}]
    assert whole["licenses"] == [{"expression": "GPL-3.0-or-later"}]
    needs = {one["ref"]: set(one.get("dependsOn", ())) for one in bill["dependencies"]}
    assert needs[package.name] == {one["bom-ref"] for one in bill["components"]}


def test_the_bill_is_valid_and_a_broken_one_is_not(text):
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text.replace('"SHA-256"', '"SHA-257"')) is not None


def test_the_bill_has_no_date(text):
    assert "timestamp" not in text
    assert not re.search(r"\b20\d\d-\d\d-\d\d", text)


def parts(bill):
    return [part for one in bill["components"] for part in (one, *one.get("components", ()))]


def test_the_licences_are_spdx_s_and_compatible_with_ours(bill):
    licences = {one["expression"] for part in parts(bill) for one in part["licenses"]}
    assert len(licences) > 5
    assert not [one for one in licences if get_spdx_licensing().validate(one).errors]
    assert licences <= COMPATIBLE  # in the wheels for Windows there is Microsoft's DLL besides, which the page tells


def test_the_licence_of_a_wheel_in_the_bill_is_that_of_its_metadata(bill, wheels):
    spoken = {"Apache-2.0": "Apache Software License", "BSD-3-Clause": "BSD"}
    for component in bill["components"]:
        (licence,) = (entry["expression"] for entry in component["licenses"])
        package_metadata = metadata(wheels[component["bom-ref"]])
        stated = [
            package_metadata["License-Expression"],
            package_metadata["License"],
            *(package_metadata.get_all("Classifier") or ()),
        ]
        assert any(text and (text == licence or spoken.get(licence, licence) in text) for text in stated), stated


def test_libraries_inside_the_wheels_are_listed_by_their_true_version(bill):
    from lxml import etree

    versions = {(part["name"], part.get("version")) for part in parts(bill)}
    assert ("libxml2", ".".join(map(str, etree.LIBXML_COMPILED_VERSION))) in versions
    assert ("libxslt", ".".join(map(str, etree.LIBXSLT_COMPILED_VERSION))) in versions
    assert {"libexslt", "zlib", "libiconv", "oneTBB", "Clipper2", "nanobind", "robin-map"} <= {
        name for name, _ in versions
    }


def test_the_zip_has_the_licence_of_every_wheel_and_a_page_of_all_parts(files, wheels, bill):
    page = files["licenses/README.md"].decode()
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")]
    licences = {(row[0].strip("| "), row[2]) for row in rows[1:]}
    assert licences == {(part["name"], part["licenses"][0]["expression"]) for part in parts(bill)}
    for wheel in wheels.values():
        own = metadata(wheel)
        folder = f"licenses/{own['Name'].replace('-', '_')}-{own['Version']}/"
        assert any(name.startswith(folder) and len(data) > 1000 for name, data in files.items())
        for name in own.get_all("License-File") or ():
            assert files[folder + name]
    together = b"".join(data for name, data in files.items() if name.startswith("licenses/"))
    for words in (
        *(b"lxml is copyright", b"Daniel Veillard", b"GNU LESSER GENERAL PUBLIC LICENSE", b"Apache License"),
        *(b"Boost Software License", b"Wenzel Jakob", b"Thibaut Goetghebuer-Planchon"),
    ):
        assert words in together, words


def test_the_wheels_of_all_platforms_are_known_by_what_they_are_made_of():
    pinned = (CHECKOUT / "requirements" / "wheels.txt").read_text(encoding="utf-8")
    tool = (CHECKOUT / "requirements" / "bundled.toml").read_text(encoding="utf-8")
    names = re.findall(r"^([\w-]+)==", pinned, re.MULTILINE)
    assert names == re.findall(r"^\[([\w-]+)\]", tool, re.MULTILINE)
    assert {path.name for path in Path(CHECKOUT, "requirements", "licenses").iterdir()} <= set(names)
