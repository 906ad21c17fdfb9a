# SPDX-License-Identifier: Apache-2.0
"""The text that CAD systems print about mass properties, as an inertial."""
