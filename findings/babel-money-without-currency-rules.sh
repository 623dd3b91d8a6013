#!/usr/bin/env bash
# Finding: Babel 2.18.0 writes money otherwise than ICU from the same rules of CLDR: `12,50 €` for fr-CH where ICU has
# `12.50 €`, `R12,50` and `EUR12.50` where ICU has a space.
#
# CLDR has a decimal mark for money of its own: in fr-CH numbers have a comma, and money a point. Babel reads the mark of
# numbers only. CLDR also puts a no-break space between a letter of the currency and a digit, which no pattern shows and
# Babel leaves out. Expected: two libraries that are made from CLDR agree on a locale but for their versions, and a
# locale has one decimal mark. Its list of currencies of regions is of another day, too: BGN for Bulgaria, which
# has the euro since January 2026.
#
# For a program that writes prices on the server in Python and in the browser by Intl: the same price has two forms.
# Intl is that of Node 26.10.0 here, with CLDR 48 or newer.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install babel==2.18.0
npm install --silent --no-audit --no-fund --prefix . node@26.10.0

cat > money.py <<'PY'
from babel.numbers import format_currency, format_decimal, get_territory_currencies

for locale, currency in [("fr_CH", "EUR"), ("en_ZA", "ZAR"), ("es_419", "EUR"), ("de_DE", "EUR")]:
    number, money = format_decimal(12.5, locale=locale), format_currency(12.5, currency, locale=locale)
    print(locale.replace("_", "-"), number, money.replace("\N{NO-BREAK SPACE}", " "))
print("Bulgaria", get_territory_currencies("BG")[0])
PY
cat > intl.mjs <<'JS'
for (const [locale, currency] of [['fr-CH', 'EUR'], ['en-ZA', 'ZAR'], ['es-419', 'EUR'], ['de-DE', 'EUR']]) {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(12.5);
  console.log(locale, new Intl.NumberFormat(locale).format(12.5), money.replaceAll('\u00a0', ' '));
}
JS

seen=$(python/bin/python ./money.py; echo; node_modules/.bin/node intl.mjs)
expected='fr-CH 12,5 12,50 €
en-ZA 12,5 R12,50
es-419 12.5 EUR12.50
de-DE 12,5 12,50 €
Bulgaria BGN

fr-CH 12,5 12.50 €
en-ZA 12,5 R 12,50
es-419 12.5 EUR 12.50
de-DE 12,5 12,50 €'
echo "$seen"
[ "$seen" = "$expected" ]
