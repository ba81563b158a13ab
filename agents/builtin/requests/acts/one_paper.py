"""One paper: what is known of it, or one thing of that."""

import re
from collections.abc import Callable
from functools import partial

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.facts.sql import AUTHORS
from agents.builtin.requests.facts.sql import text as literal
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import (
    SHOWN,
    bare_name,
    known_names_in,
    looks_like_a_name,
    names_in,
    similarity,
    tells_of_papers,
)
from agents.builtin.requests.scene import Call, Reading, Scene, plan, step

MOST = 10
_SHOW = (
    "({show}|{what_is}|who (is|are|were)|open|and|do you have|have you got|let us see|let me see|i want|copy|is"
    " there|any"
    "|are there [any]|do i have [any]|have i [any])"
)
_PARTS = {
    "abstract": "[full|whole|complete] abstract/abstracts/summary",
    "authors": "([full|complete] (author list|list of authors)|[first|all|full|complete|last]"
    " author/authors/writers/coauthors)",
    "venue": "venue/journal/conference/publisher",
    "date": "[publication|exact] date/year [of publication]",
    "citations": "(citation count|citation counts|number of citations|citation number|citations count)",
    "identifiers": "(doi/identifier/identifiers/pmid/link/url/id/ids|arxiv id|arxiv number|arxiv link)",
    "pdf": "(pdf|full text|download link|pdf link)",
    "note": "[my] {note}",
    "tags": "[my] tags/labels",
    "keywords": "keywords",
}  # fmt: skip
_ASKED: dict[str, str] = {
    "saved": """
        (is|are) <paper> [already] (on|in) {saved_shelf} [already]
        (have|did) i [already] (saved|save|bookmarked) <paper> [already]
        do i have <paper> (saved|{on_shelf})
        (is|are) <paper> [already] (among|one of|part of) (my saved papers|my papers|the saved ones|the saved papers
            |what i [have] saved|the papers [that] i [have] saved|{saved_shelf})
        (is|was|has) <paper> [been] [already] (saved|bookmarked|shelved|kept)
        when (did|have) i (save|saved|add|bookmark|bookmarked|put) <paper> [on my shelf]
        (when|on (which|what) day) (was|were|has|is) <paper> [been] (saved|bookmarked|shelved|added [to my shelf]|put
            on my shelf)
        since when (is|have i|do i have|has) <paper> [been] (saved|on my shelf)
    """,
    "read": """
        (have|did) i [already|ever] (read|finish|finished|read through) [reading|with] <paper> [already|yet]
        (is|was) <paper> (read|marked [as] read) [yet|already]
        (has|have) <paper> [already|ever] been read [yet|already|by me]
        when (did|have) i (read|finish|finished) <paper>
        (when|on (which|what) day) (was|were|has|is) <paper> [been] (read|finished|marked [as] read)
    """,
    "authors": """
        who (wrote|has written|authored|published|is behind|made|created|came up with|invented|did) <paper>
        (by whom|by who) (is|was) <paper> [written]
        (which|what) (author|authors|person|people|researcher|researchers|group) (wrote|has written|published|authored
            |is behind|are behind|made) <paper>
        who is <paper> (by|written by|from)
        <paper> (is|was) [written] by (whom|who)
        (names of|name) the authors of <paper>
        who (is|are|were|was) [the] (people|person|authors|author|researchers|team|group|lab) (behind|of|on) <paper>
        (who|which people) [has|have] (worked on|contributed to|co-wrote|co-authored) <paper>
    """,
    "venue": """
        where (was|is|were|did|has) <paper> [been] (published|appear|appeared|come out|presented|from|printed)
        [in|at] (which|what) (venue|journal|conference|place) (was|is|did|published|has) <paper> [been] [published|
            appear|appeared|in|from|presented|come out]
        where <paper> (was published|appeared)
        (which|what) (venue|journal|conference|publisher) (published|printed|accepted|has published) <paper>
    """,
    "date": """
        when (was|is|were|did|has) <paper> [been] [published|written|appear|appeared|come out|released|from|out|
            made]
        (from|in) (what|which) year (is|was|did) <paper> [published|from|appear|come out|written]
        (what|which) year (is|was|did) <paper> [published|from|appear|come out|written]
        how old is <paper>
    """,
    "citations": """
        how (many times|often|much|frequently) (was|is|has|were|did) <paper> [been|get] cited
        how many (citations|cites|times cited|quotes) (does|has|did) <paper>
            [have|got|get|collected|received|had|gotten]
            [by now|already|up to today|today|as of today|in total]
        (is|has) <paper> [been] (cited (much|a lot|often)|(highly|well|much|often) cited)
    """,
    "pdf": """
        (is there|do you have|have i got|can i get|where is|where can i get) (a|the) [free] pdf (of|for) <paper>
        (is|was) <paper> [available] (open access|free|freely available|free to read|available for
            free|paywalled|available)
        (can i|where can i|how can i) (read|get|download|access) <paper> [for free|online]
        does <paper> have a [free|open] pdf
    """,
    "abstract": """
        what (is|does|was|are) <paper> [all] (about|say|do|claim|propose|deal with|describe|study|introduce)
    """,
    "note": """
        (have|has|did) i (left|leave|made|make|put|written|wrote|got) [a|any] {note} (on|about|for|to|at|regarding)
            <paper>
        (does|has) <paper> [have|got] [a|any] {note} [of mine]
        what did i (note|write|say|comment|jot) [down] (about|on|to|for|regarding) <paper>
        what (are|is|were) my {note} (on|about|for|of|to) <paper>
        (did|have) i (note|noted|write) anything (about|on) <paper>
        what (did|have) i (write|written|say|said|put|note|noted) (in|into) my {note} (on|about|to|for|of) <paper>
        what have i (noted|written) [down] (about|on|to) <paper>
        do i have [a|any] {note} (on|about|for) <paper>
    """,
    "tags": """
        how (did|have) i (tag|tagged|label|labelled) <paper>
        (what|which) tags (does|do|has|have|are on|did i give) <paper> [have|carry|got]
        (is|was) <paper> tagged
        (under|with|by) (what|which) (tags|tag|labels|label) (is|did i|have i) <paper>
            [filed|tagged|saved|file|put|have]
        (how|what) is <paper> tagged [with|as]
        (what|which) (tags|labels) (are|did i put) on <paper>
    """,
    "retracted": """
        (is|was|has) <paper> [been] (retracted|withdrawn)
    """,
}  # fmt: skip
_ALL_OF_IT = Phrases("""
    tell me [more|something|all|everything|a bit|a bit more] [you know|there is] about <paper>
    what (can you tell me|do you know|is there to know) about <paper>
    (give|show) me [all|everything] [you know|you have|there is] (on|about) <paper>
    (details|more|everything|information|facts|more details) (of|on|about|for) <paper>
    [show|give|get] [me] [the|all|more|some] (details|everything|information|more|metadata|record|facts) (of|on|
        about|for|you know about|we know about|known about) <paper>
    what (do (you|we) know|is known|do we have) (about|of) <paper>
    (describe|explain|look up|open|inspect) <paper>
    (do i have|have i got|is there|do you have|does (my|the) library have|do i already have) [a|the] paper [called|
        titled|named|entitled] <paper> [{library}]
    (is|are) <paper> (in|part of) (my|the) library
    do i [already] have <paper> [{library}]
    [{show}] [a|the] paper (called|titled|named|entitled) <paper>
    [can] [i] [want] [to] [{show}] <paper> (in full|in detail|itself)
    {show} <paper>
    what (is|was) <paper>
""")  # fmt: skip


