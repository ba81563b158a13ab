"""Fill the cells of a comparison table without a model, with the sentence that has the most words for the column."""

import re
from collections.abc import Collection, Mapping, Sequence

from agents.builtin.text.sentences import LONGEST_QUOTE, sentences
from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of
from agents.builtin.text.zones import zones_of
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
"""Columns about the paper's own work, not earlier work."""
_BACKGROUND = 0.5
_POINTING = re.compile(r"(?:this|these|such)\b(?! (?:paper|article|study|work|survey|review)\b)", re.IGNORECASE)
"""Beginning of a sentence that refers to something outside the cell; “it” may be the paper of the row."""
_OWN = re.compile(r"\b(?:we|our|us|i|my)\b|\bthis (?:paper|article|study|work)\b|\bthe proposed\b", re.IGNORECASE)


def cells(columns: Sequence[str], text: str, used: Collection[str] = ()) -> list[str]:
    """Return for each column the sentence of `text` that fits it best, verbatim; "" if none fits.

    Each sentence fills one column, where it fits best. Sentences are skipped if they are longer than a quote may be,
    point at another one, or have letters that are `used` elsewhere. Background before the paper's own work fills no
    column on its method, data or result.
    """
    all_sentences = sentences(text)
    first_result = next((index for index, sentence in enumerate(all_sentences) if _OWN.search(sentence)), 0)
    background = {
        sentence
        for sentence, zones in zip(all_sentences[:first_result], zones_of(all_sentences), strict=False)
        if zones[0] > _BACKGROUND
    }
    fitting_sentences = [
        sentence for sentence in all_sentences
        if letters_of(sentence) not in used and len(sentence) <= LONGEST_QUOTE
        and may_be_quoted(sentence) and not _POINTING.match(sentence)
    ]  # fmt: skip
    filled = [""] * len(columns)
    worths = [
        (len(_cue(column).findall(sentence)) / (1 + len(sentence) / 400), -index, number)
        for number, column in enumerate(columns)
        for index, sentence in enumerate(fitting_sentences)
        if not (column.casefold().strip().startswith(_OWN_KINDS) and sentence in background)
    ]
    for worth, index, number in sorted(worths, key=lambda row: (-row[0], row[2], -row[1])):
        if worth and not filled[number] and fitting_sentences[-index] not in filled:
            filled[number] = fitting_sentences[-index]
    return filled


def _cue(column: str) -> re.Pattern[str]:
    """Return a pattern for the words that indicate a column: of a known kind of column, else the column's own words."""
    name = column.casefold().strip()
    kind_cue = next((cue for kind, cue in _CUES.items() if name.startswith(kind)), None)
    column_words = "|".join(map(re.escape, terms(column))) or re.escape(name)
    return re.compile(rf"(?:\b|(?=%))(?:{kind_cue or column_words})\w*", re.IGNORECASE)
