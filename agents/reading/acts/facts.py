"""Acts that answer with a fact about a paper, or with numbers of many papers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from agents.reading.acts.act import Act, MatchedMessage, Pattern, Plan, about_one, acts, patterns, rows_of
from agents.reading.choosing import (
    MessageContext,
    conditions_of,
    each_named,
    has_conditions,
    numbers_of,
    one_paper,
    people_meant,
    steps,
)
from agents.reading.numbers import number_at
from agents.reading.reading import MessagePlan, PaperSelection, ToolCall, call
from agents.reading.tokens import folded
from cache.conditions.filters import Filter
from cache.conditions.names import is_by
from cache.conditions.wording import listed

_LONGEST = 20_000
"""Maximum number of papers that a query lists by number."""
_COLUMNS = {part: part for part in "authors date venue citations keywords abstract".split()} | {"identifiers": "doi"}
SAYS = tuple("say cover deal_with treat discuss study show find argue claim report conclude".split())
"""Verbs of what texts do, and their authors."""
_REFERRING = frozenset("that this there their they them those these it its".split())
"""Words that refer to the papers mentioned before."""
_MOST_PEOPLE = 20
_OF_ONE = frozenset("words any_words title_words authors any_authors except_papers".split())
"""Conditions that alone may name a single paper."""
_STATES = frozenset({"read", "saved", "rating", "retracted"})
"""Facts that are conditions on several papers."""
_OF_SHELF = {"note": "note", "read": "coalesce(read, 'not read')", "saved": "saved"}


def papers_in(selection: PaperSelection, turn: MessageContext) -> str | None:
    """Return the papers of a selection as an SQL condition, "" for the whole library; None if that is not possible."""
    if selection.names or selection.onward or has_conditions(selection):
        numbers = numbers_of(selection, turn)
        if numbers is None or len(numbers) > _LONGEST:
            return None
        return f"id IN ({', '.join(map(str, numbers))})"
    return ""


def facts_of_several(part: str, numbers: Sequence[int]) -> ToolCall | None:
    """Return a query for a fact of several papers, in their order; None if one is not known yet, or for other facts."""
    if not all(numbers):
        return None
    ids = ", ".join(map(str, numbers))
    if part == "tags":
        rows = "papers p LEFT JOIN tags t ON t.paper = p.id"
        sql = f"SELECT p.title, group_concat(t.tag, ', ') AS tags FROM {rows} WHERE p.id IN ({ids}) GROUP BY p.id"
    elif part in _OF_SHELF:
        sql = f"SELECT title, {_OF_SHELF[part]} AS {part} FROM shelf WHERE paper IN ({ids})"
    elif part in _COLUMNS:
        rank = " ".join(f"WHEN {number} THEN {position}" for position, number in enumerate(numbers))
        sql = f"SELECT title, {_COLUMNS[part]} AS {part} FROM papers WHERE id IN ({ids}) ORDER BY CASE id {rank} END"
    else:
        return None
    return ToolCall("query", {"sql": sql})


LINKS = {"citations": ("citing", "cited"), "references": ("cited", "citing")}
"""For each kind of link, the column of the papers to find and the column of the named papers."""


def linked_to_several(tool: str, numbers: Sequence[int], *, either: bool) -> ToolCall:
    """Return a query for the papers that cite all of several papers, or that all of them cite; with `either`, any of
    them."""
    these, named = LINKS[tool]
    linked = [f"id IN (SELECT {these} FROM citations WHERE {named} = {number})" for number in numbers]
    where = (" OR " if either else " AND ").join(linked)
    return ToolCall(
        "query", {"sql": f"SELECT id AS paper, title, date FROM papers WHERE {where} ORDER BY date DESC, id"}
    )


def counts_of(rows: Sequence[tuple[str, str]], order: str = "") -> ToolCall:
    """Return a query for the number of papers of each row, a label and an SQL condition."""
    counts = [
        "SELECT '{}' AS compared, count(*) AS papers FROM papers WHERE {}".format(label.replace("'", "''"), where)
        for label, where in rows
    ]
    return ToolCall("query", {"sql": f"{' UNION ALL '.join(counts)}{order}"})


def grouped(
    group: str,
    limit: int | None,
    selection: PaperSelection,
    turn: MessageContext,
    *,
    distinct: bool = False,
    without: Sequence[str] = (),
) -> ToolCall | None:
    """Return a query for the number of papers by author, venue, year, tag or type, except the values in `without`.

    With a `limit`, only the largest groups; otherwise all, largest first, or years in their order. With `distinct`,
    only the number of different values.
    """
    among = papers_in(selection, turn)
    if among is None:
        return None
    where = f"WHERE {among}" if among else ""
    also = f"{where} AND" if where else "WHERE"
    rows = {
        "author": "WITH RECURSIVE split(name, rest) AS (SELECT '', authors || '; ' FROM papers"
        f" {where} UNION ALL SELECT substr(rest, 1, instr(rest, '; ') - 1), substr(rest, instr(rest, '; ') + 2)"
        " FROM split WHERE rest != '') SELECT name AS author FROM split WHERE name != ''",
        "venue": f"SELECT venue FROM papers {also} venue != ''",
        "year": f"SELECT year FROM papers {also} year IS NOT NULL",
        "tag": f"SELECT tag FROM tags {where.replace('id IN', 'paper IN')}",
        "type": f"SELECT type FROM papers {where}",
    }[group]
    if without:
        excluded = ", ".join("'{}'".format(value.replace("'", "''")) for value in without)
        rows = f"SELECT {group} FROM ({rows}) WHERE {group} NOT IN ({excluded})"
    if distinct:
        return ToolCall("query", {"sql": f"SELECT count(DISTINCT {group}) AS {group}s FROM ({rows})"})
    order = f"papers DESC, {group}" if limit or group != "year" else group
    counted = f"SELECT {group}, count(*) AS papers FROM ({rows}) GROUP BY {group}"
    if limit:  # ties with the last place are included
        ranked = f"SELECT *, rank() OVER (ORDER BY papers DESC) AS place FROM ({counted})"
        counted = f"SELECT {group}, papers FROM ({ranked}) WHERE place <= {limit}"
    return ToolCall("query", {"sql": f"{counted} ORDER BY {order}"})


def measured(measure: str, selection: PaperSelection, turn: MessageContext) -> ToolCall | None:
    """Return a query for a statistic of citation counts."""
    among = papers_in(selection, turn)
    if among is None or (measure == "total" and (selection.single or len(selection.names) == 1)):
        return None
    counted = f"FROM papers WHERE citations IS NOT NULL{f' AND {among}' if among else ''}"
    if measure == "median":
        half = f"(SELECT count(*) {counted})"
        counted = f"FROM (SELECT citations {counted} ORDER BY citations LIMIT 2 - {half} % 2 OFFSET ({half} - 1) / 2)"
    value = {"total": "sum(citations)", "highest": "max(citations)", "lowest": "min(citations)"}
    column = value.get(measure, "round(avg(citations), 1)")
    return ToolCall("query", {"sql": f"SELECT {column} AS {measure}_citations {counted}"})


def _beside(part: str, selection: PaperSelection) -> tuple[list[str], PaperSelection]:
    """Return a fact and those whose nouns stand beside its own, "year and journal of the first", and the selection
    without these nouns."""
    nouns = {noun: other for other, several in fact_nouns().items() for noun in several if part and other}
    others = [nouns[word] for word in map(folded, selection.rest) if word in nouns]
    rest = [word for word in selection.rest if folded(word) not in nouns or not part]
    return list(dict.fromkeys([part, *others])) if part else [], replace(selection, rest=rest)


def _fact(part: str) -> Plan:
    """Return the plan for a fact of one paper, of each of several named papers, or of the list shown."""

    def plan(sentence: MatchedMessage) -> MessagePlan | None:
        turn, parts = sentence.turn, [part] if part else []
        if names := each_named(*sentence.spans.get("paper", (0, 0)), turn):
            sentence.span("paper")
            return MessagePlan(calls=tuple(call("paper", paper=name, parts=parts) for name in names), onward=True)
        parts, selection = _beside(part, sentence.papers("paper", one=True))
        sentence.selections[-1] = ("paper", selection)
        if part == "type" and selection.names:  # "is BERT an article or what?"
            selection = replace(selection, given={k: v for k, v in selection.given.items() if k != "types"})
        if part in _STATES and selection.noun and not (selection.single or selection.names or selection.onward):
            return None  # "do I have anything unread"
        of_shown = selection.onward or not (sentence.has("paper") or turn.has_it)  # "give me the DOIs"
        if of_shown and turn.shown > 1 and not has_conditions(selection) and not selection.names:
            several = facts_of_several(part, turn.context.shown)
            return MessagePlan(calls=(several,), onward=True) if several else None
        are_many = selection.noun and not (selection.single or selection.names or selection.order)
        if are_many and (selection.definite or part == "note"):
            numbers = numbers_of(selection, turn) if part and has_conditions(selection) else []
            if numbers and len(numbers) > 1 and (several := facts_of_several(part, numbers)):
                return MessagePlan(calls=(several,), onward=selection.onward)  # "the DOIs of the malaria papers"
        if are_many and not selection.definite:
            return None
        named = (
            _OF_ONE & selection.given.keys()
            or selection.noun
            or selection.definite
            or (part == "note" and selection.among)
        )
        if has_conditions(selection) and not named:
            return None  # "what have I tagged thesis"
        if not part and not (selection.names or selection.onward or (selection.single and selection.definite)):
            return None
        names = selection.names[:5] if len(selection.names) > 1 else []
        if part == "note" and not names and not one_paper(selection, turn).name:
            words = [word for text in selection.given.get("words", ()) for word in text.split()]
            noted = selection.among or (turn.names.noting(words) if words else [])
            names = [f"#{number}" for number in noted[:3]]
        if names:
            return MessagePlan(calls=tuple(call("paper", paper=name, parts=parts) for name in names), onward=True)
        return about_one(selection, turn, lambda name: (call("paper", paper=name, parts=parts),))

    return plan


def _counting(sentence: MatchedMessage, query: ToolCall | None) -> MessagePlan | None:
    """Return the plan of a query about papers; for the whole library, the reply gives the number counted."""
    if query is None:
        return None
    selection, turn = sentence.papers(), sentence.turn
    if sentence.given is None and has_conditions(selection) and not numbers_of(selection, turn):
        calls, onward = steps(selection, turn)  # "No paper …" says more than no figure
        return MessagePlan(calls=(*calls, ToolCall("list")), onward=onward)
    reading = MessagePlan(calls=(query,), onward=selection.onward)
    if selection.names or selection.onward or has_conditions(selection):
        return reading
    count = len(turn.names.matching_among(Filter(), None))
    return replace(reading, reply=f"Counted over all {count:,} papers of your library, saved or not.")


def _grouped(group: str, most: int | None = None, *, distinct: bool = False) -> Plan:
    def plan(sentence: MatchedMessage) -> MessagePlan | None:
        selection, turn = sentence.papers(), sentence.turn
        done = {"read": "read", "save": "saved", "saved": "saved"}.keys() & {*turn.reader.keys}
        if done and not sentence.has("papers"):  # "who do I read most?"
            given = {"read" if "read" in done else "saved": True}
            selection = replace(selection, given=given)
            sentence = replace(sentence, given=selection, spans={**sentence.spans, "papers": (0, 0)})
        if (sentence.has("papers") and selection.is_empty and selection.rest and not distinct) or "both" in turn.said:
            return None
        if distinct and selection.given.keys() == {"words"} and not selection.noun:
            return None  # "how many people answered?" asks about what papers say
        number = number_at(sentence.words("n"), 0)
        limit = number[0] if number else most
        return _counting(sentence, grouped(group, limit, selection, turn, distinct=distinct))

    return plan


def _co_authors(sentence: MatchedMessage) -> MessagePlan | None:
    """Count the papers of each person who wrote with the authors that a message names."""
    selection, turn = sentence.papers() if sentence.has("papers") else PaperSelection(pronoun="her"), sentence.turn
    given = conditions_of(selection, turn)
    people = [*given.get("authors", ()), *given.get("any_authors", ())]
    if not people or len(people_meant(selection, turn)) > 1:
        return None
    selection = replace(selection, given=given, pronoun="")
    names = {name for number in numbers_of(selection, turn) or () for name in turn.names.authors_of(number)}
    without = [name for name in names if any(is_by([name], person) for person in people)]
    if names and not names - {*without}:
        return MessagePlan(reply=f"No paper of your library by {listed(without)} has another author.")
    query = grouped("author", _MOST_PEOPLE, selection, turn, without=without)
    return MessagePlan(calls=(query,), onward=selection.onward) if query else None


def _measured(measure: str) -> Plan:
    def plan(sentence: MatchedMessage) -> MessagePlan | None:
        selection, turn = sentence.papers(), sentence.turn
        if selection.is_empty and turn.context.candidates is not None and not _REFERRING.isdisjoint(turn.said):
            selection = replace(selection, onward=True)  # "how many citations is that in total?"
            sentence = replace(sentence, given=selection, spans={**sentence.spans, "papers": (0, 0)})
        return _counting(sentence, measured(measure, selection, turn))

    return plan


_PARTS = """
authors | who wrote a paper | who wrote the first?
  = author|authors|writer|writers|first_author|second_author|third_author|last_author|senior_author|co-author|byline;
  who|whom|whose WROTE|behind|by|responsible|from [people|person|researchers|team] {paper}; who|whom is|are|was|were
  [from] {paper}; whose {paper}; name|names researchers|people {paper}
