#!/usr/bin/env bash
# Finding: pandas 2.3.3 `read_json` makes numbers of JSON strings, unless one string of the column is no number.
#
# A string of JSON is a text, and programs write decimals as strings to keep their digits. Expected: a column of strings
# stays one of texts, whatever is in them. Seen: `"007"` is 7, `"12E3"` 12000, `"1_000"` 1000, `"1.10"` 1.1 and
# `"12345678901234567890"` a float that has lost its last digits; a single `"KM-2"` in the column keeps all of them as they
# are. What a column becomes depends so on its other rows: the same export reads otherwise a week later. `dtype=False`
# keeps the texts.
#
# For exact amounts and lot numbers: read them with `dtype=False`, or by a plain JSON reader.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install pandas==2.3.3

cat > read.py <<'PY'
import io
import json

import pandas

for texts in (["007", "12"], ["007", "KM-2"], ["12E3", "1_000"], ["1.10", "2"], ["12345678901234567890", "0.5"]):
    rows = io.StringIO(json.dumps([{"lot": text} for text in texts]))
    kept = io.StringIO(rows.getvalue())
    read = pandas.read_json(rows)["lot"]
    print(texts, read.dtype, read.tolist(), pandas.read_json(kept, dtype=False)["lot"].tolist() == texts)
PY

seen=$(python/bin/python read.py)
expected="['007', '12'] int64 [7, 12] True
['007', 'KM-2'] object ['007', 'KM-2'] True
['12E3', '1_000'] int64 [12000, 1000] True
['1.10', '2'] float64 [1.1, 2.0] True
['12345678901234567890', '0.5'] float64 [1.2345678901234567e+19, 0.5] True"
echo "$seen"
[ "$seen" = "$expected" ]
