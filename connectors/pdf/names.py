"""Parse author lists in references: find their end and the first author.

There are three formats, because a full stop after an initial has a different meaning in each: `Given Family, G. Family`
· `Family, G., Family, G.` · `Family G, Family G`.
"""

import re
from typing import Literal

Form = Literal["given first", "family, initials", "family initials"]

_PARTICLES = frozenset(
    "af al ap bin da das de del della den der des di do dos du el ibn la las le los san st ten ter van von vom y zu"
    " zum zur 't d' vander vanden".split()
)
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "2nd", "3rd", "4th"})
_SMALL_WORDS = frozenset("for of the on in to at and und et de der für des del".split())
_BODIES = frozenset(
    "ai agency association authors bank board center centre collaboration college commission committee community"
    " company consortium contributors corporation council department foundation group inc initiative institute"
    " investigators laboratory ltd ministry network office organisation organization program project research society"
    " survey team union university".split()
)
"""Last words of organizations that are authors."""
_OTHERS = re.compile(
    r"(?:and\s+|&\s*)?(?:et\.?\s*al\.?|(?:\d{1,3}\s+)?(?:more\s+)?others|co-?workers|\.\.\.|…)", re.IGNORECASE
)
_FOLLOWED = re.compile(rf"(?<![\s,])[\s,]+{_OTHERS.pattern}$", re.IGNORECASE)
_LED_BY_OTHERS = re.compile(rf"\s*{_OTHERS.pattern}\s*([:.,]?)\s*", re.IGNORECASE)
_LAST_INITIALS = re.compile(rf"\s*(?:[^\W\d_a-z]\.(?:\s*-\s*|\s*))+(?:(?i:{_OTHERS.pattern}))?\s*:?\s*")
_LED_BY_INITIALS = re.compile(
    r"\s*(?:[^\W\d_a-z]\.(?:\s*-\s*|\s*))+(?=[^\W\d_a-z][\w’'-]+\b(?!\.?\s*,\s*(?:[^\W\d_a-z]\.\s*)+(?:,|and|&)))"
)
_AND = re.compile(r"(?<!\s)\s+(?:and|&|und|et(?!\.?\s*al)|y|e)\s+|(?:(?<!\s)\s+)?&\s*")
_EDITORS = re.compile(r"(?:(?<![,\s])[,\s]+)?[(\[]?\b(?:eds?|editors?|hrsg)\b\.?[)\]]?\.?$", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.?[\s\-‐]?){1,5}")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.(?:\s*[-‐]\s*|\s*))+(?=\s|[^\W\d_]|$)")
_BARE_INITIALS = re.compile(r"[^\W\d_a-z]{1,4}(?:-[^\W\d_a-z])?")
_MIDDLE_INITIAL = re.compile(
    r"[^\W\d_][\w'’-]{1,30} (?:[^\W\d_a-z]\. ?)+(?:[a-z]+ )*[^\W\d_a-z][\w'’-]+(?=[,.;:]| and | & | et al)"
)
"""`David M. Blei,`, which begins like `Blei D. Latent …`."""
_MOST_WORDS = 6
_MOST_LETTERS = 80


def is_initials(text: str) -> bool:
    """Whether `text` is initials: `J.`, `J.-P.`, `J. A.`, `JA`."""
    return bool(text) and len(text) <= 16 and _INITIALS.fullmatch(text.strip()) is not None


def is_bare_initials(word: str) -> bool:
    """Whether `word` is initials without stops, as medical journals print them after the family name: `JA`, `J-P`."""
    return _BARE_INITIALS.fullmatch(word) is not None


def is_family(part: str) -> bool:
    """Whether `part` is one word, optionally after particles: a family name by itself."""
    *before, _ = part.split()
    return all(word in _PARTICLES for word in before)


def is_body(words: list[str]) -> bool:
    """Whether these words end like the name of an organization that is an author."""
    return bool(words) and words[-1].lower() in _BODIES


def is_others(part: str) -> bool:
    """Whether `part` stands for further authors: `et al.`, `and 12 others`."""
    return _OTHERS.fullmatch(part) is not None


def without_others(part: str) -> str:
    """Return `part` without "et al.": `Doe` from `Doe et al.`"""
    return _FOLLOWED.sub("", part)


def is_name(part: str) -> bool:
    """Whether `part` can be one author: one to six capitalized words, initials and particles."""
    words = part.replace("’", "'").split() if len(part) <= _MOST_LETTERS else []
    if not 0 < len(words) <= _MOST_WORDS:
        return False
    if any(_closes(word) for word in words[:-1]):
        return False
    return all(map(_is_name_word, words)) and any(word[:1].isupper() or not word.isascii() for word in words)


def _closes(word: str) -> bool:
    """Whether the full stop after `word` ends something: after a word it does, after an initial it does not."""
    bare = word.rstrip(".")
    return word.endswith(".") and any(map(str.islower, bare)) and bare.lower() not in _SUFFIXES | {"st"}


def _is_name_word(word: str) -> bool:
    bare = word.strip(".,*†‡§¶'")
    letters = re.sub(r"[.\-‐'`·]", "", bare)
    if not letters:
        return not bare  # a footnote mark
    if bare.lower() in _PARTICLES or bare.lower() in _SUFFIXES:
        return True
    return letters.isalpha() and (letters[0].isupper() or letters[0] == letters[0].upper() or bare[:2] in ("d'", "l'"))


def parts_of(authors: str) -> list[str]:
    """Split a list of authors at commas, semicolons and `and`."""
    text = _EDITORS.sub("", authors.strip())
    return [piece.strip() for part in re.split(r"[;,]", _AND.sub(", ", f" {text} ")) if (piece := part).strip()]


