"""Subjects in a message: the words that papers are about, with or without a cue."""

from collections.abc import Sequence

from agents.reading.cues import FILLERS, JOINING, NOUNS, SINGULARS, Cue, cues_by_word
from agents.reading.dates import dated
from agents.reading.numbers import by_first, ordinal, phrases
from agents.reading.parts.names import cited_at
from agents.reading.parts.words import Chunk, MessageWords, Say, adding, cues_at, near_words, nothing
from agents.reading.reading import PaperSelection, Unknown
from agents.reading.tokens import Token, written
from cache.conditions.filters import filter_by
from cache.store import PaperId
from connectors.identifiers import parse_identifier

_APPEARED = frozenset("came come out appeared appear published written printed".split())
_BY_DATE = frozenset({"oldest", "newest"})
_LATEST = {"last_saved": ("last_saved", "first_saved"), "first_saved": ("last_saved", "first_saved")}
"""For orders by date of saving, those with the latest and with the earliest first."""
_ON_TOP = (("on", "top"), ("at", "top"), ("at", "the", "top"))


def place_at(message: MessageWords, position: int) -> Chunk | None:
    """`the second`, `number 3`, `the first two`, `the last one`, `#4`."""
    at = position
    named = False
    if message.keys[at] in ("number", "no", "nr", "paper", "item", "result") and at + 1 < message.end:
        number = message.number_at(at + 1)
        if number is not None and message.tokens[at + 1].key.isdigit() and number[0] <= 100:
            named_place, behind = number
            return Chunk(behind, lambda selection: selection.names.append(f"@{named_place}"))
        return None
    word = message.keys[at]
    if word in ("first", "last", "top", "max", "maximum") and (number := message.number_at(at + 1)):
        top, behind = _most_at(message, number[1]) if word == "top" else ("", number[1])
        return Chunk(behind, _first(number[0], word == "last", top), False)
    if word == "last" and at > 0 and message.keys[at - 1] == "the" and message.shown:
        named = True
    rank = ordinal(word)
    if at > message.start and message.keys[at - 1] in _APPEARED and (rank == 1 or word == "last"):
        return order_at(message, at, at + 1, "oldest" if rank == 1 else "newest")  # "which came out first?"
    if rank is None and not named:
        return None
    behind = at + 1
    if behind < message.end and message.keys[behind] in ("one", "paper", "article", "result"):
        behind += 1
    if rank == 1 and message.stands(("author",), behind):
        return None
    if rank and behind == at + 1 and any(order.kind == "order" for order in cues_at(message, behind)):
        return Chunk(behind, lambda selection: setattr(selection, "place", rank), False)  # "the third most cited"
    shown_number = rank if rank is not None else message.shown
    return Chunk(behind, lambda selection: selection.names.append(f"@{shown_number}"))


def _first(count: int, last: bool, top: str) -> Say:
    def say(selection: PaperSelection) -> None:
        selection.count, selection.last = count, last
        selection.order = selection.order or top

    return say


def count_at(message: MessageWords, position: int) -> Chunk | None:
    """`5 papers`, `five most cited`."""
    number = message.number_at(position)
    if number is None or number[0] == 0 or number[0] > 500 or number[1] >= message.end:
        return None
    behind = message.keys[number[1]]
    cues = [cue for cue in cues_at(message, number[1]) if cue.kind == "order"]
    ordered = cues or is_ordered(message, number[1])
    definite = message.keys[position - 1 : position] in (["the"], ["my"], ["'s"])
    if ordered or behind in ("of", "recent") or (not definite and (behind in NOUNS or types_at(message, number[1]))):
        return Chunk(number[1], lambda selection: setattr(selection, "count", number[0]), False)
    subject = [token.key for token in message.part[number[1] :] if message.is_subject(token)]
    noun = message.behind(number[1], subject)
    if definite and noun < message.end and (message.keys[noun] in NOUNS or types_at(message, noun)):
        return Chunk(number[1], lambda selection: setattr(selection, "expected", number[0]), False)
    return None


