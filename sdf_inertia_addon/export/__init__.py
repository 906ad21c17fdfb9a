# SPDX-License-Identifier: GPL-3.0-or-later
"""The model, and a picture of it, as files: from the interface and from the command line."""
