# SPDX-License-Identifier: Apache-2.0
"""Text in the encodings that office programs and shells write."""

from __future__ import annotations

from ..errors import InertiaError


def decoded(data: bytes) -> str:
    """Return a text: UTF-8 or UTF-16, with or without a mark, else Windows' Western encoding.

    Raises
    ------
    InertiaError
        ``bad_encoding`` for other bytes.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encodings = ["utf-16"]
    elif 0 in data[:2]:
        encodings = ["utf-16-be" if data[0] == 0 else "utf-16-le"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text.removeprefix("\ufeff")
    raise InertiaError.of("bad_encoding", "", "text")