def is_ordered(message: MessageWords, position: int) -> bool:
    """Whether an order describes the papers before `position`: "the two with the fewest citations"."""
    noun = message.behind(position, NOUNS)
    at = message.behind(noun, _WITH)
    return at > noun and any(cue.kind == "order" for cue in cues_at(message, at))


def _is_of(keys: Sequence[str]) -> bool:
    """Whether a question asks which of several papers: "which of these has most citations?"."""
    return keys[1:2] == ["of"] or keys[1:3] == ["one", "of"]


_WITH = frozenset("with having that which have has got the".split())
_ONE_DOES = frozenset("is was has had gets got".split())
"""Verbs of which one paper is the subject."""


def _most_at(message: MessageWords, position: int) -> tuple[str, int]:
    """Return the order that words mean with "most" before them, "top 5 cited", and the place behind them."""
    superlatives = (cue for cue in cues_by_word()["most"] if cue.kind == "order" and len(cue.words) > 1)
    meant = next((cue for cue in superlatives if message.stands(cue.words[1:], position)), None)
    return (meant.value, position + len(meant.words) - 1) if meant else ("top", position)


def order_at(message: MessageWords, position: int, behind: int, order: str) -> Chunk:
    """`the oldest`, `the two most cited`: an order, and the number of papers to take from it."""
    if message.keys[position - 1 : position] == ["to"] or message.keys[max(0, position - 2) : position] == [
        "to",
        "the",
    ]:
        return Chunk(behind, nothing, False)  # the other end: "from the oldest to the newest"
    first = message.stands(("first",), behind)
    noun = behind < message.end and message.keys[behind] in NOUNS and message.stands(("first",), behind + 1)
    number = message.number_at(behind)
    count = number[0] if number and number[0] <= 100 else None
    if number and count:
        behind = number[1]
    elif noun or message.stands(("first",), behind):
        behind += 1 + noun
    named = behind + (behind < message.end and message.keys[behind] in NOUNS)  # "the newest one at the top"
    if top := next((len(words) for words in _ON_TOP if message.stands(words, named)), 0):
        behind, first, count = named + top, True, None
    before = message.keys[max(0, position - 2) : position]
    is_last = not any(map(str.isalnum, "".join(message.keys[behind : message.end])))
    arranged = "order" in message.keys[position:behind]  # "in the alphabetical order of their titles"
    compared = message.keys[behind - 1] in (*SINGULARS, "one")  # "the older one"
    is_one = (
        not arranged
        and not first
        and before[-1:] == ["the"]
        and before[0] not in ("by", "with")
        and (is_last or message.keys[behind] == "of")
    )
    verb = message.keys[max(message.start, position - 1) : position + 1]
    asked = message.keys[message.start : position]
    superlative = "more" not in message.keys[position:behind] and not _ONE_DOES.isdisjoint(verb)
    is_one = is_one or (superlative and asked[:1] == ["which"] and _is_of(asked))

    def say(selection: PaperSelection) -> None:
        if selection.order in _LATEST and order in _BY_DATE:  # "saved most recently, latest first"
            selection.order = _LATEST[selection.order][order == "oldest"]
        elif order == "fewest first":
            selection.order = "oldest" if selection.order == "newest" else "fewest_citations"
        else:
            if order != "date" or selection.order not in _BY_DATE:  # "oldest first by year"
                selection.order, selection.either_way = ("newest", True) if order == "date" else (order, False)
        selection.count = count or selection.count
        selection.noun = selection.noun or noun
        selection.single = selection.single or ((is_one or compared) and not count)

    return Chunk(behind, say)


def types_at(message: MessageWords, position: int) -> list[Cue]:
    """Return the cues for types of publications at `position`: `surveys`."""
    cues = cues_by_word().get(message.keys[position], ())
    return [cue for cue in cues if cue.kind == "state" and cue.value[0] == "types"]


