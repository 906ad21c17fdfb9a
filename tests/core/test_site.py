# SPDX-License-Identifier: GPL-3.0-or-later
"""The site has every page once in its navigation, users' pages first, and loads nothing from elsewhere."""

import re
import subprocess
import sys

import pytest

from core.cli.main import COMMANDS as VERBS
from tests.core.test_metadata import URLS, read
from tools.house import CHECKOUT
from tools.site_pages import COMMANDS, SITE

NAVIGATION = read("mkdocs.yml").partition("\nnav:\n")[2]


MAKE = """
import sys
before = {*sys.modules}
from pathlib import Path
from tools.site_pages import main
main(Path(sys.argv[1]))
files = {name for name, module in sys.modules.items() if name not in before and getattr(module, "__file__", None)}
print(*{name.partition(".")[0] for name in files} - {"core", "tools"} - sys.stdlib_module_names)
"""
"""Makes the pages, and prints which libraries that imports."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-c", MAKE, folder]
    done = subprocess.run(command, cwd=CHECKOUT, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return folder, {*done.stdout.split()}


@pytest.fixture(scope="module")
def pages(made):
    folder, _ = made
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}


def pinned(name):
    return dict(re.findall(r"^([\w-]+)==(\S+)$", read(f"requirements/{name}.txt"), re.MULTILINE))


def test_the_site_needs_only_what_its_requirements_pin(made):
    _, libraries = made
    assert "lxml" in libraries <= pinned("docs").keys()
    assert pinned("docs")["lxml"] == pinned("test")["lxml"] and pinned("docs")["numpy"] == pinned("lint")["numpy"]


def test_every_page_is_in_the_navigation_once(pages):
    listed = re.findall(r"([\w/-]+\.md)$", NAVIGATION, re.MULTILINE)
    assert sorted(listed) == sorted({name for name in pages if not name.startswith("adr/0")})
    assert {name for name in pages if name.startswith("adr/0")}


def test_pages_for_developers_come_last(pages):
    tabs = re.findall(r"^  - ([^:]+):", NAVIGATION, re.MULTILINE)
    assert tabs[0] == "Start" and tabs[-1] == "Developers"


def test_links_of_a_page_lead_to_pages_or_to_the_repository(pages):
    seen = 0
    for name, text in pages.items():
        for link in re.findall(r"\]\(([\w./-]+\.md)(?:#[^)]*)?\)", text):
            parts = [*name.split("/")[:-1], *link.split("/")]
            while ".." in parts:
                place = parts.index("..")
                del parts[place - 1 : place + 1]
            assert "/".join(parts) in pages, f"{name}: {link}"
            seen += 1
    assert seen > 200
    assert f"]({URLS['Source']}/tree/main/benchmarks/results.md)" in pages["numbers.md"]
    assert URLS["Documentation"] == SITE and "](python.md)" in pages["install.md"]


def test_a_link_is_named_by_a_title_and_not_by_a_file(pages):
    links = [(name, text) for name, page in pages.items() for text in re.findall(r"\[([^\]]+)\]\([^)]+\)", page)]
    assert ("index.md", "Install") in links
    assert [link for link in links if re.fullmatch(r"`?[\w./-]+\.md`?|here|this", link[1])] == []


def test_the_home_shows_a_robot_and_leads_to_all_that_a_newcomer_needs(made, pages):
    folder, _ = made
    (robot,) = re.findall(r'<iframe [^>]*\bsrc="([^"]+)"', pages["index.md"])
    assert "<html" in (folder / robot).read_text(encoding="utf-8")
    links = {*re.findall(r"\]\(([\w-]+\.md)", pages["index.md"])}
    doors = {"blender.md", "command-line.md", "python.md"}
    assert {"install.md", "what-is-wrong.md", "findings.md", "limits.md", "view.md", *doors} <= links
    assert pages["index.md"].count("(what-is-wrong.md#") > 4


def test_the_page_of_commands_shows_the_options_of_each(pages):
    assert re.findall(r"^## (.+)$", pages["commands.md"], re.MULTILINE) == list(COMMANDS)
    assert {name.split()[0] for name in COMMANDS} == set(VERBS)
    assert pages["commands.md"].count("usage: sdf-inertia ") == len(COMMANDS)


def test_the_site_loads_no_fonts_and_asks_no_other_site():
    settings = read("mkdocs.yml")
    assert "  font: false\n" in settings and not re.search(r"^repo_url|^extra_javascript", settings, re.MULTILINE)


def test_the_page_on_limits_names_the_formats_that_are_not_read():
    (names,) = re.findall(r"^\* \*\*([^*]+)\*\*, as robots", read("docs/limits.md"), re.MULTILINE)
    assert names == "STEP"
