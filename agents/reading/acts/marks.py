"""Acts that mark papers as read, liked, disliked and dismissed."""

from agents.reading.acts.act import MatchedMessage, Plan, acts, changed, fixed_plan
from agents.reading.numbers import number_at
from agents.reading.reading import MessagePlan, Option, ToolCall, Unknown, call


def _noted(sentence: MatchedMessage, *, below: bool = False) -> MessagePlan | None:
    """Write a note, or erase it if there is no text; with `below`, append to the note that the paper has."""
    text, turn = sentence.text("text"), sentence.turn
    if "text" in sentence.spans and not text:
        return None

    def make(names: tuple[str, ...]) -> ToolCall:
        before = turn.note_of(names[0]) if below else ""
        return ToolCall("note", {"paper": names[0], "text": "\n".join(filter(None, (before, text)))})

    return changed(sentence, make, one=True)


NOTE_CHANGES = acts(
    """
unnote | erase a note, after asking you | erase the note on the first
  delete|remove|erase|clear|drop|scrap|discard [the|my] note|notes of|on|about|from|for {papers}; erase|delete|remove
  {papers} ['s]
  note; delete|remove|erase|clear|drop|scrap|discard [the|my|this|that|its] note|notes [completely|entirely|again]
rewrite note | | change the note on the first to: read again
  change|edit|update|replace|rewrite [the|my|that] note|comment [on|of|for|about] {papers?} to|with|by|: [:] {text}; set
  [the|my] note on|for|of {papers} to {text}; [my] note on|for|to|about {papers} should|shall be|say|read [:] {text}
note | write a note, after asking you | note on the first: check table 2
  add|write|make|put|attach|leave [a|the|this] note|comment to|on|about|for|with {papers} : {text};
  add|append|write|put to|on|under {papers} : {text}; add|attach|put|write|leave to|on|for {papers} a_note|a_comment
  [that_says|saying|which_says|reading] [:] {text}; jot|scribble|stick|slap|leave|put|make|write a_note|a_comment
  on|to|under|for {papers}
  saying|that_says|reading|: [:] {text};
  add|write|make|put|attach|leave [a|the|this] note|comment to|on|about|for|with {papers} saying|that|which_says|reading
  {text}; note|comment [to_self|to_myself] on|about|for|to|down_for {papers} : {text}; note|comment on|about|for|to
  {papers} that|saying {text}; add|write|make [a|the] note|comment : {text}; add|write|make [a|the] note|comment
  that|saying {text}; annotate {papers} with|: {text}; write|put|add|attach|save {text} as|as_a note|comment
  on|about|for|to {papers}; add|put|write|attach [the|a] note|comment {text} to|on|for {papers}; note : {text}; note
  {papers} : {text}; write|jot|note down|to|for {papers} : {text}; note that {text};
  add|append|write [this|the_following] to [the|my|that|this|its] note|notes [on|of|about|for] {papers?} : {text};
  add|append [to] it : {text}; write|add|append|put {text} into|in|to
  the_note|my_note|that_note|the_notes|my_notes|notes [of|on|about|for] {papers?}; note|comment for|on|to {papers} ,
  {text}; write|jot_down|note_down|write_down that {text}; add|append [to] {papers} 's note : {text}
""",
    {"unnote": _noted, "rewrite note": _noted, "note": lambda sentence: _noted(sentence, below=True)},
)


def _with_note(sentence: MatchedMessage) -> MessagePlan | None:
    """Find the papers whose notes have these words."""
    text, names = sentence.text("text"), sentence.turn.names
    numbers = names.noting(text.split())
    if not numbers:
        return MessagePlan(unknown=(Unknown("note", text, tuple(names.near_word(text))),))
    return MessagePlan(calls=(call("take", papers=[f"#{number}" for number in numbers]), ToolCall("list")))


NOTES = acts(
    """
notes | show your notes | what are my notes?
  [what|which] [are|were] [all] [my|the] notes; [all] my notes [on_everything];
  what notes do|have i [have|made|taken|written]; what did i note; [all] my notes and comments
noted | find the papers whose notes have a word | search my notes for Kenya
  search [in] my notes for {text}
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
    if not sentence.has("papers") or selection.names or selection.onward or selection.definite or each:
        return _marked("read")(sentence)
    return None


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
  mark|set|flag {papers?} [as] [already] read|finished
done reading | mark papers as read, after asking you | mark the first as read
  i [have|just] [just|now] [finished] read|reading {papers}; i_am done with {papers}; [i] [have] [just] finished
  [reading] {papers}
mark unread | mark papers as unread, after asking you | mark the first as unread
  mark|set|flag {papers?} [back] [as|to] unread|not_read|to_read; i have|did not [yet|actually] [yet] read {papers} yet;
  unmark {papers} as read
like | note that you like papers, after asking you | I like the first
  i [really|quite] like|love|liked|loved|enjoyed {papers}; like|upvote {papers}; [give] {papers}
  a_thumbs_up|thumbs_up;
  [give] [a] thumbs_up for|to {papers}; mark|note|rate|flag {papers} as liked|good|a_favorite|favorite|positive; rate
  {papers} up|good|highly|as_good|positively|well; {papers} is|are|was|were
  great|good|useful|excellent|interesting|brilliant; more like {papers} please; add {papers}
  to_my_favorites|to_favorites
dislike | note that you dislike papers, after asking you | I don't like the second
  i [really] do|did not [really] like|enjoy {papers}; [i] dislike|disliked|hate|hated|downvote {papers}; [give] {papers}
  a_thumbs_down|thumbs_down; [give] [a] thumbs_down for|to {papers}; mark|note|rate|flag {papers} as
  disliked|bad|negative; rate {papers} down|bad|badly|poorly|as_bad|negatively; {papers} is|are|was|were
  bad|useless|terrible|boring
unrated | take back that you like or dislike papers, after asking you | take back the like of the first
  remove|clear|delete|erase|drop|take_back|withdraw [the|my] like|dislike|rating|ratings|thumb of|on|from|for|off
  {papers}; take [the|my] like|dislike|rating off|from {papers}; unlike|unrate {papers}; mark {papers} as
  unrated|neither_liked_nor_disliked; remove|clear|take_back [the|my|its] like|dislike|rating
dismiss | dismiss papers, after asking you | dismiss the third
  i_am not interested in {papers}; not interested in {papers}; dismiss|hide {papers}; {papers} is|are not
  for|interesting for|to me; do_not|never show|recommend [me] {papers} again|anymore; mark {papers} as
  not_for_me|dismissed|irrelevant
""",
    {
        "mark read": _marked("read"),
        "done reading": _done_reading,
        "mark unread": _marked("unread"),
        "like": _liked("like"),
        "dislike": _liked("dislike"),
        "unrated": _marked("unrated"),
        "dismiss": _liked("dismiss"),
    },
)

(STARS,) = acts(
    """
stars | | rate the first
  rate|give {papers} {n} stars|star|points [out_of|of|from]
  [5|five|10|ten]; rate {papers} {n}; rate {papers}; {n} stars for {papers}; give|put {n}
  stars|star|points [out_of|of|from] [5|five|10|ten] on|to {papers}
""",
    {"stars": _rated},
)
