#!/usr/bin/env bash
# Finding: xlsx2csv 0.8.6 writes the format in place of the number, if that has a unit in quotation marks: five gold,
# shown as `5 gold`, become `0" gol04"`.
#
# A spreadsheet gives a column of a game's or a club's money the format `0" gold"`, or `0" half-crowns"`: ECMA-376, part
# 1, 18.8.31, takes what is in quotation marks as text. Expected: 5, as from a cell with the format `0.00`, or what the
# spreadsheet shows. Seen: letters of dates (d, h, m, s) within that text make the cell a moment, and the rest of the
# format is copied, so that no digit of the amount is left: the `d` of gold is the fourth of January 1900, the `h` of a
# half-crown its hour. With `" c"`, which has none of these letters, it is 5. The program ends with 0 and says nothing.
# `--ignore-formats date` brings the numbers back, of true dates too.
#
# For a program that takes tables: what went through this converter has lost its amounts, in cells that look like texts.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install xlsx2csv==0.8.6 openpyxl==3.1.5

python/bin/python > read - <<'PY'
from openpyxl import Workbook, load_workbook

formats = ["0.00", '0" gold"', '0" half-crowns"', '#,##0" Sickles"', '0" c"']
book = Workbook()
for row, form in enumerate(formats, 1):
    cell = book.active.cell(row, 1, 5)
    cell.number_format = form
book.save("prices.xlsx")
print(*[cell.value for cell in load_workbook("prices.xlsx").active["A"]])
PY

seen=$(
  cat read
  python/bin/xlsx2csv prices.xlsx
  python/bin/xlsx2csv prices.xlsx --ignore-formats date | paste --serial --delimiters ' '
)
expected='5 5 5 5 5
5
"0"" gol04"""
"0"" 12alf-crowns"""
"#,##0"" sickles"""
5
5 5 5 5 5'
echo "$seen"
[ "$seen" = "$expected" ]
