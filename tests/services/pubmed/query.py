"""PubMed's query language: words, "phrases", trunc*, field tags, date ranges, AND OR NOT."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tests.services.corpus.boolean import OPERATORS, Expression
from tests.services.corpus.search import STOP_WORDS, date_of, holds_phrase, stem, terms, text_of, words
from tests.services.corpus.works import Work

_TOKEN = re.compile(
    r"\s+|(?P<range>\(?\s*\"?[\d/]+\"?\s*\[[^\]]*\]\s*:\s*\"?[\d/]+\"?\s*\[[^\]]*\]\s*\)?)"
    r"|(?P<paren>[()])|(?P<term>(\"[^\"]*\"|[^\s()\[\]\"]+)(\s*\[[^\]]*\])?)|(?P<bad>.)"
)
_RANGE = re.compile(r'"?([\d/]+)"?\s*\[([^\]]*)\]\s*:\s*"?([\d/]+)"?')
_FIELDS = {
    "title": "ti", "ti": "ti", "tiab": "tiab", "title/abstract": "tiab", "author": "au", "au": "au", "pdat": "pdat",
    "dp": "pdat", "date - publication": "pdat", "uid": "pmid", "pmid": "pmid", "doi": "doi", "lid": "doi",
    "aid": "doi",
    "all fields": "all", "all": "all", "mesh": "all", "mesh terms": "all", "ta": "ta", "journal": "ta",
    "text word": "all",
}  # fmt: skip

_WORDY = {"all", "ti", "tiab"}


def day(text: str, last: bool = False) -> str:
    """`2020`, `2020/1` or `2020/01/05` as `2020-01-05`; open parts are the first or the last there are."""
    parts = [*text.split("/"), "", ""][:3]
    end = ("12", "31") if last else ("01", "01")
    return f"{parts[0]}-{(parts[1] or end[0]).zfill(2)}-{(parts[2] or end[1]).zfill(2)}"


class Query:
    """One parsed query. `found` are numbers of works; the rest is what esearch reports about the query."""

    def __init__(self, term: str, works: Iterable[Work]) -> None:
        self._works = {work.number: work for work in works}
        self.translation: list[str] = []
        self.not_found: list[str] = []
        self.ignored: list[str] = []
        self.quoted_not_found: list[str] = []
        self.ranking: list[str] = []
        tokens = list(self._tokens(term))
        self.found = Expression(tokens, self._matching, set(self._works)).value() if tokens else set()

    def _tokens(self, term: str) -> Iterable[str]:
        for match in _TOKEN.finditer(term):
            if match["range"]:
                yield "range:" + match["range"]
            elif match["paren"]:
                yield match["paren"]
            elif token := match["term"]:
                if token.lower() in STOP_WORDS and token not in OPERATORS:
                    self.ignored.append(token)
                elif token in OPERATORS or words(token):
                    yield token

    def _matching(self, token: str) -> set[int] | None:
        """The works that hold a term; None for words that no work holds: PubMed drops them and says so."""
        if token.startswith("range:"):
            return self._dated(token)
        text, _, tag = token.partition("[")
        name = _FIELDS.get(tag.rstrip("] ").lower(), "all")
        text = text.strip()
        found = {number for number, work in self._works.items() if _holds(work, name, text)}
        if not found and name in _WORDY:
            return self._not_found(text, tag)
        self.translation.append(f"{text}[{tag.rstrip(']') or 'All Fields'}]")
        self.ranking += terms(text)
        return found

    def _not_found(self, text: str, tag: str) -> set[int] | None:
        """A phrase falls apart into its words; a word is left out."""
        if not text.startswith('"'):
            self.not_found.append(text)
            return None
        self.quoted_not_found.append(text)
        parts = [self._matching(f"{word}[{tag}" if tag else word) for word in words(text) if word not in STOP_WORDS]
        found = [part for part in parts if part is not None]
        return set.intersection(*found) if found else None

    def _dated(self, token: str) -> set[int]:
        match = _RANGE.search(token)
        assert match is not None
        since, until = day(match[1]), day(match[3], last=True)
        if match[2].strip().lower() == "edat":
            self.translation.append(f"{match[1]}:{match[3]}[Date - Entry]")
            return {
                number
                for number, work in self._works.items()
                if since <= (work.indexed or date_of(work) or "0") <= until
            }
        self.translation.append(f"{match[1]}:{match[3]}[Date - Publication]")
        return self.published(since, until)

    def published(self, since: str, until: str) -> set[int]:
        return {number for number, work in self._works.items() if since <= (date_of(work) or "0") <= until}


def _holds(work: Work, name: str, text: str) -> bool:
    plain = text.strip('"')
    if name == "pmid":
        return work.pmid == plain
    if name == "doi":
        return (work.doi or "").lower() == plain.lower()
    if name == "pdat":
        return (date_of(work) or "").startswith(plain.replace("/", "-"))
    people = " ".join(f"{author.family} {author.initials}" for author in work.authors)
    where = {"ti": work.title, "au": people, "ta": work.venue, "tiab": text_of(work)}.get(
        name, f"{text_of(work)} {people}"
    )
    if plain.endswith("*"):
        return any(word.startswith(plain[:-1].lower()) for word in words(where))
    if not text.startswith('"') and len(words(plain)) == 1:
        return stem(words(plain)[0]) in {stem(word) for word in words(where)}
    return holds_phrase(where, plain)
