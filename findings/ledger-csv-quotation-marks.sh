#!/usr/bin/env bash
# Finding: ledger 3.3.0 writes a quotation mark in its CSV as \", which readers of CSV take for the end of the cell.
#
# A payee is named `Ada "Tess", x`. RFC 4180 doubles a quotation mark within a cell, as hledger does in its own CSV, and
# as spreadsheets read it. Expected: the same, and four cells come back. Seen: `\"`, so that Python's reader returns
# five cells, with the name in two parts and a backslash in the first; nothing says so. Of two programs of one family
# only one can be read without an option (`escapechar`).
#
# Takes the packages from Debian 12. Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq ledger=3.3.0-3 hledger=1.25-2+b5 libboost-filesystem1.74.0 libboost-iostreams1.74.0 \
  libboost-python1.74.0 libboost-regex1.74.0 libicu72 libmpfr6 libgmp10 libffi8 libpython3.11 2> /dev/null
for package in *.deb; do dpkg -x "$package" unpacked; done
export LD_LIBRARY_PATH=$folder/unpacked/usr/lib/$(uname -m)-linux-gnu LC_ALL=C.UTF-8

printf '2026-05-01 Ada "Tess", x\n    ada  5 PTS\n    pot  -5 PTS\n' > journal
cells() {
  python3 -c 'import csv, sys; row = list(csv.reader(sys.stdin))[-1]; print(len(row), row[:2])'
}
format='%(quoted(payee)),%(quoted(account)),%(quoted(quantity(scrub(display_amount)))),%(quoted(commodity(scrub(display_amount))))\n'
seen=$(
  echo "ledger: $(unpacked/usr/bin/ledger -f journal csv pot --csv-format "$format")"
  unpacked/usr/bin/ledger -f journal csv pot --csv-format "$format" | cells
  echo "hledger: $(unpacked/usr/bin/hledger -f journal print -O csv pot | tail -1 | cut -d , -f 6-7)"
)
echo "$seen"
expected='ledger: "Ada \"Tess\", x","pot","-5","PTS"
5 ['"'Ada \\\\Tess\\\\\"', ' x\"'"']
hledger: "Ada ""Tess"", x"'
[ "$seen" = "$expected" ]
