"""Compares which texts the store's JSON reader takes with what Python's json module, made strict, does.

    compare.py PROGRAM [COUNT [SEED]]
"""

import json
import pathlib
import random
import subprocess
import sys

DEPTH_MAXIMUM = 128
FOLDER = pathlib.Path(__file__).parent.parent / "Fuzz"
# What mutations put in: all that JSON has a rule for.
PIECES = [b'"', b"\\", b"\\u", b"\\ud83d", b"\\udE00", b"\\n", b"\\x", b"{", b"}", b"[", b"]", b",",
          b":", b"0", b"01", b"-", b"-0", b".", b"1.", b"e", b"1e5", b"1E+", b"NaN", b"Infinity", b"true",
          b"nul", b"null", b" ", b"\n", b"\t", b"\x00", b"\x1f", b"\x7f", b"\x0b", b"\x0c", b"\xc3\xa9",
          b"\xc3", b"\xa9", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xa8",
          b"\xef\xbb\xbf", b'"id"', b'"id":1,', b'"\\u0069d":1,', b"{}", b"[]", b"/**/", b"'"]


class Refused(Exception):
    pass


def unique(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise Refused
    return dict(pairs)


def refuse(_):
    raise Refused


def depth(value):
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if children is None else 1 + max(map(depth, children), default=0)


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, child in value.items():
            yield name
            yield from texts(child)
    elif isinstance(value, list):
        for child in value:
            yield from texts(child)


def is_taken(text):
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=unique, parse_constant=refuse,
                           parse_int=lambda _: 0, parse_float=lambda _: 0)
        for part in texts(value):
            part.encode("utf-8")
        return depth(value) <= DEPTH_MAXIMUM
    except (Refused, ValueError, RecursionError):
        return False


def mutated(seed, chance):
    text = bytearray(seed)
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 1, 2, 8]))
        kind = chance.randrange(4)
        if kind == 0:
            text[start:end] = chance.choice(PIECES)
        elif kind == 1:
            text[start:end] = b""
        elif kind == 2:
            text[start:end] = bytes([chance.randrange(256)])
        else:
            source = chance.randrange(len(text) + 1)
            text[start:start] = text[source:source + chance.randrange(1, 30)]
    return bytes(text)


def main():
    program, count, number = sys.argv[1], int((sys.argv + [5000] * 3)[2]), int((sys.argv + [1] * 4)[3])
    chance = random.Random(number)
    seeds = [path.read_bytes() for path in sorted(FOLDER.glob("*/*.json"))]
    inputs = seeds + [b"[" * n + b"]" * n for n in (1, 128, 129, 900)] + PIECES
    inputs += [mutated(chance.choice(seeds), chance) for _ in range(count)]
    answers = subprocess.run([program], input="\n".join(t.hex() for t in inputs) + "\n",
                             capture_output=True, text=True, check=True).stdout.split()
    expected = ["taken" if is_taken(text) else "refused" for text in inputs]
    different = [(t, a) for t, a, e in zip(inputs, answers, expected, strict=True) if a != e]
    for text, answer in different[:20]:
        print(f"{answer} here, not by Python: {text!r}")
    taken = expected.count("taken")
    print(f"{taken} texts that are JSON and {len(inputs) - taken} that are not, seed {number}")
    is_same = not different and 100 < taken < len(inputs) - 100
    print("1 passed, 0 failed" if is_same else "0 passed, 1 failed")
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
