#!/usr/bin/env bash
# Finding: SLPP 1.2.3, a reader of Lua tables, counts from 0 in a table that also has names, and keeps each backslash
# doubled; luadata 1.0.5 refuses a list with a gap.
#
# Addons of games keep their lists in Lua tables, the "saved variables". A value without a key has the next number of
# its table, from 1 on, whatever else stands there; a gap is written as nil; a backslash, as in the path of a picture,
# is written twice. Expected: {"Ada", "Ben", name = "raid"} has Ada at 1, as in Lua, and as SLPP itself has keys that
# are written out; both readers take a gap; "A\\B" is A\B. Seen: SLPP has Ada at 0 and Ben at 1, so that the person at 1
# is another one than in the game, and returns A\\B. luadata counts from 1 and returns A\B, and fails at the gap.
#
# Runs in a temporary folder. Fails if the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install SLPP==1.2.3 luadata==1.0.5

cat > read.py <<'EOF'
import luadata
from slpp import slpp

MIXED = '{\n"Ada", -- [1]\n"Ben", -- [2]\n["name"] = "raid",\n}'
WRITTEN_OUT = '{\n[1] = "Ada",\n[2] = "Ben",\n["name"] = "raid",\n}'
GAP = '{\n"Ada", -- [1]\nnil, -- [2]\n"Cyd", -- [3]\n}'
PATH = r'{["icon"] = "Icons\\Sword"}'
print("slpp", slpp.decode(MIXED))
print("slpp", slpp.decode(WRITTEN_OUT))
print("slpp", slpp.decode(GAP))
print("slpp", slpp.decode(PATH)["icon"])
print("luadata", luadata.unserialize(MIXED))
print("luadata", luadata.unserialize(PATH)["icon"])
try:
    print("luadata", luadata.unserialize(GAP))
except Exception as error:
    print("luadata", str(error).split("\n")[0])
EOF

seen=$(python/bin/python read.py)
expected="slpp {0: 'Ada', 1: 'Ben', 'name': 'raid'}
slpp {1: 'Ada', 2: 'Ben', 'name': 'raid'}
slpp ['Ada', None, 'Cyd']
slpp Icons\\\\Sword
luadata {1: 'Ada', 2: 'Ben', 'name': 'raid'}
luadata Icons\\Sword
luadata Unserialize luadata failed on pos 19:"
echo "$seen"
[ "$seen" = "$expected" ]
