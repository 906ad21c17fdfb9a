# SPDX-License-Identifier: GPL-3.0-or-later
"""The one list of what SDF Inertia can find: by code its title, its severities, what it means and what to do."""
