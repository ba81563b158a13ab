"""What a run says of its model, claim by claim, beside what a scripted model did.

`untrue(found, exchanges)` holds the sentences of a search that do not follow from the log of the server, those that
nobody knows how to check among them.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.run.events import Spent
from agents.search.verdicts import KEPT
from tests.agents.search.world import Searched, shown
from tests.services.model.says import ModelSays, usage
from tests.services.model.server import ModelRequest

Exchange = tuple[ModelRequest, ModelSays]
Claim = Callable[["Log", Sequence[str]], bool]
_WHO = r"The model \S+ at 127\.0\.0\.1:\d+ "
_QUOTE = "(?:: “(.+)”)?"


@dataclass(frozen=True)
class Log:
    """What a model was asked and said in a run, and how much was judged by rule or by words then."""

    exchanges: Sequence[Exchange]
    by_rule: int = 1
    unread: int = 0
    """Papers whose words alone the model judged."""

    @property
    def answers(self) -> list[str]:
        """The texts that came with success."""
        return [said.text or "" for _, said in self.exchanges if said.body is None and said.status == 200]

    def said(self, what: Callable[[ModelSays], object]) -> bool:
        """Whether any reply is so."""
        return any(what(said) for _, said in self.exchanges)

    def replied(self, status: str, quote: str = "") -> bool:
        """Whether the status or the code of an error is `status`, and its text holds `quote`."""
        return self.said(
            lambda said: quote in _body(said) and (str(said.status) == status or f'"code": {status}' in _body(said))
        )


def _body(said: ModelSays) -> str:
    return (said.body or b"").decode("utf-8", "replace")


def objects_in(text: str) -> list[dict[str, Any]]:
    """The outermost JSON objects in a text."""
    found: list[dict[str, Any]] = []
    at = text.find("{")
    while at >= 0:
        try:
            value, end = json.JSONDecoder().raw_decode(text, at)
        except ValueError:
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found


def _misfits(log: Log, groups: Sequence[str]) -> bool:
    """Whether an answer has the faults that are told of it."""
    return any(all(_has_fault(text, fault) for fault in groups[0].split("; ")) for text in log.answers if text.strip())


def _has_fault(text: str, fault: str) -> bool:
    objects = objects_in(text)
    if fault == "there is no JSON object in it":
        return not objects
    if keys := re.fullmatch(r"the object has none of the requested keys \((.+)\)", fault):
        names = set(keys[1].split(", "))
        return "{" in text and not any(names & one.keys() for one in objects)
    path, _, complaint = fault.partition(": ")
    *steps, last = path.split(".")
    return any(_wrong(row, last, complaint) for one in objects if (row := _at(one, steps)) is not None)


def _at(value: Any, steps: Sequence[str]) -> Any:
    """What is at the place `steps`; None if the answer has no such place, as one on fewer papers."""
    try:
        for step in steps:
            value = value[int(step)] if step.isdigit() else value[step]
    except LookupError:
        return None
    return value


def _wrong(row: Mapping[str, Any], name: str, complaint: str) -> bool:
    return {
        "Field required": name not in row,
        "Input should be a valid list": not isinstance(row.get(name), list),
        "all labels must be 0, 1, 2 or 3": row.get(name) not in (0, 1, 2, 3),
    }[complaint]


def _stopped(log: Log, groups: Sequence[str]) -> bool:
    """Whether the last answers were all of no use, and somebody had more to ask."""
    last = [said for _, said in log.exchanges[-4:]]
    return (
        len(last) == 4
        and not any(said.text and _is_verdict(said.text) for said in last)
        and log.by_rule + log.unread > 0
    )


def _is_verdict(text: str) -> bool:
    return any(one.get("label") in (0, 1, 2, 3) for one in objects_in(text))


def _cut(log: Log, groups: Sequence[str]) -> bool:
    tokens, thinking = int(groups[0].replace(",", "")), bool(groups[1])
    return log.said(
        lambda said: (
            said.finish == "length"
            and usage(said, 0)["completion_tokens"] == tokens
            and (not thinking or (bool(said.reasoning) and not said.text))
        )
    )


def _unsupported(log: Log, groups: Sequence[str]) -> bool:
    """Whether the model called so many papers relevant, and quoted so many of them with no words of theirs."""
    called = [
        (one, shown(request)[0])
        for request, said in log.exchanges
        if request.name == "judge"
        for one in objects_in(said.text or "")
        if one["label"] >= KEPT
    ]
    foreign = [one for one, paper in called if not one["quote"] or one["quote"] not in " ".join(paper.values())]
    return (len(foreign), len(called)) == (int(groups[0]), int(groups[1]))


CLAIMS: Mapping[str, Claim] = {
    _WHO + r"did not answer in the form asked for \((.+)\); another model may do better \(SPAR_MODEL\)\.": _misfits,
    _WHO + r"answered about something else; another model may do better \(SPAR_MODEL\)\.":
        lambda log, groups: any(not any(map(_is_verdict, [text])) for text in log.answers),
    _WHO + r"answered with nothing; another model may do better \(SPAR_MODEL\)\.":
        lambda log, groups: any(not text.strip() for text in log.answers),
    _WHO + rf"refuses to answer this{_QUOTE}( \(a content filter\))?; another model may do better \(SPAR_MODEL\)\.":
        lambda log, groups: log.said(lambda said: said.finish == "content_filter" if groups[1]
                                     else said.refusal == groups[0]),
    _WHO + r"did not finish its answer, which was cut after ([\d,]+) tokens(, most of which went into thinking)?; "
    r"another model may do better \(SPAR_MODEL\)\.": _cut,
    _WHO + r"sent more than 8 MB, the limit\.":
        lambda log, groups: any(len(text) > 8_000_000 for text in log.answers),
    _WHO + r"did not answer with JSON but, for example, a web page; is a login page or proxy in between\?":
        lambda log, groups: log.said(lambda said: said.body is not None and not objects_in(_body(said))),
    _WHO + r"answered without any text; is OPENAI_BASE_URL the address of a chat model's API\?":
        lambda log, groups: log.said(lambda said: '"choices": null' in _body(said)),
    _WHO + r"sent a reply in a compression that was not requested\.":
        lambda log, groups: log.said(lambda said: "Content-Encoding" in said.headers),
    _WHO + rf"is not working right now \(HTTP (\d+)\){_QUOTE}; try again later\.":
        lambda log, groups: log.replied(groups[0], groups[1]),
    _WHO + r"refuses the key \(HTTP (\d+)\); check OPENAI_API_KEY and OPENAI_BASE_URL\.":
        lambda log, groups: log.replied(groups[0], "API key"),
    _WHO + r"has no quota left for this key \(HTTP (\d+)\); check the account's plan and billing\.":
        lambda log, groups: log.replied(groups[0], "quota"),
    _WHO + rf"is not known there \(HTTP (\d+)\){_QUOTE}; check SPAR_MODEL, and that OPENAI_BASE_URL is the address of "
    r"the API, which usually ends in /v1\.": lambda log, groups: log.replied(groups[0], groups[1]),
    _WHO + r"got requests too fast and asks for a pause(?: for (\d+) s)?; try again later\.":
        lambda log, groups: log.said(lambda said: said.status == 429
                                     and said.headers.get("Retry-After", "") == groups[0]),
    _WHO + r"lost the connection before its answer was complete; try again later\.":
        lambda log, groups: log.said(lambda said: said.reset),
    _WHO + r"redirects elsewhere, which is not followed; set OPENAI_BASE_URL to that address\.":
        lambda log, groups: log.said(lambda said: 300 <= said.status < 400),
    _WHO + rf"refuses the request \(HTTP (\d+)\){_QUOTE}\.": lambda log, groups: log.replied(groups[0], groups[1]),
    _WHO + rf"cannot read a prompt of this length{_QUOTE}\.": lambda log, groups: log.replied("400", groups[0]),
    _WHO + r"did not answer in time \((\S+) s\); try again later, or set a higher model_seconds\.":
        lambda log, groups: log.said(lambda said: said.seconds > float(groups[0])),
    r"Built-in rules took over\.": lambda log, groups: log.by_rule > 0,
    r"Its judgements by words alone count\.": lambda log, groups: log.unread > 0,
    r"The model judged (\d+) of the papers shown by words alone, without reading the text\.":
        lambda log, groups: log.unread >= int(groups[0]),
    r"A deep search or more than (\d+) calls read more\.":
        lambda log, groups: log.unread > 0 and len(log.exchanges) >= int(groups[0]) and not _stopped(log, groups),
    r"The model gave no usable answer several times in a row; spar stopped asking it\.": _stopped,
    r"The model gave no usable answer on (\d+) of the papers; built-in rules judged those\.":
        lambda log, groups: log.by_rule == int(groups[0]),
    r"For (\d+) of the (\d+) relevant papers that the model read, it gave no exact quote; their texts "
    r"count less\.": _unsupported,
}  # fmt: skip
"""Whether each claim follows from the log, by its wording; the claim's figures and quotes are its groups."""


