"""Papers that are newer, older, more or less cited than a paper: "like BERT but newer", "older than ColBERT"."""

from collections.abc import Sequence
from datetime import date, timedelta

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import known_names_in
from agents.builtin.requests.scene import Call, Scene

_THAN = Phrases("""
    [and|but|only|just] [that|which] [are|is|were|came out|appeared] [published]
        (<more:later>|<less:earlier>|<cited:oftener>
        |<uncited:rarer>) (than|as) <paper>
""")
_THAN_IT = Phrases("""
    [and|but|only|just|rather|please] [that|which] [are|is|were]
        (<more:later>|<less:earlier>|<cited:oftener>|<uncited:rarer>)
        [ones|papers|work|than (it|that|that one|this|them|these|those)]
""")


def read_comparisons(choice: Choice) -> None:
    """Bounds that a paper sets: the one that is named, else those that the others should be like."""
    found = _THAN.find(choice.text)
    if found and "paper" in found.slots and (names := known_names_in(found.slots["paper"], choice.scene, every=True)):
        _bound(choice, list(names), set(found.slots))
        choice.cut(found.start, found.end)
        return
    if choice.like_words and not choice.like and (found := _THAN_IT.find(choice.text)):
        choice.order = next((order for name, order in _ORDERS.items() if name in found.slots), "")
        choice.cut(found.start, found.end)
    if choice.like and (found := _THAN_IT.find(choice.text)):
        _bound(choice, choice.like, set(found.slots))
        choice.cut(found.start, found.end)


def without_bound(text: str, calls: Sequence[Call], scene: Scene) -> str:
    """`text` without the paper that sets a bound of one of the steps: "older than BERT" is a day in its plan."""
    if not any(_BOUNDS & call.arguments.keys() for call in calls) or (found := _THAN.find(text)) is None:
        return text
    if not known_names_in(found.slots.get("paper", ""), scene, every=True):
        return text
    return f"{text[: found.start]} {text[found.end :]}"


_BOUNDS = {"since", "until", "min_citations", "max_citations"}
_ORDERS = {"more": "newest", "less": "oldest", "cited": "citations", "uncited": "fewest_citations"}


def _bound(choice: Choice, names: list[str], told: set[str]) -> None:
    """What is known of the papers, as a bound; where nothing is known, an order."""
    known = [choice.scene.known_of(name) for name in names]
    dates = sorted(one.date for one in known if one.date)
    counts = sorted(one.citations for one in known if one.citations is not None)
    if told & {"more", "less"} and not dates:
        choice.order = "newest" if "more" in told else "oldest"
    elif "more" in told:
        choice.conditions["since"] = max(_beside(dates[-1], 1), choice.conditions.get("since", ""))
    elif "less" in told:
        choice.conditions["until"] = min(_beside(dates[0], -1), choice.conditions.get("until", "9999"))
    elif not counts:
        choice.order = "citations" if "cited" in told else "fewest_citations"
    elif "cited" in told:
        choice.conditions["min_citations"] = counts[-1] + 1
    else:
        choice.conditions["max_citations"] = max(counts[0] - 1, 0)


def _beside(day: str, step: int) -> str:
    """The day, or the year where no more is known, after or before."""
    if len(day) == 10:
        return (date.fromisoformat(day) + timedelta(days=step)).isoformat()
    return str(int(day[:4]) + step)
