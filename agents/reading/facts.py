"""The facts that a person can ask about a paper, and the counts and figures of many papers."""

from collections.abc import Sequence
from typing import NamedTuple

from agents.reading.choosing import Turn, has_conditions, numbers_of
from agents.reading.reading import Call
from agents.reading.selection import Selection


class Part(NamedTuple):
    """A fact of a paper by its name in the tool `paper`, with the forms of questions about it."""

    name: str
    label: str
    example: str
    forms: tuple[str, ...]


def _part(name: str, nouns: str, label: str, example: str, *forms: str) -> Part:
    """Return a fact with its own question forms and those that all facts share, filled with its nouns."""
    usual = (
        (
            f"[what|who|which|where] [is|are|was|were] [the|its|their] {nouns} of|for|from|on|in|to {{paper}}",
            f"[the] {{paper}} ['s] {nouns}",
            f"what|which {nouns} does|did|do|has|have {{paper}} [have|has|carry|got]",
            f"does|has|do|did {{paper}} have|has|come_with [a|an|any] {nouns}",
            f"[is|are] there [a|an|any] {nouns} of|for|to|in|on {{paper}}",
            f"[what] [is|are|was|were] its|their|the {nouns}",
            f"{nouns} {{paper}}",
            f"what|who|which is|are|was|were {{paper}} ['s] {nouns}",
            f"{{paper}} : {nouns}",
            f"what|which does|do|did|is [the|its] {nouns} of|on|for {{paper}} say|says|mean",
            f"what does|do|did|is [the|its|my|that] {nouns} say|says|read [now]",
        )
        if nouns
        else ()
    )
    return Part(name, label, example, (*forms, *usual))


