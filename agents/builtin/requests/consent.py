"""Whether a person says yes or no to what was proposed."""

import re

from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.spelling import mended

_PLEASE = "[please|thanks|thank you|now|then|spar|by all means|all right]"
_WORD = (
    "(y/yes/yep/yeah/yup/yap/yea/jup/sure/ok/okay/k/aye/absolutely/definitely/certainly/affirmative/agreed/confirm"
    "/confirmed/correct/exactly/indeed/ja/oui/si|of course|by all means|sure thing|you bet|very well)"
)
_THEM = "(it|them|that|this|these|those|all|both|so|everything)"
_DO = (
    "(do|go|go ahead|go on|go for it|proceed|carry on|i confirm|i agree|i do|i am sure|you may|you can|please do"
    "|you should|continue|why not|make it so|do so|fine by me|works for me|all good|no objections|let us do (it|that)"
    f"|do just that|do exactly that|save/tag/mark/remove/change/apply/write/note/keep/do {_THEM} [all|both]"
    "|(that is|this is|it is) [all|quite] (right|fine|correct|what i (want|wanted|meant|mean)|okay|ok|good|perfect)"
    "|(sounds|looks) (good|right|fine|great|perfect|ok|okay))"
)
_ALL = "(both|all|all of (them|it|those|these)|both of them|for all of them|everything|the (two|three|lot))"
_YES = Phrases(f"""
    {_WORD} [{_WORD}] [please] [{_DO}|{_ALL}] {_PLEASE}
    [please] {_DO} [{_DO}] {_PLEASE}
    please
""")
_NO_WORD = (
    "(n/no/nope/nah/nay/cancel/stop/abort/wait/don't/nein/non/negative/never|no way|not now|not yet|not really|no no"
    "|not at all|not this time|certainly not|of course not|absolutely not)"
)
_LET_BE = (
    "(do not [do|save|tag|mark|remove|change|write] [it|that|this|so|them|anything] [please|yet|now]"
    "|(never mind|nevermind)|(cancel|stop|abort|skip|scrap|drop|forget) (it|that|this|them|everything|the whole thing)"
    "|[please] (leave|keep|let) (it|that|this|them|things|everything|all|be) [be] [as (it is|it was|they are|that is"
    "|is)|alone|there|unchanged]|(leave|let) it|(better|rather|preferably) not"
    "|i (changed my mind|do not want [to|that|it]|have changed my mind)|i would rather not|i did not mean that"
    "|(that is|this is) (wrong|not (right|what i (meant|want|wanted)))|not that|no changes|do nothing|keep (it|them)"
    "|undo|hold on|do not bother|maybe later|another time|some other time|not (any of|one of) (them|those)"
    "|none of (them|those|that))"
)
_NO = Phrases(f"""
    [oh|ah|hm|hmm|oops|sorry|well|actually] {_NO_WORD} [{_NO_WORD}] [{_LET_BE}] [thanks|thank you|please|wait]
    [please] {_LET_BE} [thanks|thank you|please]
""")  # fmt: skip
_COURTESY = Phrases(f"""
    {_ALL}
    (thanks/sorry/great/good/perfect/nice/fine/right/well/hm/hmm/oh/ah/oops/um/uh/spar/cool/wonderful/excellent
        |thank you|many thanks|all right)
""")
LONGEST = 200
"""Letters of an answer; what is longer says more than yes or no."""


def consent(text: str) -> bool | None:
    """True for a yes, False for a no, None for anything else: only what is nothing but a yes is one, and a courtesy
    alone is none."""
    if len(text) > LONGEST:
        return None
    said = [mended(part, lambda word: True).lower() for part in re.split(r"[.,;!]", text)]
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
