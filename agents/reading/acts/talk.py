"""Thanks, greetings, and what cannot be done here."""

from agents.reading.acts.act import Plan, Sentence, acts, fixed_plan
from agents.reading.reading import Reading

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

(WATCHES,) = acts(
    """
watches | | which watches do I have?
  [are] [there] [any] watches [set_up|running|there|active]; do i have [any] watches [running|set_up|active];
  [what|which] [are] [my] watches [do_i_have|are_set_up|are_running|are_there]; what|which am i watching;
  am i watching anything|something
""",
    {"watches": fixed_plan(reply="I cannot look at watches from here: `spar watch` lists them.")},
)
