"""Acts that summarize papers and compare two of them."""

from dataclasses import replace

from agents.reading.acts.act import WORDS, Act, MatchedMessage, Plan, about_one, acts, is_singular, no_papers, patterns
from agents.reading.acts.facts import counts_of, papers_in
from agents.reading.choosing import chosen, has_conditions, numbers_of, one_paper, subject_before
from agents.reading.reading import MessagePlan, PaperSelection, ToolCall, call
from agents.reading.tokens import written

_CITES = frozenset(WORDS["CITES"].split("|"))
_MINE = frozenset({"my", "our"})
_FEW = 5
"""Maximum number of papers to compare with one another."""


def _summarized(sentence: MatchedMessage) -> MessagePlan | None:
    selection, turn = sentence.papers(one=True), sentence.turn
    topic = sentence.text("topic")
    more = sentence.papers("more", one=True)
    selection = _together(selection, more)
    named = "; ".join(turn.titles(selection.names[:3]))
    if selection.definite and is_singular(selection) and not (topic or sentence.has("more") or named or selection.rest):

        def summary(name: str) -> tuple[ToolCall, ...]:
            title = "".join(turn.titles([name])) or sentence.text("papers")
            return (call("summarize", topic=title[:500], papers=[name]),)

        one = about_one(selection, turn, summary)
        if one.calls or one.options:
            return one  # "the bed nets trial"
    choice = chosen(selection, turn, ("@it",) if turn.has_it and turn.shown < 2 else ("@shown",) if turn.shown else ())
    plain = not (
        selection.names or selection.onward or selection.noun or selection.given.keys() - {"words"} or selection.also
    )
    if "papers" in sentence.spans and plain and not topic:
        told = not {"i", "we"}.isdisjoint(sentence.words("papers"))  # "what I have on sleep"
        sentence.texts.discard("papers")
        topic = " ".join(selection.given.get("words", ())) if told else sentence.text("papers")
        if not _MINE.isdisjoint(sentence.words("papers")):
            return None  # "summarize my notes"
        if not selection.order and not sentence.has("more"):
            return MessagePlan(calls=(call("summarize", topic=topic),)) if topic else None
    if choice is None:
        return no_papers()
    tags = [*selection.given.get("tags", ()), *(tag for more in selection.also for tag in more.get("tags", ()))]
    words = " ".join(selection.given.get("words", ()))
    meant = (numbers_of(selection, turn) or []) if has_conditions(selection) else turn.context.shown
    titles = "; ".join([*tags, *turn.names.titles(list(meant[:_FEW]))])
    subject = topic or words or named or titles or subject_before(turn) or turn.message
    calls = [*choice.calls, call("summarize", topic=subject[:500], papers=list(choice.names))]
    return MessagePlan(calls=tuple(calls), onward=choice.onward)


def _together(first: PaperSelection, second: PaperSelection) -> PaperSelection:
    if not (second.names or second.given):
        return first
    both = replace(first, names=[*first.names, *second.names], given=dict(first.given))
    for name, value in second.given.items():
        both.add_all("any_words" if name == "words" else name, value)
    return both


def _compared(sentence: MatchedMessage) -> MessagePlan | None:
    """Compare two papers. Unless each phrase means exactly one paper, the plan is `weak`: other acts come first."""
    turn = sentence.turn
    if "more" not in sentence.spans:
        reading = _few_compared(sentence) or _summarized(sentence)
        named = bool(reading and reading.calls and reading.calls[-1].arguments.get("papers"))
        return reading if named or (reading and not reading.calls) else None
    names, strange = _one_each(sentence, "papers", "more")
    if strange is not None:
        return replace(_summarized(sentence) or no_papers(), weak=True)
    topic = " and ".join(turn.titles(names)) or turn.message
    return MessagePlan(calls=(call("summarize", topic=topic[:500], papers=names),), onward=True)


def _few_compared(sentence: MatchedMessage) -> MessagePlan | None:
    """Compare two to five papers that one phrase means, by their titles; None for any other number."""
    selection, turn = sentence.papers(one=True), sentence.turn
    if not has_conditions(selection) or selection.order or selection.rest or selection.unknown:
        return None
    numbers = numbers_of(selection, turn) or []
    if not 2 <= len(numbers) <= _FEW:
        return None
    topic = " and ".join(turn.names.titles(numbers))
    calls = (call("take", papers=[f"#{n}" for n in numbers]), call("summarize", topic=topic[:500], papers=["@all"]))
    return MessagePlan(calls=calls)