_ENDS = frozenset(",.?!;")
"""Marks that end a subject."""
_PRONOUNS = frozenset("it they them i we you".split())
_IN_TITLE = by_first(phrases("in the title|in its title|in their titles|in their title|in title|in the titles"))


def subject_at(message: MessageWords, position: int, *, firm: bool) -> Chunk | None:
    """The subject behind `about`; after a cue that is not `firm`, only if papers have all of its words."""
    if message.keys[position : position + 1] in (["my"], ["our"]):
        return None  # "on my pile" is where papers are
    if _begins_with_others(message, position):
        return None
    first = message.behind(position, FILLERS)
    if not firm and first < message.end and types_at(message, first) and not behind_title(message, first + 1):
        return None  # "of mine are actual review articles"
    if not firm and not _PRONOUNS.isdisjoint(message.keys[position:first]):
        return None  # "using it at the end"
    run = run_from(message, position)
    if run is None or place_at(message, position + (message.keys[position] == "the" and position + 1 < message.end)):
        return None
    phrases, either = phrases_of(message, position, run[0])
    time = dated(message.part, position, message.today)
    if not phrases or (time and time.end == run[0]):
        return None  # "what about 2019?"
    if behind := behind_title(message, run[0]):
        return Chunk(behind, subject_of(message, phrases, False, "title_words"))
    if not firm and (
        _begins_with_noun(message, position)
        or not all(message.is_subject(token) for phrase in phrases for token in phrase)
    ):
        return None
    return Chunk(run[0], subject_of(message, phrases, either))


def _begins_with_noun(message: MessageWords, position: int) -> bool:
    """Whether papers are named here, not their subject: "of my papers"."""
    words = (key for key in message.keys[position : message.end] if key not in FILLERS)
    return next(words, "") in NOUNS


def _begins_with_others(message: MessageWords, position: int) -> bool:
    """Whether papers are meant by their not being shown now: "on any other paper"."""
    words = [key for key in message.keys[position : message.end] if key not in FILLERS]
    others = any(cue.kind == "others" for cue in cues_by_word().get(words[0], ())) if words else False
    others = others or words[:1] == ["same"]
    return others and not NOUNS.isdisjoint(words[1:2])


def behind_title(message: MessageWords, position: int) -> int | None:
    """Return the index after "in the title"; None if that is not at `position`."""
    words = message.phrase_at(_IN_TITLE, position)
    return position + len(words) if words else None


def run_from(message: MessageWords, position: int) -> tuple[int, str] | None:
    """Return the end and the text of a subject that begins at `position`; it ends before words with another meaning."""
    at, last = position, position
    while at < message.end:
        token = message.tokens[at]
        if not token.quoted and token.key in FILLERS and at == position:
            at += 1
            position = last = at
            continue
        if not any(map(str.isalnum, token.key)) and not token.quoted:
            if token.key in _ENDS and at > position and "." not in message.keys[at - 1]:
                break
            at += 1
            continue
        if at > position and _ends_subject(message, at):
            break
        if token.key not in FILLERS and token.key not in NOUNS:
            last = at + 1
        at += 1
    return (last, written(message.tokens[position:last])) if last > position else None


def _ends_subject(message: MessageWords, at: int) -> bool:
    if behind_title(message, at):
        return True
    if message.keys[at] in ("that", "which", "but", "without", "except", "i", "sorted", "not", "published", "written"):
        return True
    if message.keys[at] in ("and", "or", "of", "the", "for", "to", "a", "with", "on"):
        chunk = message.chunk(at)
        return chunk is not None and chunk.firm and message.keys[at] != "of"
    if message.keys[at] in ("is", "are"):
        behind = message.behind(at + 1, FILLERS)
        state = message.chunk(behind) if behind < message.end else None
        return state is not None and bool(state.alone.given)  # "on otters is still unread"
    token = message.tokens[at]
    if token.key in message.own and token.key not in FILLERS | NOUNS and not message.names.is_subject(token.text):
        return True  # "how do the ones on steel and on ammonia differ?"
    chunk = message.chunk(at)
    return chunk is not None and chunk.firm and not token.quoted and message.tag_at(at) is None


