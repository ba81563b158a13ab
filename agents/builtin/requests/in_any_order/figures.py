"""How many papers there are, and what their citations and years come to, in whatever order it is asked: "my saved
papers: range of publication years", "everything by Girshick, its citations all together"."""

import re
from typing import NamedTuple

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.facts.figures import median
from agents.builtin.requests.facts.history import history
from agents.builtin.requests.facts.sql import THESE, clauses_of, where
from agents.builtin.requests.in_any_order.of_papers import papers_told
from agents.builtin.requests.references import known_names_in
from agents.builtin.requests.scene import Call, Reading, Scene, plan, step


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_CITED = (
    r"(?:(?:the |their |its |all )*(?:citation (?:counts?|numbers?|figures?|totals?)|citations?|cites)|(?:been )?cited)"
)
_CITATIONS = _words(
    rf"\b(?:(?:how (?:many|often|much|many times)|the)?(?: number of| numbers of| count of)? ?{_CITED})"
    r"(?: (?:received|collected|gathered|they have|it has|counts?|do they have|does it have))?"
)
_AVERAGE = _words(
    r"\b(?:(?:on|in) (?:the )?average|(?:the |an )?(?:average|mean|avg\.?)(?: (?:value|figure))?(?: of| for)?)(?!\w)"
)
_MEDIAN = _words(r"\b(?:the )?median(?: of| for)?\b")
_TOTAL = _words(
    r"\b(?:in total|(?:the )?(?:grand )?totals?(?: of)?|(?:to be |be )?(?:totall?ed|summed(?: up)?|added up)"
    r"|(?:the )?sum(?: total)?(?: of)?"
    r"|altogether|alltogether|all ?together|together|combined|taken together|overall|(?:the )?aggregated?|all told"
    r"|all in all|(?:they |it |these |those |that )?(?:add|sum|come|amount)s?(?: up)? to|(?:add|sum|tot)s? up"
    r"|cumulative"
    r"|in sum|in all)\b"
)
_CITATION_NOUN = r"(?:citation (?:counts?|numbers?|figures?)|citations?|cites)"
_HIGHEST = r"(?:highest|maximum|maximal|max\.?|largest|greatest|biggest|most|top|peak|record)"
_LOWEST = r"(?:lowest|minimum|minimal|min\.?|smallest|fewest|least)"
_MAXIMUM = _words(rf"\b(?:the )?{_HIGHEST} (?:(?:number|count|amount) of )?{_CITATION_NOUN}\b(?! first)")
_MINIMUM = _words(rf"\b(?:the )?{_LOWEST} (?:(?:number|count|amount) of )?{_CITATION_NOUN}\b(?! first)")
_FIRST, _LAST = "(?:earliest|oldest|first)", "(?:latest|newest|last|most recent|youngest)"
_ENDS = _words(
    rf"\b(?:from )?(?:the |my )?(?:{_FIRST}(?: (?:one|paper|publication|year|date))?,? (?:and|to|plus|up to|through"
    rf"|until)"
    rf" (?:of )?(?:the |my )?{_LAST}|{_LAST}(?: (?:one|paper|publication|year|date))?,? (?:and|to"
    rf"|plus) (?:of )?(?:the |my )?{_FIRST})"
    r"(?: (?:ones?|papers?|publications?|years?|dates?))?\b"
)
_RANGE = _words(r"\b(?:the )?(?:range|span|spread)(?: of| in)?\b|\b(?:spanned|covered)\b")
_YEARS = _words(
    r"\b(?:of )?(?:the )?(?:publication |publishing )?(?:years?|dates?)(?: of (?:publication|appearance))?\b|\bwhen\b"
)
_COUNT = _words(
    r"\b(?:for |of |in |on |from |to |by |with |under |at )?how many(?: of)?\b|\b(?:what|which) (?:number"
    r"|count)(?: of)?\b"
    r"|\b(?:the |a |total |overall |exact |whole )*(?<!citation )(?:number|count|tally|headcount|total|amount)s? of\b"
    r"|(?<![\w-])(?:(?:'s|s')? )?(?<!citation )paper count\b(?: of| for)?|\bcount(?: up)?\b(?! of)"
    r"|[:–-] ?(?:the )?number(?= *[?.]*$)"
)
_NO_FIGURE = _words(
    r"\b(?:each|every|per|apiece|respectively|by (?:year|type|venue|journal|author|tag|kind|decade)|distribution"
    r"|breakdown"
    r"|(?:how many|number of|count of|different|distinct|all|every) (?:of )?(?:my |the )?(?:\w+ )?(?:tags|labels)"
    r"|venues|journals|conferences|authors|people|researchers|co-?authors|searches|queries|notes|years"
    r"|types|percent\w*|share|fraction|proportion|words?|pages|unknown|missing|not known|known|versus|vs|compared?"
    r"|more|ratio|most of)\b(?! than)"
)
"""What a number of papers is not: of other things, or for each of several."""
_ACTS = _words(
    r"\b(?:i|me|we|been) (?:\w+ )?(?:saved?|add(?:ed)?|bookmark(?:ed)?|read|opened|viewed|exported|dismissed)\b"
    r"|\b(?:saved|read|added|placed|put)\b.*\b(?:by me|on my shelf)\b"
)
"""What was done at a time, which is the time of no paper."""
_WHICH = _words(
    r",? (?:and |plus )?(?:by |of |for |from )?(?:(?:which|what) (?:paper|article|one)|the (?:paper|article|one))"
    r"(?: (?:that|which|it|is|has|holds|got|reaches|reached|it belongs to|is that|is it|is this|holds it|has it"
    r"|got it|with it))*(?= *[?.]*$)"
)
_ORDER_ONLY = frozenset({"citations", "fewest_citations", "newest", "oldest"})
_DAYS = frozenset({"since", "until", "saved_since", "saved_until"})
_LONGEST = 60
"""Words of a question, at most."""
_CHANGE = _words(
    r"(?:please |can you |could you |kindly |and |also |then |now )*(?:save|unsave|tag|untag|label|note|mark|add"
    r"|put|bookmark"
    r"|sort|rank|order|arrange|export|remove|drop|search|recommend|suggest|summarize|compare|keep|only|just|cite)\b"
)


