"""Acts that save, tag, export and check papers."""

import re
from dataclasses import replace
from functools import lru_cache

from agents.reading.acts.act import EXTENT, LABELS, MatchedMessage, acts, changed
from agents.reading.acts.marks import MARKS, NOTE_CHANGES
from agents.reading.choosing import one_paper, papers_with
from agents.reading.cues import NEGATIONS, NOUNS
from agents.reading.reading import MessagePlan, Option, ToolCall, Unknown, call
from agents.reading.tokens import tokens_of

FORMATS = {
    name: of or name
    for name, _, of in (
        word.partition("=")
        for word in "bibtex bib=bibtex latex=bibtex biblatex ris endnote=ris zotero=ris csl-json csl=csl-json"
        " json=csl-json markdown md=markdown csv spreadsheet=csv excel=csv text apa ieee vancouver chicago mla".split()
    )
}

STYLES = frozenset({"apa", "ieee", "vancouver", "chicago", "mla", "nature"})


def format_of(word: str) -> str:
    """Return the format that a word or the name of a file says, "bib" or "chapter.bib"; "" if it says none."""
    return FORMATS.get(word.rpartition(".")[2], "")


def _exported(sentence: MatchedMessage) -> MessagePlan | None:
    """Export in the format that the message names; if it names a file, say that chat writes none."""
    words = [format_of(word) or word for word in sentence.words("format") if format_of(word) or word in STYLES]
    name = words[0] if words else ""
    given = {"format": "text", "style": name} if name in STYLES else {"format": name} if name else {}

    def make(papers: tuple[str, ...]) -> ToolCall:
        return call("export", papers=list(papers), **given)

    reading = changed(sentence, make)
    if reading is None or not reading.calls or "." not in sentence.text("format"):
        return reading
    return replace(reading, reply="Chat prints entries and writes no file; `spar export` writes files.")


EXPORT, CHECK = acts(
    """
export | write a bibliography | export my thesis papers as BibTeX
  ! EXPORT [BIBLIOGRAPHY] [file|format|style] {papers} {format}; ! EXPORT [BIBLIOGRAPHY] [file|format] {papers};
  BIBLIOGRAPHY [EXPORT] [file|format|style|entry|entries] {papers} {format};
  [file|format|style|table|sheet|document|list] [EXPORT|formatted|styled|version|BIBLIOGRAPHY]
  [write|make|create|build|give|need] {papers} {format}; !
  cite [how|should] {papers} {format}; ! cite [how|should] {papers}; how cite|reference [one|people|do|in_a|style]
  {papers} {format}; how cite|reference [one|people|do] {papers}; !
  write|make|create|build|generate|produce|give|need bibliography|reference_list|list_of_references|reference|
  bib_file|bibliographies [proper|formatted|full] {papers}; bibliography|reference_list {papers};
  formatted|latex|reference_manager|word_document {papers}
check | check papers for retractions and missing fields | check these
  ! run|do|make check|checks [over|on|of|retracted|missing|fields|anything|with|or|errors|problems] {papers}; ! check|
  verify|validate|inspect|audit|vet|scan|examine|double-check [retractions|retraction|retracted|errors|mistakes|
  missing_fields|missing|fields|details|data|problems|completeness|complete|duplicates|correct|withdrawn|gaps|
  metadata|information|issues|incomplete|if|whether|been|published] {papers}; wrong|amiss|suspicious [anything|
  something|with] {papers}; complete|correct [metadata|records|information] {papers}; missing|incomplete [anything|
  details|fields|metadata|information|any|problems] fields|details|metadata|information|data {papers}
""",
    {"export": _exported, "check": lambda sentence: changed(sentence, lambda names: call("check", papers=list(names)))},
)


_LONGEST_TAG = 4
"""Maximum number of words of a new tag."""


def _unsaved(sentence: MatchedMessage) -> MessagePlan | None:
    """Take papers off the shelf. If a list is shown and the shelf is not named, others come first: "drop the first"."""
    marks = LABELS | {"note", "notes"}
    nouns = (word for word in sentence.words("papers") if word in marks | NOUNS)
    sentence.texts.discard("papers")
    if next(nouns, "") in marks:
        return None  # "get rid of the tag thesis", "the thesis tag can go"
    reading = changed(sentence, lambda names: call("unsave", papers=list(names)))
    listed = sentence.turn.context.candidates is not None and _SHELVES.isdisjoint(sentence.turn.said)
    return replace(reading, weak=True) if reading and listed else reading


