"""Read a message: choose the act that leaves the fewest words unexplained, handle follow-ups, otherwise ask back."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import combinations, islice
from typing import NamedTuple

from agents.builtin.ranking.word_vectors import is_common
from agents.builtin.text.terms import terms
from agents.reading.acts.act import ActFit, no_papers
from agents.reading.acts.likely import LikelyAct, likely_acts
from agents.reading.acts.lists import CHANGING, COUNT, LIST, counted_apart
from agents.reading.acts.table import ACTS
from agents.reading.acts.talk import small_talk_reply
from agents.reading.asking_back import UnclearMessage, asked_back, asked_between
from agents.reading.choosing import MessageContext, found_by, has_conditions, one_paper
from agents.reading.cues import ASKING, COURTESIES, FILLERS, INTERROGATIVES, NEGATIONS, NOUNS, cue_words
from agents.reading.follow_ups import NO_LIST, agrees, followed_up, narrows, refuses, same_of_another, which_was_meant
from agents.reading.follow_ups import corrected as corrected_calls
from agents.reading.frames import MessageClause
from agents.reading.names import LibraryNames
from agents.reading.numbers import NUMBERS
from agents.reading.questions import answered_by_papers, asks_of_texts, is_of_cited_paper, question_begin
from agents.reading.reader import MessageReader
from agents.reading.reading import MessagePlan, Option, ToolCall, call, paper_named
from agents.reading.spelling import corrected, parted
from agents.reading.tokens import SENTENCE_ENDS, last_word, tokens_of, written
from agents.tools.tool import PAGE, ToolContext
from cache.store import PaperId

_JOINING = frozenset({"and", "but", "so", "because", "then", "as", "though", "plus", "also", "since", "while"})
_BEGINNING = INTERROGATIVES | frozenset(
    "i we you it that they please then also just tell give show let my he she there this".split()
)
"""Words with which a clause begins behind "and"."""
_PREPOSITIONS = frozenset("from in at on by with for to of under".split())
_SHOWING = frozenset({("give", "me"), ("show", "me"), ("tell", "me"), ("find", "me"), ("let", "me"), ("get", "me")})
_MOST_BOUNDS, _MOST_READ = 6, 10
_MOST_EFFORT, _MOST_AGAIN = 220, 190
"""Number of words read, again and again, from which on no further clause, and no other message, is tried."""
_LIKELY = 0.05
"""Minimum probability of an act that is offered without its words, and of one that is not doubted."""
_SURE = 0.85
"""Minimum probability of an act to ask back whether it is meant instead of the one that was read."""
_ASK = "question"
"""The act of asking what papers say."""
_MOST_LEFT = 1
"""Maximum number of words that the other act may leave over."""
_DROPPED = 100
"""What it costs to leave a word of the library in an aside, beside other words."""
_WISHES = frozenset("want need wish like prefer".split())
_REFERRING = frozenset("it this that them these those".split())
_LEAST_ASIDE = 3
"""Minimum number of words of an aside."""


TWO_THINGS = "That asks for two things."
ONE_REQUEST = "Is all of this one request?"


def read_message(turn: MessageContext) -> MessagePlan:
    """Return the reading of a message, or a question back if a word is left over or no act matches. A plan tells which
    words were taken for misspelt."""
    reading = _read(turn)
    if _changes_everything(reading, turn) and turn.said.isdisjoint(_EVERY):
        return no_papers()
    slips = (f"“{slip}” as “{word}”" for slip, word in turn.slips if reading.understood and reading.calls)
    return replace(reading, taken=tuple(dict.fromkeys((*slips, *reading.taken))))


_EVERY = frozenset("all every everything each whole entire".split())
"""Words without which no change is of the whole library."""


def _changes_everything(reading: MessagePlan, turn: MessageContext) -> bool:
    """Whether a reading changes papers that no step, and no list before, has chosen from the library."""
    if reading.onward and turn.context.candidates is not None:
        return False
    for step in reading.calls:
        if step.tool in CHANGING and "@all" in step.arguments.get("papers", ()):
            return True
        if step.tool in _CHOOSING - {"rank"} and step.arguments.keys() - {"except_papers"}:
            return False
    return False


def _read(turn: MessageContext) -> MessagePlan:
    end = len(turn.reader.keys)
    if not any(map(str.isalnum, "".join(turn.reader.keys))):
        return MessagePlan(reply="Say what you would like to know or do.", understood=False)
    if (talk := small_talk(turn)) is not None:
        return talk
    if (request := _behind_small_talk(turn)) is not None:
        return read_message(request)
    if agrees(turn.message):
        return MessagePlan(reply="No change is waiting for a yes. Nothing was done.", understood=False)
    if refuses(turn.message) and not turn.pending:
        return MessagePlan(reply="Nothing was done.")
    if (settled := which_was_meant(turn)) is not None:
        return settled
    fits = MessageClause(turn, 0, end).fits()
    best = fits[0].reading if fits else MessagePlan(understood=False)
    if turn.failed is not None and best.is_whole and narrows(turn):
        before = tuple(call for call in turn.failed if call.tool == "filter")
        options = (*[Option("{}", (*before, *best.calls))] * bool(before), Option("{}", best.calls, best.onward))
        return MessagePlan(reply=NO_LIST, understood=False, options=options)
    if best.act == LIST.name and best.weak and (parted := _in_parts(turn)) is not None:
        return parted
    if best.act == LIST.name or best.weak or not (best.is_whole and best.understood):
        followed = followed_up(turn)
        if followed is not None and followed.is_whole:
            return followed
    if best.is_whole and (again := _asks_again(turn, fits[0])) is not None:
        if best.act in (COUNT.name, LIST.name) and not any(map(turn.reader.has_meaning, turn.reader.tokens[again:])):
            return best if best.act == LIST.name else replace(best, calls=(*best.calls, ToolCall("list")))
        if (parted := _in_parts(turn)) is not None:
            return parted
        best = replace(best, calls=(), understood=False, options=(), reply=TWO_THINGS)
    sentences = not SENTENCE_ENDS.isdisjoint(turn.reader.keys[: last_word(turn.reader.keys)])
    changes = best.is_whole and any(step.tool in CHANGING for step in best.calls)
    acts = best.is_whole and any(step.tool in CHANGING | {"export"} for step in best.calls)
    openings = (MessageClause(turn, begin, end).opening for _, begin in _bounds(turn)) if acts else ()
    noted = acts and best.calls[-1].tool == "note" and ":" in turn.reader.keys  # what follows is the note
    orders = [at for at in openings if turn.reader.keys[at] in order_verbs() and not noted]
    if (orders or (changes and sentences)) and (parted := _in_parts(turn)) is not None:
        return parted  # the text of a note may end before the message does, "mark it read and list the others"
    if orders and best.calls[-1].tool not in ("note", "tag") and not fits[0].words.issuperset(orders):
        best = replace(best, calls=(), understood=False, options=(), reply=TWO_THINGS)
        changes = False
    if changes and (gapped := _gapped(turn, best)) is not None:
        return gapped
    if changes and sentences:
        options = (Option("{}", best.calls, best.onward),)
        return replace(best, calls=(), understood=False, reply=ONE_REQUEST, options=options)
    unclear = any(map(_is_it, best.calls)) and not turn.has_it
    clear = best.is_whole and best.understood  # the model of acts takes time to load
    begin = question_begin(turn, iter(_question_starts(turn, end)))
    if begin is None and not clear and _asks_surely(turn):
        begin = MessageClause(turn, 0, end).opening
    divides = not turn.retried and (begin is None or not is_of_cited_paper(turn))
    if (unclear or best.weak or not best.is_whole) and divides and (parted := _in_parts(turn)) is not None:
        return parted
    if best.options and not best.understood and not (best.rest or best.refuses):
        return best
    lists = best.act in (LIST.name, COUNT.name)
    if best.weak and best.is_whole and begin and not lists and MessageClause(turn, 0, end).tells_first:
        best = replace(best, understood=False, options=(), reply=ONE_REQUEST)
    compared = next((fit.reading for fit in fits if fit.act.name.startswith("against:")), None)
    if compared is not None and not best.is_whole:  # "is BERT older than ELMo?" is no question to texts
        best, answered = compared, None
    else:
        bare = asks_of_texts(turn, best, begin) if begin is not None else []
        sure = (not clear or bool(bare)) and _asks_surely(turn)
        answered = answered_by_papers(turn, best, begin, bare, sure=sure)
        best = replace(best, rest=tuple(dict.fromkeys((*best.rest, *bare))))
    meant = answered or best
    if meant.refuses:
        return meant
    if meant.is_whole and meant.understood:
        about_it = any(map(_is_it, meant.calls)) and not turn.has_it
        if about_it and turn.shown:
            return _about_it(meant, turn)
        if not about_it:
            return meant if turn.retried or answered is not None else _doubted(turn, meant, fits) or meant
        best = no_papers()
    likely = likely_acts(turn.reader)
    if not turn.retried and turn.names.effort <= _MOST_AGAIN:
        guesses = [*_guesses(turn, {kind for share, kind in likely.values() if share >= _LIKELY})]
        if (plain := _of_whole_library(turn, guesses, likely)) is not None:
            return plain
        fits = [*fits, *guesses]
    clauses = () if turn.retried else sorted({*_clauses(turn)}, key=len, reverse=True)
    return asked_back(UnclearMessage(turn, fits, likely, clauses, lambda message: _again(turn, message)), best)


def _asks_surely(turn: MessageContext) -> bool:
    """Whether a message by its words surely asks what papers say."""
    return likely_acts(turn.reader)[_ASK].share >= _SURE


def _asks_again(turn: MessageContext, fit: ActFit) -> int | None:
    """Return where a message asks for a second thing, "how many are unread, and which is the oldest?": the place behind
    an interrogative that no word of the act accounts for. None if it does not."""
    keys = turn.reader.keys
    if fit.act is COUNT and keys[MessageClause(turn, 0, len(keys)).opening] in _SHOWS:
        return len(keys)  # "list the papers by Lee and tell me how many there are"
    begins = (begin for _, begin in _bounds(turn) if keys[begin - 1] in _APART)
    asking = ASKING | _SHOWS if fit.act is COUNT else ASKING
    return next((begin + 1 for begin in begins if keys[begin] in asking and begin not in fit.words), None)


_SHOWS = frozenset({"list", "show"})
"""Verbs that ask for a list."""


def _clauses(turn: MessageContext) -> Iterator[str]:
    """Yield the runs of whole clauses, inside a sentence, that have at least a third of a message."""
    tokens, keys = turn.reader.tokens, turn.reader.keys
    bounds = [(0, 0), *islice(_bounds(turn), _MOST_BOUNDS), (len(tokens), len(tokens))]
    for (_, start), (end, _) in combinations(bounds, 2):
        inside = keys[start : last_word(keys[:end])]
        if inside and SENTENCE_ENDS.isdisjoint(inside) and len(inside) < last_word(keys):
            text = turn.message[tokens[start].start : tokens[start + len(inside) - 1].end]
            yield from [text] * (len(text) > len(turn.message) / 3)


def _guesses(turn: MessageContext, kinds: Collection[str]) -> Iterator[ActFit]:
    """Yield how the message may ask for the acts of these names."""
    clause = MessageClause(turn, 0, len(turn.reader.keys))
    for act in (act for act in (LIST, *ACTS) if act.name in kinds):
        yield from clause.guesses(act)


def _of_whole_library(
    turn: MessageContext, guesses: Sequence[ActFit], likely: Mapping[str, LikelyAct]
) -> MessagePlan | None:
    """Return the reading of a message that by its words surely asks for an act without papers or other values, such as
    help, and names none; None if there is no such act, or it changes something. Everyday words that are left over are
    named as no part of the request."""
    share, kind = max(likely.values())
    if share < _SURE or kind in (LIST.name, COUNT.name):
        return None
    selection = turn.reader.read(0, len(turn.reader.keys))
    if has_conditions(selection) or selection.names or selection.order or selection.count or selection.unknown:
        return None
    plans = (fit.reading for fit in guesses if fit.act.name == kind and fit.reading.understood)
    for plan in sorted(plans, key=lambda plan: -len(plan.rest)):  # words left over are rather no value of the act
        does = bool(plan.calls or plan.reply) and not any(step.tool in CHANGING for step in plan.calls)
        everyday = (all(map(is_common, terms(word))) and not turn.names.is_subject(word) for word in plan.rest)
        if does and all(everyday):
            left = tuple(f"“{word}” as no part of the request" for word in plan.rest)
            return replace(plan, rest=(), taken=(*plan.taken, *left))
    return None


def _doubted(turn: MessageContext, meant: MessagePlan, fits: Sequence[ActFit]) -> MessagePlan | None:
    """Ask back whether a message means what was read, if by its words another act is far likelier; None if not."""
    if not meant.calls:
        return None
    act = "alike" if any(step.tool == "resemble" for step in meant.calls) else meant.act
    changes = any(step.tool in CHANGING for step in meant.calls)
    for by_meaning in (True,) if changes else (False, True):  # mostly, words alone agree
        likely = likely_acts(turn.reader, by_meaning=by_meaning)
        share, kind = max(likely.values())
        if share < _SURE or act not in likely or likely[act].share >= _LIKELY:
            return None
    others = [*(fit for fit in fits if likely.get(fit.act.name) == (share, kind)), *_guesses(turn, {kind})]
    if kind == LIST.name and (followed := followed_up(turn)) is not None and followed.is_whole:
        others.append(ActFit(LIST, followed, 0.0))  # "now drop the ones I have read"
    own = next((fit for fit in fits if fit.reading is meant), None)
    explaining = [fit for fit in others if len(fit.reading.rest) <= _MOST_LEFT]
    return asked_between(turn, meant, own, explaining, likely)


def _question_starts(turn: MessageContext, end: int) -> list[int]:
    """Return where a question may begin: behind courtesies and "tell me"."""
    at = MessageClause(turn, 0, end).opening
    return [at, at + 2] if turn.reader.keys[at : at + 2] == ["tell", "me"] and at + 2 < end else [at]


def _again(turn: MessageContext, message: str) -> MessagePlan:
    """Return the reading of another message, unless reading this one has taken much effort."""
    if turn.names.effort > _MOST_AGAIN:
        return MessagePlan(understood=False)
    return read_message(turn_of_words(turn, message))


def small_talk(turn: MessageContext, end: int | None = None) -> MessagePlan | None:
    """Return the reply to small talk such as thanks and greetings, in the words up to `end`; None for others."""
    reply = small_talk_reply(turn.reader.keys[:end])
    return MessagePlan(reply=reply) if reply else None


def _behind_small_talk(turn: MessageContext) -> MessageContext | None:
    """Return the context of the request behind a greeting or thanks: "Good morning! Which are unread?"; None if the
    message does not begin so."""
    keys = turn.reader.keys
    end = next((at for at, key in enumerate(keys) if not any(map(str.isalnum, key))), 0)
    if not end or small_talk(turn, end) is None:
        return None
    other = turn_of_words(turn, turn.message[turn.reader.tokens[end].end :].lstrip())
    return replace(other, retried=turn.retried) if any(map(str.isalnum, "".join(other.reader.keys))) else None


def _about_it(reading: MessagePlan, turn: MessageContext) -> MessagePlan:
    """Ask which of the papers shown last "it" means."""
    numbers = turn.context.shown[:5]
    titles = turn.names.titles(numbers)
    options = (
        Option(f"“{title}”", tuple(_renamed(step, [f"#{number}"]) for step in reading.calls), reading.onward)
        for number, title in zip(numbers, titles, strict=False)
    )
    reply = f"That could mean each of the {turn.shown} papers shown last."
    return replace(reading, understood=False, calls=(), reply=reply, options=tuple(options))


def _is_it(call: ToolCall) -> bool:
    return "@it" in (*call.arguments.get("papers", ()), call.arguments.get("paper"))


# Several clauses


def _in_parts(turn: MessageContext) -> MessagePlan | None:
    """Return the readings of a message of several clauses, one after the other: "save it and tag it thesis". Clauses
    that ask for nothing and name nothing of the library are asides; the answer says so. None unless every other clause
    is understood."""
    end = len(turn.reader.keys)
    bounds = [(0, 0), *islice(_bounds(turn), _MOST_BOUNDS), (end, end)]
    best: list[ClauseProgress | None] = [ClauseProgress(), *[None] * (len(bounds) - 1)]
    read = 0
    for last in range(1, len(bounds)):
        for first in reversed(range(last)):
            before, whole = best[first], first == 0 and last == len(bounds) - 1
            inner = turn.reader.keys[bounds[first][1] : bounds[last][0]]
            if (
                before is None
                or whole
                or not SENTENCE_ENDS.isdisjoint(inner[: last_word(inner)])
                or read >= _MOST_READ
                or turn.names.effort > _MOST_EFFORT
            ):
                continue
            read += 1
            after = _extended(turn, before, bounds[first][1], bounds[last][0])
            known = best[last]
            if after is not None and (known is None or after.cost < known.cost):
                best[last] = after
                if after.cost < _DROPPED and after.plan is not None:
                    break
    done = best[-1]
    if done is None or done.plan is None or done.plan.act == _TOPIC:
        return None
    return replace(done.plan, taken=(*done.plan.taken, *done.asides))


class ClauseProgress(NamedTuple):
    """The plan of the first clauses of a message, their asides, and what was left out, in words."""

    plan: MessagePlan | None = None
    asides: tuple[str, ...] = ()
    cost: int = 0


def _bounds(turn: MessageContext) -> Iterator[tuple[int, int]]:
    """Yield where a clause may end and where the next one may begin."""
    keys, at = turn.reader.keys, 1
    verbs = order_verbs()
    while at < len(keys) - 1:
        begin = at
        while begin < len(keys) and not any(map(str.isalnum, keys[begin])) and not turn.reader.tokens[begin].quoted:
            begin += 1
        marked = begin > at
        while begin < len(keys) and keys[begin] in _JOINING | {"then", "also"}:
            begin += 1
        if begin >= len(keys):
            return
        asks = keys[begin] in _PREPOSITIONS and begin + 1 < len(keys) and keys[begin + 1] in INTERROGATIVES
        orders = keys[begin] in verbs and keys[begin - 1] != "as"
        facts = keys[begin - 1] == "and" and keys[begin] in turn.reader.own - FILLERS - NOUNS  # "year and journal"
        if begin > at and (marked or asks or orders or facts or keys[begin] in _BEGINNING):
            yield at, begin
        elif begin == at and tuple(keys[at : at + 2]) in _SHOWING:
            yield at, at
        at = max(begin, at + 1)


def _gapped(turn: MessageContext, whole: MessagePlan) -> MessagePlan | None:
    """Return the changes of a message whose second clause lacks the verb: "tag the first energy and the second
    water"; None if it is not one clause for each of two papers."""
    tokens, opening = turn.reader.tokens, MessageClause(turn, 0, len(turn.reader.keys)).opening
    if turn.retried or whole.calls[-1].tool not in ("tag", "mark", "note"):
        return None
    for at in (at for at in range(opening + 2, len(tokens) - 2) if turn.reader.keys[at] == "and"):
        texts = (turn.message[: tokens[at].start], f"{tokens[opening].text} {turn.message[tokens[at].end :]}")
        first, second = (_again(turn, text) for text in texts)
        steps = (first.calls[-1:], second.calls[-1:])
        if all(part.is_whole and part.understood and len(part.calls) == 1 for part in (first, second)):
            given = [step.arguments for (step,) in steps]
            if steps[0][0].tool == steps[1][0].tool and all(given[0][name] != given[1].get(name) for name in given[0]):
                return replace(first, calls=(*first.calls, *second.calls), taken=(*first.taken, *second.taken))
    return None


