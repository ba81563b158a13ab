"""What papers are about, in SQL: phrases near each other in any order, whatever the endings of their words."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from cache.conditions.names import words_of_name

NEAR = 8
"""Words that may stand between those of a phrase: "rewriting of the user's query" is about query rewriting."""
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?:(?<=[^s])s|es|ed|ing|e|y|ies|al|ally)$")
_GREEK = re.compile(r"(naly|othe|nthe|agno|ogno)(sis|ses)$", re.IGNORECASE)
"""Analysis, hypothesis, synthesis, diagnosis, prognosis; "bases" and "oases" are other words as well."""
_OTHER_NUMBER = {"sis": "ses", "ses": "sis"}


class Clause(NamedTuple):
    """A condition on the papers `p` and their shelf entries `s`, with `{}` for each of the values."""

    sql: str
    values: Sequence[str | int] = ()


def in_column(columns: str, phrase: str) -> Clause:
    """The words of `phrase` near each other in a column of the full-text index."""
    if not words_in(phrase):
        return Clause("0")
    found = "p.id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH {})"
    return Clause(found, [f"{{{columns}}} : {_near(phrase)}"])


def about(phrase: str) -> Clause:
    """The words of `phrase` near each other in the title or the content, or all in one keyword."""
    if not words_in(phrase):
        return Clause("0")
    content, longest = in_column("title abstract", phrase), _stem(max(words_of_name(phrase), key=len, default=""))
    # Accents are taken away in Python alone.
    keyed = "(keywords LIKE {} OR keywords GLOB '*[^ -~]*') AND has_keyword(keywords, {})"
    sql = f"({content.sql} OR p.id IN (SELECT paper FROM paper_facts WHERE {keyed}))"
    return Clause(sql, [*content.values, f"%{longest}%", phrase])


def has_keyword(keywords: str, phrase: str) -> bool:
    """Whether one of `keywords`, which `; ` stands between, has all words of `phrase`, whatever their endings."""
    asked = set(map(_stem, words_of_name(phrase)))
    return any(asked <= set(map(_stem, words_of_name(keyword))) for keyword in keywords.split("; "))


def words_in(text: str) -> list[str]:
    """The words of a phrase that are looked for."""
    return _WORD.findall(text[:300])[:12]


def quoted(text: str) -> str:
    """`text` for the full-text index: its words one behind the other, and nothing of it syntax."""
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'


def _stem(word: str) -> str:
    """The word without the commonest endings."""
    stem = _ENDING.sub("", word)
    return stem if len(stem) > 2 else word


def _near(phrase: str) -> str:
    """The words of `phrase`, near each other in any order, in either number."""
    forms = [[quoted(word) for word in words] for words in _in_either_number(words_in(phrase))]
    near = [words[0] if len(words) == 1 else f"NEAR({' '.join(words)}, {NEAR})" for words in forms]
    return near[0] if len(near) == 1 else f"({' OR '.join(near)})"


def _in_either_number(words: Sequence[str]) -> list[list[str]]:
    """Words, and the same with those of Greek in the other number, which their stems do not join: "analyses" and
    "analysis"."""
    others = [_GREEK.sub(lambda match: match[1] + _OTHER_NUMBER[match[2].lower()], word) for word in words]
    return [list(words)] if others == list(words) else [list(words), others]
