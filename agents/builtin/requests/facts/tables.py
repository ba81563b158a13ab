"""Tables: which author, venue, year, type or tag has how many papers, which papers cite each other most."""

import re
from datetime import date
from typing import NamedTuple

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.facts.sql import AUTHORS, clauses_of, conditions_in, where
from agents.builtin.requests.facts.sql import text as literal
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import number_of
from agents.builtin.requests.scene import Reading, Scene, plan, step

SHOWN = 10
_MOST = (
    "(most|largest number of|highest number of|biggest number of|greatest number of|fewest|least|smallest "
    "number of|lowest number of)"
)
_FEWEST = Phrases("fewest/least/smallest/lowest/rarest")


class Group(NamedTuple):
    """What papers are counted by: how it is called, its column, where that is from, and when it is known."""

    words: str
    column: str
    source: str = "papers"
    known: str = ""


GROUPS = {
    "first_author": Group("first author/authors", "first_author", known="first_author != ''"),
    "author": Group("author/authors/person/people/researcher/researchers/writer/writers", "author", AUTHORS),
    "venue": Group("venue/venues/journal/journals/conference/conferences/outlet/outlets", "venue", known="venue != ''"),
    "year": Group("[publication] (year/years) [of publication]", "year", known="year IS NOT NULL"),
    "type": Group("([publication|paper] (type/types|kind of paper|kinds of papers|kind of papers|kinds|kind)"
                  "|(type/types/kind/kinds) of (publication/publications/paper/papers/document/documents))", "type"),
    "language": Group("language/languages", "language", known="language IS NOT NULL"),
    "decade": Group("decade/decades", "decade", "(SELECT *, year / 10 * 10 AS decade FROM papers)", "year IS NOT NULL"),
    "tag": Group("tag/tags/label/labels", "tag", "(SELECT p.*, t.tag FROM tags t JOIN papers p ON p.id = t.paper)"),
}  # fmt: skip


def _most(words: str) -> Phrases:
    """The ways to ask which of a kind has the most papers."""
    return Phrases(f"""
        [from|in|at|on|under] (which|what) [is|are] [my|the] [<n:number>] {words} [has|have|had|did|do|does|were|
            was|are|is|with|i|of mine] [that] [published|written|wrote|appear|appears|the|own] [i use] [the] {_MOST}
            [of] [the|my] [{{papers}}|often|frequent|common]
        {{what_is}} [my|the] [<n:number>] {words} [that|which] [has|have|had|with] [i use|wrote] [the] {_MOST} [of]
            [the|my] [{{papers}}|often]
        [the] [<n:number>] {words} (with|that have|having|that has|of) [the] {_MOST} [of] [{{papers}}]
        [from|in|at] (which|what) [publication] {words} (is|are|was|were) [the|my]
            (most (common|frequent|frequently used|used|popular|often used|represented)|commonest|top) [one|ones]
        [{{what_is}}] [the|my] [top] [<n:number>] (most (common|frequent|used|productive|prolific|represented|
            popular|often used)|top|commonest|leading|dominant|main|biggest|largest) [<m:number>] {words}
        (which|what) {words} (publishes|published|has published|prints|printed|wrote|has
            written|covers|cover|hosts|holds|has
            |contains|accounts for|is behind) [the] (most|majority) [of] [what|the|my|all|these|those|them] [{{papers}}]
        [from|in|at|on|under|to] (which|what) [of] [my|the] {words} [<:few>] [the] {_MOST} [of]
            [what|the|my|all|these|those|them] [<state:state>] {{papers}}
        (which|what) of (my|the) {words} (is|are|do i|did i|has|have) [used|use|been used|represented] [the] {_MOST}
            [often|frequently|used|papers]
        [{{what_is}}] [my|the] {_MOST} [often|frequently] used {words}
        (which|what) [<n:number>] {words} [do i|did i|i|is|are|comes|come|appear|appears|occurs|occur|show up|turn up
            |shows up|turns up|pops up|are found|is found|have i] [use|used|read|have|published in|save|up] [the]
            (most|most often|most frequently|most common|most used)
    """)


