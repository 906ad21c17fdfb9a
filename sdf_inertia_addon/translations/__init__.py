# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in the user's language: what the code says (`words`), and what catalogues make of it."""
