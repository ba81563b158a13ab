"""The list that is there: another part of it, only some of it, or the one before."""

import re
from dataclasses import replace

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.facts.sql import MOST_NUMBERS, clauses_of
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import ALL, SHOWN, known_names_in, number_of
from agents.builtin.requests.scene import Call, Other, Reading, Scene, plan, step

MOST = 100
"""Papers that are shown at once at most."""
MOST_TAKEN = 500
"""Papers that are named one by one at most."""
NOTHING_LISTED = "Nothing was listed yet; ask for some papers first."


def _undo(slots: Slots, scene: Scene) -> Reading:
    steps = number_of(slots["n"]) if "n" in slots else 1
    return plan(*[step("undo")] * min(steps, 5), step("list"))


def _drop_last(slots: Slots, scene: Scene) -> Reading | None:
    """Without the last paper of the list; it may be the last choice that is to be taken back."""
    if scene.shown < 2 or (reading := _drop({"papers": "the last one"}, scene)) is None:
        return None
    return reading._replace(others=(Other((step("undo"), step("list")), True),))


def _part(scene: Scene, first: int, limit: int | None) -> Reading | None:
    if scene.candidates is None or first < 1:
        return None
    return plan(step("list", first=first if first > 1 else None, limit=min(max(limit, 1), MOST) if limit else None))


def _next(slots: Slots, scene: Scene) -> Reading | None:
    if scene.candidates is None:
        return Reading(reply=NOTHING_LISTED)
    return _part(scene, scene.last_place + 1, number_of(slots["n"]) if "n" in slots else None)


def _previous(slots: Slots, scene: Scene) -> Reading | None:
    """The page before; the first where none is."""
    size = number_of(slots["n"]) if "n" in slots else scene.shown
    return _part(scene, max(scene.last_place - scene.shown - size, 0) + 1, size)


def _begin(slots: Slots, scene: Scene) -> Reading | None:
    return _part(scene, 1, None)


def _rest(slots: Slots, scene: Scene) -> Reading | None:
    if scene.candidates is None:
        return Reading(reply=NOTHING_LISTED)
    return _part(scene, scene.last_place + 1, max(scene.candidates - scene.last_place, 1))


def _others(slots: Slots, scene: Scene) -> Reading | None:
    """Those that were not shown; beside one that was looked at, those shown with it are meant."""
    return None if scene.looked else _rest(slots, scene)


def _reverse(slots: Slots, scene: Scene) -> Reading | None:
    """The other way round: the opposite order where there is one, else the same papers from the last to the first."""
    if scene.candidates is None:
        return Reading(reply=NOTHING_LISTED)
    if scene.order in _OPPOSITE:
        return plan(step("rank", by=_OPPOSITE[scene.order]), step("list"))
    if not 0 < len(scene.numbers) <= MOST_TAKEN:
        return None
    return plan(step("take", papers=[f"#{number}" for number in reversed(scene.numbers)]), step("list"))


_OPPOSITE = {"newest": "oldest", "oldest": "newest", "citations": "fewest_citations", "fewest_citations": "citations"}


def _drop(slots: Slots, scene: Scene) -> Reading | None:
    """Without the papers that are pointed at: where all are in view the others, else all candidates but those."""
    if scene.candidates is None:
        return None
    names = known_names_in(slots["papers"], scene, every=True)
    if not names or names[0] in (SHOWN, ALL):
        return None
    shown = [f"@{place}" for place in range(1, scene.shown + 1)]
    if (scene.candidates == scene.shown or scene.is_excerpt) and set(names) < set(shown):
        return plan(step("take", papers=[place for place in shown if place not in names]), step("list"))
    return plan(step("filter", except_papers=list(names)), step("list"))


def _add(slots: Slots, scene: Scene) -> Reading | None:
    """The papers under consideration, and others with them: named ones, or such as are told by what they are like."""
    if scene.candidates is None:
        return None
    slot = slots["papers"]
    if names := known_names_in(slot, scene, every=True):
        return plan(step("take", papers=["@all", *names]), step("list"))
    choice = read_choice(slot, replace(scene, candidates=None))
    clauses = clauses_of(choice)
    if not clauses or choice.is_soft or len(scene.numbers) > MOST_NUMBERS:
        return None
    these = f"id IN ({', '.join(map(str, scene.numbers))})"
    sql = f"SELECT id AS paper, title FROM papers WHERE {these} OR ({' AND '.join(clauses)}) ORDER BY {these} DESC, id"
    return plan(step("query", sql=sql))


