#!/usr/bin/env bash
# Finding: num2words 0.5.14 says "zero euro, twelve cents" for the amount 12, and "twelve euro, zero cents" for "12".
#
# A receipt says its total in words, as cheques do. Expected: an amount is the same whether it is an int, a Decimal or a
# text, as for `to="cardinal"` of the same library. Seen: for `to="currency"` an int is a number of hundredths, and
# everything else one of euros, in all of its languages that were tried. So the words are right for as long as prices
# come as Decimal, and a hundredth of the price where a whole one has become an int on the way, from JSON for example.
#
# For a program that writes amounts in words: pass a Decimal.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install num2words==0.5.14

cat > say.py <<'PY'
import json
from decimal import Decimal

from num2words import num2words

for total in (12, Decimal(12), "12", *json.loads("[12, 12.0, 12.5]")):
    print(repr(total), num2words(total, to="currency", currency="EUR"))
print(num2words(12, to="currency", currency="EUR", lang="de"))
print(num2words(12), num2words(Decimal(12)))
PY

seen=$(python/bin/python say.py)
expected="12 zero euro, twelve cents
Decimal('12') twelve euro, zero cents
'12' twelve euro, zero cents
12 zero euro, twelve cents
12.0 twelve euro, zero cents
12.5 twelve euro, fifty cents
null Euro und zwölf Cent
twelve twelve"
echo "$seen"
[ "$seen" = "$expected" ]
