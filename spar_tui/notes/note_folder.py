"""Update a folder of notes on saved papers: one file per paper, recognized by the citation key in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from agents.evidence.quotes import quoted
from cache import citation_keys, page_texts, papers, runs
from cache.originals import imported_lines
from cache.shelf import Shelved
from cache.store import PaperId, Store
from spar_tui.bibliography.citation_key import key_pattern
from spar_tui.bibliography.keys import keys_for
from spar_tui.errors import Failure, Interrupted, UserError
from spar_tui.files import locked, read_old, replace_file, stem_of
from spar_tui.notes.note_file import Existing, Links, NoteEvidence, read, written
from spar_tui.phrases import counted

MOST_QUOTES = 5


@dataclass(slots=True)
class Brought:
    """Counts of notes that are new, changed and the same; `refused` maps skipped files to the reason, and `orphans` are
    files of papers that are no longer saved."""

    new: int = 0
    changed: int = 0
    same: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    orphans: list[str] = field(default_factory=list)


def bring_up_to_date(
    store: Store, shelved: Sequence[Shelved], folder: Path, locks: Path, *, wiki: bool = True, replace: bool = False
) -> Brought:
    """Write a note for each of `shelved` into `folder`, and create the folder if needed. The part of a file below the
    mark stays byte for byte; a file with a hand-edited upper part is skipped, unless `replace`.

    Raises `Failure` if the folder cannot be used, `Interrupted` with the notes written so far, `CacheError`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {file: read(file.read_bytes()) for file in sorted(folder.glob("*.md")) if file.is_file()}
    except OSError as error:
        raise Failure(f"{folder} cannot be used ({error.strerror}); no note was written.") from None
    keys = keys_for(
        store, {saved_paper.number: saved_paper.paper for saved_paper in shelved}, key_pattern("better-bibtex")
    )
    files = _files(store, folder, there, keys)
    done = Brought(orphans=_orphans(store, there, keys))
    links = _links(store, {saved_paper.number: saved_paper.paper.title for saved_paper in shelved}, files)
    try:
        for saved_paper in shelved:
            file = files[saved_paper.number]

            def text(below: str, shelved: Shelved = saved_paper) -> str:
                quotes, imported = _evidence(store, shelved), imported_lines(store, PaperId(shelved.number))
                return written(shelved, keys[shelved.number], links[shelved.number], quotes, below, wiki, imported)

            try:
                with locked(file, locks):
                    _bring(file, text, done, replace)
            except UserError as error:
                done.refused[file.name] = str(error)
    except KeyboardInterrupt:
        report = counted(done.new + done.changed, "note")
        raise Interrupted(f"interrupted; {report} written before that, each complete.") from None
    return done


def _files(store: Store, folder: Path, there: Mapping[Path, Existing], keys: Mapping[int, str]) -> dict[int, Path]:
    """Return the file of each paper, by number: an existing file with a key of the paper, whatever its name, or a new
    one."""
    by_number: dict[int, Path] = {}
    for file, existing in there.items():
        number = citation_keys.paper_of(store, existing.key) if existing.key else None
        if number is not None and number in keys:
            by_number.setdefault(number, file)
    used = {file.name.casefold() for file in there}
    for new in sorted(keys.keys() - by_number.keys(), key=keys.__getitem__):
        stem = stem_of(keys[new])
        if f"{stem}.md".casefold() in used:
            stem = f"{stem[:80]}-{sha256(keys[new].encode()).hexdigest()[:6]}"
        used.add(f"{stem}.md".casefold())
        by_number[new] = folder / f"{stem}.md"
    return by_number


def _orphans(store: Store, there: Mapping[Path, Existing], keys: Mapping[int, str]) -> list[str]:
    mine = [(file, existing.key) for file, existing in there.items() if existing.key]
    return [file.name for file, key in mine if citation_keys.paper_of(store, key) not in keys]


def _bring(file: Path, text: Callable[[str], str], done: Brought, replace: bool) -> None:
    """Write `text` above the mark of `file`, and keep the part below it."""
    old = read_old(file)
    existing = read(old) if old is not None else Existing("", True, "")
    if old is not None and not existing.key:
        raise Failure("it is not a note by spar, so it was not changed")
    if not (existing.untouched or replace):
        raise Failure("the part above its mark was edited by hand, so it was not changed; --replace rewrites it")
    new = text(existing.below).encode()
    if new == old:
        done.same += 1
        return
    replace_file(file, new, old)
    if old is None:
        done.new += 1
    else:
        done.changed += 1


def _links(store: Store, titles: Mapping[int, str], files: Mapping[int, Path]) -> dict[int, Links]:
    """Return the links of each paper's note to other notes, by paper number."""
    by_number = {number: Links({}, {}) for number in titles}
    for citing, cited in papers.links_among(store, titles):
        by_number[citing].cites[files[cited].stem] = titles[cited]
        by_number[cited].cited_by[files[citing].stem] = titles[citing]
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