def _each(words: str) -> Phrases:
    """The ways to ask for all of a kind with their numbers."""
    return Phrases(f"""
        [counted|grouped|broken down|split|how many] (per|for each|in each|for every|by|each|over the|across)
            {words}
        [{{show}}] [a|the] (distribution|breakdown|histogram|statistics|counts|table) (of|by|over|across|per|on)
            [my|the] [{{papers}}] [by|over|per|across] [the] {words}
        (which|what) {words} (do i use|do i have|have i|are there|exist|are in use|do my papers have|did i use|have
            i used|are these from|are they from|are those from|are my papers from|do they come from|do my papers
            come from|are represented) [and|,] [how (often|many) [is|are|papers] [each|they] [used|have|has]]
            [<:text>]
        (how often|how many times) (do i use|is|did i use|have i used) (each|every|which) {words} [used]
        how are [my|the] [{{papers}}] (distributed|spread) over [the] {words}
        how (often|frequently|many times) (do|are|is|does|did) [my|the|each|every|each of my] {words}
            (occur|used|appear|occurs
            |appears|come up|comes up|given|there|cited)
    """)


def _all_of(words: str) -> Phrases:
    """The ways to ask for all of a kind."""
    return Phrases(f"""
        ({{show}}|{{what_is}}|which are|list) [all] [of] [my|the] [different] {words} [i use|i have|there are|in
            use|do i have] [with [their] (counts|numbers|frequencies)] [and how often [i use] each [is used]]
        ({{show}}|{{what_is}}|which are|list) [all] [of] [my|the] [different] {words} (of|in|on|among|for) [the|my|
            these|those|them] [{{papers}}|{{library}}|shelf|saved papers]
        (which|what) {words} (are|is|do i have) [there] ({{library}}|{{on_shelf}}|here|in use)
        [all] (my|all) {words}
    """)


_WHO = Phrases(f"""
    who (wrote|has written|has|published|has published|authored|has authored|is the author of|did i read) [the]
        {_MOST} [{{papers}}]
    who (is|are) [the] [<n:number>] most (prolific|productive|frequent|common|represented) [author/authors|writer]
    (whose|by whom) [{{papers}}|are|is] (do i have|have i saved|did i save|are there|are here|are) [the] {_MOST}
        [{{papers}}]
    who do i (read|save) [the] most
    by whom are most [of the|of my] {{papers}}
""")
_WHEN = Phrases(f"""
    when (were|was|did) {_MOST} [of] [the|my|these|those] [{{papers}}] [published|appear|written|come out]
    where (were|was|did) most [of] [the|my|these|those] [{{papers}}] (published|appear|come out)
""")  # fmt: skip
_ASKED = {name: (_most(group.words), _each(group.words)) for name, group in GROUPS.items()}
_BY_WHOM = {
    name: Phrases(f"""
    [in|at|from] (which|what) {GROUPS[name].words} (did|has|does|do|have)
""")
    for name in ("venue", "year")
}
_KNOWN = {name: f" WHERE {GROUPS[name].known}" for name in ("venue", "year")}
"""What alone stands in a query that is about all papers."""
_PUBLISH = Phrases("publish/published/write/written/appear/appeared")
_TOGETHER = Phrases("""
    (co-authors|coauthors|co authors|collaborators|colleagues) of <name>
    who (has|have) [ever] (written|published|worked|collaborated) [papers] [together] with <name>
    who (wrote|published|writes|publishes) [papers] [together] with <name>
    with whom (has|did|does) <name> (written|write|published|publish|work) [papers]
    <name> 's (co-authors|coauthors|collaborators)
    who (is|are) <name> 's (co-authors|coauthors|collaborators)
    who (is|are) [the] (co-authors|coauthors|collaborators) of <name>
    who has co-authored [papers] with <name>
""")
_HAVING = {
    name: Phrases(f"""
        (which|what) [of] [my|the] {group.words} [that] (has|have|had|wrote|published|with|are on|is
            on|hold|holds|contain|did
            i use|do i use|(are|is) (used|given|put) [on|to]|do i (use|have) (on|for)|appear on|occur on|stand on) [got]
            (<over:over>|<under:under>|<least:atleast>|<most:atmost>) <count:number> [{{papers}}|times] [<:text>]
        [{{show}}] [the|all|my] {group.words} (with|that have|having)
            (<over:over>|<under:under>|<least:atleast>|<most:atmost>) <count:number>
            {{papers}} [<:text>]
    """)
    for name, group in GROUPS.items()
}
"""The ways to ask which of a kind have so many papers."""
_ALL_OF = {name: _all_of(group.words) for name, group in GROUPS.items()}
_LINKED = (
    (Phrases("""
        (which|what) [of my] {papers} [in my library|on my shelf] (is|are|was|has been|have been) [being] cited
            [the] most [often|frequently] (by (the other|other|the|all the|my|[the|all the]
            remaining|the rest of the|its) [{papers}] [held|contained|kept] [{library}|{on_shelf}|of
            mine|here]|within (the|my) library|in (the|my) library|internally|here)
        [the] most cited [{papers}] (within (the|my) library|by (the other|other|my) {papers} [{library}]|
            internally)
        (which|what) {papers} [of the library] do (most|the other|other|my) [other] {papers} cite [most] [often]
        what do my papers cite (most|most often)
        (which|what) {papers} (is|are) cited by (the most|most) [other] [{papers}] [{library}]
    """), "cited", "citing"),
    (Phrases("""
        (which|what) {papers} [{library}] (cites|cite|refers to|has the) [the] most [other|of the other|references
            to] [{papers}] [{library}]
    """), "citing", "cited"),
)  # fmt: skip


