"""Acts for thanks, greetings, statements of taste, and requests that cannot be met here."""

from collections.abc import Iterable

from agents.reading.acts.act import MatchedMessage, Plan, acts, changed, fixed_plan
from agents.reading.acts.runs import topic_of
from agents.reading.reading import MessagePlan, Option, ToolCall


def _remembered(facet: str) -> Plan:
    return lambda sentence: MessagePlan(calls=(ToolCall("remember", {"facet": facet, "text": sentence.text("taste")}),))


def _preference(sentence: MatchedMessage, facet: str) -> MessagePlan | None:
    start, end = sentence.span("taste")
    selection = sentence.turn.reader.read(start, end, one=True)
    if selection.names or selection.onward or selection.definite:
        return None
    return _remembered(facet)(sentence)


PREFERENCES = acts(
    """
remember like | write what you like into your profile | remember that I like open data
  . like|prefer|love|favor|favour [remember|note|generally|usually|in_general] {taste}; ! add profile|taste|interests
  [like] {taste}; . interested|keen {taste}; . care_about {taste}; remember|keep_in_mind|note i like|prefer|love|want
  {taste}
remember dislike | write what you dislike into your profile | remember that I dislike surveys
  . not like|want|care_for [remember|note|generally|usually] {taste}; . dislike|hate|avoid|distrust [remember|note|
  generally|usually] {taste}; . not interested|keen {taste}; remember|keep_in_mind|note i dislike|hate|avoid {taste};
  remember|keep_in_mind|note i not like|want {taste}
remember expect | write what you expect into your profile | remember that I expect an ablation
  . expect [remember|note|always] {taste}; remember|keep_in_mind|note i expect|require|need {taste}
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
  taste|interests|preferences|likes|profile [what|my|know|think|research|reading|like|dislike|expect|prefer|according|
  kind]; what know|learned|learnt|think|understood about_me|of_me
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
        options = (Option("{}", reading.calls, reading.onward),) if reading and reading.calls else ()
        return MessagePlan(reply=f"I cannot {what}. Nothing was done.", understood=False, options=options, refuses=True)

    return plan


IMPOSSIBLE = acts(
    """
send | | email these to Ann
  ! email|e-mail|mail|send|forward|text|message|post|share..with|whatsapp|slack|fax [to|email|e-mail|mail|copy|message]
  {papers}
translate | | translate the abstract of the first
  ! translate [abstract|title|text|into|to] {papers}; translation [abstract|title|text] {papers}
print | | print the first
  ! print [out] {papers}; ! read aloud|out_loud|to_me|out {papers}
remind | | remind me to read the first
  ! remind to|about {papers}; reminder|calendar|alarm {papers}
judge | | is the first any good?
  ? good|any_good|worth_it|worth_reading|worth_my_time|trustworthy|reliable|well_done|convincing|sound|credible|valid
  [really|any|how] {papers}; should|can trust|believe {papers}; what think of|about {papers}; do you like|
  trust|believe|recommend {papers}
publish | | post the first
  ! tweet|upload|publish|submit|buy|purchase|sell|lend|borrow {papers}
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


def _watched(sentence: MatchedMessage) -> MessagePlan | None:
    """Store a search that is repeated for new papers."""
    topic, _ = topic_of(sentence)
    return MessagePlan(calls=(ToolCall("watch", {"question": topic}),)) if topic else None


WATCHES = acts(
    """
watches | | which watches do I have?
  watches [any|what|which|have|running|active|set_up]; watching [what|anything|something]
watch | tell you when new papers appear, after asking you | tell me when something new on malaria appears
  ! watch|monitor|track|follow|keep_an_eye_on|keep_track_of|subscribe [for|new] {topic}; ! set_up|create|make|start|add
  watch|alert|alerts|subscription [for|on] {topic}; alert|alerts|notify|ping|subscribe [when|whenever|if|as_soon_as|
  on|new|appears|comes_out] {topic}; let_me_know|tell|inform|ping|alert|notify|warn|keep_me_posted|keep_me_updated|
  keep_me_informed|message when|whenever|if|as_soon_as|once|every_time NEW [anything|something|papers] {topic};
  keep_me_posted|keep_me_updated|keep_me_informed|keep_me_up_to_date [new] {topic}
""",
    {"watches": fixed_plan(reply="I cannot look at watches from here: `spar watch` lists them."), "watch": _watched},
)
