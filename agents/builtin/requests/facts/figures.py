"""Figures: counts of papers and of other things, averages, sums, shares, spans of years."""

import re

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.choosing.subject import told_subject
from agents.builtin.requests.facts.sql import AUTHORS, THESE, clauses_of, conditions_in, text, where
from agents.builtin.requests.facts.tables import count_together
from agents.builtin.requests.past_times import past_days
from agents.builtin.requests.phrases import Found, Phrases
from agents.builtin.requests.scene import Call, Reading, Scene, plan, step

_COUNT = Phrases("""
    [and] [from|in|at|by|of] how many <rest:text>
    [and] how much <rest:text>
    count [the|my|all] <rest:text>
    [{what_is}] [the] [total] (number|count|amount|sum) of <rest:text>
    what number of <rest:text>
    [give me|tell me|show me] [a|the] (number|count|tally|headcount) of <rest:text>
    tell me how many <rest:text>
    <rest> : how many
    do you know how many <rest:text>
    (size of|how (big|large) is) <rest:text>
""")  # fmt: skip
_THINGS = (
    (Phrases("""
        [different|distinct|separate] tags/labels [<:text>]
    """), "SELECT count(DISTINCT tag) AS tags FROM tags", ""),
    (Phrases("""
        [different|distinct|separate] (venues/journals/conferences) [<:text>]
    """), "SELECT count(DISTINCT venue) AS venues FROM papers", "venue != ''"),
    (Phrases("""
        [different|distinct|separate] first authors [<:text>]
    """), "SELECT count(DISTINCT first_author) AS first_authors FROM papers", "first_author != ''"),
    (Phrases("""
        [different|distinct|separate] (authors/people/researchers) [<:text>]
    """), "SELECT count(DISTINCT author) AS authors FROM {authors}", ""),
    (Phrases("""
        notes/comments/annotations [<:text>]
    """), "SELECT count(*) AS notes FROM shelf WHERE note != ''", ""),
)  # fmt: skip
_RUNS = Phrases("(<kind:run>) [<:text>]")
_RUN_KINDS = {"searc": "search", "queri": "search", "summa": "summary", "recom": "recommendation",
              "conve": "conversation", "chats": "conversation"}  # fmt: skip
_AVERAGE = "(average/mean/avg|on average)"
_FIGURES = (
    (Phrases(f"""
        {_AVERAGE} [(number|count) [of]|of] [the|their|all] (citation counts|citation count|citations/citation|cites)
        how (often|many times|much) (are|is|were|have) <rest> cited [on average]
        how many citations <rest> {_AVERAGE}
        how many citations (do|does|have|has) <rest> {_AVERAGE}
    """),
     "round(avg(citations), 1) AS average_citations", "citations IS NOT NULL"),
    (Phrases("median [number of|of] (citation count|citations/citation)"), "median", "citations IS NOT NULL"),
    (Phrases("""
        (total|sum|altogether|combined|overall|together) [number of|of|of the] (citation counts|citation
            count|citations/citation)
        citations <rest> (in total|altogether|together|combined|in all|overall)
        how many citations (do|have|did) [all] (my|these|those|the) <rest> [have|got|get]
        how many citations (do|have) {these} [have|got] [together|in total]
        citations (in total|altogether|together|combined)
        how many citations (is|are|would|does|do|make) (that|it|this|they|those|these) [make|be] (in
            total|altogether|together|all told|in all|in sum|combined)
        (do|does|would) (they|these|those|it|that) (add up|sum up|come|amount) to in [terms of] citations
        how many citations (do|does|would) (they|these|those|it|that) (add up|sum up|come|amount) to
    """),
     "sum(citations) AS citations", "citations IS NOT NULL"),
    (Phrases("""
        {what_is} [the] (highest|largest|maximum|biggest|most|max) [number of] (citations|citation count)
    """), "max(citations) AS most_citations", "citations IS NOT NULL"),
    (Phrases("""
        {what_is} [the] (lowest|smallest|minimum|fewest|min) [number of] (citations|citation count)
    """), "min(citations) AS fewest_citations", "citations IS NOT NULL"),
    (Phrases(f"""
        {_AVERAGE} (year of publication|publication year|publication date|year|age)
        how old <rest> {_AVERAGE}
    """), "round(avg(year), 1) AS average_year", "year IS NOT NULL"),
    (Phrases("""
        [{what_is}] [the] (earliest|oldest|lowest) [publication] (year|date) [of publication]
        from (which|what) year is the (oldest|earliest|first) <rest>
    """), "min(year) AS first_year", "year IS NOT NULL"),
    (Phrases("""
        [{what_is}] [the] (latest|newest|most recent) [publication] (year|date) [of publication]
        from (which|what) year is the (newest|latest|most recent) <rest>
    """), "max(year) AS last_year", "year IS NOT NULL"),
    (Phrases("""
        (what|which) years (does|do|are|is) <rest> (cover|span|range|from|covered|come from)
        (year|time|date) (range|span)
        (range|span) of years
        (from when to when|from which years|from what years)
        what (period|time span) <rest> (cover|span|covered)
    """),
     "min(year) AS first_year, max(year) AS last_year", "year IS NOT NULL"),
)  # fmt: skip
_SHARE = Phrases("""
    [{what_is}|how large is|how big is] [the] (share|percentage|percent|proportion|fraction|part|ratio) of
        <rest:text>
    how many percent of <rest:text>
    how (much|many) of <rest> [,] (in percent|in percentages|as a percentage|in per cent|percentagewise)
    (what|which) (share|percentage|percent|proportion|fraction|part) of <rest:text>
""")  # fmt: skip