def _look(slots: Slots, scene: Scene, *, part: str, sure: bool) -> Reading | None:
    """The paper of the slot; where that could be something else than a paper, only one that is known."""
    slot = slots["paper"]
    names = known_names_in(slot, scene)
    if not names and (tells_of_papers(slot) or _SOME.match(slot)):
        return None
    if not names and (sure or looks_like_a_name(slot) or slot[:1] in "\"'"):
        names = names_in(slot, scene)
    if not names or (names == (SHOWN,) and part in ("", "retracted", "saved", "read")):
        return None
    if part == "" and len(names) > 1:
        return plan(step("take", papers=list(names)), step("list"))
    if names == (SHOWN,):
        names = tuple(f"@{place}" for place in range(1, max(scene.shown, 1) + 1))
    return plan(*(step("paper", paper=name, parts=[part] if part else None) for name in names[:MOST]))


_SOME = re.compile(r"(?:there|any|some|every|all|each|no|none|one of|either of)(?:thing|one|body)?\b", re.IGNORECASE)
_CLOSE = 92
"""A name that stands alone must be this near to a title: it may be a subject as well."""


def _alone(slots: Slots, scene: Scene) -> Reading | None:
    name = slots["paper"]
    title = scene.title_of(bare_name(name))
    if name.startswith("top ") and not scene.shown:
        return None
    if not known_names_in(name, scene, every=True) or (title and similarity(bare_name(name), title) < _CLOSE):
        return None
    return _look(slots, scene, part="", sure=False)


def _its(slots: Slots, scene: Scene, *, part: str) -> Reading:
    return plan(Call("paper", {"paper": "@it", "parts": [part]}))


def _reader(part: str, sure: bool = True) -> Callable[[Slots, Scene], Reading | None]:
    return partial(_look, part=part, sure=sure)


