"""The reader of a message: finds its meaningful parts and adds them up to a selection of papers."""

import re
from functools import cached_property, reduce
from operator import and_

from agents.reading.cues import FILLERS, JOINING, LEAVING_OUT, NEGATIONS, NOUNS
from agents.reading.dates import FIRST_WORDS, RECENT_YEARS
from agents.reading.joining import Part, join, part_of
from agents.reading.numbers import FIRST_NUMBERS, bounds_at, by_first, ordinal
from agents.reading.parts.cued import cued_at, negation_at, noun_at
from agents.reading.parts.names import bare_name_at, label_end, tags_at
from agents.reading.parts.subjects import bare_words_at, count_at, is_name, place_at, quoted_at, types_at
from agents.reading.parts.times import BESIDE_PAPER, time_at, time_beside_paper
from agents.reading.parts.words import Chunk, MessageWords, applying, cues_at, either_of, nothing
from agents.reading.reading import PaperSelection
from agents.reading.tokens import written
from cache.conditions.filters import filter_by
from cache.conditions.wording import listed, quoted

_LEAVING_OUT = by_first(LEAVING_OUT)
_ALL = frozenset("everything anything all any every each everyone anyone everybody anybody".split())
"""Words before a “but” that means “except”."""
_OPEN = frozenset({"by", "about", "than", "with", "of", "in", "from"})
"""Words without a meaning of their own."""
_ARTICLES = frozenset({"the", "a", "an", "its", "their", "my"})
_POLITE = frozenset({"please", "thanks", "now", "too", "also"})
_POSSESSIVE = frozenset({"his", "her", "their"})
_TOGETHER = frozenset({"both", "together", "jointly", "each"})
"""Words that say that all of several names must hold."""
_DONE_LAST = {"read": "read", "saved": "last_saved"}
"""For what the person did with papers, the order that has the last ones first."""


def _bound_at(message: MessageWords, position: int) -> Chunk | None:
    """`cited more than 100 times`, `with at least three authors`, `over 50 citations`."""
    bounds = bounds_at(message.keys[: message.end], position)
    return Chunk(bounds[1], applying(bounds[0])) if bounds else None


_KNOWN = ("known", "to", "be")
"""Answers say these words before some conditions; they add nothing to a request."""
_WITHOUT_CUE = (time_beside_paper, time_at, _bound_at, place_at, count_at)
"""Readers of numbers and times, in the order in which they are tried."""


_COUNTING = (
    FIRST_WORDS
    | FIRST_NUMBERS
    | {words[0] for words in BESIDE_PAPER}
    | frozenset("number no nr paper item result top max maximum #".split())
)
"""Words with which a number or a time may begin."""


