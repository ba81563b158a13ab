"""Acts that begin a search or a recommendation, list past runs, and find the source of a quote."""

from dataclasses import replace

from agents.reading.acts.act import MatchedMessage, acts
from agents.reading.choosing import has_conditions, numbers_of, steps
from agents.reading.cues import FILLERS, INTERROGATIVES, NOUNS, SINGULARS
from agents.reading.numbers import number_at
from agents.reading.reading import MessagePlan, Option, PaperSelection, ToolCall, call
from agents.reading.tokens import written
from cache.conditions.wording import listed

_BEFORE_TOPIC = NOUNS | FILLERS | {"new", "newer", "fresh", "more", "further", "other", "additional"}

_APPEARING = frozenset(
    "appears appear comes come out published turns shows pops up lately recently out available".split()
)
_HELD = frozenset({"have", "own", "saved", "read", "seen"})
_BEFORE_SUBJECTS = frozenset({"on", "about", "for", "regarding", "of"})
_POLITE = frozenset({"please", "thanks", "thank", "you", "for", "me", "?", "!", ".", "online", "too", "now"})


def _recommended(sentence: MatchedMessage) -> MessagePlan | None:
    selection = sentence.papers(one=True)
    number = number_at(sentence.words("n"), 0)
    limit = number[0] if number else selection.count
    if sentence.has("n") and (number is None or number[1] < len(sentence.words("n"))):
        return None
    if selection.given == {"rating": 1} and not (selection.names or selection.also):
        begun = call("recommend", papers=["@all"], limit=limit)
        return MessagePlan(calls=(call("filter", rating=1), begun), onward=selection.onward)
    if has_conditions(selection) and not (selection.like or selection.names):
        return _best_unread(sentence, selection, limit)
    names = [*selection.like, *selection.names]
    if selection.onward and not names:
        names = ["@shown"]
    if has_conditions(selection) and names != [*selection.like, *selection.names]:
        return None
    return MessagePlan(calls=(call("recommend", papers=names, limit=limit),), onward=True)


def _best_unread(sentence: MatchedMessage, selection: PaperSelection, limit: int | None) -> MessagePlan:
    """Return the plan that lists the unread papers with conditions, the best for the person's taste first. For a tag
    alone, the answer offers to recommend other papers by those."""
    tags = selection.given.get("tags", ())
    seeded = (call("recommend", tag=tags[0], limit=limit),) if len(tags) == 1 == len(selection.given) else ()
    taken: tuple[str, ...] = ()
    if "types" in selection.given and not numbers_of(selection, sentence.turn):  # "for the whale chapter"
        taken = (f"“{listed(selection.given['types'])}” as no condition",)
        given = {name: value for name, value in selection.given.items() if name != "types"}
        selection = replace(selection, given=given)
        sentence.selections[-1] = ("papers", selection)
    unread = replace(selection, given={"read": False, **selection.given}, order="", count=None)
    calls, onward = steps(unread, sentence.turn)
    calls = (*calls, call("rank", by="preference"), call("list", limit=limit))
    return MessagePlan(calls=calls, onward=onward, taken=taken, options=(Option("{}", seeded),) if seeded else ())


def topic_of(sentence: MatchedMessage) -> tuple[str, tuple[str, ...]]:
    """Return the subject of a search in a message, and what of the message it leaves out."""
    tokens, keys = sentence.turn.reader.tokens, sentence.turn.reader.keys
    start, end = sentence.span("topic")
    while end > start and (keys[end - 1] in _POLITE or keys[end - 1] in _APPEARING):
        end -= 1
    while start < end and keys[start] in _BEFORE_TOPIC:
        start += 1
    ends = (at for at in range(start + 1, end - 1) if keys[at] in ("that", "which") and keys[at + 1] in ("i", "we"))
    clause = next(
        (at for at in ends if "not" in keys[at:end] and _HELD.intersection(keys[max(at, end - 2) : end])), end
    )  # "that I do not have yet"
    taken = (f"“{written(tokens[clause:end])}” as no condition: saved papers are included",) if clause < end else ()
    topic = written(tokens[start:clause])
    return ("" if topic.casefold() in ("these", "it", "them") else topic), taken


