"""Authors, venues and tags in a message, by their names."""

import re
from collections.abc import Callable, Collection, Sequence

from agents.builtin.ranking.word_vectors import is_common
from agents.builtin.text.terms import terms
from agents.reading.cues import FILLERS, JOINING, NOUNS
from agents.reading.numbers import by_first, phrases
from agents.reading.parts.words import Chunk, MessageWords, Say, adding, adding_each, either_of, near_words
from agents.reading.reading import PaperSelection, Unknown
from agents.reading.tokens import folded, written
from cache.conditions.filters import filter_by
from cache.store import PaperId

Item = tuple[str | Unknown, int]
"""A name, `Unknown` if the library does not have it, and the index of the token after it."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def listed_at(
    message: MessageWords, position: int, item: Callable[[int, bool], Item | None], passed: Collection[str]
) -> tuple[list[str], list[Unknown], int, bool]:
    """Return the names in a list, "A, B or C": known ones, unknown ones, the index after it, and whether any will do.

    `item` reads a name at an index, and knows whether it is the first; words in `passed` may precede a name.
    """
    names: list[str] = []
    unknown: list[Unknown] = []
    end, either, is_or = position, False, False
    while (at := message.behind(position, passed)) < message.end and (read := item(at, not (names or unknown))):
        name, end = read
        if isinstance(name, Unknown):
            unknown.append(name)
        else:
            names.append(name)
        either = either or is_or
        if end >= message.end or message.keys[end] not in JOINING:
            break
        again = message.stands(("by",), end + 1)  # "by Lee and by Wu" means either
        is_or, position = again or message.keys[end] in ("or", "nor"), end + 1
    return names, unknown, end, either


_BEHIND_NAMES = by_first(
    phrases(
        "et al .|et al|and colleagues|and others|'s group|'s lab|'s team|'s|as an author|as author|as a co-author|as"
        " one of the authors|among the authors|among its authors|is an author|is one of the authors|are the"
        " authors|wrote together|co-wrote|co-authored|authored|wrote|publish|published|write|have written together"
        "|have written|has"
        " written|published together|as co-author|as first author|together"
    )
)
"""Phrases that follow an author's name and add no meaning."""


def authors_at(message: MessageWords, position: int, *, firm: bool) -> Chunk | None:
    """`Lee and Smith`, `either Lee or Smith`; after a `firm` cue, also an author whom the library does not have."""

    def author(at: int, first: bool) -> Item | None:
        if message.tokens[at].quoted and (firm or message.names.is_author(message.tokens[at].text)):
            return message.tokens[at].text, _behind_et_al(message, at + 1)
        if person := message.names.person_at(message.part, at):
            return person[0], _behind_et_al(message, person[1])
        if _is_given_name(message, at):
            return message.tokens[at].text, _behind_et_al(message, at + 1)
        strange = _strange(message, at) if firm and first else None
        if strange is None:
            return None
        text = written(message.tokens[at:strange])
        is_name = all(token.is_capital for token in message.tokens[at:strange])
        near = tuple(message.names.near_author(text.split()[-1]))
        if not (near or is_name) and strange == at + 1:
            near = near_words(message, message.tokens[at])  # "sort by citatons"
        is_name = is_name and not near
        return text if is_name else Unknown("author", text, near), _behind_et_al(message, strange)

    passed = "the prof dr professor author authors group lab laboratory team of by either both".split()
    authors, unknown, end, either = listed_at(message, position, author, passed)
    if not authors and not unknown:
        return None
    if len(authors) == 1:
        return Chunk(end, _by_name(message, authors[0], unknown))
    return Chunk(end, adding_each("any_authors" if either else "authors", authors, unknown))


def cited_at(message: MessageWords, position: int) -> tuple[Sequence[PaperId], int] | None:
    """Return the papers that a name with a year may mean, "Lee et al. (2020)", and the index after it."""
    named = message.names.person_at(message.part, position) and authors_at(message, position, firm=False)
    if not named or named.alone.unknown:
        return None
    year = message.behind(named.end, ("(", ","))
    if year >= message.end or not _YEAR.fullmatch(message.keys[year]):
        return None
    wanted = filter_by(**named.alone.given, years=(message.keys[year],))
    return message.names.matching_among(wanted, None), message.behind(year + 1, (")",))


def _by_name(message: MessageWords, name: str, unknown: Sequence[Unknown] = ()) -> Say:
    """Select by the authors of a family name or, if nobody has it, of a given name: "xiaoming" of Xiaoming Li. If it is
    both, the others are offered."""
    namesakes = message.names.called(name)
    given = {"any_authors": namesakes} if len(namesakes) > 1 else {"authors": namesakes}
    if not message.names.is_author(name):
        meant = given if namesakes else {"authors": [name]}
        return adding_each(*next(iter(meant.items())), unknown)
    by_family = {"authors": [name]}
    return either_of(by_family, given, f"“{name}” as a family name") if namesakes else adding("authors", name)


