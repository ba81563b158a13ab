"""What a paper says in a column of a comparison table, without a model: the sentence with most words of that kind."""

import re
from collections.abc import Collection, Mapping, Sequence

from agents.builtin.text.terms import LONGEST_QUOTE, sentences, terms

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
_NOTHING = re.compile("|".join((_RELEASED, _WE_RELEASE, _WORKS, _BEST, _PROPOSED, _SAID_ELSEWHERE)), re.IGNORECASE)


def says_nothing(sentence: str) -> bool:
    """Whether who reads `sentence` knows no more of what its paper is about."""
    return bool(_NOTHING.search(sentence))


_CUES: Mapping[str, str] = {
    "method": r"propos|introduc|present|develop|method|approach|algorithm|model|framework|techniqu|procedure|design"
    r"|train|learn|combin",
    "data": r"data|corpus|corpora|benchmark|collection|sample|patient|participant|survey|record|cohort|image",
    "result": r"result|achiev|outperform|improv|show|found|find|demonstrat|significan|increas|reduc|better"
    r"|higher|lower|beat|%|percent",
    "limitation": r"however|limit|challeng|difficult|fail|lack|although|despite|bias|unclear|error|drawback|remain",
    "task": r"task|problem|goal|aim|application|purpose|question",
    "population": r"patient|participant|adult|child|women|men|cohort|population|student|user",
    "measure": r"measur|metric|score|accura|recall|precision|rate|index|evaluat",
}

_OWN_KINDS = ("method", "data", "result")
"""Columns on what the paper itself did, not on what there was before."""
_OF_OTHERS = re.compile(
    r"(?:however|recent(?:ly)?|existing|previous(?:ly)?|prior|current(?:ly)?|traditional(?:ly)?|conventional|most|many|"
    r"although|though|despite|while|earlier|state-of-the-art|in recent years|over the (?:last|past))\b",
    re.IGNORECASE,
)
_POINTING = re.compile(r"(?:this|these|such)\b(?! (?:paper|article|study|work|survey|review)\b)", re.IGNORECASE)
"""How a sentence begins that means something outside the cell."""
_OWN = re.compile(r"\b(?:we|our|us|i|my)\b|\bthis (?:paper|article|study|work)\b|\bthe proposed\b", re.IGNORECASE)


def cells(columns: Sequence[str], text: str, told: Collection[str] = ()) -> list[str]:
    """For each column the sentence of `text` that says most of what belongs there, as it stands; "" if none does.

    A sentence stands in one column, where it says most; longer ones than a quote may be in none, nor those that point
    at another one or are `told` beside the table already. What others did is neither the method nor the data nor the
    result of a paper.
    """
    found = [one for one in sentences(text) if one not in told and _fits(one)]
    filled = [""] * len(columns)
    worths = [
        (len(_cue(column).findall(sentence)) / (1 + len(sentence) / 400), -place, number)
        for number, column in enumerate(columns)
        for place, sentence in enumerate(found)
        if not (column.casefold().strip().startswith(_OWN_KINDS) and _is_of_others(sentence))
    ]
    for worth, place, number in sorted(worths, key=lambda one: (-one[0], one[2], -one[1])):
        if worth and not filled[number] and found[-place] not in filled:
            filled[number] = found[-place]
    return filled


def _fits(sentence: str) -> bool:
    return len(sentence) <= LONGEST_QUOTE and not says_nothing(sentence) and not _POINTING.match(sentence)


def _is_of_others(sentence: str) -> bool:
    return bool(_OF_OTHERS.match(sentence)) and not _OWN.search(sentence)


def _cue(column: str) -> re.Pattern[str]:
    """Words of the kind that a column is called after, in the singular or plural; else the column's own words."""
    name = column.casefold().strip()
    known = next((cue for kind, cue in _CUES.items() if name.startswith(kind)), None)
    own = "|".join(map(re.escape, terms(column))) or re.escape(name)
    return re.compile(rf"(?:\b|(?=%))(?:{known or own})\w*", re.IGNORECASE)
