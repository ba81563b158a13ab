"""Find the acts that a clause asks for: by their words in any order, and by the values that fill their slots."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from agents.reading.acts.act import FUNCTION, LABELS, Act, ActFit, Anchor, MatchedMessage, Pattern, Phrase
from agents.reading.acts.lists import CHANGING, COUNT, LIST
from agents.reading.acts.runs import KINDS
from agents.reading.acts.shelf import FORMATS, STYLES, changing_acts, format_of, verbs_of_changes
from agents.reading.acts.table import ACTS
from agents.reading.choosing import MessageContext, has_conditions
from agents.reading.cues import ASKING, COURTESIES, FILLERS, INTERROGATIVES, JOINING, NEGATIONS, NOUNS
from agents.reading.numbers import FIRST_NUMBERS, by_first, number_at
from agents.reading.parts.words import nothing
from agents.reading.reading import MessagePlan
from agents.reading.tokens import SENTENCE_ENDS, Token, folded, last_word
from agents.tools.candidates import FILTER
from agents.tools.tool import ToolError
from connectors.query.stopwords import STOP_WORDS

_MOST_TRIED = 8
"""Maximum number of patterns of a clause whose slots are tried."""
_MOST_FILLS = 3
_FAR = 6
"""Maximum distance of the verb from the subject of a statement."""
_APART = 12
"""Maximum distance of the two words of a phrase such as `take..off`."""
_SHOWS = frozenset({"list", "query", "paper", "filter", "rank"})
"""Tools that no verb of a change asks for."""
_LEADS = frozenset(
    "please just also then now and to should must kindly but so you can could would will let again finally first better"
    " maybe perhaps actually instead".split()
)
"""Words before the verb of an order."""
_SUBJECTS = frozenset({"i", "we"})
_PERSONS = frozenset("i we you me us".split())
_PAST = ("ed", "got", "went")
"""Endings of verbs in the past, which need no subject: "finished the first"."""
_AUXILIARIES = frozenset("do does did have has had is are was were am".split())
_ARTICLES = frozenset("the my a an its their our this that his her your any".split())
_STRONG = 2.0
"""Weight of the words of a pattern from which on they may stand inside conditions."""
_BROKEN = 3.0
"""What an act loses for a word of its own that stands inside a condition on papers: "tagged thesis"."""
_BEFORE_ORDERS = frozenset({"and", "then", ",", ";", "."})
_MARKS = frozenset({",", ";", "."})
_WISHES = frozenset({"wants", "needs", "likes"})
_NEGATING = frozenset({"not", "never", "nothing", "none"})
_RELATIVE = frozenset({"that", "which", "who"})
_BEFORE_SUBJECTS = frozenset({"about", "on", "regarding", "concerning"})
_TAGGED = frozenset({"tagged", "labelled", "labeled"})
"""Participles that make the tag behind them a condition on papers."""
_BETWEEN = frozenset(
    "on to from of for with as in into under off about by at onto out saying says reading : , -".split()
)
_JOINTS = frozenset("and or with to from than vs versus against ,".split())
_BEFORE_TAGS = frozenset("as with called named under to into in from off : the my a by for reading".split())
_INTRODUCING = frozenset("as with called named under into to : in".split())
_SAYING = frozenset({"saying", "says", "that", "reading", "say"})
_INTO = frozenset({"to", "in", "into", "as"})
_TURNING = frozenset({"to", "into", "with", "by"})
_SURE = frozenset({"format", "quote"})
"""Slots whose values tell as much as a word that asks for the act."""
_ASKING = frozenset({"when", "whether"})
_TYPED = frozenset({"known", "tags", "new", "source"})
_PAPERS = frozenset({"papers", "paper"})
_FREE = frozenset({"text", "new", "tags", "topic", "when", "taste", "quote"})
"""Slots that may have words which the library does not have."""
_WHOLE = frozenset({"topic", "when", "taste"})
"""Slots that take all words that no other slot has."""
_REFERRING = frozenset("it this that these those them they both all one ones each everything".split())
_COURTESIES = by_first(COURTESIES)
_MOST_TAG = 3


class Claim(NamedTuple):
    """A pattern of an act, the words of a clause that it claims, and how much they tell."""

    told: float
    act: Act
    pattern: Pattern
    words: frozenset[int]


@dataclass(frozen=True)
class MessageClause:
    """A part of a message, with the places where the verbs of orders and statements may be."""

    turn: MessageContext
    start: int
    end: int

    @cached_property
    def keys(self) -> list[str]:
        """The normalized words, "" for those quoted or inside a title of several words."""
        reader = self.turn.reader
        titled = {at for title in reader.titles if title.end - title.start > 1 for at in range(title.start, title.end)}
        return ["" if token.quoted or at in titled else token.key for at, token in enumerate(reader.tokens)]

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """The places of each word."""
        places: dict[str, list[int]] = defaultdict(list)
        for at in range(self.opening, self.end):
            places[self.keys[at]].append(at)
        return places

    @cached_property
    def opening(self) -> int:
        """The place of the first word behind courtesies and interjections."""
        keys, at = self.keys, self.start
        wishes = (at for at in range(self.start, self.end - 3) if keys[at] in _WISHES and keys[at + 1] == "to")
        wish = next(wishes, self.end)
        if keys[wish + 2 : wish + 3] == ["know"] and _MARKS.isdisjoint(keys[self.start : wish]):
            at = wish + 3  # "a friend wants to know …"
        while at < self.end:
            step = max((len(p) for p in _COURTESIES.get(keys[at], ()) if tuple(keys[at : at + len(p)]) == p), default=0)
            if step == 1 and "".join(keys[at + 1 : at + 2]) in NOUNS and "".join(keys[at + 2 : at + 3]).isalpha():
                break  # "good papers on sleep"
            if not step and (not keys[at] or keys[at] in FIRST_NUMBERS or any(map(str.isalnum, keys[at]))):
                break
            at += step or 1
        return at if at < self.end else self.start

    @cached_property
    def told(self) -> int:
        """The place behind a mark from which on the person tells something: ", I have about two minutes"."""
        keys = self.keys
        behind = range(self.opening + 1, self.end)
        return next((at for at in behind if keys[at] in _SUBJECTS and keys[at - 1] in _MARKS), self.end)

    @cached_property
    def asks(self) -> bool:
        """Whether the clause is a question, and so no order."""
        word, behind = (*self.keys[self.opening : self.opening + 2], "", "")[:2]
        orders = {("how", "do"), ("do", "not"), ("does", "not"), *_order_phrases()}
        return word in INTERROGATIVES and (word, behind) not in orders

    @cached_property
    def verbs(self) -> Mapping[str, frozenset[int]]:
        """For the moods of orders and statements, the places where the verb may be."""
        if self.asks:
            return dict.fromkeys("!.", frozenset[int]())
        keys, opening = self.keys, self.opening
        before = {at: keys[at - 1] for at in range(max(opening, self.start + 1), self.end)}
        behind = (at for at, word in before.items() if word in _LEADS or (word and not any(map(str.isalnum, word))))
        told = range(opening, min(opening + _FAR + 1, self.end)) if keys[opening] in _SUBJECTS else ()
        others = _PERSONS.isdisjoint(keys[self.start : opening]) and keys[opening].endswith(_PAST)
        others = others and keys[opening + 1 : opening + 2] != ["ones"]  # "liked ones" are papers
        elided = [opening] if others else ()  # "loved the first", "just got through it"
        return {"!": frozenset((opening, *behind)), ".": frozenset((*told, *elided))}

    def place(self, anchor: Anchor, claimed: Collection[int], among: Collection[int] | None = None) -> tuple[int, ...]:
        """Return where an anchor first occurs beside what was claimed, and among these places; () if nowhere."""
        first: tuple[int, ...] = ()
        for phrase in anchor.phrases:
            for at in self.places.get(phrase[0], ()):
                before = self.keys[at - 1] if at > self.start and at - 1 not in claimed else ""
                allowed = before not in _BEFORE_SUBJECTS if among is None else at in among
                allowed = allowed and (at < self.told or not STOP_WORDS.issuperset(phrase))
                span = self._span(phrase, at) if allowed and at not in claimed else ()
                if span and not any(place in claimed for place in span):
                    first = min(first or span, span, key=lambda places: (places[0], -len(places)))
                    break
        return first

    def _span(self, phrase: Phrase, at: int) -> tuple[int, ...]:
        if phrase[1:2] == ("..",):
            behind = (place for place in self.places.get(phrase[2], ()) if at < place <= at + _APART)
            return next(((at, place) for place in behind), ())
        stands = tuple(self.keys[at : min(at + len(phrase), self.end)]) == phrase
        return tuple(range(at, at + len(phrase))) if stands else ()

    @cached_property
    def claims(self) -> Sequence[Claim]:
        """The patterns whose words occur, the most telling first."""
        present = self.places.keys()
        formats = not STYLES.isdisjoint(present) or any(map(format_of, present))
        claims: list[Claim] = []
        for act, pattern in _patterns():
            missing = (anchor for anchor in pattern.anchors if anchor.firsts.isdisjoint(present))
            if next(missing, None) is None and (formats or "format" not in pattern.slots):
                asked = self._asked(pattern)
                if asked or not pattern.anchors:
                    claims.append(self._claim(act, pattern, asked))
        return sorted(claims, key=lambda claim: -claim.told)

    def guesses(self, act: Act) -> Sequence[ActFit]:
        """Return how the clause may ask for an act in words of which none or not all are in its patterns: all words
        without another meaning ask for it."""
        claims: list[Claim] = []
        for slots in dict.fromkeys(pattern.slots for pattern in act.patterns):
            own = {at for at in range(self.opening, self.end) if self.keys[at] in act.words}
            own = {at for at in own if at not in self._meant or self.keys[at] not in STOP_WORDS}
            asking = own if slots & _FREE else own | self._strange
            claims.append(Claim(0.0, act, Pattern("", (), (), slots), frozenset(asking)))
        return self._fits(claims)

    @cached_property
    def _strange(self) -> frozenset[int]:
        """The places of words that the reader has no meaning for and that are in no paper, but for other acts."""
        reader = self.turn.reader
        places = (at for at in range(self.opening, self.end) if at not in self._meant and self._says(at))
        values = FORMATS.keys() | STYLES
        return frozenset(
            at for at in places if reader.keys[at] not in values and not reader.is_subject(reader.tokens[at])
        )

    @cached_property
    def _meant(self) -> frozenset[int]:
        """The places of words with a meaning of their own: conditions, names and references."""
        reader, at, meant = self.turn.reader, self.opening, set[int]()
        reader.start, reader.end = self.start, self.end
        while at < self.end:
            chunk = reader.chunk(at)
            behind = chunk.end if chunk is not None else at + 1
            if chunk is not None and chunk.say is not nothing:
                meant.update(range(at, behind))
            at = behind
        return frozenset(meant)

    def _claim(self, act: Act, pattern: Pattern, asked: Collection[int]) -> Claim:
        """Return a claim of the words `asked` and of others that the pattern may have, with how much they tell."""
        weight = sum(anchor.weight for anchor in pattern.anchors)
        told = weight + 0.5 * ("text" in pattern.slots) + 0.3 * len(_TYPED & pattern.slots)
        told += len(_SURE & pattern.slots)
        conditions, orders = self._inside
        asks_when = bool(pattern.anchors) and not pattern.anchors[0].firsts.isdisjoint(_ASKING)
        inside = orders if weight >= _STRONG or asks_when else orders | conditions
        if "other" in pattern.slots:  # two papers compared may stand inside an order
            inside = frozenset()
        told -= _BROKEN * (pattern.mood == "" and not inside.isdisjoint(asked))
        claimed = {*asked}
        again = pattern.anchors if pattern.mood == "" else ()  # "in my tag list, which tag …?"
        asks_once = (tuple(phrase for phrase in anchor.phrases if phrase[0] not in ASKING) for anchor in again)
        for anchor in (*(Anchor(phrases, frozenset(), 0.0) for phrases in asks_once), *pattern.optional):
            while span := self.place(anchor, claimed):
                claimed.update(span)
        return Claim(told + 0.1 * (len(claimed) - len(pattern.anchors)), act, pattern, frozenset(claimed))

    def _asked(self, pattern: Pattern) -> Collection[int]:
        """Return where the words are that must occur; () if they do not, or not where the mood has them."""
        mood, claimed = pattern.mood, set[int]()
        if mood == "?" and self.keys[self.opening] not in _AUXILIARIES and {"whether", "if"}.isdisjoint(self.places):
            return ()
        first = -1
        for number, anchor in enumerate(pattern.anchors):
            verbs = self.verbs.get(mood) if number == 0 else self._nouns if mood == "!" else None
            span = self.place(anchor, claimed, verbs)
            if not span or (mood == ">" and claimed and span[0] < max(claimed)):
                return ()
            first = span[0] if number == 0 else first
            claimed.update(span)
        if mood in ("!", "."):
            before = range(max(self.start, first - 3), first)
            negated = any(self.keys[at] in _NEGATING and at not in claimed for at in before)
            told = mood == "!" and not _SUBJECTS.isdisjoint(self.keys[self.opening : first])
            return () if negated or told else claimed
        if not SENTENCE_ENDS.isdisjoint(self.keys[min(claimed, default=0) : max(claimed, default=0)]):
            return ()
        between = (at for at in range(self.opening, max(claimed, default=0)) if at not in claimed)
        return () if mood == ">" and any(map(self._says, between)) else claimed

    @cached_property
    def _nouns(self) -> Collection[int]:
        """The places of words other than the verbs with which an order can begin, and than what describes its
        papers: "that are still unread"."""
        keys, described = self.keys, set[int]()
        for at in range(self.opening + 1, self.end):
            relative = keys[at] in _RELATIVE and keys[at - 1] in NOUNS | _REFERRING
            if relative or keys[at] == "still":
                end = at + 1
                while end < self.end and keys[end] in FILLERS | _AUXILIARIES | _NEGATING | _SUBJECTS:
                    end += 1
                described.update(range(at, end + 1))
        places = (at for at in range(self.opening + 1, self.end) if keys[at - 1] not in _BEFORE_ORDERS)
        return [at for at in places if at not in described]

    @cached_property
    def _inside(self) -> tuple[frozenset[int], frozenset[int]]:
        """The places of words inside conditions, and inside orders, of several words: "tagged thesis", "from old to
        new"."""
        reader, at = self.turn.reader, self.opening
        conditions, orders = set[int](), set[int]()
        reader.start, reader.end = self.start, self.end
        while at < self.end:
            chunk = reader.chunk(at)
            behind = chunk.end if chunk is not None else at + 1
            alone = chunk.alone if chunk is not None and behind - at > 1 else None
            if chunk is not None and alone is not None and (alone.order or (chunk.firm and has_conditions(alone))):
                (orders if alone.order else conditions).update(range(at, behind))
            at = behind
        return frozenset(conditions), frozenset(orders)

    def fits(self) -> list[ActFit]:
        """Return the acts that fit the clause, the best first."""
        return self._fits((*self.claims[:_MOST_TRIED], Claim(0.0, LIST, LIST.patterns[0], frozenset())))

    def _fits(self, claims: Iterable[Claim]) -> list[ActFit]:
        found: list[ActFit] = []
        enough = -9.0
        for tried, claim in enumerate(claims):
            if claim.told < enough:
                continue
            for spans, listed, left in islice(self._filled(claim), _MOST_FILLS):
                sentence = MatchedMessage(replace(self.turn, reader=self.turn.reader.of(listed)), spans)
                reading = claim.act.plan(sentence)
                if reading is None or not is_possible(reading):
                    continue
                reading = sentence.accounted(reading)
                if not claim.pattern.anchors:
                    asking = (at for at in sorted(claim.words) if self.keys[at] not in claim.act.words)
                    left = [*(self.turn.reader.tokens[at].text for at in asking), *left]
                rest = () if reading.refuses else (*self._unasked(claim, reading), *reading.rest, *left)
                weak = reading.weak or self._only_tells(claim.act, reading) or self._runs_on(sentence)
                weak = weak or self.tells_first
                unknown = () if reading.refuses else reading.unknown
                rest = tuple(dict.fromkeys(rest))
                reading = replace(reading, act=claim.act.name, rest=rest, unknown=unknown, weak=weak)
                papers = next((selection for _, selection in sentence.selections), None)
                cost = _cost(reading, claim.told) + 0.001 * tried
                found.append(ActFit(claim.act, reading, cost, papers, claim.words))
                if reading.is_whole and reading.understood and not reading.weak:
                    enough = max(enough, claim.told)
        return sorted(found, key=lambda fit: fit.cost)

    def _unasked(self, claim: Claim, reading: MessagePlan) -> Sequence[str]:
        """Return the words that ask for a change, if an act makes none: "give it a like", read as a list."""
        if CHANGING & {step.tool for step in reading.calls}:
            return ()
        changes = (claim for claim in self.claims if claim.pattern.mood == "!" and claim.act.name in changing_acts())
        strong = next((claim.words for claim in changes if claim.told >= _STRONG), frozenset[int]())
        if claim.act is LIST and strong:
            return [self.keys[at] for at in sorted(strong)]
        verb, behind = (*self.keys[self.opening : self.opening + 2], "", "")[:2]
        orders = verb in verbs_of_changes() - FILLERS - COUNT.words and behind in _ARTICLES | _REFERRING
        shown = {"query"} if self.opening in claim.words else _SHOWS  # "tag all but the first" counts no tags
        shows = claim.pattern.mood != "!" and bool(reading.calls) and reading.calls[-1].tool in shown
        return [verb] if orders and shows else ()

    @cached_property
    def tells_first(self) -> bool:
        """Whether the person tells something before a question: "I have an hour, what should I read?"."""
        keys = self.keys
        behind = (keys[at] for at in range(self.opening + 2, self.end) if keys[at - 1] in _MARKS)
        return keys[self.opening] in _SUBJECTS and not INTERROGATIVES.isdisjoint(behind)

    def _runs_on(self, sentence: MatchedMessage) -> bool:
        """Whether the words of a subject go on behind a mark with what the person tells, other than a condition."""
        reader = sentence.turn.reader
        for start, end in (sentence.span(slot) for slot in sentence.texts & {"papers", "topic"}):
            for at in range(start + 1, end):
                if reader.keys[at] in _SUBJECTS and reader.keys[at - 1] in _MARKS:
                    told = reader.chunk(at)
                    if told is None or told.end < last_word(reader.keys[:end]) or not has_conditions(told.alone):
                        return True
        return False

    def _only_tells(self, act: Act, reading: MessagePlan) -> bool:
        """Whether a clause read as a list tells or asks something: "I have read both", "the first, is it older?"."""
        if act is not LIST:
            return False
        behind = zip(self.keys, self.keys[1:], self.keys[2:], strict=False)
        asks = any(
            mark and not any(map(str.isalnum, mark)) and verb in _AUXILIARIES and subject in _REFERRING | _SUBJECTS
            for mark, verb, subject in behind
        )
        lists = reading.calls[-1:] and reading.calls[-1].tool == "list"
        return asks or (bool(lists) and not self.asks and self.keys[self.opening] in _SUBJECTS)

    # Slots

    def can_fill(self, claim: Claim) -> bool:
        """Whether the clause has a value for each slot of a pattern."""
        return next(self._filled(claim), None) is not None

    def _filled(self, claim: Claim) -> Iterator[tuple[dict[str, tuple[int, int]], list[Token], list[str]]]:
        """Yield the ways to fill slots: their spans in the words reordered by slot, these words, and the others."""
        tokens, pattern, claimed = self.turn.reader.tokens, claim.pattern, claim.words
        texts = [slot for slot in _IN_ORDER if slot in pattern.slots]
        bare = pattern.mood == "!" and len(pattern.anchors) > 1
        for fills in islice(self._assigned(texts, claimed, {}, bare), _MOST_FILLS):
            used = {*claimed, *(at for span in fills.values() for at in span)}
            rest = self._objects(used)
            for parts in self._parted(pattern.slots, rest, used):
                listed: list[Token] = []
                spans: dict[str, tuple[int, int]] = {}
                for slot, positions in [*parts.items(), *fills.items()]:
                    spans["tags" if slot == "known" else slot] = (len(listed), len(listed) + len(positions))
                    listed += [tokens[at] for at in positions]
                if not parts and pattern.anchors and self._chooses([tokens[at] for at in rest]):
                    continue
                held = {at for positions in parts.values() for at in positions}
                left = [tokens[at].text for at in rest if at not in held and self._says(at)]
                yield {slot: span for slot, span in spans.items() if span[0] < span[1]}, listed, left

    def _chooses(self, tokens: Sequence[Token]) -> bool:
        """Whether words choose papers by more than by having been mentioned."""
        selection = self.turn.reader.of(tokens).read(0, len(tokens))
        return bool(selection.given or selection.also or selection.order or {*selection.names} - {"@it"})

    def _says(self, at: int) -> bool:
        token = self.turn.reader.tokens[at]
        return self.turn.reader.has_meaning(token) and token.key not in NOUNS and token.key not in _JOINTS

    def _objects(self, used: Collection[int]) -> list[int]:
        """Return the words that were not used, without courtesies, and without prepositions and marks beside words that
        were; none if no word refers to anything."""
        tokens, keys = self.turn.reader.tokens, self.turn.reader.keys
        if not used:
            return list(range(self.opening, self.end))
        used = {*used}
        for at in sorted(used, reverse=True):
            before = at - 1
            while before >= self.opening and before not in used and keys[before] in _ARTICLES - {"that"}:
                before -= 1
            if before < at - 1:
                used.update(range(before + (before < self.opening or keys[before] not in _BETWEEN), at))
        for at in sorted(used):  # "is retracted or has missing data"
            behind = at + 1
            while behind < self.end and behind not in used and keys[behind] in _JOINTS | _AUXILIARIES:
                behind += 1
            if behind in used and "or" in keys[at + 1 : behind]:
                used.update(range(at + 1, behind))
        rest = [at for at in range(self.opening, self.end) if at not in used]
        rest = [
            at
            for at in rest
            if not (tokens[at].key in _BETWEEN and (at - 1 in used or (at + 1 in used and tokens[at].key != "by")))
        ]
        while rest and (
            (tokens[rest[-1]].key in _BETWEEN and not keys[rest[-1] - 1].isdigit())
            or not any(map(str.isalnum, tokens[rest[-1]].key))
        ):
            rest.pop()
        while rest and (
            tokens[rest[0]].key in _BETWEEN - {"by", "in", "from", "on", "about"}
            or (tokens[rest[0]].key not in FIRST_NUMBERS and not any(map(str.isalnum, tokens[rest[0]].key)))
        ):
            rest.pop(0)
        refers = any(tokens[at].key not in FILLERS or tokens[at].key in _REFERRING or tokens[at].quoted for at in rest)
        return rest if refers else []

    def _parted(self, slots: Collection[str], rest: list[int], used: Collection[int]) -> Iterator[dict[str, list[int]]]:
        """Yield the ways to share the words left between the slots for papers and texts."""
        keys = self.turn.reader.keys
        second = next((slot for slot in ("more", "other") if slot in slots), "paper" if {*slots} >= _PAPERS else "")
        whole = next((slot for slot in _WHOLE if slot in slots), "")
        first = next((slot for slot in ("papers", "paper") if slot in slots and slot != second), whole)
        if first == "papers" and whole:  # "summarize the first with a focus on costs"
            last = max(used, default=0)
            yield {first: [at for at in rest if at < last], whole: [at for at in rest if at > last]}
            return
        if first == "taste":  # "I mostly like open data"
            rest = [at for at in rest if at > min(used, default=0)]
        if not second:
            yield {first: rest} if first else {}
            return
        for index, position in enumerate(rest):
            if keys[position] in _JOINTS and 0 < index < len(rest) - 1:
                yield {first: rest[:index], second: rest[index + 1 :]}
        for index in range(1, len(rest)):
            if rest[index] - rest[index - 1] > 1:
                yield {first: rest[:index], second: rest[index:]}
        if second == "paper" and first != "papers":
            yield {second: rest}

    def _assigned(
        self, slots: Sequence[str], claimed: Collection[int], fills: Mapping[str, range], bare: bool
    ) -> Iterator[dict[str, range]]:
        """Yield the ways to give each slot a span of its own. With `bare`, a text needs no word that introduces it."""
        if not slots:
            yield dict(fills)
            return
        if slots[0] == "n" and not any(number_at(self.keys, at) for at in range(self.start, self.end)):
            yield from self._assigned(slots[1:], claimed, fills, bare)
            return
        taken = {*claimed, *(at for span in fills.values() for at in span)}
        for span in dict.fromkeys(self._values(slots[0], taken, bare)):
            says = any(map(str.isalnum, "".join(self.turn.reader.keys[span.start : span.stop])))
            if says and taken.isdisjoint(span) and span.stop <= self.end:
                yield from self._assigned(slots[1:], claimed, {**fills, slots[0]: span}, bare)

    def _values(self, slot: str, taken: Collection[int], bare: bool) -> Iterator[range]:
        """Yield the spans that may be the value of a slot, the likeliest first."""
        turn, tokens, keys = self.turn, self.turn.reader.tokens, self.turn.reader.keys
        named = bool(taken)
        every = range(self.start, self.end)
        if slot in ("text", "quote", "new", "known"):
            yield from (range(at, at + 1) for at in every if tokens[at].quoted)
        match slot:
            case "format":
                for at in every:
                    # "in Nature style", not "in Nature"
                    says = format_of(keys[at]) or (keys[at] in STYLES and keys[at + 1 : at + 2] == ["style"])
                    if says and keys[at - 1] not in _BEFORE_SUBJECTS and (named or keys[at] != "text"):
                        yield range(at, at + 1 + (at + 1 < self.end and format_of(keys[at + 1]) != ""))
            case "n":
                yield from (range(at, number[1]) for at in every if (number := number_at(keys, at)))
            case "kind":
                yield from (
                    range(at, at + 1) for at in every if keys[at].startswith(KINDS) and keys[at - 1] not in _SUBJECTS
                )
            case "source":
                live = turn.context.resources.live
                yield from (range(at, at + 1) for at in every if keys[at] in live or keys[at] in OTHER_SOURCES)
            case "text":
                begins = [at + 1 for at in every if keys[at] == ":" and self.start < at < self.end - 1]
                begins += [at + 1 for at in every if keys[at] in _SAYING and self.start < at < self.end - 1]
                begins += [at + 1 for at in every if bare and keys[at] in _TURNING and self.start < at < self.end - 1]
                yield from (range(begin, self.end) for begin in begins)
                verb = min(taken, default=self.start) + 1
                ends = [at for at in every if bare and keys[at] in _INTO and verb < at < max(taken, default=0)]
                yield from (range(verb, end) for end in ends)  # "add ask Ann to my note on the first"
                first = max(taken, default=self.start) + 1
                if bare and first < self.end:
                    yield range(first, self.end)
            case "known":
                for at in every:
                    tag = turn.names.tag_at(tokens[: self.end], at) if at not in taken else None
                    limits = keys[at - 1] in _TAGGED and at - 1 not in taken  # "the papers tagged thesis"
                    if tag and not limits and not self._describes(at, tag[1]):
                        yield range(at, tag[1])
            case "new":
                yield from self._labelled(taken)
                begins = [
                    at + 1
                    for at in every
                    if keys[at] in ("to", "into", "as", "with", "for", "by", "called", "under", "in")
                ]
                for begin in reversed(begins):
                    yield from self._run(begin, taken)
                yield from self._last(taken)
            case "tags":
                yield from self._labelled(taken)
                for at in every:
                    if keys[at] in _INTRODUCING:
                        yield from self._run(at + 1, taken)
                for at in every:
                    tag = turn.names.tag_at(tokens[: self.end], at) if at not in taken else None
                    labels = at > self.start and keys[at - 1] in LABELS and at - 1 in self.verbs["!"]  # "tag thesis"
                    if tag and not labels and not self._describes(at, tag[1]):
                        yield range(at, tag[1])
                yield from (range(at, at + 1) for at in every if tokens[at].quoted)
                yield from self._last(taken)

    def _describes(self, start: int, end: int) -> bool:
        """Whether words are part of what papers are about: "the lead paint study", "the one about fish growth"."""
        keys = self.turn.reader.keys
        while end < self.end and self._is_described(end):
            end += 1
        while start > self.start and self._is_described(start - 1):
            start -= 1
        about = start > self.start and keys[start - 1] in _BEFORE_SUBJECTS
        return about or (end < self.end and keys[end] in NOUNS)

    def _is_described(self, at: int) -> bool:
        return self._says(at) and self.turn.reader.is_subject(self.turn.reader.tokens[at])

    def _labelled(self, taken: Collection[int]) -> Iterator[range]:
        """Yield the words behind and before a word for tags."""
        keys = self.turn.reader.keys
        for at in range(self.start, self.end):
            if keys[at] in LABELS and at not in self.verbs["!"]:
                yield from self._run(at + 1, taken)
                before = 1 + (at > self.start + 1 and self._is_name_part(at - 2, taken))
                if at > self.start and self._is_name_part(at - 1, taken):
                    yield range(at - before, at)

    def _run(self, begin: int, taken: Collection[int]) -> Iterator[range]:
        """Yield the words behind `begin` that may be tags: "seminar", "grid and storage"."""
        keys = self.turn.reader.keys
        while begin < self.end and keys[begin] in _BEFORE_TAGS:
            begin += 1
        if begin < self.end and self.turn.reader.tokens[begin].quoted and begin not in taken:
            yield range(begin, begin + 1)
            return
        end = begin
        while (
            end < self.end
            and end - begin < 2 * _MOST_TAG
            and (
                self._is_name_part(end, taken)
                or (keys[end] in JOINING and end > begin and end + 1 < self.end and self._is_name_part(end + 1, taken))
            )
        ):
            end += 1
        if end > begin:
            yield range(begin, end)
            if end - begin > 1:
                yield range(begin, begin + 1)

    def _last(self, taken: Collection[int]) -> Iterator[range]:
        """Yield the last word: "tag it seminar"."""
        at, keys = self.end - 1, self.turn.reader.keys
        while at > self.start and keys[at] not in NOUNS and (at in taken or not self._is_name_part(at, ())):
            at -= 1
        before = keys[at - 1]
        if (
            at - 1 > self.start
            and keys[at] not in NOUNS
            and (before in NOUNS or before in _REFERRING or self._is_name_part(at - 1, taken))
        ):
            yield range(at, at + 1)

    @cached_property
    def _whole_titles(self) -> Collection[int]:
        """The places of words inside whole titles that are longer than a tag."""
        titles = (title for title in self.turn.reader.titles if title.whole and title.end - title.start > _MOST_TAG)
        return {at for title in titles for at in range(title.start, title.end)}

    def _is_name_part(self, at: int, taken: Collection[int]) -> bool:
        token = self.turn.reader.tokens[at]
        return (
            at not in taken
            and at not in self._whole_titles
            and not token.quoted
            and token.key not in FILLERS | NOUNS | JOINING | NEGATIONS
            and any(map(str.isalnum, token.key))
        )


