"""Parse numbers and ordinals in words, and lists of phrases."""

from collections.abc import Iterable, Mapping, Sequence

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
NUMBERS = {word: number for number, word in enumerate(_WORDS)} | {
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
    "hundred": 100,
    "thousand": 1_000,
    "once": 1,
    "twice": 2,
    "dozen": 12,
}
ORDINALS = {word: number for number, word in enumerate(_ORDINALS)}
_SCALES = {"hundred": 100, "thousand": 1_000}


def number_at(keys: Sequence[str], position: int) -> tuple[int, int] | None:
    """Return the number at token `position`, in digits or as a word, and the index of the token after it."""
    if position >= len(keys):
        return None
    word = keys[position].replace(",", "")
    if word.isdigit() and len(word) < 10:
        number = int(word)
    elif len(word) > 1 and word[:-1].isdigit() and word[-1] == "k":
        return int(word[:-1]) * 1_000, position + 1
    elif word in NUMBERS:
        number = NUMBERS[word]
    elif word in ("a", "an") and position + 1 < len(keys) and keys[position + 1] in _SCALES:
        number = 1
    else:
        return None
    position += 1
    while position < len(keys) and keys[position] in _SCALES:
        number, position = number * _SCALES[keys[position]], position + 1
    return number, position


def ordinal(word: str) -> int | None:
    """Return the position that a word names: `second`, `2nd`, `#2`."""
    if word in ORDINALS:
        return ORDINALS[word]
    if word[:1] == "#" and word[1:].isdigit() and len(word) < 6:
        return int(word[1:])
    return int(word[:-2]) if word[-2:] in ("st", "nd", "rd", "th") and word[:-2].isdigit() and len(word) < 7 else None


def phrases(listed: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each of the phrases in `listed`, which bars part."""
    return tuple(tuple(phrase.split()) for phrase in listed.split("|"))


def by_first(listed: Iterable[tuple[str, ...]]) -> Mapping[str, Sequence[tuple[str, ...]]]:
    """Return the phrases by their first word."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for words in listed:
        table.setdefault(words[0], []).append(words)
    return table
