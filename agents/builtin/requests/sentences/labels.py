"""Requests that are filled in like a form: "Paper: BEIR. Action: add the tag rag", "Author: Bengio. Status: retracted",
"Two wishes: …", "Papers wanted, limited to: …"."""

import re

_ASKED = (
    r"(?:(?:my |the |one |two |three |\d )?(?:actions?|tasks?|requests?|wishes|wish|steps|things?(?: to do)?"
    r"|to-?do|orders?|output|results?|information|data|item|list|papers|answer|question|query)? ?"
    r"(?:required|requested|wanted|needed|desired|wished|please|asked for)?)"
)
_LEAD = re.compile(rf"^(?=[\w-]){_ASKED}(?: (?:for|from) (?:you|spar|today|now|me))?\s*:\s+(?=\S)", re.IGNORECASE)
_EMPTY_LEADS = re.compile(r"^(?:papers|answer|information|data|list|results?|query|search|item)\s*:", re.IGNORECASE)
_LIMITED = re.compile(
    r"(?<! be),? (?:but |and )?(?:only )?(?:limited|restricted|confined|narrowed(?: down)?) to(?: only)?\s*:?\s+"
    r"(?=(?:these|those|them|the|all|both|my|papers|paper|everything|numbers?)\b)",
    re.IGNORECASE,
)
_ONLY_THIS = re.compile(
    r"[,;.–-]+ (?:and )?(?:only|just|nothing but|no more than) (?:this|that|it)(?: one)?(?: please)?[.! ]*$"
    r"|[,;.–-]+ (?:and )?(?:nothing (?:else|more|further)|no more|that is all|as a list|as list|in a list)[.! ]*$",
    re.IGNORECASE,
)
_FIELD = re.compile(r"(?:^|(?<=[.;,)] )|(?<=[.;,]))(?P<label>[A-Za-z][A-Za-z ]{2,24}?)\s*:\s+(?P<value>[^:]*?)"
                    r"(?=[.;,]? [A-Za-z][A-Za-z ]{2,24}?\s*:\s|[.;, ]*$)", re.IGNORECASE)  # fmt: skip
_CONDITIONS = {
    "author": "by {}", "authors": "by {}", "written by": "by {}", "venue": "in {}", "journal": "in {}",
    "conference": "in {}", "published in": "in {}", "year": "from {}", "years": "from {}", "date": "from {}",
    "period": "from {}", "publication year": "from {}", "time": "from {}", "tag": "tagged {}", "tags": "tagged {}",
    "label": "tagged {}", "topic": "about {}", "subject": "about {}", "theme": "about {}", "about": "about {}",
    "type": "of the type {}", "status": "that are {}", "state": "that are {}", "citations": "with {} citations",
    "order": "sorted by {}", "sorting": "sorted by {}", "sort": "sorted by {}", "sorted by": "sorted by {}",
    "sort order": "sorted by {}", "location": "in {}", "place": "in {}", "where": "in {}",
}  # fmt: skip
_DATED = re.compile(
    r"^(?:since|before|after|until|up to|between|earlier|later|older|newer|from|not|no)\b", re.IGNORECASE
)
_BARE = {"from {}": "{}"}
_TARGETS = frozenset({"paper", "title", "article", "papers", "target", "object", "preprint", "item"})
_ACTS = frozenset(
    {"action", "actions", "task", "request", "wanted", "requested", "required", "needed", "to do", "todo", "wish",
     "order", "command", "what to do", "change", "operation"}
)  # fmt: skip
_ONTO = re.compile(r"^(?:please )?(?:add|attach|give|put|assign|set|apply)\b.*\b(?:tag|label|note)\b", re.IGNORECASE)
_FROM = re.compile(r"^(?:please )?(?:remove|delete|take|drop|strip)\b.*\b(?:tag|label|note|shelf)\b", re.IGNORECASE)
_ACT = re.compile(
    r"^(?:please )?(?P<verb>save|unsave|tag|untag|mark|dismiss|export|cite|remove|delete|summarize|show|check|like"
    r"|dislike|bookmark|rate|hide)\b(?: (?:it|this|that|them|this one))?(?P<rest>.*)$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|this|that one|this one|them)\b", re.IGNORECASE)