_PART_NAMES = (
    ("abstract", "abstract"), ("authors", "author"), ("venue", "venue|journal|conference|where"), ("date",
        "date|year|when"),
    ("citations", "citation"), ("identifiers", "doi|identifier|url|link"), ("pdf", "pdf"), ("note", "note"), ("tags",
        "tag"),
    ("keywords", "keyword"),
)  # fmt: skip


def _parts(slots: Slots, scene: Scene) -> Reading | None:
    """Several things of one paper: "date and venue", "when and where was it published"."""
    parts = [
        next(part for part, words in _PART_NAMES if re.search(words, slots[slot], re.IGNORECASE))
        for slot in ("one", "two", "three")
        if slot in slots
    ]
    names = known_names_in(slots["paper"], scene) or names_in(slots["paper"], scene) if "paper" in slots else ("@it",)
    if len(names) != 1 or ("paper" not in slots and not scene.has_it):
        return None
    return plan(Call("paper", {"paper": names[0], "parts": list(dict.fromkeys(parts))}))


SEVERAL_PARTS = (
    Rule(
        Phrases(f"""
        [{_SHOW}] [me] [the|its|their] <one:part> [,] [the|its] <two:part> and [the|its] <three:part> [(of|for|from)
            <paper:text>]
        [{_SHOW}] [me] [the|its|their] <one:part> and [the|its] <two:part> [(of|for|from) <paper:text>]
        <one:part> and <two:part> (was|is|were|did|has) <paper> [been] (published|appear|appeared|come out|printed)
        [{_SHOW}] <paper> 's <one:part> and <two:part>
    """),
        _parts,
    ),
)
_GUESSED = frozenset({"abstract"})
"""What is asked of other things than papers as well ("what is RAG about"): then the paper must be known."""
ONE_PAPER = (
    *(
        Rule(Phrases(f"""
            [{_SHOW}] [the|a|an|its|their|me|in|which] {said} (of|for|to|about|on|from|in) <paper> [{{now}}]
                [say/says/read/reads/tell/tells] [me|us] [about]
            [{_SHOW}] <paper> 's {said} [{{now}}]
        """), _reader(part))
        for part, said in _PARTS.items()
    ),
    *(Rule(Phrases(f"""
        [{_SHOW}] (its|their|the|his|her) {said} [{{now}}]
        and {said}
    """), partial(_its, part=part))
      for part, said in _PARTS.items()),
    *(Rule(Phrases(said), _reader(part, part not in _GUESSED)) for part, said in _ASKED.items()),
    Rule(_ALL_OF_IT, _reader("", sure=False)),
    Rule(Phrases("<paper>"), _alone),
)  # fmt: skip


def _if_known(read: Callable[[Slots, Scene], Reading | None], slots: Slots, scene: Scene) -> Reading | None:
    return read(slots, scene) if "paper" in slots and known_names_in(slots["paper"], scene, every=True) else None


def _of_known(slots: Slots, scene: Scene, *, columns: str, source: str) -> Reading | None:
    """A fact of one paper that no part of it tells."""
    title = scene.title_of(bare_name(slots["paper"]))
    if not title:
        return None
    sql = f"SELECT {columns} FROM {source.replace('{title}', literal(title))}"
    return plan(step("query", sql=sql))


_RATED = "CASE rating WHEN 1 THEN 'liked' WHEN -1 THEN 'disliked' ELSE 'neither liked nor disliked' END AS rating"
FACTS_OF_ONE = (
    Rule(
        Phrases("""
        how (did|do|have) i (rate|rated|like|liked|judge|find|mark) <paper>
        (did|do|have) i [ever|really] (like|liked|dislike|disliked|rate|rated|love|enjoy) <paper>
        (what|which) (is|was) my (rating|opinion|verdict) (of|on|for) <paper>
    """),
        partial(_of_known, columns=f"title, {_RATED}", source="shelf WHERE title = {title}"),
    ),
    Rule(
        Phrases("""
        how many (authors|people|writers) (does|do|has|have|wrote|are there on|are on|worked on|are behind) <paper>
            [have|got|has]
    """),
        partial(_of_known, columns="count(*) AS authors", source=AUTHORS.replace("{where}", " WHERE title = {title}")),
    ),
)
_PART_BEHIND = tuple(
    Rule(Phrases(f"[{_SHOW}] <paper> [-|–|:|,] [the|its|just the|only the] {said}"), _reader(part))
    for part, said in _PARTS.items()
)
"""The part behind the paper: "Gorilla - abstract"."""
KNOWN_PAPER = tuple(Rule(rule.phrases, partial(_if_known, rule.read)) for rule in (*ONE_PAPER, *_PART_BEHIND))
"""The same where the paper is one that is there: asked before whatever else the words could mean."""
