# SPDX-License-Identifier: GPL-3.0-or-later
"""A property that is worked out once keeps nobody waiting who asks another object."""

from threading import Event, Thread

from core.cached import lockfree_cached_property


class Slow:
    def __init__(self):
        self.begun, self.goes_on, self.times = Event(), Event(), 0

    @lockfree_cached_property
    def answer(self):
        """How often it was worked out."""
        self.times += 1
        self.begun.set()
        assert self.goes_on.wait(60)
        return self.times


def test_it_is_worked_out_when_first_asked_for_and_kept():
    slow = Slow()
    slow.goes_on.set()
    assert slow.times == 0
    assert (slow.answer, slow.answer, slow.times) == (1, 1, 1)
    assert Slow.answer.__doc__ == "How often it was worked out."


def test_while_one_object_is_asked_another_answers():
    slow, quick = Slow(), Slow()
    asking = Thread(target=lambda: slow.answer)
    asking.start()
    assert slow.begun.wait(60)
    quick.goes_on.set()
    assert quick.answer == 1
    slow.goes_on.set()
    asking.join(60)
    assert slow.answer == 1
