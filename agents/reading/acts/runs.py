"""Acts that begin a search or a recommendation, list past runs, and find the source of a quote."""

from agents.reading.acts.act import MatchedMessage, acts
from agents.reading.choosing import has_conditions
from agents.reading.cues import FILLERS, NOUNS, SINGULARS
from agents.reading.numbers import number_at
from agents.reading.parts.times import time_at
from agents.reading.reading import MessagePlan, Option, ToolCall, call
from agents.reading.tokens import written

_OTHER_SOURCES = frozenset(
    "pubmed arxiv openalex crossref dblp europepmc semanticscholar googlescholar scholar datacite google"
    " scopus webofscience core".split()
)
"""Names of sources that people mention, including sources that cannot be asked here."""

_BEFORE_TOPIC = NOUNS | FILLERS | {"new", "fresh", "more", "further", "other", "additional"}

_HELD = frozenset({"have", "own", "saved", "read", "seen"})
_POLITE = frozenset({"please", "thanks", "thank", "you", "for", "me", "?", "!", ".", "online", "too", "now"})


def _recommended(sentence: MatchedMessage) -> MessagePlan | None:
    selection = sentence.papers(one=True)
    number = number_at(sentence.words("n"), 0)
    limit = number[0] if number else selection.count
    if selection.like_words or (sentence.has("n") and (number is None or number[1] < len(sentence.words("n")))):
        return None
    tag = selection.given.get("tags", ())
    if selection.given.keys() - {"saved"} == {"tags"} and len(tag) == 1 and not selection.also:
        return MessagePlan(calls=(call("recommend", tag=tag[0], limit=limit),))
    if selection.given == {"rating": 1} and not (selection.names or selection.also):
        begun = call("recommend", papers=["@all"], limit=limit)
        return MessagePlan(calls=(call("filter", rating=1), begun), onward=selection.onward)
    names = [*selection.like, *selection.names]
    if selection.onward and not names:
        names = ["@shown"]
    if has_conditions(selection) and names != [*selection.like, *selection.names]:
        return None
    if has_conditions(selection) and not names:
        return None
    return MessagePlan(calls=(call("recommend", papers=names, limit=limit),), onward=True)


def _searched(sentence: MatchedMessage) -> MessagePlan | None:
    turn = sentence.turn
    tokens, keys = turn.reader.tokens, turn.reader.keys
    start, end = sentence.span("topic")
    while end > start and keys[end - 1] in _POLITE:
        end -= 1
    while start < end and keys[start] in _BEFORE_TOPIC:
        start += 1
    ends = (at for at in range(start + 1, end - 1) if keys[at] in ("that", "which") and keys[at + 1] in ("i", "we"))
    clause = next(
        (at for at in ends if "not" in keys[at:end] and _HELD.intersection(keys[max(at, end - 2) : end])), end
    )  # "that I do not have yet"
    taken = (f"“{written(tokens[clause:end])}” as no condition: saved papers are included",) if clause < end else ()
    end = clause
    first, behind = sentence.span("source") if sentence.has("source") else (end, end)
    dated = next((at for at in range(first, behind) if time_at(turn.reader, at)), behind)
    topic = " ".join(filter(None, (written(tokens[start:end]), written(tokens[dated:behind]))))
    if end <= start or topic.casefold() in ("these", "it", "them"):
        return None
    named = "".join(word for word in keys[first:dated] if word.isalnum())
    sources = [name for name in turn.context.resources.live if name in named]
    if named and not sources:
        if named not in _OTHER_SOURCES:
            return None
        source = written(tokens[first:dated])
        return MessagePlan(reply=f"The source {source} is not used here. To ask the others, say: search for {topic}.")
    searching = call("search", question=topic, sources=sources)
    begins = keys[sentence.span("topic")[0] :]
    if begins[:1] == ["the"] and begins[1:2] and begins[1] in SINGULARS and not sources:  # one that the person knows
        here = (call("resemble", words=topic), ToolCall("list"))
        reply = "Do you mean a paper of your library?"
        return MessagePlan(reply=reply, understood=False, options=(Option("{}", here), Option("{}", (searching,))))
    return MessagePlan(calls=(searching,), taken=taken)


KIND_BEGINNINGS = dict.fromkeys(("quer", "question", "run"), "") | {"search": "search", "summar": "summary"}
KIND_BEGINNINGS |= {"recommend": "recommendation", "conversation": "conversation", "chat": "conversation"}
"""Beginnings of words for kinds of runs, each with its kind; "" for all kinds."""


KINDS = tuple(KIND_BEGINNINGS)


