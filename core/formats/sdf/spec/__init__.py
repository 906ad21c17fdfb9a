# SPDX-License-Identifier: Apache-2.0
"""SDFormat's description of elements, attributes and the texts of values."""
