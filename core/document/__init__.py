# SPDX-License-Identifier: Apache-2.0
"""What the robot formats in XML share: elements that know their file, URIs, and new bytes between old ones."""
