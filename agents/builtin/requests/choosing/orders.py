"""In which order, and how many: "the 3 most cited", "newest first", "sort them by title", "best for me first"."""

import re

from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import known_names_in, looks_like_a_name, names_in, number_of
from agents.builtin.requests.slot_kinds import KINDS

MOST_SHOWN = 100
RECENT = 3
"""Years that "recent papers" go back."""

_FIRST = (
    "[placed|standing|put|listed|shown] [first|ones|one|(at|on|to) [the] (top|front|head|beginning|start)|in front"
    "|up front|come first|leading|descending]"
)
_NUMBER_OF = "[total] [number of|numbers of|amount of|count of|total of|quantity of]"
_CITATIONS = "(citation (count/counts/number/numbers/total/totals/figure/figures)|citation/citations|cites)"
_HIGH, _LOW = "(most/highest/largest/biggest/greatest/top/maximum)", "(fewest/least/lowest/smallest/minimum)"
_HAVING = (
    "[that] [have|has|had|with|having] [been] [received/collected/gathered/attracted/accumulated/earned/drawn"
    "/gotten/got|given]"
)
_OFTEN = "[often|frequently|widely|heavily|times|of all]"
_CITED = (
    f"([the|their|its] {_NUMBER_OF} [the|their|its] {_CITATIONS}"
    "|how (often|frequently|many times|much) [they|these|those|it|each|each one|each of them]"
    " [are|were|is|was|have been|has been|get|got|gets] cited"
    "|how many (citations|cites) [they|these|those|it|each|each one|each of them] (has|have|got|gets|received)"
    "|popularity|impact|influence|importance|being cited)"
)
_SUITS = "(suit/suits/fit/fits/match/matches/interest/interests/concern/concerns)"
_TASTE = "([my] (taste|tastes|preference|preferences|interest|interests|profile|liking)|what i (like|would like|enjoy))"
_ORDERS: tuple[tuple[str, Phrases], ...] = (
    ("preference", Phrases(f"""
        {{sort}} how (well|much|far|good|closely|near) [they|these|those|each|it|each of them] {_SUITS}
            [with|to|in with]
            (me|my {_TASTE}|{_TASTE})
        {{sort}} how (interesting|relevant|useful|good|suitable) [they|these|those|each|it|each of them]
            (is|are|would be|might be) (for|to) me
        {{sort}} how good a (fit|match) [they|these|those|each|it|each of them] (is|are|would be|might be) [for (me|my
            {_TASTE})]
        {{sort}} how (much|well) i (would|might|may|will) (like|enjoy) [them|it|each|each of them]
        {{sort}} {_TASTE} [first]
        (by|to|based on|according to|given|matching) my {_TASTE}
        by {_TASTE}
        [that|which|what|would|will|do|does|could] [best] {_SUITS} (me|[to] my {_TASTE}) [the] [best|most]
        [the] (best|closest|better) (fit/fits|match/matches) [one/ones] [for (me|my {_TASTE})|to my {_TASTE}]
            [first|on top]
        [the] (best|closest|better) (fit/fits|match/matches|fitting|matching|suited|suiting) [one/ones]
            [for me|to me|me] first
        [the] (best|right|good|relevant|interesting|most (interesting|relevant|suitable)) [one/ones] for me [first]
        [that|which|what|ones] (i would|i might|i may|i should|i will|would i|should i|might i) [probably|most|
            likely] (like|enjoy|prefer|love|read|care about) [first|next|the] [best|most]
        [most] to my (taste|liking)
        personalized/personally [for me]
        {{sort}} preference
        what i (like|prefer) [best] first
        for my taste
        most relevant (to|for) me [first]
        how (well|much) [they|these|those|each|it] {_SUITS} (me|[to] my {_TASTE})
        (the|those|what) i (like|prefer) (best|most) [first|on top]
        my favorites first
        by preference
    """)),
    ("newest", Phrases("""
        {sort} [the] (newest|latest|most recent|new) (to|then|down to) [the] (oldest|earliest|old)
        [from] [the] (newest|latest|most recent|new) (to|then|down to) [the] (oldest|earliest|old)
    """)),
    ("oldest", Phrases("""
        {sort} ([the] (oldest|earliest|age) first|oldest to newest|age|oldest|earliest)
        {sort} ([publication] date|year|time) (ascending|increasing|oldest first|upwards)
        [the] (oldest|earliest|first ever|very first) [first|ones|one|to newest|at the top]
        chronological/chronologically [order]
        {sort} chronologically
        [from] [the] (oldest|earliest|old) (to|then|down to|up to) [the] (newest|latest|most recent|new)
        old/older first
        (is|are|one) older
        in [a] chronological order
        {sort} chronological order
        with the oldest first
        least recent [first]
        (going|go|goes|reach|reaches|reaching) back [the] (furthest|farthest|longest|most)
        [from] [the] longest ago
        (in|by) (chronological|date|time) order [oldest first]
    """)),
    ("newest", Phrases(f"""
        {{sort}} ([the] [publication] (date|year|time|recency|age)|newest|most recent|latest|newest to oldest|how
            (recent|new|old) [they are]|when they (appeared|were published|came out)) [first|descending|newest
            first|latest first|of publication]
        [the] [very] (newest|latest|most recent|most recently published|freshest|youngest|most current) {_FIRST} [to
            oldest|work]
        (by|in [the] order of|going by) [the|their] [publication] (date|year|recency) [of publication]
        recent/newer/new [ones] first
        (is|are|one) (newer|more recent|younger)
        reverse chronological [order]
    """)),
    ("citations", Phrases("""
        {sort} [from] [the] (most|highest|best|more|often) [cited] (to|down to) [the]
            (least|lowest|less|rarely|fewest) [cited]
            [citations|ones]
    """)),
    ("fewest_citations", Phrases(f"""
        [the] least [often|frequently|highly|widely] cited {_FIRST}
        {_HAVING} [the] {_LOW} [of] [of the] {_NUMBER_OF} {_CITATIONS} {_FIRST}
        cited [the] least {_OFTEN}
        least popular [first]
        {{sort}} {_CITED} (ascending|increasing|upwards|lowest first|fewest first|least first|from
            (low|least|few|fewest) to
            (high|most|many))
        [from] least [cited] to most cited
        [cited] [from] [the] (least|rarely) to [the] (most|often) [cited]
    """)),
    ("citations", Phrases(f"""
        [from] most [cited] to least cited
        {{sort}} {_CITED} [first|descending|highest first|in descending order|most first]
        (by|in order of|in the order of|going by) {_CITED} [first|descending]
        (by|in) citation order
        [the] (most|highest|highly|best|heavily|widely|top|more|frequently) [often|frequently|widely|heavily] cited
            {_FIRST}
        {_HAVING} [the] {_HIGH} [of] [of the] {_NUMBER_OF} {_CITATIONS} {_FIRST}
        [the] most (influential|popular|famous|important|impactful|known|seminal) {_FIRST}
        [is|are|was|were|have been|has been] cited [the] (most|more) {_OFTEN}
        [the] {_HIGH} impact [first]
    """)),
    ("title", Phrases("""
        {sort} [the|their] (title/titles|name/names|alphabet) [a to z|alphabetically]
        [into] alphabetical/alphabetically [order] [by title/titles]
        (by|in order of|going by) [the|their] title/titles
        (by|in|into) title order
        (from a to z|a to z|a-z)
        {sort} alphabetically [by title]
        in alphabetical order
    """)),
)  # fmt: skip
_RECENT = Phrases("[the|some|any|more] recent <:papers>")
_DIRECTION = Phrases("""
    [in] [a|the] (descending/decreasing/downwards) [order]
    (highest|largest|biggest|most|best|high to low|from high to low) first
    from [the] (newest|latest|most|high|highest|most recent) to [the] (oldest|earliest|least|low|lowest|first)
""")
_UPWARDS = Phrases("""
    [in] [a|the] (ascending/increasing/upwards/reverse/reversed/inverse) [order]
    (lowest|smallest|fewest|least) first
    from [the] (oldest|earliest|least|low|lowest|few|first) to [the] (newest|latest|most|high|highest|last|most recent)
""")
_UP = {"citations": "fewest_citations", "newest": "oldest"}
_BEGUN = Phrases("rank/sort/order/arrange/put/list/reorder/rerank [{these}]")
_NEAR = Phrases("""
    {sort} [the|their|its] (relevance|similarity|closeness|nearness|resemblance|how (close|near|similar|relevant
        |related) they are) (to|
        for|with) <to>
    by [the|their] (relevance|similarity|closeness|nearness|resemblance) (to|with) <to>
    in [the] order of [their] (relevance|similarity|closeness|nearness) (to|for|with) <to>
    [the] (most|more) (relevant|related|similar|close) [ones|one|papers] (to|for) <to> first
    [the] [ones] (nearest|closest) [ones|one|papers] to <to> first
    {sort} how (much|well|far) (they|these|those) (are about|deal with|have to do with|resemble|match|fit) <to>
""")
_NEAR_QUOTED = Phrases("""
    ({sort}|by|in [the] order of [their]) [the] (relevance|similarity|closeness|nearness) (to|for|with) [the]
        [question|topic|query|subject|request|words] [:] <to:quoted>
""")
"""What stands in quotation marks is the topic whole, whatever it holds."""
_NEAREST = Phrases("""
    [the] (most|more) (relevant|related|similar|close) [ones|one|papers] (to|for) <to>
    [the] (nearest|closest) [ones|one|papers] to <to>
""")  # fmt: skip
_RELEVANCE = Phrases("""
    {sort} relevance
    by relevance
    [the] most relevant [ones] first
    most relevant
""")
_PREFER = Phrases("""
    [i] [would|do] [rather] (prefer/preferring/favor/prefers|rather have|rather see) <more> (over|to|rather than|
        instead of) <less>
    [i] [would] [rather] (prefer/preferring/favor|rather have|rather see) <more>
    [with] [a] preference for <more>
    preferably <more>
""")  # fmt: skip
_LIMIT = Phrases("""
    [only|just] [the] (top|best|first) <n:number>
    [the] <n:number> (best|top|first)
""")
_LIMIT_BEFORE = Phrases("""
    [show|give|list|find|get|name|suggest|recommend|tell] [me] [only|just|which|what] [the|any|some] <n:number> [of
        them|of these|of those|other|of the] [{papers}]
""")
_LIMIT_OF_ORDERED = Phrases(
    "the <n:number> <:papers>", "the <n:number> (that|which|with|having) [are|is|were|have|has|have been]"
)
_TOP = Phrases("top <:number> [{papers}]", "[the] <:number> top")


