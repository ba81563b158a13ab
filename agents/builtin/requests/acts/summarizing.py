"""Cited summaries: of papers at hand, of what they say about something, of a subject."""

import re
from collections.abc import Callable

from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.requests.acts.rule import Rule, first_reading
from agents.builtin.requests.in_any_order.runs import WHOLE, summary_wanted
from agents.builtin.requests.meant import Meant, described, meant
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import ALL, SHOWN, known_names_in
from agents.builtin.requests.scene import Call, Reading, Scene, plan, step

_MAKE = (
    "(give|write|make|do|create|show|draft|compose|prepare|provide|produce|i (need|want|would like)|can i "
    "(have|get)|i am after)"
)
_SUMMARY = (
    "([the|a|an|one] [very] [short|brief|quick|cited|one paragraph|little|concise|small|detailed|long]"
    " [literature|research] (summary/overview/tldr/synthesis/synopsis/digest/recap|summing up|literature review"
    "|related work section))"
)
_SAY = (
    "(say/says/said/tell/tells/report/reports/find/finds/found/claim/claims/know/write/writes/agree/think/conclude/state"
    "/show/reveal/suggest/teach [us|me]|have to say|has to say)"
)
_ON = "(about|on|of|regarding|concerning|over|for|to)"


def _said(slots: Slots, scene: Scene) -> Reading | None:
    """What papers say about something."""
    if slots["papers"].lower() in ("everything", "all", "anything") or _PLACE.fullmatch(slots["topic"]):
        return None  # of all that something else is said behind it, or where they are
    return _papers(slots.get("papers", ""), scene, _topic(slots["topic"]))


_PLACE = re.compile(r"(?:my|the) (?:own |whole )?(?:shelf|library|list|collection)", re.IGNORECASE)


def _papers(slot: str, scene: Scene, topic: str = "") -> Reading | None:
    """A summary of the papers that the slot means; None if it means none."""
    if not slot:
        return Meant((), [SHOWN]).then("summarize", topic=topic or WHOLE)
    if names := known_names_in(slot, scene):
        told = names[0] if len(names) == 1 and not names[0].startswith("@") else WHOLE
        return Meant((), list(names)).then("summarize", topic=topic or told)
    chosen = described(slot, scene)
    if chosen and chosen.order and (best := meant(slot, scene)):
        return best.then("summarize", topic=topic or WHOLE)
    if chosen is None or not set(chosen.conditions) - {"words"}:
        return None
    told = topic or ", ".join(chosen.conditions.get("words", ())) or WHOLE
    return Meant(tuple(chosen.calls()), [ALL], chosen.onward).then("summarize", topic=told)


def _of(slots: Slots, scene: Scene) -> Reading | None:
    """A summary of papers, or else of a subject."""
    slot = slots.get("what", "")
    return _papers(slot, scene) or plan(step("summarize", topic=_topic(slot)), onward=False)


_HERE = re.compile(r",?\s+(?:in|from|within|across|of) (?:my|the|our) (?:whole |entire )?library$", re.IGNORECASE)


def _topic(said: str) -> str:
    said = _HERE.sub("", said)
    return topic_of(said).strip("\"'") or said


def _they(slots: Slots, scene: Scene) -> Reading | None:
    if scene.candidates is None and not scene.shown:
        return None
    return _papers("", scene, _topic(slots["topic"]))


def _literature(slots: Slots, scene: Scene) -> Reading | None:
    """What the literature, or the library, says about something."""
    return plan(step("summarize", topic=_topic(slots["topic"])), onward=False)