def table(text: str, scene: Scene) -> Reading | None:
    """A table that `text` asks for."""
    for phrases, this, other in _LINKED:
        if phrases.match(text) is not None:
            return _linked(this, other)
    if (slots := _MORE_OF.match(text)) is not None and (compared := _compared(slots, scene)):
        return compared
    if (slots := _TOGETHER.match(text)) is not None:
        return _together(slots["name"])
    if _WHO.find(text) is not None:
        return _counted("author", _WHO, text, scene, most=True)
    if _WHEN.find(text) is not None:
        return _counted("venue" if text.lower().startswith("where") else "year", _WHEN, text, scene, most=True)
    for name, having in _HAVING.items():
        if having.match(text) is not None:
            return _counted(name, having, text, scene, most=False)
    for name, (most, each) in _ASKED.items():
        if (found := most.find(text)) is not None and not _OF_WORTH.match(text[found.end :]):
            return _counted(name, most, text, scene, most=True)
        if (all_of := _ALL_OF[name]).match(text) is not None:
            return _counted(name, all_of, text, scene, most=False)
        if (
            name in ("venue", "year")
            and _PUBLISH.find(text)
            and (begun := _BY_WHOM[name].find(text))
            and begun.start == 0
        ):
            counted = _counted(name, _BY_WHOM[name], text, scene, most=False)
            return counted if " WHERE " in str(counted.calls[0].arguments["sql"]).replace(_KNOWN[name], "") else None
        if each.find(text) is not None and not _ORDERED.find(text):
            return _counted(name, each, text, scene, most=False)
    return None


_MORE_OF = Phrases("""
    (do i have|are there|were there|have i|did i save|is there|have i got|does the library have|were|are|is there
        |do (we|you) have|have (we|you) [got])
        more [{papers}]
        [published|written|saved] <one> or <other:text>
    (which|what) (has|have|are there) more {papers} [:|,] <one> or <other:text>
    [{what_is}] [the] (number/numbers/count/counts) of <one> (vs|versus|against|compared (to|with)|and of|as opposed to)
        <other:text>
    how many <one> (vs|versus|against|compared (to|with)|as opposed to) [how many] <other:text>
    how many <one> and how many <other:text>
    compare [the] (number|numbers|count|counts) of <one> (and|with|to|vs|versus) <other:text>
    <one> (vs|versus) <other> : how many [of each|each]
""")


def _compared(slots: Slots, scene: Scene) -> Reading | None:
    """How many papers there are of two kinds: "more papers from 2023 or from 2024"."""
    told = [(said, clauses_of(conditions_in(f"papers {said}", scene))) for said in (slots["one"], slots["other"])]
    if not all(clauses for _, clauses in told):
        return None
    counts = [
        f"SELECT {literal(said)} AS kind, count(*) AS papers FROM papers{where(*clauses)}" for said, clauses in told
    ]
    return plan(step("query", sql=" UNION ALL ".join(counts)), onward=False)


def _written_with(name: str) -> tuple[str, str]:
    """The authors of all that somebody has written, and the clause that leaves out that person."""
    choice = Choice("", Scene(date.min), conditions={"authors": (name,)})
    source = AUTHORS.replace("{where}", where("authors != ''", *clauses_of(choice)))
    return source, f"author NOT LIKE {literal(f'%{name}%')}"


