"""What else a request can want than papers by what they are like: each reader knows one kind of act."""

import re
from collections.abc import Callable
from typing import Any

from agents.builtin.question_parsing.dates.bounds import read_dates
from agents.builtin.question_parsing.spans import blanked, plain
from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.choosing import Choice, read_choice
from agents.builtin.requests.references import IT, NUMBER, SHOWN, names_in, number_of
from agents.builtin.requests.scene import Call, Reading, Scene

Act = Callable[[str, Scene], Reading | None]
PAGE = 10


def _one(tool: str, onward: bool = True, /, **arguments: Any) -> Reading:
    given = {name: value for name, value in arguments.items() if value not in (None, "", (), [], False)}
    return Reading((Call(tool, given),), onward)


def _match(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(pattern, text, re.IGNORECASE)


# Small talk, and the list


def undo(text: str, scene: Scene) -> Reading | None:
    pattern = (r"^(?:undo|revert|go\s+back|back|step\s+back|back\s+up)\b(?!.*\bto\s+(?:19|20)[0-9]{2})|^(?:never\s*mind|forget)\s+(?:that|the\s+last|this)\b"
               r"|^(?:take|bring|put)\s+(?:that|it|them)\s+back|^(?:return|restore)\b|\b(?:drop|undo|remove|without|forget|cancel|revert)\s+(?:the\s+|that\s+)?(?:last|previous)\s+(?:filter|condition|step|restriction|choice|one|change)\b"
               r"|^(?:as|like)\s+(?:it\s+was\s+)?before\b|\b(?:the\s+)?(?:list|results|ones)\s+(?:from\s+)?before(?:\s+that)?$")  # fmt: skip
    return _one("undo") and Reading((Call("undo"), Call("list")), True) if _match(pattern, text) else None


def fetch(text: str, scene: Scene) -> Reading | None:
    if scene.candidates is None:
        return None
    if match := _match(
        rf"^(?:(?:show|give|list|see|and)\s+(?:me\s+)?)?(?:the\s+)?(?:next|more|another|further)(?:\s+(?P<n>{NUMBER}))?(?:\s+(?:papers?|ones?|results?|please|of\s+(?:them|these|those|the\s+list)))*$|^(?:show|see|list)\s+(?:me\s+)?more(?:\s+(?:papers|results|of\s+(?:them|these|those)))?$|^(?:keep\s+going|continue|go\s+on|the\s+rest|show\s+(?:me\s+)?the\s+rest|page\s+down|next\s+page)$",
        text,
    ):
        given: dict[str, Any] = {"first": scene.last_place + 1}
        if match["n"]:
            given["limit"] = number_of(match["n"].lower())
        elif "rest" in text:
            given["limit"] = min(max(scene.candidates - scene.last_place, 1), 100)
        return Reading((Call("list", given),), True)
    if match := _match(
        rf"^(?:(?:show|give|list|see|print|display)\s+(?:me\s+)?)?(?:only\s+|just\s+)?(?:the\s+)?(?P<end>first|top|last)\s+(?P<n>{NUMBER})(?:\s+(?:papers?|ones?|results?|of\s+(?:them|these|those|the\s+list)))*$",
        text,
    ):
        count = number_of(match["n"].lower())
        first = max(scene.candidates - count, 0) + 1 if match["end"].lower() == "last" else 1
        return Reading((Call("list", {"first": first, "limit": max(1, min(count, 100))}),), True)
    if match := _match(
        rf"^(?:show|give|list|see|print|display)\s+(?:me\s+)?(?:(?P<all>all|everything|the\s+whole\s+list)|(?P<n>{NUMBER}))?(?:\s*of\s+)?\s*(?:them|these|those|the\s+(?:list|results))?(?:\s+(?:all|again|now))?$",
        text,
    ):
        given = {}
        if match["all"] or text.endswith(" all"):
            given["limit"] = max(min(scene.candidates, 100), 1)
        elif match["n"]:
            given["limit"] = number_of(match["n"].lower())
        return Reading((Call("list", given),), True)
    if match := _match(
        r"^(?:(?:show|list)\s+(?:me\s+)?)?(?:papers?|results?|numbers?)?\s*(?P<a>[0-9]{1,3})\s*(?:-|to)\s*(?P<b>[0-9]{1,3})$",
        text,
    ):
        first, last = int(match["a"]), int(match["b"])
        if 1 <= first <= last:
            return Reading((Call("list", {"first": first, "limit": min(last - first + 1, 100)}),), True)
    return None


def take(text: str, scene: Scene) -> Reading | None:
    pattern = (r"^(?:consider|take|use|look\s+at|let'?s\s+(?:look\s+at|take|consider|talk\s+about|focus\s+on|work\s+with)|focus\s+on|work\s+with|start\s+(?:from|with)|keep|pick|choose|select|stick\s+(?:to|with)|narrow\s+(?:it\s+)?down\s+to|limit\s+(?:it|yourself)\s+to)"
               r"\s+(?:only\s+|just\s+)?(?:these(?:\s+(?:papers|two|three|four))?\s*:\s*|the\s+papers\s*:?\s+)?(?P<np>.+?)(?:\s+(?:only|alone|from\s+now\s+on|for\s+now|and\s+(?:no\s+others?|nothing\s+else)))*$"
               r"|^only\s+(?P<np2>.+)$|^just\s+(?P<np3>.+)$")  # fmt: skip
    match = _match(pattern, text)
    if not match:
        return None
    slot = match["np"] or match["np2"] or match["np3"]
    names = names_in(slot, scene)
    pointing = [name for name in names if name.startswith("@")]
    if names and (
        len(pointing) == len(names)
        or all(name.startswith("@") or scene.is_title(name) for name in names)
        or ":" in text
    ):
        return Reading((Call("take", {"papers": list(names)}), Call("list")), True)
    return None


# One paper


_PARTS = (
    ("abstract", r"abstracts?"),
    ("authors", r"authors?|who\s+(?:wrote|has\s+written|authored|is\s+behind|are\s+the\s+people\s+behind)|wrote|written\s+by\s+whom|by\s+whom"),
    ("venue", r"venue|journal|conference|where\s+(?:was|is|were|did)\b.*\b(?:published|appear|from)|published\s+where"),
    ("date", r"(?:publication\s+)?(?:date|year)|when\s+(?:was|is|were|did)\b|what\s+year|how\s+old|from\s+when"),
    ("citations", r"(?:citation\s+count|number\s+of\s+citations|how\s+(?:many\s+times|often)\b.*\bcited|how\s+many\s+(?:citations|cites|times))"),
    ("identifiers", r"doi|identifiers?|arxiv\s+(?:id|number)|pmid|arxiv\s+link"),
    ("pdf", r"pdf|full\s+text|download\s+link"),
    ("note", r"(?:my\s+)?notes?"),
    ("tags", r"(?:my\s+)?tags?"),
    ("keywords", r"keywords?"),
)  # fmt: skip
_ASKS_PART = re.compile(
    r"^(?:(?:show|give|tell|read|print|display|get|fetch|see|view)\s+(?:me\s+)?|what(?:'s|\s+is|\s+are|\s+was|\s+does)\s+|what\s+|who\s+(?:are|is|were)\s+|(?:and\s+)?(?=the|whose|its|their)|(?=(?:abstract|authors?|year|doi|venue|pdf|citation\s+count|keywords|date)\b))"
    r"(?:(?:the|its|their|of)\s+)*(?P<part>.+?)\s+(?:of|for|to|about|on|in)\s+(?P<np>.+)$",
    re.IGNORECASE,
)


def one_paper(text: str, scene: Scene) -> Reading | None:
    text = re.sub(r"\s+(?:again|please|pls|exactly)$", "", text, flags=re.I)
    for name, pattern in _PARTS:
        possessive = _match(
            rf"^(?:(?:show|give|tell|read|print|what(?:'s|\s+is|\s+are|\s+was)|who\s+(?:are|is)|see|view)\s+(?:me\s+)?)?(?:the\s+)?(?P<np>.+?)(?:'s|s')\s+(?:(?:full|whole|complete|publication)\s+)?(?:{pattern})$",
            text,
        )
        if possessive and not _match(r"^(?:my|i)\b", possessive["np"]):
            return _look(possessive["np"], (name,), scene)
        if _match(
            rf"^(?:(?:show|give|tell|read|print|see|view|what(?:'s|\s+is|\s+are))\s+(?:me\s+)?)?(?:its|their)\s+(?:(?:full|whole)\s+)?(?:{pattern})$",
            text,
        ):
            return _look("it", (name,), scene)
    if match := _ASKS_PART.match(text):
        for name, pattern in _PARTS:
            if re.fullmatch(
                rf"(?:(?:full|whole|complete|publication|first)\s+)?(?:{pattern})", match["part"].strip(), re.I
            ):
                return _look(match["np"], (name,), scene)
    for name, pattern in (
        (
            "authors",
            r"^who\s+(?:wrote|has\s+written|authored|published|is\s+behind|made)\s+(?P<np>.+)$|^(?:by\s+whom|who\s+is)\s+(?P<np2>.+?)\s+(?:by|written|from)$|^(?P<np3>.+?)\s+(?:is|was)\s+(?:written\s+)?by\s+(?:whom|who)$|^(?:by\s+whom\s+(?:is|was)|who\s+(?:is|are|was|were)\s+the\s+(?:first\s+)?authors?\s+(?:of|on|behind))\s+(?P<np4>.+?)(?:\s+written)?$",
        ),
        (
            "venue",
            r"^where\s+(?:was|is|were|did|has)\s+(?P<np>.+?)\s+(?:been\s+)?(?:published|appear(?:ed)?|come\s+out|presented|from)$|^(?:in\s+)?(?:which|what)\s+(?:venue|journal|conference)\s+(?:was|is|did|published|has)\s+(?P<np2>.+?)(?:\s+(?:published|appear|in|from))*$",
        ),
        (
            "date",
            r"^when\s+(?:was|is|were|did|has)\s+(?P<np>.+?)(?:\s+(?:been\s+)?(?:published|written|appear(?:ed)?|come\s+out|released|from|out))*$|^(?:from\s+)?(?:in\s+)?(?:what|which)\s+year\s+(?:was|is|did|does)\s+(?P<np2>.+?)(?:\s+(?:published|from|appear|come\s+out|written|out))*$|^how\s+old\s+is\s+(?P<np3>.+)$",
        ),
        (
            "citations",
            r"^how\s+(?:many\s+times|often|much)\s+(?:was|is|has|were|did)\s+(?P<np>.+?)\s+(?:been\s+|get\s+)?cited$|^how\s+many\s+(?:citations|cites|times\s+cited)\s+(?:does|has|did)\s+(?P<np2>.+?)(?:\s+(?:have|got|get|collected|received))*$|^(?:is|has)\s+(?P<np3>.+?)\s+(?:been\s+)?(?:cited\s+(?:much|a\s+lot|often)|(?:highly|well|much|often)\s+cited)$",
        ),
        ("pdf", r"^(?:is\s+there|do\s+you\s+have|have\s+i\s+got)\s+a\s+pdf\s+(?:of|for)\s+(?P<np>.+)$"),
        (
            "abstract",
            r"^what\s+(?:is|does|was)\s+(?P<np>.+?)\s+(?:all\s+)?(?:about|say|do|claim|propose|deal\s+with|describe)$|^what'?s\s+(?P<np2>.+?)\s+about$",
        ),
        ("note", r"^what\s+did\s+i\s+(?:note|write|say)\s+(?:about|on|to|down\s+(?:about|on))\s+(?P<np>.+)$"),
        (
            "tags",
            r"^how\s+(?:did|have)\s+i\s+tag(?:ged)?\s+(?P<np>.+)$|^what\s+tags?\s+(?:does|do|has|have)\s+(?P<np2>.+?)(?:\s+(?:have|carry|got))?$",
        ),
    ):
        if (match := _match(pattern, text)) and (slot := next(filter(None, match.groups()), "")):
            if name == "abstract" and not _is_one(slot, scene):
                continue
            return _look(slot, (name,), scene)
    if match := _match(
        r"^(?:tell\s+me\s+(?:more\s+)?about|(?:show|give)\s+(?:me\s+)?(?:the\s+)?(?:details?|everything|info(?:rmation)?|more)\s+(?:of|on|about|for)|details?\s+(?:of|on|about|for)|(?:show|open|view|display|see)(?:\s+me)?|what\s+(?:do\s+(?:you|we)\s+know|is\s+known)\s+about|describe|explain)\s+(?P<np>.+?)(?:\s+in\s+(?:full|detail))?$",
        text,
    ):
        if _is_one(match["np"], scene):
            return _look(match["np"], (), scene)
        bare = names_in(match["np"], scene)
        if (
            re.match(r"(?:tell|details?|describe)", text, re.I)
            and len(bare) == 1
            and re.search(r"[\"“].{8,}[\"”]|\bpaper\b", match["np"])
        ):
            return _look(match["np"], (), scene)
    if match := _match(r"^(?:is|was|has)\s+(?P<np>.+?)\s+(?:been\s+)?(?:retracted|withdrawn)$", text):
        if (names := names_in(match["np"], scene)) and not (set(names) & {SHOWN}):
            return _one("check", papers=list(names))
    if _is_one(text, scene) and len(text.split()) >= 2 and not _match(r"\b(?:since|before|after|papers|cited)\b", text):
        return _look(text, (), scene)
    return None


def _is_one(slot: str, scene: Scene) -> bool:
    """Whether a slot names one paper that is there, or points at one."""
    names = names_in(slot, scene)
    return (
        len(names) == 1
        and names[0] != SHOWN
        and (names[0].startswith("@") or scene.is_title(names[0]) or ":" in names[0])
    )


def _look(slot: str, parts: tuple[str, ...], scene: Scene) -> Reading | None:
    names = names_in(slot, scene)
    if not names:
        return None
    return Reading(
        tuple(Call("paper", {"paper": name, **({"parts": list(parts)} if parts else {})}) for name in names[:10]), True
    )


def links(text: str, scene: Scene) -> Reading | None:
    for tool, pattern in (
        (
            "references",
            r"^(?:(?:show|list|give|get|what\s+are|which\s+are)\s+(?:me\s+)?)?(?:the\s+|all\s+)*(?:references|bibliography|reference\s+list|cited\s+papers|works\s+cited|literature)\s+(?:of|in|from|for|by)\s+(?P<np>.+)$|^(?:what|which(?:\s+papers?)?|who(?:m)?|papers?)\s+(?:does|do|did|is|are)\s+(?P<np2>.+?)\s+cit(?:e|ed|ing)(?:\s+by)?$|^(?:papers?\s+|works?\s+|what(?:'s|\s+is)\s+|articles?\s+)?cited\s+(?:by|in)\s+(?P<np3>.+)$|^(?:(?:show|list|give|get)\s+(?:me\s+)?)?(?P<np4>.+?)(?:'s)\s+(?:references|bibliography|reference\s+list)$|^(?:which|what)\s+papers?\s+(?:are|is)\s+cited\s+(?:by|in)\s+(?P<np5>.+)$|^what\s+(?:does|did)\s+(?P<np6>.+?)\s+(?:build\s+on|refer\s+to|rest\s+on|reference)$|^follow\s+the\s+references\s+(?:of|in|from)\s+(?P<np7>.+)$",
        ),
        (
            "citations",
            r"^(?:who|what|which(?:\s+papers?)?)\s+(?:(?:has|have|is|are)\s+)?(?:cites?|cited|citing|build(?:s)?\s+(?:up)?on|refers?\s+to|builds?\s+on)\s+(?P<np>.+)$|^(?:(?:show|list|find|give|get)\s+(?:me\s+)?)?(?:the\s+|all\s+|any\s+|later\s+)*(?:papers?|works?|articles?|ones|anything|those)\s+(?:that\s+|which\s+)?(?:cit(?:e|es|ing)|build(?:ing)?\s+(?:up)?on|refer(?:ring)?\s+to)\s+(?P<np2>.+)$|^(?:(?:show|list|give|get)\s+(?:me\s+)?)?(?:the\s+)?(?:citations|citing\s+papers|citing\s+works)\s+(?:of|for|to)\s+(?P<np3>.+)$|^(?:by\s+)?(?:whom|who)\s+(?:is|was)\s+(?P<np4>.+?)\s+cited(?:\s+by)?$|^(?:(?:show|list)\s+(?:me\s+)?)?(?P<np5>.+?)(?:'s)\s+(?:citations|citing\s+papers)$|^(?P<np6>.+?)\s+is\s+cited\s+by\s+(?:whom|who|which\s+papers)$|^follow\s+the\s+citations\s+(?:of|to)\s+(?P<np7>.+)$",
        ),
    ):
        if match := _match(pattern, text):
            slot = next(filter(None, match.groups()), "")
            names = names_in(slot, scene)
            if names:
                return Reading(tuple(Call(tool, {"paper": name}) for name in names[:1]), True)
    if (
        match := _match(
            r"^(?:ask|let|what\s+do(?:es)?)\s+(?:the\s+)?(?:sources?|semantic\s+scholar|openalex|pubmed|s2)\s+(?:for\s+|call|say\s+is|name|what\s+is|think\s+is)?\s*(?:papers\s+|anything\s+)?(?:like|similar\s+to)\s+(?P<np>.+)$",
            text,
        )
    ) and (names := names_in(match["np"], scene)):
        return _one("similar", paper=names[0])
    return None


# What changes something


_SHELF = r"(?:my\s+|the\s+)?(?:shelf|library|collection|bookmarks|reading\s+list|list|saved\s+papers)"
_TAGGED = r"(?:\s*(?:,|and|,\s*and)?\s*(?:(?:tag|label|mark|file)\s+(?:it|them|these|those|both|all)\s+(?:as|with|under)?|tagged(?:\s+(?:as|with))?|with\s+(?:the\s+)?tags?|under(?:\s+the\s+tag)?|as|with\s+the\s+label|labell?ed)\s*:?\s+(?P<tags>.+))?"


def save(text: str, scene: Scene) -> Reading | None:
    pattern = rf"^(?:save|bookmark|keep|store|shelve|collect|remember|add|put|file)\s+(?P<np>.+?)(?:\s+(?:to|on|in|into|onto|for)\s+{_SHELF}|\s+for\s+later)?{_TAGGED}$"
    match = _match(pattern, text)
    if not match or _match(
        r"^(?:add|put|write|attach)\s+(?:a\s+|the\s+|this\s+)?(?:note|tags?|label)\b|^(?:remember|keep)\s+(?:that|in\s+mind|only|just)\b|^(?:remember)\s+",
        text,
    ):
        return None
    if _match(r"^(?:add|put|file|keep|store|collect)\b", text) and not _match(
        rf"\b(?:to|on|in|into|onto)\s+{_SHELF}|for\s+later", text
    ):
        return None
    names = names_in(match["np"], scene)
    if not names and not _match(r"^(?:save|bookmark|shelve)\b", text):
        return None
    if chosen := _chosen_instead(match["np"], names, scene):
        return Reading(
            (*chosen.calls, Call("save", _given(papers=["@all"], tags=_tags_in(match["tags"])))), chosen.onward
        )
    return _one("save", papers=list(names or (SHOWN,)), tags=_tags_in(match["tags"]))


def _chosen_instead(slot: str, names: tuple[str, ...], scene: Scene) -> Reading | None:
    """Papers that are told by what they are like, where a name could stand: "save all papers by Robertson"."""
    if any(name.startswith("@") or scene.is_title(name) for name in names):
        return None
    if not _match(
        r"^(?:all|every|any|the|my|everything)\b.*\b(?:papers?|articles?|everything|ones|books?|surveys?|preprints?|unread|work)\b|^everything\b",
        slot,
    ):
        return None
    choice = read_choice(slot, scene)
    return Reading(tuple(choice.calls()), choice.onward) if choice.says_something else None


def _given(**arguments: Any) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value not in (None, "", (), [])}


