"""A message without its courtesies, and the commands of which it is made."""

import re

from agents.builtin.requests.phrases import Phrases

_OPENING = Phrases("""
    (what about|how about|hi|hello|hey|okay|ok|well|so|and|then|now|also|please|thanks|thank you|great|good|nice|
        cool|perfect|alright|go and|right|hm|hmm|actually|but|oh|ah|um|yes|sorry|wait|fine|kindly|dear|hey there|hi
            there|
        hello there|good morning|spar) <rest:text>
    (could|can|would|will) (you|we) [please|kindly|also|maybe|just|perhaps|quickly] <rest:text>
    (i would like|i want|i need|i wish) [you] to (see|have|get|know|read|find|look at) <rest:text>
    (i would like|i want|i need|i wish|it would be (nice|great) [if you could]) [you] [to] <rest:text>
    (let me (have|get|look at|take a look at)|let us have) <rest:text>
    (let us|let me|help me [to]|i think i (want|would like|need) [to]|i am (curious|wondering) [about|if|whether]|i am
        looking for|i am after|i am on the lookout for|i am hunting for|i am searching for|i am interested in
        seeing|i wonder [if|whether]
        [you (could|can)]|is it possible to|do me a favor and|go ahead and|would you mind|could i [please] (see|get|
        have)|can i [please] (see|get|have)|may i [please] (see|get|have)|i was wondering|do you know|any idea|do you
        have any idea|have you any idea|no idea|i am trying
        to|i have to|be so kind [as] to|if you do not mind) <rest:text>
""")  # fmt: skip
_ENDING = re.compile(
    r"[\s,]*(?:\b(?:please|thanks?(?: you)?(?: (?:a lot|so much|very much|in advance))?"
    r"|if (?:you can|possible|you could)|(?<!published )by now|(?<!by )now|ok(?:ay)?|right now|at the moment"
    r"|currently|at present|then|too|as well"
    r"|or not|instead|rather|for me please|so far|until now|up to now|thus far|to date(?<!up to date)"
    r"|will you|would you|could you|quickly|cheers|mate)\b[\s.!?,]*)$",
    re.IGNORECASE,
)
_COMMANDS = """
save bookmark shelve unsave tag untag label note mark sort rank order show list summarize export write give cite
check search recommend add remove take keep like dislike dismiss undo find tell filter drop put only print what
which who how when where rename delete exclude annotate suggest make create count sum consider narrow look get star
restrict use focus forget go then
""".split()
_JOINT = re.compile(
    r"(?:\s*;\s*|(?<=\w\w)[.?!]\s+)|(?:,?\s+(?:and\s+)?then,?\s+|,\s*(?:and\s+)?(?:also\s+|please\s+)?"
    r"|\s+and\s+(?:also\s+|then\s+|please\s+)?|\s+but\s+)"
    r"(?!how (?:many|often) (?:(?:of )?(?:each|every|them)|i use)\b|how many papers (?:each|they|every)\b)"
    r"(?!(?:only|just) (?:older|newer|earlier|later|more recent|less|more)\b)"
    rf"(?=(?:please\s+)?(?:{'|'.join(_COMMANDS)})\b)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")
_NOTE = re.compile(
    r"\b(?:note|comment|annotate|remark)\b[^:]*:|\bnote\b.* (?:saying|that says|that reads)\b|:", re.IGNORECASE
)
_ROUNDS = 6


_INTERJECTION = re.compile(
    r"(?:(?:oops|whoops|ups|hm+|uh|um|ah|oh|no|nope|nah|wait|sorry|yes|yeah|yep|ok|okay|great|good|fine|thanks|thank"
    r" you|well|right"
    r"|hold on|actually|cool|perfect|nice|hey|hi|hello|spar|please)\b[ ,]*)+[,.;:!–-]+\s*(?=\w)|(?:no wait|wait no"
    r"|oops|whoops|oh no)\s+(?=\w)",
    re.IGNORECASE,
)


_REPAIR = re.compile(
    r"[,;.–-]+\s*(?:i mean|i meant|or rather|or better|better said|correction|let me rephrase|in other words|that is"
    r" to say)[\s,:]+"
    r"(?=(?:how|what|which|who|when|where|show|list|find|give|count|save|tag|sort|rank|order|papers|is|are|do|does"
    r"|did)\b)",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?:,?\s+(?:because|since i|as i|for i|so that i|in order to)\b"
    r"|,\s*(?:it(?: is|'s)|they(?: are|'re)|that is|this is|it (?:has|does)|so i|i (?:do not|did not|no longer"
    r"|already|have|will|want|need|must|am|really))\b).*$",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"(?:please |can you |could you )?(?:save|unsave|tag|untag|label|mark|dismiss|hide|remove|delete|drop|take|put"
    r"|add|bookmark|like|dislike|throw|kick)\b",
    re.IGNORECASE,
)


