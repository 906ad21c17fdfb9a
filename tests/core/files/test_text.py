# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of office programs and shells: in four encodings, marked or not."""

import pytest

from core.errors import InertiaError
from core.files.input_file import decoded


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_a_text_is_the_same_in_each_encoding(encoding):
    assert decoded("Träger;25 °C\r\n".encode(encoding)) == "Träger;25 °C\r\n"


def test_an_empty_file_is_an_empty_text():
    assert decoded(b"") == ""


@pytest.mark.parametrize("data", [b"a\x81b", b"ab\0c", b"\xff\xfea", b"a\0b"])
def test_other_bytes_are_refused(data):
    with pytest.raises(InertiaError) as caught:
        decoded(data)
    assert caught.value.code == "bad_encoding"