_SORTED_BY = re.compile(
    r"^(?:sort|rank|order|arrange|reorder|rerank|put)"
    r" (?P<what>(?!by\b|(?:them|these|those|it|this|that|all)\b(?! papers)).+?),?"
    r" (?:by|after|according to|based on|going by|on|in (?:the )?order of) (?P<by>(?:how|when"
    r"|(?:the |their |my |its )?(?:number|date|year|age"
    r"|title|citation|similarity|relevance|closeness|nearness|taste|preference|interests?|popularity|impact|publication|recency|profile|newest|oldest|most|fewest))\b.*)$",
    re.IGNORECASE,
)
"""An order that is told behind the papers: "sort my unread papers by how similar they are to RAPTOR"."""


def with_order_behind(text: str) -> str:
    """A request with its order behind the papers: "my unread papers , sorted by how similar they are to RAPTOR"."""
    return _SORTED_BY.sub(r"\g<what> , sorted by \g<by>", text)


def read_nearness(choice: Choice) -> None:
    """An order by nearness to papers or words; it is no choice of what is near."""
    if slots := choice.take(_NEAR_QUOTED):
        title = slots["to"].strip("\"'")
        if choice.scene.is_title(title):
            choice.order, choice.prefer = "similarity", [title]
        else:
            choice.order, choice.order_words = "relevance", title
    elif slots := choice.take(_NEAR):
        _near(choice, slots["to"])


