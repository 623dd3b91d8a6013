#!/usr/bin/env bash
# Finding: hledger 1.25 takes a transaction that loses a hundredth, if the commodity is written without decimals.
#
# A book shares 100 points among three people, 33.33 each, and 0.01 stays nowhere. Expected: an error, since the sum is
# not 0; how a commodity is written (`commodity 1000. PTS`) is a matter of reports. Seen: without the directive it is an
# error; with it the transaction is taken, because hledger compares the sum as it would show it, and the report says 33,
# 33, 33 and -100 with the total 0. ledger and beancount refuse it. An export that is to be checked by hledger must not
# say how its commodity is written, or with as many digits as its amounts have.
#
# Takes the packages from Debian 12. Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq hledger=1.25-2+b5 libgmp10 libffi8 2> /dev/null
for package in *.deb; do dpkg -x "$package" unpacked; done
export LD_LIBRARY_PATH=$folder/unpacked/usr/lib/$(uname -m)-linux-gnu

share='
2026-05-01 share
    pot     -100 PTS
    ada     33.33 PTS
    ben     33.33 PTS
    cyd     33.33 PTS'
export LC_ALL=C.UTF-8
balances() {
  if unpacked/usr/bin/hledger -f - balance --flat > report 2> error; then
    sed 's/^ *//; s/ *$//; /^-*$/d' report
  else
    grep 'sum should' error
  fi
}
seen=$(
  echo "$share" | balances
  printf 'commodity 1000. PTS\n%s\n' "$share" | balances
)
expected="real postings' sum should be 0 but is: -0.01 PTS
33 PTS  ada
33 PTS  ben
33 PTS  cyd
-100 PTS  pot
0"
echo "$seen"
[ "$seen" = "$expected" ]
