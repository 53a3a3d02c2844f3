#!/usr/bin/env python3
"""Writes folding.tsv: how text is folded before it is compared without regard to case and accents.

One line a character that changes: its code point, a tab, and the code points that stand for it,
in hexadecimal, parted by blanks. The rule: canonical decomposition (NFD), full case folding, NFD
again, then every combining mark (canonical combining class other than 0) left out. Hangul syllables
are decomposed by arithmetic and not listed.

Source: Python's unicodedata, which holds the Unicode Character Database.
"""
import sys
import unicodedata

HANGUL = range(0xAC00, 0xD7A4)


def folded(character):
    decomposed = unicodedata.normalize("NFD", character)
    cased = unicodedata.normalize("NFD", "".join(c.casefold() for c in decomposed))
    return "".join(c for c in cased if unicodedata.combining(c) == 0)


def main():
    print(f"# Unicode {unicodedata.unidata_version}")
    for point in range(0x80, 0x110000):
        if 0xD800 <= point < 0xE000 or point in HANGUL:
            continue
        result = folded(chr(point))
        if result != chr(point):
            print(f"{point:X}\t{' '.join(f'{ord(c):X}' for c in result)}")


if __name__ == "__main__":
    sys.exit(main())