def count(said: str, scene: Scene) -> Reading | None:
    """What is counted: papers by `filter`, which keeps them as candidates, all else by SQL."""
    if _HOW_MANY.match(said) is not None and scene.candidates is not None:
        return Reading((Call("filter"),), onward=True)
    slots = _COUNT.match(said)
    if slots is None:
        return None
    rest = slots["rest"]
    choice = read_choice(rest, scene)
    if not choice.onward and scene.candidates is not None:
        choice.onward = _ANEW.find(rest) is None
    choice.order = ""
    return Reading(
        (Call("filter", choice.conditions), *(call for call in choice.calls()[bool(choice.conditions) :])),
        choice.onward,
    )


_OF_ALL = Phrases("library", "overall", "of (all|everything)", "shelf", "saved", "do i have", "papers/articles/books")
"""What a figure is of that is not of the papers spoken of before."""
_ANEW = Phrases("""
    library
    my shelf
    saved
    do i have
    have i
    in here
    in total
    papers/articles/publications <:any>
    (papers/preprints/books/surveys/reviews/theses)
""")  # fmt: skip
_HOW_MANY = Phrases("how many [papers] [are (there|these|they|those)|of them|in total|is that]")


_CO_AUTHORS = Phrases("""
    how many [different|other] (people/authors/researchers/persons) (has|have) [ever] (published|written|worked
        |co-authored|collaborated) [papers|something] [together] with <name>
    how many [different] (co-authors|coauthors|co authors|collaborators) (does|has|did) <name> [have|had]
    (number of|count) [the] (co-authors|coauthors|co authors|collaborators) of <name>
    how many (co-authors|coauthors|co authors|collaborators) of <name> [are there]
""")


def things(said: str, scene: Scene) -> Reading | None:
    """How many there are of other things than papers: tags, venues, authors, notes, runs."""
    slots = _COUNT.match(said)
    if (others := _CO_AUTHORS.match(said)) is not None:
        return count_together(others["name"])
    return _of_things(slots["rest"], scene) or _of_runs(slots["rest"], scene) if slots else None


def _of_things(rest: str, scene: Scene) -> Reading | None:
    for phrases, sql, known in _THINGS:
        if phrases.match(rest) is None:
            continue
        choice = _conditions(rest, phrases, scene)
        clauses = clauses_of(choice)
        if "{authors}" in sql:
            sql = sql.replace("{authors}", AUTHORS.replace("{where}", where("authors != ''", *clauses)))
        elif known:
            sql += where(known, *clauses)
        return plan(step("query", sql=sql), onward=choice.onward)
    return None


def _conditions(rest: str, phrases: Phrases, scene: Scene) -> Choice:
    """What else is said than the thing that is counted; no subject, for its words are about the thing."""
    return conditions_in(rest.split(" ", 1)[1] if " " in rest else "", scene)


def _of_runs(rest: str, scene: Scene) -> Reading | None:
    slots = _RUNS.match(rest)
    if slots is None:
        return None
    choice = Choice(rest, scene)
    since, until = past_days(choice)
    kind = _RUN_KINDS.get(slots["kind"].lower()[:5])
    clauses = [f"kind = {text(kind)}"] if kind else []
    clauses += [f"substr(started, 1, 10) BETWEEN {text(since)} AND {text(until)}"] if since and until else []
    return plan(step("query", sql=f"SELECT count(*) AS runs FROM runs{where(*clauses)}"), onward=False)


