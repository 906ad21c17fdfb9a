# SPDX-License-Identifier: Apache-2.0
"""Bills of materials: their rows, the parts that they are about, and what these weigh."""
