# SPDX-License-Identifier: GPL-3.0-or-later
"""A program for a child process that does what libraries may do with hostile files."""

import os
import signal
import sys
import time


def repeat(parent, blobs, value):
    return [value, [blob.decode() for blob in blobs]]


def process(parent, blobs):
    return os.getpid()


def asked(parent, blobs, number):
    (value, (data,)) = parent.ask("double", number)
    return [value, data.decode()]


def read(parent, blobs, path):
    with open(path) as file:
        return file.read()


def printed(parent, blobs):
    print("printed", flush=True)
    print("printed", file=sys.stderr, flush=True)
    os.write(1, b"written")
    return "done"


def compute(parent, blobs):
    while True:
        pass


def wait(parent, blobs):
    time.sleep(1000)


def grow(parent, blobs):
    return len(bytearray(8 * 1024**3))


def nest(parent, blobs):
    return nest(parent, blobs)


def end(parent, blobs):
    os._exit(7)


def crash(parent, blobs):
    os.kill(os.getpid(), signal.SIGSEGV)


def fail(parent, blobs):
    parent.fail(["because", 1])


def raise_error(parent, blobs):
    raise LookupError("of the library")


def take(parent, blobs, size):
    return len(bytearray(size))


def compute_after(parent, blobs, number, seconds):
    value, _ = parent.ask("double", number)
    begun = time.process_time()
    while time.process_time() < begun + seconds:
        pass
    return value
