"""The result of a step in sentences, all made from its outcome."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.assistant.events import Step, StepDone
from agents.tools.filter_arguments import FILTER_ARGUMENTS, FilterArguments
from cache.conditions import orders
from cache.conditions.filters import Filter, FilterTerm
from cache.conditions.table import ROWS, Condition
from cache.conditions.wording import listed

_NOUNS = {argument.name: argument.noun for row in ROWS for argument in row.arguments}
_NOUNS["all_words"] = "that all words must occur"
"""The name of each condition in a sentence that says it was given up."""


def conditions_text(arguments: FilterArguments, count: int = 1) -> str:
    """Return the conditions as a predicate of `count` papers: `is about “query expansion” and from 2020 or later`."""
    are, have = _predicates(arguments.wanted)
    are += [_excepted(arguments.except_papers)] if arguments.except_papers else []
    is_, has = ("is", "has") if count == 1 else ("are", "have")
    return " and ".join([*([f"{is_} {listed(are)}"] if are else []), *([f"{has} {listed(have)}"] if have else [])])


def _predicates(conditions: Filter) -> tuple[list[str], list[str]]:
    """Return the phrases after "is" and the phrases after "has", in the order of the table."""
    are, have = list[str](), list[str]()
    for row in ROWS:
        terms = conditions.of(row.name)
        if row.name == "saved" and (conditions.of("read") or conditions.of("unread")):
            continue  # the condition "read" or "unread" says it too
        for negated in (False, True):
            if some := [term for term in terms if term.negated is negated]:
                (have if row.has else are).extend(_phrases(row, some, negated))
    return are, have


def _phrases(row: Condition, terms: Sequence[FilterTerm], negated: bool) -> list[str]:
    if negated:
        return [row.opposite or f"not {row.phrase(term.values, 'or')}" for term in terms]
    if all(len(term.values) == 1 for term in terms):
        return [row.phrase([term.values[0] for term in terms], "and")]
    return [row.phrase(term.values, "or") for term in terms]


def _excepted(names: Sequence[str]) -> str:
    return "not among those just shown" if "@shown" in names else f"not {excepted(names, 'or')}"


def excepted(names: Sequence[str], last: str = "and") -> str:
    """Return the wording for excluded papers."""
    return "those just shown" if "@shown" in names else listed([called(name) for name in names], last)


def called(name: str) -> str:
    """Return the wording for a paper in a sentence: `number 2`, `“BERT”`."""
    if name in ("@shown", "@all"):
        return "those"
    if name == "@it":
        return "the one looked at"
    if name.startswith("@top"):
        return "the first" if name == "@top1" else f"the first {name.removeprefix('@top')}"
    return f"number {name[1:]}" if name[:1] == "@" and name[1:].isdigit() else f"“{name}”"


def given_up_text(given_up: Sequence[str]) -> str:
    """Return the wording for conditions that were given up: `what it is about: “agents”`."""
    parts = []
    for entry in given_up:
        name, _, phrase = entry.partition(": ")
        parts.append(f"“{phrase}”" if phrase else _NOUNS.get(name, name))
    return listed(parts)


def likeness_text(arguments: Mapping[str, Any]) -> str:
    """Return what papers should be like and unlike, from the arguments of `resemble`."""
    like = [called(name) for name in (*arguments.get("papers", ()), arguments.get("words", "")) if name]
    unlike = [called(name) for name in (*arguments.get("unlike", ()), arguments.get("unlike_words", "")) if name]
    parts = ([f"like {listed(like)}"] if like else []) + ([f"not like {listed(unlike)}"] if unlike else [])
    return " and ".join(parts)


Sentences = list[str]


def sentences_of(step: Step, done: StepDone) -> Sentences:
    """Return the sentences about the result of a step, then its notes."""
    if done.error:
        return [done.error]
    if done.values.get("declined"):
        return ["Nothing was changed."]
    say = _SAY.get(done.tool)
    sentences = say(step, done) if say else []
    return [*sentences, *done.notes]


NAMED = 3
"""Maximum number of papers to name; more are counted."""


def papers_text(count: int) -> str:
    return "1 paper" if count == 1 else f"{count:,} papers"


def _filter(step: Step, done: StepDone) -> Sentences:
    arguments = FILTER_ARGUMENTS.model_validate(dict(step.arguments))
    of, count = done.values.get("of"), int(done.values.get("found", 0))
    conditions = conditions_text(arguments)
    none = f"No paper in your library {conditions}." if of is None else f"None of those {conditions}."
    if arguments.impossible:
        return [f"No paper can {arguments.impossible}."]
    if done.relaxed == ("candidates",):
        return [f"None of those is {conditions}.", f"In your whole library there {_are(count)}."]
    if done.relaxed == ("all_words",):
        whole = "No paper in your library" if of is None else "None of those"
        words = f"has all these words: {' '.join(arguments.phrases)}"
        others = arguments.model_fields_set - {"words"}
        return [f"{whole} {words}, and meets the other conditions." if others else f"{whole} {words}."]
    if done.relaxed:
        return [none, f"Leaving out {given_up_text(done.relaxed)}, there {_are(count)}."]
    if not conditions:
        return [f"Your library has {papers_text(count)}." if of is None else f"There {_are(count)}."]
    if not count:
        return (
            [none, "The words were looked for in titles, abstracts, keywords and tags."]
            if arguments.phrases
            else [none]
        )
    if arguments.model_fields_set == {"except_papers"}:
        return [f"Without {excepted(arguments.except_papers)} there {_are(count)}."]
    subject = f"{papers_text(count)} in your library" if of is None else f"{count:,} of those"
    return [f"{subject} {conditions_text(arguments, count)}."]


def _are(count: int) -> str:
    return "is 1 paper" if count == 1 else f"are {count:,} papers"


def _resemble(step: Step, done: StepDone) -> Sentences:
    count = int(done.values.get("found", 0))
    alike = likeness_text(step.arguments)
    if not count:
        return [f"No paper is {alike}."]
    return [f"{papers_text(count)} {'is' if count == 1 else 'are'} {alike}, the nearest first."]


def _rank(step: Step, done: StepDone) -> Sentences:
    if done.notes or not int(done.values.get("found", 0)):
        return []
    return [f"In this order: {orders.named(done.values['by'], bool(done.values.get('reverse'))).words}."]


def _take(step: Step, done: StepDone) -> Sentences:
    return [f"Now looking at {papers_text(int(done.values['found']))}."]


def _list(step: Step, done: StepDone) -> Sentences:
    first, shown, of = (int(done.values[name]) for name in ("first", "shown", "of"))
    if not of:
        return []
    if shown == of:
        return []
    if shown == 1:
        title = done.values.get("title")
        return [f"Number {first:,} of {of:,} is “{title}”." if title else f"Showing number {first:,} of {of:,}."]
    return [f"Showing {first:,} to {first + shown - 1:,} of {of:,}."]


def _undo(step: Step, done: StepDone) -> Sentences:
    return [f"Back to {papers_text(int(done.values['found']))}."]


def _take_back(step: Step, done: StepDone) -> Sentences:
    back, left = done.values["back"], done.values["left"]
    return [
        *([f"Undone: {_some(back)}."] if back else []),
        *([f"Not undone, because it was changed since: {_some(left)}."] if left else []),
    ]


def _some(lines: Sequence[str]) -> str:
    return listed(lines) if len(lines) <= NAMED else f"{listed(lines[:NAMED])}, and {len(lines) - NAMED:,} more"


def _links(step: Step, done: StepDone) -> Sentences:
    count, title = int(done.values["found"]), done.values["of"]
    kinds = {
        "references": "that “{}” cites",
        "citations": "that cite “{}”",
        "similar": "that sources call similar to “{}”",
    }
    sentence, sources = kinds[done.tool].format(title), list(done.values["asked"])
    if count:
        knew = list(done.values.get("knew", sources))
        return [f"{papers_text(count)} {sentence}, according to {listed(knew)}."]
    who = f"{listed(sources)} found none" if sources else "no source could be asked"
    return [f"No papers {sentence} are known: {who}."]


def _query(step: Step, done: StepDone) -> Sentences:
    columns, rows = list(done.values["columns"]), list(done.values["rows"])
    if not rows or all(value is None for row in rows for value in row):
        return ["Nothing in your library matches."]
    indexes = [index for index, name in enumerate(columns) if name not in ("paper", "id")]  # numbers of the library
    columns, rows = [columns[index] for index in indexes], [[row[index] for index in indexes] for row in rows]
    cut = [f"These are the first {len(rows):,}; there are more."] if done.values["cut"] else []
    if len(columns) == 1 and len(rows) == 1:
        return [f"{_heading(columns[0])}: {_cell(rows[0][0])}."]
    shown = [", ".join(f"{_cell(value)}" for value in row) for row in rows]
    return [f"{', '.join(map(_heading, columns))}:", *(f"- {line}" for line in shown), *cut]


def _heading(column: str) -> str:
    return column.replace("_", " ")


def _cell(value: Any) -> str:
    return "not known" if value is None else f"{value:,}" if isinstance(value, int) and value > 9_999 else str(value)


def _runs(step: Step, done: StepDone) -> Sentences:
    rows, count = list(done.values["runs"]), int(done.values["found"])
    kind = step.arguments.get("kind")
    noun = {"search": ("search", "searches"), "summary": ("summary", "summaries")}.get(
        kind or "", (kind or "run", f"{kind or 'run'}s")
    )
    if not rows:
        return [f"There is no such {noun[0]}."]
    lines = [f"{count:,} {noun[count != 1]}{', the last first' if count > 1 else ''}:"]
    return [*lines, *(f"- {_run(row)}" for row in rows)]


def _run(row: Mapping[str, Any]) -> str:
    subject = f"“{row['question']}”" if row["question"] else "from your reading history"
    papers = "" if row["papers"] is None else f", {papers_text(int(row['papers']))}"
    return f"{row['started'][:10]}: {row['kind']} {subject}{papers} ({row['run']})"


def _profile(step: Step, done: StepDone) -> Sentences:
    lines = list(done.values["lines"])
    if not lines:
        return ["No profile yet. Save or import papers, or say what you like."]
    who = {True: "you wrote", False: "understood from what you did"}
    return ["Your profile:", *(f"- {line['facet']}: {line['text']} ({who[bool(line['own'])]})" for line in lines)]


_WRONG = (
    "unreadable", "retracted", "not found", "fields differ", "expression of concern", "published since", "duplicate",
    "incomplete",
)  # fmt: skip
"""Verdicts on an entry that is wrong, the worst first."""


def _check(step: Step, done: StepDone) -> Sentences:
    """Return the faulty entries, one a line, or the number without known faults; then how many were not checked."""
    entries, sources = list(done.values["entries"]), list(done.values["asked"])
    by_verdict = {verdict: [entry for entry in entries if entry["verdict"] == verdict] for verdict in _WRONG}
    lines = [
        f"- {verdict}: {_faults(judged_entry)}" for verdict, judged in by_verdict.items() for judged_entry in judged
    ]
    faulty = sum(map(len, by_verdict.values()))
    unasked = sum(entry["verdict"] == "could not check" for entry in entries)
    heading = f"{faulty:,} of {papers_text(len(entries))} {'has' if faulty == 1 else 'have'} problems:"
    rest = f"No source could be asked about {papers_text(unasked)}." if unasked and sources else ""
    none = f"No problem is known with {papers_text(len(entries))}."
    return [*([heading, *lines] if lines else [none]), *filter(None, [rest])]


def _faults(entry: Mapping[str, Any]) -> str:
    """Return the title and the faulty fields, each with both values and the source."""
    return " ".join([f"“{entry['title']}”.", *entry["details"]])


_PARTS = {"abstract": "Abstract", "authors": "Authors", "venue": "Venue", "date": "Date", "citations": "Citations",
          "identifiers": "Identifiers", "pdf": "PDF", "note": "Your note", "tags": "Tags",
          "keywords": "Keywords", "volume": "Volume", "number": "Number", "pages": "Pages",
          "publisher": "Publisher", "key": "Citation key", "type": "Type"}  # fmt: skip


def _saved(paper: Mapping[str, Any]) -> str:
    return f"Saved: on {paper['saved_on']}." if paper["saved"] else "It is not on your shelf."


def _read(paper: Mapping[str, Any]) -> str:
    if paper["read_on"]:
        return f"Marked as read: on {paper['read_on']}."
    return "It is not marked as read." if paper["saved"] else "It is not on your shelf, so it is not marked as read."


def _retracted(paper: Mapping[str, Any]) -> str:
    return "It was retracted." if paper["retracted"] else "No retraction is known."


def _rated(paper: Mapping[str, Any]) -> str:
    return {1: "You liked it.", -1: "You disliked it."}.get(paper["rating"], "You did not rate it.")


def _pdf(paper: Mapping[str, Any]) -> str:
    free = f"A free PDF is at {paper['pdf']}." if paper["pdf"] else "No free PDF is known."
    here = f"Its file on this machine: {paper['files'][0]}." if paper["files"] else "This machine has no PDF of it."
    return f"{here} {free}"


_STATES = {"saved": _saved, "read": _read, "retracted": _retracted, "rating": _rated, "pdf": _pdf}


def _paper(step: Step, done: StepDone) -> Sentences:
    paper = done.values["paper"]
    lines: Sentences = [f"“{paper['title']}”"]
    parts = done.values["parts"]
    lines += [_STATES[part](paper) for part in parts if part in _STATES]
    lines += [_retracted(paper)] if paper["retracted"] and not parts else []
    named = [part for part in parts if part in _PARTS and part not in _STATES]
    for part in named if parts else [part for part in _PARTS if paper.get(part)]:
        value = paper.get(part)
        if part == "abstract" and not value and paper.get("described"):
            lines.append(f"No abstract is known. spar's note: {paper['described']}")
        elif value in (None, "", []):
            lines.append(f"{_PARTS[part]}: not known." if part not in ("note", "tags") else f"{_PARTS[part]}: none.")
        else:
            lines.append(f"{_PARTS[part]}: {'; '.join(map(str, value)) if isinstance(value, list) else value}")
    return lines


def _search(step: Step, done: StepDone) -> Sentences:
    number, relevant = int(done.values["found"]), int(done.values.get("relevant", done.values["found"]))
    papers_found = papers_text(number)
    judged = f", {f'{relevant:,}' if relevant else 'none'} judged relevant" if relevant < number else ""
    how = {"answered": "answered", "answered_in_part": "answered in part", "not_asked": "not asked"}
    answers = {label: done.values.get(name) for name, label in how.items()} if done.values["asked"] else {}
    if text := "; ".join(f"{listed(names)} {how}" for how, names in answers.items() if names):
        return [f"{papers_found} found{judged}; {text} ({done.run})."]
    why = ", because no source answered" if done.values["asked"] else ""
    return [f"{papers_found} found{judged}, on this machine alone{why} ({done.run})."]


def _find_quote(step: Step, done: StepDone) -> Sentences:
    passages = done.values["origins"] or [done.values["nearest"]]
    return [" ".join(filter(None, [
        f"“{passage['title']}”, {passage['where']}, {passage['certainty']}: “{passage['text']}”.",
        passage["differences"],
    ])) for passage in filter(None, passages)]  # fmt: skip


def _ask(step: Step, done: StepDone) -> Sentences:
    return []  # the answer says everything, including that the papers have no answer


def _summarize(step: Step, done: StepDone) -> Sentences:
    if done.text:
        return []
    topic = step.arguments["topic"]
    chosen = bool(step.arguments.get("papers"))
    return [f"spar found nothing about {topic} in these papers." if chosen else f"No paper about {topic} was found."]


def _recommend(step: Step, done: StepDone) -> Sentences:
    count = int(done.values["found"])
    return (
        [f"{papers_text(count)} to read next; `spar log {done.run}` says why."]
        if count
        else ["There is nothing to recommend."]
    )


def _save(step: Step, done: StepDone) -> Sentences:
    new, there, tags = (done.values[name] for name in ("new", "there", "tags"))
    sentences = [f"Saved {papers_text(new)}."] if new else []
    sentences += [f"{papers_text(there)} {'was' if there == 1 else 'were'} on your shelf already."] if there else []
    return [*sentences, *([f"Tagged {listed(list(tags))}."] if tags else [])]


def _unsave(step: Step, done: StepDone) -> Sentences:
    gone = int(done.values["gone"])
    return [f"Removed {papers_text(gone)} from your shelf." if gone else "None of them was saved."]


def _tag(step: Step, done: StepDone) -> Sentences:
    add, remove, papers = (done.values[name] for name in ("add", "remove", "papers"))
    sentences = [f"{papers_text(papers)} now {'has' if papers == 1 else 'have'} {listed(list(add))}." if add else ""]
    sentences += [f"Removed {listed(list(remove))} from {papers_text(papers)}." if remove else ""]
    return [
        *filter(None, sentences),
        *([f"Saved {papers_text(done.values['new'])} to add the tags."] if done.values["new"] else []),
    ]


def _note(step: Step, done: StepDone) -> Sentences:
    wrote = "Wrote the note about" if done.values["note"] else "Erased the note about"
    return [f"{wrote} “{done.values['title']}”.", *(["The paper was saved, too."] if done.values["new"] else [])]


MARKS = {"read": "as read", "unread": "as unread", "like": "as liked", "dislike": "as disliked",
         "unrated": "as neither liked nor disliked", "dismiss": "as not for you"}  # fmt: skip


def _mark(step: Step, done: StepDone) -> Sentences:
    return [f"{papers_text(done.values['papers'])} marked {MARKS[done.values['as']]}."]


def _remember(step: Step, done: StepDone) -> Sentences:
    there = "was in your profile already" if done.values["there"] else "is in your profile now"
    return [f"“{done.values['text']}” {there}, as what you {done.values['facet']}."]


def _watch(step: Step, done: StepDone) -> Sentences:
    return [f"New papers on “{done.values['question']}” are watched for; `spar watch` shows them."]


_SAY: Mapping[str, Callable[[Step, StepDone], Sentences]] = {
    "query": _query, "filter": _filter, "resemble": _resemble, "rank": _rank, "take": _take, "list": _list,
    "undo": _undo, "take_back": _take_back,
    "paper": _paper, "references": _links, "citations": _links, "similar": _links, "find_quote": _find_quote,
    "runs": _runs,
    "profile": _profile, "search": _search, "ask_papers": _ask, "summarize": _summarize, "recommend": _recommend,
    "save": _save, "unsave": _unsave, "tag": _tag, "note": _note, "mark": _mark, "remember": _remember,
    "watch": _watch,
    "check": _check,
}  # fmt: skip
