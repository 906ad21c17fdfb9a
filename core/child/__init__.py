# SPDX-License-Identifier: Apache-2.0
"""Processes in which libraries read files of strangers, with limits of time and memory."""
