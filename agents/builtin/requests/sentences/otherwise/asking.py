"""How a thing is asked for that is neither ordered nor asked: "more things for you: …", "new papers wanted on …"."""

import re

from agents.builtin.requests.sentences.rewriting import Rewriting

ASKING: tuple[Rewriting, ...] = (
    (re.compile(r"\b(?P<it>it|that|there|what|who|which) is been\b", re.IGNORECASE), r"\g<it> has been"),
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
        re.compile(
            r"^(?:any |some )?new (?:work|papers|publications|literature|articles|studies) (?:(?:is|are) )?"
            r"(?:to be (?:found|searched for|sought)|wanted|sought|needed) (?:on|about|regarding):? (?=\S)",
            re.IGNORECASE,
        ),
        "find new papers on ",
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
        re.compile(
            r"(?P<asked>^(?:is|are|was|were) there (?:something|anything|any|some)\b.+)[?.!,;] (?:and |if so,? )*"
            r"w?h?ich(?: ones?| papers?)?[ ?.!]*$",
            re.IGNORECASE,
        ),
        r"\g<asked>",
    ),
    (
        re.compile(
            r"(?:[,;]? \(?(?:i\. ?e\.?|ie)[,:]?|[,;] (?:meaning|in other words|that is),?) [^()]+\)?$",
            re.IGNORECASE,
        ),
        "",
    ),  # the same in other words
    (re.compile(r"^whatever (?=.+\b(?:written|wrote|published|authored)\b)", re.IGNORECASE), "what "),
    (
        re.compile(
            r"^(?:please )?do (?=(?:save|tag|show|list|give|sort|export|write|mark|remove|find|add|tell|check)\b)",
            re.IGNORECASE,
        ),
        "",
    ),
    (
        re.compile(
            r"(?:[?.!;,]+| -) (?:and |please )*(?:give|tell|show)(?: me)? (?:both|the|all|me the|me both)(?: the)?"
            r" (?:numbers|counts|figures|titles?|names?)[ .!]*$",
            re.IGNORECASE,
        ),
        "",
    ),  # which are told anyway
)
