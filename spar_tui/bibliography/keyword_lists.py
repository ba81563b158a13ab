"""Lists of keywords as each format writes them."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from cache.originals import Original
from spar_tui.bibliography.braces import COMMA, SEMICOLON, is_braced, split

LIST_CAP = 20_000
"""Maximum number of characters read of a list of keywords or files."""
_FIELDS = {"bibtex": ("keywords", "keyword"), "ris": ("kw",), "csl-json": ("keyword",)}


def keywords_in_latex(latex: str) -> list[str]:
    """Split a BibTeX list, without decoding it. Braces keep a keyword together; if semicolons separate keywords, commas
    are part of them. The Web of Science puts braces around the whole list."""
    latex = latex[:LIST_CAP]
    latex = latex[1:-1] if is_braced(latex) else latex
    by_comma, by_semicolon = split(latex, COMMA), split(latex, SEMICOLON)
    is_single = len(by_comma) == 1 or any(part.startswith(" ") for part in by_semicolon[1:])
    return by_semicolon if is_single else by_comma


def keywords_in_ris(values: Sequence[str]) -> list[str]:
    """Split RIS values. If each keyword has its own tag, a line without one continues it; else each line has one
    keyword, and a single line may have several, separated by semicolons."""
    if len(values) > 1:
        return [" ".join(text.split("\n")) for text in values]
    lines = [line for text in values for line in text.split("\n")]
    return lines[0].split(";") if len(lines) == 1 else lines


def keywords_of(text: str) -> list[str]:
    """Split a list of CSL or Zotero. If semicolons separate or end the keywords, commas are part of them."""
    if "," in text and "; " not in text and not text.endswith(";"):
        return text.split(",")
    return [re.sub(r"\\([\\;])", r"\1", part) for part in re.findall(r"(?:\\.|[^;\\]|\\$)+", text)]


def listed_keywords(keywords: Sequence[str]) -> str:
    """Join keywords with commas; if one contains a comma or semicolon, end each with a semicolon instead."""
    if not any(sign in keyword for keyword in keywords for sign in ",;"):
        return ", ".join(keywords)
    return " ".join(re.sub(r"[\\;]", r"\\\g<0>", keyword) + (" ;" if "&" in keyword else ";") for keyword in keywords)


def with_keywords_of(first: Original, second: Original) -> Original:
    """Return `first` with its keywords and those that only `second` has; both have the same format."""
    first_keywords, more = (_keywords(original) for original in (first, second))
    folded_keywords = {keyword.casefold() for keyword in first_keywords}
    new = [keyword for keyword in dict.fromkeys(more) if keyword.casefold() not in folded_keywords]
    if not (first_keywords and new):
        return first
    names = _FIELDS[first.format]
    start = next(index for index, (name, _) in enumerate(first.fields) if name.lower() in names)
    other_fields = [field for field in first.fields if field[0].lower() not in names]
    name, keywords = first.fields[start][0], (*first_keywords, *new)
    if first.format == "ris":
        fields = [(name, keyword) for keyword in keywords]
    elif first.format == "csl-json":
        fields = [(name, json.dumps(listed_keywords(keywords), ensure_ascii=False))]
    else:
        fields = [(name, ", ".join(f"{{{word}}}" if re.search("[,;]", word) else word for word in keywords))]
    return replace(first, fields=(*other_fields[:start], *fields, *other_fields[start:]))


def _keywords(original: Original) -> list[str]:
    values = [value for name, value in original.fields if name.lower() in _FIELDS[original.format]]
    if original.format == "ris":
        keywords = keywords_in_ris(values)
    elif original.format == "csl-json":
        lists = (json.loads(value) for value in values)
        keywords = [word for text in lists for word in (text if isinstance(text, list) else keywords_of(str(text)))]
    else:
        keywords = [word.strip("{}") if is_braced(word.strip()) else word
                    for value in values for word in keywords_in_latex(value)]  # fmt: skip
    return [stripped for word in keywords if (stripped := str(word).strip())]
