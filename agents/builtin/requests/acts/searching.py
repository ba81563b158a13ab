"""A new search, of the live sources: "find new papers on …", "look for … on PubMed"."""

import re

from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.times import read_times
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import known_names_in
from agents.builtin.requests.scene import Reading, Scene, plan, step
from agents.builtin.requests.spoken_sources import ANY_SOURCE, SPOKEN

_AT_HOME = Phrases("""
    [in|on|through|within] (my|our) [own] (library|shelf|notes|collection|saved papers|papers|tags|reading list)
    {these}
    the library
    among {these}
""")
_DEEP = Phrases("""
    deep/deeply/thorough/thoroughly/exhaustive/exhaustively/extensive/extensively/comprehensive
    in depth
""")
_WHERE = Phrases("""
    [using|by asking|on|in|at|via|through|from|over] {sources} [and|or|,] [on] {sources} [only|too|please]
    (using|by asking|on|in|at|via|through|from|over|with) {sources} [only|too|please]
    (only|just) {sources}
    (online|on the web|on the internet) [only]
""")


_PLACE_FIRST = re.compile(
    rf"(?:(?:on|in|at|from) )?(?P<source>{ANY_SOURCE})(?::|,? (?:about|on|for|regarding|concerning)\b) *(?=\w)",
    re.IGNORECASE,
)
"""A source before what is sought there: "anything new on arXiv about …"."""


def _search(slots: Slots, scene: Scene) -> Reading | None:
    """A search for what the request is about; none of the library is one."""
    said = f"{slots.get('how', '')} {slots['what']}"
    if _AT_HOME.find(slots["what"]) is not None:
        return None
    if (place := _PLACE_FIRST.match(slots["what"])) is not None:
        slots = {
            **slots,
            "what": slots["what"][place.end() :],
            "source": f"{slots.get('source', '')} {place['source']}",
        }
    choice = Choice(slots["what"], scene)
    while choice.take(_WHERE) is not None:
        pass
    read_times(choice)
    deep = _DEEP.find(said) is not None
    choice.take(_DEEP)
    question = _question(choice.text) or topic_of(slots["what"])
    if not question:
        return None
    sources = [
        name for words, name in SPOKEN.items() if re.search(rf"\b{words}\b", _places(slots, said), re.IGNORECASE)
    ]
    bounds = choice.conditions
    sources = sources if scene.sources else []  # where none can be asked, the search says so itself
    return plan(step("search", question=question, since=bounds.get("since"), until=bounds.get("until"),
                     sources=list(dict.fromkeys(sources)), deep=deep), onward=False)  # fmt: skip


def _places(slots: Slots, said: str) -> str:
    """Where the request says which sources are meant; a source may be its subject as well."""
    found = _WHERE.find(slots["what"])
    return f"{slots.get('source', '')} {slots['what'][found.start : found.end] if found else ''}"


_LEAD = re.compile(
    r"^(?:(?:for|about|on|of|and|new|some|any|the|recent|fresh|further|more|other|all|(?:papers?|articles?|works?|stuff"
    r"|literature)"
    r" (?:about|on|for|regarding|concerning|where|in which|that (?:treats?|deals? with|discuss(?:es)?|covers?"
    r"|is on|are on)))\b[ ,]*)+",
    re.IGNORECASE,
)


def _question(text: str) -> str:
    bare = re.sub(r"\s*,\s*(?=,|$)|^[\s,]+", "", text).replace(" ,", ",").strip(" .?!,:")
    bare = _LEAD.sub("", bare).strip(" ,")
    return bare if not re.fullmatch(r"(?:papers?|articles?|work|literature|stuff|it)?", bare, re.IGNORECASE) else ""


_FIGURE = re.compile(r"(?:how|count|number|average|mean|median|total|which|only|just|my)\b", re.IGNORECASE)


