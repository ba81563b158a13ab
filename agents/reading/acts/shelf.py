"""Acts that save, tag, export and check papers."""

import re
from functools import lru_cache

from agents.reading.acts.act import MatchedMessage, Plan, acts, changed, form
from agents.reading.acts.marks import MARKS, NOTE_CHANGES
from agents.reading.choosing import one_paper, papers_with
from agents.reading.cues import NEGATIONS, NOUNS
from agents.reading.reading import MessagePlan, Option, ToolCall, Unknown, call

FORMATS = {
    name: of or name
    for name, _, of in (
        word.partition("=")
        for word in "bibtex bib=bibtex latex=bibtex biblatex ris endnote=ris zotero=ris csl-json csl=csl-json"
        " json=csl-json markdown md=markdown csv spreadsheet=csv excel=csv text apa ieee vancouver chicago mla".split()
    )
}

_STYLES = frozenset({"apa", "ieee", "vancouver", "chicago", "mla", "nature"})


def _exported(sentence: MatchedMessage) -> MessagePlan | None:
    """Export in the format named in a slot or, without slots, in the message: "APA please"."""
    words = [*sentence.words("format"), *sentence.words("word")]
    if not sentence.spans:
        words = [key for key in sentence.turn.reader.keys if key in FORMATS]
    names = [FORMATS[word] for word in words if word in FORMATS]
    strange = [
        word
        for word in words
        if word not in FORMATS
        and word not in ("as", "in", "a", "an", "the", "format", "file", "style", "entry", "entries", "to", "csl", ".")
    ]
    if strange or (words and not names):
        return None
    name = next((name for name in names if name in _STYLES), names[0] if names else "")
    given = {"format": "text", "style": name} if name in _STYLES else {"format": name} if name else {}

    def make(papers: tuple[str, ...]) -> ToolCall:
        return call("export", papers=list(papers), **given)

    return changed(sentence, make)


EXPORT, CHECK = acts(
    """
export | write a bibliography | export my thesis papers as BibTeX
  export|download|print {papers?} [as|in|to|into] {format?}; {word} of|for {papers}; {papers} as|in|to|into [a|an]
  {format}; [a|the] bibliography|reference_list|references|citation|citations|citation_entry of|for {papers} [in|as]
  {format?}; [a|the] {word} entry|entries|file|citation|citations|record|records|export|format|reference|references
  of|for {papers}; cite {papers?} [in|as] {format?}; how do|should|can|would|shall i cite {papers};
  [write|make|create|generate|build|produce|print] [a|the] bibliography|bib_file|reference_list [of|for|from|with]
  {papers?} [in|as] {format?}; [a|the] bibliography|reference_list in|as {format} of|for|from|with {papers};
  write|make|create|generate|produce|save|turn|convert|format [the] {papers} as|in|to|into [a|an] {format};
  apa|bibtex|biblatex|ris|ieee|vancouver|chicago|mla|endnote [style|format|version|citation|reference|entry|file|one];
  write|make|create|generate|give|get|show [me] [a|an|the] {format}; write|make|create|generate|need|want [a|an|the]
  {word} [file|entries|entry|bibliography|list] of|for|from|with {papers}; as|in|to [a|an] {format}; [a|the] {papers} 's
  {word}
check | check papers for retractions and missing fields | check these
  check|verify|validate {papers?} [for|against]
  [retractions|errors|mistakes|missing_fields|problems|completeness|duplicates]; check|verify if|whether {papers}
  is|are|was|were|has|have [been] retracted|complete|correct|ok|published|up_to_date; is|are {papers} complete|correct;
  [what|is] [is|anything|something|there] [anything|something] wrong with {papers}
""",
    {"export": _exported, "check": lambda sentence: changed(sentence, lambda names: call("check", papers=list(names)))},
)


_LONGEST_TAG = 4
"""Maximum number of words of a new tag."""


def _saved(sentence: MatchedMessage) -> MessagePlan | None:
    tags = _tags(sentence)
    if sentence.has("tags") and not tags:
        return None
    return changed(sentence, lambda names: call("save", papers=list(names), tags=tags))


def _tags(sentence: MatchedMessage) -> list[str]:
    """Return the tags that a sentence names, spelled as in the library; [] if one is a clause or begins another change,
    such as "and mark it read"."""
    spelled, text = sentence.turn.names.known_tag, sentence.text("tags")
    tags = _tags_in(text)
    if any(len(words) > _LONGEST_TAG for words in map(str.split, tags)):
        return []
    last = tags[-1] if tags and re.search(rf"\sand\s+{re.escape(tags[-1])}", text) else ""
    if " " in last and last.split()[0].casefold() in verbs_of_changes() and not spelled(last):
        return []
    return [spelled(tag) or tag for tag in tags]


