# SPDX-License-Identifier: Apache-2.0
"""What is wrong with the inertials of a robot's file, and how to repair them."""
