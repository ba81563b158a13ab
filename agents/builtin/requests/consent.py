"""Whether a person says yes or no to what was proposed."""

import re
from collections.abc import Collection

from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.spelling import mended

_PLEASE = "[please|thanks|thank you|now|then|spar|by all means|all right]"
_WORD = (
    "(y/yes/yep/yeah/yup/yap/yea/jup/sure/ok/okay/k/aye/absolutely/definitely/certainly/affirmative/agreed/confirm"
    "/confirmed/approved/accepted/granted/correct/exactly/indeed/ja/oui/si/mhm/mm-hm/uh-huh/alright"
    "|of course|by all means|sure thing|you bet|very well)"
)
_CHANGE = "(note/tag/tags/change/changes/mark/entry/removal/deletion/saving/tagging)"
_THEM = "(it|them|that|this|these|those|all|both|so|everything|the two|the two of them|both of them)"
_EXECUTE = "(do|execute|perform|make|apply|proceed|continue|proceed with|go on with|carry out|go ahead with)"
_DO = (
    "(do|go|go ahead|go on|go for it|proceed|carry on|i confirm|i agree|i do|i am sure|you may|you can|please do"
    "|you should|continue|why not|make it so|do so|fine by me|works for me|all good|no objections|let us do (it|that)"
    f"|do just that|do exactly that|save/tag/mark/remove/change/apply/write/note/keep/do {_THEM} [all|both]"
    "|(that is|this is|it is) [all|quite|hereby] (right|fine|correct|what i (want|wanted|meant|mean)|okay|ok|good"
    "|perfect|confirmed|approved|accepted|agreed|granted)"
    f"|{_EXECUTE} ({_THEM}|the {_CHANGE}) [all|both]|(write|add) the note|carry {_THEM} out|(it|this|that|so) "
    f"[please] you (may|can|should|do) [please] [{_EXECUTE}]"
    f"|so [please] do|[that|this|it] would be (great|good|nice|lovely|fine|perfect|wonderful|right|kind|very kind)"
    f"|you (may|can|should) {_EXECUTE} [{_THEM}]"
    f"|(let|please have) {_THEM} (be done|done|happen)|(this|that|it) (may|can|should|shall) be done"
    "|(sounds|looks) (good|right|fine|great|perfect|ok|okay))"
)
_ALL = "(both|all|all of (them|it|those|these)|both of them|for all of them|everything|the (two|three|lot))"
_YES = Phrases(f"""
    [oh|ah|well|hm|hmm|and|then|my answer is] {_WORD} [{_WORD}] [please] [{_DO}|{_ALL}] {_PLEASE}
    [oh|ah|well|hm|hmm|and|then] [please] {_DO} [{_DO}] {_PLEASE}
    please
""")
_NO_WORD = (
    "(n/no/nope/nah/nay/cancel/stop/abort/wait/don't/nein/non/negative/never|no way|not now|not yet|not really|no no"
    "|not at all|not this time|certainly not|of course not|absolutely not|declined/refused/rejected/denied"
    "|no (removal|deletion|change|tag|note|saving|tagging|marking))"
)
_LET_BE = (
    "([rather|better] do not [do|save|tag|mark|remove|change|write] [it|that|this|so|them|anything] [please|yet|now]"
    "|(never mind|nevermind)|(cancel|stop|abort|skip|scrap|drop|forget) (it|that|this|them|everything|the whole thing)"
    "|[please] [let us] [better|rather|just] (leave|keep|let) (it|that|this|them|things|everything|all|be) [be]"
    " [as (it is|it was|they are|that is|is)|alone|there|unchanged|at that]|(leave|let) it|(better|rather|preferably)"
    " not|(it|they|that|this|all|everything|the record|record|the shelf) (stays|stay|remains|remain|should stay|shall"
    " stay|can stay) [there|unchanged|as (it|they) (is|are)|where (it|they) (is|are)]"
    "|i (changed my mind|do not want [to|that|it]|have changed my mind)|i would rather not|i did not mean that"
    "|(that is|this is) (wrong|not (right|what i (meant|want|wanted)))|not that|no changes|do nothing|keep (it|them)"
    "|undo|hold on|do not bother|maybe later|another time|some other time|not (any of|one of) (them|those)"
    "|none of (them|those|that))"
)
_NO = Phrases(f"""
    [oh|ah|hm|hmm|oops|sorry|well|actually] {_NO_WORD} [{_NO_WORD}] [{_LET_BE}] [thanks|thank you|please|wait]
        [after all]
    [please] {_LET_BE} [thanks|thank you|please] [after all]
""")  # fmt: skip
_COURTESY = Phrases(f"""
    {_ALL}
    (thanks/sorry/great/good/perfect/nice/fine/right/well/hm/hmm/oh/ah/oops/um/uh/spar/cool/wonderful/excellent
        |thank you|many thanks|all right)
    answer/response/reply/decision/verdict [is]
    {_CHANGE} to be (added/saved/removed/made/written/deleted/tagged/marked/applied)
""")
_UNSURE = Phrases("""
    [yes|no|well|hm|hmm|oh|ok] (maybe|perhaps|probably|possibly|i guess|i suppose|i do not know|not sure|hard to say|let
        me (think|see)|i think so|kind of|(i am|i'm) (not sure|unsure|not certain|uncertain)|why|what|really|both
        |yes and no|not quite)
        [so|yet|about (it|that)]
""")
_NAMED = {
    "save": "save saved saving keep kept shelve shelved bookmark bookmarked store stored",
    "unsave": "unsave unsaved remove removed removing removal delete deleted deletion drop dropped take taken",
    "tag": "tag tags tagged tagging label labels labelled remove removed removing removal delete deleted add added",
    "note": "note notes noted write written comment remark remove removed delete deleted add added erase erased",
    "mark": "mark marked marking rate rated dismiss dismissed like liked dislike disliked note noted flag flagged",
    "remember": "remember remembered note noted write written keep kept add added",
}
"""The words by which the change that a tool makes is named in an answer."""
_TOOLS = {
    word: frozenset(tool for tool, words in _NAMED.items() if word in words.split())
    for words in _NAMED.values()
    for word in words.split()
}
_AGREES = frozenset(
    """
    yes yeah yep yup sure ok okay agreed agree approve approved confirm confirmed accept accepted granted grant
    certainly definitely absolutely affirmative permission consent approval blessing permitted allowed correct
    gladly
    """.split()
)
_DOES = frozenset("do execute perform proceed continue apply go make carry".split())
_DONE = frozenset(
    "done changed executed performed carried applied made allowed permitted accepted granted confirmed".split()
)
_MAY = frozenset("may can should shall could".split())
_BESIDE = frozenset(
    """
    please thanks thank kindly it them that this these those they you so the to be is are i my we me of for with out
    on ahead and a an just now then hereby would will want wish like record records entry entries change changes
    action proposal exactly give given am off shelf profile both all everything in order fine great good happy glad
    indeed really very much quite right away at once have has had your is's as by means go what how proposed said
    described suggested planned answer response reply decision verdict up well oh spar happen
    """.split()
)
_REFUSES = frozenset(
    """
    no nope nah not never none nothing cancel cancelled canceled stop abort refuse refused decline declined reject
    rejected deny denied against without unchanged disagree negative neither
    """.split()
)
_LEAVES = frozenset(
    """
    leave left let better rather after all anything any yet removal did changed would stay stays stayed remain
    remains there alone was were been prefer preferred changing doing unaltered untouched
    """.split()
)
_NO_OBJECTION = re.compile(
    r"\b(?:(?:i have |there (?:is|are) )?(?:no|without(?: any)?)"
    r" (?:objections?|problems?|doubts?|hesitation|reservations?)"
    r"|not a problem|nothing (?:against|wrong with) (?:it|that|this)|why not)\b"
)
_IS_ASKED = re.compile(
    r"(?:do|does|did|can|could|would|will|shall|should|may|might|is|are|have|has|what|how)"
    r" (?:you|i|we|it|that|this|they|there|these|those)\b"
)
_ONE = re.compile(r"\b(?:that|this|the) (?:very )?(?:one|paper)\b", re.IGNORECASE)
LONGEST = 200
"""Letters of an answer; what is longer says more than yes or no."""


