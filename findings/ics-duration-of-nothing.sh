#!/usr/bin/env bash
# Finding: ics 0.7.2 reads DURATION:PT0S and writes the event back without it, with DTSTART alone.
#
# A deadline is written with DURATION:PT0S for the calendars that need it (khal-event-without-duration.sh). Expected:
# a library that reads and writes a calendar, for example to filter or to join several, keeps the property, as it keeps
# an equal DTEND. Seen: the duration of 0 is dropped, a duration of one second is kept. To RFC 5545 the event is the
# same, to khal it is an hour long: the second program in a row undoes what the first had written with care.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install ics==0.7.2

cat > rewrite.py <<'EOF'
import ics

for end in ["DURATION:PT0S", "DURATION:PT1S", "DTEND:20260501T180000Z"]:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//moments//EN", "BEGIN:VEVENT", "UID:1",
             "DTSTAMP:20260401T080000Z", "DTSTART:20260501T180000Z", end, "END:VEVENT", "END:VCALENDAR", ""]
    written = ics.Calendar("\r\n".join(lines)).serialize().splitlines()
    print(end, "->", *(line for line in written if line.startswith(("DTEND", "DURATION"))))
EOF

seen=$(python/bin/python rewrite.py)
expected='DURATION:PT0S ->
DURATION:PT1S -> DURATION:PT1S
DTEND:20260501T180000Z -> DTEND:20260501T180000Z'
echo "$seen"
[ "$seen" = "$expected" ]
