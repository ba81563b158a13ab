"""A person's workspace, open while one verb runs: settings, the store, and the sources."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from agents.llm.config import ModelConfig
from cache.corpus.place import CORPUS, exists, is_remote
from connectors.capability import Capability
from connectors.http.loopback import on_this_machine
from connectors.registry import SOURCES, address_of, for_references
from spar_tui import __version__
from spar_tui.errors import Failure, NothingFound, UsageError
from spar_tui.settings import Settings, load_settings

if TYPE_CHECKING:
    from agents.llm.model import Model
    from agents.meaning.kept import TextEncoder
    from agents.run.resources import Resources
    from cache.store import Store
    from connectors.http.pool import ConnectionPool
    from connectors.identifiers import Identifier
    from connectors.paper import Paper
    from connectors.pdf import PdfFetcher
    from connectors.source import Source
    from connectors.unpaywall.source import Unpaywall


def read_settings(background: bool = False) -> Settings:
    """Read the settings, start the log, and print warnings on standard error. `background` is for a verb that works
    through a list: requests of other verbs go before its own."""
    from spar_tui.health.log_file import begin
    from spar_tui.terminal import remark

    settings = load_settings()
    begin(settings)
    remark(*settings.warnings)
    return replace(settings, access=replace(settings.access, background=background))


@contextmanager
def open_store(settings: Settings, wait: float | None = None, wait_here: float | None = None) -> "Iterator[Store]":
    """Open the store, waiting `wait` seconds (None: the default) if another process has locked it, in this thread
    `wait_here` seconds.

    Afterwards, make today's backup. Raises `Failure` with its one sentence if the store cannot be used, `NothingFound`
    if there is no run yet.
    """
    from cache.errors import CacheError, NoRunYet
    from cache.store import Store
    from cache.upkeep import keep_daily_unasked

    try:
        opened = Store.open(settings.places.database, wait=wait, wait_here=wait_here)
        try:
            with opened as store:
                yield store
        finally:
            _name_unreadable()
            keep_daily_unasked(opened.path)
    except CacheError as error:
        raise (NothingFound if isinstance(error, NoRunYet) else Failure)(str(error)) from None


def _name_unreadable() -> None:
    """Warn about unreadable rows of the library, because the lists lack them."""
    from cache.readable_rows import take_passed_over
    from spar_tui.phrases import rows_left_out
    from spar_tui.terminal import remark

    if rows := take_passed_over():
        remark(f"{rows_left_out(rows)}")


@dataclass(frozen=True, slots=True)
class Workspace:
    """The store and the sources while a verb runs."""

    store: "Store"
    resources: "Resources"
    pdfs: "PdfFetcher | None" = None
    """Fetches whole PDFs to store; None offline."""
    unpaywall: "Unpaywall | None" = None
    """Finds free copies; None offline."""

    def remembered(self, name: "Identifier") -> "Paper | None":
        """Return the paper called `name`, if the library has it."""
        from cache import papers

        return papers.find(self.store, [name])


@asynccontextmanager
async def open_workspace(
    settings: Settings,
    names: Sequence[str],
    offline: bool,
    model: bool = False,
    wait: float | None = None,
    since: "datetime | None" = None,
) -> AsyncIterator[Workspace]:
    """Open the workspace with the live sources and registries `names`, including the corpus if it exists, and with the
    person's language model if `model` is True.

    When `offline` there are no sources but a corpus in a folder, and the model only if it is on this machine. `wait` is
    as in `open_store`. With `since`, lists stored before that are requested again. Raises `Failure` if the corpus is
    named but does not exist.
    """
    from agents.meaning.kept import KeptVectors
    from agents.run.resources import Resources
    from cache.cached_source import CachedSource
    from cache.corpus.table import NoCorpus
    from cache.kept_values import library_secret
    from cache.local_source import Library
    from cache.page_texts import KeptPages
    from connectors.http.pool import ConnectionPool
    from connectors.opening import ClosedSource, open_sources, open_unpaywall
    from connectors.starter.shelf import StarterShelf
    from spar_tui.interface import TextInterface

    if CORPUS in names and not exists(settings.corpus) and tuple(names) != settings.preferences.sources:
        raise Failure(NoCorpus(settings.corpus).sentence)  # the person named it; it is not just one of all sources
    with open_store(settings, wait) as store:
        async with ConnectionPool(f"spar/{__version__}") as connections:
            services = [name for name in names if name in SOURCES and not offline]
            sources = open_sources(services, settings.access, connections, settings.places.gates)
            live: dict[str, Source] = {
                name: source
                if isinstance(source, ClosedSource)  # it has nothing to look up
                else CachedSource(source, store, version=address_of(SOURCES[name], settings.access), since=since)
                for name, source in sources.items()
            }
            last = [name for name in services if Capability.LAST_LOOKUP in SOURCES[name].capabilities]
            registries = {name: live.pop(name) for name in last}
            pdf = None if offline else _bibliographies(settings, connections, store, live)
            async with _model(settings, store, model and not unasked_model(settings, offline)) as judge:
                kept_here, fallback = {"library": Library(store)}, {"starter": StarterShelf()}
                encoder = _encoder(settings, judge)
                if CORPUS in names and exists(settings.corpus) and not (offline and is_remote(settings.corpus)):
                    live[CORPUS] = _corpus(settings, encoder)
                resources = Resources(
                    live, kept_here, fallback, judge, pdf=pdf, interface=TextInterface(),
                    embeddings=KeptVectors(encoder, store) if encoder else None,
                    source_seconds=settings.preferences.source_seconds, full_texts=KeptPages(store),
                    registries=registries, secret=library_secret(store) if judge else "",
                )  # fmt: skip
                if offline:
                    yield Workspace(store, resources)
                    return
                locator = open_unpaywall(settings.access, connections, settings.places.gates)
                yield Workspace(store, resources, _fetcher(settings, connections, list(sources)), locator)


def _bibliographies(
    settings: Settings, connections: "ConnectionPool", store: "Store", live: Mapping[str, "Source"]
) -> "Source":
    """Return the bibliographies of PDFs as a source, whose references are looked up at the `live` ones."""
    from cache.cached_source import CachedSource
    from connectors.pdf import PdfFetcher
    from connectors.pdf.source import PdfBibliographies

    fetcher = PdfFetcher(connections, settings.places.gates)
    resolvers = {spec.name: live[spec.name] for spec in for_references() if spec.name in live}
    return CachedSource(PdfBibliographies(fetcher, resolvers), store, version="1")


def _fetcher(settings: Settings, connections: "ConnectionPool", sources: Sequence[str]) -> "PdfFetcher":
    from connectors.pdf import PdfFetcher
    from connectors.pdf.fetching import WHOLE

    # A collection served on this machine may have its PDFs there too, but no other record may.
    own = [url for name in sources if on_this_machine(url := settings.access.urls.get(name, ""))]
    local = bool(sources) and len(own) == len(sources)
    return PdfFetcher(connections, settings.places.gates, local=local, rate_limit=WHOLE, own=own)


def _encoder(settings: Settings, model: "Model | None") -> "TextEncoder | None":
    """Return the encoder, preferring one on this machine."""
    if settings.semantic_folder:
        from agents.meaning.transformer import Transformer

        return Transformer(settings.semantic_folder)
    return model.embeddings() if model else None


def _corpus(settings: Settings, encoder: "TextEncoder | None") -> "Source":
    """Return the corpus; its questions get vectors only if those are free, because nothing counts their cost."""
    from agents.meaning.corpus_encoder import CorpusEncoder
    from cache.corpus.source import Corpus  # imported here: a library that few have

    unpaid = encoder is not None and (encoder.local or encoder.free)
    return Corpus(settings.corpus, CorpusEncoder(encoder) if encoder and unpaid else None)


def unasked_model(settings: Settings, offline: bool) -> str:
    """Return why the person's model is not asked: it is elsewhere, and nothing may leave this machine; "" if it may
    be."""
    model = settings.model
    if model is None or not offline or model.on_this_machine:
        return ""
    label = f"the model {model.known_name}" if model.known_name else "the model"
    return f"{label} at {model.host} is not asked offline, because it is not on this machine."


def model_to_measure(settings: Settings) -> "ModelConfig":
    """Return the person's model for a measurement that requires it. Raises `UsageError` if none may be asked."""
    if settings.model is None:
        raise UsageError("there is no language model; `spar doctor` says how to set one up.")
    if why := unasked_model(settings, settings.preferences.offline):
        raise UsageError(f"{why} `spar config set offline no` changes that setting.")
    return settings.model


@asynccontextmanager
async def _model(settings: Settings, store: "Store", asked_for: bool) -> "AsyncIterator[Model | None]":
    """Yield the person's language model, if there is one and it is requested."""
    if not asked_for or settings.model is None:
        yield None
        return
    from agents.llm.model import Model

    model = Model(settings.model, store)
    try:
        yield model
    finally:
        await model.close()
