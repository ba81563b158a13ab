"""Sentences in another order than the readers know: the verb at the end, the object in front, the passive.

"These should now be sorted by date" asks to sort these by date, "to the first please the tag urgent give" to give the
tag urgent to the first, "papers that the most citations have" are papers that have the most citations.
"""

import re

from agents.builtin.requests.sentences.rewriting import rewritten

_ACTIVE = {
    "saved": "save", "bookmarked": "bookmark", "shelved": "shelve", "tagged": "tag", "labelled": "label",
    "labeled": "label", "marked": "mark", "flagged": "mark", "recorded": "mark", "noted": "note",
    "summarized": "summarize", "sorted": "sort", "ordered": "order", "ranked": "rank", "arranged": "arrange",
    "reordered": "reorder", "listed": "list", "shown": "show", "displayed": "show", "presented": "show",
    "exported": "export", "given": "give", "provided": "give", "supplied": "give", "told": "tell", "sent": "give",
    "removed": "remove", "deleted": "delete", "dropped": "drop", "taken": "take", "put": "put", "placed": "put",
    "moved": "put", "added": "add", "attached": "add", "excluded": "exclude", "omitted": "leave out",
    "left out": "leave out", "recommended": "recommend", "suggested": "suggest", "checked": "check",
    "compared": "compare", "dismissed": "dismiss", "written": "write", "named": "name", "found": "find",
    "undone": "undo", "untagged": "untag", "unsaved": "unsave", "restricted": "restrict", "narrowed": "narrow",
    "counted": "count", "searched": "search", "kept": "keep", "reversed": "reverse", "exchanged": "exchange",
}  # fmt: skip
"""What is asked for, by the word that says it is done."""
_DONE = "|".join(map(re.escape, _ACTIVE))
_VERBS = "|".join(
    "give make show tell add put place save tag write sort order arrange rank export mark remove delete recommend"
    " suggest find list summarize name drop dismiss book check print display exclude provide supply note".split()
)
_ADVERBS = r"(?:(?:now|please|kindly|all|both|then|also|first|next|instead|again) )*"
_NO_QUESTION = r"(?!(?:which|what|who|whose|how|when|where|why|that)\b)"
_PASSIVE = tuple(
    re.compile(rf"{lead}{_ADVERBS}(?P<done>{_DONE})\b(?P<rest>.*)$", re.IGNORECASE)
    for lead in (
        (
            rf"^(?:could|can|may|might|would|will|should|shall|must) {_NO_QUESTION}(?!(?:you|i|we)\b)"
            r"(?P<what>[^?!;]{1,200}?) be "
        ),
        (
            r"^(?:it (?:is|would be)|i|we) (?:(?:kindly|hereby) )?(?:requested|asked|desired|wished|wanted|suggested"
            r"|required|necessary|needed|request|ask|wish|suggest) that (?P<what>[^?!;]{1,200}?) (?:should )?be "
        ),
        (
            rf"^{_NO_QUESTION}(?P<what>[^?!;]{{1,200}}?)(?<! that)(?<! which)(?<! i)(?<! they)(?<! it) {_ADVERBS}"
            rf"(?:should|must|shall|ought to|needs? to|ha(?:s|ve) to|(?:is|are) to|(?:can|may) now) {_ADVERBS}be "
        ),
        (
            r"^(?:i|we) (?:would like|would love|want|need|wish|would prefer|prefer)(?: to have)? "
            r"(?P<what>these|those|them|it"
            r"|this|that|both|all(?: of)? (?:these|them|those)|(?:the )?(?:first|second|third|fourth|fifth|last|top|two"
            r"|three)(?: [a-z]+){0,3}?) (?:to be )?"
        ),
        r"^it would be [\w ]{3,30}? if (?P<what>[^?!;]{1,200}?) (?:were|was|could be|would be|are|is) ",
    )
)
_AND_DONE = re.compile(rf"\b(?P<and>and (?:also |then )?)(?:be )?(?P<done>{_DONE})\b(?! (?:by|in|on)\b)", re.IGNORECASE)
_FOR_ME = re.compile(r" (?:for|to) (?:me|us)(?=[.?! ]*$)", re.IGNORECASE)
_AS = re.compile(r" (?:as|with|under|to|by|for|from)\b", re.IGNORECASE)
_PLURAL = re.compile(r"\b(?:these|those|them|they|both|all|papers|ones)\b", re.IGNORECASE)


def active(text: str) -> str:
    """A request in the passive as an order: "could these be saved and tagged rag?" is "save these and tag them rag"."""
    if " be " not in text and not text.lower().startswith(("it would be", "i ", "we ")):
        return text
    found = next(filter(None, (pattern.match(text) for pattern in _PASSIVE)), None)
    if found is None:
        return text
    them = "them" if _PLURAL.search(found["what"]) else "it"
    behind = _FOR_ME.sub("", found["rest"])
    rest = _AND_DONE.sub(lambda other: f"{other['and']}{_ACTIVE[other['done'].lower()]} {them}", behind)
    verb = _ACTIVE[found["done"].lower()]
    if verb in ("tag", "label", "mark") and rest.strip() and _AS.match(rest) is None:
        rest = f" as{rest}"
    return f"{verb} {found['what']}{rest}"


