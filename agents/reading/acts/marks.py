"""Acts that mark papers as read, liked, disliked and dismissed."""

from agents.reading.acts.act import Plan, Sentence, acts
from agents.reading.acts.changes import changed
from agents.reading.numbers import number_at
from agents.reading.reading import Call, Option, Reading


def _marked(mark: str) -> Plan:
    def plan(sentence: Sentence) -> Reading | None:
        return changed(sentence, lambda names: Call("mark", {"papers": list(names), "as": mark}))

    return plan


def _done_reading(sentence: Sentence) -> Reading | None:
    """ "I read the battery paper" marks it; "papers I read" and "I read last week" do not come here."""
    selection = sentence.papers(one=True)
    if not sentence.has("papers") or selection.names or selection.onward or (selection.definite and selection.single):
        return _marked("read")(sentence)
    return None


def _liked(mark: str) -> Plan:
    """What is liked is a paper that is named; a kind of papers is for the profile."""

    def plan(sentence: Sentence) -> Reading | None:
        selection = sentence.papers(one=True)
        if not (selection.names or selection.onward or selection.definite) or selection.given.get("rating"):
            return None
        if selection.names == ["@it"] and not sentence.turn.has_it:
            return None
        return _marked(mark)(sentence)

    return plan


def _rated(sentence: Sentence) -> Reading | None:
    """There are no stars: liked or disliked is asked back."""
    words = [word for word in sentence.words("n") if word.isalnum()]
    if words and number_at(words, 0) is None:
        return None
    options: list[Option] = []
    for mark, word in (("like", "as liked"), ("dislike", "as disliked")):
        reading = _marked(mark)(sentence)
        if reading is None or not reading.is_whole or not reading.understood:
            return reading
        options.append(Option(f"mark it {word}", reading.calls, reading.onward))
    return Reading(
        reply="A paper can be liked or disliked; there are no stars.", understood=False, options=tuple(options)
    )


MARKS = acts(
    """
mark read | | mark these as read
  mark|set|flag {papers?} as [already] read|finished; mark|set|flag {papers} read|finished
done reading | mark papers as read, after asking you | mark the first as read
  i [have|just] [just|now] [finished] read|reading {papers}; i_am done with {papers};
  i have|just [just] finished [reading] {papers}; finished [reading] {papers}
mark unread | mark papers as unread, after asking you | mark the first as unread
  mark|set|flag {papers?} as unread|not_read|to_read; mark|set|flag {papers} unread;
  i have|did not [yet|actually] [yet] read {papers} yet; unmark {papers} as read
like | note that you like papers, after asking you | I like the first
  i [really|quite] like|love|liked|loved|enjoyed {papers}; like|upvote {papers};
  rate {papers} up|good|highly|as_good|positively|well; give {papers} a_thumbs_up|thumbs_up;
  thumbs_up for|to {papers}; mark|note|rate|flag {papers} as liked|good|a_favorite|favorite|positive;
  {papers} is|are|was|were great|good|useful|excellent|interesting|brilliant; more like {papers} please;
  add {papers} to_my_favorites|to_favorites
dislike | note that you dislike papers, after asking you | I don't like the second
  i [really] do|did not [really] like|enjoy {papers}; dislike|downvote {papers};
  i dislike|disliked|hate|hated {papers}; rate {papers} down|bad|badly|poorly|as_bad|negatively;
  give {papers} a_thumbs_down|thumbs_down; thumbs_down for|to {papers};
  mark|note|rate|flag {papers} as disliked|bad|negative; {papers} is|are|was|were bad|useless|terrible|boring
dismiss | dismiss papers, after asking you | dismiss the third
  i_am not interested in {papers}; not interested in {papers}; dismiss|hide {papers}; never show [me] {papers} again;
  mark {papers} as not_for_me|dismissed|irrelevant; {papers} is|are not for|interesting for|to me;
  do_not show|recommend [me] {papers} again|anymore
""",
    {
        "mark read": _marked("read"),
        "done reading": _done_reading,
        "mark unread": _marked("unread"),
        "like": _liked("like"),
        "dislike": _liked("dislike"),
        "dismiss": _liked("dismiss"),
    },
)

(STARS,) = acts(
    """
stars | | rate the first
  rate|give {papers} {n} stars|star|points; rate {papers} {n}; rate {papers}; {n} stars for {papers}
""",
    {"stars": _rated},
)
