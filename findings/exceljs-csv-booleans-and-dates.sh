#!/usr/bin/env bash
# Finding: exceljs 4.4.0 reads `true` from CSV as a boolean and `TRUE` as a text, `01-02-2026` as a date and
# `12/01/2026` as a text.
#
# Spreadsheets write booleans in capitals (`TRUE`), which stay texts. Of dates only three strict forms are
# read: ISO 8601, `MM-DD-YYYY` and `YYYY-MM-DD`, so that a dash decides between a date with the month first and
# a text. `007` becomes 7 and `12E3` becomes 12000, also between quotation marks. Expected: the
# opposite case for booleans, and the same answer for both dates.
#
# For a program that takes lists from others: a table that was read and written by exceljs has lost its lot
# numbers, and has dates in some rows and texts in others.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . exceljs@4.4.0

cat > read.cjs <<'JS'
const { Readable } = require('node:stream');
const { Workbook } = require('exceljs');

const cells = ['true', 'TRUE', '01-02-2026', '12/01/2026', '007', '12E3'];
const text = `value,note\n${cells.map((cell) => `"${cell}",x`).join('\n')}\n`;
new Workbook().csv.read(Readable.from([text])).then((sheet) => {
  for (const [at, cell] of cells.entries()) {
    const { value } = sheet.getCell(`A${at + 2}`);
    console.log(cell, value instanceof Date ? 'date' : typeof value, JSON.stringify(value));
  }
});
JS

seen=$(TZ=UTC node read.cjs)
expected='true boolean true
TRUE string "TRUE"
01-02-2026 date "2026-01-02T00:00:00.000Z"
12/01/2026 string "12/01/2026"
007 number 7
12E3 number 12000'
echo "$seen"
[ "$seen" = "$expected" ]
