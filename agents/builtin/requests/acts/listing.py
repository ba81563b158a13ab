"""The list that is there: another part of it, only some of it, or the one before."""

import re

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import known_names_in, number_of
from agents.builtin.requests.scene import Reading, Scene, plan, step

MOST = 100


def _undo(slots: Slots, scene: Scene) -> Reading:
    return plan(step("undo"), step("list"))


def _part(scene: Scene, first: int, limit: int | None) -> Reading | None:
    if scene.candidates is None or first < 1:
        return None
    return plan(step("list", first=first if first > 1 else None, limit=min(max(limit, 1), MOST) if limit else None))


def _next(slots: Slots, scene: Scene) -> Reading | None:
    return _part(scene, scene.last_place + 1, number_of(slots["n"]) if "n" in slots else None)


def _previous(slots: Slots, scene: Scene) -> Reading | None:
    return _part(scene, max(scene.last_place - 2 * scene.shown, 0) + 1, scene.shown)


def _rest(slots: Slots, scene: Scene) -> Reading | None:
    return _part(scene, scene.last_place + 1, max((scene.candidates or 0) - scene.last_place, 1))


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


def _take(slots: Slots, scene: Scene) -> Reading | None:
    names = known_names_in(slots["papers"], scene)
    return plan(step("take", papers=list(names)), step("list")) if names else None


_ONLY = "(only|alone|from now on|for now|and (no others|nothing else|none else)|for the moment|as candidates|please)"
LISTING = (
    Rule(Phrases("""
        undo/revert [that|this|it|the last one|the last|what you did] [again]
        [go|step|get|take me|bring me] back [a step|one step|up]
        (undo|revert|cancel|drop|remove|forget|take back|lift) [the|that|this|my] (last|previous|latest) [{change}]
        (undo|revert|cancel|take back|lift) [the|that|this|my] [last] {change}
        go back [to] [the|what] [list|results|selection|papers|ones|one|i had|it was|we had] [from] [before] [that]
            [last]
        (back|return|restore) to (the|what) (previous|last|earlier|old|larger|bigger|original) [list|results|
            selection|papers|ones]
        (never mind|forget) (that|the last|this) [one|filter|condition|step]
        (take|bring|put) (that|it|them) back
        (restore|return to|back to) the (list|results|papers) [from|as they were|of] [before]
        (as|like) [it was] before
        without that [filter|condition|restriction|last condition]
        (scratch|strike) that
        [show me|give me] [the] (list|results|ones|papers) [from|as|we had|i had|you had] [it was] before [that|
            this]
        [no] [i] [want|show me] the (previous|earlier) (list|results|selection|papers|ones) [back|again]
        one step back
        that was wrong go back
        no [please] go back
        restore the (previous|last|earlier|old) (list|results|selection)
    """), _undo),
    Rule(Phrases("""
        [and] [{show}] [the] (next|further|following) [<n:number>] [{papers}] [of {these}] [{now}]
        [and] [{show}] [me] (<n:number>|some|a few) more [{papers}] [of {these}] [{now}]
        [and] [{show}] [me] more [{papers}] [of {these}] [{now}]
        [and] [{show}] another <n:number> [{papers}]
        (keep going|continue|go on|page down|next page|more|scroll down|what else|the next page|carry on|any more|
            are there more|more results)
    """), _next),
    Rule(Phrases("""
        [{show}] [the] (previous|preceding|last) page
        page up
        [{show}] the previous <n:number> [{papers}]
    """),
         _previous),
    Rule(Phrases("""
        [{show}] [me] [all] the (rest|remaining|others|remainder) [{papers}] [of {these}]
        [{show}] [all] the remaining ones
    """), _rest),
    Rule(Phrases("""
        [only|just] [{show}] [only|just] [the] (first|top) <n:number> [{papers}] [of {these}] [{now}]
        [only|just] [{show}] [only|just] [me] <n:number> [{papers}] of {these} [{now}]
        [only|just] the (top|first) <n:number> [{now}]
    """), _first),
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
        (consider|take|use|look at|let us (look at|take|consider|talk about|focus on|work with|go with|keep|use)|
            focus on|work with|start from|start with|keep|pick|choose|select|stick to|stick with|narrow [it|them]
            down to|limit [yourself|it|them] to|go with|continue with|concentrate on|just look at|only look at|talk
            about|i want to (look at|work with|focus on)|restrict yourself to|reduce [it|them] to|just|only) [only|
            just] [at] [(these|the) [papers|two|three|four] :] <papers> [{_ONLY}]
        (only|just) <papers> [{_ONLY}]
        [now] <papers> (only|alone) [{_ONLY}]
    """), _take),
)  # fmt: skip