def _extended(turn: MessageContext, before: ClauseProgress, start: int, end: int) -> ClauseProgress | None:
    """Return the progress behind one more clause; None if it is not understood."""
    plan = before.plan
    if plan is not None and (calls := corrected_calls(turn, start, end, plan.calls)):
        return before._replace(plan=replace(plan, calls=calls))
    clause = MessageClause(turn if plan is None else _after(turn, plan), start, end)
    aside = _aside(clause, plan)
    if aside is None:
        fits = clause.fits()
        reading = fits[0].reading if fits else None
        same = plan is not None and (reading is None or reading.act in (LIST.name, COUNT.name))
        if plan is not None and same and (calls := same_of_another(turn, start, end, plan.calls)):
            return before._replace(plan=replace(plan, calls=(*plan.calls, *calls)))
        if reading and reading.is_whole and reading.understood and reading.calls and not reading.weak:
            if plan is None and reading.act == LIST.name and (topic := _topic(clause)) is not None:
                return before._replace(plan=topic)
            if plan is None and reading.calls[0] == ToolCall("filter") and reading.act == LIST.name and turn.has_it:
                return before._replace(asides=(*before.asides, _no_part(turn, start, end)))  # "lovely paper, …"
            joined = reading if plan is None else _joined(turn, plan, reading, start, end)
            if joined is None and plan is not None and plan.calls[-1].tool in CHANGING and _says_state(reading):
                joined = plan  # "mark it unrated, no rating at all"
            return before._replace(plan=joined) if joined is not None else None
    if plan is None and (topic := _topic(clause)) is not None:
        return before._replace(plan=topic)
    if aside is None:
        return None
    cost = before.cost + end - start + _DROPPED * sum(map(turn.names.is_held, aside.split()))
    return ClauseProgress(plan, (*before.asides, *([_no_part(turn, start, end)] if aside else [])), cost)


