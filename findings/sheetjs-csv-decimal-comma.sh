#!/usr/bin/env bash
# Finding: SheetJS (npm `xlsx` 0.18.5) reads a number with a decimal comma from CSV as another number.
#
# In a table whose cells are separated by tabs or semicolons, as spreadsheets of most of Europe write it, the
# amount `12,5` becomes the number 125: each comma is taken for a mark between thousands, wherever it stands.
# `1.234,5` becomes 1.2345. A lot number such as `1-2` becomes the second of January 2001, also between quotation
# marks, and a date with points has the month first: `1.12.2026` is in January. Expected: 12.5 or
# the text for the amount, the present year for the date, and day first where points stand.
#
# A table that went through this library has lost what was typed, and nothing in the file says so.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . xlsx@0.18.5

cat > read.cjs <<'JS'
const { read } = require('xlsx');

const cells = ['12,5', '0,3', '1.234,5', '"1-2"', '1.12.2026 18:00'];
const text = `amount;note\n${cells.map((cell) => `${cell};x`).join('\n')}\n`;
const sheet = read(text, { type: 'string' }).Sheets.Sheet1;
const dated = (serial) => new Date(Math.round((serial - 25569) * 86400000)).toISOString().slice(0, 16);
for (const [at, cell] of cells.entries()) {
  const { t, v } = sheet[`A${at + 2}`];
  console.log(cell, t, v > 30000 ? dated(v) : v);
}
JS

seen=$(node read.cjs)
expected='12,5 n 125
0,3 n 3
1.234,5 n 1.2345
"1-2" n 2001-01-02T00:00
1.12.2026 18:00 n 2026-01-12T18:00'
echo "$seen"
[ "$seen" = "$expected" ]
