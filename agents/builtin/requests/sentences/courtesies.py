"""A message without its courtesies, its reasons, and what is told behind it."""

import re

from agents.builtin.requests.phrases import Phrases

_HOW_GLAD = "[very|most|so|really|extremely|quite|rather|much|also|just|greatly|truly|only|ever so]"
_YOU_DO = (
    "[(that|if|whether|could|should|would)] (you|we|i|one) [(could|can|would|will|may|might|were to)]"
    " [please|perhaps|also]"
)
_TO_HAVE = "(to (see|have|get|know|read|find|look at|hear|consult|be (shown|given|told|sent))|having|getting|seeing)"
_OPENING = Phrases(f"""
    (what about|how about|hi|hello|hey|okay|ok|well|so|and|then|now|also|please|thanks|thank you|great|good|nice|
        cool|perfect|alright|go and|right|hm|hmm|actually|but|oh|ah|um|yes|sorry|wait|fine|kindly|dear|hey there|hi
            there|
        hello there|good morning|spar|lovely|excellent|awesome|wonderful|super|brilliant|sweet|maybe|perhaps
        |anyway|anyways|as (before|usual|always)|once more) <rest:text>
    (could|can|would|will|might|may) (you|we) [be so (kind|good) [as] [to]|be (kind|good) enough to] [please|kindly|
        also|maybe|just|perhaps|quickly|possibly] <rest:text>
    (i|we) (would like|want|need|wish|should like|would love) [you] to (see|have|get|know|read|find|look at|consult|be
        (shown|given|told)) <rest:text>
    (i|we) (would like|want|need|wish|require|should like|would love|would appreciate|would welcome|am in need of|could
        do with|could use|am after|hereby request|request|would ask [you] [for]) [you] [to] <rest:text>
    (i|we) (would|should|will) be {_HOW_GLAD} (grateful|thankful|obliged|happy|glad|delighted|pleased|curious|interested
        |keen) [{_YOU_DO}|for|about|{_TO_HAVE}|to] <rest:text>
    it would be {_HOW_GLAD} (nice|great|lovely|good|wonderful|helpful|useful|kind|fantastic|awesome|perfect|cool|fine
        |ideal|appreciated) [of you] [{_YOU_DO}|if (i|we) (had|got|saw)|{_TO_HAVE}] <rest:text>
    [is there] any (chance|way|possibility) [that|of|for|to] [{_YOU_DO}|{_TO_HAVE}] <rest:text>
    (i|we) (was|were|am|had been|have been) (hoping|wondering|thinking|wishing) [if|whether|for|that|to|about]
        [{_YOU_DO}]
        [to] <rest:text>
    (i|we) (hope|trust|wonder) [{_YOU_DO}|if|whether] <rest:text>
    (could|can|may|might) (i|we) (trouble|bother|ask|beg|pester) you (for|to) <rest:text>
    (is it|would it be|might it be) possible [for you] {_TO_HAVE} <rest:text>
    (is it|would it be|might it be) possible [for you] to <rest:text>
    (feel free to|you (may|should|could|can) [now]) <rest:text>
    (let me (have|get|look at|take a look at)|let us have) <rest:text>
    (let us|let me|help me [to]|i think i (want|would like|need) [to]|i am (curious|wondering) [about|if|whether]|i am
        looking for|i am after|i am on the lookout for|i am hunting for|i am searching for|i am interested in
        seeing|i wonder [if|whether]
        [you (could|can)]|is it possible to|do me a favor and|go ahead and|would you mind|could i [please] (see|get|
        have)|can i [please|maybe] (see|get|have)|may i [please] (see|get|have)|i was wondering|
        (may|might|could|can) i [please] (ask|inquire|know)|
        do you know|any idea|do
        you have any idea|have you any idea|no idea|i am trying
        to|i have to|be so (kind|good) [as] [to]|if you do not mind|could i [please|maybe|perhaps] (see|get|have))
            <rest:text>
""")  # fmt: skip
_DOING = Phrases("""
    (would|do) you (mind|care for) [please] <rest:text>
    (do|would you do|can you do|could you do) me [the|a] favor [of] <rest:text>
    (how|what) about <rest:text>
    [is there] any (chance|way|possibility) of [you|your] <rest:text>
    i would (appreciate|be grateful for) [you|your] <rest:text>
""")
_GERUNDS = {
    "giving": "give", "showing": "show", "listing": "list", "telling": "tell", "finding": "find", "making": "make",
    "writing": "write", "sorting": "sort", "ranking": "rank", "ordering": "order", "saving": "save", "tagging": "tag",
    "putting": "put", "adding": "add", "removing": "remove", "taking": "take", "exporting": "export",
    "searching": "search", "looking": "look", "having a look": "look", "having": "have", "checking": "check",
    "summarizing": "summarize", "recommending": "recommend", "suggesting": "suggest", "marking": "mark",
    "dropping": "drop", "leaving": "leave", "pulling": "pull", "getting": "get", "sending": "give",
    "preparing": "prepare", "counting": "count", "comparing": "compare", "arranging": "arrange",
    "explaining": "explain", "printing": "print", "creating": "create", "producing": "produce", "doing": "do",
}  # fmt: skip
_GERUND = re.compile(rf"^(?:{'|'.join(sorted(_GERUNDS, key=len, reverse=True))})\b", re.IGNORECASE)
_COURTESY = (
    r"(?:pretty )?please|kindly|(?:if|when|as long as) (?:that|it|this) (?:is|would be)(?: not)? (?:possible"
    r"|okay|ok|fine"
    r"|all right|alright|convenient|(?:too )?much (?:of a )?(?:trouble|work|bother|hassle)|too much to ask"
    r"|(?:a|any|no) (?:trouble|bother|problem|hassle))(?: (?:with|for|by) you)?"
    r"|if (?:that|it|this) (?:does|would) not (?:bother|trouble|inconvenience) you(?: too much)?"
    r"|if you (?:do|would) not mind(?: (?:me )?asking)?|if i may(?: ask)?|if possible"
    r"|(?:when|once|whenever|if) you (?:get|have|find) (?:a|the|some) (?:chance|moment|minute|second|time)"
    r"|by any chance|(?:with )?many thanks(?: in advance)?|(?:thanks|thank you)(?: (?:so much|very much|a lot|a bunch"
    r"|in advance|for (?:your|the) (?:help|time)))+|(?:that|it|which) would be (?:so |really |very |much |greatly )?"
    r"(?:great|nice|lovely|wonderful|perfect|helpful|appreciated|kind|fantastic|cool|a great help|awesome|super)"
    r"(?: of you)?(?! if\b| to\b)|(?:very )?much appreciated|much obliged|i (?:would|really|do|would really) appreciate"
    r" (?:it|that|this)|i (?:would|will) be (?:very |most |so )?grateful(?! (?:if|for|to)\b)|so to speak"
    r"|(?:do|would) you (?:think|say|believe|reckon)(?= (?:is (?!my\b|the\b)|are (?!my\b)|would|might|could|fits?"
    r"|suits?"
    r"|i (?:should|could|might|would|ought))\b)"
    r"|if you (?:can|could|would|will|like|wish|want)(?=\s*(?:[,.;!?)]|$))"
)
_WITHIN = re.compile(
    rf"[\s,(]{{0,3}}(?<![\w'-])(?:{_COURTESY}|(?<=,) ?(?:like|um|uh|er|i guess|i think|i suppose|say|well|hm+"
    r"|hmm|let us say)"
    r"(?=,))(?![\w'-])[\s,)]{0,3}",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r"[\s,]*(?:\b(?:please|thanks?(?: you)?(?: (?:a lot|so much|very much|in advance))?"
    r"|if (?:you can|possible|you could)|(?<!published )by now|(?<!by )now|ok(?:ay)?|right now|at the moment"
    r"|currently|at present|then|too|as well"
    r"|or not|instead|rather|for me please|so far|until now|up to now|thus far|to date(?<!up to date)"
    r"|will you|would you|could you|quickly|cheers|mate)\b[\s.!?,]*)$",
    re.IGNORECASE,
)
_ROUNDS = 6


