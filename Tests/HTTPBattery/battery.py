"""Runs the cases and the behaviours, and closes with how many passed."""

import os
import sys
import traceback
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import behaviours
import cases
import encrypted
from servers import Echo, Nginx
from wire import statuses, talk

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support"))
from kiln import Kiln  # noqa: E402


# RFC 9110, section 9.3.7, has the asterisk for OPTIONS; nginx 1.22 doesn't know it.
NGINX_IS_WRONG = {"OPTIONS *"}


def is_refused(statuses):
    return not statuses or statuses[-1] >= 400


def check(echo, nginx, case):
    """What is wrong with the answers to one case; `None` if nothing is."""
    name, data, expected = case
    heads = (0,) if data.startswith(b"HEAD") else ()
    received, closed = talk(echo.address, data, end=not expected)
    found = statuses(received, heads)
    if found != expected:
        return f"{name}: answered {found}, expected {expected}"
    if not closed:
        return f"{name}: the connection stayed open"
    oracle = nginx_statuses(nginx, data, heads)
    if is_refused(oracle) and not is_refused(found) and name not in NGINX_IS_WRONG:
        return f"{name}: nginx answers {oracle}, and we {found}"
    return None


def nginx_statuses(nginx, data, heads):
    received, _ = talk(nginx.address, data, timeout=1)
    if received and not received.startswith(b"HTTP/"):
        return [200]  # to what it takes for HTTP/0.9
    return statuses(received, heads)


# What only the HTTP room answers, and never for a request that is well framed.
FRAMING_STATUSES = {408, 413, 414, 417, 431, 501, 505}


def check_kiln(address, case):
    """The same of `kiln serve`, whose routes give other answers to what is well framed."""
    name, data, expected = case
    heads = (0,) if data.startswith(b"HEAD") else ()
    received, closed = talk(address, data, end=not expected)
    found = statuses(received, heads)
    fits = len(found) == len(expected) and all(
        status == wanted if wanted >= 400 else status not in FRAMING_STATUSES
        for status, wanted in zip(found, expected))
    if not fits:
        return f"kiln serve, {name}: answered {found}, expected {expected}"
    return None if closed else f"kiln serve, {name}: the connection stayed open"


def guarded(function, name, *arguments):
    """What `function` finds wrong, or the exception that it ended with."""
    try:
        return function(*arguments)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return f"{name}: {error!r} (line {where.lineno} of {where.name})"


def main():
    results = []
    with Echo("--loops", "2") as echo, Nginx() as nginx, ThreadPoolExecutor(8) as pool:
        results += pool.map(lambda case: guarded(check, case[0], echo, nginx, case), cases.ALL)
        if echo.stop() != 0:
            results.append("the server did not end with code 0")
    with Kiln() as kiln, ThreadPoolExecutor(8) as pool:
        where = urllib.parse.urlsplit(kiln.url)
        address = (where.hostname, where.port)
        results += pool.map(lambda case: guarded(check_kiln, case[0], address, case), cases.ALL)
        if kiln.stop() != 0:
            results.append("kiln serve did not end with code 0")
    # Most of them only wait.
    with ThreadPoolExecutor(4) as pool:
        results += pool.map(lambda behaviour: guarded(behaviour, behaviour.__name__),
            behaviours.ALL + encrypted.ALL)
    failures = [result for result in results if result]
    for failure in failures:
        print("FAIL", failure)
    print(f"{len(results) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