def consent(text: str, tools: Collection[str] = (), *, one: bool = False) -> bool | None:
    """True for a yes, False for a no, None for anything else: only what is nothing but a yes is one, and a courtesy
    alone is none. A yes that names another change than those of `tools` is none either: "remove it" to what would be
    saved. Where `one` paper alone would be changed, it may be spoken of as that one."""
    text = _ONE.sub("it", text) if one else text
    told = {word for word in _words(text) if word != "courtesy"}
    if told == {True}:
        return True if _names_these(text, tools) else None
    return False if told == {False} else None


def is_doubtful(text: str, tools: Collection[str] = (), *, one: bool = False) -> bool:
    """Whether an answer speaks of yes or no and of nothing else, but plainly says neither: "yes and no", "maybe"."""
    words = _words(_ONE.sub("it", text) if one else text)
    return (
        bool(words)
        and None not in words
        and words != ["courtesy"] * len(words)
        and consent(text, tools, one=one) is None
    )


def _words(text: str) -> list[bool | str | None]:
    """What the parts of an answer say each."""
    if len(text) > LONGEST:
        return [None]
    said = [mended(part, lambda word: True).lower() for part in re.split(r"[.,;:!()]|\s[-–—]+\s", text)]
    return [_word(part) for part in said if part]


def _word(part: str) -> bool | str | None:
    """What a part of an answer says: yes, no, only a courtesy, that it is not sure, or something else."""
    if _NO.match(part) is not None:
        return False
    if _YES.match(part) is not None:
        return True
    if _COURTESY.match(part) is not None:
        return "courtesy"
    return "unsure" if _UNSURE.match(part.strip("? ")) is not None else _by_its_words(part)


def _by_its_words(part: str) -> bool | str | None:
    """What a sentence says of which each word is one of consent or refusal: "this you may execute", "I'd rather the
    record stayed unchanged"."""
    words = re.findall(r"[\w'?-]+", _NO_OBJECTION.sub("yes", part))
    refused = sum(word in _REFUSES for word in words)
    known = _AGREES | _DOES | _DONE | _MAY | _BESIDE | _TOOLS.keys()
    if refused:
        return False if refused == 1 and all(word in known | _REFUSES | _LEAVES for word in words) else None
    if not words or not all(word in known for word in words) or _IS_ASKED.match(part):
        return None
    permitted = any(word in _MAY for word in words) and any(word in _DOES | _DONE | _TOOLS.keys() for word in words)
    ordered = next((word in _DOES for word in words if word not in ("please", "so", "just", "then", "kindly")), False)
    if any(word in _AGREES for word in words) or permitted or ordered:
        return True
    return "courtesy" if all(word in _BESIDE for word in words) else None


def _names_these(text: str, tools: Collection[str]) -> bool:
    """Whether the changes that a yes names, if it does, are among those of `tools`."""
    named = [_TOOLS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _TOOLS]
    return not tools or all(not could.isdisjoint(tools) for could in named)
