# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot as it was published: its file as a model to work on, its numbers beside ours, and ours back into the file."""
