"""What the person says of papers: read or not, liked or not, not for them."""

from functools import partial

from agents.builtin.requests.acts.rule import Rule
from agents.builtin.requests.meant import described, meant
from agents.builtin.requests.phrases import Phrases, Slots
from agents.builtin.requests.references import known_names_in
from agents.builtin.requests.scene import Reading, Scene


def _mark(slots: Slots, scene: Scene, *, mark: str) -> Reading | None:
    papers = meant(slots["papers"], scene)
    return papers and papers.then("mark", **{"as": mark})


def _mark_known(slots: Slots, scene: Scene, *, mark: str) -> Reading | None:
    """Only for papers that are there: what is liked may be a subject as well."""
    slot = slots["papers"]
    known = known_names_in(slot, scene, every=True) or (
        slot.lower().startswith(("all ", "my ")) and described(slot, scene)
    )
    return _mark(slots, scene, mark=mark) if known else None


_MARK = "mark/set/flag/rate/record/log"
_STATUS = "(set|change|put|switch|turn|update)"
_OF_READING = "[reading|read] (status/state/mark)"
_SURE: dict[str, str] = {
    "unread": f"""
        {_STATUS} [the] {_OF_READING} (of|for) <papers> [back] (to|on|as) (unread|not read) [again]
        {_STATUS} <papers> 's {_OF_READING} [back] (to|on|as) (unread|not read) [again]
        {_MARK} <papers> [back] [as|to] (unread|not read|not yet read) [again]
        (mark|flag) <papers> [back] [as] to read [again]
        <papers> (should|must|can|may|shall|could|ought to|needs to|has to) be [marked|flagged|set] [back] [as|to]
            (unread|not read) [again]
        [mark|say that|note that] i have not [yet] [actually|really] read <papers> [yet]
    """,
    "read": f"""
        {_STATUS} [the] {_OF_READING} (of|for) <papers> (to|on|as) (read|done|finished)
        {_STATUS} <papers> 's {_OF_READING} (to|on|as) (read|done|finished)
        {_MARK} <papers> [as|to|on] [status] [already] (read|done|finished)
        count <papers> as [already] (read|done|finished)
        (i am|i have) done with <papers>
        <papers> (is|are) (done|finished)
        <papers> (should|must|can|may|shall|could|ought to|needs to|has to) be [marked|flagged|set|counted] [as|to]
            (read|done|finished)
        <papers> (has|have) been read [now|already|by me]
        (consider|treat) <papers> [as] (read|done|finished)
        (tick|check) off <papers>
    """,
    "like": f"""
        {_MARK} <papers> [as|with] [a] (thumbs up|liked|good|relevant|a favorite|favorite|great|interesting|useful|up
            |helpful)
        (upvote/star/favorite|thumbs up (for|to)) <papers>
        give <papers> a (thumbs up|like|star|good rating|positive rating)
        [a] (thumbs up|like|star) (for|to) <papers>
        <papers> (should|must|can|may|shall) be (liked|marked as (liked|a favorite|good|relevant|great))
    """,
    "dislike": f"""
        {_MARK} <papers> [as|with] [a] (thumbs down|disliked|bad|irrelevant|uninteresting|useless|down|not good)
        (dislike/downvote|thumbs down (for|to|on)) <papers>
        give <papers> a (thumbs down|bad rating|negative rating)
        [a] thumbs down (for|to) <papers>
    """,
    "dismiss": f"""
        dismiss <papers> [from now on|for good|forever|permanently|in future|in the future|please]
        <papers> (should|must|can|may|shall) be (dismissed|hidden)
        i (never|do not) want to see <papers> [again|any more|anymore|ever again]
        {_MARK} <papers> [as] (not for me|dismissed|uninteresting to me|not my thing)
        (do not|never) (show|recommend|suggest) [me] <papers> [again|any more|anymore|ever again]
        stop (showing|recommending|suggesting) [me] <papers>
    """,
}  # fmt: skip
_IF_KNOWN: dict[str, str] = {
    "unread": """
        <papers> is (not read|unread) [yet]
        i have not read <papers> [yet|after all]
    """,
    "read": """
        <papers> (is|are) [already|now] read [now|already|by now]
        i [have] [just|already|now] [finished] (read|reading|finished) <papers> [already|now|today|yesterday|last
            (night|week|month)|this (morning|week|month)|on <:weekday>] [[so]
            [please] (mark|note|tick|flag|set|record|log|register) (it|them|that|this) [off]
            [accordingly|as such|so|as (read|done|finished)]]
    """,
    "like": """
        like <papers>
        i [have] [really|do|also|quite] (like|love|liked|enjoyed|loved) <papers> [a lot|very much|best]
        <papers> (is|was|are) (great|good|very good|excellent|useful|what i need|to my taste)
    """,
    "dislike": """
        i [really|do|also] (dislike|hate|disliked|do not like|did not like|do not care for) <papers> [at all]
        <papers> (is|was|are) (bad|poor|useless|no good|not good|terrible)
    """,
    "dismiss": """
        hide <papers> [from now on|for good|forever|permanently|in future|in the future|please]
        <papers> (is|are) (not (for me|my thing|of interest|interesting|relevant|what i need)|of no interest|
            irrelevant) [to me|for me]
        (i am) not interested in <papers> [[so] [please] (do not|never) (show|recommend|suggest) (it|that|them|this)
            [to]
            [me] [again|any more|anymore]]
        not interested in <papers> [[so] [please] (do not|never) (show|recommend|suggest) (it|that|them|this) [to]
            [me] [again|any
            more|anymore]]
        <papers> (does|do) not interest me
    """,
}  # fmt: skip
MARKING = (
    *(Rule(Phrases(said), partial(_mark, mark=mark)) for mark, said in _SURE.items()),
    *(Rule(Phrases(said), partial(_mark_known, mark=mark)) for mark, said in _IF_KNOWN.items()),
)