_OF_WHICH = re.compile(
    r"^(?:and )?(?:out of|of|from among|among|from) (?P<what>[^,;:?]+?),? (?P<asked>which|what(?: share| percentage"
    r"| percent| fraction| proportion| part)?|how many|who)"
    r"(?P<one> ones?)? (?P<rest>(?:is|are|was|were|has|have|had|do|did|does|came|come|got|would|fits?|suits?|cites?"
    r"|appeared|carry|carries|bears?|lacks?|needs?)\b.*)$",
    re.IGNORECASE,
)
_WHICH_BEHIND = re.compile(
    r"^(?P<what>(?:the |my |all |saved |unread |papers )[^,;:?.]*)(?:[:;,]| [-–—])\s+(?:and )?(?P<asked>which|how many)"
    r"(?P<one> ones?)?(?: of (?:them|these|those))? (?P<rest>(?:is|are|was|were|has|have|had|do|did|came|got)\b.*)$",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"(?:all )?(?:of )?(?:these|those|them|it|(?:the|my) [^ ]+ (?:tags|venues|authors|years|journals)|my tags)"
    r"(?: papers)?|(?:which|what)\b.*",
    re.IGNORECASE,
)


def turned(text: str) -> str:
    """A question with what it is of behind it: "of my saved papers, which is the newest" asks which of them is."""
    found = _OF_WHICH.match(text) or _WHICH_BEHIND.match(text)
    if found is None or (_POINTS.fullmatch(found["what"]) and " " not in found["asked"]):
        return text
    return f"{found['asked']} of {found['what']} {found['rest']}"


_MEANT = re.compile(
    r"^(?:no,? )?(?:(?:not|wrong) (?:that|this|the|it)?(?: (?:one|paper))?|no|oops|sorry)[,;.: –-]+(?:but )?"
    r"i (?:meant|mean|wanted|was (?:thinking of|talking about))(?: to say)? (?P<name>[^?!;]+?)"
    r"(?:[.?!;,]+ (?P<rest>(?:how|what|who|when|where|which|is|was|are|does|did|has|have|show|save|tag|cite|export)"
    r"\b.+))?[.?! ]*$",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:that one|this one|that|this|it)\b(?! (?:i|you|are|have)\b)", re.IGNORECASE)


def meant_instead(text: str) -> str:
    """What is asked of the paper that was meant: "not that one, I meant BERT. When did it appear?"."""
    found = _MEANT.match(text)
    if found is None:
        return text
    rest = found["rest"] or ""
    return _IT.sub(lambda _: f'"{found["name"].strip()}"', rest, count=1) if _IT.search(rest) else rest or found["name"]