def count_together(name: str) -> Reading:
    """With how many others somebody has written."""
    source, others = _written_with(name)
    sql = f"SELECT count(DISTINCT author) AS co_authors FROM {source} WHERE {others}"
    return plan(step("query", sql=sql), onward=False)


def _together(name: str) -> Reading:
    """With whom somebody has written, and how often."""
    source, others = _written_with(name)
    sql = (f"SELECT author, count(*) AS papers FROM {source} WHERE {others} GROUP BY author"
           f" ORDER BY papers DESC, author LIMIT {2 * SHOWN}")  # fmt: skip
    return plan(step("query", sql=sql), onward=False)


_ORDERED = Phrases("{sort} <:any>", "(in|from) (which|what) year (is|was) <:any>")


def _counted(name: str, asked: Phrases, text: str, scene: Scene, most: bool) -> Reading:
    found = asked.find(text)
    assert found is not None
    state = f"{found.slots['state']} papers" if "state" in found.slots else ""
    choice = conditions_in(_without_asking(f"{text[: found.start]} , {state} {text[found.end :]}"), scene)
    limit = number_of(found.slots.get("n") or found.slots.get("m") or "") if _has_number(found.slots) else SHOWN
    having = next(
        (f" HAVING papers {sign} {number_of(found.slots['count'])}" for name_, sign in _SIGNS if name_ in found.slots),
        "",
    )
    fewest = _FEWEST.find(text) is not None
    return table_of(name, choice, by_size=most, fewest=fewest, limit=limit if most else 0, having=having)


def table_of(
    name: str, choice: Choice, *, by_size: bool, fewest: bool = False, limit: int = 0, having: str = ""
) -> Reading:
    """The papers of a choice counted by the group `name`, the largest number first where that is asked for; years stand
    in their order otherwise. `limit` 0 is all of the table."""
    group, clauses = GROUPS[name], clauses_of(choice)
    source = group.source
    if "{where}" in source:
        source, clauses = source.replace("{where}", where("authors != ''", *clauses)), []
    clauses += [group.known] if group.known else []
    by_size = by_size or name not in ("year", "decade")
    order = f"papers{'' if fewest else ' DESC'}, {group.column}" if by_size else group.column
    sql = (f"SELECT {group.column}, count(*) AS papers FROM {source}{where(*clauses)} GROUP BY {group.column}{having}"
           f" ORDER BY {order}{f' LIMIT {limit}' if limit else ''}")  # fmt: skip
    return plan(step("query", sql=sql), onward=choice.onward)


_OF_WORTH = re.compile(
    r" *(?:often |highly )?(?:cited|recent|influential|important|popular|relevant|famous)\b", re.IGNORECASE
)
"""What has the most of it is a paper: "which author wrote the most cited paper"."""
_SIGNS = (("over", ">"), ("under", "<"), ("least", ">="), ("most", "<="))


def _has_number(slots: Slots) -> bool:
    return bool(slots.get("n") or slots.get("m"))


_ASKING = Phrases("""
    [{show}|{what_is}] [the] (number of|how many) [{papers}]
    how many [{papers}] [are there|do i have|did i save|have i saved]
    number of [{papers}]
    and [how] (often|many)
    [a|the] (count|counts|tally|table|list|breakdown|statistics|histogram|distribution|overview|chart|totals) of
""")


_WITH_NUMBERS = re.compile(
    r",? (?:and|with|giving|including|just|only|as) (?:the |their |its )?(?:counts?|numbers?(?: of papers)?|totals?"
    r"|frequenc(?:y|ies)"
    r"|sizes?|percentages?)(?: (?:for|of) each)?(?=[ ,.?!]*(?:of\b|$))",
    re.IGNORECASE,
)


def _without_asking(text: str) -> str:
    text = _WITH_NUMBERS.sub(" ", text)
    found = _ASKING.find(text)
    return text if found is None else f"{text[: found.start]} papers {text[found.end :]}"


def _linked(this: str, other: str) -> Reading:
    sql = (f"SELECT p.id AS paper, p.title, count(DISTINCT c.{other}) AS papers FROM citations c JOIN papers p"
           f" ON p.id = c.{this} GROUP BY p.id ORDER BY papers DESC, p.id LIMIT {SHOWN}")  # fmt: skip
    return plan(step("query", sql=sql), onward=False)
