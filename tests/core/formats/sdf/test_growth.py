# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten times the file is about ten times the work, however its elements refer to each other: calls are counted."""

import pytest

from core.document.document import Document
from core.formats.sdf.read import read_document

from ....thorough import many
from ...robot_files import check_path
from ...work import calls
from .texts import model, read

FEW = many(60, 10)
MORE = 10
AT_MOST = 13
"""Times the work: linear, and some room for what grows with a logarithm."""


def frames(refer):
    """Return the text of a model of n frames, each of them referring to another."""
    return lambda n: (
        "<link name='l'/>"
        + "".join(f"<frame name='f{i}' {refer(i, n)}<pose>1 0 0 0 0 0.1</pose></frame>" for i in range(n))
    )


def posed(refer):
    return lambda n: (
        "<link name='l'/>"
        + "".join(
            f"<frame name='f{i}'><pose relative_to='{refer(i, n)}'>1 0 0 0 0 0.1</pose></frame>" for i in range(n)
        )
    )


def joints(n):
    """Links in a row, each placed by the joint that holds it."""
    text = "<link name='l0'/>"
    for i in range(1, n):
        text += f"<link name='l{i}'><pose relative_to='j{i}'/></link>"
        text += f"<joint name='j{i}' type='fixed'><pose relative_to='l{i - 1}'>1 0 0 0 0 0</pose>"
        text += f"<parent>l{i - 1}</parent><child>l{i}</child></joint>"
    return text


def siblings(n):
    """Nested models, each relative to a link of the one before."""
    text = "<link name='l'/>"
    for i in range(n):
        base = f" relative_to='m{i - 1}::l'" if i else ""
        text += f"<model name='m{i}'><pose{base}>1 0 0 0 0 0</pose><link name='l'/></model>"
    return text


CHAINS = {
    "attached, forward": frames(lambda i, n: f"attached_to='{'l' if i == 0 else f'f{i - 1}'}'>"),
    "attached, backward": frames(lambda i, n: f"attached_to='{'l' if i == n - 1 else f'f{i + 1}'}'>"),
    "attached in a circle": frames(lambda i, n: f"attached_to='f{(i + 1) % n}'>"),
    "attached to what is attached to nothing": frames(lambda i, n: f"attached_to='f{i + 1}'>"),
    "each attached to nothing": frames(lambda i, n: f"attached_to='missing{i}'>"),
    "relative, forward": posed(lambda i, n: "l" if i == 0 else f"f{i - 1}"),
    "relative, backward": posed(lambda i, n: "l" if i == n - 1 else f"f{i + 1}"),
    "relative in a circle": posed(lambda i, n: f"f{(i + 1) % n}"),
    "relative to what is relative to nothing": posed(lambda i, n: f"f{i + 1}"),
    "each relative to nothing": posed(lambda i, n: f"missing{i}"),
    "joints": joints,
    "nested models": siblings,
    "nested models, each with an error": lambda n: (
        "<link name='l'/>" + "".join(f"<model name='m{i}'/>" for i in range(n))
    ),
}


@pytest.mark.fault(77)
@pytest.mark.parametrize("kind", CHAINS)
def test_frames_that_lean_on_each_other_are_read_in_linear_work(kind):
    def work(n):
        text = model(CHAINS[kind](n))
        return calls(lambda: read(text))

    few = work(FEW)
    assert work(FEW * MORE) <= AT_MOST * few


@pytest.mark.fault(77)
@pytest.mark.parametrize("kind", ["attached, backward", "relative, backward"])
def test_a_chain_of_thousands_is_read(kind):
    text = model(CHAINS[kind](many(10_000, 1500)))
    assert read(text).findings == ()


@pytest.mark.parametrize(
    "kind, code", [("attached in a circle", "attached_to_cycle"), ("relative in a circle", "frame_cycle")]
)
def test_a_circle_is_reported_once_and_a_long_one_is_not_listed_whole(kind, code):
    for n in (2, 1000):
        text = model(CHAINS[kind](n) + "<frame name='beside' attached_to='f0'/>")
        (finding,) = read(text).findings
        assert finding.code == code
        assert len(finding.message) < 300
        assert ("f0 -> f1 -> f0" in finding.message) == (n == 2)


def test_checking_a_file_of_many_links_is_linear_work(tmp_path):
    box = "<collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>"

    def work(n):
        path = tmp_path / f"{n}.sdf"
        bad = "".join(f"<link name='b{i}'><inertial><mass>-1</mass></inertial>{box}</link>" for i in range(n))
        path.write_text(f"<sdf version='1.11'><model name='m'>{joints(n)}{bad}</model></sdf>")
        return calls(lambda: check_path(path))

    few = work(FEW)
    assert work(FEW * MORE) <= AT_MOST * few


@pytest.mark.parametrize("merge", ["true", "false"])
def test_included_models_are_linear_work(merge, tmp_path):
    """Each is relative to a frame of the one before."""

    def work(n):
        text = "<link name='l'/>"
        for i in range(n):
            inner = f"<link name='l{i}'/><frame name='f{i}' attached_to='l{i}'/>"
            (tmp_path / f"{i}.sdf").write_text(f"<sdf version='1.11'><model name='m{i}'>{inner}</model></sdf>")
            before = f"f{i - 1}" if merge == "true" else f"m{i - 1}::f{i - 1}"
            pose = f"<pose relative_to='{before}'>1 0 0 0 0 0</pose>" if i else ""
            text += f"<include merge='{merge}'><uri>{i}.sdf</uri>{pose}</include>"
        path = tmp_path / "whole.sdf"
        path.write_text(f"<sdf version='1.11'><model name='m'>{text}</model></sdf>")

        def whole():
            file = read_document(Document.read(path))
            assert file.findings == () and len(file.links) == n + 1

        return calls(whole)

    few = work(FEW // 2)
    assert work(FEW // 2 * MORE) <= AT_MOST * few


def test_the_same_slip_is_compared_with_the_known_names_once():
    def work(slip):
        frames = "".join(f"<frame name='f{i}' {slip}='l'/>" for i in range(300))
        text = model(f"<link name='l'/>{frames}")
        return calls(lambda: read(text))

    assert work("attachedto") <= 2 * work(
        "attached_to"
    )  # a finding costs 100 calls, a comparison with the names thousands
