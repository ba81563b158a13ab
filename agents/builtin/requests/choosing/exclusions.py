"""What papers must not be about: "not about patents", "no surveys", "without reinforcement learning"; and which ones
are left out: "without the first two"."""

import re

from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.likeness import named_at_start
from agents.builtin.requests.choosing.venues import is_venue
from agents.builtin.requests.phrases import Phrases

_NOT = Phrases("""
    [and|but] [that|which] [are|is] (less|not so much|not as much|rather not) (about|on|concerned with|focused on|into)
    [and|but] [that|which] ((do|does|are|is|should|must) not|not|never|nothing|none|no|without|excluding|exclude|
        except|except for|other than|apart from|minus|avoiding|skip|skipping|leaving out|leave out|rather than|
        instead of) [the ones|those|papers|articles|anything|any|ones|stuff|work|things] [that|which] [are|is|be|
        being] [on the (topic|subject|theme|matter|question) of|about|on|mention|mentioning|concerning|dealing
            with|deal with|related to|involving|involve|use|uses|
        using|in the area of|on the (topic|subject|theme|matter|question) of|concerned with|related
            with|covering|cover|speak of|talk about|talking about|focused on|focusing on|of|with|
        containing|contain]
""")
_STATES = re.compile(
    r"^(?:read|saved|open|yet|only|sure|too|so|be|in|at|from|by|have|been|my|many|much)\b", re.IGNORECASE
)
_MOST = 12
"""Things that are excluded, at most."""
_PARTS = re.compile(r"\s*(?:,(?: (?:or|nor|and))?|\bor\b|\bnor\b)\s*")


def read_exclusions(choice: Choice) -> None:
    """Phrases that must not stand in a paper; papers that are named there are to be far from, those of the list that
    are pointed at are left out."""
    begin = 0
    for _ in range(_MOST):
        if (found := _NOT.find(choice.text[begin:])) is None:
            return
        rest = choice.text[begin + found.end :].lstrip()
        if not rest or _STATES.match(rest):
            begin += found.end
            continue
        names, length = named_at_start(choice, rest)
        choice.text = f"{choice.text[: begin + found.start]} , {rest[length:]}".strip()
        if names and not choice.is_soft and all(name.startswith("@") for name in names):
            choice.conditions["except_papers"] = (*choice.conditions.get("except_papers", ()), *names)
            continue
        if names and all(choice.scene.is_title(name) or name.startswith("@") for name in names):
            choice.unlike += names
            continue
        if choice.is_soft and (wish := _CLAUSE.match(rest)):
            choice.unlike_words.append(wish["said"])
            choice.text = f"{choice.text[: begin + found.start]} , {rest[wish.end() :]}".strip()
            continue
        for part in _PARTS.split(rest[:length].strip(" \"'")):
            _exclude(choice, part)
        if more := _AND_MORE.match(rest, length):
            _exclude(choice, more["more"])
            choice.text = f"{choice.text[: begin + found.start]} , {rest[more.end() :]}".strip()


_CLAUSE = re.compile(
    r"(?P<said>[^,;.?!]{3,60}? (?:that|which|who) (?:use|uses|are|is|have|has|can|do|does|need|needs|work"
    r"|works)\b[^,;.?!]*)"
)
"""Something that only a clause tells, which no phrase can stand for."""
_PART_OF_A_RECORD = re.compile(
    r"(?:any |a |an )?(?:tags?|notes?|labels?|abstracts?|citations?"
    r"|ratings?)",
    re.IGNORECASE,
)
"""What papers may lack, and are not about: that is for other readers, or is not understood."""
_AND_MORE = re.compile(
    r" and (?!(?:also|only|not|no|nothing|without|published|written|sorted|ordered|ranked|by|in|since|from"
    r"|before|after|with|cited"
    r"|show|list|i|that|which|tagged|more|less|at|on|my|the|newest|oldest|most|unread|saved|are|is|have|has)\b)"
    r"(?P<more>[\w-]+(?: [\w-]+){0,3})(?= *(?:$|[,.;?!]))",
    re.IGNORECASE,
)
"""A second thing that is left out with the first: "without games and machine translation"."""
_MORE_PAPERS = re.compile(r"\s+(?:ones|papers|articles|stuff|works?|studies|things|methods ones)$", re.IGNORECASE)


def _exclude(choice: Choice, said: str) -> None:
    """What is excluded is a tag, an author or a venue beside others of its kind, else a phrase."""
    name = said.strip(" \"'")
    bare = _MORE_PAPERS.sub("", topic_of(name) or name).strip(" \"'")
    if not bare or _PART_OF_A_RECORD.fullmatch(bare):
        return
    tag = next((tag for tag in choice.scene.tags if tag.casefold() == bare.casefold()), "")
    authors = {"authors", "any_authors", "without_authors"} & set(choice.conditions)
    if tag and "tags" in choice.conditions:
        choice.add("without_tags", tag)
    elif authors and bare[:1].isupper() and choice.scene.is_author(bare):
        choice.add("without_authors", bare)
    elif bare[:1].isupper() and is_venue(choice, bare) and not choice.scene.is_title(bare):
        choice.add("without_venues", bare)
    else:
        choice.add("without", bare)