_NO_ADDITION = Phrases(
    "<:any> my shelf [<:text>]",
    "[all] [the] (rest|others|remaining [ones]|other ones) [<:text>]",
    "(the|a) (tag|tags|label|note) <:text>",
    "(only|just|since|not) <:text>",
)


def _union(slots: Slots, scene: Scene) -> Reading | None:
    """What is added outright: papers that are told by what they are like only where "those" or "papers" says so."""
    slot = slots["papers"]
    if _NO_ADDITION.match(slot) is not None:
        return None
    told = slot.lower().startswith(("those", "the ", "papers", "everything", "all ", "his", "her")) or " papers" in slot
    return _add(slots, scene) if told or known_names_in(slot, scene, every=True) else None


def _first(slots: Slots, scene: Scene) -> Reading | None:
    return _part(scene, 1, number_of(slots["n"]))


def _last(slots: Slots, scene: Scene) -> Reading | None:
    count = number_of(slots["n"])
    return _part(scene, max((scene.candidates or 0) - count, 0) + 1, count)


def _all(slots: Slots, scene: Scene) -> Reading | None:
    return _part(scene, 1, scene.candidates)


def _again(slots: Slots, scene: Scene) -> Reading | None:
    return _part(scene, 1, number_of(slots["n"]) if "n" in slots else None)


def _range(slots: Slots, scene: Scene) -> Reading | None:
    first, last = map(
        int, re.findall(r"[0-9]+", slots["range"]) if "range" in slots else (slots["first"], slots["last"])
    )
    return _part(scene, first, last - first + 1) if first <= last else None


def _half(slots: Slots, scene: Scene) -> Reading | None:
    """The first or the second half of the papers under consideration."""
    if not 1 < len(scene.numbers) <= MOST_TAKEN:
        return None
    middle = (len(scene.numbers) + 1) // 2
    numbers = scene.numbers[middle:] if slots["half"].lower() in ("second", "last", "lower", "bottom") else None
    return plan(step("take", papers=[f"#{n}" for n in numbers or scene.numbers[:middle]]), step("list"))


def _take(slots: Slots, scene: Scene) -> Reading | None:
    slot, order = _ordered(slots["papers"], scene)
    names = known_names_in(slot, scene)
    return plan(step("take", papers=list(names)), *order, step("list")) if names else None


def _ordered(slot: str, scene: Scene) -> tuple[str, list[Call]]:
    """A slot without the order that is told behind it, and the step of that: "BERT and ELECTRA, the newest first"."""
    head, _, tail = slot.rpartition(",")
    choice = read_choice(tail, scene)
    if not head or not choice.order or choice.conditions or choice.is_soft or known_names_in(tail, scene):
        return slot, []
    return head, choice.calls()