PARTS: tuple[Part, ...] = (
    _part(
        "authors",
        "author|authors|writer|writers|first_author",
        "who wrote a paper",
        "who wrote the first?",
        "who wrote|authored|published|made|did {paper}",
        "who is|was|are|were {paper} by|from|written_by",
        "by_whom is|was|were {paper} [written]",
        "who is|are|were|was behind {paper}",
        "whose paper|work is {paper}",
        "who is|are the [first|last|senior] author|authors of {paper}",
        "[and] who wrote|authored it",
    ),
    _part(
        "date",
        "date|year|publication_date|publication_year|date_of_publication|year_of_publication",
        "when a paper appeared",
        "when was the first published?",
        "when was|is|did|were {paper} [first] published|out|released|appear|written|come_out|from|printed",
        "[in|from] what|which year is|was|did|does {paper} [published|from|appear|come_out|come_from|released|written]",
        "how old is {paper}",
        "when did {paper} come|appear out|in",
        "when is|was {paper}",
        "[what|which] year {paper}",
        "{paper} [what|which] year",
        "when {paper}",
    ),
    _part(
        "venue",
        "venue|journal|conference",
        "where a paper appeared",
        "where was the first published?",
        "where was|is|did|were {paper} [first] published|appear|come_out|printed|presented|out",
        "[in|at] what|which journal|venue|conference|place|magazine was|did|is|does {paper} [published|appear"
        "|come_out|in|printed|presented|published_in|from|appear_in]",
        "where did {paper} come out",
        "who published {paper}",
        "what|which journal|venue|conference published|printed {paper}",
    ),
    _part(
        "citations",
        "citations|citation_count|number_of_citations|cites|citation_counts|count_of_citations",
        "how often a paper was cited",
        "how often was the first cited?",
        "how often|many_times is|was|has|does|have|had {paper} [been] cited [so_far|by_now]",
        "how_many_times is|was|has {paper} [been] cited [so_far]",
        "how_many citations|cites does|has|did|have {paper} [have|has|got|get|received|gotten]",
        "how_well|how_highly|how_much|how_heavily cited is|was {paper}",
        "how cited is {paper}",
        "[how] how_often cited {paper}",
        "how_many people|papers|times have|has|cite|cited {paper}",
        "how_many citations [for|of] {paper}",
    ),
    _part(
        "abstract",
        "abstract",
        "the abstract of a paper",
        "abstract of the second",
        "read [me] [out] the abstract of {paper}",
        "let_me see the abstract of {paper}",
    ),
    _part(
        "note",
        "note|notes|annotation|annotations|comment|comments|my_note|my_notes",
        "your note on a paper",
        "what did I note on the first?",
        "what did|have|had i write|written|note|noted|say|said|jot|jot_down|jotted_down|think|put_down|remark"
        "|comment [down] about|on|of|for|to|in {paper}",
        "[my] note|notes on|about|for|of|to|regarding {paper}",
        "what is|are|was|were my note|notes|comment|comments|annotation on|about|for|of|to {paper}",
        "did|have i [ever] write|written|take|taken|make|made|leave|left [a|any|down] note|notes|something"
        "|anything|comments about|on|for|to {paper}",
        "what do|does my note|notes say|tell [me] about|on|of|for {paper}",
        "do i have [a|any] note|notes on|about|for|to {paper}",
        "what i wrote|noted|said about|on {paper}",
        "what does my note on|about|for {paper} say",
        "what did|have i note|noted {paper}",
        "is there [a|any] note on|about|for|to {paper}",
        "my thoughts on|about {paper}",
    ),
    _part(
        "tags",
        "tags|tag|labels|my_tags|label",
        "the tags of a paper",
        "which tags has the first?",
        "how is|are|did|have {paper} [i] tagged|labelled",
        "how did|have i tag|tagged {paper}",
        "what did|have i tag|tagged {paper} [with|as]",
        "what|which tags|tag is|are|does|did|do|have|has [i] [on|give|given|put|for|put_on] {paper} [have|has"
        "|carry|tagged|with]",
        "with_what|with_which tag|tags is|did {paper} tagged",
        "what is {paper} tagged [as|with]",
        "is {paper} tagged",
    ),
    _part(
        "read",
        "",
        "whether you have read a paper",
        "have I read the first?",
        "have|did i [already|ever|actually] read|finish|finished {paper} [yet|already|before]",
        "is|are|was {paper} [marked_as|marked|already] read|unread",
        "when did i read|finish {paper}",
        "have i not|ever read {paper} [yet]",
        "did i mark {paper} as read",
    ),
    _part(
        "rating",
        "rating|my_rating|your_rating",
        "how you rated a paper",
        "did I like the first?",
        "did|do i [really|ever] like|love|enjoy|dislike|hate {paper}",
        "how|what did|have i rate|rated {paper} [as]",
        "is|was {paper} [one] liked|disliked",
    ),
    _part(
        "saved",
        "",
        "whether you have saved a paper",
        "is the first saved?",
        "is|are {paper} [already] saved|on_my_shelf|in_my_library|in_the_library|on_the_shelf|in_my_collection|in_here",
        "do|did i [already] have|save|own|got {paper} [saved|already|on_my_shelf|in_my_library]",
        "[on|at] [what|which] when|day|date|time did i save|add|import {paper}",
        "have i [already] saved|got {paper} [already|yet]",
        "when was {paper} saved|added|imported",
        "is {paper} one_of_my_saved_papers",
        "is|are {paper} among|in my saved [papers]",
        "do i have {paper}",
    ),
    _part(
        "retracted",
        "",
        "whether a paper was retracted",
        "was the first retracted?",
        "is|was|has|were|have {paper} [been] retracted|withdrawn",
    ),
    _part(
        "pdf",
        "pdf|full_text|file|pdf_link",
        "the PDF of a paper",
        "is there a PDF of the first?",
        "is|are {paper} open_access|free|freely_available|free_to_read|available_for_free",
        "can i read|get {paper} for_free|free",
        "where can|do i read|get|find {paper}",
        "open the pdf of {paper}",
    ),
    _part(
        "identifiers",
        "doi|link|url|identifier|identifiers|arxiv_id|id|ids|pmid|arxiv_number|dois|links|arxiv_link|pubmed_id"
        "|address|web_address",
        "the DOI of a paper",
        "DOI of the first",
        "what|which doi|arxiv_id is {paper}",
    ),
    _part("keywords", "keywords|keyword|key_words", "the keywords of a paper", "keywords of the first"),
    _part(
        "",
        "details|detail|info|information|record|metadata|data|entry|title|full_title|name",
        "what is known of a paper",
        "tell me about the first",
        "what do you know about|of {paper}",
        "tell [me] [more|something|everything] about {paper}",
        "what is|are|was {paper} [all] about",
        "open|view|see {paper}",
        "what does|do|did {paper} say|cover|deal_with|treat|discuss|study|show|find|argue|claim|report|conclude",
        "what is|was {paper}",
        "more about|on {paper}",
        "describe {paper}",
        "what is|was {paper} called",
        "the details of {paper}",
        "what did {paper} find|show|report|conclude",
    ),
)


