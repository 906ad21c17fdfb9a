# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages in a real Chromium without a window: from disk, without a network."""

import io
import json
import os
import shutil
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pytest

from core.cli.main import main

from ..versions import CHECKOUT
from .robots import sixty_links

sync_api = pytest.importorskip("playwright.sync_api", reason="there is no playwright (requirements/pages.txt)")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SOFTWARE_GL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"]
PICTURES = CHECKOUT / "build" / "pages"


def pytest_collection_modifyitems(items):
    if CHROMIUM is None:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="there is no Chromium: apt-get install chromium"))


@pytest.fixture(scope="session")
def browser():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SOFTWARE_GL)
        yield browser
        browser.close()


def settle(page):
    """Wait until nothing is left to be drawn. A policy forbids the strings that `wait_for_function` evaluates."""
    page.evaluate(
        """() => new Promise(done => {
            const look = () => (window.sdfInertia?.waiting ? requestAnimationFrame(look) : done());
            look();
        })"""
    )


class Opened:
    """Opens pages, and remembers what went wrong in them."""

    def __init__(self, browser):
        self._browser = browser
        self._contexts = []
        self.faults = []

    def __call__(self, path, size=(1280, 800), scheme="light"):
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, offline=True, reduced_motion="reduce"
        )
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self._note(message.type in ("error", "warning"), message.text))
        page.on("pageerror", lambda error: self._note(True, str(error)))
        page.on("request", lambda request: self._note(not request.url.startswith(("file:", "data:")), request.url))
        page.goto(Path(path).resolve().as_uri())
        settle(page)
        return page

    def _note(self, wrong, text):
        # Chromium reports that reading pixels is slow in software, which only a picture of the page does.
        if wrong and "ReadPixels" not in text:
            self.faults.append(text)

    def close(self):
        for context in self._contexts:
            context.close()


@pytest.fixture
def opened(browser):
    """What opens a page; the test fails if there is an error in its console, or if it asks for anything elsewhere."""
    opened = Opened(browser)
    yield opened
    opened.close()
    assert opened.faults == []


@cache
def report(path, form, *words):
    """Return what ``report`` writes about a file."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        assert main(["report", os.fspath(path), "--format", form, *words]) in (0, 1)
    return out.getvalue()


@pytest.fixture(scope="session")
def page_of(tmp_path_factory):
    """What writes the page of a robot's file, and returns its path."""
    folder = tmp_path_factory.mktemp("pages")

    def write(path, *words):
        page = folder / f"{path.name}{'-engines' * bool(words)}.html"
        report(path, "html", "--output", os.fspath(page), *words)
        return page

    return write


@pytest.fixture(scope="session")
def numbers_of():
    """What returns the numbers of ``report --format json``: by link, its pose in the model, and its body."""

    def read(path):
        models = json.loads(report(path, "json"))["models"]
        several = len(models) > 1
        return {
            f"{model['name']}::{link['name']}" if several else link["name"]: link
            for model in models
            for link in model["links"]
        }

    return read


@pytest.fixture(scope="session")
def crowd(tmp_path_factory):
    """A robot of 60 links."""
    path = tmp_path_factory.mktemp("robots") / "crowd.urdf"
    path.write_text(sixty_links(), encoding="utf-8")
    return path


@pytest.fixture
def picture():
    """What keeps a picture of a page in build/pages, to be looked at."""

    def keep(page, name):
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}.png")

    return keep
