"""Hard conditions in words."""

from collections.abc import Sequence

from agents.tools.candidates import FilterArguments

_YES_NO = {
    "open_access": ("free to read", "not known to be free to read"),
    "retracted": ("retracted", "not retracted"),
    "has_abstract": ("with an abstract", "without a known abstract"),
    "saved": ("on your shelf", "not on your shelf"),
    "read": ("read", "saved and not read yet"),
    "noted": ("with a note of yours", "without a note of yours"),
}
NAMES = {
    "open_access": "that it is free to read",
    "has_abstract": "the abstract",
    "noted": "the note",
    "rating": "your rating",
    "types": "the type",
    "read": "whether you read it",
    "tags": "the tag",
    "saved": "that it is saved",
    "max_citations": "the most citations",
    "min_citations": "the fewest citations",
    "venues": "the venue",
    "until": "the last year",
    "since": "the first year",
    "authors": "the author",
    "without": "what it must not be about",
    "any_words": "the kind of paper",
    "title_words": "the title",
    "words": "what it is about",
}
"""What each condition is called when it is given up."""


def listed(items: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else ""


def conditions_text(given: FilterArguments) -> str:
    """The conditions as they stand behind "papers": `about “query expansion”, from 2020 or later, by Croft`."""
    quoted = [f"“{phrase}”" for phrase in given.words]
    told = [f"about {listed(quoted)}"] if quoted else []
    told += [f"that speak of {listed([f'“{phrase}”' for phrase in given.any_words], 'or')}"] if given.any_words else []
    told += (
        [f"with {listed([f'“{phrase}”' for phrase in given.title_words])} in the title"] if given.title_words else []
    )
    told += [f"not about {listed([f'“{phrase}”' for phrase in given.without], 'or')}"] if given.without else []
    told += [f"by {listed(given.authors)}"] if given.authors else []
    told += [f"in {listed(given.venues, 'or')}"] if given.venues else []
    told += [listed([f"of the type {kind}" for kind in given.types], "or")] if given.types else []
    told += _time(given.since, given.until)
    told += _citations(given.min_citations, given.max_citations)
    told += [of[0] if asked else of[1] for name, of in _YES_NO.items() if (asked := getattr(given, name)) is not None]
    told += (
        [{1: "that you liked", -1: "that you did not like", 0: "without a rating"}[given.rating]]
        if given.rating is not None
        else []
    )
    told += [f"tagged {listed([f'“{tag}”' for tag in given.tags], 'or')}"] if given.tags else []
    return ", ".join(told)


def given_up_text(given_up: Sequence[str]) -> str:
    """What was given up, in words: `what it is about: “agents”`."""
    told = []
    for entry in given_up:
        name, _, phrase = entry.partition(": ")
        told.append(f"“{phrase}”" if phrase else NAMES.get(name, name))
    return listed(told)


def _time(since: str | None, until: str | None) -> list[str]:
    if since and until:
        return [f"from {since}" if since == until else f"from {since} to {until}"]
    return [f"from {since} or later"] if since else [f"from {until} or earlier"] if until else []


def _citations(least: int | None, most: int | None) -> list[str]:
    told = [f"cited at least {least:,} times"] if least is not None else []
    return told + ([f"cited at most {most:,} times"] if most is not None else [])
