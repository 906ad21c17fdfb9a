# SPDX-License-Identifier: GPL-3.0-or-later
"""These tests need OpenCASCADE: `make test-cad`."""

import pytest

pytest.importorskip("OCP", reason="there is no OpenCASCADE: make test-cad")
