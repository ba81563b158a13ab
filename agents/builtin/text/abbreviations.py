"""Abbreviations that a text defines itself: "retrieval-augmented generation (RAG)" (Schwartz & Hearst 2003).

Beyond the published rule, a definition must begin with the letter that the short form begins with, at the
beginning of a word, and the order "RAG (retrieval-augmented generation)" is read as well.
"""

import re

_BRACKETED = re.compile(r"\(([^()]{2,200})\)")
_SHORT = re.compile(r"(?=\S*[^\W\d_])[^\W_]\S*(?: \S+)?")
_WORD = re.compile(r"\S+")
MOST_LETTERS = 10


def abbreviations(text: str) -> dict[str, str]:
    """Each short form that `text` defines, with the long form as written there; the first definition counts."""
    found: dict[str, str] = {}
    for bracket in _BRACKETED.finditer(text):
        inside = re.split(r"[;,]| or ", bracket[1])[0].strip()
        before = _sentence_before(text, bracket.start())
        if _is_short(inside) and (long := _long_form(inside, before)):
            found.setdefault(inside, long)
        elif before and _is_short(short := before.split()[-1]) and _long_form(short, inside) == inside:
            found.setdefault(short, inside)
    return found


def _sentence_before(text: str, end: int) -> str:
    """What stands before `end` in the same sentence, enough of it to hold any long form."""
    return re.split(r"[.;:?!]\s|[()\n]", text[max(0, end - 300) : end])[-1].rstrip()


def _is_short(words: str) -> bool:
    """Whether this may be a short form: a word or two of at most ten characters that is not all in lower case."""
    return (
        2 <= len(words) <= MOST_LETTERS
        and _SHORT.fullmatch(words) is not None
        and any(letter.isupper() for letter in words)
    )


def _long_form(short: str, before: str) -> str | None:
    """The shortest end of `before` that spells `short`: its letters in order, the first one opening a word."""
    letters = sum(letter.isalnum() for letter in short)
    words = list(_WORD.finditer(before))[-min(letters + 5, letters * 2) :]
    if not words:
        return None
    place = len(before)
    for index in range(len(short) - 1, -1, -1):
        letter = short[index].lower()
        if not letter.isalnum():
            continue
        place -= 1
        while place >= words[0].start() and not (
            before[place].lower() == letter and (index > 0 or _opens_word(before, place))
        ):
            place -= 1
        if place < words[0].start():
            return None
    long = before[place:].strip(" ,\"'")
    return long if len(long) > len(short) and short.lower() not in long.lower().split() else None


def _opens_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum()
