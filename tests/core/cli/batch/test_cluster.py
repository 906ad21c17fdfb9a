# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Dask scheduler and its workers give what one machine does; if they are lost, that is an error."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

from .batches import CHECKOUT, batch, lines, outcomes, robots, say, started, timeless, wait_for

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed"),
]


class Cluster:
    """A scheduler on this machine, and its workers."""

    def __init__(self, folder, **settings):
        self._file, self._settings = folder / "s.json", settings
        words = ("--port", "0", "--no-dashboard", "--scheduler-file", str(self._file))
        protocol = "tls" if settings else "tcp"
        self.scheduler = self._dask("scheduler", "--host", f"{protocol}://127.0.0.1", *words)
        self.workers = []
        self.address = wait_for(self._address)

    def begin(self, count):
        words = ("worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny")
        self.workers = [self._dask(*words) for _ in range(count)]

    def end(self):
        for one in (*self.workers, self.scheduler):
            one.kill()
            one.wait()

    def _dask(self, *words):
        environment = os.environ | {"PYTHONPATH": str(CHECKOUT), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "5"}
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env=environment | self._settings,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _address(self):
        """Return the scheduler's address; None while it is still being written."""
        try:
            return json.loads(self._file.read_text())["address"]
        except (FileNotFoundError, json.JSONDecodeError):
            return None


@pytest.fixture
def cluster(folder):
    made = Cluster(folder)
    yield made
    made.end()


def at_work(folder):
    return len(list(folder.glob("*.tried")))


def test_a_cluster_gives_the_same_bytes_even_if_a_worker_is_lost(folder, cluster):
    robots(8)
    assert batch("repair", "in", "--output", "here", "--report", "here.jsonl") == 0
    cluster.begin(2)
    say(first="wait go", second="wait go", third="wait go")
    wait_for(lambda: number_of_workers(cluster.address) == 2)
    words = ("first.sdf", "second.sdf", "third.sdf", "--scheduler", cluster.address, "--report", "r.jsonl")
    process = started("report", *words, verb=True)
    wait_for(lambda: at_work(folder) == 2)
    cluster.workers[0].kill()
    (folder / "go").touch()
    process.communicate(timeout=60)
    assert process.returncode == 0 and set(outcomes().values()) == {"done"} and len(lines()) == 3
    process = started("repair", "in", "--output", "here", "--scheduler", cluster.address, "--report", "there.jsonl")
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert timeless("there.jsonl") == timeless("here.jsonl")


@pytest.mark.fault(137)
@pytest.mark.parametrize("lost", ["scheduler", "workers"])
def test_lost_peers_end_with_2_and_resume_does_the_rest(folder, cluster, lost):
    cluster.begin(1)
    say(first="well", second="wait go")
    words = ("report", "first.sdf", "second.sdf", "--report", "r.jsonl")
    process = started(*words, "--scheduler", cluster.address, verb=True)
    wait_for(lambda: at_work(folder) == 1 and len(lines()) == 1)
    for one in [cluster.scheduler] if lost == "scheduler" else cluster.workers:
        one.kill()
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 2 and "[no_scheduler]" in said and "Traceback" not in said
    assert outcomes() == {"first.sdf": "done"}
    (folder / "go").touch()
    process = started(*words, "--resume", verb=True)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert outcomes() == {"first.sdf": "done", "second.sdf": "done"}


@pytest.mark.fault(137)
@pytest.mark.parametrize("address", ["tls://127.0.0.1:1", "ucx://1", "x://1", "tcp://127.0.0.1:port"])
def test_an_address_that_dask_cannot_use_ends_with_2(folder, capfd, address):
    robots(1)
    assert batch("report", "in", "--scheduler", address, "--report", "r.jsonl") == 2
    said = capfd.readouterr().err
    assert address in said and "[no_scheduler]" in said and "Traceback" not in said


@pytest.mark.fault(138)
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_with_tls_only_who_has_the_certificate_may_submit(folder, monkeypatch):
    subject = ("-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost")
    files = ("-keyout", "key.pem", "-out", "certificate.pem")
    subprocess.run(["openssl", "req", *subject, *files], cwd=folder, check=True, capture_output=True)
    certificate, key = str(folder / "certificate.pem"), str(folder / "key.pem")
    names = {"CA_FILE": certificate}
    for role in ("CLIENT", "SCHEDULER", "WORKER"):
        names |= {f"{role}__CERT": certificate, f"{role}__KEY": key}
    settings = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": value for name, value in names.items()}
    settings["DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION"] = "true"
    made = Cluster(folder, **settings)
    try:
        made.begin(1)
        robots(2)
        words = ("repair", "in", "--output", "out", "--scheduler", made.address, "--report", "r.jsonl")
        process = started(*words)
        assert "[no_scheduler]" in process.communicate(timeout=60)[1] and process.returncode == 2
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        process = started(*words)
        process.communicate(timeout=60)
        assert process.returncode == 0 and set(outcomes().values()) == {"done"}
    finally:
        made.end()


def number_of_workers(address):
    from distributed import Client

    with Client(address, timeout=60) as client:
        return len(client.scheduler_info()["workers"])
