"""Update a folder of notes on saved papers: one file per paper, recognized by the citation key in it."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote as percent_encoded

from agents.evidence.quotes import quoted
from cache import citation_keys, page_texts, papers, runs
from cache.originals import imported_lines
from cache.shelf import Shelved
from cache.store import PaperId, Store
from connectors.paper import short_authors
from connectors.records.web_address import web_address
from spar_tui.bibliography.citation_key import key_pattern, keys_for
from spar_tui.bibliography.markdown import escaped
from spar_tui.errors import Failure, Interrupted, UserError
from spar_tui.files import locked, read_old, replace_file, stem_of
from spar_tui.phrases import counted

MARK = "<!-- spar writes all above this line anew; below it is yours -->"
_KEY, _DIGEST = "key", "spar"
_FIELD = re.compile(r"^(\w+): (.*)$")
_MARKED = re.compile(rf"\r?\n{re.escape(MARK)}(?:\r?\n|\Z)")
_LIVE = re.compile(r"<|(?<=\[)\[|(?<=\])\(|\{(?=[{%])")
_NO_TAG = re.compile(r"[^\w/-]+")


@dataclass(frozen=True, slots=True)
class NoteEvidence:
    """Words of a paper that a judge quoted, the question they were quoted for, and the page if they are from its
    PDF."""

    quote: str
    question: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Links:
    """Links to the saved papers that a paper cites and to those that cite it: titles by file stem."""

    cites: dict[str, str]
    cited_by: dict[str, str]


@dataclass(frozen=True, slots=True)
class Existing:
    """A file in a folder of notes: the key of its paper ("" if spar did not write it), whether the part above the mark
    is unchanged, and the part below the mark."""

    key: str
    untouched: bool
    below: str


def note_text(
    shelved: Shelved,
    key: str,
    links: Links,
    evidence: Sequence[NoteEvidence],
    below: str,
    wiki: bool,
    imported: Collection[str] = (),
) -> str:
    """Return the whole file: front matter, paper, note, quotes, links, the mark, and `below` unchanged.

    Lines of the note that are `imported` are quoted, so that no viewer runs or renders them.
    """
    fields = _fields(shelved, key)
    body = "\n\n".join(filter(None, _sections(shelved, links, evidence, wiki, imported)))
    digest = _digest(fields, body)
    front = "\n".join([*fields, f"{_DIGEST}: {digest}"])
    return f"---\n{front}\n---\n\n{body}\n\n{MARK}\n{below}"


def read(data: bytes) -> Existing:
    """Parse a file of a folder of notes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Existing("", False, "")
    marked = _MARKED.search(text)
    head = (text[: marked.start()] if marked else text).replace("\r\n", "\n")
    below = text[marked.end() :] if marked else ""
    front, _, body = head.removeprefix("---\n").partition("\n---\n")
    fields = front.split("\n")
    values = {match[1]: match[2] for line in fields if (match := _FIELD.match(line))}
    if not head.startswith("---\n") or _DIGEST not in values or _KEY not in values:
        return Existing("", False, "")
    own = [line for line in fields if not line.startswith(f"{_DIGEST}: ")]
    untouched = marked is not None and _digest(own, body.strip("\n")) == values[_DIGEST]
    return Existing(_unquoted(values[_KEY]), untouched, below)


def _fields(shelved: Shelved, key: str) -> list[str]:
    paper = shelved.paper
    values: dict[str, object] = {
        _KEY: key,
        "title": paper.title,
        "aliases": [paper.title],
        "authors": [author.name for author in paper.authors],
        "year": paper.year,
        "venue": paper.venue or None,
        **{scheme: paper.identifier(scheme) for scheme in ("doi", "arxiv", "pmid")},
        "url": web_address(paper.url),
        "tags": [tag for raw in shelved.tags if (tag := _NO_TAG.sub("-", raw).strip("-"))],
        "saved": f"{shelved.saved:%Y-%m-%d}",
        "read": f"{shelved.read:%Y-%m-%d}" if shelved.read else None,
        "rating": {1: "liked", -1: "disliked"}.get(shelved.rating),
        "retracted": paper.retracted or None,
    }
    # YAML reads every quoted string of JSON as the same string.
    present = {name: value for name, value in values.items() if value not in (None, [])}
    return [f"{name}: {_inert(json.dumps(value, ensure_ascii=False))}" for name, value in present.items()]


