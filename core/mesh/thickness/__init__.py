# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a surface with a thickness: its angles, the bodies on them, and faces and patches that would count
twice. It builds on topology."""