def _tags_in(text: str | None) -> list[str]:
    if not text:
        return []
    quoted = re.findall(r"[\"“']([^\"”']{1,100})[\"”']", text)
    if quoted:
        return quoted
    text = re.sub(r"^(?:the\s+)?tags?\s+|\s+(?:please|pls)$|[.?!]+$", "", text.strip(), flags=re.I)
    return [part.strip() for part in re.split(r"\s*(?:,\s*and\s+|,|\band\b|&)\s*", text) if part.strip()]


def unsave(text: str, scene: Scene) -> Reading | None:
    pattern = rf"^(?:un-?save|unbookmark|unshelve)\s+(?P<np>.+)$|^(?:remove|take|delete|drop|throw|kick|get\s+rid\s+of|clear)\s+(?P<np2>.+?)\s+(?:from|off|out\s+of)\s+{_SHELF}$|^(?:take)\s+off\s+{_SHELF}\s+(?P<np3>.+)$"
    if not (match := _match(pattern, text)):
        return None
    slot = next(filter(None, match.groups()))
    names = names_in(slot, scene)
    if chosen := _chosen_instead(slot, names, scene):
        return Reading((*chosen.calls, Call("unsave", {"papers": ["@all"]})), chosen.onward)
    return _one("unsave", papers=list(names or (SHOWN,)))