def phrases_of(message: MessageWords, position: int, end: int) -> tuple[list[list[Token]], bool]:
    """Return the phrases of a subject, separated by "and", "or" and commas, and whether any of them will do."""
    phrases: list[list[Token]] = [[]]
    either = False
    for token in message.tokens[position:end]:
        if token.key in ("and", "or", ",", "&", "plus") and not token.quoted:
            either = either or token.key == "or"
            phrases.append([])
        elif token.quoted or (
            token.key not in FILLERS and any(map(str.isalnum, token.key)) and token.key not in ("'s", "papers", "paper")
        ):
            phrases[-1].append(token)
    return [phrase for phrase in phrases if phrase], either


def subject_of(message: MessageWords, phrases: list[list[Token]], either: bool, name: str = "words") -> Say:
    """Add a subject. Phrases of only a tag or a note select by it; other words that no paper has are unknown."""
    subjects: list[str] = []
    unknown: list[Unknown] = []
    tags: list[str] = []
    authors: list[str] = []
    noted: list[PaperId] | None = None
    for phrase in phrases:
        if (
            len(phrase) == 1
            and not phrase[0].quoted
            and (tag := message.names.tag_at(phrase, 0))
            and not message.names.is_subject(phrase[0].text)
        ):
            tags.append(tag[0])
            continue
        strange = [token for token in phrase if not message.names.is_subject(token.text)]
        if strange and (person := message.names.person_at(phrase, 0)) and person[1] == len(phrase):
            authors.append(person[0])
            continue
        if strange and (numbers := message.names.noting([token.text for token in phrase])):
            noted = numbers
            continue
        if len(phrase) > 1 and not strange and not message.names.is_subject(" ".join(token.text for token in phrase)):
            tags += [tag[0] for token in phrase if (tag := message.names.tag_at([token], 0))]
            phrase = [token for token in phrase if not message.names.tag_at([token], 0)]
        near = [Unknown("word", token.text, near_words(message, token)) for token in strange]
        unknown += [word for word in near if word.near]
        if phrase:
            subjects.append(" ".join(token.text for token in phrase))
    kind = "any_words" if either and name == "words" else name
    by = "without_authors" if name == "without" else "any_authors" if either else "authors"

    def say(selection: PaperSelection) -> None:
        for text in subjects:
            selection.add(kind, text)
        for tag in tags:
            selection.add("tags", tag)
        for author in authors:
            selection.add(by, author)
            selection.taken.append(f"“{author}” as the author")
        if noted is not None:
            selection.among = noted
        selection.unknown += unknown

    return say


def title_words_at(message: MessageWords, position: int) -> Chunk | None:
    """Words in titles."""
    position = message.behind(
        position, "containing contains with the word words has includes including of is :".split()
    )
    run = run_from(message, position)
    if run is None:
        return None
    phrases, _ = phrases_of(message, position, run[0])
    return Chunk(run[0], subject_of(message, phrases, False, "title_words"))


def quoted_at(message: MessageWords, position: int) -> Chunk | None:
    """Text in quotation marks: a tag, a phrase of titles or texts, or the name of a paper."""
    text = message.tokens[position].text
    before = message.keys[position - 1] if position else ""
    if before in "about on word words phrase with contain containing mention mentioning".split():
        behind = behind_title(message, position + 1)
        return Chunk(behind, adding("title_words", text)) if behind else Chunk(position + 1, adding("words", text))
    if text.casefold() in map(str.casefold, message.names.tags.values()):
        return Chunk(position + 1, adding("tags", text))
    return Chunk(position + 1, lambda selection: selection.names.append(text))


