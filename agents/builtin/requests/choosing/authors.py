"""Authors: by the words beside their names, and by the names that the library knows."""

import re

from agents.builtin.question_parsing.author_names import read_author_names
from agents.builtin.question_parsing.spans import plain, without
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import HEARD

_SEVERAL = re.compile(r"\s*(?:,\s*(?:and|or)\b|,|\band\b|\bor\b|&|/)\s*")
_NAME = r"[\w.'-]+"
_NO_NAME = (
    r"(?!and\b|or\b|since\b|from\b|in\b|at\b|before\b|after\b|on\b|about\b|with\b|that\b|papers?\b|but\b|not\b|have\b"
    r"|are\b|is\b|my\b|by\b|which\b|either\b|both\b|between\b|until\b|sorted\b|most\b|newest\b|oldest\b|there\b|do\b|i\b|published\b"
    r"|without\b|nor\b|neither\b|only\b|appeared\b|tagged\b|in\b|of\b|the\b|first\b|where\b|who\b|please\b|year\b"
    r"|date\b|title\b|citations?\b|everything\b|anything\b|something\b|nothing\b|stuff\b|all\b|whatever\b|take\b"
    r"|ones\b|those\b|works?\b|articles?\b|any\b|what\b|many\b|much\b|how\b)"
)
_PERSON = rf"{_NO_NAME}{_NAME}(?: {_NO_NAME}{_NAME}){{0,2}}"
_AND_PERSON = rf"(?:(?: ?,(?: and| or)?| and| or| &| with) (?:by )?{_PERSON}){{0,8}}"
_WRITTEN = (
    r"(?:that |which )?(?:(?:were|was|are|is|have been|has been) )?(?:written |authored |co-?authored |published )?"
)
_BY = re.compile(
    rf"\b(?:{_WRITTEN}by|{_WRITTEN}from the pen of|from|(?:papers|works?|articles|publications) of"
    rf"|with (?:the )?authors?|whose (?:first )?author is|authored by)"
    rf" (?:(?:either|both) )?(?P<names>{_PERSON}{_AND_PERSON})",
    re.IGNORECASE,
)
_NOT_BY = re.compile(
    rf"\b(?:but |and |that |which )*(?:are |is |were )?(?:not|nothing|none|no|except|excluding|without|neither|nor"
    rf"|minus)"
    rf"(?: the| any)?(?: papers| ones| those| articles| everything| anything)?(?: written| (?:co-?)?authored"
    rf"| co-?written)? (?:by|with|from)"
    rf" (?P<names>{_PERSON}{_AND_PERSON})",
    re.IGNORECASE,
)
_WROTE = re.compile(
    rf"\b(?:that |which |what |papers )?(?:has |have |did )?(?P<names>{_PERSON}{_AND_PERSON})"
    r" (?:has |have |had )?(?:(?:ever )?(?:(?:co-?)?(?:written|wrote|write)|publish(?:ed)?|(?:co-?)?author(?:ed)?))\b",
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
_WHERE_NOT = re.compile(
    rf"\b(?:(?:and |but )?(?:where|in which|of which|that|which)|but|and|though) (?P<names>{_PERSON})"
    r" (?:(?:is|was) not|did not|has not|never)(?: listed)?(?: as| among| one of)?"
    r" (?:(?:an? |the |first )*(?:co-?)?authors?|on it|on them|involved"
    r"|part of it|(?:co-?)?(?:write|author|wrote|written)(?: (?:it|them))?)\b",
    re.IGNORECASE,
)
_WHERE = re.compile(
    rf"\b(?:where|in which|of which|that|which) (?:both )?(?P<names>{_PERSON}{_AND_PERSON})"
    r" (?:is|was|are|were)(?: both)?(?: listed)?(?: as| among| one of)? (?:an? |the |first )*(?:co-?)?authors?"
    r"(?: of)?\b",
    re.IGNORECASE,
)


_NAMED = re.compile(
    r"\bby (?:(?:the |an? )?(?:authors?|persons?|people|researchers?|someone|somebody|one)) (?:(?:named|called|with"
    r" the name|whose name is) )?(?=[A-Z])"
)


_WRITTEN_WITH = re.compile(
    rf"\b(?:that |which |what )?(?P<names>{_PERSON}) (?:has |have |had )?(?:co-?wrote|co-?written|co-?authored"
    rf"|wrote|written"
    r"|published|authored)(?: papers)?(?: together| jointly)? with ",
    re.IGNORECASE,
)
_HAS = re.compile(
    rf"\b(?:does|do|did|has|have) (?P<names>{_PERSON}{_AND_PERSON}) (?:have|got|had)\b(?: (?:written|published))?",
    re.IGNORECASE,
)


_POSSESSIVE = re.compile(r"\b(?:of )?(?P<name>[A-Z][\w-]+)(?:'s|s')(?= |$)")


def _of_owner(choice: Choice, owner: re.Match[str]) -> str:
    """Somebody's papers are papers by them, wherever the papers stand: "Robertson's most recent paper"."""
    known = choice.scene.is_author(owner["name"]) and not choice.scene.is_title(owner["name"])
    return f"by {owner['name']} ," if known else owner[0]


def read_authors(choice: Choice) -> None:
    """Authors, and those whose papers are not wanted."""
    choice.text = _WRITTEN_WITH.sub(r"by \g<names> and ", _NAMED.sub("by ", choice.text))
    choice.text = _POSSESSIVE.sub(lambda owner: _of_owner(choice, owner), choice.text)
    while _people(choice, _NOT_BY, "without_authors") or _people(choice, _WHERE_NOT, "without_authors"):
        pass
    found = any(_people(choice, pattern, "authors") for pattern in (_BY, _WITH, _WHERE, _HAS, _WROTE))
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


_LONE = re.compile(
    r"[ ,]*(?:(?:papers?|works?|articles?|anything|stuff|all|everything|what|which)[ ,]+)?(?P<names>[\w'-]+"
    r"(?:(?: ?,| and| or| &| with| together with| plus)+ (?!(?:and|or|with|but|not)\b)[\w'-]+){0,4})"
    r"(?:(?: ,|,)*(?: but| and)? (?:not|without|no|minus|except) (?:with |by )?(?P<others>[\w'-]+))?"
    r"(?: together| jointly|[ ,]|papers?)*",
    re.IGNORECASE,
)


def _lone_author(choice: Choice) -> None:
    """Names that are all that is left: `Hinton 2006`, `LeCun but not Bengio`."""
    found = _LONE.fullmatch(choice.text.strip(" ?.!"))
    if found is None:
        return
    names = [
        name.removesuffix("'s")
        for name in _SEVERAL.split(re.sub(r" (?:together )?with | plus ", " and ", found["names"]))
    ]
    others = [found["others"]] if found["others"] else []
    if all(_is_somebody(choice, name) for name in (*names, *others)):
        either = len(names) > 1 and re.search(r"\bor\b", found["names"], re.IGNORECASE)
        choice.add("any_authors" if either else "authors", *names)
        if others:
            choice.add("without_authors", *others)
        choice.text = ""


def _is_somebody(choice: Choice, name: str) -> bool:
    """Whether a name that stands alone is an author's; in small letters, only if it is no word."""
    if len(name) < 3 or name.isupper() or not choice.scene.is_author(name):
        return False
    return name[:1].isupper() or not (choice.scene.is_subject(name) or choice.scene.is_title(name) or name in HEARD)


def _people(choice: Choice, pattern: re.Pattern[str], condition: str) -> bool:
    """Whether the pattern stands there with people whom the library knows; they are then a condition."""
    for match in pattern.finditer(choice.text):
        names, end = _known_people(choice, match)
        if names:
            either = len(names) > 1 and re.search(r"\bor\b|/", choice.text[match.start("names") : end])
            choice.add("any_authors" if either and condition == "authors" else condition, *names)
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
    return next(
        (one for one in tried if len(one) > (1 if one[:1].isupper() else 2) and choice.scene.is_author(one)), ""
    )
