#!/usr/bin/env bash
# Finding: exceljs 4.4.0 reads 5 with the format `0\s` as the fourth of January 1900, also from a file that it has written.
#
# Five shillings are shown as `5s` by the format `0"s"`, or by `0\s`: ECMA-376, part 1, 18.8.31, has the backslash for a
# single character, and spreadsheets write short units so. `0_s` leaves as much room as an s takes, to align a column.
# Expected: 5 for all three. Seen: the text in quotation marks is left out before letters of dates are looked for, a
# character behind a backslash or an underscore is not: pence (`0\d`), shillings, marks (`0.0\ \m`) and hours are moments,
# while the same units in quotation marks are numbers. Which of the two a file has is not seen in the spreadsheet.
#
# For a program that takes tables of prices: test for `Date` where a number is due, and count the days back.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . exceljs@4.4.0

cat > read.cjs <<'JS'
const { Workbook } = require('exceljs');

const formats = ['0"s"', '0\\s', '0_s', '0"d"', '0\\d', '0.0\\ \\m', '0\\c'];
const written = new Workbook();
const prices = written.addWorksheet('prices').getColumn(1);
prices.values = formats.map(() => 5);
for (const [at, format] of formats.entries()) {
  prices.worksheet.getCell(at + 1, 1).numFmt = format;
}
written.xlsx
  .writeBuffer()
  .then((file) => new Workbook().xlsx.load(file))
  .then((book) => {
    for (const [at, format] of formats.entries()) {
      console.log(format, JSON.stringify(book.worksheets[0].getCell(at + 1, 1).value));
    }
  });
JS

seen=$(TZ=UTC node read.cjs)
expected='0"s" 5
0\s "1900-01-04T00:00:00.000Z"
0_s "1900-01-04T00:00:00.000Z"
0"d" 5
0\d "1900-01-04T00:00:00.000Z"
0.0\ \m "1900-01-04T00:00:00.000Z"
0\c 5'
echo "$seen"
[ "$seen" = "$expected" ]
