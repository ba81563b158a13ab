"""What is said in a way that the readers do not know, and the same in one that they know."""

import re

_AND_TAG = re.compile(r",? (?:and )?tags?:? (?!it\b|them\b)", re.IGNORECASE)


def _with(verb: str, rest: str | None) -> str:
    """What a change is told with behind its papers: a tag, or anything else."""
    tags = verb.lower() in ("tag", "untag") and rest and not rest.lower().startswith(("as ", "with ", "under "))
    return f"as {rest}" if tags else rest or ""


_THESE = {"them": "these", "it": "this paper", "they": "they"}
OTHERWISE = (
    (re.compile(r"(?P<shelf>\bmy shelf) for me(?=[ .!?]*$)", re.IGNORECASE), r"\g<shelf>"),
    (
        re.compile(
            r"(?P<order>\b(?:top|best|first|last|sort\w*|rank\w*|order\w*|highest|lowest|compare)\b[^,;:.?!]{0,40}?) "
            r"(?:in terms of|as to|with (?:regard|respect) to|as regards) (?=(?:the |their )?(?:number of )?"
            r"(?:citations?|citation counts?|publication dates?|dates?|years?|age|relevance|popularity)\b)",
            re.IGNORECASE,
        ),
        r"\g<order> by ",
    ),
    (
        re.compile(
            r"^(?:any |some )?new (?:work|papers|publications|literature|articles|studies) (?:(?:is|are) )?"
            r"(?:to be (?:found|searched for|sought)|wanted|sought|needed) (?:on|about|regarding):? (?=\S)",
            re.IGNORECASE,
        ),
        "find new papers on ",
    ),
    (
        re.compile(
            r"^(?:(?P<prep>on|about|regarding) (?P<topic>[^,;:?]{2,80}), )?(?P<what>what [^?]{3,160}?)[.?!;,] "
            r"(?:(?:shortly|briefly|quickly|please|just) )*(?:summarized|in summary|as a summary|in short)[.! ]*$",
            re.IGNORECASE,
        ),
        lambda found: f"summarize {found['what']}{' about ' + found['topic'] if found['topic'] else ''}",
    ),
    (
        re.compile(
            r"\bwhat (?:is|was|has been) (?:in (?P<who>[^,;:?]{2,60}?) )?(?:said|written|told|reported|stated|claimed)"
            r"(?: (?:in|by) (?P<by>[^,;:?]{2,60}?))? (?:about|on|regarding) (?P<topic>[^,;?]+)",
            re.IGNORECASE,
        ),
        lambda found: (
            f"what {_THESE.get((found['who'] or found['by'] or 'they').lower(), found['who'] or found['by'])}"
            f" say about {found['topic']}"
        ),
    ),
    (
        re.compile(
            r"\bthe (?:one|paper|article|work)(?: (?:that is|that was|which is|which was|just|being))* (?:shown"
            r"|displayed|above|in question|at hand|on (?:the |my )?screen|i am looking at|you (?:just )?showed(?: me)?)"
            r"(?=[ ,.?!]*$|[,.?!] )",
            re.IGNORECASE,
        ),
        "this paper",
    ),
    (
        re.compile(
            r"^what (?P<who>they|these|those|the (?:first|last|two|three)[\w ]{0,20}?) (?P<on>about|on|regarding|of|to)"
            r" (?P<what>[^,;:?]{2,80}?) (?P<say>say|report|write|tell|find|claim|conclude|state|have to say)\b",
            re.IGNORECASE,
        ),
        r"what \g<who> \g<say> \g<on> \g<what>",
    ),
    (
        re.compile(
            r"^(?P<what>what .+?),? (?:this|that|it) (?:please )?(?P<verb>summarize|sum up|export|list|show)[.! ]*$",
            re.IGNORECASE,
        ),
        r"\g<verb> \g<what>",
    ),
    (
        re.compile(
            r"^(?:set|put|lay|place|hold|show|compare)(?: me)? (?P<what>[^?!;:,]{3,160}?),? (?:side by side"
            r"|next to each other"
            r"|beside each other|against each other)(?:[:,]? (?:with )?(?:the |their )?(?P<parts>[\w ,]{3,60}?)"
            r"(?: (?:of|for) (?:each|both|them|all))?)?[.! ]*$",
            re.IGNORECASE,
        ),
        lambda found: f"{found['parts']} of {found['what']}" if found["parts"] else f"compare {found['what']}",
    ),
    (re.compile(r"\b(?P<it>it|that|there|what|who|which) is been\b", re.IGNORECASE), r"\g<it> has been"),
    (
        re.compile(
            r"^i (?:would like|want|need)(?: to (?:have|get|put|see))? "
            r"(?P<what>(?!(?:my|all|every|papers|what|which|to|you|the papers|the most|the \w+est)\b)[^,;:?]{2,100}?)"
            r" (?:on|in|onto) my shelf[.! ]*$",
            re.IGNORECASE,
        ),
        r"save \g<what>",
    ),
    (
        re.compile(
            r"^(?P<prep>of|from|by|on|about) (?P<what>[^,;:?]{2,60}?),? (?:all )?the "
            r"(?P<papers>papers|articles|works)\b",
            re.IGNORECASE,
        ),
        r"\g<papers> \g<prep> \g<what>",
    ),
    (
        re.compile(
            r"^to (?P<name>\"[^\"]+\"|[^,;:?]{2,80}?),? (?:is|are) there (?P<some>something|anything|any papers|papers"
            r"|any|some)\b(?: (?:that|which) (?:is|are))? (?:alike|similar|comparable|close|related)(?P<rest>.*)$",
            re.IGNORECASE,
        ),
        r"papers similar to \g<name>\g<rest>",
    ),
    (re.compile(r"^to be (?P<done>saved|bookmarked|shelved)[:,]? ", re.IGNORECASE), "save "),
    (re.compile(r"[.;,] (?:it|this|which) (?:should|must|shall|has to) (?:say|read|be)(?=: )", re.IGNORECASE), ""),
    (
        re.compile(
            r"^(?:(?:one|two|three|four|a|some|my) )?(?:more )?(?:things?|actions?|requests?|tasks?|steps?"
            r"|favou?rs?|wish(?:es)?"
            r"|points?)(?: for you)?: (?=\w)",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(r"\bset (?:its|the|their) status (?:on|to|as) (?P<state>read|unread)\b", re.IGNORECASE),
        r"mark it as \g<state>",
    ),
    (
        re.compile(
            r"^(?:please )?(?P<name>(?!i\b|which|what|that|those|the ones|papers|everything)[^,;.?!]{2,120}?) i have "
            r"(?P<when>(?:now |just |already |finally |meanwhile )*)(?P<done>read|finished)(?=[;,.])",
            re.IGNORECASE,
        ),
        r"i have \g<when>\g<done> \g<name>",
    ),
    (
        re.compile(
            r"^i have (?:now |just |already |finally |meanwhile )*(?:read|finished) "
            r"(?P<name>[^;?!]{2,200}?)[,;.] (?:so |and )*"
            r"(?:please )?(?:mark|flag|note|record|tick|set|count) (?:it|that|this)(?: off)? (?:so|as such|accordingly"
            r"|like that|that way)[.! ]*$",
            re.IGNORECASE,
        ),
        r"mark \g<name> as read",
    ),
    (
        re.compile(
            r"^(?P<save>(?:save|bookmark|shelve|keep|add|put) [^,;:\"]+?)(?:,| \+)(?: and)? (?:with )?tags? "
            r"(?P<tags>(?!it\b|them\b|these|those|all\b|the\b|as\b|with\b|both|this|that)[\w-]+(?:,? "
            r"(?:and )?[\w-]+)?)$",
            re.IGNORECASE,
        ),
        r"\g<save> and tag them \g<tags>",
    ),
    (
        re.compile(
            r"^(?P<save>(?:save|bookmark|shelve|add|put) .+?) \((?:with )?(?:the )?tags?(?: for (?:both|all"
            r"|them|it|each))?:? "
            r"(?P<tags>[\w-]+(?:, [\w-]+)*)\)$",
            re.IGNORECASE,
        ),
        r"\g<save> and tag them \g<tags>",
    ),
    (
        re.compile(
            r"(?P<lead>^|(?<=[.?!;,] )|(?<= and )|(?<= you ))(?:drop|throw|toss|shoot|hit|spit|hand|pass|send|paste) "
            r"(?P<me>me|us)(?: with)? ",
            re.IGNORECASE,
        ),
        r"\g<lead>give \g<me> ",
    ),
    (
        re.compile(r"^(?:spit|dump|pour|churn) (?P<what>.+?) out(?= (?:as|in|into)\b)", re.IGNORECASE),
        r"export \g<what>",
    ),
    (
        re.compile(
            r"^(?:write|draft|put together|make|give me|do)(?: me| up)? (?:something|a text|a page|a few lines"
            r"|a paragraph)"
            r"(?: \w+)?(?: up)?(?: for me)?(?: \w+)? summarizing ",
            re.IGNORECASE,
        ),
        "summarize ",
    ),
    (
        re.compile(
            r"^how (?:do|does|did) (?P<what>[^?!;:]+?) (?:compare|differ)(?: (?:with|to|from) (?:each other"
            r"|one another))?"
            r"[?.! ]*$",
            re.IGNORECASE,
        ),
        r"compare \g<what>",
    ),
    (
        re.compile(
            r"^how (?:do|does|did) (?P<one>[^?!;:]+?) (?:compare|differ) (?:with|to|from) (?P<other>[^?!;:]+?)[?.! ]*$",
            re.IGNORECASE,
        ),
        r"compare \g<one> and \g<other>",
    ),
    (
        re.compile(
            r"^(?:(?:give|make|draw|show|do)(?: me| us)? )?(?:the|a) comparison (?:of|between) "
            r"(?P<what>[^?!;:]+?)[?.! ]*$",
            re.IGNORECASE,
        ),
        r"compare \g<what>",
    ),
    (
        re.compile(
            r"^between (?P<what>[^?!;:,]+? and [^?!;:,]+?),? (?:give|make|draw|show|do)(?: me| us)? (?:the"
            r"|a) comparison"
            r"[?.! ]*$",
            re.IGNORECASE,
        ),
        r"compare \g<what>",
    ),
    (
        re.compile(r"^compare (?:for me,? )?(?=(?:how (?:often|many|old)|when|where|who)\b)", re.IGNORECASE),
        "",
    ),
    (re.compile(r"^compare for (?:me|us),? (?=\w)", re.IGNORECASE), "compare "),
    (
        re.compile(
            r"^[^.?!;:]*\bmy (?P<place>shelf|library|profile|reading list)\b[^.?!;:]*[.!;] (?P<asked>[^.?!;]*?)"
            r"\b(?P<on>on|in|from|of) (?:it|there)\b(?P<rest>[^.;]*)$",
            re.IGNORECASE,
        ),
        r"\g<asked>\g<on> my \g<place>\g<rest>",
    ),
    (
        re.compile(
            r"^(?P<what>what|which \w+) (?:got|was|were|has been|have been) (?:newly )?(?:added|put|placed|moved)"
            r" (?:to|on|onto|in) my (?:shelf|bookshelf|collection|bookmarks)\b",
            re.IGNORECASE,
        ),
        r"\g<what> did i save",
    ),
    (
        re.compile(
            r"\b(?:deemed|considered|called|judged|said to be|thought) similar to (?P<what>it|this|that|[^?!;:,]+?) by"
            r" (?P<who>(?:the )?[\w ]+?)[?.! ]*$",
            re.IGNORECASE,
        ),
        r"similar to \g<what> according to \g<who>",
    ),
    (re.compile(r"\(co-?\)\s?(?=author)", re.IGNORECASE), ""),
    (
        re.compile(
            r"(?P<many>\b(?:total|many|much|average|avg\.?|mean|median|most|fewest|highest|lowest|number of|sum of"
            r"|all|its"
            r"|their|the|\d+k?|thousand|hundred)) cites\b(?! (?:\w+ )*(?:it|them|this)\b)",
            re.IGNORECASE,
        ),
        r"\g<many> citations",
    ),
    (
        re.compile(
            r"\b(?P<has>has|have|had|with)(?: been)? (?:received|gathered|collected|attracted|accumulated|earned"
            r"|drawn|obtained"
            r"|gained|garnered|amassed|got) (?=(?:[\w,]+ ){0,6}?citations?\b)",
            re.IGNORECASE,
        ),
        r"\g<has> ",
    ),
    (
        re.compile(
            r"\b(?P<which>which|what|the|one|paper|that|article) (?:received|gathered|collected|attracted"
            r"|accumulated|earned"
            r"|drew|obtained|gained|garnered|amassed|got) (?=(?:[\w,]+ ){0,6}?citations?\b)",
            re.IGNORECASE,
        ),
        r"\g<which> has ",
    ),
    (
        re.compile(
            r"(?<!what is )(?<!what was )\bthe (?:greatest|largest|highest|biggest|maximum"
            r"|top)(?: total)? (?:number|count|amount|total)s?"
            r" of (?=citations\b)",
            re.IGNORECASE,
        ),
        "the most ",
    ),
    (
        re.compile(
            r"(?<!what is )(?<!what was )\bthe (?:lowest|smallest|minimum)(?: total)? (?:number|count|amount|total)s?"
            r" of (?=citations\b)",
            re.IGNORECASE,
        ),
        "the fewest ",
    ),
    (
        re.compile(r"\bquoted\b(?= (?:by|most|least|often)\b)|(?<=most )quoted\b|(?<=often )quoted\b", re.IGNORECASE),
        "cited",
    ),
    (re.compile(r"\b(?P<tag>[\w-]+)-tagged (?P<papers>papers|articles|ones|entries)\b"), r"\g<papers> tagged \g<tag>"),
    (re.compile(r"\bi am (?:done|through|finished) (?:with )?reading\b", re.IGNORECASE), "i have finished reading"),
    (
        re.compile(r"\b(?:everything|all|anything|papers|articles|those|stuff) of mine\b(?! own)", re.IGNORECASE),
        "my papers",
    ),
    (
        re.compile(
            r"\b(?P<tag>[\w-]+?)-(?:tagged|labell?ed) (?P<papers>papers|articles|ones|stuff|works)\b", re.IGNORECASE
        ),
        r"\g<papers> tagged \g<tag>",
    ),
    (
        re.compile(
            r"(?:[,;]? \(?(?:i\. ?e\.?|ie)[,:]?|[,;] (?:meaning|in other words|that is),?) [^()]+\)?$",
            re.IGNORECASE,
        ),
        "",
    ),  # the same in other words
    (
        re.compile(
            r"\b(?:(?:on|at|in|during|as of) )?(?:which|what)(?: exact)? (?:day|date|month|week)"
            r" (?=(?:did|have|was|were|has|is|had)\b)",
            re.IGNORECASE,
        ),
        "when ",
    ),
    (
        re.compile(
            r"^(?:and |now |then |please )*(?:the other way (?:a)?round|(?:in )?(?:reverse|the opposite)(?: order)?"
            r"|reversed?"
            r"|the opposite)[,:;]+ (?=.*\b(?:first|ascending|descending)\b)",
            re.IGNORECASE,
        ),
        "",
    ),  # an order that is told behind it says which
    (
        re.compile(
            r"(?P<in>\bin (?:the |my )?)[\w-]+ (?:pile|list|folder|stack|group) "
            r"\((?:tag|tagged|label) (?P<tag>[\w-]+)\)"
        ),
        r"\g<in>\g<tag> pile",
    ),
    (
        re.compile(
            r"^how (?:do|does|are|is) (?P<what>[^,;:?]+?) (?:split(?: up)?|break down|broken down|divided?"
            r"|distributed?|spread)"
            r"(?: up| out)? (?:by|over|across|into|among|between|per) (?P<by>.+?)$",
            re.IGNORECASE,
        ),
        r"number of papers per \g<by> of \g<what>",
    ),
    (
        re.compile(
            r"^(?:in|on|of|for) how many (?P<papers>papers|articles|publications|works) (?:is|was) (?P<who>[^,;:?]+?)"
            r" (?:an? |the |among the |one of the )?(?:co-?)?authors?(?P<rest>\b.*)$",
            re.IGNORECASE,
        ),
        r"how many \g<papers> by \g<who>\g<rest>",
    ),
    (
        re.compile(
            r"^(?:the )?(?=(?:highest|largest|biggest|lowest|smallest|maximum|minimum|max|min|top)"
            r" (?:number of citations|citation count)\b(?! first))",
            re.IGNORECASE,
        ),
        "what is the ",
    ),
    (
        re.compile(
            r"(?:[?.!;,]+| -) (?:and |please )*(?:give|tell|show)(?: me)? (?:both|the|all|me the|me both)(?: the)?"
            r" (?:numbers|counts|figures|titles?|names?)[ .!]*$",
            re.IGNORECASE,
        ),
        "",
    ),  # which are told anyway
    (
        re.compile(
            r"(?P<asked>^(?:is|are|was|were) there (?:something|anything|any|some)\b.+)[?.!,;] (?:and |if so,? )*"
            r"w?h?ich(?: ones?| papers?)?[ ?.!]*$",
            re.IGNORECASE,
        ),
        r"\g<asked>",
    ),
    (
        re.compile(
            r"^(?:which|what) (?P<group>venue|journal|conference|author) (?:has|had) (?:the )?"
            r"(?P<which>(?:most|least)(?: often)? cited|newest|oldest|latest|earliest|most recent)"
            r" (?P<what>paper|article|work|one)\b",
            re.IGNORECASE,
        ),
        r"which is the \g<which> \g<what>",
    ),
    (
        re.compile(
            r"\b(?:have|has|are|is|were) neither (?:been )?(?P<one>[^,;:?]+?),? nor (?:been )?(?=\w)", re.IGNORECASE
        ),
        r"are not \g<one> and are not ",
    ),
    (
        re.compile(
            r"\bneither tagged (?:as |with )?(?P<one>[\w-]+),? nor (?:tagged )?(?:as |with )?(?P<other>[\w-]+)",
            re.IGNORECASE,
        ),
        r"not tagged \g<one> , not tagged \g<other>",
    ),
    (
        re.compile(
            r"^(?:in )?(?:what|which) year (?:did|was|has) (?P<name>[^,;:?]+?) (?:come out|appear|been published"
            r"|published|get published),? and where\b",
            re.IGNORECASE,
        ),
        r"when and where was \g<name> published",
    ),
    (re.compile(r"^whatever (?=.+\b(?:written|wrote|published|authored)\b)", re.IGNORECASE), "what "),
    (
        re.compile(
            r"^(?:please )?(?:get|take|throw|kick|pull|leave) (?P<what>(?:the ones|those|ones|papers|everything"
            r"|anything) "
            r"(?!.*\bshelf\b).+?) (?:out|away)(?: of)?(?: (?:the|this|it|here)(?: list| results)?)?[.! ]*$",
            re.IGNORECASE,
        ),
        r"drop \g<what>",
    ),
    (
        re.compile(
            r"^(?P<what>(?:all |any )?(?:those|the ones|ones|papers|everything|anything) (?!.*\bshelf\b).+?) "
            r"(?:can|may|should|must) (?:go|disappear|leave|be (?:dropped|left out|taken out|thrown out"
            r"|hidden|excluded))"
            r"[.! ]*$",
            re.IGNORECASE,
        ),
        r"drop \g<what>",
    ),
    (
        re.compile(
            r"^(?:(?:please|can you|could you|would you) )*(?:add|sum|total|tot|count)(?: up| together)? "
            r"(?:all )?(?:of )?(?:the |their )?(?P<of>citations?)(?: counts?)?\b",
            re.IGNORECASE,
        ),
        r"total citations",
    ),
    (
        re.compile(
            r"^(?:(?:please|can you|could you|would you) )*(?:break|split|group|divide|classify|count) "
            r"(?P<what>[^,;:?]+?)(?: down| up)?,? (?:by|into|per|according to) (?P<by>(?:the )?(?:publication )?"
            r"(?:type|kind|year|venue|journal|conference|decade|author|tag|language)s?\b.*)$",
            re.IGNORECASE,
        ),
        r"number of papers per \g<by> of \g<what>",
    ),
    (
        re.compile(
            r"^i (?:really |just |have |also |already |quite )*(?:liked?|loved?|enjoyed?|read|finished|got|know"
            r"|have|saved) (?P<name>[^.;!]+?)[.,;!–-]+"
            r"\s*(?P<rest>.*?)\b(?:(?:similar|comparable|alike|related)(?: to (?:it|that|this))?"
            r"|like (?:it|that|this)(?: one)?|in (?:that|the same) vein|along (?:those|these"
            r"|the same) lines)(?P<more>.*)$",
            re.IGNORECASE,
        ),
        r"\g<rest>like \g<name>\g<more>",
    ),
    (re.compile(r"^(?:order|sort|sorting|ranking|sorted|rank)(?: by)?: ?(?=\w)", re.IGNORECASE), "sort by "),
    (
        re.compile(
            r"^(?=(?:citations?|cites|citation counts?|dates?|years?|titles?) (?:ascending|descending|up|down)\b)",
            re.IGNORECASE,
        ),
        "sort by ",
    ),
    (
        re.compile(r"^by (?P<by>year|date)(?=,? .*\b(?:first|top|last|front)\b)", re.IGNORECASE),
        r"sort by \g<by>",
    ),
    (
        re.compile(
            r"^(?:please )?do (?=(?:save|tag|show|list|give|sort|export|write|mark|remove|find|add|tell|check)\b)",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(
            r"^(?P<what>(?:the )?(?:first|second|third|fourth|fifth|last|top|both|these|those|all|nr|number"
            r"|#?\d{1,3}(?:st|nd"
            r"|rd|th)?)(?: (?:one|ones|two|three|four|five|papers?|of (?:these|them|those)|and"
            r"|\d{1,3}))*) ?(?:->|=>|→|:| ) ?"
            r"(?P<verb>save|unsave|dismiss|bookmark|export|star|tag|untag)\b(?: (?P<rest>.+))?$",
            re.IGNORECASE,
        ),
        lambda found: f"{found['verb']} {found['what']} {_with(found['verb'], found['rest'])}".strip(),
    ),
    (
        re.compile(
            r"^(?P<what>[^,:;?!]{2,80})(?::| ?->| ?=>) ?(?P<verb>save|unsave|dismiss|bookmark)\b(?P<rest>.*)$",
            re.IGNORECASE,
        ),
        lambda found: f"{found['verb']} {found['what']}{_AND_TAG.sub(' and tag it as ', found['rest'])}",
    ),
    (
        re.compile(
            r"\bi find (?P<what>[^.;:!?]+?) (?:boring|dull|tedious|uninteresting|useless"
            r"|annoying)\b",
            re.IGNORECASE,
        ),
        r"i dislike \g<what>",
    ),
    (
        re.compile(
            r"\bi find (?P<what>[^.;:!?]+?) (?:interesting|fascinating|exciting|useful"
            r"|inspiring)\b",
            re.IGNORECASE,
        ),
        r"i like \g<what>",
    ),
    (
        re.compile(
            r"^(?P<lead>.*?\b)(?P<name>[A-Z][\w+]*(?:-[A-Z\d][\w]*)*)-(?:like|style|type|ish) "
            r"(?P<papers>papers?|articles?|work|works|models?|approaches|stuff|methods?)\b"
        ),
        r"\g<lead>papers like \g<name>",
    ),
)
"""What is said in a way that the readers do not know, and the same in one that they know."""
