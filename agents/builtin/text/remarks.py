"""Clean and check what a model says in its own words, before it is shown."""

import re
from collections.abc import Collection, Iterable, Mapping

from agents.builtin.text.languages import language, script
from agents.builtin.text.words import placed_words
from connectors.records.clean import clean_text
from connectors.records.visible import shortened

_REFERENCE = re.compile(
    r"(?P<link>\b(?:https?:\s?//|www\.\s?|doi:\s*10\.|10\.\d{4,9}/|arxiv:)\S*)"
    r"|\\cite\w*\{[^{}]*\}|(?<!\w)\[?@[\w:./-]+\]?|\[\s*+\d{1,3}(?>(?:\s*+[,;–-]\s*+\d{1,3})*)\s*+\]"
    r"|\b(?P<name>[^\W\d_]++)(?:\s++et\s++al\b|,?\s?\(?(?P<year>(?:19|20)\d\d)[a-z]?[);])",
    re.IGNORECASE,
)
"""Forms of references: a link, a key, numbers in brackets, a name with “et al” or a year."""
_ID = re.compile(r"\b[chln]\d{1,3}(?:_[0-9a-f]{4})?\b")
QUOTED = re.compile('[“”„"«»]([^“”„"«»]+)[“”"«»]')


def remark(text: str, cap: int = 300, ids: Collection[str] = ()) -> str:
    """Clean a sentence by the model, without `ids` of the prompt and without markup. Return "" if it has a
    reference."""
    sentence = without_ids(clean_text(text, cap), ids)
    return "" if foreign_reference(sentence, ids) else sentence


def without_ids(text: str, ids: Collection[str]) -> str:
    """Return `text` without brackets that contain only `ids`, by which a prompt names papers."""
    any_id = rf"(?:{'|'.join(map(re.escape, ids))})"
    marks = rf"(?:(?<!\s)\s+)?[\[(]\s*{any_id}(?:\s*(?:,|;|and|–|-)\s*{any_id})*\s*[\])]"
    return re.sub(marks, "", text).strip() if ids else text


def foreign_reference(text: str, ids: Collection[str] = (), records: Collection[str] = ()) -> str:
    """Return the first link, paper id or reference in `text` that is not in `records`, the known texts of each cited
    paper; "" if there is none. A capitalized name and a year may be apart in a record; a link is always foreign."""
    for name in ids:
        if re.search(rf"\b{re.escape(name)}\b", text):
            return name
    for mark in _REFERENCE.finditer(text):
        name, parts = (
            mark["name"] or "",
            {word.letters for word in placed_words(f"{mark['name']} {mark['year'] or ''}")},
        )
        is_known = any(
            parts <= {word.letters for word in placed_words(record)} if name else mark[0] in record
            for record in records
        )
        if mark["link"] or not (is_known or name[:1].islower()):
            return mark[0]
    return ""


def in_english(text: str) -> bool:
    """Whether `text` is in English, as far as its script and language are known."""
    return script(text) in (None, "LATIN") and language(text) in (None, "English")


def checked_remark(text: str, cap: int, titles: Mapping[str, str], texts: Iterable[str]) -> str:
    """Return a remark in English that names only existing papers; "" if it does not.

    Its quotes must be in `texts`. Ids of `titles` are replaced by the titles; unknown ids, and references by author,
    make it unusable.
    """
    texts = list(texts)
    sentence = without_ids(clean_text(text, cap), titles.keys())
    if not any(map(str.isalnum, sentence)) or not in_english(sentence) or foreign_reference(sentence, (), texts):
        return ""
    plain_texts = [f" {_plain(record)} " for record in texts]
    quotes = [f" {_plain(quote)} " for quote in QUOTED.findall(sentence)]
    ids = {name for name in _ID.findall(sentence) if name not in titles}
    if any(not any(words in record for record in plain_texts) for words in (*quotes, *(f" {name} " for name in ids))):
        return ""
    return _ID.sub(lambda name: f"“{shortened(titles[name[0]])}”" if name[0] in titles else name[0], sentence)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