def tag(text: str, scene: Scene) -> Reading | None:
    if match := _match(
        r"^(?:un-?tag)\s+(?P<np>.+?)(?:\s+(?:from|as|of|with)\s+(?P<tags>.+))?$|^(?:remove|take|delete|drop)\s+(?:the\s+)?(?:tags?|labels?)\s+(?P<tags2>.+?)\s+(?:from|off|of)\s+(?P<np2>.+)$|^(?:remove|take|delete|drop)\s+(?:the\s+)?(?P<tags3>[\w\"'./:+-]+(?:\s[\w\"'-]+)?)\s+(?:tags?|labels?)\s+(?:from|off|of)\s+(?P<np3>.+)$",
        text,
    ):
        tags = _tags_in(match["tags"] or match["tags2"] or match["tags3"])
        names = names_in(match["np"] or match["np2"] or match["np3"], scene)
        return _one("tag", papers=list(names or (SHOWN,)), remove=tags) if tags else None
    pattern = r"^(?:tag|label|categori[sz]e)\s+(?P<np>.+?)\s+(?:as|with|under)\s+(?:the\s+)?(?:tags?\s+)?(?P<tags>.+)$|^(?:add|attach|give|put|apply)\s+(?:the\s+|a\s+)?(?:tags?|labels?)\s+(?P<tags2>.+?)\s+(?:to|on|for)\s+(?P<np2>.+)$|^give\s+(?P<np3>.+?)\s+the\s+(?:tags?|labels?)\s+(?P<tags3>.+)$|^(?:add|attach|put|apply)\s+(?:the\s+)?(?P<tags4>[\w\"'./:+-]+)\s+(?:tag|label)\s+(?:to|on)\s+(?P<np4>.+)$|^file\s+(?P<np6>.+?)\s+(?:under|as)\s+(?P<tags6>.+)$|^(?:tag|label)\s+(?P<np5>these|those|them|it|both|all|all\s+of\s+(?:them|these|those)|(?:the\s+)?\w+(?:\s+one)?|@?[0-9]+)\s+[\"']?(?P<tags5>[\w./:+ -]+?)[\"']?$"
    if match := _match(pattern, text):
        found = match.groupdict()
        tags = _tags_in(next((value for name, value in found.items() if name.startswith("tags") and value), None))
        slot = next((value for name, value in found.items() if name.startswith("np") and value), "")
        names = names_in(slot, scene)
        if chosen := _chosen_instead(slot, names, scene):
            return Reading((*chosen.calls, Call("tag", {"papers": ["@all"], "add": tags})), chosen.onward)
        return _one("tag", papers=list(names or (SHOWN,)), add=tags) if tags else None
    return None


