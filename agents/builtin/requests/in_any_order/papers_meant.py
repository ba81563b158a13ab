"""The papers that a request is about, whatever words of asking stand before and behind them: "could I get my unread
ones out as RIS, please?" is about my unread ones."""

import re
from collections.abc import Iterator, Sequence

from agents.builtin.requests.meant import Meant, described, meant
from agents.builtin.requests.phrases import HEARD
from agents.builtin.requests.references import ALL, IT, SHOWN, known_names_in, pointed_at
from agents.builtin.requests.scene import Scene
from agents.builtin.requests.sentences.clauses import in_short

_WORD = re.compile(r"\"[^\"]+\"|(?<!\w)'[^']+'(?!\w)|[@#]?[^\W_](?:[\w+#.&/'-]*[\w+#])?")
_ASKING = frozenset(
    """
    a an please kindly maybe perhaps possibly just only simply quickly so then now also again like um uh oh ah hm
    hey hi ok okay well right lovely great nice and but could can would will may might shall should must i me we us
    you your d ll s m ve am are is was were be been being do does did have has had get gets got getting gotten need
    needs needed want wanted wish wished require required requires request requested requests give gave given giving
    grant handed passed hand over provide provided providing supply supplied deliver delivered furnish show shown
    display displayed print printed output send sent sending spit dump dumped dumping put turn turned make made
    create created produce produced generate generated prepare prepared write written export exported exporting
    download downloaded fetch pull take took let out up down into in as of for from to with at on by about using
    here there what how whats which that's mind would-be that it's going able ready available desired expected
    following follows i'd i'm i've we'd let's appreciated grateful thankful thanks thank advance favor glad happy
    kind enough possible time moment
    """.split()
)
"""Words that ask for something and say nothing of the papers."""
_POINTING = frozenset(
    """
    i have that which results result items hits the these those them they this it its their theirs both all each
    every everything two three four five six seven eight nine ten first second third fourth fifth last top one ones
    papers paper articles article works entry entries of my mine in on from at by about with since before after here
    list above shown and number numbers
    """.split()
)
"""Words that may belong to what points at papers, and may not."""
_MOST_WIDER = 8
_RANGE = re.compile(r"(?<=[0-9]) ?(?:to|through|until|–) ?(?=[0-9])")
_PLACE = re.compile(r"[@#]?[0-9]{1,3}(?:-[0-9]{1,3})?")
HEARD.update(_ASKING)


def papers_meant(text: str, asking: frozenset[str], scene: Scene) -> Meant | None:
    """The papers that are left of `text` without the words of `asking` and those of asking at all; those shown, or the
    one that was looked at, where none are left. None where something else is left."""
    text = _RANGE.sub("-", in_short(text))
    words = list(_WORD.finditer(text))
    beside = _ASKING | asking
    kinds = [_kind(word[0], beside) for word in words]
    core = [place for place, kind in enumerate(kinds) if kind == "other"]
    if core:
        for said in _windows(text, words, kinds, core[0], core[-1]):
            names = known_names_in(said, scene, every=True)
            if names or pointed_at(said, scene) or described(said, scene):
                return meant(said, scene)
        return None
    for said in _pointing(text, words, kinds):
        if (names := pointed_at(said, scene)) and said.lower() not in _NO_POINT:
            return Meant((), [SHOWN] if names in ((ALL,), (SHOWN,)) or _lone_it(names, said, scene) else list(names))
    return Meant((), [IT if scene.looked and scene.shown <= 1 else SHOWN])


def asks_only(text: str, asking: frozenset[str]) -> bool:
    """Whether nothing stands in `text` but words of `asking` and those of asking at all."""
    return all(word[0].lower() in _ASKING | asking for word in _WORD.finditer(text))


_NO_POINT = frozenset({"that", "one", "ones", "first", "last", "all", "everything", "both", "two", "three"})


def _lone_it(names: Sequence[str], said: str, scene: Scene) -> bool:
    """Whether "this" means what is shown, for no paper was looked at."""
    return names == (IT,) and said.lower() in ("this", "that") and not scene.has_it


def _kind(word: str, beside: frozenset[str]) -> str:
    small = word.lower()
    if small in _POINTING or _PLACE.fullmatch(small):
        return "pointing"
    return "asking" if small in beside else "other"


def _windows(text: str, words: Sequence[re.Match[str]], kinds: Sequence[str], first: int, last: int) -> Iterator[str]:
    """The stretch from the first to the last word that no asking explains, with what points before and behind it: the
    widest first."""
    begins = [first]
    while begins[-1] > 0 and kinds[begins[-1] - 1] == "pointing" and len(begins) < _MOST_WIDER:
        begins.append(begins[-1] - 1)
    ends = [last]
    while ends[-1] + 1 < len(words) and kinds[ends[-1] + 1] == "pointing" and len(ends) < _MOST_WIDER:
        ends.append(ends[-1] + 1)
    pairs = sorted(((begin, end) for begin in begins for end in ends), key=lambda pair: (pair[0] - pair[1], pair[1]))
    return (text[words[begin].start() : words[end].end()] for begin, end in pairs)


def _pointing(text: str, words: Sequence[re.Match[str]], kinds: Sequence[str]) -> Iterator[str]:
    """Stretches of words that only point, or join those that do: the longest first."""
    able = [kind == "pointing" for kind in kinds]
    spans = [
        (begin, end)
        for begin in range(len(words))
        for end in range(begin, min(begin + _MOST_WIDER, len(words)))
        if all(able[begin : end + 1])
    ]
    return (text[words[b].start() : words[e].end()] for b, e in sorted(spans, key=lambda span: span[0] - span[1]))
