"""How often papers must have been cited, and by how many they were written: "more than 50 citations", "at least 30k",
"never cited", "with just one author"."""

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import count_of, number_of

_GOT = "received|gathered|collected|accumulated|attracted|earned|reached|garnered|obtained|drawn|gained"
_LEAD = (
    "[that|which|who|and] [have|has|had|having|with|are|were|is|got] [been|already|so far|ever]"
    f" [cited|{_GOT}|got|counting|count|counts|show|shows|to show] [[a|the] [citation count|total|number] of]"
)
_IS = "(of|is|are|lies|lie|being|that is|:)"
_CITED = "(citation/citations/cites/cite/times|{papers} citing (it|them)|(other|others) [papers])"


_BY_OTHERS = "(others|[other] {papers}|authors|people)"


def _phrases(*bounds: str) -> Phrases:
    """The ways to put a bound on citations."""
    return Phrases(*(f"{_LEAD} {bound} {_CITED}" for bound in bounds), *(
        "[with] [whose|where|for which] [a|an|the|their] [total] [number of] (citations|citation count|citation counts)"
        f" [{_IS}] {bound}" for bound in bounds),
        *(f"cited [by] {bound} [times|{_BY_OTHERS}]" for bound in bounds))  # fmt: skip


_BETWEEN = _phrases("between <least:count> and <most:count>", "from <least:count> to <most:count>",
                    "<least:count> - <most:count>", "<least:count> to <most:count>")  # fmt: skip
_OVER_UNDER = _phrases(
    "(<over:over>|at least) <least:count> (and|but) [still|at the same time|simultaneously|also]"
    " (<under:under>|at most|no more than|up to) <most:count>",
)
_UNDER_OVER = _phrases(
    "(<under:under>|at most|no more than|up to) <most:count> [citations] (and|but) [still|at the same time"
    "|simultaneously|also] [with|have|has]"
    " (<over:over>|at least) <least:count>",
)
_MORE = _phrases(
    "(more [often|frequently] than|over|above|greater than|higher than|larger than|exceed/exceeds/exceeding"
    "|in excess of|upwards of|surpassing/surpass/surpasses|beyond|north of|well over) <n:count>"
)
_LEAST = _phrases(
    "(at least|min|minimum|minimum of|a minimum of|no fewer than|no less than|not fewer than|not less than) <n:count>",
    "<n:count> [or|and] (more|above|plus|up)",
    "<n:count> and up",
    "(a minimum|not under|not below) <n:count>",
    "[a] <n:count> times or more",
)
_LEAST_BEHIND = Phrases(f"""
    {_LEAD} <n:count> (citations/cites|times) (or more|and more|and up|at least|minimum|plus)
""")
_FEWER = _phrases("(fewer than|less than|lower than|smaller than|under|below|south of|short of) <n:count>")
_MOST = _phrases(
    "(at most|no more than|not more than|up to|max|maximum|maximum of|a maximum of) <n:count>",
    "<n:count> or (fewer|less)",
)
_NOT_MORE = Phrases("""
    [that|which] (nobody|no one|no other paper|not|never|(have|has|were|was|are|is) (not|never)) [has|have] [been]
        [ever]
        cited (more than|over|above) <n:count> [times]
""")
_NOT_FEWER = Phrases("""
    [that|which] (not|never|(have|has|were|was|are|is) (not|never)) [been] cited (fewer than|less than|under|below)
        <n:count> [times]
""")
_MOST_BEHIND = Phrases(f"{_LEAD} <n:count> (citations/cites|times) (or fewer|or less|at most|maximum)")
_NONE = Phrases("""
    [that|which] [are|were|is|have been|has been] (never|not yet|not) [been] cited [by anyone|by anybody] [yet]
    uncited
    (with|having|that have|have) (no|zero|0) (citations|citation|cites) [yet] [at all]
    (without|no|zero|0) [any|a] (citations|cites) [yet] [at all]
    [that|which] (nobody|no one|no paper|no other paper) [has|have] [ever] (cited|cites) [yet]
""")


def read_citation_counts(choice: Choice) -> None:
    """Bounds on citations; "more than 50" is at least 51."""
    if slots := choice.take(_BETWEEN):
        choice.conditions |= {"min_citations": count_of(slots["least"]), "max_citations": count_of(slots["most"])}
        return
    if slots := choice.take(_OVER_UNDER) or choice.take(_UNDER_OVER):
        least, most = count_of(slots["least"]) + ("over" in slots), count_of(slots["most"]) - ("under" in slots)
        choice.conditions |= {"min_citations": least, "max_citations": max(most, 0)}
        return
    if _NOT_MORE.find(choice.text) is None and choice.take(_NONE) is not None:
        choice.conditions["max_citations"] = 0
    for phrases, name, beside in (
        (_NOT_MORE, "max_citations", 0), (_NOT_FEWER, "min_citations", 0), (_MORE, "min_citations", 1), (_LEAST,
        "min_citations", 0), (_LEAST_BEHIND, "min_citations", 0),
        (_FEWER, "max_citations", -1), (_MOST, "max_citations", 0), (_MOST_BEHIND, "max_citations", 0),
    ):  # fmt: skip
        if name not in choice.conditions and (slots := choice.take(phrases)):
            choice.conditions[name] = max(_number(slots) + beside, 0)


def _number(slots: Slots) -> int:
    return count_of(slots["n"])


_WITH = "[that|which] (with|having|have|has|had|by|from|of|written by|authored by)"
_ALONE = Phrases(f"""
    single-author/single-authored/sole-authored/solo-authored/one-author/sole-author
    (single|sole|lone) (author/authored)
    {_WITH} [just|only|exactly|no more than|not more than] (a single|a sole|one|1|one single) (author/person/writer)
        [only|alone|on it]
    [that were|that was|which were] (written|authored) (alone|by one person|single-handedly|by a single person)
""")
_AUTHORS: tuple[tuple[str, int, Phrases], ...] = (
    ("min_authors", 1, Phrases(f"{_WITH} (more than|over|above) <n:number> authors")),
    ("max_authors", -1, Phrases(f"{_WITH} (fewer than|less than|under|below) <n:number> authors")),
    ("min_authors", 0, Phrases(f"""
        {_WITH} (at least|no fewer than|not fewer than) <n:number> authors
        {_WITH} <n:number> (or more authors|authors or more|or more|authors and more)
    """)),
    ("max_authors", 0, Phrases(f"""
        {_WITH} (at most|no more than|not more than|up to) <n:number> authors
        {_WITH} <n:number> (or fewer authors|authors or fewer|authors at most)
    """)),
)  # fmt: skip
_EXACTLY = Phrases(f"{_WITH} [just|only|exactly] <n:number> authors [exactly|only]")


def read_author_counts(choice: Choice) -> None:
    """By how many papers were written."""
    if choice.take(_ALONE) is not None:
        choice.conditions["max_authors"] = 1
        return
    for name, more, phrases in _AUTHORS:
        if (slots := choice.take(phrases)) is not None:
            choice.conditions[name] = max(number_of(slots["n"]) + more, 1)
    if slots := choice.take(_EXACTLY):
        choice.conditions |= dict.fromkeys(("min_authors", "max_authors"), max(number_of(slots["n"]), 1))