_SHELVES = frozenset("shelf library collection bookshelf saved unsave list".split())


def _saved(sentence: MatchedMessage) -> MessagePlan | None:
    tags = _tags(sentence)
    if sentence.has("tags") and not tags:
        return None
    reading = changed(sentence, lambda names: call("save", papers=list(names), tags=tags), shelf=False)
    narrows = sentence.turn.context.candidates is not None and "keep" in sentence.turn.said
    return replace(reading, weak=True) if reading and narrows and _SHELVES.isdisjoint(sentence.turn.said) else reading


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
    rows = (row for act in (*SHELF, *NOTE_CHANGES, *MARKS) for row in act.patterns if row.mood == "!")
    return frozenset(word for row in rows for word in row.anchors[0].firsts) - NEGATIONS


@lru_cache(maxsize=1)
def changing_acts() -> frozenset[str]:
    """Return the names of the acts that change papers."""
    return frozenset(act.name for act in (*SHELF, *NOTE_CHANGES, *MARKS))


def _tags_in(text: str) -> list[str]:
    """Return the tags that a text lists."""
    bare = re.sub(r"^(?:the )?(?:tags?|labels?)\b[: ]*", "", text.strip(), flags=re.IGNORECASE)
    bare = re.sub(r"[ ,]+(?:please|pls|thanks|thank you)$", "", bare, flags=re.IGNORECASE)
    tags = [part.strip(" \"'“”‘’#.") for part in re.split(r",|;|\s+and\s+|&", bare)]
    return [tag for tag in tags if tag]


def _tagged(sentence: MatchedMessage) -> MessagePlan | None:
    tags = _tags(sentence)
    if not tags or sentence.words("tags")[0] in NOUNS:
        return None
    return changed(sentence, lambda names: call("tag", papers=list(names), add=tags))


def _filed(sentence: MatchedMessage) -> MessagePlan | None:
    """Tag papers without a word for tags: with a tag that the library has, "add the first to thesis", or beside another
    change of tags, "and give it methods instead"."""
    known = all(map(sentence.turn.names.known_tag, _tags(sentence) or [""]))
    return _tagged(sentence) if known or sentence.turn.after == "tag" else None


def _untagged(sentence: MatchedMessage) -> MessagePlan | None:
    tags = _tags(sentence)
    if not tags:
        return None
    if strange := [tag for tag in tags if not sentence.turn.names.known_tag(tag)]:
        return _no_such_tag(sentence, strange[0])
    selection, turn = sentence.papers(), sentence.turn
    everywhere = not (turn.shown or turn.has_it) or not (EXTENT | {"delete"}).isdisjoint(turn.said)
    if selection.whole or (everywhere and not sentence.has("papers")):
        calls, names, onward = papers_with(selection, {"tags": tags}, sentence.turn)
        return MessagePlan(calls=(*calls, call("tag", papers=list(names), remove=tags)), onward=onward)
    return changed(sentence, lambda names: call("tag", papers=list(names), remove=tags))


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


def _said_tag(sentence: MatchedMessage, change: str) -> MessagePlan | None:
    """Add or remove the tag that the message names elsewhere: "it is no methods paper, take that tag off"."""
    tokens, names = tokens_of(sentence.turn.message), sentence.turn.names
    tags = [tag[0] for at in range(len(tokens)) if (tag := names.tag_at(tokens, at))]
    tags += [
        tag
        for step in sentence.turn.before
        for name in ("tags", "add", "remove")
        for tag in step.arguments.get(name, ())
    ]
    if not tags:
        return None
    return changed(sentence, lambda papers: call("tag", papers=list(papers), **{change: tags[:1]}))


def _no_such_tag(sentence: MatchedMessage, tag: str) -> MessagePlan:
    """Report that the library has no such tag, with similar tags."""
    return MessagePlan(unknown=(Unknown("tag", tag, tuple(sentence.turn.names.near_tag(tag))),))


