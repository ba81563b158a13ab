"""Numbers, days and orders in other words: "has received the greatest number of citations", "cites ascending"."""

import re

from agents.builtin.requests.sentences.rewriting import Rewriting

_GATHERED = "received|gathered|collected|attracted|accumulated|earned|drawn|obtained|gained|garnered|amassed|got"
FIGURES: tuple[Rewriting, ...] = (
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
            rf"\b(?P<has>has|have|had|with)(?: been)? (?:{_GATHERED}) (?=(?:[\w,]+ ){{0,6}}?citations?\b)",
            re.IGNORECASE,
        ),
        r"\g<has> ",
    ),
    (
        re.compile(
            rf"\b(?P<which>which|what|the|one|paper|that|article) (?:{_GATHERED}|drew)"
            r" (?=(?:[\w,]+ ){0,6}?citations?\b)",
            re.IGNORECASE,
        ),
        r"\g<which> has ",
    ),
    (
        re.compile(
            r"(?<!what is )(?<!what was )\bthe (?:greatest|largest|highest|biggest|maximum|top"
            r"|(?P<fewest>lowest|smallest|minimum))(?: total)? (?:number|count|amount|total)s? of (?=citations\b)",
            re.IGNORECASE,
        ),
        lambda found: "the fewest " if found["fewest"] else "the most ",
    ),
    (
        re.compile(r"\bquoted\b(?= (?:by|most|least|often)\b)|(?<=most )quoted\b|(?<=often )quoted\b", re.IGNORECASE),
        "cited",
    ),
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
            r"^(?:in )?(?:what|which) year (?:did|was|has) (?P<name>[^,;:?]+?) (?:come out|appear|been published"
            r"|published|get published),? and where\b",
            re.IGNORECASE,
        ),
        r"when and where was \g<name> published",
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
            r"(?P<order>\b(?:top|best|first|last|sort\w*|rank\w*|order\w*|highest|lowest|compare)\b[^,;:.?!]{0,40}?) "
            r"(?:in terms of|as to|with (?:regard|respect) to|as regards) (?=(?:the |their )?(?:number of )?"
            r"(?:citations?|citation counts?|publication dates?|dates?|years?|age|relevance|popularity)\b)",
            re.IGNORECASE,
        ),
        r"\g<order> by ",
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
)
