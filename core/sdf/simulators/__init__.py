# SPDX-License-Identifier: GPL-3.0-or-later
"""What simulators report about the links of a file."""
