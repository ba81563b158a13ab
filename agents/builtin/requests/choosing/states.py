"""What the person did with papers, and what a record says of them: saved, read, noted, liked; free, retracted."""

import re

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases

_ARE = "[that|which|and|but] [are|is|were|was|have been|has been|i have|have i|do i have|did i] [already|also|still]"
_NOT = "(not|never)"
_I_NOT = (
    "[that|which|what|and|but] [i] (have not i|have i not|i have not|did not i|did i not|i did not|have not|i never|"
    "did not|i not)"
)
_SHELF = "(on|in|from|of|inside|at|within) {saved_shelf}"
_STATES: tuple[tuple[str, object, Phrases], ...] = (
    ("saved", False, Phrases(f"""
        [that|which|and|but] (are|is|were) not [yet|already] {_SHELF} [yet]
        not [yet|already] {_SHELF} [yet]
        {_I_NOT} [yet] (save/saved/bookmark/bookmarked/shelved) [yet]
        {_ARE} not [yet] saved [yet]
        unsaved
        outside [of] {{saved_shelf}}
    """)),
    ("read", True, Phrases("not [the] unread [ones]")),
    ("read", False, Phrases(f"""
        {_I_NOT} [yet|ever|actually|really] [been] (read/opened|looked at|gotten [round|around] to [reading]|got
            [round|around]
            to [reading]|come [round|around] to reading|had time to read|managed to read|started [reading]) [yet]
            [on my shelf]
        [that|which] [i] (yet|still) (unread|not read)
        {_ARE} {_NOT} [yet] [been] (read|opened|looked at|looked into) [yet]
        {_ARE} [marked|flagged] [as] (unread|not read)
        [that|which] [i] (still|yet) [have|need|want|are] to [be] read
        still to read
        left to read
        [that] i [still] (have|need) to read
        waiting to be read
        not [the] [ones|those|papers] [that] [which] i have [already] read
        not [the] (read|already read) ones
        have i left unread
        i have left to read
    """)),
    ("read", True, Phrases(f"""
        [that|which] (i have|i had|i|have i|did i) [already|ever] (read|finished) [already|so far]
        {_ARE} (already|marked [as]) read
        (i have|have i) finished [reading]
        [my] (read|finished) <:papers>
        (are|is|were|have been|has been) read [already|so far|by me|by now]
        [that|which] i [have] [already] marked [as] read
    """)),
    ("rating", -1, Phrases("""
        [that|which] [i] (disliked|i dislike|do not like|did not like|i hated|rated badly|rated down)
        [that|which] (i (do|did) not|i never|did i not|do i not) [really|much|at all]
            (like/liked/enjoy/enjoyed|care for) [at all|much|very much]
        disliked
        that were no good [for me]
        [that|which] [i] [have] (rated|marked|rate|rating) (bad|badly|down|negatively|as bad|as disliked|low|poorly)
        [that|which] [i|did i|i have|have i] (gave|give|given) [a] thumbs down [to]
        [with] [a] thumbs down
    """)),
    ("rating", 1, Phrases("""
        [that|which] (i have|i|have i|did i) [really] (like/liked/love/loved/enjoyed) [so far|most|best]
        [my] (liked|favorite|favorited|favorites) [<:papers>]
        my favorites
        [that|which] [i] [have] (rated|marked|rate) (good|well|up|positively|as good|as liked|highly)
        [that|which] [i|did i|i have|have i] (gave|give|given) [a] thumbs up [to]
        [with] [a] thumbs up
    """)),
    ("rating", 0, Phrases(f"""
        {_ARE} (not|never) [yet] [been] rated [yet] [by me]
        {_I_NOT} [yet|ever] (rate|rated) [yet]
        {_ARE} not liked [and] {_ARE} not disliked
        (without|with no|lacking|that have no) [a|any|my] rating [of mine]
        unrated
        [are] neither liked nor disliked
    """)),
    ("noted", False, Phrases(f"""
        [and|but] [that|which] (without|lacking|lack/lacks|missing|have no|with no|no) [any|a|my|an] {{note}}
        {_I_NOT} [yet] (noted|annotated|commented on|written a note (on|about|for)|made notes (on|about))
    """)),
    ("noted", True, Phrases("""
        [that|which] (have|has|with|having|carrying|bear|hold|got|contain) [a|my|any|an|some] {note}
            [attached|added|made|written] [of mine|by me|from me|to (them|it)]
        [that|which] (i have|i|have i|did i) [got] (wrote|written|write|made|make|took|taken|have|has|put|left|leave
            |attached|attach|added|add|gave|give|given|scribbled|jotted [down]|jot [down]) [a|any|some|down|my] {note}
            [on|about|for|to|attached [to]|down]
        (carry|carries|come|comes) [with] [a|my|any|an|some] {note} [of mine|by me|from me]
        [that|which] [are|is] [with] {note} [of mine|by me|from me] (attached [to (them|it)]|added|on (them|it))
        [that|which] (i have|i|have i|did i) (wrote|written|write|jotted|jot|scribbled|scribble|noted|note|put)
            (something|anything|things|stuff|some words) [down] [about|on|for|to]
        [that|which] (i have|i|have i) (noted|annotated|commented [on]) [something] [on|about|for]
        annotated
        noted
        (note|notes) of mine
        where i (made|wrote|left|took) [a] {note}
    """)),
    ("has_abstract", True, Phrases("not [those|the ones] without [an|any] abstract/abstracts")),
    ("has_abstract", False, Phrases("""
        [that|which|and] (without|lacking|lack|lacks|missing|miss|have no|has no|with no|do not have|are missing)
            [an|any|a|their|its] [known] abstract/abstracts
        whose abstract is (missing|unknown|not known)
        no abstract/abstracts
    """)),
    ("has_abstract", True, Phrases("""
        [that|which] (with|having|have|has) [an|a|the] [known] abstract/abstracts
    """)),
    ("retracted", False, Phrases(f"""
        {_ARE} (not|no|without|excluding|except) [the|any] [been] [ones] (retracted|withdrawn|retractions) [ones]
        non retracted
        unretracted
    """)),
    ("retracted", True, Phrases(f"""
        {_ARE} [been|later|since] (retracted|withdrawn)
        retractions
        that have been retracted
    """)),
    ("open_access", False, Phrases(f"""
        {_ARE} (not|no|non) (open access|free|freely available|free to read) [to read]
        (without|with no|lacking|no|that have no|have no) [a|any|an] [free|open access] pdf/pdfs
        paywalled
        behind a paywall
        closed access
    """)),
    ("open_access", True, Phrases(f"""
        {_ARE} [available] [only] (open access|free to read|freely available|freely accessible|free to download|
            available for free|readable for free|oa)
        [that|which] (with|having|have|has) [a|an|the] [free|open access|freely available] (pdf/pdfs|full
            text/texts) [available|for free]
        (with|in|as) open access
        free <:papers>
        with free access
        i can read for free
        for free
        that are free
        open ones
    """)),
    ("saved", True, Phrases(f"""
        [that|which] [are|is|were] [already] {_SHELF}
        (my|the) saved
        {{saved_shelf}}
        [that|which] (i have|i had|i|have i|did i|do i have) [already|ever] (saved|save|kept|keep|bookmarked|
            shelved) [so far|already]
        [already] (saved|bookmarked)
    """)),
)  # fmt: skip


