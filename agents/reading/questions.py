"""Questions about what papers say, which quotes from their texts answer: "did the nurses study measure cortisol?"."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from agents.builtin.text.pages import no_pages
from agents.builtin.text.terms import terms
from agents.evidence.amounts import QUANTITIES, amount
from agents.reading.acts.facts import FACTS_OF_ONE, SAYS
from agents.reading.acts.lists import COUNT, LIST
from agents.reading.choosing import MessageContext, each_named, numbers_of, one_paper
from agents.reading.cues import ASKING, INTERROGATIVES, NOUNS, SINGULARS
from agents.reading.parts.names import cited_at
from agents.reading.parts.subjects import types_at
from agents.reading.parts.words import near_own_words
from agents.reading.reading import MessagePlan, Option, PaperSelection, ToolCall, call
from agents.reading.tokens import Token, folded, last_word
from cache import papers
from cache.store import PaperId
from connectors.paper import Paper

_VERBS = frozenset("do does did can could should would will may might must".split())
"""Verbs that begin a question about what others do: "do bees sleep?"."""
_PREPOSITIONS = frozenset("by in on at to for from with of".split())
"""Words that may stand before the first word of a question: "by how much …?"."""
_PEOPLE = frozenset("i me my mine you your yours we our ours library shelf".split())
"""Words of a question about the person, their library or this program."""
_MARKS = frozenset(":;,.-")
_PLURALS = frozenset(f"{word[:-1]}ies" if word.endswith("y") else f"{word}s" for word in SINGULARS)
_DETERMINERS = frozenset({"the", "this", "that"})
_OF_TEXTS = frozenset({"words", "any_words", "since", "until"})
"""Conditions that may be mere words of a question."""
_NUMBERED = re.compile(r"[@#]\d+")
"""A paper by its number, such as @1."""
_SEVERAL = 5
"""Maximum number of papers that "the sleep study" may mean."""
_LONGEST = 2_000
_MOST_NEAR = 10
"""Number of papers, those nearest by words, that are looked at."""


@dataclass(frozen=True)
class _Source:
    """The papers that a question is about, those of `names` or all, and the question with "it" in place of the words
    from `start` to `end`, which name a paper. `calls` find a paper by its position in an order."""

    question: str
    start: int = 0
    end: int = 0
    names: tuple[str, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    onward: bool = True


def answered_by_papers(
    turn: MessageContext, best: MessagePlan, begin: int | None, bare: Sequence[str], *, sure: bool
) -> MessagePlan | None:
    """Return the reading of a question about what papers say that starts at `begin`. None if `best` explains every word
    of the message but those of `bare` (see `asks_of_texts`), if the question is about the library, or if papers have
    less than half of its words; one that is `sure` by its words is then put to the paper spoken of, or to all."""
    end = len(turn.reader.keys)
    if begin is None or not _PEOPLE.isdisjoint(turn.reader.keys[begin:]):
        return None
    if any(unknown.kind == "paper" for unknown in best.unknown):  # it names a paper that the library does not have
        return None
    if best.calls and best.act in FACTS_OF_ONE and not all(map(turn.names.is_held, best.rest)):
        return None  # "who wrote the honeybee dossier?"
    strange = (folded(word) for word in best.rest if not turn.names.is_subject(word))
    near = ((word, own) for word in strange for own in near_own_words(turn.reader, word))
    if any(sorted(word) == sorted(own) for word, own in near):  # "who worte it?"
        return None
    selection = turn.reader.read(begin, end, one=True)
    if best.is_whole and best.understood and not (bare or _is_of_findings(selection, turn.reader.keys[begin + 1 :])):
        return None
    source = _source(turn, selection, begin)
    unheld = [unknown.text for unknown in best.unknown if unknown.kind == "unheld"]
    if not (sure or selection.onward or _PLURALS.isdisjoint(turn.reader.keys[begin:])):
        return None
    if not source.names:
        bearing = _bearing(turn)
        held = any(map(turn.names.is_subject, terms(turn.message)))
        if not bearing and not (sure and held):
            return None  # "why though"
        if len(bearing) == 1 or (turn.has_it and not bearing):
            source = replace(source, names=(f"#{bearing[0]}" if bearing else "@it",))
    elif not (unheld or any(_content(turn, begin, source))):
        return None
    if source.names and selection.order and not source.calls:  # "which is older, BERT or ELMo?"
        return None
    if not all(_is_in_texts(turn, source, text) for text in unheld):
        return None
    whole = _question(turn)
    other = call("ask_papers", question=whole) if source.names else call("search", question=whole)
    return MessagePlan(
        act="question",
        calls=(*source.calls, call("ask_papers", question=source.question, papers=list(source.names))),
        onward=bool(source.names) and source.onward,
        options=(Option("{}", (other,)),),
    )


def is_of_cited_paper(turn: MessageContext) -> bool:
    """Whether a message has a citation, "Lee et al. (2020)", and other words with a meaning."""
    return any(any(_content(turn, 0, _Source("", start, end))) for start, end, _ in _citations(turn))


def question_begin(turn: MessageContext, starts: Iterator[int]) -> int | None:
    """Return where the question of a message begins, after its courtesies; None if the message asks nothing."""
    keys, positions = turn.reader.keys, list(starts)
    if keys[:1] and keys[0] in _PREPOSITIONS and keys[1:2] and keys[1] in ASKING:
        return 0
    begins = [
        position
        for position in positions
        if keys[position] in ASKING
        or (keys[position] in INTERROGATIVES and (position == 0 or keys[position - 1] in _MARKS))
        or keys[position - 1 : position] == ["whether"]
    ]
    behind = [position for position, key in enumerate(keys) if key in INTERROGATIVES and keys[position - 1] in _MARKS]
    if begins or behind:
        return max(begins) if begins else behind[0]
    begin = max(positions)
    asks = keys[-1:] == ["?"] and (NOUNS.isdisjoint(keys) or not INTERROGATIVES.isdisjoint(keys[begin:]))
    return begin if asks else None


def asks_of_texts(turn: MessageContext, best: MessagePlan, begin: int) -> list[str]:
    """Return the words of a question that a list or count of papers takes for subjects, "does pruning lower accuracy?";
    [] if the question means several papers, or each of its words is a condition on papers."""
    reader, at = turn.reader, begin
    if reader.keys[begin] not in INTERROGATIVES:
        return []
    selection = reader.read(begin, len(reader.keys), one=True)
    if best.act not in (LIST.name, COUNT.name) or not _PEOPLE.isdisjoint(reader.keys[begin:]):
        return []
    says = [key for key in reader.keys[begin + 1 :] if key in SAYS]
    if says and not _VERBS.isdisjoint(reader.keys[begin : begin + 2]) and selection.onward:
        return says  # "what did they find?"
    if (selection.noun and not selection.single) or selection.onward or selection.pronoun:
        return []
    bare: list[str] = []
    spans = (span for span in _nouns(turn, begin, _DETERMINERS | ASKING) if reader.keys[span[1] - 1] in SINGULARS)
    named = {at for span in spans for at in range(*span)}
    reader.start, reader.end = begin, len(reader.keys)
    while at < reader.end:
        chunk, token = reader.chunk(at), reader.tokens[at]
        if chunk is None and at not in named and reader.has_meaning(token) and token.key not in reader.own | QUANTITIES:
            bare.append(token.text)
        at = chunk.end if chunk else at + 1
    return bare


def _is_of_findings(selection: PaperSelection, keys: Sequence[str]) -> bool:
    """Whether a question asks for what people found, "did Lee find about steel", and not for their papers."""
    on = selection.given.keys()
    is_asked = not _VERBS.isdisjoint(keys[:1]) and not {*SAYS}.isdisjoint(keys)
    return is_asked and "authors" in on and len(on) > 1 and on <= _OF_TEXTS | {"authors", "tags"}


def _content(turn: MessageContext, begin: int, source: _Source) -> Iterator[Token]:
    """Yield the words of a question that are not words of the reader, such as "cited", and do not name its paper."""
    titles = [range(title.start, title.end) for title in turn.reader.titles] if source.names else []
    named = {position for span in (range(source.start, source.end), *titles) for position in span}
    for position, token in enumerate(turn.reader.tokens):
        names_it = position < begin or position in named or (token.quoted and bool(source.names))
        is_own = len(token.key) < 2 or token.key in turn.reader.own | NOUNS | INTERROGATIVES | QUANTITIES
        if not (names_it or is_own) and turn.reader.has_meaning(token):
            yield token


def _bearing(turn: MessageContext) -> list[PaperId]:
    """Return the papers whose record and abstract have at least half of a question, by weight, best first. They need a
    word of it that does not merely name them: "Lee without Wu?" asks nothing of their papers."""
    from agents.builtin.ranking.topic_coverage import TopicTerms
    from agents.evidence.choosing import BEARS, record_terms
    from cache.fulltext import search

    question = TopicTerms(" ".join(token.text for token in turn.reader.tokens))
    shares: list[tuple[float, Paper]] = []
    for paper in search(turn.context.store, turn.message, limit=_MOST_NEAR):
        text = frozenset(terms(f"{paper.title} {paper.abstract}"))
        if question.share(text):
            shares.append((question.coverage(text | record_terms(paper)), paper))
    bearing = [paper for share, paper in sorted(shares, key=lambda row: -row[0]) if share >= BEARS]
    return [number for number in papers.numbers_of(turn.context.store, bearing) if number is not None]


def _source(turn: MessageContext, selection: PaperSelection, begin: int) -> _Source:
    """Return the source of a question: the papers that it names, those shown, or all."""
    keys = turn.reader.keys
    for start in (position for position in range(begin, len(keys)) if keys[position] in _DETERMINERS):
        if set(keys[start:]) & {"or"} and (compared := each_named(start, last_word(keys), turn, ("or", ","))):
            return _Source(_question(turn), names=tuple(compared))
    for start, end in _nouns(turn, begin):
        named = turn.reader.read(start, end, one=True)
        if named.rest or named.unknown:
            continue
        paper = one_paper(named, turn)
        names = [paper.name] if paper.name else [f"#{number}" for number in paper.several[:_SEVERAL]]
        if names:
            return _Source(_question(turn, start, end), start, end, tuple(names), paper.calls, paper.onward)
    for start, end, numbers in _citations(turn):
        return _Source(_question(turn, start, end), start, end, tuple(f"#{number}" for number in numbers))
    names = [name for name in selection.names if turn.has_it or turn.shown or name != "@it"]
    names = [name for name in names if name == "@it" or turn.named([name])]
    names = names or [f"#{title.number}" for title in turn.reader.titles[:1]]
    of_shown = selection.onward or " which one " in f" {' '.join(turn.reader.keys)} "
    names = names or (["@shown"] if of_shown and turn.shown else [])
    if not names and _is_of_findings(selection, keys[begin + 1 :]):
        names = [f"#{number}" for number in (numbers_of(selection, turn) or [])[:_SEVERAL]]
    return _Source(_NUMBERED.sub("it", _question(turn)), names=tuple(dict.fromkeys(names)))


def _nouns(turn: MessageContext, begin: int, determiners: Collection[str] = _DETERMINERS) -> Iterator[tuple[int, int]]:
    """Yield the spans of phrases for one paper, longest first: "the study on bees", "the bee study"."""
    keys = turn.reader.keys
    last = last_word(keys)
    for noun in range(begin, last):
        if keys[noun] in SINGULARS or (types_at(turn.reader, noun) and not keys[noun].endswith("s")):
            starts = [position for position in range(noun - 1, begin - 1, -1) if keys[position] in determiners]
            for start in starts[:1]:
                yield start, last
                yield start, noun + 1


def _citations(turn: MessageContext) -> Iterator[tuple[int, int, Sequence[PaperId]]]:
    """Yield the spans of names with a year, "Lee et al. (2020)", and the few papers that each may mean."""
    reader = turn.reader
    reader.start, reader.end = 0, len(reader.keys)
    for start in range(reader.end):
        cited = cited_at(reader, start)
        if cited is not None and 0 < len(cited[0]) <= _SEVERAL:
            yield start, cited[1], cited[0]


def _question(turn: MessageContext, start: int = 0, end: int = 0) -> str:
    """Return the message without contractions, with "it" in place of the words from `start` to `end`."""
    text, behind = "", 0
    for position, token in enumerate(turn.reader.tokens):
        if token.start < behind:  # the second word of a contraction
            text += f" {token.text}"
        elif token.start == token.end:  # the "'s" of a possessive, which follows with the next word
            continue
        elif position == start or not start <= position < end:
            stands = turn.message[token.start : token.end] if token.quoted else token.text
            text += turn.message[behind : token.start] + ("it" if start <= position < end else stands)
        behind = max(behind, token.end)
    return f"{text}{turn.message[behind:]}".strip()[:_LONGEST]


def _is_in_texts(turn: MessageContext, source: _Source, unheld: str) -> bool:
    """Whether texts mention something on which the library has no data, such as who paid."""
    from agents.evidence.choosing import evidence

    if not source.names:
        return turn.names.is_subject(unheld)
    kept = turn.context.resources.full_texts
    named = {paper.id: paper for paper in papers.by_ids(turn.context.store, turn.named(source.names) or ())}
    pieces = evidence(source.question, named, kept.pages if kept else no_pages)
    number = amount(source.question)
    return any(
        {*terms(unheld)} <= {*terms(piece.text)} or (number and number.answers(piece.text) == 1) for piece in pieces
    )
