"""The queries to send besides a question: whole phrases of its subject, as a librarian would type them (SPAR §3.1).

Sources that match every word get the few heaviest phrases of each query.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, pairwise
from typing import NamedTuple

from agents.builtin import lazy_numpy as np
from agents.builtin.arithmetic import reckons
from agents.builtin.question_parsing.intents import Intent
from agents.builtin.question_parsing.lexicon import DOCUMENTS, EVERYDAY, FILLER, Span
from agents.builtin.question_parsing.phrases import Phrase, TextSubject, belong, content_words, in_order, runs, together
from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.sentences import ends_open
from agents.builtin.text.terms import terms
from agents.reading.cues import FILLERS, INTERROGATIVES
from connectors.query.stopwords import QUESTION_WORDS

_OF_TERMS = frozenset("state studies study survey used using work works".split())
_SEEKING = """covering deal dealing deals focused focusing interested involving known provide recommend regarding
    researcher researchers retrieve search searching seek seeking""".split()
_ASKING = (FILLERS | INTERROGATIVES | QUESTION_WORDS).union(_SEEKING) - _OF_TERMS
"""Words that only ask at the beginning of a question."""
_ONLY_BEFORE_ANOTHER = frozenset(
    "evidence example literature research use using good help work works like article articles".split()
)
"""Words that only ask if another such word follows: "research on …", but not "research ethics"."""
_REPORTING = (
    "present represent discuss describe propose explore examine investigate study analyze analyse address introduce"
    " consider use utilize utilise employ demonstrate show report develop suggest provide focus look cover deal mention"
    " apply adopt tackle argue work exist evaluate find"
)
"""Verbs for what papers do."""
_BESIDE_VERBS = frozenset(
    "also previously recently already ever been being successfully first directly done conducted made shown dealt found"
    " published written cited".split()
)
_NO_VERB = re.compile(r"(?:ions?|ments?|able|ers?|ive)$")
_DESCRIBED = (DOCUMENTS - {"text", "texts"}) | frozenset(
    """research most highly cited well-known influential scientific academic scholarly peer-reviewed journal seminal
    important key recent best relevant primary empirical interesting""".split()
)
"""Words for papers and of what kind they are."""
_CLAUSE_OF_ASKING = re.compile(
    r"^(?:(?:hi|hello|dear)[^,.!]{0,40}[,.!]\s*)|(?:[,.;]\s*|(?<!\s)\s+)?(?:please|thanks?(?:\s+you)?(?:\s+in\s+advance)?)\s*[.!?]*$"
    r"|(?:[,;]\s*|(?<!\s)\s+)?preferably\s*[.?!]*$",
    re.IGNORECASE,
)
_HANGING = frozenset(
    "a about an and at by for from in is of on or over published since that the to which with within".split()
)
_BEFORE_VERBS = frozenset("that which who researchers researcher authors have has been is are was were".split())
_PAPERS = frozenset("papers articles publications preprints paper".split())


def topic_of(text: str) -> str:
    """Return `text`, the rest of a question without its conditions, without words that only ask; may be ""."""
    words = _CLAUSE_OF_ASKING.sub("", " ".join(text.split())).split()
    start, end = 0, len(words)
    while start < end and _is_asking(words, start):
        start += 1
    while end > start and _is_hanging(words[end - 1], is_single=end - start == 1):
        end -= 1
    return " ".join(words[start:end]).strip(" ,;:?!").rstrip(".")


def _is_asking(words: list[str], position: int) -> bool:
    """Whether the word at `position` is one of asking, if all words before it are."""
    word = _bare(words[position])
    next_word = _bare(words[position + 1]) if position + 1 < len(words) else ""
    if _is_abbreviation(words[position]) and not all(letters.isupper() for letters in words):
        return False
    if word.isdigit() and next_word in DOCUMENTS:
        return True
    if word in _DESCRIBED or word in _ONLY_BEFORE_ANOTHER:
        return _asks_on(next_word) or (position > 0 and _reports(next_word))
    return not word or word in _ASKING or (position > 0 and _says_what_papers_do(word, _bare(words[position - 1])))


def _asks_on(next_word: str) -> bool:
    """Whether a word for papers only asks: nothing follows it, or another such word."""
    asking = next_word in _ASKING and next_word not in ("use", "using")
    return not next_word or asking or next_word in _DESCRIBED


def _says_what_papers_do(word: str, before: str) -> bool:
    subject = before in DOCUMENTS or before in _BEFORE_VERBS or _reports(before)
    return subject and _reports(word)


def _reports(word: str) -> bool:
    """Whether a word says what papers do, or stands beside such a word: "have recently been proposed"."""
    return word in _BESIDE_VERBS or (not _NO_VERB.search(word) and not _reporting().isdisjoint(terms(word)))


@cache
def _reporting() -> frozenset[str]:
    return frozenset(terms(_REPORTING))


def _is_hanging(raw: str, is_single: bool) -> bool:
    word = _bare(raw)
    return not word or raw in _HANGING or (not is_single and word in _PAPERS)


def _is_abbreviation(raw: str) -> bool:
    letters = raw.strip(",.?!;:()")
    return letters.isupper() and len(letters) > 1


def _bare(word: str) -> str:
    """Return a word in lower case without marks around it and without a contracted verb: `I'm`, `what's`, `we'd`."""
    return re.sub(r"'(?:m|d|s|re|ve|ll)$", "", word.lower().strip(".,;:?!()[]\"'"))


_END = re.compile(r"(?<=[.!?])[\"'”]?\s+(?=[\"'“(]?[^\W\d_a-z])|(?<=[a-z]{3}[.!?])(?=[A-Z][a-z]+\s)")
"""End of a sentence, even without a space after it."""
_EXAMPLE = r"(?:for (?:example|instance)|e\.\s?g\.|i\.\s?e\.|such as)"
_ASIDES = re.compile(
    rf"\((?:{_EXAMPLE})[^()]*\)|,\s*(?:for (?:example|instance)|e\.\s?g\.),?[^.?!;]*"
    r"|(?:^|(?<=[.?!]\s))[^.?!]*?,(?=\s+so\s+(?:how|what|why|which|where|when|can|could|should)\b)",
    re.IGNORECASE,
)
"""Examples, and statements before a question: "X relies on Y, so how can Z be improved?"."""
_BEGINS_CONTEXT = re.compile(
    r"\s*(?:for (?:example|instance)|examples?:|no|not|nothing|because|since(?!\s+(?:\w+\s+)?['0-9]))(?!\w)",
    re.IGNORECASE,
)
_FIRST_WORDS = re.compile(r"\s*([^\W\d_]+)\s+([^\W\d_]+)")
_CLEARLY = 0.2
"""Margin by which a sentence without the form of an order must be closer to phrases of asking than to the rest."""


def sentence_spans(text: str) -> list[Span]:
    """Split `text` into sentences, as spans that cover all of it."""
    starts = [0]
    for gap in _END.finditer(text):
        if not ends_open(text[starts[-1] : gap.start()]):
            starts.append(gap.end())
    return [Span(start, end) for start, end in zip(starts, [*starts[1:], len(text)], strict=True) if text[start:end]]


def examples(text: str) -> list[Span]:
    """Return the examples, asides and exclusions in `text`; none if the text has nothing else."""
    asides = [Span(*match.span()) for match in _ASIDES.finditer(text)]
    sentences = [span for span in sentence_spans(text) if _BEGINS_CONTEXT.match(text, span.start, span.end)]
    return [*asides, *sentences] if len(sentences) < len(sentence_spans(text)) else asides


@reckons
def orders(text: str) -> list[Span]:
    """Return the sentences that ask for an answer but name no subject: "Provide an analysis with research papers".

    By word vectors they are closer to phrases of asking than to the other sentences; by a clear margin, unless they
    have the form of an order.
    """
    open_spans, spans = [span for span in sentence_spans(text) if terms(text[span.start : span.end])], list[Span]()
    while len(open_spans) > 1:
        asking = [span for span in open_spans if _only_asks(text, span, open_spans)]
        if not asking:
            break
        texts = {span: text[span.start : span.end] for span in asking}
        best_span = max(asking, key=lambda span: (_is_order(texts[span]), _toward_asking(texts[span])))
        open_spans.remove(best_span)
        spans.append(best_span)
    return spans


def _only_asks(text: str, span: Span, sentences: list[Span]) -> bool:
    """Whether a sentence is closer to phrases of asking than to the other sentences."""
    sentence = text[span.start : span.end]
    subject = topic_of(sentence) or sentence
    rest_vector = _vector(" ".join(text[neighbor.start : neighbor.end] for neighbor in sentences if neighbor != span))
    return _toward_asking(subject) - float(_vector(subject) @ rest_vector) > (0.0 if _is_order(sentence) else _CLEARLY)


def _is_order(sentence: str) -> bool:
    """Whether `sentence` begins like an order: with a content word in its base form, and a function word."""
    match = _FIRST_WORDS.match(sentence)
    if match is None:
        return False
    first, second = match[1].lower(), match[2].lower()
    return first == "please" or (
        first not in FILLER - QUESTION_WORDS and second in FILLER and not first.endswith(("ing", "ed", "s"))
    )


def _toward_asking(sentence: str) -> float:
    """Return the similarity of `sentence` to phrases of asking for papers."""
    return float(_vector(sentence) @ _asking())


@cache
def _asking() -> "np.Floats32":
    return _vector(" ".join(sorted(QUESTION_WORDS | DOCUMENTS)))


def _vector(text: str) -> "np.Floats32":
    return vector(Counter(terms(text)))


_SPOKEN = re.compile(r"\b(?:[Ii](?:['’]m)?\s(?=[a-z])|(?:my|me|myself|our)\b)")
_ASKED_BY_ONE = re.compile(
    r"\s*(?:how|why|what|when|where|can|could|should|do|does)\s(?:\w+\s){0,2}?(?:i|we|people)\s", re.IGNORECASE
)
_ASKING_WHY = re.compile(r"\s*(?:how|why|what|can|does|do|is|are|should|will)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’]\w+)?")
LONGEST = 12
"""Maximum number of content words of a question in everyday words; a longer one is specific enough."""


def without_everyday_words(subject: str, question: str) -> str:
    """Return the words of `subject` that may name what `question` is about; "" if it is not asked in everyday words, or
    if all or none of its words are everyday ones."""
    words = content_words(subject)
    if len(words) > LONGEST or re.search(r"[.?!;]\s", subject):
        return ""
    everyday = [word for word in _WORD.findall(subject) if word.lower() in EVERYDAY]
    is_spoken = _SPOKEN.search(subject) or _ASKED_BY_ONE.match(question)
    if not (is_spoken or (len(everyday) > 1 and _ASKING_WHY.match(question))):
        return ""
    specific_words = [word for word in words if word.lower() not in EVERYDAY]
    return " ".join(specific_words) if everyday or len(specific_words) < len(words) else ""


MOST_QUERIES = 4
FEW = 2
"""Number of phrases in a query for sources that match every word; hardly any paper matches more."""
MANY_WORDS = 8
"""Maximum number of words of a query."""
MOST_COMPARED = 12
"""Maximum number of content words of a question that compares things and says little else."""
LONG = 25
"""Number of content words above which no paper is about the whole text."""
OVERLAP = 0.5
"""Minimum share of common terms with which a query finds almost the papers of the question, or of another query."""
_CONTEXT = re.compile(
    r"\b(?:for|in|on|when|at|under|during|within|with respect to|in terms of|regarding|as|by)\b", re.IGNORECASE
)
_BETWEEN = re.compile(
    r"(?:(?<!\s)\s+)?(?:,\s*(?:and|or)\b|,|\bvs\b\.?|\bversus\b|\band\b|\bor\b|\bthan\b|\bwith\b|\bto\b|\bagainst\b"
    r"|\bcompared\s+(?:to|with)\b)\s*",
    re.IGNORECASE,
)


class Refinement(NamedTuple):
    """Whether to ask a question in other words too, the reason, and the queries.

    `fewer` has, for a query, the few words to send to sources that match every word. `core` are those words of a long
    text, and `gist` its query.
    """

    needed: bool
    why: str
    queries: tuple[str, ...] = ()
    fewer: tuple[tuple[str, str], ...] = ()
    core: str = ""
    gist: str = ""


def refine(subject: str, question: str, intent: Intent, *, narrowed: bool = False) -> Refinement:
    """Return the queries to send beside `question`; `subject` is the question without conditions and request words.

    A subject that is `narrowed` to an author, a venue or papers around a paper is not broad.
    """
    about = TextSubject(subject)
    sentences = [subject[span.start : span.end] for span in sentence_spans(subject)] or [subject]
    sentences.sort(key=lambda sentence: f"{sentence.strip().rstrip('?')}?" not in question)  # the question comes first
    long = len(content_words(subject)) > LONG
    phrases = about.phrases(subject if long else sentences[0])
    if intent == "method-comparison" and (things := _sides_of_comparison(subject, about)):
        return Refinement(True, "It compares things that have papers of their own.", things)
    lead = [phrase._replace(start=-1) for phrase in phrases[:1]]  # stands first in the query of each sentence
    more_sentences = sentences if long else sentences[1:]
    groups = [phrases, *([*lead, *about.phrases(next_sentence)] for next_sentence in more_sentences)]
    fewer = dict(islice(_different(question, groups), MOST_QUERIES))
    core, gist = in_order(together(phrases, MANY_WORDS)[:FEW]), in_order(together(phrases, MANY_WORDS))
    if long or len(sentences) > 1:
        shorter_queries = tuple((query, words) for query, words in fewer.items() if words != query)
        why = "It asks for several things at once."
        return Refinement(bool(fewer), why, tuple(fewer), shorter_queries, core if " " in core else "", gist)
    if fewer:
        return Refinement(True, "It has words that are not about its subject.", core=core)
    vague = not narrowed and _is_vague(subject)
    return Refinement(vague, "It is broad." if vague else "It is short and specific.")


def _different(question: str, groups: Iterable[Sequence[Phrase]]) -> Iterator[tuple[str, str]]:
    """Yield a query per group with terms of its own, and its few phrases for sources that match every word."""
    term_sets = [set(terms(question))]
    for group in groups:
        phrases = together(group, MANY_WORDS)
        stems = set(terms(in_order(phrases)))
        if len(phrases) > 1 and all(len(stems & earlier) < OVERLAP * len(stems | earlier) for earlier in term_sets):
            term_sets.append(stems)
            yield in_order(phrases), in_order(phrases[:FEW])


def _sides_of_comparison(subject: str, about: TextSubject) -> tuple[str, ...]:
    """Return one query for each of the things compared, together with the context of the comparison."""
    if len(content_words(subject)) > MOST_COMPARED:
        return ()
    head, *contexts = _CONTEXT.split(subject, maxsplit=1)
    things = [_heaviest(thing, about) for thing in _BETWEEN.split(head) if content_words(thing)]
    context = _heaviest(contexts[0], about) if contexts else ""
    queries = [f"{thing} {context}".strip() for thing in things]
    return (
        tuple(dict.fromkeys(queries))
        if 2 <= len(things) <= MOST_QUERIES and all(" " in query for query in queries)
        else ()
    )


def _heaviest(text: str, about: TextSubject) -> str:
    return in_order(about.phrases(text)[:FEW])


def _is_vague(subject: str) -> bool:
    """Whether a subject may be too broad: one short phrase of common words."""
    words = content_words(subject)
    one_phrase = len(runs(subject)) == 1 and len(words) <= 3 and (len(words) < 3 or any(map(belong, pairwise(words))))
    return one_phrase and all(word.islower() and "-" not in word for word in words if len(words) > 1)
