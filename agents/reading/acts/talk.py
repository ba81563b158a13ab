"""Acts for thanks, greetings, statements of taste, and requests that cannot be met here."""

from collections.abc import Iterable

from agents.reading.acts.act import MatchedMessage, Plan, acts, changed, fixed_plan
from agents.reading.reading import MessagePlan, Option, ToolCall


def _remembered(facet: str) -> Plan:
    return lambda sentence: MessagePlan(calls=(ToolCall("remember", {"facet": facet, "text": sentence.text("text")}),))


def _preference(sentence: MatchedMessage, facet: str) -> MessagePlan | None:
    start, end = sentence.span("text")
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
  remember|note|keep_in_mind [that] i do_not|dislike|hate [like|want] {text}; i [generally|usually] dislike|hate|avoid
  {text}; i_am not interested in {text}
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
  [what_is_in|what_is_on] [my] [research] profile|taste|interests|preferences; [according_to] [my] [profile] [,] what
  [kind|sort] [of] [papers] do [not] i [not] like|prefer|dislike|expect; what do|have you learned|understood about
  me|my_taste
""",
    {"profile": fixed_plan(ToolCall("profile"))},
)


_THANKS = frozenset(
    "thanks thank you cheers great perfect nice good cool ok okay that this is was 's so very really much a lot for"
    " your the help helpful useful lovely wonderful excellent brilliant awesome all spar bye again and oh wow".split()
)

_GREETINGS = frozenset("hello hi hey there good morning evening afternoon day spar again".split())


_TALK = (
    (_THANKS, "thanks thank cheers great perfect nice good cool ok okay", "You are welcome."),
    (_GREETINGS, "hello hi hey morning evening afternoon", "Hello. What shall I look up in your library?"),
)


def small_talk_reply(words: Iterable[str]) -> str:
    """Return the reply to thanks or a greeting, which has no other words and one of its kind; "" for other messages."""
    spoken = {word for word in words if any(map(str.isalnum, word))}
    replies = (reply for known, needed, reply in _TALK if spoken <= known and not spoken.isdisjoint(needed.split()))
    return next(replies, "")


def _impossible(what: str, *, exported: bool = False) -> Plan:
    """Return a plan that says what cannot be done here, and offers an export of the papers or an abstract."""

    def near(names: tuple[str, ...]) -> ToolCall:
        given = {"papers": list(names)} if exported else {"paper": names[0], "parts": ["abstract"]}
        return ToolCall("export" if exported else "paper", given)

    def plan(sentence: MatchedMessage) -> MessagePlan:
        reading = changed(sentence, near)
        sentence.texts.update(sentence.spans)  # nothing is done, whatever else they say
        options = (Option("{}", reading.calls, reading.onward),) if reading and reading.calls else ()
        return MessagePlan(reply=f"I cannot {what}. Nothing was done.", understood=False, options=options)

    return plan


IMPOSSIBLE = acts(
    """
send | | email these to Ann
  email|e-mail|mail|send|forward|text|message {papers}; email|e-mail|mail|send|forward {papers} to {whom};
  send|mail|email {whom} an|a email|mail|message|copy [of|with|about] {papers?}; share {papers} with {whom}
translate | | translate the abstract of the first
  translate [the] abstract|text|title of {papers} [into|to|in] {language?}; translate {papers}; translate {papers}
  into|to|in {language}
print | | print the first
  print {papers} out; read {papers} aloud|out_loud
remind | | remind me to read the first
  remind me {when?} to|about read|of {papers}; remind me of|about {papers}; set a reminder {when}
judge | | is the first any good?
  is|are|was|were {papers} [really|any]
  good|any_good|worth_it|worth_reading|worth_my_time|trustworthy|reliable|right|wrong|true|well_done|convincing|sound;
  how good|reliable|trustworthy|sound|convincing|important is|are {papers};
  should|can i trust|believe {papers}; what do you think of|about {papers}; do you like|trust|believe|recommend {papers}
publish | | post the first
  post|tweet|upload|publish {papers} on|to|in {where}; buy {papers}
""",
    {
        "send": _impossible("send e-mail or messages", exported=True),
        "translate": _impossible("translate"),
        "print": _impossible("print or read aloud", exported=True),
        "remind": _impossible("remind you of anything"),
        "judge": _impossible("judge whether papers are good"),
        "publish": _impossible("buy or publish papers", exported=True),
    },
)

(WATCHES,) = acts(
    """
watches | | which watches do I have?
  [are] [there] [any] watches [set_up|running|there|active]; do i have [any] watches [running|set_up|active];
  [what|which] [are] [my] watches [do_i_have|are_set_up|are_running|are_there]; what|which am i watching;
  am i watching anything|something
""",
    {"watches": fixed_plan(reply="I cannot look at watches from here: `spar watch` lists them.")},
)
