# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of results.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

FOLDER = Path(__file__).parent
OURS = "SDF Inertia"
COLOURS = {
    "right": "#2a7f62",
    "refused": "#9aa5b1",
    "wrong, with a warning": "#e0b050",
    "silently wrong": "#c0392b",
    "crashed": "#4a235a",
}


def _pyplot():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    peers = ["#1f77b4", "#ff7f0e", "#2ca02c", "#17becf", "#9467bd", "#8c564b", "#7f7f7f"]  # red is ours
    pyplot.rcParams["axes.prop_cycle"] = pyplot.cycler(color=peers)
    return pyplot


def speed(seconds: Mapping[str, Sequence[float]], triangles: Sequence[int]) -> None:
    """Draw the time of each system over the number of triangles, on logarithmic axes."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(7.2, 4.2), layout="constrained")
    ends = []
    for name, times in seconds.items():
        ours = name.startswith(OURS)
        milliseconds = [time * 1e3 for time in times]
        colour = "#c0392b" if ours else None
        style = "--" if name == OURS else "-"
        (line,) = axes.loglog(
            triangles,
            milliseconds,
            style,
            marker="o",
            ms=3,
            lw=2.2 if ours else 1.2,
            color=colour,
            zorder=3 if ours else 2,
        )
        ends.append((milliseconds[-1], name, line.get_color(), ours))
    # Labels at the line ends, apart by at least a factor, from below.
    at = 0.0
    for value, name, colour, ours in sorted(ends):
        at = max(value, at * 1.6)
        axes.annotate(
            name,
            (triangles[-1], value),
            (triangles[-1] * 1.12, at),
            color=colour,
            va="center",
            annotation_clip=False,
            weight="bold" if ours else "normal",
        )
    axes.set_xlim(triangles[0] * 0.85, triangles[-1] * 1.1)
    axes.set_xticks(list(triangles), [f"{round(n / 1000):,}k" for n in triangles])
    axes.minorticks_off()
    axes.set_xlabel("triangles")
    axes.set_ylabel("time [ms]")
    axes.set_title("From arrays to mass properties", loc="left")
    axes.grid(alpha=0.25)
    figure.savefig(FOLDER / "speed.png", dpi=130)
    pyplot.close(figure)


def awkward(scores: Mapping[str, tuple[Counter[str], Counter[str]]], verdicts: Sequence[str]) -> None:
    """Draw what became of the awkward meshes: beside each other those that are a solid and those that are none."""
    pyplot = _pyplot()
    names = list(scores)[::-1]
    figure, panels = pyplot.subplots(1, 2, figsize=(9.0, 0.42 * len(names) + 1.5), sharey=True, layout="constrained")
    for panel, side, title in zip(panels, (0, 1), ("the mesh is a solid", "it is none: to be refused"), strict=True):
        left = [0] * len(names)
        for verdict in verdicts:
            widths = [scores[name][side][verdict] for name in names]
            panel.barh(names, widths, left=left, color=COLOURS[verdict], label=verdict, height=0.7)
            for row, (start, width) in enumerate(zip(left, widths, strict=True)):
                if width:
                    panel.text(start + width / 2, row, str(width), ha="center", va="center", color="white", fontsize=8)
            left = [start + width for start, width in zip(left, widths, strict=True)]
        panel.set_title(title, loc="left", fontsize=9)
        panel.set_xlabel("meshes")
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.spines["left"].set_visible(False)
        panel.tick_params(axis="y", length=0)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(verdicts), frameon=False)
    figure.savefig(FOLDER / "awkward.png", dpi=130)
    pyplot.close(figure)


def errors(points: Mapping[str, Sequence[tuple[float, float, float]]]) -> None:
    """Draw stated errors over actual ones: above the line a stated error holds; a bar is the truth's own doubt."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(7.2, 5.0), layout="constrained")
    lowest, highest = 1e-12, 1.0
    axes.fill_between([lowest, highest], [lowest, highest], lowest, color="#c0392b", alpha=0.08, lw=0)
    axes.plot([lowest, highest], [lowest, highest], color="#c0392b", lw=1)
    axes.text(2e-3, 6e-4, "more than was stated", color="#c0392b", rotation=31, rotation_mode="anchor")
    for marker, (name, pairs) in zip("osD^vP*", sorted(points.items()), strict=False):
        wild = name.startswith("wild")
        stated = [max(one, lowest) for one, _, _ in pairs]
        actual = [max(one, lowest) for _, one, _ in pairs]
        least = [max(one - doubt, lowest) for _, one, doubt in pairs]
        if wild:
            axes.hlines(stated, least, actual, color="#7f7f7f", lw=0.7, alpha=0.6)
        axes.scatter(
            actual, stated, s=26 if wild else 9, marker=marker, label=f"{name} ({len(pairs)})", zorder=3 if wild else 2
        )
    axes.set(xscale="log", yscale="log", xlim=(lowest, highest), ylim=(1e-10, highest))
    axes.set_xlabel("actual error of volume and tensor (bars: the sampling of the truth of wild meshes)")
    axes.set_ylabel("stated error")
    axes.set_title("Stated against actual error", loc="left")
    axes.legend(framealpha=1.0, loc="lower left", fontsize=8)
    axes.grid(alpha=0.25)
    figure.savefig(FOLDER / "wild.png", dpi=130)
    pyplot.close(figure)
