"""Papers that are told of in a roundabout way, and the same plainly: "I am reading up on moss; what do we have on it?",
"papers in which moss is discussed", "leaving aside the reviews"."""

import re

from agents.builtin.requests.sentences.rewriting import Rewriting

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|last|this|yesterday|today"
    "|the (?:last|past)|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
)
_I_AM = (
    r"(?:i am|i'm|we are|we're) (?:really |very |currently |now |also |quite )*(?:interested in|into|reading up on"
    r"|working on|curious about|writing about|looking into|studying|reading about|learning about) "
)
_NOW = r"(?: right now| at the moment| these days| now| currently| lately)?"
ROUNDABOUT: tuple[Rewriting, ...] = (
    (re.compile(r"^(?:very well|all right|alright)[;,.] +", re.I), ""),
    (re.compile(r",? (?:either|any)(?: one| of them)? (?:suffices|will do|is enough|is fine)\b", re.I), ""),
    (
        re.compile(r"\b(?P<n>\d[\d.]* ?k) (?:and|or) (?:up|more|above|higher|over|better)\b(?! cit)", re.I),
        r"with at least \g<n> citations",
    ),
    (
        re.compile(
            r"\bby (?:an? |the |some )?(?:authors?|people|persons?|someone|somebody|researchers?"
            r"|anyone) (?:named|called"
            r"|with the name|by the name of|whose name is) ",
            re.I,
        ),
        "by ",
    ),
    (
        re.compile(
            r"\b(?:that|this|the last|my last|the latest) (?P<what>filter|condition|restriction|step|choice"
            r"|criterion|criteria"
            r"|constraint|limit) (?:was|is) (?:wrong|a mistake|an error|an accident|accidental|too (?:strict"
            r"|narrow)"
            r"|not what i (?:wanted|meant))[,.;]* (?:so |and |please |you can |now |just )*(?:remove|undo"
            r"|drop|revert"
            r"|cancel|lift|take back|get rid of) (?:it|that)(?: again| please)*",
            re.I,
        ),
        r"undo the last \g<what>",
    ),
    (
        re.compile(
            r",? (?:whether )?(?:saved|read|tagged|liked|retracted|free|open access|noted|annotated) or (?:not"
            r"|un\w+)\b(?=[,.;?! ]*$|[,;])",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"\bin the library (?=(?:about|on|regarding|concerning|that|which|by|with|from|since|before"
            r"|after)\b)",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"(?P<like>\b(?:like|similar|related|resembl\w+|close|comparable)\b[^,;.?!]*?),? (?:from|in"
            r"|within|of) the"
            r" (?:whole |entire )?(?:library|collection|database)(?=[?.! ]*$)",
            re.I,
        ),
        r"\g<like>",
    ),
    (re.compile(r"\s*\((?:e\.? ?g\.?|for example|for instance|such as)[^()]{2,80}\)", re.I), ""),
    (re.compile(r"\s*\([^()]{2,80}(?:etc\.?|and the like|and so on|and such|and similar(?: ones)?)\)", re.I), ""),
    (re.compile(r",? (?:etc\.?|and so on|and so forth|and the like|and such)(?=[,;.?! ]*$|[,;])", re.I), ""),
    (re.compile(r"^(?:the |my )?(?:topic|subject|theme) (?:is|would be|should be) ", re.I), "papers about "),
    (re.compile(r"\b(?:recent|newer|new|latest) (?:ones|papers|work) (?:are )?preferred\b", re.I), "newest first"),
    (re.compile(r"\b(?:old|older|classic) (?:ones|papers|work) (?:are )?preferred\b", re.I), "oldest first"),
    (
        re.compile(
            r"^(?:i (?:want|need|have|would like|wish|'d like)|i'd like|i am trying|i'm trying) to (?:understand"
            r"|learn(?: more)?"
            r" about|know more about|get into|read about|read up on|find out about"
            r"|get up to speed on) (?P<topic>[^.;!?]{3,150}?)"
            r"[.;!?] (?:so |and )?(?:what|which papers|any papers|anything|is there|are there|do (?:you|we"
            r"|i) have|have (?:you"
            r"|we|i))[^.?!]{0,40}[.?! ]*$",
            re.IGNORECASE,
        ),
        r"papers about \g<topic>",
    ),
    (
        re.compile(
            r"^(?:(?:the|all|my|those) )?(?:papers?|articles?|items?|things)?:? ?(?:(?:that|which) (?:were"
            r"|i have|i|have been)"
            r" )?(?:additions?|added|saved|put|newly saved)(?: by me)?(?: (?:to|on|in) (?:my|the) (?:shelf|library"
            r"|collection))?[:,]* (?:only )?(?:(?P<when>in|since|on|before|after|between|during|from) )?"
            rf"(?=(?:\w+ \d{{1,2}}(?:st|nd|rd|th)?,? )?(?:{_MONTHS}))",
            re.IGNORECASE,
        ),
        lambda found: f"what did I save {found['when'] or 'in'} ",
    ),
    (
        re.compile(
            r",? so (?:please )?(?:you can )?(?:skip|leave out|ignore|leave aside|drop|forget) (?:that|this|it)"
            r"(?: one| paper)?(?=[.,;])",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"\b(?:papers?|literature|works?|articles?|studies|research|publications) (?:in|by|on) which"
            r" (?P<what>[^,;.?!]{3,120}?) (?:is|are|was|were|gets?|has been|have been) (?:addressed|treated"
            r"|discussed|studied"
            r"|examined|investigated|described|covered|dealt with|considered|explored|analy[sz]ed|the (?:topic"
            r"|subject|theme))",
            re.IGNORECASE,
        ),
        r"papers about \g<what>",
    ),
    (
        re.compile(
            r"\bleave (?P<what>(?!the )[^,;.?!]{2,80}?) out(?: of (?:it|this|that|them))?(?: completely| altogether"
            r"| entirely)?(?:,? (?:though|please))?(?=[.!,; ]*$)",
            re.I,
        ),
        r"without \g<what>",
    ),
    (
        re.compile(
            rf"^{_I_AM}(?P<topic>[^.;!?]{{3,150}}?){_NOW}[.;!] (?P<ask>[^.]{{4,100}}?)\b(?:on|about|for) (?:it"
            rf"|that|this|them"
            r"|the topic|the subject)\b(?P<rest>[^.]*)[.?! ]*$",
            re.IGNORECASE,
        ),
        r"\g<ask>on \g<topic>\g<rest>",
    ),
    (
        re.compile(
            rf"^{_I_AM}(?P<topic>[^.;!?]{{3,150}}?){_NOW}[.;!] (?:but )?(?P<rest>(?:without|not|only|no|since"
            rf"|before|after"
            r"|published|newest|nothing)\b.*)$",
            re.IGNORECASE,
        ),
        r"papers about \g<topic>, \g<rest>",
    ),
    (
        re.compile(
            r"^(?:please )?(?:check|see|find out|look) (?:if|whether) (?:we|i|you)(?: have| has|'ve"
            r"|'s)(?: got)? ",
            re.I,
        ),
        "do you have ",
    ),
    (
        re.compile(
            r"[.!?;,]+ (?:i would|i'd|i) (?:like|want|need|love|plan|have)(?: to)? (?:read|catch|learn|know"
            r"|find|see"
            r"|understand)(?: up| more| out| all)*(?: on| about)? (?:it|this|that|them|the (?:topic"
            r"|subject))[.! ]*$",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r",? (?:be it|whether|be they) (?:an? )?(?:likes?|liked|good|thumbs up) (?:or"
            r"|nor) (?:an? )?(?:dislikes?"
            r"|disliked|bad|thumbs down)",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"^(?:out )?(?P<of>of|from|among) (?P<these>these|those|them)(?: (?:two|three|four|five|six|\d+))?"
            r"(?: papers| ones)?, (?=(?:only|which|what|the|just|show|keep|please"
            r"|i)\b)",
            re.I,
        ),
        r"\g<of> \g<these> ",
    ),
    (
        re.compile(
            r"[.;,] (?:and )?of the (?:rest|others|remaining ones|remainder),? (?:(?:i|we|keep|show|please"
            r"|only|just|want"
            r"|need|me) )*(?=those|the ones|ones|papers)",
            re.I,
        ),
        "; then keep only ",
    ),
    (
        re.compile(
            r"\bthe (one|paper|article|work) with (?:the|its) (?:earliest|oldest) (?:publication )?(?:date|year)"
            r"(?: of publication)?",
            re.I,
        ),
        r"the oldest \1",
    ),
    (
        re.compile(
            r"\bthe (one|paper|article|work) with (?:the|its) (?:latest|newest"
            r"|most recent) (?:publication )?(?:date"
            r"|year)(?: of publication)?",
            re.I,
        ),
        r"the newest \1",
    ),
    (
        re.compile(
            r"\b(?P<bound>(?:more than|over|at least|less than|fewer than|under|above|below|at most|no more than"
            r"|up to) [\d.,]+ ?k?(?: thousand)?) times (?:are|is|were|was|have been|has been) cited",
            re.I,
        ),
        r"are cited \g<bound> times",
    ),
    (
        re.compile(
            r"\b(?P<bound>(?:more than|over|at least|less than|fewer than|under|above|below|at most|no more than"
            r"|up to) [\d.,]+ ?k?(?: thousand)? citations) (?:have|has|got|received)(?=[ .,;?!]*$|[,;])",
            re.I,
        ),
        r"have \g<bound>",
    ),
    (
        re.compile(
            r"(?P<where>\b(?:in|at) (?!which|what|whom)[^,;.?!]{2,60}?) (?P<did>appeared|published"
            r"|printed)(?=[,.;]|$)",
            re.I,
        ),
        r"\g<did> \g<where>",
    ),
    (re.compile(r"^(?P<what>[A-Z][\w&]*(?: [\w&]+){0,3}) excluded(?=,)"), r"not \g<what>"),
    (
        re.compile(
            r"(?:,? \(?(?:and |but )?no other (?:conditions?|criteria|restrictions?"
            r"|filters?)\)?)(?=[.! ]*$)",
            re.I,
        ),
        "",
    ),
    (re.compile(r"\b(?:only )?one (?:condition|criterion|restriction)(?: only)?:", re.I), "only"),
    (
        re.compile(
            r"\bpublication (?=(?:month|date|year) (?:of )?(?:january|february|march|april|may|june|july|august"
            r"|september|october|november|december|19|20))(?:month|date|year)(?: of)?",
            re.I,
        ),
        "published in",
    ),
    (
        re.compile(r"[,;]? (?:leaving|putting|setting|leave) (?P<what>[^,;.?!]{3,60}?) aside(?=[,;.?! ]|$)", re.I),
        r", without \g<what>,",
    ),
    (
        re.compile(
            r"\b(?:leaving aside|putting aside|setting aside|disregarding|with the exception of|excepting"
            r"|not counting"
            r"|not including|exclusive of|to the exclusion of|aside from|but for(?= the| those| any)"
            r"|not wanting)\b",
            re.I,
        ),
        "without",
    ),
    (
        re.compile(
            r"\b(?:just|please|but|and)?,? ?(?:do not|don't) (?:include|show|list|give me|want)(?= (?:any|anything"
            r"|those|the|papers|ones|what)\b)(?!.*\bshelf\b)(?<!i do not want)(?<!i don't want)",
            re.I,
        ),
        "without",
    ),
    (re.compile(r"\bsuch (?:papers|articles|ones|works|things|studies) as (?=\w)", re.I), "papers like "),
    (re.compile(r"\bhappen to (?=(?:have|be|know|hold|contain|own)\b)", re.I), ""),
)
