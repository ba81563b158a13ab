"""The wordings that the assistant knows (`agents/builtin/requests/readings/wordings.txt`), made of the open requests,
of what says the same as one of them in other words (`paraphrases.jsonl`), and of the ways of asking that the rules are
tested with: `python -m tests.requests.wordings`.

Names, numbers and topics are taken out, so what is left says how people word things, and nothing of any paper. What the
assistant should leave alone (requests that ask for nothing it can do) is not among them. A paraphrase stands beside the
request that it says again, unless the two do not come to the same slots: then one could not be filled from the other.
"""

import json
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import agents.assistant.loop  # noqa: F401  # which reads all that is listened for: what is heard is no topic
from agents.assistant.events import ConversationStarted
from agents.assistant.planning import scene_in
from agents.assistant.state import ConversationState
from agents.builtin.requests.readings.wordings import Abstracted, abstracted
from agents.run.resources import Resources
from agents.tools.tool import ToolContext
from cache.store import Store
from tests.agents.builtin.requests import scenes
from tests.requests import world
from tests.requests.requests import Request, read_open

WAYS = Path(scenes.__file__).with_name("ways.txt")
PARAPHRASES = Path(__file__).with_name("paraphrases.jsonl")
KNOWN = Path(__file__).parents[2] / "agents" / "builtin" / "requests" / "readings" / "wordings.txt"


def lines(requests: Collection[Request], paraphrases: Iterable[Mapping[str, str]]) -> list[str]:
    """A line for each wording, `+` before those that go on with papers spoken of before; behind a tab how a paraphrase
    is said as a request."""
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "world.db") as store:
        world.fill(store)
        started = ConversationStarted((), today=world.NOW.date())
        scene = scene_in(ConversationState(started), ToolContext(store, Resources({}), world.NOW))
        known = {request.id: request for request in requests if any(request.plans)}
        said = {name: abstracted(request.message, scene) for name, request in known.items()}
        found = {f"{_mark(known[name])}{one.pattern}" for name, one in said.items()}
        for told in paraphrases:
            request = known.get(told["of"])
            again = abstracted(told["message"], scene)
            if request and slots(again) == slots(said[request.id]):
                found.add(f"{_mark(request)}{again.pattern}\t{said[request.id].pattern}")
    return sorted({*found, *_of_ways()})


def slots(one: Abstracted) -> dict[str, list[str]]:
    """What stands in the slots of each kind, in its order."""
    standing: dict[str, list[str]] = {}
    for kind, text in one.fillers:
        standing.setdefault(kind, []).append(text.strip("\"'“”‘’").casefold())
    return standing


def read_paraphrases() -> list[dict[str, str]]:
    """What says the same as an open request: `of` is that request's id."""
    return [json.loads(line) for line in PARAPHRASES.read_text("utf-8").splitlines()]


def _mark(request: Request) -> str:
    return "+" if request.dialog else " "


def _of_ways() -> Iterator[str]:
    for line in WAYS.read_text("utf-8").splitlines():
        if line.count("|") >= 2 and not line.startswith("#"):
            where, said, _ = line.split("|", 2)
            yield f"{' ' if where.strip() == 'start' else '+'}{abstracted(said.strip(), scenes.LIBRARY).pattern}"


def main() -> None:
    KNOWN.write_text("\n".join([*lines(read_open(), read_paraphrases()), ""]), "utf-8")


if __name__ == "__main__":
    main()
