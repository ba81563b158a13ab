"""Read what a document cites from the bibliographies that it names: LaTeX's .tex and .aux, Markdown with front matter,
and Typst. A LaTeX document may contain its reference list itself.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from spar_tui.bibliography.cited_in import MARKUPS, CitedKeys, cited_in, document_text, is_inside, markup_text, tex_text
from spar_tui.bibliography.documents.bbl import found_in_bbl
from spar_tui.bibliography.documents.citing_document import CitingDocument
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry
from spar_tui.bibliography.reading.files import decoded, found_in_bytes, read_bytes
from spar_tui.errors import UsageError, UserError
from spar_tui.terminal import DASH

MOST_BIBLIOGRAPHIES = 50
MOST_NAMED = 20
_NO_FOLDER = "the bibliography of a document on standard input cannot be found; give the document's file name."
_BIBLIOGRAPHY = re.compile(
    r"\\(?:(?:no)?bibliography|bibdata) ?\{([^{}]*)\}"
    r"|\\add(?:global|section)?(?:bib|bibresource)(?![A-Za-z]) ?(?:\[[^\[\]]*\])? ?\{([^{}]*)\}"
)
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_TYPST_BIBLIOGRAPHY = re.compile(r"#?\bbibliography\(\s*(\([^()]*\)|\"[^\"\n]*\")")
_LISTED = re.compile(r"^bibliography:[ \t]*(.*(?:\n[ \t]*-[ \t].*)*)", re.MULTILINE)


class _Bibliography(NamedTuple):
    """A .bib file that a document names, with its contents."""

    file: Path
    raw: bytes
    found: FileEntries


def read_tex(kind: str, file: Path, raw: bytes, encoding: str) -> CitingDocument:
    """Return what a LaTeX document cites. Raises `UsageError`, `Failure`."""
    text = decoded(raw, file.name, encoding).text
    own = found_in_bbl(text)
    if kind == "bbl" or own.entries or own.problems:
        return CitingDocument(file, raw, own, kind)
    if str(file) == DASH:
        raise UsageError(_NO_FOLDER)
    cited = cited_in(file, outside=False)
    texts = list(_texts(cited.files))
    inline = [(part, contents) for part, text in texts if (contents := found_in_bbl(text)).entries]
    if len(inline) == 1:
        part, contents = inline[0]
        return CitingDocument(part, read_bytes(part), contents, kind, _missing(cited))
    names = list(dict.fromkeys(name for _, text in texts for name in _named(text)))
    return _from_bibliographies(kind, file, raw, cited, names, encoding)


def read_markdown(file: Path, raw: bytes, encoding: str, *, beside: bool = False) -> CitingDocument | None:
    """Return what a Markdown document cites; None if its front matter names no bibliography. With `beside`, the .bib
    files in its folder stand in for one. Raises `UsageError`."""
    names = _in_front_matter(decoded(raw, file.name, encoding).text)
    if str(file) == DASH:
        return None
    if not (names or beside):
        return None
    cited = cited_in(file, outside=False)
    if cited.keys and not names:
        names = sorted(path.name for path in file.parent.glob("*.bib"))
    return _from_bibliographies("markdown", file, raw, cited, names, encoding) if names else None


def read_typst(file: Path, raw: bytes, encoding: str) -> CitingDocument:
    """Return what a Typst document cites. Raises `UsageError`, `Failure`."""
    if str(file) == DASH:
        raise UsageError(_NO_FOLDER)
    cited = cited_in(file, outside=False)
    texts = (markup_text(document_text(part), MARKUPS[".typ"]) for part in cited.files)
    listed = [file_name for text in texts for file_name in _TYPST_BIBLIOGRAPHY.findall(text)]
    names = [name for file_name in listed for name in re.findall(r"\"([^\"\n]*)\"", file_name)]
    return _from_bibliographies("typst", file, raw, cited, list(dict.fromkeys(names)), encoding)


def _in_front_matter(text: str) -> list[str]:
    """Return the bibliographies named in Markdown's front matter. Not parsed as YAML, whose aliases can expand."""
    head = _FRONT_MATTER.match(text)
    match = _LISTED.search(head[1]) if head else None
    parts = re.split(r"[\n,\[\]]", match[1]) if match else []
    return [name for part in parts if (name := part.strip().removeprefix("- ").strip(" \"'\t"))]


