"""What is left of a question without the words of asking: "Could you show me papers on X?" is X."""

import re

from agents.builtin.question_parsing.lexicon import DOCUMENTS

_ASKING = frozenset(
    """a about all am an and any anything appreciate are article articles ask can containing could covering deal deals
    dealing dear describe describing describes did discuss discussing do does each examples find focused focusing fetch
    for from get give gives good had has have hello help here hi how i i'd i'm i've if in interested involving is into
    it kindly know known learn like list literature look looking me my need needed obtain of on or our out person please
    point provide recommend refer regarding relating related relevant request research researcher researchers retrieve
    search searching seek seeking send several share should show some specifically suggest tell thank thanks that the
    their there these this those through to use using us want was wants we were what what's where which who whose why
    will wish with work works would you your""".split()
)
_ONLY_BEFORE_ANOTHER = frozenset(
    "evidence example literature research use using good help work works like article articles".split()
)
"""Words of asking only where another one follows: "research on …", but "research ethics"."""
_REPORTING = re.compile(
    r"(?:also|previously|recently|already|ever|been|being|successfully|first|directly|(?:re)?present(?:s|ed|ing)?|"
    r"discuss(?:es|ed|ing)?|describ(?:e|es|ed|ing)|propos(?:e|es|ed|ing)|explor(?:e|es|ed|ing)|examin(?:e|es|ed|ing)|"
    r"investigat(?:e|es|ed|ing)|stud(?:y|ies|ied|ying)|analy[sz](?:e|es|ed|ing)|address(?:es|ed|ing)?|"
    r"introduc(?:e|es|ed|ing)|consider(?:s|ed|ing)?|us(?:e|es|ed|ing)|utili[sz](?:e|es|ed|ing)|employ(?:s|ed|ing)?|"
    r"demonstrat(?:e|es|ed|ing)|show(?:s|ed|n|ing)?|report(?:s|ed|ing)?|develop(?:s|ed|ing)?|suggest(?:s|ed|ing)?|"
    r"provid(?:e|es|ed|ing)|focus(?:es|ed|ing)?|look(?:s|ed|ing)?|cover(?:s|ed|ing)?|deal(?:s|t|ing)?|"
    r"mention(?:s|ed|ing)?|appl(?:y|ies|ied|ying)|adopt(?:s|ed|ing)?|tackl(?:e|es|ed|ing)|argu(?:e|es|ed|ing)|"
    r"work(?:s|ed|ing)?|done|conducted|made|exist(?:s|ing)?|evaluat(?:e|es|ed|ing)|published|written|cited|find(?:s|ing)?|found)"
)
_DOCUMENT = re.compile(
    r"(?:research|most|highly|cited|well-known|influential|scientific|academic|scholarly|peer-reviewed|journal|seminal|important|key|recent|best"
    r"|relevant|primary|empirical|interesting|papers?|articles?|publications?|stud(?:y|ies)|works?|surveys?|preprints?|literature|references|investigations?)"
)
_CLAUSE_OF_ASKING = re.compile(
    r"^(?:(?:hi|hello|dear)[^,.!]{0,40}[,.!]\s*)|(?:[,.;]\s*|(?<!\s)\s+)?(?:please|thanks?(?:\s+you)?(?:\s+in\s+advance)?)\s*[.!?]*$"
    r"|(?:[,;]\s*|(?<!\s)\s+)?preferably\s*[.?!]*$",
    re.IGNORECASE,
)
_HANGING = frozenset(
    "a about an and at by for from in is of on or over published since that the to which with within".split()
)
_BEFORE_VERBS = frozenset("that which who researchers researcher authors have has been is are was were".split())
_PAPERS = frozenset("papers articles publications preprints paper".split())


def topic_of(text: str) -> str:
    """`text` (what is left of a question without its conditions) without the words of asking; may be empty."""
    words = _CLAUSE_OF_ASKING.sub("", " ".join(text.split())).split()
    start, end = 0, len(words)
    while start < end and _is_asking(words, start):
        start += 1
    while end > start and _is_hanging(words[end - 1], alone=end - start == 1):
        end -= 1
    return " ".join(words[start:end]).strip(" ,;:?!").rstrip(".")


def _is_asking(words: list[str], position: int) -> bool:
    """Whether the word at `position` only asks, given that all words before it do."""
    word = _bare(words[position])
    following = _bare(words[position + 1]) if position + 1 < len(words) else ""
    if _is_abbreviation(words[position]) and not all(each.isupper() for each in words):
        return False
    if word.isdigit() and following in DOCUMENTS:
        return True
    if _DOCUMENT.fullmatch(word) or word in _ONLY_BEFORE_ANOTHER:
        return _asks_on(following) or (position > 0 and _REPORTING.fullmatch(following) is not None)
    return not word or word in _ASKING or (position > 0 and _says_what_papers_do(word, _bare(words[position - 1])))


def _asks_on(following: str) -> bool:
    """Whether a word for papers is followed by nothing, or by another word of asking."""
    asking = following in _ASKING and following not in ("use", "using")
    return not following or asking or _DOCUMENT.fullmatch(following) is not None


def _says_what_papers_do(word: str, before: str) -> bool:
    subject = before in DOCUMENTS or before in _BEFORE_VERBS or _REPORTING.fullmatch(before) is not None
    return subject and _REPORTING.fullmatch(word) is not None


def _is_hanging(raw: str, alone: bool) -> bool:
    word = _bare(raw)
    return not word or raw in _HANGING or (not alone and word in _PAPERS)


def _is_abbreviation(raw: str) -> bool:
    letters = raw.strip(",.?!;:()")
    return letters.isupper() and len(letters) > 1


def _bare(word: str) -> str:
    return word.lower().strip(".,;:?!()[]\"'")
