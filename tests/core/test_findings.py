# SPDX-License-Identifier: GPL-3.0-or-later
"""The one list of codes: it has all that is used and no more, and docs/findings.md is what it gives."""

import ast
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.errors import WORST_FIRST, Finding, InertiaError
from core.findings import listed as findings
from core.findings.listed import areas, listed, title_of
from core.findings.message import filled, readable
from core.findings.remedy import ACTIONS
from core.formats.sdf.spec.codes import SDF_CODES
from tools.findings_page import page
from tools.house import CHECKOUT

from ..made_findings import Watch
from .raised_codes import Source, messages, ours, sources


def test_every_code_that_the_source_gives_can_be_read():
    assert ours()[1] == []


def test_every_code_that_the_source_gives_is_listed():
    assert len(ours()[0]) > 150
    assert {code: places for code, places in ours()[0].items() if code not in listed()} == {}


def test_every_listed_code_is_given_somewhere():
    assert listed().keys() - ours()[0].keys() == set()


def fields(template):
    """Return the names of the values in a message and its remedy."""
    return set(re.findall(r"{#?(\w+)", template.text + template.remedy)) - ACTIONS.keys()


def test_each_call_gives_the_values_that_its_message_names():
    wrong, calls = [], list(messages())
    for path, line, code, form, names in calls:
        template = listed()[code].messages.get(form)
        if template is None or (names is not None and not fields(template) <= names - {"codes"}):
            wrong.append(f"{path}:{line} {code} {form}")
    assert len(calls) > 250
    assert wrong == []


def test_each_message_of_the_list_is_used():
    texts = "".join(path.read_text(encoding="utf-8") for path in sources())
    forms = {form for entry in listed().values() for form in entry.messages if form}
    assert len(forms) > 100
    assert {form for form in forms if f'"{form}"' not in texts} == set()


def codes_of(text):
    return [code for _path, _line, code in Source({"module.py": ast.parse(text)}).codes()]


def test_libsdformats_numbers_are_of_listed_codes():
    assert SDF_CODES.keys() - listed().keys() == set()


@pytest.mark.parametrize(
    "text",
    [
        "Finding('error', 'new_one', '', 'message')",
        "Finding(code='new_one', severity='error', subject='', message='message')",
        "raise InertiaError('new_one', '', 'message')",
        "raise InertiaError('known' if sure else 'new_one', '', 'message')",
        "NEW = 'new_one'\nInertiaError(NEW, '', 'message')",
        "code = {1: 'new_one'}\nInertiaError(code[one], '', 'message')",
        "CODES = {'a': 'new_one'}\nInertiaError(CODES.get(one, 'known'), '', 'message')",
        "code, message = 'new_one', 'message'\nInertiaError(code, '', message)",
        "class Cut(InertiaError): pass\nraise Cut('new_one', '', 'message')",
        "def _error(where, code) -> InertiaError:\n  return InertiaError(code, where, '')\n_error('', 'new_one')",
        "class A:\n  missing: str = 'new_one'\n  def f(self): raise InertiaError(self.missing, '', '')",
    ],
)
def test_a_code_is_seen_wherever_it_is_in_a_call(text):
    assert "new_one" in codes_of(text)


def test_a_code_that_is_put_together_counts_as_unreadable():
    assert codes_of("InertiaError(f'no_{kind}', '', '')") == [None]


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        ("Finding('error', 'new_one', '', '')", ["new_one of "]),
        ("InertiaError('new_one', '', '')", ["new_one of "]),
        ("replace(Finding('error', 'open_mesh', '', ''), severity='info')", ["open_mesh is of severity info"]),
        ("Finding('error', 'open_mesh', '', '')", []),
    ],
)
def test_what_the_product_makes_while_tests_run_is_checked(made, wrong):
    kinds = watched()
    kinds.make(made, CHECKOUT / "core" / "module.py")
    assert len(kinds.watch.wrong) == len(wrong)
    assert all(part in text for part, text in zip(wrong, kinds.watch.wrong, strict=True))


def test_a_code_that_a_test_makes_up_is_the_users_own():
    kinds = watched()
    kinds.make("InertiaError('my_own_code', '', '')", Path(__file__))
    kinds.make("InertiaError('my_own_code', '', '').finding()", CHECKOUT / "core" / "module.py")
    kinds.watch.check()


def watched():
    """Return a watch over kinds of findings and errors of its own, and what makes some of them in a file."""
    kinds = SimpleNamespace(Finding=type("Finding", (Finding,), {}), InertiaError=type("Error", (InertiaError,), {}))
    watch = Watch(kinds, findings)
    return SimpleNamespace(watch=watch, make=lambda text, file: eval(compile(text, file, "eval"), KNOWN | vars(kinds)))


KNOWN = {"replace": replace}


def test_each_code_is_listed_once():
    codes = [entry.code for area in areas() for entry in area.entries]
    assert len(codes) == len(set(codes)) == len(listed())


@pytest.mark.parametrize("entry", listed().values(), ids=lambda entry: entry.code)
def test_an_entry_has_a_short_title_its_severities_and_whole_sentences(entry):
    assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", entry.code)
    assert 3 < len(entry.title) <= 30 and not entry.title.endswith(".")
    assert entry.severities and len(set(entry.severities)) == len(entry.severities)
    assert set(entry.severities) <= set(WORST_FIRST)
    for text in (entry.meaning, entry.remedy):
        assert (text[0].isupper() or text.startswith("libsdformat")) and len(text) > 8 and "  " not in text
        assert text.endswith((".", "robot.urdf"))
        assert not re.search(r"[\\`*\[\]]|__", text)  # what Markdown would take for its own


def test_each_file_of_the_folder_is_an_area_that_is_read():
    folder = CHECKOUT / "core" / "findings"
    assert sorted(folder.glob("*.md")) == sorted(folder / f"{name}.md" for name in findings.AREAS)


def test_brackets_without_a_value_stay_in_a_template():
    template = "{package} is missing[, as is {other}]: pip install 'sdf-inertia[mesh]'"
    assert filled(template, {"package": "trimesh"}) == "trimesh is missing: pip install 'sdf-inertia[mesh]'"
    assert readable(template).endswith(", as is <other>: pip install 'sdf-inertia[mesh]'")
    assert all(f"'sdf-inertia[{extra}]'" in page() for extra in ("mesh", "xacro"))


def test_a_code_that_is_not_listed_is_called_by_its_words():
    assert title_of("open_mesh") == listed()["open_mesh"].title == "Open mesh"
    assert title_of("my_own_code") == "My own code"


def test_the_page_is_what_the_list_gives():
    assert (CHECKOUT / "docs" / "findings.md").read_text(encoding="utf-8") == page(), "run `make docs`"


def test_each_code_has_a_section_and_each_link_of_the_contents_a_chapter():
    lines = page().splitlines()
    assert [line.removeprefix("### ") for line in lines if line.startswith("### ")] == list(listed())
    chapters = {
        line.removeprefix("## ").lower().replace(" ", "-").replace(",", "") for line in lines if line[:3] == "## "
    }
    assert set(re.findall(r"\]\(#(.*?)\)", page())) == chapters and len(chapters) == len(areas())


def test_the_texts_are_loaded_only_when_they_are_asked_for():
    script = "import sys, core.cli.main; from core.findings.listed import areas; sys.exit(areas.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", script], cwd=Path(CHECKOUT), check=False).returncode == 0
