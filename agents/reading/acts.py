"""The table of acts: what can be done in a conversation without a model, the forms of sentences that ask for it, and
the steps that it runs."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from agents.reading.choosing import (
    Turn,
    authors_before,
    chosen,
    each_named,
    has_conditions,
    one_paper,
    papers_named,
    steps,
)
from agents.reading.cues import FILLERS, NOUNS
from agents.reading.facts import (
    DISTINCT,
    GROUPS,
    LINKS,
    MEASURES,
    PARTS,
    facts_of_several,
    grouped,
    linked_to_several,
    measured,
)
from agents.reading.frames import Spans
from agents.reading.numbers import number_at
from agents.reading.reading import Call, Option, Reading, call
from agents.reading.selection import Selection, Unknown
from agents.reading.tokens import written
from cache.conditions.filters import asked

PAGE = 10
LONGEST_TAG = 4
"""Words of a new tag."""


@dataclass(frozen=True)
class Sentence:
    """A message, or a part of it, that has a form of an act: what each slot holds. Where `given` is set, the message
    has no such form, and what was read of it fills the slots of papers."""

    turn: Turn
    spans: Spans
    given: Selection | None = None

    def papers(self, slot: str = "papers", *, one: bool = False) -> Selection:
        if self.given is not None:
            return self.given if slot in self.spans else Selection()
        start, end = self.spans.get(slot, (0, 0))
        return self.turn.reader.read(start, end, one=one)

    def has(self, slot: str) -> bool:
        if self.given is not None:
            return slot in self.spans
        start, end = self.spans.get(slot, (0, 0))
        return end > start

    def words(self, slot: str) -> list[str]:
        start, end = self.spans.get(slot, (0, 0))
        return self.turn.reader.keys[start:end]

    def text(self, slot: str) -> str:
        """The words of a slot as they stand in the message, without quotation marks around all of it."""
        start, end = self.spans.get(slot, (0, 0))
        tokens = self.turn.reader.tokens[start:end]
        if len(tokens) == 1:
            return tokens[0].text
        text = self.turn.message[tokens[0].start : tokens[-1].end] if tokens else ""
        return text.strip(' \t:,;.!?"“”')


class Act(NamedTuple):
    """Something that can be done: its forms, the plan for one of them, what it is called, and an example."""

    name: str
    forms: tuple[str, ...]
    plan: Callable[[Sentence], Reading | None]
    label: str
    example: str


def _reading(
    selection: Selection, calls: Sequence[Call], *, onward: bool = True, rest: Sequence[str] = (), weak: bool = False
) -> Reading:
    """A plan about the papers of a selection, with what was not understood of it."""
    if selection.against:
        return Reading(reply=_contradiction(selection))
    return Reading(
        calls=tuple(calls),
        onward=onward,
        rest=(*selection.rest, *rest),
        unknown=tuple(selection.unknown),
        taken=tuple(selection.taken),
        weak=weak,
        doubtful=tuple(selection.doubtful),
    )


def _contradiction(selection: Selection) -> str:
    """That conditions rule each other out."""
    name = next(iter(selection.against))
    terms = (*asked(**{name: True}).terms, *asked(**{name: False}).terms)
    states = " and ".join(f"{'not ' if term.negated else ''}{term.row.name}" for term in terms)
    return f"No paper can be {states} at once."


def _no_papers() -> Reading:
    return Reading(reply="Which papers do you mean? Name one, or ask for some first.", understood=False)


def _no_such_paper(selection: Selection, turn: Turn) -> Reading:
    """That no paper is called so, with the titles that are nearly so."""
    if not has_conditions(selection) or selection.rest or selection.unknown:
        return replace(_no_papers(), rest=tuple(selection.rest), unknown=tuple(selection.unknown))
    words = " ".join([*selection.given.get("words", ()), *selection.given.get("authors", ())])
    return Reading(onward=True, unknown=(Unknown("paper", words or "that", tuple(turn.names.near_title(words))),))


# Looking at papers


def _listed(sentence: Sentence) -> Reading | None:
    selection, turn = sentence.papers(), sentence.turn
    if selection.is_empty and not selection.rest:
        return None
    if len(selection.names) == 1 and not has_conditions(selection) and not selection.order and not selection.rest:
        return _reading(selection, [call("paper", paper=selection.names[0])])
    if selection.names and not selection.given and not selection.order:
        return _reading(selection, [call("take", papers=selection.names), Call("list")])
    if selection.onward and not has_conditions(selection) and not selection.order:
        return _reading(selection, [Call("list", _limit(selection.count))])
    if selection.definite and selection.single and not selection.order and has_conditions(selection):
        one = one_paper(selection, turn)
        if one.name:
            return _reading(selection, [*one.calls, call("paper", paper=one.name)])
    if selection.pronoun and len(people := authors_before(turn)) > 1:
        return _which_author(selection, turn, people)
    calls, onward = steps(selection, turn)
    limit = selection.count or (1 if selection.single and selection.order else None)
    if selection.last and selection.order:
        return None
    return _reading(selection, [*calls, Call("list", _limit(limit))], onward=onward)


def _which_author(selection: Selection, turn: Turn, people: Sequence[str]) -> Reading:
    """Ask which of the authors spoken of "her" is."""
    options = []
    for person in people[:3]:
        given = {**selection.given, "authors": [*selection.given.get("authors", ()), person]}
        calls, onward = steps(replace(selection, given=given, pronoun=False), turn)
        options.append(Option("{}", (*calls, Call("list", _limit(selection.count))), onward))
    return Reading(reply=f"That could mean {len(people)} people.", understood=False, options=tuple(options))


def _ordered(sentence: Sentence) -> Reading | None:
    """All of the papers in an order, whatever their number: "from the oldest to the newest"."""
    selection = sentence.papers()
    return _listed(replace(sentence, given=replace(selection, single=False))) if selection.order else None


def _limit(count: int | None) -> dict[str, int]:
    return {"limit": count} if count and count != PAGE else {}


def _counted(sentence: Sentence) -> Reading | None:
    selection = sentence.papers()
    if selection.names and not has_conditions(selection):
        return None
    if selection.onward and not has_conditions(selection):
        return _reading(selection, [Call("filter")])
    calls, onward = steps(selection, sentence.turn)
    if calls[-1].tool == "take":
        calls = (*calls, Call("filter"))
    return _reading(selection, calls, onward=onward)


def _fact(part: str) -> Callable[[Sentence], Reading | None]:
    """A fact of a paper; of several, where a list says it, of each."""

    def plan(sentence: Sentence) -> Reading | None:
        selection, turn = sentence.papers("paper", one=True), sentence.turn
        parts = [part] if part else []
        if selection.onward and turn.shown > 1 and not has_conditions(selection) and not selection.names:
            several = facts_of_several(part, turn.context.shown)
            return _reading(selection, [several]) if several else None
        if len(selection.names) > 1:
            return _reading(selection, [call("paper", paper=name, parts=parts) for name in selection.names[:5]])
        if selection.noun and not (selection.single or selection.definite or selection.names or selection.order):
            return None
        if not part and not (selection.names or selection.onward or (selection.single and selection.definite)):
            return None
        one = one_paper(selection, turn)
        if one.name:
            return _reading(selection, [*one.calls, call("paper", paper=one.name, parts=parts)], onward=one.onward)
        if selection.among is not None and part == "note":
            return _reading(
                selection, [call("paper", paper=f"#{number}", parts=parts) for number in selection.among[:3]]
            )
        if not one.several:
            return _no_such_paper(selection, turn)
        return _which(selection, turn, one.several, lambda name: (call("paper", paper=name, parts=parts),))

    return plan


def _which(
    selection: Selection, turn: Turn, numbers: Sequence[int], plan: Callable[[str], tuple[Call, ...]]
) -> Reading:
    """Ask which of several papers is meant."""
    first = list(numbers[:3])
    titles = turn.names.titles(first)  # type: ignore[arg-type]
    options = tuple(
        Option(f"“{title}”", plan(f"#{number}"), True) for number, title in zip(first, titles, strict=False)
    )
    several = f"{len(numbers):,} papers" if len(numbers) > 1 else "another paper"
    return Reading(
        reply=f"That could mean {several}.",
        understood=False,
        options=options,
        rest=tuple(selection.rest),
        unknown=tuple(selection.unknown),
    )


def _linked(tool: str) -> Callable[[Sentence], Reading | None]:
    def plan(sentence: Sentence) -> Reading | None:
        selection, turn = sentence.papers("paper", one=True), sentence.turn
        named = papers_named(selection, turn)
        if len(named) > 1 and not has_conditions(selection) and tool in LINKS:
            either = not {"or", "either"}.isdisjoint(sentence.words("paper"))
            return _reading(selection, [linked_to_several(tool, named, either=either)], onward=False)
        one = one_paper(selection, turn)
        if one.name:
            beside = sentence.papers("papers") if "papers" in sentence.spans else Selection()
            if beside.names:
                return None  # whether one paper cites another
            follow = [] if not has_conditions(beside) else [*steps(beside, turn)[0], Call("list")]
            reading = _reading(selection, [*one.calls, call(tool, paper=one.name), *follow], onward=one.onward)
            return replace(reading, rest=(*reading.rest, *beside.rest), unknown=(*reading.unknown, *beside.unknown))
        if one.several:
            return _which(selection, turn, one.several, lambda name: (call(tool, paper=name),))
        return _no_such_paper(selection, turn)

    return plan


def _nearest(sentence: Sentence) -> Reading | None:
    """Papers in the order of how near they are to one."""
    selection, turn = sentence.papers(), sentence.turn
    one = one_paper(sentence.papers("paper", one=True), turn)
    if not one.name or one.calls:
        return None
    calls, onward = steps(selection, turn)
    return _reading(
        selection, [*calls, Call("rank", {"by": "similarity", "prefer": [one.name]}), Call("list")], onward=onward
    )


def _alike(sentence: Sentence) -> Reading | None:
    selection = sentence.papers("paper", one=True) if "paper" in sentence.spans else Selection(names=["@it"])
    one = one_paper(selection, sentence.turn)
    if not one.name or one.calls:
        return None
    return _reading(selection, [call("resemble", papers=[one.name]), Call("list")], onward=False)


# Changes


def _changed(
    sentence: Sentence, make: Callable[[tuple[str, ...]], Call], *, default: Sequence[str] = (), one: bool = False
) -> Reading | None:
    """A change of the papers that a sentence names."""
    selection, turn = sentence.papers(one=True), sentence.turn
    if several := each_named(*sentence.spans.get("papers", (0, 0)), turn):
        return Reading(calls=(make(tuple(several)),), onward=True)
    if not default and sentence.has("papers") is False:
        default = ("@it",) if turn.has_it else ("@shown",) if turn.shown else ()
    if (one or (selection.definite and selection.single)) and not selection.names:
        single = one_paper(selection, turn)
        if single.name:
            return _reading(selection, [*single.calls, make((single.name,))], onward=single.onward)
        if single.several:
            return _which(selection, turn, single.several, lambda name: (make((name,)),))
    choice = chosen(selection, turn, default)
    if choice is None:
        return replace(_no_papers(), rest=tuple(selection.rest), unknown=tuple(selection.unknown))
    return _reading(selection, [*choice.calls, make(choice.names)], onward=choice.onward)


def _saved(sentence: Sentence) -> Reading | None:
    tags = _tags(sentence)
    if sentence.has("tags") and not tags:
        return None
    return _changed(sentence, lambda names: call("save", papers=list(names), tags=tags))


def _unsaved(sentence: Sentence) -> Reading | None:
    return _changed(sentence, lambda names: call("unsave", papers=list(names)))


def _tags(sentence: Sentence) -> list[str]:
    """The tags that a sentence names, those of the library as they are written there; none if one is a clause."""
    known, tags = sentence.turn.names.known_tag, tags_in(sentence.text("tags"))
    return [] if any(len(tag.split()) > LONGEST_TAG for tag in tags) else [known(tag) or tag for tag in tags]


def tags_in(text: str) -> list[str]:
    """The tags that a text lists."""
    bare = re.sub(r"^(?:the )?(?:tags?|labels?)\b[: ]*", "", text.strip(), flags=re.IGNORECASE)
    tags = [part.strip(" \"'“”‘’#.") for part in re.split(r",|;|\s+and\s+|&", bare)]
    return [tag for tag in tags if tag]


def _tagged(sentence: Sentence) -> Reading | None:
    tags = _tags(sentence)
    if not tags:
        return None
    _start, end = sentence.spans["papers"]
    if sentence.spans["tags"][0] == end:  # no word parts the two
        selection = sentence.papers(one=True)
        if not (selection.names or selection.onward or selection.single) or len(tags[0].split()) > 2:
            return None
    return _changed(sentence, lambda names: call("tag", papers=list(names), add=tags))


def _untagged(sentence: Sentence) -> Reading | None:
    if sentence.has("tags"):
        tags = _tags(sentence)
        known = {tag.casefold() for tag in sentence.turn.names.tags.values()}
        if strange := [tag for tag in tags if tag.casefold() not in known]:
            near = tuple(sentence.turn.names.near_tag(strange[0]))
            return Reading(unknown=(Unknown("tag", strange[0], near),), calls=())
        if not sentence.has("papers") and not sentence.turn.shown and not sentence.turn.has_it:
            return Reading(calls=(call("filter", tags=tags), call("tag", papers=["@all"], remove=tags)))
        return _changed(sentence, lambda names: call("tag", papers=list(names), remove=tags))
    return None


def _renamed(sentence: Sentence) -> Reading | None:
    old, new = tags_in(sentence.text("tags")), tags_in(sentence.text("new"))
    if len(old) != 1 or len(new) != 1:
        return None
    known = {tag.casefold(): tag for tag in sentence.turn.names.tags.values()}
    if old[0].casefold() not in known:
        return Reading(unknown=(Unknown("tag", old[0], tuple(sentence.turn.names.near_tag(old[0]))),))
    tag = known[old[0].casefold()]
    return Reading(calls=(call("filter", tags=[tag]), call("tag", papers=["@all"], add=new, remove=[tag])))


def _noted(sentence: Sentence) -> Reading | None:
    text = sentence.text("text")
    if not text:
        return None
    return _changed(sentence, lambda names: Call("note", {"paper": names[0], "text": text}), one=True)


def _unnoted(sentence: Sentence) -> Reading | None:
    return _changed(sentence, lambda names: Call("note", {"paper": names[0], "text": ""}), one=True)


def _marked(mark: str) -> Callable[[Sentence], Reading | None]:
    def plan(sentence: Sentence) -> Reading | None:
        return _changed(sentence, lambda names: Call("mark", {"papers": list(names), "as": mark}))

    return plan


def _liked(mark: str) -> Callable[[Sentence], Reading | None]:
    """What is liked is a paper that is named; a kind of papers is for the profile."""

    def plan(sentence: Sentence) -> Reading | None:
        selection = sentence.papers(one=True)
        if not (selection.names or selection.onward or selection.definite) or selection.given.get("rating"):
            return None
        if selection.names == ["@it"] and not sentence.turn.has_it:
            return None
        return _marked(mark)(sentence)

    return plan


def _rated(sentence: Sentence) -> Reading | None:
    """There are no stars: liked or disliked is asked back."""
    words = [word for word in sentence.words("n") if word.isalnum()]
    if words and number_at(words, 0) is None:
        return None
    options: list[Option] = []
    for mark, word in (("like", "as liked"), ("dislike", "as disliked")):
        reading = _marked(mark)(sentence)
        if reading is None or not reading.is_whole or not reading.understood:
            return reading
        options.append(Option(f"mark it {word}", reading.calls, reading.onward))
    return Reading(
        reply="A paper can be liked or disliked; there are no stars.", understood=False, options=tuple(options)
    )


def _remembered(facet: str) -> Callable[[Sentence], Reading | None]:
    return lambda sentence: Reading(calls=(Call("remember", {"facet": facet, "text": sentence.text("text")}),))


# Documents and runs

FORMATS = {
    "bibtex": "bibtex",
    "bib": "bibtex",
    "biblatex": "biblatex",
    "ris": "ris",
    "csl-json": "csl-json",
    "csl": "csl-json",
    "json": "csl-json",
    "markdown": "markdown",
    "md": "markdown",
    "csv": "csv",
    "spreadsheet": "csv",
    "excel": "csv",
    "text": "text",
    "apa": "apa",
    "ieee": "ieee",
    "vancouver": "vancouver",
    "chicago": "chicago",
    "mla": "mla",
    "endnote": "ris",
    "zotero": "ris",
    "latex": "bibtex",
}
_STYLES = frozenset({"apa", "ieee", "vancouver", "chicago", "mla", "nature"})


def _exported(sentence: Sentence) -> Reading | None:
    words = [*sentence.words("format"), *sentence.words("word")]
    names = [FORMATS[word] for word in words if word in FORMATS]
    strange = [
        word
        for word in words
        if word not in FORMATS
        and word not in ("as", "in", "a", "an", "the", "format", "file", "style", "entry", "entries", "to", "csl", ".")
    ]
    if strange or (words and not names):
        return None
    name = next((name for name in names if name in _STYLES), names[0] if names else "")
    given = {"format": "text", "style": name} if name in _STYLES else {"format": name} if name else {}

    def make(papers: tuple[str, ...]) -> Call:
        return call("export", papers=list(papers), **given)

    return _changed(sentence, make)


def _summarized(sentence: Sentence) -> Reading | None:
    selection, turn = sentence.papers(one=True), sentence.turn
    topic = sentence.text("topic")
    more = sentence.papers("more", one=True) if "more" in sentence.spans else Selection()
    selection = _together(selection, more)
    choice = chosen(selection, turn, ("@it",) if turn.has_it and turn.shown < 2 else ("@shown",) if turn.shown else ())
    plain = not (
        selection.names or selection.onward or selection.noun or selection.given.keys() - {"words"} or selection.also
    )
    if "papers" in sentence.spans and plain and not topic:
        topic = " ".join(selection.given.get("words", ())) or sentence.text("papers")
        if not selection.order and not sentence.has("more"):
            return Reading(calls=(call("summarize", topic=topic),)) if topic else None
    if choice is None:
        return replace(_no_papers(), rest=tuple(selection.rest))
    tags = [*selection.given.get("tags", ()), *(tag for more in selection.also for tag in more.get("tags", ()))]
    words = [*selection.given.get("words", ()), *tags, *selection.given.get("authors", ())]
    subject = topic or " ".join(words) or _titles(selection, turn) or _subject_before(turn) or turn.message
    calls = [*choice.calls, call("summarize", topic=subject[:500], papers=list(choice.names))]
    return _reading(selection, calls, onward=choice.onward)


def _subject_before(turn: Turn) -> str:
    """What the papers spoken of were chosen by, else their titles."""
    for one in turn.before:
        words = [text for name in ("words", "tags", "authors") for text in one.arguments.get(name, ())]
        if one.tool == "filter" and words:
            return " ".join(words)
    return "; ".join(turn.names.titles(list(turn.context.shown[:3])))


def _together(first: Selection, second: Selection) -> Selection:
    if not (second.names or second.given):
        return first
    both = replace(
        first,
        names=[*first.names, *second.names],
        rest=[*first.rest, *second.rest],
        unknown=[*first.unknown, *second.unknown],
        given=dict(first.given),
    )
    for name, value in second.given.items():
        for one in value if isinstance(value, list) else [value]:
            both.add("any_words" if name == "words" else name, one)
    return both


def _compared(sentence: Sentence) -> Reading | None:
    """A comparison of two papers: each of the two has to be one."""
    turn = sentence.turn
    if "more" not in sentence.spans:
        return _summarized(sentence)
    names: list[str] = []
    for slot in ("papers", "more"):
        selection = sentence.papers(slot, one=True)
        one = one_paper(selection, turn)
        if not one.name or selection.rest or selection.unknown or one.calls:
            return replace(_summarized(sentence) or _no_papers(), weak=True)
        names.append(one.name)
    topic = " and ".join(title for name in names for title in _title(name, turn)) or turn.message
    return Reading(calls=(call("summarize", topic=topic[:500], papers=names),), onward=True)


def _set_against(order: str) -> Callable[[Sentence], Reading | None]:
    """Two papers in an order, the one that is asked for first."""

    def plan(sentence: Sentence) -> Reading | None:
        names: list[str] = []
        for slot in ("paper", "other"):
            selection = sentence.papers(slot, one=True)
            one = one_paper(selection, sentence.turn)
            if not one.name or one.calls or selection.rest or selection.unknown:
                return _no_such_paper(selection, sentence.turn)
            names.append(one.name)
        return Reading(calls=(call("take", papers=names), call("rank", by=order), Call("list")))

    return plan


def _set_against_forms(words: str, *forms: str) -> tuple[str, ...]:
    """Questions that set two papers against each other, with the words of an order."""
    return (
        *forms,
        f"is|was|are|were {{paper}} [published|written|cited] {words} than {{other}}",
        (
            f"[which|what|who] [one|paper] [is|was|were|came|appeared] [published|written|cited] [the] {words} [one]"
            " [,|:|?] {paper} or {other}"
        ),
        (
            f"of {{paper}} and|or {{other}} [,] which|what [one|paper] [is|was|were|came|appeared] [published|written"
            f"|cited] [the] {words} [one]"
        ),
        f"which [one|paper] of {{paper}} and|or {{other}} is|was|came|appeared [published|cited] [the] {words} [one]",
    )


SET_AGAINST = (
    ("oldest", _set_against_forms("older|earlier|first|oldest|earliest")),
    ("newest", _set_against_forms("newer|more_recent|later|younger|newest|latest|most_recent|last")),
    (
        "citations",
        _set_against_forms(
            "more_often|more|more_cited|more_highly|most|most_cited|more_frequently|better_cited",
            "[which|what] [one|paper] has|have|got [the] more|most citations [,|:|?] {paper} or {other}",
            "does|do|has|have {paper} [have|has] more citations than {other}",
        ),
    ),
)
"""Orders by which two papers are set against each other."""


def _titles(selection: Selection, turn: Turn) -> str:
    return "; ".join(title for name in selection.names[:3] for title in _title(name, turn))


def _title(name: str, turn: Turn) -> list[str]:
    from agents.tools.paper_names import named_papers
    from agents.tools.tool import ToolError

    try:
        return turn.names.titles(named_papers([name], turn.context)[:1])
    except ToolError:
        return []


OTHER_SOURCES = frozenset(
    "pubmed arxiv openalex crossref dblp europepmc semanticscholar googlescholar scholar datacite google"
    " scopus webofscience core".split()
)
"""Sources by the names that people call them, asked or not."""
_BEFORE_TOPIC = NOUNS | FILLERS | {"new", "fresh", "more", "further", "other", "additional"}
_POLITE = frozenset({"please", "thanks", "thank", "you", "for", "me", "?", "!", ".", "online", "too", "now"})


def _searched(sentence: Sentence) -> Reading | None:
    turn = sentence.turn
    tokens, until_source, dates = turn.reader.tokens, *_before_dates(sentence, "source")
    start, end = sentence.spans["topic"]
    while end > start and tokens[end - 1].key in _POLITE:
        end -= 1
    while start < end and tokens[start].key in _BEFORE_TOPIC:
        start += 1
    behind, of_topic = _before_dates(sentence, "topic", end)
    end, dates = max(behind, start), {**dates, **of_topic}
    topic = written(tokens[start:end]) if end > start else ""
    if not topic or topic.casefold() in ("these", "it", "them"):
        return None
    first = sentence.spans["source"][0] if sentence.has("source") else until_source
    named = "".join(word for word in turn.reader.keys[first:until_source] if word.isalnum())
    sources = [name for name in turn.context.resources.live if name in named]
    if sentence.has("source") and not sources:
        if named not in OTHER_SOURCES:
            return None
        source = written(tokens[first:until_source])
        return Reading(reply=f"The source {source} is not asked here. To ask the others, say: search for {topic}.")
    return Reading(calls=(call("search", question=topic, **dates, sources=sources),))


def _before_dates(sentence: Sentence, slot: str, end: int | None = None) -> tuple[int, dict[str, str]]:
    """Where the times at the end of a slot begin, and their bounds."""
    start, behind = sentence.spans.get(slot, (0, 0))
    end = behind if end is None else end
    for place in range(start, end):
        read = sentence.turn.reader.read(place, end)
        if read.given and set(read.given) <= {"since", "until"} and not read.rest:
            return place, dict(read.given)
    return end, {}


def _recommended(sentence: Sentence) -> Reading | None:
    selection, _turn = sentence.papers(one=True), sentence.turn
    if selection.like_words:
        return None
    tag = selection.given.get("tags", ())
    if selection.given.keys() == {"tags"} and len(tag) == 1 and not selection.also:
        return _reading(selection, [call("recommend", tag=tag[0])], onward=False)
    names = [*selection.like, *selection.names]
    if selection.onward and not names:
        names = ["@shown"]
    if has_conditions(selection) and not names:
        return None
    return _reading(selection, [call("recommend", papers=names, limit=selection.count)])


def _runs(sentence: Sentence) -> Reading | None:
    kinds = {
        "search": "search",
        "summar": "summary",
        "recommend": "recommendation",
        "conversation": "conversation",
        "chat": "conversation",
    }
    kind = next(
        (value for word in sentence.words("kind") for key, value in kinds.items() if word.startswith(key)), None
    )
    start, end = sentence.spans.get("when", (0, 0))
    selection = sentence.turn.reader.read(start, end)
    words = " ".join(selection.given.get("words", ()))
    strange = selection.given.keys() - {"since", "until", "words"}
    return Reading(
        calls=(
            call(
                "runs",
                kind=kind,
                since=selection.given.get("since"),
                until=selection.given.get("until"),
                words=words,
                limit=selection.count or (1 if selection.order else None),
            ),
        ),
        rest=(*selection.rest, *strange),
    )


def _checked(sentence: Sentence) -> Reading | None:
    return _changed(sentence, lambda names: call("check", papers=list(names)))


def _more(sentence: Sentence) -> Reading | None:
    turn = sentence.turn
    candidates = turn.context.candidates or ()
    place = max((candidates.index(number) + 1 for number in turn.context.shown if number in candidates), default=0)
    if not turn.shown:
        return _no_papers()
    if place >= len(candidates):
        return Reading(reply="That was all: there are no more papers in this list.")
    number = number_at(sentence.words("n"), 0) if sentence.has("n") else None
    if sentence.has("n") and (number is None or number[1] < len(sentence.words("n"))):
        return None
    limit = number[0] if number else None
    return Reading(calls=(call("list", first=place + 1, **_limit(limit)),), onward=True)


def _back(sentence: Sentence) -> Reading | None:
    """Take back what the turn before changed, else go back to the list before."""
    inverse: list[Call] = []
    for one in sentence.turn.before:
        papers = one.arguments.get("papers", ["@shown"])
        match one.tool:
            case "tag":
                inverse.append(
                    call("tag", papers=papers, add=one.arguments.get("remove"), remove=one.arguments.get("add"))
                )
            case "save" if not one.arguments.get("tags"):
                inverse.append(call("unsave", papers=papers))
            case "mark" if one.arguments["as"] in ("read", "unread"):
                other = "unread" if one.arguments["as"] == "read" else "read"
                inverse.append(Call("mark", {"papers": papers, "as": other}))
            case "save" | "unsave" | "note" | "mark" | "remember":
                return Reading(reply="I cannot take that back here. In the app, U takes back changes of the shelf.")
    if inverse:
        return Reading(calls=tuple(inverse), onward=True)
    if not sentence.turn.context.earlier:
        return Reading(reply="There is nothing to undo: nothing was changed in this conversation.")
    return Reading(calls=(Call("undo"), Call("list")), onward=True)


def _grouped(group: str, most: bool) -> Callable[[Sentence], Reading | None]:
    def plan(sentence: Sentence) -> Reading | None:
        selection = sentence.papers() if "papers" in sentence.spans else Selection()
        if sentence.has("papers") and selection.is_empty:
            return None
        number = number_at(sentence.words("n"), 0)
        limit = number[0] if number else None
        made = grouped(group, most, limit, selection, sentence.turn)
        return None if made is None else _reading(selection, [made], onward=selection.onward)

    return plan


def _distinct(group: str) -> Callable[[Sentence], Reading | None]:
    def plan(sentence: Sentence) -> Reading | None:
        selection = sentence.papers() if "papers" in sentence.spans else Selection()
        made = grouped(group, False, None, selection, sentence.turn, distinct=True)
        return None if made is None else _reading(selection, [made], onward=selection.onward)

    return plan


def _measured(measure: str) -> Callable[[Sentence], Reading | None]:
    def plan(sentence: Sentence) -> Reading | None:
        selection = sentence.papers()
        made = measured(measure, selection, sentence.turn)
        return None if made is None else _reading(selection, [made], onward=selection.onward)

    return plan


def _says(reply: str) -> Callable[[Sentence], Reading | None]:
    return lambda sentence: Reading(reply=reply)


def _tools(*calls: Call) -> Callable[[Sentence], Reading | None]:
    return lambda sentence: Reading(calls=calls)


# The table

_SHELF = "my_shelf|the_shelf|shelf|my_library|my_saved_papers|saved_papers|my_collection|my_saved|my_list|my_papers"
_SAVE = "save|bookmark|shelve|store"
_TAG = "tag|label"
_TAGS = "tag|tags|label|labels"
_IS = "is|are|was|were|do|does|did|has|have"

ACTS: tuple[Act, ...] = (
    Act(
        "count left",
        (
            "how_many [papers|of_them|of_these|ones] [are] left|remain|remaining [now|over|then]",
            "how_many is|are that|there|they|it [now]",
            "how_many",
        ),
        lambda sentence: Reading(calls=(Call("filter"),), onward=True),
        "",
        "how many are left?",
    ),
    Act(
        "watches",
        (
            "[are] [there] [any] watches [set_up|running|there|active]",
            "do i have [any] watches [running|set_up|active]",
            "[what|which] [are] [my] watches [do_i_have|are_set_up|are_running|are_there]",
            "what|which am i watching",
            "am i watching anything|something",
        ),
        _says("I cannot look at watches from here: `spar watch` lists them."),
        "",
        "which watches do I have?",
    ),
    Act(
        "count",
        (
            "how_many|how_many_of {papers}",
            "[the] number|count of {papers}",
            "count [the|all] {papers}",
            "how_large|how_big is {papers}",
            "[the] total_number of {papers}",
            "{papers} how_many",
        ),
        _counted,
        "count papers",
        "how many papers on my shelf are unread?",
    ),
    *(Act(f"fact:{part.name}", part.forms, _fact(part.name), part.label, part.example) for part in PARTS),
    *(
        Act(
            f"most:{group.name}",
            group.most,
            _grouped(group.name, True),
            f"the {group.name}s with most papers",
            f"which {group.name} has most papers?",
        )
        for group in GROUPS
    ),
    *(
        Act(
            f"per:{group.name}",
            group.per,
            _grouped(group.name, False),
            f"papers per {group.name}",
            f"how many papers per {group.name}?",
        )
        for group in GROUPS
    ),
    *(
        Act(
            f"distinct:{group.name}",
            group.distinct,
            _distinct(group.name),
            f"how many {group.name}s",
            f"how many {group.name}s are there?",
        )
        for group in DISTINCT
    ),
    *(
        Act(f"measure:{measure.name}", measure.forms, _measured(measure.name), measure.label, measure.example)
        for measure in MEASURES
    ),
    Act(
        "order",
        ("sort|order|rank|arrange|reorder|put {papers}",),
        lambda sentence: _ordered(sentence),
        "order papers",
        "sort these by citations",
    ),
    Act(
        "nearest",
        (
            "[order|sort|rank] {papers} by [their] similarity|closeness|likeness|relevance to {paper}",
            "[order|sort|rank] {papers} by how similar|close|near|relevant they|these are to {paper}",
        ),
        _nearest,
        "order papers by how near they are to one",
        "sort these by similarity to the first",
    ),
    Act(
        "alike",
        (
            "[some|any|are_there] more like|similar_to {paper}",
            "[is_there|are_there] something|anything similar|alike [to] [it|this|that|this_one|that_one]",
            "what else is like|similar_to {paper}",
            "[show|find|any] [some|more] similar papers|ones|work|articles [please]",
        ),
        _alike,
        "find what is like a paper",
        "more like this",
    ),
    Act(
        "citations",
        (
            "who|what cites|cite|cited {paper}",
            "who|what has|have cited {paper}",
            "[what|which] {papers} cite|cites|citing {paper}",
            "[what|which] {papers} that|which cite|cites|cited {paper}",
            "{papers} that|which have cited {paper}",
            "[the] citations of|to|for {paper}",
            "[what|which] {papers} build_on|builds_on {paper}",
            "by_whom|by_what is|was {paper} cited",
            "{paper} is|was cited by_whom|by_what",
            "[the] citing papers of|for {paper}",
            "[what|which] {papers} refer_to|reference|references {paper}",
            "citing|cites {paper}",
        ),
        _linked("citations"),
        "follow citations",
        "who cites the first?",
    ),
    Act(
        "references",
        (
            "[the] references|bibliography|reference_list of|in|from {paper}",
            "[what|which] {papers} does|did {paper} cite|reference",
            "{papers} cited by|in {paper}",
            "who|what does|do|did {paper} cite|reference|build_on",
            "what is|are cited in|by {paper}",
            "[what|which] {papers} is|are|were cited by|in {paper}",
            "{paper} ['s] references",
            "what is in_the_reference_list of {paper}",
            "its|their references",
            "[what|which] {papers} does|did {paper} refer_to|build_on",
        ),
        _linked("references"),
        "follow references",
        "what does the first cite?",
    ),
    Act(
        "unsave",
        (
            "unsave {papers}",
            f"remove|delete|take|drop|throw|kick|discard|get_rid_of {{papers}} from|off|out_of [of] {_SHELF}",
            f"take|throw|kick|remove {{papers}} off [{_SHELF}|it]",
            "delete|unshelve {papers}",
            "take {papers} off",
            f"do_not keep {{papers}} [on|in] [{_SHELF}]",
            "i do_not need {papers} any_more|anymore",
        ),
        _unsaved,
        "take papers off your shelf",
        "remove the second from my shelf",
    ),
    Act(
        "save",
        (
            f"{_SAVE} {{papers?}} [to|on|in|into] [{_SHELF}]",
            f"add|put|place {{papers}} to|on|onto|in|into {_SHELF}",
            f"{_SAVE} {{papers}} with|under [the] {_TAGS} {{tags}}",
            f"{_SAVE} {{papers}} under {{tags}}",
            f"{_SAVE} {{papers}} [,] [and] {_TAG} [it|them|these|those] [as|with] {{tags}}",
            f"{_SAVE} {{papers}} tagged|as {{tags}}",
            f"add|put {{papers}} on|to|in|into {_SHELF} with|under|tagged [the] [{_TAGS}|as] {{tags}}",
        ),
        _saved,
        "save papers, after asking you",
        "save those and tag them thesis",
    ),
    Act(
        "tag",
        (
            (
                "add|put|file|move|sort {papers} to|on|in|into|under|onto [my|the] {tags} list|pile|folder|tag"
                "|collection|group|bucket"
            ),
            f"{_TAG} {{papers}} as|with|: [the] [{_TAGS}|:] {{tags}}",
            f"{_TAG} {{papers}} {{tags}}",
            f"add|give|attach|put|assign [the|a] [new] {_TAGS} {{tags}} to|on|for {{papers}}",
            f"give {{papers}} [the|a|my] {_TAGS} {{tags}}",
            f"add|put|assign [the] {{tags}} {_TAGS} to|on|for {{papers}}",
            f"add|assign|put {{papers}} to|under|into|in [the|my] {_TAGS} {{tags}}",
            f"add {{tags}} as|as_a {_TAGS} to|for {{papers}}",
            f"{{papers}} should|shall get|have|be [the] {_TAGS} {{tags}}",
        ),
        _tagged,
        "tag papers, after asking you",
        "tag the first as thesis",
    ),
    Act(
        "untag",
        (
            f"remove|delete|drop|take|strip [the|my] [{_TAGS}] {{tags}} from|off|of {{papers}}",
            "untag {papers} [as|from|with] {tags}",
            f"remove|delete|drop|take|strip [the|my] {{tags}} {_TAGS} [away] from|off|of {{papers}}",
            f"take [the] {_TAGS} {{tags}} away from {{papers}}",
            f"remove|delete|drop [the|my] {_TAGS} {{tags}}",
            f"remove|delete|drop [the|my] {{tags}} {_TAGS}",
            f"take {{papers}} off|out_of [the] {_TAGS} {{tags}}",
        ),
        _untagged,
        "take a tag off papers, after asking you",
        "remove the tag thesis from the first",
    ),
    Act(
        "rename",
        (
            f"rename [the|my] [{_TAGS}] {{tags}} to|into|as {{new}}",
            f"change [the|my] {_TAGS} {{tags}} to|into {{new}}",
            f"rename [the|my] {{tags}} {_TAGS} to|into|as {{new}}",
        ),
        _renamed,
        "rename a tag, after asking you",
        "rename the tag later to to-read",
    ),
    Act(
        "unnote",
        (
            "delete|remove|erase|clear|drop [the|my] note|notes of|on|about|from|for {papers}",
            "erase|delete|remove {papers} ['s] note",
        ),
        _unnoted,
        "erase a note, after asking you",
        "erase the note on the first",
    ),
    Act(
        "note",
        (
            "add|write|make|put|attach|leave [a|the|this] note|comment to|on|about|for|with {papers} : {text}",
            (
                "add|write|make|put|attach|leave [a|the|this] note|comment to|on|about|for|with {papers} saying|that"
                "|which_says|reading {text}"
            ),
            "note|comment on|about|for|to|down_for {papers} : {text}",
            "note|comment on|about|for|to {papers} that|saying {text}",
            "note|comment for|on|to {papers} , {text}",
            "add|write|make [a|the] note|comment : {text}",
            "add|write|make [a|the] note|comment that|saying {text}",
            "annotate {papers} with|: {text}",
            "write {text} as|as_a note|comment on|about|for|to {papers}",
            "add|put|write|attach [the|a] note|comment {text} to|on|for {papers}",
            "note : {text}",
            "note {papers} : {text}",
            "write|jot|note down|to|for {papers} : {text}",
            "write|jot_down|note_down|write_down that {text}",
            "note that {text}",
            "change|edit|update|replace [the|my] note|comment on|of|for|about {papers} to|with|: [:] {text}",
            "[my] note on|for|to|about {papers} should|shall be|say|read [:] {text}",
            "set [the|my] note on|for|of {papers} to {text}",
            "write|add|put {text} into|in|to the_note|my_note|the_notes|my_notes|notes of|on|about|for {papers}",
        ),
        _noted,
        "write a note, after asking you",
        "note on the first: check table 2",
    ),
    Act(
        "mark read",
        ("mark|set|flag {papers?} as [already] read|finished", "mark|set|flag {papers} read|finished"),
        _marked("read"),
        "",
        "mark these as read",
    ),
    Act(
        "done reading",
        (
            "i [have|just] [just|now] [finished] read|reading {papers}",
            "i_am done with {papers}",
            "i have|just [just] finished [reading] {papers}",
            "finished [reading] {papers}",
        ),
        lambda sentence: _done_reading(sentence),
        "mark papers as read, after asking you",
        "mark the first as read",
    ),
    Act(
        "mark unread",
        (
            "mark|set|flag {papers?} as unread|not_read|to_read",
            "mark|set|flag {papers} unread",
            "i have|did not [yet|actually] [yet] read {papers} yet",
            "unmark {papers} as read",
        ),
        _marked("unread"),
        "mark papers as unread, after asking you",
        "mark the first as unread",
    ),
    Act(
        "like",
        (
            "i [really|quite] like|love|liked|loved|enjoyed {papers}",
            "like|upvote {papers}",
            "rate {papers} up|good|highly|as_good|positively|well",
            "give {papers} a_thumbs_up|thumbs_up",
            "thumbs_up for|to {papers}",
            "mark|note|rate|flag {papers} as liked|good|a_favorite|favorite|positive",
            "{papers} is|are|was|were great|good|useful|excellent|interesting|brilliant",
            "more like {papers} please",
            "add {papers} to_my_favorites|to_favorites",
        ),
        _liked("like"),
        "note that you like papers, after asking you",
        "I like the first",
    ),
    Act(
        "dislike",
        (
            "i do|did not [really] like|enjoy {papers}",
            "dislike|downvote {papers}",
            "i dislike|disliked|hate|hated {papers}",
            "rate {papers} down|bad|badly|poorly|as_bad|negatively",
            "give {papers} a_thumbs_down|thumbs_down",
            "thumbs_down for|to {papers}",
            "mark|note|rate|flag {papers} as disliked|bad|negative",
            "{papers} is|are|was|were bad|useless|terrible|boring",
        ),
        _liked("dislike"),
        "note that you dislike papers, after asking you",
        "I don't like the second",
    ),
    Act(
        "dismiss",
        (
            "i_am not interested in {papers}",
            "not interested in {papers}",
            "dismiss|hide {papers}",
            "never show [me] {papers} again",
            "mark {papers} as not_for_me|dismissed|irrelevant",
            "{papers} is|are not for|interesting for|to me",
            "do_not show|recommend [me] {papers} again|anymore",
        ),
        _liked("dismiss"),
        "dismiss papers, after asking you",
        "dismiss the third",
    ),
    Act(
        "remember like",
        (
            "remember|note|keep_in_mind [that] i [generally|usually] like|prefer|love|want {text}",
            "i [generally|usually] prefer|like|love {text}",
            "add to my profile|taste|interests that_i_like|: {text}",
            "i_am interested in {text}",
        ),
        lambda sentence: _preference(sentence, "like"),
        "write what you like into your profile",
        "remember that I like open data",
    ),
    Act(
        "remember dislike",
        (
            "remember|note|keep_in_mind [that] i do_not|dislike|hate [like|want] {text}",
            "i [generally|usually] dislike|hate|avoid {text}",
            "i_am not interested in {text}",
        ),
        lambda sentence: _preference(sentence, "dislike"),
        "write what you dislike into your profile",
        "remember that I dislike surveys",
    ),
    Act(
        "remember expect",
        ("remember|note|keep_in_mind [that] i expect|require|need {text}", "i expect {text}"),
        _remembered("expect"),
        "write what you expect into your profile",
        "remember that I expect an ablation",
    ),
    Act(
        "export",
        (
            "export|download|print {papers?} [as|in|to|into] {format?}",
            "{word} of|for {papers}",
            "{papers} as|in|to|into [a|an] {format}",
            (
                "[a|the] bibliography|reference_list|references|citation|citations|citation_entry of|for {papers}"
                " [in|as] {format?}"
            ),
            (
                "[a|the] {word} entry|entries|file|citation|citations|record|records|export|format|reference"
                "|references of|for {papers}"
            ),
            "cite {papers?} [in|as] {format?}",
            "how do|should|can i cite {papers}",
            (
                "write|make|create|generate|build|produce [a|the] bibliography|bib_file|reference_list [of|for|from"
                "|with] {papers?} [in|as] {format?}"
            ),
            "write|make|create|generate|produce|save|turn|convert|format [the] {papers} as|in|to|into [a|an] {format}",
            "[the] bibliography [please]",
            "write|make|create|generate|give|get|show [me] [a|an|the] {format}",
            (
                "write|make|create|generate|need|want [a|an|the] {word} [file|entries|entry|bibliography|list] of"
                "|for|from|with {papers}"
            ),
            "[a|the] {papers} 's {word}",
        ),
        _exported,
        "write a bibliography",
        "export my thesis papers as BibTeX",
    ),
    Act(
        "compare",
        (
            "compare {papers} with|to|and|against {more}",
            "compare {papers?}",
            "[the] difference|differences|comparison between|of {papers} and {more}",
            "[a] comparison of|between {papers}",
            "how do|does {papers} differ|compare from|to|with {more}",
            "how do|does {papers} and {more} differ|compare",
            "how do|does {papers} differ|compare",
            "how is|are {papers} different from {more}",
            "[the] difference|differences between {papers}",
            "contrast {papers} with|and {more}",
            "what do|does {papers} and {more} have_in_common",
        ),
        _compared,
        "compare papers",
        "compare the first and the second",
    ),
    *(
        Act(
            f"against:{order}",
            forms,
            _set_against(order),
            f"which of two papers is {'cited more' if order == 'citations' else f'the {order[:-2]}r'}",
            "is the first older than the second?",
        )
        for order, forms in SET_AGAINST
    ),
    Act(
        "summarize",
        (
            "summarize {papers?}",
            "summarize {papers} with_a_focus_on|focusing_on|concentrating_on|regarding|with_respect_to {topic}",
            "[a] [short|brief|quick] summary|overview|synopsis|review|digest of|on|about|for {papers}",
            "summarize|sum_up what {papers} say|says|find|report|conclude about|on {topic}",
            "what do|does {papers} say|find|report|conclude|show about|on|regarding {topic}",
            (
                "write|give|make|create|need|want|prepare [me] [a|an] [short|brief|quick|cited|literature] summary"
                "|overview|review|synopsis|digest of|on|about|from {papers}"
            ),
            "sum {papers} up",
            "sum_up {papers}",
            "summarize {papers} in {n} words",
            "what is known about {topic}",
            "what does the_literature|research say about|on {topic}",
            "explain {papers}",
            "[a] summary|overview|synopsis [please]",
            "what are the main|key findings|points|results|arguments|conclusions|takeaways of|in|from {papers}",
        ),
        _summarized,
        "summarize papers",
        "summarize what these say about latency",
    ),
    Act(
        "recommend",
        (
            "what should|could|can|shall|do|would i [to] read|look_at next|now|first|today|tonight|tomorrow|after_this",
            "what should|could|can|shall i read",
            "what would|do|can you recommend|suggest [i|me] [to] [read] [next]",
            "what to read [next|now]",
            "what is next to_read",
            (
                "recommend|suggest [me] [something|papers|some_papers|a_paper|anything|more] [new] [to_read|else]"
                " [next|to_me]"
            ),
            "recommend|suggest [me] [something|papers|some_papers|more] [new] [to_read] {papers}",
            "[got|have] [any|some|more] [reading] recommendations|suggestions [for_me|please] [for_me]",
            "[any|some|more] recommendations|suggestions based_on|for|like {papers}",
            "papers|something i might|would|could|may like",
            "based_on {papers} what should|could i read [next]",
            "recommend|suggest [me] [papers|something|more] based_on|from|for {papers}",
            "give_me|get recommendations [for_me]",
            "[any] recommendations|suggestions",
            "{papers} to read next",
        ),
        _recommended,
        "recommend what to read next",
        "what should I read next?",
    ),
    Act(
        "search",
        (
            "search [online|the_web|the_internet|the_sources|sources|the_literature|again] for {topic}",
            "search {topic}",
            "look|hunt|browse|google|query [online|the_web|the_sources|sources|the_literature] for {topic}",
            "look [online|up] {topic} online|on_the_web|in_the_sources",
            (
                "find|get|fetch|look_for [me] [any|some] new|fresh|further|additional papers|articles|work|studies"
                "|literature|research|publications on|about|for|in {topic}"
            ),
            "find|get {topic} online|on_the_web|in_the_sources|from_the_sources|on_the_internet",
            "search|ask|query|look_in|look_on [in|on|the] {source} for|about|: {topic}",
            "ask the_sources|sources for|about {topic}",
            "what is|has new|recent|been_published|come_out [on|about|in|lately_on] {topic}",
            "is|are there anything|something|any new|newer [work|papers|research|out] on|about {topic}",
            "do a|an [deep|online|new|web|literature] search for|on|about {topic}",
            "search deeper|deeply for {topic}",
            "search|look [again] for {topic} on|in|at {source}",
            (
                "find papers|articles on|about {topic} that_i_do_not_have|i_do_not_have|that_are_not_in_my_library"
                "|not_in_my_library|outside_my_library"
            ),
        ),
        _searched,
        "search the sources",
        "search for dense retrieval since 2020",
    ),
    Act(
        "runs",
        (
            "what did|have i search|searched|look|looked|ask|asked|summarize|summarized [for] {when?}",
            (
                "my|past|last|previous|recent|earlier|all|old [past|last|previous|recent|earlier|old] {kind}"
                " [history|runs] {when?}"
            ),
            "what {kind} did|have i do|done|run|make|made|start|started {when?}",
            "which {kind} did|have i do|done|run|make|made {when?}",
            "[my] search history {when?}",
            "when did i last|first|ever search|ask|look [for] {when?}",
            "what was my last {kind}",
            "have|did i [ever] search|searched|look|looked for {when?}",
            "[my] history",
            "what runs [did|have|are|do] [i|there] {when?}",
            "when did i [last] get|ask_for|have {kind} {when?}",
        ),
        lambda sentence: _kinds(sentence),
        "list past searches",
        "what did I search last week?",
    ),
    Act(
        "profile",
        (
            (
                "what do|does you|spar know|think|believe [about|of] [me|my] [taste|interests|preferences|likes"
                "|profile|reading]"
            ),
            "[my] profile|taste|interests|preferences",
            "my research interests",
            "what do i like|prefer|dislike|expect",
            "what are|is my taste|interests|preferences|profile|research_interests",
            "what kind|sort of papers do i like|prefer",
            "what is in|on my profile",
            "show my profile|taste|interests",
            "what do|have you learned|understood about me|my_taste",
            "according_to my profile {text}",
        ),
        _tools(Call("profile")),
        "tell what is thought of your taste",
        "what do you know about my taste?",
    ),
    Act(
        "check",
        (
            (
                "check|verify|validate {papers?} [for|against] [retractions|errors|mistakes|missing_fields|problems"
                "|completeness|duplicates]"
            ),
            (
                "check|verify if|whether {papers} is|are|was|were|has|have [been] retracted|complete|correct|ok"
                "|published|up_to_date"
            ),
            "is|are anything|something wrong with {papers}",
            "what is wrong with {papers}",
            "is there anything|something wrong with {papers}",
            "is|are {papers} complete|correct",
        ),
        _checked,
        "check papers for retractions and missing fields",
        "check these",
    ),
    Act(
        "undo",
        (
            "undo [that|it|this|the|my] [last|previous] [change|step|filter|condition|restriction|one]",
            "[please] revert [that|it|the_last_change]",
            "take that|it|this back",
            "go|step back [one|a] [step]",
            "back",
            "[go] back [to] [the] previous|last [list]",
            "back to_the_list|to_that_list|to_the_previous_list|to_the_last_list",
            "forget that|it",
            "never mind",
            "forget the last filter|condition|step",
        ),
        _back,
        "undo the last change",
        "undo",
    ),
    Act(
        "notes",
        (
            "[what|which] [are|were] [all] [my|the] notes",
            "[all] my notes [on_everything]",
            "what notes do|have i [have|made|taken|written]",
            "what did i note",
            "[all] my notes and comments",
        ),
        _tools(Call("query", {"sql": "SELECT paper, title, note FROM shelf WHERE note != '' ORDER BY saved DESC"})),
        "show your notes",
        "what are my notes?",
    ),
    Act(
        "stars",
        ("rate|give {papers} {n} stars|star|points", "rate {papers} {n}", "rate {papers}", "{n} stars for {papers}"),
        lambda sentence: _rated(sentence),
        "",
        "rate the first",
    ),
    Act(
        "more",
        (
            "more",
            "[the] next {n?} [page|ones|papers]",
            "show|list [me] [some] more [of_them|of_these|papers|results]",
            "[show|list] [me] [all] [the] rest|others|remaining [of_them|ones|of_these|papers]",
            "continue",
            "go on",
            "the rest",
            "page 2",
            "and_the rest|others|next",
            "what are the others|rest",
            "[are|is] there more",
        ),
        _more,
        "show more of the list",
        "more",
    ),
    Act(
        "help",
        (
            (
                "how do|can|would|could i tag|save|export|note|search|summarize|rate|mark|undo|compare|cite|add|sort"
                "|filter [a|the|my] [note|tag|paper|papers|it|list|bibliography]"
            ),
            "help [me]",
            "what can|could you|i|spar do|ask [here|for_me]",
            "how does this|it work",
            "what do you do",
            "commands",
            "what can i say|ask|type",
        ),
        lambda sentence: _help(),
        "say what can be done",
        "help",
    ),
)

_THANKS = frozenset(
    "thanks thank you cheers great perfect nice good cool ok okay that this is was 's so very really much a lot for"
    " your the help helpful useful lovely wonderful excellent brilliant awesome all spar bye again and oh wow".split()
)
_GREETINGS = frozenset("hello hi hey there good morning evening afternoon day spar again".split())


def _only(words: frozenset[str], needed: str, reply: str) -> Callable[[Sentence], Reading | None]:
    """What is said to a message of these words alone, one of those `needed` among them."""

    def plan(sentence: Sentence) -> Reading | None:
        spoken = {word for word in sentence.words("words") if any(map(str.isalnum, word))}
        return Reading(reply=reply) if spoken <= words and not spoken.isdisjoint(needed.split()) else None

    return plan


SMALL_TALK = (
    Act(
        "thanks",
        ("{words}",),
        _only(_THANKS, "thanks thank cheers great perfect nice good cool ok okay", "You are welcome."),
        "",
        "thanks",
    ),
    Act(
        "hello",
        ("{words}",),
        _only(_GREETINGS, "hello hi hey morning evening afternoon", "Hello. What shall I look up in your library?"),
        "",
        "hello",
    ),
)
"""What is said without meaning any paper."""
LIST = Act("list", ("{papers}",), _listed, "find papers of your library", "papers on query expansion since 2010")
"""What is meant where nothing else is asked for."""


def _done_reading(sentence: Sentence) -> Reading | None:
    """ "I read the battery paper" marks it; "papers I read" and "I read last week" do not come here."""
    selection = sentence.papers(one=True)
    if not sentence.has("papers") or selection.names or selection.onward or (selection.definite and selection.single):
        return _marked("read")(sentence)
    return None


def _preference(sentence: Sentence, facet: str) -> Reading | None:
    start, end = sentence.spans["text"]
    selection = sentence.turn.reader.read(start, end, one=True)
    if selection.names or selection.onward:
        return None
    return _remembered(facet)(sentence)


def _kinds(sentence: Sentence) -> Reading | None:
    """Past runs; the slot of a kind must name one."""
    words = sentence.words("kind")
    kinds = frozenset(
        "search searches summary summaries recommendation recommendations conversation conversations chats runs"
        " queries questions".split()
    )
    if "kind" in sentence.spans and not (len(words) == 1 and words[0] in kinds):
        return None
    return _runs(sentence)


def _help() -> Reading:
    lines = [f"- {act.label}: “{act.example}”" for act in (LIST, *ACTS) if act.label and ":" not in act.name]
    return Reading(reply="\n".join(["What can be done here, each with an example:", *lines]))