def paper_at(message: MessageWords, position: int) -> tuple[PaperId, int] | None:
    """Return the paper that is named at `position`, by its title, as "the tundra paper" or as "Lee 2020", and the index
    after it."""
    if (cited := cited_at(message, position)) and len(cited[0]) == 1:
        return cited[0][0], cited[1]
    at = position + message.stands(("the",), position)
    if at >= message.end:
        return None
    if title := message.title_at(at):
        return title.number, message.behind(title.end, SINGULARS)
    noun = next((end for end in range(at, min(at + 6, message.end)) if message.keys[end] in {*SINGULARS, "one"}), at)
    words = [token.text for token in message.tokens[at:noun] if message.has_meaning(token)]
    numbers = message.names.in_titles(words) if words and at > position else []
    return (numbers[0], noun + 1) if len(numbers) == 1 else None


_MOST_ALIKE = 20
"""Maximum number of papers with a tag that others should be like."""


def likeness_at(message: MessageWords, position: int) -> Chunk | None:
    """What papers should be similar to: a paper by its title or place, otherwise words."""
    at = message.behind(position, ("to", "a"))
    if at >= message.end:
        return None
    if position > 1 and message.keys[position - 2] in ("would", "should", "i", "you", "do", "not"):
        return None
    papers: list[str] = []
    end, behind = 0, at
    while behind > end and (paper := paper_at(message, behind)):
        papers.append(f"#{paper[0]}")
        end, behind = paper[1], message.behind(paper[1], JOINING)
    if papers:
        return Chunk(end, _liking(papers))
    if message.keys[at] in ("this", "that", "it") and at + 1 >= message.end - (message.keys[-1] in "?.!"):
        return Chunk(at + 1, lambda selection: selection.like.append("@it"))
    for begin in (at, message.behind(at, _DETERMINERS)):
        chunk = message.chunk(begin) if begin < message.end else None
        inner = chunk.alone if chunk is not None and chunk.firm else PaperSelection()
        if chunk is not None and (inner.names or inner.onward):
            return Chunk(chunk.end, _liking(inner.names or ["@shown"]))
    tag = message.tag_at(message.behind(at, _DETERMINERS))
    tagged = message.names.matching_among(filter_by(tags=(tag[0],)), None) if tag else []
    if tag and 0 < len(tagged) <= _MOST_ALIKE:  # "like my thesis papers"
        end = message.behind(tag[1], NOUNS)
        return Chunk(end, lambda selection: selection.like.extend(f"#{number}" for number in tagged))
    run = run_from(message, at)
    words = [token for token in message.tokens[at : run[0]] if message.has_meaning(token)] if run else []
    own = [token for token in words if token.key in message.own and not message.is_subject(token)]
    if run is None or own or not any(message.names.is_subject(token.text) for token in words):
        return None
    return Chunk(run[0], lambda selection: setattr(selection, "like_words", run[1]))


def _liking(papers: Sequence[str]) -> Say:
    """Select papers like these."""
    return lambda selection: selection.like.extend(papers)


def noted_at(message: MessageWords, position: int) -> Chunk | None:
    """Words in the person's notes."""
    position = message.behind(
        position, "that says say saying mention mentions about with the word : on contains something anything".split()
    )
    run = run_from(message, position)
    if run is None:
        return None
    words = [token.text for phrase in phrases_of(message, position, run[0])[0] for token in phrase]
    numbers = message.names.noting([word for text in words for word in text.split()])

    def say(selection: PaperSelection) -> None:
        if numbers:
            selection.among = numbers
        else:
            selection.unknown.append(Unknown("note", run[1]))

    return Chunk(run[0], say)


def is_name(message: MessageWords, token: Token) -> bool:
    """Whether a word is an identifier or a citation key."""
    if not any(map(str.isdigit, token.key)) or token.key.isdigit() or len(token.key) < 6:
        return False
    return parse_identifier(token.text) is not None or message.names.is_key(token.text)


