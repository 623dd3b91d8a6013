#!/usr/bin/env bash
# Finding: csvkit 2.2.0 reads the lot numbers 1-2 and 3/4 as days of 2001, and prices such as 5s and 2m as durations.
#
# A catalogue has lots beside each other as `1-2` and `3/4`, and money of a game or of old has silver, shillings or
# marks: `5s`, `2m`. Expected: a tool that tells numbers from texts leaves both as texts, since neither is a number or
# a whole date. Seen: `csvjson` takes the column of lots for dates, month first, in the year 2001, and the columns of
# prices for durations; where one lot of the column is no such date, all stay as they are. `--no-inference` leaves
# everything as it is, and is what a table with lots needs.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install csvkit==2.2.0 agate==1.14.2 parsedatetime==2.6 pytimeparse==1.1.8

cat > lots.csv <<EOF
lot,silver,marks
1-2,5s,2m
3/4,3s,4m
EOF
sed 's,3/4,KM-4,' lots.csv > other.csv

seen=$(python/bin/csvjson lots.csv
  echo
  python/bin/csvjson other.csv
  echo
  python/bin/csvjson --no-inference lots.csv)
expected='[{"lot": "2001-01-02", "silver": "0:00:05", "marks": "0:02:00"}, {"lot": "2001-03-04", "silver": "0:00:03", "marks": "0:04:00"}]
[{"lot": "1-2", "silver": "0:00:05", "marks": "0:02:00"}, {"lot": "KM-4", "silver": "0:00:03", "marks": "0:04:00"}]
[{"lot": "1-2", "silver": "5s", "marks": "2m"}, {"lot": "3/4", "silver": "3s", "marks": "4m"}]'
echo "$seen"
[ "$seen" = "$expected" ]
