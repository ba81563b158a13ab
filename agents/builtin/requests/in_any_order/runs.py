"""A summary or a recommendation that is asked for in whatever words: "need summary: ReAct and Toolformer", "could you
write something up for me, a summary, about positional bias?", "Suggestions: 5. They must fit what I tagged thesis."."""

import re

from agents.builtin.requests.in_any_order.papers_meant import asks_only, papers_meant
from agents.builtin.requests.meant import Meant, described
from agents.builtin.requests.phrases import HEARD
from agents.builtin.requests.references import ALL, IT, SHOWN, known_names_in, number_of
from agents.builtin.requests.scene import Call, Reading, Scene, plan, step

WHOLE = "what these papers are about"
"""The topic where none is named."""
_SUMMARY = re.compile(
    r"\b(?:summar(?:y|ies|ize|izes|izing|ized)|overviews?|synthes[ie]s|synthesi[sz]e"
    r"|synopsis|digest|recap|tldr|gist)\b",
    re.IGNORECASE,
)
_SUMMING = frozenset(
    """
    short brief quick concise little small long detailed compact cited one paragraph page paragraphs text lines
    sentences form sort kind draft drafted compose composed write writing wrote up down sum summing something
    anything thing shortly briefly quickly literature research review it do done single altogether together whole
    words word cover covering covers concerning regarding about report reporting say says said me us need-a
    """.split()
)
_TOPIC = re.compile(
    r"\b(?:about|on|regarding|concerning|covering|over|into|summarizing|synthesizing|recapping|of)"
    r"\s+(?P<topic>.+?)[.?! ]*$",
    re.IGNORECASE,
)
_TOPIC_BEFORE = re.compile(
    r"\b(?:about|on|regarding|concerning|covering)\s+(?P<topic>[^,;:]+?)[,;: –-]+(?:(?:as|in|a|an|the|short|brief|quick"
    r"|form|of|please)\s+)*$",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"(?:all |each |both |the (?:above|list|first|second|third|last|top|\w+ one)\b|what |which |my |these|those"
    r"|them|it\b|their|its|this|that|the two|the three|numbers? \d|papers?\b|articles?\b|everything|anything|[@#]\d)",
    re.IGNORECASE,
)
_NO_SUMMARY = re.compile(
    r"\b(?:past|previous|last|earlier|produced|made|written|ran|run|had|when|which|did|searches|history|tagged as"
    r"|titled|called|how many|papers (?:on|about|with|that))\b",
    re.IGNORECASE,
)

_RECOMMENDS = re.compile(
    r"\b(?:recommend(?:s|ed|ation|ations|ing)?|suggest(?:s|ed|ion|ions|ing)?|propos(?:e|al|als)"
    r"|reading (?:tips|list|ideas))\b",
    re.IGNORECASE,
)
_RECOMMENDING = frozenset(
    """
    its their whose having regard reading read reads next tips ideas new fresh further more other interesting good
    worthwhile something anything some any few literature basis base based basing start starting point taking taken
    take account given building criterion criteria condition fit fits fitting suit suits suiting match matches
    matching similar like close near related exactly number exact no less than work works things stuff best they
    must drop drawing drawn inspired inspiration because line to-read tonight today tomorrow evening weekend week
    now me what which who go going follow following up
    """.split()
)
_NUMBER = re.compile(r"\b(?P<n>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\b(?! (?:of|citations))",
                     re.IGNORECASE)  # fmt: skip
_FROM = re.compile(
    r"\b(?:bas(?:ed|is|e)|start(?:ing)?|fit(?:s|ting)?|suit(?:s|ing)?|match(?:es|ing)?|from|given|like|similar|close|near"
    r"|taking|take|account|because|inspired|going with|go with|following|related)\b",
    re.IGNORECASE,
)
_GOING_BY = re.compile(r"\b(?:going|judging|to judge|inspired|guided) by\b", re.IGNORECASE)
_NO_RECOMMENDATION = re.compile(
    r"\b(?:past|previous|last|earlier|did|when|have you|were|was|among|of these|of those|of them|which of|not|without"
    r"|except|by|about|on|since|before|after|more like|retracted)\b",
    re.IGNORECASE,
)
HEARD.update(_SUMMING | _RECOMMENDING)


def summary_wanted(text: str, scene: Scene) -> Reading | None:
    """A summary of papers that are meant, or else of a topic; None where more is said."""
    found = _SUMMARY.search(text)
    if found is None or _NO_SUMMARY.search(text) or '"' in text:
        return None
    rest = f"{text[: found.start()]} {text[found.end() :]}"
    told = _TOPIC.search(text, 0 if found[0].lower().endswith("ing") else found.end())
    if told is None and (before := _TOPIC_BEFORE.search(text[: found.start()])) and not _POINTS.match(before["topic"]):
        alone = asks_only(f"{text[: before.start()]} {text[found.end() :]}", _SUMMING)
        return plan(step("summarize", topic=before["topic"].strip(" \"'")), onward=False) if alone else None
    if told is None or _means_papers(told["topic"], scene):
        papers = papers_meant(rest, _SUMMING, scene)
        return papers and papers.then("summarize", topic=_topic_of(papers))
    if asks_only(text[: told.start()], _SUMMING | {found[0].lower()}):
        return plan(step("summarize", topic=told["topic"].strip(" \"'")), onward=False)
    return None


def _means_papers(said: str, scene: Scene) -> bool:
    return bool(_POINTS.match(said) or known_names_in(said, scene, every=True) or described(said, scene))


def _topic_of(papers: Meant) -> str:
    if papers.calls:
        return ", ".join(papers.calls[0].arguments.get("words", ())) or WHOLE
    one = papers.papers[0]
    return one if len(papers.papers) == 1 and one[:1] not in "@#" else WHOLE


def recommendation_wanted(text: str, scene: Scene) -> Reading | None:
    """What to read, from papers that are meant or from all that is known of the person; None where more is said."""
    if _RECOMMENDS.search(text) is None or _NO_RECOMMENDATION.search(_GOING_BY.sub("", text)) or '"' in text:
        return None
    text = _GOING_BY.sub("based on", text)
    rest = _RECOMMENDS.sub(" ", text)
    count = _NUMBER.search(rest)
    limit = number_of(count["n"]) if count else None
    if count:
        rest = f"{rest[: count.start()]} {rest[count.end() :]}"
    if asks_only(rest, _RECOMMENDING | {"papers", "paper", "articles", "article", "one", "ones", "i"}):
        return plan(step("recommend", limit=limit), onward=False)
    papers = papers_meant(rest, _RECOMMENDING, scene)
    if papers is None or _FROM.search(text) is None:
        return None
    if papers.calls and papers.papers == [ALL]:
        return _from_these(papers, limit)
    if papers.calls or papers.papers in ([SHOWN], [IT]):
        return None
    return plan(step("recommend", papers=papers.papers, limit=limit))


def _from_these(papers: Meant, limit: int | None) -> Reading:
    """From papers that are told by what they are like; by their tag alone where they are told by that."""
    conditions = papers.calls[0].arguments
    if set(conditions) <= {"tags", "saved"} and len(conditions.get("tags", ())) == 1 and len(papers.calls) == 1:
        return plan(step("recommend", tag=conditions["tags"][0], limit=limit), onward=False)
    given = {"papers": papers.papers} | ({"limit": limit} if limit else {})
    return Reading((*papers.calls, Call("recommend", given)), papers.onward)
