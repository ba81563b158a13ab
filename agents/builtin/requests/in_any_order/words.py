"""The words of a question, and the papers that are named among them."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA

from agents.builtin.requests.references import ALL, IT, SHOWN, known_names_in, similarity
from agents.builtin.requests.scene import Scene


class Word(NamedTuple):
    """A word of a question in small letters, and where it stands."""

    said: str
    start: int
    end: int


class Named(NamedTuple):
    """Papers that are named by the words from `first` to `last` of a question; both -1 where a pronoun does."""

    papers: tuple[str, ...]
    words: Sequence[Word]
    first: int
    last: int

    @property
    def rest(self) -> list[str]:
        """The words beside the names."""
        return [word.said for place, word in enumerate(self.words) if not self.first <= place <= self.last]

    @property
    def told(self) -> str:
        """The question with a sign in the place of the names, and of the words that point back at them."""
        points = _POINTS if self.first < 0 else _BACK
        kept = [
            NAME if place == self.first or word.said in points else word.said
            for place, word in enumerate(self.words)
            if not self.first < place <= self.last
        ]
        return " ".join(kept)


NAME = "@"
"""What stands for the names in a question."""
_POINTS, _BACK = frozenset("it its this that".split()), frozenset("it this".split())
"""What points at a paper that is not named, and back at one that is."""
_WORD = re.compile(
    r"(?:first|last|senior|lead|leading) authors?|open access|full text|reference list|thumbs? (?:up|down)"
    r"|(?:would|should|'d) (?:like|love)(?= )|[^\W_](?:[\w+#.&/-]*[\w+#])?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"\"(?P<double>[^\"]{2,300})\"|(?<!\w)'(?P<single>[^']{2,300})'(?!\w)")
SAY_NOTHING = frozenset(
    """
    a an the of in on at to from by for with as about over under into upon during within regarding concerning
    is are was were be been being am did do does done has have had having can could may might shall should will would
    i me my mine we us our you your yours he she her his him it its they them their that this these those one ones
    such same there here so and or but if whether
    what which whose how whatever
    paper article work publication preprint study item entry record result called titled entitled named title
    please kindly tell show give let lets know see find want wish need get got say said state name provide supply
    indicate determine identify look looking up out pull bring display print open remind read list check verify
    confirm learn hear have answer question questions thing things wonder wondering curious happen happened remember
    sure since would-like exactly actually really maybe perhaps only just also again now already ever yet still far
    until till today then next long ago recently originally all any some whole full complete entire both each
    library database collection known available recorded there given stored attached held kept
    published publish publishes
    appear appeared appears appearance come came comes comes released release presented
    printed accepted publication written-by part back full-text wanted required asked needed namely mean meant meanwhile
    much many no not none nothing anything something happen hi hello hey ok okay well thanks thank good morning
    afternoon evening hmm hm uh um oh ah right alright sorry wait nice cool great fine
    shown listed included include displayed stands stand n s d ll ve re m t ?
    """.split()
)
"""What stands beside a question and changes nothing about it."""


_WIDER = 3
"""Words that are no part of a name otherwise, by which it may be longer on either side."""


def words_in(text: str) -> Iterator[Word]:
    """The words of `text`; what says one thing together is one, and so is a question mark at the end."""
    for found in _WORD.finditer(text):
        said = re.sub(r"^(?:would|should|'d) (?:like|love)$", "would-like", found[0].lower())
        said = re.sub(r"^(?:first|last|senior|lead|leading) author", "author", said).replace(" ", "-")
        yield Word(said, found.start(), found.end())
    if text.rstrip().endswith("?"):
        yield Word("?", len(text), len(text))


@lru_cache(maxsize=512)
def is_of(word: str, words: frozenset[str]) -> bool:
    """Whether a word is one of `words`, or is with a slip."""
    if word in words:
        return True
    return (
        len(word) >= _LONG_ENOUGH
        and word.isalpha()
        and any(
            one[0] == word[0] and one.rstrip("s") != word.rstrip("s") and OSA.distance(one, word, score_cutoff=1) <= 1
            for one in words
        )
    )


_LONG_ENOUGH = 6
"""Letters of words in which a slip is forgiven."""


def named(text: str, words: Sequence[Word], beside: frozenset[str], scene: Scene) -> Iterator[Named]:
    """The papers that are meant: what stands in quotation marks, the longest
    stretch around all words but those of `beside` that is known, else the paper that was looked at."""
    if quoted := _QUOTED.search(text):
        said = (quoted["double"] or quoted["single"]).strip(" .,;")
        places = [place for place, word in enumerate(words) if quoted.start() <= word.start < quoted.end()]
        if places:
            yield Named((said,), words, places[0], places[-1])
        return
    foreign = [place for place, word in enumerate(words) if not is_of(word.said, beside)]
    if not foreign:
        if scene.has_it and any(word.said in _POINTS for word in words):
            yield Named((IT,), words, -1, -1)
        return
    begin, end = foreign[0], foreign[-1]
    tried: list[tuple[float, Named]] = []
    for first in range(max(begin - _WIDER, 0), begin + 1):
        for last in range(end, min(end + _WIDER, len(words) - 1) + 1):
            said = text[words[first].start : words[last].end]
            names = known_names_in(said, scene, every=True)
            if names and names[0] not in ("", SHOWN, ALL, IT):
                near = similarity(said, scene.title_of(names[0])) if len(names) == 1 and names[0][0] not in "@#" else 0
                tried.append((near, Named(names, words, first, last)))
    yield from (found for _, found in sorted(tried, key=lambda one: (-one[0], one[1].first - one[1].last)))


ASKING = SAY_NOTHING - {"preprint"} | frozenset(
    """
    papers articles works publications studies items entries records results ones others others' everything stuff total
    totals totalled count counts counted counting number numbers amount figure figures sum compute calculate report work
    establish estimate take consider scope base basis wanted regard respect concerned group set lot bunch batch
    selection pile collection together altogether overall aggregate possess possesses themselves himself makes make
    making exist exists existing remain remains remaining hold holds holding own keep comprise comprises
    contain contains
    contained represented present belong belongs count-only sorted two three times dig supposed told please-state
    often times time frequently plus need overview please happen any either none regards following according
    giving put list up
    whole kind wise respectively alone matter
    interests interested vaguely quite suppose guess think believe
    """.split()
)
"""What a question of numbers is put with, and which is no condition of papers."""


def only_asks(phrase: str) -> bool:
    """Whether a phrase is made of words by which numbers are asked."""
    return all(word.said in ASKING for word in words_in(phrase))