@lru_cache(maxsize=1)
def verbs_of_changes() -> frozenset[str]:
    """Return the words with which a request for a change of papers begins."""
    begins = (form(text)[0].words for act in (*SHELF, *NOTE_CHANGES, *MARKS) for text in act.forms)
    return frozenset(words[0] for alternatives in begins for words in alternatives) - NEGATIONS - {"my", "more"}


def _tags_in(text: str) -> list[str]:
    """Return the tags that a text lists."""
    bare = re.sub(r"^(?:the )?(?:tags?|labels?)\b[: ]*", "", text.strip(), flags=re.IGNORECASE)
    bare = re.sub(r"[ ,]+(?:please|pls|thanks|thank you)$", "", bare, flags=re.IGNORECASE)
    tags = [part.strip(" \"'“”‘’#.") for part in re.split(r",|;|\s+and\s+|&", bare)]
    return [tag for tag in tags if tag]


def _tagged(sentence: MatchedMessage) -> MessagePlan | None:
    tags = _tags(sentence)
    if not tags:
        return None
    _start, end = sentence.spans["papers"]
    if sentence.has("papers") and sentence.spans["tags"][0] == end:  # no word between papers and tags
        selection, turn = sentence.papers(one=True), sentence.turn
        if sentence.words("tags")[0] in NOUNS:
            return None  # "tag the second one labor"
        ends = sentence.words("papers")[-1] in NOUNS  # "tag the sleep papers later"
        most = 2 if selection.names or selection.onward or ends else 1
        if most == 1:
            both = turn.reader.read(sentence.spans["papers"][0], sentence.spans["tags"][1], one=True)
            if not (one_paper(selection, turn).name and both.rest):
                return None  # "tag the bed net trial": the last word is not a tag
        if len(tags[0].split()) > most:
            return None
    return changed(sentence, lambda names: call("tag", papers=list(names), add=tags))


def _untagged(sentence: MatchedMessage) -> MessagePlan | None:
    tags = _tags(sentence)
    if not tags:
        return None
    if strange := [tag for tag in tags if not sentence.turn.names.known_tag(tag)]:
        return _no_such_tag(sentence, strange[0])
    elsewhere = not sentence.has("papers") and not sentence.turn.shown and not sentence.turn.has_it
    selection = sentence.papers()
    if elsewhere or selection.whole:
        calls, names, onward = papers_with(selection, {"tags": tags}, sentence.turn)
        return MessagePlan(calls=(*calls, call("tag", papers=list(names), remove=tags)), onward=onward)
    return changed(sentence, lambda names: call("tag", papers=list(names), remove=tags))


def _of_known(plan: Plan) -> Plan:
    """Return a plan for tags that the library has, named without a word for tags: "add the first to thesis"."""
    return lambda sentence: plan(sentence) if all(map(sentence.turn.names.known_tag, _tags(sentence) or [""])) else None


def _tag_to_remove(sentence: MatchedMessage, *, every: bool = False) -> MessagePlan | None:
    """Ask which tag of a paper to take off, "untag the attention paper"; or take off `every` one."""
    paper = one_paper(sentence.papers(one=True), sentence.turn)
    numbers = sentence.turn.named([paper.name]) if paper.name and not paper.calls else None
    tags = [tag for number in numbers or () for tag in sentence.turn.names.tags_of(number)]
    if every and tags:
        return MessagePlan(calls=(call("tag", papers=[paper.name], remove=tags),), onward=True)
    options = [Option(f"“{tag}”", (call("tag", papers=[paper.name], remove=[tag]),), True) for tag in tags]
    reply = "Which tag should I remove?"
    return MessagePlan(reply=reply, understood=False, options=tuple(options)) if options else None


def _no_such_tag(sentence: MatchedMessage, tag: str) -> MessagePlan:
    """Report that the library has no such tag, with similar tags."""
    return MessagePlan(unknown=(Unknown("tag", tag, tuple(sentence.turn.names.near_tag(tag))),))


def _renamed(sentence: MatchedMessage) -> MessagePlan | None:
    """Replace a tag, on the papers of the slot or on all that have it."""
    old, new = _tags_in(sentence.text("tags")), _tags_in(sentence.text("new"))
    if len(old) != 1 or len(new) != 1:
        return None
    tag = sentence.turn.names.known_tag(old[0])
    if "papers" in sentence.spans:
        return changed(sentence, lambda names: call("tag", papers=[*names], add=new, remove=old)) if tag else None
    if tag is None:
        return _no_such_tag(sentence, old[0])
    return MessagePlan(calls=(call("filter", tags=[tag]), call("tag", papers=["@all"], add=new, remove=[tag])))


