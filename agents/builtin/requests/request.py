"""A request as a whole: its commands one by one, each read by the first of the readers that knows what it wants."""

import re
from dataclasses import replace

from agents.builtin.requests.acts.checking import any_retracted
from agents.builtin.requests.acts.exporting import in_a_format
from agents.builtin.requests.acts.listing import ADDING, MOST
from agents.builtin.requests.acts.order import ACTS
from agents.builtin.requests.acts.rule import first_reading
from agents.builtin.requests.acts.summarizing import summary_in_any_words
from agents.builtin.requests.acts.yes_or_no import says_yes_or_no
from agents.builtin.requests.comparisons import without_bound
from agents.builtin.requests.in_any_order.behind import with_parts_behind
from agents.builtin.requests.in_any_order.notes import note_written
from agents.builtin.requests.in_any_order.questions import asked_in_any_order
from agents.builtin.requests.in_any_order.runs import recommendation_wanted
from agents.builtin.requests.in_any_order.topic import with_its_name, with_its_topic
from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.readings.elsewhere import done_elsewhere, of_everyday_life
from agents.builtin.requests.readings.unheeded import unheeded_negations
from agents.builtin.requests.readings.unread import no_subjects, unread
from agents.builtin.requests.references import SHOWN, number_of
from agents.builtin.requests.refusals import CHOOSES, PAPERS, wanted_instead, without_those_shown
from agents.builtin.requests.scene import Call, Reading, Scene
from agents.builtin.requests.sentences.commands import commands_of
from agents.builtin.requests.sentences.courtesies import how_many_behind, without_courtesy, without_interjections
from agents.builtin.requests.sentences.plainly import plainly

LONGEST = 4_000
"""Letters of a message that are read."""
_MOST_COMMANDS = 6
_THANKS = Phrases("""
    (thanks/cheers/great/perfect/nice/cool/ok/okay/good/wonderful/awesome/excellent|thank you|well done|got it|all
        right) [thanks|thank you] [a lot|so much|very much|spar|again|that is all|for now|all|you]
    [thanks|thank you|great|ok|okay] (that|this|it) (is|was|looks) [really|very|all|just]
        (great|perfect|good|all|helpful|very helpful|useful|nice|
        what i (needed|wanted|need|was looking for)|enough|it) [thanks|thank you|for now]
    that is all [thanks]
    many thanks
""")  # fmt: skip
_BARE_WORD = re.compile(
    r"(?:(?:yes|y|yep|yeah|sure|ok|okay|no|nope|nah|n|correct|exactly|of course|go ahead|do it)\b[ ,.!]*)+(?:please"
    r"|thanks|thank you)?[.! ]*",
    re.IGNORECASE,
)
NOTHING_WAITS = "Nothing waits for your yes or no."
_HELLO = Phrases("""
    (hi|hello|hey|good morning|good evening|good afternoon|good day) [there|spar|you]
    help [me] [please]
    what can (you|i) (do|ask|say) [here|for me]
    how (do|does) (this|it|you) work
    commands/command/usage
    what (do you|else can you|else do you) (do|know)
    what are you [able to do]
    who are you
""")  # fmt: skip
_ANEW = Phrases("""
    (forget|drop|discard|never mind|ignore|leave) ({these}|that|this|it|all that|everything|the list|the filter|all
        filters|what i said)
    start (over|again|anew|afresh|from scratch)
    (reset|clear) [everything|the list|all filters|the filters|all]
    [back to|show] the (whole|entire|full) library
    remove (all|the) filters
    new (topic|subject|question)
""")  # fmt: skip
_ASIDE = re.compile(
    r"(?:no,? |ok(?:ay)?,? |please,? )?(?:start (?:over|again|anew|afresh|fresh|new|from scratch)"
    r"|(?:(?:start|begin)(?: over| again)? (?:from|with|in)|(?:go )?back to|return to|take) the (?:whole|entire"
    r"|full|complete)"
    r" library(?: again)?|never ?mind(?:"
    r" (?:that|those|these|it))?"
    r"|new (?:topic|question|subject|start)|different (?:topic|question)|something (?:else|different)|change of"
    r" (?:topic|subject)"
    r"|(?:forget|drop|discard|ignore|leave) (?:it|that|this|them|these|those|all (?:that|of (?:it|them|that))"
    r"|everything|the list))"
    r"(?:\s*[,:;.!–-]+\s+(?:and |but )?(?=\S)|(?<!those)(?<!these)(?<!them)\s+with (?=\S)|\s+and (?=show|list"
    r"|find|give|look)"
    r"|\s*[,:;.!]*\s+instead\s+)",
    re.IGNORECASE,
)
"""What is said before a request that begins anew."""
_ON = Phrases("""
    [okay/ok/so/well/yes/fine/great] (and|but|now|or|what about|how about|only) <:text>
    since/from/before/after/by/in/with/without/that/published/cited/between/until/tagged/about <:text>
""")
_PAPERS = Phrases("papers/paper/articles/publications/library/shelf/preprints/surveys/books/everything/saved")
_CHANGES = frozenset({"save", "unsave", "tag", "note", "mark", "remember"})
_CHOOSES = frozenset({"filter", "resemble", "rank", "list", "shelf"})
ABILITIES = (
    "I can look into your library (“papers by Robertson since 1990”, “how many of my saved papers are unread?”),"
    " compare (“like BERT but not about translation”), order (“the most cited first”), look at one (“the second's"
    " abstract”, “who cites it?”), search the sources (“search for query expansion”), summarize (“summarize what"
    " these say about latency”), recommend (“what should I read next?”), and with your yes save, tag and note."
)


