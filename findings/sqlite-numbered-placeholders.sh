#!/usr/bin/env bash
# Finding: SQLite 3.54.1 (in APSW 3.54.1.0) prepares a statement with the placeholders `$1, $2, …` in quadratic
# time, and one with `?1, ?2, …` in linear time.
#
# Expected: both cost as much as `?, ?, …`, since the number stands there and nothing is to be searched.
# Seen: 8,000 and 32,000 placeholders `?1` take as long as as many `?`; those with `$1` take about 60 and 200 times
# as long. To SQLite `$1` is no number but a name, for which the names of all placeholders before it are compared. A
# program that writes many rows with a statement, and writes `$1` since PostgreSQL reads nothing else, pays for that
# at each new text.
#
# Runs without Farthing, in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check apsw==3.54.1.0
"$folder/venv/bin/python" - <<'PYTHON'
import time

import apsw

FEW, MANY = 8_000, 32_000
KINDS = {"?": lambda n: "?", "?1": lambda n: f"?{n}", "$1": lambda n: f"${n}"}


def seconds(kind, count):
    """The least processor time of three preparations, each in a new connection without cached statements."""
    places = ", ".join(KINDS[kind](n) for n in range(1, count + 1))
    times = []
    for _ in range(3):
        cursor = apsw.Connection(":memory:", statementcachesize=0).cursor()
        before = time.process_time()
        cursor.execute(f"SELECT 1 WHERE 0 IN ({places})", [1] * count).fetchall()
        times.append(time.process_time() - before)
    return min(times)


print("SQLite", apsw.sqlite_lib_version())
plain = {count: seconds("?", count) for count in (FEW, MANY)}
cost = {}
for kind in KINDS:
    cost[kind] = [seconds(kind, count) / plain[count] for count in (FEW, MANY)]
    print(f"{kind:>2}: {cost[kind][0]:.1f} and {cost[kind][1]:.1f} times as long as `?`")
assert max(cost["?1"]) < 5
assert cost["$1"][0] > 10 and cost["$1"][1] > 1.5 * cost["$1"][0]
PYTHON
