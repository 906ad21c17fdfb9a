# SPDX-License-Identifier: GPL-3.0-or-later
"""A child process ends within its limits, whatever its program does, and the next request is answered."""

import math
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from core.child import child as limits
from core.child.child import MIB, Child, Limits, UnfulfilledError
from core.errors import InertiaError
from tools.house import CHECKOUT

PROGRAM = Path(__file__).with_name("program.py")

unix = pytest.mark.skipif(os.name != "posix", reason="only Unix limits files and CPU time")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")


@pytest.fixture(scope="module")
def child():
    started = Child(PROGRAM, "Library")
    yield started
    started.close()


@pytest.fixture
def short(child, monkeypatch):
    monkeypatch.setattr(child, "limits", Limits(seconds=0.2))
    monkeypatch.setattr(limits, "PATIENCE", 5.0)


def test_values_and_bytes_arrive(child):
    assert child.request("repeat", {"value": [1.5e-300, "ü", None]}, (b"", b"abc")) == [
        [1.5e-300, "ü", None],
        ["", "abc"],
    ]
    assert math.isnan(child.request("repeat", {"value": math.nan})[0])


def test_one_process_answers_all_requests(child):
    assert child.request("process", {}) == child.request("process", {}) != os.getpid()


def test_the_parent_answers_questions_or_refuses(child):
    def double(number):
        if number < 0:
            raise InertiaError("negative", "it", "it is negative")
        return 2 * number, (str(number).encode(),)

    assert child.request("asked", {"number": 2}, (), {"double": double}) == [4, "2"]
    with pytest.raises(InertiaError, match="it is negative"):
        child.request("asked", {"number": -2}, (), {"double": double})
    assert child.request("asked", {"number": 3}, (), {"double": double}) == [6, "3"]


@unix
def test_no_file_can_be_opened(child, tmp_path):
    path = tmp_path / "file"
    path.write_text("text")
    with pytest.raises(InertiaError, match="Too many open files"):
        child.request("read", {"path": str(path)})


def test_what_a_library_prints_goes_nowhere(child, capfd):
    assert child.request("printed", {}) == "done"
    assert capfd.readouterr() == ("", "")


FAILURES = {
    "compute": "needs more than 0.2 s of processor time",
    "wait": "needs more than 1 s for it",
    "nest": "nested too deeply",
    "end": "ended while it read the file, with status 7",
    "crash": "ended while it read the file",
    "raise_error": "Library cannot read it: of the library",
    "grow": "needs more than 768 MiB of memory",
}


@unix
@pytest.mark.parametrize("failure", FAILURES)
def test_a_request_that_fails_leaves_the_next_one(child, short, failure, monkeypatch):
    if failure == "grow" and sys.platform != "linux":
        pytest.skip("only Linux limits memory")
    if failure == "compute":
        monkeypatch.setattr(limits, "PATIENCE", 100.0)  # on a busy machine its processor time ends later than the clock
    with pytest.raises(InertiaError, match=FAILURES[failure]) as caught:
        child.request(failure, {})
    assert caught.value.code == "library_failed"
    assert child.request("repeat", {"value": 1}) == [1, []]


def test_a_reason_of_the_program_is_data(child):
    with pytest.raises(UnfulfilledError) as caught:
        child.request("fail", {})
    assert caught.value.reason == ["because", 1]


def test_a_killed_process_is_replaced(child):
    number = child.request("process", {})
    os.kill(number, 9)
    os.waitid(os.P_PID, number, os.WEXITED | os.WNOWAIT)
    assert child.request("process", {}) != number


def test_threads_get_their_own_answers(child):
    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(lambda number: child.request("repeat", {"value": number}), range(100))
    assert [value for value, _ in answers] == [*range(100)]


@unix
def test_a_forked_process_starts_its_own(child):
    number = child.request("process", {})
    reader, writer = os.pipe()
    forked = os.fork()
    if not forked:
        os.write(writer, str(child.request("process", {})).encode())
        child.close()
        os._exit(0)
    os.waitpid(forked, 0)
    assert int(os.read(reader, 100)) != number == child.request("process", {})


def test_a_library_that_is_not_there_is_an_import_error(tmp_path):
    (tmp_path / "program.py").write_text("import nothing_of_this_name")
    with pytest.raises(ImportError, match="nothing_of_this_name"):
        Child(tmp_path / "program.py", "Nothing").request("read", {})


def test_a_python_that_cannot_be_started_is_an_error_by_name(monkeypatch, tmp_path):
    for executable in ("/bin/false", str(tmp_path / "none")):
        monkeypatch.setattr(sys, "executable", executable)
        with pytest.raises(InertiaError, match="the process for Library cannot be started"):
            Child(PROGRAM, "Library").request("process", {})


@unix
@pytest.mark.parametrize("delay", [0.001, 0.01, 0.02, 0.04])
def test_after_an_interrupt_each_request_gets_its_own_reply(delay):
    def interrupt(*_):
        raise KeyboardInterrupt

    started = Child(PROGRAM, "Library")
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, delay)
        with suppress(KeyboardInterrupt):
            for number in range(10_000):
                started.request("repeat", {"value": -number})
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert [started.request("repeat", {"value": number})[0] for number in range(5)] == [*range(5)]
    started.close()


@unix
def test_a_fork_during_a_request_of_another_thread_starts_its_own(child):
    asked, answer = threading.Event(), threading.Event()

    def double(number):
        asked.set()
        answer.wait(60.0)
        return 2 * number, (b"",)

    request = threading.Thread(target=lambda: child.request("asked", {"number": 1}, (), {"double": double}))
    request.start()
    asked.wait(60.0)
    forked = os.fork()
    if not forked:
        signal.alarm(30)
        os._exit(0 if child.request("repeat", {"value": 1}) == [1, []] else 1)
    assert os.waitpid(forked, 0)[1] == 0
    answer.set()
    request.join()


@linux
def test_the_memory_limit_of_the_parent_holds_in_the_child():
    code = (
        "import resource, sys; from pathlib import Path; from core.child.child import Child\n"
        "resource.setrlimit(resource.RLIMIT_AS, (600 * 2**20, resource.RLIM_INFINITY))\n"
        "child = Child(Path(sys.argv[1]), 'Library')\n"
        "try: child.request('take', {'size': 650 * 2**20})\n"
        "except Exception as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, PROGRAM], cwd=CHECKOUT, capture_output=True, text=True)
    assert "memory" in done.stdout, done.stderr


@linux
def test_a_busy_child_ends_with_its_parent():
    code = (
        "import sys; from pathlib import Path; from core.child.child import Child\n"
        "child = Child(Path(sys.argv[1]), 'Library')\n"
        "print(child.request('process', {}), flush=True)\n"
        "child.request('compute', {})\n"
    )
    words = [sys.executable, "-c", code, PROGRAM]
    parent = subprocess.Popen(words, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    number = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 2.0  # its CPU time would end it after three seconds
    while Path(f"/proc/{number}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{number}").exists()


def test_time_grows_with_the_files_that_a_program_asks_for(child, short, monkeypatch):
    monkeypatch.setattr(child, "limits", Limits(seconds=0.2, seconds_per_mib=2.0))

    def double(number):
        return 2 * number, (b"1" * MIB if number else b"",)

    with pytest.raises(InertiaError, match="more than (0.2 s of processor time|1 s)"):
        child.request("compute_after", {"number": 0, "seconds": 3.0}, (), {"double": double})
    assert child.request("compute_after", {"number": 1, "seconds": 1.2}, (), {"double": double}) == 2