_ONLY = (
    "(only|alone|from (here|now|this point) (on|onwards)|from here|going forward|for the rest|[and] (forget|drop|ignore"
    "|leave out|skip|lose|discard|remove|delete|hide|ditch|throw (out|away)|get rid of|kick out) [all] (the|all)"
    " (others|rest|other (ones|papers))|from now on|for now|and (no others|nothing else|none else)"
    "|for the moment|as candidates|in (view|the list|play|scope)|and (leave|drop) everything else|please)"
)
_BACK = "(undo/revert/cancel/drop/remove/forget/lift/discard/reset/scrap|take back|roll back|get rid of|throw out)"
_STEP = "(last|previous|latest|most recent|very last) [one|thing|{change}]"
_AS_BEFORE = (
    "(the|what|that|those) (previous|last|earlier|old|larger|bigger|longer|original|prior|full|former|preceding)"
    " [list|results|selection|papers|ones|set|state|lot]"
)
_BEFORE = (
    "(list|results|selection|set|papers|ones|one|lot|state) [(that|which|as) (i|we|you|they|it) (had|was|were|showed)]"
)
_DROP = (
    "(drop|remove|exclude|leave out|leave off|throw out|get rid of|discard|skip|kick out|filter out|ditch|forget"
    "|forget about|take away|chuck out|chuck|take out|cross out|strike|lose|eliminate|delete|omit|ignore|cut|without"
    "|not|no)"
)
_OUT = "[from|off|out of] [the list|here|{these}|it|this list|the results]"
_AND_KEEP = (
    "[[and|but] [only|just] [keep|leave|show|take|retain|hold on to] [me] [only|just] [all] [the|all] [of]"
    " (rest|others|other (ones|papers)|remaining ones)]"
)
_ADD = "(add|include|append|throw in|put in|bring in|mix in)"
_TO_THEM = "[to|with|into|in] [{these}|it|the list|this list|the mix|this|that]"
LISTING = (
    Rule(Phrases("""
        (drop/remove/discard/exclude|get rid of|throw out|leave out) (the|that) [very] last (one|paper|entry|item)
    """), _drop_last),
    Rule(Phrases("""
        [please|no] (undo|take back|revert|roll back|go back|step back|back) [the|my|by] [last|previous] <n:number>
            [last|previous]
            (steps|times|changes|filters|conditions|moves|turns|restrictions)
        <n:number> (steps|times) back
    """), _undo),
    Rule(Phrases(f"""
        undo/revert [that|this|it|the last one|the last|what you did|everything you just did] [again]
        [go|step|get|take me|bring me|move] back [a step|one step|one|up|once|once more|a bit|again]
        {_BACK} [the|that|this|my|your] {_STEP}
        {_BACK} (the|that|this|my|your) {{change}} [again|please]
        {_BACK} (the|that|this|my|your) <:word> {{change}}
        {_BACK} (the|that|this|my|your) [<:word>] (ordering|sorting|narrowing|order)
        (take|put|roll|bring|turn) (it|that|them|this|the|that|your|my) [{_STEP}|{{change}}] back [again]
        go back [to] [the|what] [list|results|selection|papers|ones|one|i had|it was|we had] [from] [before] [that]
            [last]
        [go|get|take me|bring me|return|switch|revert|restore|give me|show me|i want|let us go] [back] [to]
            {_AS_BEFORE} [again|back|please]
        [that|this] [is|was|are|leaves] (too (few|many|narrow|strict|little|much)|not what i (wanted|meant)|wrong)
            [go back|undo (it|that)|back]
        (the|that) [list|selection|one|ones] before (that|this|it) [was better]
        (the|that) (list|selection) before was better
        what (did we have|was there|did i have|did you show|were we looking at) before [that|this|it]
        (forget|drop|remove|undo|lift|skip) (the|that|this) (year/years|date/dates|time|author|venue|tag|citation|type)
            (thing|bit|part|limit|bound|business) [again]
        [go|get|take me|bring me|return|switch|revert|restore|give me|show me|let us go] [back] [to]
            (the|what|that|those) [we had|i had|you showed|there was] [{_BEFORE}]
            [from|as|as they were|as it was|of] before [that|this|the last one|the last step|it|{{change}}]
        [go|get|take me|bring me|return|switch|revert] back to (how|what|where|the way) (it was|we were|i was|they
            were|things
            were|i had|we had|was there) [before]
        (never mind|forget) (that|the last|this) [one|filter|condition|step]
        (as|like|how) [it was] before
        [correction/unwanted|not wanted] [:] (the|that|this|my|your) {_STEP} [please] [is|was] [to be]
            (reverted/undone/withdrawn/removed/lifted/dropped/cancelled/canceled/revert/undo/withdraw/remove/lift/drop/cancel
            |taken back|take back|rolled back|roll back|taken off)
            [please]
        [the|that|this|my|your] {_STEP} [:] (withdrawn/reverted/undone/removed/lifted/dropped/cancelled|taken back
            |to be reverted) [back to] [{_AS_BEFORE}]
        (undo|revert|roll back|take back|cancel) what (we|i|you) [have] [just] (did|done|asked|said|changed)
        [go|return|get|take me|bring me|switch] [back] to (how|what|where|the way|as) [it|we|i|things|they]
            [was|were|had]
            (one|a) step (earlier|before|ago|back)
        (one|a) step (earlier|before)
        (that|this|the last|my last) {{change}} (was|is) (wrong|a mistake|too (strict|narrow)|not what i (wanted|meant)
            |an error|an accident|accidental) [so|and] [please]
            [remove/drop/undo/revert/cancel/lift|take back|get rid of] [it|that] [again]
        i would (rather|like to|prefer to) (have|see|get) {_AS_BEFORE} [again|back]
        without that [filter|condition|restriction|last condition]
        without (the|that|this|my) {_STEP} [to be (reverted|undone|withdrawn)]
        (scratch|strike|scrap|forget) that [last] [one|{{change}}]
        [show me|give me] [the] (list|results|ones|papers) [from|as|we had|i had|you had] [it was] before [that|
            this]
        (one|a) step back
        (that|this) was (wrong|a mistake|not what i (wanted|meant)) [go back|undo] [that|it]
        [no] [please] go back
        i (did not mean|take back) (that|it) [one]
        (bring|get|put) back (the ones|those|what|everything|the papers|them) [<:text>]
        (bring|get|put) (them|those|it|everything|the others) back [again]
    """), _undo),
    Rule(Phrases("""
        reverse/invert/flip/turn [it|that|this|them|these|the (order|list|sorting|ranking|results)]
            [around|round|over|please]
        [in] [the] (reverse|opposite|other|reversed|inverse) (order|direction|way|sequence)
        [show|list|sort|order|rank|put|turn|give] [me] [{these}|it] [in|the] [the] (other way [a]round|reverse
            [order]|reversed
            [order]|opposite order|other direction|opposite direction|other way|opposite way)
        [the|and] other way round/around
        [just] the (opposite|reverse)
        [from] (back to front|bottom to top|last to first|end to beginning)
        backwards/reversed
        upside down
    """), _reverse),
    Rule(Phrases("""
        [and] [{show}] [the] (next|further|following) [<n:number>] [{papers}] [of {these}] [{now}]
        [and] [{show}] [me] (<n:number>|some|a few) more [{papers}] [of {these}] [{now}]
        [and] [{show}] [me] more [{papers}] [of {these}] [{now}]
        [and] [{show}] another <n:number> [{papers}]
        [and] [{show}] [the] [next] <n:number> [{papers}] (after|following) (that|these|those|them|this)
        [and] [{show}] the <n:number> following [{papers}]
        [and] [{show}] [the] (following|next) <n:number> [{papers}] [only|please]
        [and] [{show}] the <n:number> [{papers}] [that|which] (follow|come next|come after|follow next)
            [that|these|them]
        [and] [{show}] [{papers}] (that|which) (follow|come next|come after) [that|these|them]
        [{show}|what is on] [me] [the] next page
        (keep going|continue|go on|page down|next page|more|scroll down|what else|the next page|carry on|any more|
            are there more|more results)
    """), _next),
    Rule(Phrases("""
        [{show}|back to|go back to|go to] [the] (previous|preceding|last) page
        page up
        [{show}|back to|go back to] [the] (previous|preceding) <n:number> [{papers}] [again]
        [{show}] the <n:number> [{papers}] before [that|these|those|them]
    """),
         _previous),
    Rule(Phrases("""
        [{show}|back to|go back to|go to|again] [the] (first page|beginning|start|top) [of the list|again] [please]
        (start|begin) (at|from) the (top|beginning|first) [of the list|again|one]
        [back] to the top [of the list]
    """), _begin),
    Rule(Phrases("""
        [{show}] [me] [all] the (rest|remaining|others|remainder) [{papers}] [of {these}]
        [{show}] [all] [the] remaining (ones|{papers})
        [{show}] [me] (everything|all) [that is|that are] (else|left)
    """), _rest),
    Rule(Phrases("""
        [and] [what about] [{show}] [me] [all] the other (ones|{papers}) [too]
        [and] the others [too]
        (what are|which are|and) the others
    """), _others),
    Rule(Phrases(f"""
        {_DROP} <papers> {_OUT} {_AND_KEEP}
        [only|just] [keep|show|leave|take|with] [me] [all] [but] not <papers> {_AND_KEEP}
        [only|just] [keep|show|leave|take|give|continue with|go on with|use|consider] [me]
            (all|everything|{{these}}|all of {{these}}|the whole list|the (others|rest|list|remainder|remaining ones)
            |the other (ones|papers)) (but|except|except for|excluding|besides|without|minus|apart from|other than
            |save for|bar|not|but not|not counting) <papers>
        <papers> (is|are|should be|can be|may be|can|may|should|must) (out|dropped|left out|removed|excluded|go)
            [from the list|from here]
        i do not (need|want) <papers> {_AND_KEEP}
        <papers> [please] [you|we] [please] (take away|remove|drop|leave out|throw out|omit|delete|discard|take out)
            [please]
    """), _drop),
    Rule(Phrases("""
        [only|just] [{show}] [only|just] [the] (first|top) <n:number> [{papers}] [of {these}] [{now}]
        [only|just] [{show}] [only|just] [me] <n:number> [{papers}] of {these} [{now}]
        [only|just] the (top|first) <n:number> [{now}]
    """), _first),
    Rule(Phrases("""
        [only|just] [{show}|keep|take|leave] [me] [only|just] the <half:half> half [of (it|{these}|the list)]
    """), _half),
    Rule(Phrases("""
        [only|just] [{show}] [only|just] [the] last <n:number> [{papers}] [of {these}|of the list]
    """), _last),
    Rule(Phrases("""
        [{show}] (all|everything|the whole list|the full list|the complete list|them all|all of {these})
    """), _all),
    Rule(Phrases("""
        [{show}] ({these}|the (list|results) [again]|the current list) [again|now|here]
        [{show}] <n:number> [of them]
        [{show}] what we have [now|so far]
        (list|show|display) [again]
    """), _again),
    Rule(Phrases("""
        [{show}] [{papers}|numbers|number|the] <first:digits> (to|through|until) <last:digits>
        [{show}] [{papers}|numbers|number] <range:range>
    """), _range),
    Rule(Phrases(f"""
        [from now on|for now|from here on|from here|going forward] (consider|take|use|look at|look|compare|let us (look
            at|take|consider|talk about|focus on|work with|go with|keep|use)|
            focus on|work with|start from|start with|keep|pick|choose|select|stick to|stick
            with|(narrow|cut|trim|shorten|boil|pare|whittle) [it|them|this|the list|these|those] [down] to|limit
            [yourself|it|them|this] to|go with|continue with|concentrate on|just look at|only look at|talk
            about|(talk|speak|think|care) about|bother with|i want to (look at|work with|focus on|talk
            about|discuss|compare|consider|see only|keep)|i (only|just)
            (care about|want|need|am interested
            in|mean)|restrict [yourself|it|them|this] to|reduce [it|them] to|let us compare|just|only)
            [only|just] [at|to] [only|just|nothing but|nothing except|none but|no others than]
            [(these|the) [papers|two|three|four] :] <papers> [{_ONLY}]
        [from now on|for now|from here on|from here] (only|just) <papers> [{_ONLY}]
        [now] <papers> (only|alone) [{_ONLY}]
        [and|now] [{{show}}] [me] (only|just|merely) <papers> [{_ONLY}]
        (of|from|among|out of) {{these}} [only|just|merely|i want|i only want|i need|keep|we keep] <papers> [{_ONLY}]
    """), _take),
)  # fmt: skip
ADDING = (
    Rule(
        Phrases(f"""
        [and] [now|then] {_ADD} [also] <papers> {_TO_THEM} [too|as well|also]
        (also|plus|and also|together with|along with|as well as) [{_ADD}] [with] <papers> [too|as well|also]
        (combine|merge|join|unite|extend|complete|enlarge|mix|union) [{{these}}|it|the list|this|this list]
            (with|by|and|
            of|plus) <papers>
        {{these}} (plus|together with|along with|and also|and) <papers>
        (put|throw|bring|get|take) <papers> (in|into|to) [{{these}}|it|the list|this list|the mix] [too|as well|also]
        (include|show) [me] <papers> (too|as well|also|in addition)
        <papers> (too|as well|in addition)
    """),
        _union,
    ),
)
"""Read before the courtesies are taken off: "also" and "too" say that it is an addition."""
