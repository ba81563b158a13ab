"""The conditions in a question to sources: authors, venues, times, counts, types and open access.

They are read as in a conversation, but no library says which names exist. So a name must look like one and be where
only a condition can be: "by gradient descent", "Parkinson's disease", "patterns in nature" and "the 2008 financial
crisis" are subjects.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from agents.builtin.question_parsing.lexicon import (
    DOCUMENTS,
    EVENTS,
    MEASURED,
    PEOPLE,
    WRITTEN,
    Span,
    blanked,
    is_general,
    word_after,
    words_before,
)
from agents.builtin.question_parsing.phrases import is_field_word
from agents.reading.cues import FILLERS, JOINING, NEGATIONS, Cue
from agents.reading.dates import JOINTS, Dated, dated_at, first_day, last_day
from agents.reading.name_lookup import Match, NameLookup
from agents.reading.numbers import bounds_at
from agents.reading.parts.names import authors_at, venues_at
from agents.reading.parts.words import Chunk, MessageWords, applying, cues_at
from agents.reading.reading import PaperSelection, opposite
from agents.reading.tokens import Token, tokens_of
from cache.conditions.filters import Filter, filter_by
from cache.conditions.venue_names import AMBIGUOUS, CONFERENCES, JOURNALS, KNOWN
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

MOST_WORDS = 800
_LONGEST_NAME = 12
_PARTICLES = frozenset("van von de der den del della di da dos du la le el al bin ibn ter ten".split())
_LETTER = r"[^\W\d_a-zà-öø-ÿ]"
_PART = (
    rf"(?:(?:{'|'.join(sorted(_PARTICLES))}) (?:(?:der|den|la|las|los|de) )?)?"
    rf"(?:{_LETTER}(?:\.-?{_LETTER}){{0,3}} \.|(?:[OD]['’])?{_LETTER}(?=[^\W_]{{0,20}}[a-zà-öø-ÿ])[^\W\d_]{{1,20}}"
    r"(?:['’-][^\W\d_]{2,20}){0,2}(?= |$))"
)
_NAME = re.compile(rf"{_PART}(?: {_PART}){{0,3}}")
_SMALL_NAME = re.compile(r"[^\W\d_]{2,20}(?:['-][^\W\d_]{1,20})? [^\W\d_]{2,20}(?:['-][^\W\d_]{1,20})?$")
_NOT_PEOPLE = frozenset(
    """africa alibaba amazon america american anthropic apple asia australia baidu berkeley brazil britain cambridge
    canada cern children china chinese college congress council deepmind employees england europe european facebook
    farmers france german germany google government harvard ibm india indian institute intel italy japan japanese
    journalists korea lab laboratories labs london meta microsoft ministry mit nasa nature nurses nvidia openai
    organization oxford parents patients people princeton russia school society spain stanford students supreme
    teachers tencent today tomorrow university uber women men workers world yesterday north south east west united new
    central nobody someone anyone monte markov fourier""".split()
)
_EPONYMS = frozenset(
    """alzheimer parkinson crohn huntington hodgkin down tourette asperger hashimoto graves cushing addison raynaud
    wilson kawasaki behçet ménière sjögren bell bayes""".split()
)
"""Persons whose name before "'s research" is that of a disease or a method."""
_METHODS = ("ing", "tion", "ions", "ment", "isms", "ists")
"""Endings of words that are a method in the place of a name."""
_WORKS = DOCUMENTS | {"contributions", "group", "lab", "team", "writings", "anything"}
_GROUPS = frozenset("group lab laboratory team".split())
_TEAMS = frozenset({"et", "colleagues", "others"})
_WROTE = frozenset("publish write author co-author published written authored wrote".split())
_AUXILIARY = frozenset("is are was were that which have has been".split())
_BEFORE_NAMES = frozenset("the prof dr professor author authors group of by either both".split())
_PRAISED = frozenset("recent latest early earlier seminal original group's lab's own most cited first".split())
_FOLLOWS_NAME = STOP_WORDS | QUESTION_WORDS | NEGATIONS | {"published", "written", "cited", "regarding", "titled"}

_JOURNAL_OF = re.compile(
    r"(?:[A-Z]\w+ ){0,3}(?:Journal|Transactions|Annals|Archives|Proceedings|Reviews?|Letters) (?:of|on|in) (?:the )?"
    r"[A-Z]\w+(?: (?:(?:and|of|the|in|for|&) )*[A-Z]\w+){0,5}"
)
_LOWER, _CAPITAL = frozenset(map(str.lower, CONFERENCES)), frozenset((*AMBIGUOUS, *JOURNALS))
_COMMON_WORDS = frozenset("Nature Science Cell Neuron Immunity Blood Circulation Gut Bioinformatics".split()) | {
    "Machine Learning", "Artificial Intelligence", "Scientific Data", "Water Research"
}  # fmt: skip
"""Journals named by a common word of their subject: a word such as "published" or "papers" must be beside them."""
_APPEARED = frozenset("published presented accepted appearing appeared journal conference proceedings".split())
_FOLLOWS_VENUE = STOP_WORDS | QUESTION_WORDS | DOCUMENTS | {"conference", "proceedings", "journal", "open"}

_ISSUED = frozenset("paper papers article articles publication publications proceedings".split())

LONGEST = 30
"""Maximum number of years back for a bound: "the last hundred years" are a subject."""
OLDEST = 1950
"""Earliest year of a bound, unless papers are named beside it: "Europe before 1914" is a subject."""
_UNITS = frozenset("bp ce bc bce ad km cm mm nm kg mg ml hz khz mhz ghz ev kev mev gev k px usd eur".split())
_FOLLOWS_TIME = STOP_WORDS | QUESTION_WORDS | DOCUMENTS | {"onward", "onwards", "later", "newer", "open", "cited"}
_OF_SOMETHING = re.compile(r" of (?:life|pregnancy|gestation|school|schooling|training|treatment|the war)\b")
_JOINED = re.compile(r"\b(post|pre)-(?=(?:19|20)[0-9]{2}(?![\w-]))", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")

_KINDS = frozenset({"preprint", "thesis", "conference-paper", "book", "chapter"})
"""Types to ask for; what sources call a review or an article depends on them too much."""
_BEFORE_SUBJECT = frozenset("on about by of from since in regarding concerning covering".split())
_NOT_PAPERS = frozenset("citations citation advantage publishing data code software tools".split())
_PUBLISHED = r"(?:journals?|conferences?|venues?|papers?|publications?|articles?)"
_RENOWNED = re.compile(
    r"(?:,\s*)?\b(?:(?:preferably|ideally|mainly)\s+)?(?:(?:published\s+)?(?:from|in|by)\s+)?(?:the\s+)?"
    r"(?:top(?:[\s-](?:tier|ranked|quality))?|high[\s-](?:impact|quality|ranking)|prestigious|reputable|renowned|leading)\s+"
    rf"(?:(?:academic|scientific|international|peer-reviewed)\s+)?{_PUBLISHED}(?:,?\s+(?:and|or)\s+{_PUBLISHED})*",
    re.IGNORECASE,
)


class Conditions(NamedTuple):
    """The conditions in a question, as arguments of `filter_by`, and the question with blanks in their place.

    The bounds are inclusive; contradictory ones are None. `recent` and `renowned`: prefer recent work (no date is
    given), or work in good venues.
    """

    given: Mapping[str, Any]
    since: date | None
    until: date | None
    recent: bool
    renowned: bool
    rest: str

    @property
    def others(self) -> Filter:
        """The conditions beside dates, authors, venues, a least number of citations, and open access."""
        exceptions = {"authors", "any_authors", "venues", "min_citations", "open_access"}
        if "max_citations" in self.given:
            exceptions.remove("min_citations")  # one row of the table has both bounds
        return filter_by(**{name: value for name, value in self.given.items() if name not in exceptions})


def read_conditions(text: str, today: date) -> Conditions:
    """Return the conditions in `text` (see `plain`)."""
    renowned = [Span(*match.span()) for match in _RENOWNED.finditer(text)]
    return _QuestionReader(_JOINED.sub(r"\1 ", blanked(text, renowned)), today).conditions(bool(renowned))


_Bounds = tuple[date | None, date | None]
"""The first and the last day on which papers appeared; None means no bound."""


class _FormNames(NameLookup):
    """Names by their form; nothing says which of them exist. In a text in `small` letters any two words may be one."""

    def __init__(self, *, small: bool) -> None:
        self._small = small

    def venue_at(self, tokens: Sequence[Token], start: int) -> Match:
        start += start < len(tokens) and tokens[start].key == "the"
        texts = [token.text for token in tokens[start : start + _LONGEST_NAME]]
        ends = range(len(texts), 0, -1)
        return next(((name, start + end) for end in ends if self.is_exact_venue(name := " ".join(texts[:end]))), None)

    def is_exact_venue(self, name: str) -> bool:
        return name.lower() in _LOWER or name in _CAPITAL or _JOURNAL_OF.fullmatch(name) is not None

    def has_papers_at(self, name: str) -> bool:
        return True

    def person_at(self, tokens: Sequence[Token], start: int) -> Match:
        name = _NAME.match(" ".join([token.text for token in tokens[start : start + _LONGEST_NAME]]))
        if name is None and self._small:
            name = _SMALL_NAME.match(" ".join([token.text for token in tokens[start : start + 2]]))
        return (name[0].replace(" .", "."), start + len(name[0].split())) if name else None


class _Condition(NamedTuple):
    """A condition at the words `start` to `end` of a question."""

    start: int
    end: int
    given: Mapping[str, Any]


class _QuestionReader(MessageWords):
    """Reader of the conditions in one question; `text` has blanks in place of those read so far."""

    def __init__(self, text: str, today: date) -> None:
        super().__init__(tokens_of(text, MOST_WORDS), _FormNames(small=text.islower()), today)
        self.text = text
        self._chunks: dict[int, Chunk | None] = {}

    def conditions(self, renowned: bool) -> Conditions:
        """Read the question from its beginning to its end."""
        selection, bounds, position = PaperSelection(), list[_Bounds](), 0
        while position < self.end:
            if time := self._time_at(position):
                end = time[0]
                bounds.append(time[1])
            elif condition := self._names_at(position) or self._other_at(position):
                applying(condition.given)(selection)
                position, end = condition.start, condition.end
                if "venues" in condition.given and (year := self._year_at(end)):
                    bounds.append((date(year, 1, 1), date(year, 12, 31)))
                    end += 1
            else:
                position += 1
                continue
            self.text = blanked(self.text, [Span(self.tokens[position].start, self.tokens[end - 1].end)])
            position = end
        since = max((since for since, _ in bounds if since), default=None)
        until = min((until for _, until in bounds if until), default=None)
        if since and until and since > until:
            since = until = None
        return Conditions(selection.given, since, until, (None, None) in bounds, renowned, self.text)

    def read(self, start: int, end: int, *, one: bool = False) -> PaperSelection:
        return PaperSelection()

    def chunk(self, position: int) -> Chunk | None:
        if position not in self._chunks:
            self._chunks[position] = None
            condition = self._names_at(position) or self._counts_at(position) or self._state_at(position)
            self._chunks[position] = condition and Chunk(condition.end, applying(condition.given))
        return self._chunks[position]

    def _before(self, position: int, count: int = 1) -> list[str]:
        return words_before(self.text, self.tokens[position].start, count)

    def _after(self, end: int) -> str:
        """Return the word after the words up to `end`; "" before any mark."""
        return self.keys[end] if end < self.end and self.keys[end][:1].isalnum() else ""

    def _ends_at(self, end: int, follows: Collection[str]) -> bool:
        """Whether a name ends here, and does not just describe the next word, as in "by Transformer models"."""
        word = self._after(end)
        return (not word or word in follows or word.isdigit()) and self.keys[end : end + 1] not in (["-"], ["/"])

    # Names

    def _names_at(self, position: int) -> _Condition | None:
        for cue in cues_at(self, position):
            after_cue = position + len(cue.words)
            if cue.kind == "author" and (people := authors_at(self, after_cue, firm=False)):
                start, names = self._start_of_by(position), _people(people)
                is_named = self._are_authors(names, people.end) and self._ends_at(people.end, _FOLLOWS_NAME)
                words = self.keys[start : people.end]
                if is_named and self._is_cued(start, cue, words, names):
                    return _Condition(start, people.end, people.alone.given)
            elif cue.kind == "venue" and (cue.firm or cue.words in (("in",), ("at",), ("from",))):
                venues = venues_at(self, after_cue, firm=False)
                if venues and self._is_venue(position, venues, self.keys[after_cue : venues.end], cue.firm):
                    return _Condition(position, venues.end, _usual(venues))
        token = self.tokens[position]
        if not (token.is_capital or token.key in _LOWER or token.text in _PARTICLES) or token.key in _BEFORE_NAMES:
            return None
        if (venues := venues_at(self, position, firm=False)) and self._is_before_papers(position, venues):
            return _Condition(position, venues.end, _usual(venues))
        people = authors_at(self, position, firm=False)
        names = _people(people) if people else []
        return self._uncued(position, people, names) if people and self._are_authors(names, people.end) else None

    def _start_of_by(self, position: int) -> int:
        """Return the beginning of "that were written by"."""
        if self.keys[max(0, position - 1)] not in ("written", "authored", "published"):
            return position
        return next(at for at in range(position - 1, -1, -1) if not at or self.keys[at - 1] not in _AUXILIARY)

    def _are_authors(self, names: Sequence[str], end: int) -> bool:
        """Whether names before the word at `end` may be those of authors, but not in "by Salton or others"."""
        return not (
            self.keys[end : end + 1] == ["or"]
            or set(_parts(names)) & _NOT_PEOPLE
            or {name.lower() for name in names} & (STOP_WORDS | QUESTION_WORDS | DOCUMENTS)
        )

    def _is_cued(self, start: int, cue: Cue, words: Sequence[str], names: Sequence[str]) -> bool:
        """Whether names after a cue are authors, and not a method or an institution."""
        if cue.words in (("by",), ("from",), ("of",)) and not _GROUPS.isdisjoint(words):
            return True  # "from the lab of Jennifer Doudna"
        preceding_words, parts, are_full = self._before(start), _parts(names), all(" " in name for name in names)
        is_method = parts[-1].endswith(_METHODS) or any(is_general(part) or is_field_word(part) for part in parts)
        if not cue.firm:
            return cue.words == ("of",) and not DOCUMENTS.isdisjoint(preceding_words) and are_full and not is_method
        if words[0] != "by" or not (_WORKS | NEGATIONS).isdisjoint(preceding_words):
            return not (is_method if self.text.islower() else all(is_general(p) or is_field_word(p) for p in parts))
        before = self.text[: self.tokens[start].start]
        is_sure = (are_full and len(names[0]) > 4) or not _TEAMS.isdisjoint(words)
        in_brackets = before.count("(") > before.count(")")
        return is_sure and not (is_method or in_brackets or _is_titled(before) or self.text.islower())

    def _uncued(self, position: int, people: Chunk, names: Sequence[str]) -> _Condition | None:
        """“Hinton's work on capsules”, “what has Hinton published”, “papers that Hinton wrote”, “Vaswani et al.”"""
        end, conditions = people.end, people.alone.given
        suffix = self.keys[position:end]
        if "'s" in suffix:
            at = self.behind(end, _PRAISED) if suffix[-1] == "'s" else end
            is_work = suffix[-1] != "'s" or (at <= end + 3 and self._after(at) in _WORKS)
            is_person = _EPONYMS.isdisjoint(_parts(names))
            return _Condition(position, at + (suffix[-1] == "'s"), conditions) if is_work and is_person else None
        end += suffix[-1] not in _WROTE and self._after(end) in _WROTE
        before = ["", *self.keys[max(0, position - 10) : position]]
        if position == 0 and "et" in suffix:
            return _Condition(position, end, conditions)
        if self.keys[end - 1] not in _WROTE:
            return None
        if before[-1] in ("has", "have", "did") and not {"what", "which"}.isdisjoint(before):
            return _Condition(position - 1, end, conditions)
        work = before[-2] if before[-1] in ("that", "which") else before[-1]
        return _Condition(position, end, conditions) if work in _WORKS else None

    def _is_venue(self, position: int, venues: Chunk, words: Sequence[str], firm: bool) -> bool:
        """Whether names after a cue are venues, and not a subject: "patterns in nature"."""
        (name, *more_names), preceding_words = venues.alone.given["venues"], self._before(position)
        year = self._year_at(venues.end)
        is_cued = firm or bool(more_names) or not (_APPEARED | NEGATIONS).isdisjoint([*preceding_words, *words])
        is_cued = is_cued or not DOCUMENTS.isdisjoint(preceding_words)
        is_clear = name not in _COMMON_WORDS and (name not in AMBIGUOUS or year is not None)
        return (is_cued or is_clear) and self._ends_at(venues.end + (year is not None), _FOLLOWS_VENUE)

    def _is_before_papers(self, position: int, venues: Chunk) -> bool:
        """Whether a venue without a cue is one: "ICML 2019 papers"."""
        year = self._year_at(venues.end)
        is_common = venues.alone.given["venues"][0] in _COMMON_WORDS
        return self._after(venues.end + (year is not None)) in _ISSUED and not (is_common and not year and position)

    def _year_at(self, position: int) -> int | None:
        word = self._after(position)
        return int(word) if _YEAR.fullmatch(word) and int(word) <= self.today.year + 1 else None

    # Counts, states and what is ruled out

    def _counts_at(self, position: int) -> _Condition | None:
        bounds = bounds_at(self.keys, position)
        if bounds is None or "people" in self.keys[position : bounds[1]]:
            return None  # "a total of 1,000 people"
        return _Condition(position, bounds[1], bounds[0])

    def _state_at(self, position: int) -> _Condition | None:
        for cue in cues_at(self, position):
            if cue.kind == "state" and cue.value[0] in ("open_access", "types"):
                name, value = cue.value
                return _Condition(position, position + len(cue.words), {name: [value] if name == "types" else value})
        return None

    def _left_out_at(self, position: int) -> _Condition | None:
        """Return what a list of authors, venues or types leaves out: "by Lee", "reviews and theses"."""
        selection, at = PaperSelection(), self.behind(position, ("any", "the"))
        end = at
        while at < self.end and (chunk := self.chunk(at)):
            conditions = opposite(chunk.alone) or {}
            if not conditions or not conditions.keys() <= {"without_authors", "without_venues", "without_types"}:
                break
            applying(conditions)(selection)
            end = chunk.end
            at = self.behind(end, JOINING)
            if at == end:
                break
        return _Condition(position, end, selection.given) if selection.given else None

    def _other_at(self, position: int) -> _Condition | None:
        if bounds := self._counts_at(position):
            return bounds
        if self.keys[position] in NEGATIONS and (left_out := self._left_out_at(position + 1)):
            return left_out._replace(start=position)
        state = self._state_at(position)
        if state is None or state.given.get("open_access") is True:
            return state and self._open_papers(state)
        kinds = set(state.given.get("types", ()))
        is_first = FILLERS.issuperset(self.keys[: state.start])
        is_kind = bool(kinds) and kinds <= _KINDS and self._after(state.end) in _BEFORE_SUBJECT
        return state if is_first and is_kind else None

    def _open_papers(self, state: _Condition) -> _Condition | None:
        """Return the condition that papers are free to read; None for "effects of open access publishing"."""
        noun, next_word = self._after(state.end), self._after(state.end + 1)
        start = state.start
        while start and self.keys[start - 1] in ("only", "be", "must", "are", "that", "which"):
            start -= 1
        ends = noun == "only" or not any(self.keys[at][:1].isalnum() for at in range(state.end, self.end))
        aside = self.text[: self.tokens[state.start].start].rstrip().endswith((",", "(", ";", " and"))
        names_papers = noun in DOCUMENTS and next_word not in _NOT_PAPERS
        if names_papers or noun == "only" or (ends and aside) or (start < state.start and noun not in _NOT_PAPERS):
            return state._replace(start=start, end=state.end + (noun == "only"))
        return None

    # Times

    def _time_at(self, position: int) -> tuple[int, _Bounds] | None:
        """Return the index after a time, and the bounds that it sets for papers; None if it is part of a name, a count
        or the subject."""
        time = dated_at(self.keys, position, self.today)
        if time is None:
            return None
        span = Span(self.tokens[position].start, self.tokens[time.end - 1].end)
        keys, today = self.keys[position : time.end], self.today
        since = first_day(time.period.since) if time.period.since else None
        until = last_day(time.period.until) if time.period.until else None
        neighbors, text_after = set(self._before(position)), self.text[span.end : span.end + 40].lower()
        if time.cue in ("last", "newer than"):
            before = set(self._before(position, 4))
            if time.cue == "newer than" and (before & PEOPLE or not (before & DOCUMENTS or {"no", "not"} & {*keys})):
                return None
            too_long = since is not None and today.year - since.year > LONGEST
            if too_long or neighbors & (MEASURED | PEOPLE) or text_after[:1] == "'" or _OF_SOMETHING.match(text_after):
                return None
            since = None if time.vague else since
            return time.end, (since, until if until and until < today and not time.vague else None)
        if not self._is_time(span, time, keys, neighbors):
            return None
        if time.cue == "from" and not neighbors & DOCUMENTS and not any(key in JOINTS or "-" in key for key in keys):
            until = None
        return time.end, (since, until if until is None or until < today else None)

    def _is_time(self, span: Span, time: Dated, keys: Sequence[str], neighbors: set[str]) -> bool:
        """Whether a year is a time of publication, not a count, part of a name, or the subject.

        The years of events come after "in" and "during"; they are never taken for those of papers.
        """
        text = self.text[span.start : span.end]
        years = [int(year) for year in re.findall(r"(?:1[5-9]|2[01])[0-9]{2}", text)]
        if not years and not re.search(r"[5-9]0s", text):
            return False
        nouns = self._nouns_after(span.end)
        is_publication = bool(neighbors & (DOCUMENTS | WRITTEN)) or keys[0] in WRITTEN
        follows = word_after(self.text, span.end).lower()
        allowed = {"": follows in DOCUMENTS, "of": bool(neighbors & DOCUMENTS), "by": is_publication, "past": False}
        if time.cue == "-":
            allowed["-"] = not nouns and not neighbors & {"than", "to", "through", "by"}
        if not allowed.get(time.cue, True) or max(years, default=0) > self.today.year:
            return False
        if neighbors & MEASURED or (min(years, default=OLDEST) < OLDEST and not is_publication):
            return False
        if time.period.since is not None and time.period.until is not None and neighbors & EVENTS:
            return False
        if not nouns:
            return True
        is_name = nouns[0][0].isupper() and not self.text.istitle()
        is_plural = nouns[0].endswith("s") and not nouns[0].endswith("ss") and years[-1:] and years[-1] % 100 == 0
        return not (is_name or is_plural or nouns[0].lower() in PEOPLE | _UNITS or nouns[-1].lower() in EVENTS)

    def _nouns_after(self, position: int) -> list[str]:
        """Return the words right after a time that it may belong to, up to three."""
        nouns: list[str] = []
        while len(nouns) < 3 and (word := word_after(self.text, position)) and word.lower() not in _FOLLOWS_TIME:
            nouns.append(word)
            position += len(word) + 1
        return nouns


def _parts(names: Sequence[str]) -> list[str]:
    return [part for name in names for part in _WORD.findall(name.lower())]


def _people(chunk: Chunk) -> list[str]:
    conditions = chunk.alone.given
    return [*conditions.get("authors", ()), *conditions.get("any_authors", ())]


def _usual(venues: Chunk) -> dict[str, Any]:
    """Return venues as their publishers write them."""
    return {"venues": [KNOWN.get(name.lower(), name) for name in venues.alone.given["venues"]]}


def _is_titled(before: str) -> bool:
    """Whether most words before a name are capitalized too, so that its capitals mean nothing."""
    long_words = re.findall(r"[^\W\d_]{4,}", before)
    return len(long_words) > 2 and sum(word[0].isupper() for word in long_words) > len(long_words) / 2
