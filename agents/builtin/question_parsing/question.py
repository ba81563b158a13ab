"""Parse a question: first all conditions, then the rest as its topic."""

import re
from datetime import date
from typing import NamedTuple

from agents.builtin.question_parsing.conditions import read_conditions
from agents.builtin.question_parsing.intents import Intent, read_intent
from agents.builtin.question_parsing.lexicon import DOCUMENTS, Span, blanked, plain, tells, without, word_after
from agents.builtin.question_parsing.parsed_question import ParsedQuestion
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
    for name, span in (*_quoted(text), *_papers_by_title(text)):
        if not span.overlaps(title_span for _, title_span in names):
            names.append((name, span))
    if not names and is_title(text):
        names.append((text.strip().rstrip("."), Span(0, len(text))))
    around = blanked(text, (span for _, span in names))
    telling = sum(tells(word.lower()) for word in content_words(around))
    is_request = bool(names) and not _RELATED.search(around) and telling <= MOST_AROUND
    return NamedPapers(tuple(dict.fromkeys(name for name, _ in names)), is_request, tuple(span for _, span in names))


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
        identifier = match[0].rstrip(".,;:?!)'\"")
        if name := parse_identifier(re.sub(r"^(arxiv|pmid|doi)\s+", r"\1:", identifier, flags=re.IGNORECASE)):
            identifiers.append((str(name), Span(match.start(), match.start() + len(identifier))))
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


def _papers_by_title(text: str) -> list[tuple[str, Span]]:
    titles = [(match["title"].strip(" ."), Span(*match.span("title"))) for match in _CALLED.finditer(text)]
    papers = [
        (match["name"], Span(*match.span()))
        for match in _THE_PAPER.finditer(text)
        if match["name"].split()[0].lower() not in _NOT_NAMES
    ]
    return titles + papers


LONGEST = 4_000
"""Maximum number of characters parsed; a longer request has stated its subject by then."""


def read(question: str, today: date) -> ParsedQuestion:
    """Parse `question` by its wording. A question that is not in English becomes the topic unchanged."""
    full_text = cut_at_word(clean_text(question).strip(), LONGEST)
    text = plain(full_text)
    if not is_english(text):
        return _as_it_is(full_text, read_named_papers(text))
    text = blanked(text, examples(text))
    named_papers = read_named_papers(text)
    text = blanked(text, named_papers.spans)
    conditions = read_conditions(text, today)
    text, conditions_by_name = conditions.rest, conditions.given
    authors = (*conditions_by_name.get("authors", ()), *conditions_by_name.get("any_authors", ()))
    venues = tuple(conditions_by_name.get("venues", ()))
    wording = read_intent(_requests(text.rstrip()))
    subject = topic_of(without(text, (*wording.spans, *orders(text))))
    telling = without_everyday_words(subject, text)
    names = (*named_papers.papers, *authors, *venues)
    refinement = refine(subject, full_text, wording.intent, narrowed=bool(names))
    topic = _topic(
        telling if " " in telling else refinement.gist or subject, names, topic_of(without(text, ())), full_text
    )
    intent = _intent(wording.intent, named_papers, bool(authors))
    domain = field_of(f"{subject} {' '.join(named_papers.papers)}")
    if topic in names:
        refinement = Refinement(False, "It has limits but no topic.")
    elif telling:
        # One word is too little to judge papers by, so they are judged by the whole question.
        refinement = Refinement(True, f"It is in everyday words; “{telling}” may name its subject.", (telling,))
    return ParsedQuestion(
        intent=intent,
        domain=domain,
        since=conditions.since,
        until=conditions.until,
        recent=(wording.recent or conditions.recent or wording.intent == "recent-advances")
        and not (conditions.since or conditions.until),
        authors=authors,
        venues=venues,
        min_citations=conditions_by_name.get("min_citations"),
        open_access=bool(conditions_by_name.get("open_access")),
        others=str(conditions.others),
        renowned=conditions.renowned,
        papers=named_papers.papers,
        topic=topic,
        subject="" if topic in names else subject if terms(subject) else full_text,
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


def _topic(subject: str, names: tuple[str, ...], unstripped: str, full_text: str) -> str:
    """Return the subject if it says anything; else a named paper, author or venue; else the remaining text."""
    telling = any(map(tells, map(str.lower, content_words(subject))))
    candidates = (subject, *names) if telling or not names else names
    return next((topic for topic in (*candidates, unstripped, full_text) if any(map(str.isalnum, topic))), "")


def _intent(intent: Intent, named_papers: NamedPapers, by_author: bool) -> Intent:
    if named_papers.wanted:
        return "named-paper"
    if by_author and intent in ("topic", "recent-advances"):
        return "author"
    return intent


def _as_it_is(question: str, named_papers: NamedPapers) -> ParsedQuestion:
    identifiers = tuple(paper for paper in named_papers.papers if ":" in paper and " " not in paper)
    intent: Intent = "named-paper" if identifiers else "topic"
    return ParsedQuestion(intent, papers=identifiers, topic=question, subject=question)
