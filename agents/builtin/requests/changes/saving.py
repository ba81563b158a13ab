"""Putting papers on the shelf, and taking them off."""

import re

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.meant import Meant, meant
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import SHOWN
from agents.builtin.requests.scene import Reading, Scene

_TAGS = re.compile(r"\s*(?:,\s*and\s+|,|\band\b|&)\s*")


def tags_in(text: str) -> list[str]:
    """The tags that a slot lists."""
    if quoted := re.findall(r"[\"']([^\"']{1,100})[\"']", text):
        return quoted
    bare = re.sub(r"^(?:the )?(?:tags?|labels?) ", "", text, flags=re.IGNORECASE).strip(" .?!")
    return [part for part in _TAGS.split(bare) if part]


def _save(slots: Slots, scene: Scene) -> Reading | None:
    papers = meant(slots["papers"], scene) if "papers" in slots else Meant((), [SHOWN])
    return papers and papers.then("save", tags=tags_in(slots.get("tags", "")))


def _unsave(slots: Slots, scene: Scene) -> Reading | None:
    papers = meant(slots["papers"], scene)
    return papers and papers.then("unsave")


_SAVED = "(to|on|in|into|onto|for|among|under) {shelf}"
_BRANCHES = (
    "and (tag|label|mark|file) [it|them|these|those|both|all] [as|with|under] [the] [tag|tags] <tags:text>",
    "(tagged|labelled|labeled) [as|with] [the] [tag] <tags:text>",
    "(with|under|using) [the|a] (tag/tags/label/labels) <tags:text>",
    "(as|under) <tags:word>",
)
_SAVE = "save/bookmark/shelve"
_PUT = "add/put/file/keep/store/collect/place/move/move/stick/get/want/remember/take"
_LATER = "(for later|to read later|for me|permanently|please)"
SAVING = (
    Rule(Phrases("""
        (un-save|unsave|unbookmark|unshelve) <papers> [from {shelf}]
        (remove|take|pull|delete|drop|throw|kick|get rid of|clear|erase|discard|strike) <papers> [away] (from|off|out
            of|
            of) [of] {shelf}
        take off {shelf} <papers>
        get <papers> (off|out of) [of] {shelf}
        <papers> can (be (taken|removed|deleted|dropped)|go|come|leave) [off|from|out of|away from] [of] {shelf}
        <papers> (should|must|may|shall|can) (go|leave|be off|come off|be removed from|be taken off|be dropped from|
            be deleted from|disappear from|no longer be on) [from|off] [{shelf}]
        i (do not|no longer) (need|want) <papers> [any more|anymore] {on_shelf} [any more|anymore]
        i do not need <papers> saved [any more|anymore]
        i (do not|no longer) (need|want) <papers> [any more|anymore] [,] [so|please] [please]
            (take|remove|delete|drop|throw|kick)
            (it|them) [off|from|out of] [{shelf}]
        [please] (have|get) <papers> (removed|taken|deleted) (from|off) {shelf}
        <papers> does not belong {on_shelf} [any more]
        (stop saving|do not keep) <papers>
        off {shelf} with <papers>
    """), _unsave),
    *(Rule(Phrases(f"""
        {_SAVE} <papers> [{_SAVED}] [{_LATER}] {tagged}
        {_PUT} <papers> {_SAVED} [{_LATER}] {tagged}
        {_SAVE} {tagged}
    """), _save) for tagged in _BRANCHES),
    Rule(Phrases(f"""
        {_PUT} <papers> ({_SAVED}|for later)
        {_SAVE} <papers> [{_SAVED}] [{_LATER}]
        i want <papers> {_SAVED}
        <papers> (should|must|can|shall) (go|be put|be saved|be placed|be added) [{_SAVED}]
        {_SAVE}
        <papers> belongs {_SAVED}
        (have|get) <papers> saved
    """), _save),
)  # fmt: skip