date | when a paper appeared | when was the first published?
  = date|year|publication_date|publication_year|date_of_publication|year_of_publication|publishing_date; when APPEARED
  [first] {paper}; how_old|how_long_ago|how_recent [APPEARED] {paper}; when [is|was|from] {paper}; when {paper}
venue | where a paper appeared | where was the first published?
  = venue|journal|conference|magazine|periodical|publication; where APPEARED [first] {paper}; where [is|was|from]
  {paper}; who|whom APPEARED publisher {paper}; which|what publication|place|outlet APPEARED {paper}
citations | how often a paper was cited | how often was the first cited?
  = citations|citation_count|number_of_citations|cites|citation_counts|times_cited|citation|citation_number;
  how_often|how_many_times|how_many|how_much|how_well|how_highly|how_heavily|how_frequently|often|times CITED [people|
  papers|works|others|so_far] {paper}; how_many CITES {paper}; how_cited {paper}; how_influential {paper}
abstract | the abstract of a paper | abstract of the second
  = abstract|abstracts; read|see|let abstract {paper}
note | your note on a paper | what did I note on the first?
  = note|notes|annotation|annotations|comment|comments|remark|remarks|thoughts; what|anything|something i wrote|write|
  written|note|noted|say|said|jot|jotted|jotting|think|thought|remark|comment|scribble|scribbled|put [down|about]
  {paper}; jotting|noting|writing [something|anything|down] {paper}; did|have i note|noted|comment|annotate|jot|write|
  wrote|written [anything|something|down] {paper}
