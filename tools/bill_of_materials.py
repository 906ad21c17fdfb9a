# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the licence texts of a zip of the extension, and its bill of materials (CycloneDX) next to the zip.

requirements/bundled.toml lists the contents of the wheels; versions and hashes are read from the wheels themselves. The
same zip gives the same bill: its serial number is made from the zip's content, and it has no date.
"""

import re
import tomllib
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).resolve().parent.parent
BUNDLED: dict[str, Any] = tomllib.loads((ROOT / "requirements" / "bundled.toml").read_text(encoding="utf-8"))

LICENCE_FILE = re.compile(r"(.+)\.dist-info/(?:licenses/(.+)|(?=LICEN[CS]E)(.+))")
"""The file of a licence in a wheel, where the metadata of today and of earlier years put it."""

PAGE = "licenses/README.md"
HEAD = """# What is bundled, and its licences

SDF Inertia is under the GNU General Public License, version 3 or later (`LICENSE`); its folder `core` is also available
under the Apache License 2.0 (`core-Apache-2.0.txt` beside this page). In `wheels/` are libraries of others, unchanged;
each free licence here is compatible with the GPL. Their texts are beside this page, by the wheel.

| library | version | licence (SPDX) | in |
|---|---|---|---|
"""
NOT_FREE = """
The runtime of Visual C++ is a DLL of Microsoft's, which allows to pass it on with programs that need it; Blender for
Windows brings one too. A wheel without it can take the place of this one: nothing here but that wheel asks for it.
"""


def licences(wheels: dict[str, bytes]) -> dict[str, bytes]:
    """Return the texts of the licences in wheels and of `requirements/licenses`, with a page about them, by path."""
    texts, rows = {"licenses/core-Apache-2.0.txt": (ROOT / "LICENSES" / "Apache-2.0.txt").read_bytes()}, {}
    for file_name, wheel in sorted(wheels.items()):
        name, version = _name(file_name)
        for path, text in _contents(wheel):
            found = LICENCE_FILE.fullmatch(path)
            if found:
                texts[f"licenses/{found[1]}/{found[2] or found[3]}"] = text
        for path in sorted((ROOT / "requirements" / "licenses" / name).glob("*")):
            texts[f"licenses/{name}-{version}/{path.name}"] = path.read_bytes()
        rows[name, version, BUNDLED[name]["license"], "`wheels/`"] = None
        for part, part_version in _parts(file_name, wheel):
            rows[part["name"], part_version, part["license"], name] = None
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    note = NOT_FREE if "LicenseRef-Microsoft" in table else ""
    return texts | {PAGE: (HEAD + table + note).encode()}


def bill(package: Path) -> str:
    """Return the bill of materials of a zip as JSON, valid by CycloneDX's own schema."""
    from cyclonedx.model import HashType
    from cyclonedx.model.bom import Bom, BomMetaData
    from cyclonedx.model.component import Component, ComponentType
    from cyclonedx.model.license import LicenseExpression
    from cyclonedx.output.json import JsonV1Dot6
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator
    from packageurl import PackageURL

    data = package.read_bytes()
    files = dict(_contents(data))
    manifest = tomllib.loads(files["blender_manifest.toml"].decode())
    digest = sha256(data).hexdigest()

    def component(name: str, version: str, license: str, ref: str, **more: Any) -> Component:
        return Component(name=name, version=version or None, licenses=[LicenseExpression(license)], bom_ref=ref, **more)

    whole = component(
        manifest["id"],
        manifest["version"],
        manifest["license"][0].removeprefix("SPDX:"),
        package.name,
        type=ComponentType.APPLICATION,
        hashes=[HashType.from_composite_str(f"sha256:{digest}")],
        purl=PackageURL("generic", None, manifest["id"], manifest["version"], {"checksum": f"sha256:{digest}"}),
    )
    bom = Bom(metadata=BomMetaData(component=whole), serial_number=uuid5(NAMESPACE_URL, f"sha256:{digest}"))
    bom.metadata.timestamp = None  # by default the library sets the current time
    for path, wheel in sorted(files.items()):
        if not path.endswith(".whl"):
            continue
        file_name = path.rpartition("/")[2]
        name, version = _name(file_name)
        parts = [
            component(one["name"], number, one["license"], f"{file_name}#{one['name']}", type=ComponentType.LIBRARY)
            for one, number in _parts(file_name, wheel)
        ]
        own = component(
            *(name, version, BUNDLED[name]["license"], file_name),
            hashes=[HashType.from_composite_str(f"sha256:{sha256(wheel).hexdigest()}")],
            purl=PackageURL("pypi", None, name, version, {"file_name": file_name}),
            components=parts,
        )
        bom.components.add(own)
        bom.register_dependency(whole, [own])
        bom.register_dependency(own, parts)
    text: str = JsonV1Dot6(bom).output_as_string(indent=2) + "\n"
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        raise ValueError(f"the bill of {package.name} is not valid: {wrong}")
    return text


def _contents(archive: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(BytesIO(archive)) as opened:
        for info in opened.infolist():
            if not info.is_dir():
                yield info.filename, opened.read(info)


def _name(file_name: str) -> tuple[str, str]:
    """Return name and version of a wheel."""
    name, version, *_ = file_name.split("-")
    return name.replace("_", "-"), version


def _parts(file_name: str, wheel: bytes) -> Iterator[tuple[dict[str, str], str]]:
    """Yield the contents of a wheel, each part with its version if that can be read."""
    files = dict(_contents(wheel))
    for part in BUNDLED[_name(file_name)[0]]["parts"]:
        if part.get("only", "") not in file_name:
            continue
        version = ""
        if "version" in part:
            (data,) = (data for path, data in files.items() if part["in"] in f"/{path}" and not path.endswith(".pyi"))
            found = re.search(part["version"].encode(), data)
            if found is None:
                raise ValueError(f"{file_name} does not say which {part['name']} it has: see requirements/bundled.toml")
            version = found[1].decode()
        yield part, version
