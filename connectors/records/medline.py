"""How MEDLINE writes, in PubMed's records and in those that others made of them."""

from collections.abc import Collection

from connectors.paper import PaperType

_TYPES: dict[str, PaperType] = {
    "preprint": "preprint",
    "book chapter": "chapter",
    "review": "review",
    "systematic review": "review",
    "scoping review": "review",
    "academic dissertation": "thesis",
    "dataset": "dataset",
    "technical report": "report",
}
"""Publication types that say more than that something is an article."""
_LANGUAGES = dict(
    pair.split(":")
    for pair in (
        "ara:ar bul:bg cat:ca chi:zh cze:cs dan:da dut:nl eng:en est:et fin:fi fre:fr geo:ka ger:de gre:el heb:he"
        " hrv:hr hun:hu ice:is ind:id ita:it jpn:ja kor:ko lav:lv lit:lt nor:no per:fa pol:pl por:pt rum:ro rus:ru"
        " slo:sk slv:sl spa:es srp:sr swe:sv tha:th tur:tr ukr:uk vie:vi"
        " ces:cs deu:de ell:el eus:eu fas:fa fra:fr isl:is kat:ka lat:la nld:nl ron:ro slk:sk zho:zh"
    ).split()
)
"""MEDLINE's three letters, and those of ISO 639-3, for the languages that it holds most of, and everyone else's two."""


def type_of(kinds: Collection[str]) -> PaperType:
    """The type of what is of these publication types, in lower case."""
    return next((_TYPES[kind] for kind in _TYPES if kind in kinds), "article")


def retracted(kinds: Collection[str]) -> bool:
    """Whether these publication types, in lower case, say that it was retracted; a notice of it is not."""
    return "retracted publication" in kinds


def language_of(code: str) -> str | None:
    """The language by everyone else's two letters where they are known; None for several and for none."""
    code = code.lower()
    return None if code in ("und", "mul") else _LANGUAGES.get(code, code)


def without_stop(title: str) -> str:
    """A title as its journal prints it: MEDLINE ends each with a full stop and puts translated ones in brackets."""
    bare = title.removesuffix(".") if not title.endswith("..") else title
    return bare[1:-1] if bare.startswith("[") and bare.endswith("]") and bare.count("[") == 1 else bare
