# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface in the user's language: the texts of the code (`words`), and their catalogues."""
