"""Giving tags and taking them off."""

import re

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.changes.saving import tags_in
from agents.builtin.requests.meant import meant
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import known_names_in, pointed_at
from agents.builtin.requests.scene import Reading, Scene, plan, step

_NAMING = "tag/tags/label/labels"


_NO_TAG = re.compile(r"(?:each|every|which|what|any|per|all)(?: |$)", re.IGNORECASE)
_MORE_PLACES = re.compile(r"(?:(?:and|or|to|-|,|&) ?)?[@#]?\d{1,3}(?: |,|$)", re.IGNORECASE)
_NO_PAPERS = re.compile(r"(?:me|us)(?: |$)", re.IGNORECASE)


def _add(slots: Slots, scene: Scene) -> Reading | None:
    if _NO_TAG.match(slots["tags"]) or _NO_PAPERS.match(slots["papers"]):
        return None
    papers = meant(slots["papers"], scene)
    return papers and papers.then("tag", add=tags_in(slots["tags"]))


def _add_pointing(slots: Slots, scene: Scene) -> Reading | None:
    """Without a word between, only papers that are pointed at can be told from tags: "tag these rag"."""
    if _MORE_PLACES.match(slots["tags"]):
        return None  # "tag 1 and 3 rag"
    return _add(slots, scene) if pointed_at(slots["papers"], scene) else None


def _remove(slots: Slots, scene: Scene) -> Reading | None:
    papers = meant(slots["papers"], scene)
    return papers and papers.then("tag", remove=tags_in(slots["tags"]))


def _remove_known(slots: Slots, scene: Scene) -> Reading | None:
    return _remove(slots, scene) if known_names_in(slots["papers"], scene, every=True) else None


def _rename(slots: Slots, scene: Scene) -> Reading | None:
    """Another tag in place of one that the person has."""
    [old, new] = [*tags_in(slots["old"])[:1], *tags_in(slots["new"])[:1]]
    if old not in scene.tags:
        return None
    return plan(step("filter", tags=(old,)), step("tag", papers=["@all"], add=[new], remove=[old]), onward=False)


TAGGING = (
    Rule(Phrases(f"""
        (rename/change/replace) [the|my] {_NAMING} <old:word> (to|into|as|by|with) [the {_NAMING}] <new:word>
        rename <old:word> (to|into|as) <new:word>
        (call|name) [the|my] {_NAMING} <old:word> <new:word> [from now on]
    """), _rename),
    Rule(Phrases(f"""
        untag <papers> (from|as|of|with|for) <tags:text>
        (remove|take|delete|drop|strip|clear|erase|get rid of|lose|take away) [the] {_NAMING} <tags> [away]
            (from|off|of|on)
            <papers:text>
        (remove|take|delete|drop|strip|erase|get rid of|lose) [the] <tags> {_NAMING} [away] (from|off|of|on)
            <papers:text>
        (remove|take|delete|drop|strip|clear|erase|get rid of|lose) <papers> 's {_NAMING} <tags:text>
        <papers> (should|must) (not be|no longer be) tagged [as|with] <tags:text>
        <papers> (should|must) lose the {_NAMING} <tags:text>
        [the] {_NAMING} <tags> (should|can|must|may) be (removed|taken|dropped|deleted|stripped) [away] (from|off)
            <papers:text>
        <papers> does not need the {_NAMING} <tags:text>
        (do not|no longer) tag <papers> [as|with] <tags:text>
    """), _remove),
    Rule(Phrases(f"""
        tag/label/categorize <papers> (as|with|under) [the] [{_NAMING}] [called] <tags:text>
        mark <papers> with [the] {_NAMING} <tags:text>
        (add|attach|give|put|apply|assign|set|stick) [the|a] {_NAMING} [called] <tags> (to|on|for|onto)
            <papers:text>
        (give|assign) <papers> [the|a] {_NAMING} [called] <tags:text>
        (give|assign) <papers> [the|a] <tags:word> {_NAMING}
        (add|attach|put|apply|stick) [the|a] <tags:word> {_NAMING} (to|on|onto) <papers:text>
        file <papers> (under|as) <tags:text>
        <papers> (belongs|belong) (to|under|in|with) the {_NAMING} <tags:text>
        <papers> (should|must|shall|can|may|could|needs to|need to|has to|have to) [both|all|each] (be tagged|be
            labelled|be labeled|get the
            [same] {_NAMING}|have the {_NAMING}|carry the {_NAMING}) [as|
            with] <tags:text>
        (use|add) <tags:word> as [a] {_NAMING} (for|to|on) <papers:text>
        tag/label : <tags> (for|on|to) <papers:text>
    """), _add),
    *(Rule(Phrases(f"""
        tag/label <papers> [:] <tags:{kind}>
    """), _add_pointing) for kind in ("quoted", "text", "word")),
    Rule(Phrases("untag <papers> <tags:word>"), _remove_known),
)  # fmt: skip