def read_order(choice: Choice) -> None:
    """By what they are to be ordered; beside "prefer" also by what kind of paper is preferred."""
    if choice.order:
        return
    if slots := choice.take(_NEAREST):
        _near(choice, slots["to"])
        return
    _read_behind(choice)
    choice.take(_RELEVANCE)  # which is the order that a choice by words has anyway
    for name, phrases in _ORDERS:
        if found := phrases.find(choice.text):
            _limit_behind(choice, found.end)
            _limit_within(choice, found.start)
            choice.take(phrases)
            choice.order = name
            _same_again(choice)
            if (begun := _BEGUN.find(choice.text)) and begun.start == 0:
                choice.text = choice.text[begun.end :].strip()
            break
    upwards, down = choice.take(_UPWARDS) is not None, choice.take(_DIRECTION) is not None
    choice.order = _UP.get(choice.order, choice.order) if upwards else choice.order
    if choice.order == "" and (upwards or down) and choice.scene.candidates is not None:
        choice.order = (_UP.get(choice.scene.order, "") if upwards else choice.scene.order) or "newest"
    if _RECENT.find(choice.text) is not None:
        _recent(choice)
    if slots := choice.take(_PREFER):
        _prefer(choice, slots["more"], slots.get("less", ""))


_FAMILY = {"newest": "date", "oldest": "date", "citations": "citations", "fewest_citations": "citations",
           "title": "title"}  # fmt: skip
_BEHIND = re.compile(
    r"[ ,]*(?:and |with |to )?(?:the )?(?:(?P<new>newest|latest|most recent)|(?P<old>oldest|earliest)|(?P<most>most"
    r" (?:often )?cited|highest)|(?P<least>least (?:often )?cited|lowest)) (?:ones? |papers? )?(?:at the (?:end|bottom)"
    r"|last|behind)\b",
    re.IGNORECASE,
)
_AHEAD = {"new": "oldest", "old": "newest", "most": "fewest_citations", "least": "citations"}