_OTHERWISE = (
    (
        re.compile(
            r"(?:[,;]? \(?(?:i\. ?e\.?|ie)[,:]?|[,;] (?:meaning|in other words|that is),?) [^()]+\)?$",
            re.IGNORECASE,
        ),
        "",
    ),  # the same in other words
    (
        re.compile(
            r"\b(?:on|at|in|during|as of)? ?(?:which|what)(?: exact)? (?:day|date|month|week)"
            r" (?=(?:did|have|was|were|has|is|had)\b)",
            re.IGNORECASE,
        ),
        "when ",
    ),
    (
        re.compile(
            r"^(?:and |now |then |please )*(?:the other way (?:a)?round|(?:in )?(?:reverse|the opposite)(?: order)?"
            r"|reversed?"
            r"|the opposite)[,:;]+ (?=.*\b(?:first|ascending|descending)\b)",
            re.IGNORECASE,
        ),
        "",
    ),  # an order that is told behind it says which
    (
        re.compile(
            r"(?P<in>\bin (?:the |my )?)[\w-]+ (?:pile|list|folder|stack|group) "
            r"\((?:tag|tagged|label) (?P<tag>[\w-]+)\)"
        ),
        r"\g<in>\g<tag> pile",
    ),
    (
        re.compile(
            r"^how (?:do|does|are|is) (?P<what>[^,;:?]+?) (?:split(?: up)?|break down|broken down|divided?"
            r"|distributed?|spread)"
            r"(?: up| out)? (?:by|over|across|into|among|between|per) (?P<by>.+?)$",
            re.IGNORECASE,
        ),
        r"number of papers per \g<by> of \g<what>",
    ),
    (
        re.compile(
            r"^(?:in|on|of|for) how many (?P<papers>papers|articles|publications|works) (?:is|was) (?P<who>[^,;:?]+?)"
            r" (?:an? |the |among the |one of the )?(?:co-?)?authors?(?P<rest>\b.*)$",
            re.IGNORECASE,
        ),
        r"how many \g<papers> by \g<who>\g<rest>",
    ),
    (
        re.compile(
            r"^(?:the )?(?=(?:highest|largest|biggest|lowest|smallest|maximum|minimum|max|min|top)"
            r" (?:number of citations|citation count)\b(?! first))",
            re.IGNORECASE,
        ),
        "what is the ",
    ),
    (
        re.compile(
            r"(?:[?.!;,]+| -) (?:and |please )*(?:give|tell|show)(?: me)? (?:both|the|all|me the|me both)(?: the)?"
            r" (?:numbers|counts|figures|titles?|names?)[ .!]*$",
            re.IGNORECASE,
        ),
        "",
    ),  # which are told anyway
    (
        re.compile(
            r"(?P<asked>^(?:is|are|was|were) there (?:something|anything|any|some)\b.+)[?.!,;] (?:and |if so,? )*"
            r"w?h?ich(?: ones?| papers?)?[ ?.!]*$",
            re.IGNORECASE,
        ),
        r"\g<asked>",
    ),
    (
        re.compile(
            r"^(?:which|what) (?P<group>venue|journal|conference|author) (?:has|had) (?:the )?"
            r"(?P<which>(?:most|least)(?: often)? cited|newest|oldest|latest|earliest|most recent)"
            r" (?P<what>paper|article|work|one)\b",
            re.IGNORECASE,
        ),
        r"which is the \g<which> \g<what>",
    ),
    (
        re.compile(
            r"\b(?:have|has|are|is|were) neither (?:been )?(?P<one>[^,;:?]+?),? nor (?:been )?(?=\w)", re.IGNORECASE
        ),
        r"are not \g<one> and are not ",
    ),
    (
        re.compile(
            r"\bneither tagged (?:as |with )?(?P<one>[\w-]+),? nor (?:tagged )?(?:as |with )?(?P<other>[\w-]+)",
            re.IGNORECASE,
        ),
        r"not tagged \g<one> , not tagged \g<other>",
    ),
    (
        re.compile(
            r"^(?:in )?(?:what|which) year (?:did|was|has) (?P<name>[^,;:?]+?) (?:come out|appear|been published"
            r"|published|get published),? and where\b",
            re.IGNORECASE,
        ),
        r"when and where was \g<name> published",
    ),
    (re.compile(r"^whatever (?=.+\b(?:written|wrote|published|authored)\b)", re.IGNORECASE), "what "),
    (
        re.compile(
            r"^(?:please )?(?:get|take|throw|kick|pull|leave) (?P<what>(?:the ones|those|ones|papers|everything"
            r"|anything) "
            r"(?!.*\bshelf\b).+?) (?:out|away)(?: of)?(?: (?:the|this|it|here)(?: list| results)?)?[.! ]*$",
            re.IGNORECASE,
        ),
        r"drop \g<what>",
    ),
    (
        re.compile(
            r"^(?P<what>(?:all |any )?(?:those|the ones|ones|papers|everything|anything) (?!.*\bshelf\b).+?) "
            r"(?:can|may|should|must) (?:go|disappear|leave|be (?:dropped|left out|taken out|thrown out"
            r"|hidden|excluded))"
            r"[.! ]*$",
            re.IGNORECASE,
        ),
        r"drop \g<what>",
    ),
    (
        re.compile(
            r"^(?:(?:please|can you|could you|would you) )*(?:add|sum|total|tot|count)(?: up| together)? "
            r"(?:all )?(?:of )?(?:the |their )?(?P<of>citations?)(?: counts?)?\b",
            re.IGNORECASE,
        ),
        r"total citations",
    ),
    (
        re.compile(
            r"^(?:(?:please|can you|could you|would you) )*(?:break|split|group|divide|classify|count) "
            r"(?P<what>[^,;:?]+?)(?: down| up)?,? (?:by|into|per|according to) (?P<by>(?:the )?(?:publication )?"
            r"(?:type|kind|year|venue|journal|conference|decade|author|tag|language)s?\b.*)$",
            re.IGNORECASE,
        ),
        r"number of papers per \g<by> of \g<what>",
    ),
    (
        re.compile(
            r"^i (?:really |just |have |also )*(?:liked?|loved?|enjoyed?|read|finished) (?P<name>[^.;!]+?)[.,;!–-]+"
            r"\s*(?P<rest>.*?)\b(?:(?:similar|comparable|alike|related)(?: to (?:it|that|this))?"
            r"|like (?:it|that|this)(?: one)?|in (?:that|the same) vein)(?P<more>.*)$",
            re.IGNORECASE,
        ),
        r"\g<rest>like \g<name>\g<more>",
    ),
    (
        re.compile(
            r"^(?P<lead>.*?\b)(?P<name>[A-Z][\w+]*(?:-[A-Z\d][\w]*)*)-(?:like|style|type|ish) "
            r"(?P<papers>papers?|articles?|work|works|models?|approaches|stuff|methods?)\b"
        ),
        r"\g<lead>papers like \g<name>",
    ),
)
"""What is said in a way that the readers do not know, and the same in one that they know."""


