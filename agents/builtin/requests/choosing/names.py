"""Authors, venues and tags: by the words beside them, and by the names that the library knows."""

import re

from agents.builtin.question_parsing.author_names import read_author_names
from agents.builtin.question_parsing.spans import plain, without
from agents.builtin.question_parsing.venues import KNOWN as VENUES
from agents.builtin.question_parsing.venues import read_venue
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Found, Phrases
from agents.builtin.venue_names import ABBREVIATED
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

_LONGEST = 7
"""Words that a venue's name has at most."""
_SEVERAL = re.compile(r"\s*(?:,\s*(?:and|or)\b|,|\band\b|\bor\b|&|/)\s*")

_TAGGED = Phrases("""
    [that|which] [are|is|i have|i|i had|were] [already] (tagged|labelled|labeled|filed|marked) [as|with|under|by|in]
        [the|my] [tag|label] <tag:word> (or|and|,) [tagged|with] [the|tag] <more:word>
    [that|which] [are|is|i have|i|i had|were] [already] (tagged|labelled|labeled|filed|marked) [as|with|under|by|in]
        [the|my] [tag|label] <tag:word> [tag|label]
    [that|which] (with|under|having|carrying|in|have|has|carry|carries|bear|for|from|got|of) [the|my|a]
        [tag/tags/label|labels] called <tag:word>
    [that|which] (with|under|having|carrying|in|have|has|carry|carries|bear|for|from|got|of|by) [the|my|a]
        tag/tags/label/labels <tag:word>
    [that|which] (with|under|having|carrying|in|have|has|carry|carries|bear|for|from|got|of) [the|my|a] <tag:word>
        (tag|label|tagged)
    tag/label <tag:word>
    <tag:word> tag
""")
_NOT_TAGGED = Phrases("""
    [that|which|but] [are|is|have] (not|without|except|no|excluding) [those|papers|the ones] [tagged|labelled|
        labeled] [as|with] [the|my] (tag|label) <tag:word>
    [that|which|but] [are|is] (not|never) [yet] (tagged|labelled|labeled) [as|with] [the|my] <tag:word>
""")
_PLAIN = re.compile(r"\w+(?:[ -]\w+)*")


def read_tags(choice: Choice) -> None:
    """Tags, told as such; or a tag of the person's own before a word for saved papers."""
    if slots := choice.take(_NOT_TAGGED):
        choice.add("without_tags", _tag(choice, slots["tag"]))
    while slots := choice.take(_TAGGED):
        choice.add("tags", *(_tag(choice, slots[name]) for name in ("tag", "more") if name in slots))
    if "tags" in choice.conditions:
        return
    worded = [tag for tag in choice.scene.tags if _PLAIN.fullmatch(tag)]  # the signs of phrases are no words of one
    for tag in sorted(worded, key=len, reverse=True):
        spelled = "/".join(dict.fromkeys((tag, tag.replace("-", " ")))) if " " not in tag.replace("-", " ") else tag
        own = Phrases(f"""
            my {spelled} (papers|articles|pile|list|collection|folder|ones|stuff|reading)
            {spelled} papers {{on_shelf}}
            (saved|unread|liked|annotated) {spelled} papers/articles/ones
            unread {spelled}
            {spelled} pile/folder
        """)  # fmt: skip
        if choice.take(own) is not None:
            choice.add("tags", tag)
            return


def _tag(choice: Choice, said: str) -> str:
    """The tag as the person writes it."""
    bare = said.strip("\"'.")
    return next((tag for tag in choice.scene.tags if tag.casefold() == bare.casefold()), bare)


