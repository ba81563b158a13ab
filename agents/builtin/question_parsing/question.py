"""Parse a question: first all conditions, then the rest as its topic."""

import re
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from agents.builtin.question_parsing.author_names import Venue, read_author_names, read_venue
from agents.builtin.question_parsing.dates import MOST_WORDS, DateBounds, read_dates
from agents.builtin.question_parsing.intents import Intent, read_intent
from agents.builtin.question_parsing.lexicon import DOCUMENTS, Span, blanked, plain, tells, without, word_after
from agents.builtin.question_parsing.phrases import content_words, field_of
from agents.builtin.question_parsing.refining import (
    LONG,
    Refinement,
    examples,
    orders,
    refine,
    topic_of,
    without_everyday_words,
)
from agents.builtin.text.languages import is_english
from agents.builtin.text.terms import terms
from agents.reading.numbers import bounds_at
from agents.reading.tokens import tokens_of
from connectors.identifiers import parse_identifier
from connectors.query.terms import cut_at_word
from connectors.records.clean import clean_text

_IDENTIFIERS = re.compile(
    r"https?://[^\s\"<>]+"
    r"|\bdoi:?\s*10\.[0-9]{4,9}/[^\s\"<>]+|\b10\.[0-9]{4,9}/[^\s\"<>]+"
    r"|\barxiv:?\s*(?:[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|[a-z-]+(?:\.[a-z]{2})?/[0-9]{7})"
    r"|\b[0-9]{2}(?:0[1-9]|1[0-2])\.[0-9]{5}(?:v[0-9]+)?\b"
    r"|\bpmid:?\s*[1-9][0-9]{3,8}\b|\bPMC[1-9][0-9]{4,9}\b|\bs2:[0-9a-f]{40}\b|\bopenalex:W[0-9]+\b|\bCorpusId:\s*[0-9]+",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'"([^"]{3,300})"')
_SINGLE_QUOTED = re.compile(r"(?<![\w'])'([^']{12,300})'(?!\w)")
_TITLE_CUE = re.compile(
    r"\b(?:papers?|article|work|titled|entitled|called|named|title|publication|preprint)\b[\s:,]*$", re.I
)
_CALLED = re.compile(
    r"(?i:\b(?:papers?|article|work|preprint)\s+(?:titled|entitled|called|named)|\btitled|\bentitled)(?:\s*:)?\s*(?P<title>[A-Z0-9][^\"?]{3,200})"
)
_THE_PAPER = re.compile(
    r"(?i:\b(?:the|original|seminal)\s+(?:(?:original|seminal|first|classic|famous|influential)\s+)*)"
    r"(?P<name>[A-Za-z]*[A-Z][\w+-]*(?:[ -][A-Z0-9][\w.+-]*){0,3}) paper\b(?!-)"
)
_NOT_NAMES = frozenset(
    "white nature science cell lancet google deepmind openai meta microsoft stanford wikipedia".split()
)
_SMALL_WORDS = frozenset(
    """about above across after against along among around based before behind below beneath beside between beyond
    during except from into over than that their them these this those through toward towards under until upon using
    versus when where which while with within without""".split()
)
_RELATED = re.compile(
    r"\b(?:cit(?:e|es|ed|ing)|similar to|like|follow(?:s|ed|ing)?[- ]?(?:up|on|ups)?|extend(?:s|ed|ing)?|based on"
    r"|build(?:s|ing)? (?:up)?on|improv(?:e|es|ed|ing)|inspired by|related to|beyond|after|alternatives? to"
    r"|compar(?:e|ed|ing)|critici[sz]\w+|replicat\w+|reproduc\w+)\b",
    re.IGNORECASE,
)


MOST_AROUND = 5
"""Maximum number of content words around a paper that is asked for; among more, it is an example."""


class NamedPapers(NamedTuple):
    """The papers named, as titles or identifiers; `wanted` if the question asks for these papers, not for others."""

    papers: tuple[str, ...]
    wanted: bool
    spans: tuple[Span, ...]


