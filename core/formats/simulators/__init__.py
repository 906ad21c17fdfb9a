# SPDX-License-Identifier: Apache-2.0
"""What simulators report about the links of a file."""
