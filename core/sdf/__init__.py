# SPDX-License-Identifier: Apache-2.0
"""SDFormat files: the only part of the core that uses lxml."""
