"""Languages by their names in BibLaTeX (`langid` in its manual, and others of babel), and as BCP 47 tags, which CSL,
Zotero and RIS use."""

import re

from connectors.records.medline import language_of
from spar_tui.bibliography.format_tables import lines_of

_LANGIDS = {tag: names.split(",") for tag, _, names in (line.partition(":") for line in lines_of("languages.txt"))}
"""The names of each language by tag; the first name is the one to write."""
_TAGS = {name: tag for tag, names in _LANGIDS.items() for name in names}
_TAG = re.compile(r"([A-Za-z]{2,3})((?:[-_][A-Za-z0-9]{2,8})*)")


def tag_of(language: str) -> str:
    """Return the BCP 47 tag of a language given by English name, BibLaTeX name or code; "" if unknown or several."""
    if tag := _TAGS.get(language.strip().lower()):
        return tag
    match = _TAG.fullmatch(language.strip())
    primary = language_of(match[1]) if match else None
    if not match or not primary or (len(primary) == 3 and primary not in _LANGIDS):
        return ""
    return "-".join((primary, *(part.upper() if len(part) == 2 else part for part in re.split("[-_]", match[2])[1:])))


def langid_of(tag: str) -> str:
    """Return the name of a BCP 47 tag's language in BibLaTeX and babel, ignoring an unknown region; "" for an unknown
    language."""
    names = _LANGIDS.get(tag) or _LANGIDS.get(tag.partition("-")[0])
    return names[0] if names else ""


def most_specific_tag(values: list[str]) -> str:
    """Return the most specific tag for the language of `values`: `german` and `ngerman` give `de-DE`. Values for other
    languages than the first are ignored."""
    tags = [tag for value in values if (tag := tag_of(value))]
    same = [tag for tag in tags if tag.partition("-")[0] == tags[0].partition("-")[0]]
    return max(same, key=len) if same else values[0]


_COUNTRIES = {
    "countryde": "Germany", "countryeu": "European Union", "countryep": "European Union", "countryfr": "France",
    "countryuk": "United Kingdom", "countryus": "United States of America",
}  # fmt: skip


def country_names(text: str) -> str:
    """Return a list of places with the countries that BibLaTeX's keys for the places of patents stand for."""
    return " and ".join(_COUNTRIES.get(key, key) for key in text.split(" and "))
