# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the last commit a version: update the manifest and the changelog, in a commit of their own with a tag.

release.py 1.2.3      ``make release VERSION=1.2.3`` calls it; RELEASING.md describes what comes before and after
release.py --notes    print the changelog of the manifest's version
"""

import re
import subprocess
import sys
from datetime import date
from pathlib import Path

MANIFEST, CHANGELOG = Path("blender_manifest.toml"), Path("CHANGELOG.md")
SAYS = re.compile(r'^version = "(\d+\.\d+\.\d+)"$', re.MULTILINE)
UNRELEASED = "## [Unreleased]\n"


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout.strip()


def release(version: str) -> None:
    manifest, changelog = MANIFEST.read_text(encoding="utf-8"), CHANGELOG.read_text(encoding="utf-8")
    _, heading, below = changelog.partition(UNRELEASED)
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        sys.exit("Name the version as three numbers: make release VERSION=1.2.3")
    if git("status", "--porcelain"):
        sys.exit("There are changes that are not committed.")
    if git("tag", "--list", f"v{version}"):
        sys.exit(f"There is a tag v{version}.")
    if not heading or not below.split("\n## ")[0].strip():
        sys.exit("CHANGELOG.md has nothing under Unreleased.")
    MANIFEST.write_text(SAYS.sub(f'version = "{version}"', manifest), encoding="utf-8")
    dated = f"{UNRELEASED}\n## [{version}] - {date.today().isoformat()}\n"
    CHANGELOG.write_text(changelog.replace(UNRELEASED, dated, 1), encoding="utf-8")
    git("commit", "--all", "--message", f"chore: release {version}")
    git("tag", "--annotate", f"v{version}", "--message", f"SDF Inertia {version}")
    print(f"v{version} is committed and tagged, and not pushed: see RELEASING.md.")


def notes() -> str:
    (version,) = SAYS.findall(MANIFEST.read_text(encoding="utf-8"))
    _, heading, below = CHANGELOG.read_text(encoding="utf-8").partition(f"\n## [{version}]")
    if not heading:
        sys.exit(f"CHANGELOG.md has no {version}.")
    return below.split("\n", 1)[1].split("\n## [")[0].strip()


if __name__ == "__main__":
    if sys.argv[1:] == ["--notes"]:
        print(notes())
    else:
        release("".join(sys.argv[1:]))
