"""Papers that a request points at: by place ("the second", "1 and 3"), by a word ("these", "it"), by a name."""

import re
from collections.abc import Callable, Iterable
from itertools import islice

from rapidfuzz import fuzz

from agents.builtin.question_parsing.named_papers import read_named_papers
from agents.builtin.question_parsing.spans import blanked, plain
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.scene import Scene
from agents.builtin.requests.vocabulary import NUMBERS, ORDINALS

SHOWN, ALL, IT = "@shown", "@all", "@it"
MOST = 50
"""Papers that a range of places means at most."""


_TIMES = {"k": 1000, "thousand": 1000, "hundred": 100}


def number_of(word: str) -> int:
    """The number that digits or a word mean."""
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


def count_of(text: str) -> int:
    """The number that is written with commas, with a k for thousands, or in words: `1,500`, `30k`, `a hundred`."""
    found = re.match(r"[0-9](?:[0-9,.]| (?=[0-9]{3}))*|[a-z]+", text, re.IGNORECASE)
    said = re.sub("[, ]", "", found[0].lower()) if found else "1"
    number = float(said) if said[0].isdigit() else NUMBERS.get(said, 1)
    times = next((many for word, many in _TIMES.items() if text.lower().endswith(word) and text.lower() != said), 1)
    return int(number * times)


def _first_or_last(slots: Slots, scene: Scene) -> Iterable[str]:
    count, shown = number_of(slots["count"]), scene.shown
    if "last" in slots:
        return _places(range(max(shown - count, 0) + 1, shown + 1))
    return _places(range(1, min(count, MOST) + 1))


def _listed(slots: Slots, scene: Scene) -> Iterable[str]:
    numbers = [int(number) for number in re.findall(r"[0-9]+", slots["list"])]
    if re.search(r"-|to\b|through\b", slots["list"]) and len(numbers) == 2:
        numbers = list(range(numbers[0], min(numbers[1], numbers[0] + MOST) + 1))
    return _places(numbers)


def _ordinals(slots: Slots, scene: Scene) -> Iterable[str]:
    words = [slots[name].lower() for name in ("one", "two", "three") if name in slots]
    return _places(scene.shown if word in ("last", "latter", "bottom") else ORDINALS[word] for word in words)


def _topmost(slots: Slots, scene: Scene) -> Iterable[str]:
    return _places([1])


def _undermost(slots: Slots, scene: Scene) -> Iterable[str]:
    return _places([scene.shown])


def _these(slots: Slots, scene: Scene) -> Iterable[str]:
    return [SHOWN]


def _it(slots: Slots, scene: Scene) -> Iterable[str]:
    return [IT]


def _others(slots: Slots, scene: Scene) -> Iterable[str]:
    """All that are shown but the one that was looked at; nothing where none was."""
    if not scene.looked:
        return []
    return _places(place for place in range(1, scene.shown + 1) if place != scene.looked)


def _places(places: Iterable[int]) -> Iterable[str]:
    return [f"@{place}" for place in places]


def _numbered(slots: Slots, scene: Scene) -> Iterable[str]:
    return _places([number_of(slots["n"])])


def _but(slots: Slots, scene: Scene) -> Iterable[str]:
    """All that are shown, or some of them, but not those that are pointed at behind it."""
    whole = pointed_at(slots["whole"], scene) if "whole" in slots else (SHOWN,)
    part = pointed_at(slots["part"], scene)
    if SHOWN in whole:
        whole = tuple(_places(range(1, scene.shown + 1)))
    return [place for place in whole if place not in part] if part and SHOWN not in part else []


