"""Names of venues: find them in a text, match a paper's venue, and list the other names of each."""

import re
from collections.abc import Sequence
from functools import lru_cache

from cache.conditions.names import folded, words_of_name

CONFERENCES = """
NeurIPS NIPS ICML ICLR AISTATS COLT UAI AAAI IJCAI AAMAS CVPR ICCV ECCV WACV BMVC MICCAI SIGGRAPH EMNLP NAACL EACL
COLING CoNLL TACL SIGIR CIKM WSDM RecSys ECIR KDD ICDM SIGMOD VLDB ICDE EDBT PODS ICRA IROS CoRL INTERSPEECH ICASSP
USENIX OSDI SOSP NSDI SIGCOMM INFOCOM ASPLOS ISCA PLDI POPL OOPSLA ICSE FSE ISSTA STOC FOCS SODA CRYPTO EUROCRYPT
CSCW UIST JMLR TMLR TPAMI
""".split()
"""Abbreviations that mean nothing else, so that they may be written in lower case."""
AMBIGUOUS = "ACL CHI WWW RSS CCS NDSS MLSys EC ICC SC ASE CAV LREC ISMIR ICME ACML".split()
"""Abbreviations that also mean something else."""
JOURNALS = (
    """
Nature|Science|Cell|PNAS|The Lancet|Lancet|NEJM|JAMA|BMJ|The BMJ|eLife|PLOS ONE|PLoS One|PLOS Biology|PLOS Medicine
Nature Communications|Nature Medicine|Nature Methods|Nature Biotechnology|Nature Genetics|Nature Physics
Nature Materials|Nature Neuroscience|Nature Climate Change|Nature Machine Intelligence|Nature Energy
Scientific Reports|Scientific Data|Science Advances|Science Robotics|Science Translational Medicine
Physical Review Letters|Physical Review D|Physical Review B|Physical Review X|Reviews of Modern Physics
Annals of Mathematics|Inventiones Mathematicae|Astrophysical Journal|The Astrophysical Journal
New England Journal of Medicine|The New England Journal of Medicine|British Medical Journal|Annals of Internal Medicine
Lancet Oncology|Neuron|Current Biology|Immunity|Blood|Circulation|Gut|Bioinformatics|Genome Research|Genome Biology
Nucleic Acids Research|American Economic Review|Econometrica|Quarterly Journal of Economics
American Sociological Review|American Political Science Review|Psychological Science|Psychological Bulletin
Psychological Review|Angewandte Chemie|Chemical Reviews|JACS|Advanced Materials|ACM Computing Surveys
Communications of the ACM|Artificial Intelligence|Machine Learning|Water Research
Proceedings of the National Academy of Sciences|Cochrane Database of Systematic Reviews
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
KNOWN = {name.lower(): name for name in (*CONFERENCES, *AMBIGUOUS, *JOURNALS)} | {
    "nips": "NeurIPS",
    "lancet": "The Lancet",
    "bmj": "The BMJ",
    "plos one": "PLOS ONE",
    "astrophysical journal": "The Astrophysical Journal",
    "new england journal of medicine": "The New England Journal of Medicine",
    "nejm": "The New England Journal of Medicine",
    "nar": "Nucleic Acids Research",
    "jamia": "Journal of the American Medical Informatics Association",
    "cacm": "Communications of the ACM",
}
"""The name as its publisher writes it, by each spelling in lower case."""
ABBREVIATED = {
    "neurips": "neural information processing systems",
    "nips": "neural information processing systems",
    "icml": "international conference on machine learning",
    "iclr": "international conference on learning representations",
    "aistats": "artificial intelligence and statistics",
    "colt": "conference on learning theory",
    "uai": "uncertainty in artificial intelligence",
    "ijcai": "international joint conference on artificial intelligence",
    "acl": "association for computational linguistics",
    "naacl": "north american chapter of the association for computational linguistics",
    "eacl": "european chapter of the association for computational linguistics",
    "tacl": "transactions of the association for computational linguistics",
    "coling": "international conference on computational linguistics",
    "emnlp": "empirical methods in natural language processing",
    "cvpr": "computer vision and pattern recognition",
    "iccv": "international conference on computer vision",
    "eccv": "european conference on computer vision",
    "sigir": "research and development in information retrieval",
    "cikm": "information and knowledge management",
    "wsdm": "web search and data mining",
    "ecir": "european conference on information retrieval",
    "kdd": "knowledge discovery and data mining",
    "vldb": "very large data bases",
    "icra": "international conference on robotics and automation",
    "iros": "intelligent robots and systems",
    "jmlr": "journal of machine learning research",
    "tmlr": "transactions on machine learning research",
    "nejm": "new england journal of medicine",
    "pnas": "proceedings of the national academy of sciences",
    "bmj": "british medical journal",
}
"""Venues whose full name does not contain their abbreviation."""
_OR = re.compile(r"(?:(?<!\s)\s+)?(?:\bor\b|/|;|\|)\s*", re.IGNORECASE)
_COMMA = re.compile(r"(?:(?<!\s)\s+)?,\s*(?:and\b\s*)?", re.IGNORECASE)
_AND = re.compile(r"(?:(?<!\s)\s+)?(?:\band\b|&)\s*", re.IGNORECASE)
_YEAR = re.compile(r"(?:(?<![\s,])[\s,]+)?(?:'[0-9]{2}|(?:19|20)[0-9]{2})$")
_ABBREVIATION = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Za-z]{2,12}")


@lru_cache(maxsize=64)
def venues_in(text: str) -> tuple[str, ...]:
    """Return the venues that `text` names as alternatives: `NeurIPS, ICLR or Nature` are three.

    An "and" or a comma separates only two names of venues, because names may contain either ("Computer Vision and
    Pattern Recognition").
    """
    names = [name for part in _OR.split(text) for name in _listed(part)]
    return tuple(dict.fromkeys(name for raw in names if (name := _YEAR.sub("", raw).strip())))


def _listed(text: str) -> list[str]:
    by_comma = list(filter(None, _COMMA.split(text)))
    if len(by_comma) > 1 and all(_is_venue(name) for part in by_comma for name in _joined(part)):
        return [name for part in by_comma for name in _joined(part)]
    return _joined(text)


def _joined(text: str) -> list[str]:
    names = _AND.split(text)
    return names if len(names) > 1 and all(map(_is_venue, names)) else [text]


def _is_venue(name: str) -> bool:
    name = _YEAR.sub("", name).strip()
    return name.lower() in KNOWN or name.lower() in ABBREVIATED or bool(_ABBREVIATION.fullmatch(name))


@lru_cache(maxsize=64)
def keys_of(venue: str) -> frozenset[str]:
    """Return the names of `venue`, full and abbreviated, in the form of `title_key`, with and without the article,
    because only some records have it ("The BMJ")."""
    from connectors.records.matching import title_key

    key = title_key(venue)
    bare = key.removeprefix("the ")
    usual = title_key(KNOWN.get(bare, ""))
    full = ABBREVIATED.get(bare) or max((long for long in ABBREVIATED.values() if f" {long} " in f" {key} "), key=len,
                                        default="")  # fmt: skip
    short = [name for name, long in ABBREVIATED.items() if long == full]
    return frozenset({key, bare, usual, full, *short} - {""})


@lru_cache(maxsize=20_000)  # many papers of a library share a venue
def is_at(venue: str, venue_name: str) -> bool:
    """Whether `venue` is the venue `name`, under any of its names; if `name` ends with a `*`, whether its name
    starts with it.

    A name must match completely: *Nature Methods* is not *Nature*. The name of a known conference may be part of the
    name of its proceedings. For other meetings only the subject counts ("Proceedings of the 4th Workshop on X" is X),
    but a workshop at a conference is not that conference.
    """
    if venue_name.rstrip().endswith("*"):
        begins = " ".join(_without_article(words_of_name(venue_name)))
        return bool(begins) and " ".join(_without_article(words_of_name(venue))).startswith(begins)
    return any(_is_called(venue, words_of_name(name)) for name in keys_of(venue_name))


def _is_called(venue: str, words_wanted: Sequence[str]) -> bool:
    words_wanted = _without_article(words_wanted)
    name = " ".join(words_wanted)
    if name in _CONFERENCE_NAMES or (len(words_wanted) == 1 and name not in KNOWN and _is_abbreviation(venue, name)):
        words = words_of_name(venue)
        if "workshop" in words[:1] and "workshop" not in words_wanted and "at" in words:
            words = words[: words.index("at")]
        return f" {name} " in f" {' '.join(words)} "
    parts = map(words_of_name, _PARTED.split(_IN_BRACKETS.sub(" ", venue)))
    return bool(words_wanted) and any(_core(part, part) == _core(words_wanted, part) for part in parts)


def _without_article(words: Sequence[str]) -> list[str]:
    return list(words[1:] if len(words) > 1 and words[0] == "the" else words)


def _core(words: Sequence[str], venue: Sequence[str]) -> list[str]:
    """Return the words of a name without articles and volume numbers; if `venue` is a meeting, also without the
    words around its subject, such as "Proceedings of the 4th International Conference on"."""
    beside = _AROUND if _MEETINGS.isdisjoint(venue) else _AROUND | _MEETINGS | _AROUND_MEETINGS
    words = words[: words.index("at")] if beside is not _AROUND and "at" in words else words
    return [word for word in words if word not in beside and not _NUMBER.fullmatch(word)]


def _is_abbreviation(venue: str, word: str) -> bool:
    """Whether `word` is a known conference, or `venue` spells it with a capital after the first letter: NeurIPS,
    arXiv."""
    if word in _CONFERENCES:
        return True
    return any(folded(part) == word and any(map(str.isupper, part[1:])) for part in _WORD.findall(venue))


_WORD = re.compile(r"[^\W_]+")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_PARTED = re.compile(r"[:;=]|\s[-–—]\s")
_CONFERENCES = frozenset(map(str.lower, CONFERENCES))
_CONFERENCE_NAMES = frozenset({*_CONFERENCES, *map(str.lower, AMBIGUOUS), *ABBREVIATED.values()})
_AROUND = frozenset({"the", "proceedings", "of"})
_MEETINGS = frozenset({"conference", "symposium", "workshop", "congress", "meeting", "colloquium"})
_AROUND_MEETINGS = frozenset({"on", "annual", "international", "acm", "ieee"})
_NUMBER = re.compile(r"[0-9]+(?:st|nd|rd|th)?")
