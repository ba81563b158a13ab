"""The requests and the grader: pure functions from what an assistant did to whether it was right.

A request is a line of JSON: `id`, `group`, `dialog` (what the person said before, the first first), `message`, `plans`
(the plans that are accepted, each a list of tool names) and `expect`. The dialog is put to the same conversation before
the message, and only the message's turn is graded; but what changed is compared with the world as it was filled, so
that a change that the dialog made unasked is found as well.

`expect` names what must hold, all of it. With no key that speaks of changes, nothing may have changed; with none that
speaks of being at a loss, the message must have been understood:

| key | the right result |
|---|---|
| `ids` | exactly these papers, as candidates, as those shown, or as those that a row of `query` names |
| `order` | the papers shown (or, where none are, the candidates) begin with these |
| `includes` | each of these is shown or among the first `FAR` candidates |
| `excludes` | none of these is shown (or, where none are shown, a candidate) |
| `within` | what is shown (or, where nothing is, what is a candidate) are all of these |
| `some` | at least so many papers are shown, or are candidates |
| `most` | at most so many are shown |
| `number` | the answer says this number, in digits or as a word; rounded as a person would |
| `text` | the answer holds each of these fragments; of a list, one; case, accents and punctuation do not matter |
| `lacks` | the answer holds none of these |
| `asks` | this change, or one of these, is proposed and not done; `about` are the papers that it is proposed for |
| `changed` | afterwards the shelf holds this of these papers (null: not there) and is otherwise as it was |
| `profile` | a line of the profile holds these words; all else is as it was |
| `dismissed` | these papers are dismissed; all else is as it was |
| `run` | a run of this kind was begun, its question holding each of `words` and its papers being `papers`, if told |
| `not_understood` | the assistant says that it did not understand, and shows and changes nothing |
| `unknown` | the answer says of this title that it is unknown; no other paper is shown in its place |
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tests.requests.seal import unsealed

FOLDER = Path(__file__).parent
OPEN = FOLDER / "open.jsonl"
DEVELOPMENT = FOLDER / "development.jsonl"
SEALED = FOLDER / "sealed.bin"
FAR = 50
"""How deep in the candidates a paper that any reader would expect may stand, if it is not shown."""
WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()
_DIGITS = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNKNOWN = re.compile(r"\b(no|not|nobody|none|never|unknown|cannot|cant|dont|doesnt|isnt|without)\b")


@dataclass(frozen=True, slots=True)
class Request:
    """One request with what is right for it."""

    id: str
    group: str
    dialog: tuple[str, ...]
    message: str
    plans: tuple[tuple[str, ...], ...]
    expect: Mapping[str, Any]


class Begun(NamedTuple):
    """A run that the turn began, or would have begun if a source answered; `papers` are those it was given, if any."""

    kind: str
    question: str
    papers: tuple[str, ...] = ()


class Proposed(NamedTuple):
    """A change that waits for a yes, and the papers that it is about."""

    tool: str
    papers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the turn of the message came to; papers are their ids, such as `doi:10.1000/x`.

    `plan` are the tools in their order, those that wait for a yes included. `candidates` are None for the whole
    library. `rows` are the papers that the rows of `query` name. `before` is `world.state` of the filled library,
    `after` that of the library after the turn.
    """

    plan: tuple[str, ...]
    answer: str
    candidates: tuple[str, ...] | None = None
    shown: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    proposed: tuple[Proposed, ...] = ()
    begun: tuple[Begun, ...] = ()
    understood: bool = True
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)


class Grade(NamedTuple):
    """Whether the plan and the result were right; `wrong` names the keys of `expect` that did not hold."""

    plan: bool
    result: bool
    wrong: tuple[str, ...] = ()


def read_open() -> list[Request]:
    """The requests that those who build the assistant may see."""
    return read(OPEN.read_text("utf-8"))


