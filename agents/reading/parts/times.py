"""Times in a message: when papers appeared, were saved or read."""

from agents.reading.dates import DAYTIMES, Period, before, dated, following
from agents.reading.numbers import by_first, phrases
from agents.reading.parts.subjects import paper_at
from agents.reading.parts.words import Chunk, MessageWords, Say, adding, applying
from agents.reading.reading import PaperSelection, Unknown
from agents.reading.tokens import written

_BEFORE_IT, _AFTER_IT = (
    phrases(listed)
    for listed in ("older than|earlier than|before", "newer than|later than|more recent than|after|since")
)
BESIDE_PAPER = (*_BEFORE_IT, *_AFTER_IT)
_BESIDE_PAPER = by_first(BESIDE_PAPER)
"""Words between papers and the paper whose date limits theirs."""
_RECENTLY = by_first(phrases("most recently|recently|lately|last"))


def time_at(message: MessageWords, position: int) -> Chunk | None:
    """`since 2020`, `between 2015 and 2018`: when papers appeared."""
    time = dated(message.part, position, message.today)
    if time is None or time.end > message.end:
        return None
    if message.keys[position] in ("today", "yesterday") or message.keys[time.end - 1] in DAYTIMES:
        return None  # of what the person did, not of papers: "I read it last night"
    if message.keys[position] == "and":
        return None  # the time begins at a later word: "and from 2005 on"
    if message.keys[position] in ("of", "the", "published", "out", "written", "appeared") and time.end == position + 1:
        return None
    return Chunk(time.end, lambda selection: selection.add_time(*time.period, time.years))


def time_beside_paper(message: MessageWords, position: int) -> Chunk | None:
    """`older than BERT`, `since the AlphaFold paper`: a time given by a paper."""
    words = message.phrase_at(_BESIDE_PAPER, position)
    paper = paper_at(message, position + len(words)) if words else None
    if paper is None or not (day := message.names.date_of(paper[0])):
        return None
    is_before = words in _BEFORE_IT
    return Chunk(paper[1], adding(*(("until", before(day)) if is_before else ("since", following(day)))))


def done_on(message: MessageWords, position: int, kind: str) -> Chunk | None:
    """`saved last week`, `read in October`."""
    position = message.behind(position, ("so", "far", "already", "on", "it"))
    time = dated(message.part, position, message.today)
    if kind == "saved_on":
        if time is None:
            return Chunk(position, adding("saved", True), False)
        days = {"saved_since": time.period.since, "saved_until": time.period.until}
        return Chunk(time.end, applying({name: day for name, day in days.items() if day}))
    if time is None and (words := message.phrase_at(_RECENTLY, position)):
        return Chunk(position + len(words), _read_in(message, Period(None, None), " ".join(words)))
    if time is None:
        return Chunk(position, adding("read", True))
    return Chunk(time.end, _read_in(message, time.period, written(message.tokens[position : time.end])))


def read_in(message: MessageWords, position: int) -> bool:
    """Whether a time of doing is at `position`, as behind "read"."""
    time = dated(message.part, position, message.today)
    return bool(message.phrase_at(_RECENTLY, position)) or (time is not None and time.cue not in ("from", "published"))


def _read_in(message: MessageWords, period: Period, text: str) -> Say:
    """Limit a selection to the papers read in `period`, which the message calls `text`."""
    numbers = message.names.read_between(period.since, period.until)

    def say(selection: PaperSelection) -> None:
        if numbers:
            most = 1 if selection.single else selection.count or selection.expected
            selection.among = numbers if period.since else numbers[:most]
        else:
            selection.unknown.append(Unknown("read", text))

    return say
