"""Sentences about a corpus and its building."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spar_tui.phrases import counted

if TYPE_CHECKING:
    from cache.corpus.index import Info
    from cache.corpus.ingest import FileBuilt


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
