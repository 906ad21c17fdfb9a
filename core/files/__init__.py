# SPDX-License-Identifier: Apache-2.0
"""Reads mesh files, and writes files whole or not at all."""