_TO_BE = re.compile(r"^(?:please )?to be (?P<done>[a-z]+(?: out)?)\s*[:.]\s+(?P<what>.+?)[. ]*$", re.IGNORECASE)
_TO_DO = re.compile(
    r"^(?:(?:i have|i have got|i[’']ve got|i[’']ve|i got|got|there (?:are|is)|here (?:are|is)) [\w ]{1,30}? )?to "
    r"(?P<verb>save|bookmark|tag|mark|dismiss|export|cite|compare|summarize|remove|unsave|read|show)[.:;!]\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    r"[ ,]*\((?:with )?(?:the )?(?:tags?|labels?|tagged|labell?ed)(?: (?:for|on|to) (?:both|all|each|them|it|these))?"
    r"[: ]+(?P<tags>[\w-]+(?:(?:, | and )[\w-]+)*)\)",
    re.IGNORECASE,
)
_REQUIRED = re.compile(
    r"^(?P<what>(?:an? |the )?(?:\w+ ){0,2}?(?:summary|overview|list|comparison|bibliography|abstract|export|search"
    r"|papers|recommendations?|suggestions?|references|citations?))"
    r" (?:is |are )?(?:kindly |hereby )?(?:required|requested|wanted|needed|desired)(?= (?:of|for|on|about|from)\b)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:^|(?<=[;:,.] ))(?:\(?[1-9]\)|[1-9]\.) (?=[a-z])", re.IGNORECASE)
_LONGEST = 400


def filled_in(text: str) -> str:
    """A request without its labels, as a sentence that the readers know."""
    if len(_NUMBERED.findall(text)) > 1:
        text = _NUMBERED.sub("", text)
    text = _TO_DO.sub(r"\g<verb> \g<what>", _TO_BE.sub(r"\g<what> should be \g<done>", _tagged(text)))
    if ":" not in text and _LIMITED.search(text) is None and _ONLY_THIS.search(text) is None:
        return _REQUIRED.sub(r"\g<what>", text)
    if len(text) <= _LONGEST and (fields := _fields(text)):
        text = _of_fields(fields) or text
    if _EMPTY_LEADS.match(text) is None:
        text = _LEAD.sub("", text)
    return _REQUIRED.sub(r"\g<what>", _ONLY_THIS.sub("", _LIMITED.sub(" of ", text)))


def _tagged(text: str) -> str:
    """What is to be saved with its tags, which stand in parentheses behind it."""
    found = _TAGGED.search(text)
    if (
        found is None
        or re.match(r"(?:please )?(?:to be saved|to save|save|add|put|bookmark)\b", text, re.IGNORECASE) is None
    ):
        return text
    saved = _TO_DO.sub(r"\g<verb> \g<what>", _TO_BE.sub(r"save \g<what>", text[: found.start()]))
    return f"{saved}{text[found.end() :]} and tag them {found['tags']}"


def _fields(text: str) -> list[tuple[str, str]]:
    """The labels in small letters with what stands behind them, if `text` is nothing but that."""
    found = list(_FIELD.finditer(text))
    whole = sum(field.end() - field.start() for field in found)
    if not found or len(re.sub(r"[\W_]", "", text)) > sum(len(re.sub(r"[\W_]", "", field[0])) for field in found):
        return []
    assert whole
    return [(field["label"].lower().strip(), field["value"].strip(" .;,")) for field in found]


def _of_fields(fields: list[tuple[str, str]]) -> str:
    names = [value for label, value in fields if label in _TARGETS]
    acts = [value for label, value in fields if label in _ACTS]
    if len(names) == 1 and len(acts) == 1 and len(fields) == 2:
        return _done_to(acts[0], names[0])
    if len(fields) < 2 or not all(label in _CONDITIONS for label, _ in fields):
        return ""
    return f"papers {' '.join(_condition(label, value) for label, value in fields)}"


def _condition(label: str, value: str) -> str:
    said = _CONDITIONS[label]
    value = re.sub(r" only$|^only ", "", value)
    return value if said in _BARE and _DATED.match(value) else said.format(value)


def _done_to(act: str, name: str) -> str:
    """An act with the paper that it is done to in its place."""
    act = _ONLY_THIS.sub("", act)
    quoted = name if name.startswith(('"', "'")) else f'"{name}"'
    if _PRONOUN.search(act):
        return _PRONOUN.sub(lambda _: quoted, act, count=1)
    if _ONTO.match(act):
        return f"{act} to {quoted}"
    if _FROM.match(act):
        return f"{act} from {quoted}"
    if found := _ACT.match(act):
        return f"{found['verb']} {quoted}{found['rest']}"
    return ""
