"""Makes serif.woff2 from Source Serif 4: `python3 style/fonts/subset.py FONT`.

FONT is the variable font with the axes `opsz` and `wght`, as TTF or WOFF2. Needs the packages `fonttools` and `brotli`.
"""

import io
import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

# The licence reserves the font's own name for the unchanged font.
FAMILY = 'Farthing Serif'
# Headings and amounts: one optical size, and the weights that the styles use.
AXES = {'opsz': 20, 'wght': (400, 600)}
# Latin letters of western Europe, punctuation, signs of currencies, minus and times.
CHARACTERS = (
    [*range(0x20, 0x7F), 0xA0, 0xA3, 0xA5, 0xAB, 0xB7, *range(0xBB, 0xBE), *range(0xC0, 0x100)]
    + [0x131, 0x152, 0x153, 0x2013, 0x2014, 0x2018, 0x2019, 0x201A, 0x201C, 0x201D, 0x201E, 0x2026, 0x20AC, 0x2212]
)
LIMIT = 30_000


def main(source: str) -> None:
    font = instancer.instantiateVariableFont(TTFont(source), AXES)
    for record in font['name'].names:
        # Number 0 is the copyright.
        if record.nameID in (1, 4, 16):
            record.string = FAMILY
        elif record.nameID > 0 and 'Source' in record.toUnicode():
            record.string = FAMILY.replace(' ', '')
    options = subset.Options(hinting=False, layout_features=['kern', 'locl'])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    font.flavor = 'woff2'
    file = io.BytesIO()
    font.save(file)
    bytes_ = file.getvalue()
    if len(bytes_) > LIMIT:
        sys.exit(f'{len(bytes_)} bytes, more than {LIMIT}')
    pathlib.Path(__file__).with_name('serif.woff2').write_bytes(bytes_)
    print(f'{len(bytes_)} bytes')


if __name__ == '__main__':
    main(sys.argv[1])
