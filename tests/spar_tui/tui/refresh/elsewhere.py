"""Another process that reads and writes the library while the app has it open."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from cache.store import Store
from tests.reliability.processes import FORKS

P = ParamSpec("P")
T = TypeVar("T")


class Elsewhere:
    """Does things with the library in the process of `pool`."""

    def __init__(self, pool: ProcessPoolExecutor, library: Path) -> None:
        self._pool, self._library = pool, library

    def __call__(self, do: Callable[Concatenate[Store, P], T], *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        """What `do`, a function of a module, returns there."""
        return asyncio.wrap_future(self._pool.submit(_done, self._library, do, args, kwargs))


@contextmanager
def other_process() -> Iterator[ProcessPoolExecutor]:
    """One process more, until the end."""
    with ProcessPoolExecutor(1, FORKS) as pool:
        yield pool


def _done(library: Path, do: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    with Store.open(library) as store:
        return do(store, *args, **kwargs)