def _searched(sentence: MatchedMessage) -> MessagePlan | None:
    turn = sentence.turn
    topic, taken = topic_of(sentence)
    if not topic and turn.has_it and not {"it", "that", "this"}.isdisjoint(sentence.words("topic")):
        topic = "".join(turn.titles(["@it"]))
        taken = (f"the subject of the search as “{topic}”",)
    elif not topic:
        return None
    tokens = turn.reader.tokens[slice(*sentence.span("topic"))]
    asking = turn.reader.own | FILLERS
    cued = not _BEFORE_SUBJECTS.isdisjoint(sentence.words("topic")) or topic not in turn.message
    if not cued and all(token.key in asking and not turn.reader.is_subject(token) for token in tokens):
        return None  # "suggest some new papers"
    about = turn.reader.read(*sentence.span("topic"), one=True)
    if topic in turn.message and (about.onward or about.like or "@it" in about.names):
        return None  # "find more like this one"
    named = "".join(word for word in sentence.words("source") if word.isalnum())
    sources = [name for name in turn.context.resources.live if name in named]
    if named and not sources:
        reply = f"The source {sentence.text('source')} is not used here. To ask the others, say: search for {topic}."
        return MessagePlan(reply=reply)
    searching = call("search", question=topic, sources=sources)
    begins = turn.reader.keys[sentence.span("topic")[0] :]
    if begins[:1] == ["the"] and begins[1:2] and begins[1] in SINGULARS and not sources:  # one that the person knows
        here = (call("resemble", words=topic), ToolCall("list"))
        reply = "Do you mean a paper of your library?"
        return MessagePlan(reply=reply, understood=False, options=(Option("{}", here), Option("{}", (searching,))))
    return MessagePlan(calls=(searching,), taken=taken)


def _asked(sentence: MatchedMessage) -> MessagePlan | None:
    """Answer a question from the texts of the papers that it names, of those shown, or of all."""
    turn = sentence.turn
    start, end = sentence.span("topic")
    selection = turn.reader.read(start, end, one=True)
    titled = [name for name in selection.names if name.startswith("#")]  # "what is a QALY worth?"
    if not (selection.given.keys() & {"words", "any_words"} or selection.rest or titled):
        return None
    names = ["@shown"] if selection.onward and turn.shown else [n for n in selection.names if n not in titled]
    if selection.pronoun or selection.given.keys() & {"authors", "venues"} or "@it" in names:
        return None
    asks = sentence.words("topic")[0] in INTERROGATIVES  # "what is a QALY worth according to my papers?"
    question = sentence.text("topic") if asks else turn.question
    return MessagePlan(calls=(call("ask_papers", question=question, papers=names),), onward=bool(names))


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
    if selection.noun:
        return None  # "which of my papers did Jane recommend?"
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
  what should|could|can|shall|would read|look_at [WHEN] {papers}; > what to_read|to_look_at [WHEN] {papers};
  RECOMMEND [what|which] [read|reading] [WHEN] [something|anything] {papers} {n};
  pick|choose [me|out|for] [something|anything] to_read|for_reading [WHEN] {papers} {n};
  something|anything to_read [give|get|me] [WHEN] {papers};
  read next [WHEN] {papers}; might|would|could|may like [something] {papers}; what next [to_read];
  what|which|anything|something worth reading|my_time [WHEN] {papers}
ask | answer a question from your papers | what do my papers say about hydrogen?
  what|how SAY do|does papers|literature|library|studies|research|collection|articles|they|these [about|on] {topic};
  > what SAY papers|library|literature|studies|research|collection|articles [about|on] {topic};
  according_to papers|library|literature|collection|articles|studies {topic};
  according_to_what|according_to_these {topic}; any evidence|proof [for|
  that] {topic}; ! answer {topic}
quote | find where a quote is from | where is “statins raise the risk” from?
  where|whence|source|origin|from|who|whose|says|say|said|contains|contain|writes|find|which|what [sentence|quote|
  phrase|words|line|passage|source|origin|from|taken|come|paper|where|who] {quote}
search | search the sources | search for dense retrieval since 2020
  ! SEARCH [for] [ONLINE] {topic}; ! SEARCH NEW [for] [ONLINE] {topic}; ! find|get|fetch|look ONLINE {topic}; !
  search|ask|query|look_in|look_on|try|check {source} {topic}; ! find|get|fetch|look_for not have|saved|own|library
  {topic}; what|anything|something|is new|newer|been_published|out_there on|about|in|regarding {topic}; ! do|run|start
  search [online|deep|literature|web|new] {topic}; new|further|additional|fresh papers|articles|work|studies|
  literature|research|publications {topic}
runs | list past searches | what did I search last week?
  ? did|have i SEARCHED [for|last|ever] {when}; > what|which|when i PAST [have|for|ever] {when};
  > what|which|when did|have i SEARCHED [for|ever] {when}; > which|what|my|list|show|all
  searches|runs|queries|recommendations|summaries [done|made|run|carried_out|did|have|i|started] {when};
  past|last|previous|recent|earlier|old|my {kind} [history|runs] {when}; search|my history {when};
  ? did|have i [do|done|run|make|made|start|started|get|have|last] {kind} {when}; runs {when}
""".replace("WHEN", "next|now|first|today|tonight|tomorrow|after_this|this_week")
    .replace("PAST", "searched|looked|asked|summarized|looked_up|googled|queried")
    .replace("SEARCHED", "search|searched|look|looked|ask|asked|summarize|summarized|look_up|looked_up|google|query"),
    {"recommend": _recommended, "ask": _asked, "quote": _quoted, "search": _searched, "runs": _runs},
)
