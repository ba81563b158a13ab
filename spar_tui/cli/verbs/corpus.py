"""`spar corpus`: a group's own corpus, built from dumps of sources."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from spar_tui.cli.arguments import JsonFlag, need_extra
from spar_tui.cli.bench_vectors import encoder_of, sent_text
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.cli.papers import in_workspace
from spar_tui.errors import Interrupted, UsageError
from spar_tui.phrases import counted
from spar_tui.settings import Settings
from spar_tui.terminal import ProgressLine, agreed, note, remark, say, say_json
from spar_tui.workspace import Workspace, open_workspace, read_settings

if TYPE_CHECKING:
    from cache.corpus.index import Info
    from cache.corpus.ingest import FileBuilt


async def make_vectors(settings: Settings, progress: Callable[[int, int], None]) -> str:
    """Compute the vectors that the corpus lacks, and return how many; first report what is sent where. `progress` is
    called with the number stored and the total. Raises a `CorpusError`; earlier vectors are stored."""
    from agents.meaning.corpus_encoder import CorpusEncoder
    from cache.corpus.ingest import writing
    from cache.corpus.vectors import add_vectors, count_missing

    async with open_workspace(settings, [], offline=settings.preferences.offline, model=True) as workspace:
        encoder = encoder_of(workspace, settings)
        with writing(settings.corpus):
            missing = await asyncio.to_thread(count_missing, settings.corpus, CorpusEncoder(encoder))
            note(f"vectors: {sent_text(missing, encoder)}.")
            number = await add_vectors(settings.corpus, CorpusEncoder(encoder), lambda count: progress(count, missing))
    return f"{counted(number, 'new vector')} by {encoder.label}"


def built_lines(files: "Sequence[FileBuilt]", location: str) -> Iterator[str]:
    """Yield the result of each file, and the total."""
    for file in files:
        yield f"{file.path}: {'; '.join(_file_facts(file))}"
    new = sum(file.works - file.replaced for file in files)
    yield f"{counted(new, 'new work')} in {location}"


def _file_facts(file: "FileBuilt") -> Iterator[str]:
    if file.before:
        yield f"its first {counted(file.before, 'line')} {'was' if file.before == 1 else 'were'} read before"
    if not file.lines:
        yield "nothing new in it" if file.before else "it has no lines"
        return
    if file.abstracts:
        yield ", ".join(_abstracts(file))
    if file.citations:
        yield counted(file.citations, "citation")
    if file.works or not (file.abstracts or file.citations):
        yield counted(file.works, "work") + (
            f", {file.replaced:,} of them replace earlier records" * (file.replaced > 0)
        )
    for reason, many in sorted(file.left_out.items()):
        first = f" (the first is line {file.first_no_json})" if reason == "no JSON" else ""
        yield f"left out: {counted(many, *_LEFT[reason])} {reason}{first}"


def _abstracts(file: "FileBuilt") -> Iterator[str]:
    yield f"{counted(file.abstracts, 'abstract')}: {file.joined:,} joined to works"
    if file.waiting:
        yield f"{file.waiting:,} {'waits for its work' if file.waiting == 1 else 'wait for their works'}"
    if present := file.abstracts - file.joined - file.waiting:
        yield f"{present:,} {'was' if present == 1 else 'were'} already there"


_LEFT = {
    "no JSON": ("line that is", "lines that are"),
    "without title or id": ("record", "records"),
    "outside the filters": ("work", "works"),
    "without an abstract": ("line", "lines"),
    "without both papers": ("citation", "citations"),
    "no record of a work": ("line that is", "lines that are"),
}


def info_lines(info: "Info") -> Iterator[str]:
    """Describe the contents of a corpus."""
    yield f"corpus   {info.place}"
    of = ", ".join(f"{name} {many:,}" for name, many in sorted(info.by_source.items()))
    yield f"works    {info.works:,}{f' ({of})' if of else ''}"
    if info.years:
        yield f"years    {info.years[0]} to {info.years[1]}"
    yield f"links    {info.links:,} (references and other names, also of records that were replaced)"
    yield f"files    {info.files:,}"
    if info.vectors_by:
        yield f"vectors  {info.vectors:,} (by {info.vectors_by})"
    if info.bytes is not None:
        yield f"disk     {info.bytes / 1e6:,.1f} MB"
    if not info.indexed:
        yield "search   not yet: no index; run spar corpus build or spar corpus compact"
    else:
        yield "search   ready" + (f"; {info.unindexed:,} works are not in the index yet" if info.unindexed else "")


app = Verbs(rich_markup_mode=None)


@app.callback()
def corpus() -> None:
    """Build and manage a corpus (your own local source)."""


@app.command()
def build(
    files: Annotated[list[Path], "<FILE…>", "Dumps, gzipped or not."],
    field: Annotated[
        list[str] | None, "NAME", 'Only works of this field, such as "Computer Science"; repeat for more.'
    ] = None,
    language: Annotated[list[str] | None, "CODE", "Only works in this language, such as en; repeat for more."] = None,
    since: Annotated[int | None, "YYYY", "Only works of this year or later."] = None,
    until: Annotated[int | None, "YYYY", "Only works of this year or earlier."] = None,
    vectors: Annotated[
        bool,
        (
            "Also make vectors of titles and abstracts with your semantic_folder or "
            "embedding_model, so that searches compare meanings."
        ),
    ] = False,
) -> int:
    """Add the works of dumps to the corpus.

    FILE is a part of OpenAlex's snapshot of works or of Semantic Scholar's data sets `papers`, `abstracts` and
    `citations` (spar joins abstracts and citations to their works, in any order). Or it is dblp.xml, the ACL
    Anthology's XML, BibTeX, arXiv's metadata, Crossref's works (JSON lines), or Retraction Watch's CSV, which add
    their own records. Works already there are replaced. After an interruption, the same command continues; it reads
    only what is new in a grown file, and makes missing vectors. Searches can read the corpus during the build. Exits
    with 1 if a file could not be read to its end."""
    need_extra("corpus")
    from cache.corpus.ingest import build as built_from
    from cache.corpus.rows import WorkFilter
    from spar_tui.bibliography.reading.bibtex import paper_of_entry

    if since is not None and until is not None and since > until:
        raise UsageError(f"--since {since} is after --until {until}; swap them.")
    fields, languages = {name.casefold() for name in field or ()}, {code.lower() for code in language or ()}
    work_filter = WorkFilter(frozenset(fields), frozenset(languages), since, until)
    settings = read_settings()
    corpus = settings.corpus
    if vectors:  # before hours of building
        in_workspace(lambda workspace: _check_encoder(workspace, settings), settings=settings, names=[], model=True)
    committed, vector_count = Counter[str](), 0
    line = ProgressLine(False)

    def show_works(file: "FileBuilt") -> None:
        committed[file.path] = file.works
        line.tell(f"building: {sum(committed.values()):,} works")

    def show_vectors(count: int, missing: int) -> None:
        nonlocal vector_count
        vector_count = count
        line.tell(f"vectors {count:,}/{missing:,}")

    try:
        files_built = built_from(corpus, files, work_filter, show_works, bibtex=paper_of_entry)
        line.tell("")
        say(*built_lines(files_built, corpus))
        if vectors:
            sentence = asyncio.run(make_vectors(settings, show_vectors))
            line.tell("")
            say(sentence)
    except KeyboardInterrupt:
        result = f"{sum(committed.values()):,} works{f' and {vector_count:,} vectors' if vectors else ''}"
        raise Interrupted(
            f"interrupted; {result} of this build are stored. Run the same command again to continue."
        ) from None
    finally:
        line.tell("")
    faults = [file for file in files_built if file.fault]
    for file in faults:
        remark(f"{file.path}: {file.fault}.")
    return 1 if faults else 0


@app.command()
def info(as_json: JsonFlag = False) -> int:
    """Show what the corpus contains."""
    corpus_info = _info()
    say_json(asdict(corpus_info)) if as_json else say(*info_lines(corpus_info))
    return 0


@app.command()
def compact() -> int:
    """Merge small pieces of the corpus, index the rest, and free space.

    Files that running searches still read are removed the next time, after ten minutes."""
    from cache.corpus import upkeep
    from cache.corpus.index import Index
    from cache.corpus.ingest import writing

    corpus = read_settings().corpus
    index = Index(corpus)
    with writing(corpus):
        asyncio.run(upkeep.compact(corpus))
    say(*info_lines(index.info()))
    return 0


@app.command()
def drop(yes: Annotated[bool, "Do not ask."] = False) -> int:
    """Delete the corpus (asks first).

    Papers that searches found in it stay in the library."""
    from cache.corpus.ingest import writing
    from cache.corpus.table import Database

    corpus_info = _info()
    works = f"{corpus_info.works:,} works in {corpus_info.place}"
    if not (yes or agreed(f"This deletes {works}. Type yes to delete them:", "whether to delete the corpus")):
        remark("nothing was deleted.")
        return 0
    with writing(corpus_info.place):
        Database(corpus_info.place).drop()
    say(f"deleted {works}")
    return 0


async def _check_encoder(workspace: Workspace, settings: Settings) -> None:
    encoder_of(workspace, settings)


def _info() -> "Info":
    from cache.corpus.index import Index

    return Index(read_settings().corpus).info()
