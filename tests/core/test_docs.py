# SPDX-License-Identifier: GPL-3.0-or-later
"""The documents name what is there: modules by their paths, rooms by their names."""

import re

import pytest

from benchmarks.figures import FIGURES, NUMBERS, outdated
from tools.house import CHECKOUT, modules

PAGES = sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/**/*.md")])
FOLDERS = (CHECKOUT, CHECKOUT / "core", CHECKOUT / "sdf_inertia_addon")
FIRST = {"tests", "tools", *(path.parent.name for folder in FOLDERS for path in folder.glob("*/__init__.py"))}

MODULE = re.compile(r"`((?:[a-z_0-9]+/)+[a-z_0-9]+(?:\.py)?)(?:\.[a-z_]+)?`")  # capitals stand for any name
NAME = re.compile(r"`([\w/]+\.py):(\w+)`")
LINK = re.compile(r"\]\((?!http)([^)#]+)[^)]*\)")
ANCHOR = re.compile(r"\]\((?!http)([^)#]*)#([^)]+)\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_only_what_is_there(page):
    text = page.read_text(encoding="utf-8")
    named = [name for name in MODULE.findall(text) if name.partition("/")[0] in FIRST]
    gone = [name for name in named if not any(_is_there(folder / name) for folder in FOLDERS)]
    assert gone == []
    assert [link for link in LINK.findall(text) if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_into_a_page_names_one_of_its_headings(page):
    for file, anchor in ANCHOR.findall(page.read_text(encoding="utf-8")):
        assert anchor in _anchors(page.parent / file if file else page), f"{file}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_to_elsewhere_is_encrypted_and_has_a_host(page):
    links = re.findall(r"\]\((\w+:[^)]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not re.fullmatch(r"https://[\w-]+(\.[\w-]+)+(/\S*)?", link)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_name_that_a_page_gives_with_its_file_stands_in_it(page):
    for file, name in NAME.findall(page.read_text(encoding="utf-8")):
        texts = [path.read_text(encoding="utf-8") for folder in FOLDERS[1:] for path in folder.rglob(f"**/{file}")]
        assert any(re.search(rf"^ *(def |class )?{name}\b", text, re.MULTILINE) for text in texts), f"{file}:{name}"


def _anchors(page):
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def _is_there(path):
    return path.exists() or path.with_suffix(".py").exists()


def test_the_pages_hold_modules_links_and_anchors_to_check():
    text = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert {"core/formats/sdf/spec/description.py", "mesh/methods", "scene/scene_read"} <= set(MODULE.findall(text))
    assert "architecture.svg" in LINK.findall(text)
    assert ("numbers.md", "how-exact-how-fast") in ANCHOR.findall((CHECKOUT / "docs" / "faq.md").read_text())
    assert NAME.findall((CHECKOUT / "docs" / "platforms.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("tree", ["core", "sdf_inertia_addon"])
def test_the_picture_and_the_page_show_every_room(tree):
    rooms = {name.partition(".")[0] for name in modules(tree) if "." in name}
    page = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = (CHECKOUT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    assert {room for room in rooms if f"`{room}/" not in page} == set()
    assert {room for room in rooms if not re.search(rf"\b{room}\b", picture)} == set()


def test_figures_of_speed_are_those_that_were_measured():
    assert outdated() == []


def test_every_time_in_the_table_of_speed_is_compared_with_results():
    text = (CHECKOUT / NUMBERS).read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("|")]
    times = re.findall(r"[0-9.,]+ (?:ms|s)\b", "\n".join(table))
    assert len(times) == sum(figure.page == NUMBERS for figure in FIGURES) > 15
