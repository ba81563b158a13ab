"""The tables of a corpus, and how to open them: `works`, `links`, `parts` and `abstracts` in a LanceDB database, and
`vectors` if any were computed.

`links` maps numbers to works: from a cited identifier to a citing work, with that work's citation count as `weight`, or
from another identifier of a work to the work (`weight` is `A_NAME`). One index over these numbers finds both works by
identifier and citing works. A link can survive a replaced record, so it is always checked against the record, except
for links from a file of citations, which no record has (`weight` is `CITES`). Such a file is also the only source of
the works that a work cites, so each of its lines is stored a second time, from `list_of` the citing work to the cited
one (`weight` is `CITED`). These links are stored even if their works are not, because those may follow. `parts` records
how far each file of a dump was read. `abstracts` has the abstracts that wait for their works; a corpus of version 1 has
no such table. Tables are versioned: writers do not disturb readers.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from cache.corpus.place import WORKS, exists, is_remote
from cache.errors import CacheError
from connectors.batches import in_batches


class CorpusError(CacheError):
    """The corpus could not complete the operation."""


class ExtraMissing(CorpusError):
    def __init__(self, package: str) -> None:
        super().__init__(
            f"A corpus needs the extra `corpus` ({package} is not installed); `spar doctor` prints the command that "
            "adds it."
        )


class NoCorpus(CorpusError):
    def __init__(self, location: str) -> None:
        super().__init__(f"There is no corpus at {location}; `spar corpus build FILE…` makes one.")


class NotACorpus(CorpusError):
    def __init__(self, location: str, fault: str) -> None:
        super().__init__(f"{location} is not a corpus of spar ({fault}); it was not changed. Choose another folder.")


class TooNewCorpus(CorpusError):
    def __init__(self, location: str, version: int, newest: int) -> None:
        super().__init__(
            f"The corpus {location} was written by a newer spar (version {version}, this spar reads {newest}); it was "
            "not changed. Upgrade spar."
        )


class NotIndexed(CorpusError):
    def __init__(self, location: str) -> None:
        super().__init__(
            f"The corpus {location} cannot be searched yet: its build did not finish. Wait for `spar corpus build`, "
            "or run `spar corpus compact`."
        )


class BeingBuilt(CorpusError):
    def __init__(self, location: str) -> None:
        super().__init__(
            f"Another process writes to the corpus {location}; nothing was changed. Wait until it has finished."
        )


class OtherVectors(CorpusError):
    def __init__(self, location: str, stored: str, requested: str) -> None:
        super().__init__(
            f"The corpus {location} has vectors by {stored}, and vectors by {requested} cannot be added to them. Use "
            "that model, or build another corpus."
        )


class NoVectors(CorpusError):
    pass


class NoRoom(CorpusError):
    def __init__(self, location: str) -> None:
        super().__init__(
            f"The disk is full, so the corpus {location} cannot grow; what was stored before is safe. Free space and "
            "run the same command again."
        )


class CorpusUnreachable(CorpusError):
    def __init__(self, location: str, reason: str) -> None:
        super().__init__(f"The corpus {location} cannot be used ({reason}).")


VERSION = 2
"""Version of the tables' layout: since 2, a work's venue and whether it is free to read are columns."""
A_NAME, CITES, CITED = -1, -2, -3
"""Weights of links that are not references in a record."""
ABSTRACTS, LINKS, PARTS, VECTORS = "abstracts", "links", "parts", "vectors"
_MARK, _SPACE, _TOLD = b"spar.corpus", b"spar.space", b"spar.told"
_NUMBERS_AT_ONCE = 1_000
_FRESH = timedelta(seconds=5)
"""Maximum age of a version that is read although a newer one exists."""


def list_of(work: int) -> int:
    """Return the number under which `links` has the works that a work cites, apart from the works that cite it,
    which can be very many. OpenAlex' numbers may be among these, so `weight` is checked too."""
    return ~work


