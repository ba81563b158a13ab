"""What to read next."""

import re

from agents.builtin.requests.acts.rule import Rule, first_reading
from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.in_any_order.runs import recommendation_wanted
from agents.builtin.requests.meant import Meant, described
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import ALL, known_names_in, names_in, number_of
from agents.builtin.requests.scene import Reading, Scene, plan, step


def _limit(slots: Slots) -> int | None:
    said = slots.get("n") or slots.get("m")
    return number_of(said) if said else None


def _next(slots: Slots, scene: Scene) -> Reading:
    return plan(step("recommend", limit=_limit(slots)), onward=False)


def _first_of_these(slots: Slots, scene: Scene) -> Reading | None:
    """Of the papers that were spoken of, the one that fits the person best."""
    if scene.candidates is None:
        return None
    return plan(step("rank", by="preference"), step("list"))


def _from_tag(slots: Slots, scene: Scene) -> Reading:
    said = slots["tag"].strip("\"'")
    tag = next((tag for tag in scene.tags if tag.casefold() == said.casefold()), said)
    return plan(step("recommend", tag=tag, limit=_limit(slots)), onward=False)


def _from_tagged(slots: Slots, scene: Scene) -> Reading | None:
    """From the papers that are tagged so; several tags name no one of them."""
    return _from_tag(slots, scene) if slots["tag"].strip("\"'") else None


def _from_own_tag(slots: Slots, scene: Scene) -> Reading | None:
    known = slots["tag"].strip("\"'").casefold() in {tag.casefold() for tag in scene.tags}
    return _from_tag(slots, scene) if known else None


_NEW_TO_ME = re.compile(
    r",?\s+(?:that|which)?\s*(?:i (?:have|did) not|i (?:haven't|didn't)|are not|is not) [^,]*$|,? (?:but|and) not"
    r" (?:yet )?(?:saved|read)$|,? (?:but |and |though )*(?:please )?(?:not|nothing|none|no (?:papers?|ones?|stuff)|no)"
    r"(?: of)?(?: (?:the ones|those|papers|ones|anything|what|which|that))*"
    r" (?:that |which )?(?:(?:is |are )?(?:already |yet )?(?:on|in|from) my (?:own )?(?:shelf|library|list)"
    r"|i(?: have|'ve| already)* (?:already )?(?:saved?|read|seen|have|own|know|got)\b[^,]*)"
    r"(?: already| yet)?$",
    re.IGNORECASE,
)
"""What is recommended is new to the person anyway."""


def _from_papers(slots: Slots, scene: Scene) -> Reading | None:
    slot = slots["papers"]
    if _WHAT_I_LIKE.match(slot) is not None:
        return _next(slots, scene)
    names = known_names_in(slot, scene)
    told = None if names else described(slot, scene)
    if told and set(told.conditions) <= {"tags", "saved"} and len(told.conditions.get("tags", ())) == 1:
        return plan(step("recommend", tag=told.conditions["tags"][0], limit=_limit(slots)), onward=False)
    if told and set(told.conditions) - {"words"}:
        return Meant(tuple(told.calls()), [ALL], told.onward).then("recommend", limit=_limit(slots))
    names = names or names_in(slot, scene)
    return plan(step("recommend", papers=list(names), limit=_limit(slots))) if names else None


def _such(slots: Slots, scene: Scene) -> Reading | None:
    """Those that fit the person best, of papers that are told by what they are like."""
    choice = read_choice(slots["what"], scene)
    if not choice.says_something and described(slots["what"], scene) is None:
        return None
    choice.order = choice.order or "preference"
    return plan(*choice.calls(), step("list", limit=_limit(slots) or choice.limit), onward=choice.onward)


