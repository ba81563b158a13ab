"""The wording of plans, so that a person can choose among the readings of a message."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from agents.assistant.events import Step
from agents.assistant.state import Turn
from agents.assistant.wording.outcomes import MARKS, called, conditions_text, likeness_text
from agents.tools.filter_arguments import FILTER_ARGUMENTS
from cache.conditions import orders
from cache.conditions.wording import listed


def offers_lines(turn: Turn) -> list[str]:
    """Return the other readings of an answered message, one a line, below a line that says how to choose; [] if it has
    none."""
    if not turn.offers:
        return []
    single = len(turn.offers) == 1
    lead = (
        "It could also mean (type 1 to choose it):" if single else "It could also mean (type a number to choose one):"
    )
    if turn.plan and not turn.plan.understood:
        lead = "Did you mean (type 1 to choose it):" if single else "Did you mean one of these (type its number):"
    return [lead, *(f"{number}. {offer.label}" for number, offer in enumerate(turn.offers, start=1))]


def plan_text(steps: Sequence[Step], onward: bool = False) -> str:
    """Return what `steps` do as a phrase; "" if it has no wording."""
    parts: list[str] = []
    for step in steps:
        say = _SAY.get(step.tool)
        if say is None:
            return ""
        try:
            text = say(step.arguments, onward and not parts)
        except (ValidationError, KeyError):
            return ""
        parts += [text] if text else []
    last = steps[-1].arguments if steps and steps[-1].tool == "list" else {}
    if parts and "first" not in last and (limit := last.get("limit")):
        parts.append("only the first" if limit == 1 else f"only the first {limit}")
    return ", ".join(parts) or ("show the list" if steps else "")


def _filter(arguments: Mapping[str, Any], onward: bool) -> str:
    whose = "those of them" if onward else "papers"
    conditions = conditions_text(FILTER_ARGUMENTS.model_validate(dict(arguments)), 2)
    return f"{whose} that {conditions}" if conditions else "the whole library"


def _rank(arguments: Mapping[str, Any], onward: bool) -> str:
    by = orders.named(str(arguments["by"]), bool(arguments.get("reverse"))).words
    return f"{'these' if onward else 'papers'} in order, {by}" if onward else by


def _list(arguments: Mapping[str, Any], onward: bool) -> str:
    first = int(arguments.get("first", 1))
    return (
        "" if first == 1 else f"number {first}" if arguments.get("limit") == 1 else f"the list from number {first} on"
    )


def _of(names: object) -> str:
    labels = [names] if isinstance(names, str) else [str(name) for name in names] if isinstance(names, Iterable) else []
    return listed([called(name) for name in labels]) or "those"


def _papers(sentence: str) -> Callable[[Mapping[str, Any], bool], str]:
    return lambda arguments, onward: sentence.replace(
        "{}", _of(arguments.get("papers") or arguments.get("paper") or "@shown")
    )


def _ask(arguments: Mapping[str, Any], onward: bool) -> str:
    scope = f"the papers tagged “{arguments['tag']}”" if arguments.get("tag") else f"the run {arguments.get('run')}"
    papers = (
        _of(arguments["papers"])
        if arguments.get("papers")
        else scope
        if arguments.get("tag") or arguments.get("run")
        else ""
    )
    return f"answer “{arguments['question']}” from {papers or 'the papers of the library'}"


def _summarize(arguments: Mapping[str, Any], onward: bool) -> str:
    papers = f" by {_of(arguments['papers'])}" if arguments.get("papers") else ""
    return f"summarize what is said about “{arguments['topic']}”{papers}"


def _recommend(arguments: Mapping[str, Any], onward: bool) -> str:
    papers = (
        f"the papers tagged “{arguments['tag']}”"
        if "tag" in arguments
        else arguments.get("papers") and _of(arguments["papers"])
    )
    return "recommend what to read next" + (f", starting from {papers}" if papers else "")


def _tag(arguments: Mapping[str, Any], onward: bool) -> str:
    add, remove = (
        listed([f"“{tag}”" for tag in arguments.get("add", ())]),
        listed([f"“{tag}”" for tag in arguments.get("remove", ())]),
    )
    papers = _of(arguments.get("papers", "@shown"))
    return ", ".join(
        ([f"tag {papers} {add}"] if add else []) + ([f"remove the tag {remove} from {papers}"] if remove else [])
    )


_SAY: Mapping[str, Callable[[Mapping[str, Any], bool], str]] = {
    "filter": _filter,
    "resemble": lambda arguments, onward: (
        f"{'those of them' if onward else 'papers'} that are {likeness_text(arguments)}"
    ),
    "rank": _rank,
    "list": _list,
    "search": lambda arguments, onward: f"search the sources for “{arguments['question']}”",
    "ask_papers": _ask,
    "summarize": _summarize,
    "recommend": _recommend,
    "tag": _tag,
    "take": _papers("look only at {}"),
    "undo": lambda arguments, onward: "go back to the list before",
    "take_back": lambda arguments, onward: "undo the last change to your papers",
    "paper": _papers("show {}"),
    "references": _papers("what {} cites"),
    "citations": _papers("what cites {}"),
    "similar": _papers("what the sources call similar to {}"),
    "find_quote": lambda arguments, onward: f"find where “{arguments['quote']}” is from",
    "runs": lambda arguments, onward: "your past searches and other runs",
    "profile": lambda arguments, onward: "your profile",
    "export": _papers("a bibliography of {}"),
    "check": _papers("check {} for retractions and missing fields"),
    "save": _papers("save {}"),
    "unsave": _papers("remove {} from your shelf"),
    "note": lambda arguments, onward: (
        f"note on {_of(arguments['paper'])}: “{arguments['text']}”"
        if arguments["text"]
        else f"erase the note on {_of(arguments['paper'])}"
    ),
    "remember": lambda arguments, onward: f"remember that you {arguments['facet']} {arguments['text']}",
    "watch": lambda arguments, onward: f"watch for new papers on “{arguments['question']}”",
    "mark": lambda arguments, onward: f"mark {_of(arguments.get('papers', '@shown'))} {MARKS[str(arguments['as'])]}",
}
"""For each tool, the wording of a step from its arguments, and from whether it continues with the papers mentioned
before."""
