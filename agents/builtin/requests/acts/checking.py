"""Checking papers: retracted, published meanwhile, fields that are missing."""

import re

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.in_any_order.papers_meant import papers_meant
from agents.builtin.requests.meant import Meant, meant
from agents.builtin.requests.phrases import HEARD, Phrases, Slots
from agents.builtin.requests.references import ALL, SHOWN
from agents.builtin.requests.scene import Call, Reading, Scene
from agents.builtin.requests.spoken_sources import ANY_SOURCE

_CHECK = "check/verify/validate/proofread/audit/inspect/examine"
_WRONG = (
    "(problem/problems/error/errors/mistake/mistakes/retraction/retractions/fault/faults/issue/issues|"
    "missing fields|anything wrong|corrections|updates|newer versions|missing data|withdrawals|gaps)"
)
_FINE = (
    "(okay|ok|fine|complete|alright|all right|retracted|correct|published [meanwhile|by now]|up to date|"
    "withdrawn|sound|still valid)"
)
_MEANWHILE = (
    "(published (meanwhile|by now|since|properly|in the meantime|yet|somewhere)|meanwhile published|peer reviewed)"
)


_ENTRIES = re.compile(
    r"^(?:all )?(?:the |my )?(?:references?|entries|entry|records?|citations?|bibliography)(?: entries)? (?=tagged"
    r"|of|by|with|from|about|on)",
    re.IGNORECASE,
)
"""Entries of a bibliography are papers."""
_WHETHER = re.compile(r"(?:if|whether|that)\b", re.IGNORECASE)
_A_SOURCE = re.compile(rf"(?:{ANY_SOURCE})\b", re.IGNORECASE)


def _check(slots: Slots, scene: Scene) -> Reading | None:
    if _A_SOURCE.match(slots.get("papers", "")) or _WHETHER.match(slots.get("papers", "")):
        return None  # which is searched, or is asked
    papers = meant(_ENTRIES.sub("papers ", slots["papers"]), scene) if "papers" in slots else Meant((), [SHOWN])
    return papers and papers.then("check")


def _check_shelf(slots: Slots, scene: Scene) -> Reading:
    return Meant((Call("filter", {"saved": True}),), [ALL], onward=False).then("check")


_RETRACTED = re.compile(r"\b(?:retracted|withdrawn|retractions?|withdrawals?)\b(?![\"'])", re.IGNORECASE)
_ASKS_WHETHER = re.compile(
    r"\b(?:any|anything|either|whether|if|check|verify|(?:yes|y)(?:/| or )(?:no|n))\b"
    r"|^(?:and |but |so |now )*(?:is|are|was|were|has|have|had)\b",
    re.IGNORECASE,
)
_BESIDE = frozenset(
    """
    any anything anyone either none whether if yes/no y/n meantime check checked checking verify verified indicate
    see tell know say look find found out determine confirm sure yes no not y n or been status retraction happen
    happens happened know known among amongst meanwhile yet ever already still since case instance contain contains
    include includes included hidden
    """.split()
)
HEARD.update(_BESIDE)
_ASKS_MORE = re.compile(
    r"\b(?:how|when|why|which|what|who|not|without|non|except|but|only|drop|remove)\b"
    r"|\b(?:retracted|withdrawn) (?:papers|articles|works|publications|studies|preprints|trials)\b",
    re.IGNORECASE,
)
"""What is no mere question whether: "any retracted papers since 2020" asks for them."""


def any_retracted(text: str, scene: Scene) -> Reading | None:
    """Whether papers were retracted, in whatever order that is asked; None where more is said."""
    if not _RETRACTED.search(text) or not _ASKS_WHETHER.search(text) or _ASKS_MORE.search(text):
        return None
    papers = papers_meant(_RETRACTED.sub(" ", text), _BESIDE, scene)
    return papers and papers.then("check")


_MINE = (
    "([all] [of] {saved_shelf}|my papers|my library|all my papers|my (bibliography|references|entries|records"
    "|bibliography entries)"
    "|[all|any|anything|everything|something|(any|some) [of the] papers] [that|what] i [have] [ever] (saved|save"
    "|bookmarked)"
    "|(any|some|one) (paper|papers) of mine|(any|some|one) of my (papers|saved papers|references)|(any|some) saved"
    " papers)"
)
CHECKING = (
    Rule(Phrases(f"""
        {_CHECK} {_MINE} [for {_WRONG}]
        (is|are) [there] (anything|something|any) [wrong|problems|errors|missing] (with|in|on) {_MINE}
        (has|have|was|were|is|are) (any|anything|something) (of|on|in) {_MINE} [been] {_FINE}
        look for {_WRONG} (in|on|among) {_MINE}
        are {_MINE} [all] [still] {_FINE}
        (has|have|was|were|is|are) {_MINE} [been] [ever|meanwhile|already] [{_FINE}|{_MEANWHILE}]
        are there [any] {_WRONG} (in|on|among) {_MINE}
        (find|show|list) [me] [all|the|any] {_WRONG} (in|on|among|of) {_MINE}
        is {_MINE} {_FINE}
    """), _check_shelf),
    Rule(Phrases(f"""
        {_CHECK} <papers> for {_WRONG} [and {_WRONG}]
        {_CHECK} (whether|if) <papers> (is|are|was|were|has|have) [been] [still] {_FINE}
        {_CHECK}
        {_CHECK} <papers>
        (is|are) [there] (anything|something|any) [wrong|off|missing|problem/problems|error/errors] (with|in|about)
            <papers>
        (anything|something) (wrong|off|missing|odd|strange) (with|in|about) <papers>
        (is|are|was|were|has|have) (any|one|some|anything|either|none) (of|in|among) <papers> [been] {_FINE}
        (is|are|was|were|has|have) <papers> [been] [meanwhile] {_MEANWHILE}
        (do|does) [any|some|one|any one] [of|in|among] <papers> (have|show|contain|has) [any|some|known] {_WRONG}
        (are|were|have) {{these}} [been] [all|still] {_FINE}
        (are|were|have) <papers> [been] [all|still] {_FINE}
        what is (wrong|missing) (with|in|from) <papers>
        (any|are there [any]) {_WRONG} (in|with|among|of) <papers>
        look for {_WRONG} (in|among) <papers>
    """), _check),
)  # fmt: skip