def _inert(text: str) -> str:
    """Return JSON with the same values in which no viewer finds HTML, a link or a template."""
    return _LIVE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _sections(
    shelved: Shelved, links: Links, evidence: Sequence[NoteEvidence], wiki: bool, imported: Collection[str]
) -> list[str]:
    paper = shelved.paper
    facts = [short_authors(paper), str(paper.year or ""), paper.venue]
    pages = [f"p. {quote.page:,} of its PDF, " if quote.page else "" for quote in evidence]
    quotes = [
        f"{_block(quote.quote)}\n>\n> — {page}for the question “{escaped(quote.question)}”"
        for quote, page in zip(evidence, pages, strict=True)
    ]
    return [
        f"# {escaped(paper.title)}",
        " · ".join(escaped(fact) for fact in facts if fact),
        "**Retracted.**" if paper.retracted else "",
        f"## Note\n\n{_note(shelved.note, imported)}" if shelved.note.strip() else "",
        f"## Abstract\n\n{_block(paper.abstract)}" if paper.abstract else "",
        f"## spar's note\n\n{escaped(paper.described)}" if paper.described and not paper.abstract else "",
        "## Quotes\n\n" + "\n\n".join(quotes) if quotes else "",
        _section("Cites", links.cites, wiki),
        _section("Cited by", links.cited_by, wiki),
    ]


def _section(heading: str, notes: Mapping[str, str], wiki: bool) -> str:
    lines = [f"- {link(stem, title, wiki)}" for stem, title in notes.items()]
    return f"## {heading}\n\n" + "\n".join(lines) if lines else ""


def link(stem: str, title: str, wiki: bool) -> str:
    """Return a link to another note of the folder: `[[stem|title]]`, or a Markdown link."""
    if wiki:
        return f"[[{stem}|{re.sub(r'[][|#^<{]', ' ', title).strip() or stem}]]"
    return f"[{escaped(title)}]({percent_encoded(stem, safe='')}.md)"


def _note(note: str, imported: Collection[str]) -> str:
    """Return the person's lines unchanged, except that a line like the mark is escaped, and `imported` lines are
    quoted. A blank line belongs to the lines before it.
    """
    parts: list[tuple[bool, list[str]]] = []
    for line in note.strip().splitlines():
        is_imported = line.strip() in imported if line.strip() else bool(parts) and parts[-1][0]
        if not parts or parts[-1][0] != is_imported:
            parts.append((is_imported, []))
        parts[-1][1].append(line)
    texts = []
    for is_imported, lines in parts:
        own = (line.replace("<!--", "&lt;!--") if line.strip() == MARK else line for line in lines)
        block = "\n".join(f"> {escaped(line.strip())}".rstrip() for line in lines).removesuffix("\n>")
        texts.append(block if is_imported else "\n".join(own).rstrip())
    return "\n\n".join(texts)


def _block(text: str) -> str:
    return "> " + escaped(" ".join(text.split()))


def _digest(fields: Sequence[str], body: str) -> str:
    return sha256("\n".join([*fields, body]).encode()).hexdigest()[:16]


def _unquoted(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str) else text


MOST_QUOTES = 5


@dataclass(slots=True)
class NoteCounts:
    """Counts of notes that are new, changed and the same; `skipped` maps files to the reason, and `orphans` are files
    of papers that are no longer saved."""

    new: int = 0
    changed: int = 0
    same: int = 0
    skipped: dict[str, str] = field(default_factory=dict)
    orphans: list[str] = field(default_factory=list)


