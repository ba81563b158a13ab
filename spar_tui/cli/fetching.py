"""Fetch PDFs of papers for a verb from the first address that has one, and store them with their text."""

from pathlib import Path

from agents.lookup.full_text import ARXIV, FetchedPdf, fetch_pdf, keep_text, places_of, text_of_file
from agents.lookup.links import looked_up
from agents.run.findings import failures
from agents.tools import shelf_actions
from agents.tools.shelf_actions import entry_of
from cache import papers, shelf
from cache.errors import CacheError
from cache.page_texts import FullText
from cache.shelf import Shelved
from cache.store import PaperId, Store
from connectors.errors import NotFound, SourceError
from connectors.identifiers import ARXIV_DOIS, Identifier
from connectors.paper import Paper
from connectors.pdf.fetching import WHOLE
from connectors.records.visible import shortened
from spar_tui.bibliography.citation_key import key_pattern, keys_for
from spar_tui.cli.papers import find_papers
from spar_tui.errors import Failure, UserError
from spar_tui.files import locked, read_old, replace_file, stem_of
from spar_tui.math_text import title_text
from spar_tui.openable_files import is_local_file
from spar_tui.phrases import counted
from spar_tui.settings import Settings
from spar_tui.terminal import ProgressLine, remark, say
from spar_tui.workspace import Workspace, open_workspace


def read_pdf(file: str, most: int) -> bytes:
    """Return the bytes of a PDF. Raises `Failure` if it cannot be read or has more than `most` bytes."""
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise Failure(f"{file} cannot be read ({error.strerror}).") from None
    if len(data) > most:
        raise Failure(f"{file} is larger than {most // 1_000_000} MB, and is not read.")
    return data