SHELF = acts(
    """
unsave | take papers off your shelf | remove the second from my shelf
  unsave {papers}; REMOVE|throw|kick|discard {papers} from|off|out_of [of] ON_SHELF; take|throw|kick|remove {papers} off
  [ON_SHELF|it]; delete|unshelve {papers}; i do_not need|want {papers} any_more|anymore [out_with_it]; do_not keep
  {papers} [on|in]
  [ON_SHELF]
save | save papers, after asking you | save those and tag them thesis
  save|bookmark|shelve|store {papers?} [to|on|in|into] [ON_SHELF]; add|put|place {papers} to|on|onto|in|into ON_SHELF;
  save|bookmark|shelve|store {papers} with|under [the] LABELS {tags}; save|bookmark|shelve|store {papers}
  under|as|tagged {tags}; save|bookmark|shelve|store {papers} [,] [and] tag|label [it|them|these|those] [as|with]
  {tags}; add|put {papers} on|to|in|into ON_SHELF with|under|tagged [the] [LABELS|as] {tags}
tag | tag papers, after asking you | tag the first as thesis
  add|put|file|move|sort {papers} to|on|in|into|under|onto [my|the] {tags} list|pile|folder|tag|collection|group|bucket;
  tag|label {papers} as|with|: [the] [LABELS|:] {tags}; tag|label {papers} {tags};
  add|give|attach|put|assign|stick|pin|slap|set|apply [it] [instead] [the|a]
  [new] LABELS {tags} [instead] [to|on|onto|for] {papers?}; give {papers}
  [the|a|my] LABELS {tags}; add|put|assign [the] {tags} LABELS
  to|on|for {papers}; add|assign|put {papers} to|under|into|in [the|my] LABELS {tags}; add {tags} as|as_a LABELS to|for
  {papers}; add|put|save|move {papers} to|on|in|into [a|the|my] [new] [reading] list|collection|folder|pile called|named
  {tags}; {papers} should|shall get|have|be [the] LABELS {tags}
file | | add the first to thesis
  add|put|file|move|sort {papers} to|on|in|into|under|onto [my|the] {tags}
unfile | | remove the first from thesis
  REMOVE {papers} from [my|the] {tags}
untag which | | untag the first
  untag {papers}
untag all | | remove all tags from the first
  REMOVE all [of] [the|its|their] LABELS off|from|of|on {papers}
move | | move the first from seminar to methods
  move {papers} from {tags} to {new}
untag | take a tag off papers, after asking you | remove the tag thesis from the first
  REMOVE|strip [the|my] [LABELS] {tags} from|off|of {papers}; untag {papers} [as|from|with] {tags};
  untag {tags} from|on|off|of {papers}; REMOVE|strip
  [the|my] {tags} LABELS [away] from|off|of {papers}; take [the] LABELS {tags} away from {papers}; REMOVE [the|my]
  LABELS {tags}; REMOVE [the|my] {tags} LABELS; {papers} no_longer|does_not need|needs|have|has|deserve|deserves [the]
  LABELS {tags} [any_more|anymore|any_longer]; take {papers} off|out_of [the] LABELS {tags}
rename | rename a tag, after asking you | rename the tag later to to-read
  rename [the|my] [LABELS] {tags} to|into|as {new}; change [the|my] LABELS {tags} to|into {new}; rename [the|my] {tags}
  LABELS to|into|as {new}
""".replace("REMOVE", "remove|delete|take|drop|get_rid_of")
    .replace(
        "ON_SHELF",
        "my_shelf|the_shelf|shelf|my_library|my_saved_papers|saved_papers|my_collection|my_saved|my_list|my_papers|"
        "my_reading_list|the_reading_list",
    )
    .replace("LABELS", "tag|tags|label|labels"),
    {
        "unsave": lambda sentence: changed(sentence, lambda names: call("unsave", papers=list(names))),
        "save": _saved,
        "tag": _tagged,
        "file": _of_known(_tagged),
        "unfile": _of_known(_untagged),
        "untag which": _tag_to_remove,
        "untag all": lambda sentence: _tag_to_remove(sentence, every=True),
        "untag": _untagged,
        "rename": _renamed,
        "move": _renamed,
    },
)
