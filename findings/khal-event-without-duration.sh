#!/usr/bin/env bash
# Finding: khal 0.14.0 shows an event with DTSTART alone, and one whose DTEND equals it, as an hour; only DURATION:PT0S
# makes a moment of it.
#
# RFC 5545, section 3.6.1, ends an event with a DTSTART of date and time, and without DTEND and DURATION, at the moment
# at which it starts; DTEND has to be later than DTSTART. Expected: DTSTART alone is a moment, and where a program does
# not follow that, an equal DTEND is the way to write one. Seen: both are an hour long, for the equal DTEND with a
# warning; a DURATION of no seconds is 18:00–18:00. A deadline, such as the end of bidding, is therefore written with
# DURATION:PT0S, which the specification allows and other programs read alike.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install khal==0.14.0 icalendar==6.3.2

mkdir calendar
cat > settings <<EOF
[calendars]
[[moments]]
path = $folder/calendar
[sqlite]
path = $folder/cache
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
local_timezone = UTC
default_timezone = UTC
EOF

event() {
  printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//moments//EN BEGIN:VEVENT "UID:$1" DTSTAMP:20260401T080000Z \
    DTSTART:20260501T180000Z "SUMMARY:$1" ${2:+"$2"} END:VEVENT END:VCALENDAR > "calendar/$1.ics"
}
event alone
event equal-end DTEND:20260501T180000Z
event no-seconds DURATION:PT0S

seen=$(python/bin/khal -c settings list 2026-05-01 2026-05-02 --day-format '' \
  --format '{title} {start-time}-{end-time}' 2> /dev/null | grep : | sort)
expected='alone 18:00-19:00
equal-end 18:00-19:00
no-seconds 18:00-18:00'
echo "$seen"
[ "$seen" = "$expected" ]
