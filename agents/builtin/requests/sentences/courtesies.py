"""A message without its courtesies, its reasons, and what is told behind it."""

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
