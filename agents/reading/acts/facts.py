"""Acts that answer with a fact about a paper, or with numbers of many papers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.reading.acts.act import Act, MatchedMessage, Plan, about_one, acts, rows_of, sentences
from agents.reading.choosing import (
    MessageContext,
    conditions_of,
    has_conditions,
    numbers_of,
    one_paper,
    people_meant,
    steps,
)
from agents.reading.numbers import number_at
from agents.reading.reading import MessagePlan, PaperSelection, ToolCall, call
from cache.conditions.filters import Filter
from cache.conditions.names import is_by
from cache.conditions.wording import listed

_LONGEST = 20_000
"""Maximum number of papers that a query lists by number."""
_COLUMNS = {part: part for part in "authors date venue citations keywords abstract".split()} | {"identifiers": "doi"}
SAYS = tuple("say cover deal_with treat discuss study show find argue claim report conclude".split())
"""Verbs of what texts do, and their authors."""
_MOST_PEOPLE = 20
_OF_ONE = frozenset("words any_words title_words authors any_authors except_papers".split())
"""Conditions that alone may name a single paper."""
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
    """Return a query for a fact of several papers, in their order."""
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


def _fact(part: str) -> Plan:
    """Return the plan for a fact of one paper, of each of several named papers, or of the list shown."""

    def plan(sentence: MatchedMessage) -> MessagePlan | None:
        selection, turn = sentence.papers("paper", one=True), sentence.turn
        parts = [part] if part else []
        if sentence.has("who") and not turn.names.is_author(sentence.text("who")):
            return None
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
        if has_conditions(selection) and not (_OF_ONE & selection.given.keys() or selection.noun or selection.definite):
            return None  # "what have I tagged thesis"
        if not part and not (selection.names or selection.onward or (selection.single and selection.definite)):
            return None
        names = selection.names[:5] if len(selection.names) > 1 else []
        if part == "note" and selection.among and not one_paper(selection, turn).name:
            names = [f"#{number}" for number in selection.among[:3]]
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
        if sentence.has("papers") and selection.is_empty and not distinct:
            return None
        if (
            distinct
            and selection.given.keys() == {"words"}
            and not selection.noun
            and sentence.words("papers")[0] in (text.casefold() for text in selection.given["words"])
        ):
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
    return lambda sentence: _counting(sentence, measured(measure, sentence.papers(), sentence.turn))


_OF_A_FACT = """
  [what|who|which|where] [is|are|was|were] [the|its|their] NOUNS of|for|from|on|in|to {paper}; [the] {paper} ['s] NOUNS;
  what|which NOUNS does|did|do|has|have {paper} [have|has|carry|got]; does|has|do|did {paper} have|has|come_with
  [a|an|any] NOUNS; [is|are] there [a|an|any] NOUNS [attached|available|saved|stored] of|for|to|in|on|with {paper};
  [what] [is|are|was|were] [its|their|the]
  NOUNS; NOUNS {paper}; what|who|which is|are|was|were {paper} ['s] NOUNS; {paper} : NOUNS; what|which does|do|did|is
  [the|its] NOUNS of|on|for {paper} say|says|mean; what does|do|did|is [the|its|my|that] NOUNS say|says|read [now]
"""
"""The forms that all facts with nouns share."""
_PARTS = """
authors | who wrote a paper | who wrote the first?
  = author|authors|writer|writers|first_author|second_author|third_author|last_author|senior_author|co-author|coauthor;
  who [else]
  wrote|authored|published|made|did
  {paper}; is|was {who} [an|the|a] author|coauthor|co-author of|on {paper}; who is|was|are|were {paper}
  by|from|written_by; by_who is|was|were {paper} [written]; whose paper|work is {paper}
date | when a paper appeared | when was the first published?
  = date|year|publication_date|publication_year|date_of_publication|year_of_publication; when|how_long_ago
  was|is|did|were {paper} [first] published|out|released|appear|written|come_out|from|printed; [in|from] what|which year
  is|was|did|does {paper} [published|from|appear|come_out|come_from|released|written]; how old is {paper}; when is|was
  {paper}; when {paper?}
venue | where a paper appeared | where was the first published?
  = venue|journal|conference; where was|is|did|were {paper} [first] published|appear|come_out|printed|presented|out;
  [in|at] what|which journal|venue|conference|place|magazine was|did|is|does {paper}
  [published|appear|come_out|in|printed|presented|published_in|from|appear_in]; where [was|is] [it];
  who|what_journal|which_journal|which_venue|which_conference published|printed {paper}
citations | how often a paper was cited | how often was the first cited?
  = citations|citation_count|number_of_citations|cites|citation_counts; how often|many_times|well|highly|heavily
  is|was|has|does|have|had {paper} [been] cited [so_far|by_now]; how_many citations|cites does|has|did|have {paper}
  [have|has|got|get|received]; how cited is {paper}; [how] how_often cited {paper}; how_many people|papers|times
  have|has|cite|cited {paper}; how_many citations [for|of] {paper}
abstract | the abstract of a paper | abstract of the second
  = abstract|abstracts; read|let [me] [out|see] the abstract of {paper}
note | your note on a paper | what did I note on the first?
  = note|notes|annotation|annotations|comment|comments|my_note|my_notes; what did|have|had i
  write|written|note|noted|say|said|jot|think|put|remark|comment [down] [about|on|of|for|to|in] {paper}; what
  [was_it_that|is_it_that|was_it|did_it_say] i wrote|noted|said about|on {paper}; my note|notes|thoughts
  on|about|for|of|to|regarding {paper}; did|have i [ever]
  write|written|take|taken|make|made|leave|left [a|any|down] note|notes|something|anything|comments about|on|for|to
  {paper}; what do|does my note|notes say|tell [me] about|on|of|for {paper}; what does my note on|about|for {paper} say;
  is|are|do [there|i_have] [a|any] note|notes on|about|for|to {paper}
tags | the tags of a paper | which tags has the first?
  = tags|tag|labels|my_tags|label; how is|are|did|have {paper} [i] tagged|labelled; how did|have i tag|tagged {paper};
  what did|have i tag|tagged {paper} [with|as]; what|which tags|tag is|are|does|did|do|have|has [i]
  [on|give|given|put|for|put_on] {paper} [have|has|carry|tagged|with]; what|with_what is {paper} tagged [as|with]
read | whether you have read a paper | have I read the first?
  have|did i [already|ever|actually] read|finish|finished {paper} [yet|already|before]; is|are|was {paper}
  [marked_as|marked|already] read|unread; when did i read|finish {paper}; have i not|ever read {paper} [yet]; did i mark
  {paper} as read
rating | how you rated a paper | did I like the first?
  = rating|my_rating; did|do i [really|ever] like|love|enjoy|dislike|hate {paper}; how|what did|have i rate|rated
  {paper} [as]; is|was {paper} liked|disliked
saved | whether you have saved a paper | is the first saved?
  is|are {paper} [already] saved|on_my_shelf|in_my_library|in_the_library|on_the_shelf|in_my_collection|in_here;
  do|did|have i [already] have|save|saved|own|got {paper} [saved|already|yet|on_my_shelf|in_my_library]; [on|at]
  [what|which] when|day|date|time did i save|add|import {paper}; when was {paper} saved|added|imported; is|are {paper}
  among|in|one_of my saved [papers]
retracted | whether a paper was retracted | was the first retracted?
  is|was|has|were|have {paper} [been] retracted|withdrawn
pdf | the PDF of a paper | is there a PDF of the first?
  = pdf|full_text|file|pdf_link; do|have i have|got [the|a] pdf|pdf_file|file of|for {paper}; is|are {paper}
  open_access|free|freely_available|free_to_read|available_for_free;
  can|where_can|where_do i read|get|find {paper} [for_free|free]; open the pdf of {paper}
identifiers | the DOI of a paper | DOI of the first
  = doi|link|url|identifier|identifiers|arxiv_id|id|ids|pmid|arxiv_number|dois|links|arxiv_link|pubmed_id
keywords | the keywords of a paper | keywords of the first
  = keywords|keyword|key_words
volume | the volume that a paper is in | volume of the first
  = volume
number | the issue that a paper is in | issue of the first
  = issue|issue_number
pages | the pages of a paper | pages of the first
  = pages|page|page_numbers|page_number|page_count; how_many|on_how_many|on_which|on_what pages
  does|has|is|are|do|did {paper} [have|on]; how long is {paper}
publisher | the publisher of a paper | publisher of the first
  = publisher
key | the citation key of a paper | citation key of the first
  = citation_key|cite_key|bibtex_key|reference_key|citekey|key|keys|citation_keys
- | what is known of a paper | tell me about the first
  = details|detail|info|information|record|metadata|data|entry|title|full_title|name; what do you know about|of {paper};
  tell [me] [more|something|everything] about {paper}; what is|are|was {paper} [all] about; open|view|see|describe
  {paper}; more about|on {paper}; what is|was {paper} [called]; what does|do|did {paper}
  SAYS
"""
"""For each fact: its name in the tool `paper`, its label, an example, its nouns after "=", and its own forms."""
_MOST = """
  what|which|whose|who ALL [of_mine] has|have|had|with|contributed|contains|got|contain|hold|holds [the]
  most|biggest_number_of {papers}; [who|what|which] [is|are] [the|my] most
  common|frequent|used|prolific|popular|frequently_used|often_used|productive|important ALL
  [of|in|among|for|on|across|by|from] {papers?}; [who|what|which] [is|are] [the|my] top|main {n?} ALL
  [of|in|among|for|on|across|by|from] {papers?}; what|which ALL [do|does|is|are] [i]
  use|have|read|save|saved|used|appears|occurs|appear|occur|shows_up|comes_up|turns_up [the] most|most_often|mostly
  [often]
  [in|on|among] {papers?}; what|which ALL do|does|did|are|is|were most [of] {papers} [come|appear|published]
  [from|in|under]; in|from what|which ALL are|were|do|did|is most [of] {papers} [published|appear|come|from]; in|from
  what|which ALL do|did|have i have|has [the] most {papers}; what|which ALL do|did|have i have|read|save|saved [the]
  most [of] {papers} [by|in|from|of|with|under]; [the] ALL [that|which|who] [with|has|have] [the] most {papers?};
  what|which ALL do|does|are|is|did|was|were [i] {papers} [come|appear|published|from|have|in] [in|from|out]
  most|most_often|mostly|most_frequently; how_often does each EACH [occur|appear] [in] {papers?}
"""
_PER = """
  [how_many|number_of|count|the_number_of] {papers}
  per|for_each|in_each|each|for_every|a|from_each|grouped_by|broken_down_by|with_each|under_each|by_each EACH;
  how_many|number_of|count|the_number_of {papers} by EACH; [a|the]
  breakdown|distribution|histogram|overview|statistics|counts|tally of {papers} by|per|over ALL;
  group|tally|split|break_down {papers} by|per|into ALL; [list|show] [me] [all|my|the] [of] [my|the] MANY; what|which
  MANY [do|are|is|have|did] [i|there|you] [use|have|in|there|used|got|made|set|created] [in|on]
  [my_library|the_library|my_shelf|here|all|total|the_shelf]; what|which MANY are|were|is|was|do {papers}
  [published|come|appear|written|from|in|by] [in|from|by|out]; [in|from|by] what|which MANY are|is|were|do|did {papers}
  [from|published|written|appear|come|in|by] [in|from]; [the|all_the|all|list|list_the|list_all] MANY
  of|in|for|on|across {papers}; how_are|how_is {papers} distributed|spread over|across|by ALL; [the] MANY [that] i
  have|use; what|which MANY have [you|i|we|they] [got]
"""
_DISTINCT = """
  how_many [different|distinct|unique|other] MANY [do|are|am|have|does|did|in|of|is|wrote] [i|there|we]
  [use|using|have|in|there]
  [in|on|overall|altogether|in_total] {papers?}; [the] number of [different|distinct] MANY [in|of|on|for] {papers?}
"""
_GROUPS = """
author | author|person|researcher|scientist|name | authors|people|researchers|names|scientists
  who [has|have] wrote|written|published|authored|has|have|contributed [the] most [of] {papers}; who else [here]
  works|work|worked|writes|write|wrote|publishes|published {papers}; who works|work|worked|writes|publishes|is_working
  [here] {papers}; who has|have worked|written|published {papers}; whose papers|work do i have|read|save [the] most
  [of]; who do|have i
  have|got|saved [the] most {papers?} [from|by|of]; who appears|occurs|is [there] most|most_often [in|among] {papers};
  who do i read|save most|the_most
venue | venue|journal|conference|place | venues|journals|conferences|places
  where are|were|do|did most [of] {papers} [published|appear|come|from|come_from|come_out]; where are|were|was {papers}
  mostly|most_often [published|from]
year | year | years
  when were|was|are most [of] {papers} [published|written|from]; [in|from] which|what year did|were|are most [of]
  {papers} [appear|published|come_out|from]
tag | tag|label | tags|labels
  what|which tag|tags [do|did|have] i use|used [the] most|most_often
type | type|kind | types|kinds
"""
"""For each property to count papers by: its names, their plurals, and its own forms of "which has most" questions."""
_CO_AUTHORS = """
coauthors | the co-authors of a person | who are the co-authors of Lee?
  who has|have|did|does {papers} written|published|worked|write|publish|work [papers|articles|anything] with;
  has|have|did|does {papers} written|write|published|publish|worked|work [papers|anything] with
  anybody|anyone|somebody|someone|others; who [else] wrote|published|worked|works|writes|publishes [together] with
  {papers}; [who|what] [is|are] [the] coauthors|co-authors|collaborators of|with|for {papers}; [who|what] [is|are]
  {papers} 's coauthors|co-authors|collaborators; who is|are {papers} 's coauthors|co-authors; [who|what] is|are her|his
  coauthors|co-authors|collaborators
"""
_OF_A_FIGURE = """
  [what|how] [is|are|was] [the] WORDS CITES [count] [of|for|in|among|across|on] {papers?}; [what] [is|are] [the] WORDS
  [number] of CITES [of|for|in|among|across|per_paper_of] {papers?}; {papers} ['s] WORDS CITES; {papers} : WORDS CITES
"""
_MEASURES = """
average | average|mean|avg|typical
  how_often|how_many_times are|is|were|was|do|does {papers} cited on_average|typically|in_the_average; how_many
  citations do|does {papers} have|get on_average; how_many citations do|does {papers} have|get each|per_paper; how_often
  on_average are|is {papers} cited; on_average how_often are|is {papers} cited; [in] [the] average how_often is|are
  {papers} cited
median | median
total | total|sum_of|summed|combined|overall|total_number_of|sum_of_the|all_the
  how_often|how_many_times are|is|were|have|has {papers} [been] cited
  in_total|together|altogether|in_all|all_together|overall; how_many citations do|does|have {papers} have|has|got|get
  in_total|together|altogether|in_all|overall|all_together|combined; how_many citations do|does {papers} have; [what]
  [do] the citations of {papers} add_up_to; how_many citations in_total do|have {papers} [have]
highest | highest|maximum|max|largest|greatest|top
lowest | lowest|minimum|min|smallest|fewest
"""
"""For each statistic of citation counts: its words and its own forms."""
_CITES = "citations|citation_count|citation_counts|number_of_citations|cites|citation|count_of_citations"


def _facts() -> Iterator[Act]:
    for (name, label, example), forms in rows_of(_PARTS.replace("SAYS", "|".join(SAYS)), 3):
        nouns = "".join(form.removeprefix("= ") for form in forms[:1] if form.startswith("= "))
        shared = sentences(_OF_A_FACT.replace("NOUNS", nouns)) if nouns else ()
        yield Act(f"fact:{name}", (*forms[bool(nouns) :], *shared), _fact(name), label, example)
    groups = list(rows_of(_GROUPS, 3))

    def of(table: str, singular: str, plural: str) -> tuple[str, ...]:
        return sentences(table.replace("ALL", f"{singular}|{plural}").replace("EACH", singular).replace("MANY", plural))

    for (name, singular, plural), forms in groups:
        most, example = (*forms, *of(_MOST, singular, plural)), f"which {name} has most papers?"
        yield Act(f"most:{name}", most, _grouped(name, 5), f"the {name}s with most papers", example)
    for (name, singular, plural), _ in groups:
        example = f"how many papers per {name}?"
        yield Act(f"per:{name}", of(_PER, singular, plural), _grouped(name), f"papers per {name}", example)
    for (name, singular, plural), _ in groups[:-1]:
        plan, example = _grouped(name, distinct=True), f"how many {name}s are there?"
        yield Act(f"distinct:{name}", of(_DISTINCT, singular, plural), plan, f"how many {name}s", example)
    yield from acts(_CO_AUTHORS, {"coauthors": _co_authors})
    for (name, words), forms in rows_of(_MEASURES, 2):
        shared = sentences(_OF_A_FIGURE.replace("WORDS", words).replace("CITES", _CITES))
        example = f"{name} citations of my papers tagged thesis"
        yield Act(f"measure:{name}", (*shared, *forms), _measured(name), f"the {name} of citations", example)


FACTS = tuple(_facts())
