#!/usr/bin/env bash
# Finding: calcurse 4.7.1 imports an event with DTSTART alone as a moment, and passes over one with DURATION:PT0S.
#
# RFC 5545, section 3.6.1, ends an event with a DTSTART of date and time, and without DTEND and DURATION, at the moment
# at which it starts, and section 3.3.6 allows a duration of no seconds. Expected: both are the same moment, as for
# icalendar, ics and ical.js. Seen: only DTSTART alone is imported; of the other, as of one with an equal DTEND, the
# log says "end must be later than start". khal 0.14 is the other way round: it makes a moment of DURATION:PT0S only,
# and an hour of DTSTART alone. No way to write a deadline is one that all calendars read alike.
#
# Takes the packages from Debian 12. Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq calcurse=4.7.1-1 libncursesw6 2> /dev/null
for package in *.deb; do dpkg -x "$package" unpacked; done
export LD_LIBRARY_PATH=$folder/unpacked/lib/$(uname -m)-linux-gnu

export TZ=UTC TMPDIR=$folder LC_ALL=C
event() {
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//moments//EN BEGIN:VEVENT "UID:$1" DTSTAMP:20260401T080000Z \
    DTSTART:20260501T180000Z "SUMMARY:$1" ${2:+"$2"} END:VEVENT END:VCALENDAR > "$1.ics"
  mkdir "$1"
  unpacked/usr/bin/calcurse -q -D "$1" -i "$1.ics" > "$1.log" 2>&1 || true
  echo "$1: $(cat "$1/apts" 2> /dev/null)"
}
seen=$(
  event alone
  event equal-end DTEND:20260501T180000Z
  event no-seconds DURATION:PT0S
)
expected='alone: 05/01/2026 @ 18:00 -> 05/01/2026 @ 18:00|alone
equal-end: 
no-seconds: '
echo "$seen"
[ "$seen" = "$expected" ]
