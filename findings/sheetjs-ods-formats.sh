#!/usr/bin/env bash
# Finding: SheetJS 0.18.5 writes no number formats to `.ods`. A share of 12.5 % becomes 0.125, and a day becomes 46357, for
# whoever opens the file. The same cells keep both formats in `.xlsx`.
#
# The cells have a number and a format (`z`), the form in which its reader hands over dates and percentages unless it is
# asked for others. Its writer of OpenDocument has one style, for dates, and gives it to cells of the kind `d` alone.
# Expected: a format that the library reads, keeps and writes to `.xlsx` is one that its `.ods` has, too.
#
# For a program that offers or reads tables of amounts and ends: the same list comes back from one format with other
# numbers, all of them valid.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . xlsx@0.18.5

cat > formats.mjs <<'JS'
import XLSX from 'xlsx';

const cells = [{ t: 'n', v: 0.125, z: '0.0%' }, { t: 'n', v: 46357, z: 'yyyy-mm-dd' }];
const book = XLSX.utils.book_new();
XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([cells]), 'Shares');
for (const bookType of ['xlsx', 'ods']) {
  const again = XLSX.read(XLSX.write(book, { type: 'buffer', bookType }));
  console.log(bookType, ...['A1', 'B1'].map((at) => again.Sheets.Shares[at].w));
}
JS

seen=$(node formats.mjs)
expected='xlsx 12.5% 2026-12-01
ods 0.125 46357'
echo "$seen"
[ "$seen" = "$expected" ]
