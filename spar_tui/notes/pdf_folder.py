"""The PDFs of saved papers in a folder, each under its citation key and known to the shelf."""

from pathlib import Path

from agents.tools import shelf_actions
from cache import papers
from cache.shelf import Shelved
from cache.store import Store
from connectors.paper import Paper
from spar_tui.bibliography.citation_key import key_pattern
from spar_tui.bibliography.files import locked, read_old, replace_file, stem_of
from spar_tui.bibliography.keys import keys_for
from spar_tui.errors import Failure
from spar_tui.openable_files import is_local_file


def pdf_there(entry: Shelved | None) -> str | None:
    """The first PDF of a saved paper that is on the disk, as the shelf names it."""
    files = entry.files if entry else ()
    return next((name for name in files if Path(name).suffix.lower() == ".pdf" and is_local_file(name)), None)


def read_pdf(file: str, most: int) -> bytes:
    """The bytes of a PDF. Raises `Failure` if it cannot be read or has more than `most` bytes."""
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise Failure(f"{file} cannot be read ({error.strerror}).") from None
    if len(data) > most:
        raise Failure(f"{file} is larger than {most // 1_000_000} MB, and is not read.")
    return data


def keep_pdf(store: Store, paper: Paper, data: bytes, folder: Path, locks: Path) -> tuple[Path, bool]:
    """Write the PDF of `paper` into `folder` under its citation key, and note on the shelf where it lies, ahead of the
    files known before. The file, and whether the paper came onto the shelf by this.

    Raises `Failure` if it cannot be written or another file has the name, `CacheError`; nothing is kept then.
    """
    entry = shelf_actions.entry_of(store, paper)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{folder} cannot be used ({error.strerror}).") from None
    files = entry.files if entry else ()
    [number] = papers.remember(store, [paper])
    key = keys_for(store, {number: paper}, key_pattern("better-bibtex"))[number]
    file = folder / f"{stem_of(key)}.pdf"
    with locked(file, locks):
        old = read_old(file)
        if old is not None and old != data and str(file.absolute()) not in files:
            raise Failure(f"{file} is another file, which was not changed.")
        if old != data:
            replace_file(file, data, old)
    if entry is None:
        shelf_actions.save(store, [paper])
    shelf_actions.set_files(store, paper, [str(file.absolute())], files)
    return file, entry is None