_ASKING = r"(?:please|kindly|you|me|to me|for me|can you|could you|would you|will you)"
_VERB_LAST = re.compile(
    rf"^(?!(?:{_VERBS}|which|what|who|how|when|where|is|are|do|does|did|has|have|can|could|would|will|i|let|papers"
    rf"|please (?:{_VERBS}))\b)(?P<what>[^?!;:\"]{{3,200}}?),? (?P<asking>{_ASKING}(?: {_ASKING})*) "
    rf"(?:(?P<object>(?:the|a|an|some|my|this|these|those) [^?!;:\"]{{1,100}}?) (?:you )?)?(?P<verb>{_VERBS})[.?! ]*$",
    re.IGNORECASE,
)
_FRONTED = re.compile(
    r"^(?P<place>(?:to|on|of|from|for|about|at|under) .+?),? (?P<object>(?:the|an?|some|my|this|these|those) .+)$",
    re.IGNORECASE,
)


def verb_first(text: str) -> str:
    """An order with its verb at the end: "to these please the tag rag give" is "give the tag rag to these"."""
    found = _VERB_LAST.match(text)
    if found is None:
        return text
    said, told = found["what"], found["object"]
    if told is None and (fronted := _FRONTED.match(said)):
        said, told = fronted["place"], fronted["object"]
    whom = next((f" {word}" for word in ("to me", "for me", "me") if f" {word} " in f" {found['asking']} "), "")
    if told is None:
        return f"{found['verb']} {said}{whom.replace(' me', ' for me') if whom == ' me' else whom}"
    return f"{found['verb']} {told} {said}"


