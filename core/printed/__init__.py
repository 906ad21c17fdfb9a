# SPDX-License-Identifier: Apache-2.0
"""The text that CAD systems print about a body, as an inertial."""
