"""Parse numbers and ordinals in words, lists of phrases, and bounds of citations and authors."""

from collections.abc import Iterable, Mapping, Sequence

from agents.reading.cues import BOUNDS

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen".split()
)
_TENS = {
    word: 10 * number for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
NUMBERS = {word: number for number, word in enumerate(_WORDS)} | _TENS
NUMBERS |= {f"{tens}-{word}": NUMBERS[tens] + NUMBERS[word] for tens in _TENS for word in _WORDS[1:10]}
NUMBERS |= {"hundred": 100, "thousand": 1_000, "once": 1, "twice": 2, "dozen": 12}
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
    """Return the words of each of the phrases in `listed`, which bars separate."""
    return tuple(tuple(phrase.split()) for phrase in listed.split("|"))


def by_first(listed: Iterable[tuple[str, ...]]) -> Mapping[str, Sequence[tuple[str, ...]]]:
    """Return the phrases by their first word."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for words in listed:
        table.setdefault(words[0], []).append(words)
    return table


_BOUNDS = by_first(BOUNDS)
_BEFORE = frozenset("cited with having have has got by received been".split())
_NOUNS = dict.fromkeys("citations citation cites".split(), "citations") | dict.fromkeys(
    "authors author people".split(), "authors"
)
FIRST_NUMBERS = frozenset((*NUMBERS, *ORDINALS, *_BOUNDS, *_BEFORE, "a", "an", "between"))
"""Words with which a number, an ordinal or a bound may begin."""
_OPEN_ENDS = {"more": (True, False), "fewer": (False, True), "less": (False, True)}


def bounds_at(keys: Sequence[str], position: int, *, cited: bool = False) -> tuple[dict[str, int], int] | None:
    """Return the bounds at `position` as conditions, and the index after them; None if there are none. If `cited`,
    they follow that word: "times" are citations."""
    at = position
    while at < len(keys) and keys[at] in _BEFORE:
        at += 1
    cited = cited or "cited" in keys[position:at]
    least, most, shift = False, False, 0
    if keys[at : at + 1] == ["between"]:
        first = number_at(keys, at + 1)
        second = number_at(keys, first[1] + 1) if first and keys[first[1] : first[1] + 1] == ["and"] else None
        kind = _counted(keys, second[1], cited=True) if second else ""
        return (
            ({f"min_{kind}": first[0], f"max_{kind}": second[0]}, second[1] + 1) if first and second and kind else None
        )
    for words in _BOUNDS.get(keys[at], ()) if at < len(keys) else ():
        if tuple(keys[at : at + len(words)]) == words:
            least, most, shift = BOUNDS[words]
            at += len(words)
            break
    counted = number_at(keys, at)
    if counted is None:
        return None
    number, at = counted
    if keys[at : at + 1] == ["+"]:
        least, at = True, at + 1
    (more, fewer), at = _open_end(keys, at)
    both = keys[at : at + 1] in (["and"], ["but"], ["or"])
    shared = bounds_at(keys, at + 1, cited=cited) if both else None
    if shared is not None:  # "more than 10 but fewer than 50 citations"
        kind, at = next(iter(shared[0])).partition("_")[2], shared[1] - 1
    elif cited and keys[at - 1] in ("once", "twice"):
        kind, at = "citations", at - 1
    else:
        kind = _counted(keys, at, cited=cited)
    if not kind:
        return None
    (more_behind, fewer_behind), end = _open_end(keys, at + 1)
    least, most = least or more or more_behind, most or fewer or fewer_behind
    bounds = {f"min_{kind}": least or not most, f"max_{kind}": most or not least}
    given = {name: number + shift for name, holds in bounds.items() if holds}
    return {**given, **(shared[0] if shared else {})}, end


def _counted(keys: Sequence[str], position: int, *, cited: bool) -> str:
    """Return what the noun at `position` counts, "citations" or "authors"; "" if neither."""
    noun = keys[position] if position < len(keys) else ""
    return "citations" if cited and noun in ("times", "time", "others", "papers") else _NOUNS.get(noun, "")


def _open_end(keys: Sequence[str], position: int) -> tuple[tuple[bool, bool], int]:
    """Return whether `or more` and `or fewer` are at `position`, and the index after them."""
    end = (
        _OPEN_ENDS.get("".join(keys[position + 1 : position + 2])) if keys[position : position + 1] == ["or"] else None
    )
    return (end, position + 2) if end else ((False, False), position)