def read_development() -> list[Request]:
    """The requests of four sets that the rules were mended with, or put on the way, beside the open ones."""
    return read(DEVELOPMENT.read_text("utf-8"))


def read_sealed() -> list[Request]:
    """The sealed requests; to be asked for at the end only. Raises `ValueError` if the seal is broken."""
    return read(unsealed(SEALED.read_bytes()))


def read(text: str) -> list[Request]:
    """The requests of a text, one a line."""
    return [_request(json.loads(line)) for line in text.splitlines() if line.strip()]


def grade(request: Request, outcome: Outcome) -> Grade:
    """Whether `outcome` is right for `request`."""
    wrong = tuple(key for key in _keys(request.expect) if not _CHECKS[key](request.expect, outcome))
    return Grade(plan_right(request.plans, outcome.plan), not wrong, wrong)


def plan_right(accepted: Iterable[Sequence[str]], plan: Sequence[str]) -> bool:
    """Whether `plan` is one of those `accepted`. To show the result at the end is implied, so `list` at the end counts
    for nothing, in either."""
    return _without_showing(plan) in {_without_showing(one) for one in accepted}


def _without_showing(plan: Sequence[str]) -> tuple[str, ...]:
    kept = list(plan)
    while len(kept) > 1 and kept[-1] == "list":
        kept.pop()
    return tuple(kept)


def _request(told: Mapping[str, Any]) -> Request:
    plans = tuple(tuple(plan) for plan in told["plans"])
    return Request(told["id"], told["group"], tuple(told["dialog"]), told["message"], plans, told["expect"])


_CHANGES = ("changed", "profile", "dismissed")
_AT_A_LOSS = ("not_understood", "unknown")
_DETAILS = ("about", "words", "papers")
"""Keys that say more of another key, and are looked at with it."""


def _keys(expect: Mapping[str, Any]) -> list[str]:
    told = [key for key in expect if key not in _DETAILS]
    unsaid = [] if any(key in told for key in _CHANGES) else ["unchanged"]
    unsaid += [] if any(key in told for key in _AT_A_LOSS) else ["understood"]
    return [*told, *unsaid]


def _result(outcome: Outcome) -> tuple[str, ...]:
    return outcome.shown or outcome.rows or outcome.candidates or ()


