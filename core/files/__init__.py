# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads mesh files, and writes files whole or not at all."""
