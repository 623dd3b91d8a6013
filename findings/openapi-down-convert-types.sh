#!/usr/bin/env bash
# Finding: openapi-down-convert 0.14.2 calls a document 3.0.3 in which lists of types and the type "null" of 3.1 are left.
#
# OpenAPI 3.0 has one type a schema, and `nullable`; "null" is no type of it. Expected: what it can't say in 3.0 becomes
# `anyOf`, or is an error. Seen: `["string", "null"]` alone becomes `nullable`. `["string", "number"]`, which is how an API
# takes decimals of any size, is left as it is, and so is `{"type": "null"}` in a `oneOf`, which is how generators of
# documents write a reference that may be null. The result says 3.0.3, and a validator calls it invalid, as every
# generator does that reads 3.0 only.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @apiture/openapi-down-convert@0.14.2 > /dev/null
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install openapi-spec-validator==0.9.0

cat > try.py <<'PY'
import json
import subprocess

from openapi_spec_validator import validate
from openapi_spec_validator.validation.exceptions import OpenAPIValidationError

SCHEMAS = {
    "text or null": {"type": ["string", "null"]},
    "text or number": {"type": ["string", "number"]},
    "reference or null": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Bid"}]},
}


def is_valid(document):
    try:
        validate(document)
    except OpenAPIValidationError:
        return False
    return True


for name, schema in SCHEMAS.items():
    schemas = {"Bid": {"type": "object"}, "Tried": schema}
    document = {
        "openapi": "3.1.0",
        "info": {"title": name, "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    with open("newer.json", "w") as file:
        json.dump(document, file)
    command = ["node_modules/.bin/openapi-down-convert", "--input", "newer.json", "--output", "older.json"]
    done = subprocess.run(command, capture_output=True)
    with open("older.json") as file:
        older = json.load(file)
    made = json.dumps(older["components"]["schemas"]["Tried"], sort_keys=True)
    print(name, is_valid(document), "exit", done.returncode, older["openapi"], is_valid(older), made)
PY

seen=$(python/bin/python try.py)
expected='text or null True exit 0 3.0.3 True {"nullable": true, "type": "string"}
text or number True exit 0 3.0.3 False {"type": ["string", "number"]}
reference or null True exit 0 3.0.3 False {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Bid"}]}'
echo "$seen"
[ "$seen" = "$expected" ]
