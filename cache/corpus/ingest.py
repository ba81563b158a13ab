"""Build a corpus from dump files: several processes read them, each piece is committed, and a killed build can be
resumed.

A pool of processes parses a few thousand lines at a time, and the results are committed in file order, so a single
number, the lines of a file that are stored, records the progress. A commit is written while the next is parsed, since
neither uses more than one processor. A commit that was not recorded when the process was killed is repeated and
replaces itself. Memory does not grow with the files: two commits and a few pieces are in memory at a time, and one
number per stored work, to detect replacements.
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

from cache.corpus.dumps import DumpCutOff, DumpPart, Unreadable, chunks, part_of
from cache.corpus.place import WORKS, is_remote
from cache.corpus.rows import BibtexReader, WorkFilter
from cache.corpus.table import (
    ABSTRACTS,
    LINKS,
    LOCK,
    PARTS,
    BeingBuilt,
    CorpusUnreachable,
    Database,
    NotACorpus,
    named_errors,
    schemas,
)
from cache.corpus.upkeep import make_searchable

if TYPE_CHECKING:
    from cache.corpus.batches import Batch

LINES = 2_000
"""Number of lines per piece."""
COMMITTED = 50_000
"""Approximate number of works or abstracts per commit, or twenty times as many citations. Larger commits leave fewer
fragments to search; smaller ones lose less when the process is killed."""
CUT_OFF = "it is cut off"


@dataclass(slots=True)
class FileBuilt:
    """The result for a file: `lines` read in this build, `before` in earlier ones; `works` committed, of which
    `replaced` existed; `abstracts`, of which `joined` were added to works and `waiting` wait for theirs; `citations`
    on lines of their own. `fault` describes what is wrong with the file, "" for nothing."""

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


Report = Callable[[FileBuilt], None]


def build(
    location: str, files: Sequence[Path], work_filter: WorkFilter, report: Report, processes: int = 0,
    bibtex: BibtexReader | None = None,
) -> list[FileBuilt]:  # fmt: skip
    """Add the works of `files` to the corpus at `location`, creating it if needed; return the result for each.

    `report` is called after each commit, and `bibtex` reads BibTeX entries. A file read before is continued where it
    has grown. An unreadable file is skipped, with its fault. Raises `CorpusError`.
    """
    with writing(location):
        builder = _Builder(location, work_filter, report, _Pool(processes or os.cpu_count() or 1, work_filter, bibtex))
        try:
            built = [builder.read(path) for path in files]
            builder.settle()
        finally:
            builder.close()
        asyncio.run(make_searchable(location))
        return built


@contextmanager
def writing(location: str) -> Iterator[None]:
    """Lock the corpus in a folder against other writers; a bucket has no such lock. Raises `BeingBuilt`."""
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
            else CorpusUnreachable(location, error.strerror or str(error))
        ) from None
    try:
        yield
    finally:
        lock.release()


class _Builder:
    """A build in progress."""

    def __init__(self, location: str, work_filter: WorkFilter, report: Report, pool: "_Pool") -> None:
        from cache.corpus.abstracts import Abstracts, Keys

        self.location, self.wanted, self.report = location, work_filter, report
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
        """Read the lines of `path` that are not stored yet. The result is complete after `settle`."""
        built = FileBuilt(str(path))
        if path in self._begun:
            self.settle()  # the pending commit changes the recorded progress
        self._begun.add(path)
        try:
            part, built.before, size = self._progress_of(path)
            if size == part.size:
                return built
            waiting: list[Batch] = []
            try:
                for batch in self._pool.parsed(chunks(path, built.before, LINES)):
                    if sum(map(_weight, waiting)) >= COMMITTED:
                        self._write(part, built, waiting)
                        waiting = []
                    waiting.append(batch)
            except DumpCutOff:
                built.fault = CUT_OFF
            self._write(part, built, waiting, whole=not built.fault)
        except Unreadable as error:
            built.fault = f"it cannot be read ({error})"
        return built

    def settle(self) -> None:
        """Wait until the pending commit is stored. Raises its `CorpusError`, if any."""
        if self._writing:
            writing, self._writing = self._writing, None
            writing.result()

    def close(self) -> None:
        """Finish the pending commit, then end the processes."""
        self._writer.shutdown()
        self._pool.close()

    def _write(self, part: DumpPart, built: FileBuilt, batches: "list[Batch]", whole: bool = False) -> None:
        """Commit `batches` while the next ones are read, one commit at a time."""
        self.settle()
        self._writing = self._writer.submit(self._commit, part, built, batches, whole)

    def _progress_of(self, path: Path) -> tuple[DumpPart, int, int]:
        """Return the file, the number of its lines that are stored, and its size when it was last read to the end,
        -1 if never."""
        part = part_of(path)
        lines, size = 0, -1
        for row in self._noted:
            if row["path"] == part.path and row["wanted"] == self.wanted.name and row["lines"] >= lines:
                same = part if row["head"] == part.head else part_of(path, row["head"])
                if (same.head, same.digest) == (row["head"], row["digest"]):
                    lines, size = row["lines"], row["size"]
        return part, lines, size

    def _commit(self, part: DumpPart, built: FileBuilt, batches: "Sequence[Batch]", whole: bool = False) -> None:
        """Write what was parsed: links, works, and finally the progress."""
        import pyarrow

        schema = schemas()
        works = pyarrow.concat_tables([schema[WORKS].empty_table(), *(batch.works for batch in batches)])
        links = pyarrow.concat_tables([schema[LINKS].empty_table(), *(batch.links for batch in batches)])
        works = _last_of_each(works)
        keys = works["key"].to_pylist()
        replaced = self._keys.among(keys)
        works = self._abstracts.put_into(works, replaced)
        abstracts = pyarrow.concat_tables([schema[ABSTRACTS].empty_table(), *(batch.abstracts for batch in batches)])
        merged_count = waiting = 0
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
                merged_count, waiting = self._abstracts.add(abstracts)
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
        built.joined += merged_count
        built.waiting += waiting
        self.report(built)


def _weight(batch: "Batch") -> float:
    """Return the share of a commit, in works."""
    rows: int = batch.works.num_rows + batch.abstracts.num_rows
    return rows + batch.citations / 20


def _last_of_each(works: Any) -> Any:
    import numpy

    keys = works["key"].to_numpy()
    _, positions = numpy.unique(keys[::-1], return_index=True)
    return works if len(positions) == len(keys) else works.take(numpy.sort(len(keys) - 1 - positions))


class _Pool:
    """Processes that parse lines. They start after the first `LINES`, so that small inputs need none."""

    def __init__(self, processes: int, work_filter: WorkFilter, bibtex: BibtexReader | None) -> None:
        self._processes, self._wanted, self._bibtex = processes, work_filter, bibtex
        self._started: ProcessPoolExecutor | None = None
        self._lines = 0

    def parsed(self, pieces: Iterable[list[bytes]]) -> "Iterator[Batch]":
        """Yield the batch of each piece, in order; slightly more pieces than processes are in progress at a time."""
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
        except (DumpCutOff, Unreadable) as error:
            fault = error  # the pieces before it are valid
        while under_way:
            yield under_way.popleft().result()
        if fault:
            raise fault

    def close(self) -> None:
        """End the processes."""
        if self._started:
            self._started.shutdown(cancel_futures=True)

    def _pool(self) -> ProcessPoolExecutor:
        # A process with threads, such as LanceDB's, cannot be forked.
        if self._started is None:
            self._started = ProcessPoolExecutor(self._processes, get_context("spawn"), _begin)
        return self._started


def _begin() -> None:
    """Make a process of the pool ignore Ctrl-C, end with its parent, and skip the search for reference cycles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # records are trees: searching them for cycles finds none and takes a fifth of the time
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()