def _is_given_name(message: MessageWords, position: int) -> bool:
    """Whether a capitalized word is the given name of an author and has no other meaning here."""
    token = message.tokens[position]
    return token.is_capital and token.key not in message.own and bool(message.names.called(token.text))


def _behind_et_al(message: MessageWords, position: int) -> int:
    """Return the index after `et al.` or a similar phrase; `position` if there is none."""
    words = message.phrase_at(_BEHIND_NAMES, behind := message.behind(position, ("ever",)))
    return behind + len(words) if words else position


def _strange(message: MessageWords, position: int) -> int | None:
    """Return the index after a name that the library does not have: up to three words without another meaning."""
    end = position
    while (
        end < min(message.end, position + 3)
        and not message.tokens[end].quoted
        and message.keys[end] not in FILLERS
        and message.keys[end] not in NOUNS
        and message.keys[end][:1].isalpha()
        and (message.keys[end] not in message.own or message.tokens[end].is_capital)
        and message.chunk(end) is None
    ):
        end += 1
    return end if end > position else None


def venues_at(message: MessageWords, position: int, *, firm: bool) -> Chunk | None:
    """Parse venues such as `NeurIPS or ICML`; after a `firm` cue, also one that the library does not have."""

    def venue(at: int, first: bool) -> Item | None:
        match = message.names.venue_at(message.part, at)
        noun = at + message.stands(("the",), at)
        behind_noun = message.names.venue_at(message.part, noun + 1) if message.stands(("journal",), noun) else None
        exact = behind_noun is not None and message.names.is_exact_venue(behind_noun[0])
        if behind_noun and (match is None or behind_noun[1] - match[1] >= 1 - exact):
            at, match = noun + 1, behind_noun  # "the journal Nature"
        longer = _strange(message, match[1]) if match and not message.names.is_exact_venue(match[0]) else None
        if longer and (near := message.names.near_venue(text := written(message.tokens[at:longer]))):
            return Unknown("venue", text, tuple(near)), longer
        if match and _means_venue(message, at, match, firm):
            is_held = message.names.has_papers_at(match[0]) or not message.names.is_exact_venue(match[0])
            near = [] if is_held else message.names.near_venue(match[0])
            if near and all(folded(name).removeprefix("the ").startswith(folded(match[0])) for name in near):
                return f"{match[0]}*", match[
                    1
                ]  # "Lancet papers", if the library has only journals of the Lancet family
            if near:
                return Unknown("venue", match[0], tuple(near)), match[1]
            behind = "".join(message.keys[match[1] : match[1] + 1])
            if behind in ("journal", "conference", "venue", "magazine"):
                return match[0], match[1] + 1
            several = behind in ("journals", "family")  # "Lancet journals"
            name = match[0] if message.names.is_exact_venue(match[0]) and not several else f"{match[0]}*"
            return name, match[1] + several
        if firm and first and (strange := _strange(message, at)):
            text = written(message.tokens[at:strange])
            return Unknown("venue", text, tuple(message.names.near_venue(text))), strange
        return None

    venues, unknown, end, _ = listed_at(message, position, venue, "either journal conference venue in at from".split())
    return Chunk(end, adding_each("venues", venues, unknown)) if venues or unknown else None


def _means_venue(message: MessageWords, position: int, venue: tuple[str, int], firm: bool) -> bool:
    """Whether a name after a weak cue is a venue: papers of the library appeared there, it is capitalized, or no paper
    is about it. "in blood" may be a subject."""
    if firm or (message.names.has_papers_at(venue[0]) and message.keys[position - 1 : position] != ["on"]):
        return True  # "on sleep" is a subject, even if there is a journal of that name
    first = message.tokens[position + (message.keys[position] == "the" and position + 1 < message.end)]
    return first.is_capital or (message.names.is_exact_venue(venue[0]) and not message.names.may_be_subject(venue[0]))