def _from_bibliographies(
    kind: str, file: Path, raw: bytes, cited: CitedKeys, names: Sequence[str], encoding: str
) -> CitingDocument:
    """Return the cited entries of the bibliographies called `names`; if none can be read, those of the .bbl file that
    LaTeX made."""
    bibliographies, notes = list[_Bibliography](), [*_missing(cited)]
    for name in names[:MOST_BIBLIOGRAPHIES]:
        try:
            bibliographies.append(_opened(file, name, encoding))
        except UserError as error:
            notes.append(str(error).rstrip("."))
    made = file.with_suffix(".bbl")
    if not bibliographies and is_inside(file.parent, made) and made.is_file():
        data = read_bytes(made)
        contents = found_in_bbl(decoded(data, made.name, encoding).text)
        return CitingDocument(made, data, contents, "bbl", tuple(notes))
    if not names:
        notes.append("it neither contains nor names a bibliography")
    if len(bibliographies) == 1:
        [only] = bibliographies
        contents, unknown = _cited_of(only.found, cited)
        return CitingDocument(only.file, only.raw, contents, "", (*notes, *unknown))
    contents, unknown = _cited_of(_joined(bibliographies), cited)
    return CitingDocument(file, raw, contents, kind, (*notes, *(unknown if bibliographies else ())))


def _opened(document: Path, name: str, encoding: str) -> _Bibliography:
    """Read the bibliography `name` of `document`. Raises `UsageError` if it lies outside of the document's folder."""
    file = document.parent / (name if Path(name).suffix or document.suffix in MARKUPS else f"{name}.bib")
    if not is_inside(document.parent, file):
        raise UsageError(f"{name} is outside the folder of {document.name}, so spar does not open it")
    raw = read_bytes(file)
    return _Bibliography(file, raw, found_in_bytes(raw, file.name, encoding))


def _texts(files: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Yield the text that LaTeX typesets of each file."""
    for file in files:
        yield file, tex_text(document_text(file))


def _named(text: str) -> list[str]:
    """Return the bibliographies that a text names."""
    file_names = (first or other for first, other in _BIBLIOGRAPHY.findall(text))
    return [name for names in file_names for part in names.split(",") if (name := part.strip().strip('"'))]


def _joined(bibliographies: Sequence[_Bibliography]) -> FileEntries:
    """Join the contents of several files. Line numbers become 0; each problem names its file and line instead."""
    entries = [replace(entry, line=0) for bibliography in bibliographies for entry in bibliography.found.entries]
    problems = [
        replace(problem, line=0, reason=f"{bibliography.file.name}:{problem.line}: {problem.reason}")
        for bibliography in bibliographies
        for problem in bibliography.found.problems
    ]
    return FileEntries(tuple(entries), tuple(problems))


def _cited_of(contents: FileEntries, cited: CitedKeys) -> tuple[FileEntries, list[str]]:
    """Return the cited entries (all entries if the document cites no keys), and a sentence on cited keys without an
    entry."""
    if cited.everything or not cited.keys:
        return contents, []
    wanted = {key.casefold(): key for key in cited.keys}
    entries = [entry for entry in contents.entries if _keys(entry) & wanted.keys()]
    problems = [problem for problem in contents.problems if not problem.name or problem.name.casefold() in wanted]
    there = {key for entry in entries for key in _keys(entry)} | {problem.name.casefold() for problem in problems}
    unknown = [key for lower, key in wanted.items() if lower not in there]
    named = ", ".join(unknown[:MOST_NAMED]) + (" …" if len(unknown) > MOST_NAMED else "")
    return FileEntries(tuple(entries), tuple(problems)), [f"cited, but in no bibliography: {named}"] if unknown else []


def _keys(entry: FoundEntry) -> set[str]:
    return {key.casefold() for key in (entry.key, *entry.aliases) if key}


def _missing(cited: CitedKeys) -> tuple[str, ...]:
    """Return a sentence for each included file that could not be read."""
    return tuple(f"{name} was not read: {why.rstrip('.')}" for name, why in cited.missing.items())
