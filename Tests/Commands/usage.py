"""What commands say: help, and what is wrong, in words."""

import json
import os
import re
import tempfile

from command import must_be_wrong_use, run
import kiln


def it_helps_with_a_group_of_commands():
    for asked in (["token", "--help"], ["token", "-h"], ["help", "token"]):
        ended = run(*asked)
        assert ended.returncode == 0 and "token revoke" in ended.stdout, ended
        assert "serve" not in ended.stdout, ended
    assert run("help", "serve").stdout == run("serve", "-h").stdout == run("serve", "--help").stdout
    must_be_wrong_use(run("token"), "kiln token --help")
    must_be_wrong_use(run("serve", "-p", "1"), "no option -p")


def it_makes_no_store_where_tokens_are_only_listed():
    with tempfile.TemporaryDirectory() as folder:
        for words in (["token", "list"], ["token", "revoke", "0123456789abcdef"]):
            ended = run(*words, "--store", folder)
            assert ended.returncode == 1 and "holds no store" in ended.stderr, ended
        assert os.listdir(folder) == []


def it_says_what_a_token_is_for():
    with tempfile.TemporaryDirectory() as folder:
        app = ["--app", "lunch", "--patient", "Patient/a", "--scope", "patient/Observation.rs openid"]
        made = run("token", "create", "--store", folder, *app)
        assert made.returncode == 0 and made.stderr.endswith("open nothing here: openid\n"), made
        listed = run("token", "list", "--store", folder).stdout
        assert listed.endswith("valid  app lunch for Patient/a: patient/Observation.rs openid\n"), listed


def it_says_what_is_wrong_in_words():
    with tempfile.TemporaryDirectory() as folder:
        run("token", "create", "--store", folder, "--operator")
        store = ["--store", folder]
        none, backup = os.path.join(folder, "none"), os.path.join(folder, "backup")
        assert run("backup", backup, *store).returncode == 0
        for words, reason in (
            (["backup", backup], backup + " exists already, and a backup never replaces a file"),
            (["restore", none, "--store", none + ".restored"], none + " doesn't exist"),
            (["search", "Observation?x=1"], "there is no parameter x"),
            (["ingest", "daily-values", none, "--patient", "Patient/a"], none + " doesn't exist"),
        ):
            ended = run(*words, *([] if "--store" in words else store))
            assert (ended.returncode, ended.stderr) == (1, "kiln: %s\n" % reason), ended


def it_names_each_missing_field_of_daily_values_once():
    with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write('[{"metric": "steps", "day": "2026-10-01", "value": 1}]')
        file.flush()
        run("token", "create", "--store", folder, "--operator")
        ended = run("ingest", "daily-values", file.name, "--store", folder, "--patient", "Patient/a")
        assert (ended.returncode, ended.stderr) == (
            1, "kiln: origin is missing: apple-health or health-connect; timeZone is missing: the name of "
            "a time zone, such as Europe/Budapest\n"), ended


def it_explains_a_search_as_json():
    with tempfile.TemporaryDirectory() as folder:
        assert run("token", "create", "--store", folder, "--operator").returncode == 0
        query = "Observation?patient=1&code=8867-4&_sort=-date"
        told = run("search", "--store", folder, "--explain", query)
        ended = run("search", "--store", folder, "--explain", "--json", query)
        assert (told.returncode, ended.returncode) == (0, 0), (told.stderr, ended.stderr)
        facts = json.loads(ended.stdout)
        assert (facts["type"], facts["index"]) == ("Observation", "search-series"), facts
        assert facts["steps"] == told.stdout.splitlines(), (facts, told.stdout)


def it_refuses_a_duration_that_no_number_holds():
    with tempfile.TemporaryDirectory() as folder:
        for duration in ["9223372036854775807s", "99999999999999999999ms", "-1s", "3601s", "1h"]:
            must_be_wrong_use(
                run("serve", "--store", folder, "--listen", "127.0.0.1:0", "--log-flush", duration), "--log-flush")


def it_tells_its_version():
    with kiln.Kiln() as served:
        told = json.loads(served.request("GET", "/fhir/metadata", token=None)[2])["software"]
    ended = run("--version")
    assert ended.returncode == 0 and ended.stdout == f"{told['name']} {told['version']}\n", ended


def it_names_the_path_that_was_given():
    with tempfile.TemporaryDirectory() as folder:
        store, missing = folder + "/store", folder + "/missing/file"
        assert run("token", "create", "--store", store, "--operator").returncode == 0
        for words in (
            ["backup", "--store", store, missing],
            ["restore", "--store", folder + "/restored", missing],
            ["token", "create", "--store", missing, "--operator"],
            ["ingest", "daily-values", missing, "--store", store, "--patient", "Patient/a"],
            ["serve", "--store", store, "--listen", "unix:" + missing],
        ):
            ended = run(*words)
            assert ended.returncode == 1 and ended.stderr.count("\n") == 1, ended
            assert re.search(re.escape(missing) + r"(:| )", ended.stderr), ended.stderr
        assert os.listdir(folder) == ["store"], os.listdir(folder)