def _runs(sentence: MatchedMessage) -> MessagePlan | None:
    """List past runs; the slot `kind` must name a kind."""
    words = sentence.words("kind")
    kinds = [kind for word in words[:1] for key, kind in KIND_BEGINNINGS.items() if word.startswith(key)]
    if "kind" in sentence.spans and (len(words) != 1 or not kinds):
        return None
    start, end = sentence.span("when")
    selection = sentence.turn.reader.read(start, end)
    given = selection.given
    limit = selection.count or (1 if selection.order else None)
    dates = {name: given.get(name) for name in ("since", "until")}
    named = {name: values for name, values in given.items() if isinstance(values, list)}
    subject = " ".join(word for values in named.values() for word in values)
    step = call("runs", kind="".join(kinds), **dates, words=subject, limit=limit)
    unknown = {word for part in selection.unknown for word in part.text.split()}  # no paper has it, but a run may
    rest = [*(word for word in selection.rest if word not in unknown), *(given.keys() - {"since", "until", *named})]
    return MessagePlan(calls=(step,), rest=tuple(rest))


def _quoted(sentence: MatchedMessage) -> MessagePlan | None:
    """Find the source of words in quotation marks."""
    start, end = sentence.span("quote")
    tokens = sentence.turn.reader.tokens[start:end]
    if len(tokens) != 1 or not tokens[0].quoted:
        return None
    return MessagePlan(calls=(call("find_quote", quote=tokens[0].text),))


RUNS = acts(
    """
recommend | recommend what to read next | what should I read next?
  what should|could|can|shall|do|would i [to] read|look_at next|now|first|today|tonight|tomorrow|after_this; what
  should|could|can|shall i read; what would|do|can you recommend|suggest [i|me]
  [to] [read] [next]; what to read [next|now]; recommend|suggest [me]
  [something|papers|some_papers|a_paper|anything|more] [new] [to_read|else] [next|to_me]; recommend|suggest [me]
  [something|papers|some_papers|more] [new] [to_read] {papers}; [got|have] [any|some|more] [reading]
  recommendations|suggestions [for_me|please] [for_me]; [any|some|more] recommendations|suggestions based_on|for|like
  {papers}; recommend|suggest [me] {n?} [more] [new] papers|articles for|from|based_on {papers};
  based_on {papers} what should|could i read [next];
  recommend|suggest [me] [papers|something|more] based_on|from|for {papers};
  {papers} to read next; what is next to_read; papers|something i might|would|could|may like
quote | find where a quote is from | where is “statins raise the risk” from?
  where|from_where is|are|was|were [the] [sentence|quote|phrase|words|line|passage] {quote} [taken] [from]; where
  does|do [the] [sentence|quote|phrase|words|line|passage] {quote} come from;
  who|what_paper|which_paper|what_papers|which_papers|which_article|which_page [of_it]
  says|say|said|has|have|contains|contain|writes {quote}; find|look_up [the] source|origin|quote [of|for] {quote};
  whence {quote}; whose words|sentence is|are {quote}; what|which paper|article is|are {quote} [taken] from; what|which
  is the source|origin of {quote}; the source|origin of {quote}
search | search the sources | search for dense retrieval since 2020
  search [online|the_web|the_internet|the_sources|sources|the_literature|again] for {topic}; search {topic};
  look|hunt|browse|google|query [online|the_web|the_sources|sources|the_literature] for {topic};
  find|get|fetch|look_for
  [me] [any|some] new|fresh|further|additional papers|articles|work|studies|literature|research|publications
  on|about|for|in {topic}; find|get {topic} online|on_the_web|in_the_sources|from_the_sources|on_the_internet;
  search|ask|query|look_in|look_on [in|on|the] {source} for|about|: {topic}; ask the_sources|sources for|about {topic};
  what is|has new|recent|been_published|come_out [on|about|in|lately_on] {topic}; is|are there anything|something|any
  new|newer [work|papers|research|out] on|about {topic}; do a|an [deep|online|new|web|literature] search for|on|about
  {topic}; search|look [again] for {topic} on|in|at {source}; find papers|articles on|about {topic}
  that_i_do_not_have|i_do_not_have|that_are_not_in_my_library|not_in_my_library|outside_my_library; search|look [online]
  for more [papers] [online|then]; look [online|up] {topic} online|on_the_web|in_the_sources; search deeper|deeply for
  {topic}
runs | list past searches | what did I search last week?
  what did|have i search|searched|look|looked|ask|asked|summarize|summarized [for] {when?};
  my|past|last|previous|recent|earlier|all|old [past|last|previous|recent|earlier|old] {kind} [history|runs] {when?};
  what {kind} did|have i do|done|run|make|made|start|started {when?}; which {kind} did|have i do|done|run|make|made
  {when?}; [my] search history {when?}; when did i last|first|ever search|ask|look [for] {when?}; when did i [last]
  get|ask_for|have {kind} {when?}; have|did i [ever] search|searched|look|looked for {when?};
  [my] history; what runs [did|have|are|do] [i|there] {when?}
""",
    {"recommend": _recommended, "quote": _quoted, "search": _searched, "runs": _runs},
)
