# SPDX-License-Identifier: GPL-3.0-or-later
"""Follow the remedies of `check` word by word, and list those that do not lead where they say.

A remedy that names a command is run as printed; afterwards its finding must be gone, and no error may be new.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path

from core.cli.checked import UNKNOWN

from .robot_room import (
    SINGLE,
    SIZE,
    Checked,
    Ended,
    Key,
    Room,
    changed,
    checked,
    inertials,
    key_of,
    not_as_listed,
    run,
    written_as,
)

CHANGES = ("repair", "fill")
"""Commands that write a file. All others only show something, which is no more than a text for the user."""

NO_STDOUT = {"--in-place", "--dry-run", "-o", "--output"}
PLACEHOLDERS = {"KG_M3": "1000", "KG": "1", "M": "0.002"}
_COMMAND = re.compile(r"`sdf-inertia ([^`]+)`")
_FIX = re.compile(r"\[(\w+)\](?: \([^\[\]]*\))? Fix: (.*)")
"""A finding that `repair` prints: its code and its remedy."""

_VAGUE = re.compile(
    r"a|all|also|and|another|any|again|be|but|by|change|check|correct|fix|for|give|in|is|its?|look|make|nothing|of|on"
    r"|one|or|other|remove|repair|right|see|set|that|the|them|then|these|this|those|to|try|use|with|write"
)
"""Words that name neither a thing nor a number."""


@dataclass(frozen=True)
class DeadEnd:
    """A remedy that was followed and did not help."""

    file: str
    link: str
    code: str
    command: str
    happened: str

    def __str__(self) -> str:
        return f"{self.file} | {self.link} | {self.code} | {self.command or '(no command)'} | {self.happened}"


@dataclass
class Followed:
    """What following all remedies of a file led to; `commands` counts the different ones."""

    findings: int = 0
    with_command: int = 0
    commands: int = 0
    dead_ends: list[DeadEnd] = field(default_factory=list)


@dataclass(frozen=True)
class After:
    """What a command led to: its last line if it failed; else the findings, and if it changes more when run again."""

    failed: str
    last_line: str = ""
    checked: dict[bool, Checked] = field(default_factory=dict)
    changes_again: bool = False


def names_nothing(remedy: str) -> bool:
    """Return True if a remedy without a command names no thing, number or file."""
    return all(_VAGUE.fullmatch(word) for word in re.findall(r"[\w.]+", remedy.lower()))


def follow(room: Room, path: Path) -> Followed:
    """Follow all remedies of a robot's file in a copied folder, which is as before afterwards."""
    with chdir(path.parent):
        return _Follower(room, path.name, path.relative_to(room.folder.parent).as_posix()).follow()


