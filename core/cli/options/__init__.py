# SPDX-License-Identifier: Apache-2.0
"""Options that commands share, and the files and settings that they name."""
