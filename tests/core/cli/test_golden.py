# SPDX-License-Identifier: GPL-3.0-or-later
"""What each verb answers for a robot with one fault of each kind: codes, subjects, numbers and exit status, no text.

``python -m tests.core.cli.test_golden`` writes the answers again; the commit that does so explains each difference.
"""

import json
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.core.command_line import run

GOLDEN = Path(__file__).parents[1] / "golden"

VERBS = {
    "check URDF": ("check", "faults.urdf", "--json"),
    "check SDF": ("check", "faults.sdf", "--json"),
    "check --strict URDF": ("check", "faults.urdf", "--json", "--strict"),
    "repair URDF": ("repair", "faults.urdf", "--dry-run", "--json"),
    "repair SDF": ("repair", "faults.sdf", "--dry-run", "--json"),
    "report URDF": ("report", "faults.urdf", "--format", "json"),
    "report SDF": ("report", "faults.sdf", "--format", "json"),
    "diff": ("diff", "faults.urdf", "faults.sdf", "--json"),
    "fill": ("fill", "faults.sdf", "--json"),
}

TEXTS = {"message", "remedy", "version"}


def answer(words):
    """Run a verb in the folder of the robots; return its exit status and its JSON without texts."""
    out = StringIO()
    with chdir(GOLDEN), redirect_stdout(out), redirect_stderr(StringIO()):
        status = run(*words)
    return {"status": status, **plain(json.loads(out.getvalue()))}


def plain(value):
    """Return a value without texts, its numbers at nine digits."""
    if isinstance(value, dict):
        if "code" in value:
            return f"{value['severity']} {value['code']} {value['subject']}"
        return {name: plain(one) for name, one in value.items() if name not in TEXTS}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return float(f"{value:.8e}") + 0.0 if isinstance(value, float) else value


def stored(verb):
    return GOLDEN / f"{verb.replace(' ', '_').replace('--', '')}.json"


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_answers_as_it_did(verb):
    assert answer(VERBS[verb]) == json.loads(stored(verb).read_text())


if __name__ == "__main__":
    for verb in sys.argv[1:] or VERBS:
        text = json.dumps(answer(VERBS[verb]), indent=1, ensure_ascii=False)
        stored(verb).write_text(text + "\n")
