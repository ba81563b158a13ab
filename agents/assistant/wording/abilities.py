"""What the assistant can do, for who asked for something else: the three things that are nearest to it."""

from collections.abc import Sequence

from agents.builtin.text.terms import terms
from cache.conditions.wording import listed

_ABILITIES = (
    ("find papers of your library by subject, year, author, venue or tag", "papers on query expansion since 2010"),
    ("count papers, or say which venue, year or author most are from", "how many papers on my shelf are unread?"),
    ("find what is like a paper", "papers like BERT but not about translation"),
    ("order papers by citations, date, relevance or your taste", "sort these by citations"),
    ("show a paper: its abstract, authors, venue, date or citations", "show the second's abstract"),
    ("follow references and citations", "who cites the first?"),
    ("search the sources", "search for dense retrieval since 2020"),
    ("summarize papers", "summarize what these say about latency"),
    ("recommend what to read next", "what should I read next?"),
    ("save, tag, note or mark papers, after asking you", "save those and tag them rag"),
    ("write a bibliography", "write the BibTeX"),
    ("check papers for retractions and missing fields", "check these"),
    ("list past searches", "what did I search last week?"),
    ("tell what is thought of your taste", "what do you know about my taste?"),
)  # fmt: skip


def nearest_abilities(message: str, unread: Sequence[str] = ()) -> str:
    """That the message was not understood, or which words of it, and what can be done that is nearest to it."""
    words = set(terms(message[:1_000]))
    shared = [len(words & set(terms(f"{what} {example}"))) for what, example in _ABILITIES]
    order = sorted(range(len(_ABILITIES)), key=lambda place: (-shared[place], place))[:3]
    told = [f"- {_ABILITIES[place][0]}: “{_ABILITIES[place][1]}”" for place in order]
    what = _quoted(unread) or "that"
    return "\n".join([f"I did not understand {what}, so nothing was done. What I can do:", *told])


def not_heeded(unread: Sequence[str]) -> str:
    """That words were not understood, and that what was done does not rest on them; "" if there are none."""
    return f"I did not understand {_quoted(unread)}: what follows does not heed {_them(unread)}." if unread else ""


def taken_as(wording: str) -> str:
    """The wording that a message was read as, "" if it was read as it stands."""
    return f"I took this for “{wording}”." if wording else ""


def _quoted(words: Sequence[str]) -> str:
    return listed([f"“{word}”" for word in words[:MOST_QUOTED]])


def _them(words: Sequence[str]) -> str:
    return "it" if len(words) == 1 else "them"


MOST_QUOTED = 6
