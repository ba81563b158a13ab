"""Compare a few papers: which cite each other, and which references they share, as far as known."""

from collections.abc import Sequence
from dataclasses import dataclass

from cache import papers as library
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Paper, WorkId
from spar_tui.citation_map.known_links import cited_names, links_by_name
from spar_tui.citation_map.phrases import who_and_when
from spar_tui.math_text import title_text
from spar_tui.phrases import counted


@dataclass(frozen=True, slots=True)
class SharedReference:
    """A reference that the papers at `places` (from 1) share: its title, or its identifier if nothing else is known."""

    title: str
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Papers and their relations, by place from 1: `links` are (citing, cited), `known` the papers with known
    references. Works that more of the papers share come first."""

    papers: tuple[Paper, ...]
    links: tuple[tuple[int, int], ...] = ()
    shared: tuple[SharedReference, ...] = ()
    known: tuple[int, ...] = ()

    @property
    def sentences(self) -> list[str]:
        """Sentences on which papers cite each other and which works they share."""
        texts = [f"{citing} cites {cited}." for citing, cited in self.links]
        texts = texts or ["No known citations between these papers."]
        if not self.known:
            texts.append("References unknown.")
        elif len(self.known) < len(self.papers):
            texts.append(f"References known only for {' and '.join(map(str, self.known))}.")
        if self.shared:
            texts.append(f"{counted(len(self.shared), 'work')} cited by two or more of them:")
        else:
            texts.append("No shared references known.")
        return texts


def compared(store: Store, papers: Sequence[Paper]) -> Comparison:
    """Return what the library knows about the relations of `papers`. Blocks; raises `CacheError`."""
    by_place = {WorkId(number): paper for number, paper in enumerate(papers, start=1)}
    names = cited_names(store, list(by_place.items()))
    citing: dict[Identifier, tuple[int, ...]] = {}
    for work_id, cited in names.items():
        for name in cited:
            citing[name] = (*citing.get(name, ()), work_id)
    # Sources use different identifiers for one work; only the library can tell that two of them are the same.
    shared: dict[str, tuple[str, set[int]]] = {}
    for name in sorted(citing):
        paper = library.find(store, [name])
        title = f"{who_and_when(paper)}: {title_text(paper)}" if paper else str(name)
        shared.setdefault(paper.id if paper else str(name), (title, set()))[1].update(citing[name])
    shared_references = [
        SharedReference(title, tuple(sorted(places))) for title, places in shared.values() if len(places) > 1
    ]
    return Comparison(
        tuple(papers),
        tuple(sorted((int(link.citing), int(link.cited)) for link in links_by_name(names, by_place))),
        tuple(
            sorted(
                shared_references,
                key=lambda shared_reference: (
                    -len(shared_reference.places),
                    shared_reference.places,
                    shared_reference.title,
                ),
            )
        ),
        tuple(int(work_id) for work_id in by_place if names[work_id]),
    )
