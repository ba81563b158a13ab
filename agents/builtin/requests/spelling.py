"""A request as it was meant: one kind of dash and quote, short forms written out, slips of the pen mended.

Only words that the rules listen for are mended, and only into those: never a name, nor a word that some paper of the
library has. What stands in quotation marks, or behind a colon, is left as it is.
"""

import re
from collections.abc import Callable

from rapidfuzz.distance import OSA

from agents.builtin.question_parsing.lexicon import tells
from agents.builtin.question_parsing.spans import plain
from agents.builtin.requests.phrases import HEARD

_SHORT = {
    "whats": "what is", "whos": "who is", "wheres": "where is", "hows": "how is", "thats": "that is",
    "theres": "there is", "ive": "i have", "im": "i am", "dont": "do not", "doesnt": "does not", "didnt": "did not",
    "isnt": "is not", "arent": "are not", "wasnt": "was not", "werent": "were not", "havent": "have not",
    "hasnt": "has not", "hadnt": "had not", "cant": "can not", "cannot": "can not", "couldnt": "could not",
    "wont": "will not", "wouldnt": "would not", "shouldnt": "should not", "lets": "let us", "gimme": "give me",
    "lemme": "let me", "wanna": "want to", "gotta": "have to", "pls": "please", "plz": "please", "plse": "please",
    "thx": "thanks", "tnx": "thanks", "thanx": "thanks", "ty": "thanks", "u": "you", "ur": "your", "w/o": "without",
    "wo": "without", "w/": "with", "b/c": "because", "cuz": "because", "abt": "about", "btw": "", "atm": "now",
    "asap": "now", "refs": "references", "teh": "the", "yrs": "years", "yr": "year", "pubs": "publications",
    "b4": "before", "btwn": "between", "recs": "recommendations", "rec": "recommend", "thru": "through", "esp": "",
    "nr": "number", "min.": "min", "max.": "max", "approx": "about", "&": "and", "+": "and",
    "most-cited": "most cited", "highly-cited": "highly cited", "least-cited": "least cited", "un-tag": "untag",
    "open-access": "open access", "to-date": "to date", "pre-print": "preprint", "pre-prints": "preprints",
    "untagged": "without tags", "unannotated": "without notes", "biblio": "bibliography", "summarise": "summarize",
    "summarised": "summarized", "summarising": "summarizing", "favourite": "favorite", "favourites": "favorites",
    "analyse": "analyze", "catalogue": "catalog", "prolly": "probably", "til": "until", "till": "until",
    "bout": "about", "ppl": "people", "mny": "many", "wat": "what", "wats": "what is", "whch": "which",
    "wht": "what", "papr": "paper", "hw": "how", "shw": "show", "srch": "search", "nxt": "next", "hav": "have",
    "shlf": "shelf", "frm": "from", "sinc": "since", "cit": "citations", "cits": "citations", "un-save": "unsave",
    "bib-tex": "bibtex", "ya": "you", "dunno": "do not know", "mins": "minutes", "infos": "information",
    "info": "information", "tl;dr": "tldr", "amongst": "among", "e-prints": "preprints", "eprints": "preprints",
    "arent't": "are not", "atleast": "at least", "atmost": "at most", "wich": "which", "wheter": "whether",
    "alot": "a lot", "shure": "sure", "outta": "out of", "smth": "something", "sth": "something", "wk": "week",
    "wks": "weeks", "em": "them", "'em": "them", "cud": "could", "wud": "would", "acc": "according",
    "acc.": "according",
    "arround": "around", "desc": "descending", "asc": "ascending", "w": "with", "wit": "with",
    "breif": "brief", "gud": "good", "smthing": "something",
    "lib": "library", "pref": "preference", "prefs": "preferences", "abstr": "abstract", "auth": "author",
    "pg": "page", "sumthing": "something", "evry": "every",
    "ppr": "paper", "pprs": "papers", "jsut": "just", "onse": "ones", "thses": "these", "wihtout": "without",
    "alredy": "already", "alltogether": "altogether",
}  # fmt: skip
_SIGNS = (
    (re.compile(r"(?<!\w)['‘’]em\b", re.IGNORECASE), "them"),
    (re.compile(r"(?<![\w.,-])((?:19|20)[0-9]{2}) ?\+(?![\w+]| (?:cit|times))"), r"\1 or later"),
    (re.compile(r"(?<![\w.,-])([0-9][0-9,.]*k?) ?\+(?= (?:citations?|cites|cits?|times)\b)"), r"at least \1"),
    (re.compile(r"\b(pre|post)-(?=(?:19|20)[0-9]{2}\b)", re.IGNORECASE), r"\1 "),
    (re.compile(r"(?<=\w) w (?=\w)"), " with "),
    (re.compile(r"(?<=\w) n (?=\w)"), " and "),
    (
        re.compile(
            r"(?<=\w) r (?=(?:from|in|still|not|there|on|by|about|unread|free|open|saved|tagged|of"
            r"|like)\b)"
        ),
        " are ",
    ),
    (re.compile(r"(?:>=|≥|=>) ?(?=[0-9])"), " at least "),
    (re.compile(r"(?:<=|≤|=<) ?(?=[0-9])"), " at most "),
    (re.compile(r"> ?(?=[0-9])"), " more than "),
    (re.compile(r"< ?(?=[0-9])"), " fewer than "),
)
_ENDINGS = (("n't", " not"), ("'ve", " have"), ("'m", " am"), ("'ll", " will"), ("'re", " are"), ("'d", " would"))
_IS = re.compile(r"(?:what|who|where|when|how|that|there|here|it|let)'s", re.IGNORECASE)
_IRREGULAR = {"can't": "can not", "won't": "will not", "let's": "let us", "ain't": "is not"}

