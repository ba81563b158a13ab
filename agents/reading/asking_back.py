"""Questions back for messages that were not fully understood: the words in doubt, and the nearest possible actions."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from itertools import islice, pairwise
from math import fsum
from typing import TYPE_CHECKING

from pydantic import ValidationError

from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.terms import terms
from agents.reading.acts.act import WHICH, Act, Sentence
from agents.reading.acts.table import ACTS
from agents.reading.choosing import Turn, conditions_of, has_conditions
from agents.reading.cues import FILLERS, NEGATIONS, NOUNS, Cue, cues_by_word
from agents.reading.names import NEAR
from agents.reading.parts.subjects import near_words
from agents.reading.reading import Call, Option, Reading, Selection, Unknown, call
from agents.reading.tokens import folded
from agents.tools.filter_arguments import FILTER_ARGUMENTS
from cache.conditions.filters import Filter
from cache.conditions.wording import quoted

if TYPE_CHECKING:
    from agents.builtin.ranking.word_vectors import Floats

Again = Callable[[str], Reading]
"""Reads another message instead of this one, without asking back."""
MOST = 3
"""Maximum number of options offered at once."""
_MOST_READ = 8
"""Maximum number of options looked for; some have no wording."""
_KINDS = {
    "author": "author called",
    "venue": "journal or conference called",
    "tag": "tag",
    "word": "paper with the word",
    "subject": "paper about",
    "name": "paper by or about",
    "note": "note with",
    "read": "paper that you marked as read",
    "stars": "stars: papers are liked or disliked, not",
    "paper": "paper that is called or about",
}


_NO_CHANGE = " Nothing was done."


def asked_back(turn: Turn, reading: Reading, again: Again) -> Reading:
    """Turn the reading into a question back: no action, and up to three options."""
    reading = replace(reading, unknown=(*reading.unknown, *_misspelt(turn, reading)))
    unheld = [unknown for unknown in reading.unknown if unknown.kind == "unheld"]
    if unheld:
        what = quoted([part.text for part in unheld])
        return Reading(
            act=reading.act,
            understood=False,
            options=tuple(islice(_distinct(turn, _options(turn, reading, again)), 1 if turn.retried else _MOST_READ)),
            reply=f"I cannot answer that: the library has no data on {what}. The text of a paper may say it.",
        )
    strange = [unknown for unknown in reading.unknown if unknown.text not in reading.rest]
    sentences = [f"Your library has no {_KINDS[unknown.kind]} “{unknown.text}”." for unknown in strange]
    misspelt = {part.text for part in reading.unknown if any(_is_like(part.text, near) for near in part.near)}
    names = [word for word in reading.rest if word not in misspelt and _is_strange_name(turn, word)]
    if names:
        sentences.append(f"Your library has no paper by or about {quoted(names[:3], 'or')}.")
    if rest := [word for word in reading.rest if word not in names]:
        sentences.append(f"I did not understand {quoted(rest[:6])}.")
    if reading.rest and reading.calls and not misspelt and not _finds(turn, reading.calls[0]):
        sentences.append("No paper matches the other words.")
    if not sentences:
        sentences.append(reading.reply or "I did not understand that.")
    if not reading.calls and reading.reply and reading.reply not in sentences:
        sentences.append(reading.reply)
    return Reading(
        act=reading.act,
        understood=False,
        reply="\n".join([sentences[0].removesuffix(_NO_CHANGE) + _NO_CHANGE, *sentences[1:]]),
        options=tuple(islice(_distinct(turn, _options(turn, reading, again)), 1 if turn.retried else _MOST_READ)),
        rest=reading.rest,
        unknown=reading.unknown,
    )


def _misspelt(turn: Turn, reading: Reading) -> Iterator[Unknown]:
    """Yield the leftover words that no reader of a part has called unknown but that resemble known ones."""
    named = {word for unknown in reading.unknown for word in unknown.text.split()}
    for token in turn.reader.tokens:
        is_strange = token.text not in named and token.key not in turn.reader.own
        if token.text in reading.rest and is_strange and (near := near_words(turn.reader, token)):
            yield Unknown("word", token.text, near)


def _is_like(word: str, near: str) -> bool:
    """Whether two words differ by a few letters only."""
    from rapidfuzz import fuzz

    return fuzz.ratio(folded(word), folded(near)) >= NEAR


def _is_strange_name(turn: Turn, word: str) -> bool:
    """Whether a leftover word is written like a name, and no paper has it."""
    token = next((token for token in turn.reader.tokens[1:] if token.text == word), None)
    return (
        token is not None
        and token.is_capital
        and token.key not in turn.reader.own
        and not (turn.names.is_subject(word) or turn.names.is_author(word))
    )


def _options(turn: Turn, reading: Reading, again: Again) -> Iterator[Option]:
    """Yield other meanings: with similar words in place of unknown ones, without the unknown words, as a search."""
    yield from reading.options
    if reading.reply == WHICH and not (reading.rest or reading.unknown):
        yield _SAVED_LAST
        return
    if not turn.retried:
        clauses = (_read_again(part, again) for part in _parts(turn.message.strip()))
        yield from islice((option for option in clauses if option and option.calls[0] != Call("filter")), 1)
    if reading.unknown and not turn.retried:
        yield from _with_nearest(turn, reading.unknown, again)
    unknown_words = [word for unknown in reading.unknown for word in unknown.text.split()]
    strange = {folded(word) for word in (*reading.rest, *unknown_words)}
    about = " ".join(word for word in reading.rest if len(word) > 2 and " " not in word and _tells(turn, folded(word)))
    if about and reading.calls and (also := _also_about(reading.calls, about)):
        yield Option("{}", also, reading.onward)
    calls = () if _leaves_negated(turn, strange) else _without(reading.calls, strange)
    for word in reading.rest:
        if numbers := turn.names.noting([word]):
            yield Option("{}", (call("take", papers=[f"#{number}" for number in numbers]), Call("list")))
    named = any(unknown.kind != "word" for unknown in reading.unknown)
    if calls:
        words = [*reading.rest, *(unknown.text for unknown in reading.unknown)]
        left_out = quoted(list(dict.fromkeys(words))[:3])
        yield Option(f"{{}}, without {left_out}" if left_out else "{}", calls, reading.onward)
    words = [
        token.text
        for token in turn.reader.tokens
        if _tells(turn, token.key) or (folded(token.text) in strange and token.key not in turn.reader.own)
    ]
    searching = [Option("{}", (call("search", question=" ".join(words)),))] if words else []
    acts = islice(nearest_acts(turn), MOST)
    chosen = turn.reader.read(0, len(turn.reader.keys), one=True).is_chosen
    yield from (*acts, *searching) if chosen and not named else (*searching, *acts)
    yield from (
        Option(act.label, listed.calls)
        for act in ACTS
        if act.name in {f"most:{unknown.kind}" for unknown in reading.unknown}
        and (listed := act.plan(Sentence(turn, {"papers": (0, 0)}, Selection(noun=True))))
    )
    yield from _ALWAYS


def _parts(message: str) -> Iterator[str]:
    """Yield the parts of a message that may be the request, the longest first: runs of whole clauses."""
    ends = [(match.start(), match.end()) for match in islice(_CLAUSE_END.finditer(message), _MOST_CLAUSES)]
    starts, stops = [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(message)]
    spans = ((start, stop) for start in starts for stop in stops if 0 < stop - start < len(message))
    longest = sorted(spans, key=lambda span: span[0] - span[1])
    yield from (message[start:stop] for start, stop in longest[:_MOST_PARTS])


def _with_nearest(turn: Turn, unknown: Sequence[Unknown], again: Again) -> Iterator[Option]:
    """Yield the papers with titles similar to an unknown one, and options for the message with every unknown name
    replaced by the most similar one, then with the second most similar one in one place."""
    titles = [near for part in unknown if part.kind == "paper" for near in part.near[:2]]
    yield from (Option(f"“{title}”", (call("paper", paper=title),), True) for title in titles)
    for other in (None, *(part for part in unknown if len(part.near) > 1)):
        message = turn.message
        for part in unknown:
            message = _replaced(message, part.text, part.near[part is other]) if part.near else message
        if message != turn.message and (option := _read_again(message, again, beside=turn.message)) is not None:
            yield option
    people = [near for part in unknown for near in part.near[:1] if turn.names.is_author(near)]
    yield from (Option("{}", (call("filter", authors=[person]), Call("list"))) for person in people)


def _replaced(message: str, text: str, near: str) -> str:
    start = message.casefold().find(text.casefold())
    return message if start < 0 else f"{message[:start]}{near}{message[start + len(text) :]}"


def _read_again(message: str, again: Again, *, beside: str = "") -> Option | None:
    """Return the actions of another message as an option; None if it is not fully understood, not even without words
    that it has in common with `beside`."""
    reading = again(message)
    if not (reading.is_whole and reading.understood and reading.calls):
        shared = all(word in beside for word in reading.rest)
        return next((option for option in reading.options[:1] if shared and option.label.startswith("{}, ")), None)
    return Option(f"“{message.strip()}”", reading.calls, reading.onward)


def _wanted(step: Call) -> Filter:
    """Return the conditions of a step; none if they are too long to be read."""
    try:
        return FILTER_ARGUMENTS.model_validate(step.arguments).wanted if step.tool == "filter" else Filter()
    except ValidationError:
        return Filter()


def _finds(turn: Turn, step: Call) -> bool:
    """Whether any paper matches the conditions of a step; True if it has no conditions."""
    wanted = _wanted(step)
    return not wanted.terms or bool(turn.names.matching_among(wanted, None))


def _tells(turn: Turn, word: str) -> bool:
    return word not in turn.reader.own and word not in NOUNS and turn.names.is_subject(word)


def _also_about(calls: Sequence[Call], subject: str) -> tuple[Call, ...]:
    """Return the steps with one more subject; () without a step that filters."""
    for position, step in enumerate(calls):
        if step.tool == "filter":
            given = {**step.arguments, "words": [*step.arguments.get("words", ()), subject]}
            return (*calls[:position], Call("filter", given), *calls[position + 1 :])
    return ()


@lru_cache(maxsize=1)
def _telling_cues() -> Sequence[Cue]:
    """Return the cues of conditions and orders that have more than function words."""
    cues = (cue for cues in cues_by_word().values() for cue in cues)
    return [cue for cue in cues if cue.kind in ("state", "order") and set(cue.words) - FILLERS - NEGATIONS]


@lru_cache(maxsize=1)
def _stem_weights() -> Mapping[str, float]:
    """Return the weights of stems other than function words: the more conditions, orders and acts have a stem, the less
    it weighs."""
    meanings: dict[str, set[object]] = defaultdict(set)
    entries = [((cue.kind, cue.value), cue.words) for cue in _telling_cues()]
    entries += [((act.name, ""), tuple(_form_words(act))) for act in ACTS]
    for meaning, words in entries:
        for stem in _stems(set(words) - FILLERS - NEGATIONS):
            meanings[stem].add(meaning)
    return {stem: 1 / len(several) for stem, several in meanings.items()}


def _stems(words: Iterable[str]) -> set[str]:
    return {stem for word in words for stem in _stems_of(word)}


@lru_cache(maxsize=8_192)  # each message is compared with the words of all acts
def _stems_of(word: str) -> Sequence[str]:
    return terms(folded(word)) or [folded(word)]


def _leaves_negated(turn: Turn, strange: Set[str]) -> bool:
    """Whether, without the words `strange`, a message loses a "not" but keeps what it negates, and so would mean the
    opposite."""
    keys = [token.key for token in turn.reader.tokens if turn.reader.has_meaning(token)]
    return any(key in NEGATIONS & strange and behind not in strange for key, behind in pairwise((*keys, "")))


def _without(calls: Sequence[Call], strange: set[str]) -> tuple[Call, ...]:
    """Return the steps without the unknown words; () if the rest no longer says which papers."""
    left: list[Call] = []
    for step in calls:
        given = dict(step.arguments)
        if step.tool == "filter":
            for name in _TEXTS & given.keys():
                phrases = (
                    " ".join(word for word in text.split() if folded(word) not in strange) for text in given[name]
                )
                given[name] = [text for text in phrases if text]
            given = {name: value for name, value in given.items() if value != []}
            if not given and (step.arguments or all(other.tool != "rank" for other in calls)):
                return ()
        left.append(Call(step.tool, given))
    return tuple(left)


def _distinct(turn: Turn, options: Iterator[Option]) -> Iterator[Option]:
    """Yield the options that differ and whose conditions papers of the library meet, or that correct the message."""
    seen: list[tuple[Call, ...]] = []
    for option in options:
        first = (*option.told, *option.calls)[0]
        if option.calls not in seen and (option.label.startswith("“") or _finds(turn, first)):
            seen.append(option.calls)
            yield option


def nearest_acts(turn: Turn) -> Iterator[Option]:
    """Yield the acts whose forms are nearest to the words that describe no papers, each for the papers described."""
    read = turn.reader.read(0, len(turn.reader.keys), one=True)
    selection = replace(read, rest=[], unknown=[], order="", count=None, noun=True)
    if any(unknown.kind != "word" for unknown in read.unknown) and not selection.is_chosen:
        return
    beside = tuple(_beside_papers(turn, selection))
    meant = _meanings() @ vector(Counter(terms(" ".join(beside)))) + _shares(_stems(beside))
    families: set[str] = set()
    for position in (-meant).argsort():
        act, slots = _offered()[position]
        if (family := act.name.partition(":")[0]) in families:
            continue
        readings = [
            act.plan(Sentence(turn, dict.fromkeys(slot, (0, 0)), selection))
            for slot in slots
            if slot or not selection.is_chosen
        ]
        reading = next(
            (tried for tried in readings if tried and tried.understood and tried.calls and _can_be_done(tried, turn)),
            None,
        )
        if reading is not None and (selection.is_chosen or reading.calls[-1].tool not in _CHANGES):
            families.add(family)
            yield _called(act, reading, selection, turn)


def _beside_papers(turn: Turn, selection: Selection) -> Iterator[str]:
    """Yield the words of a message that do not say which papers are meant."""
    values = [value for value in selection.given.values() if isinstance(value, list)]
    named = {folded(word) for value in values for text in value for word in str(text).split()}
    titles = [range(title.start, title.end) for title in turn.reader.titles]
    for position, token in enumerate(turn.reader.tokens):
        if not (token.key in named or token.key in NOUNS or token.quoted or any(position in title for title in titles)):
            yield token.key


def _can_be_done(reading: Reading, turn: Turn) -> bool:
    """Whether "it", if the reading uses it, means one paper."""
    given = [step.arguments for step in reading.calls]
    return turn.has_it or all("@it" not in (*step.get("papers", ()), step.get("paper")) for step in given)


def _called(act: Act, reading: Reading, selection: Selection, turn: Turn) -> Option:
    """Return an act as an option; for a query, the label of the act describes the step."""
    tool = reading.calls[0].tool
    if tool == "paper":
        name = str(reading.calls[0].arguments["paper"])
        label = f"{act.label}: “{name}”" if name.startswith("#") else act.label
        return Option(label, reading.calls, reading.onward)
    if tool != "query":
        return Option("{}", reading.calls, reading.onward)
    if not has_conditions(selection):
        return Option(act.label, reading.calls, reading.onward)
    filtered = (Call("filter", conditions_of(selection, turn)),)
    return Option(f"{act.label}, of {{}}", reading.calls, reading.onward, filtered)


@lru_cache(maxsize=1)
def _offered() -> tuple[tuple[Act, Sequence[frozenset[str]]], ...]:
    """Return each act that can be offered, with the slots of its forms that papers alone can fill, most first."""
    slots = {act: {frozenset(_SLOTS.findall(text)) for text in act.forms} for act in ACTS if act.label}
    of_papers = {
        act: sorted((slot for slot in slots[act] if slot <= _OF_PAPERS), key=len, reverse=True) for act in slots
    }
    return tuple((act, fitting) for act, fitting in of_papers.items() if fitting)


@lru_cache(maxsize=1)
def _meanings() -> "Floats":
    """Return the vector of the words of each act that can be offered."""
    import numpy as np

    return np.stack([vector(Counter(terms(" ".join(_form_words(act))))) for act, _ in _offered()])


def _shares(stems: Set[str]) -> "Floats":
    """Return the weight of these stems in the forms of each act that can be offered."""
    import numpy as np

    weights = _stem_weights()
    of_acts = (_stems(_form_words(act)) & stems & weights.keys() for act, _ in _offered())
    return np.array([fsum(map(weights.__getitem__, shared)) for shared in of_acts], "f")


def _form_words(act: Act) -> Iterable[str]:
    """Return the words of the forms of an act, without duplicates."""
    return dict.fromkeys(_SLOT.sub(" ", re.sub(r"[|_\[\]]", " ", " ".join(act.forms))).split())


_TEXTS = frozenset({"words", "any_words", "title_words", "without"})
"""Conditions on the words of papers."""
_CLAUSE_END = re.compile(
    r"(?:(?<=[.?!])|[,:;]|(?<=\s)[-–—])\s+(?:(?:so|and|but) )?|\s(?:so|and|but|because|since|as) "
    r"(?=(?:i|we|would|need|want|please|show|list|give|find|mark|tag|save|add|remove|which|what|who|how)\b)",
    re.IGNORECASE,
)
"""The words or marks between two clauses."""
_MOST_CLAUSES, _MOST_PARTS = 8, 8
_SLOT = re.compile(r"\{[^}]*\}")
_SLOTS = re.compile(r"\{([^}?]*)\??\}")
_OF_PAPERS = frozenset({"papers", "paper"})
_CHANGES = frozenset({"save", "unsave", "tag", "note", "mark", "remember"})
"""Tools that are only offered for papers that the message names, never for all papers."""
_SAVED_LAST = Option(
    "show the papers saved last", (Call("filter", {"saved": True}), call("rank", by="last_saved"), Call("list"))
)
_ALWAYS = (Option("{}", (Call("recommend"),)), _SAVED_LAST, Option("{}", (Call("runs"),)))
"""Options that fit any message."""
