# SPDX-License-Identifier: Apache-2.0
"""OpenUSD, which Isaac Sim, Isaac Lab and Newton read: its physics as a robot's links and joints."""
