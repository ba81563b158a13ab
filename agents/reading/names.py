"""Find names from the library in a message: people, venues, tags, titles, words of papers and of notes."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import log
from typing import Any

from agents.builtin.question_parsing.phrases import is_field_word
from agents.reading.cues import FILLERS, NOUNS
from agents.reading.name_lookup import NameLookup, Title
from agents.reading.tokens import EMPHASIS, Token, folded
from cache import citation_keys, papers, shelf
from cache.conditions.filters import Filter, filter_by
from cache.conditions.library import is_venue, matching
from cache.conditions.venue_names import KNOWN
from cache.store import PaperId, Store

MOST_TITLES = 300
"""Maximum number of papers whose titles are compared with a message."""
MOST_NAMES = 50_000
"""Maximum number of records searched for similar names or words."""
NEAR = 78
"""Minimum similarity (of 100) to offer a word in place of an unknown one."""
_ENOUGH = 0.5
"""Minimum share of the words by which a paper is named."""
LONGEST_NAME, LONGEST_VENUE = 5, 9
_WORD = re.compile(r"[^\W_]+")
_KEY_NAME = re.compile(r"[a-z]{3,}(?=\d{4})")
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_JOINING = frozenset({"and", "or"})
"""Words between two people; part of a name only for organizations."""
_SMALL = frozenset("a an the of for in on and to with by from at is are as".split())


class LibraryNames(NameLookup):
    """Lookup of names in the library, with a cache for one message; `effort` is the number of its words read so
    far."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.effort = 0
        self._asked: dict[tuple[str, str], bool] = {}
        self._titled_with: dict[tuple[str, ...], list[PaperId]] = {}
        self._noted_with: dict[tuple[str, ...], list[PaperId]] = {}
        self._names_at: dict[tuple[str, tuple[Token, ...]], tuple[str, int] | None] = {}

    @cached_property
    def tags(self) -> Mapping[str, str]:
        """The tags of the shelf by their normalized spelling: `to-read`, `to read` and `toread` are the same."""
        return {_joined(tag): tag for tag, _ in shelf.tags(self._store)}

    @cached_property
    def _levels(self) -> Mapping[str, str]:
        """The tags of the shelf, and the levels above them, which match papers too."""
        tags = [tag.split("/") for tag in self.tags.values()]
        levels = ("/".join(parts[:depth]) for parts in tags for depth in range(1, len(parts)))
        return {**{_joined(level): level for level in levels}, **self.tags}

    def tag_at(self, tokens: Sequence[Token], start: int) -> tuple[str, int] | None:
        """Return the tag at `start` and the index of the token after it."""
        if start >= len(tokens) or _joined(tokens[start].key)[:2] not in self._tag_beginnings:
            return None
        for end in range(min(start + 4, len(tokens)), start, -1):
            key = _joined(" ".join([token.key for token in tokens[start:end]]))
            tag = next((self._levels[form] for form in (key, *_singulars(key)) if form in self._levels), None)
            if tag and key not in _SMALL and _joined(tokens[end - 1].key):
                return tag, end
        return None

    @cached_property
    def _tag_beginnings(self) -> frozenset[str]:
        return frozenset([key[:size] for key in self._levels for size in (1, 2)])

    def known_tag(self, tag: str) -> str | None:
        """Return the tag as the shelf spells it; None if no paper has it."""
        return self.tags.get(_joined(tag))

    def is_author(self, name: str) -> bool:
        return self._meets("author", name, filter_by(authors=(name,)))

    def is_key(self, name: str) -> bool:
        """Whether `name` is the citation key of a paper."""
        return citation_keys.paper_of(self._store, name) is not None

    def is_subject(self, word: str) -> bool:
        """Whether a title, an abstract or a keyword contains the word."""
        return self._meets("subject", word, filter_by(words=(word,)))

    def is_held(self, word: str) -> bool:
        """Whether a word is part of a title, an abstract, a keyword, a name, a tag or a note."""
        key = folded(word)
        named = key in self._people or key in self._by_given_name or key in self._vocabulary or key in self.tags
        return named or self.is_subject(word) or self.is_venue(word)

    def is_name(self, word: str) -> bool:
        """Whether a word is part of the name of an author, or a tag."""
        key = folded(word)
        return key in self._people or key in self._by_given_name or key in self.tags

    def has_type(self, name: str) -> bool:
        """Whether the library has a publication of this type."""
        return self._meets("type", name, filter_by(types=(name,)))

    def is_wider(self, given: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """Whether more papers meet the conditions `given` than `other`."""
        first, second = (len(matching(self._store, filter_by(**wanted))) for wanted in (given, other))
        return first > second

    def may_be_subject(self, name: str) -> bool:
        """Whether the lower-case name of a venue may be a subject: papers of the library are about it, or it is a word
        of a field and no paper of the library appeared there."""
        return self.is_subject(name) or (is_field_word(folded(name)) and not self.has_papers_at(name))

    def is_venue(self, name: str) -> bool:
        key = ("venue", folded(name))
        if key not in self._asked:
            self._asked[key] = folded(name) in KNOWN or is_venue(self._store, name)
        return self._asked[key]

    def is_exact_venue(self, name: str) -> bool:
        """Whether a venue has exactly this name."""
        return folded(name) in KNOWN or self.has_papers_at(name)

    def has_papers_at(self, name: str) -> bool:
        """Whether the library has papers of a venue with this name, or with another name of the same venue."""
        return folded(name) in self._venues or self._meets("at", name, filter_by(venues=(name,)))

    def _meets(self, kind: str, name: str, wanted: Filter) -> bool:
        key = (kind, name)
        if key not in self._asked:
            self._asked[key] = any(map(str.isalnum, name)) and bool(matching(self._store, wanted))
        return self._asked[key]

    def person_at(self, tokens: Sequence[Token], start: int) -> tuple[str, int] | None:
        """Return the longest name of an author in the library at `start`, and the index of the token after it."""
        return self._named_at(self._person_of, tuple(tokens[start : start + LONGEST_NAME]), start)

    def venue_at(self, tokens: Sequence[Token], start: int) -> tuple[str, int] | None:
        """Return the longest name of a venue at `start`, without its article, and the index of the token after it."""
        first = start + (start < len(tokens) and tokens[start].key == "the")
        return self._named_at(self._venue_of, tuple(tokens[first : first + LONGEST_VENUE]), first)

    def _named_at(
        self, read: Callable[[Sequence[Token]], tuple[str, int] | None], window: tuple[Token, ...], start: int
    ) -> tuple[str, int] | None:
        if not window or (window[0].key in FILLERS and not window[0].is_capital):
            return None
        key = (read.__name__, window)
        if key not in self._names_at:
            self._names_at[key] = read(window)
        name = self._names_at[key]
        return (name[0], start + name[1]) if name else None

    def _person_of(self, tokens: Sequence[Token]) -> tuple[str, int] | None:
        for end in range(len(tokens), 0, -1):
            if all(map(_is_part, tokens[:end])) and tokens[end - 1].key not in _SMALL:
                name = " ".join([token.text for token in tokens[:end]])
                if not _JOINING.isdisjoint([token.key for token in tokens[:end]]):
                    if name in self._full_names:
                        return name, end
                    continue
                if self.is_author(name):
                    return name, end
                if end == 1 and (number := self._in_keys.get(tokens[0].key)) and not self.is_subject(name):
                    return self.authors_of(number)[0], end
                behind = tokens[end].key if end < len(tokens) else ""
                if name[-1:] == "s" and behind in NOUNS and self.is_author(name[:-1]):  # "smiths paper"
                    return name[:-1], end
                texts = [token.text for token in tokens[:end]]
                given = texts[-1][0] if texts[-1].isupper() and len(texts[-1]) <= 2 else texts[-1]
                for turned in ([given, *texts[:-1]], [*texts[1:], texts[0]]):  # "Smith J", "Otani Kenji", "Le Thi Hoa"
                    if end > 1 and self.is_author(" ".join(turned)):
                        return " ".join(turned), end
        return None

    @cached_property
    def _in_keys(self) -> Mapping[str, PaperId]:
        """The papers by the name at the beginning of their citation keys: "tanaka" of tanaka2014plating, whose record
        may spell it in another script."""
        keys = citation_keys.all_keys(self._store)
        return {match[0]: number for key, number in keys.items() if (match := _KEY_NAME.match(key.casefold()))}

    def _venue_of(self, tokens: Sequence[Token]) -> tuple[str, int] | None:
        for end in range(len(tokens), 0, -1):
            name = " ".join([token.text for token in tokens[:end]])
            if tokens[end - 1].key in _SMALL or not tokens[end - 1].key[:1].isalnum():
                continue
            if self.is_venue(name):
                return name, end
            if end > 1 and (shortened := self._shortened_venue([token.key.rstrip(".") for token in tokens[:end]])):
                return shortened, end
        return None

    def _shortened_venue(self, keys: Sequence[str]) -> str | None:
        """Return the one venue whose words begin with these, "fam practice record"; None if there are more or none."""
        if keys[0][:2] not in self._venue_beginnings:
            return None
        begun = [word for key in keys for word in _WORD.findall(key) if word not in _SMALL]
        named = [
            name
            for name, words in self._words_of_venues
            if len(words) == len(begun) and all(map(str.startswith, words, begun))
        ]
        return named[0] if len(named) == 1 and min(map(len, begun)) > 1 else None

    def titles_in(self, tokens: Sequence[Token]) -> list[Title]:
        """Return the papers whose titles occur in the message, longest first: the whole title, the part before its
        colon, or its first four words."""
        keys = [_WORD.findall(token.key) for token in tokens]
        words = [(word, position) for position, parts in enumerate(keys) for word in parts]
        content = dict.fromkeys(word for word, _ in words if word not in _SMALL)
        indexes: dict[str, list[int]] = {}
        for index, (word, _) in enumerate(words):
            indexes.setdefault(word, []).append(index)
        matches: list[Title] = []
        for number, title in self._titled(tuple(content)):
            whole = _words(title)
            short = _words(title.split(":")[0]) if ":" in title else whole
            for index in indexes.get(whole[0] if whole else "", ()):
                length = 0
                while length < len(whole) and index + length < len(words) and words[index + length][0] == whole[length]:
                    length += 1
                if self._is_named(title, short, length):
                    start, last = words[index][1], words[index + length - 1][1]
                    matches.append(Title(number, start, last + 1, length >= len(whole)))
        return sorted(matches, key=lambda title: (title.start - title.end, not title.whole))

    def _is_named(self, title: str, short: Sequence[str], length: int) -> bool:
        if length >= len(short) and length > 1:
            return True
        if length >= len(short) == 1:
            name = title.split(":")[0].split()[0]
            return name[1:] != name[1:].lower() or any(map(str.isdigit, name)) or ":" in title
        return length >= 4

    def _titled(self, words: tuple[str, ...]) -> list[tuple[PaperId, str]]:
        if not words:
            return []
        text = " OR ".join(f'"{word}"' for word in words[:40])
        sql = (
            "SELECT f.rowid, CAST(p.title AS TEXT) FROM papers_fts f JOIN papers p ON p.id = f.rowid"
            " WHERE papers_fts MATCH ? ORDER BY rank LIMIT ?"
        )
        with self._store.reading() as db:
            return [
                (PaperId(number), title) for number, title in db.execute(sql, (f"{{title}} : ({text})", MOST_TITLES))
            ]

    def in_titles(self, words: Sequence[str]) -> list[PaperId]:
        """Return the papers whose titles contain all of the words, with any endings."""
        key = tuple(words)
        if key not in self._titled_with:
            self._titled_with[key] = matching(self._store, filter_by(title_words=key))
        return self._titled_with[key]

    def is_phrase(self, words: Sequence[str]) -> bool:
        """Whether a title contains these words in a row."""
        phrase = folded(" ".join(words))
        return any(phrase in folded(title) for title in self.titles(self.in_titles(words)))

    def with_most(self, words: Sequence[str]) -> PaperId | None:
        """Return the one paper that has at least half of the words, by their rarity; None if several have or none."""
        having = {word: matching(self._store, filter_by(words=(word,))) for word in dict.fromkeys(words)}
        weight = {word: 1 / (1 + log(len(numbers))) for word, numbers in having.items() if numbers}
        least = _ENOUGH * (sum(weight.values()) + len(having) - len(weight))
        shares = Counter({number: 0.0 for word in weight for number in having[word]})
        for word, value in weight.items():
            shares.update(dict.fromkeys(having[word], value))
        named = [number for number, share in shares.items() if share >= least]
        return named[0] if len(named) == 1 else None

    def matching_among(self, wanted: Filter, among: Sequence[PaperId] | None) -> list[PaperId]:
        return matching(self._store, wanted, among)

    def noting(self, words: Sequence[str]) -> list[PaperId]:
        """Return the saved papers whose notes contain all of the words."""
        wanted = tuple(word for word in map(folded, words) if word not in _SMALL)
        if wanted not in self._noted_with:
            having = [number for number, note in self._notes if wanted and _has_all(note, wanted)]
            self._noted_with[wanted] = having
        return self._noted_with[wanted]

    @cached_property
    def _notes(self) -> Sequence[tuple[PaperId, Sequence[str]]]:
        """The words of the person's notes, by paper; of those saved last first."""
        with self._store.reading() as db:
            sql = "SELECT paper, CAST(note AS TEXT) FROM shelf WHERE note != '' ORDER BY saved DESC"
            return [(PaperId(paper), _WORD.findall(folded(note))) for paper, note in db.execute(sql)]

    def note_of(self, number: PaperId) -> str:
        """Return the person's note on a paper; "" if it has none."""
        with self._store.reading() as db:
            row = db.execute("SELECT CAST(note AS TEXT) FROM shelf WHERE paper = ?", (number,)).fetchone()
        return str(row[0] or "") if row else ""

    def read_between(self, since: str | None, until: str | None) -> list[PaperId]:
        """Return the saved papers marked as read in a period, last first."""
        sql = (
            "SELECT paper FROM shelf WHERE read IS NOT NULL AND substr(read, 1, ?) >= ? AND substr(read, 1, ?) <= ?"
            " ORDER BY read DESC"
        )
        bounds = (len(since or ""), since or "", len(until or "") or 10, until or "9999")
        with self._store.reading() as db:
            return [PaperId(paper) for (paper,) in db.execute(sql, bounds)]

    def titles(self, numbers: Sequence[PaperId]) -> list[str]:
        return [paper.title for paper in papers.by_ids(self._store, numbers)]

    def date_of(self, number: PaperId) -> str:
        """Return the date of a paper; "" if unknown."""
        return "".join(paper.date or "" for paper in papers.by_ids(self._store, [number]))

    def authors_of(self, number: PaperId) -> list[str]:
        """Return the names of a paper's authors as a filter expects them, in order."""
        records = papers.by_ids(self._store, [number])
        return [author.name for paper in records for author in paper.authors]

    def tags_of(self, number: PaperId) -> tuple[str, ...]:
        """Return the tags of a paper."""
        return shelf.tags_of(self._store, [number]).get(number, ())

    def called(self, given: str) -> list[str]:
        """Return the full names of authors in the library whose given name is `given`."""
        return self._by_given_name.get(folded(given), [])

    def near_author(self, name: str) -> list[str]:
        """Return family names and given names in the library that are similar to `name`."""
        given = {key: names[0].split()[0] for key, names in self._by_given_name.items()}
        return _nearest(name, {**given, **self._people})

    def near_venue(self, name: str) -> list[str]:
        return _nearest(name, self._venues)

    def near_tag(self, tag: str) -> list[str]:
        return _nearest(tag, self.tags)

    def near_word(self, word: str) -> list[str]:
        """Return phrases that `word` may be an acronym of, then similar words of titles, tags and notes."""
        return [*self._spelled_out(word), *_nearest(word, self._vocabulary)]

    def _spelled_out(self, acronym: str) -> list[str]:
        """Return the phrases of titles that an acronym may stand for: "GAN", "DDPM"."""
        phrases: list[str] = []
        for title in (*self._titles, *self.tags.values()) if len(acronym) > 2 and acronym.isupper() else ():
            words = _WORD.findall(title)
            position = "".join([word[0] for word in words]).upper().find(acronym)
            phrases += [" ".join(words[position : position + len(acronym)])] if position >= 0 else []
        return phrases[:2]

    def near_title(self, name: str) -> list[str]:
        from rapidfuzz import fuzz, process

        titles = [title for _, title in self._titled(tuple(_words(name)))]
        rows = process.extract(name.casefold(), titles, scorer=fuzz.token_set_ratio, processor=str.casefold, limit=3)
        return [title for title, score, _ in rows if score >= NEAR]

    @cached_property
    def _full_names(self) -> Sequence[str]:
        sql = "SELECT DISTINCT value FROM (SELECT authors FROM papers LIMIT ?) p, json_each(p.authors)"
        with self._store.reading() as db:
            return [str(name) for (name,) in db.execute(sql, (MOST_NAMES,)) if str(name).split()]

    @cached_property
    def _people(self) -> Mapping[str, str]:
        families = (name.split()[-1] for name in self._full_names)
        return {folded(part): part for family in families for part in (*family.split("-"), family)}

    @cached_property
    def _by_given_name(self) -> Mapping[str, list[str]]:
        names: dict[str, list[str]] = {}
        for name in self._full_names:
            first, *others = name.split()
            if others and len(first.strip(".")) > 1:
                names.setdefault(folded(first), []).append(name)
        return names

    @cached_property
    def _venues(self) -> Mapping[str, str]:
        with self._store.reading() as db:
            rows = db.execute(
                "SELECT DISTINCT CAST(venue AS TEXT) FROM papers WHERE venue != '' LIMIT ?", (MOST_NAMES,)
            ).fetchall()
        return {folded(name).removeprefix("the "): name for (name,) in rows}

    @cached_property
    def _venue_beginnings(self) -> frozenset[str]:
        return frozenset(words[0][:2] for _, words in self._words_of_venues if words)

    @cached_property
    def _words_of_venues(self) -> Sequence[tuple[str, Sequence[str]]]:
        """The names of venues, each with its words other than function words."""
        return [
            (name, [word for word in _WORD.findall(key) if word not in _SMALL]) for key, name in self._venues.items()
        ]

    @cached_property
    def _titles(self) -> list[str]:
        with self._store.reading() as db:
            return [title for (title,) in db.execute("SELECT CAST(title AS TEXT) FROM papers LIMIT ?", (MOST_NAMES,))]

    @cached_property
    def _vocabulary(self) -> Mapping[str, str]:
        with self._store.reading() as db:
            notes = [note for (note,) in db.execute("SELECT CAST(note AS TEXT) FROM shelf WHERE note != ''")]
        text = "\n".join([*self._titles, *notes, *self._venues.values()])
        words = {word for word in _WORD.findall(text) if len(word) > 3}
        compounds = {_joined(word): word for word in _COMPOUND.findall(text)}
        return (
            compounds
            | {folded(word): word for word in sorted(words, key=str.islower)}
            | {tag: tag for tag in self.tags.values()}
        )


def _nearest(name: str, names: Mapping[str, str]) -> list[str]:
    from rapidfuzz import fuzz, process

    if len(name) < 3:
        return []
    dotted = {key.replace("ı", "i"): name for key, name in names.items()}  # "Ilmaz" is near to "Yılmaz"
    query = folded(name).replace("ı", "i")
    rows = process.extract(query, list(dotted), scorer=fuzz.ratio, limit=3, score_cutoff=NEAR)
    near = [dotted[key] for key, _, _ in rows]
    if len(name) > 3:
        near += [written for key, written in names.items() if folded(name) in key][:3]
    return list(dict.fromkeys(near))[:3]


def _singulars(word: str) -> Iterator[str]:
    """Yield spellings of the singular of `word`."""
    for plural, singular in (("ies", "y"), ("ses", "sis"), ("es", ""), ("s", "")):
        if word.endswith(plural) and len(word) > len(plural) + 2:
            yield word.removesuffix(plural) + singular


def _has_all(there: Sequence[str], words: Iterable[str]) -> bool:
    return all(any(word == other or (len(word) > 4 and other[:5] == word[:5]) for other in there) for word in words)


def _is_part(token: Token) -> bool:
    return not token.quoted and token.key[:1].isalpha()


@lru_cache(maxsize=4_096)
def _words(title: str) -> tuple[str, ...]:
    return tuple(word for word in _WORD.findall(folded(title)) if word not in EMPHASIS)


@lru_cache(maxsize=4_096)
def _joined(text: str) -> str:
    return "".join(_WORD.findall(folded(text)))
