"""The places where a person can write a filter, and the conditions that each supports."""

from collections.abc import Iterator

from cache.conditions.filters import FilterScope

SEARCH = FilterScope("in a search", "title, authors, venue, year and tags", ("paper", "shelf", "search"))
"""No full texts here: they belong to the library, and a run can have papers that are not in it."""
SHELF = FilterScope(
    "on the shelf", "title, authors, venue, year and tags", ("paper", "shelf", "library"), bare=("unread", "read")
)
LIBRARY = FilterScope("in the library", "title, abstract, authors and venue", ("paper", "shelf", "library"))
HISTORY = FilterScope("in the history", "question, kind, state, date and id", ("paper",), only=("year",))


def explained(scope: FilterScope) -> Iterator[tuple[str, str]]:
    """Yield each form of term that `scope` supports, with its meaning."""
    yield "words", f"Each word somewhere in {scope.texts}."
    yield '"a phrase"', "Exactly these words in this order."
    for row in scope.conditions.values():
        if row.type:
            yield row.example, _BEGUN if scope is HISTORY else row.meaning
    for field, states in scope.fields.items():
        if states:
            meanings = (f"{state}: {scope.conditions[f'{field}:{state}'].meaning[:-1].lower()}" for state in states)
            yield f"{field}:{'|'.join(states)}", f"{'; '.join(meanings)}."
    yield "-term", "Not that: -survey, -year:..2010, -is:retracted. a|b behind a colon: one of them."


_BEGUN = "Begun in 2020 or later; also year:..2010, year:2015..2020, year:2020, year:2020-05."
_IN_SHORT = (
    "year", "cited", "venue", "author", "tag", "relevant", "included", "excluded", "later", "open", "unread", "read",
    "saved", "retracted", "fulltext",
)  # fmt: skip
"""The most common conditions, in the order in which help lists them."""


def summed_up(scope: FilterScope) -> str:
    """List the most common terms of `scope` on one line."""
    rows = {row.name: row for row in scope.conditions.values()}
    examples: dict[str, str] = {}
    for row in (rows[name] for name in _IN_SHORT if name in rows):
        example = examples.get(row.field)
        examples[row.field] = row.example if example is None else f"{example}|{row.word.partition(':')[2]}"
    return "  ".join(["words", '"a phrase"', *examples.values(), "- negates"])