def _no_part(turn: MessageContext, start: int, end: int) -> str:
    """Return what an answer says of an aside."""
    return f"“{written(turn.reader.tokens[start:end])}” as no part of the request"


def _says_state(reading: MessagePlan) -> bool:
    """Whether a clause only names a state of papers."""
    given = {name for call in reading.calls if call.tool == "filter" for name in call.arguments}
    states = {"rating", "without_rating", "read", "saved", "tagged", "noted"}
    return reading.act == LIST.name and bool(given) and given <= states


_TOPIC = "topic"
_NAMING = frozenset("words any_words title_words authors any_authors venues types since until".split())
"""Conditions by which a paper is named."""


def _topic(clause: MessageClause) -> MessagePlan | None:
    """Return the one paper that a clause names, for a request behind it: "the bee study was great, …"; None if it names
    none, or asks something."""
    reader = clause.turn.reader
    selection = reader.read(clause.start, clause.end, one=True)
    if clause.asks or not (selection.definite or selection.names or selection.single):
        return None
    if any(claim.told > 1 and claim.pattern.mood in ("", "!") for claim in clause.claims):
        return None
    given = {name: value for name, value in selection.given.items() if name in _NAMING}
    paper = one_paper(replace(selection, given=given, also=[], rest=[], unknown=[]), clause.turn)
    if not paper.name or paper.calls or paper.name == "@it":
        return None
    text = written(reader.tokens[clause.start : clause.end])
    return MessagePlan(_TOPIC, (call("paper", paper=paper.name),), True, taken=(f"“{text}” as the paper meant",))


