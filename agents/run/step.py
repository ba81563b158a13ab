"""A step of reasoning: items are numbered, the model is asked about them in batches, its answer is read back by id, and
the built-in rule does what is missing."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import BaseModel, BeforeValidator

from agents.builtin.text.excerpts import excerpt
from agents.llm.answers.json_answers import OtherScale
from agents.llm.errors import TooLong
from agents.llm.prompt import About, Prompt
from agents.run.session import RunSession
from connectors.paper import Paper


class Row(Protocol):
    """What a model says of one item, which it names by its id."""

    id: str


NOTE = "note on the paper, not its words"
"""How what spar says of a paper is called where a model reads it."""

_OVER_ONE = re.compile(r"\s*[0-9]*\.?[0-9]+\s*")
Item = TypeVar("Item")
R = TypeVar("R", bound=Row)
Answer = TypeVar("Answer", bound=BaseModel)
E = TypeVar("E")


def read_score(written: object) -> float | None:
    """A score from 0 to 1 out of what a model wrote: 0.9, "0.9/1", "9/10", "90 %"; None if it is none of them."""
    if isinstance(written, bool) or written is None:
        return None
    number = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(?:(%)|/\s*([0-9]+(?:\.[0-9]+)?))?\s*", str(written))
    if not number:
        return None
    whole = 100.0 if number[2] else float(number[3] or 1)
    score = float(number[1]) / whole if whole else -1.0
    return score if 0 <= score <= 1 else None


def read_on_scale(written: object) -> float | None:
    """As `read_score`, but a figure over 1 is a fault of the whole answer: beside it a 1 may mean the least of ten."""
    score = read_score(written)
    if score is None and _OVER_ONE.fullmatch(str(written)) and float(str(written)) > 1:
        raise OtherScale("all scores must be from 0 to 1, such as 0.7")
    return score


Score = Annotated[float | None, BeforeValidator(read_on_scale)]
"""A score as a model may write it; None for what is no figure."""


def read_ids(written: object) -> list[str]:
    """Ids out of what a model wrote: a list of them, or a text that holds them."""
    if isinstance(written, str):
        return re.findall(r"\w+", written)
    return [str(item).strip("[]() ") for item in written] if isinstance(written, list) else []


Ids = Annotated[list[str], BeforeValidator(read_ids)]
"""Ids of items that a model names."""


def numbered(items: Iterable[Item], letter: str, secret: str) -> dict[str, Item]:
    """The items by the ids that a model knows them by: `letter`, their number from 1, and a tail that `secret` decides.

    No author of the items may know `secret`: then no text among the items can name another.
    """
    tail = blake2b(secret.encode("utf-8", "replace"), digest_size=2).hexdigest()
    return {f"{letter}{number}_{tail}": item for number, item in enumerate(items, start=1)}


def text_of(paper: Paper, letters: int) -> dict[str, str]:
    """What a model is given to read of a paper besides its title, by name: `letters` of its abstract, of what it
    did and found, or, in want of one, of spar's note."""
    note = {NOTE: excerpt(paper.about, letters)} if paper.about != paper.abstract else {}
    return {"abstract": excerpt(paper.abstract, letters), **note}


def read_id(written: str, ids: Collection[str]) -> str | None:
    """Which of `ids` a model means by "p1_0a1b", "[P1_0A1B]" or "p1_0a1b: its title"; None if it names none or
    several."""
    words = set(re.findall(r"\w+", written.casefold()))
    named = [name for name in ids if name.casefold() in words]
    return named[0] if len(named) == 1 else None


def known_ids(written: Iterable[str], ids: Collection[str]) -> list[str]:
    """Those of `ids` that are named, each once."""
    return list(dict.fromkeys(name for item in written if (name := read_id(item, ids)) is not None))


def by_item(rows: Iterable[R], items: Mapping[str, Item]) -> dict[Item, R]:
    """What is said of each of `items`, given by their ids: the first row that names it. Unknown ids are dropped."""
    by_item_read: dict[Item, R] = {}
    for row in rows:
        name = read_id(row.id, items.keys())
        if name is not None:
            by_item_read.setdefault(items[name], row)
    return by_item_read


def in_batches(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    """`items` in their order, at most `size` together."""
    return [items[start : start + size] for start in range(0, len(items), size)]


async def ask_about(
    session: RunSession[Any, Any],
    items: Mapping[str, Item],
    prompt: Callable[[Mapping[str, Item]], Prompt],
    shape: type[Answer],
    rows: Callable[[Answer], Iterable[R]],
) -> dict[Item, R] | None:
    """What the model says of each of `items`, given by their ids; None if nothing was asked or no answer came.

    `prompt` asks about some items; `rows` are those of the answer that can be used. Items that are too much to read at
    once are asked about in halves.
    """
    if not items:
        return None

    def read(answer: Answer) -> dict[Item, R]:
        return by_item(rows(answer), items)

    try:
        answer = await session.answer(prompt(items), shape, About(items.keys(), lambda answer: bool(read(answer))))
    except TooLong as error:
        if len(items) == 1:
            session.take_over(error)
            return None
    else:
        return None if answer is None else read(answer)
    halves = in_batches(list(items.items()), (len(items) + 1) // 2)
    answers = [await ask_about(session, dict(half), prompt, shape, rows) for half in halves]
    return {item: row for half in answers if half is not None for item, row in half.items()} if any(answers) else None


async def reason(
    session: RunSession[Any, E],
    batches: Iterable[Sequence[Item]],
    by_model: Callable[[Sequence[Item]], Awaitable[Mapping[Item, E] | None]],
    by_rule: Callable[[Item], E],
) -> None:
    """Post one event for every item: what the model makes of it, else what the rule does.

    `by_model` gives the events of a batch, None if no answer came. All batches are asked about at once; the events of
    one are posted together, in the order of its items. A batch that has no
    answer when the run is to end gets none. Without a model the rule goes item by item, so
    that it sees what was posted of those before.
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