def note(text: str, scene: Scene) -> Reading | None:
    pattern = (r"^(?:(?:make|add|write|put|take|leave|attach)\s+(?:a|the|this|my)?\s*)?notes?\s+(?:on|to|about|for|at)\s+(?P<np>.+?)\s*(?::|,?\s+(?:saying|that\s+says|that\s+reads|reading|which\s+says|that))\s*[\"“']?(?P<text>.+?)[\"”']?$"
               r"|^(?:write|put|add|note|jot|attach)\s+(?:down\s+)?[\"“'](?P<text2>.+?)[\"”']\s+(?:as\s+(?:a|the|my)\s+note\s+)?(?:on|to|about|for|into\s+the\s+note\s+(?:of|on))\s+(?P<np2>.+)$"
               r"|^(?:note|comment)\s+(?P<np3>(?:the\s+)?[\w-]+(?:\s+(?:one|paper|result))?|@?[0-9]+)\s*:\s*(?P<text3>.+)$|^(?:note|write)\s+(?:down\s+)?(?:that|about|on|for)\s+(?P<np4>the\s+\w+(?:\s+(?:one|paper))?|it|this(?:\s+(?:one|paper))?|@?[0-9]+)\s*(?::|,|that)?\s+(?P<text4>.+)$")  # fmt: skip
    if match := _match(pattern, text):
        found = match.groupdict()
        words = next((value for name, value in found.items() if name.startswith("text") and value), "")
        slot = next((value for name, value in found.items() if name.startswith("np") and value), "")
        names = names_in(slot, scene)
        if len(names) >= 1:
            return Reading(
                tuple(Call("note", {"paper": name, "text": words.strip(" \"'“”")}) for name in names[:20]), True
            )
    if match := _match(
        r"^(?:delete|erase|remove|clear)\s+(?:the\s+|my\s+)?notes?\s+(?:on|of|about|from|for)\s+(?P<np>.+)$", text
    ):
        names = names_in(match["np"], scene)
        return Reading((Call("note", {"paper": names[0], "text": ""}),), True) if names else None
    return None


def mark(text: str, scene: Scene) -> Reading | None:
    for value, pattern in (
        (
            "unread",
            r"^(?:mark|set|flag)\s+(?P<np>.+?)\s+(?:as\s+)?(?:unread|not\s+read)$|^(?P<np2>.+?)\s+is\s+(?:not\s+read|unread)(?:\s+yet)?$",
        ),
        (
            "read",
            r"^(?:mark|set|flag)\s+(?P<np>.+?)\s+(?:as\s+)?(?:read|done|finished)$|^i(?:'ve|\s+have)?\s+(?:just\s+|already\s+)?(?:read|finished)\s+(?P<np2>(?!papers\b)(?:the|this|that|these|those|both|it|them|@).*)$|^(?:i'?m|i\s+am)\s+done\s+with\s+(?P<np3>.+)$",
        ),
        (
            "like",
            r"^i\s+(?:really\s+)?(?:like|love|liked|enjoyed)\s+(?P<np>(?:the\s+(?:first|second|third|fourth|fifth|last|two|three|\d)|this\b|that\b|these\b|those\b|it\b|them\b|number\s|paper\s|@|both).*)$|^(?:like|upvote|thumbs\s+up\s+(?:for|to)|star)\s+(?P<np2>.+)$|^(?:mark|rate|flag)\s+(?P<np3>.+?)\s+(?:as\s+)?(?:liked|good|relevant|a\s+favou?rite|great|interesting)$",
        ),
        (
            "dislike",
            r"^i\s+(?:really\s+)?(?:dislike|hate|don'?t\s+like|do\s+not\s+like|didn'?t\s+like)\s+(?P<np>(?:the\s+(?:first|second|third|fourth|fifth|last|two|three|\d)|this\b|that\b|these\b|those\b|it\b|them\b|number\s|paper\s|@|both).*)$|^(?:dislike|downvote|thumbs\s+down\s+(?:for|to|on))\s+(?P<np2>.+)$|^(?:mark|rate|flag)\s+(?P<np3>.+?)\s+(?:as\s+)?(?:disliked|bad|irrelevant|uninteresting)$",
        ),
        (
            "dismiss",
            r"^(?:dismiss|hide)\s+(?P<np>.+)$|^(?P<np2>.+?)\s+(?:is|are)(?:n't|\s+not)\s+(?:for\s+me|my\s+thing)$|^(?:not\s+interested\s+in|don'?t\s+(?:show|recommend)(?:\s+me)?)\s+(?P<np3>(?:the\s+(?:first|second|third|last|two|three|\d)|this\b|that\b|these\b|those\b|it\b|them\b|number\s|paper\s|@).*?)(?:\s+(?:again|any\s*more))?$|^(?:mark|flag)\s+(?P<np4>.+?)\s+(?:as\s+)?(?:not\s+for\s+me|dismissed|uninteresting\s+to\s+me)$",
        ),
    ):
        if match := _match(pattern, text):
            slot = next(filter(None, match.groups()), "")
            names = names_in(slot, scene)
            if chosen := _chosen_instead(slot, names, scene):
                return Reading((*chosen.calls, Call("mark", {"papers": ["@all"], "as": value})), chosen.onward)
            if names:
                return _one("mark", **{"papers": list(names), "as": value})
    return None


def remember(text: str, scene: Scene) -> Reading | None:
    text = re.sub(
        r"^(?:please\s+)?(?:remember|note|keep\s+in\s+mind|know|don'?t\s+forget)\s+(?:that\s+|please\s+)?(?=i\b|i'm\b|my\b)",
        "",
        text,
        flags=re.I,
    )
    text = re.sub(r"^add\s+to\s+my\s+profile\s*:?\s*(?:that\s+)?", "", text, flags=re.I)
    for facet, pattern in (
        (
            "dislike",
            r"^i\s+(?:really\s+)?(?:dislike|hate|don'?t\s+(?:like|care\s+(?:about|for)|want)|do\s+not\s+(?:like|care\s+(?:about|for)|want)|can'?t\s+stand|avoid)\s+(?P<t>.+)$|^i(?:'m|\s+am)\s+(?:not\s+interested\s+in|not\s+into|tired\s+of|bored\s+(?:by|of|with))\s+(?P<t2>.+)$",
        ),
        (
            "expect",
            r"^i\s+(?:expect|always\s+want|insist\s+on|need|want)\s+(?P<t>.+?)(?:\s+(?:in|from|of)\s+(?:papers?|a\s+paper))?$|^(?:papers|a\s+paper|they)\s+(?:should|must)\s+(?P<t2>.+)$",
        ),
        (
            "like",
            r"^i\s+(?:really\s+|also\s+|mostly\s+|mainly\s+)?(?:like|love|enjoy|prefer|work\s+on|care\s+about|am\s+into|follow|study)\s+(?P<t>.+)$|^i(?:'m|\s+am)\s+(?:very\s+|mostly\s+|mainly\s+|also\s+)?(?:interested\s+in|into|keen\s+on|working\s+on|fond\s+of)\s+(?P<t2>.+)$|^my\s+(?:interests?|topics?|field|area)\s+(?:is|are|lies?\s+in)\s+(?P<t3>.+)$",
        ),
    ):
        if match := _match(pattern, text):
            words = next(filter(None, match.groups()), "").strip(" .!")
            if _match(
                r"^(?:to\s|you\s|something\b|anything\b|this\b|that\b|it\b|them\b|these\b|those\b|the\s+(?:first|second|third|last)|papers?\s+(?:on|about)\b.*\bsince\b)",
                words,
            ):
                return None
            if (
                facet == "expect"
                and _match(r"^i\s+(?:want|need)\b", text)
                and not _match(
                    r"\b(?:code|open\s+access|data|experiments?|evaluation|theory|reproducib|proofs?|ablation|surveys?)\b",
                    words,
                )
            ):
                return None
            return _one("remember", facet=facet, text=words)
    return None


# What the program does besides


