# SPDX-License-Identifier: Apache-2.0
"""The space where the winding number of any surface is above a half: its moments and their error.

With a fan over each of its holes the winding number of a surface is an integer everywhere, which lines give (`lines`);
its own is that less the share of the fans (`holes`), which matters only near the holes. `solid` combines the two. For a
closed surface with winding numbers above one, `lines` give where it is not zero. Jacobson et al. 2013, Robust
inside-outside segmentation using generalized winding numbers, doi 10.1145/2461912.2461916.
"""