def read_named_papers(text: str) -> NamedPapers:
    """Return the papers that `text` (see `plain`) names."""
    names = list(_identified(text))
    for name, span in (*_quoted(text), *_called(text)):
        if not span.overlaps(other for _, other in names):
            names.append((name, span))
    if not names and is_title(text):
        names.append((text.strip().rstrip("."), Span(0, len(text))))
    around = blanked(text, (span for _, span in names))
    telling = sum(tells(word.lower()) for word in content_words(around))
    wanted = bool(names) and not _RELATED.search(around) and telling <= MOST_AROUND
    return NamedPapers(tuple(dict.fromkeys(name for name, _ in names)), wanted, tuple(span for _, span in names))


def is_title(text: str) -> bool:
    """Whether `text` is written like a title, with capitals at all important words."""
    words = re.findall(r"[^\W_]+(?:[-'][^\W_]+)*", text)
    if not 4 <= len(words) <= 30 or text.rstrip().endswith("?") or '"' in text or re.search(r"[.!;]\s+\w", text):
        return False
    capital = [word for word in words if any(letter.isupper() for letter in word)]
    small = [word for word in words if len(word) > 3 and word.islower() and word not in _SMALL_WORDS]
    is_request = words[0].lower() in DOCUMENTS | {"find", "show", "give", "list", "latest", "recent"}
    return len(capital) >= 4 and not small and not is_request and not text.isupper()


def _identified(text: str) -> list[tuple[str, Span]]:
    identifiers = []
    for match in _IDENTIFIERS.finditer(text):
        written = match[0].rstrip(".,;:?!)'\"")
        if name := parse_identifier(re.sub(r"^(arxiv|pmid|doi)\s+", r"\1:", written, flags=re.IGNORECASE)):
            identifiers.append((str(name), Span(match.start(), match.start() + len(written))))
    return identifiers


def _quoted(text: str) -> list[tuple[str, Span]]:
    """Return quoted titles. A quoted phrase of a few words is a term unless the words before it call it a paper."""
    return [
        (match[1].strip(" ,."), Span(*match.span()))
        for pattern in (_QUOTED, _SINGLE_QUOTED)
        for match in pattern.finditer(text)
        if _is_quoted_title(match[1], text[: match.start()], word_after(text, match.end()))
    ]


def _is_quoted_title(phrase: str, before: str, after: str) -> bool:
    words = phrase.split()
    if not words or not any(letter.isalpha() for letter in phrase):
        return False
    if _TITLE_CUE.search(before):
        return True
    titled = words[0][0].isupper() and not phrase.isupper()
    return (titled and (len(words) >= 3 or ":" in phrase)) or (len(words) >= 5 and not after)


def _called(text: str) -> list[tuple[str, Span]]:
    titles = [(match["title"].strip(" ."), Span(*match.span("title"))) for match in _CALLED.finditer(text)]
    papers = [
        (match["name"], Span(*match.span()))
        for match in _THE_PAPER.finditer(text)
        if match["name"].split()[0].lower() not in _NOT_NAMES
    ]
    return titles + papers


_DOCUMENTS = (
    r"(?:papers?|articles?|publications?|literature|preprints?|full[\s-]texts?|pdfs?|surveys?|reviews?|studies)"
)
_PUBLISHED = r"(?:journals?|conferences?|venues?|papers?|publications?|articles?)"
_FREE = (
    r"(?:open[\s-]access|free(?:ly)?[\s-](?:available|accessible|readable)|free\s+(?:to\s+read|full[\s-]texts?|pdfs?))"
)
_OPEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_FREE}(?=\s+{_DOCUMENTS}\b(?!\s+(?:citations?|advantage|publishing)))",
        r"\bfree(?=\s+(?:papers|articles|pdfs?)\b)",
        rf"\b(?:only|must\s+be|(?:that|which)\s+are|available\s+(?:as|in))\s+{_FREE}\b(?!\s+(?:data|code|soft|tool))",
        rf"[,(;]\s*(?:and\s+)?(?:only\s+)?{_FREE}(?:\s+only)?(?=\s*[).,;?]*\s*$)",
        rf"\b{_FREE}\s+only\b",
    )
)


