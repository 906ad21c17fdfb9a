# SPDX-License-Identifier: GPL-3.0-or-later
"""What a surface with a thickness is made of: its angles, the bodies on them, and faces and patches that would count
twice. It stands on geometry."""
