"""Building a corpus from the files of dumps: read by several processes, committed piece by piece, gone on with after
it was killed.

Lines are parsed by a pool of processes, a few thousand at a time, and committed in the order of the file, so that a
single number, how many lines of a file are in, says how far it is. A commit is written while the next one is parsed,
for neither takes more than one processor. What was committed but not noted when the process was killed is committed
again in place of itself. Memory does not grow with the files: two commits and a few pieces are on their way at a time,
and of the works that are in it already one number each is held, to know a record that replaces another.
"""

import asyncio
import gc
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from cache.corpus.dumps import CutOff, Part, Unreadable, chunks, part_of
from cache.corpus.place import WORKS, is_remote
from cache.corpus.rows import BibtexReader, Wanted
from cache.corpus.table import (
    ABSTRACTS,
    LINKS,
    LOCK,
    PARTS,
    BeingBuilt,
    Database,
    NotACorpus,
    Unreachable,
    named_errors,
    schemas,
)
from cache.corpus.upkeep import make_searchable

if TYPE_CHECKING:
    from cache.corpus.batches import Batch

LINES = 2_000
"""Lines of a piece."""
COMMITTED = 50_000
"""Works or abstracts of a commit, about, and twenty times as many citations. Where they are few and large, a question
has fewer pieces to look into; where they are many and small, less is done again after a kill."""
CUT_OFF = "it is cut off"


@dataclass(slots=True)
class FileBuilt:
    """What came of a file: `lines` read in this build, `before` in earlier ones; `works` committed, of which `replaced`
    were there already; `abstracts`, of which `joined` came to their works and `waiting` ones wait for theirs;
    `citations` that were told apart from works.
    `fault` says what is wrong with the file, "" if nothing is."""

    path: str
    before: int = 0
    lines: int = 0
    works: int = 0
    replaced: int = 0
    abstracts: int = 0
    joined: int = 0
    waiting: int = 0
    citations: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    first_no_json: int | None = None
    fault: str = ""


Told = Callable[[FileBuilt], None]


def build(
    location: str, files: Sequence[Path], wanted: Wanted, report: Told, processes: int = 0,
    bibtex: BibtexReader | None = None,
) -> list[FileBuilt]:  # fmt: skip
    """Take the works of `files` into the corpus at `location`, which is made where there is none; what came of each.

    `report` hears of each commit, and `bibtex` reads the entries of bibliographies. A file that was read to its end
    before is gone on with where it has grown. One that cannot be read is left, with the fault, and the others go on.
    Raises `CorpusError`.
    """
    with writing(location):
        builder = _Builder(location, wanted, report, _Pool(processes or os.cpu_count() or 1, wanted, bibtex))
        try:
            built = [builder.read(path) for path in files]
            builder.settle()
        finally:
            builder.close()
        asyncio.run(make_searchable(location))
        return built


@contextmanager
def writing(location: str) -> Iterator[None]:
    """Keep other processes from writing to the corpus in a folder at the same time; a bucket has no such lock.

    Raises `BeingBuilt`."""
    if is_remote(location):
        yield
        return
    from filelock import FileLock, Timeout

    lock = FileLock(Path(location, LOCK), timeout=0)
    try:
        Path(location).mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise BeingBuilt(location) from None
    except OSError as error:
        raise (
            NotACorpus(location, "it is a file")
            if Path(location).is_file()
            else Unreachable(location, error.strerror or str(error))
        ) from None
    try:
        yield
    finally:
        lock.release()