class Group(NamedTuple):
    """A property to count papers by, and the forms of questions about it."""

    name: str
    most: tuple[str, ...]
    per: tuple[str, ...]
    distinct: tuple[str, ...] = ()


def _group(name: str, one: str, many: str, *most: str) -> Group:
    each, all_ = one, f"{one}|{many}"
    return Group(
        name,
        (
            *most,
            (
                f"what|which|whose|who {all_} [of_mine] has|have|had|with|contributed|contains|got|contain|hold"
                f"|holds [the] most|biggest_number_of {{papers}}"
            ),
            f"[the] {all_} [that|which|who] [with|has|have] [the] most {{papers?}}",
            (
                f"[who|what|which] [is|are] [the|my] most common|frequent|used|prolific|popular|frequently_used"
                f"|often_used|productive|important {all_} [of|in|among|for|on|across|by|from] {{papers?}}"
            ),
            (
                f"[who|what|which] [is|are] [the|my] top|main {{n?}} {all_} [of|in|among|for|on|across|by|from]"
                f" {{papers?}}"
            ),
            (
                f"what|which {all_} do|does|are|is|did|was|were [i] {{papers}} [come|appear|published|from|have|in]"
                f" [in|from|out] most|most_often|mostly|most_frequently"
            ),
            (
                f"what|which {all_} [do|does|is|are] [i] use|have|read|save|saved|used|appears|occurs|appear"
                f"|shows_up [the] most|most_often|mostly [often]"
            ),
            (
                f"what|which {all_} shows_up|occurs|appears|comes_up|appear|occur|come_up|is_used|are_used [the]"
                f" most|most_often|mostly [often] [in|on|among] {{papers?}}"
            ),
            f"what|which {all_} do|does|did|are|is|were most [of] {{papers}} [come|appear|published] [from|in|under]",
            f"in|from what|which {all_} are|were|do|did|is most [of] {{papers}} [published|appear|come|from]",
            f"in|from what|which {all_} do|did|have i have|has [the] most {{papers}}",
            (
                f"what|which {all_} do|did|have i have|read|save|saved [the] most [of] {{papers}}"
                f" [by|in|from|of|with|under]"
            ),
            f"how_often does each {each} [occur|appear] [in] {{papers?}}",
        ),
        (
            (
                f"[how_many|number_of|count|the_number_of] {{papers}} per|for_each|in_each|each|for_every|a"
                f"|from_each|grouped_by|broken_down_by|with_each|under_each|by_each {each}"
            ),
            f"how_many|number_of|count|the_number_of {{papers}} by {each}",
            (
                f"[a|the] breakdown|distribution|histogram|overview|statistics|counts|tally of {{papers}} by|per"
                f"|over {all_}"
            ),
            f"group|tally|split|break_down {{papers}} by|per|into {all_}",
            f"how_are|how_is {{papers}} distributed|spread over|across|by {all_}",
            f"[list|show] [me] [all|my|the] [of] [my|the] {many}",
            f"what|which {many} [do|are|is|have|did] [i|there|you] [use|have|in|there|used|got] [in|on] [{_LIBRARY}]",
            (
                f"what|which {many} are|were|is|was|do {{papers}} [published|come|appear|written|from|in|by] [in"
                f"|from|by|out]"
            ),
            (
                f"[in|from|by] what|which {many} are|is|were|do|did {{papers}} [from|published|written|appear|come"
                f"|in|by] [in|from]"
            ),
            f"[the|all_the|all|list|list_the|list_all] {many} of|in|for|on|across {{papers}}",
            f"[the] {many} [that] i have|use",
            f"what|which {many} have [you|i|we|they] [got]",
            f"how_many {{papers}} are|do|have [i] [in|under|with|for|have|there] each {each}",
        ),
        (
            (
                f"how_many [different|distinct|unique|other] {many} [do|are|have|does|did|in|of|is|wrote] [i|there"
                f"|we] [use|have|in|there] [in|on|overall|altogether|in_total] {{papers?}}"
            ),
            f"[the] number of [different|distinct] {many} [in|of|on|for] {{papers?}}",
        ),
    )