_BUT = (
    "(but|except|except for|excluding|besides|without|minus|apart from|other than|save for|bar|not counting|but not"
    "|not)"
)
_TOP = "[the|that] [one|paper|entry] (at|on) [the|that] [very] (top|head|beginning)"
_REST = "(the (others/rest/remainder/remaining|other (ones|papers)|remaining ones)|others)"
_RULES: tuple[tuple[Phrases, Callable[[Slots, Scene], Iterable[str]]], ...] = (
    (
        Phrases("""
            [only] [the] (first|top|upper) <count:number> [{papers}] [of {these}]
            [only] [the] <last:last> <count:number> [{papers}] [of {these}]
            [only] [the] <count:number> (first|top|<last:last>) {papers}
            [only] [the] <last:last> <count:number> [{papers}] (on|in|of) (the|this) list
            [only] [the] (first|top) <count:number> [{papers}] (on|in|of) (the|this) list
            [only] [the] <count:number> [{papers}] (at the (top|beginning|head)|on top) [of ({these}|(the|this) list)]
        """),
        _first_or_last,
    ),
    (Phrases(f"{_TOP} [of the list|of these]", "[the] top (one|paper|entry|result)"), _topmost),
    (Phrases("[the|that] [one|paper|entry] (at|on) the [very] (bottom|end) [of the list|of these]"), _undermost),
    (Phrases(f"""
        [all] (all|everything|{{these}}|the {{papers}}|all of {{these}}|{_REST}) {_BUT} <part:text>
        <whole:any> {_BUT} <part:text>
        {_BUT} <part:text>
    """), _but),
    (Phrases("""
        [the] [{papers}] (number|no|nr|#|paper|entry|result|item|place|position) <n:number>
    """), _numbered),
    (Phrases("""
        [the] [{papers}] number/numbers/no/nos/paper/papers/result/results/entry/item <list:places>
        <list:places>
    """), _listed),
    (
        Phrases("""
            [the] <one:ordinal> [the] <two:ordinal> and [the] <three:ordinal> [{papers}] [of {these}]
            [the] <one:ordinal> and/or [the] <two:ordinal> [{papers}] [of {these}]
            [the|that] [very] <one:ordinal> [{papers}] [listed|shown|of {these}|(in|on|of|from) the list|from the
                top]
        """),
        _ordinals,
    ),
    (Phrases("[the] other [{papers}|two|three|four]", "the others"), _others),
    (Phrases("""
        {these}
        [all] [of] [my] what/those you [just] found/showed/listed
        both/all/everything
        (them|these|those) (both|all)
        both of (them|these|those)
        both [of] (papers|ones|articles|the papers|the ones)
        the (pair|two of them|lot|whole lot|bunch|whole list)
        (all|every one|each one) of (them|these|those|the list)
        the two/three/four [{papers}]
        all [of] [the] two/three/four/five
    """), _these),
    (Phrases("""
        this/that/it/him/her
        (this|that) [very] last one
        (this|that|the same) {paper}
        the {paper}
        its
    """), _it),
)  # fmt: skip
_LONGEST_POINTING = 300
"""Letters of what points at papers."""
_PLACE = re.compile(r"[@#][0-9]{1,4}|@shown|@all|@it|@top[0-9]{1,3}")


def pointed_at(text: str, scene: Scene) -> tuple[str, ...]:
    """The papers of the last lists that `text`, as a whole, points at. A place that was not shown is named all the
    same: the tool says that there is none."""
    if len(text) > _LONGEST_POINTING:
        return ()
    text = _NUMBERED.sub(lambda found: f"{found['what']} {_digits(found['list'])}", _bare(text))
    if _PLACE.fullmatch(text):
        return (text.replace("#", "@") if text[1:].isdigit() else text,)
    for phrases, names in _RULES:
        if (slots := phrases.match(text)) is not None and (found := tuple(dict.fromkeys(names(slots, scene)))):
            return found
    return ()


_NUMBER = rf"(?:{'|'.join(word for word, number in NUMBERS.items() if number <= 20 and word[:1] != 'c')})"
_NUMBERED = re.compile(
    rf"^(?P<what>(?:the )?(?:numbers?|nos?\.?|papers?|entr(?:y|ies)|results?|items?|articles?|hits?))"
    rf" (?P<list>{_NUMBER}(?:(?:,| and| or| to| through)+ {_NUMBER})*)$",
    re.IGNORECASE,
)


def _digits(said: str) -> str:
    """Places in figures: "two and three" is "2 and 3"."""
    return re.sub(_NUMBER, lambda word: str(NUMBERS[word[0].lower()]), said, flags=re.IGNORECASE)


_AND = re.compile(r"\s*(?:,\s*and\s+|,\s*|\s+and\s+|\s+or\s+|\s*&\s*)")
_THE_PAPER = Phrases("""
    [the|that|this] [original] [paper/papers/article/preprint/book] [called|titled|entitled|named] <name>
""")
_PAPER_CALLED = Phrases("""
    [the|that|this|a] [original] (paper/papers/article/preprint/book) [called|titled|entitled|named] <name>
""")
_PAPER_AFTER = re.compile(r"\s+(?:papers?|article|preprint|one|book|study)$", re.IGNORECASE)
_BY = re.compile(r"^(?P<name>.+?) (?:paper |article )?(?:by|of|from) (?![0-9])[^ ]+(?: et al\.?)?$", re.IGNORECASE)


def names_in(slot: str, scene: Scene) -> tuple[str, ...]:
    """The papers that a slot for papers names: "the second and BERT", "SPAR", a title, an identifier. What is no known
    name is one all the same: whoever looks it up says that nobody has it."""
    slot = _bare(slot)
    if names := known_names_in(slot, scene):
        return names
    return (_called(slot),) if re.search(r"[^\W_]", slot) else ()


def _called(slot: str) -> str:
    """What nobody is known to be called, as it was said."""
    slots = _PAPER_CALLED.match(slot)
    return (slots["name"] if slots else slot).strip("\"'")


