"""A small library of two subjects and some other papers, and a person who reads in it."""

from datetime import UTC, datetime

from cache import papers, reading_history
from cache.reading_history import Interaction
from cache.store import PaperId, Store
from connectors.identifiers import Identifier
from connectors.paper import Author, Paper

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
WHALES = (
    ("Songs of humpback whales", "Humpback whales sing songs in the ocean; we record whale songs of each season."),
    ("Migration of humpback whales", "We track the migration of whales through the ocean from season to season."),
    ("Feeding of blue whales", "Blue whales feed on krill; we count dives of whales in the ocean."),
    ("Whale songs in the deep ocean", "The songs of blue whales and humpback whales carry far in the deep ocean."),
    ("Krill and blue whales", "Where krill is, blue whales feed; a count of krill in the ocean."),
    ("Dives of sperm whales", "Sperm whales dive deep in the ocean; we track dives of whales with tags."),
)
COMPILERS = (
    ("Register allocation in compilers", "A compiler allocates registers by coloring graphs of program code."),
    ("Optimizing compilers for loops", "Loops of a program are optimized by the compiler, which moves code."),
    ("Parsing in compilers", "A compiler parses program code by grammars; we generate parsers."),
    ("Code generation for register machines", "The compiler generates program code for machines with registers."),
    ("Loop optimization by moving code", "We optimize loops of program code in a compiler by moving code out."),
    ("Grammars for parsing programs", "Parsers of program code from grammars, generated for a compiler."),
)
OTHERS = tuple(
    (f"Report {number} on {thing}", f"{thing.title()} are described with figures and tables of {more}.")
    for number, (thing, more) in enumerate(
        [("bridges", "steel"), ("volcanoes", "lava"), ("violins", "sound"), ("glaciers", "ice"), ("bees", "honey"),
         ("castles", "stone"), ("poems", "rhyme"), ("markets", "prices"), ("vaccines", "doses"), ("roads", "traffic"),
         ("rivers", "water"), ("telescopes", "stars")]
    )
)  # fmt: skip


def paper(title: str, abstract: str = "", *, year: int = 2015, cites: tuple[str, ...] = ()) -> Paper:
    """A paper with a DOI made of its title."""
    return Paper(
        title,
        abstract,
        (Author("Lovelace", "Ada"),),
        str(year),
        identifiers=(doi(title),),
        references=tuple(map(doi, cites)),
    )


def doi(title: str) -> Identifier:
    return Identifier("doi", f"10.1000/{'-'.join(title.lower().split())}")


def filled(store: Store) -> tuple[list[PaperId], list[PaperId]]:
    """The numbers of the papers on whales and of those on compilers; the others are there as well."""
    papers.remember(store, (paper(*one) for one in OTHERS))
    return (
        papers.remember(store, (paper(*one) for one in WHALES)),
        papers.remember(store, (paper(*one) for one in COMPILERS)),
    )


def done(store: Store, act: Interaction, *numbers: int, at: datetime = NOON) -> None:
    for number in numbers:
        reading_history.note_interaction(store, number, act, now=at)