_SUMMARIZE = "(summarize/synthesize/recap|sum up|give [me] the gist of|boil down|condense|digest|tldr [of|for|on|:])"
_THEIR = "their (take|view|views|stance|position|findings|opinion|opinions|thoughts|results|claims|statements)"
_ANY = "(the literature|literature|research|the field|science|my library|the library|people|the research|papers)"
_SUMMARIZING = (
    Rule(Phrases(f"""
        {_SUMMARIZE} [for me] what {_ANY} {_SAY} {_ON} <topic>
        what does {_ANY} {_SAY} {_ON} <topic>
    """), _literature),
    Rule(Phrases(f"""
        [{_SUMMARIZE}] [for me] what [do|does|did] <papers> {_SAY} {_ON} <topic>
        [{_MAKE}] [me] {_SUMMARY} of what <papers> {_SAY} {_ON} <topic>
        what (is|was) (said|told|reported|written|claimed|found) (in|by) <papers> {_ON} <topic>
        [{_MAKE}] [me] {_SUMMARY} of <papers> (that|which) (concentrates|focuses|centers|is focused|puts the
            (focus|emphasis)|dwells) on <topic>
        [{_MAKE}] [me] {_SUMMARY} of <papers> (concentrating|centered|centering) on <topic>
        {_SUMMARIZE} <papers> (with [a] (focus|respect|regard) (on|to)|focusing on|focused on|regarding|concerning|
            as to|in terms of|with a view to) <topic>
        {_SUMMARIZE} (the findings|findings|results|the results) of <papers> {_ON} <topic>
        [{_MAKE}] [me] {_SUMMARY} of <papers> ({_ON}|with [a] (focus|respect|regard) (on|to)|focusing on|focused on|
            in terms of) <topic>
    """), _said),
    Rule(Phrases(f"""
        what (do|did) they {_SAY} {_ON} <topic>
        {_SUMMARIZE} what they {_SAY} {_ON} <topic>
        [{_MAKE}] [me] {_SUMMARY} of {{these}} : <topic:text>
        {_SUMMARIZE} {{these}} : <topic:text>
        [{_MAKE}] [me] {_SUMMARY} of {_THEIR} {_ON} <topic>
        {_SUMMARIZE} {_THEIR} {_ON} <topic>
        what is {_THEIR} {_ON} <topic>
        {_SUMMARIZE} {{these}} {_ON} <topic>
    """), _they),
    Rule(Phrases(f"""
        [{_MAKE}] [me|us] [up] {_SUMMARY} {_ON} <what>
        [{_MAKE}] [me|us] <what> (summary/overview/synthesis)
        {_SUMMARIZE} [for me] <what> (into|as|in) [a|an|one] [short|brief|single|concise]
            (overview/summary/paragraph/text/synthesis/page/digest)
        {_SUMMARIZE} [for me] <what> [for me]
        (i want|i need|please) <what> summarized
        (sum|wrap) <what> up
        (boil|break|cut|condense) <what> down
        (could|can) <what> be summarized
        what is the (state of the art|state of research|state of knowledge|current state) (in|on|of|about) <what>
    """), _of),
    Rule(Phrases(f"""
        [{_MAKE}] [me] {_SUMMARY}
        {_SUMMARIZE} [for me]
    """), lambda slots, scene: _papers("", scene)),
)  # fmt: skip
_ABOUT = (
    "(?:about|around|roughly|at most|no more than|not more than|max\\.?|maximum|under|up to|some|approximately|circa"
    "|ca\\.?|~)"
)
_LENGTH = re.compile(
    rf"\s*[,(;]?\s*(?:(?<!\w)(?:in|of|with|using|to|into|as|at|limit|length)\s*:?\s+)?(?:(?<!\w){_ABOUT}\s*)?"
    r"(?<![\w.])(?P<words>\d{2,4})[\s-]words?\b(?:\s+(?:or so|long|at most|max\b|maximum|in length|please))*\)?,?",
    re.IGNORECASE,
)
_LEAST, _MOST = 100, 5_000
"""Words that a summary can have."""


def summary_in_any_words(text: str, scene: Scene) -> Reading | None:
    """A summary that is asked for in words that no rule knows, of the length that is asked for."""
    return _of_its_length(text, lambda bare: summary_wanted(bare, scene))


def summarizing(text: str, scene: Scene) -> Reading | None:
    """A summary, of the length that is asked for as far as summaries can have it."""
    return _of_its_length(text, lambda bare: summary_wanted(bare, scene) or first_reading(_SUMMARIZING, bare, scene))


def _of_its_length(text: str, read: Callable[[str], Reading | None]) -> Reading | None:
    length = _LENGTH.search(text)
    reading = read(" ".join(_LENGTH.sub(" ", text).split()).strip(" ,"))
    if reading is None or length is None:
        return reading
    words = min(max(int(length["words"]), _LEAST), _MOST)
    calls = [
        Call(call.tool, {**call.arguments, "words": words}) if call.tool == "summarize" else call
        for call in reading.calls
    ]
    return reading._replace(calls=tuple(calls))