def _renamed(sentence: MatchedMessage) -> MessagePlan | None:
    """Replace a tag, on the papers of the slot or on all that have it."""
    old, new = _tags_in(sentence.text("tags")), _tags_in(sentence.text("new"))
    if len(old) != 1 or len(new) != 1:
        return None
    tag = sentence.turn.names.known_tag(old[0])
    new = [sentence.turn.names.known_tag(new[0]) or new[0]]
    if sentence.has("papers"):
        return changed(sentence, lambda names: call("tag", papers=[*names], add=new, remove=[tag])) if tag else None
    if tag is None:
        return _no_such_tag(sentence, old[0])
    return MessagePlan(calls=(call("filter", tags=[tag]), call("tag", papers=["@all"], add=new, remove=[tag])))


SHELF = acts(
    """
tag | tag papers, after asking you | tag the first as thesis
  ! tag|label|categorize|categorise|file|classify [LABELS] {papers} {tags}; ! mark|flag LABELS {papers} {tags}; ! PUT|
  GIVE LABELS [instead] {papers} {tags}; belongs|belong|goes|falls to|in|under|into [LABELS] {papers} {tags}; SHOULD
  LABELS [GETS|all] {papers} {tags}; SHOULD tagged|labelled|labeled|filed {papers} {tags}; ! PUT list|pile|folder|
  group|bucket [reading] {papers} {tags}
unsave | take papers off your shelf | remove the second from my shelf
  ! REMOVE SHELF {papers}; ! unsave|unshelve|unbookmark {papers}; ! REMOVE {papers}; not need|want|keep [any_more|
  anymore|any_longer|longer] {papers}; no_longer need|want {papers}; should|can go {papers}
save | save papers, after asking you | save those and tag them thesis
  ! SAVE SHELF {papers}; ! SAVE {papers}; ! PUT SHELF {papers}; ! SAVE LABELS [SHELF] {papers} {tags}; ! SAVE under|
  as|tagged [SHELF] {papers} {tags}; ! PUT SHELF LABELS|tagged|as|under {papers} {tags}; should|goes|belongs SHELF
  {papers}; SHOULD be added|put|saved|kept|stored SHELF {papers}
file | | add the first to thesis
  ! PUT {papers} {known}; ! GIVE [instead] {papers} {tags}; SHOULD go_under|go_into|go_in|be_in|be_under {papers}
  {tags}
untag which | | untag the first
  ! untag {papers}
that tag | | take that tag off it
  ! REMOVE|untag that_tag|this_tag|those_tags|these_tags [again] {papers}
give that tag | | give it that tag
  ! GIVE|PUT that_tag|this_tag|those_tags|these_tags|same_tag [again] {papers}
untag all | | remove all tags from the first
  ! REMOVE all_tags|all_the_tags|all_its_tags|all_of_its_tags|all_their_tags|every_tag|its_tags|their_tags {papers}
move | | move the first from seminar to methods
  ! move|switch|change|shift from [LABELS] {papers} {known} {new}; ! replace|swap|exchange [LABELS] with|for|by
  {papers} {known} {new}; ! REMOVE instead [LABELS] PUT|GIVE {papers} {known} {new}
untag | take a tag off papers, after asking you | remove the tag thesis from the first
  ! REMOVE LABELS [EXTENT] {papers} {tags}; should|can go LABELS [EXTENT] {papers} {tags}; ! untag [LABELS] {papers}
  {tags}; ! REMOVE [EXTENT] {papers} {known}; no_longer need|needs|have|has|deserve|deserves|want|belong|belongs
  [LABELS] {papers} {known}; should not tagged|carry|have|be|labelled [be|LABELS] {papers} {known}; not need|have|
  belong|deserve [LABELS] {papers} {known}
rename | rename a tag, after asking you | rename the tag later to to-read
  ! RENAME [LABELS|EXTENT] to|into|as {known} {new}; ! change LABELS [EXTENT] to|into|as {known} {new}; LABELS should
  called|named|be [EXTENT] {known} {new}; ! call LABELS [instead|EXTENT] {known} {new}; ! merge|fold LABELS [EXTENT]
  into|with|to {known} {new}; ! change [EXTENT] to|into {known} {new}
""",
    {
        "unsave": _unsaved,
        "save": _saved,
        "tag": _tagged,
        "file": _filed,
        "untag which": _tag_to_remove,
        "that tag": lambda sentence: _said_tag(sentence, "remove"),
        "give that tag": lambda sentence: _said_tag(sentence, "add"),
        "untag all": lambda sentence: _tag_to_remove(sentence, every=True),
        "untag": _untagged,
        "rename": _renamed,
        "move": _renamed,
    },
)