_RECOMMEND = (
    "(recommend/suggest/propose [me]|(got|have you|have you got) [any|some]|(can|could) you recommend|find me"
    "|show me|give me|i (need|want)|what do "
    "you recommend|any|got any|do you have [any])"
)
_THINGS = (
    "([a|some|any|a few|more|new|other|good|interesting|further] [new|good|interesting|other] "
    "(papers/paper/articles/article/things/something/anything/reads/reading/recommendations/recommendation/suggestions/suggestion/ideas/tips/work|"
    ""
    "reading tips|reading suggestions))"
)
_OF_MINE = (
    "(my (history|reading history|reading|taste|shelf|library|profile|interests|saved papers)|what i (read|like|saved|"
    "have read|have saved))"
)
_WHAT_I_LIKE = Phrases(f"""
    {_OF_MINE}
    (what|the ones|the papers|those|everything) [that] i [have] (liked|loved|enjoyed|read)
""")
_FOR_ME = (
    "(for (tonight|today|the weekend|this weekend|tomorrow|this week|next week|the train|the flight|now)|to read"
    "|next|for me|to read next|today|tonight"
    "|tomorrow|this (week/weekend/evening/afternoon/morning)|now"
    "|that (i (might|would|could) like|fit me|suit me|suits me|fits me)|"
    f"(based on|from|given|by|fitting|matching|for) {_OF_MINE}|that (fit|suit|match|go with) {_OF_MINE}|i (should|"
    "could|might like to|might) read [next]|i have not (seen|read) [yet]|worth reading|new to me|i do not know [yet])"
)
_LIKE = (
    "(like|similar to|based on|from|starting from|starting with|given|because of|along the lines of|in the "
    "style of|on the basis of|for someone who likes|that go with|that follow from)"
)
_FITTING = (
    "(from|for|based on|starting from|starting with|given|by|about|on|with|under|using|fitting|matching|like|near"
    "|similar to|close to"
    "|that (fit|fits|suit|suits|match|matches|go with|goes with|follow|are like|is like|resemble)|to go with|because"
    " of|in line with|on the basis of|on the strength of|out of|in view of|taking into account"
    "|along the lines of|building on|around)"
)
_TAGGED_SO = (
    "((what|the ones|those|everything|all|all that|the papers|papers|my papers|all my papers|whatever) [that|which]"
    " [i have|i|are|is|i've]"
    " [already] (tagged|labelled|labeled|filed) [as|with|under] [the tag]|(my|the) (papers|ones|stuff) (with|under)"
    " the tag)"
)
_ANY_RECOMMEND = (
    f"({_RECOMMEND} [me] [<n:number>|a few|some] [{_THINGS} [new|else|good|interesting|fresh]"
    "|[reading] (suggestions|tips|ideas|recommendations)] [to read]"
    " [next]"
    "|[give me|i want|i need|show me] [<m:number>|a few|some|any]"
    " (recommendations/recommendation/suggestions/suggestion|reading tips"
    "|further reading)|[something|anything] (to read|for me) [next])"
)
_RECOMMENDING = (
    Rule(Phrases("""
        (which|what) [one|paper|of {these}|of the (two|three)|ones] (should|shall|would|could) i [better] read
            [first|next]
        (which|what) [one] of {these} (should|shall|would|could) i [better] read [first|next]
        where (should|do) i (start|begin) [reading]
    """), _first_of_these),
    Rule(Phrases(f"""
        (what|which [{{papers}}]|is there anything) (should|could|shall|can|do|would|might|ought) i [to] (read|look
            at|study) [next|now|today|tonight|first|this week|then|this weekend|tomorrow] [<n:number> {_THINGS}]
        what (is|are) (next|worth reading|good to read|worth a read|your recommendations|your recommendation) [to
            read|on my list|for me|now]
        (recommend/suggest/propose) [me] [<n:number>] [{_THINGS}] [{_FOR_ME}] [{_FOR_ME}]
        {_RECOMMEND} [me] [<n:number>|some|any|a few] (recommendations/recommendation/suggestions/suggestion|reading
            tips|reading suggestions) [{_FOR_ME}]
        (something|anything|what) [new|good|interesting] (to read|for me [to read]) [for] [next|now|today|tonight|later]
        what to read [next|now|today|tonight]
        (give|get|find|show|bring) me [something|anything] [new|good|interesting|fresh] to read [next|now|today|tonight]
        what (can|could|should|shall|do) i read
        (any|some|more|new|got any|got|have you any|do you have [any|some])
            (suggestions|recommendations|ideas|tips|reading suggestions|
            reading tips|proposals) [on what to read|what to read|to read|for reading] [next|now|today|tonight] [for]
            [me|tonight|
            today|next|now|this week|the weekend|this weekend|the train|my next read]
        [<n:number>] [reading] (suggestions|recommendations|tips) [please]
        (got|have you|do you have|are there) [any|some] [good|new] [reading] (suggestions|recommendations|tips|ideas)
        [i need|i want|give me] [a|some] (recommendation|suggestion|recommendations|suggestions)
        (help me [to] (decide|choose|pick)|i do not know) what to read [next|now]
        [any|some|more|new|got any|your|have you any|do you have [any|some]] [good|new] reading
            (suggestions/recommendations/ideas/tips/suggestion/recommendation/advice) [{_FOR_ME}] [{_FOR_ME}]
        [any|some|more|new|got any|have you any|do you have [any|some]] [good|new]
            (suggestions/recommendations/tips/ideas) {_FOR_ME} [{_FOR_ME}]
        next reads/read
        [my] [reading] recommendations [for (me|today)]
        {_RECOMMEND} [something|anything|<n:number>] [{_THINGS}] (to read [next]|i should read [next]|that i should
            read [next]|i might like|that i might like|that i would like|i would like)
        what [{{papers}}|new papers|else] (would|might|could) [i] (you recommend|i like|interest me|be (interesting|
            good) for me) [next|to read]
        [<n:number>] {_THINGS} {_FOR_ME} [{_FOR_ME}]
        what (would|do|can|could) you (recommend/suggest/advise) [that] [me|i|i should] [to] [read|look at|study]
            [next|now|today|tonight|first|this (evening|week|weekend|afternoon|morning)|tomorrow|then]
        surprise me
        [what|which] [are|is|would be] [some|a|any] [good|interesting|nice|worthwhile|suitable|fitting|promising]
            {{papers}} (for me [to (read|look at|study)]|to read [for me]|to look at) [next|now|today|tonight]
    """), _next),
    Rule(Phrases(f"""
        {_RECOMMEND} [me] [<n:number>] [{_THINGS}] [to read] (from|for|based on|starting from|starting with|given|
            by|about|on|with|under|using) [my|the] [{{papers}}] (tag|tagged|papers tagged|label) [with|as]
            <tag:word> [{{papers}}]
        {_RECOMMEND} [me] [<n:number>] [{_THINGS}] [to read] (from|for|based on|starting from|starting with|given|
            by|about|on|with|under|using) [my|the] <tag:word> (tag|label|papers tagged|tagged papers)
        [<n:number>] (recommendations/suggestions) (from|for|based on|given|by|on|under) [my|the] (tag|papers
            tagged|label) <tag:word>
        [<n:number>] (recommendations/suggestions) (from|for|based on|given|by|on) [my|the] <tag:word> (tag|papers|
            pile)
        what should i read [next] (from|for|on|under|given|based on) [the|my] (tag|label|papers tagged) <tag:word>
        {_ANY_RECOMMEND} {_FITTING} {_TAGGED_SO} <tag:word> [please]
        {_ANY_RECOMMEND} {_FITTING} [my|the] <tag:word> (tag|label|tagged papers)
        {_ANY_RECOMMEND} {_FITTING} [my|the] (tag|label) <tag:word>
        what (should|could|can|would) i read [next] {_FITTING} {_TAGGED_SO} <tag:word>
        what (should|could|can|would) i read [next] {_FITTING} [my|the] <tag:word> (tag|label)
    """), _from_tagged),
    Rule(Phrases(f"""
        {_RECOMMEND} [me] [<n:number>] [{_THINGS}] [to read] (from|for|based on|starting from|starting with|given|
            by) [my|the] <tag:word> [papers|pile|stuff|reading]
        what should i read [next] (from|for|on|given|based on) [my|the] <tag:word> [papers|pile]
        what (should i|can i|to) read [next] (from|for|on|given|based on|out of) [my|the] <tag:word> [papers|pile]
    """), _from_own_tag),
    Rule(Phrases(f"""
        (recommend/suggest/propose) [me] [<n:number>] [{_THINGS}] {_LIKE} <papers>
        [<n:number>] (recommendations/suggestions) {_LIKE} <papers>
        {_RECOMMEND} [me] [<n:number>] [reading] (recommendations/suggestions/tips/ideas) {_LIKE} <papers>
        what should i read [next|now] (if i (like|liked|enjoyed|loved)|after|given|based on|because i liked)
            <papers>
        if i (like|liked|enjoyed|loved) <papers> what should i read [next]
        what (would|could|might|should) (i|be good to|be worth|be interesting to|one) read [next]
            (after|following|alongside|beside) <papers>
        what (should|could|can|shall|would) i (read|look at|study|try) [next|now|then|else] (given
            that|because|since|as|if|when|now that) i
            [have] [really|just|also] (like|liked|enjoyed|loved|read|finished) <papers>
        what (would|could|might) be (good|worth|interesting|useful) [to read|reading] (after|following|alongside)
            <papers>
        what (next|now|else) after <papers>
        what to read [next|now|then] (after|following|alongside|beside|if i (liked|like|enjoyed)|having read) <papers>
        what [do|should|can|could] [i] read [next|now] (after|following|having read) <papers>
        i (liked|enjoyed|loved) <papers> what [should i read|else should i read|else|next]
        i (saved|have saved|read|have read|liked|like|know) <papers> (recommend/suggest/propose) [me] [<n:number>]
            [{_THINGS}] [{_FOR_ME}]
    """), _from_papers),
)  # fmt: skip
_OF_THE_LIBRARY = (
    Rule(Phrases("""
        (recommend/suggest/propose) [me] <n:number> <what:text>
        (recommend/suggest/propose) [me] <what:text>
    """), _such),
)  # fmt: skip


def recommending(text: str, scene: Scene) -> Reading | None:
    """What to read: new papers, from what there is, or the best of papers that are told by what they are like."""
    new = first_reading(_RECOMMENDING, _NEW_TO_ME.sub("", text), scene)
    new = new or recommendation_wanted(_NEW_TO_ME.sub("", text), scene)
    return new or first_reading(_OF_THE_LIBRARY, text, scene)