def figure(said: str, scene: Scene) -> Reading | None:
    """One number over the citations or the years of papers, or a share of them."""
    if slots := _SHARE.match(said):
        return _share(slots["rest"], scene)
    for phrases, value, known in _FIGURES:
        if (found := phrases.find(said)) and not said[found.end :].lower().startswith(" first"):
            rest, asked = _AND_WHICH.subn(" ", _rest(said, found))
            choice = conditions_in(rest, scene)
            choice.onward |= scene.candidates is not None and not choice.conditions and _OF_ALL.find(said) is None
            clauses = [known, *clauses_of(choice)]
            columns = f"title, {value}" if asked and value.startswith(("max(", "min(")) and "," not in value else value
            sql = median(clauses) if value == "median" else f"SELECT {columns} FROM papers{where(*clauses)}"
            return plan(step("query", sql=sql), onward=choice.onward)
    return None


_AND_WHICH = re.compile(
    r",? (?:and )?(?:by |of |for |from )?(?:which|what|whose)(?: (?:paper|article|one))?(?: (?:is (?:that|it)"
    r"|has it|does it belong"
    r" to|was it|reached it|that is))?[ ?.]*$",
    re.IGNORECASE,
)
"""That the paper is asked for as well, beside its figure."""


def _rest(said: str, found: Found) -> str:
    """What is said of the papers: within the phrase, behind it, or before it."""
    told = f"{found.slots.get('rest', '')} {said[found.end :]}".strip(" ?.!")
    return f"papers {told}" if told else said[: found.start]


def median(clauses: list[str]) -> str:
    """A query of the median of the citations of papers that meet `clauses`."""
    chosen = f"FROM papers{where(*clauses)}"
    return (f"SELECT avg(citations) AS median_citations FROM (SELECT citations {chosen} ORDER BY citations"
            f" LIMIT 2 - (SELECT count(*) {chosen}) % 2 OFFSET (SELECT (count(*) - 1) / 2 {chosen}))")  # fmt: skip


def _share(rest: str, scene: Scene) -> Reading | None:
    """Of the papers that are told first those that are, have or do what is told then; of the saved papers, or of all,
    where one thing is told alone."""
    rest = _IN_PERCENT.sub("", rest)
    if (parted := _IS_OR_HAS.match(rest)) and (told := _share_of(parted["of"], parted["met"], scene)):
        return told
    if (among := _AMONG.match(rest)) and (told := _share_of(among["of"], f"are {among['met']}", scene)):
        return told
    choice = read_choice(rest, scene)
    shelf = choice.conditions.pop("saved", None) is True or "read" in choice.conditions or _MINE.find(rest) is not None
    onward, choice.onward = choice.onward or (scene.candidates is not None and bool(THESE.search(rest))), False
    met = clauses_of(choice)
    if not met:
        return None
    if "words" in choice.conditions and not told_subject(rest):
        return None
    choice.conditions, choice.onward = ({"saved": True} if shelf else {}), onward
    percent = f"round(100.0 * sum({' AND '.join(met)}) / count(*), 1)"
    sql = f"SELECT {percent} AS percent FROM papers{where(*clauses_of(choice))}"
    return plan(step("query", sql=sql), onward=onward)


def _share_of(of: str, met: str, scene: Scene) -> Reading | None:
    """Of the papers `of` those of which `met` holds; None where either says what no condition tells."""
    base, wanted = read_choice(f"papers {of}", scene), read_choice(f"papers that {met}", scene)
    if scene.candidates is not None and THESE.search(of):
        base.onward = True
    if base.is_soft or wanted.is_soft or "words" in wanted.conditions:
        return None
    met_clauses = clauses_of(wanted)
    if not met_clauses or not (base.conditions or base.onward or _ALL.match(of)):
        return None
    percent = f"round(100.0 * sum({' AND '.join(met_clauses)}) / count(*), 1)"
    return plan(step("query", sql=f"SELECT {percent} AS percent FROM papers{where(*clauses_of(base))}"),
                onward=base.onward)  # fmt: skip


_AMONG = re.compile(
    r"(?P<met>[^,;]+?) (?:among|amongst|within|in|on|of) (?:all )?(?:of )?(?P<of>(?:my|the|these|those|them)\b.*)",
    re.IGNORECASE,
)
_IN_PERCENT = re.compile(r",? \(?(?:in|as a?) ?(?:percent(?:age)?s?|per cent|%)\)?(?=[ ,.?!]*$)", re.IGNORECASE)
_IS_OR_HAS = re.compile(
    r"(?P<of>.+?(?<! that)(?<! which)(?<! i)(?<! and)(?<! who)) (?P<met>(?:is|are|was|were|has|have|had|carry|carries"
    r"|bears?|lacks?|comes?|came|appeared)\b.+)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?:all )?(?:the |of the )?(?:papers|articles|publications|works|library|everything)$", re.IGNORECASE
)
_MINE = Phrases("""
    my papers
    my shelf
    i saved
    i have saved
""")