_NAME = r"[\w.'-]+"
_NO_NAME = (
    r"(?!and\b|or\b|since\b|from\b|in\b|at\b|before\b|after\b|on\b|about\b|with\b|that\b|papers?\b|but\b|not\b|have\b"
    r"|are\b|is\b|my\b|by\b|which\b|between\b|until\b|sorted\b|most\b|newest\b|oldest\b|there\b|do\b|i\b|published\b"
    r"|without\b|appeared\b|tagged\b|in\b|of\b|the\b|first\b|where\b|who\b|please\b|year\b|date\b|title\b|citations?\b)"
)
_PERSON = rf"{_NO_NAME}{_NAME}(?: {_NO_NAME}{_NAME}){{0,2}}"
_AND_PERSON = rf"(?:(?: ?,(?: and| or)?| and| or| &| with) (?:by )?{_PERSON})*"
_WRITTEN = (
    r"(?:that |which )?(?:(?:were|was|are|is|have been|has been) )?(?:written |authored |co-?authored |published )?"
)
_BY = re.compile(
    rf"\b(?:{_WRITTEN}by|{_WRITTEN}from the pen of|from|with (?:the )?authors?|whose (?:first )?author is|authored by)"
    rf" (?P<names>{_PERSON}{_AND_PERSON})",
    re.IGNORECASE,
)
_NOT_BY = re.compile(
    rf"\b(?:but |and |that |which )*(?:are |is |were )?(?:not|nothing|none|no|except|excluding|without)"
    rf"(?: the| any)?(?: papers| ones| those| articles| everything| anything)?(?: written| authored)? by"
    rf" (?P<names>{_PERSON}{_AND_PERSON})",
    re.IGNORECASE,
)
_WROTE = re.compile(
    rf"\b(?:that |which |what |papers )?(?:has |have |did )?(?P<names>{_PERSON}{_AND_PERSON})"
    r" (?:has |have |had )?(?:(?:ever )?(?:written|wrote|write|publish(?:ed)?|(?:co-?)?authored))\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    rf"\b(?P<names>{_NO_NAME}[\w-]+(?: {_NO_NAME}[\w-]+)?)(?:'s?)?"
    r"(?= (?:(?:most|recent|latest|newest|oldest|early|cited|own|first) )*"
    r"(?:papers?|articles?|work|works|publications?|stuff)\b)",
    re.IGNORECASE,
)
_WITH = re.compile(rf"\b(?:with|have|has|having|including) (?P<names>{_PERSON}) (?:as|among the) (?:an? |the |first )*"
                   r"(?:co-?)?authors?\b", re.IGNORECASE)  # fmt: skip


def read_authors(choice: Choice) -> None:
    """Authors, and those whose papers are not wanted."""
    while _people(choice, _NOT_BY, "without_authors"):
        pass
    found = any(_people(choice, pattern, "authors") for pattern in (_BY, _WITH, _WROTE))
    said = plain(choice.text)
    authors = read_author_names(said)
    if authors.names:
        choice.add("authors", *authors.names)
        choice.text = without(choice.text, authors.spans)
    elif not found and not _people(choice, _OWN, "authors") and not _unknown_author(choice):
        _lone_author(choice)


_UNKNOWN = re.compile(r"\bby (?P<name>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?= |$|[,.?!])")


def _unknown_author(choice: Choice) -> bool:
    """Whether papers by somebody are asked for whom the library does not know."""
    if (found := _UNKNOWN.search(choice.text)) is None:
        return False
    choice.add("authors", found["name"])
    choice.cut(*found.span())
    return True


def _lone_author(choice: Choice) -> None:
    """Somebody's name that is all that is left: `Hinton 2006`."""
    left = re.findall(r"[\w'-]+", choice.text)
    if len(left) == 1 and left[0][:1].isupper() and not left[0].isupper() and choice.scene.is_author(left[0]):
        choice.add("authors", left[0])
        choice.text = ""


def _people(choice: Choice, pattern: re.Pattern[str], condition: str) -> bool:
    """Whether the pattern stands there with people whom the library knows; they are then a condition."""
    for match in pattern.finditer(choice.text):
        names, end = _known_people(choice, match)
        if names:
            choice.add(condition, *names)
            choice.cut(match.start(), end)
            return True
    return False


def _known_people(choice: Choice, match: re.Match[str]) -> tuple[list[str], int]:
    """The people named, from the first on as far as they are known, and where their names end."""
    names: list[str] = []
    end = match.start("names")
    told, place = match["names"], 0
    for joint in [*_SEVERAL.finditer(told), None]:
        piece = told[place : joint.start() if joint else len(told)]
        name = re.sub(r"^(?:by|with) ", "", piece.strip()).removesuffix("'s").strip(".'")
        known = _known_person(choice, name)
        if not known:
            break
        names.append(known)
        end = match.start("names") + place + piece.find(known) + len(known)
        if known != name or joint is None:
            break
        place = joint.end()
    whole = match.end() if names and end >= match.end("names") else end
    return names, whole


def _known_person(choice: Choice, name: str) -> str:
    """The longest beginning of `name` that is an author's."""
    words = name.split()
    tried = (" ".join(words[:size]) for size in range(len(words), 0, -1))
    return next((one for one in tried if len(one) > 2 and choice.scene.is_author(one)), "")


_AT = Phrases("""
    [that|which|and] [was|were|is|are|have been] [published|appeared|appearing|presented|accepted] (in|at|from)
        [the] [journal|conference|proceedings of] [the] <name:text>
""")
_NOT_AT = Phrases("""
    [but|and|that|which] [are|is|were] (not|nothing|none|except|excluding|without) [those|papers|the ones]
        [published|from] (in|at|from) [the] [journal|conference] <name:text>
""")
_BEFORE_PAPERS = re.compile(r"(?P<name>[\w&-]+(?: [\w&-]+){0,6}?)(?:'s)? (?=papers?\b|articles?\b)", re.IGNORECASE)


def read_venues(choice: Choice) -> None:
    """Venues: those of the library, and the usual names of others."""
    if (found := _NOT_AT.find(choice.text)) and (name := _known_venue(choice, found.slots["name"])):
        _take_venue(choice, found, name, "without_venues")
    text, at = choice.text, 0
    while (found := _AT.find(text[at:])) is not None:
        if name := _known_venue(choice, found.slots["name"]):
            _take_venue(choice, Found(found.start + at, found.end + at, found.slots), name, "venues")
            _more_venues(choice)
            return
        at += found.end - len(found.slots["name"])
    said = read_venue(plain(choice.text), choice.scene.today)
    if said.name:
        choice.add("venues", *said.name.split(" or "))
        choice.text = without(choice.text, said.spans)
        return
    _bare_venue(choice)


def _take_venue(choice: Choice, found: Found, name: str, condition: str) -> None:
    choice.add(condition, name)
    begins = choice.text.index(name, found.start)
    choice.cut(found.start, begins + len(name))


_MORE = re.compile(r", (?:or|and) (?:in |at |from )?(?P<name>[\w&-]+)")


def _more_venues(choice: Choice) -> None:
    """`in Nature or Science`: the second beside the one that was just taken out."""
    if (more := _MORE.search(choice.text)) and _is_venue(choice, more["name"]):
        choice.add("venues", more["name"])
        choice.cut(*more.span())


def _bare_venue(choice: Choice) -> None:
    """`SIGIR papers`, or a venue alone: `NeurIPS`."""
    for match in _BEFORE_PAPERS.finditer(choice.text):
        words = match["name"].split()
        for size in range(min(len(words), _LONGEST), 0, -1):
            name = " ".join(words[-size:])
            if _is_venue(choice, name) and not choice.scene.is_author(name):
                start = match.end("name") - len(name)
                choice.add("venues", name)
                choice.cut(start, match.end("name"))
                return
    alone = re.findall(r"[\w&-]+", choice.text)
    if len(alone) == 1 and alone[0].lower() in VENUES and _is_venue(choice, alone[0]):
        choice.add("venues", alone[0])
        choice.text = ""


_NO_VENUES = QUESTION_WORDS | STOP_WORDS | {"papers", "new", "my", "saved", "journal", "conference", "annual", "online"}


def _known_venue(choice: Choice, text: str) -> str:
    """The longest beginning of `text` that is a venue's name."""
    words = re.split(r"[,;.?!]", text)[0].split()[:_LONGEST]
    tried = (" ".join(words[:size]).strip("\"'") for size in range(len(words), 0, -1))
    return next((name for name in tried if _is_venue(choice, name)), "")


def _is_venue(choice: Choice, name: str) -> bool:
    small = name.lower()
    if small in _NO_VENUES:
        return False
    usual = small in VENUES and (name[:1].isupper() or small in ABBREVIATED)
    return len(name) > 1 and (usual or choice.scene.is_venue(name))