def these(message: MessageWords, expected: int | None = None) -> Say:
    """Select the papers shown or chosen before, if there are any; `expected` is their number."""
    has_papers = message.has_candidates or message.shown > 0

    def say(selection: PaperSelection) -> None:
        selection.noun, selection.expected = True, expected or selection.expected
        selection.onward = selection.onward or has_papers
        selection.absent = selection.absent or not has_papers

    return say


_DETERMINERS = frozenset({"the", "a", "an", "my", "our", "any", "some", "all"})


def bare_words_at(message: MessageWords, selection: PaperSelection, position: int) -> int:
    """Add words without a cue, as a subject if papers have them, else to the rest. Return the index after them."""
    end = position
    while end < message.end and message.title_at(end) is None:
        if message.chunk(end) is not None and not _joins(message, end):
            break
        end += 1
    end = max(end, position + 1)
    phrase = [token for token in message.tokens[position:end] if message.has_meaning(token)]
    strange = [token for token in phrase if not message.is_subject(token)]
    if phrase and not strange and not _is_in_place(message, selection, position, end):
        selection.rest += [token.text for token in phrase]
    elif not strange:
        if phrase:
            selection.add("words", " ".join(token.text for token in phrase))
    elif (
        not (selection.onward or selection.names)
        and any(token.key not in message.own and not token.key.isdigit() for token in phrase)
        and (numbers := message.names.noting([token.text for token in phrase]))
    ):
        selection.among = numbers
    else:
        near = [
            Unknown("word", token.text, near_words(message, token)) for token in strange if token.key not in message.own
        ]
        names = [word for word in near if not word.near and word.text[:1].isupper() and position > message.start]
        if names and len(names) == len(strange) and message.keys[end : end + 1] and message.keys[end] in NOUNS:
            selection.unknown.append(Unknown("name", " ".join(word.text for word in names)))  # "the Wakefield paper"
            return end
        if len(near) == len(phrase) and not any(unknown.near for unknown in near) and _is_alone(message, position, end):
            selection.unknown.append(Unknown("subject", written(phrase)))
            return end
        selection.rest += [token.text for token in strange]
        selection.unknown += [unknown for unknown in near if unknown.near]
        texts = [token.text for token in phrase if token not in strange]
        if texts:
            selection.add("words", " ".join(texts))
    return end


def _is_alone(message: MessageWords, position: int, end: int) -> bool:
    """Whether a message has only these words and nouns for papers."""
    beside = (*message.keys[:position], *message.keys[end:])
    return all(key in NOUNS or not any(map(str.isalnum, key)) for key in beside)


def _is_in_place(message: MessageWords, selection: PaperSelection, position: int, end: int) -> bool:
    """Whether words without a cue are where a subject can be: before "papers", at the beginning, behind "papers" at the
    end, or in a message of keywords only."""
    behind = message.behind(end, ("'s", "-"))
    while end < behind < message.end and message.chunk(behind) is None:
        behind += 1  # "children's reading speed papers"
    if behind < message.end and (message.keys[behind] in NOUNS or types_at(message, behind)):
        return True
    if not (selection.is_chosen or selection.noun or selection.order or selection.rest):
        return True
    if message.keys[position - 1 : position] == ["'s"]:
        return True  # "Lee's hydrogen storage"
    if all(
        token.key not in NOUNS and (message.has_meaning(token) or not any(map(str.isalnum, token.key)))
        for token in message.tokens[message.start : message.end]
    ):
        return True  # a message of keywords
    at_end = end == message.end or not any(map(str.isalnum, message.keys[end]))
    return at_end and FILLERS.isdisjoint(set(message.keys[message.start : position]) - _DETERMINERS - JOINING)


def _joins(message: MessageWords, position: int) -> bool:
    """Whether a function word is inside a subject: "a table of pressures"."""
    if message.keys[position] not in ("a", "an", "the", "of", "for", "in", "to") or position + 1 >= message.end:
        return False
    chunk = message.chunk(position)
    behind = message.behind(position + 1, ("a", "an", "the"))
    return chunk is not None and not chunk.firm and behind < message.end and message.chunk(behind) is None