def _one_each(sentence: MatchedMessage, *slots: str) -> tuple[list[str], PaperSelection | None]:
    """Return the paper that each slot means, and the first selection that does not mean exactly one paper."""
    names: list[str] = []
    for slot in slots:
        selection = sentence.papers(slot, one=True)
        paper = one_paper(selection, sentence.turn)
        if not paper.name or paper.calls or selection.rest or selection.unknown:
            return names, selection
        names.append(paper.name)
    return names, None


def _set_against(order: str) -> Plan:
    """Return a plan that sorts two papers, the requested one first."""

    def plan(sentence: MatchedMessage) -> MessagePlan | None:
        names, strange = _one_each(sentence, "paper", "other")
        if strange is not None:
            reading = about_one(strange, sentence.turn, lambda name: ())
            return no_papers() if reading.calls else replace(reading, options=())
        return MessagePlan(calls=(call("take", papers=names), call("rank", by=order), ToolCall("list")))

    return plan


_SET_AGAINST = """
  WORDS than [which|published|one|cited|often] {paper} {other}; ? WORDS than [APPEARED|cited|often|highly] {paper}
  {other}; which|what WORDS or [one|published|appeared|APPEARED] {paper} {other}; WORDS of and [which|one|APPEARED]
  {paper} {other}; vs|versus WORDS [which] {paper} {other}
"""
_ORDERS = {
    "oldest": "older|earlier|first|oldest|earliest|before",
    "newest": "newer|more_recent|later|younger|newest|latest|most_recent|last|after",
    "citations": "more_often|more_cited|more_highly|most_cited|more_frequently|better_cited|more_citations"
    "|most_citations|cited..more|cited..most",
}
"""Orders by which two papers are compared, with the words that ask for them."""
_OWN_PATTERNS = {
    "oldest": "? before|before_or_after APPEARED {paper} {other}",
    "newest": "? after APPEARED {paper} {other}",
    "citations": "? more CITES than {paper} {other}",
}


def _against(order: str, words: str) -> Act:
    label = f"which of two papers is {'cited more' if order == 'citations' else f'the {order[:-2]}r'}"
    text = f"{_OWN_PATTERNS[order]};{_SET_AGAINST.replace('WORDS', words)}"
    return Act(f"against:{order}", patterns(text), _set_against(order), label, "is the first older than the second?")


def _counts_compared(sentence: MatchedMessage) -> MessagePlan | None:
    """Count the papers that each of two phrases means: "more on fisheries or on space"."""
    slots = ("papers", "other")
    both = [sentence.papers(slot) for slot in slots]
    bound = any(name.startswith(("min_", "max_")) for name in both[1].given)
    if bound or not _CITES.isdisjoint(sentence.words("other")):
        return None  # "more than 50 citations"
    among = [papers_in(selection, sentence.turn) for selection in both]
    if not all(among):
        return None
    if any(selection.names for selection in both):
        return None  # "which is more useful, BERT or dropout?"
    spans = [slice(*sentence.spans.get(slot, (0, 0))) for slot in slots]
    texts = [
        _called(each) or written(sentence.turn.reader.tokens[span]) for each, span in zip(both, spans, strict=True)
    ]
    rows = [(text, where or "") for text, where in zip(texts, among, strict=True)]
    return MessagePlan(calls=(counts_of(rows, " ORDER BY papers DESC"),), onward=True)


def _called(selection: PaperSelection) -> str:
    """Return the names and words that a selection has as conditions; "" if it has none."""
    return ", ".join(value for values in selection.given.values() if isinstance(values, list) for value in values)


_COMPARE, _MORE_PAPERS, _SUMMARIZE = acts(
    """
compare | compare papers | compare the first and the second
  COMPARE [how|what|do|does|between|have|put|set|place|lay|line_up] {papers} {more}; COMPARE [how|what|do|does|
  between|have|put|set|place|lay|line_up] {papers}
against:papers | which of two kinds of papers are more | do I have more papers on moss or on ferns?
  more [papers|publish|published|write|written|have] or|than {papers} {other}; more how_many|number
  [papers|each|of|have] or|than {papers} {other}
summarize | summarize papers | summarize what these say about latency
  SUMMARIZE [what|SAY|write|give|make|create|short|brief|quick|literature|main|key] {papers}; SUMMARIZE [what|SAY]
  with_a_focus_on|focusing_on|concentrating_on|regarding|with_respect_to|about|on {papers} {topic}; what known about
  {topic}; ! explain {papers}; findings|points|results|arguments|conclusions|takeaways [main|key|what] {papers}; !
  write|give|make|need review|overview [literature|short] {papers}
""",
    {"compare": _compared, "against:papers": _counts_compared, "summarize": _summarized},
)
SUMMARIES = (_COMPARE, *(_against(order, words) for order, words in _ORDERS.items()), _MORE_PAPERS, _SUMMARIZE)