@dataclass
class _Follower:
    """Follow the remedies of a file in the working directory; each command runs once."""

    room: Room
    name: str
    shown: str
    result: Followed = field(default_factory=Followed)
    cache: dict[str, After] = field(default_factory=dict)
    known: set[tuple[Key, str]] = field(default_factory=set)
    advice: list[tuple[str, str]] = field(default_factory=list)

    def follow(self) -> Followed:
        before = {strict: checked(self.name, strict) for strict in (False, True)}
        for strict, state in before.items():
            for finding in state.findings:
                self._remedy(finding, strict, before)
        self.result.findings = len(before[True].findings)
        self.result.with_command = sum(bool(_COMMAND.search(each["remedy"])) for each in before[True].findings)
        self.result.commands = len(self.cache)
        if before[False].status not in UNKNOWN:
            self._repair()
        return self.result

    def _dead(self, key: Key, command: str, happened: str, strict: bool = False) -> None:
        """Record a dead end, unless it is known already: `strict` comes after the run without --strict."""
        if (key, command) not in self.known:
            self.known.add((key, command))
            happened = f"with --strict, {happened}" if strict else happened
            self.result.dead_ends.append(DeadEnd(self.shown, key[1], key[0], command, happened))

    def _remedy(self, finding: dict[str, str], strict: bool, before: dict[bool, Checked]) -> None:
        key, remedy = key_of(finding), finding["remedy"]
        commands = _COMMAND.findall(remedy)
        if not commands and finding["severity"] != "info" and names_nothing(remedy):
            self._dead(key, "", f"the remedy names nothing: '{remedy}'", strict)
        for command in commands:
            happened = self._happened(key, command, strict, before[strict])
            if happened:
                self._dead(key, command, happened, strict)

    def _happened(self, key: Key, command: str, strict: bool, before: Checked) -> str:
        """Return why a command does not help; empty if it does."""
        after = self._after(command)
        if after.failed or shlex.split(command)[0] not in CHANGES:
            return after.failed
        state = after.checked[strict]
        new = state.keys("error") - before.keys("error")
        if state.keys()[key]:
            return f"{_still(key, state)} {after.last_line}"
        if new:
            return f"new errors: {', '.join(map(' of '.join, new))}"
        return "changes more when it is run again" if after.changes_again else ""

    def _after(self, command: str) -> After:
        if command not in self.cache:
            words = [*_filled(shlex.split(command), self.name)]
            self.cache[command] = self._ran(words)
            self.room.put_back()
        return self.cache[command]

    def _ran(self, words: list[str]) -> After:
        ended = self._do(words)
        if ended.status > 1 or (ended.status and words[0] == "mass"):
            return After(ended.reason)
        if words[0] not in CHANGES:
            return After("")
        roots = [after for word, after in zip(words, words[1:], strict=False) if word == "--path"]
        state, first = {strict: checked(changed(self.name), strict, roots) for strict in (False, True)}, self._files()
        self._do(words)
        return After("", ended.reason, state, self._files() != first)

    def _files(self) -> dict[Path, bytes]:
        return self.room.files(backups=False)

    def _do(self, words: list[str]) -> Ended:
        """Run a command; what it prints or writes elsewhere becomes the new content of the file that it names."""
        ended = run(*words)
        if words[0] in CHANGES and ended.status <= 1:
            target = Path(next((word for word in reversed(words) if Path(word).is_file()), self.name))
            if not NO_STDOUT & {*words} and ended.out:
                written_as(str(target)).write_bytes(ended.out)
            elif "-o" in words:
                written_as(self.name).write_bytes(Path(words[words.index("-o") + 1]).read_bytes())
        return ended

    def _repair(self) -> None:
        """Check what `repair` reports against what it writes, and that it then has nothing left to do."""
        for code, happened in self._of_repair():
            self._dead((code, ""), f"repair {self.name}", happened)
        self.room.put_back()
        for code, command in self.advice:
            if after := self._after(command).failed:
                self._dead((code, f"printed by repair {self.name}"), command, after)

    def _of_repair(self) -> Iterator[tuple[str, str]]:
        old = inertials(self.name)
        planned = run("repair", "--in-place", "--dry-run", "--json", self.name)
        planned_printed = run("repair", "--dry-run", self.name)
        if self.room.files() != self.room.first:
            yield "dry_run", "--dry-run writes a file"
        printed = run("repair", self.name)
        if planned_printed.status != printed.status:
            yield "dry_run", f"--dry-run ends with {planned_printed.status}, the run with {printed.status}"
        done = run("repair", "--in-place", "--json", self.name)
        written = self._files()
        self.advice = [(code, command) for code, fix in _FIX.findall(printed.err) for command in _COMMAND.findall(fix)]
        if planned.status != done.status:
            yield "dry_run", f"--dry-run ends with {planned.status}, the run with {done.status}"
        if done.status > 1:
            yield "exit_status", f"check reads it, but repair: {done.reason}"
            return
        plan, done_json = (json.loads(ended.out) for ended in (planned, done))
        if plan["links"] != done_json["links"]:
            yield "dry_run", "--dry-run lists other links or numbers than the run"
        size = SIZE if written_as(self.name) == Path(self.name) else SINGLE
        yield from not_as_listed(done_json["links"], old, inertials(changed(self.name)), size)
        alone = sum(data != self.room.first.get(path) for path, data in written.items()) <= 1  # no included file
        if done_json["output"] and alone and printed.out != Path(changed(self.name)).read_bytes():
            yield "standard_output", "the bytes on standard output differ from those of --in-place"
        status = checked(changed(self.name), False).status
        if status != done.status:
            yield "exit_status", f"repair ends with {done.status}, check of its result with {status}"
        again = run("repair", "--in-place", self.name)
        if self._files() != written:
            yield "fixpoint", "a second repair changes bytes"
        if again.status != done.status:
            yield "fixpoint", f"repair ends with {done.status}, a second one with {again.status}"


def _still(key: Key, state: Checked) -> str:
    finding = next(finding for finding in state.findings if key_of(finding) == key)
    return f"still there: {finding['severity']}: {finding['message']}."


def _filled(words: list[str], name: str) -> Iterator[str]:
    """Yield the words of a command with a value for each placeholder."""
    values = PLACEHOLDERS | {"DIR": ".", "FILE": name}
    for word in words:
        option, mark, value = word.rpartition("=")
        yield option + mark + values.get(value, value)
