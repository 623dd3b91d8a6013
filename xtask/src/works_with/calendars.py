# Calendars, with the calendar of an auction as Farthing serves it.

import re
import socket
from datetime import datetime, timedelta, timezone

owner = User()
ics = owner.send(owner.auction() + "/calendar.ics").read()
text = ics.decode()
starts = [
    datetime.strptime(start, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
    for start in re.findall(r"DTSTART:(\S+)", text)
]
expect(starts and text.count("DURATION:PT0S") == len(starts), "the demo's calendar has no events that are moments")
file = FOLDER / "auction.ics"
file.write_bytes(ics)


def khal():
    calendar = FOLDER / "khal"
    calendar.mkdir()
    # One event a file, as such calendars are kept.
    head, *events = text.split("BEGIN:VEVENT")
    for number, event in enumerate(events):
        body = event.split("END:VEVENT")[0]
        whole = f"{head}BEGIN:VEVENT{body}END:VEVENT\r\nEND:VCALENDAR\r\n"
        (calendar / f"{number}.ics").write_text(whole, newline="")
    settings = FOLDER / "khal.conf"
    settings.write_text(
        f"[calendars]\n[[auction]]\npath = {calendar}\n[sqlite]\npath = {FOLDER}/khal.db\n[locale]\n"
        "timeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\n"
        "longdatetimeformat = %Y-%m-%d %H:%M\nlocal_timezone = UTC\ndefault_timezone = UTC\n"
    )
    days = min(starts).date(), max(starts).date() + timedelta(days=1)
    shown = run(
        sys.executable, "-m", "khal", "-c", settings, "list", *days, "--day-format", "", "--format", "{start-time}-{end-time}"
    )
    times = sorted(line for line in shown.split() if line)
    expected = sorted(f"{start:%H:%M}-{start:%H:%M}" for start in starts)
    expect(times == expected, f"khal shows {times}, not {expected}")
    row("khal", importlib.metadata.version("khal"), "shows each end as a moment")


def calcurse():
    data = FOLDER / "calcurse"
    data.mkdir()
    environment = {"TZ": "UTC", "TMPDIR": str(FOLDER), "LC_ALL": "C", "PATH": "/usr/bin:/bin", "HOME": str(FOLDER)}
    done = subprocess.run(
        ["calcurse", "-q", "-D", data, "-i", file], capture_output=True, text=True, env=environment
    )
    kept = data / "apts"
    expect(not kept.exists() or not kept.read_text(), f"calcurse keeps events now: {done.stdout}{done.stderr}")
    seen = "passes over every event, whose end must be later than its start for it: no form of a moment suits it and khal"
    row("calcurse", debian_version("calcurse"), seen)


def radicale():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "radicale", f"--server-hosts=127.0.0.1:{port}", "--auth-type=none"]
    words += ["--rights-type=authenticated", f"--storage-filesystem-folder={FOLDER}/radicale", "--config="]
    log = open(FOLDER / "radicale.log", "wb")
    server = subprocess.Popen(words, stdout=log, stderr=log)
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        base = f"http://127.0.0.1:{port}/ada/auction/"

        def send(method, body, kind, **headers):
            headers |= {"Content-Type": kind, "Authorization": "Basic YWRhOmFkYQ=="}
            request = urllib.request.Request(base, body, headers, method=method)
            return opener.open(request).read().decode()

        def is_up():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        until(is_up, "Radicale")
        send("PUT", ics, "text/calendar")
        start = starts[0]

        def found(since, end):
            query = (
                '<C:calendar-query xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><prop><C:calendar-data/></prop>'
                '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">'
                f'<C:time-range start="{since:%Y%m%dT%H%M%SZ}" end="{end:%Y%m%dT%H%M%SZ}"/>'
                "</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"
            )
            return send("REPORT", query.encode(), "application/xml", Depth="1").count("BEGIN:VEVENT")

        hour = timedelta(hours=1)
        at, after = (sum(since <= one < since + hour for one in starts) for since in (start, start - hour))
        seen = found(start, start + hour), found(start - hour, start)
        expect(seen == (at, after), f"Radicale finds {seen} events, not {(at, after)}")
    finally:
        server.kill()
    row("Radicale", importlib.metadata.version("Radicale"), "keeps the calendar; finds an end in the hour that begins with it, not in the one before")


def libraries():
    import icalendar
    import ics as ics_py

    events = [one for one in icalendar.Calendar.from_ical(ics).walk("VEVENT")]
    moments = sorted(one.decoded("dtstart") for one in events)
    expect(moments == sorted(starts), "icalendar reads other starts")
    expect(all(one.decoded("duration") == timedelta(0) for one in events), "icalendar reads other durations")
    row("icalendar (Python)", importlib.metadata.version("icalendar"), "reads each end as a moment")
    events = list(ics_py.Calendar(text).events)
    expect(sorted(one.begin.datetime for one in events) == sorted(starts), "ics reads other starts")
    expect(len(events) == len(starts), "ics reads another number of events")
    row("ics (Python)", importlib.metadata.version("ics"), "reads each end at its time")


khal()
calcurse()
radicale()
libraries()
