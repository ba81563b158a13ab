"""What a person asks of a run while it goes on, or of one that has ended."""

import asyncio
from dataclasses import dataclass

from agents.run.events import Link
from connectors.paper import WorkId


@dataclass(frozen=True, slots=True)
class GiveFeedback:
    """This work is `relevant`, it is not, or what was said of it is taken back (None)."""

    work: WorkId
    relevant: bool | None


@dataclass(frozen=True, slots=True)
class FollowLinks:
    """Follow the references of this work, or the papers that cite it, now."""

    work: WorkId
    link: Link = "references"


@dataclass(frozen=True, slots=True)
class Say:
    """Answer this message, in a conversation."""

    text: str


Request = GiveFeedback | FollowLinks | Say


class Requests:
    """The person's requests in their order, until each has been met."""

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[Request] = asyncio.Queue()
        self.unmet = 0
        """How many are not met yet."""

    def put(self, request: Request) -> None:
        """Ask for `request`."""
        self.unmet += 1
        self._waiting.put_nowait(request)

    @property
    def open(self) -> bool:
        """Whether any is not met yet."""
        return self.unmet > 0

    async def next(self) -> Request:
        """The next request, as soon as there is one; say `met` when it is."""
        return await self._waiting.get()

    def met(self) -> None:
        """The request that was taken last is met."""
        self.unmet -= 1
        self._waiting.task_done()

    async def all_met(self) -> None:
        """Wait until nothing is asked for any more."""
        await self._waiting.join()