def known_names_in(slot: str, scene: Scene, *, every: bool = False) -> tuple[str, ...]:
    """As `names_in`, but nothing where no part of the slot is known for a name; with `every` all parts must be."""
    slot = _bare(slot)
    if names := _two_names(slot, scene) or _one_name(slot, scene):
        return names
    named = read_named_papers(plain(slot))
    outright = [
        name
        for name, span in zip(named.papers, named.spans, strict=False)
        if span.end - span.start < len(slot) or (":" in name and " " not in name)
    ]
    rest = [part for part in _AND.split(blanked(slot, named.spans) if outright else slot) if _says(part)]
    found = [_one_name(part, scene) for part in rest]
    if any(not names and _NO_NAME.match(part) for part, names in zip(rest, found, strict=True)):
        return ()
    if (outright or len(rest) > 1) and (all(found) or (any(found) and not outright and not every)):
        others = [name for part, names in zip(rest, found, strict=True) for name in names or (bare_name(part),)]
        return tuple(dict.fromkeys([*outright, *others]))
    return tuple(outright) if outright and not rest else ()


def _two_names(slot: str, scene: Scene) -> tuple[str, ...]:
    """Two names with an "and" between them, where each is known for a paper of its own, the second better than the
    whole: "SMOTE and XGBoost: A Scalable Tree Boosting System" only sounds like a title."""
    for joint in islice(_AND.finditer(slot), _MOST_JOINTS):
        parts = slot[: joint.start()], slot[joint.end() :]
        first, second = (scene.title_of(part) for part in parts)
        known = min(similarity(parts[0], first), similarity(parts[1], second)) >= _EXACT
        if known and first != second and similarity(parts[1], second) > similarity(slot, second):
            return parts
    return ()


_MOST_JOINTS = 12
"""Places between two names that are tried."""
_EXACT = 95
"""From this closeness on a name is the title, or its part before the colon, but for a slip."""
_HOLLOW = frozenset("the a an of on paper papers article articles ones one called titled entitled named both".split())


_NO_NAME = re.compile(
    r"(?:papers?|articles?|ones?|things?|works?|those|what|everything|anything|something|stuff)?\s*"
    r"(?:that |which )?(?:resembl\w+|similar|like|about|by|from|with|without|tagged|since|before|after|not|in|on"
    r"|than|more|less)\b",
    re.IGNORECASE,
)
"""What no name begins with: it tells of papers."""


def tells_of_papers(slot: str) -> bool:
    """Whether a slot says what papers are like, and so names none: "tagged rag", "with less than 60"."""
    return _NO_NAME.match(slot.strip()) is not None


def _says(part: str) -> bool:
    return any(word.lower() not in _HOLLOW for word in re.findall(r"[^\W_]+", part))


def _one_name(slot: str, scene: Scene) -> tuple[str, ...]:
    if names := pointed_at(slot, scene):
        return names
    if slot[:1] in "\"'" and slot[:1] == slot[-1:] and not re.search(rf"{slot[:1]}[ ,]", slot[1:-1]):
        return (slot[1:-1].strip(" .,"),)
    if tells_of_papers(bare_name(slot)) and similarity(slot, scene.title_of(slot)) < _EXACT:
        return ()
    tried = dict.fromkeys([slot, bare_name(slot), bare_name(_BEFORE_NAME.sub("", slot))])
    if by := _BY.match(slot):
        tried[bare_name(by["name"])] = None
    return next(((name,) for name in tried if scene.is_title(name)), ())


_BEFORE_NAME = re.compile(
    r"^(?:(?:of|to|on|for|in|at|from|with|about|regarding) (?:the )?|(?:the |that )?[A-Z][\w-]+'s? (?=[A-Z\d]))"
)
"""What may stand before a name and be no part of it: "to the paper X", "Devlin's BERT"."""


def similarity(name: str, title: str) -> float:
    """How much of `name` is the title, or its part before the colon, of 100."""
    wanted = name.strip("\"' ").lower()
    return max(fuzz.ratio(wanted, title.lower()), fuzz.ratio(wanted, title.split(":")[0].lower()))


def bare_name(text: str) -> str:
    """`the BERT paper` is BERT."""
    text = _bare(text).strip("\"'").removeprefix("both ")
    slots = _THE_PAPER.match(text)
    return _PAPER_AFTER.sub("", slots["name"] if slots else text)


def looks_like_a_name(text: str) -> bool:
    """`SPAR`, `Query2doc`, `ColBERTv2`, `doi:10.1000/x`: no word of ordinary prose."""
    bare = bare_name(text)
    if read_named_papers(bare).papers and ":" in read_named_papers(bare).papers[0]:
        return True
    return len(bare.split()) == 1 and re.search(r"[a-z][A-Z]|[A-Za-z][0-9]+[A-Za-z]|[A-Z]{2,}[a-z]", bare) is not None


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(" .?!,;:")
