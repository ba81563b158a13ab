"""Whether a person says yes or no to what was proposed."""

import re

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
    (that|this) (one|paper)
    answer/response/reply/decision/verdict [is]
    {_CHANGE} to be (added/saved/removed/made/written/deleted/tagged/marked/applied)
""")
LONGEST = 200
"""Letters of an answer; what is longer says more than yes or no."""


def consent(text: str) -> bool | None:
    """True for a yes, False for a no, None for anything else: only what is nothing but a yes is one, and a courtesy
    alone is none."""
    if len(text) > LONGEST:
        return None
    said = [mended(part, lambda word: True).lower() for part in re.split(r"[.,;:!()]|\s[-–—]+\s", text)]
    parts = [part for part in said if part]
    words = [_word(part) for part in parts]
    told = {word for word in words if word != "courtesy"}
    return told.pop() is True if told in ({True}, {False}) else None


def _word(part: str) -> bool | str | None:
    """What a part of an answer says: yes, no, only a courtesy, or something else."""
    if _NO.match(part) is not None:
        return False
    if _YES.match(part) is not None:
        return True
    return "courtesy" if _COURTESY.match(part) is not None else None
