"""Papers in other words: "the one on screen", "rag-tagged papers", "those can go"."""

import re

from agents.builtin.requests.sentences.rewriting import Rewriting

PAPERS: tuple[Rewriting, ...] = (
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
            r"\b(?P<tag>[\w-]+?)-(?:tagged|labell?ed) (?P<papers>papers|articles|ones|stuff|works)\b", re.IGNORECASE
        ),
        r"\g<papers> tagged \g<tag>",
    ),
    (
        re.compile(r"\b(?:everything|all|anything|papers|articles|those|stuff) of mine\b(?! own)", re.IGNORECASE),
        "my papers",
    ),
    (
        re.compile(
            r"(?P<in>\bin (?:the |my )?)[\w-]+ (?:pile|list|folder|stack|group) "
            r"\((?:tag|tagged|label) (?P<tag>[\w-]+)\)"
        ),
        r"\g<in>\g<tag> pile",
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
            r"^(?:which|what) (?P<group>venue|journal|conference|author) (?:has|had) (?:the )?"
            r"(?P<which>(?:most|least)(?: often)? cited|newest|oldest|latest|earliest|most recent)"
            r" (?P<what>paper|article|work|one)\b",
            re.IGNORECASE,
        ),
        r"which is the \g<which> \g<what>",
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
    (
        re.compile(
            r"^(?P<lead>.*?\b)(?P<name>[A-Z][\w+]*(?:-[A-Z\d][\w]*)*)-(?:like|style|type|ish) "
            r"(?P<papers>papers?|articles?|work|works|models?|approaches|stuff|methods?)\b"
        ),
        r"\g<lead>papers like \g<name>",
    ),
)
