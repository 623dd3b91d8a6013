#!/usr/bin/env bash
# Finding: httpx-sse 0.4.3 makes an event without data of each comment, once any event of the stream had an id.
#
# A server sends a comment, such as `: ping`, to keep a stream of events open. The HTML standard, section 9.2.6,
# dispatches nothing if a block has no data. Expected: comments are invisible to the caller, before and after an id.
# Seen: before the first id they are; after it each comment is a "message" with empty data and the last id, on which
# `json()` fails, and so is a block that names an event only. A caller has to skip events without data.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install httpx==0.28.1 httpx-sse==0.4.3

cat > read.py <<'EOF'
import httpx
import httpx_sse

STREAM = b": ping\n\nid: 5\nevent: bid\ndata: {}\n\n: ping\n\nevent: alone\n\ndata: {}\n\n"
answer = httpx.Response(200, headers={"content-type": "text/event-stream"}, content=STREAM)
with httpx.Client(transport=httpx.MockTransport(lambda request: answer)) as client:
    with httpx_sse.connect_sse(client, "GET", "http://localhost/") as source:
        for event in source.iter_sse():
            print(event.id, event.event, repr(event.data))
EOF

seen=$(python/bin/python read.py)
expected="5 bid '{}'
5 message ''
5 alone ''
5 message '{}'"
echo "$seen"
[ "$seen" = "$expected" ]