def repaired(text: str) -> str:
    """A message as it was put better, or as the readers know it: what stands before "I mean" is left out."""
    found = _REPAIR.search(text)
    if found:
        return text[found.end() :]
    for pattern, known in _OTHERWISE:
        text = pattern.sub(known, text)
    return turned(meant_instead(text))


def without_reason(text: str) -> str:
    """A change without why it is wanted: "dismiss WebShop, it is not for me"."""
    if _CHANGING.match(text) is None or ":" in text:
        return text
    return _REASON.sub("", text)


def without_interjections(text: str) -> str:
    """A message without the words that only lead to it: "no wait, undo that", "great. now the newest"."""
    found = _INTERJECTION.match(text)
    return text[found.end() :] if found else text


_TELL = re.compile(
    r"^(?:(?:please )?(?:tell|show) me|let me know|say|find out)(?: please)?,? (?=(?:which|who|whose"
    r"|how (?:many|often|much|old)"
    r"|when|where|by whom)\b)",
    re.IGNORECASE,
)


def without_courtesy(text: str) -> str:
    """What is wanted, without the words of asking for it; all of it where nothing else would be left."""
    text = without_interjections(text)
    for _ in range(_ROUNDS):
        bare = _ENDING.sub("", text.strip(" .?!,")) or text
        slots = _OPENING.match(bare)
        bare = _TELL.sub("", slots["rest"] if slots else bare)
        if bare == text:
            break
        text = bare
    return text.strip(" .?!,")


_HOW_MANY = re.compile(
    r"(?:\s*[?.!;,:]+\s+|\s+[–-]+\s+)(?:(?:just|only|about|maybe|say|like|please) )*(?P<n>\d{1,2}|one|two|three|four"
    r"|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)"
    r"(?P<what> (?:papers?|articles?|of them|ones?|suggestions?|recommendations?|results?|hits|titles?|entries"
    r"|items))?(?: (?:will do|would do|"
    r"are enough|is enough|suffice|at most|is fine|are fine|would be fine|would be enough|please|maximum|max|or so"
    r"|should do))*[\s,.!?]*(?:please|thanks)?[\s.!?]*$",
    re.IGNORECASE,
)


def how_many_behind(text: str) -> tuple[str, str]:
    """A request and the number of papers that is told behind it: "What should I read next? Five papers, please."."""
    tail = max(len(text) - _LONGEST_TAIL, 0)
    found = _HOW_MANY.search(text, tail)
    wish = text[: found.start()] if found else ""
    return (wish, found["n"].lower()) if found and len(wish.split()) > 1 else (text, "")


_LONGEST_TAIL = 60
"""Letters of what says a number behind a request."""


def commands_of(text: str) -> list[str]:
    """The commands of a message; one that stands in quotation marks, or in a note, is none."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    note = _NOTE.search(text)
    parts, begin = [], 0
    for cut in _JOINT.finditer(text):
        if any(start < cut.start() < end for start, end in quoted):
            continue
        if note and cut.start() > note.end():
            break
        parts.append(text[begin : cut.start()])
        begin = cut.end()
    return [part.strip(" ,;") for part in (*parts, text[begin:]) if part.strip(" ,;.")]