def _aside(clause: MessageClause, plan: MessagePlan | None) -> str | None:
    """Return the words of a clause that is an aside, "" if they say nothing; None if it may be a request, or names
    papers."""
    reader, start, end, turn_names = clause.turn.reader, clause.start, clause.end, clause.turn.names
    words = [at for at in range(start, end) if any(map(str.isalnum, reader.keys[at]))]
    if clause.asks or not ASKING.isdisjoint(reader.keys[start : start + 2]):
        return None
    if plan is not None and plan.calls[-1].tool in CHANGING and reader.keys[start] in NEGATIONS:
        corrects = not {"mean", "meant", "sorry"}.isdisjoint(reader.keys[start:end])
        return None if corrects else ""  # "not the others"
    orders = (claim for claim in clause.claims if claim.told >= 1 and claim.pattern.mood == "!")
    if any(map(clause.can_fill, orders)):
        return None
    fits = (fit.reading for fit in (clause.fits() if clause.claims else ()) if fit.act is not LIST)
    if any(reading.is_whole and (reading.understood or reading.refuses) for reading in fits):
        return None
    selection = reader.read(start, end)
    given = selection.given.keys() - {"words"}
    names = [name for name in selection.names if name != "@it"]
    if given or selection.also or names or selection.among or selection.order or selection.count or selection.like:
        return None
    if any(turn_names.is_name(reader.keys[at]) for at in words):
        return None
    says = [at for at in words if reader.has_meaning(reader.tokens[at]) and reader.keys[at] not in NOUNS]
    known = " ".join(selection.given.get("words", ())).split()
    if not says:
        begins = reader.keys[clause.opening] in order_verbs()  # "then look them up"
        return None if selection.rest or begins else ""  # "from these, …" needs papers before
    if not _WISHES.isdisjoint(reader.keys[start : clause.opening]) and reader.keys[clause.opening] not in _REFERRING:
        return None  # "I want the part on costs", not "I need it for class"
    asks = any(reader.keys[at] in reader.own for at in words)
    opens = plan is None and asks and reader.keys[end : end + 1] == ["but"]  # "random question but …"
    least = _LEAST_ASIDE - (reader.keys[start] in _PREPOSITIONS)  # "for consistency, …"
    tells = plan is not None and reader.keys[clause.opening] in ("i", "we")  # "I have two minutes before the clinic"
    if (len(known) * 2 > len(says) and not tells) or not (opens or least <= len(words) != len(says)):
        return None
    return written(reader.tokens[start:end])


