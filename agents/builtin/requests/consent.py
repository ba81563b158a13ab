"""Whether a person says yes or no to what was proposed."""

import re

from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.spelling import mended

_PLEASE = "[please|thanks|thank you|now|spar]"
_YES = Phrases(f"""
    (y/yes/yep/yeah/yup/jup/sure/ok/okay/k/aye/absolutely/definitely/certainly/affirmative/agreed/confirm/confirmed
        |ja|oui|agree|please|of course|by all means|why not) {_PLEASE}
    [please] [yes|ok|okay|sure] (do|go|go ahead|go on|go for it|do it|do that|do so|do this|do them|make it so|save it
        |save them|proceed|carry on|i confirm|i agree|you may|you can|please do|you should|apply it|continue)
        {_PLEASE}
    (that is|this is) (right|fine|correct|what i want|okay|ok)
    (sounds|looks) (good|right|fine)
    i do
    i am sure
    (do|save|tag|mark|remove|change) (it|them|that|this|these|those|all) [all]
    fine by me
    works for me
""")
_NO = Phrases("""
    (n/no/nope/nah/nay/cancel/stop/abort/wait/don't/nein/non/negative/never|no way|not now|not yet|not really|no no)
        [thanks|thank you|please|wait]
    [please] do not [do|save|tag|mark|remove] [it|that|this|so|them] [please|yet|now]
    (never mind|nevermind)
    [please] (leave|keep|let) (it|that|this|them|things|everything|be) [be] [as (it is|it was|they are|that is|is)|
        alone|there|unchanged]
    (leave|let) it
    (forget|drop|skip|scrap) (it|that|this)
    (better|rather) not
    i (changed my mind|do not want [to|that|it])
    i would rather not
    i did not mean that
    (that is|this is) (wrong|not (right|what i (meant|want|wanted)))
    not that
    no changes
    do nothing
    keep (it|them)
    undo
    hold on
""")  # fmt: skip
_COURTESY = Phrases("""
    (thanks/sorry/great/good/perfect/nice/right/well/hm/oh/ah/spar|thank you|many thanks|all right)
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