class _Figure(NamedTuple):
    value: str
    known: str


_CITED_KNOWN, _YEAR_KNOWN = "citations IS NOT NULL", "year IS NOT NULL"


def figured(text: str, scene: Scene) -> Reading | None:
    """One number of papers, over their citations or their years; None where anything else is said."""
    if len(text.split()) > _LONGEST or _CHANGE.match(text) is not None:
        return None
    return _of_citations(text, scene) or _of_years(text, scene) or counted(text, scene)


def counted(text: str, scene: Scene) -> Reading | None:
    """How many papers there are."""
    if len(_COUNT.findall(text)) != 1 or _NO_FIGURE.search(text) is not None:
        return None
    cited = _CITED_BY.search(text)
    if cited and known_names_in(cited["what"], scene):
        return None  # what a paper cites, and not what somebody wrote
    choice = papers_told(_COUNT.sub(" , papers ", text), scene)
    if choice is None or choice.order or choice.limit:
        return None
    if _ACTS.search(text) and _DAYS & set(choice.conditions):
        done = history(text, scene)
        if done or {"since", "until"} & set(choice.conditions):
            return done
    onward = choice.onward and not _is_another(choice, text, scene)
    return Reading((Call("filter", choice.conditions), *choice.calls()[bool(choice.conditions) :]), onward)


_CITED_BY = re.compile(r"\bcited (?:both )?(?:by|in) (?:both )?(?P<what>[^?]+?)[?.! ]*$", re.IGNORECASE)


def _is_another(choice: Choice, text: str, scene: Scene) -> bool:
    """Whether behind a number of papers, of which none was shown, the number of others is asked: "and from ICLR?"."""
    if scene.shown or THESE.search(text) is not None:
        return False
    return not scene.has_any(choice.conditions, True) and scene.has_any(choice.conditions, False)


def _of_citations(text: str, scene: Scene) -> Reading | None:
    for pattern, value in (
        (_MAXIMUM, "max(citations) AS most_citations"),
        (_MINIMUM, "min(citations) AS fewest_citations"),
    ):
        if (found := pattern.search(text)) and (_TOLD.match(found[0]) or not _ASKS_PAPER.search(text[: found.start()])):
            asked = _WHICH.search(text)
            rest = f"{text[: found.start()]} , papers , {_WHICH.sub(' ', text[found.end() :])}"
            return _told(rest, _Figure(f"title, {value}" if asked else value, _CITED_KNOWN), scene)
    for pattern, value in ((_TOTAL, "sum(citations) AS citations"), (_MEDIAN, "median"),
                           (_AVERAGE, "round(avg(citations), 1) AS average_citations")):  # fmt: skip
        if pattern.search(text) is None:
            continue
        rest = pattern.sub(" , ", text)
        if (cited := _CITATIONS.search(rest)) is None:
            continue
        return _told(f"{rest[: cited.start()]} , papers , {rest[cited.end() :]}", _Figure(value, _CITED_KNOWN), scene)
    return None


_TOLD = _words(r"(?:the )?(?:highest|maximum|max|largest|lowest|minimum|min)\b.* (?:count|number)s?\b.*$")
_ASKS_PAPER = _words(
    r"\b(?:which|what|name)(?: \w+){0,3} (?:papers?|articles?|ones?|preprints?|books?)\b"
    r"|\b(?:papers?|articles?|ones?|that|those)(?: \w+)? (?:with|having|has|have|had|got|of)(?: the)? *$"
    r"|\b(?:by|sort\w*|order\w*|rank\w*)(?: the)? *$|^ *$"
)
"""Papers in that order are asked for, and no figure: "the paper with" the most citations."""


def _of_years(text: str, scene: Scene) -> Reading | None:
    """The first and the last year; with the papers where those are asked for."""
    value = "min(year) AS first_year, max(year) AS last_year"
    if ends := _ENDS.search(text):
        rest = f"{text[: ends.start()]} , papers , {text[ends.end() :]}"
        if _YEARS.search(rest) is None and _YEARS.search(ends[0]) is None:
            return None
        rest = _RANGE.sub(" ", _YEARS.sub(" ", rest))
    elif _RANGE.search(text) and _YEARS.search(text):
        rest = _RANGE.sub(" , ", _YEARS.sub(" ", text))
    else:
        return None
    return _told(rest, _Figure(value, _YEAR_KNOWN), scene)


def _told(rest: str, figure: _Figure, scene: Scene) -> Reading | None:
    if _NO_FIGURE.search(rest) is not None:
        return None
    choice = papers_told(rest, scene)
    if choice is None or choice.limit or choice.order not in ("", *_ORDER_ONLY):
        return None
    return plan(step("query", sql=_sql(choice, figure)), onward=choice.onward)


def _sql(choice: Choice, figure: _Figure) -> str:
    clauses = [figure.known, *clauses_of(choice)]
    return median(clauses) if figure.value == "median" else f"SELECT {figure.value} FROM papers{where(*clauses)}"