def logged(say: Callable[[ModelRequest], ModelSays]) -> tuple[Callable[[ModelRequest], ModelSays], list[Exchange]]:
    """The script `say` that writes down what it is asked and says, and where."""
    exchanges: list[Exchange] = []

    def said(request: ModelRequest) -> ModelSays:
        exchanges.append((request, say(request)))
        return exchanges[-1][1]

    return said, exchanges


def untrue(found: Searched, exchanges: Sequence[Exchange]) -> list[str]:
    """What the search said of its model and of what that cost that is not so."""
    last = found.state.judged.values()
    log = Log(exchanges, sum(one.by == "built-in" for one in last), sum(one.by_words for one in last))
    cost = found.state.cost
    return untrue_sentences(log, found.state.warnings) + ([] if _is_so(cost, exchanges) else [f"cost: {cost}"])


def untrue_sentences(log: Log, sentences: Sequence[str]) -> list[str]:
    """Those claims in what a run said of its model that are not so."""
    return [claim for sentence in sentences for claim in _untrue(log, sentence)]


def _untrue(log: Log, sentence: str) -> list[str]:
    while sentence:
        match, holds = next(
            ((match, holds) for claim, holds in CLAIMS.items() if (match := re.match(claim, sentence))), (None, None)
        )
        if match is None or holds is None:
            return [sentence]
        if not holds(log, [group or "" for group in match.groups()]):
            return [match[0]]
        sentence = sentence[match.end() :].lstrip()
    return []


def _is_so(cost: Spent, exchanges: Sequence[Exchange]) -> bool:
    """Whether as many calls count as were read, and as many tokens as the server counted."""
    read = [said for _, said in exchanges if said.status == 200 and '"error"' not in _body(said)]
    counted = sum(usage(said, 0)["completion_tokens"] for said in read if said.body is None)
    return cost.calls == len(read) and cost.output_tokens == (0 if cost.tokens_estimated else counted)
