"""The person's profile: what is thought of their taste, and lines that they add to it."""

import re
from functools import partial

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import pointed_at
from agents.builtin.requests.scene import Reading, Scene, plan, step

_REMEMBER = (
    "[<told:remember>|know|for the record] [(about|of|on) (me|myself|my (taste|preferences|interests|reading))|for me"
    "|this|the following|it] [:] [that|please|:] [also]"
)
_WELL = "[really|very much|also|mostly|mainly|especially|particularly|always|strongly|generally|usually]"
_IS = "[:|=|-|–] [is|are|equals|would be|it is|they are|i find (them|it|those|that)] [always|mostly|really|rather]"
_NOT_LIKED = (
    "(not (of interest|for me|my thing|interesting|relevant|what i want|my cup of tea|to my taste) [to|for] [me]"
    "|of no interest [to me]|uninteresting [to me]|irrelevant [to me]|boring|dull|unwanted|disliked|a no-go|no go"
    f"|i {_WELL} (dislike|hate|do not (like|want|care about|care for|enjoy|trust)|can not stand|avoid|never (like|want"
    "|read)) [them|it|those|these|that] [at all]|(do|does) not interest me)"
)
_LIKED = (
    "([very] (of interest|interesting|relevant|my thing|good|great|welcome) [to|for] [me]|my cup of tea|to my taste"
    f"|i {_WELL} (like|love|enjoy|prefer|am (interested in|into|keen on)) [them|it|those|these|that] [a lot|best|most]"
    "|(do|does) interest me)"
)
_REMEMBERED = "<told:remember> [(about|of|on) (me|myself)|this|the following] [:] [that]"
_FACETS: tuple[tuple[str, str], ...] = (
    ("dislike", f"""
        {_REMEMBER} i {_WELL} (dislike/hate/avoid|do not (like|want|care about|care for|enjoy|trust)|can not stand|
            have no interest in|am (not interested in|not into|tired of|bored by|bored of|bored with)) <text:text>
        add [to my] [dislikes|dislike] : <text:text>
        add <text> to my dislikes
        {_REMEMBERED} <text> {_IS} {_NOT_LIKED}
        {_REMEMBERED} [my] (dislike|dislikes|aversion|aversions|aversions|pet hate) {_IS} <text:text>
        {_REMEMBER} <text> (bore me|are not for me|do not interest me|does not interest me|bores me)
    """),
    ("expect", f"""
        {_REMEMBER} i {_WELL} (expect|insist on|demand|require) <text:text>
        {_REMEMBER} (papers|a paper|good papers|a good paper) {_WELL} (should|must|need to|has to|have to) [have|
            contain|come with] <text:text>
        {_REMEMBERED} [my|what is my] (expectation|expectations|requirement|requirements) {_IS} <text:text>
        add <text> to my expectations
        {_REMEMBER} i {_WELL} expect [that] [papers|a paper] [to] <text:text>
    """),
    ("like", f"""
        {_REMEMBER} i {_WELL} (like/love/enjoy/prefer/follow/study|work on|care about|care for|am (into|interested
            in|keen on|working on|fond of|a fan of|very interested in)) <text:text>
        {_REMEMBER} my (interest/interests/topic/topics/field/area) (is|are|lie in|lies in) <text:text>
        {_REMEMBERED} <text> {_IS} {_LIKED}
        {_REMEMBERED} [my] (preference|preferences|liking|likings|likes|interest|interests|taste|favorite|favorites)
            {_IS} <text:text>
        add <text> to my (likes|interests|profile)
        add [to my] (likes|interests|profile) : <text:text>
        {_REMEMBER} <text> (interest|interests|interests) me
    """),
)  # fmt: skip
_NO_LINE = Phrases("""
    (to|you|something|anything|this|that|it|them|these|those|more|some|the (first|second|third|last|next|most))
        [<:text>]
    (a|an|the|some|all|my|any) [<:any>] papers (about|on|by|since|from|with|that) <:text>
    (all papers|help|a list|a summary|an overview) [<:text>]
""")


