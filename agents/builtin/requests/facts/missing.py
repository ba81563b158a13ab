"""Papers of which something is not known: "for how many papers is the citation count unknown"."""

import re

from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.facts.sql import clauses_of, where
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.scene import Reading, Scene, plan, step

_FIELDS = (
    ("citations IS NULL", "[known] ([number of] citations|citation (count/counts/number/numbers))"),
    ("date IS NULL", "[publication] (date/dates/year/years) [of publication]"),
    ("coalesce(venue, '') = ''", "venue/venues/journal/journals/conference"),
    ("coalesce(authors, '') = ''", "author/authors"),
    ("doi IS NULL", "doi/dois"),
    ("arxiv IS NULL", "arxiv (id/ids/number/numbers|identifier/identifiers)"),
    ("coalesce(keywords, '') = ''", "keyword/keywords"),
    ("language IS NULL", "language/languages"),
    ("coalesce(abstract, '') = ''", "abstract/abstracts"),
)
"""When a field is not known, and what it is called."""
_ANY = "[a|an|any|the|their|its|known|its own]"
_NOT_KNOWN = "(not known|unknown|missing|not there|not given|not recorded|lacking|absent|not available|empty)"
_LACKS = (
    "[that|which] (without|with no|that have no|which have no|have no|has no|having no|lacking|lack/lacks"
    "|miss/misses|missing|are missing|is missing|do not have|does not have) [a|an|any|the|their|its] [known]"
)
_MISSING = tuple(
    (clause, Phrases(f"""
        [for] [whose|where [the]|of which [the]|with] {_ANY} [known] {field} (is|are|was|were|being) {_NOT_KNOWN}
        (is|are) [the] {field} {_NOT_KNOWN}
        [with|that have] [a|an] (unknown|missing) {field}
        {_LACKS} {field}
        (do|does|can) (i|we|you) not (know|have) [the|a|any] {field} [of|for]
        [where|of which|for which|that] (i|we|you) do not (know|have) [the|a|any] {field} [of|for]
        {field} : [is|are] [entirely|completely] {_NOT_KNOWN} [entirely|completely]
        (for|of|in) which no {field} (is|are) [known|recorded|given|there|stored|available]
    """))
    for clause, field in _FIELDS
)  # fmt: skip
_NONE = re.compile(
    r"\b(?:without|no|lack\w*|miss\w*|have|has) (?:any |an |a )?(?:citations?(?! (?:number|count))|abstracts?)\b",
    re.IGNORECASE,
)
"""Which are conditions as others are: never cited, without an abstract."""
_HOW_MANY = Phrases(
    "[for|of|in] how many <:text>", "[{what_is}] [the] (number|count) of <:text>", "count <:text>",
    "<:any> how many [are (they|there|these|those)|of them]",
)  # fmt: skip
_ASKS = Phrases(
    "number of <:text>", "[for|of|in] (how many|which|what) <:text>", "[{show}] [all|the|my] {papers} <:text>"
)


def missing(said: str, scene: Scene) -> Reading | None:
    """The papers of which a field is not known, or how many they are; None where none is spoken of."""
    if _ASKS.match(said) is None:
        return None
    for clause, phrases in _MISSING:
        if (found := phrases.find(said)) is None or _NONE.search(said[found.start : found.end]):
            continue
        count = _HOW_MANY.match(said) is not None
        choice = read_choice(f"papers {said[: found.start]} , {said[found.end :]}", scene)
        choice.conditions.pop("words", None)
        clauses = [clause, *clauses_of(choice)]
        what, order = ("count(*) AS papers", "") if count else ("id AS paper, title", " ORDER BY id")
        return plan(step("query", sql=f"SELECT {what} FROM papers{where(*clauses)}{order}"), onward=choice.onward)
    return None