tags | the tags of a paper | which tags has the first?
  = tags|tag|labels|label|keywords_i_gave|categories; how|what i|is|are|have|did tagged|tag|labelled|filed|label|
  categorized {paper}; under_what|under_which|what|which filed|tagged|labelled {paper}
read | whether you have read a paper | have I read the first?
  ? GOT_THROUGH|reading|unread [i|have|yet|already|ever|before|marked|get_round_to|get_around_to] {paper};
  when read|finished|finish {paper}; whether|if GOT_THROUGH [i|have] {paper}
rating | how you rated a paper | did I like the first?
  = rating; ? LIKED|HATED|rated|rate [really|ever|how|what|whether] {paper}; how|what rate|rated {paper}; thumbs|
  opinion|think|thought [my|what|of] {paper}
saved | whether you have saved a paper | is the first saved?
  ? saved|save|own|added|bookmarked|kept|keep [already|yet|ever|whether|SHELF] {paper}; ? SHELF|in_here [already|yet|
  whether] {paper}; when saved|save|add|added|import|imported|put|bookmark|SHELF [on|shelf] {paper}; whether|if saved|
  SHELF {paper}; do|have have|got already|yet {paper}
retracted | whether a paper was retracted | was the first retracted?
  ? retracted|withdrawn|retraction|withdraw|retract|pulled [whether|ever|anyone|still|yet] {paper}; whether|if|check
  retracted|withdrawn {paper}; retraction [status|notice|any|whether] {paper}
