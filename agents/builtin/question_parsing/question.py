"""Parse a question: first every condition, then the rest as its topic."""

import re
from dataclasses import dataclass
from datetime import date

from agents.builtin.question_parsing.author_names import read_author_names
from agents.builtin.question_parsing.conditions import read_conditions
from agents.builtin.question_parsing.dates import Bounds, read_dates
from agents.builtin.question_parsing.everyday import without_everyday_words
from agents.builtin.question_parsing.fields.field_of import field_of
from agents.builtin.question_parsing.intents import Intent, read_intent
from agents.builtin.question_parsing.lexicon import tells
from agents.builtin.question_parsing.named_papers import NamedPapers, read_named_papers
from agents.builtin.question_parsing.phrases import content_words
from agents.builtin.question_parsing.refining import LONG, Refinement, refine
from agents.builtin.question_parsing.spans import Span, blanked, plain, without
from agents.builtin.question_parsing.subject_sentences import examples, orders
from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.question_parsing.venues import Venue, read_venue
from agents.builtin.text.languages import is_english
from agents.builtin.text.terms import terms
from connectors.query.text import cut_at_word
from connectors.records.clean import clean_text

LONGEST = 4_000
"""Maximum number of characters parsed; a longer request has named its subject by then."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed question. Bounds are inclusive; unspecified values are None, False or empty.

    `recent` and `renowned`: prefer recent work (without a date), or work in good venues. `papers` are named explicitly,
    by title or identifier. `topic` is the question without its conditions, examples and phrases like "find papers on";
    never empty if the question has a word, and only its most specific phrases if it is long. `subject` is the whole
    question without conditions, examples, orders and such phrases; "" if it only asks for papers, authors or venues.
    `queries` are alternative words for it, without the question itself; `why` says why they are needed or not. For a
    long text, `core` has the few words that represent it in a source that must match each word, and `fewer` those of
    each query.
    """

    intent: Intent
    domain: str | None
    since: date | None
    until: date | None
    recent: bool
    authors: tuple[str, ...]
    venue: str | None
    min_citations: int | None
    open_access: bool
    renowned: bool
    papers: tuple[str, ...]
    topic: str
    subject: str
    needs_refinement: bool
    why: str
    queries: tuple[str, ...]
    fewer: tuple[tuple[str, str], ...] = ()
    core: str = ""


def read(question: str, today: date) -> Reading:
    """Parse `question` by its wording. A question that is not in English becomes the topic unchanged."""
    whole = cut_at_word(clean_text(question).strip(), LONGEST)
    text = plain(whole)
    if not is_english(text):
        return _as_it_is(whole, read_named_papers(text))
    text = blanked(text, examples(text))
    named = read_named_papers(text)
    text = blanked(text, named.spans)
    limits = read_conditions(text)
    text = blanked(text, limits.spans)
    venue = read_venue(text, today)
    text = blanked(text, venue.spans)
    authors = read_author_names(text)
    text = blanked(text, authors.spans)
    dates = read_dates(text, today)
    text = blanked(text, dates.spans)
    worded = read_intent(_requests(text.rstrip()))
    bounds = _with_venue(dates.bounds, venue)
    subject = topic_of(without(text, (*worded.spans, *orders(text))))
    telling = without_everyday_words(subject, text)
    names = (*named.papers, *authors.names, *([venue.name] if venue.name else []))
    refinement = refine(subject, whole, worded.intent, narrowed=bool(names))
    topic = _topic(telling if " " in telling else refinement.gist or subject, names, topic_of(without(text, ())), whole)
    intent = _intent(worded.intent, named, bool(authors.names))
    domain = field_of(f"{subject} {' '.join(named.papers)}")
    if topic in names:
        refinement = Refinement(False, "It names what it wants, and no topic.")
    elif telling:
        # One word alone says too little to judge papers by, so the question stays what they are judged by.
        refinement = Refinement(True, f"It is asked in everyday words; “{telling}” may say what of.", (telling,))
    return Reading(
        intent=intent,
        domain=domain,
        since=bounds.since,
        until=bounds.until,
        recent=(worded.recent or dates.recent or worded.intent == "recent-advances") and bounds == Bounds(),
        authors=authors.names,
        venue=venue.name,
        min_citations=limits.min_citations,
        open_access=limits.open_access,
        renowned=limits.renowned,
        papers=named.papers,
        topic=topic,
        subject="" if topic in names else subject if terms(subject) else whole,
        needs_refinement=refinement.needed,
        why=refinement.why,
        queries=refinement.queries,
        fewer=refinement.fewer,
        core=refinement.core,
    )


def _requests(text: str) -> str:
    """Blank out all but the first and the last sentence of a long text, because the sentences between them describe the
    subject."""
    ends = [match.end() for match in re.finditer(r"[.;?!]\s", text.rstrip())]
    return blanked(text, [Span(ends[0], ends[-1])]) if len(ends) > 1 else text


def asks_much(text: str) -> bool:
    """Whether `text` is a request of many words, which no single paper matches as a whole."""
    return len(content_words(text)) > LONG


def _topic(subject: str, names: tuple[str, ...], unstripped: str, whole: str) -> str:
    """Return the subject if it says anything; else a named paper, author or venue; else the remaining text."""
    telling = any(map(tells, map(str.lower, content_words(subject))))
    tried = (subject, *names) if telling or not names else names
    return next((topic for topic in (*tried, unstripped, whole) if any(map(str.isalnum, topic))), "")


def _intent(worded: Intent, named: NamedPapers, by_author: bool) -> Intent:
    if named.wanted:
        return "named-paper"
    if by_author and worded in ("topic", "recent-advances"):
        return "author"
    return worded


def _with_venue(bounds: Bounds, venue: Venue) -> Bounds:
    """Narrow the bounds to the year named with the venue; keep the question's own if they contradict."""
    if venue.year is None:
        return bounds
    since = max(filter(None, (bounds.since, date(venue.year, 1, 1))))
    until = min(filter(None, (bounds.until, date(venue.year, 12, 31))))
    return Bounds(since, until) if since <= until else bounds


def _as_it_is(question: str, named: NamedPapers) -> Reading:
    identifiers = tuple(paper for paper in named.papers if ":" in paper and " " not in paper)
    return Reading(
        intent="named-paper" if identifiers else "topic",
        domain=None,
        since=None,
        until=None,
        recent=False,
        authors=(),
        venue=None,
        min_citations=None,
        open_access=False,
        renowned=False,
        papers=identifiers,
        topic=question,
        subject=question,
        needs_refinement=False,
        why="It is not in English and is asked as it stands.",
        queries=(),
    )
