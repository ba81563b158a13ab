"""Acts that write what the person likes into the profile, and show the profile."""

from agents.reading.acts.act import Plan, Sentence, acts, fixed_plan
from agents.reading.reading import Call, Reading


def _remembered(facet: str) -> Plan:
    return lambda sentence: Reading(calls=(Call("remember", {"facet": facet, "text": sentence.text("text")}),))


def _preference(sentence: Sentence, facet: str) -> Reading | None:
    start, end = sentence.spans["text"]
    selection = sentence.turn.reader.read(start, end, one=True)
    if selection.names or selection.onward:
        return None
    return _remembered(facet)(sentence)


PREFERENCES = acts(
    """
remember like | write what you like into your profile | remember that I like open data
  remember|note|keep_in_mind [that] i [generally|usually] like|prefer|love|want {text}; i [generally|usually]
  prefer|like|love {text}; add to my profile|taste|interests that_i_like|: {text}; i_am interested in {text}
remember dislike | write what you dislike into your profile | remember that I dislike surveys
  remember|note|keep_in_mind [that] i do_not|dislike|hate [like|want] {text};
  i [generally|usually] dislike|hate|avoid {text}; i_am not interested in {text}
remember expect | write what you expect into your profile | remember that I expect an ablation
  remember|note|keep_in_mind [that] i expect|require|need {text}; i expect {text}
""",
    {
        "remember like": lambda sentence: _preference(sentence, "like"),
        "remember dislike": lambda sentence: _preference(sentence, "dislike"),
        "remember expect": _remembered("expect"),
    },
)

(PROFILE,) = acts(
    """
profile | tell what is thought of your taste | what do you know about my taste?
  what do|does you|spar know|think|believe [about|of] [me|my] [taste|interests|preferences|likes|profile|reading];
  [my] profile|taste|interests|preferences; my research interests; what do i like|prefer|dislike|expect; what
  kind|sort of papers do i like|prefer; what is in|on my profile; what do|have you learned|understood about
  me|my_taste; according_to my profile {text}
""",
    {"profile": fixed_plan(Call("profile"))},
)