_NO_PAPER = PaperId(0)
"""Stands for a paper that only the steps of a clause before find."""


def _after(turn: MessageContext, first: MessagePlan) -> MessageContext:
    """Return the context of a request behind another one: "it" or "them" can mean the papers of the first."""
    before = (*turn.before, *first.calls)
    if paper_named(first.calls) not in ("", "@all"):
        context = turn.context if turn.has_it else replace(turn.context, focus=_NO_PAPER)
        context = (
            context if turn.shown else replace(context, shown=(_NO_PAPER,))
        )  # "mark the study read and tag them all"
        return replace(turn, context=context, after=first.calls[-1].tool)
    if turn.shown or first.calls[-1].tool not in {*CHANGING, "list", "summarize", "filter"}:
        return replace(turn, after=first.calls[-1].tool, before=before)
    several, reader = found_by(first.calls, turn) or [_NO_PAPER] * 2, turn.reader.of(turn.reader.tokens)
    reader.shown, reader.has_candidates = len(several[:PAGE]), True
    context = replace(turn.context, shown=tuple(several[:PAGE]), candidates=tuple(several))
    return replace(turn, reader=reader, context=context, after=first.calls[-1].tool)


_APART = frozenset({"and", "then", "also", ".", "?", "!", ";"})
"""Words and marks before a clause that asks for something else."""
_CHOOSING = frozenset({"filter", "rank", "take", "resemble"})
"""Tools that choose papers for later steps."""