def export(text: str, scene: Scene) -> Reading | None:
    formats = (("biblatex", r"bib-?latex"), ("bibtex", r"bib-?tex|\.?bib(?:\s+(?:file|entries|entry))?"), ("ris", r"\.?ris"), ("csl-json", r"csl(?:[\s-]?json)?"), ("markdown", r"markdown"), ("csv", r"csv|spreadsheet"), ("text", r"plain\s+text|reference\s+list|formatted\s+references|apa|mla|chicago|ieee|vancouver|nature"))  # fmt: skip
    if not _match(
        r"\b(?:bib-?tex|bib-?latex|\.?bib|ris|csl(?:[\s-]?json)?|export|cite\s+(?:these|those|them|it|the|this|that|both)|cite\b|bibliography|citations?\s+(?:in|as)|in\s+(?:apa|mla|chicago|ieee|vancouver|nature)|(?:apa|mla|chicago|ieee|vancouver|nature)\s+(?:style|format|reference|citation)|as\s+(?:csv|markdown)|reference\s+list)\b",
        text,
    ):
        return None
    if _match(r"^(?:who|what|which|how)\b.*\bcit(?:e|es|ed)\b", text) and not _match(
        r"\b(?:bibtex|ris|apa|mla)\b", text
    ):
        return None
    format_ = next((name for name, pattern in formats if _match(rf"\b(?:{pattern})\b", text)), "")
    style = next(
        (name for name in ("apa", "mla", "chicago", "ieee", "vancouver", "nature") if _match(rf"\b{name}\b", text)), ""
    )
    rest = re.sub(
        r"\b(?:please|pls|write|give|show|make|get|produce|generate|create|export|print|me|the|a|an|as|in|into|to|its|their|cite|bibliography|citations?|references?|entry|entries|file|format|style|formatted|list|with|bib-?tex|bib-?latex|\.?bib|ris|csl(?:[\s-]?json)?|json|markdown|csv|plain\s+text|text|apa|mla|chicago|ieee|vancouver|nature|now|could|you|can|i|need|want|have|would|like|how\s+do|how|do|what(?:'s|\s+is))\b",
        " ",
        text,
        flags=re.I,
    )
    rest = re.sub(r"^\s*(?:(?:of|for|from|on)\s+)+", "", re.sub(r"\s+", " ", rest).strip(" .?!:,"))
    if _match(
        r"\bmy\s+(?:whole\s+|entire\s+)?shelf\b|\beverything\s+(?:i\s+)?saved\b|\bmy\s+saved\s+papers\b|\b(?:papers|ones)\s+tagged\b|\btagged\b",
        text,
    ):
        choice = read_choice(
            re.sub(
                r"^.*?\b(?=my\b|everything\b|papers\b|the\s+(?:papers|ones)\b|all\b)", "", text, count=1, flags=re.I
            ),
            scene,
        )
        choice.conditions.pop("words", None)
        conditions = choice.conditions or {"saved": True}
        return Reading(
            (Call("filter", conditions), Call("export", _given(papers=["@all"], format=format_, style=style))), False
        )
    names = names_in(rest, scene) if rest else ()
    if not names and _match(r"\b(?:its|it)\b", text):
        names = (IT,)
    return _one("export", papers=list(names or (SHOWN,)), format=format_, style=style)


def check(text: str, scene: Scene) -> Reading | None:
    pattern = r"^(?:check|verify|validate|proof-?read|audit)\s+(?P<np>.+?)(?:\s+for\s+(?:problems|errors|mistakes|retractions?|faults|missing\s+fields|anything\s+wrong))?$|^(?:is|are)\s+(?:there\s+)?(?:anything|something|any(?:thing)?\s+problems?|any\s+of\s+(?P<np2>these|those|them)|any)\s*(?:wrong|off|problems?|errors?|retracted|missing)?\s*(?:with|in|about)?\s*(?P<np3>.*)$|^(?:has|have|was|were)\s+(?:any\s+of\s+)?(?P<np4>.+?)\s+(?:been\s+|meanwhile\s+)*(?:retracted|published\s+(?:meanwhile|since|properly)|withdrawn)(?:\s+(?:yet|meanwhile|since))?$|^what(?:'s|\s+is)\s+(?:wrong|missing)\s+(?:with|in|from)\s+(?P<np5>.+)$"
    match = _match(pattern, text)
    if not match or not _match(
        r"\b(?:check|verify|validate|proof-?read|audit|wrong|problems?|errors?|retracted|withdrawn|missing|published)\b",
        text,
    ):
        return None
    slot = next(filter(None, match.groups()), "")
    if _match(r"\bmy\s+(?:shelf|saved\s+papers|library|collection|papers)\b", f"{slot} {text}"):
        return Reading((Call("filter", {"saved": True}), Call("check", {"papers": ["@all"]})), False)
    names = (
        names_in(
            re.sub(r"^(?:whether|if)\s+|\s+(?:is|are)\s+(?:ok|fine|complete|alright|retracted|correct)$", "", slot),
            scene,
        )
        if slot
        else ()
    )
    return _one("check", papers=list(names or (SHOWN,)))


def summarize(text: str, scene: Scene) -> Reading | None:
    pattern = r"^(?:(?:give|write|make|do|create|show)\s+(?:me\s+)?(?:a\s+|an\s+|the\s+)?(?:(?:short|brief|quick|cited|one-?paragraph|little|concise)\s+)*(?:summary|overview|tl;?dr|synthesis|synopsis|digest)(?:\s+(?:of|on|about|over|for)\s+)?|summari[sz]e\s*|sum\s+up\s*|tl;?dr\s*(?:of|on|for)?\s*|(?:an?\s+)?(?:overview|summary|synthesis)\s+(?:of|on|about)\s+|synthesi[sz]e\s+|what\s+do\s+(?=(?:these|those|they|the\s+(?:first|top|last|results)))|what\s+(?=(?:these|those|they)\s+say))(?P<rest>.*)$"
    if not (match := _match(pattern, text)):
        return None
    rest = match["rest"].strip(" .?!:")
    rest = re.sub(r"^(?:for\s+me\s+|me\s+)", "", rest, flags=re.I)
    said = _match(
        r"^(?:what\s+)?(?P<np>.+?)\s+(?:say|says|said|tell(?:s)?(?:\s+us)?|report|find|found|claim|know|write|have\s+to\s+say|agree|think)\s+(?:about|on|of|regarding|concerning|to)\s+(?P<topic>.+)$|^(?P<np2>these|those|them|the\s+\w+(?:\s+\w+)?|it|all(?:\s+of\s+(?:them|these|those))?)\s*(?:papers\s+|ones\s+)?(?:with\s+(?:a\s+)?(?:focus|respect|regard)\s+(?:on|to)|focus(?:s?ing|ed)?\s+on|regarding|concerning|about|on)\s+(?P<topic2>.+)$",
        rest,
    )
    if said:
        names = names_in(said["np"] or said["np2"], scene)
        if names and all(name.startswith("@") or scene.is_title(name) for name in names):
            return _one("summarize", topic=said["topic"] or said["topic2"], papers=_wide(names))
    if not rest or (names := _pointing(rest, scene)):
        return _one("summarize", topic="what these papers are about", papers=_wide(names if rest else (SHOWN,)))
    if _match(r"\bmy\s+shelf\b|\bsaved\b|\btagged\b|\bmy\s+[\w-]+\s+papers\b", rest):
        choice = read_choice(rest, scene)
        if choice.conditions:
            topic = ", ".join(choice.conditions.get("words", ())) or "what these papers are about"
            return Reading(
                (Call("filter", choice.conditions), Call("summarize", {"topic": topic, "papers": ["@all"]})),
                choice.onward,
            )
    if (names := names_in(rest, scene)) and all(scene.is_title(name) for name in names):
        return _one(
            "summarize", topic="what these papers are about" if len(names) > 1 else names[0], papers=list(names)
        )
    topic = (
        topic_of(
            re.sub(
                r"^(?:the\s+)?(?:literature|research|state\s+of\s+the\s+art|work|papers)\s+(?:on|in|about)\s+",
                "",
                rest,
                flags=re.I,
            )
        )
        or rest
    )
    return _one("summarize", False, topic=topic)


def _wide(names: tuple[str, ...]) -> list[str]:
    return list(names)


def _pointing(text: str, scene: Scene) -> tuple[str, ...]:
    """The papers that `text` does nothing but point at."""
    names = names_in(text, scene)
    return names if names and all(name.startswith("@") for name in names) else ()


