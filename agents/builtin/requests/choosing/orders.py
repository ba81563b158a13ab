"""In which order, and how many: "the 3 most cited", "newest first", "sort them by title", "best for me first"."""

from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import known_names_in, looks_like_a_name, names_in, number_of

MOST_SHOWN = 100

_FIRST = "[first|ones|one|at the top|on top|to the top|come first|at the beginning|descending|to the front]"
_CITED = (
    "([the] [number of|amount of] (citation/citations|citation count/counts|cites)"
    "|how often [they are|they were|it is|each is"
    "|each was] cited|how many times [they are|they were] cited|popularity|impact|influence|importance|being cited)"
)
_SUITS = "(suit/suits/fit/fits/match/matches/interest/interests/concern/concerns)"
_TASTE = "([my] (taste|tastes|preference|preferences|interest|interests|profile|liking)|what i (like|would like|enjoy))"
_ORDERS: tuple[tuple[str, Phrases], ...] = (
    ("preference", Phrases(f"""
        {{sort}} {_TASTE} [first]
        (by|to|based on|according to|given|matching) my {_TASTE}
        by {_TASTE}
        [that|which|what|would|will|do|does|could] [best] {_SUITS} (me|[to] my {_TASTE}) [the] [best|most]
        [the] (best|right|good|relevant|interesting|most (interesting|relevant|suitable)) [one/ones] for me [first]
        [that|which|what|ones] (i would|i might|i may|i should|i will|would i|should i|might i) [probably|most|
            likely] (like|enjoy|prefer|love|read|care about) [first|next|the] [best|most]
        [most] to my (taste|liking)
        personalized/personally [for me]
        {{sort}} preference
        what i (like|prefer) [best] first
        for my taste
        most relevant (to|for) me [first]
        by preference
    """)),
    ("oldest", Phrases("""
        {sort} ([the] (oldest|earliest|age) first|oldest to newest|age|oldest|earliest)
        {sort} ([publication] date|year|time) (ascending|increasing|oldest first|upwards)
        [the] (oldest|earliest|first ever|very first) [first|ones|one|to newest|at the top]
        chronological/chronologically [order]
        {sort} chronologically
        old/older first
        (is|are|one) older
        in [a] chronological order
        {sort} chronological order
        with the oldest first
        least recent [first]
    """)),
    ("newest", Phrases(f"""
        {{sort}} ([the] [publication] (date|year|time|recency|age)|newest|most recent|latest|newest to oldest|how
            (recent|new|old) [they are]|when they (appeared|were published|came out)) [first|descending|newest
            first|latest first|of publication]
        [the] [very] (newest|latest|most recent|most recently published|freshest|youngest|most current) {_FIRST} [to
            oldest|work]
        by [publication] (date|year|recency)
        recent/newer/new [ones] first
        (is|are|one) (newer|more recent|younger)
        [the|some|any|more] recent <:papers>
        reverse chronological [order]
    """)),
    ("citations", Phrases(f"""
        {{sort}} {_CITED} [first|descending|highest first|in descending order|most first]
        by {_CITED} [first|descending]
        [the] (most|highest|highly|best|heavily|widely|top|more|frequently) [often|frequently|widely|heavily] cited
            {_FIRST}
        [the|with the|having the] (most|highest|largest|biggest) [number of] (citation/citations|citation count)
            {_FIRST}
        [the] most (influential|popular|famous|important|impactful|known|seminal) {_FIRST}
        (is|are|was|were) cited [the] (most|more) [often|frequently]
        cited most [often]
        cited more [often]
        (biggest|largest|highest) impact [first]
        cited the most
        greatest impact
    """)),
    ("title", Phrases("""
        {sort} [the|their] (title/titles|name/names|alphabet) [a to z|alphabetically]
        alphabetical/alphabetically [order|by title]
        by title/titles
        (from a to z|a to z|a-z)
        {sort} alphabetically [by title]
        in alphabetical order
    """)),
)  # fmt: skip
_BEGUN = Phrases("rank/sort/order/arrange/put/list/reorder/rerank [{these}]")
_NEAR = Phrases("""
    {sort} [the] (relevance|similarity|closeness|nearness|how (close|near|similar|relevant|related) they are) (to|
        for|with) <to>
    by (relevance|similarity|closeness|nearness) (to|with) <to>
    [the] (most|more) (relevant|related|similar|close) [ones|one|papers] (to|for) <to> first
    [the] [ones] (nearest|closest) [ones|one|papers] to <to> first
    {sort} how (much|well|far) (they|these|those) (are about|deal with|have to do with|resemble|match|fit) <to>
""")
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
_TOP = Phrases("top <:number> [{papers}]", "[the] <:number> top")


def read_nearness(choice: Choice) -> None:
    """An order by nearness to papers or words; it is no choice of what is near."""
    if slots := choice.take(_NEAR):
        _near(choice, slots["to"])


def read_order(choice: Choice) -> None:
    """By what they are to be ordered; beside "prefer" also by what kind of paper is preferred."""
    if choice.order:
        return
    if slots := choice.take(_NEAREST):
        _near(choice, slots["to"])
        return
    choice.take(_RELEVANCE)  # which is the order that a choice by words has anyway
    for name, phrases in _ORDERS:
        if found := phrases.find(choice.text):
            _limit_within(choice, found.start)
            choice.take(phrases)
            choice.order = name
            if (begun := _BEGUN.find(choice.text)) and begun.start == 0:
                choice.text = choice.text[begun.end :].strip()
            break
    if slots := choice.take(_PREFER):
        _prefer(choice, slots["more"], slots.get("less", ""))


def _near(choice: Choice, to: str) -> None:
    if not known_names_in(to, choice.scene):
        to = to.removesuffix(" first")
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


def read_limit(choice: Choice) -> None:
    """How many are to be shown."""
    if choice.limit is not None:
        return
    top = _TOP.find(choice.text) is not None
    if slots := choice.take(_LIMIT):
        choice.limit = _few(slots["n"])
        if top and not choice.order and not choice.onward:
            choice.order = "citations"
    elif (found := _LIMIT_BEFORE.find(choice.text)) and found.start == 0:
        choice.cut(found.start, found.end)
        choice.text = f"papers {choice.text}"
        choice.limit = _few(found.slots["n"])


def _few(number: str) -> int:
    return max(1, min(number_of(number), MOST_SHOWN))
