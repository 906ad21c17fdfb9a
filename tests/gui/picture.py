# SPDX-License-Identifier: GPL-3.0-or-later
"""What is on the screen, as numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels from the top left of the screen."""


class Picture:
    """A screenshot, from a dump of X's. `pixels` is (height, width, 3), 0 to 255."""

    def __init__(self, dump: bytes) -> None:
        header = np.frombuffer(dump, ">u4", 20)  # as <X11/XWDFile.h> has it
        size, width, height, colors = (int(header[i]) for i in (0, 4, 5, 19))
        shown = np.frombuffer(dump, np.uint8, offset=size + 12 * colors, count=4 * width * height)
        self.pixels: npt.NDArray[np.uint8] = shown.reshape(height, width, 4)[:, :, 2::-1]  # blue, green, red, nothing

    def part(self, box: Box) -> npt.NDArray[np.int64]:
        left, top, right, bottom = (round(edge) for edge in box)
        return self.pixels[top:bottom, left:right].astype(np.int64)

    def changed(self, other: Picture, box: Box, by: int = 12) -> int:
        """Return how many pixels of a box differ from another picture's by more than `by` in any channel."""
        return int((np.abs(self.part(box) - other.part(box)).max(axis=2) > by).sum())

    def contrast(self, box: Box) -> float:
        """Return the contrast of the darkest pixel of a box to the commonest, as WCAG 2 defines it: 1 to 21."""
        pixels = self.part(box).reshape(-1, 3)
        colors, counts = np.unique(pixels, axis=0, return_counts=True)
        shares = np.stack([colors[counts.argmax()], pixels[pixels.sum(axis=1).argmin()]]) / 255.0
        linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
        light, dark = linear @ (0.2126, 0.7152, 0.0722) + 0.05
        return float(light / dark)

    def where(self, mask: npt.NDArray[np.bool_], box: Box) -> tuple[float, float] | None:
        """Return the middle of the pixels of a box's mask, on the screen; None if there are none."""
        rows, columns = np.nonzero(mask)
        if not len(rows):
            return None
        return float(columns.mean() + round(box[0])), float(rows.mean() + round(box[1]))