_MOST = "most|least|highest|lowest|largest|smallest|biggest|greatest|newest|oldest|best|fewest|latest|earliest"
_BY_ME = r"(?P<often>(?:(?:most recently|recently|lately|last|already|never|not yet|not|just|ever) )?)"
_PAST = (
    r"(?P<did>saved|read|tagged|liked|disliked|noted|annotated|run|made|searched(?: for)?|produced|written|added|put"
    r"|asked|started|bookmarked|dismissed|rated|marked)"
)
_TURNS = tuple(
    (re.compile(pattern, re.IGNORECASE), known)
    for pattern, known in (
        # the verb of a clause at its end: "that the highest citation counts have"
        (
            (
                rf"\b(?P<that>that|which),? (?P<told>(?:(?:the )?(?:{_MOST})|(?:more|over|at least|less|fewer"
                rf"|under|no|on"
                r"|in|by|not|already|still|with|to)\b)[^,;:.?!\"]{0,80}?) (?P<verb>(?:have|has|are|is|were|was"
                r"|stands?|bears?"
                r"|carr(?:y|ies))(?: (?:cited|read|saved|tagged))?)(?=\s*(?:$|[,;:.?!]| and\b))"
            ),
            r"\g<that> \g<verb> \g<told>",
        ),
        (
            (
                r"\b(?P<that>that|which) (?P<me>(?:for|to|by) me|here) (?P<verb>is|are|was|were|has been|have been"
                r"|would be)"
                r" (?P<told>[^,;:.?!\"]{1,60}?)(?=\s*(?:$|[,;:.?!]| and\b))"
            ),
            r"\g<that> \g<verb> \g<told> \g<me>",
        ),
        (r"\b(?P<that>that|which) (?:stands?|are|is) on (?P<shelf>my shelf)\b", r"\g<that> are on \g<shelf>"),
        (
            r"\b(?P<is>is|are|was|were) (?P<me>for me) (?P<what>the best|the most interesting|best)\b",
            r"\g<is> \g<what> \g<me>",
        ),
        (
            (
                r"\bby me (?:the )?(?P<how>most|least) (?P<often>often |frequently )?(?P<done>used|cited|read|saved"
                r"|tagged)\b"
            ),
            r"the \g<how> \g<often>\g<done>",
        ),
        (rf"\bby me {_BY_ME}{_PAST}\b", r"\g<often>\g<did> by me"),
        (
            rf"\b(?:that|which) {_BY_ME}{_PAST} by me (?:are|is|were|was|have been|has been)\b",
            r"that i have \g<often>\g<did>",
        ),
        # what was done by me is what I did
        (
            (
                r"\b(?:that|which) (?:was|were|is|are) the last (?:ones? |papers? )?to (?:be|have been) "
                r"(?P<did>saved|added)"
                r" by me\b"
            ),
            r"that i \g<did> last",
        ),
        (
            (
                rf"\b(?:that|which) (?:was|were|has been|have been|had been|got|is|are) {_BY_ME}{_PAST}"
                r"(?P<after>(?: (?:most recently|last|recently))?) by me\b"
            ),
            r"that i \g<often>\g<did>\g<after>",
        ),
        (
            rf"^(?P<what>what|which [\w ]{{3,30}}?) (?:was|were|has been|have been) {_BY_ME}{_PAST} by me\b",
            r"\g<what> have i \g<often>\g<did>",
        ),
        (
            rf"\b(?P<what>papers|ones|searches|summaries|notes|queries|articles|those) {_BY_ME}{_PAST} by me\b",
            r"\g<what> that i \g<often>\g<did>",
        ),
        (
            (
                r"^(?P<of>of|from|by|in) (?P<name>[\w.&-]+(?: [\w.&-]+){0,4}?) (?P<papers>the (?:[\w-]+ )?(?:papers"
                r"|articles|works|preprints|surveys))\b"
            ),
            r"\g<papers> \g<of> \g<name>",
        ),
        # a part of a question in front
        (
            (
                r"^(?P<part>(?:in|since|during|before|after|between|until|about|regarding|concerning|on|as) "
                r"(?!(?:my|the top"
                r"|this|that|these|those|it)\b)[^,;:.?!\"]{2,60}), (?P<asked>(?:which|what|how|who|when|did"
                r"|have|could|can|please|summarize|tell|give)\b[^,;:\"]+?)"
                r"(?P<rest>(?:[?.!] .+)?)[?.! ]*$"
            ),
            r"\g<asked> \g<part>\g<rest>",
        ),
        (
            (
                r"^(?P<what>[^?!;:\"]{3,200}?),? (?:and )?(?:which|what|who) (?:are|is|were|was) (?:they|it"
                r"|those|these|that)"
                r"[?.! ]*$"
            ),
            r"\g<what>",
        ),
        (
            r"^(?P<what>(?:which|what)(?: \w+)?) (?:is|are|was|were) (?:it|they|those|these),? (?=that |which )",
            r"\g<what> ",
        ),
        (
            (
                r"\b(?P<is>is|are|was|were) (?P<where>(?:in|by|about|on|of) (?:them|it|these|those|that)) "
                r"(?P<done>said|told|written|reported|claimed)\b"
            ),
            r"\g<is> \g<done> \g<where>",
        ),
        (
            (
                r"\bhow (?P<often>often|frequently|many times) (?P<is>is|are|was|were|has been|have been) cited "
                r"(?P<what>[^?!;:]+?)(?=[?.! ]*$)"
            ),
            r"how \g<often> \g<is> \g<what> cited",
        ),
        (rf"\byou (?P<me>to me|for me|me) (?P<verb>{_VERBS})\b", r"you \g<verb> \g<me>"),
        (r"\bit (?P<verb>interest|concern|suit|fit|please)s me not\b", r"it does not \g<verb> me"),
        (
            (
                r"\bi (?P<like>like|love|enjoy|liked|loved|enjoyed|dislike|hate) (?P<much>very much|a lot) "
                r"(?P<what>[^,;:.?!]+)"
            ),
            r"i \g<like> \g<what> \g<much>",
        ),
        (r"\bi (?P<have>have )?saved (?:as )?the last\b", r"i \g<have>saved last"),
        (
            (
                rf"^{_NO_QUESTION}(?P<what>[^?!;:\"]{{3,200}}?) would (?:also )?be (?:really |very |quite "
                rf"|much )?(?:nice|great"
                r"|lovely|good|helpful|welcome|appreciated|useful|perfect|fine)[.! ]*$"
            ),
            r"\g<what>",
        ),
        (
            (
                rf"^{_NO_QUESTION}(?P<what>[^?!;:\"]{{2,100}}?),? i (?:would like|want|wish|need|would love) to "
                rf"(?P<verb>{_VERBS})(?P<rest>(?: (?:as|with|under|to|on|in) [^?!;:]{{2,60}})?)[.! ]*$"
            ),
            r"\g<verb> \g<what>\g<rest>",
        ),
        # an object in front of who wants it
        (
            (
                r"^(?!(?:which|what|who|how|when|if|as|that|everything|all|anything"
                r"|whatever)\b)(?P<what>[^?!;:\"]{3,120}?)"
                r"(?<! that)(?<! which)(?<! what)(?<! ones)(?<! papers),? i (?:would (?:like|love)|want|wish|need)"
                r"(?: to (?:see|have|get|read|look at))?[.! ]*$"
            ),
            r"\g<what>",
        ),
        (
            (
                rf"^{_NO_QUESTION}(?P<what>[^?!;:\"]{{3,200}}?),? (?:is|are) (?:(?:kindly|hereby|urgently) )?"
                r"(?:requested|wanted|needed|required|desired|asked for)[.! ]*$"
            ),
            r"\g<what>",
        ),
    )
)
"""An order of words, and the same in one that the readers know."""


def in_usual_order(text: str) -> str:
    """`text`, its verb no more at its end, with its words where the readers look for them; what it asks for stays the
    same."""
    return active(rewritten(text, _TURNS))
