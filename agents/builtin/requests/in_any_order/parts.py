"""What is asked of one paper, by the words of the question in any order: "RAPTOR, in what year did it appear" and "the
year of RAPTOR's appearance" ask for its date.

A question is read so only where each of its words is known: those that name what is asked, and those that say nothing
beside it. A word more, and it is left to the other readers.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from agents.builtin.requests.acts.one_paper import MOST
from agents.builtin.requests.facts.sql import AUTHORS
from agents.builtin.requests.facts.sql import text as literal
from agents.builtin.requests.in_any_order.words import SAY_NOTHING, is_of, named, words_in
from agents.builtin.requests.references import IT
from agents.builtin.requests.scene import Reading, Scene, plan, step


def _words(*said: str) -> frozenset[str]:
    return frozenset(" ".join(said).split())


_INTERROGATIVE = _words("did have has was is were are when what which how do does whether if had")
_MANY = _words("many much often times time number count counts total frequently amount figure")
_CITED = _words("cited citation citations cites cite quoted")
_AUTHOR = _words("author authors writer writers coauthor coauthors co-author co-authors")
_WROTE = _words("wrote written write writes authored co-authored co-wrote penned made created behind")
_WHO = _words("who whom by-whom people persons person researchers researcher team group names")
_NOTE = _words("note notes noted comment comments annotation annotations remark remarks annotated commented")
_TAG = _words("tag tags tagged label labels labelled labeled")
_SAVED = _words("saved save shelf bookmarked bookmark shelved add added put placed stored adding saving bookmarks")
_DATE = _words("year when date day dated old years old dates age")
_VENUE = _words("where venue journal conference venues journals proceedings publisher publishers outlet")
_RATED = _words("liked like disliked dislike rated rate rating verdict thumbs-up thumbs-down loved love enjoy enjoyed")
_OWN_ACTS = frozenset({"saved", "read", "note", "rating"})
"""What somebody may tell as well as ask: "I have read it"."""
_QUESTION = re.compile(
    r"\b(?:when|what|which|whether|if|how|where|date|day|tell|show)\b|\?"
    r"|(?:^|[,;:.!–-] |\band )(?:is|are|was|were|do|does|did|has|have|had)\b"
    r"|\b(?:did|do|have|had) (?:i|we)\b|\b(?:is|was|has) (?:it|this|that|the)\b",
    re.IGNORECASE,
)
_LAST_TIME = re.compile(r"\b(?:first|last)\b(?! (?:one|paper|article|entry|of)\b)", re.IGNORECASE)
"""Where an act comes first or last, and no paper: "when did I last save something"."""
_CHANGE = re.compile(
    r"(?:please |can you |could you |would you |kindly |and |also |then |now )*(?:save|unsave|tag|untag|label|note|mark"
    r"|add|put|bookmark|shelve|rate|like|dislike|write|comment|annotate|remove|delete|drop|export|cite|rename|remember"
    r"|set|change|leave|attach|summarize|compare|search|recommend|suggest|keep|take|unlike)\b",
    re.IGNORECASE,
)
"""How a change or another act begins, that is no question."""
_ORDERED = re.compile(r"\bby (?:the )?(?:number of )?(?:citations?|date|year)\b(?! count)", re.IGNORECASE)
"""Where papers are put in an order, and none is asked about."""
_OF_SEVERAL = re.compile(
    r"(?:which|what|any|some|how many)(?: ones?)? (?:of|among|in|from) (?:(?:my|the|all)\b[^,;?]*\bpapers"
    r"|(?:all )?(?:of )?(?:them|these|those))\b",
    re.IGNORECASE,
)
"""Where papers are asked for, and nothing of one."""

Says = frozenset[str]


class _Part(NamedTuple):
    """A thing that is asked of a paper: its name, whether words ask for it, and all words that belong to that."""

    name: str
    told: Callable[[Says], bool]
    words: frozenset[str]
    instead_of: tuple[str, ...] = ()


_PARTS: tuple[_Part, ...] = (
    _Part("retracted", lambda said: bool(said & {"retracted", "withdrawn", "retraction"}),
          _words("retracted withdrawn retraction"), ("date",)),
    _Part("saved", lambda said: bool(said & _SAVED) and bool(said & (_INTERROGATIVE | _DATE | {"?"})),
          _SAVED | _DATE | _words("library among part"), ("date",)),
    _Part("read", lambda said: bool(said & {"read", "finished", "reading"}) and bool(said & _INTERROGATIVE)
          and bool(said & {"i", "me", "been", "marked"}) and not said & {"abstract", "note", "notes"},
          _words("read finished reading through finish marked mark") | _DATE, ("date",)),
    _Part("note", lambda said: bool(said & _NOTE) or ("i" in said and bool(said & {"write", "wrote", "written"})
                                                     and bool(said & {"down", "about", "on"})),
          _NOTE | _words("write wrote written left leave made make put down jotted jot written down"), ("date",)),
    _Part("tags", lambda said: bool(said & _TAG), _TAG | _words("put carry carries bear filed gave give given under"),
          ()),
    _Part("rating", lambda said: bool(said & _RATED) and "i" in said and bool(said & _INTERROGATIVE),
          _RATED | _words("find found")),
    _Part("", lambda said: bool(said & {"information", "details", "metadata", "facts"}),
          _words("information details metadata facts more everything all")),
    _Part("keywords", lambda said: bool(said & {"keywords", "keyword"}), _words("keywords keyword")),
    _Part("abstract", lambda said: bool(said & {"abstract", "abstracts"}), _words("abstract abstracts")),
    _Part("identifiers", lambda said: bool(said & {"doi", "dois", "identifier", "identifiers", "url", "link", "pmid"}),
          _words("doi dois identifier identifiers url link links arxiv id number pmid")),
    _Part("pdf", lambda said: bool(said & {"pdf", "pdfs", "open-access", "full-text", "paywalled", "downloadable"}),
          _words("pdf pdfs open-access full-text free freely readable download downloadable accessible online paywalled"
                 " openly legally")),
    _Part("citations", lambda said: bool(said & _CITED) and bool(said & (_MANY | {"citations", "citation"}))
          and ("papers" not in said or bool(said & {"often", "times", "frequently"})),
          _CITED | _MANY | _words("times received collected gathered others other papers people altogether overall"
                                  " add")),
    _Part("number of authors", lambda said: bool(said & {"many", "number", "count"}) and "times" not in said
          and bool(said & (_AUTHOR | {"people", "persons", "researchers"})),
          _AUTHOR | _WROTE | _words("number many count people persons researchers contributed"), ("authors",)),
    _Part("authors", lambda said: bool(said & _AUTHOR) or (bool(said & (_WHO | {"whose"})) and bool(said & (_WROTE
          | {"by", "from"}))), _AUTHOR | _WROTE | _WHO | _words("list responsible contributed worked")),
    _Part("venue", lambda said: bool(said & _VENUE), _VENUE),
    _Part("date", lambda said: bool(said & (_DATE - {"old"})) or {"how", "old"} <= said, _DATE),
)  # fmt: skip
_NUMBER_OF_AUTHORS, _RATING = "number of authors", "rating"
_OF_TITLE = {
    _NUMBER_OF_AUTHORS: f"SELECT count(*) AS authors FROM {AUTHORS.replace('{where}', ' WHERE title = {title}')}",
    _RATING: (
        "SELECT title, CASE rating WHEN 1 THEN 'liked' WHEN -1 THEN 'disliked' ELSE 'neither liked nor disliked' END"
        " AS rating FROM shelf WHERE title = {title}"
    ),
}
"""What a query tells of a paper by its title, for no part of it does."""
_LONGEST = 40
"""Words of a question, at most."""


def parts_asked(text: str) -> tuple[str, ...]:
    """What `text` asks for of a paper that stands elsewhere: "and in which year it appeared"; nothing where it says
    anything more."""
    words = [word.said for word in words_in(text)]
    found = _parts(words)
    return () if _foreign(words, found) else tuple(part.name for part in found if part.name not in _OF_TITLE)


def asked_of_one(text: str, scene: Scene) -> Reading | None:
    """What is asked of papers that are named or pointed at, in whatever order; None where it says anything more."""
    if _CHANGE.match(text) is not None or _ORDERED.search(text) is not None or _OF_SEVERAL.match(text) is not None:
        return None
    words = list(words_in(text))
    if not 1 < len(words) <= _LONGEST or not (parts := _parts([word.said for word in words])):
        return None
    for found in named(text, words, _EVERY_WORD, scene):
        rest, parts = found.rest, _parts(found.rest)
        if parts and not _foreign(rest, parts) and _answers(text, found.papers, parts, scene):
            parts.sort(key=lambda part: next(place for place, word in enumerate(rest) if word in part.words))
            return _reading(found.papers, parts, scene)
    return None


def _parts(words: Iterable[str]) -> list[_Part]:
    said = frozenset(words)
    found = [part for part in _PARTS if part.told(said)]
    hidden = {name for part in found for name in part.instead_of}
    return [part for part in found if part.name not in hidden]


def _answers(text: str, names: Sequence[str], parts: Sequence[_Part], scene: Scene) -> bool:
    """Whether what was found is a question about papers: an act of the person's is asked, and a place was shown."""
    own, pointed = any(part.name in _OWN_ACTS for part in parts), names[0][:1] == "@" and names[0] != IT
    if pointed and not 0 < int(names[0][1:]) <= scene.shown:
        return False
    return not own or (_QUESTION.search(text) is not None and not (pointed and _LAST_TIME.search(text)))


def _foreign(words: Iterable[str], parts: Sequence[_Part]) -> bool:
    """Whether a word is none of those that ask for the parts, nor one that says nothing."""
    there = SAY_NOTHING.union(*(part.words for part in parts))
    return not parts or any(not is_of(word, there) for word in words)


_EVERY_WORD = frozenset().union(SAY_NOTHING, *(part.words for part in _PARTS))


def _reading(names: Sequence[str], parts: Sequence[_Part], scene: Scene) -> Reading | None:
    asked = [part.name for part in parts]
    if sql := _OF_TITLE.get(asked[0]) if len(asked) == 1 else None:
        title = scene.title_of(names[0]) if len(names) == 1 else ""
        return plan(step("query", sql=sql.replace("{title}", literal(title)))) if title else None
    shown = list(dict.fromkeys("authors" if name == _NUMBER_OF_AUTHORS else name for name in asked if name != _RATING))
    return plan(*(step("paper", paper=name, parts=[part for part in shown if part]) for name in names[:MOST]))