def write_notes(
    store: Store, shelved: Sequence[Shelved], folder: Path, locks: Path, *, wiki: bool = True, replace: bool = False
) -> NoteCounts:
    """Write a note for each of `shelved` into `folder`, and create the folder if needed. The part of a file below the
    mark stays byte for byte; a file with a hand-edited upper part is skipped, unless `replace`.

    Raises `Failure` if the folder cannot be used, `Interrupted` with the notes written so far, `CacheError`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        notes = {file: read(file.read_bytes()) for file in sorted(folder.glob("*.md")) if file.is_file()}
    except OSError as error:
        raise Failure(f"{folder} cannot be used ({error.strerror}); no note was written.") from None
    keys = keys_for(store, {entry.number: entry.paper for entry in shelved}, key_pattern("better-bibtex"))
    files = _files(store, folder, notes, keys)
    orphans = [file.name for file, note in notes.items() if note.key and _number_of(store, note) not in keys]
    counts = NoteCounts(orphans=orphans)
    links = _links(store, {entry.number: entry.paper.title for entry in shelved}, files)
    try:
        for entry in shelved:
            file = files[entry.number]

            def text(below: str, entry: Shelved = entry) -> str:
                quotes, imported = _evidence(store, entry), imported_lines(store, PaperId(entry.number))
                return note_text(entry, keys[entry.number], links[entry.number], quotes, below, wiki, imported)

            try:
                with locked(file, locks):
                    _write(file, text, counts, replace)
            except UserError as error:
                counts.skipped[file.name] = str(error)
    except KeyboardInterrupt:
        report = counted(counts.new + counts.changed, "note")
        raise Interrupted(f"interrupted; {report} written before that, each complete.") from None
    return counts


def _number_of(store: Store, note: Existing) -> PaperId | None:
    return citation_keys.paper_of(store, note.key) if note.key else None


def _files(store: Store, folder: Path, notes: Mapping[Path, Existing], keys: Mapping[int, str]) -> dict[int, Path]:
    """Return the file of each paper, by number: an existing file with a key of the paper, whatever its name, or a new
    one."""
    by_number: dict[int, Path] = {}
    for file, note in notes.items():
        number = _number_of(store, note)
        if number is not None and number in keys:
            by_number.setdefault(number, file)
    names = {file.name.casefold() for file in notes}
    for new in sorted(keys.keys() - by_number.keys(), key=keys.__getitem__):
        stem = stem_of(keys[new])
        if f"{stem}.md".casefold() in names:
            stem = f"{stem[:80]}-{sha256(keys[new].encode()).hexdigest()[:6]}"
        names.add(f"{stem}.md".casefold())
        by_number[new] = folder / f"{stem}.md"
    return by_number


def _write(file: Path, text: Callable[[str], str], counts: NoteCounts, replace: bool) -> None:
    """Write `text` above the mark of `file`, and keep the part below it."""
    old = read_old(file)
    existing = read(old) if old is not None else Existing("", True, "")
    if old is not None and not existing.key:
        raise Failure("it is not a note by spar, so it was not changed")
    if not (existing.untouched or replace):
        raise Failure("the part above its mark was edited by hand, so it was not changed; --replace rewrites it")
    new = text(existing.below).encode()
    if new == old:
        counts.same += 1
        return
    replace_file(file, new, old)
    counts.new += old is None
    counts.changed += old is not None


def _links(store: Store, titles: Mapping[int, str], files: Mapping[int, Path]) -> dict[int, Links]:
    """Return the links of each paper's note to other notes, by paper number."""
    by_number = {number: Links({}, {}) for number in titles}
    for citing, target in papers.links_among(store, titles):
        by_number[citing].cites[files[target].stem] = titles[target]
        by_number[target].cited_by[files[citing].stem] = titles[citing]
    return by_number


def _evidence(store: Store, saved_paper: Shelved) -> list[NoteEvidence]:
    """Return the judges' quotes that occur verbatim in the paper, without duplicates."""
    by_quote: dict[str, NoteEvidence] = {}
    pages = page_texts.pages(store, saved_paper.number)
    for question, entry in runs.entries_of(store, saved_paper.number):
        quote, page = quoted(str(entry.get("quote") or ""), saved_paper.paper, pages)
        if quote and quote != saved_paper.paper.title:
            by_quote.setdefault(quote, NoteEvidence(quote, question, page))
    return list(by_quote.values())[:MOST_QUOTES]
