# SPDX-License-Identifier: Apache-2.0
"""Links and their parts as values, and their inertials by libsdformat's rules."""
