# SPDX-License-Identifier: GPL-3.0-or-later
"""These tests need Newton and NVIDIA's validator: `make test-usd`."""

import pytest

pytest.importorskip("newton", reason="there is no Newton: make test-usd")
