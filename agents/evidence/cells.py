"""What a paper says in a column of a comparison table, without a model: the sentence with most words of that kind."""

import re
from collections.abc import Collection, Mapping, Sequence

from agents.builtin.text.sentences import LONGEST_QUOTE, sentences
from agents.builtin.text.terms import terms
from agents.evidence.choosing import may_be_quoted

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
"""How a sentence begins that means something outside the cell; “it” is the paper of the row."""
_OWN = re.compile(r"\b(?:we|our|us|i|my)\b|\bthis (?:paper|article|study|work)\b|\bthe proposed\b", re.IGNORECASE)


def cells(columns: Sequence[str], text: str, used: Collection[str] = ()) -> list[str]:
    """For each column the sentence of `text` that says most of what belongs there, as it stands; "" if none does.

    A sentence stands in one column, where it says most; longer ones than a quote may be in none, nor those that point
    at another one or are `used` beside the table already. What others did is neither the method nor the data nor the
    result of a paper.
    """
    fitting_sentences = [one for one in sentences(text) if one not in used and _fits(one)]
    filled = [""] * len(columns)
    worths = [
        (len(_cue(column).findall(sentence)) / (1 + len(sentence) / 400), -index, number)
        for number, column in enumerate(columns)
        for index, sentence in enumerate(fitting_sentences)
        if not (column.casefold().strip().startswith(_OWN_KINDS) and _is_of_others(sentence))
    ]
    for worth, index, number in sorted(worths, key=lambda one: (-one[0], one[2], -one[1])):
        if worth and not filled[number] and fitting_sentences[-index] not in filled:
            filled[number] = fitting_sentences[-index]
    return filled


def _fits(sentence: str) -> bool:
    return len(sentence) <= LONGEST_QUOTE and may_be_quoted(sentence) and not _POINTING.match(sentence)


def _is_of_others(sentence: str) -> bool:
    return bool(_OF_OTHERS.match(sentence)) and not _OWN.search(sentence)


def _cue(column: str) -> re.Pattern[str]:
    """Words of the kind that a column is called after, in the singular or plural; else the column's own words."""
    name = column.casefold().strip()
    known = next((cue for kind, cue in _CUES.items() if name.startswith(kind)), None)
    own = "|".join(map(re.escape, terms(column))) or re.escape(name)
    return re.compile(rf"(?:\b|(?=%))(?:{known or own})\w*", re.IGNORECASE)