def read_request(message: str, scene: Scene) -> Reading:
    """What `message` asks for, as steps over the tools; not understood where no reader knows what it wants, or where
    words of asking could only be taken for a subject that no paper has."""
    text = plainly(message[:LONGEST], lambda word: scene.is_word(word) or scene.is_author(word))
    text = with_its_name(with_its_topic(text, scene), scene)
    if aside := _ASIDE.match(text):
        scene = replace(scene, candidates=None, numbers=(), shown=0, looked=0, focused=False, order="")
        return read_request(text[aside.end() :], scene)._replace(onward=False)
    bare = text.strip(" .!?")
    if _THANKS.match(bare) is not None:
        return Reading(reply="You are welcome.")
    if _BARE_WORD.fullmatch(bare):
        return Reading(reply=NOTHING_WAITS)
    if _HELLO.match(bare) is not None or text.strip() == "?":
        return Reading(reply=ABILITIES)
    if place := done_elsewhere(without_courtesy(text)):
        return Reading(reply=place)
    if of_everyday_life(text):
        return Reading(understood=False)
    if refusal := _refusal(bare, scene):
        return refusal
    if note := note_written(text, scene):
        return note
    if asked := with_parts_behind(text, scene, _command) or asked_in_any_order(text, scene):
        return asked
    if told := (
        in_a_format(text, scene) or any_retracted(text, scene) or summary_in_any_words(text, scene)
        or recommendation_wanted(text, scene)
    ):  # fmt: skip
        return _accounted(told, text, scene)
    wish, number = how_many_behind(text)
    if number and (limited := _limited(wish, number, scene)):
        return _accounted(limited, text, scene)
    commands = commands_of(text)
    if 1 < len(commands) <= _MOST_COMMANDS and (together := _together(commands, scene)):
        return _accounted(together, text, scene)
    return _anew(text) or _accounted(_command(text, scene) or Reading(understood=False), text, scene)


def _accounted(reading: Reading, text: str, scene: Scene) -> Reading:
    """The reading with the words that it does not rest on; none at all where it rests on words of asking alone."""
    if strange := no_subjects(text, reading.calls, scene):
        return Reading(understood=False, unread=strange)
    if not reading.calls:
        return reading._replace(unread=())
    said = without_bound(without_courtesy(text), reading.calls, scene)
    strange = (*unread(said, reading.calls), *unheeded_negations(text, reading.calls))
    if strange and says_yes_or_no(reading):
        return Reading(understood=False, unread=strange)  # "yes" to a part of a question is no answer to it
    return reading._replace(unread=strange)


def _limited(wish: str, number: str, scene: Scene) -> Reading | None:
    """A wish with the number of papers that was told behind it; None where its plan has no place for one."""
    reading = _command(wish, scene)
    if reading is None or not reading.calls or reading.calls[-1].tool not in _SHOW_SO_MANY:
        return None
    last = reading.calls[-1]
    limited = Call(last.tool, {**last.arguments, "limit": min(number_of(number), MOST)})
    return reading._replace(calls=(*reading.calls[:-1], limited))


_SHOW_SO_MANY = frozenset({"list", "recommend", "shelf"})


def _refusal(text: str, scene: Scene) -> Reading | None:
    """What is wanted in place of what was shown, if that is refused."""
    instead = wanted_instead(text) if scene.shown else None
    if not instead:
        return None if instead is None else without_those_shown(None, scene)
    other = _command(instead.removeprefix(PAPERS), scene)
    if other and other.calls and other.calls[0].tool not in CHOOSES:
        return None  # "no, go back" refuses nothing
    return without_those_shown(_command(instead, scene), scene)


