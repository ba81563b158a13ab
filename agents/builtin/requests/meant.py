"""The papers that a slot of a request means: named, pointed at, or told by what they are like."""

import re
from typing import Any, NamedTuple

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.references import ALL, SHOWN, known_names_in, names_in
from agents.builtin.requests.scene import Call, Reading, Scene, step

_OF_THOSE = re.compile(
    r",? (?:of|among|from|in|out of) (?:all )?(?:of )?(?:the|these|those|them|my)\b.*$", re.IGNORECASE
)
_SEVERAL = re.compile(r"\b(?:papers|articles|ones|books|surveys|preprints|those|works)\b", re.IGNORECASE)


class Meant(NamedTuple):
    """The steps that choose the papers first, if any, and the names that the next step gives them."""

    calls: tuple[Call, ...]
    papers: list[str]
    onward: bool = True

    def then(self, tool: str, /, **arguments: Any) -> Reading:
        """`tool` with these papers."""
        given = {name: value for name, value in arguments.items() if value not in (None, "", (), [], False)}
        return Reading((*self.calls, Call(tool, {"papers": self.papers, **given})), self.onward)


_DESCRIBED = Phrases("""
    (all|every|any|the|my|those|everything|anything|what|whatever|only|each) [<:any>]
        (papers/paper/articles/article/ones/one/everything/books/surveys/preprints/unread/works/publications/tagged/saved/shelf/theses/reviews)
    [the] (papers/paper/articles/one/ones/books/surveys/preprints/those) (by|from|about|on|since|with|that|tagged|
        in|published|before|after|which|i|of|like) <:text>
    (everything|anything|all) [(by|from|about|on|since|with|that|tagged|in|i|of)] <:text>
    (what|whatever) i [have] [ever|already] (saved|tagged|labelled|read|liked|disliked|noted|annotated|bookmarked)
        [<:text>]
    {saved_shelf} [<:text>]
    <:any> {on_shelf}
    [my] unread [ones]
    [only] the [very] [single] (most/least/newest/oldest/latest/earliest/top/best|<:number> (most|least|newest|oldest
        |latest|earliest|best)) [<:text>]
    papers <:text>
    <:any> papers <:text>
    my <:text>
""")


_OWNED = re.compile(
    r"(?P<lead>(?:all |the |of )*)(?P<name>[A-Z][\w-]+)(?:'s|s'|')? (?P<papers>(?:[\w-]+ ){0,3}?"
    r"(?:papers|articles|works|publications))\b(?P<rest>.*)"
)


def by_their_author(slot: str, scene: Scene) -> str:
    """ "Robertson's papers" are papers by Robertson."""
    owned = _OWNED.fullmatch(slot)
    if owned is None or not scene.is_author(owned["name"]) or scene.is_title(slot):
        return slot
    return f"{owned['lead']}{owned['papers']} by {owned['name']}{owned['rest']}"


def meant(slot: str, scene: Scene) -> Meant | None:
    """The papers that `slot` means, None if it says nothing."""
    slot = by_their_author(slot, scene)
    if names := known_names_in(slot, scene):
        return Meant((), list(names))
    if chosen := described(slot, scene):
        if chosen.limit and not chosen.order and set(chosen.conditions) == {"saved"}:
            return Meant((step("shelf", limit=chosen.limit),), [SHOWN], onward=False)
        if not chosen.order:
            return Meant(tuple(chosen.calls()), [ALL], chosen.onward)
        # Of an order the first are meant, and not all that are ordered.
        onward = chosen.onward or (scene.candidates is not None and not chosen.conditions and not chosen.is_soft)
        several = _SEVERAL.search(_OF_THOSE.sub("", slot)) is not None
        if chosen.limit or not several:
            return Meant(tuple(chosen.calls()), [f"@top{chosen.limit or 1}"], onward)
        return Meant((*chosen.calls(), step("list")), [SHOWN], onward)
    names = names_in(slot, scene)
    return Meant((), list(names)) if names else None


def described(slot: str, scene: Scene) -> Choice | None:
    """What `slot` says of the papers, if it tells them by what they are like: "all papers by Robertson"."""
    slot = by_their_author(slot, scene)
    if _DESCRIBED.match(slot) is None:
        return None
    choice = read_choice(slot, scene)
    if slot.startswith(("the one ", "the ones ", "those ", "the one's ")) and scene.candidates is not None:
        choice.onward = True
    return choice if choice.says_something else None
