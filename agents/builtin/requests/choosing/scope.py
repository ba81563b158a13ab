"""Papers of which a choice is one: those spoken of before, or a part of them."""

import re

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases

_OF_THESE = Phrases("""
    [and] (which|what|any|some|one|all|only|just|how many|show me|the ones) [{papers}] (of|among|from|in|within|out
        of|on) {these}
    (of|among|from among|from|in|within|out of|inside|for) {these}
    (which|what) (one|ones)
    which [of] {these}
""")
_ONLY = Phrases("""
    [show [me]] ((only|just) (keep|leave|consider|use|take)|only|just|keep [only|just]|leave [me] (only|just)|leave me
        |keep nothing
        but|show nothing but|nothing but|narrow
        [it|them|this|that|these|those] [down] to|restrict [it|them|that|
        these] to|limit [it|them|that|these] to|filter [it|them|that|these|those] [by|for|to|on|down to]|reduce [it|
        them] to) [the] [ones|those|papers] [(that|which|who) (are|were|is|have been|was)]
    [and|now] [show me] (the ones|those) [that|which] [are|were]
    and/now/but (only|just|the)
""")
_DROP = Phrases("""
    (drop|remove|exclude|leave out|throw out|take out|cut out|weed out|strike out|get rid of|discard|hide|skip|kick
        out|filter out|ditch|without) [all|
        any] [of] [the]
            (ones|those|papers|everything|anything|these|them|articles|items|entries|works|publications|records|results|
        studies) [(that|which) (are|were|is)] <what:text>
    (drop|remove|exclude|leave out|throw out|take out|cut out|weed out|strike out|get rid of|discard|hide|skip|kick
        out|filter out|ditch) [all|any] [of]
        [the|these|them|those] <what:text>
""")


_THE_ONES = Phrases("[show [me]] the <:any> ones [<:text>]")
_LESS = Phrases("without/not/no/except/excluding/minus <:text>")


def read_scope(choice: Choice) -> None:
    """Whether the choice is of the papers that were spoken of."""
    there = choice.scene.candidates is not None
    if choice.take(_OF_THESE) is not None or (there and _THE_ONES.match(choice.text) is not None):
        choice.onward = True
    elif there and (slots := _DROP.match(choice.text)):
        choice.onward, choice.text = True, _without(choice.text, slots["what"])
    elif there and _LESS.match(choice.text) is not None:
        choice.onward, choice.text = True, _AND_THOSE.sub(" , not ", choice.text)
    elif _starts(choice, _ONLY):
        choice.onward = there
    elif slots := _DROP.match(choice.text):
        choice.text = _without(choice.text, slots["what"])
    choice.text = _ALL_BUT.sub("papers , not ", choice.text)


_ALL_BUT = re.compile(
    r"^(?:all|everything|anything)(?: papers)? (?:but|except(?: for)?|other than|apart from) (?=\w)", re.IGNORECASE
)
_THOSE = re.compile(
    r"\b(?:ones|those|papers|everything|anything|articles|items|entries|works|publications|records|results"
    r"|studies)\b",
    re.IGNORECASE,
)


_AND_THOSE = re.compile(
    r",? and (?:also )?(?:all (?=\w)|(?=(?:everything|anything|those|the ones|any|papers|the papers)\b))", re.IGNORECASE
)


def _without(dropped: str, what: str) -> str:
    """What is dropped is said to be no condition, or to be none of those that meet one; each of several by itself."""
    told = _AND_THOSE.sub(" , not ", what)
    return f"{'not those' if _THOSE.search(dropped.removesuffix(what)) else 'not'} {told}"


def _starts(choice: Choice, phrases: Phrases) -> bool:
    found = phrases.find(choice.text)
    if found is None or found.start > 0:
        return False
    choice.cut(found.start, found.end)
    return True