def recommend(text: str, scene: Scene) -> Reading | None:
    pattern = rf"^(?:(?:what|which(?:\s+papers?)?|is\s+there\s+anything)\s+(?:should|could|shall|can|do|would|might)\s+i\s+(?:read|look\s+at)(?:\s+(?:next|now|today|tonight|first|this\s+week))*|what(?:'s|\s+is)\s+(?:next|worth\s+reading|good\s+to\s+read)(?:\s+(?:to\s+read|on\s+my\s+list))?|(?:recommend|suggest|propose)(?:\s+me)?\b|(?:any|got\s+any|have\s+you|do\s+you\s+have|give\s+me|show\s+me|i\s+(?:need|want)|make)\s+(?:some\s+|any\s+|a\s+few\s+|me\s+|{NUMBER}\s+)*(?:recommendations?|suggestions?|reading\s+tips)|something\s+(?:new\s+)?(?:to\s+read|for\s+me)|what\s+to\s+read\s+next|next\s+reads?|reading\s+recommendations?|find\s+me\s+something\s+to\s+read)(?P<rest>.*)$"
    if not (match := _match(pattern, text)):
        return None
    rest = match["rest"].strip(" .?!,")
    limit = None
    if count := _match(
        rf"\b(?P<n>{NUMBER})\s+(?:papers?|recommendations?|suggestions?|things?|articles?|reads?)?\b", text
    ):
        limit = number_of(count["n"].lower())
        rest = re.sub(rf"\b{NUMBER}\b", " ", rest, count=1, flags=re.I)
    rest = re.sub(
        r"^(?:(?:some|any|a\s+few|me|papers?|articles?|things?|something|anything|new|other|good|interesting|reads?|to\s+read|next|for\s+me|i\s+(?:might|would|could)\s+like|based\s+on\s+my\s+(?:history|reading|taste|shelf|library|profile|interests?)|from\s+my\s+(?:history|reading)|that\s+(?:fit|suit)s?\s+me)\s*)+",
        "",
        rest,
        flags=re.I,
    ).strip()
    if not rest:
        return _one("recommend", False, limit=limit)
    if tagged := _match(
        r"^(?:from|for|based\s+on|starting\s+(?:from|with)|given)\s+(?:my\s+|the\s+)?(?:papers?\s+)?(?:tag(?:ged)?\s+(?:with\s+|as\s+)?[\"']?(?P<tag>[\w./:+-]+)[\"']?|[\"']?(?P<tag2>[\w./:+-]+)[\"']?\s+(?:tag|papers))$",
        rest,
    ):
        return _one("recommend", False, tag=tagged["tag"] or tagged["tag2"], limit=limit)
    if like := _match(
        r"^(?:like|similar\s+to|based\s+on|from|starting\s+(?:from|with)|given|because\s+of|along\s+the\s+lines\s+of|in\s+the\s+style\s+of)\s+(?P<np>.+)$",
        rest,
    ):
        names = names_in(like["np"], scene)
        if names:
            return _one("recommend", papers=list(names), limit=limit)
    choice = read_choice(rest, scene)
    if choice.says_something:
        choice.order = choice.order or "preference"
        return Reading((*choice.calls(), Call("list", _given(limit=limit))), choice.onward)
    return None


_RUN_KINDS = (("summary", r"summar(?:y|ies)"), ("recommendation", r"recommendations?"), ("conversation", r"(?:conversations?|chats?|talks?)"), ("search", r"search(?:es|ed)?|queries|quer(?:y|ied)|questions?|ask(?:ed)?|look(?:ed)?\s+for|looked\s+up|google[d]?"))  # fmt: skip


def past_runs(text: str, scene: Scene) -> Reading | None:
    pattern = r"^(?:what|which|when|have|did|how\s+often)\b.*\b(?:did|have|had|was|were)?\s*i\s+(?:ever\s+|already\s+|last\s+|recently\s+)*(?:search(?:ed)?|ask(?:ed)?|look(?:ed)?\s+(?:for|up)|summari[sz]ed?|quer(?:y|ied)|run|ran)\b|\bmy\s+(?:past\s+|previous\s+|last\s+|recent\s+|earlier\s+|old\s+|latest\s+|first\s+|(?:[0-9]+|two|three|four|five|ten)\s+)*(?:search(?:es)?|summar(?:y|ies)|runs?|queries|questions|recommendations|conversations?|chats?|history)\b|^(?:list|show)\s+(?:me\s+)?(?:the\s+|all\s+|my\s+)*(?:past|previous|last|recent|earlier|old)\s+(?:[0-9]+\s+)?(?:search(?:es)?|summaries|runs?|queries|conversations?|recommendations)\b|^(?:search\s+)?history$|^(?:which|what)\s+(?:search(?:es)?|summar(?:y|ies)|runs?|conversations?|recommendations)\s+(?:are|were|have|did|do|about)\b|^(?:list|show)\s+(?:me\s+)?(?:all\s+|the\s+)*(?:search(?:es)?|summaries|runs)$"
    if not _match(pattern, text):
        return None
    kind = next((name for name, words in _RUN_KINDS if _match(rf"\b(?:{words})\b", text)), None)
    if kind == "search" and not _match(r"\b(?:search|quer|question|ask|look)", text):
        kind = None
    if _match(r"\bsummari[sz]ed\b", text):
        kind = "summary"
    dates = read_dates(plain(text), scene.today)
    since, until = _when(text, scene)
    rest = blanked(text, dates.spans)
    about = _match(
        r"\b(?:about|on|for|concerning|regarding|with|mention(?:ing)?|contain(?:ing)?)\s+(?P<t>(?!my\b|last\b|this\b|yesterday\b|today\b|me\b)[^?.!]+?)(?=\s*(?:$|[?.!]|\b(?:last|this|in|since|before|yesterday|today|recently|on\s+monday)\b))",
        rest,
    )
    words = topic_of(about["t"]) if about else ""
    limit = None
    if count := _match(
        r"\blast\s+(?P<n>[0-9]{1,2}|two|three|four|five|ten)\b(?!\s+(?:days?|weeks?|months?|years?))|\b(?P<m>[0-9]{1,2}|two|three|four|five|ten)\s+(?:last|latest|recent)\b",
        text,
    ):
        limit = number_of((count["n"] or count["m"]).lower())
    elif _match(
        r"\b(?:my|the)\s+(?:last|latest|most\s+recent)\s+(?:search|summary|run|query|question|recommendation|conversation)\b",
        text,
    ) or (_match(r"^when\b|\blast\s+(?:search|ask|summar)", text) and not _match(r"last\s+searches", text)):
        limit = 1
    return _one("runs", words=words, kind=kind, since=since, until=until, limit=limit)


def _when(text: str, scene: Scene) -> tuple[str | None, str | None]:
    """The days that a phrase about the past means, by the calendar of today."""
    from datetime import timedelta

    today = scene.today
    monday = today - timedelta(days=today.weekday())
    first = today.replace(day=1)
    before = first - timedelta(days=1)
    spans = (
        (r"\btoday\b", today, today),
        (r"\byesterday\b", today - timedelta(days=1), today - timedelta(days=1)),
        (r"\bthis\s+week\b", monday, today),
        (r"\b(?:last|previous|past)\s+week\b", monday - timedelta(days=7), monday - timedelta(days=1)),
        (r"\bthis\s+month\b", first, today),
        (r"\b(?:last|previous)\s+month\b", before.replace(day=1), before),
    )
    for pattern, since, until in spans:
        if _match(pattern, text):
            return since.isoformat(), until.isoformat()
    if match := _match(
        rf"\b(?:in|over|within|during)?\s*(?:the\s+)?(?:last|past)\s+(?P<n>{NUMBER})\s+(?P<unit>days?|weeks?|months?)\b",
        text,
    ):
        days = number_of(match["n"].lower()) * {"d": 1, "w": 7, "m": 30}[match["unit"][0].lower()]
        return (today - timedelta(days=days)).isoformat(), None
    if match := _match(rf"\b(?P<n>{NUMBER})\s+days?\s+ago\b", text):
        day = today - timedelta(days=number_of(match["n"].lower()))
        return day.isoformat(), day.isoformat()
    dates = read_dates(plain(text), scene.today).bounds
    return (dates.since.isoformat() if dates.since else None), (dates.until.isoformat() if dates.until else None)