_LIBRARY = "my_library|the_library|my_shelf|here|all|total|the_shelf"
GROUPS = (
    _group(
        "author",
        "author|person|researcher|scientist|name",
        "authors|people|researchers|names|scientists",
        "who wrote|published|authored|has|have|contributed [the] most [of] {papers}",
        "who appears|occurs|is [there] most|most_often [in|among] {papers}",
        "whose papers|work do i have|read|save [the] most [of]",
        "who do i read|save most|the_most",
        "who is|are cited most_often",
    ),
    _group(
        "venue",
        "venue|journal|conference|place",
        "venues|journals|conferences|places",
        "where are|were|do|did most [of] {papers} [published|appear|come|from|come_from|come_out]",
        "where do|are most {papers} [come|published] [from]",
        "where are|were|was {papers} mostly|most_often [published|from]",
    ),
    _group(
        "year",
        "year",
        "years",
        "when were|was|are most [of] {papers} [published|written|from]",
        "[in|from] which|what year did|were|are most [of] {papers} [appear|published|come_out|from]",
    ),
    _group("tag", "tag|label", "tags|labels", "what|which tag|tags [do|did|have] i use|used [the] most|most_often"),
    _group("type", "type|kind", "types|kinds"),
)
DISTINCT = GROUPS[:4]


class Measure(NamedTuple):
    name: str
    label: str
    example: str
    forms: tuple[str, ...]


def _measure(name: str, words: str, *forms: str) -> Measure:
    cites = "citations|citation_count|citation_counts|number_of_citations|cites|citation|count_of_citations"
    return Measure(
        name,
        f"the {name} of citations",
        f"{name} citations of my papers tagged thesis",
        (
            f"[what|how] [is|are|was] [the] {words} {cites} [count] [of|for|in|among|across|on] {{papers?}}",
            f"[what] [is|are] [the] {words} [number] of {cites} [of|for|in|among|across|per_paper_of] {{papers?}}",
            f"{{papers}} : {words} {cites}",
            f"{{papers}} ['s] {words} {cites}",
            *forms,
        ),
    )


MEASURES = (
    _measure(
        "average",
        "average|mean|avg|typical",
        "how_often|how_many_times are|is|were|was|do|does {papers} cited on_average|typically|in_the_average",
        "how_many citations do|does {papers} have|get on_average",
        "how_often on_average are|is {papers} cited",
        "on_average how_often are|is {papers} cited",
        "[in] [the] average how_often is|are {papers} cited",
        "how_many citations do|does {papers} have|get each|per_paper",
    ),
    _measure("median", "median"),
    _measure(
        "total",
        "total|sum_of|summed|combined|overall|total_number_of|sum_of_the|all_the",
        "how_often|how_many_times are|is|were|have|has {papers} [been] cited in_total|together|altogether|in_all"
        "|all_together|overall",
        "how_many citations do|does|have {papers} have|has|got|get in_total|together|altogether|in_all|overall"
        "|all_together|combined",
        "[what] [do] the citations of {papers} add_up_to",
        "how_many citations in_total do|have {papers} [have]",
        "how_many citations do|does {papers} have",
    ),
    _measure("highest", "highest|maximum|max|largest|greatest|top"),
    _measure("lowest", "lowest|minimum|min|smallest|fewest"),
)

_LONGEST = 20_000
"""Maximum number of papers that a query lists by number."""
_COLUMNS = {
    "authors": "authors",
    "date": "date",
    "venue": "venue",
    "citations": "citations",
    "keywords": "keywords",
    "identifiers": "doi",
    "abstract": "abstract",
}


def _among(selection: Selection, turn: Turn) -> str | None:
    """Return the papers of a selection as an SQL condition, "" for the whole library; None if that is not possible."""
    if selection.names or selection.onward or has_conditions(selection):
        numbers = numbers_of(selection, turn)
        if numbers is None or len(numbers) > _LONGEST:
            return None
        return f"id IN ({', '.join(map(str, numbers))})"
    return ""


def facts_of_several(part: str, numbers: Sequence[int]) -> Call | None:
    """Return a query for a fact of several papers, in their order."""
    if part in ("note", "tags", "read", "saved"):
        values = {"note": "note", "read": "coalesce(read, 'not read')", "saved": "saved"}
        ids = ", ".join(map(str, numbers))
        if part == "tags":
            return Call(
                "query",
                {
                    "sql": f"SELECT p.title, group_concat(t.tag, ', ') AS tags FROM papers p LEFT JOIN tags t"
                    f" ON t.paper = p.id WHERE p.id IN ({ids}) GROUP BY p.id"
                },
            )
        return Call("query", {"sql": f"SELECT title, {values[part]} AS {part} FROM shelf WHERE paper IN ({ids})"})
    if part not in _COLUMNS:
        return None
    rank = " ".join(f"WHEN {number} THEN {place}" for place, number in enumerate(numbers))
    ids = ", ".join(map(str, numbers))
    sql = f"SELECT title, {_COLUMNS[part]} AS {part} FROM papers WHERE id IN ({ids}) ORDER BY CASE id {rank} END"
    return Call("query", {"sql": sql})


