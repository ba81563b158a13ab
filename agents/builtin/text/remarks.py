"""What a model says in its own words, made fit to be shown as its own."""

import re
from collections.abc import Collection, Iterable, Mapping

from agents.builtin.text.languages import language, script
from connectors.records.clean import clean_text

_LINK = re.compile(r"\(?\b(?:https?:\s?//|www\.\s?|doi:\s*10\.|10\.\d{4,9}/|arxiv:)\S*", re.IGNORECASE)
_MARK = re.compile(
    r"\\cite\w*\{[^{}]*\}|(?<!\w)\[?@[\w:./-]+\]?|(?:(?<!\s)\s+)?\[\s*+\d{1,3}(?:\s*+[,;–-]\s*+\d{1,3})*+\s*+\]"
    r"|(?:(?<!\s)\s+)?\([^()\d]*[^\W\d][^()\d]*,\s*(?:19|20)\d\d[a-z]?\)"
)
"""Ways of writing a reference that are hardly anything else: a key, a bare number in brackets, a name with a year."""
_BRACKETED = re.compile(r"(?:(?<!\s)\s+)?\[[^\[\]]{0,80}\]")
LONGEST_TITLE = 70
_ID = re.compile(r"\b[chln]\d{1,3}(?:_[0-9a-f]{4})?\b")
QUOTED = re.compile('[“”„"«»]([^“”„"«»]+)[“”"«»]')
_AUTHORS = re.compile(r"\bet al\b", re.IGNORECASE)


def remark(text: str, cap: int = 300, ids: Collection[str] = ()) -> str:
    """Clean a sentence of the model about its own work, to be shown as the model's: without the `ids` it was given, and
    without markup."""
    return without_marks(_BRACKETED.sub("", clean_text(text, cap)), ids)


def without_marks(text: str, ids: Collection[str] = (), texts: Collection[str] = ()) -> str:
    """`text` without links, reference marks, and those `ids` of papers that the model was given to name them by. What
    one of `texts` has too is no mark, such as an interval in brackets."""

    def kept(mark: re.Match[str]) -> str:
        return mark[0] if any(mark[0].strip() in text for text in texts) else ""

    bare = _MARK.sub(kept, _LINK.sub("", text))
    if ids:
        one = rf"(?:{'|'.join(map(re.escape, ids))})"
        bare = re.sub(rf"(?:(?<!\s)\s+)?[\[(]\s*{one}(?:\s*(?:,|;|and|–|-)\s*{one})*\s*[\])]|\b{one}\b", "", bare)
    return re.sub(r"(?<!\s)\s+([.,;:!?])", r"\1", " ".join(bare.split())).strip()


def in_english(text: str) -> bool:
    """Whether nothing says that `text` is in another language than the program's own."""
    return script(text) in (None, "LATIN") and language(text) in (None, "English")


def checked_remark(text: str, cap: int, titles: Mapping[str, str], texts: Iterable[str]) -> str:
    """A remark, in English, that names nothing which does not exist; "" if it is none.

    What it quotes must stand in `texts`. A paper that it calls by an id of `titles` is called by its title; one that it
    calls by an id of nobody, or by authors, is no paper that can be looked up.
    """
    cleaned = remark(text, cap)
    if not any(map(str.isalnum, cleaned)) or not in_english(cleaned) or _AUTHORS.search(cleaned):
        return ""
    plain_texts = [f" {_plain(one)} " for one in texts]
    quoted = [f" {_plain(quote)} " for quote in QUOTED.findall(cleaned)]
    ids = {name for name in _ID.findall(cleaned) if name not in titles}
    if any(not any(words in one for one in plain_texts) for words in (*quoted, *(f" {name} " for name in ids))):
        return ""
    return _ID.sub(lambda name: f"“{shortened(titles[name[0]])}”" if name[0] in titles else name[0], cleaned)


def shortened(title: str) -> str:
    return title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1].rstrip() + "…"


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
