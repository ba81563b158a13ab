"""Tags: told as such, or a tag of the person's own before a word for saved papers."""

import re

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.phrases import Found, Phrases

_TAGGED = Phrases("""
    [that|which] (with|having|carrying|have|has|carry|carries|bear|got) [both] [the|my] (tag/label) <tag:word>
        (and|as well as|plus) [also] [the|my] (tag/label) <every:tag>
    [that|which] [are|is|i have|i|i had|were] [already] (tagged|labelled|labeled|filed) [as|with|under|by|in]
        [the|my] [tag/tags|label/labels] <tag:word> (or|,) [tagged|with|as] [the|tag] <more:tag>
    [that|which] [are|is|i have|i|i had|were] [already] (tagged|labelled|labeled|filed) [as|with|under|by|in]
        [the|my] [tag/tags|label/labels] [both] <tag:word> (and|as well as|plus) [also] [tagged|with|as] [the|tag]
        <every:tag>
    (with|having|carrying|have|has|carry|bear|got) [the|my] [both] (tags/labels) [both] <tag:word> and [the]
        <every:tag>
    [with|having|carrying|have|has|carry|bear|got] both [the] (tags/labels) <tag:word> and [the] <every:tag>
    [that|which] [are|is|i have|i|i had|were] [already] (tagged|labelled|labeled|filed) [as|with|under|by|in]
        [the|my] [tag|label] <tag:word> [tag|label]
    [that|which] (have i|i have|did i|i) [given/give/gave|put on|assigned] [both] [the] (tag/tags/label/labels)
        <tag:word> and [the|with|also] [tag/label] <every:tag>
    [with|having|carrying|have|has|carry|bear|got] both [the] [tag/label] <tag:word> and [the] [tag/label] <every:tag>
    [that|which] (have i|i have|did i|i) (given/give/gave|put on|assigned) [the|my] (tag/label) <tag:word>
    [that|which] (with|under|having|carrying|in|have|has|carry|carries|bear|for|from|got|of) [the|my|a]
        [tag/tags/label|labels] called <tag:word>
    [that|which] (with|under|having|carrying|in|have|has|carry|carries|bear|for|from|got|of|by) [the|my|a]
        tag/tags/label/labels <tag:word>
    [that|which] (with|under|having|carrying|in|have|has|carry|carries|bear|for|from|got|of) [the|my|a] <tag:word>
        (tag|label|tagged)
    tag/label <tag:word>
    <tag:word> tag
""")
_NOT_TAGGED = Phrases("""
    [that|which|but] [are|is|have] (not|without|except|no|excluding) [those|papers|the ones] [tagged|labelled|
        labeled] [as|with] [the|my] (tag|label) <tag:word>
    [that|which|but] [are|is] (not|never) [yet] (tagged|labelled|labeled) [as|with] [the|my] <tag:word>
""")
_NOT_IN = re.compile(
    r"\b(?:that |which |but )?(?:are |is )?not (?:yet )?(?:in|on|under|from|part of) (?:the |my )?(?P<tag>[\w-]+)"
    r" (?:pile|folder|list|stack|group)\b",
    re.IGNORECASE,
)
_TAG_BEFORE = re.compile(
    r"\b(?P<tag>[\w-]+?)[ -](?:tagged|labelled|labeled)\b(?! (?:with|as|by|the|my))", re.IGNORECASE
)
"""A tag before the word that says it is one: "the to-read tagged"."""
_READ = {"read": True, "unread": False}
"""What beside a tag is none: "tagged thesis and unread"."""
_NO_TAGS = frozenset(
    """those first most by in on the newest oldest sorted ranked ordered papers paper articles ones is are as with
    and or
    that which stuff works entries""".split()
)
_PLAIN = re.compile(r"\w+(?:[ -]\w+)*")


