"""Summaries, exports and comparisons in other words: "what is said in them about latency", "set both side by side"."""

import re

from agents.builtin.requests.sentences.rewriting import Rewriting

_THESE = {"them": "these", "it": "this paper", "they": "they"}
RUNS: tuple[Rewriting, ...] = (
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
            r"^(?:write|draft|put together|make|give me|do)(?: me| up)? (?:something|a text|a page|a few lines"
            r"|a paragraph)"
            r"(?: \w+)?(?: up)?(?: for me)?(?: \w+)? summarizing ",
            re.IGNORECASE,
        ),
        "summarize ",
    ),
    (
        re.compile(r"^(?:spit|dump|pour|churn) (?P<what>.+?) out(?= (?:as|in|into)\b)", re.IGNORECASE),
        r"export \g<what>",
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
)
