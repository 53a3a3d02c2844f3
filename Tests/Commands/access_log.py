"""The log of accesses, and its verification."""

import json
import tempfile

from command import run


def it_logs_a_search_as_any_other_access():
    with tempfile.TemporaryDirectory() as folder:
        assert run("token", "create", "--store", folder, "--operator").returncode == 0

        def entries():
            ended = run("log", "verify", "--store", folder)
            assert ended.returncode == 0, ended.stderr
            return int(ended.stdout.split("intact: ")[1].split()[0])

        before = entries()
        assert run("search", "--store", folder, "Patient?name=x").returncode == 0
        assert entries() == before + 1


def it_verifies_the_log_as_json():
    with tempfile.TemporaryDirectory() as folder:
        run("token", "create", "--store", folder, "--operator")
        head = json.loads(run("log", "head", "--store", folder, "--json").stdout)
        verified = json.loads(run("log", "verify", "--store", folder, "--json").stdout)
        assert verified == dict(head, intact=True), (head, verified)


def it_verifies_no_head_that_never_was():
    with tempfile.TemporaryDirectory() as folder:
        assert run("token", "create", "--store", folder, "--operator").returncode == 0
        zeros = ["log", "verify", "--store", folder, "--head", "0" * 64]
        assert run(*zeros).returncode == 0 and "intact: 0 entries" in run(*zeros).stdout
        assert run("search", "--store", folder, "Patient?name=x").returncode == 0
        ended = run(*zeros)
        assert ended.returncode == 1 and "empty log" in ended.stderr and not ended.stdout, ended
        ended = run(*zeros[:-1], "1" * 64)
        assert ended.returncode == 1 and "no entry has that hash" in ended.stderr, ended