class _Builder:
    """A build under way."""

    def __init__(self, location: str, wanted: Wanted, report: Told, pool: "_Pool") -> None:
        from cache.corpus.abstracts import Abstracts, Keys

        self.location, self.wanted, self.report = location, wanted, report
        self._tables = Database(location).create()
        with named_errors(location):
            keys = self._tables[WORKS].search().select(["key"]).to_arrow()["key"]
            self._noted = self._tables[PARTS].search().to_arrow().to_pylist()
        self._keys = Keys(keys.to_numpy())
        self._abstracts = Abstracts(location, self._tables)
        self._pool = pool
        self._writer = ThreadPoolExecutor(1)
        self._writing: Future[None] | None = None
        self._begun: set[Path] = set()

    def read(self, path: Path) -> FileBuilt:
        """Take in what of `path` is not in yet. What came of it is told when all is settled."""
        built = FileBuilt(str(path))
        if path in self._begun:
            self.settle()  # how far it is stands in what is being written
        self._begun.add(path)
        try:
            part, built.before, size = self._known(path)
            if size == part.size:
                return built
            waiting: list[Batch] = []
            try:
                for batch in self._pool.parsed(chunks(path, built.before, LINES)):
                    if sum(map(_weight, waiting)) >= COMMITTED:
                        self._write(part, built, waiting)
                        waiting = []
                    waiting.append(batch)
            except CutOff:
                built.fault = CUT_OFF
            self._write(part, built, waiting, whole=not built.fault)
        except Unreadable as error:
            built.fault = f"it cannot be read ({error})"
        return built

    def settle(self) -> None:
        """Wait until what is being written is in. Raises what kept it from that, a `CorpusError`."""
        if self._writing:
            writing, self._writing = self._writing, None
            writing.result()

    def close(self) -> None:
        """End the processes, and what is being written first."""
        self._writer.shutdown()
        self._pool.close()

    def _write(self, part: Part, built: FileBuilt, batches: "list[Batch]", whole: bool = False) -> None:
        """Commit `batches` while the next ones are read, one commit at a time."""
        self.settle()
        self._writing = self._writer.submit(self._commit, part, built, batches, whole)

    def _known(self, path: Path) -> tuple[Part, int, int]:
        """The file, how many of its lines are in, and how large it was when it was read to its end, -1 if never."""
        part = part_of(path)
        lines, size = 0, -1
        for row in self._noted:
            if row["path"] == part.path and row["wanted"] == self.wanted.name and row["lines"] >= lines:
                same = part if row["head"] == part.head else part_of(path, row["head"])
                if (same.head, same.digest) == (row["head"], row["digest"]):
                    lines, size = row["lines"], row["size"]
        return part, lines, size

    def _commit(self, part: Part, built: FileBuilt, batches: "Sequence[Batch]", whole: bool = False) -> None:
        """Write what was parsed: the links, the works, and last of all that they are in."""
        import pyarrow

        schema = schemas()
        works = pyarrow.concat_tables([schema[WORKS].empty_table(), *(batch.works for batch in batches)])
        links = pyarrow.concat_tables([schema[LINKS].empty_table(), *(batch.links for batch in batches)])
        works = _last_of_each(works)
        keys = works["key"].to_pylist()
        replaced = self._keys.among(keys)
        works = self._abstracts.put_into(works, replaced)
        abstracts = pyarrow.concat_tables([schema[ABSTRACTS].empty_table(), *(batch.abstracts for batch in batches)])
        joined = waiting = 0
        lines = sum(batch.lines for batch in batches)
        with named_errors(self.location):
            if links.num_rows:
                self._tables[LINKS].add(links)
            if replaced:
                merging = self._tables[WORKS].merge_insert("key").when_matched_update_all()
                merging.when_not_matched_insert_all().execute(works)
            elif works.num_rows:
                self._tables[WORKS].add(works)
            self._abstracts.taken(keys)
            if abstracts.num_rows:
                joined, waiting = self._abstracts.add(abstracts)
            read = built.before + built.lines + lines
            row = {"path": part.path, "head": part.head, "digest": part.digest, "wanted": self.wanted.name}
            row |= {"size": part.size if whole else -1, "lines": read}
            self._tables[PARTS].add(pyarrow.Table.from_pylist([row], schema=schema[PARTS]))
        self._noted.append(row)
        self._keys.add(keys)
        for batch in batches:
            if batch.first_no_json is not None and built.first_no_json is None:
                built.first_no_json = built.before + built.lines + batch.first_no_json + 1
            built.lines += batch.lines
            built.citations += batch.citations
            built.left_out += batch.left_out
        built.works += works.num_rows
        built.replaced += len(replaced)
        built.abstracts += abstracts.num_rows
        built.joined += joined
        built.waiting += waiting
        self.report(built)


def _weight(batch: "Batch") -> float:
    """How much of a commit it is, in works."""
    rows: int = batch.works.num_rows + batch.abstracts.num_rows
    return rows + batch.citations / 20


def _last_of_each(works: Any) -> Any:
    """The last row of each key."""
    import numpy

    keys = works["key"].to_numpy()
    _, places = numpy.unique(keys[::-1], return_index=True)
    return works if len(places) == len(keys) else works.take(numpy.sort(len(keys) - 1 - places))


class _Pool:
    """Processes that parse lines. They begin after the first `LINES`: few lines are read without them, be they of one
    file or of several."""

    def __init__(self, processes: int, wanted: Wanted, bibtex: BibtexReader | None) -> None:
        self._processes, self._wanted, self._bibtex = processes, wanted, bibtex
        self._started: ProcessPoolExecutor | None = None
        self._lines = 0

    def parsed(self, pieces: Iterable[list[bytes]]) -> "Iterator[Batch]":
        """What is kept of each piece, in their order; a few more of them than there are processes are on their way."""
        from cache.corpus.batches import batch_of

        under_way: deque[Future[Batch]] = deque()
        fault: Exception | None = None
        try:
            for piece in pieces:
                self._lines += len(piece)
                if self._lines <= LINES:
                    yield batch_of(piece, self._wanted, self._bibtex)
                    continue
                under_way.append(self._pool().submit(batch_of, piece, self._wanted, self._bibtex))
                if len(under_way) > self._processes + 2:
                    yield under_way.popleft().result()
        except (CutOff, Unreadable) as error:
            fault = error  # what came before it is as good as ever
        while under_way:
            yield under_way.popleft().result()
        if fault:
            raise fault

    def close(self) -> None:
        """End the processes."""
        if self._started:
            self._started.shutdown(cancel_futures=True)

    def _pool(self) -> ProcessPoolExecutor:
        # A process that has threads, as LanceDB's, cannot be forked.
        if self._started is None:
            self._started = ProcessPoolExecutor(self._processes, get_context("spawn"), _begin)
        return self._started


def _begin() -> None:
    """Let a process of the pool leave Ctrl-C to the one that started it, end when that is gone, and look for no cycles
    of objects."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # records are trees: looking for cycles among thousands of them finds none, and takes a fifth
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()