_INTERJECTION = re.compile(
    r"(?:(?:oops|whoops|ups|hm+|uh|um|ah|oh|no|nope|nah|wait|sorry|yes|yeah|yep|ok|okay|great|good|fine|thanks|thank"
    r" you|well|right"
    r"|hold on|actually|cool|perfect|nice|hey|hi|hello|spar|please)\b[ ,]*)+[,.;:!–-]+\s*(?=\w)|(?:no wait|wait no"
    r"|oops|whoops|oh no)\s+(?=\w)",
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


def without_courtesies(text: str) -> str:
    """A message without the courtesies that stand anywhere in it."""
    bare = _WITHIN.sub(_apart, text)
    bare = re.sub(r"[ ,]+(?=[,.;:?!](?:\s|$))", "", " ".join(bare.split())).strip(" ,;")
    return bare if re.search(r"[^\W_]", bare) else text


def _apart(courtesy: re.Match[str]) -> str:
    """What stays in the place of a courtesy: a comma if one stood before or behind it, for two held it alone."""
    said = courtesy[0].strip()
    return " " if said.startswith((",", "(")) == said.endswith((",", ")")) else ", "


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
    r"^(?:(?:please )?(?:tell|show|remind|inform|advise) me(?: again)?|let me know|say|find out|verify|check(?! "
    r"(?:whether|if)))(?: please)?(?: of)?,? (?=(?:which|who|whose"
    r"|how (?:many|often|much|old)"
    r"|when|where|by whom)\b)",
    re.IGNORECASE,
)


def without_courtesy(text: str) -> str:
    """What is wanted, without the words of asking for it; all of it where nothing else would be left."""
    text = without_interjections(text)
    for _ in range(_ROUNDS):
        bare = _ENDING.sub("", text.strip(" .?!,")) or text
        doing = _DOING.match(bare)
        if doing and (gerund := _GERUND.match(doing["rest"])):
            bare = f"{_GERUNDS[gerund[0].lower()]}{doing['rest'][gerund.end() :]}"
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
    told = found and len(wish.split()) > 1 and not wish[-1:].isdigit()  # "keep 1, 2, 5" are places
    return (wish, found["n"].lower()) if found and told else (text, "")


_LONGEST_TAIL = 60
"""Letters of what says a number behind a request."""
