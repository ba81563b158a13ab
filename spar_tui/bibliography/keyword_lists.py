"""Keyword lists in one string, as in CSL and Zotero."""

import re
from collections.abc import Sequence


def keywords_of(text: str) -> list[str]:
    """Split a list of keywords; commas belong to keywords if semicolons separate or end them."""
    if "," in text and "; " not in text and not text.endswith(";"):
        return text.split(",")
    return [re.sub(r"\\([\\;])", r"\1", part) for part in re.findall(r"(?:\\.|[^;\\]|\\$)+", text)]


def listed_keywords(keywords: Sequence[str]) -> str:
    """Join keywords with commas; if one has a comma or semicolon, end each with a semicolon, apart from entities."""
    if not any(sign in keyword for keyword in keywords for sign in ",;"):
        return ", ".join(keywords)
    return " ".join(re.sub(r"[\\;]", r"\\\g<0>", keyword) + (" ;" if "&" in keyword else ";") for keyword in keywords)