pdf | the PDF of a paper | is there a PDF of the first?
  = pdf|full_text|file|pdf_link|fulltext; ? open_access|free|freely_available|free_to_read|available_for_free|
  paywalled|paywall [online] {paper}; where|can get|find|read|download [free|for_free|online] {paper}; open pdf {paper}
identifiers | the DOI of a paper | DOI of the first
  = doi|link|url|identifier|identifiers|arxiv_id|id|ids|pmid|arxiv_number|dois|links|arxiv_link|pubmed_id|web_address
keywords | the keywords of a paper | keywords of the first
  = keywords|keyword|key_words
type | the type of a paper | what type is the first?
  = type|publication_type|type_of_publication; what|which kind|type|sort [of|or|publication|paper|work|document|study|
  thing] {paper}
volume | the volume that a paper is in | volume of the first
  = volume
number | the issue that a paper is in | issue of the first
  = issue|issue_number
pages | the pages of a paper | pages of the first
  = pages|page|page_numbers|page_number|page_count|page_range; how_many|on_which|on_what pages {paper}; how_long is|are
  {paper}
publisher | the publisher of a paper | publisher of the first
  = publisher
key | the citation key of a paper | citation key of the first
  = citation_key|cite_key|bibtex_key|reference_key|citekey|key|keys|citation_keys