def _elsewhere(slots: Slots, scene: Scene) -> Reading | None:
    """Only if a source is named at the end, or before what is sought; a figure is one of the library, and so are papers
    that are not from a source."""
    if _FIGURE.match(slots["what"]) or known_names_in(slots["what"], scene, every=True):
        return None
    where = _WHERE.find(slots["what"])
    return _search(slots, scene) if where and not _NOT_THERE.search(slots["what"][: where.start]) else None


_NOT_THERE = re.compile(
    r"\b(?:not|never|no|nothing|none|except|excluding|without|nor|but|minus)\b[^,;:.]*$", re.IGNORECASE
)


_NEW = "new/fresh/further/unseen/additional/newer"
_DOCUMENTS = (
    "papers/paper/work/works/articles/article/ones/stuff/literature/publications/preprints/studies/research/results"
)
SEARCHING = (
    Rule(Phrases(f"""
        (search|try|consult) <source:source> (for|about|on|regarding) <what:text>
        (do|run|start|make|launch|perform|conduct|undertake|carry out) [a|me a|another] [new|live|fresh] [literature]
            (search|lookup|query|hunt) (concerning|regarding|into|to find|after) <what:text>
        (conduct|undertake|carry out) [a|another] [new|live|fresh] [literature] (search|lookup|query|hunt)
            [for|on|about]
            <what:text>
        [have|take] [a] (look|search|hunt) [around|out there|online|outside] [for|whether there is|if there is]
            (anything|something|some|any) (new|recent|fresh) [out there|published] [{{papers}}]
                [on|about|for|where|that|in
            |of] <what:text>
        (have|take) [a] (look|search|hunt) [around|out there|online|outside] for <what:text>
        [a] [new] [literature] search (for|on) <what:text>
        (see|check|find out) (if|whether) there is (anything|something) new [out there|published] (on|about|in)
            <what:text>
        (go|and) (look|search|check) (on|in|at|through|via) <source:source> (for|about|on) <what:text>
        (do|run|start|make|launch|begin|perform|try) [a|me a|another] [new|live] [<how:word>] [new|live|fresh]
            (search|lookup|literature search) [for|on|about|:] <what:text>
        (do|run|start|make|launch|perform) [a|another] [new|live] [literature] (search|lookup|query)
            (on|in|at|over|with|of)
            <source:source> [for|on|about|:] <what:text>
        <how:word> search for <what:text>
        <how:word> search : <what:text>
        <how:word> search on <what:text>
        [new] search [again|online|the web|the literature|everywhere] [<how:word>] (for|about|on|:) <what:text>
        search (deeply|thoroughly|exhaustively) [for] <what:text>
        search <what:text>
        (query|ask) <source:source> (for|about|on|what it has on|what there is on|if there is anything on)
            <what:text>
        (search|look|check|go) [on|in|at|through|via|up] <source:source> (for|about|on) <what:text>
        (look|go|search) (online|on the web|outside|on the internet|elsewhere) for <what:text>
        google [for] <what:text>
        <source:source> : <what:text>
        [search] <source:source> search (for|on|about) <what:text>
        (find|get|fetch|look for|discover|search for|bring|i (need|want|am looking for)|are there [any]|show|any|is
            there [any]) [me] [some|any|the] ({_NEW}|newly published|not yet known) {_DOCUMENTS} (on|about|for|
            regarding|concerning|dealing with|that|in|of|from|since|with|to) <what:text>
        (find|get|fetch|look for|discover|search for) [me] [some|any] [more] ({_NEW}) <what:text>
        what is new (on|in|about|regarding) <what:text>
        (what|anything) new (on|about|in|regarding) <what:text>
        search for <what:text>
        search again for <what:text>
        (look|hunt|go looking) for <what:text>
        find out what (is|was) [newly|recently] published (on|about) <what:text>
        update me on <what:text>
        (is there|are there|do you have|got|has there been) [anything|something|any papers] new (on|about|in)
            <what:text>
    """), _search),
    Rule(Phrases("""
        (find|get|fetch|show|look up|list|give|is there|are there|what is there|what does|any) [me|anything]
            <what:text>
        <what:text>
    """), _elsewhere),
)  # fmt: skip