def schemas() -> dict[str, Any]:
    """Return the Arrow schema of each table."""
    pyarrow = _module("pyarrow")
    whole, small = pyarrow.int64(), pyarrow.int32()
    # a higher level saves no more
    packed = {"lance-encoding:compression": "zstd", "lance-encoding:compression-level": "1"}
    works = [
        pyarrow.field("key", whole),
        pyarrow.field("source", pyarrow.string()),
        pyarrow.field("text", pyarrow.string(), metadata=packed),
        pyarrow.field("opens", small),
        pyarrow.field("closes", small),
        pyarrow.field("year", small),
        pyarrow.field("cited", small),
        pyarrow.field("venue", pyarrow.string()),
        pyarrow.field("free", pyarrow.bool_()),
        pyarrow.field("record", pyarrow.string(), metadata=packed),
    ]
    links = [pyarrow.field("named", whole), pyarrow.field("work", whole), pyarrow.field("weight", small)]
    text, number = pyarrow.string(), pyarrow.int64()
    parts = [("path", text), ("head", number), ("digest", text), ("wanted", text), ("size", number), ("lines", number)]
    mark = {_MARK: str(VERSION).encode()}
    waiting = [pyarrow.field("key", whole), pyarrow.field("abstract", text, metadata=packed)]
    tables = {WORKS: works, LINKS: links, PARTS: parts, ABSTRACTS: waiting}
    return {name: pyarrow.schema(fields, metadata=mark) for name, fields in tables.items()}


class VectorModel(NamedTuple):
    """The model of a corpus' vectors: `space` names its vector space, `label` the model."""

    space: str
    label: str


def vectors_schema(width: int, space: str, description: str) -> Any:
    """Return the Arrow schema of vectors of length `width`: by the work's key, with a digest of the text of each."""
    pyarrow = _module("pyarrow")
    numbers = pyarrow.list_(pyarrow.float16(), width)
    fields = [("key", pyarrow.int64()), ("digest", pyarrow.int64()), ("vector", numbers)]
    return pyarrow.schema(fields, {_MARK: str(VERSION).encode(), _SPACE: space.encode(), _TOLD: description.encode()})


def model_of(vectors: Any) -> VectorModel:
    """Return the model of the table `vectors`."""
    metadata = vectors.schema.metadata or {}
    return VectorModel(metadata.get(_SPACE, b"").decode(), metadata.get(_TOLD, b"").decode())