def is_list_of_names(text: str) -> bool:
    """Whether all of `text` is authors, including groups (`World Health Organization`)."""
    bare = text.strip().rstrip(".,;: ([")
    if not bare:
        return False
    parts = parts_of(bare)
    return bool(parts) and all(_is_author(part, needs_initials=False) for part in parts)


def is_group(text: str) -> bool:
    """Whether `text` can be an organization as author: few words, hardly any in lower case."""
    words = text.strip().rstrip(".,;:( ").split()
    if not 0 < len(words) <= 12 or ". " in text.strip():
        return False
    small = [word for word in words if word[:1].islower()]
    if words[0].lower().strip(":") in ("in", "proceedings", "proc") or sum(any(map(str.isdigit, w)) for w in words) > 1:
        return False
    return words[0][:1].isupper() and all(word in _SMALL_WORDS for word in small)


def form_of(text: str) -> Form:
    """Return the format of the author list at the beginning of `text`, from its first name."""
    first, _, rest = text.partition(",")
    following = rest.strip().split(" ")[0].rstrip(",;:&")
    words = re.split(r"[,.;:]", text, maxsplit=1)[0].split()
    if _MIDDLE_INITIAL.match(text):
        return "given first"
    if following and is_initials(following) and not any(is_initials(word) for word in first.split()) and is_name(first):
        return "family, initials"
    if 1 < len(words) <= 4 and _BARE_INITIALS.fullmatch(words[-1]) and not _BARE_INITIALS.fullmatch(words[0]):
        return "family initials"
    return "given first"


def end_of_names(text: str) -> tuple[int, str] | None:
    """Return where the author list at the beginning of `text` ends, and the sign that ends it: a colon, a full stop
    or a comma. None if `text` does not begin with names."""
    form = form_of(text)
    if form != "given first" or _DOTTED.match(text) is None:
        return _end(text, form, with_initials=False)[0]
    # A name-like text without initials is the title, unless the list goes on to an "and" before its last name.
    end, several = _end(text, form, with_initials=False)
    return end if several and end and end[1] == "." else _end(text, form, with_initials=True)[0]


def _end(text: str, form: Form, *, with_initials: bool) -> tuple[tuple[int, str] | None, bool]:
    """Return where the list ends, and whether it has at least three names and an "and" before the last."""
    position, count, before_last, family = 0, 0, "", False
    for match in re.finditer(r"[;,]|\s(?:and|&)\s|$", text):
        part = text[position : match.start()]
        if family and (initials := _LED_BY_INITIALS.match(part)):
            return (position + initials.end(), "."), False
        if match[0] and (not part.strip() or _is_author(part.strip(), with_initials and count > 0)):
            position, count = match.end(), count + bool(part.strip())
            if part.strip():
                alone = is_family(part) or (before_last in ("and", "&") and not any(map(is_initials, part.split())))
                family = form == "family, initials" and match[0] == "," and alone
            before_last = match[0].strip()
            continue
        several = count > 1 and before_last in ("and", "&")
        if (end := _inside(part, form, with_initials and count > 0)) is not None:
            return (position + end[0], end[1]), several
        return ((position, ",") if count else None), several
    return None, False


def _is_author(part: str, needs_initials: bool) -> bool:
    if _OTHERS.fullmatch(part):
        return True
    name = _FOLLOWED.sub("", part)
    if not is_name(name):
        return False
    return not needs_initials or any(map(is_initials, name.split())) or name.rstrip(".").lower() in _SUFFIXES


def _inside(part: str, form: Form, needs_initials: bool) -> tuple[int, str] | None:
    """Return where in `part` the last author ends if the title follows in it."""
    if others := _LED_BY_OTHERS.match(part):
        return others.end(), others[1] or "."
    if form == "family, initials" and (initials := _LAST_INITIALS.match(part)):
        return initials.end(), "."
    for sign in re.finditer(r"\.\s+|:", part[:_MOST_LETTERS]):
        name = _FOLLOWED.sub("", part[: sign.start()].strip())
        if not is_name(name):
            return None
        if _is_last(name, form) and (not needs_initials or any(map(is_initials, name.split()))):
            return sign.end(), sign[0].strip()
    return None


def _is_last(name: str, form: Form) -> bool:
    """Whether a full stop or colon after `name` ends the list: after an initial only if family names come first."""
    last = name.split()[-1] if name.split() else ""
    match form:
        case "family, initials":
            return is_initials(name)
        case "family initials":
            return is_name(name) and ". " not in name
        case _:
            return is_name(name) and (not is_initials(last) or last.lower() in _SUFFIXES)


def first_family(text: str) -> str:
    """Return the family name of the first author, or the name of the group."""
    bare = text.strip().rstrip(".,;: (")
    parts = parts_of(bare)
    if not parts:
        return ""
    if not is_list_of_names(bare):
        return bare if is_group(bare) else _OTHERS.split(parts[0])[0].strip()
    words = [word for word in _FOLLOWED.sub("", parts[0]).split() if word.strip(".,*†‡§¶")]
    while len(words) > 1 and (words[-1].strip(".").lower() in _SUFFIXES):
        words.pop()
    if len(words) > 1 and _BARE_INITIALS.fullmatch(words[-1]) and not all(map(_BARE_INITIALS.fullmatch, words)):
        return " ".join(words[:-1])  # Family AB
    if len(parts) > 1 and is_initials(parts[1]) and not any(is_initials(word) for word in words):
        return " ".join(words)  # Family, A. B.
    if is_body(words):
        return " ".join(words)
    start = len(words) - 1
    while start > 1 and words[start - 1].lower() in _PARTICLES:
        start -= 1
    return " ".join(words[max(start, 0) :]).strip("*†‡§¶")