LINKS = {"citations": ("citing", "cited"), "references": ("cited", "citing")}
"""For each kind of link, the column of the papers to find and the column of the named papers."""


def linked_to_several(tool: str, numbers: Sequence[int], *, either: bool) -> Call:
    """Return a query for the papers that cite all of several papers, or that all of them cite; with `either`, any of
    them."""
    these, named = LINKS[tool]
    linked = [f"id IN (SELECT {these} FROM citations WHERE {named} = {number})" for number in numbers]
    where = (" OR " if either else " AND ").join(linked)
    return Call("query", {"sql": f"SELECT id AS paper, title, date FROM papers WHERE {where} ORDER BY date DESC, id"})


def grouped(
    group: str, most: bool, limit: int | None, selection: Selection, turn: Turn, *, distinct: bool = False
) -> Call | None:
    """Return a query for the number of papers by author, venue, year, tag or type.

    With `most`, only the `limit` largest; otherwise all, largest first, or years in their order. With `distinct`, only
    the number of different values.
    """
    among = _among(selection, turn)
    if among is None:
        return None
    where = f"WHERE {among}" if among else ""
    also = f"{where} AND" if where else "WHERE"
    match group:
        case "author":
            rows = (
                "(WITH RECURSIVE split(name, rest) AS (SELECT '', authors || '; ' FROM papers"
                f" {where} UNION ALL SELECT substr(rest, 1, instr(rest, '; ') - 1), substr(rest, instr(rest, '; ') + 2)"
                " FROM split WHERE rest != '') SELECT name AS author FROM split WHERE name != '')"
            )
            return _tally(rows, "author", most, limit, distinct)
        case "venue":
            return _tally(f"(SELECT venue FROM papers {also} venue != '')", "venue", most, limit, distinct)
        case "year":
            return _tally(f"(SELECT year FROM papers {also} year IS NOT NULL)", "year", most, limit, distinct)
        case "tag":
            inside = among.replace("id IN", "paper IN")
            return _tally(f"(SELECT tag FROM tags{f' WHERE {inside}' if inside else ''})", "tag", most, limit, distinct)
        case "type":
            return _tally(f"(SELECT type FROM papers {where})", "type", most, limit, distinct)
    return None


def _tally(rows: str, column: str, most: bool, limit: int | None, distinct: bool) -> Call:
    if distinct:
        return Call("query", {"sql": f"SELECT count(DISTINCT {column}) AS {column}s FROM {rows}"})
    order = f"papers DESC, {column}" if most or column != "year" else column
    counted = f"SELECT {column}, count(*) AS papers FROM {rows} GROUP BY {column}"
    if most:  # those that have as many as the last of them are among them
        ranked = f"SELECT *, rank() OVER (ORDER BY papers DESC) AS place FROM ({counted})"
        counted = f"SELECT {column}, papers FROM ({ranked}) WHERE place <= {limit or 5}"
    return Call("query", {"sql": f"{counted} ORDER BY {order}"})


def measured(measure: str, selection: Selection, turn: Turn) -> Call | None:
    """Return a query for a statistic of citation counts."""
    if measure == "total" and (selection.single or len(selection.names) == 1):
        return None
    among = _among(selection, turn)
    if among is None:
        return None
    known = f"citations IS NOT NULL{f' AND {among}' if among else ''}"
    value = {
        "average": "round(avg(citations), 1)",
        "total": "sum(citations)",
        "highest": "max(citations)",
        "lowest": "min(citations)",
    }.get(measure)
    if value is None:
        half = f"(SELECT count(*) FROM papers WHERE {known})"
        value = (
            "round(avg(citations), 1) AS median_citations FROM (SELECT citations FROM papers WHERE "
            f"{known} ORDER BY citations LIMIT 2 - {half} % 2 OFFSET ({half} - 1) / 2)"
        )
        return Call("query", {"sql": f"SELECT {value}"})
    return Call("query", {"sql": f"SELECT {value} AS {measure}_citations FROM papers WHERE {known}"})
