"""Hard conditions in words."""

from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from agents.tools.candidates import FilterArguments

_YES_NO = {
    "open_access": ("free to read", "not known to be free to read"),
    "retracted": ("retracted", "not retracted"),
    "saved": ("on your shelf", "not on your shelf"),
    "read": ("marked as read", "saved but not marked as read"),
}
_RATINGS = {1: "liked by you", -1: "disliked by you", 0: "saved without a rating"}
NAMES = {
    "open_access": "the free PDF",
    "has_abstract": "the abstract",
    "retracted": "the retraction",
    "noted": "the note",
    "rating": "your rating",
    "saved_since": "the day from which on they were saved",
    "saved_until": "the day until which they were saved",
    "without_rating": "the rating that is not wanted",
    "types": "the type",
    "without_types": "the types that are not wanted",
    "read": "the mark as read",
    "tags": "the tag",
    "without_tags": "the tags that are not wanted",
    "saved": "your shelf",
    "max_citations": "the most citations",
    "min_citations": "the fewest citations",
    "max_authors": "the most authors",
    "min_authors": "the fewest authors",
    "venues": "the venue",
    "without_venues": "the venues that are not wanted",
    "until": "the end of the time",
    "since": "the beginning of the time",
    "without_years": "the years that are not wanted",
    "authors": "the author",
    "any_authors": "the authors",
    "without_authors": "the authors that are not wanted",
    "without": "what is not wanted",
    "any_words": "the kind of paper",
    "title_words": "the title",
    "words": "the subject",
    "all_words": "that all of the words must stand there",
}
"""What each condition is called when it is given up."""


