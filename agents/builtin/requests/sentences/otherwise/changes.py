"""What is to be saved, tagged, marked or remembered, in other words: "RAPTOR i have now read", "2nd one: save"."""

import re

from agents.builtin.requests.sentences.rewriting import Rewriting

_AND_TAG = re.compile(r",? (?:and )?tags?:? (?!it\b|them\b)", re.IGNORECASE)


def _with(verb: str, rest: str | None) -> str:
    """What a change is told with behind its papers: a tag, or anything else."""
    tags = verb.lower() in ("tag", "untag") and rest and not rest.lower().startswith(("as ", "with ", "under "))
    return f"as {rest}" if tags else rest or ""


CHANGES: tuple[Rewriting, ...] = (
    (re.compile(r"(?P<shelf>\bmy shelf) for me(?=[ .!?]*$)", re.IGNORECASE), r"\g<shelf>"),
    (
        re.compile(
            r"^i (?:would like|want|need)(?: to (?:have|get|put|see))? "
            r"(?P<what>(?!(?:my|all|every|papers|what|which|to|you|the papers|the most|the \w+est)\b)[^,;:?]{2,100}?)"
            r" (?:on|in|onto) my shelf[.! ]*$",
            re.IGNORECASE,
        ),
        r"save \g<what>",
    ),
    (re.compile(r"^to be (?P<done>saved|bookmarked|shelved)[:,]? ", re.IGNORECASE), "save "),
    (re.compile(r"[.;,] (?:it|this|which) (?:should|must|shall|has to) (?:say|read|be)(?=: )", re.IGNORECASE), ""),
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
    (re.compile(r"\bi am (?:done|through|finished) (?:with )?reading\b", re.IGNORECASE), "i have finished reading"),
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
)
