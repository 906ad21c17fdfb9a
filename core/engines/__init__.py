# SPDX-License-Identifier: Apache-2.0
"""What each simulator makes of the inertials of a file, by rules of our own: no engine is needed."""
