"""Everyday messages are read correctly, or asked back with the correct reading among the offers."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cache.store import PaperId, Store
from tests.agents.reading import shelves
from tests.agents.reading.conversations import outcome_of
from tests.rows import each

MESSAGES = [
    [part.strip() for part in line.split("|")]
    for line in (Path(__file__).parent / "everyday.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Mapping[PaperId, str]]]:
    with Store.open(tmp_path_factory.mktemp("reading") / "library.db") as store:
        numbers = shelves.fill(store)
        yield store, {number: name for name, number in numbers.items()}


@each(("message", "tool", "right"), MESSAGES, ids=[message for message, *_ in MESSAGES])
def test_an_everyday_message_is_read_right_or_asked_back(
    shelf: tuple[Store, Mapping[PaperId, str]], message: str, tool: str, right: str
) -> None:
    store, names = shelf
    outcome = outcome_of(store, [part.strip() for part in message.split("//")])
    reading = outcome.reading
    told = " ".join([outcome.text, *(f"{option.label} {option.calls}" for option in reading.options)]).casefold()
    assert reading.understood is not right.startswith("?")
    tools = [call.tool for call in reading.calls if call.tool != "list"]
    if tool:
        assert tools[-1] == tool or (tool == "filter" and tools[-1] in ("rank", "paper")), reading
    if right.startswith(("?", '"')):
        assert right.strip('?"').casefold() in told
    elif right.startswith("="):
        wanted = right.removeprefix("=").split()
        assert [names[number] for number in outcome.shown][: len(wanted)] == wanted
    elif right:
        assert {names[number] for number in outcome.shown} == set(right.split())
