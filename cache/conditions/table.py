"""The table of conditions: one row for each, with everything that any part of the program needs to know about it.

The filter line, the verbs, the tools of chat and MCP, searches and answers all read these rows. To add a condition, add
a row.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cache.conditions.content import about, in_column
from cache.conditions.content import quoted as in_index
from cache.conditions.names import folded, is_by, parts_of_name
from cache.conditions.values import COUNT, DATES, NAME, Clause, Group, Interval, Value, ValueType, choice
from cache.conditions.venue_names import is_at
from cache.conditions.wording import citations, dated, listed, names_after, people, quoted
from connectors.paper import PAPER_TYPES

Knows = Literal["paper", "shelf", "search", "library", "group"]
"""The data that decides whether a condition holds: the paper's record, the person's shelf, the search that found the
paper, or only the library's full-text index. A "group" of conditions needs what its conditions need; only tools take
it."""


@dataclass(frozen=True, slots=True)
class CheckedPaper:
    """The data of a paper that conditions check. `text` is the folded text that words search; names are as displayed.

    `date` and `saved` are a year, a month or a day, as precise as known; "" if unknown. `states` are the names of the
    conditions without a value that hold.
    """

    text: str
    date: str = ""
    cited: int | None = None
    venue: str = ""
    authors: Sequence[str] = ()
    et_al: bool = False
    type: str = "other"
    tags: Sequence[str] = ()
    saved: str = ""
    states: frozenset[str] = frozenset()


def text_of(
    title: str,
    authors: Iterable[str],
    venue: str,
    year: int | None,
    tags: Iterable[str],
    retracted: bool,
    about: str = "",
) -> str:
    """Join the text that plain words search, folded. No phrase matches across two parts."""
    parts = (title, *authors, venue, str(year or ""), *tags, "retracted" if retracted else "", about)
    return folded("\x1f".join(parts).replace("\n", " "))


Role = Literal["each", "any", "none", "least", "most", "is", "not"]
"""The meaning of a tool's argument: match each, any or none of its values; a lower or upper bound; or require that the
condition holds ("is") or does not ("not") when the argument has the row's value."""