_ASKS_BEHIND = re.compile(
    r"[.;!?] +(?:please |so |now |can you )*(?:show|find|list|give|what|which|who|search|recommend|save|suggest)\b",
    re.IGNORECASE,
)
"""What is asked for in a sentence of its own is no part of a taste."""


def _remember(slots: Slots, scene: Scene, *, facet: str) -> Reading | None:
    text = slots["text"].strip(" .!\"'")
    if text.endswith((" not", " no", " never")) or _ASKS_BEHIND.search(text):
        return None
    if (_NO_LINE.match(text) is not None and facet != "dislike" and "told" not in slots) or pointed_at(text, scene):
        return None
    return plan(step("remember", facet=facet, text=text))


TASTE = (
    Rule(Phrases("""
        [{show}|{what_is}|how does|what does|open] my [own] (profile|taste|interests|preferences|taste profile)
            [look|look like|contain|say|like]
        what do (you|we) [think|know|believe|assume] (about me|of me|about my
            (taste/tastes|interests|preferences|profile|reading))
        what (do|did) (you|we) [think|know|believe|say|assume] [that] i (like|dislike|want|expect|prefer|enjoy|am
            interested in|care about) [(and|or) [what] [i] (dislike|expect|not|do not|do not like|hate|not like|what
            not)]
        what (do|did) (you|we) [think|know|believe|say|assume] [that] [i|my]
            (like|likes|dislike|dislikes|want|expect|prefer|enjoy)
            [and|or|,] [what] [not|i do not|i do not like|i dislike|i hate]
        (tell|show) me (about|of) my [own] (taste|interests|preferences|profile|likes|dislikes)
        what (do|would) you say (i like|my taste is|interests me)
        what do you (think|believe|assume|say) (is my taste|my (taste/tastes|interests|preferences|profile) (is|are))
        how well do you know (me|my taste)
        (describe|summarize) (me|my (taste/tastes|interests|profile|preferences))
        what (do|am) i (like|dislike|expect|interested in|into|care about|prefer|enjoy|want) [in papers] [according
            to you|in your opinion]
        what (are|is) my (interests|interest|likes|dislikes|likes and dislikes|field|expectations|topics|taste|
            preferences)
        who am i [to you]
        what is [known|stored|written|thought] (in|of|about) my (profile|taste|interests|preferences)
        what have you learned about (me|my taste)
        what (have|did) i (told|tell|said|say|written|write) [to] [you] [so far] (about|on) (me|myself|my [own]
            (taste|interests
            |preferences|profile|likes|dislikes))
        my profile
        [{show}] [me] what you (know|think) (about|of) (me|my
            (taste/tastes|interests|preferences|profile|likes|likes and dislikes))
        what is my taste like
        how do you (see|judge) my taste
        what kind of papers do i like [according to you]
        (according to|in|on|by|from|going by) my (profile|taste profile|preferences) <:text>
        (what|which things) (do not i|do i not|i do not|do i|have i said i|i) (like|dislike|hate|want|avoid|care for)
            [in papers] (according to|in|going by|from|by) my (profile|taste profile|preferences)
        what does my (profile|taste profile) (say|hold|contain|list|record|know) <:text>
        what (did|have) i (say|said|tell you|told you|write|written|state|stated) [that] i (like|liked|dislike|do not
            like|expect|want|prefer|hate|enjoy|am interested in) [<:text>]
        what (do not i|do i not) (like|want|care about|enjoy) [in papers]
        what is (in|on) my profile [<:text>]
        (which|what) (likes|dislikes|expectations|preferences|likes and dislikes|interests) (are|do i have|have i|stand
            |did i) [<:text>]
        (which|what) (topics|subjects) (do i like|am i interested in|interest me)
    """), lambda slots, scene: plan(step("profile"))),
    *(Rule(Phrases(said), partial(_remember, facet=facet)) for facet, said in _FACETS),
)  # fmt: skip