def _command(text: str, scene: Scene) -> Reading | None:
    bare = without_courtesy(text)
    if not any(letter.isalnum() for letter in bare):
        return None
    said = without_interjections(text)
    added = first_reading(ADDING, said.strip(" .!?"), scene) if scene.candidates is not None else None
    reading = added or next(filter(None, (act(bare, scene) for act in ACTS)), None)
    if (
        reading
        and reading.calls
        and scene.candidates is not None
        and _ON.match(text) is not None
        and not _PAPERS.find(text)
    ):
        return reading._replace(onward=reading.onward or reading.calls[0].tool in _CHOOSES)
    return reading


def _together(commands: list[str], scene: Scene) -> Reading | None:
    """The plan of several commands, each on what the one before left; None if one of them is not understood, or would
    begin anew: rather one request than two that forget each other."""
    calls: list[Call] = []
    onward = None
    for command in commands:
        if _ANEW.match(without_courtesy(command)) is not None and not calls:
            scene = replace(scene, candidates=None, numbers=(), shown=0)
            onward = False
            continue
        reading = _command(command, _after(scene, calls))
        if reading is None or not reading.calls:
            return None
        if calls and not reading.onward and reading.calls[0].tool in _CHOOSES:
            return None
        if calls and calls[-1].tool == "query" and reading.calls[0].tool == "filter":
            return None  # a figure has no papers to choose from: it is a condition of that figure
        if calls == list(reading.calls) and calls[0].tool == "undo":
            continue  # "that was wrong, go back" goes back once
        if calls and reading.calls == (Call("take", {"papers": [SHOWN]}), Call("list")):
            continue  # "papers before 2010; just those" are those
        if calls and calls[-1].tool == "runs" and reading.calls[0].tool == "paper":
            continue  # what a run was about is told with it
        reading = _of_the_one_before(reading, calls)
        onward = reading.onward if onward is None else onward
        calls = _joined(calls, list(reading.calls))
    return Reading(tuple(calls), bool(onward)) if calls else None


def _of_the_one_before(reading: Reading, calls: list[Call]) -> Reading:
    """ "It" of a second command is the paper of the first: "tag the first as classic and save it"."""
    named = list(calls[-1].arguments.get("papers", ())) if calls else []
    if len(named) != 1 or named[0] in ("@it", "@all", "@shown") or calls[-1].tool not in _CHANGES:
        return reading
    told = [
        Call(call.tool, {**call.arguments, "papers": named}) if call.arguments.get("papers") == ["@it"]
        else Call(call.tool, {**call.arguments, "paper": named[0]}) if call.arguments.get("paper") == "@it"
        else call
        for call in reading.calls
    ]  # fmt: skip
    return reading._replace(calls=tuple(told))


def _anew(text: str) -> Reading | None:
    """A beginning with the whole library."""
    return Reading((Call("filter"), Call("list"))) if _ANEW.match(without_courtesy(text)) is not None else None


def _after(scene: Scene, calls: list[Call]) -> Scene:
    """What the next command is read against."""
    if all(call.tool in _CHANGES for call in calls):
        return scene
    looked = 1 if calls[-1].tool == "paper" else scene.looked
    return replace(scene, candidates=scene.candidates or 1, shown=scene.shown or 10, looked=looked, numbers=())


def _joined(before: list[Call], after: list[Call]) -> list[Call]:
    """Saving and tagging the same papers is one step; a list in the middle is left out where what follows goes on with
    the candidates."""
    if before and before[-1].tool == "save" and after[0].tool == "tag" and "add" in after[0].arguments:
        saved = before[-1].arguments
        if after[0].arguments.get("papers") in (["@shown"], ["@it"], saved.get("papers")):
            tags = [*saved.get("tags", []), *after[0].arguments["add"]]
            return [*before[:-1], Call("save", {**saved, "tags": tags}), *after[1:]]
    if before and before[-1].tool == after[0].tool == "recommend":
        return [*before[:-1], after[0] if after[0].arguments else before[-1], *after[1:]]
    if before[-2:-1] == after[:1] and after[0].tool == "rank" and len(after) == len(before[-2:]):
        return before  # an order that is said twice
    if before and before[-1].tool == "list" and after[0].tool in ("filter", "resemble", "rank") and len(before) > 1:
        before = before[:-1]
    return [*before, *(call for call in after if call.tool not in _CHANGES or call not in before)]
