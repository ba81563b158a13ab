"""Acts that mark papers as read, liked, disliked and dismissed."""

from dataclasses import replace

from agents.reading.acts.act import MatchedMessage, Plan, acts, changed, fixed_plan
from agents.reading.choosing import MessageContext
from agents.reading.cues import FILLERS
from agents.reading.numbers import number_at
from agents.reading.reading import MessagePlan, Option, ToolCall, Unknown, call
from agents.reading.tokens import folded


def _of_note(turn: MessageContext) -> bool:
    """Whether the request before was about a note, or this one says that it is."""
    notes = {"note", "notes", "comment", "comments", "annotation", "memo"}
    return any("note" in (call.tool, *call.arguments.get("parts", ())) for call in turn.before) or bool(
        notes & turn.said
    )


def _noted(sentence: MatchedMessage, *, below: bool = False) -> MessagePlan | None:
    """Write a note, or erase it if there is no text; with `below`, append to the note that the paper has."""
    text, turn = sentence.text("text"), sentence.turn
    if "text" in sentence.spans and not text:
        return None
    if "papers" not in sentence.spans and not below and not _of_note(turn):
        return None  # "replace it by: …" is about a note only behind one

    def make(names: tuple[str, ...]) -> ToolCall:
        before = turn.note_of(names[0]) if below else ""
        return ToolCall("note", {"paper": names[0], "text": "\n".join(filter(None, (before, text)))})

    return changed(sentence, make, one=True)


NOTE_CHANGES = acts(
    """
unnote | erase a note, after asking you | erase the note on the first
  ! REMOVE NOTE {papers}
rewrite note | | change the note on the first to: read again
  ! CHANGE NOTE {papers} {text}; NOTE should {papers} {text}; ! replace|change|edit|rewrite|overwrite it|that {text}
note | write a note, after asking you | note on the first: check table 2
  ! WRITE NOTE [to_self|to_myself|self] {papers} {text}; NOTE [to_self|to_myself|self] {papers} {text}; ! write|jot|
  scribble|add|append|record|annotate {papers} {text}
""",
    {"unnote": _noted, "rewrite note": _noted, "note": lambda sentence: _noted(sentence, below=True)},
)


def _with_note(sentence: MatchedMessage) -> MessagePlan | None:
    """Find the papers whose notes have these words."""
    text, names = sentence.text("topic"), sentence.turn.names
    text = " ".join(word for word in text.split() if folded(word) not in FILLERS)
    numbers = names.noting(text.split())
    if not numbers:
        return MessagePlan(unknown=(Unknown("note", text, tuple(names.near_word(text))),))
    return MessagePlan(calls=(call("take", papers=[f"#{number}" for number in numbers]), ToolCall("list")))


NOTES = acts(
    """
notes | show your notes | what are my notes?
  notes|comments [all] [my] [what|which] [have|made|taken|written|wrote]; what i note
noted | find the papers whose notes have a word | search my notes for Kenya
  ! SEARCH notes|note|comments {topic}; notes|note mention|mentions|mentioned|say|says|contain|contains [where|which|
  in] {topic}; in which|what notes [mention] {topic}
""",
    {
        "notes": fixed_plan(
            ToolCall("query", {"sql": "SELECT paper, title, note FROM shelf WHERE note != '' ORDER BY saved DESC"})
        ),
        "noted": _with_note,
    },
)


def _marked(mark: str) -> Plan:
    return lambda sentence: changed(sentence, lambda names: ToolCall("mark", {"papers": list(names), "as": mark}))


def _done_reading(sentence: MatchedMessage) -> MessagePlan | None:
    """Mark papers as read after "I read the battery paper", but not after "papers I read" or "I read last week"."""
    selection = sentence.papers(one=True)
    each = not {"all", "every", "everything", "both", "each"}.isdisjoint(sentence.words("papers"))
    if not (not sentence.has("papers") or selection.names or selection.onward or selection.definite or each):
        return None
    reading = _marked("read")(sentence)
    earlier = reading is not None and not {"yesterday", "night"}.isdisjoint(sentence.turn.said)
    return replace(reading, taken=("the day of reading as today",)) if reading and earlier else reading


