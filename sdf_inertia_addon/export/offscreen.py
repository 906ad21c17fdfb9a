# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures made on the GPU without a window, and written as PNG."""

from __future__ import annotations

import os
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CDLL, c_uint, c_void_p

import bpy
import gpu
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]


EGL_PLATFORM_SURFACELESS_MESA = 0x31DD
"""Drawing without a screen: from EGL's registry of extensions."""


EGL_NOISE = b"EGL Error (0x3009): EGL_BAD_MATCH"
"""What Blender writes three times if there is no screen, although it can draw."""


class NoGpuError(Exception):
    """Blender cannot draw here; the message gives the reason and a fix."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"{why.strip()}; install OpenGL for use without a screen"
            " (Debian: libegl1 libegl-mesa0 libgl1-mesa-dri), or do without the picture"
        )


def require_gpu() -> None:
    """Make the gpu module usable, in the background too.

    Raises
    ------
    NoGpuError
        If nothing can be drawn here.
    """
    if not bpy.app.background or _works():
        return
    if sys.platform == "linux":
        _require_egl()
    if hasattr(gpu, "init"):  # Blender 5.2
        try:
            with without_egl_noise():
                gpu.init()
        except (RuntimeError, SystemError) as error:
            raise NoGpuError(str(error)) from None
    else:
        _render_once()
    if not _works():
        raise NoGpuError("Blender found no OpenGL or Vulkan to draw with")


def picture(width: int, height: int, draw: Callable[[], None]) -> Pixels:
    """Return what `draw` draws into an empty framebuffer: (height, width, 4), from the top, sRGB."""
    offscreen = gpu.types.GPUOffScreen(width, height)
    try:
        with offscreen.bind():
            gpu.state.viewport_set(0, 0, width, height)
            draw()
            buffer = gpu.state.active_framebuffer_get().read_color(0, 0, width, height, 4, 0, "UBYTE")
    finally:
        offscreen.free()
    buffer.dimensions = width * height * 4
    pixels: Pixels = np.array(buffer, dtype=np.uint8).reshape(height, width, 4)[::-1]
    return pixels


def halved(pixels: Pixels) -> Pixels:
    """Return a picture of half the width and height: the average of each four pixels."""
    height, width, channels = pixels.shape
    blocks = pixels.reshape(height // 2, 2, width // 2, 2, channels).astype(np.uint16)
    averages: Pixels = ((blocks.sum(axis=(1, 3)) + 2) // 4).astype(np.uint8)
    return averages


def png(pixels: Pixels) -> bytes:
    """Return the colours of a picture as a PNG file; the same picture gives the same bytes.

    By hand, since saving through Blender needs an image in the user's file, and follows the scene's colour settings.
    """
    height, width, _channels = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 1:] = pixels[:, :, :3].reshape(height, -1)
    # Filter 1: each byte less that of the pixel to its left.
    rows[:, 0] = 1
    rows[:, 4:] -= rows[:, 1:-3].copy()
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"sRGB", b"\0"),
        (b"IDAT", zlib.compress(rows.tobytes(), 6)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


def _works() -> bool:
    try:
        gpu.types.GPUOffScreen(8, 8).free()
    except (SystemError, RuntimeError):
        return False
    return True


def _require_egl() -> None:
    # Without a driver Blender ends the process without an error, so test first what it will need.
    try:
        egl = CDLL("libEGL.so.1")
    except OSError as error:
        raise NoGpuError(f"the library libEGL.so.1 cannot be loaded ({error})") from None
    egl.eglGetDisplay.argtypes, egl.eglGetDisplay.restype = [c_void_p], c_void_p
    egl.eglGetPlatformDisplay.argtypes = [c_uint, c_void_p, c_void_p]
    egl.eglGetPlatformDisplay.restype = c_void_p
    egl.eglInitialize.argtypes, egl.eglInitialize.restype = [c_void_p, c_void_p, c_void_p], c_uint
    for display in (egl.eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, None, None), egl.eglGetDisplay(None)):
        if display and egl.eglInitialize(display, None, None):
            return
    raise NoGpuError(f"EGL finds no driver to draw with (error {egl.eglGetError():#x})")


@contextmanager
def without_egl_noise() -> Iterator[None]:
    """Keep Blender's complaint about EGL off standard error; other output passes, and everything if the block fails.

    It is written by Blender's own code, so that the file descriptor has to be exchanged, not ``sys.stderr``.
    """
    try:
        if sys.platform != "linux":
            raise OSError("EGL is how Blender draws on Linux")
        terminal = os.dup(2)
    except OSError:  # no standard error at all
        yield
        return
    failed = True
    with tempfile.TemporaryFile() as caught:
        sys.stderr.flush()
        os.dup2(caught.fileno(), 2)
        try:
            yield
            failed = False
        finally:
            sys.stderr.flush()
            os.dup2(terminal, 2)
            os.close(terminal)
            caught.seek(0)
            lines = caught.read().splitlines(keepends=True)
            passed = b"".join(line for line in lines if failed or not line.startswith(EGL_NOISE))
            os.write(2, passed)


def _render_once() -> None:
    # Before 5.2 only a render makes the GPU usable in the background. The scene is our own and goes again.
    had_result = "Render Result" in bpy.data.images
    scene = bpy.data.scenes.new("sdf_inertia")
    camera = bpy.data.cameras.new("sdf_inertia")
    eye = bpy.data.objects.new("sdf_inertia", camera)
    try:
        scene.collection.objects.link(eye)
        scene.camera = eye
        scene.render.engine = "BLENDER_WORKBENCH"  # type: ignore[assignment]
        scene.render.resolution_x = scene.render.resolution_y = 8
        with without_egl_noise():
            bpy.ops.render.render(scene=scene.name)
    except RuntimeError as error:
        raise NoGpuError(str(error)) from None
    finally:
        # Together: `scenes.remove` looks into the window, and under --command a loaded file has none (4.3 crashes).
        bpy.data.batch_remove((eye, camera, scene))
        if not had_result and "Render Result" in bpy.data.images:
            bpy.data.images.remove(bpy.data.images["Render Result"])
