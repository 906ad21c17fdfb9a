# SPDX-License-Identifier: Apache-2.0
"""The files of Git repositories that changed since a revision, by git itself."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from ...errors import InertiaError

GIT = ("git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
"""The command, which runs no monitor of files that a repository names, but its filters, as Git LFS needs."""

OF_HOOKS = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"})
"""Variables by which git tells a hook of which repository it is; a file's folder tells it here."""

SECONDS = 120.0
"""Time after which git is ended."""


class ChangedFiles:
    """The files that changed since a revision, or are new; of each repository as it is first asked for.

    Parameters
    ----------
    ref : str
        A branch, tag or commit; what counts are the changes since the last commit that it shares with HEAD.
    """

    def __init__(self, ref: str) -> None:
        self._ref = ref
        self._of_folder: dict[str, Path] = {}
        self._changed: dict[Path, frozenset[str]] = {}

    def has_any(self, file: Path, read: Iterable[str]) -> bool:
        """Return True if a file or any of those that were read with it changed.

        Raises
        ------
        InertiaError
            ``no_git`` if git has no answer, such as outside of a repository.
        """
        folder = os.path.dirname(os.path.realpath(file))
        if folder not in self._of_folder:
            self._of_folder[folder] = Path(self._git(Path(folder), "rev-parse", "--show-toplevel").rstrip("\n"))
        top = self._of_folder[folder]
        if top not in self._changed:
            self._changed[top] = self._listed(top)
        changed = self._changed[top]
        for name in (str(file), *read):
            path = os.path.realpath(name)
            # Of a submodule that changed, git names only the folder.
            if path in changed or any(str(above) in changed for above in Path(path).parents):
                return True
        return False

    def _listed(self, top: Path) -> frozenset[str]:
        commit = self._git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{self._ref}^{{commit}}")
        base = self._git(top, "merge-base", commit.strip(), "HEAD").strip()
        diff = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", base, "--")
        names = self._git(top, *diff) + self._git(top, "ls-files", "--others", "--exclude-standard", "-z")
        return frozenset(os.path.realpath(top / name) for name in names.split("\0") if name)

    def _git(self, folder: Path, *words: str) -> str:
        try:
            done = subprocess.run(
                [*GIT, *words],
                cwd=folder,
                env={name: value for name, value in os.environ.items() if name not in OF_HOOKS},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=SECONDS,
            )
        except (
            OSError,
            ValueError,
            subprocess.SubprocessError,
        ) as error:  # no git, or a NUL
            raise self._unknown(str(error)) from None
        if done.returncode:
            last = os.fsdecode(done.stderr).strip().splitlines()[-1:]
            raise self._unknown(last[0] if last else "it has no such commit, or shares none with HEAD")
        return os.fsdecode(done.stdout)

    def _unknown(self, reason: str) -> InertiaError:
        return InertiaError.of("no_git", "", ref=self._ref, reason=reason)
