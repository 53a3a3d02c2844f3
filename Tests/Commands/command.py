"""How checks call the program, and what wrong use looks like."""

import os
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support"))
import kiln  # noqa: E402

KILN = kiln.executable()


def run(*arguments):
    # A server that should have been refused is ended by the timeout.
    return subprocess.run([KILN, *arguments], capture_output=True, text=True, timeout=20)


def free_port():
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


def must_be_wrong_use(ended, *words):
    assert ended.returncode == 2, (ended.returncode, ended.stderr)
    assert ended.stdout == "" and ended.stderr.count("\n") == 1, (ended.stdout, ended.stderr)
    for word in words:
        assert word in ended.stderr, ended.stderr