def _joined(turn: MessageContext, first: MessagePlan, second: MessagePlan, start: int, end: int) -> MessagePlan | None:
    """Join two readings; "them" in the second means the papers of the first. None if the second names other papers
    than the first that it narrows."""
    listed = first.calls[-1].tool == "list"
    if first.act == second.act == COUNT.name and not second.onward:
        counts = counted_apart((first.calls, second.calls), turn)
        return replace(first, calls=(counts,)) if counts else None
    if listed and any(call.arguments.get("paper") == "@it" for call in second.calls):
        return None  # "it" could be any paper of the list
    refers = any(name in str(second.calls) for name in ("@it", "@shown", "@all"))
    taken = (*first.taken, *second.taken)
    chosen_by = (second if listed else first).calls
    apart = turn.reader.keys[start - 1] in _APART and _CHOOSING.isdisjoint(call.tool for call in chosen_by)
    narrows_it = second.onward and second.act == LIST.name
    if apart and not refers and not narrows_it and (listed or first.calls[-1].tool in CHANGING):
        return MessagePlan(second.act, (*first.calls, *second.calls), first.onward and second.onward, taken=taken)
    if second.act == LIST.name:
        selection = turn.reader.read(start, end)
        if selection.order and not has_conditions(selection):
            return replace(first, calls=(*(call for call in first.calls if call.tool != "list"), *second.calls))
        return None
    if [call.tool for call in first.calls] == ["paper"] and not first.calls[0].arguments.get("parts"):
        if not any("@it" in str(call.arguments) or "@shown" in str(call.arguments) for call in second.calls):
            return None
        calls: list[ToolCall] = []
    else:
        shows = second.calls and second.calls[-1].tool == "list"
        calls = [call for call in first.calls if not (call.tool == "list" and shows)]
        if listed and second.calls[0].tool in ("filter", "take"):
            return None
    named = first.calls[-1].arguments
    names = named.get("papers") or ([named["paper"]] if "paper" in named else None)
    if listed and named:
        names = ["@shown"]  # "list the three newest and tag them"
    later = list(second.calls)
    if not _CHOOSING.isdisjoint(call.tool for call in first.calls):
        later = [_renamed(call, ["@all"] if names is None else names) for call in later]
    elif names is not None:
        later = [_renamed(call, names) for call in later]
    begun = [call.arguments.get("papers") for call in calls if call.tool == "summarize"]
    later = [
        call
        for call in later
        if call not in calls and (call.tool != "summarize" or call.arguments["papers"] not in begun)
    ]
    saved, tagged = calls[-1:], later[:1]
    if saved and tagged and (saved[0].tool, tagged[0].tool) == ("save", "tag") and tagged[0].arguments.get("add"):
        tags = [*saved[0].arguments.get("tags", ()), *tagged[0].arguments["add"]]
        calls, later = [*calls[:-1], ToolCall("save", {**saved[0].arguments, "tags": tags})], later[1:]
    return MessagePlan(act=second.act, calls=(*calls, *later), onward=first.onward, taken=taken)


