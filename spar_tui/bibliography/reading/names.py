"""Parse lists of authors in BibTeX's notation."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from connectors.paper import Author
from connectors.records.build import author, is_generation, is_group, without_orcid
from connectors.records.clean import clean_text
from spar_tui.bibliography.braces import COMMA, SEMICOLON, is_braced, split
from spar_tui.bibliography.reading.latex import decode

NAME_CAP = 5_000
"""Maximum number of characters read of a name: accents are long in LaTeX."""
_AND = r"\sand(?=[\s{,])(?!(?<=,\sand)\s*$)"
"""Further blanks before it are stripped from the name; searching them here takes three times as long. A last `And`
behind a comma is a given name."""
_BETWEEN = rf"{SEMICOLON}(?=\s)|(?<=\s)&(?=\s)"
"""Separators that people write instead of "and"."""
_PART = re.compile(r"\s*([a-z]+(?:-[a-z]+)?)\s*=\s*", re.IGNORECASE)
_OTHERS = re.compile(r"\s*(?:others|\{?et(?:\.|[\s~])[\s~]*al\.?\}?)\s*", re.IGNORECASE)
"""Placeholders that are no names; {others} in braces may be a name."""
_ET_AL = re.compile(r"(?<![\s,])[\s,]+et(?:\.|[\s~])[\s~]*al\.?\s*$", re.IGNORECASE)

AND_MORE = re.compile(r"(?<![\s,;])[\s,;]+(?:et\.?\s+al(?:ii|\.)?|(?:and|&)\s+others),?$", re.IGNORECASE)

_COMMAS = f"{COMMA}|，"
_USUAL = re.compile(r"[^,;&]++(?:,[^,;&]*[^,;&\s])?")
"""A name in the usual form, which every reader parses in the same way."""


_HOMONYM = re.compile(r"\d{4}")
"""The number by which DBLP distinguishes people with the same name."""
_NOBODY = re.compile(r"\[?(?:no authors?(?: [a-z ]*)?|anon(?:ymous|\.)?(?=\]))\]?,?", re.IGNORECASE)


def is_nobody(text: str) -> bool:
    """Whether `text` is what databases write for a work without authors, such as `[No author name available]`."""
    return _NOBODY.fullmatch(text) is not None


class NameList(NamedTuple):
    """The persons and groups of a list, and whether there are more."""

    named: list[Author]
    et_al: bool


_OTHERS_INSIDE = re.compile(r"\sand\s++others\s++and\s")
_AND_MORE = re.compile(r"\bet\s{1,9}al\b\.?", re.IGNORECASE)


def _may_go_on(latex: str) -> bool:
    """Whether a list may contain "others" or "et al."; most lists name all authors."""
    folded = latex.lower()
    return "others" in folded or ("et" in folded and "al" in folded)


def misread_names(latex: str) -> list[str]:
    """Return a sentence for each name in a list that BibTeX misreads."""
    may_go_on = _may_go_on(latex)
    if may_go_on and (match := _AND_MORE.search(latex[:NAME_CAP])):
        return [f"BibTeX reads “{match[0]}” as part of a name; write “and others” instead"]
    if may_go_on and _OTHERS_INSIDE.search(latex[:NAME_CAP]):
        return ["BibTeX reads “others” here as a name; put “and others” at the end"]
    return list(filter(None, map(_fault, _names_in(latex))))


@lru_cache(maxsize=8)  # the same list is checked and read
def _names_in(latex: str) -> list[str]:
    return split(f" {latex} ", _AND)


@lru_cache(maxsize=10_000)
def _fault(latex: str) -> str:
    name = latex.strip()
    if _USUAL.fullmatch(name) and "\\," not in name:
        return ""
    if not name:
        return "BibTeX finds an empty name: an “and” has no name on one side"
    if extended(name):
        return ""
    parts = split(name[:NAME_CAP], COMMA)
    name_in_quotes = f"“{clean_text(name, 60)}”"
    if len(split(name, ",")) > len(parts):
        return rf"BibTeX reads the comma of \, in {name_in_quotes} as one between parts; write {{\,}}"
    if not (parts[0].strip() and parts[-1].strip()):
        return f"BibTeX cannot read the name {name_in_quotes}: a comma begins or ends it"
    if len(parts) > 3:
        return f"BibTeX cannot read the name {name_in_quotes}: it has more than two commas; separate names with “and”"
    if len(parts) == 3 and is_generation(parts[2].strip()) and not is_generation(parts[1].strip()):
        right = clean_text(f"{parts[0]}, {parts[2]}, {parts[1]}", 60)
        return f"BibTeX reads {parts[2].strip()} in {name_in_quotes} as the given name; write “{right}”"
    if len(parts) == 3 and " " in parts[1].strip():
        return f"BibTeX reads {name_in_quotes} as one person; separate names with “and”"
    if len(split(name, _BETWEEN)) > 1:
        return f"BibTeX reads {name_in_quotes} as one name; separate names with “and”"
    return ""


def people_of(latex: str) -> NameList:
    """Parse `Family, Given and von Family, Jr, Given and {A Group}`, without "and others" and "et al."."""
    if not latex:
        return NameList([], et_al=False)
    raw_names = _names_in(latex)
    if not _may_go_on(latex):
        return NameList([person for name in raw_names if (person := _author(name.strip()[:NAME_CAP]))], et_al=False)
    names = [name for name in raw_names if not _OTHERS.fullmatch(name)]
    last_names = [_ET_AL.sub("", name) for name in names[-1:]]
    persons = [person for name in (*names[:-1], *last_names) if (person := _author(name.strip()[:NAME_CAP]))]
    return NameList(persons, bool(persons) and (len(names) < len(raw_names) or last_names != names[-1:]))


@lru_cache(maxsize=10_000)  # a person's bibliography often has the same people
def _author(latex: str) -> Author | None:
    if not latex or is_nobody(latex):
        return None
    name, orcid = without_orcid(latex)
    if orcid:
        bare = _author(name)
        return replace(bare, orcid=orcid) if bare else None
    if is_braced(latex):
        return author(decode(latex))
    if len(split(latex, _BETWEEN)) > 1:
        return author(decode(latex))  # several people, which BibTeX takes for one
    parts = [part.strip() for part in split(latex.strip(", "), _COMMAS)]
    if person := extended(latex):
        family, given_name, suffix = map(decode, person)
        return author(family, given_name, suffix=suffix)
    if len(parts) == 1:
        return _given_first(_words(parts[0]))
    if len(parts) == 2 and is_generation(parts[1]) and not parts[1].isupper():  # II can be two initials
        return _given_first(_words(parts[0]), parts[1])
    if len(parts) == 2:
        return author(decode(parts[0]), decode(parts[1]))
    if len(parts) == 3:
        return _in_three_parts(*map(decode, parts))
    return author(decode(latex))  # probably several people, so it stays undivided


def _in_three_parts(family: str, second: str, third: str) -> Author | None:
    """Parse `King, Jr., Martin`, as in BibTeX, or `King, Martin, Jr.`."""
    if is_generation(third) and not is_generation(second):
        return author(family, second, suffix=third)
    if second in ("V", "I"):  # an initial that a program mistook for a generation
        return author(family, f"{third} {second}")
    if " " in second:
        return author(f"{family}, {second}, {third}")
    return author(family, third, suffix=second)


def extended(name: str) -> tuple[str, str, str] | None:
    """Return the family name with its prefix, the given name and the suffix of BibLaTeX's `family=Waals,
    given=Johannes, prefix=van der`, as LaTeX; None for a name in another notation."""
    parts = split(name, _COMMAS) if "=" in name else []
    values = {match[1].lower(): part[match.end() :].strip() for part in parts if (match := _PART.match(part))}
    if len(values) < len(parts) or not {"family", "given"} & values.keys():
        return None
    texts = {part: text[1:-1] if text[:1] == text[-1:] == '"' else text for part, text in values.items()}
    if is_braced(given_name := texts.get("given", "")):
        texts["given"] = given_name[1:-1]
    family = " ".join(filter(None, (texts.get("prefix"), texts.get("family"))))
    return family, " ".join(filter(None, map(texts.get, ("given", "middle")))), texts.get("suffix", "")


def _given_first(words: list[str], generation: str = "") -> Author | None:
    """Parse `Johannes van der Waals`: the family name starts at the first lowercase word, or is the last word. The
    name of a group stays whole."""
    if len(words) > 1 and _HOMONYM.fullmatch(words[-1]):
        words.pop()
    if len(words) > 2 and is_generation(words[-1]):
        generation = words.pop()
    if is_group(words):
        return author(decode(" ".join(words)))
    start = next((index for index, word in enumerate(words[:-1]) if index and _is_lower(word)), len(words) - 1)
    return author(decode(" ".join(words[start:])), decode(" ".join(words[:start])), suffix=generation)


def _is_lower(word: str) -> bool:
    letters = [letter for letter in (word if word.startswith("{") else decode(word)) if letter.isalpha()]
    return bool(letters) and not word.startswith("{") and letters[0].islower()


def _words(latex: str) -> list[str]:
    return [word for word in split(latex, r"[\s~]+") if word]
