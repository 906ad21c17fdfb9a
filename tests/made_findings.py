# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks at every finding and error that is made while tests run: is its code listed, and its severity with it?"""

import dataclasses
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
OURS = tuple(f"{CHECKOUT / tree}/" for tree in ("core", "sdf_inertia_addon"))


class Watch:
    """Notes which findings and errors of ours the list does not have; those that tests make are their own.

    Parameters
    ----------
    errors, listed : modules
        ``core.errors`` and ``core.findings.listed``, by whatever name they were imported.
    """

    def __init__(self, errors, listed):
        self.listed = listed.listed()
        self.told_by_tests = set()
        self.wrong = []
        self._look_at(errors.Finding, lambda severity, code, *_rest, **_more: (severity, code))
        # An error may yet become a finding of another severity.
        self._look_at(errors.InertiaError, lambda code, *_rest, **_more: (None, code))

    def _look_at(self, kind, said):
        make = kind.__init__

        def made(one, *args, **kwargs):
            make(one, *args, **kwargs)
            severity, code = said(*args, **kwargs)
            self._note(severity, code, _maker())

        kind.__init__ = made

    def _note(self, severity, code, maker):
        if not maker.startswith(OURS):
            self.told_by_tests.add(code)
        elif code in self.listed:
            if severity and severity not in self.listed[code].severities:
                self.wrong.append(f"{code} is of severity {severity} in {maker}, which is not listed")
        elif code not in self.told_by_tests:
            self.wrong.append(f"{code} of {maker} is not listed")

    def check(self):
        """Fail if anything wrong was made since the last time."""
        wrong, self.wrong = self.wrong, []
        assert not wrong, "; ".join(wrong)


def _maker():
    """Return the file that made a finding, though it used `dataclasses.replace`."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename == dataclasses.__file__:
        frame = frame.f_back
    return frame.f_code.co_filename
