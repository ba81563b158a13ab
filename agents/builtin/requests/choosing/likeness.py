"""What papers should be like, and unlike: "papers like BERT", "similar to the second", "unlike CAMEL"."""

import re

from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.orders import papers_called
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import IT, SHOWN, bare_name, known_names_in, similarity

_SOMETHING = (
    "[more|other|some|any|further|all] [{papers}|something|anything|things|others|those|the ones] [that|which]"
    " [are|is|look|looks|feel] [quite|very|most|really|rather|a bit|more]"
)
_LIKE = (
    "(like|similar to|similar in spirit to|similar as|resemble/resembles/resembling|remind/reminds/reminding"
    " [me|you|one] of|closer to|nearer to|more like|kind of like|sort of like|akin to|alike|along the lines of"
    "|in (the|a) [same|similar|very same] (spirit|vein|style|manner|direction|line|category|league) (of|as|to"
    "|with)|close to|near [to]|nearest to|closest to|comparable to|related to"
    "|of the same (kind|sort|type) as|comparable with|resembling to|matching|very like|much like|such as"
    "|(similar|close|closest|comparable|near|nearest|related|like) in"
    " (topic|content|spirit|style|approach|theme|subject|method|scope) to"
    "|in line with|kin to|neighbors of|reminiscent of|alternatives to|as in)"
)
_UNLIKE_BEFORE = Phrases("""
    [but|and] [that|which] [are|is|look] (unlike|dissimilar to|different from|far [away] from|(not|nothing|none|no)
        [papers|ones|those|too] (like|similar to|resembling|close to|near))
    [but] (less|not so much|not that much|not really|not quite) like
    (but|and|though) not [so much|too|very] (to|like)
    [rather] than (like|to)
""")
_LIKE_BEFORE = Phrases(f"""
    {_SOMETHING} {_LIKE}
    [other|some|more] (similar|related|comparable) {{papers}} (to|as|like)
    neighbors/neighbours of
""")  # fmt: skip
_MORE = Phrases("""
    more of (the same|this|that|these|those|this kind|that kind)
    (more|something|anything|others|ones|papers) (in|along|of) (that|this|the same|these|those)
        (vein|spirit|direction|line|lines|style|manner)
    [find|show] [me] (similar|related|comparable|kindred) (ones|papers|work|works|articles|stuff)
    (along|on|in) (those|these|the same|similar) lines
    (what|anything|something|which) [else|papers|other papers] [is there|do we have|have we [got]|do you have|is]
        (in|along|of) (that|this|the same) (direction|vein|line|area|style|kind)
    (what|which) else is like (this|that|it)
    similar ones
    something similar
    anything similar
    (something|anything|others|other papers|papers) (comparable|alike|related|of (that|this) kind|like (this|that|it))
""")
_WISHES = [["i"], ["you"], ["would"], ["do"], ["did"], ["never"], ["we"], ["they"], ["people"]]
"""What "like" stands behind where it is a verb."""
_QUOTED = re.compile(r"""(?:"[^"]+"|'[^']{3,}')(?:(?:, and|,| and| or) (?:"[^"]+"|'[^']{3,}'))*(?!\w)""")
_MOST_ENDS = 12
_CLAUSE_WORDS = """but except since from before after published with without that which in by on not and sorted ranked
ordered until only newest most oldest cited unlike tagged saved please where of among who first best between for at
unread up only minus older newer rather though while if whereas than""".split()
_CLAUSE = re.compile(rf"[,;.?!]? (?=(?:{'|'.join(_CLAUSE_WORDS)})\b)|[,;?!.](?= |$)", re.IGNORECASE)


def read_likeness(choice: Choice) -> None:
    """Papers, or what they are about, that others should be near to or far from."""
    while _read(choice, _UNLIKE_BEFORE, choice.unlike, "without"):
        pass
    while _read(choice, _LIKE_BEFORE, choice.like, "like"):
        pass
    if not choice.like and (found := _MORE.find(choice.text)):
        said = choice.text[found.start : found.end].lower()
        choice.cut(found.start, found.end)
        choice.like.append(SHOWN if re.search(r"these|those|same|similar", said) and not choice.scene.has_it else IT)