_BOTH = {"read": "read and unread", "saved": "on your shelf and not on it", "rating": "liked and disliked",
         "noted": "with a note and without one", "retracted": "retracted and not retracted"}  # fmt: skip
"""What a request says of papers that cannot be: nothing else can be told of it by conditions."""
_FREE = Phrases("[are|is] free [ones]")
"""Which is a subject beside any other word: "free energy"."""
_OWN = re.compile(r"\bmy (?=(?:[\w-]+ ){0,2}(?:papers|articles|preprints|surveys|books|reviews)\b)", re.IGNORECASE)
"""Papers that are the person's own are those on the shelf."""


def read_states(choice: Choice) -> None:
    """Every state that is told. Where a word and its opposite could be meant, the longer phrase is listed first."""
    for name, value, phrases in _STATES:
        if choice.conditions.get(name) not in (None, value) and phrases.find(choice.text) is not None:
            choice.contradiction = _BOTH.get(name, "")
        if name not in choice.conditions and choice.take(phrases) is not None:
            choice.conditions[name] = value
    if _FREE.match(choice.text.strip(" ,?.!")) is not None:
        choice.conditions["open_access"], choice.text = True, ""
    if (own := _OWN.search(choice.text)) and "saved" not in choice.conditions:
        choice.conditions["saved"] = True
        choice.text = choice.text[: own.start()] + choice.text[own.end() :]