def _renamed(call: ToolCall, names: Sequence[str]) -> ToolCall:
    """Replace "them" or "it" in a step with these names."""
    given = dict(call.arguments)
    if "papers" in given:
        before = ([*names] if name in ("@shown", "@it", "@all") else [name] for name in given["papers"])
        given["papers"] = [name for named in before for name in named]
    if given.get("paper") in ("@it", "@shown") and len(names) == 1:
        given["paper"] = names[0]
    return ToolCall(call.tool, given)


# The words of the table

SUBJECTS_TOO = frozenset(
    "data review reviews search searches test tests research learning deep query online study work".split()
)
"""Words of acts that are often subjects of papers too."""


@lru_cache(maxsize=1)
def order_verbs() -> frozenset[str]:
    """Return the words with which an order begins."""
    return frozenset(word for act in ACTS for row in act.patterns if row.mood == "!" for word in row.anchors[0].firsts)


@lru_cache(maxsize=1)
def own_words() -> frozenset[str]:
    """Return all words that the reader itself understands.

    If such a word is left over, the message asks for more than was understood. It is not a subject unless a cue
    introduces it.
    """
    courtesies = {word for words in COURTESIES for word in words} | INTERROGATIVES | NUMBERS.keys()
    return (
        frozenset(word for act in ACTS for word in act.words) | cue_words() | courtesies | FILLERS | NEGATIONS
    ) - SUBJECTS_TOO


