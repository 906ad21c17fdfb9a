# SPDX-License-Identifier: GPL-3.0-or-later
"""A tutorial: steps with a text, an action in a window, and a picture of the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from tests.gui.picture import Box
from tests.gui.user import User

DOCS = Path(__file__).resolve().parents[2] / "docs"

Area = Literal["window", "panel", "view", "dialog", "none"]


@dataclass(frozen=True)
class Step:
    """One step.

    Parameters
    ----------
    title : str
    text : str
        Markdown, in full sentences.
    act : callable
        Does it in a window, given a `User`; raises if it does not work.
    area : {"window", "panel", "view", "dialog", "none"}
        What the picture shows: the window's left part with 3D view and tab, the tab alone, the view alone, or the
        options of a file dialog. A step in the terminal has none.
    below : callable
        Returns more Markdown for below the picture, such as the output of a command.
    """

    title: str
    text: str
    act: Callable[[User], None]
    area: Area = "window"
    below: Callable[[], str] = str


@dataclass(frozen=True)
class Tutorial:
    """A page of steps, with texts before and after them."""

    name: str
    title: str
    introduction: str
    steps: Sequence[Step]
    end: str

    @property
    def page(self) -> Path:
        return DOCS / f"tutorial-{self.name}.md"

    def picture(self, number: int) -> Path:
        return DOCS / f"tutorial-{self.name}" / f"{number:02}.png"

    def pictures(self) -> list[Path]:
        return [self.picture(number) for number, step in enumerate(self.steps, 1) if step.area != "none"]

    def markdown(self) -> str:
        """Return the page; `make` must have made the pictures that it names."""
        parts = [f"# {self.title}", "<!-- Made by make tutorials: change tools/tutorials, not this. -->"]
        parts.append(self.introduction.strip())
        for number, step in enumerate(self.steps, 1):
            picture = self.picture(number).relative_to(DOCS).as_posix()
            parts += [f"## {number}. {step.title}", step.text.strip()]
            parts += [] if step.area == "none" else [f"![{step.title}]({picture})"]
            parts += [below] if (below := step.below().strip()) else []
        return "\n\n".join([*parts, self.end.strip()]) + "\n"

    def make(self, user: User) -> None:
        """Run every step in a window, keep its picture, and write the page."""
        self.picture(1).parent.mkdir(parents=True, exist_ok=True)
        for number, step in enumerate(self.steps, 1):
            step.act(user)
            if step.area != "none":
                _save(user, step.area, self.picture(number))
            print(f"{self.name} {number}: {step.title}")
        self.page.write_text(self.markdown(), encoding="utf-8")


def _save(user: User, area: Area, path: Path) -> None:
    if area == "dialog":
        left, top, right, _bottom = user.box("FILE_BROWSER", "TOOL_PROPS")
        return _cut(user, (left, top + 112, right, top + 380), path)  # below the path, which is that of a test
    user.keys()
    left, top, right, bottom = (round(edge) for edge in user.box())
    if area == "panel":
        left, top, right, bottom = (round(edge) for edge in user.sidebar())
    elif area == "window":
        right = round(user.sidebar()[2])
    else:
        right, left, top = min(right, round(user.sidebar()[0])), left + 55, top + 60
    _cut(user, (left, top, right, bottom), path)


def _cut(user: User, box: Box, path: Path) -> None:
    """Save a part of the screen."""
    left, top, right, bottom = (round(edge) for edge in box)
    pixels: Any = user.picture().pixels[top:bottom, left:right]
    image: Any = import_module("PIL.Image").fromarray(pixels)  # PIL comes with Drake
    image.quantize(256, method=2).save(path, optimize=True)
