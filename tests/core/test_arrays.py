# SPDX-License-Identifier: GPL-3.0-or-later
"""A value's arrays are its own: nobody who holds another name for their numbers can change them."""

import numpy as np
import pytest

from core.arrays import readonly, readonly_of


@pytest.mark.parametrize("kind", ["writable", "view of a writable", "float32", "list", "transposed"])
def test_what_others_may_change_is_copied(kind):
    source = np.arange(9, dtype=np.float64).reshape(3, 3).copy()
    given = {
        "writable": source,
        "view of a writable": source[:],
        "float32": source.astype(np.float32),
        "list": source.tolist(),
        "transposed": source.T,
    }[kind]
    if kind == "view of a writable":
        given.flags.writeable = False
    taken = readonly(given, (3, 3))
    before = taken.copy()
    source[:] = -1.0
    np.testing.assert_array_equal(taken, before)
    assert taken.dtype == np.float64 and not taken.flags.writeable


def test_a_frozen_array_and_a_row_of_one_are_taken_as_they_are():
    array = readonly_of([1.0, 2.0, 3.0])
    assert readonly(array, (3,)) is array
    row = readonly_of([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])[1]
    assert readonly(row, (3,)) is row
    with pytest.raises(ValueError, match="shape"):
        readonly(array, (3, 1))