_RENOWNED = re.compile(
    r"(?:,\s*)?\b(?:(?:preferably|ideally|mainly)\s+)?(?:(?:published\s+)?(?:from|in|by)\s+)?(?:the\s+)?"
    r"(?:top(?:[\s-](?:tier|ranked|quality))?|high[\s-](?:impact|quality|ranking)|prestigious|reputable|renowned|leading)\s+"
    rf"(?:(?:academic|scientific|international|peer-reviewed)\s+)?{_PUBLISHED}(?:,?\s+(?:and|or)\s+{_PUBLISHED})*",
    re.IGNORECASE,
)


class Conditions(NamedTuple):
    """The minimum number of citations, if any; whether papers must be free to read; whether renowned work is
    preferred."""

    min_citations: int | None
    open_access: bool
    renowned: bool
    spans: tuple[Span, ...]


def read_conditions(text: str) -> Conditions:
    """Return the conditions in `text` (see `plain`) beside the subject. "Highly cited" gives no number."""
    tokens = tokens_of(text, MOST_WORDS)
    keys = [token.key for token in tokens]
    bounds_found = ((index, bounds_at(keys, index)) for index in range(len(keys)))
    counts = [(index, *bounds) for index, bounds in bounds_found if bounds and bounds[0].keys() == {"min_citations"}]
    renowned = [*_RENOWNED.finditer(text)]
    free = [match for pattern in _OPEN for match in pattern.finditer(text)]
    return Conditions(
        max((bounds["min_citations"] for _, bounds, _ in counts), default=None),
        bool(free),
        bool(renowned),
        (
            *(Span(tokens[start].start, tokens[end - 1].end) for start, _, end in counts),
            *(Span(*match.span()) for match in (*free, *renowned)),
        ),
    )


LONGEST = 4_000
"""Maximum number of characters parsed; a longer request has stated its subject by then."""


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
    venue: str | None = None
    min_citations: int | None = None
    open_access: bool = False
    renowned: bool = False
    papers: tuple[str, ...] = ()
    topic: str = ""
    subject: str = ""
    needs_refinement: bool = False
    why: str = "It is not in English; spar asks it unchanged."
    queries: tuple[str, ...] = ()
    fewer: tuple[tuple[str, str], ...] = ()
    core: str = ""


def read(question: str, today: date) -> ParsedQuestion:
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
        refinement = Refinement(False, "It has limits but no topic.")
    elif telling:
        # One word is too little to judge papers by, so they are judged by the whole question.
        refinement = Refinement(True, f"It is in everyday words; “{telling}” may name its subject.", (telling,))
    return ParsedQuestion(
        intent=intent,
        domain=domain,
        since=bounds.since,
        until=bounds.until,
        recent=(worded.recent or dates.recent or worded.intent == "recent-advances") and bounds == DateBounds(),
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


def _with_venue(bounds: DateBounds, venue: Venue) -> DateBounds:
    """Narrow the bounds to the year named with the venue; keep the question's own if they contradict."""
    if venue.year is None:
        return bounds
    since = max(filter(None, (bounds.since, date(venue.year, 1, 1))))
    until = min(filter(None, (bounds.until, date(venue.year, 12, 31))))
    return DateBounds(since, until) if since <= until else bounds


def _as_it_is(question: str, named: NamedPapers) -> ParsedQuestion:
    identifiers = tuple(paper for paper in named.papers if ":" in paper and " " not in paper)
    intent: Intent = "named-paper" if identifiers else "topic"
    return ParsedQuestion(intent, papers=identifiers, topic=question, subject=question)