class Database:
    """The database at `location`, a folder or an address such as `s3://bucket/corpus`."""

    def __init__(self, location: str) -> None:
        self.location = location
        # Its Rust messages would go to standard error, which is ours.
        os.environ.setdefault("LANCE_LOG", "error")
        # By default it leaves two processors for reading files, on a small machine all but one: indexes would be built
        # one after another.
        os.environ.setdefault("LANCE_CPU_THREADS", str(os.cpu_count() or 1))
        lancedb = _module("lancedb")
        with named_errors(location):
            self._database = lancedb.connect(location, read_consistency_interval=_FRESH)

    def open(self) -> dict[str, Any]:
        """Return the tables. Raises `NoCorpus`, `NotACorpus`, `TooNewCorpus`, `CorpusUnreachable`."""
        if not exists(self.location):
            raise self._absent()
        with named_errors(self.location):
            tables = self._whole_tables()
            if not tables:
                raise self._absent()
            for name, table in tables.items():
                self._check(name, table)
        if missing := schemas().keys() - tables.keys() - {ABSTRACTS}:
            raise NotACorpus(self.location, f"its table {min(missing)} is missing")
        return tables

    async def open_asynchronously(self) -> dict[str, Any]:
        """Return the tables, checked as by `open`, for queries that run in parallel."""
        local = self.open()
        with named_errors(self.location):
            database = await _module("lancedb").connect_async(self.location)
            return {name: await database.open_table(name) for name in local}

    def create(self) -> dict[str, Any]:
        """Return the tables, creating missing ones: `works`, which identifies a corpus, last. Raises `NotACorpus` if
        something else is there."""
        if not is_remote(self.location):
            self._check_folder(Path(self.location))
        with named_errors(self.location):
            tables = self._whole_tables()
            if WORKS in tables:
                self._widen(self.open()[WORKS])
            for name, schema in reversed(schemas().items()):
                if name not in tables:
                    self._database.create_table(name, schema=schema)
        return self.open()

    def create_vectors(self, width: int, space: str, description: str) -> Any:
        """Create and return the table of vectors."""
        with named_errors(self.location):
            return self._database.create_table(VECTORS, schema=vectors_schema(width, space, description))

    def _whole_tables(self) -> dict[str, Any]:
        """Return the completely created tables: an interrupted one is listed but has no version."""
        names, tables = set(self._database.list_tables().tables), {}
        for name in (*schemas(), VECTORS):
            if name in names:
                try:
                    tables[name] = self._database.open_table(name)
                except ValueError as error:
                    if "was not found" not in str(error):
                        raise
        return tables

    def _widen(self, works: Any) -> None:
        """Add the columns that an earlier version did not write, with unknown values."""
        if missing := [column for column in schemas()[WORKS] if column.name not in works.schema.names]:
            with named_errors(self.location):
                works.add_columns(missing)

    def drop(self) -> None:
        """Delete the tables, and the folder if it is then empty. Raises `CorpusError`."""
        self.open()
        with named_errors(self.location):
            for name in self._database.list_tables().tables:
                if name in (*schemas(), VECTORS):
                    self._database.drop_table(name)
        if not is_remote(self.location):
            Path(self.location, LOCK).unlink(missing_ok=True)
            if not any(Path(self.location).iterdir()):
                Path(self.location).rmdir()

    def _check(self, name: str, table: Any) -> None:
        mark = (table.schema.metadata or {}).get(_MARK, b"")
        if not mark.isdigit():
            raise NotACorpus(self.location, f"its table {name} is of another program")
        if int(mark) > VERSION:
            raise TooNewCorpus(self.location, int(mark), VERSION)

    def _absent(self) -> CorpusError:
        folder = Path(self.location)
        if not is_remote(self.location) and folder.exists() and not folder.is_dir():
            return NotACorpus(self.location, "it is a file")
        if not is_remote(self.location) and folder.is_dir() and _strangers(folder):
            return NotACorpus(self.location, "the folder contains other files")
        return NoCorpus(self.location)

    def _check_folder(self, folder: Path) -> None:
        try:
            strangers = _strangers(folder)
        except FileNotFoundError:
            return
        except NotADirectoryError:
            raise NotACorpus(self.location, "it is a file") from None
        except OSError as error:
            raise CorpusUnreachable(self.location, error.strerror or str(error)) from None
        if strangers and not exists(self.location):
            raise NotACorpus(self.location, f"the folder contains {strangers[0]}")


LOCK = "being-built.lock"


def _strangers(folder: Path) -> list[str]:
    """Return the names in `folder` that no corpus has, in order."""
    ours = {f"{name}.lance" for name in (*schemas(), VECTORS)} | {LOCK}
    return sorted(path.name for path in folder.iterdir() if path.name not in ours)


def conditions_on(column: str, numbers: Iterable[int]) -> Iterator[str]:
    """Yield SQL conditions that together match the rows with one of `numbers` in `column`."""
    for batch in in_batches(list(dict.fromkeys(numbers)), _NUMBERS_AT_ONCE):
        yield f"{column} IN ({', '.join(map(str, batch))})"


@contextmanager
def named_errors(location: str) -> Iterator[None]:
    """Turn errors of LanceDB inside the block into a `CorpusError` about `location`."""
    try:
        yield
    except CorpusError:
        raise
    except (OSError, RuntimeError, ValueError) as error:  # LanceDB has no error classes: Rust errors arrive as these
        message = str(error)
        if (
            "No space left" in message
            or "os error 28" in message
            or "Disk quota" in message
            or "File too large" in message
        ):
            raise NoRoom(location) from error
        raise CorpusUnreachable(location, _first_line(message)) from error


def _first_line(message: str) -> str:
    """Return an error's message without the source location in the library."""
    if 'store: "' in message:  # an object store's message is a page of Rust
        return (
            "the object store did not answer or refused the keys; check AWS_ENDPOINT, AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY"
        )
    line = message.strip().splitlines()[0] if message.strip() else "no reason given"
    return line.partition(", /")[0].partition(", rust/")[0][:200].rstrip(".")


def _module(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        raise ExtraMissing(error.name or name) from error
