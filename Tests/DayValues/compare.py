"""Compares the engine of day values with fixtures/wearables/day_values.py on random lists.

    compare.py PROGRAM SECONDS [SEED]
"""
import datetime as dt
import importlib.util
import pathlib
import random
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location(
    "day_values", ROOT / "fixtures/wearables/day_values.py")
day_values = importlib.util.module_from_spec(spec)
spec.loader.exec_module(day_values)

# Zones with days on which something happens to their clocks.
PLACES = [
    ("UTC", "2024-02-28"),
    ("Europe/Budapest", "2026-03-28"),  # 23 hours
    ("Europe/Budapest", "2026-10-24"),  # 25 hours
    ("Australia/Lord_Howe", "2026-04-04"),  # 24.5 hours
    ("Australia/Lord_Howe", "2026-10-03"),  # 23.5 hours
    ("Africa/Cairo", "2026-04-23"),  # no midnight
    ("America/Santiago", "2026-09-05"),  # no midnight
    ("America/Santiago", "2026-04-03"),  # 23:00 comes twice
    ("America/Havana", "2026-10-31"),  # midnight comes twice
    ("America/St_Johns", "2006-10-28"),  # at 00:01 back over midnight
    ("Pacific/Apia", "2011-12-29"),  # a day is left out
    ("Asia/Kathmandu", "2024-06-14"),
]
AWAY = ["Asia/Tokyo", "America/New_York", "Pacific/Kiritimati", "+05:45", "-03:30", "+09:00"]
SOURCES = [("A watch", "watch"), ("Second watch", "watch"), ("A phone", "phone"),
           ("An app", "other"), ("Other app", "other")]
# metric, rule, greatest value
METRICS = [
    ("steps", "sum", 3000), ("active_energy", "sum", 400), ("heart_rate", "average", 190),
    ("oxygen_saturation", "average", 99), ("sleep_duration", "night/h", 0),
    ("sleep_asleep_deep", "night/min", 0), ("mindful_minutes", "duration/min", 0),
    ("handwashing_event", "duration/s", 0), ("body_weight", "last", 150),
    ("sleeping_wrist_temperature", "last-night", 40), ("headache", "maximum", 40),
    ("stand_hours", "count", 0), ("dietary_protein", "total", 60),
    ("insulin_delivery", "total", 40),
]
MINUTE = 60_000


def stamp(milliseconds):
    moment = day_values.EPOCH + dt.timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(draw, origin):
    """A moment within four days, often one that others have too."""
    span = 4 * 24 * 60
    if draw.random() < 0.7:
        return origin + draw.randrange(0, span, 15) * MINUTE
    return origin + draw.randrange(0, span * MINUTE)


def length(draw):
    if draw.random() < 0.15:
        return 0
    if draw.random() < 0.1:
        return draw.randrange(-30, 60 * 40) * MINUTE
    return draw.choice([draw.randrange(1, 3 * 60 * MINUTE), draw.randrange(1, 13) * 15 * MINUTE])


def samples(draw, origin):
    away = draw.choice([[], [draw.choice(AWAY)], AWAY])
    night_zone = draw.choice(["", *away[:1]])
    sources = draw.sample(SOURCES, draw.randrange(1, len(SOURCES) + 1))
    lines = []
    for metric, rule, most in draw.sample(METRICS, draw.randrange(1, 6)):
        for _ in range(draw.randrange(1, 18)):
            start = moment(draw, origin)
            value = round(draw.uniform(10, most), draw.randrange(0, 3)) if most else 0
            zone = night_zone if rule.startswith("night") else draw.choice(["", "", *away])
            cells = [metric, rule, *draw.choice(sources), zone, draw.choice(["", "", "1"]),
                     stamp(start), stamp(start + length(draw)),
                     draw.choice(["", stamp(origin + draw.randrange(3) * MINUTE)]), f"{value}"]
            lines.append(cells)
            if draw.random() < 0.1:
                lines.append([*cells[:8], stamp(origin + 9 * MINUTE), cells[9]])
    draw.shuffle(lines)
    return ["sample," + ",".join(cells) for cells in lines]


def case(draw):
    zone, day = draw.choice(PLACES)
    origin = day_values.milliseconds(day + "T00:00:00Z")
    lines = [f"home,{zone}"]
    if draw.random() < 0.2:
        moved = dt.date.fromisoformat(day) + dt.timedelta(days=draw.randrange(0, 4))
        lines.append(f"home,{moved}={draw.choice(PLACES)[0]}")
    if draw.random() < 0.3:
        lines.append("first," + ",".join(name for name, _ in draw.sample(SOURCES, 2)))
    elif draw.random() < 0.2:
        names = [name for name, _ in draw.sample(SOURCES, 3)]
        lines += [f"listed,{metric}," + ",".join(names) for metric in ("steps", "sleep_duration")]
    if draw.random() < 0.2:
        lines.append("without-manual")
    return lines + samples(draw, origin)


def differ(ours, theirs):
    """Whether two lines say different things; the engine rounds to nine digits."""
    ours, theirs = ours.split("\t"), theirs.split("\t")
    if len(ours) != len(theirs) or ours[:2] + ours[5:] != theirs[:2] + theirs[5:]:
        return True
    for one, two in zip(ours[2:5], theirs[2:5]):
        if (one == "") != (two == ""):
            return True
        if one and abs(float(one) - float(two)) > 6e-9 * abs(float(two)) + 1e-13:
            return True
    return False


def answers(program, cases):
    """The engine's lines of each case."""
    text = "".join("\n".join(lines) + "\n\n" for lines in cases)
    output = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    found, current = [], []
    for line in output.splitlines():
        if line:
            current.append(line)
        else:
            found.append(current)
            current = []
    return found


def main():
    program, seconds = sys.argv[1], float(sys.argv[2])
    asked = sys.argv[3] if len(sys.argv) > 3 else "1"
    seed = random.randrange(10**9) if asked == "random" else int(asked)
    print(f"seed {seed}")
    draw = random.Random(seed)
    end = time.monotonic() + seconds
    passed = failed = 0
    while time.monotonic() < end or passed + failed < 50:
        cases = [case(draw) for _ in range(25)]
        # Shuffled once more: the order of samples must not matter.
        shuffled = [draw.sample(lines, len(lines)) for lines in cases]
        both = zip(cases, answers(program, cases), answers(program, shuffled))
        for lines, ours, again in both:
            theirs = list(day_values.Case(lines).lines())
            if ours == again and len(ours) == len(theirs) \
                    and not any(map(differ, ours, theirs)):
                passed += 1
                continue
            failed += 1
            if failed <= 3:
                print("FAIL", *lines, "engine:", *ours, "in another order:", *again,
                      "second program:", *theirs, sep="\n  ")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
