"""What was searched, summarized and recommended before."""

import re

from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.times import read_times
from agents.builtin.requests.past_times import past_days
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import number_of
from agents.builtin.requests.scene import Reading, Scene, plan, step

_RUNS = (
    "search/searches/summary/summaries/run/runs/query/queries/question/questions/recommendation/recommendations"
    "/conversation/conversations/chat/chats/history/overview/overviews"
)
_DID = (
    "search/searched/ask/asked/look/looked/summarize/summarized/query/queried/run/ran/google/googled/research"
    "/researched/recommend/recommended"
)
_PAST = "past/previous/last/recent/earlier/old/latest/first/finished/stored/other"
_ASKED = Phrases(f"""
    (what|which|for what) [<:any>] (have|had) (i|we) been (searching|asking|looking|summarizing) [for|about|into|up]
        [<:text>]
    (what|which|when|have|did|how often|for what) [<:any>] [did|have|had] (i|we|you) [ever|already|last|recently|
        have|just|previously] {_DID} [<:text>]
    (have|did|when did|when have) (i|we) [ever|already|last|once] {_DID} [<:text>]
    (have|did|when did|when have) (i|we) [ever|already|last|once]
        (make|made|do|done|have|had|get|got|write|written|start|started) [a|any|my] {_RUNS} [<:text>]
    [{{show}}|{{what_is}}|what about] [all] [of] my [own] [{_PAST}] [<:number>] [{_PAST}] {_RUNS} [<:text>]
    [{{show}}|{{what_is}}] [all] [of] the [<:number>] ({_PAST}) [<:number>] {_RUNS} [<:text>]
    [{{show}}] ({_PAST}) {_RUNS} [<:text>]
    [{{show}}|{{what_is}}|which (are|were)] [all] [of] [the|my] {_RUNS} [that|which] (i|we) [have|had] [ever|already]
        (ran|run|made|make|did|do|done|started|asked|had|got|performed|carried out|typed) [<:text>]
    [search|my search] history [of (searches|my searches|queries)]
    (which|what) {_RUNS} (are|were|have|did|do|about|on|ran|has) [<:text>]
    {{show}} [all|the] [<:number>] (searches/summaries/runs/queries) [<:text>]
    (what|which things) (was|were|has been) (searched/asked/summarized/recommended) [<:text>]
    (which|what) (papers|ones) (were|was|did you) (recommend/recommended) [<:text>]
    [my] (searches/summaries/queries/runs) [<:text>]
    (show|list) [me] what (i|we) (searched|asked|looked) [for|up] [<:text>]
    what (i|we) {_DID} [<:text>]
    when was my last <:text>
    (what|which) (was|is|were) the [very] (last|latest|most recent|previous|first) [<:number>] [<:few>] [that] (i|we)
        [have] [ever] {_DID} [<:text>]
    when (did|have|was|were) (i|we|my) [ever] (make|made|do|done|run|ran|ask|asked|get|got|have|had|start|started|write
        |wrote) (my|the|a|an|our) [very] [{_PAST}] [<:number>] {_RUNS} [<:text>]
    when was the last time [that] (i|we) {_DID} [<:text>]
    (what|which topic|which) (was|is) (my|the|our) [very] ({_PAST}) {_RUNS} [<:text>]
    what (was|were) i (recommended|suggested) [<:text>]
    what [<:any>] (did|have) you (recommend|recommended|suggest|suggested) [to] [me] [<:text>]
    anything i (searched|looked) for <:text>
""")  # fmt: skip
_NOT = Phrases(
    "what did i (note|write|save|tag) [<:text>]",
    "(what|which) can i (ask|search|look) [<:text>]",
    "[my] (searches|queries) : <:text>",
)
_KINDS = (
    ("summary", Phrases("summary/summaries/summarize/summarized/overview/overviews")),
    ("recommendation", Phrases("recommendation/recommendations/recommend/recommended")),
    ("conversation", Phrases("conversation/conversations/chat/chats/chatted/talk/talks")),
    ("search", Phrases("""
        search/searches/searched/searching/query/queries/queried/question/questions/ask/asked/google/googled/research/researched
        look/looked (for/up|into)
    """)),
)  # fmt: skip
_ABOUT = Phrases("""
    (about|concerning|regarding|with|mentioning|containing|related to|to do with|searched for|search for|asked
        about|looked for) <words>
    (on|for) <words>
""")
_LAST = Phrases("""
    (my|the|our) (last|latest|most recent|previous) (search/summary/run/query/question/recommendation/conversation)
    when [<:any>] last
    i last (searched|asked|looked|summarized|search|ask|look|had|ran|made|did|run)
    (searched|searched for|asked|summarized) (most recently|last)
    i (most recently|last) (searched|asked|summarized)
    last (search|summary|run|query)
    the [very] (last|latest|most recent) (thing|topic|question|one|subject|time) [that] (i|we)
""")  # fmt: skip
_SOME = Phrases("""
    (last|latest|past|recent|first) <n:number> [searches|summaries|runs|queries|questions|recommendations|things]
    <n:number> (last|latest|recent|most recent|past) <:any>
""")  # fmt: skip
_RUN_WORD = re.compile(
    r"(?:a |any |some |my )?(?:recommendations?|suggestions?|summar(?:y|ies)|search(?:es)?|overviews?)", re.IGNORECASE
)
_RECENTLY = re.compile(
    r"\s+(?:recently|lately|so far|until now|up to now|before|already|in the past|earlier|these days|of late)\b",
    re.IGNORECASE,
)
_OF_RUN = re.compile(r"(?:which|what|when|me|mine|that|those|the date|whom)\b", re.IGNORECASE)
"""What is said of a run behind a preposition, and is not what it was about."""
_UNITS = ("day", "days", "week", "weeks", "month", "months", "year", "years")