def own_profile(text: str, scene: Scene) -> Reading | None:
    pattern = r"\bmy\s+(?:profile|taste|interests|preferences)\b(?!.*\b(?:sort|rank|order)\b)|^what\s+do\s+(?:you|we)\s+(?:know|think)\s+(?:about\s+me|(?:that\s+)?i\s+(?:like|dislike|want))|^what\s+(?:do|am)\s+i\s+(?:like|dislike|expect|interested\s+in|into|care\s+about)|^what\s+(?:are|is)\s+my\s+(?:interests?|likes|dislikes|field)|^who\s+am\s+i"
    if _match(pattern, text) and not _match(r"\b(?:sort|rank|order|by\s+my|to\s+my|suits?|fits?|match(?:es)?)\b", text):
        return _one("profile")
    return None


def shelf(text: str, scene: Scene) -> Reading | None:
    if _match(
        r"^(?:(?:show|list|open|see|print)\s+(?:me\s+)?)?(?:what(?:'s|\s+is|\s+do\s+i\s+have|\s+have\s+i(?:\s+got)?|\s+are)?\s+(?:(?:all\s+)?(?:on|in)\s+)?)?(?:all\s+(?:of\s+)?)?(?:my\s+)?(?:whole\s+|entire\s+)?(?:shelf|saved\s+papers|saved\s+ones|bookmarks|reading\s+list)(?:\s+(?:please|now))?$|^(?:what|which\s+papers)\s+(?:have\s+i|did\s+i|i\s+have|i've)\s+saved(?:\s+so\s+far)?$|^(?:list|show)\s+(?:me\s+)?(?:everything|all|what)\s+(?:that\s+)?i(?:'ve|\s+have)?\s+saved$",
        text,
    ):
        return _one("shelf", False)
    if _match(
        r"^(?:(?:show|list|see)\s+(?:me\s+)?)?(?:my\s+|the\s+|all\s+|which\s+|what\s+)*unread(?:\s+(?:papers?|ones|articles|stuff))?(?:\s+(?:on|in|from)\s+my\s+shelf)?(?:\s+(?:do\s+i\s+have|are\s+there))?$|^what\s+(?:have\s+i\s+not|haven'?t\s+i)\s+read(?:\s+yet)?$",
        text,
    ):
        return _one("shelf", False, unread=True)
    return None


_LIVE = r"(?:arxiv|openalex|semantic\s+scholar|s2|pubmed|medline|google(?:\s+scholar)?|the\s+(?:web|internet|sources|literature\s+databases)|online|live\s+sources)"
_SOURCES = {"arxiv": "arxiv", "openalex": "openalex", "semantic scholar": "semantic_scholar", "s2": "semantic_scholar", "pubmed": "pubmed", "medline": "pubmed", "google": "google"}  # fmt: skip


def search(text: str, scene: Scene) -> Reading | None:
    pattern = rf"^(?:(?:do|run|start|make|launch|begin)\s+(?:a\s+|me\s+a\s+)?(?:new\s+|deep\s+|quick\s+|fresh\s+|thorough\s+|live\s+)*search\s*(?:for|on|about)?|(?:deep\s+)?search(?:\s+(?:deeply|thoroughly|again|online|the\s+web))?(?:\s+for|\s+about)?|look\s+(?:online|on\s+the\s+web|outside)\s+for|google(?:\s+for)?|query|ask\s+(?={_LIVE})|(?:find|get|fetch|look\s+for|discover)\s+(?:me\s+)?(?:some\s+)?(?:new|fresh|further|unseen)\s+(?:papers?|work|articles?|ones|stuff|literature)?\s*(?:on|about|for)?|(?:find|look\s+(?:up|for))\s+(?:me\s+)?(?=.*\b(?:on|in|at|from|via|through|using)\s+{_LIVE}(?:\s*$|[,.?!]|\s+(?:for|since|from|and|or|about)\b)))\s*(?P<rest>.*)$"
    match = _match(pattern, text)
    if not match and _match(
        rf"\b(?:on|via|through|using|ask|from)\s+{_LIVE}\b(?:\s*$|\s+(?:for|since|about|please))", text
    ):
        match = _match(r"^(?P<rest>.*)$", text)
    if not match:
        return None
    rest = match["rest"]
    if _match(
        r"^(?:(?:in|on|through|within)\s+)?(?:my|the|our)\s+(?:own\s+)?(?:library|shelf|saved|notes?|collection)\b|^(?:these|those|them)\b|\b(?:in|on|through)\s+my\s+(?:library|shelf|collection)\b",
        rest,
    ):
        return None
    sources = list(
        dict.fromkeys(
            name
            for words, name in _SOURCES.items()
            if _match(rf"\b{words}\b", text) and not _match(rf"\babout\s+{words}\b", text)
        )
    )
    rest = (
        re.sub(
            rf"\b(?:on|in|at|via|through|using|from|ask|with)?\s*{_LIVE}(?:\s*(?:,|and|or|&)\s*(?:on\s+)?{_LIVE})*\b(?:\s+(?:only|for|about))?",
            " ",
            rest,
            flags=re.I,
        )
        if sources or _match(r"\b(?:the\s+(?:web|internet|sources)|online|live\s+sources)\b", rest)
        else rest
    )
    rest = re.sub(r"^(?:\s*(?:for|about|on|and|papers?\s+(?:on|about)|,|:)\s*)+", "", re.sub(r"\s+", " ", rest)).strip(
        " .?!,:"
    )
    if not rest:
        return None
    dates = read_dates(plain(rest), scene.today)
    bounds = dates.bounds
    given = {
        "question": re.sub(r"\s+", " ", blanked(rest, dates.spans)).strip(" ,.") or rest,
        "since": bounds.since.isoformat().removesuffix("-01-01") if bounds.since else None,
        "until": bounds.until.isoformat().removesuffix("-12-31") if bounds.until else None,
        "sources": sources,
        "deep": bool(_match(r"\b(?:deep(?:ly)?|thorough(?:ly)?|exhaustive(?:ly)?)\b", text)),
    }
    return _one("search", False, **given)


# Facts by SQL


def facts(text: str, scene: Scene) -> Reading | None:
    """Counts and other facts: a choice that is counted, or SQL over the views."""
    if match := _match(
        r"^(?:(?:and\s+)?how\s+many|count(?:\s+(?:the|my|all))*|(?:what(?:'s|\s+is)\s+)?(?:the\s+)?(?:total\s+)?number\s+of|what\s+number\s+of)\s+(?P<rest>.+)$",
        text,
    ):
        rest = match["rest"]
        if sql := _counted(rest):
            return _one("query", False, sql=sql)
        choice = read_choice(rest, scene)
        if (
            not choice.onward
            and scene.candidates is not None
            and _match(r"^(?:are\s+(?:there|from|on|about|by|in|open)|of\s+|have\b|were\b)", rest)
            and not _match(r"\blibrary\b|\bshelf\b|\bsaved\b", rest)
        ):
            choice.onward = True
        return Reading(
            (Call("filter", choice.conditions), *(call for call in choice.calls() if call.tool == "resemble")),
            choice.onward,
        )
    return _grouped(text, scene)


def _counted(rest: str) -> str | None:
    """SQL for counts of other things than papers."""
    for pattern, sql in (
        (r"^(?:different\s+|distinct\s+)?tags\b", "SELECT count(DISTINCT tag) AS tags FROM tags"),
        (
            r"^(?:different\s+|distinct\s+)?(?:venues|journals|conferences)\b",
            "SELECT count(DISTINCT venue) AS venues FROM papers WHERE venue != ''{saved}",
        ),
        (
            r"^(?:different\s+|distinct\s+)?authors\b",
            "SELECT count(DISTINCT first_author) AS first_authors FROM papers WHERE first_author != ''{saved}",
        ),
        (r"^notes\b", "SELECT count(*) AS notes FROM shelf WHERE note != ''"),
        (
            r"^(?:search(?:es)?|runs|summaries|recommendations|conversations)\b",
            "SELECT count(*) AS runs FROM runs{kind}",
        ),
        (
            r"^citations\b.*\b(?:all|together|total|shelf|library)\b",
            "SELECT sum(citations) AS citations FROM papers WHERE 1{saved}",
        ),
    ):
        if _match(pattern, rest):
            saved = " AND saved" if _match(r"\b(?:shelf|saved)\b", rest) else ""
            kind = next((f" WHERE kind = '{name}'" for name, words in _RUN_KINDS if _match(rf"^(?:{words})", rest)), "")
            return sql.format(saved=saved, kind="" if rest.startswith("runs") else kind)
    return None


