"""Search conditions on the title, abstract and keywords of papers, as SQL. The words of a phrase match near each other,
in any order and with any ending."""

import re
from collections.abc import Sequence
from functools import lru_cache

from cache.conditions.names import words_of_name
from cache.conditions.values import Clause
from connectors.records.letters import plain_letters

NEAR = 8
"""Maximum number of other words between those of a phrase: "rewriting of the user's query" is about query rewriting."""
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?:(?<=[^s])s|es|ed|ing|e|y|ies|al|ally)$")
_GREEK = re.compile(r"(naly|othe|nthe|agno|ogno)(sis|ses)$", re.IGNORECASE)
"""Matches analysis, hypothesis, synthesis, diagnosis, prognosis. "bases" and "oases" are plurals of other words too."""
_SINGULARS = dict(
    pair.split("=")
    for pair in "children=child men=man women=woman mice=mouse lice=louse geese=goose feet=foot teeth=tooth oxen=ox"
    " wolves=wolf leaves=leaf halves=half lives=life wives=wife larvae=larva algae=alga antennae=antenna fungi=fungus"
    " nuclei=nucleus stimuli=stimulus loci=locus bacteria=bacterium strata=stratum spectra=spectrum taxa=taxon"
    " criteria=criterion phenomena=phenomenon matrices=matrix vertices=vertex indices=index appendices=appendix".split()
)
"""Singulars of irregular plurals."""
_OTHER_NUMBER = {
    "sis": "ses",
    "ses": "sis",
    **_SINGULARS,
    **{singular: plural for plural, singular in _SINGULARS.items()},
}


def in_column(columns: str, phrase: str) -> Clause:
    """Match the words of `phrase` near each other in the given columns of the full-text index."""
    if not words_in(phrase):
        return Clause("0")
    match = "p.id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH {})"
    return Clause(match, [f"{{{columns}}} : {_near(phrase)}"])


def about(phrase: str) -> Clause:
    """Match the words of `phrase` near each other in the title or the abstract, or all in one keyword or in one of the
    person's tags."""
    if not words_in(phrase):
        return Clause("0")
    content, word = in_column("title abstract", phrase), max(words_of_name(phrase), key=len, default="")
    begins = word[:1] if word in _OTHER_NUMBER else _stem(word)
    # LIKE only preselects. SQL cannot remove accents, so records with non-ASCII keywords always pass.
    keyed = "(keywords LIKE {} OR keywords GLOB '*[^ -~]*') AND has_keyword(keywords, {})"
    tagged = "SELECT paper FROM tags WHERE has_keyword(tag, {})"
    sql = f"({content.sql} OR p.id IN (SELECT paper FROM paper_facts WHERE {keyed} UNION {tagged}))"
    return Clause(sql, [*content.values, f"%{begins}%", phrase, phrase])


def has_keyword(keywords: str, phrase: str) -> bool:
    """Whether one of `keywords` (separated by `; `) has all words of `phrase`, with any endings."""
    return any(map(_stems(phrase).issubset, map(_stems, keywords.split("; "))))


@lru_cache(maxsize=20_000)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(_stem, words_of_name(text)))


def words_in(text: str) -> list[str]:
    """Return the words of a phrase to search for: at most 12, from its first 300 characters."""
    return _WORD.findall(text[:300])[:12]


def quoted(text: str) -> str:
    """Quote `text` as one phrase of a full-text query, so that nothing in it is query syntax; its letters are replaced
    as those of the index."""
    return '"' + plain_letters(text).replace('"', '""').replace("\0", " ") + '"'


def _stem(word: str) -> str:
    """Return the singular of a word without the most common endings."""
    word = _SINGULARS.get(word, word)
    stem = _ENDING.sub("", word)
    return stem if len(stem) > 2 else word.removesuffix("s")


def _near(phrase: str) -> str:
    """Return a full-text query for the words of `phrase` near each other, in any order, singular and plural."""
    forms = [[quoted(word) for word in words] for words in _in_either_number(words_in(phrase))]
    near = [words[0] if len(words) == 1 else f"NEAR({' '.join(words)}, {NEAR})" for words in forms]
    return near[0] if len(near) == 1 else f"({' OR '.join(near)})"


def _in_either_number(words: Sequence[str]) -> list[list[str]]:
    """Return the words, and a second list with the other number of Greek and irregular words ("analyses" for
    "analysis", "child" for "children") if there are any. The stemmer does not join those."""
    others = [
        _OTHER_NUMBER.get(word.lower()) or _GREEK.sub(lambda match: match[1] + _OTHER_NUMBER[match[2].lower()], word)
        for word in words
    ]
    return [list(words)] if others == list(words) else [list(words), others]