def _read(choice: Choice, phrases: Phrases, papers: list[str], otherwise: str) -> bool:
    found = phrases.find(choice.text)
    if found is None or choice.text[: found.start].lower().split()[-1:] in _WISHES:
        return False
    rest = choice.text[found.end :].lstrip()
    if not any(map(str.isalnum, rest)):
        return False  # papers are like nothing: it was a verb
    names, length = named_at_start(choice, rest)
    if not names and otherwise == "like" and not _is_of_papers(choice, found.start, found.end):
        return False
    told = rest[:length]
    choice.text = f"{choice.text[: found.start]} , {rest[length:]}".strip()
    if len(names) == 1 and otherwise == "like" and _is_a_subject(choice, names[0], told):
        choice.like_words.append(names[0])
    elif names:
        papers += [name for name in names if name not in papers]
    elif otherwise == "without":
        choice.add("without", topic_of(told) or told)
    elif told[:1] in "\"'" or (told[:1].isupper() and not _is_a_subject(choice, bare_name(told), told)):
        papers.append(told.strip() if re.match("The [A-Z]", told) else bare_name(told))
    else:
        choice.like_words.append(topic_of(told) or told)
    return True


def _is_a_subject(choice: Choice, name: str, told: str) -> bool:
    """Whether a word that no paper is called is one that papers speak of: "papers like GANs"."""
    if name.startswith("@") or told[:1] in "\"'" or " " in name or choice.scene.is_title(name):
        return False
    return choice.scene.is_word(name)


def _is_of_papers(choice: Choice, start: int, end: int) -> bool:
    """Whether papers are said to be like something, and not the weather."""
    said = f"{choice.text[:start]} {choice.text[start:end]}"
    return re.search(r"\b(?:papers?|articles?|works?|something|anything|ones|things|publications|those|stuff)\b"
                     r"|^ ?(?:similar|related|resembling)\b", said, re.IGNORECASE) is not None  # fmt: skip


_BOTH = re.compile(r"(?:both|all of) (?=\S)", re.IGNORECASE)


def named_at_start(choice: Choice, text: str) -> tuple[list[str], int]:
    """The papers that `text` begins with, and how much of it names them: up to that end of a clause at which the
    library knows best what stands before, else up to the first."""
    if both := _BOTH.match(text):
        names, length = named_at_start(choice, text[both.end() :])
        return names, both.end() + length
    if quoted := _QUOTED.match(text):
        return list(known_names_in(quoted[0], choice.scene)), quoted.end()
    ends = [found.start() for found in _CLAUSE.finditer(text)] + [len(text)]
    ends = [end for end in ends if text[:end].strip()][:_MOST_ENDS]
    named = [
        (_closeness(choice, text[:end]), end) for end in ends if known_names_in(text[:end], choice.scene, every=True)
    ]
    if named:
        end = _meant_end(choice, text, named)
        return list(known_names_in(text[:end], choice.scene, every=True)), end
    first = _whole_title(text, ends) if ends else len(text)
    return papers_called(choice, text[:first]), first


_GOES_ON = re.compile(r" (?:of|in|for|on|with|by|and|to|from|at|or|the)(?: the| a| an)? [A-Z]")


def _whole_title(text: str, ends: list[int]) -> int:
    """Where a title ends that nobody has, in capitals as titles are written: over `of` and the like if it goes on."""
    place = 0
    while (
        place < len(ends) - 1
        and text[:1].isupper()
        and " " in text[: ends[place]]
        and _GOES_ON.match(text, ends[place])
    ):
        place += 1
    return ends[place]


def _meant_end(choice: Choice, text: str, named: list[tuple[float, int]]) -> int:
    """Where the name that is known best ends; a longer one goes before that is well known for another paper."""
    best = max(named)[1]
    title = choice.scene.title_of(bare_name(text[:best]))
    others = [
        end for close, end in named
        if close >= _SURE and end > best and choice.scene.title_of(bare_name(text[:end])) not in ("", title)
    ]  # fmt: skip
    return max(others, default=best)


_SURE = 90
"""From this closeness on the longest name is meant: a title may begin with the name of another."""


def _closeness(choice: Choice, name: str) -> float:
    """How well the library knows a name; several together, and what points at papers, are known outright."""
    title = choice.scene.title_of(bare_name(name))
    return similarity(bare_name(name), title) if title else 100.0
