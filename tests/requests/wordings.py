"""The wordings that the assistant knows (`agents/builtin/requests/wordings.txt`), made of the open requests and of
the ways of asking that the rules are tested with: `python -m tests.requests.wordings`.

Names, numbers and topics are taken out, so what is left says how people word things, and nothing of any paper. What the
assistant should leave alone (requests that ask for nothing it can do) is not among them.
"""

import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

import agents.assistant.loop  # noqa: F401  # which reads all that is listened for: what is heard is no topic
from agents.assistant.events import ConversationStarted
from agents.assistant.planning import scene_in
from agents.assistant.state import ConversationState
from agents.builtin.requests.readings.wordings import abstracted
from agents.run.resources import Resources
from agents.tools.tool import ToolContext
from cache.store import Store
from tests.agents.builtin.requests import scenes
from tests.requests import world
from tests.requests.requests import Request, read_open

WAYS = Path(scenes.__file__).with_name("ways.txt")
KNOWN = Path(__file__).parents[2] / "agents" / "builtin" / "requests" / "readings" / "wordings.txt"


def lines(requests: Collection[Request]) -> list[str]:
    """A line for each wording, `+` before those that go on with papers spoken of before."""
    return sorted({*_of_requests(requests), *_of_ways()})


def _of_requests(requests: Collection[Request]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "world.db") as store:
        world.fill(store)
        started = ConversationStarted((), today=world.NOW.date())
        scene = scene_in(ConversationState(started), ToolContext(store, Resources({}), world.NOW))
        for request in requests:
            if any(request.plans):
                yield f"{'+' if request.dialog else ' '}{abstracted(request.message, scene).pattern}"


def _of_ways() -> Iterator[str]:
    for line in WAYS.read_text("utf-8").splitlines():
        if line.count("|") >= 2 and not line.startswith("#"):
            where, said, _ = line.split("|", 2)
            yield f"{' ' if where.strip() == 'start' else '+'}{abstracted(said.strip(), scenes.LIBRARY).pattern}"


def main() -> None:
    KNOWN.write_text("\n".join([*lines(read_open()), ""]), "utf-8")


if __name__ == "__main__":
    main()