_IN_ORDER = ("format", "known", "text", "quote", "tags", "new", "n", "kind", "source")
"""The slots of values, in the order in which they are filled."""
OTHER_SOURCES = frozenset(
    "pubmed arxiv openalex crossref dblp europepmc semanticscholar googlescholar scholar datacite google"
    " scopus webofscience core".split()
)
"""Names of sources that people mention, including sources that cannot be asked here."""


@lru_cache(maxsize=1)
def _patterns() -> Sequence[tuple[Act, Pattern]]:
    return [(act, pattern) for act in ACTS for pattern in act.patterns]


@lru_cache(maxsize=1)
def _order_phrases() -> frozenset[tuple[str, ...]]:
    """Return the first two words of verbs such as "do away with"."""
    verbs = (row.anchors[0] for _, row in _patterns() if row.mood == "!")
    return frozenset(phrase[:2] for verb in verbs for phrase in verb.phrases if ".." not in phrase[:2])


def _cost(reading: MessagePlan, told: float) -> float:
    """Return what a reading leaves unexplained, less a little for the words that ask for its act."""
    left = sum(FUNCTION if folded(word) in STOP_WORDS else 1.0 for word in reading.rest) + 2 * len(reading.unknown)
    asks = not reading.understood and not reading.refuses
    lacking = (3 if reading.options else 5) * asks
    return 4 * left + lacking + reading.weak - min(told, 3)


def is_possible(reading: MessagePlan) -> bool:
    """Whether the tool accepts the conditions of a reading."""
    try:
        for call in reading.calls:
            if call.tool == "filter":
                FILTER.read(call.arguments)
    except ToolError:
        return False
    return True