- | what is known of a paper | tell me about the first
  = details|detail|info|information|metadata|data|title|full_title|particulars; what know [about|of] {paper}; tell
  about|more {paper}; what about [is|are] {paper}; ! open|view|see|describe|show [me] {paper}; more about|on {paper};
  what called {paper}; what SAY|cover|deal_with|treat|discuss|study {paper}; what_is {paper}
"""
"""For each fact: its name in the tool `paper`, its label, an example, its nouns after "=", and its own patterns."""
_MOST = """
  most|top|commonest|biggest|main|leading|largest ALL [who] [have|has|had|with|contributed|contains|got|number|common|
  frequent|used|attached|assigned|list|prolific|popular|using|frequently|productive|important|appears|occurs|appear|occur|shows_up|comes_up|
  turns_up|crops_up|features|represented|often|published|come|from|papers] {papers} {n}; favorite|favourite|usual ALL
  {papers}; ALL mostly|predominantly|usually [come|appear|published] {papers}
"""
_PER = """
  how_many|number|number_of|count|counts|breakdown|broken_down|distribution|histogram|statistics|tally|split|grouped|
  group|distributed|spread|overview|chart per|by|each|every|over|across|into|for_each|in_each ALL [of_publication|
  document|publication]
  {papers}; per|each|every EACH [of_publication|how_many] {papers}; > what|which|list|show|all MANY [have|use|used|
  there|got|set_up|created|exist|occur|do|are|am|i|using] {papers}; breakdown|distribution|histogram ALL {papers};
  group|tally|split|break_down|break..down|divide|sort..into|bucket ALL [of_publication|document|publication]
  {papers}
"""
_DISTINCT = """
  > how_many|number_of|number MANY [have|use|there] {papers}; > how_many|number_of|number different|distinct|unique
  MANY [have|use|there] {papers}
"""
_GROUPS = """
author | author|person|researcher|scientist|name | authors|people|researchers|names|scientists
  who most [has|have|wrote|written|published|write|publish|appears|occurs|read|save|saved|from|papers] {papers}; who
  [else] works|work|worked|writes|publishes|publish|working|researches [on|here] {papers}
venue | venue|journal|conference|place|magazine | venues|journals|conferences|places|magazines
  where most|mostly [of|published|appear|come|from|out|appeared] {papers}
year | year | years
  when most [published|written|from] {papers}
tag | tag|label | tags|labels
type | type|kind | types|kinds
"""
"""For each property to count papers by: its names, their plurals, and its own patterns for which has most."""
_CO_AUTHORS = """
coauthors | the co-authors of a person | who are the co-authors of Lee?
  coauthors|co-authors|collaborators|coauthor|co-author|collaborated|collaborates|co-writers [who|what] {papers}; who|
  whom with|together wrote|written|published|worked|write|publish|work [together|has|have|did|papers] {papers};
  anybody|anyone|somebody|someone|others with wrote|written|published|worked|write|publish|work {papers}
"""
_SHARE = """
share | the share of papers | what percentage of my papers is unread?
  share|percentage|percent|proportion|fraction|ratio [what|how_much] {papers}
