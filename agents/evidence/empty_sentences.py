"""Sentences of abstracts that say nothing of their subject: where the code is, that the method works, what follows.

They are recognized by their wording, which fits any paper.
"""

import re

_MATERIAL = (
    r"(?:codes?|codebase|data(?:sets?)?|materials?|models?|checkpoints?|resources?|software|scripts?|benchmarks?|"
    r"implementations?|demos?|toolkits?|videos?|weights|supplement\w*)"
)
_METHOD = r"(?:method|approach|model|framework|algorithm|technique|system|architecture|network|strategy|design)s?"
_QUALITY = (
    r"(?:effectiveness|superiority|efficacy|efficiency|performance|benefits?|advantages?|validity|robustness|"
    r"usefulness|utility|feasibility|potential|value|generality|versatility|scalability)"
)
_RELEASED = (
    rf"^(?!no\b)(?:[\w-]+,? ){{0,5}}?{_MATERIAL}"
    rf"(?:,? (?:and|for|of|to|used|in|our|the|this|all|project|work|paper|study|{_MATERIAL})){{0,8}} "
    r"(?:is|are|will be|(?:has|have|can) be(?:en)?) "
    r"(?:made |also |all |now |freely |publicly |openly )*"
    r"(?:available|accessible|released|found|accessed|downloaded|public|open-?sourced?)"
    r"(?: (?:at|on|from|in|here|online|via|under|upon|to the|as|for (?:research|future))\b|\W*$)"
)
_WE_RELEASE = (
    rf"\b(?:release|share|publish|open-?source)s? (?:all|both|our|the|its)(?: [\w-]+){{0,3}}? {_MATERIAL}"
    r"(?: (?:and|to|so|at|on|for|publicly|in|under|studied)\b|\W*$)"
    rf"|\bmake (?:all|our|the)\b.{{0,80}}\b(?:available|public|accessible)\b"
)
_WORKS = (
    r"\b(?:demonstrat|show|validat|verif|confirm|prov|illustrat|highlight|support)\w* the (?:\w+ )?"
    rf"{_QUALITY}(?:,? (?:and|or) (?:the )?{_QUALITY})? of (?:our|the|this)(?: proposed| new| novel)? {_METHOD}\W*$"
)
_BEST = (
    rf"\b(?:our|the proposed) {_METHOD} (?:\w+ )?(?:outperform|surpass)\w* "
    r"(?:(?:the|all|other|existing|current|previous|several|strong|competitive|state-of-the-art) )*"
    r"(?:methods|approaches|baselines?|models|techniques|works?)\W*$"
)
_PROPOSED = (
    r"^(?:in this \w+,? )?(?:to \w+ (?:this|these) \w+,? )?(?:we|this \w+) (?:propose|present|introduce|develop)s? an? "
    rf"(?:(?:novel|new|simple|general|effective|efficient|yet|and|but),? )*{_METHOD}(?: to \w+ (?:this|these) \w+)?\W*$"
)
_SAID_ELSEWHERE = r"\b(?:is|are|was|were) (?:also |briefly |then )?discussed\W*$|^(?:\w+,? )?we (?:also )?hope "
_AIM = (
    r"^(?:(?:objective|aim|purpose|goal|background|introduction)s?\W+)?to \w+\b(?!.*(?:, |\b(?:we|is|are|was|were)\b))"
    r"|^.{0,40}?\b(?:objective|aim|purpose|goal)s?(?: of (?:this|the|our)\b.{0,40}?)?"
    r" (?:is|are|was|were) (?:\w+ly )?to\b"
    r"|^(?:\w+\W+)?(?:we|this \w+) (?:\w+ )?(?:aim(?:s|ed)?|sought|set out|intend(?:s|ed)?) to\b"
)
"""The aim of a paper is not a finding."""
_NOTHING = re.compile(
    "|".join((_AIM, _RELEASED, _WE_RELEASE, _WORKS, _BEST, _PROPOSED, _SAID_ELSEWHERE)), re.IGNORECASE
)


def says_nothing(sentence: str) -> bool:
    """Whether `sentence` could be in any paper, and so says nothing of its subject."""
    return bool(_NOTHING.search(sentence))
