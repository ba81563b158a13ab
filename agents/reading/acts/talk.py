"""Thanks, greetings, and what cannot be done here."""

from collections.abc import Callable

from agents.reading.acts.act import Plan, Sentence, acts, fixed_plan
from agents.reading.acts.changes import changed
from agents.reading.reading import Call, Option, Reading

_THANKS = frozenset(
    "thanks thank you cheers great perfect nice good cool ok okay that this is was 's so very really much a lot for"
    " your the help helpful useful lovely wonderful excellent brilliant awesome all spar bye again and oh wow".split()
)

_GREETINGS = frozenset("hello hi hey there good morning evening afternoon day spar again".split())


def _only(words: frozenset[str], needed: str, reply: str) -> Plan:
    """What is said to a message of these words alone, one of those `needed` among them."""

    def plan(sentence: Sentence) -> Reading | None:
        spoken = {word for word in sentence.words("words") if any(map(str.isalnum, word))}
        return Reading(reply=reply) if spoken <= words and not spoken.isdisjoint(needed.split()) else None

    return plan


SMALL_TALK = acts(
    """
thanks | | thanks
  {words}
hello | | hello
  {words}
""",
    {
        "thanks": _only(_THANKS, "thanks thank cheers great perfect nice good cool ok okay", "You are welcome."),
        "hello": _only(
            _GREETINGS, "hello hi hey morning evening afternoon", "Hello. What shall I look up in your library?"
        ),
    },
)
"""What is said without meaning any paper."""


def _impossible(what: str, near: Callable[[tuple[str, ...]], Call]) -> Plan:
    """Say that something cannot be done here, and offer what comes near to it."""

    def plan(sentence: Sentence) -> Reading:
        reading = changed(sentence, near)
        options = (Option("{}", reading.calls, reading.onward),) if reading and reading.understood else ()
        return Reading(reply=f"I cannot {what}. Nothing was done.", understood=False, options=options)

    return plan


def _exported(names: tuple[str, ...]) -> Call:
    return Call("export", {"papers": list(names)})


def _shown(names: tuple[str, ...]) -> Call:
    return Call("paper", {"paper": names[0], "parts": ["abstract"]})


IMPOSSIBLE = acts(
    """
send | | email these to Ann
  email|e-mail|mail|send|forward|text|message {papers}; email|e-mail|mail|send|forward {papers} to {whom};
  send|mail|email {whom} an|a email|mail|message|copy [of|with|about] {papers?}; share {papers} with {whom}
translate | | translate the abstract of the first
  translate [the] abstract|text|title of {papers} [into|to|in] {language?}; translate {papers};
  translate {papers} into|to|in {language}
print | | print the first
  print {papers} out; read {papers} aloud|out_loud
remind | | remind me to read the first
  remind me {when?} to|about read|of {papers}; remind me of|about {papers}; set a reminder {when}
publish | | post the first
  post|tweet|upload|publish {papers} on|to|in {where}; buy|order {papers}
""",
    {
        "send": _impossible("send e-mail or messages", _exported),
        "translate": _impossible("translate", _shown),
        "print": _impossible("print or read aloud", _exported),
        "remind": _impossible("remind you of anything", _shown),
        "publish": _impossible("buy or publish papers", _exported),
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
