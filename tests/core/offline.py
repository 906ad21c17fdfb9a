# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs run where there is no network, and watched for whether they look for one."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

LOCAL = ("AF_UNIX", "AF_LOCAL")
"""What processes of one machine talk to each other by."""

WATCH = """
import os, sys

def watch(event, words):
    # A name is looked up, or a socket is led somewhere: one of this machine has a path for its address.
    far = event == "socket.connect" and isinstance(words[1], tuple)
    if far or event in ("socket.getaddrinfo", "socket.gethostbyname", "urllib.Request", "http.client.connect"):
        with open(os.environ["SDF_INERTIA_WATCH"], "a", encoding="utf-8", newline="\\n") as log:
            log.write(f"{event} {words!r}\\n")

sys.addaudithook(watch)
"""
"""A sitecustomize: every Python that is started with it writes down what it asks a network for."""


class Offline:
    """What starts programs, and what they were seen doing."""

    def __init__(self, folder):
        self.log, self.trace, self._hook = folder / "asked", folder / "trace", folder / "hook"
        self._hook.mkdir()
        (self._hook / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
        apart = next((words for words in (["unshare", "-n"], ["unshare", "-rn"]) if works(words)), None)
        if apart is None:
            pytest.skip("this system has no network namespaces")
        follow = ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg", "-o", str(self.trace)]
        self.traced = works([*follow, "true"])  # by C code, too; without strace only what Python does is seen
        self._words = [*apart, *(follow if self.traced else [])]

    def run(self, folder, *words, path=()):
        """Run a program in a folder; `path` are folders of Python's."""
        environment = {**os.environ, "SDF_INERTIA_WATCH": str(self.log)}
        environment["PYTHONPATH"] = os.pathsep.join(map(str, (self._hook, *path)))
        return subprocess.run(
            [*self._words, *map(str, words)],
            env=environment,
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=300,
        )

    def asked(self):
        """Return what was asked of a network so far."""
        asked = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        traced = self.trace.read_text(encoding="utf-8", errors="replace").splitlines() if self.traced else []
        sockets = [line for line in traced if re.search(r"\b(connect|sendto|sendmsg)\(", line)]
        return asked + [line for line in sockets if "AF_" in line and not any(kind in line for kind in LOCAL)]


def works(words):
    if shutil.which(words[0]) is None:
        return False
    return subprocess.run([*words, "true"] if words[-1] != "true" else words, capture_output=True).returncode == 0


def named_from_afar(folder):
    """Lay out files that name others on a server, in every way that their formats know; return their paths."""
    far = "http://192.0.2.1/x"  # of a range that is nobody's
    texts = {
        "mesh.sdf": _sdf(f"<mesh><uri>{far}.obj</uri></mesh>"),
        "file.sdf": _sdf("<mesh><uri>file://192.0.2.1/share/x.obj</uri></mesh>"),
        "include.sdf": f"<sdf version='1.11'><world name='w'><include><uri>{far}</uri></include></world></sdf>",
        "entity.sdf": f"<!DOCTYPE sdf SYSTEM '{far}.dtd'><sdf version='1.11'/>",
        "xinclude.sdf": "<sdf version='1.11' xmlns:xi='http://www.w3.org/2001/XInclude'>"
        f"<xi:include href='{far}'/></sdf>",
        "arm.urdf": f"<robot name='r'><link name='l'><collision><geometry><mesh filename='{far}.stl'/></geometry>"
        "</collision></link></robot>",
        "x.obj": f"mtllib {far}.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
        "x.gltf": '{"asset": {"version": "2.0"}, "meshes": [], "buffers": [{"byteLength": 4, "uri": "'
        f'{far}.bin"}}]}}',
        "x.dae": "<?xml version='1.0'?><!DOCTYPE COLLADA SYSTEM '" + far + "'><COLLADA version='1.4.1' "
        "xmlns='http://www.collada.org/2005/11/COLLADASchema'><library_images><image id='i'><init_from>"
        f"{far}.png</init_from></image></library_images></COLLADA>",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def _sdf(geometry):
    return f"""<sdf version="1.11"><model name="m"><link name="l">
<inertial auto="true"><density>1000</density></inertial>
<collision name="c"><geometry>{geometry}</geometry></collision></link></model></sdf>"""


def assert_watched(offline: Offline, python: str, tmp_path: Path) -> None:
    """Assert that a program that asks for a network is seen, by Python's own hook and, where there is strace, by it."""
    code = "import socket; socket.socket().connect_ex(('192.0.2.1', 80))"
    offline.run(tmp_path, python, "-c", code)
    asked = offline.asked()
    assert any(line.startswith("socket.connect") for line in asked)
    assert any("AF_INET" in line for line in asked) == offline.traced
    offline.log.unlink()
    offline.trace.unlink(missing_ok=True)