@dataclass(frozen=True, slots=True)
class ToolArgument:
    """A tool's argument for a condition; `noun` names it in an answer that reports it as dropped."""

    name: str
    role: Role
    noun: str
    value: bool | int = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition on papers.

    `word` introduces it in a filter (`author:` or `is:open`), `example` is an example there. `sql` and `holds` are the
    same check, in the library and on a subject. `phrase` renders the values in an answer, after "is" or, with `has`,
    after "has". `opposite` renders the negation; "" puts "not" before the phrase.
    """

    name: str
    word: str
    example: str
    meaning: str
    knows: Knows
    sql: Callable[[Value], Clause]
    holds: Callable[[Value], Callable[[CheckedPaper], bool]]
    phrase: Callable[[Sequence[Value], str], str]
    type: ValueType | None = None
    opposite: str = ""
    has: bool = False
    arguments: tuple[ToolArgument, ...] = ()

    @property
    def field(self) -> str:
        """The part before the colon in a filter."""
        return self.word.partition(":")[0]


# These strings occur in a record only as its keys, so a substring search does without parsing the JSON.
CITED = (
    "CASE instr(p.record, '\"citation_count\":') WHEN 0 THEN NULL ELSE"
    " CAST(substr(p.record, instr(p.record, '\"citation_count\":') + 17, 20) AS INTEGER) END"
)
RETRACTED = "instr(p.record, '\"retracted\":true') > 0"
OPEN = 'instr(p.record, \'"pdf":"\') > 0'
ET_AL = "instr(p.record, '\"et_al\":true') > 0"
TYPE = (
    "CASE instr(p.record, '\"type\":\"') WHEN 0 THEN 'other' ELSE"
    ' substr(p.record, instr(p.record, \'"type":"\') + 8, 20) END'
)
"""The type, followed by the rest of the record (cut off after 20 characters)."""
ABSTRACT = "(p.abstract != '' AND instr(p.record, '\"described\":\"') = 0 OR instr(p.record, '\"abstract\":\"') > 0)"
"""As `cache.paper_json.whole` decides."""
DOI = "EXISTS (SELECT 1 FROM identifiers i WHERE i.paper = p.id AND i.scheme = 'doi')"
STYLED_TITLE = (
    "CASE WHEN instr(p.record, '\"styled_title\":') AND json_valid(p.record)"
    " THEN json_extract(p.record, '$.styled_title') END"
)
TAGS = "(SELECT group_concat(t.tag, char(10)) FROM tags t WHERE t.paper = p.id)"
SAVED = "s.paper IS NOT NULL"
_DAY_SAVED = "substr(s.saved, 1, 10)"


def _sql_in(expression: str, interval: Value) -> Clause:
    """Compare a number with an interval."""
    assert isinstance(interval, Interval)
    bounds = [(f"({expression}) >= {{}}", interval.least), (f"({expression}) <= {{}}", interval.most)]
    return _all(bounds)


def _all(bounds: Sequence[tuple[str, int | str | None]]) -> Clause:
    """Join the bounds that are not None."""
    bounds = [(sql, bound) for sql, bound in bounds if bound is not None]
    return Clause(" AND ".join(sql for sql, _ in bounds), [bound for _, bound in bounds if bound is not None])


def _sql_days(column: str) -> Callable[[Value], Clause]:
    def clause(interval: Value) -> Clause:
        assert isinstance(interval, Interval)
        ends = len(str(interval.most))
        return _all([
            (f"{column} >= substr({{}}, 1, length({column}))", interval.least),
            (f"substr({column}, 1, {ends}) <= {{}}", interval.most),
        ])  # fmt: skip

    return clause


def _sql_authors(interval: Value) -> Clause:
    """With an upper bound, exclude papers whose authors are not all known."""
    assert isinstance(interval, Interval)
    number = "json_array_length(p.authors)"
    bounded, values = _sql_in(number, interval)
    return Clause(bounded if interval.most is None else f"{bounded} AND {number} > 0 AND NOT {ET_AL}", values)


def _has_authors(interval: Value) -> Callable[[CheckedPaper], bool]:
    assert isinstance(interval, Interval)
    bounded = interval.most is not None
    return lambda subject: (
        interval.holds(len(subject.authors)) and not (bounded and (subject.et_al or not subject.authors))
    )


_OTHER_LETTERS = """p.authors GLOB '*[^]["A-Za-z0-9., -]*'"""
"""Whether names have letters that the full-text index may spell in another way."""


def _sql_by(name: str) -> Clause:
    """Compare names only for papers whose authors have the last word of `name`, by the full-text index."""
    words = () if name.endswith("*") else parts_of_name(name)
    if not words:
        return Clause("is_by(p.authors, {})", [name])
    match = " OR ".join(f"{{authors}} : {in_index(word)}" for word in words)
    indexed = "p.id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH {})"
    return Clause(f"CASE WHEN {indexed} OR {_OTHER_LETTERS} THEN is_by(p.authors, {{}}) END", [match, name])


def _by(value: Value) -> Callable[[CheckedPaper], bool]:
    name = str(value)
    parts = parts_of_name(name) or ("",)
    return lambda subject: (
        (not subject.text.isascii() or any(part in subject.text for part in parts)) and is_by(subject.authors, name)
    )


def is_tag(tag: str, name: str) -> bool:
    """Whether `tag` is `name` or a level below it (`thesis/intro` is in `thesis`), or starts with it if `name` ends
    with a `*`."""
    pattern, tag = folded(name), folded(tag)
    return tag.startswith(pattern[:-1]) if pattern.endswith("*") else tag == pattern or tag.startswith(f"{pattern}/")


def _nothing_in_memory(value: Value) -> Callable[[CheckedPaper], bool]:
    raise ValueError("the library alone can say that: `sql` chooses by it")


def _state(
    name: str, sql: str, wording: str, meaning: str, scope: Knows = "paper", opposite: str = "",
    arguments: tuple[ToolArgument, ...] = (), *, has: bool = False, word: str = "",
) -> Condition:  # fmt: skip
    """Return a condition without a value: it holds or it does not."""
    return Condition(
        name=name, word=word or f"is:{name}", example=word or f"is:{name}", meaning=meaning, knows=scope,
        sql=lambda _: Clause(f"({sql})"), holds=lambda _: lambda subject: name in subject.states,
        phrase=lambda values, last: wording, opposite=opposite, has=has, arguments=arguments,
    )  # fmt: skip


def _yes_no(name: str, noun: str) -> tuple[ToolArgument, ...]:
    return ToolArgument(name, "is", noun, True), ToolArgument(name, "not", noun, False)


_ABOUT = Condition(
    name="about", word="about:", example='about:"query expansion"', knows="library", type=NAME,
    meaning="These words near each other in the title or the abstract, or all in one keyword or tag, with any endings.",
    sql=lambda value: about(str(value)), holds=_nothing_in_memory,
    phrase=lambda values, last: f"about {quoted(values, last)}",
    arguments=(
        ToolArgument("words", "each", "the subject"), ToolArgument("any_words", "any", "the kind of paper"),
        ToolArgument("without", "none", "what is not wanted"),
    ),
)  # fmt: skip
_AUTHOR = Condition(
    name="author", word="author:", example="author:name", knows="paper", type=NAME,
    meaning="By an author of this family name, with or without particles; a given name or initials narrow it:"
    ' author:"ann lee". author:lee* is the beginning of a family name.',
    sql=lambda value: _sql_by(str(value)), holds=_by,
    phrase=names_after("by", "authors"),
    arguments=(
        ToolArgument("authors", "each", "the author"), ToolArgument("any_authors", "any", "the authors"),
        ToolArgument("without_authors", "none", "the authors that are not wanted"),
    ),
)  # fmt: skip
_VENUE = Condition(
    name="venue", word="venue:", example="venue:acl", knows="paper", type=NAME,
    meaning="In this journal or conference, under any of the names that it goes by: venue:neurips. venue:nature* is the"
    " beginning of a name: Nature Methods as well.",
    sql=lambda value: Clause("is_at(p.venue, {})", [str(value)]),
    holds=lambda value: lambda subject: is_at(subject.venue, str(value)),
    phrase=names_after("in", "venues"),
    arguments=(
        ToolArgument("venues", "any", "the venue"),
        ToolArgument("without_venues", "none", "the venues that are not wanted"),
    ),
)  # fmt: skip
_TYPE = Condition(
    name="type", word="type:", example="type:review", knows="paper", type=choice(PAPER_TYPES),
    meaning=f"Of this type: {', '.join(PAPER_TYPES)}.",
    sql=lambda value: Clause(f"({TYPE}) GLOB {{}}", [f"{value}{'' if value == 'other' else chr(34)}*"]),
    holds=lambda value: lambda subject: subject.type == value,
    phrase=names_after("of the type"),
    arguments=(
        ToolArgument("types", "any", "the type"),
        ToolArgument("without_types", "none", "the types that are not wanted"),
    ),
)  # fmt: skip
_CITATIONS = Condition(
    name="cited", word="cited:", example="cited:10..", knows="paper", type=COUNT,
    meaning="Known to be cited ten times or more; also cited:..10, cited:10..99, cited:0.",
    sql=lambda value: _sql_in(CITED, value),
    holds=lambda value: lambda subject: isinstance(value, Interval) and value.holds(subject.cited),
    phrase=citations,
    arguments=(
        ToolArgument("min_citations", "least", "the fewest citations"),
        ToolArgument("max_citations", "most", "the most citations"),
    ),
)  # fmt: skip
_TAG = Condition(
    name="tag", word="tag:", example="tag:x", knows="shelf", type=NAME,
    meaning="With this tag, or one below it (x/y); #x is the same, tag:x* is the beginning of one.",
    sql=lambda value: Clause("EXISTS (SELECT 1 FROM tags t WHERE t.paper = p.id AND is_tag(t.tag, {}))", [str(value)]),
    holds=lambda value: lambda subject: any(is_tag(tag, str(value)) for tag in subject.tags),
    phrase=lambda values, last: f"tagged {quoted(values, last)}",
    arguments=(
        ToolArgument("tags", "any", "the tag"), ToolArgument("without_tags", "none", "the tags that are not wanted"),
    ),
)  # fmt: skip
_YEAR = Condition(
    name="year", word="year:", example="year:2020..", knows="paper", type=DATES,
    meaning="Published in 2020 or later; also year:..2010, year:2015..2020, year:2020, year:2020-05... Papers without a"
    " date are left out.",
    sql=_sql_days("p.date"),
    holds=lambda value: lambda subject: isinstance(value, Interval) and value.has_day(subject.date),
    phrase=dated("from", "from"),
    arguments=(
        ToolArgument("since", "least", "the beginning of the time"),
        ToolArgument("until", "most", "the end of the time"),
        ToolArgument("years", "any", "the years"),
        ToolArgument("without_years", "none", "the years that are not wanted"),
    ),
)  # fmt: skip
_SAVED_ON = Condition(
    name="saved_on", word="saved:", example="saved:2026-09..", knows="shelf", type=DATES,
    meaning="Saved on that day, month or year, or later; the same forms as year:.",
    sql=_sql_days(_DAY_SAVED),
    holds=lambda value: lambda subject: isinstance(value, Interval) and value.has_day(subject.saved),
    phrase=dated("saved from", "saved on"),
    arguments=(
        ToolArgument("saved_since", "least", "the day from which on they were saved"),
        ToolArgument("saved_until", "most", "the day until which they were saved"),
    ),
)  # fmt: skip
_TITLE = Condition(
    name="title", word="title:", example="title:survey", knows="library", type=NAME, has=True,
    meaning="These words near each other in the title, whatever their endings.",
    sql=lambda value: in_column("title", str(value)), holds=_nothing_in_memory,
    phrase=lambda values, last: f"{quoted(values, last)} in the title",
    arguments=(ToolArgument("title_words", "each", "the title"),),
)  # fmt: skip
_EITHER = Condition(
    name="either", word="", example="", knows="group",
    meaning="Conditions that hold together, by their arguments here: [{authors: [lee], years: [2016]}, {read: false}].",
    sql=lambda value: value.clause if isinstance(value, Group) else Clause("0"),
    holds=lambda value: lambda subject: isinstance(value, Group) and value.holds(subject),
    phrase=lambda values, last: listed([value.together for value in values if isinstance(value, Group)], last),
    arguments=(
        ToolArgument("any_of", "any", "the alternatives"),
        ToolArgument("none_of", "none", "what is not wanted together"),
    ),
)  # fmt: skip
_AUTHORS = Condition(
    name="authors", word="authors:", example="authors:..3", knows="paper", type=COUNT, has=True,
    meaning="Written by at most three people; also authors:1, authors:5... An incomplete list of authors"
    " matches no upper limit.",
    sql=_sql_authors, holds=_has_authors, phrase=people,
    arguments=(
        ToolArgument("min_authors", "least", "the fewest authors"),
        ToolArgument("max_authors", "most", "the most authors"),
    ),
)  # fmt: skip

ROWS: tuple[Condition, ...] = (
    _ABOUT,
    _AUTHOR,
    _VENUE,
    _TYPE,
    _CITATIONS,
    _state("relevant", "0", "relevant", "Relevant, as judged in this search.", "search"),
    _state("included", "0", "included", "Included by you in this search.", "search"),
    _state("excluded", "0", "excluded", "Excluded by you in this search.", "search"),
    _state("later", "0", "kept for later", "Left for later by you in this search.", "search"),
    _state("open", OPEN, "known to be free to read", "Known to be free to read.",
           opposite="not known to be free to read", arguments=_yes_no("open_access", "the free PDF")),
    _state("retracted", RETRACTED, "known to be retracted", "Known to be retracted.",
           arguments=_yes_no("retracted", "the retraction")),
    _state("unread", f"{SAVED} AND s.read IS NULL", "unread on your shelf", "Saved and not read.", "shelf",
           arguments=(ToolArgument("read", "is", "the mark as read", False),)),
    _state("read", "s.read IS NOT NULL", "marked as read", "Marked as read.", "shelf",
           arguments=(ToolArgument("read", "is", "the mark as read", True),)),
    _state("saved", SAVED, "on your shelf", "On your shelf.", "shelf",
           arguments=_yes_no("saved", "your shelf")),
    _state("liked", "s.rating = 1", "liked by you", "Liked by you.", "shelf",
           arguments=(ToolArgument("rating", "is", "your rating", 1),
                      ToolArgument("without_rating", "not", "the rating that is not wanted", 1))),
    _state("disliked", "s.rating = -1", "disliked by you", "Disliked by you.", "shelf",
           arguments=(ToolArgument("rating", "is", "your rating", -1),
                      ToolArgument("without_rating", "not", "the rating that is not wanted", -1))),
    _state("unrated", "s.rating = 0", "unrated on your shelf", "Saved and not rated.", "shelf",
           arguments=(ToolArgument("rating", "is", "your rating", 0),)),
    _state("rated", "s.rating != 0", "rated by you", "Liked or disliked by you.", "shelf",
           arguments=(ToolArgument("without_rating", "is", "the rating that is not wanted", 0),)),
    _TAG,
    _YEAR,
    _SAVED_ON,
    _TITLE,
    _state("abstract", ABSTRACT, "an abstract", "With an abstract.", opposite="no known abstract",
           arguments=_yes_no("has_abstract", "the abstract"), has=True, word="has:abstract"),
    _state("doi", DOI, "a DOI", "With a DOI.", "library", "no DOI", _yes_no("has_doi", "the DOI"), has=True,
           word="has:doi"),
    _state("noted", "coalesce(s.note, '') != ''", "a note of yours", "With a note of yours.", "shelf",
           "no note of yours", _yes_no("noted", "the note"), has=True, word="has:note"),
    _state("pdf", "s.pdf IS NOT NULL", "a PDF of yours", "With a PDF on this machine.", "shelf",
           "no PDF of yours", _yes_no("has_pdf", "the PDF"), has=True, word="has:pdf"),
    replace(
        _state("tagged", "EXISTS (SELECT 1 FROM tags t WHERE t.paper = p.id)", "a tag", "With a tag.", "shelf",
               "no tag", _yes_no("tagged", "the tags"), has=True, word="has:tag"),
        holds=lambda _: lambda subject: bool(subject.tags),
    ),
    _AUTHORS,
    _state("fulltext", "p.id IN (SELECT t.paper FROM full_texts t WHERE t.told > 0)", "a full text that is kept",
           "The words are in the text of its PDF, if spar fetch stored it; -in:fulltext: no text is stored.", "library",
           has=True, word="in:fulltext"),
    _EITHER,
)  # fmt: skip
"""The conditions in the order in which an answer states them."""
CONDITIONS: Mapping[str, Condition] = {row.name: row for row in ROWS}
