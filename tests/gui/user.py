# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user does with a window: finds a button by what it does, clicks it, reads, looks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .picture import Box, Picture
from .window import HEIGHT, WAIT, WIDTH, Window

SCROLLS = 12
"""Pages of a sidebar at most."""

UP, DOWN = "4", "5"
"""The mouse's buttons for the two ways of the wheel."""

TURN = 41
"""Pixels that a turn of the wheel scrolls a region by, times the scale of the interface."""

MARGIN = 4
"""Pixels between the left edge of a region and all that turns the wheel for itself, such as a list."""

ROW = 19
"""Pixels between the rows in which buttons are searched for: a button is 20 high, times the scale of the interface."""

COLUMNS = ((0.25, 0.72), (0.1, 0.48, 0.8))
"""Where in a row, of its width: where most buttons are, which is tried on every page; then where the rest may be."""

LAST: dict[str, tuple[float, float]] = {}
"""Where in a region a button was last, by what it does: there, and then in that column, the search begins."""

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
        self.run("screen.look(**view)", view=view)
        assert self.until("screen.open_tab()"), "the sidebar has no tab of ours"
        self.window.breathe()

    def box(self, area: str = "VIEW_3D", region: str = "WINDOW") -> Box:
        left, top, right, bottom = self.run("screen.box(area, region)", area=area, region=region)
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
            self.save(name)
        return picture

    def save(self, name: str) -> None:
        """Keep a picture of the screen as it is now, which may be changing."""
        self.window.save(self.kept / f"{self.name}-{name}.png")

    def changes(self, before: Picture, box: Box, least: int = 100) -> bool:
        """Wait until so many pixels of a box are others than in a picture; return whether they are."""
        end = time.monotonic() + WAIT
        while self.window.glance().changed(before, box) < least:
            if time.monotonic() > end:
                return False
            self.window.breathe()
        return True

    def appears(self, act: Callable[[], None]) -> None:
        """Run what makes something appear, such as a popup, and wait until it is there."""
        before = self.window.picture()
        act()
        assert self.changes(before, (0, 0, WIDTH, HEIGHT), POPUP), "nothing has appeared"
        self.window.picture()

    def dialog(self, operator: str) -> None:
        """Wait until the file dialog of an operator is there to be clicked at."""
        assert self.until("screen.shown('FILE_BROWSER')")
        assert self.until("screen.file_dialog() == operator", operator=operator)
        self.window.picture()

    def ball(self, picture: Picture | None = None) -> tuple[float, float] | None:
        """Return where the one centre of mass is that the overlay shows: the middle of its yellow octants."""
        picture, view = picture or self.picture(), self.view()
        red, green, blue = np.moveaxis(picture.part(view), 2, 0)
        return picture.where((red > 225) & (green > 180) & (blue < 80), view)

    def on_screen(self, *point: float) -> tuple[float, float]:
        """Return where a point of the world is on the screen."""
        x, y = self.run("screen.on_screen(point)", point=point)
        return x, y

    # --- clicking --------------------------------------------------------------------------------------------

    def find(self, does: str, area: str = "VIEW_3D", region: str = "UI", pages: int = SCROLLS) -> tuple[float, float]:
        """Return where the button is whose call, or whose property's path, contains `does`: by hovering over it."""
        kind = does.partition("(")[0]
        seen: list[str] = []
        columns: Sequence[tuple[float, ...]] = (*COLUMNS, *COLUMNS)  # the second time it may have appeared
        if kind in LAST:
            columns = ((LAST[kind][0],), *columns)
            if place := self._hover(does, area, region, [LAST[kind]], seen):
                return place
        for shares in columns:
            for _page in range(pages):
                if place := self._hover(does, area, region, self._spots(area, region, shares), seen):
                    return place
                if not self._scroll(area, region, self._page(area, region)):
                    break
            self._scroll_to_top(area, region)  # it may be above what is in sight
        raise AssertionError(f"no button does '{does}', only {seen}")

    def _hover(
        self, does: str, area: str, region: str, spots: list[tuple[float, float]], seen: list[str]
    ) -> tuple[float, float] | None:
        """Move over a region; return the place of the button if it is there, or add what there is to `seen`."""
        found = self.run("buttons.find(*names)", names=(does, area, region, spots))
        if isinstance(found, list):
            seen += found
            return None
        x, y, LAST[does.partition("(")[0]] = found
        return x, y

    def _spots(self, area: str, region: str, columns: tuple[float, ...]) -> list[tuple[float, float]]:
        """Return places in a region: shares of its width, and pixels from its top."""
        left, top, right, bottom = self.box(area, region)
        if bottom - top <= 3 * ROW:  # a header
            return [(x / (right - left), (bottom - top) / 2) for x in range(ROW, int(right - left), ROW)]
        row = ROW * self.scale()
        rows = np.arange(row, bottom - top - row / 2, row).tolist()  # a click on the area's edge would move that
        return [(column, height) for height in rows for column in columns]

    def scale(self) -> float:
        """Return how large the interface is drawn."""
        return float(self.run("bpy.context.preferences.view.ui_scale"))

    def _page(self, area: str, region: str) -> int:
        """Return the turns of the wheel that show the next part of a region, and a little of this one."""
        _, top, _, bottom = self.box(area, region)
        return max(1, int((bottom - top) / (TURN * self.scale())) - 1)

    def turn_wheel(self, area: str = "VIEW_3D", region: str = "UI") -> None:
        """Scroll a region down by a few lines."""
        self._scroll(area, region, 6)

    def content_height(self, area: str = "VIEW_3D", region: str = "UI") -> float:
        """Scroll a region to its end; return how high all that it holds is [px]."""
        while self._scroll(area, region, 2 * self._page(area, region)):
            pass
        return -float(self.run("screen.scrolled(area, region)", area=area, region=region))

    def _scroll_to_top(self, area: str, region: str) -> None:
        while (down := -float(self.run("screen.scrolled(area, region)", area=area, region=region))) > 0:
            if not self._scroll(area, region, -int(down / (TURN * self.scale()) + 1)):
                break

    def _scroll(self, area: str, region: str, turns: int) -> bool:
        """Turn the wheel, upwards if negative, with the pointer in a region; return True if that moved anything."""
        left, top, right, bottom = self.box(area, region)
        before = self.run("screen.scrolled(area, region)", area=area, region=region)
        self.window.move(left + MARGIN, (top + bottom) / 2)
        self.window.program("xdotool", "click", "--delay", "4", "--repeat", str(abs(turns)), DOWN if turns > 0 else UP)
        self.window.breathe()
        return bool(self.run("screen.scrolled(area, region)", area=area, region=region) != before)

    def press(self, does: str, area: str = "VIEW_3D", region: str = "UI") -> None:
        """Click the button that does this."""
        self.window.click(*self.find(does, area, region))

    def choose(self, does: str, number: int) -> None:
        """Open a drop-down list, and choose an item: the first is number 1."""
        place = self.find(does)
        self.appears(lambda: self.window.click(*place))
        self.window.key(str(number))

    def enter(self, does: str, text: str, area: str = "VIEW_3D", region: str = "UI") -> None:
        """Click a field, and type what it shall hold."""
        self.press(does, area, region)
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
