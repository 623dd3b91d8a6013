#!/usr/bin/env bash
# Finding: dinero.js 2.0.2 has the ouguiya and the ariary in fifths, and neither converts them nor writes them as a decimal.
#
# ISO 4217 lists MRU and MGA with two digits, as nearly all others; in use a fifth (khoums, iraimbilanja) is the only
# part. Expected: the currencies that a library ships with work with all of its functions, as its other 164 do. Seen: its
# own MRU and MGA have the base 5, so that 7 is one ouguiya and two fifths, where other programs that follow the list take
# it for seven hundredths; `convert` from or into them ends with "Objects must have the same currency base", and
# `toDecimal` with "Currency is not decimal". `toUnits` works. A page that converts prices fails for these two countries
# alone, at run time: the types say nothing.
#
# For currencies that people define, such as 20 shillings of 12 pence: the same holds for every base but 10.
#
# Takes npm. Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . dinero.js@2.0.2

cat > convert.mjs <<'JS'
import { convert, dinero, toDecimal, toSnapshot, toUnits } from 'dinero.js';
import * as currencies from 'dinero.js/currencies';

const all = Object.values(currencies);
console.log(all.length, 'currencies, not decimal:', all.filter((each) => each.base !== 10).map((each) => each.code).join());
const euro = dinero({ amount: 100, currency: currencies.EUR });
const said = (act) => {
  try {
    return JSON.stringify(act());
  } catch (error) {
    return error.message;
  }
};
for (const code of ['KES', 'MRU', 'MGA']) {
  const currency = currencies[code];
  const seven = dinero({ amount: 7, currency });
  console.log(code, JSON.stringify(toUnits(seven)), said(() => toDecimal(seven)));
  console.log(said(() => toSnapshot(convert(euro, currency, { [code]: 42 })).amount));
}
JS

seen=$(node convert.mjs)
expected='166 currencies, not decimal: MGA,MRU
KES [0,7] "0.07"
4200
MRU [1,2] [Dinero.js] Currency is not decimal.
[Dinero.js] Objects must have the same currency base.
MGA [1,2] [Dinero.js] Currency is not decimal.
[Dinero.js] Objects must have the same currency base.'
echo "$seen"
[ "$seen" = "$expected" ]
