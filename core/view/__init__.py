# SPDX-License-Identifier: Apache-2.0
"""A robot as a page: its scene, tables and findings in one HTML file that needs no network."""