# The context of a message


def turn_of(
    message: str,
    context: ToolContext,
    today: date,
    before: Sequence[ToolCall] = (),
    *,
    before_onward: bool = False,
    pending: Sequence[ToolCall] = (),
    offered: Sequence[str] = (),
    failed: tuple[ToolCall, ...] | None = None,
) -> MessageContext:
    """Return the context of `message`; see `MessageContext` for `before`, `pending`, `offered` and `failed`."""
    names = LibraryNames(context.store)
    reader = MessageReader(
        tokens_of(message),
        names,
        today,
        shown=len(offered) or len(context.shown),
        focus=context.focus,
        candidates=context.candidates is not None,
        own=own_words(),
    )
    reader = reader.of(parted(reader))
    words = corrected(reader)
    pairs = zip(reader.tokens, words, strict=True)
    return MessageContext(
        message, reader.of(words), names, context, tuple(before), before_onward, tuple(pending), tuple(offered),
        failed=failed, slips=tuple((token.text, word.text) for token, word in pairs if token.key != word.key),
    )  # fmt: skip


def turn_of_words(turn: MessageContext, message: str) -> MessageContext:
    """Return the same context for another message, which is read without asking back again."""
    reader = turn.reader.of(tokens_of(message))
    reader = reader.of(parted(reader))
    return replace(turn, message=message, reader=reader.of(corrected(reader)), retried=True)
