# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user does with a window: finds a button by what it does, clicks it, reads, looks."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .picture import Box, Picture
from .window import HEIGHT, WAIT, WIDTH, Window

SCROLLS = 12
"""Pages of a sidebar at most."""

POPUP = 5000
"""Pixels of the smallest menu or popup, about."""

FILE_MENU = (46, 14)
"""The first word of the menu bar."""


class User:
    """Clicks and types in a window; asks Blender only where things are and what has become of them."""

    def __init__(self, window: Window, kept: Path, name: str) -> None:
        self.window, self.kept, self.name = window, kept, name

    def run(self, code: str, **names: Any) -> Any:
        return self.window.run(code, **names)

    def until(self, code: str, **names: Any) -> Any:
        return self.window.until(code, **names)

    # --- looking ---------------------------------------------------------------------------------------------

    def look(self, **view: Any) -> None:
        """Look at the scene from the front, at our tab beside it."""
        self.run("inside.look(**view)", view=view)
        assert self.until("inside.open_tab()"), "the sidebar has no tab of ours"
        self.window.breathe()

    def box(self, area: str = "VIEW_3D", region: str = "WINDOW") -> Box:
        left, top, right, bottom = self.run("inside.box(area, region)", area=area, region=region)
        return left, top, right, bottom

    def view(self) -> Box:
        """Return the 3D view without the toolbar, the headers and the sidebar that lie over it."""
        left, top, right, bottom = self.box()
        return left + 60, top + 60, min(right, self.sidebar()[0]), bottom

    def sidebar(self) -> Box:
        return self.box("VIEW_3D", "UI")

    def picture(self, name: str = "") -> Picture:
        """Look at the screen, and keep the picture if it has a name."""
        picture = self.window.picture()
        if name:
            self.window.save(self.kept / f"{self.name}-{name}.png")
        return picture

    def changes(self, before: Picture, box: Box, least: int = 100) -> bool:
        """Wait until so many pixels of a box are others than in a picture; return whether they are."""
        end = time.monotonic() + WAIT
        while self.window.glance().changed(before, box) < least:
            if time.monotonic() > end:
                return False
            self.window.breathe()
        return True

    def appears(self, act: Callable[[], None]) -> None:
        """Do what makes something appear, such as a popup, and wait until it is there."""
        before = self.window.picture()
        act()
        assert self.changes(before, (0, 0, WIDTH, HEIGHT), POPUP), "nothing has appeared"
        self.window.picture()

    def dialog(self, operator: str) -> None:
        """Wait until the file dialog of an operator is there to be clicked at."""
        assert self.until("inside.shown('FILE_BROWSER')")
        assert self.until("inside.file_dialog() == operator", operator=operator)
        self.window.picture()

    def ball(self, picture: Picture | None = None) -> tuple[float, float] | None:
        """Return where the one centre of mass is that the overlay shows: the middle of its yellow octants."""
        picture, view = picture or self.picture(), self.view()
        red, green, blue = np.moveaxis(picture.part(view), 2, 0)
        return picture.where((red > 225) & (green > 180) & (blue < 80), view)

    def on_screen(self, *point: float) -> tuple[float, float]:
        """Return where a point of the world is on the screen."""
        x, y = self.run("inside.on_screen(point)", point=point)
        return x, y

    # --- clicking --------------------------------------------------------------------------------------------

    def find(self, does: str, area: str = "VIEW_3D", region: str = "UI", pages: int = SCROLLS) -> tuple[float, float]:
        """Return where the button is whose call, or whose property's path, contains `does`: by hovering over it."""
        left, top, right, bottom = self.box(area, region)
        middle = (left + right) / 2, (top + bottom) / 2
        seen: list[str] = []
        for _once_more in range(2):
            for _page in range(pages):
                found = self.run("buttons.find(does, area, region)", does=does, area=area, region=region)
                if isinstance(found, tuple):
                    return found
                seen += found
                if not self._scroll(area, region, *middle):
                    break
            while self._scroll(area, region, *middle, button="4"):  # it may be above what is in sight
                pass
        raise AssertionError(f"no button does '{does}', only {seen}")

    def turn_wheel(self, area: str = "VIEW_3D", region: str = "UI") -> None:
        """Scroll a region down by a few lines."""
        left, top, right, bottom = self.box(area, region)
        self._scroll(area, region, (left + right) / 2, (top + bottom) / 2)

    def content_height(self, area: str = "VIEW_3D", region: str = "UI") -> float:
        """Scroll a region to its end; return how high all that it holds is [px]."""
        left, top, right, bottom = self.box(area, region)
        while self._scroll(area, region, (left + right) / 2, (top + bottom) / 2):
            pass
        return -float(self.run("inside.scrolled(area, region)", area=area, region=region))

    def _scroll(self, area: str, region: str, x: float, y: float, button: str = "5") -> bool:
        """Turn the wheel, down or with button 4 up; return whether that moved anything."""
        before = self.run("inside.scrolled(area, region)", area=area, region=region)
        self.window.move(x, y)
        self.window.program("xdotool", "click", "--repeat", "6", button)
        self.window.breathe()
        return bool(self.run("inside.scrolled(area, region)", area=area, region=region) != before)

    def press(self, does: str, area: str = "VIEW_3D", region: str = "UI") -> None:
        """Click the button that does this."""
        self.window.click(*self.find(does, area, region))

    def choose(self, does: str, number: int) -> None:
        """Open a drop-down list, and choose an item: the first is number 1."""
        place = self.find(does)
        self.appears(lambda: self.window.click(*place))
        self.window.key(str(number))

    def enter(self, does: str, text: str) -> None:
        """Click a field, and type what it shall hold."""
        self.press(does)
        self.window.key("ctrl+a")
        self.window.type(text)
        self.window.key("Return")

    def search(self, does: str, text: str) -> None:
        """Open a search by a button, type, and take the first that it offers."""
        place = self.find(does)
        self.appears(lambda: self.window.click(*place))
        self.window.type(text)
        self.picture()
        self.window.key("Return")

    def tick_in_popover(self, beside: str, right: float, down: float) -> None:
        """Open the popover to the right of a button, and click so many pixels from that button."""
        x, y = self.find(beside)
        self.appears(lambda: self.window.click(x + 20, y))
        self.window.click(x + right, y + down)
        self.keys()  # a popover closes where the pointer leaves it
        self.picture()

    def keys(self, *keys: str, at: tuple[float, float] | None = None) -> None:
        """Press keys with the pointer in the 3D view, or at a place."""
        if at is None:
            left, top, right, bottom = self.view()
            at = (left + right) / 2, top + 0.75 * (bottom - top)
        self.window.move(*at)
        self.window.key(*keys)