def read_tags(choice: Choice) -> None:
    """Tags, told as such; or a tag of the person's own before a word for saved papers."""
    for before in _TAG_BEFORE.finditer(choice.text):
        if (tag := _tag(choice, before["tag"])) in choice.scene.tags:
            choice.add("tags", tag)
            choice.cut(*before.span())
            break
    if (found := _NOT_IN.search(choice.text)) and (tag := _tag(choice, found["tag"])) in choice.scene.tags:
        choice.add("without_tags", tag)
        choice.cut(*found.span())
    while slots := choice.take(_NOT_TAGGED):
        choice.add("without_tags", _tag(choice, slots["tag"]))
    while (told_tags := _TAGGED.find(choice.text)) and _tells_tags(choice, told_tags):
        choice.cut(told_tags.start, told_tags.end)
        slots = told_tags.slots
        told = [_tag(choice, slots[name]) for name in ("tag", "more") if name in slots]
        if every := slots.get("every"):
            told += _every(choice, every)
        if (state := _READ.get(told[-1].lower())) is not None and told[-1] not in choice.scene.tags:
            choice.conditions["read"] = state
            told.pop()
        if tags := [tag for tag in told if tag.lower() not in _NO_TAGS]:
            choice.add("tags", *tags)
    if "tags" in choice.conditions:
        _without_tags(choice)
        return
    worded = [tag for tag in choice.scene.tags if _PLAIN.fullmatch(tag)]  # the signs of phrases are no words of one
    for tag in sorted(worded, key=len, reverse=True):
        spelled = "/".join(dict.fromkeys((tag, tag.replace("-", " ")))) if " " not in tag.replace("-", " ") else tag
        own = Phrases(f"""
            my {spelled} (papers|articles|pile|list|collection|folder|ones|stuff|reading)
            {spelled} papers {{on_shelf}}
            (saved|unread|liked|annotated) {spelled} papers/articles/ones
            unread {spelled}
            {spelled} pile/folder
        """)  # fmt: skip
        if choice.take(own) is not None:
            choice.add("tags", tag)
            return


def _tells_tags(choice: Choice, found: Found) -> bool:
    """Whether tags are told as such, or are the person's own: "both Yao and Narasimhan" are none."""
    if _TAG_WORD.search(choice.text[found.start : found.end]):
        return True
    return any(_tag(choice, name) in choice.scene.tags for name in found.slots.values())


_TAG_WORD = re.compile(r"\b(?:tag|label|filed)", re.IGNORECASE)


def _every(choice: Choice, said: str) -> list[str]:
    """A second tag that papers must have; told back where it is no tag of the person's."""
    if said.lower() in _READ:
        return [said]
    tag = _tag(choice, said)
    if tag not in choice.scene.tags:
        return [] if said.lower() in _NO_TAGS else [tag]
    choice.every_tag = tuple(dict.fromkeys((*choice.every_tag, tag)))
    return []


_BUT_NOT = re.compile(
    r"\b(?:but|and)? ?(?:not|without|no|neither) (?:the (?:tags? )?)?(?:tagged )?"
    r"(?P<tags>[\w-]+(?:(?:,? (?:nor|or|and)|,) (?:not )?(?:tagged )?[\w-]+)*)(?= *(?:$|[,.;?!]))",
    re.IGNORECASE,
)


def _without_tags(choice: Choice) -> None:
    """`tagged rag but not thesis`: beside a tag another tag of the person's is one."""
    if (found := _BUT_NOT.search(choice.text)) is None:
        return
    said = re.split(r"(?:,? (?:nor|or|and)|,) (?:not )?(?:tagged )?", found["tags"])
    tags = [_tag(choice, tag) for tag in said]
    if all(tag in choice.scene.tags for tag in tags):
        choice.add("without_tags", *tags)
        choice.cut(*found.span())


def _tag(choice: Choice, said: str) -> str:
    """The tag as the person writes it."""
    bare = said.strip("\"'.")
    return next((tag for tag in choice.scene.tags if tag.casefold() == bare.casefold()), bare)