class MessageReader(MessageWords):
    """Reader of the parts of one message, which caches its results."""

    @cached_property
    def _chunks(self) -> dict[tuple[int, int], Chunk | None]:
        return {}

    @cached_property
    def _read(self) -> dict[tuple[int, int, bool], PaperSelection]:
        return {}

    def read(self, start: int, end: int, *, one: bool = False) -> PaperSelection:
        key = (start, end, one)
        if key not in self._read:
            self._read[key] = self._selection(start, end, one)
        return self._read[key]

    def _selection(self, start: int, end: int, one: bool) -> PaperSelection:
        self.start, self.end = start, end
        selection = PaperSelection()
        parts, joint = list[Part](), ""
        position = start
        while position < end:
            if self.keys[position] in ("or", ","):
                joint = self.keys[position]
            title = None if self._is_cued(position, start) and not one else self.title_at(position)
            chunk = self.chunk(position) if title is None else None
            if title is not None:
                selection.names.append(f"#{title.number}")
                position = title.end
                continue
            alone = chunk.alone if chunk else PaperSelection()
            if chunk is not None:
                chunk.say(selection)
                position = chunk.end
            else:
                before = len(selection.given.get("words", ()))
                position = bare_words_at(self, selection, position)
                words = selection.given.get("words", ())[before:]
                alone.given = {"words": words} if words else {}
            if alone.given or alone.also:
                parts.append(part_of(joint, alone))
                joint = ""
        if any(part.joint == "or" for part in parts[1:]):
            join(selection, parts)
        if joint == "or" or any(part.joint == "or" for part in parts[:1]):
            selection.rest += ["or"] * (bool(parts) or joint != "or")
        if selection.recent and selection.given.keys().isdisjoint({"since", "until"}):
            year = self.today.year - RECENT_YEARS
            selection.add("since", str(year))
            selection.taken.append(f"“{selection.recent}” as since {year}")
        self._settle(selection, start, end)
        return selection

    def _is_cued(self, position: int, start: int) -> bool:
        return position > start and self.keys[position - 1] in ("on", "about", "in", "by", "tagged", "regarding")

    def chunk(self, position: int) -> Chunk | None:
        key = (position, self.end)
        if key not in self._chunks:
            self.names.effort += 1
            self._chunks[key] = None  # None ends the recursion of a chunk that needs itself
            self._chunks[key] = self._chunk_at(position)
        return self._chunks[key]

    def _chunk_at(self, position: int) -> Chunk | None:
        token = self.tokens[position]
        if token.quoted:
            return quoted_at(self, position)
        if token.key == "but" and self._leaves_out(position) and (chunk := negation_at(self, position)):
            return chunk
        if is_name(self, token):
            return Chunk(position + 1, lambda selection: selection.names.append(token.text))
        cues = cues_at(self, position)
        behind = self.keys[position + 1] if position + 1 < self.end else ""
        for cue in cues:
            if len(cue.words) > 1 and (chunk := cued_at(self, cue, position)):
                return chunk
        words = self.phrase_at(_LEAVING_OUT, position)
        if words and (chunk := negation_at(self, position + len(words) - 1)):
            return chunk
        if (token.key in NEGATIONS or self._is_minus(position)) and (chunk := negation_at(self, position)):
            return chunk
        tag = self.tag_at(position)
        is_word = token.key not in FILLERS or (token.key == "to" and tag is not None and tag[1] > position + 1)
        name = bare_name_at(self, position) if tag and is_word else None
        if name and tag and name.end > tag[1]:
            return name
        if tag and is_word and not self._is_subject_too(position, *tag):
            return tags_at(self, position)
        if tag and is_word and not types_at(self, position):
            subject = written(self.tokens[position : tag[1]])
            return Chunk(tag[1], either_of({"words": [subject]}, {"tags": [tag[0]]}, f"“{subject}” as the subject"))
        counts = token.key in _COUNTING or any(map(str.isdigit, token.key)) or token.key.partition("-")[0] in _COUNTING
        for read in _WITHOUT_CUE if counts else ():
            if chunk := read(self, position):
                return chunk
        for cue in cues:
            if len(cue.words) == 1 and (chunk := cued_at(self, cue, position)):
                return chunk
        if token.key in NOUNS:
            return Chunk(position + 1, noun_at(self, position), False)
        if chunk := bare_name_at(self, position):
            return chunk
        if self._is_verb_of_texts(position):
            verb = f"“{token.text} {self.keys[position + 1]}” as about"
            return Chunk(position + 1, lambda selection: selection.taken.append(verb), False)
        if token.key == "who" and self.keys[max(self.start, position - 1)] in NOUNS and position > self.start:
            return Chunk(position + 1, nothing, False)  # "papers who have no tag"
        if self.stands(_KNOWN, position):
            return Chunk(position + len(_KNOWN), nothing, False)
        if token.key in ("to", "into", "onto") and behind == "my":
            return None  # "save both to my list": where they go says nothing of what they are
        if token.key in FILLERS or not any(map(str.isalnum, token.key)):
            return Chunk(position + 1, nothing, False)
        return None

    def _is_verb_of_texts(self, position: int) -> bool:
        """Whether a word only joins papers and their subject: "papers that rely on interviews"."""
        before, token = self.keys[position - 1 : position], self.tokens[position]
        introduces = self.keys[position + 1 : position + 2] in (["on"], ["about"]) and position + 2 < self.end
        joins = bool(before) and (before[0] in NOUNS or before[0] in ("that", "which", "who"))
        if not (joins and introduces) or token.key in self.own or not token.key.isalpha() or token.is_capital:
            return False
        subject = self.chunk(position + 1)
        if subject is None or subject.alone.given.keys().isdisjoint({"words", "any_words"}):
            return False  # "papers there on my shelf"
        return not self.names.in_titles([token.text])  # otherwise a subject: "papers bees on sleep"

    def _leaves_out(self, position: int) -> bool:
        """Whether "but" means "except": "everything but surveys", "but the first"."""
        behind = self.keys[position + 1 : position + 3]
        if self.keys[position - 1 : position] == [","] or behind[:1] in (["only"], ["just"]):
            return False  # "everything on sleep, but only the unread"
        of_all = not {*self.keys[max(0, position - 4) : position]}.isdisjoint(_ALL)
        return of_all or (len(behind) == 2 and behind[0] == "the" and ordinal(behind[1]) is not None)

    def _is_minus(self, position: int) -> bool:
        """Whether a sign is right before a word and after a space: "clinical -diabetes"."""
        sign, following = self.tokens[position], self.tokens[position + 1 : position + 2]
        bare = position > 0 and self.tokens[position - 1].end < sign.start
        return sign.key == "-" and bare and bool(following) and following[0].start == sign.end

    def _is_subject_too(self, position: int, tag: str, end: int) -> bool:
        """Whether the words of a tag match more papers as a subject or as a type than as the tag: "coral stuff", not
        "my coral list"."""
        if (position > 0 and self.keys[position - 1] == "my") or label_end(self, end) > end:
            return False
        if end > position + 1:
            return self.names.is_wider({"words": [tag]}, {"tags": [tag]})
        types = [cue.value[1] for cue in types_at(self, position)]
        if types and position > self.start + 1 and self.keys[position - 1] in JOINING and types_at(self, position - 2):
            return True  # "chapters and theses"
        others = ({"words": [tag]}, {"types": types})
        return any(self.names.is_wider(other, {"tags": [tag]}) for other in others[: 1 + bool(types)])

    def _is_person(self, position: int) -> bool:
        """Whether the name of an author is at a place of the message."""
        return self.names.person_at(self.tokens, position) is not None

    def _settle(self, selection: PaperSelection, start: int, end: int) -> None:
        """Interpret what depends on all of the selection."""
        keys = self.keys[start:end]
        has_it = self.focus is not None or self.shown == 1
        last = next((key for key in reversed(keys) if key not in _ARTICLES), "")
        if last in _OPEN and end < len(self.keys):
            selection.rest.append(last)  # its object is outside this part
        selection.definite = any(word in keys for word in ("the", "that", "this"))
        selection.ones = selection.definite and not {"one", "ones"}.isdisjoint(keys)
        if [key for key in keys if key not in _POLITE] in (["that"], ["this"], ["the", "one"]):
            selection.names.append("@it")
        people = not {"authors", "any_authors"}.isdisjoint(selection.given)  # "Lee and her papers"
        if not _POSSESSIVE.isdisjoint(selection.rest) and (people or any(map(self._is_person, range(start)))):
            selection.rest = [word for word in selection.rest if word not in _POSSESSIVE]
        if "@it" in selection.names and len({*selection.names}) > 1 and "and" not in keys:
            selection.names = [name for name in selection.names if name != "@it"]  # what the title before it names
        if "@it" in selection.names and len(selection.names) == 1 and has_it is False and selection.given:
            selection.names.remove("@it")
            selection.rest.append("it")
        if len([name for name in selection.names if name != "@it"]) > 1 and "words" in selection.given:
            selection.rest += selection.given.pop("words")  # the name of a paper that the library does not have
        for name in ("authors", "venues", "types", "tags"):  # "in Geology, not in Geology"
            both = {*selection.given.get(name, ())} & {*selection.given.get(f"without_{name}", ())}
            selection.rest += sorted(both)
        if _TOGETHER.isdisjoint(self.keys):
            self._settle_joined(selection)
        if selection.count and selection.order == "top" and not selection.given:
            selection.order = ""
        done = next((by for name, by in _DONE_LAST.items() if selection.given.get(name) is True), "")
        if selection.last and selection.count and done and selection.order in ("", "newest"):
            selection.order, selection.last = done, False  # "the last five that I saved"
        if selection.order == "top":
            selection.order = "citations"
        if selection.order and selection.expected and not (selection.count or selection.onward):
            selection.count, selection.expected = selection.expected, None
        of_shown = selection.onward or not (selection.given or selection.also)
        if (
            selection.count
            and not selection.order
            and self.shown
            and of_shown
            and not selection.names
            and ("first" in keys or "last" in keys or "top" in keys)
        ):
            selection.names = self.places(selection.count, last=selection.last)
            selection.count, selection.last, selection.onward = None, False, False
        if selection.given.keys() == {"except_papers"} and self.shown:
            # @1 and the like are numbers of the list shown
            selection.onward = all(re.fullmatch(r"@\d+", name) for name in selection.given["except_papers"])
        if selection.others and (self.shown or self.focus is not None):
            selection.given["except_papers"] = ["@shown" if self.shown else "@it"]
        elif selection.others and not (selection.given or selection.names or selection.order or selection.pronoun):
            selection.rest.append("else")

    def _settle_joined(self, selection: PaperSelection) -> None:
        """Read people or tags joined by "and" as any of them, if no paper is by or has all of them."""
        among = self.names.matching_among
        people, tags = selection.given.get("authors", ()), selection.given.get("tags", ())
        if len(people) > 1 and not among(filter_by(authors=tuple(people)), None):
            selection.given["any_authors"] = selection.given.pop("authors")
            selection.taken.append(f"“{listed(people)}” as “{listed(people, 'or')}” (no paper is by all of them)")
        more = [tag for conditions in selection.also for tag in conditions.get("tags", ())]
        also = [filter_by(tags=(tag,)) for tag in more]
        if tags and more and not among(reduce(and_, also, filter_by(tags=tuple(tags))), None):
            selection.given["tags"] = [*tags, *more]
            selection.also = [conditions for conditions in selection.also if conditions.keys() != {"tags"}]
            either = f"the tags {quoted([*tags, *more])} as {quoted([*tags, *more], 'or')}"
            selection.taken.append(f"{either} (no paper has all of them)")
