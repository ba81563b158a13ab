"""What a question asks for, as rules read it."""

from dataclasses import dataclass
from datetime import date

from agents.builtin.question_parsing.intents import Intent


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A parsed question. Bounds are inclusive; unspecified values are None, False or empty.

    `recent` and `renowned`: prefer recent work (without a date), or work in good venues. `papers` are named explicitly,
    by title or identifier. `topic` is the question without its conditions, examples and phrases like "find papers on";
    never empty if the question has a word, and only its most specific phrases if it is long. `subject` is the whole
    question without conditions, examples, orders and such phrases; "" if it only asks for papers, authors or venues.
    `queries` are alternative words for it, without the question itself; `why` says why they are needed or not. For a
    long text, `core` has the few words that represent it in a source that must match each word, and `fewer` those of
    each query.
    """

    intent: Intent = "topic"
    domain: str | None = None
    since: date | None = None
    until: date | None = None
    recent: bool = False
    authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    min_citations: int | None = None
    open_access: bool = False
    others: str = ""
    renowned: bool = False
    papers: tuple[str, ...] = ()
    topic: str = ""
    subject: str = ""
    needs_refinement: bool = False
    why: str = "It is not in English; spar asks it unchanged."
    queries: tuple[str, ...] = ()
    fewer: tuple[tuple[str, str], ...] = ()
    core: str = ""
