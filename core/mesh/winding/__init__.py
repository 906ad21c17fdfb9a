# SPDX-License-Identifier: GPL-3.0-or-later
"""The space that any surface winds around by more than a half: its moments, and how far to trust them.

With a fan over each of its holes a surface has a whole winding number everywhere, which lines tell (`lines`); its own
is that less what the fans make of it (`holes`), which matters near the holes only. `solid` puts the two together. `union`
is for closed surfaces that wind more than once: where they wind at all.
Jacobson et al. 2013, Robust inside-outside segmentation using generalized winding numbers, doi
10.1145/2461912.2461916.
"""
