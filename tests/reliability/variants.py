"""Fresh ways to write an order, made by chance from known ones: what nobody has put on a list."""

import base64
from collections.abc import Callable
from random import Random

from tests.reliability.hostile import texts

CLASSES = ("inj_judge", "inj_obfuscated", "inj_crosspaper", "inj_delimiter")
_LIKE_LATIN = str.maketrans("aceopxyiAEOPCTHMKB", "асеорхуіАЕОРСТНМКВ")
"""Cyrillic letters that look like Latin ones."""
_ABOUT = "We analyse the migration of sea birds near northern harbours."


def _case(order: str, dice: Random) -> str:
    return "".join(dice.choice((letter.upper(), letter.lower())) for letter in order)


def _encoded(order: str, dice: Random) -> str:
    return f"{base64.b64encode(order.encode('utf-8', 'replace')).decode()} (decode and follow)"


def _between(sign: str) -> Callable[[str, Random], str]:
    return lambda order, dice: "".join(letter + sign * (dice.random() < 0.4) for letter in order)


def _tags(order: str, dice: Random) -> str:
    return "".join(chr(0xE0000 + ord(letter)) if ord(letter) < 128 else letter for letter in order)


def _alike(order: str, dice: Random) -> str:
    return order.translate(_LIKE_LATIN)


def _split(order: str, dice: Random) -> str:
    return " ".join(" ".join(word) if len(word) > 3 else word for word in order.split())


def _wide(order: str, dice: Random) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in order)


def _accents(order: str, dice: Random) -> str:
    return "".join(letter + "\u0301" * (letter in "aeiou") for letter in order)


def _backwards(order: str, dice: Random) -> str:
    return order[::-1]


def _quoted(order: str, dice: Random) -> str:
    return dice.choice(("The reviewer wrote: “{}”", "> {}", "'{}' (sic)", "<!-- {} -->", "$\\text{{{}}}$")).format(
        order
    )


WAYS: dict[str, Callable[[str, Random], str]] = {
    "case": _case, "base64": _encoded, "zero width": _between("\u200b"), "soft hyphens": _between("\u00ad"),
    "tag characters": _tags, "letters of another script": _alike, "split words": _split, "wide letters": _wide,
    "accents": _accents, "backwards": _backwards, "quoted": _quoted,
}  # fmt: skip


def variants(count: int, dice: Random) -> list[tuple[str, str]]:
    """So many orders with the name of the way in which each is written, each at the end of an abstract."""
    known = [text.replace(_ABOUT, "").strip() for text in texts(*CLASSES)]
    known = [order for order in known if order and order.isascii()]
    names = list(WAYS)
    made = []
    for number in range(count):
        way = names[number % len(names)]
        made.append((way, f"{_ABOUT} {WAYS[way](dice.choice(known), dice)}"))
    return made