def keep_pdf(store: Store, paper: Paper, data: bytes, folder: Path, locks: Path) -> tuple[Path, bool]:
    """Write the PDF of `paper` to `folder` under its citation key, and store the path on the shelf before earlier ones.
    Return the file, and whether this saved the paper.

    Raises `Failure` if it cannot be written or another file has the name, and `CacheError`; then nothing is stored.
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
            raise Failure(f"{file} exists and is another file; it was not changed.")
        if old != data:
            replace_file(file, data, old)
    if entry is None:
        shelf_actions.save(store, [paper])
    shelf_actions.set_files(store, paper, [str(file.absolute())], files)
    return file, entry is None


class Fetching:
    """One call of the verb, with the number of PDFs stored so far."""

    def __init__(self, settings: Settings, folder: Path, again: bool, unchecked: bool) -> None:
        self.settings, self.folder, self.again, self.unchecked = settings, folder, again, unchecked
        self.locks = settings.places.locks
        self.kept = 0

    async def all(self, names: list[str], tag: str) -> int:
        async with open_workspace(self.settings, self.settings.preferences.sources, offline=False) as workspace:
            matches, wrong = await find_papers(names, workspace)
            entries = shelf.shelf(workspace.store, tag=tag) if tag else []
            records = [*(match.paper for match in matches), *(entry.paper for entry in entries)]
            papers = list({paper.id: paper for paper in records}.values())
            line = ProgressLine()
            for number, paper in enumerate(papers, start=1):
                line.tell(f"fetching {number} of {len(papers)}: {shortened(title_text(paper))}")
                try:
                    sentence = await self.fetch_one(workspace, paper)
                except UserError as error:
                    wrong.append(error)
                    continue
                finally:
                    line.tell("")
                say(f"{paper.id}  {title_text(paper)}", f"  {sentence}")
        remark(*map(str, wrong))
        if not papers and not wrong:
            remark(f"no saved paper has the tag {tag}; spar tag lists the tags.")
            return 3
        return wrong[0].exit_code if wrong else 0

    async def fetch_one(self, workspace: Workspace, paper: Paper) -> str:
        """Fetch one paper and return a sentence about the result. Raises `Failure` with the reason if there is no
        PDF."""
        entry = entry_of(workspace.store, paper)
        store = workspace.store
        if entry and not self.again and (path := self.local_pdf(entry)):
            data, number = read_pdf(path, WHOLE.body_cap), PaperId(entry.number)
            try:
                text = await text_of_file(store, number, entry.paper, path, data, unproven=self.unchecked)
            except CacheError as error:
                why = f"its PDF is here ({path}), but its text was not saved. {error}"
                raise Failure(f"{_name(entry.paper)}: {why}") from None
            return f"is here already: {path}. {_text_sentence(text)}"
        pdf = await self.find_pdf(workspace, paper)
        assert pdf.data is not None
        try:
            file, is_new = keep_pdf(store, paper, pdf.data, self.folder, self.locks)
        except Failure as error:
            raise Failure(f"{_name(paper)}: {error}") from None
        self.kept += 1
        size = f"{len(pdf.data) / 1_000_000:.1f} MB from {pdf.address}"
        remarks = " Its title was not checked." * pdf.unproven + " The paper is on the shelf now." * is_new
        entry = entry_of(store, paper)
        assert entry is not None
        try:
            text = await keep_text(store, PaperId(entry.number), str(file.absolute()), pdf.data, pdf.pages, pdf.unread)
        except CacheError as error:
            raise Failure(f"{_name(paper)}: its PDF is saved ({file}), but not its text. {error}") from None
        return f"is saved: {file} ({size}).{remarks} {_text_sentence(text)}"

    @staticmethod
    def local_pdf(entry: Shelved) -> str | None:
        """Return the first PDF of a saved paper that exists on the disk, by its path on the shelf."""
        pdfs = (name for name in entry.files if Path(name).suffix.lower() == ".pdf")
        return next(filter(is_local_file, pdfs), None)

    async def find_pdf(self, workspace: Workspace, paper: Paper) -> FetchedPdf:
        """Return the PDF from the first address that has it: those in the record, arXiv's, Unpaywall's, or the
        sources' current ones (including Europe PMC); each group is asked only if the earlier ones had none. Raises
        `Failure` with the reasons of all addresses and services if none has it."""
        arxiv = self.settings.access.urls.get("arxiv", ARXIV)
        reasons, remarks = dict[str, str](), list[str]()

        async def by_record() -> tuple[str, ...]:
            return places_of(paper, arxiv)

        finders = (by_record, lambda: _by_unpaywall(workspace, paper, remarks),
                   lambda: _by_sources(workspace, paper, arxiv, remarks))  # fmt: skip
        assert workspace.pdfs is not None
        for finder in finders:
            addresses = [address for address in await finder() if address not in reasons]
            pdf = await fetch_pdf(paper, addresses, workspace.pdfs, unproven=self.unchecked)
            if pdf.data is not None:
                return pdf
            reasons |= pdf.reasons
        text = " ".join(f"{address} {sentence}" for address, sentence in reasons.items())
        page = f"; `spar open {paper.id}` opens its page" if paper.page else ""
        raise Failure(" ".join([f"{_name(paper)}: {text or f'no open-access PDF is known{page}.'}", *remarks]))


async def _by_unpaywall(workspace: Workspace, paper: Paper, remarks: list[str]) -> tuple[str, ...]:
    """Return the addresses that Unpaywall knows; add the reason to `remarks` if there are none."""
    name = paper.identifier("doi")
    if name is None or name.startswith(ARXIV_DOIS) or workspace.unpaywall is None:
        return ()
    try:
        if addresses := await workspace.unpaywall.places(Identifier("doi", name)):
            return addresses
        remarks.append("Unpaywall knows no free PDF of it.")
    except NotFound as error:
        remarks.append(f"unpaywall {error.sentence}")
    except SourceError as error:
        remarks.append(f"unpaywall {'failed: it ' if error.request_sent else ''}{error.sentence}")
    return ()


async def _by_sources(workspace: Workspace, paper: Paper, arxiv: str, remarks: list[str]) -> tuple[str, ...]:
    """Return the sources' current addresses of the paper; add failed sources to `remarks`."""
    if not paper.identifiers:
        return ()
    link = await looked_up(paper.identifiers[0], workspace.resources)
    remarks.extend(f"{source} failed: it {why}" for source, why in failures(link.sources).items())
    return places_of(link.papers[0], arxiv) if link.papers else ()


def _text_sentence(text: FullText) -> str:
    """Say whether the text of a PDF can be searched now, or why not."""
    if not text.readable:
        return f"Its text cannot be searched: it {text.reason}"
    pages = counted(text.pages, "page")
    share = pages if text.readable == text.pages else f"{text.readable} of {pages} have text"
    return f"You can search its text ({share})."


def _name(paper: Paper) -> str:
    """Return the identifier of a paper, or the title of one without."""
    return paper.id if paper.identifiers else f"“{title_text(paper)}”"