"""


def _shared(sentence: MatchedMessage) -> MessagePlan | None:
    """Count the papers of a selection among those on the shelf, if it is of saved papers, or in the library."""
    selection, turn = sentence.papers(), sentence.turn
    among = papers_in(selection, turn)
    saved = bool(selection.given.get("saved") or selection.given.get("read") is not None or selection.given.get("tags"))
    is_of_papers = selection.noun or selection.onward or saved  # "what share of the flints was burnt?" asks of texts
    if not among or not has_conditions(selection) or not is_of_papers:
        return None
    of = "SELECT count(*) FROM shelf" if saved else "SELECT count(*) FROM papers"
    counted = f"(SELECT count(*) FROM papers WHERE {among})"
    sql = f"SELECT {counted} AS papers, ({of}) AS of_all, round(100.0 * {counted} / max(({of}), 1), 1) AS percent"
    return MessagePlan(calls=(call("query", sql=sql),), onward=selection.onward)


_MEASURES = """
average | average|mean|avg|typical|on_average|typically
median | median
total | total|sum_of|summed|combined|overall|sum|in_total|altogether|all_together|in_all|together|add_up_to
highest | highest|maximum|max|largest|greatest|top
lowest | lowest|minimum|min|smallest|fewest
"""
"""For each statistic of citation counts: its words."""


_BESIDE_NOUNS = (
    "[what|which|who|whose|where] [have|has|had|carry|carries|got|get|give]"
    " [filed|listed|given|give|put|gave|attached|assigned|stored|say|says|i|APPEARED|left|made|took|wrote|added|jotted]"
)

_BESIDE_OWN = "[have|got|there|make|made|write|written|leave|left|take|took|add|ever]"


_NOUNS = re.compile(r"\s*= ([^;]*)(?:;|$)")


@lru_cache(maxsize=1)
def fact_nouns() -> Mapping[str, Sequence[str]]:
    """Return the nouns for each fact that has some, joined by `_` if they are phrases."""
    rows = ((name, _NOUNS.match(text)) for (name, _, _), text in rows_of(_PARTS, 3))
    return {name: "".join(nouns[1].split()).split("|") for name, nouns in rows if nouns}


def _facts() -> Iterator[Act]:
    for (name, label, example), text in rows_of(_PARTS, 3):
        noun = "|".join(fact_nouns().get(name, ()))
        shared = f"{noun} {_BESIDE_NOUNS} {{paper}}; ? {noun} {_BESIDE_OWN} {{paper}};" if noun else ""
        own = text[nouns.end() :] if (nouns := _NOUNS.match(text)) else text
        yield Act(f"fact:{name}", patterns(shared + own), _fact(name), label, example)
    groups = list(rows_of(_GROUPS, 3))

    def of(table: str, singular: str, plural: str) -> tuple[Pattern, ...]:
        text = table.replace("ALL", f"{singular}|{plural}").replace("EACH", singular).replace("MANY", plural)
        return patterns(text)

    for (name, singular, plural), text in groups:
        most, example = (*patterns(text), *of(_MOST, singular, plural)), f"which {name} has most papers?"
        yield Act(f"most:{name}", most, _grouped(name, 5), f"the {name}s with most papers", example)
    for (name, singular, plural), _ in groups:
        example = f"how many papers per {name}?"
        yield Act(f"per:{name}", of(_PER, singular, plural), _grouped(name), f"papers per {name}", example)
    for (name, singular, plural), _ in groups[:-1]:
        plan, example = _grouped(name, distinct=True), f"how many {name}s are there?"
        yield Act(f"distinct:{name}", of(_DISTINCT, singular, plural), plan, f"how many {name}s", example)
    yield from acts(_CO_AUTHORS, {"coauthors": _co_authors})
    yield from acts(_SHARE, {"share": _shared})
    for (name, words), _ in rows_of(_MEASURES, 2):
        text = f"{words} CITES|CITED [how_often|how_many_times|how_many|what|have|per_paper|each|get] {{papers}}"
        example = f"{name} citations of my papers tagged thesis"
        yield Act(f"measure:{name}", patterns(text), _measured(name), f"the {name} of citations", example)


FACTS = tuple(_facts())
FACTS_OF_ONE = frozenset(act.name for act in FACTS if act.name.startswith("fact:")) - {"fact:-", "fact:"}
"""Names of the acts that answer with one fact."""