_GROUPS = (
    (r"venues?|journals?|conferences?|where", "venue", "venue", "venue != ''"),
    (r"years?|when", "year", "year", "year IS NOT NULL"),
    (r"types?|kinds?", "type", "type", "1"),
    (r"languages?", "language", "language", "language IS NOT NULL"),
)


def _grouped(text: str, scene: Scene) -> Reading | None:
    saved = " AND saved" if _match(r"\b(?:shelf|saved|bookmarks?)\b", text) else ""
    most = r"(?:the\s+)?(?:most|largest\s+number\s+of|highest\s+number\s+of)"
    if _match(
        r"^(?:(?:list|show|what\s+are|which\s+are|give)\s+(?:me\s+)?)?(?:all\s+)?(?:my\s+|the\s+)?tags(?:\s+(?:do\s+i\s+(?:have|use)|i\s+(?:have|use)|are\s+there))?$|^(?:which|what)\s+tags\s+(?:do\s+i|have\s+i|are|exist)",
        text,
    ):
        return _one(
            "query", False, sql="SELECT tag, count(*) AS papers FROM tags GROUP BY tag ORDER BY papers DESC, tag"
        )
    if _match(
        rf"^(?:which|what)\s+(?:is\s+)?(?:my\s+)?(?:most\s+(?:used|common|frequent)\s+)?tags?\b.*\b(?:{most}|most)|^(?:which|what)\s+tag\b|most\s+(?:used|common|frequent)\s+tag",
        text,
    ):
        return _one(
            "query", False, sql="SELECT tag, count(*) AS papers FROM tags GROUP BY tag ORDER BY papers DESC, tag"
        )
    if _match(
        rf"^who\s+(?:wrote|has\s+written|published|authored|has|is|are)\s+.*\b(?:most|top|frequent)\b|^(?:which|what)\s+(?:first\s+)?authors?\s+.*\bmost\b|\bmost\s+(?:prolific|frequent|common|productive)\s+(?:first\s+)?authors?\b|\btop\s+(?:\w+\s+)?authors\b|\bauthors?\s+with\s+{most}\s+papers\b|^who\s+do\s+i\s+read\s+most\b",
        text,
    ):
        return _one("query", False, sql=_authors(saved))
    for words, name, column, known in _GROUPS:
        asked = rf"^(?:from\s+|in\s+)?(?:which|what)\s+(?:{words})\b.*\b(?:most|many|often|common|frequent)|\b(?:most\s+(?:common|frequent)|top)\s+(?:\w+\s+)?(?:{words})\b|\b(?:per|by|for\s+each|in\s+each|grouped\s+by)\s+(?:{words})\b|^(?:which|what)\s+(?:{words})\s+(?:are|is|do|does)\b(?!.*\b(?:first|second|third|paper)\b)|\b(?:distribution|breakdown|histogram)\s+(?:of|by|over|across)\s+.*(?:{words})"
        if _match(asked, text) and not _match(r"\b(?:sort|rank|order)\b", text):
            order = (
                "papers DESC, " + name
                if not (name == "year" and _match(r"\bper\b|\beach\b|\bdistribution\b|\bby\b", text))
                else name
            )
            return _one(
                "query",
                False,
                sql=f"SELECT {column}, count(*) AS papers FROM papers WHERE {known}{saved} GROUP BY {column} ORDER BY {order}",
            )
    if _match(r"\b(?:average|mean|avg)\b.*\b(?:citations?|cited)\b", text):
        return _one(
            "query",
            False,
            sql=f"SELECT round(avg(citations), 1) AS average_citations FROM papers WHERE citations IS NOT NULL{saved}",
        )
    if _match(r"\b(?:average|mean|avg)\b.*\b(?:year|age|old)\b", text):
        return _one(
            "query", False, sql=f"SELECT round(avg(year), 1) AS average_year FROM papers WHERE year IS NOT NULL{saved}"
        )
    if _match(r"\bmedian\b.*\bcitations?\b", text):
        return _one(
            "query",
            False,
            sql=f"SELECT citations AS median_citations FROM papers WHERE citations IS NOT NULL{saved} ORDER BY citations LIMIT 1 OFFSET (SELECT count(*) / 2 FROM papers WHERE citations IS NOT NULL{saved})",
        )
    if _match(
        r"\b(?:total|sum|altogether|combined)\b.*\bcitations?\b|\bcitations?\b.*\b(?:in\s+total|altogether|together|combined)\b",
        text,
    ):
        return _one("query", False, sql=f"SELECT sum(citations) AS citations FROM papers WHERE 1{saved}")
    if _match(
        r"^(?:what|which)\s+years?\s+(?:does|do|are|is).*\b(?:cover|span|range|from)|\b(?:year|time)\s+(?:range|span)\b",
        text,
    ):
        return _one(
            "query", False, sql=f"SELECT min(year) AS first_year, max(year) AS last_year FROM papers WHERE 1{saved}"
        )
    if _match(
        r"^when\s+did\s+i\s+(?:last\s+)?(?:save|add)\b.*\b(?:last|anything|a\s+paper|something)\b|^when\s+did\s+i\s+last\s+save\b",
        text,
    ):
        return _one("query", False, sql="SELECT title, saved FROM shelf ORDER BY saved DESC LIMIT 1")
    if _match(
        r"^(?:what|which\s+paper)\s+(?:did\s+i\s+save|have\s+i\s+saved|was\s+saved)\s+(?:last|most\s+recently)|\b(?:last|latest)\s+(?:saved|added)\s+paper\b|\bmy\s+last\s+saved\b",
        text,
    ):
        return _one("shelf", False, limit=1)
    return None


def _authors(saved: str) -> str:
    return (
        "WITH RECURSIVE split(paper, name, rest) AS ("
        f"SELECT id, '', authors || '; ' FROM papers WHERE authors != ''{saved}"
        " UNION ALL SELECT paper, substr(rest, 1, instr(rest, '; ') - 1), substr(rest, instr(rest, '; ') + 2)"
        " FROM split WHERE rest != '')"
        " SELECT name AS author, count(*) AS papers FROM split WHERE name != '' GROUP BY name ORDER BY papers DESC, name LIMIT 20"
    )


# Papers by what they are like


def chosen(text: str, scene: Scene) -> Reading | None:
    choice = read_choice(text, scene)
    return _shown(choice, text, scene) if choice.says_something else None


_HERE = r"\b(?:papers?|articles?|publications?|preprints?|surveys?|reviews?|books?|literature|work(?:s)?|anything|something|everything|ones?|research|results|theses|reports)\b|\b(?:on|about|by)\b"


def _shown(choice: Choice, text: str, scene: Scene) -> Reading | None:
    calls = choice.calls()
    conditions = choice.conditions
    if (
        not choice.onward
        and scene.candidates is not None
        and not conditions
        and not choice.like
        and not choice.like_words
        and choice.order
    ):
        choice.onward = True  # an order alone is of the list that is there
    if conditions.keys() == {"words"} and not choice.like and not choice.unlike and not _topical(text):
        return None
    if (
        choice.order in ("citations", "newest", "oldest")
        and not _match(r"\bfirst\b", text)
        and _match(
            r"^(?:which|what(?:'s|\s+is)?|show|give|name|tell|and)?\s*(?:is\s+|me\s+|one\s+)*(?:the\s+)?(?:single\s+)?(?:most|newest|oldest|latest|earliest|highest)\b",
            text,
        )
        and not _match(r"\b(?:papers|ones|articles|works|preprints|surveys|books|[0-9]+)\b", text)
    ):
        choice.limit = choice.limit or 1
    limit = {"limit": choice.limit} if choice.limit else {}
    return Reading((*calls, Call("list", limit)), choice.onward)


_ASKS_OTHERWISE = r"^(?:(?:how|why|when|where|who|whose|can|could|will|would|should|is|are|was|were|do|does|did|make|order|book|play|sing|write|translate|compute|calculate|buy|call|send|open|tell|what|what's|whats)\b)"


def _topical(text: str) -> bool:
    """Whether words alone can be a subject: papers are spoken of, or nothing but a noun phrase stands there."""
    if _match(_HERE, text):
        return True
    return not _match(_ASKS_OTHERWISE, text) and len(text.split()) <= 8