def _ids(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    right = set(expect["ids"])
    if not right:
        return not outcome.shown and not outcome.rows
    # Those shown may be the first page of the candidates; then the candidates are what was found.
    return any(set(found) == right for found in (outcome.candidates or (), outcome.shown, outcome.rows))


def _order(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    first: list[str] = expect["order"]
    return list(_result(outcome)[: len(first)]) == first


def _includes(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    near = {*outcome.shown, *outcome.rows, *(outcome.candidates or ())[:FAR]}
    return near.issuperset(expect["includes"])


def _excludes(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    return not set(_result(outcome)) & set(expect["excludes"])


def _within(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    return set(_result(outcome)) <= set(expect["within"])


def _some(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    return len(_result(outcome)) >= int(expect["some"])


def _most(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    return len(outcome.shown or outcome.rows) <= int(expect["most"])


def _number(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    return says_number(outcome.answer, expect["number"])


def says_number(answer: str, number: float) -> bool:
    """Whether `answer` says `number`: `1234`, `1,234`, `twelve`; a broken number rounded to any place."""
    for text in _DIGITS.findall(answer):
        said = [text.replace(",", "")] if _GROUPED.fullmatch(text) else text.split(",")
        if any(round(number, len(one.partition(".")[2])) == float(one) for one in said if one):
            return True
    words = _plain(answer).split()
    return number in range(len(WORDS)) and (WORDS[int(number)] in words or (number == 0 and "none" in words))


def _text(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    wanted = [[one] if isinstance(one, str) else one for one in expect["text"]]
    return all(any(_stands(fragment, outcome.answer) for fragment in one) for one in wanted)


def _lacks(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    return not any(_stands(fragment, outcome.answer) for fragment in expect["lacks"])


def _stands(fragment: str, answer: str) -> bool:
    """Whether the answer holds the fragment, from the beginning of a word: `citation` stands in `citations`."""
    return f" {_plain(fragment)}" in f" {_plain(answer)}"


def _asks(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    tools = [expect["asks"]] if isinstance(expect["asks"], str) else expect["asks"]
    asked = [proposed for proposed in outcome.proposed if proposed.tool in tools]
    about = expect.get("about")
    return any(about is None or set(proposed.papers) == set(about) for proposed in asked)


def _unchanged(_: Mapping[str, Any], outcome: Outcome) -> bool:
    return outcome.before == outcome.after


def _understood(_: Mapping[str, Any], outcome: Outcome) -> bool:
    return outcome.understood


def _changed(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    changed, before, after = expect["changed"], outcome.before, outcome.after
    if not _same(before, after, {*before, *after} - set(changed)):
        return False
    return all(_holds(after.get(paper), told) for paper, told in changed.items())


def _holds(entry: Mapping[str, Any] | None, told: Mapping[str, Any] | None) -> bool:
    """Whether a saved paper's entry is as told; a note need only hold the words."""
    if entry is None or told is None:
        return entry is told
    return all(
        _plain(value) in _plain(entry[name]) and bool(value) == bool(entry[name]) if name == "note"
        else sorted(entry[name]) == sorted(value) if name == "tags"
        else entry[name] == value
        for name, value in told.items()
    )  # fmt: skip


def _profile(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    fresh = [line for line in outcome.after.get("profile", ()) if line not in outcome.before.get("profile", ())]
    others = {*outcome.before, *outcome.after} - {"profile"}
    told = all(any(_plain(words) in _plain(line) for line in fresh) for words in expect["profile"])
    return told and _same(outcome.before, outcome.after, others)


def _dismissed(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    was, now = set(outcome.before.get("dismissed", ())), set(outcome.after.get("dismissed", ()))
    others = {*outcome.before, *outcome.after} - {"dismissed"}
    return now - was == set(expect["dismissed"]) and was <= now and _same(outcome.before, outcome.after, others)


def _same(before: Mapping[str, Any], after: Mapping[str, Any], names: Iterable[str]) -> bool:
    return all(before.get(name) == after.get(name) for name in names)


def _run(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    words, papers = expect.get("words", ()), expect.get("papers")
    return any(
        begun.kind == expect["run"]
        and all(_plain(word) in _plain(begun.question) for word in words)
        and (papers is None or set(begun.papers) == set(papers))
        for begun in outcome.begun
    )


def _not_understood(_: Mapping[str, Any], outcome: Outcome) -> bool:
    return not outcome.understood and not outcome.shown and not outcome.proposed and not outcome.begun


def _unknown(expect: Mapping[str, Any], outcome: Outcome) -> bool:
    answer, title = _plain(outcome.answer), _plain(expect["unknown"])
    rest = answer.replace(title, " ")
    return title in answer and bool(_UNKNOWN.search(rest)) and not outcome.shown and not outcome.begun


def _plain(text: str) -> str:
    """Small letters and digits of any script, without accents; one space between words, apostrophes gone."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return " ".join(re.sub(r"[^\w]+|_", " ", re.sub("['’`]", "", bare.casefold())).split())


_CHECKS = {
    "ids": _ids,
    "order": _order,
    "includes": _includes,
    "excludes": _excludes,
    "within": _within,
    "some": _some,
    "most": _most,
    "number": _number,
    "text": _text,
    "lacks": _lacks,
    "asks": _asks,
    "unchanged": _unchanged,
    "understood": _understood,
    "changed": _changed,
    "profile": _profile,
    "dismissed": _dismissed,
    "run": _run,
    "not_understood": _not_understood,
    "unknown": _unknown,
}
KEYS = frozenset(_CHECKS) - {"unchanged", "understood"} | set(_DETAILS)
"""All that `expect` may name."""
