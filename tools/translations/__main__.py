# SPDX-License-Identifier: GPL-3.0-or-later
"""Update the catalogues from the sources: ``make translations``. Prints how much of each language is done.

With the name of a language without a catalogue, such as ``fr_FR``, it creates one.
"""

from __future__ import annotations

import sys

from tests.blender import scenes

from .gathered import messages
from .po_files import brought_up, template
from .scan import CHECKOUT

FOLDER = CHECKOUT / "sdf_inertia_addon" / "translations"


def main(languages: list[str]) -> None:
    checkout = scenes.checkout()
    checkout.register()
    try:
        wanted = template([*messages(scenes.module("sdf_inertia_addon").CLASSES)])
    finally:
        checkout.unregister()  # otherwise Blender crashes when it ends
    wanted.save(str(FOLDER / "sdf_inertia.pot"))
    for language in sorted({*languages, *(path.stem for path in FOLDER.glob("*.po"))}):
        path = FOLDER / f"{language}.po"
        file = brought_up(path, language, wanted)
        file.save(str(path))
        left, fuzzy, unused = file.untranslated_entries(), file.fuzzy_entries(), file.obsolete_entries()
        counts = f"to translate: {len(left)}, to look at: {len(fuzzy)}, unused: {len(unused)}"
        print(f"{language}: {file.percent_translated()} %; {counts}")


if __name__ == "__main__":
    main(sys.argv[1:])
