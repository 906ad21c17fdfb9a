# SPDX-License-Identifier: GPL-3.0-or-later
"""A job of writing files that is starved at each of its changes, and what must hold of its files and messages then."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from .ready import ERRORS, Call, End, Failing, Fault, Ready, instants, read_only

TEMPORARY = ".sdf_inertia-*.tmp"
"""What our temporary files are called: all that a death may leave, and the next run removes."""


@dataclass(frozen=True)
class Aftermath:
    """How a job ended that was starved at a change, of one letter; the files that it left, without temporary ones."""

    at: int
    change: str
    failing: Failing
    end: End
    files: dict[str, bytes] = field(repr=False)
    temporary: int


class Job:
    """A call that writes into its folder, which holds `old` before it and `new` after it: contents of files by name.

    The caller that makes the job has laid out the folder.
    """

    cannot = "cannot write "
    """What a message about a file begins with; its name and the reason follow."""

    varying: tuple[str, ...] = ()
    """What names of files begin with that differ from run to run: their contents are not compared."""

    def __init__(self, call: Call, ready: Ready) -> None:
        self.call, self.ready, self.folder = call, ready, call.below
        self._former = Path(f"{self.folder}-former")
        shutil.copytree(self.folder, self._former, symlinks=True)
        self.old = self.contents()
        self.lay_out()
        end = self.run()
        assert end.status == 0, end
        self.changes, self.new = end.changes, self.contents()
        assert self.new != self.old

    def lay_out(self) -> None:
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(self._former, self.folder, symlinks=True, dirs_exist_ok=True)

    def run(self, failing: Fault | None = None) -> End:
        return self.ready.run(self.call, failing)

    def contents(self) -> dict[str, bytes]:
        files = {str(path.relative_to(self.folder)): path for path in self.folder.rglob("*") if path.is_file()}
        return {name: b"" if name.startswith(self.varying) else path.read_bytes() for name, path in files.items()}

    def starved(self, failing: Failing, count: int) -> Iterator[Aftermath]:
        """Run it in vain at so many instants; after each the next run must be clean."""
        for at in instants(self.changes, count):
            self.lay_out()
            yield self.aftermath(at, failing, self.run(failing(at)))
            self.assert_next_run_is_clean()

    def aftermath(self, at: int, failing: Failing, end: End) -> Aftermath:
        """Return what is there after a run that failed: each file is the old or the new one, whole."""
        files = self.contents()
        temporary = [str(path.relative_to(self.folder)) for path in self.folder.rglob(TEMPORARY)]
        for name in temporary:
            del files[name]
        for name, data in files.items():
            assert name.startswith(self.varying) or data in (self.old.get(name), self.new.get(name)), (at, name)
        assert self.old.keys() & self.new.keys() <= files.keys(), (at, end)
        assert "Traceback" not in end.err, (at, end)
        self.assert_whole(files)
        return Aftermath(at, self.changes[at - 1], failing, end, files, len(temporary))

    def assert_whole(self, files: dict[str, bytes]) -> None:
        """Assert that what files say of each other holds."""

    def assert_next_run_is_clean(self) -> None:
        end = self.run()
        assert end.status == 0, end
        assert self.contents() == self.new

    def assert_refused(self, after: Aftermath) -> Path:
        """Assert that it ended with a message, and without what it could remove; return the file that this names."""
        assert after.end.status == 2, after
        assert not after.temporary or after.failing is read_only, after
        return self.named_in(after.end.err.splitlines()[-1], os.strerror(ERRORS[after.failing]))

    def named_in(self, message: str, *reasons: str) -> Path:
        """Return the file of the job that could not be written, by a message that names it and one of these reasons."""
        words, _, reason = message.rpartition(": ")
        assert words.startswith(self.cannot) and reason in reasons, message
        path = self.folder / words.removeprefix(self.cannot)
        assert path.is_relative_to(self.folder) and not fnmatch(path.name, TEMPORARY), message
        return path

    def run_without_permission(self) -> End:
        """Run it where no folder may be written to: nothing changes, and the next run is clean."""
        self.lay_out()
        paths = {*self.folder.rglob("*")}
        folders = [self.folder, *(path for path in paths if path.is_dir())]
        for folder in folders:
            folder.chmod(0o555)
        end = self.run()
        for folder in folders:
            folder.chmod(0o755)
        assert (self.contents(), {*self.folder.rglob("*")}) == (self.old, paths)
        self.assert_next_run_is_clean()
        return end
