# SPDX-License-Identifier: Apache-2.0
"""Robots drawn at random whose every link is a body that can exist."""