_LISTENED_FOR = """
anything something back
about above abstract abstracts access according added after again against alphabetical also always among annotated
annotation appeared article articles author authors average based because brief before below best between bibliography
bibtex bookmark called check citation citations cited cites citing collection common compare conference conferences
consider count criteria delete dismiss dislike display earlier earliest during entries erase everything except exclude
excluding export favorite favorites fewer fewest filter first forget format found frequent from give growing
highest identifier ignore interested interests journal journals keep label latest least library liked limit list
lowest many marked mean median mention mentioning more most narrow newer newest next note notes number often older
oldest only open order other papers please popular prefer preferably preference preprint preprints previous profile
publication publications published query rather ranked rank read recent recently recommend recommendation
recommendations reference references relevance relevant remember remove report resemble resembling restrict result
results retracted retraction review reviews save saved search searched searches searching second shelf show shown
similar similarity since sort sorted something source sources suggest suggestion
suggestions summaries summarize summary survey
surveys
tagged tags taste than that these thesis third those title titles total type types undo unread unsave until
unwanted venue venues what when where which whose with without write written wrote year years yesterday
""".split()
_LONG_ENOUGH = 4
_TWO_SLIPS = 8
"""From so many letters on two slips are forgiven."""
_KEPT = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']{3,}'(?!\w)|: .*|[^\s\"]+|\s+|\"", re.DOTALL)
_WORD = re.compile(r"([(\[]*)([^\s]*?)([.,;:?!)\]]*)$")


def mended(text: str, is_known: Callable[[str], bool]) -> str:
    """`text` as it was meant; `is_known` says whether the library has a word."""
    for sign, words in _SIGNS:
        text = sign.sub(words, text)
    written = _KEPT.findall(plain(text))
    pieces = [_mended(piece, is_known) for piece in written]
    if _SOUGHT.search("".join(written[:-1])):  # "search for moss": what is looked for is no word of asking with a slip
        pieces[-1] = _mended(written[-1], lambda word: True)
    return " ".join("".join(pieces).split())


_SOUGHT = re.compile(r"\b(?:about|for|on|regarding)\s+$", re.IGNORECASE)


def _mended(piece: str, is_known: Callable[[str], bool]) -> str:
    if piece[0] in "\"': " or piece.isspace():
        return piece
    found = _WORD.match(piece)
    if found is None or not found[2]:
        return piece
    before, word, after = found.groups()
    if (dotted := f"{word.lower()}{after[:1]}") in _SHORT and after.startswith("."):
        return f"{before}{_SHORT[dotted]}{after[1:]}"
    return f"{before}{_written_out(word) or _corrected(word, is_known)}{after}" if word.lower() != "btw" else ""


def _written_out(word: str) -> str:
    """What a short form stands for, empty if it is none."""
    small = word.lower()
    if small in _SHORT and not (word.isupper() and (len(word) > 1 or small == "w")):
        return _SHORT[small]
    if small in _IRREGULAR:
        return _IRREGULAR[small]
    if _IS.fullmatch(small):
        return f"{word[:-2]} is"
    return next((word[: -len(ending)] + full for ending, full in _ENDINGS if small.endswith(ending)), "")


def _corrected(word: str, is_known: Callable[[str], bool]) -> str:
    """The word that the rules listen for, if `word` is that with a slip; else itself."""
    if len(word) < _LONG_ENOUGH or not word.isalpha() or not word.islower() or word in HEARD:
        return word
    slips = 2 if len(word) >= _TWO_SLIPS else 1
    near = [
        (distance, one)
        for one in _LISTENED_FOR
        if one[0] == word[0] and (distance := OSA.distance(word, one, score_cutoff=slips)) <= slips
    ]
    near = [entry for entry in near if entry[0] == min(near)[0]]
    if not near or not tells(word) or word in _RIGHT or is_known(word):
        return word
    return min(near)[1]


_RIGHT = frozenset(
    """adapt added adder cities deletes expert experts fist lists listed nested nets note noted notes opens opera papers
    past posts prefers rates ratio reader readers reads resort reviewers route saves saving sets shell sites sorts
    sources stored stories tagger tape taste test tests text texts tile tiles tool train types write wrong year yearly
    learn learned core cores line lines link links live mining main named names""".split()
)
"""Right words that look like slips of others."""