def past_runs(text: str, scene: Scene) -> Reading | None:
    """Past runs, by their kind, by when they were, and by what they were about."""
    if (_ASKED.match(text) is None and not _tells_of_runs(text)) or _NOT.match(text) is not None:
        return None
    kind = next((name for name, words in _KINDS if words.find(text) is not None), None)
    choice = Choice(_RECENTLY.sub("", text), scene)
    since, until = past_days(choice)
    if since is None and until is None:
        read_times(choice)
        since, until = choice.conditions.get("since"), choice.conditions.get("until")
    limit = _limit(choice) or (1 if _MOST_RECENT.search(text) else None)
    about = choice.take(_ABOUT)
    words = topic_of(about["words"]) if about and _OF_RUN.match(about["words"]) is None else ""
    return plan(
        step(
            "runs",
            words="" if _RUN_WORD.fullmatch(words.strip("\"' ")) else words.strip("\"' "),
            kind=kind,
            since=since,
            until=until,
            limit=limit,
        )
    )


_RUN = re.compile(
    r"\b(?:search(?:es)?|summar(?:y|ies)|queries|query|recommendations?|conversations?|chats?|runs)\b", re.IGNORECASE
)
_OWN_RUN = re.compile(
    r"\b(?:i|we) (?:(?:have|had|ever|already|last|once|recently|previously|at any time|in the past|before) )*(?:ran|run"
    r"|made|did|do|done|started|asked for|performed|carried out|conducted|wrote|written|had|requested|produced"
    r"|ordered)\b"
    r"|\bby me\b|\bof mine\b|\b(?:past|previous|earlier|former|old) (?:\w+ )?(?:search|summar|quer|recommendation|run)"
    r"|\bhistory of (?:my )?(?:search|quer)|\bsearch history\b",
    re.IGNORECASE,
)
_NO_TELLING = re.compile(
    r"(?:(?:please|and|then|now|also) )*(?:save|tag|note|mark|export|summarize|search|do|run|make|start|write|repeat"
    r"|recommend|suggest|give me a|remember|untag|label|cite|delete|remove|forget)\b"
    r"|.*\b(?:papers?|articles?|found"
    r"|how many|how often)\b",
    re.IGNORECASE,
)


_MOST_RECENT = re.compile(r"\b(?:i|searched(?: for)?|asked|summarized) (?:have )?most recently\b", re.IGNORECASE)


def _tells_of_runs(text: str) -> bool:
    """Whether a run and whose it was are spoken of, in whatever order: "any past search of mine on agents?"."""
    return _NO_TELLING.match(text) is None and _RUN.search(text) is not None and _OWN_RUN.search(text) is not None


def _limit(choice: Choice) -> int | None:
    if (some := _SOME.find(choice.text)) and choice.text[some.end :].split()[:1] not in [[unit] for unit in _UNITS]:
        return number_of(some.slots["n"])
    return 1 if _LAST.find(choice.text) is not None else None
