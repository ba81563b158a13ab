"""Venues: those of the library, and the usual names of others."""

import re

from agents.builtin.question_parsing.spans import plain, without
from agents.builtin.question_parsing.venues import read_venue
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Found, Phrases
from cache.conditions.venue_names import ABBREVIATED
from cache.conditions.venue_names import KNOWN as VENUES
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

_LONGEST = 7
"""Words that a venue's name has at most."""
_AT = Phrases("""
    [that|which|and] [was|were|is|are|have been] [published|appeared|appearing|presented|accepted] (in|at|from|by)
        [the] [journal|conference|proceedings of|venue] [called] [the] <name:text>
    (published|posted|put|appeared|appearing|available|hosted|out) [only] on <name:text>
    of the (journal|conference|proceedings of [the]) [the] <name:text>
    (paper/papers/article/articles/preprints/publications/works/ones/those) of [the] <name:text>
    (journal|conference|venue) [is|:] <name:text>
""")
_NOT_AT = Phrases("""
    [but|and|that|which] [are|is|were] (not|nothing|none|except|excluding|without) [those|papers|the ones]
        [published|from] (in|at|from) [the] [journal|conference] <name:text>
""")
_BEFORE_PAPERS = re.compile(
    r"(?P<name>[\w&-]+(?: [\w&-]+){0,6}?)(?:'s)? (?=(?:papers?|articles?|ones|stuff|publications"
    r"|works?)\b)",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\b(?:not|no|nothing|without|except(?: for)?|excluding|minus|drop)(?: all| any)?(?: of)?(?: the"
    r"| those)? (?P<name>[A-Za-z].*)",
    re.IGNORECASE,
)
_ONES = re.compile(r" *(?:(?:ones|papers|articles|stuff|publications|works?)\b|(?=[,;.?!])|$)", re.IGNORECASE)


def read_venues(choice: Choice) -> None:
    """Venues: those of the library, and the usual names of others."""
    if (found := _NOT_AT.find(choice.text)) and (name := _known_venue(choice, found.slots["name"])):
        _take_venue(choice, found, name, "without_venues")
    _left_out(choice)
    text, at = choice.text, 0
    for _ in range(_LONGEST):
        if (found := _AT.find(text[at:])) is None:
            break
        if name := _known_venue(choice, found.slots["name"]):
            _take_venue(choice, Found(found.start + at, found.end + at, found.slots), name, "venues")
            _more_venues(choice)
            return
        at += found.end - len(found.slots["name"])
    said = read_venue(plain(choice.text), choice.scene.today)
    if said.name:
        choice.add("venues", *said.name.split(" or "))
        choice.text = without(choice.text, said.spans)
    else:
        _bare_venue(choice)
    _more_venues(choice)


def _left_out(choice: Choice) -> None:
    """Venues whose papers are not wanted, before a word for papers or alone: "minus the CVPR ones"."""
    at = 0
    for _ in range(_LONGEST):
        if (found := _WITHOUT.search(choice.text, at)) is None:
            return
        at = found.start("name")
        name = _known_venue(choice, found["name"])
        ones = _ONES.match(choice.text, at + len(name))
        if name and ones and _written_as_one(name) and not choice.scene.is_title(name):
            choice.add("without_venues", name)
            choice.cut(found.start(), ones.end())
            at = found.start()


def _written_as_one(name: str) -> bool:
    """Whether a name is written as that of a venue: "neural" is none, though the library has Neural Computation."""
    return name[:1].isupper() or name.lower() in ABBREVIATED


def _take_venue(choice: Choice, found: Found, name: str, condition: str) -> None:
    choice.add(condition, name)
    begins = choice.text.index(name, found.start)
    choice.cut(found.start, begins + len(name))


_MORE = (
    re.compile(r", (?:(?:or|and) )?(?:in |at |from )?(?:the )?(?P<name>[\w&-]+(?: [\w&-]+){3})(?= *(?:,|$))"),
    re.compile(r", (?:(?:or|and) )?(?:in |at |from )?(?:the )?(?P<name>[\w&-]+(?: [\w&-]+){2})(?= *(?:,|$))"),
    re.compile(r", (?:(?:or|and) )?(?:in |at |from )?(?:the )?(?P<name>[\w&-]+ [\w&-]+)(?= *(?:,|$))"),
    re.compile(r", (?:or|and) (?:in |at |from )?(?:the )?(?P<name>[\w&-]+)"),
    re.compile(r", (?P<name>[\w&-]+)(?= *(?:,|$))"),
    re.compile(r"(?P<name>[\w&-]+) ?(?:,|/|or|and)(?: or| and)?\s+(?=,|papers?\b|articles?\b|ones\b|$)"),
)


def _more_venues(choice: Choice) -> None:
    """`in Nature or Science`, `SIGIR or CIKM papers`: the others beside the one that was just taken out."""
    if "venues" not in choice.conditions:
        return
    for pattern in _MORE:
        if (more := pattern.search(choice.text)) and is_venue(choice, more["name"]):
            choice.add("venues", more["name"])
            choice.cut(*more.span())


_ABBREVIATION = re.compile(r"(?<![\w\"'-])[A-Z][A-Za-z]*[A-Z][A-Za-z]*(?![\w\"'-])")
_NO_VENUE = re.compile(
    r"\b(?:not|no|without|about|on|like|called|except|excluding|regarding|use|using|than|titled)(?: the)? $",
    re.IGNORECASE,
)


def _bare_venue(choice: Choice) -> None:
    """`SIGIR papers`, or a venue alone: `NeurIPS`."""
    for match in _BEFORE_PAPERS.finditer(choice.text):
        words = match["name"].split()
        for size in range(min(len(words), _LONGEST), 0, -1):
            name = " ".join(words[-size:])
            told = _written_as_one(name) or match.string.startswith(("paper", "article"), match.end())
            if told and is_venue(choice, name) and not choice.scene.is_author(name):
                start = match.end("name") - len(name)
                choice.add("venues", name)
                choice.cut(start, match.end("name"))
                return
    for match in _ABBREVIATION.finditer(choice.text):
        if (
            match[0].lower() in ABBREVIATED
            and is_venue(choice, match[0])
            and not _NO_VENUE.search(choice.text[: match.start()])
        ):
            choice.add("venues", match[0])
            choice.cut(*match.span())
            return
    alone = [
        word for word in re.findall(r"[\w&-]+", choice.text) if word.lower() not in ("and", "or", "from", "at", "in")
    ]
    if 0 < len(alone) <= _LONGEST and all(name.lower() in VENUES and is_venue(choice, name) for name in alone):
        choice.add("venues", *alone)
        choice.text = ""


_NO_VENUES = QUESTION_WORDS | STOP_WORDS | {"papers", "new", "my", "saved", "journal", "conference", "annual", "online"}


def _known_venue(choice: Choice, text: str) -> str:
    """The longest beginning of `text` that is a venue's name."""
    words = re.split(r"[,;.?!]", text)[0].split()[:_LONGEST]
    tried = (" ".join(words[:size]).strip("\"'") for size in range(len(words), 0, -1))
    return next((name for name in tried if is_venue(choice, name)), "")


def is_venue(choice: Choice, name: str) -> bool:
    """Whether `name` is that of a venue, by the library or by common knowledge."""
    small = name.lower()
    if small in _NO_VENUES:
        return False
    usual = small in VENUES and (name[:1].isupper() or small in ABBREVIATED)
    return len(name) > 1 and (usual or choice.scene.is_venue(name))