def _read_behind(choice: Choice) -> None:
    """What stands last says the same as what stands first, where that is not said: "the oldest last"."""
    if (found := _BEHIND.search(choice.text)) is None:
        return
    choice.cut(*found.span())
    if not any(phrases.find(choice.text) for _, phrases in _ORDERS):
        choice.order = next(order for name, order in _AHEAD.items() if found[name])


def _same_again(choice: Choice) -> None:
    """The order is often said twice: "in order of date, the oldest first, the newest last"."""
    if (family := _FAMILY.get(choice.order)) is None:
        return
    for name, phrases in _ORDERS:
        if _FAMILY.get(name) == family:
            choice.take(phrases)


def _limit_behind(choice: Choice, end: int) -> None:
    """Of "the latest three" the number, which stands behind the order."""
    if (found := _NUMBER_BEHIND.match(choice.text, end)) and choice.limit is None:
        choice.limit = _few(found["n"])
        choice.text = f"{choice.text[:end]}{choice.text[found.end() :]}"


def _recent(choice: Choice) -> None:
    """Recent papers: the newest first, or those of the last years where they are to be in another order."""
    choice.take(_RECENT)
    choice.text = f"papers {choice.text}"
    if choice.order in ("", "newest"):
        choice.order = "newest"
    else:
        choice.conditions.setdefault("since", str(choice.scene.today.year - RECENT))


def read_liking(choice: Choice) -> None:
    """An order by what the person would like; it is no choice of what they have liked."""
    if choice.take(_WOULD_LIKE) is not None:
        choice.order = "preference"


_WOULD_LIKE = Phrases("""
    [that|which|what|ones|those|the ones] (i would|i might|i may|i should|i will|would i|should i|might i|will i|could
        i|
        i could) [probably|most|likely|most likely|really|also|perhaps|rather] (like|enjoy|love|prefer|care about|be
            interested
        in|find interesting|find useful) [first|next|the] [best|most|first|on top]
""")


_MY_TASTE = Phrases("me/myself", f"{_TASTE}")


def _near(choice: Choice, to: str) -> None:
    if not known_names_in(to, choice.scene):
        to = to.removesuffix(" first")
    if _MY_TASTE.match(to) is not None:
        choice.order = "preference"
        return
    names = papers_called(choice, to)
    choice.order = "similarity" if names else "relevance"
    choice.prefer, choice.order_words = (names, "") if names else ([], topic_of(to) or to)


def _prefer(choice: Choice, more: str, less: str) -> None:
    choice.order = "preference"
    choice.prefer = papers_called(choice, more)
    choice.unwanted = papers_called(choice, less) if less else []
    choice.order_words = "" if choice.prefer else topic_of(more) or more


def papers_called(choice: Choice, text: str) -> list[str]:
    """The papers that `text` names, if it names any."""
    if known := known_names_in(text, choice.scene):
        return list(known)
    return list(names_in(text, choice.scene)) if looks_like_a_name(text) else []


def _limit_within(choice: Choice, start: int) -> None:
    """Of "the 3 most cited" the number, which stands before the order."""
    words = choice.text[:start].split()
    if not words:
        return
    found = _NUMBER.match(words[-1])
    if found is None:
        return
    choice.limit = _few(found["n"])
    begins = choice.text[:start].rstrip().rindex(words[-1])
    choice.cut(begins, begins + len(words[-1]))


_NUMBER = Phrases("<n:number>")
_NUMBER_BEHIND = re.compile(
    rf" (?P<n>{KINDS['number']})(?! ?(?:citations?|cites|times|years?|months?|days?|weeks?|first|and \d|-))",
    re.IGNORECASE,
)


_LEFT_OUT = re.compile(r"\b(?:not|without|except|but|excluding|minus)(?: for)?(?: the)? *$", re.IGNORECASE)


def read_limit(choice: Choice) -> None:
    """How many are to be shown."""
    if choice.limit is not None:
        return
    if (said := _LIMIT.find(choice.text)) and _LEFT_OUT.search(choice.text[: said.start]):
        return  # "without the first two" is no number of papers
    top = _TOP.find(choice.text) is not None
    if slots := choice.take(_LIMIT):
        choice.limit = _few(slots["n"])
        if top and not choice.order and not choice.onward:
            choice.order = "citations"
    elif choice.order and (slots := choice.take(_LIMIT_OF_ORDERED)):
        choice.limit = _few(slots["n"])
        choice.text = f"papers {choice.text}"
    elif (found := _LIMIT_BEFORE.find(choice.text)) and found.start == 0:
        choice.cut(found.start, found.end)
        choice.text = f"papers {choice.text}"
        choice.limit = _few(found.slots["n"])


def _few(number: str) -> int:
    return max(1, min(number_of(number), MOST_SHOWN))
