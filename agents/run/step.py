"""A step of reasoning: number the items, ask the model about them in batches, match its answer by id, and fill gaps
with the built-in rule."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import BaseModel, BeforeValidator

from agents.builtin.text.excerpts import excerpt
from agents.llm.answers.json_answers import OtherScale
from agents.llm.errors import TooLong
from agents.llm.prompt import AssessedItems, Prompt
from agents.run.session import RunSession
from connectors.batches import in_batches as in_batches
from connectors.paper import Paper


class ItemReply(Protocol):
    """A model's statement about one item, identified by its id."""

    id: str


NOTE = "note on the paper, not its words"
"""Key for spar's note on a paper in prompts."""

_OVER_ONE = re.compile(r"\s*[0-9]*\.?[0-9]+\s*")
Item = TypeVar("Item")
R = TypeVar("R", bound=ItemReply)
Answer = TypeVar("Answer", bound=BaseModel)
E = TypeVar("E")


def read_score(value: object) -> float | None:
    """Return a score from 0 to 1 from 0.9, "0.9/1", "9/10" or "90 %"; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    number = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(?:(%)|/\s*([0-9]+(?:\.[0-9]+)?))?\s*", str(value))
    if not number:
        return None
    whole = 100.0 if number[2] else float(number[3] or 1)
    score = float(number[1]) / whole if whole else -1.0
    return score if 0 <= score <= 1 else None


def read_on_scale(value: object) -> float | None:
    """Like `read_score`, but raise `OtherScale` for a figure over 1: then even a 1 in the same answer may be the lowest
    of ten."""
    score = read_score(value)
    if score is None and _OVER_ONE.fullmatch(str(value)) and float(str(value)) > 1:
        raise OtherScale("all scores must be from 0 to 1, such as 0.7")
    return score


Score = Annotated[float | None, BeforeValidator(read_on_scale)]
"""A score as a model may write it; None if it is not a number."""


def read_ids(value: object) -> list[str]:
    """Return ids from a list, or from a text that contains them."""
    if isinstance(value, str):
        return re.findall(r"\w+", value)
    return [str(item).strip("[]() ") for item in value] if isinstance(value, list) else []


Ids = Annotated[list[str], BeforeValidator(read_ids)]
"""Ids of items that a model names."""


def numbered(items: Iterable[Item], letter: str, secret: str) -> dict[str, Item]:
    """Return the items by the ids used in the prompt: `letter`, a number from 1, and a suffix derived from `secret`.

    No author of the items may know `secret`, so no text among the items can name another item.
    """
    tail = blake2b(secret.encode("utf-8", "replace"), digest_size=2).hexdigest()
    return {f"{letter}{number}_{tail}": item for number, item in enumerate(items, start=1)}


def text_of(paper: Paper, letters: int) -> dict[str, str]:
    """Return the texts about a paper that a prompt has besides its title, by name: `letters` characters of its abstract
    or, without one, of spar's note."""
    note = {NOTE: excerpt(paper.about, letters)} if paper.about != paper.abstract else {}
    return {"abstract": excerpt(paper.abstract, letters), **note}


def read_id(text: str, ids: Collection[str]) -> str | None:
    """Return the one of `ids` that "p1_0a1b", "[P1_0A1B]" or "p1_0a1b: its title" names; None if it names none or
    several."""
    words = set(re.findall(r"\w+", text.casefold()))
    matches = [name for name in ids if name.casefold() in words]
    return matches[0] if len(matches) == 1 else None


def known_ids(texts: Iterable[str], ids: Collection[str]) -> list[str]:
    """Return the `ids` that `texts` names, each once."""
    return list(dict.fromkeys(name for item in texts if (name := read_id(item, ids)) is not None))


def by_item(rows: Iterable[R], items: Mapping[str, Item]) -> dict[Item, R]:
    """Return the first row that names each item of `items` (by id). Rows with unknown ids are dropped."""
    by_item_read: dict[Item, R] = {}
    for row in rows:
        name = read_id(row.id, items.keys())
        if name is not None:
            by_item_read.setdefault(items[name], row)
    return by_item_read


async def ask_about(
    session: RunSession[Any, Any],
    items: Mapping[str, Item],
    prompt: Callable[[Mapping[str, Item]], Prompt],
    shape: type[Answer],
    rows: Callable[[Answer], Iterable[R]],
) -> dict[Item, R] | None:
    """Return the model's row on each item of `items` (by id); None if there was nothing to ask or no answer.

    `prompt` asks about some items; `rows` returns the usable rows of an answer. Items that are too long for one prompt
    are asked about in halves, which use up one question of the run's own limit.
    """
    if not items:
        return None

    def read(answer: Answer) -> dict[Item, R]:
        return by_item(rows(answer), items)

    try:
        about: AssessedItems[Answer] = AssessedItems(items.keys(), lambda answer: bool(read(answer)))
        answer = await session.ask(prompt(items), shape, about=about, raises=(TooLong,))
    except TooLong as error:
        if len(items) == 1:
            session.take_over(error)
            return None
    else:
        return None if answer is None else read(answer)
    session.grant(1)
    halves = in_batches(list(items.items()), (len(items) + 1) // 2)
    answers = [await ask_about(session, dict(half), prompt, shape, rows) for half in halves]
    return {item: row for half in answers if half is not None for item, row in half.items()} if any(answers) else None


async def reason(
    session: RunSession[Any, E],
    batches: Iterable[Sequence[Item]],
    by_model: Callable[[Sequence[Item]], Awaitable[Mapping[Item, E] | None]],
    by_rule: Callable[[Item], E],
) -> None:
    """Post one event per item: from the model, else from the built-in rule.

    `by_model` returns the events of a batch; None if there was no answer. All batches are asked about in parallel; the
    events of one batch are posted together, in order. A batch without an answer when the run stops gets no events.
    Without a model, the rule handles item after item and sees the events posted before.
    """

    def post(batch: Sequence[Item], events: Mapping[Item, E]) -> None:
        session.post(*(events.get(item) or by_rule(item) for item in batch))

    async def do(batch: Sequence[Item]) -> None:
        events = await by_model(batch)
        if events is not None or not session.control.stopping:
            post(batch, events or {})

    if session.resources.model is None:
        for item in (item for batch in batches for item in batch):
            post([item], {})
        return
    async for _ in session.control.as_done([asyncio.create_task(do(batch)) for batch in batches]):
        pass