def _not_read(sentence: MatchedMessage) -> MessagePlan | None:
    """Mark papers as unread; "I have not read everything" only says so."""
    selection = sentence.papers(one=True)
    told = {"i", "we"} & sentence.turn.said
    named = selection.names or selection.onward or (selection.definite and (selection.single or not selection.noun))
    return _marked("unread")(sentence) if named or not told or not sentence.has("papers") else None


def _liked(mark: str) -> Plan:
    """Mark papers that are named; liking a kind of papers belongs in the profile."""

    def plan(sentence: MatchedMessage) -> MessagePlan | None:
        selection = sentence.papers(one=True)
        if not (selection.names or selection.onward or selection.definite) or selection.given.get("rating"):
            return None
        if selection.names == ["@it"] and not sentence.turn.has_it:
            return None
        return _marked(mark)(sentence)

    return plan


def _rated(sentence: MatchedMessage) -> MessagePlan | None:
    """Ask whether the paper is liked or disliked, because there are no stars."""
    words = [word for word in sentence.words("n") if word.isalnum()]
    if words and number_at(words, 0) is None:
        return None
    options: list[Option] = []
    for mark in ("like", "dislike"):
        reading = _marked(mark)(sentence)
        if reading is None or not reading.is_whole or not reading.understood:
            return reading
        options.append(Option("{}", reading.calls, reading.onward))
    return MessagePlan(
        reply="A paper can be liked or disliked; there are no stars.", understood=False, options=tuple(options)
    )


MARKS = acts(
    """
mark read | | mark these as read
  ! MARK read|finished|done {papers}; ! MARK off {papers}
done reading | mark papers as read, after asking you | mark the first as read
  . GOT_THROUGH [to_read|reading|read|today|yesterday|last_night|this_morning|this_afternoon|this_evening] {papers}
mark unread | mark papers as unread, after asking you | mark the first as unread
  ! MARK unread|not_read|not_yet_read [back] {papers}; ! unmark|unfinish {papers}; ! REMOVE read mark {papers}; . not|
  never read|finished|finish [yet|to_read|reading] {papers}
like | note that you like papers, after asking you | I like the first
  . LIKED {papers}; ! like|upvote|star|favorite|heart {papers}; ! GIVE|put thumbs_up|thumb_up|a_like|upvote {papers}; !
  thumbs_up|thumb_up {papers}; ! MARK|rate liked|good|great|favorite|favourite|positive|positively|highly|up|excellent
  {papers}; PUT favorites|favourites {papers}; {papers} great|good|useful|excellent|interesting|brilliant|wonderful|
  superb|helpful
dislike | note that you dislike papers, after asking you | I don't like the second
  . HATED {papers}; . not LIKED {papers}; ! dislike|downvote|hate {papers}; ! GIVE|put thumbs_down|thumb_down|
  a_dislike|downvote {papers}; ! thumbs_down|thumb_down {papers}; ! MARK|rate disliked|bad|negative|badly|down|poorly|
  negatively {papers}; {papers} bad|useless|terrible|boring|awful|rubbish|disappointing|dreadful
unrated | take back that you like or dislike papers, after asking you | take back the like of the first
  ! REMOVE RATING [up|down] {papers}; ! take..back|undo|withdraw|revoke|reset|unset RATING [up|down] {papers}; !
  unlike|unrate|undislike {papers}; ! MARK unrated|neutral|neither_liked_nor_disliked|not_rated {papers}
dismiss | dismiss papers, after asking you | dismiss the third
  not interested {papers}; ! dismiss|hide|ignore {papers}; not for_me {papers}; not|never show|recommend again|anymore
  {papers}; ! MARK not_for_me|dismissed|irrelevant {papers}
""",
    {
        "mark read": _marked("read"),
        "done reading": _done_reading,
        "mark unread": _not_read,
        "like": _liked("like"),
        "dislike": _liked("dislike"),
        "unrated": _marked("unrated"),
        "dismiss": _liked("dismiss"),
    },
)

(STARS,) = acts(
    """
stars | | rate the first
  ! rate|give|put|award stars|star|points [out_of|of|from] {papers} {n}; ! rate {papers} {n}; ! rate {papers}; ! rate|
  give|put|award stars|star {papers}; stars|points {papers} {n}
""",
    {"stars": _rated},
)