def bare_name_at(message: MessageWords, position: int) -> Chunk | None:
    """A person or a venue without a cue: `Lee's papers`, `Smith 2020`, `NeurIPS papers`."""
    token = message.tokens[position]
    if token.key in FILLERS or not token.key[:1].isalpha():
        return None
    venue = message.names.venue_at(message.part, position)
    if venue and not _is_within_name(message, position, venue[1]):
        longer = venue[1] - position > 1
        if (
            message.names.is_exact_venue(venue[0])
            and (token.is_capital or not message.names.may_be_subject(venue[0]))
            and (longer or token.is_capital or not message.names.may_be_subject(token.text))
        ):
            return venues_at(message, position, firm=False) or Chunk(venue[1], adding("venues", venue[0]))
        if message.names.has_papers_at(venue[0]) and _is_before_noun(message, position, venue[1]):
            return Chunk(venue[1], _venue_or_subject(message, venue[0]))
    person = message.names.person_at(message.part, position)
    if person is None:
        named = _is_given_name(message, position) and authors_at(message, position, firm=False)
        return named or None
    behind = _behind_et_al(message, person[1])
    is_owner = message.keys[person[1] : person[1] + 1] and message.keys[person[1]] in NOUNS
    name = message.tokens[position : person[1]]
    is_capital = any(token.is_capital for token in name)  # "van der Meer"
    small = not (is_capital or is_owner) and all(is_common(term) for token in name for term in terms(token.text))
    strange = not (small or message.names.is_subject(token.text))  # "I would love …" is small
    plain = behind > person[1] or strange or (is_capital and (position > 0 or len(name) > 1))
    return Chunk(behind, _by_name(message, person[0])) if plain else None


def _is_within_name(message: MessageWords, start: int, end: int) -> bool:
    """Whether these words belong to a longer name in a title, as "Chi" in "Ho Chi Minh" belongs to no venue."""
    spans = ((max(start - 1, message.start), end), (start, min(end + 1, message.end)))
    names = [message.tokens[first:last] for first, last in spans if last - first > end - start]
    return any(
        all(token.is_capital for token in name) and message.names.is_phrase([token.text for token in name])
        for name in names
    )


def _is_before_noun(message: MessageWords, start: int, end: int) -> bool:
    """Whether these words alone describe papers: "nature papers", not "nature conservation papers"."""
    before = message.tokens[start - 1 : start]
    described = start > message.start and message.has_meaning(before[0]) and before[0].key not in NOUNS
    return not described and not NOUNS.isdisjoint(message.keys[end : min(end + 1, message.end)])


def _venue_or_subject(message: MessageWords, name: str) -> Say:
    """Select by a venue or by the subject of the same name, whichever more papers have; the other is offered."""
    at, about = ({"venues": [name]}, f"“{name}” as the venue"), ({"words": [name]}, f"“{name}” as the subject")
    if message.names.is_wider(about[0], at[0]):
        at, about = about, at
    return either_of(at[0], about[0], at[1])


_LABELS = frozenset({"tag", "tags", "label", "labels"})
_DETERMINERS = frozenset({"a", "my", "the", "is", "as"})


def label_end(message: MessageWords, end: int) -> int:
    """Return the position behind words that call what ends at `end` a tag: "thesis tag", "thesis as a tag", "the thesis
    ones (my tag)"; `end` if there are none."""
    keys, at = message.keys, end
    if keys[at : at + 1] and keys[at] in NOUNS and keys[at + 1 : at + 2] == ["("]:
        at += 1
    inside = keys[at : at + 1] == ["("]
    at += inside
    while (inside or keys[end : end + 1] == ["as"]) and keys[at : at + 1] and keys[at] in _DETERMINERS:
        at += 1
    if not keys[at : at + 1] or keys[at] not in _LABELS:
        return end
    return at + 1 + (inside and keys[at + 1 : at + 2] == [")"])


def tags_at(message: MessageWords, position: int, *, cued: bool = False) -> Chunk | None:
    """`thesis and later`; after a cue, also tags that the library does not have."""

    def tag(at: int, first: bool) -> Item | None:
        value: str | Unknown
        if match := message.tag_at(at):
            value, end = match
        elif (
            cued
            and first
            and message.keys[at] not in NOUNS | FILLERS | set(JOINING)
            and any(map(str.isalnum, message.keys[at]))
        ):
            text, end = message.tokens[at].text, at + 1
            near = tuple(message.names.near_tag(text))
            value = Unknown("tag", text, near) if near else text
        else:
            return None
        return value, label_end(message, end)

    passed = ("as", "with", "the", "my", "tag", "tags", "both", "either", ":", "tagged", "under")
    tags, unknown, end, either = listed_at(message, position, tag, passed)
    if not tags and not unknown:
        return None

    def say(selection: PaperSelection) -> None:
        selection.unknown += unknown
        first, *more = tags or [""]
        if either or not first:
            for tag in tags:
                selection.add("tags", tag)
            return
        if selection.given.get("tags"):
            more = [first, *more]
        else:
            selection.add("tags", first)
        selection.also += [{"tags": [tag]} for tag in more]

    return Chunk(end, say)