def listed(items: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def conditions_text(given: FilterArguments, count: int = 1) -> str:
    """The conditions as what `count` papers are and have: `is about “query expansion” and from 2020 or later`."""
    told = {name: value for name in (*_FORMS, *_HAVE) if (value := getattr(given, name)) not in (None, ())}
    if given.saved and given.read is False:
        del told["saved"]  # which is said with the other
    are = [form(told[name]) for name, form in _FORMS.items() if name in told] + _time(given.since, given.until)
    are += _saved_on(given.saved_since, given.saved_until)
    have = [form(told[name]) for name, form in _HAVE.items() if name in told]
    have += _authors(given.min_authors, given.max_authors)
    is_, has = ("is", "has") if count == 1 else ("are", "have")
    return " and ".join([*([f"{is_} {listed(are)}"] if are else []), *([f"{has} {listed(have)}"] if have else [])])


def _quoted(phrases: Sequence[str], last: str = "and") -> str:
    return listed([f"“{phrase}”" for phrase in phrases], last)


def _flag(name: str) -> Callable[[bool], str]:
    return lambda asked: _YES_NO[name][0 if asked else 1]


_FORMS: Mapping[str, Callable[[Any], str]] = {
    "words": lambda phrases: f"about {_quoted(phrases)}",
    "any_words": lambda phrases: f"speaking of {_quoted(phrases, 'or')}",
    "without": lambda phrases: f"not about {_quoted(phrases, 'or')}",
    "authors": lambda names: f"by {listed(names)}",
    "any_authors": lambda names: f"by {listed(names, 'or')}",
    "without_authors": lambda names: f"not by {listed(names, 'or')}",
    "venues": lambda names: f"in {listed(names, 'or')}",
    "without_venues": lambda names: f"not in {listed(names, 'or')}",
    "types": lambda kinds: f"of the type {listed(kinds, 'or')}",
    "without_types": lambda kinds: f"not of the type {listed(kinds, 'or')}",
    "without_years": lambda years: f"not from {listed(years, 'or')}",
    "min_citations": lambda count: f"cited at least {_times(count)}",
    "max_citations": lambda count: f"cited at most {_times(count)}" if count else "never cited",
    **{name: _flag(name) for name in _YES_NO},
    "rating": lambda rating: _RATINGS[rating],
    "without_rating": lambda rating: f"not {_RATINGS[rating]}",
    "tags": lambda tags: f"tagged {_quoted(tags, 'or')}",
    "without_tags": lambda tags: f"not tagged {_quoted(tags, 'or')}",
    "except_papers": lambda names: _excepted(names),
}
"""Each condition in words, as what papers are, in the order in which they are said."""
_HAVE: Mapping[str, Callable[[Any], str]] = {
    "title_words": lambda phrases: f"{_quoted(phrases)} in the title",
    "has_abstract": lambda asked: "an abstract" if asked else "no known abstract",
    "noted": lambda asked: "a note of yours" if asked else "no note of yours",
}
"""What papers have."""


def _excepted(names: Sequence[str]) -> str:
    return "not among those just shown" if "@shown" in names else f"not {excepted(names, 'or')}"


def excepted(names: Sequence[str], last: str = "and") -> str:
    """What papers that are left out are called."""
    return "those just shown" if "@shown" in names else listed([called(name) for name in names], last)


def called(name: str) -> str:
    """What a paper is called in a sentence: `number 2`, `“BERT”`."""
    if name in ("@shown", "@all"):
        return "those"
    if name == "@it":
        return "the one looked at"
    if name.startswith("@top"):
        return "the first" if name == "@top1" else f"the first {name.removeprefix('@top')}"
    return f"number {name[1:]}" if name[:1] == "@" and name[1:].isdigit() else f"“{name}”"


def given_up_text(given_up: Sequence[str]) -> str:
    """What was given up, in words: `what it is about: “agents”`."""
    told = []
    for entry in given_up:
        name, _, phrase = entry.partition(": ")
        told.append(f"“{phrase}”" if phrase else NAMES.get(name, name))
    return listed(told)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _time(since: str | None, until: str | None) -> list[str]:
    if since and until:
        since, until = _in_months(since, until) or (since, until)
    if since and until:
        return [f"from {since}" if since == until else f"from {since} to {until}"]
    return [f"from {since} or later"] if since else [f"from {until} or earlier"] if until else []


def _authors(least: int | None, most: int | None) -> list[str]:
    if most == 1:
        return ["a single author"]
    if least and most:
        return [f"{least} authors" if least == most else f"{least} to {most} authors"]
    return [f"at least {_authors_text(least)}"] if least else [f"at most {_authors_text(most)}"] if most else []


def _authors_text(count: int) -> str:
    return "one author" if count == 1 else f"{count:,} authors"


def _saved_on(since: str | None, until: str | None) -> list[str]:
    if since and until:
        return [f"saved on {since}" if since == until else f"saved from {since} to {until}"]
    return [f"saved on {since} or later"] if since else [f"saved on {until} or earlier"] if until else []


def _in_months(since: str, until: str) -> tuple[str, str] | None:
    """The months of a time that consists of whole ones, `2020-07` and `2020-12` for the second half of 2020; None for
    any other, and for whole years."""
    if len(since) == 4 or not (len(since) == 7 or since.endswith("-01")):
        return None
    with suppress(ValueError):  # a model may write of a thirteenth month
        if len(until) < 10 or int(until[8:]) == monthrange(int(until[:4]), int(until[5:7]))[1]:
            return since[:7], f"{until}-12"[:7]
    return None


ORDERS = {
    "citations": "the most cited first",
    "fewest_citations": "the least cited first",
    "newest": "the newest first",
    "oldest": "the oldest first",
    "title": "by title",
    "last_saved": "the last saved first",
    "first_saved": "the first saved first",
    "relevance": "the most relevant first",
    "similarity": "the nearest first",
    "preference": "those first that fit you best",
}
"""What a list is like in each order."""


def likeness_text(given: Mapping[str, Any]) -> str:
    """What papers are to be like, and what not, by the arguments of `resemble`."""
    like = [called(name) for name in (*given.get("papers", ()), given.get("words", "")) if name]
    unlike = [called(name) for name in (*given.get("unlike", ()), given.get("unlike_words", "")) if name]
    told = ([f"like {listed(like)}"] if like else []) + ([f"not like {listed(unlike)}"] if unlike else [])
    return " and ".join(told)
